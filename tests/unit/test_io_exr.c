/* EXR files as other programs write them, made with the library's own writer: every compression, sample type and
 * layout. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "unit/io_files.h"

#include <openexr.h>

enum { WIDE = 40, HIGH = 28, LEFT = -6, TOP = 4, MOST_CHANNELS = 5 };

typedef struct exr_kind {
    exr_compression_t compression;
    exr_pixel_type_t type;
    bool tiled;
    const char *names[MOST_CHANNELS + 1]; /* in alphabetical order */
    float of[MOST_CHANNELS];              /* for each channel, the factor of the ramp; 0: zeros */
    int subsampled;                       /* the first channels, which have every second sample in both directions */
} exr_kind;

static float planes[MOST_CHANNELS][WIDE * HIGH];
static uint32_t counts[MOST_CHANNELS][WIDE * HIGH];

static float ramp(int x, int y) { return (float)(x + 4 * y + 2); } /* exact as a half */

static void fill(const exr_kind *kind) {
    for (int c = 0; c < MOST_CHANNELS; c++)
        for (int i = 0; i < WIDE * HIGH; i++) {
            planes[c][i] = kind->of[c] * ramp(i % WIDE, i / WIDE);
            counts[c][i] = (uint32_t)planes[c][i];
        }
}

static bool good(exr_result_t result) { return result == EXR_ERR_SUCCESS; }

static void declare(exr_context_t exr, const exr_kind *kind) {
    const exr_attr_box2i_t window = {{.x = LEFT, .y = TOP}, {.x = LEFT + WIDE - 1, .y = TOP + HIGH - 1}};
    const exr_attr_v2f_t centre = {0};
    int part;
    assert_true(good(exr_add_part(exr, "picture", kind->tiled ? EXR_STORAGE_TILED : EXR_STORAGE_SCANLINE, &part)) &&
                good(exr_initialize_required_attr(exr, part, &window, &window, 1, &centre, 1,
                                                  kind->tiled ? EXR_LINEORDER_RANDOM_Y : EXR_LINEORDER_INCREASING_Y,
                                                  kind->compression)));
    if (kind->tiled)
        assert_true(good(exr_set_tile_descriptor(exr, part, 16, 8, EXR_TILE_ONE_LEVEL, EXR_TILE_ROUND_DOWN)));
    for (int c = 0; kind->names[c] != NULL; c++) {
        const int step = c < kind->subsampled ? 2 : 1;
        assert_true(
            good(exr_add_channel(exr, part, kind->names[c], kind->type, EXR_PERCEPTUALLY_LOGARITHMIC, step, step)));
    }
    assert_true(good(exr_write_header(exr)));
}

static void encode(exr_context_t exr, const exr_kind *kind, const exr_chunk_info_t *chunk, int x, int y) {
    exr_encode_pipeline_t pipeline = EXR_ENCODE_PIPELINE_INITIALIZER;
    assert_true(good(exr_encoding_initialize(exr, 0, chunk, &pipeline)));
    for (int c = 0; c < pipeline.channel_count; c++) {
        exr_coding_channel_info_t *channel = &pipeline.channels[c];
        const void *from = kind->type == EXR_PIXEL_UINT ? (void *)&counts[c][y * WIDE + x] : &planes[c][y * WIDE + x];
        channel->encode_from_ptr = from;
        channel->user_data_type = kind->type == EXR_PIXEL_UINT ? EXR_PIXEL_UINT : EXR_PIXEL_FLOAT;
        channel->user_bytes_per_element = 4;
        channel->user_pixel_stride = 4;
        channel->user_line_stride = 4 * WIDE;
    }
    assert_true(good(exr_encoding_choose_default_routines(exr, 0, &pipeline)));
    assert_true(good(exr_encoding_run(exr, 0, &pipeline)));
    exr_encoding_destroy(exr, &pipeline);
}

static void write_kind(const char *path, const exr_kind *kind) {
    exr_context_t exr = NULL;
    fill(kind);
    assert_true(good(exr_start_write(&exr, path, EXR_WRITE_FILE_DIRECTLY, NULL)));
    declare(exr, kind);
    exr_chunk_info_t chunk;
    int32_t step = 0;
    if (!kind->tiled) assert_true(good(exr_get_scanlines_per_chunk(exr, 0, &step)));
    for (int y = 0; y < HIGH && !kind->tiled; y += step) {
        assert_true(good(exr_write_scanline_chunk_info(exr, 0, TOP + y, &chunk)));
        encode(exr, kind, &chunk, 0, y);
    }
    for (int y = 0; y < HIGH && kind->tiled; y += 8)
        for (int x = 0; x < WIDE; x += 16) {
            assert_true(good(exr_write_tile_chunk_info(exr, 0, x / 16, y / 8, 0, 0, &chunk)));
            encode(exr, kind, &chunk, x, y);
        }
    assert_true(good(exr_finish(&exr)));
}

static wadi_raster *read_kind(const exr_kind *kind, wadi_encoding encoding) {
    const wadi_read_options options = {.encoding = encoding};
    wadi_raster *raster;
    write_kind("kind.exr", kind);
    if (wadi_raster_read("kind.exr", &options, &raster) != WADI_OK)
        fail_msg("compression %d, type %d, %s: %s", (int)kind->compression, (int)kind->type, kind->names[0],
                 wadi_error_message());
    assert_true(raster->width == WIDE && raster->height == HIGH);
    return raster;
}

static void expect_ramp(const exr_kind *kind, wadi_encoding encoding, float of) {
    const bool lossy = kind->compression >= EXR_COMPRESSION_PXR24;
    wadi_raster *raster = read_kind(kind, encoding);
    for (int i = 0; i < WIDE * HIGH; i++) {
        const float expected = of * ramp(i % WIDE, i / WIDE), apart = fabsf(raster->values[i] - expected);
        if (!(apart <= (lossy ? 1 + 0.1f * expected : expected * 1e-6f)))
            fail_msg("compression %d, type %d, %s, tiled %d: cell %d: %g, not %g", (int)kind->compression,
                     (int)kind->type, kind->names[0], kind->tiled, i, (double)raster->values[i], (double)expected);
    }
    wadi_raster_destroy(raster);
}

static void refuses(const exr_kind *kind, wadi_encoding encoding, const char *says) {
    const wadi_read_options options = {.encoding = encoding};
    wadi_raster *none;
    write_kind("kind.exr", kind);
    const wadi_status status = wadi_raster_read("kind.exr", &options, &none);
    assert_true(status == WADI_ERROR_FORMAT || status == WADI_ERROR_UNSUPPORTED || status == WADI_ERROR_ARGUMENT);
    assert_null(none);
    if (strstr(wadi_error_message(), says) == NULL) fail_msg("'%s' says not '%s'", wadi_error_message(), says);
}

/* B44 compresses halves alone. Library 3.4 stores other channels in another order than all libraries read them. */
static bool writes_channels(const exr_kind *kind) {
    int major, minor, patch;
    const char *extra;
    exr_get_library_version(&major, &minor, &patch, &extra);
    return kind->compression < EXR_COMPRESSION_B44 || kind->type == EXR_PIXEL_HALF || (major == 3 && minor < 4);
}

/* All but DWA, which the C part of the library cannot write before version 3.2. Its fast code for 3 and 4 half channels
 * once wrote to channels that were not asked for. */
static void every_compression_type_and_layout(void **state) {
    (void)state;
    for (int compression = 0; compression <= EXR_COMPRESSION_B44A; compression++)
        for (int type = 0; type <= 2; type++)
            for (int tiled = 0; tiled < 2; tiled++) {
                exr_kind kind = {.compression = (exr_compression_t)compression,
                                 .type = (exr_pixel_type_t)type,
                                 .tiled = tiled != 0,
                                 .names = {"Y"},
                                 .of = {1}};
                expect_ramp(&kind, WADI_ENCODING_NONE, 1);
                if (!writes_channels(&kind)) continue;
                memcpy(kind.names, ((const char *[]){"B", "G", "R", NULL}), 4 * sizeof kind.names[0]);
                memcpy(kind.of, ((float[]){3, 2, 1}), 3 * sizeof(float));
                expect_ramp(&kind, WADI_ENCODING_RED, 1);
                expect_ramp(&kind, WADI_ENCODING_BLUE, 3);
                memcpy(kind.names, ((const char *[]){"A", "B", "G", "R", NULL}), 5 * sizeof kind.names[0]);
                memcpy(kind.of, ((float[]){1, 3, 2, 1}), 4 * sizeof(float));
                expect_ramp(&kind, WADI_ENCODING_GREEN, 2);
                memcpy(kind.names, ((const char *[]){"N", "R", "X", "Z", NULL}), 5 * sizeof kind.names[0]);
                memcpy(kind.of, ((float[]){5, 1, 2, 3}), 4 * sizeof(float));
                expect_ramp(&kind, WADI_ENCODING_NONE, 1);
            }
}

static void colours_need_an_encoding(void **state) {
    (void)state;
    exr_kind kind = {.type = EXR_PIXEL_HALF, .names = {"B", "G", "R"}, .of = {3, 2, 1}};
    refuses(&kind, WADI_ENCODING_NONE, "encoding luminance");
    refuses(&kind, WADI_ENCODING_TERRARIUM, "8-bit");
    expect_ramp(&kind, WADI_ENCODING_LUMINANCE, 0.2126f + 2 * 0.7152f + 3 * 0.0722f);
    memcpy(kind.of, ((float[]){2, 2, 2}), 3 * sizeof(float)); /* grey */
    expect_ramp(&kind, WADI_ENCODING_NONE, 2);
    expect_ramp(&kind, WADI_ENCODING_LUMINANCE, 2);
    refuses(&(exr_kind){.type = EXR_PIXEL_HALF, .names = {"Y"}, .of = {1}}, WADI_ENCODING_MAPBOX_RGB, "has none");
}

static void chroma_is_a_colour(void **state) {
    (void)state;
    exr_kind kind = {.type = EXR_PIXEL_HALF, .names = {"BY", "RY", "Y"}, .of = {0, 0, 1}, .subsampled = 2};
    refuses(&kind, WADI_ENCODING_NONE, "in colours");
    expect_ramp(&kind, WADI_ENCODING_LUMINANCE, 1);
    memcpy(kind.names, ((const char *[]){"R", "Z", NULL}), 3 * sizeof kind.names[0]);
    refuses(&kind, WADI_ENCODING_NONE, "subsampled");
}

static void alpha_of_0_is_no_data(void **state) {
    (void)state;
    const exr_kind kind = {.type = EXR_PIXEL_HALF, .names = {"A", "Z"}, .of = {1, 2}};
    expect_ramp(&kind, WADI_ENCODING_NONE, 2);
    const exr_kind clear = {.type = EXR_PIXEL_FLOAT, .names = {"A", "B", "G", "R"}, .of = {0, 2, 2, 2}};
    refuses(&clear, WADI_ENCODING_NONE, "no data in any cell");
    static bytes samples, file;
    samples.count = 0;
    for (int i = 0; i < 8; i++) put_float(&samples, i == 4 ? 0 : (float)(i + 1)); /* each row: A A, Y Y */
    make_exr(&file, 2, 2, 2, "AY", false, &samples);
    wadi_raster *raster;
    assert_int_equal(read_bytes(&file, "a.exr", NULL, &raster), WADI_OK);
    assert_true(raster->values[0] == 3 && raster->values[1] == 4 && isnan(raster->values[2]) && raster->values[3] == 8);
    wadi_raster_destroy(raster);
}

static void the_cell_size_is_kept(void **state) {
    (void)state;
    wadi_raster *raster, *back;
    assert_int_equal(wadi_raster_create(4, 3, &raster), WADI_OK);
    raster->lx = 8, raster->ly = 1.0 / 3;
    assert_int_equal(wadi_raster_write("cells.exr", raster, NULL), WADI_OK);
    assert_int_equal(wadi_raster_read("cells.exr", NULL, &back), WADI_OK);
    assert_true(back->lx == 8 && back->ly == 1.0 / 3 && !back->cell_assumed);
    wadi_raster_destroy(back);
    const wadi_read_options given = {.lx = 5};
    assert_int_equal(wadi_raster_read("cells.exr", &given, &back), WADI_OK);
    assert_true(back->lx == 5 && back->ly == 5 && !back->cell_assumed);
    wadi_raster_destroy(back);
    wadi_raster_destroy(raster);
    back = read_kind(&(exr_kind){.type = EXR_PIXEL_HALF, .names = {"Y"}, .of = {1}}, WADI_ENCODING_NONE);
    assert_true(back->lx == 1 && back->ly == 1 && back->cell_assumed);
    wadi_raster_destroy(back);
}

/* A picture with any byte changed gives an error or not, but no crash and no leak. */
static void damaged_pictures(void **state) {
    (void)state;
    static bytes file;
    const exr_compression_t compressions[] = {EXR_COMPRESSION_NONE, EXR_COMPRESSION_ZIP, EXR_COMPRESSION_PIZ,
                                              EXR_COMPRESSION_B44};
    for (size_t k = 0; k < 2 * sizeof compressions / sizeof *compressions; k++) {
        const exr_kind kind = {.compression = compressions[k / 2],
                               .type = EXR_PIXEL_HALF,
                               .tiled = k % 2 != 0,
                               .names = {"A", "B", "G", "R"},
                               .of = {1, 2, 2, 2}};
        write_kind("damaged.exr", &kind);
        FILE *in = fopen("damaged.exr", "rb");
        file.count = fread(file.at, 1, sizeof file.at, in);
        fclose(in);
        const wadi_read_options options = {.memory_limit = 1 << 20};
        for (size_t i = 0; i < file.count; i += i < 500 ? 2 : 23) {
            wadi_raster *raster;
            file.at[i] ^= 0xff;
            if (read_bytes(&file, "damaged.exr", &options, &raster) != WADI_OK) assert_null(raster);
            wadi_raster_destroy(raster);
            file.at[i] ^= 0xff;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_compression_type_and_layout),
        cmocka_unit_test(colours_need_an_encoding),
        cmocka_unit_test(chroma_is_a_colour),
        cmocka_unit_test(alpha_of_0_is_no_data),
        cmocka_unit_test(the_cell_size_is_kept),
        cmocka_unit_test(damaged_pictures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
