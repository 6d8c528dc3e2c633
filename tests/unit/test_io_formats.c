/* Every format written and read back, and variants that other programs write. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/io_files.h"

static bytes file, samples;

static wadi_raster *make_raster(int width, int height) {
    wadi_raster *raster;
    assert_int_equal(wadi_raster_create(width, height, &raster), WADI_OK);
    for (int i = 0; i < width * height; i++) raster->values[i] = -300.0f + 0.37f * (float)((i * 7919) % 10007);
    return raster;
}

static void assert_same_values(const wadi_raster *a, const wadi_raster *b, double tolerance) {
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    for (int i = 0; i < a->width * a->height; i++) {
        if (isnan(a->values[i]) && isnan(b->values[i])) continue;
        if (!(fabs((double)a->values[i] - (double)b->values[i]) <= tolerance))
            fail_msg("cell %d: %.9g and %.9g", i, (double)a->values[i], (double)b->values[i]);
    }
}

static wadi_raster *read_made(const char *name, const wadi_read_options *options) {
    wadi_raster *raster;
    if (read_bytes(&file, name, options, &raster) != WADI_OK) fail_msg("%s", wadi_error_message());
    return raster;
}

static void refuses(const char *name, wadi_status expected, const char *says) {
    wadi_raster *raster;
    assert_int_equal(read_bytes(&file, name, NULL, &raster), expected);
    assert_null(raster);
    if (strstr(wadi_error_message(), says) == NULL) fail_msg("'%s' says not '%s'", wadi_error_message(), says);
    assert_ptr_equal(strstr(wadi_error_message(), name), wadi_error_message());
}

/* --- round trips ----------------------------------------------------------------------------------------------- */

static const int sizes[][2] = {{2, 2}, {5, 3}, {3, 7}, {257, 129}, {64, 64}};

static void floats_come_back_exactly(void **state) {
    (void)state;
    const char *const names[] = {"there.tif", "there.exr", "there.r32", "there.npy"};
    for (size_t n = 0; n < 4; n++) {
        if (!wadi_format_available(wadi_format_of_name(names[n]), NULL)) continue;
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            wadi_raster *raster = make_raster(sizes[s][0], sizes[s][1]), *back;
            raster->values[1] = NAN;
            raster->values[2] = -0.0f;
            if (wadi_raster_write(names[n], raster, NULL) != WADI_OK) fail_msg("%s", wadi_error_message());
            const wadi_read_options options = {.width = raster->width, .height = raster->height};
            if (wadi_raster_read(names[n], &options, &back) != WADI_OK) fail_msg("%s", wadi_error_message());
            assert_same_values(raster, back, 0);
            assert_true(isnan(back->values[1]));
            assert_int_equal(back->format, wadi_format_of_name(names[n]));
            assert_int_equal(back->sample, WADI_SAMPLE_FLOAT32);
            assert_false(back->has_georef);
            assert_true(back->lx == 1 && back->ly == 1 && back->scale == 1 && back->offset == 0);
            wadi_raster_destroy(raster);
            wadi_raster_destroy(back);
        }
    }
}

typedef struct integer_case {
    const char *name;
    wadi_sample sample;
    double full;
    bool holds_nodata;
} integer_case;
static const integer_case integer_cases[] = {
    {"there.png", WADI_SAMPLE_UINT8, 255, false},    {"there.png", WADI_SAMPLE_UINT16, 65535, false},
    {"there.r16", WADI_SAMPLE_UINT16, 65535, false}, {"there.tif", WADI_SAMPLE_UINT8, 255, true},
    {"there.tif", WADI_SAMPLE_UINT16, 65535, true},  {"there.tif", WADI_SAMPLE_INT16, 32767, true},
};

static void integers_come_back_within_half_a_step(void **state) {
    (void)state;
    for (size_t c = 0; c < sizeof integer_cases / sizeof *integer_cases; c++) {
        const integer_case *that = &integer_cases[c];
        if (!wadi_format_available(wadi_format_of_name(that->name), NULL)) continue;
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            wadi_raster *raster = make_raster(sizes[s][0], sizes[s][1]), *back;
            if (that->holds_nodata) raster->values[1] = NAN;
            wadi_write_options out = {.sample = that->sample};
            if (wadi_raster_write(that->name, raster, &out) != WADI_OK) fail_msg("%s", wadi_error_message());
            assert_int_equal(out.clamped, 0);
            const wadi_read_options in = {.width = raster->width,
                                          .height = raster->height,
                                          .has_range = true,
                                          .low = out.used_offset,
                                          .high = out.used_offset + out.used_scale * that->full};
            if (wadi_raster_read(that->name, &in, &back) != WADI_OK) fail_msg("%s", wadi_error_message());
            assert_int_equal(back->sample, that->sample);
            assert_same_values(raster, back, out.used_scale * 0.5001 + 1e-4);
            wadi_raster_destroy(raster);
            wadi_raster_destroy(back);
        }
    }
}

/* A TIFF states the meaning of its integers. */
static void integer_tiff_keeps_its_scale(void **state) {
    (void)state;
    if (!wadi_format_available(WADI_FORMAT_TIFF, NULL)) skip();
    wadi_raster *raster = make_raster(9, 4), *back;
    raster->values[5] = NAN;
    wadi_write_options out = {.sample = WADI_SAMPLE_UINT16};
    assert_int_equal(wadi_raster_write("scaled.tif", raster, &out), WADI_OK);
    assert_int_equal(wadi_raster_read("scaled.tif", NULL, &back), WADI_OK);
    assert_false(back->scale_assumed);
    assert_true(back->scale == out.used_scale && back->offset == out.used_offset);
    assert_true(isnan(back->values[5]));
    assert_same_values(raster, back, out.used_scale * 0.5001 + 1e-4);
    wadi_raster_destroy(raster);
    wadi_raster_destroy(back);
}

static void a_given_scale_is_kept_and_clamps(void **state) {
    (void)state;
    wadi_raster *raster, *back;
    assert_int_equal(wadi_raster_create(3, 2, &raster), WADI_OK);
    memcpy(raster->values, (float[6]){0, 0.25f, 0.26f, 16383.75f, 16384, -1}, 6 * sizeof(float));
    wadi_write_options out = {.format = WADI_FORMAT_R16, .scale = 0.25};
    assert_int_equal(wadi_raster_write("scale.r16", raster, &out), WADI_OK);
    assert_int_equal(out.clamped, 2);
    const wadi_read_options in = {.width = 3, .height = 2, .has_range = true, .high = 0.25 * 65535};
    assert_int_equal(wadi_raster_read("scale.r16", &in, &back), WADI_OK);
    const float expected[6] = {0, 0.25f, 0.25f, 16383.75f, 16383.75f, 0};
    assert_memory_equal(back->values, expected, sizeof expected);
    wadi_raster_destroy(raster);
    wadi_raster_destroy(back);
}

/* The nodata value must differ from all values. */
static void nodata_avoids_the_values(void **state) {
    (void)state;
    if (!wadi_format_available(WADI_FORMAT_TIFF, NULL)) skip();
    for (int i = 0; i < 4; i++) {
        wadi_raster *raster, *back;
        assert_int_equal(wadi_raster_create(3, 2, &raster), WADI_OK);
        memcpy(raster->values, (float[6]){0, NAN, -9999, 5, 255, -32768}, 6 * sizeof(float));
        raster->has_nodata = true;
        wadi_write_options out = {.sample = (wadi_sample)i};
        if (i > 0) out.scale = 1;
        assert_int_equal(wadi_raster_write("nodata.tif", raster, &out), WADI_OK);
        const wadi_read_options in = {.z_unit = "m"};
        assert_int_equal(wadi_raster_read("nodata.tif", &in, &back), WADI_OK);
        for (int k = 0; k < 6; k++) assert_true(isnan(back->values[k]) == (k == 1));
        assert_true(back->has_nodata && back->nodata != 0);
        if (i == 0) assert_same_values(raster, back, 0);
        wadi_raster_destroy(raster);
        wadi_raster_destroy(back);
    }
}

static void nan_in_png_is_transparent(void **state) {
    (void)state;
    if (!wadi_format_available(WADI_FORMAT_PNG, NULL)) skip();
    for (int depth = 8; depth <= 16; depth += 8) {
        wadi_raster *raster = make_raster(4, 3), *back;
        raster->values[0] = raster->values[11] = NAN;
        wadi_write_options out = {.sample = depth == 8 ? WADI_SAMPLE_UINT8 : WADI_SAMPLE_UINT16};
        assert_int_equal(wadi_raster_write("nan.png", raster, &out), WADI_OK);
        assert_int_equal(out.clamped, 0);
        assert_int_equal(wadi_raster_read("nan.png", NULL, &back), WADI_OK);
        for (int i = 0; i < 12; i++) assert_true(isnan(back->values[i]) == (i == 0 || i == 11));
        assert_same_values(raster, back, out.used_scale * 0.5001 + 1e-4);
        out.sample = WADI_SAMPLE_FLOAT32;
        assert_int_equal(wadi_raster_write("nan.png", raster, &out), WADI_ERROR_ARGUMENT);
        wadi_raster_destroy(raster);
        wadi_raster_destroy(back);
    }
}

/* In chunks that other programs skip. Options of the user take precedence. */
static void png_keeps_cell_size_and_range(void **state) {
    (void)state;
    if (!wadi_format_available(WADI_FORMAT_PNG, NULL)) skip();
    wadi_raster *raster = make_raster(5, 4), *back;
    raster->lx = 8, raster->ly = 1.0 / 3;
    wadi_write_options out = {.sample = WADI_SAMPLE_UINT16};
    assert_int_equal(wadi_raster_write("kept.png", raster, &out), WADI_OK);
    assert_int_equal(wadi_raster_read("kept.png", NULL, &back), WADI_OK);
    assert_true(back->lx == 8 && back->ly == 1.0 / 3 && !back->cell_assumed && !back->scale_assumed);
    assert_same_values(raster, back, out.used_scale * 0.5001 + 1e-4);
    wadi_raster_destroy(back);
    const wadi_read_options other = {.lx = 2, .has_range = true, .high = 65535};
    assert_int_equal(wadi_raster_read("kept.png", &other, &back), WADI_OK);
    assert_true(back->lx == 2 && back->ly == 2 && back->scale == 1 && back->offset == 0);
    wadi_raster_destroy(back);
    const wadi_read_options plain = {.plain_values = true}; /* a map states the meaning of its integers too */
    assert_int_equal(wadi_raster_read("kept.png", &plain, &back), WADI_OK);
    assert_same_values(raster, back, out.used_scale * 0.5001 + 1e-4);
    wadi_raster_destroy(back);
    wadi_raster_destroy(raster);
}

/* A map says its unit, and its cell size of 1 m too, so that it is taken for no terrain. */
static void maps_keep_their_unit(void **state) {
    (void)state;
    static const char *const files[] = {"unit.png", "unit.exr", "unit.npy"};
    static const char *const units[] = {"m3/s", "degrees", "1"};
    for (int f = 0; f < 3; f++)
        for (int u = 0; u < 3; u++) {
            if (!wadi_format_available(wadi_format_of_name(files[f]), NULL)) continue;
            wadi_raster *raster = make_raster(5, 4), *back;
            raster->lx = raster->ly = u == 0 ? 1 : 7.5;
            wadi_write_options out = {.format = wadi_format_of_name(files[f]), .unit = units[u]};
            out.sample = wadi_format_facts_of(out.format)->sample;
            assert_int_equal(wadi_raster_write(files[f], raster, &out), WADI_OK);
            assert_int_equal(wadi_raster_read(files[f], NULL, &back), WADI_OK);
            assert_string_equal(back->map_unit, units[u]);
            assert_true(back->lx == raster->lx && !back->cell_assumed);
            wadi_raster_destroy(back);
            out.unit = NULL;
            assert_int_equal(wadi_raster_write(files[f], raster, &out), WADI_OK);
            assert_int_equal(wadi_raster_read(files[f], NULL, &back), WADI_OK);
            assert_string_equal(back->map_unit, "");
            wadi_raster_destroy(back);
            wadi_raster_destroy(raster);
        }
}

static wadi_status read_picture(const uint8_t *rgb, wadi_encoding encoding, wadi_raster **raster) {
    assert_int_equal(wadi_picture_write("picture.png", rgb, 2, 2), WADI_OK);
    const wadi_read_options options = {.has_range = encoding <= WADI_ENCODING_BLUE, .high = 255, .encoding = encoding};
    return wadi_raster_read("picture.png", &options, raster);
}

static void colour_pictures_need_an_encoding(void **state) {
    (void)state;
    if (!wadi_format_available(WADI_FORMAT_PNG, NULL)) skip();
    wadi_raster *back;
    const uint8_t grey[4 * 3] = {0, 0, 0, 255, 255, 255, 100, 100, 100, 7, 7, 7};
    assert_int_equal(read_picture(grey, WADI_ENCODING_NONE, &back), WADI_OK);
    assert_memory_equal(back->values, ((float[]){0, 255, 100, 7}), 4 * sizeof(float));
    wadi_raster_destroy(back);
    const uint8_t colours[4 * 3] = {128, 1, 64, 1, 134, 160, 10, 20, 30, 7, 7, 7};
    assert_int_equal(read_picture(colours, WADI_ENCODING_NONE, &back), WADI_ERROR_FORMAT);
    assert_non_null(strstr(wadi_error_message(), "encoding luminance, red"));
    static const struct {
        wadi_encoding encoding;
        float expected[3];
    } cases[] = {
        {WADI_ENCODING_LUMINANCE, {32.5488f, 107.6014f, 18.596f}},
        {WADI_ENCODING_RED, {128, 1, 10}},
        {WADI_ENCODING_GREEN, {1, 134, 20}},
        {WADI_ENCODING_BLUE, {64, 160, 30}},
        {WADI_ENCODING_TERRARIUM, {1.25f, -32377.375f, -30187.8828125f}},
        {WADI_ENCODING_MAPBOX_RGB, {828892.8f, 0, 56051}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(read_picture(colours, cases[i].encoding, &back), WADI_OK);
        for (int k = 0; k < 3; k++)
            if (!(fabsf(back->values[k] - cases[i].expected[k]) <= 1e-5f * fabsf(cases[i].expected[k])))
                fail_msg("encoding %zu, cell %d: %.9g, not %.9g", i, k, (double)back->values[k],
                         (double)cases[i].expected[k]);
        assert_true(!back->scale_assumed);
        wadi_raster_destroy(back);
    }
    const wadi_read_options map = {.plain_values = true};
    assert_int_equal(wadi_raster_read("picture.png", &map, &back), WADI_ERROR_FORMAT);
    assert_non_null(strstr(wadi_error_message(), "save the map in grey"));
    samples.count = 0;
    for (int i = 0; i < 2; i++) put(&samples, "\x00\x01\x02\x03\x04", 5);
    make_png(&file, 4, 2, 8, 0, 0, NULL, &samples);
    const wadi_read_options tile = {.encoding = WADI_ENCODING_TERRARIUM};
    assert_int_equal(read_bytes(&file, "grey.png", &tile, &back), WADI_ERROR_ARGUMENT);
    assert_non_null(strstr(wadi_error_message(), "has none"));
}

/* --- the meaning of samples ------------------------------------------------------------------------------------ */

static void raw_samples_have_a_scale(void **state) {
    (void)state;
    file.count = 0;
    for (int i = 0; i < 8; i++) put_le(&file, (uint64_t)i * 9362, 2);
    const wadi_read_options assumed = {.width = 4, .height = 2, .lx = 10};
    wadi_raster *raster = read_made("a.r16", &assumed);
    assert_true(raster->scale_assumed && raster->ly == 10);
    assert_true(fabs(raster->scale - 0.2 * 40 / 65535) < 1e-12);
    wadi_raster_destroy(raster);
    const wadi_read_options range = {.width = 4, .height = 2, .has_range = true, .low = -5, .high = 60};
    raster = read_made("a.r16", &range);
    assert_true(!raster->scale_assumed && raster->values[0] == -5.0f);
    wadi_raster_destroy(raster);
    const wadi_read_options plain = {.width = 4, .height = 2, .plain_values = true};
    raster = read_made("a.r16", &plain);
    assert_true(raster->values[0] == 0 && fabsf(raster->values[7] - 1) < 1e-4f);
    wadi_raster_destroy(raster);
    const wadi_read_options feet = {.width = 4, .height = 2, .z_unit = "ft"};
    raster = read_made("a.r16", &feet);
    assert_true(fabsf(raster->values[1] - 9362 * 0.3048f) < 1e-3f);
    wadi_raster_destroy(raster);
}

static void raw_sizes(void **state) {
    (void)state;
    file.count = 0;
    for (int i = 0; i < 9; i++) put_float(&file, (float)i);
    wadi_raster *raster = read_made("a.r32", NULL), *none;
    assert_true(raster->width == 3 && raster->height == 3 && raster->values[8] == 8);
    wadi_raster_destroy(raster);
    const wadi_read_options wrong = {.width = 3, .height = 2};
    assert_int_equal(read_bytes(&file, "a.r32", &wrong, &none), WADI_ERROR_FORMAT);
    assert_non_null(strstr(wadi_error_message(), "need 24"));
    put_float(&file, 9);
    refuses("a.r32", WADI_ERROR_FORMAT, "size");
    file.count = 4;
    refuses("a.r32", WADI_ERROR_FORMAT, "2 x 2");
}

/* Land written on a big-endian machine looks like noise until its byte order is given. */
static void raw_in_the_other_byte_order(void **state) {
    (void)state;
    for (int floats = 0; floats < 2; floats++)
        for (int big = 0; big < 2; big++)
            for (int read_big = 0; read_big < 2; read_big++) {
                const char *name = floats ? "a.r32" : "a.r16";
                file.count = 0;
                for (int i = 0; i < 24 * 16; i++) {
                    const float land = 300 + 90 * sinf((float)(i % 24) * 0.2f) + 60 * cosf((float)(i / 24) * 0.3f);
                    uint32_t bits = (uint32_t)(land * 100);
                    if (floats) memcpy(&bits, &land, 4);
                    if (big)
                        put_be(&file, bits, floats ? 4 : 2);
                    else
                        put_le(&file, bits, floats ? 4 : 2);
                }
                const wadi_read_options options = {
                    .width = 24, .height = 16, .z_unit = "cm", .big_endian = read_big != 0};
                wadi_raster *raster;
                const wadi_status status = read_bytes(&file, name, &options, &raster);
                if (status == WADI_OK) {
                    assert_int_equal(raster->looks_swapped, big != read_big);
                    if (big == read_big) assert_true(fabsf(raster->values[0] - (floats ? 3.6f : 360)) < 0.01f);
                } else {
                    assert_true(big != read_big);
                    assert_non_null(strstr(wadi_error_message(), read_big ? "byte-order little" : "byte-order big"));
                }
                wadi_raster_destroy(raster);
            }
    file.count = 0;
    uint32_t random = 1;
    for (int i = 0; i < 24 * 16; i++) { /* noise looks like noise in both orders */
        random = random * 1664525u + 1013904223u;
        put_le(&file, random >> 16, 2);
    }
    const wadi_read_options size = {.width = 24, .height = 16};
    wadi_raster *raster = read_made("a.r16", &size);
    assert_false(raster->looks_swapped);
    wadi_raster_destroy(raster);
}

/* Painting programs write 0 to 1. */
static void floats_have_a_range(void **state) {
    (void)state;
    samples.count = 0;
    for (int i = 0; i < 4; i++) put_float(&samples, (float)i / 3);
    make_npy(&file, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }", &samples);
    const wadi_read_options range = {.has_range = true, .low = -600, .high = 2400};
    wadi_raster *raster = read_made("a.npy", &range);
    assert_true(raster->values[0] == -600 && fabsf(raster->values[1] - 400) < 1e-3f && raster->values[3] == 2400);
    assert_int_equal(raster->sample, WADI_SAMPLE_FLOAT32);
    wadi_raster_destroy(raster);
    samples.count = 0;
    for (int i = 0; i < 4; i++) put_float(&samples, i == 0 ? NAN : (float)i / 2);
    make_npy(&file, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }", &samples);
    assert_int_equal(read_bytes(&file, "a.npy", &range, &raster), WADI_ERROR_ARGUMENT);
    assert_non_null(strstr(wadi_error_message(), "from 0.5 to 1.5"));
}

static void wrong_options_are_refused(void **state) {
    (void)state;
    file.count = 0;
    for (int i = 0; i < 4; i++) put_float(&file, (float)i);
    const wadi_read_options wrong[] = {{.lx = -1},
                                       {.lx = NAN},
                                       {.width = 2},
                                       {.width = -2, .height = -2},
                                       {.has_range = true, .low = 5, .high = 5},
                                       {.has_range = true, .high = NAN},
                                       {.z_unit = "parsec"},
                                       {.has_range = true, .high = 100}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        wadi_raster *none;
        assert_int_equal(read_bytes(&file, "a.r32", &wrong[i], &none), WADI_ERROR_ARGUMENT);
    }
}

static void infinite_and_missing_values(void **state) {
    (void)state;
    file.count = 0;
    for (int i = 0; i < 16; i++) put_float(&file, i == 9 ? -INFINITY : 1);
    refuses("a.r32", WADI_ERROR_FORMAT, "row 2, column 1");
    file.count = 0;
    for (int i = 0; i < 16; i++) put_float(&file, NAN);
    refuses("a.r32", WADI_ERROR_FORMAT, "no data");
}

static void a_small_memory_limit_is_respected(void **state) {
    (void)state;
    file.count = 0;
    for (int i = 0; i < 16; i++) put_float(&file, 1);
    const wadi_read_options little = {.memory_limit = 63};
    wadi_raster *raster;
    assert_int_equal(read_bytes(&file, "a.r32", &little, &raster), WADI_ERROR_MEMORY);
}

/* --- files of other programs ----------------------------------------------------------------------------------- */

static void npy_of_every_kind(void **state) {
    (void)state;
    static const struct {
        const char *descr;
        int bytes;
    } kinds[] = {{"|u1", 1}, {"|i1", 1}, {"|b1", 1}, {"<u2", 2}, {">i2", 2},
                 {"<i4", 4}, {">u4", 4}, {"<i8", 8}, {">u8", 8}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int version = 1; version <= 3; version++) {
            char header[128];
            samples.count = 0;
            for (uint64_t i = 0; i < 6; i++) {
                if (kinds[k].descr[0] == '>')
                    put_be(&samples, i, (size_t)kinds[k].bytes);
                else
                    put_le(&samples, i, (size_t)kinds[k].bytes);
            }
            snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (2, 3), } \n",
                     kinds[k].descr);
            make_npy(&file, version, header, &samples);
            const wadi_read_options metres = {.z_unit = "m"};
            wadi_raster *raster = read_made("a.npy", &metres);
            assert_true(raster->width == 3 && raster->height == 2);
            for (int i = 0; i < 6; i++) assert_true(raster->values[i] == (float)i);
            wadi_raster_destroy(raster);
        }
}

static void npy_floats_in_either_order(void **state) {
    (void)state;
    samples.count = 0;
    for (int i = 0; i < 6; i++) put_double(&samples, i == 4 ? (double)NAN : i + 0.5);
    make_npy(&file, 1, "{\"shape\":(3,2),\"fortran_order\":True,\"descr\":\"<f8\"}", &samples);
    wadi_raster *raster = read_made("a.npy", NULL);
    const float expected[6] = {0.5f, 3.5f, 1.5f, NAN, 2.5f, 5.5f};
    for (int i = 0; i < 6; i++) assert_true(raster->values[i] == expected[i] || (i == 3 && isnan(raster->values[i])));
    wadi_raster_destroy(raster);
    samples.count = 0;
    for (int i = 0; i < 4; i++) put_be(&samples, i == 0 ? 0x3fc00000 : 0xc0000000, 4);
    make_npy(&file, 2, "{'descr': '>f4', 'fortran_order': False, 'shape': (2L, 2L)}", &samples);
    raster = read_made("a.npy", NULL);
    assert_true(raster->values[0] == 1.5f && raster->values[3] == -2.0f);
    wadi_raster_destroy(raster);
}

static void npy_that_holds_no_heightmap_is_refused(void **state) {
    (void)state;
    const char *const headers[] = {"{'descr': '<c8', 'fortran_order': False, 'shape': (2, 3), }",
                                   "{'descr': [('a', '<f4')], 'shape': (2, 3), }",
                                   "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }",
                                   "{'descr': '<f4', 'shape': (1, 2, 3), }",
                                   "{'descr': '<f4', 'shape': (), }",
                                   "{'descr': '<f4', 'shape': (-2, -3), }",
                                   "{'descr': '<f4', }",
                                   "",
                                   "{'descr': '<f4', 'shape': (99999999999999999999, 3), }",
                                   "{'descr': '<f4', 'shape': (2, 3000000000), }",
                                   "{'descr': '<f4', 'shape': (2, 3",
                                   "{'descr': '<f",
                                   "{'descr':",
                                   "{'descr': '<f4', 'shape': (1, 6), }"};
    samples.count = 0;
    for (int i = 0; i < 6; i++) put_float(&samples, 1);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        make_npy(&file, 1, headers[i], &samples);
        refuses("a.npy", WADI_ERROR_FORMAT, "");
    }
    make_npy(&file, 4, "{'descr': '<f4', 'shape': (2, 3), }", &samples);
    refuses("a.npy", WADI_ERROR_FORMAT, "version 4");
}

static void png_of_other_kinds(void **state) {
    (void)state;
    if (!wadi_format_available(WADI_FORMAT_PNG, NULL)) skip();
    const wadi_read_options range = {.has_range = true, .high = 255};
    static bytes palette;
    palette.count = samples.count = 0;
    put(&palette, "\x00\x00\x00\x0a\x0a\x0a\xff\xff\xff\xc8\xc8\xc8", 12);
    put(&samples, "\x00\x1b\x00\xe4", 4); /* 2 bits each: 0 1 2 3, 3 2 1 0 */
    make_png(&file, 4, 2, 2, 3, 0, &palette, &samples);
    wadi_raster *raster = read_made("a.png", &range);
    const float expected[8] = {0, 10, 255, 200, 200, 255, 10, 0};
    assert_memory_equal(raster->values, expected, sizeof expected);
    wadi_raster_destroy(raster);
    make_png(&file, 4, 2, 2, 0, 0, NULL, &samples);
    raster = read_made("a.png", &range);
    assert_true(raster->values[1] == 85 && raster->values[4] == 255);
    wadi_raster_destroy(raster);
    samples.count = 0;
    put(&samples, "\x00\x01\x02\x00\x03\xff\x00\x03\xe8\x00\x00\x00\x00\xff\xff\xff\xff\x00", 18); /* grey, alpha */
    make_png(&file, 2, 2, 16, 4, 0, NULL, &samples);
    const wadi_read_options deep = {.has_range = true, .high = 65535};
    raster = read_made("a.png", &deep);
    assert_true(raster->values[0] == 0x0102 && raster->values[1] == (float)0xff00);
    wadi_raster_destroy(raster);
}

/* An alpha of 0, or a transparent sample or palette entry (tRNS), in every kind of PNG. */
static void transparent_png_cells_are_no_data(void **state) {
    (void)state;
    if (!wadi_format_available(WADI_FORMAT_PNG, NULL)) skip();
    static bytes palette, clear;
    palette.count = 0;
    put(&palette, "\x00\x00\x00\x0a\x0a\x0a\x14\x14\x14\x1e\x1e\x1e", 12);
    static const struct {
        int depth, colour;
        const char *clear, *rows;
        size_t clear_bytes, row_bytes; /* of tRNS; of both rows. Cell 2 is the transparent one, the others 10, 20, 30 */
    } kinds[] = {
        {8, 0, "\x00\x07", "\x00\x0a\x14\x00\x07\x1e", 2, 6},
        {16, 0, "\x01\x07", "\x00\x00\x0a\x00\x14\x00\x01\x07\x00\x1e", 2, 10},
        {8, 2, "\x00\x01\x00\x02\x00\x03", "\x00\x0a\x0a\x0a\x14\x14\x14\x00\x01\x02\x03\x1e\x1e\x1e", 6, 14},
        {8, 3, "\x00", "\x00\x01\x02\x00\x00\x03", 1, 6},
        {8, 4, "", "\x00\x0a\xff\x14\x01\x00\x09\x00\x1e\xff", 0, 10},
        {8, 6, "", "\x00\x0a\x0a\x0a\xff\x14\x14\x14\x80\x00\x09\x01\x02\x00\x1e\x1e\x1e\xff", 0, 18},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        samples.count = clear.count = 0;
        put(&samples, kinds[k].rows, kinds[k].row_bytes);
        put(&clear, kinds[k].clear, kinds[k].clear_bytes);
        make_clear_png(&file, 2, 2, kinds[k].depth, kinds[k].colour, kinds[k].colour == 3 ? &palette : NULL,
                       clear.count > 0 ? &clear : NULL, &samples);
        const wadi_read_options range = {.has_range = true, .high = kinds[k].depth == 8 ? 255 : 65535};
        wadi_raster *raster = read_made("clear.png", &range);
        for (int i = 0; i < 4; i++)
            if (!(i == 2 ? isnan(raster->values[2]) : raster->values[i] == (float)(i == 3 ? 30 : 10 * (i + 1))))
                fail_msg("kind %zu, cell %d: %g", k, i, (double)raster->values[i]);
        wadi_raster_destroy(raster);
    }
}

static void interlaced_png(void **state) {
    (void)state;
    if (!wadi_format_available(WADI_FORMAT_PNG, NULL)) skip();
    static const int passes[7][4] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                     {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
    samples.count = 0;
    for (int p = 0; p < 7; p++)
        for (int y = passes[p][1]; y < 5; y += passes[p][3]) {
            if (passes[p][0] >= 7) continue;
            put_le(&samples, 0, 1);
            for (int x = passes[p][0]; x < 7; x += passes[p][2]) put_le(&samples, (uint64_t)(y * 7 + x), 1);
        }
    make_png(&file, 7, 5, 8, 0, 1, NULL, &samples);
    const wadi_read_options range = {.has_range = true, .high = 255};
    wadi_raster *raster = read_made("a.png", &range);
    for (int i = 0; i < 35; i++) assert_true(raster->values[i] == (float)i);
    wadi_raster_destroy(raster);
}

static void exr_channels_and_types(void **state) {
    (void)state;
    if (!wadi_format_available(WADI_FORMAT_EXR, NULL)) skip();
    for (int tiled = 0; tiled < 2; tiled++) {
        samples.count = 0;
        for (int i = 0; i < 6; i++) put_le(&samples, i == 0 ? 0x3c00 : i == 5 ? 0x7e00 : 0xc500, 2);
        make_exr(&file, 3, 2, 1, "Z", tiled != 0, &samples);
        wadi_raster *raster = read_made("a.exr", NULL);
        assert_true(raster->width == 3 && raster->height == 2);
        assert_true(raster->values[0] == 1 && raster->values[1] == -5 && isnan(raster->values[5]));
        wadi_raster_destroy(raster);
        samples.count = 0;
        for (uint64_t i = 0; i < 6; i++) put_le(&samples, i * 1000, 4);
        make_exr(&file, 3, 2, 0, "h", tiled != 0, &samples);
        raster = read_made("a.exr", NULL);
        for (int i = 0; i < 6; i++) assert_true(raster->values[i] == (float)(i * 1000));
        wadi_raster_destroy(raster);
        samples.count = 0;
        for (int i = 0; i < 12; i++) put_float(&samples, (float)i);
        make_exr(&file, 2, 2, 2, "BGR", tiled != 0, &samples);
        const wadi_read_options from_red = {.encoding = WADI_ENCODING_RED};
        raster = read_made("a.exr", &from_red);
        const float red[4] = {4, 5, 10, 11};
        assert_memory_equal(raster->values, red, sizeof red);
        wadi_raster_destroy(raster);
        make_exr(&file, 2, 2, 2, "RYZ", tiled != 0, &samples);
        raster = read_made("a.exr", NULL);
        assert_true(raster->values[0] == 2); /* Y before R */
        wadi_raster_destroy(raster);
        make_exr(&file, 2, 2, 2, "ABC", tiled != 0, &samples);
        refuses("a.exr", WADI_ERROR_FORMAT, "band");
    }
}

static void tiff_of_every_type(void **state) {
    (void)state;
    if (!wadi_format_available(WADI_FORMAT_TIFF, NULL)) skip();
    static const uint16_t types[][2] = {{8, 1},  {8, 2},  {16, 1}, {16, 2}, {32, 1},
                                        {32, 2}, {64, 1}, {64, 2}, {32, 3}, {64, 3}};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (uint16_t bands = 1; bands <= 2; bands++) {
            samples.count = 0;
            for (int i = 0; i < 12 * bands; i++) {
                const int value = i % bands == 0 ? i / bands : 99;
                if (types[t][1] != 3)
                    put_le(&samples, (uint64_t)value, types[t][0] / 8);
                else if (types[t][0] == 32)
                    put_float(&samples, (float)value);
                else
                    put_double(&samples, value);
            }
            const tiff_tag tags[] = {{42113, 2, 2, "7"}, {0}};
            make_tiff(&file, &(tiff_image){.width = 4,
                                           .height = 3,
                                           .bits = types[t][0],
                                           .format = types[t][1],
                                           .samples = samples.at,
                                           .tags = tags,
                                           .samples_per_pixel = bands});
            const wadi_read_options metres = {.z_unit = "m"};
            if (bands == 2) {
                refuses("a.tif", WADI_ERROR_FORMAT, "has 2 bands; say which has the heights: band 1 or 2");
                continue;
            }
            wadi_raster *raster = read_made("a.tif", &metres);
            for (int i = 0; i < 12; i++) assert_true(i == 7 ? isnan(raster->values[i]) : raster->values[i] == (float)i);
            assert_true(raster->has_nodata && raster->nodata == 7);
            wadi_raster_destroy(raster);
        }
    make_tiff(&file, &(tiff_image){.width = 4, .height = 3, .bits = 4, .format = 1, .samples = samples.at});
    refuses("a.tif", WADI_ERROR_UNSUPPORTED, "4-bit");
    make_tiff(&file, &(tiff_image){.width = 2,
                                   .height = 2,
                                   .bits = 8,
                                   .format = 1,
                                   .samples = samples.at,
                                   .samples_per_pixel = 3,
                                   .photometric = 8});
    refuses("a.tif", WADI_ERROR_UNSUPPORTED, "colours of TIFF kind 8");
}

static wadi_raster *read_colours(wadi_encoding encoding) {
    const wadi_read_options options = {.has_range = encoding <= WADI_ENCODING_BLUE, .high = 255, .encoding = encoding};
    return read_made("a.tif", &options);
}

static void expect_colours(wadi_encoding encoding, const float *expected, size_t count) {
    wadi_raster *raster = read_colours(encoding);
    assert_int_equal((size_t)raster->width * (size_t)raster->height, count);
    for (size_t i = 0; i < count; i++)
        if (isnan(expected[i]) ? !isnan(raster->values[i]) : raster->values[i] != expected[i])
            fail_msg("encoding %d, cell %zu: %.9g, not %.9g", (int)encoding, i, (double)raster->values[i],
                     (double)expected[i]);
    wadi_raster_destroy(raster);
}

static void colour_tiffs_need_an_encoding(void **state) {
    (void)state;
    if (!wadi_format_available(WADI_FORMAT_TIFF, NULL)) skip();
    const uint8_t rgb[12] = {128, 1, 64, 1, 134, 160, 0, 0, 0, 0, 7, 0};
    const float terrarium[4] = {1.25f, -32377.375f, -32768, -32761};
    tiff_image image = {.width = 2, .height = 2, .bits = 8, .format = 1, .samples = rgb, .samples_per_pixel = 3};
    image.photometric = 2;
    make_tiff(&file, &image);
    refuses("a.tif", WADI_ERROR_FORMAT, "encoding luminance, red");
    expect_colours(WADI_ENCODING_TERRARIUM, terrarium, 4);
    expect_colours(WADI_ENCODING_GREEN, (float[]){1, 134, 0, 7}, 4);
    image.tags = (const tiff_tag[]){{42113, 2, 2, "0"}, {0}}; /* the nodata value where all three are */
    make_tiff(&file, &image);
    expect_colours(WADI_ENCODING_TERRARIUM, (float[]){1.25f, -32377.375f, NAN, -32761}, 4);
    image.tags = NULL;
    image.apart = true;
    image.samples = (const uint8_t[]){128, 1, 0, 0, 1, 134, 0, 7, 64, 160, 0, 0};
    make_tiff(&file, &image);
    expect_colours(WADI_ENCODING_TERRARIUM, terrarium, 4);
    refuses("a.tif", WADI_ERROR_FORMAT, "encoding luminance, red");
    image.apart = false;
    image.samples = (const uint8_t[]){9, 9, 9, 8, 8, 8, 0, 0, 0, 255, 255, 255};
    make_tiff(&file, &image);
    expect_colours(WADI_ENCODING_NONE, (float[]){9, 8, 0, 255}, 4);
    image.samples_per_pixel = 4; /* transparent pixels have no colour */
    image.extra = 2;
    image.samples = (const uint8_t[]){9, 9, 9, 1, 1, 2, 3, 0, 8, 8, 8, 255, 7, 7, 7, 255};
    make_tiff(&file, &image);
    expect_colours(WADI_ENCODING_NONE, (float[]){9, NAN, 8, 7}, 4);
    image.samples = NULL;
    image.samples_per_pixel = 2;
    make_tiff(&file, &image);
    refuses("a.tif", WADI_ERROR_UNSUPPORTED, "colours of TIFF kind 2, in 2 bands");
    const uint16_t deep[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    samples.count = 0;
    for (int i = 0; i < 12; i++) put_le(&samples, deep[i], 2);
    make_tiff(&file, &(tiff_image){.width = 2,
                                   .height = 2,
                                   .bits = 16,
                                   .format = 1,
                                   .samples = samples.at,
                                   .samples_per_pixel = 3,
                                   .photometric = 2});
    const wadi_read_options tile = {.encoding = WADI_ENCODING_TERRARIUM};
    wadi_raster *raster;
    assert_int_equal(read_bytes(&file, "deep.tif", &tile, &raster), WADI_ERROR_ARGUMENT);
    assert_non_null(strstr(wadi_error_message(), "8-bit"));
}

static void tiff_palettes_are_colours(void **state) {
    (void)state;
    if (!wadi_format_available(WADI_FORMAT_TIFF, NULL)) skip();
    static uint16_t map[3 * 256];
    tiff_image image = {.width = 2, .height = 2, .bits = 8, .format = 1, .photometric = 3};
    image.samples = (const uint8_t[]){0, 1, 2, 255};
    for (int old = 0; old < 2; old++) { /* 8 or 16 bits for a colour */
        for (size_t i = 0; i < 3 * 256; i++) map[i] = (uint16_t)((old ? 1 : 257) * (i % 256));
        image.tags = (const tiff_tag[]){{320, 3, 3 * 256, map}, {0}};
        make_tiff(&file, &image);
        expect_colours(WADI_ENCODING_NONE, (float[]){0, 1, 2, 255}, 4);
        map[256 + 1] = 0;
        make_tiff(&file, &image);
        refuses("a.tif", WADI_ERROR_FORMAT, "encoding luminance, red");
        expect_colours(WADI_ENCODING_TERRARIUM,
                       (float[]){-32768, 256 + 1 / 256.f - 32768, 514 + 2 / 256.f - 32768, 32767 + 255 / 256.f}, 4);
    }
    image.tags = NULL; /* libtiff then takes it for grey */
    make_tiff(&file, &image);
    expect_colours(WADI_ENCODING_NONE, (float[]){0, 1, 2, 255}, 4);
}

/* The lowest float32, printed with too few digits. */
static void tiff_nodata_at_the_end_of_the_range(void **state) {
    (void)state;
    if (!wadi_format_available(WADI_FORMAT_TIFF, NULL)) skip();
    samples.count = 0;
    for (int i = 0; i < 4; i++) put_le(&samples, i == 0 ? 0xff7fffff : 0x3f800000, 4);
    const tiff_tag tags[] = {{42113, 2, 22, "-3.40282346638529e+38"}, {0}};
    make_tiff(&file,
              &(tiff_image){.width = 2, .height = 2, .bits = 32, .format = 3, .samples = samples.at, .tags = tags});
    wadi_raster *raster = read_made("a.tif", NULL);
    assert_true(isnan(raster->values[0]) && raster->values[1] == 1);
    wadi_raster_destroy(raster);
    samples.count = 0; /* a double beyond the range of float32 is no nodata value */
    for (int i = 0; i < 4; i++) put_double(&samples, i == 3 ? 1e300 : 1);
    make_tiff(&file, &(tiff_image){.width = 2, .height = 2, .bits = 64, .format = 3, .samples = samples.at});
    refuses("a.tif", WADI_ERROR_FORMAT, "row 1, column 1");
}

/* A nodata value that float32 cannot hold does not make cells of 0 missing. */
static void tiny_nodata_is_not_zero(void **state) {
    (void)state;
    if (!wadi_format_available(WADI_FORMAT_TIFF, NULL)) skip();
    const tiff_tag tags[] = {{42113, 2, 24, "2.2250738585072014e-308"}, {0}};
    for (int bits = 32; bits <= 64; bits += 32) {
        samples.count = 0;
        for (int i = 0; i < 4 * bits / 8; i++) put_le(&samples, 0, 1);
        if (bits == 64) samples.at[samples.count - 2] = 0x10; /* the least double of full precision: nodata itself */
        make_tiff(
            &file,
            &(tiff_image){
                .width = 2, .height = 2, .bits = (uint16_t)bits, .format = 3, .samples = samples.at, .tags = tags});
        wadi_raster *raster = read_made("a.tif", NULL);
        assert_true(raster->values[0] == 0 && raster->values[1] == 0);
        assert_true(isnan(raster->values[3]) == (bits == 64));
        wadi_raster_destroy(raster);
    }
}

static void gdal_reads_other_formats(void **state) {
    (void)state;
    if (!wadi_format_available(WADI_FORMAT_GDAL, NULL)) skip();
    FILE *out = fopen("grid.asc", "w");
    fputs("ncols 3\nnrows 2\nxllcorner 100\nyllcorner 200\ncellsize 5\nNODATA_value -1\n1.5 2 3\n4 -1 6\n", out);
    fclose(out);
    wadi_raster *raster;
    if (wadi_raster_read("grid.asc", NULL, &raster) != WADI_OK) fail_msg("%s", wadi_error_message());
    assert_int_equal(raster->format, WADI_FORMAT_GDAL);
    assert_true(raster->width == 3 && raster->height == 2 && raster->lx == 5 && raster->ly == 5);
    assert_true(raster->values[0] == 1.5f && isnan(raster->values[4]) && raster->values[5] == 6);
    assert_true(raster->has_georef && raster->georef.transform[0] == 100 && raster->georef.transform[3] == 210);
    assert_int_equal(wadi_raster_write("grid.dem", raster, NULL), WADI_ERROR_UNSUPPORTED);
    wadi_raster_destroy(raster);
}

/* --- names and packed descriptions ----------------------------------------------------------------------------- */

static void endings_determine_formats(void **state) {
    (void)state;
    assert_int_equal(wadi_format_of_name("a/b.TIFF"), WADI_FORMAT_TIFF);
    assert_int_equal(wadi_format_of_name("x.r16"), WADI_FORMAT_R16);
    assert_int_equal(wadi_format_of_name("x.asc"), WADI_FORMAT_GDAL);
    assert_int_equal(wadi_format_of_name("x"), WADI_FORMAT_UNKNOWN);
    assert_int_equal(wadi_format_of_name("x.txt"), WADI_FORMAT_UNKNOWN);
    for (int f = WADI_FORMAT_PNG; f < WADI_FORMAT_GDAL; f++) { /* new files get the first known ending */
        const char *ending = wadi_format_extension((wadi_format)f);
        assert_memory_equal(wadi_format_facts_of((wadi_format)f)->endings, ending, strlen(ending));
    }
    assert_string_equal(wadi_format_extension(WADI_FORMAT_TIFF), "tif");
    assert_true(wadi_format_available(WADI_FORMAT_NPY, NULL));
    const char *missing = NULL;
    if (!wadi_format_available(WADI_FORMAT_EXR, &missing)) assert_string_equal(missing, "libopenexr-dev");
    assert_non_null(missing);
}

static void content_overrides_the_name(void **state) {
    (void)state;
    wadi_raster *raster = make_raster(4, 3), *back;
    wadi_write_options npy = {.format = WADI_FORMAT_NPY};
    assert_int_equal(wadi_raster_write("wrong.png", raster, &npy), WADI_OK);
    assert_int_equal(wadi_raster_read("wrong.png", NULL, &back), WADI_OK);
    assert_int_equal(back->format, WADI_FORMAT_NPY);
    assert_same_values(raster, back, 0);
    wadi_raster_destroy(raster);
    wadi_raster_destroy(back);
}

static void packed_descriptions_are_complete(void **state) {
    (void)state;
    wadi_raster *raster = make_raster(5, 4), *back;
    raster->format = WADI_FORMAT_TIFF;
    raster->sample = WADI_SAMPLE_INT16;
    raster->scale = 0.1, raster->offset = -3, raster->lx = 30, raster->ly = 31, raster->lx_variation = 0.25;
    raster->has_nodata = raster->has_georef = raster->flipped = true;
    raster->nodata = -32768;
    for (int i = 0; i < 6; i++) raster->georef.transform[i] = i * 1.1;
    strcpy(raster->georef.name, "somewhere");
    strcpy(raster->georef.vertical_unit, "foot");
    raster->georef.crs = malloc(7);
    raster->georef.crs_bytes = 7;
    memcpy(raster->georef.crs, "GKEYabc", 7);
    strcpy(raster->band_name, "bare earth");
    raster->metadata_bytes = sizeof "A=b\0C=";
    raster->metadata = malloc(raster->metadata_bytes);
    memcpy(raster->metadata, "A=b\0C=", raster->metadata_bytes);
    void *packed;
    size_t count;
    assert_int_equal(wadi_raster_pack(raster, &packed, &count), WADI_OK);
    assert_int_equal(wadi_raster_unpack(packed, count, raster->width, raster->height, &back), WADI_OK);
    assert_true(back->width == 5 && back->height == 4 && back->values[19] == 0);
    assert_true(back->format == WADI_FORMAT_TIFF && back->sample == WADI_SAMPLE_INT16 && back->flipped);
    assert_true(back->scale == 0.1 && back->offset == -3 && back->lx == 30 && back->ly == 31 && back->nodata == -32768);
    assert_memory_equal(back->georef.transform, raster->georef.transform, sizeof back->georef.transform);
    assert_string_equal(back->georef.name, "somewhere");
    assert_string_equal(back->georef.vertical_unit, "foot");
    assert_int_equal(back->georef.crs_bytes, 7);
    assert_memory_equal(back->georef.crs, "GKEYabc", 7);
    assert_string_equal(back->band_name, "bare earth");
    assert_int_equal(back->metadata_bytes, sizeof "A=b\0C=");
    assert_memory_equal(back->metadata, "A=b\0C=", sizeof "A=b\0C=");
    wadi_raster_destroy(back);
    const size_t before = count - raster->metadata_bytes - 8 - sizeof raster->band_name; /* files of before end there */
    assert_int_equal(wadi_raster_unpack(packed, before, raster->width, raster->height, &back), WADI_OK);
    assert_true(back->georef.crs_bytes == 7 && back->metadata == NULL);
    wadi_raster_destroy(back);
    assert_int_equal(wadi_raster_unpack(packed, count, 4, 5, &back), WADI_ERROR_FORMAT);
    assert_null(back);
    for (size_t cut = 0; cut < count; cut++) {
        if (cut == before) continue;
        assert_int_equal(wadi_raster_unpack(packed, cut, raster->width, raster->height, &back), WADI_ERROR_FORMAT);
        assert_null(back);
    }
    char *words = (char *)packed + count - raster->metadata_bytes;
    static const char *const wrong[] = {"A=b\0CD", "=ab\0C=", "A=b\0\0="}; /* each item is NAME=VALUE */
    for (int i = 0; i < 3; i++) {
        memcpy(words, wrong[i], raster->metadata_bytes);
        assert_int_equal(wadi_raster_unpack(packed, count, raster->width, raster->height, &back), WADI_ERROR_FORMAT);
    }
    free(packed);
    wadi_raster_destroy(raster);
}

/* What no format knows is refused with the names of all that are read. */
static void test_the_refusal_names_every_format(void **state) {
    (void)state;
    wadi_raster *raster = NULL;
    assert_int_equal(wadi_raster_read_memory("no raster at all", 16, "it", NULL, &raster), WADI_ERROR_UNSUPPORTED);
    for (wadi_format f = WADI_FORMAT_UNKNOWN + 1; f < WADI_FORMAT_GDAL; f++) {
        const wadi_format_facts *facts = wadi_format_facts_of(f);
        assert_non_null(strstr(wadi_error_message(), facts->bare ? facts->endings : facts->name));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_come_back_exactly),
        cmocka_unit_test(integers_come_back_within_half_a_step),
        cmocka_unit_test(integer_tiff_keeps_its_scale),
        cmocka_unit_test(a_given_scale_is_kept_and_clamps),
        cmocka_unit_test(nodata_avoids_the_values),
        cmocka_unit_test(nan_in_png_is_transparent),
        cmocka_unit_test(png_keeps_cell_size_and_range),
        cmocka_unit_test(maps_keep_their_unit),
        cmocka_unit_test(colour_pictures_need_an_encoding),
        cmocka_unit_test(raw_samples_have_a_scale),
        cmocka_unit_test(raw_sizes),
        cmocka_unit_test(raw_in_the_other_byte_order),
        cmocka_unit_test(floats_have_a_range),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(infinite_and_missing_values),
        cmocka_unit_test(a_small_memory_limit_is_respected),
        cmocka_unit_test(npy_of_every_kind),
        cmocka_unit_test(npy_floats_in_either_order),
        cmocka_unit_test(npy_that_holds_no_heightmap_is_refused),
        cmocka_unit_test(png_of_other_kinds),
        cmocka_unit_test(transparent_png_cells_are_no_data),
        cmocka_unit_test(interlaced_png),
        cmocka_unit_test(exr_channels_and_types),
        cmocka_unit_test(tiff_of_every_type),
        cmocka_unit_test(colour_tiffs_need_an_encoding),
        cmocka_unit_test(tiff_palettes_are_colours),
        cmocka_unit_test(tiff_nodata_at_the_end_of_the_range),
        cmocka_unit_test(tiny_nodata_is_not_zero),
        cmocka_unit_test(gdal_reads_other_formats),
        cmocka_unit_test(endings_determine_formats),
        cmocka_unit_test(content_overrides_the_name),
        cmocka_unit_test(test_the_refusal_names_every_format),
        cmocka_unit_test(packed_descriptions_are_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
