/* exr.c: OpenEXR through OpenEXRCore. Reads the first part: channel Y, else R, G and B (colours.c), else R, else the
 * only channel. Its rows are scan lines or the tiles of the largest level. Channel A of 0 means no data. Files are
 * written as float32 Y, with NaN for no data (exr_write.c). */
#include "exr.h"
#include "formats.h"
#include "platform/openmp.h"
#include "platform/platform.h"

#ifdef WADI_WITH_EXR

#include <errno.h>
#include <math.h>
#include <openexr.h>
#include <stdlib.h>
#include <string.h>

typedef struct exr_state {
    io_input *input;
    exr_result_t code; /* of the library's first error */
    char message[160];
} exr_state;

/* After a failure. OpenEXR may say "cannot decompress" when zlib had no memory, so errno is asked, too. In any thread.
 */
static void note_memory(io_input *input, exr_result_t code) {
    if (errno != ENOMEM && code != EXR_ERR_OUT_OF_MEMORY) return;
    platform_lock();
    input->error = ENOMEM;
    platform_unlock();
}

static void on_error(exr_const_context_t exr, exr_result_t code, const char *text) {
    void *user = NULL;
    if (exr == NULL || exr_get_user_data(exr, &user) != EXR_ERR_SUCCESS || user == NULL) return;
    exr_state *state = user;
    note_memory(state->input, code);
    platform_lock();
    if (state->message[0] == '\0') {
        state->code = code;
        snprintf(state->message, sizeof state->message, "%s", text);
    }
    platform_unlock();
}

/* --- reading --------------------------------------------------------------------------------------------------- */

static int64_t read_bytes(exr_const_context_t exr, void *user, void *to, uint64_t count, uint64_t offset,
                          exr_stream_error_func_ptr_t error) {
    (void)exr;
    (void)error;
    platform_lock();
    const size_t got = io_input_read(((exr_state *)user)->input, offset, to, (size_t)count);
    platform_unlock();
    return (int64_t)got;
}

static int64_t file_size(exr_const_context_t exr, void *user) {
    (void)exr;
    return (int64_t)((exr_state *)user)->input->size;
}

/* The largest ratio of a compression. The wavelets and Huffman codes of the others have no useful limit. */
static double most_compressed(exr_compression_t compression) {
    switch (compression) {
    case EXR_COMPRESSION_NONE:
        return 1;
    case EXR_COMPRESSION_RLE:
        return 64;
    case EXR_COMPRESSION_ZIPS:
    case EXR_COMPRESSION_ZIP:
        return 1032;
    case EXR_COMPRESSION_PXR24:
        return 1376; /* drops a byte of four, then deflates */
    default:
        return 1e9;
    }
}

static int find_channel(const exr_attr_chlist_t *channels, const char *name) {
    for (int i = 0; i < channels->num_channels; i++)
        if (strcmp(channels->entries[i].name.str, name) == 0) return i;
    return -1;
}

enum { GREY = 0, RED = 0, GREEN, BLUE, ALPHA, WANTED };

/* The reader of one part. All threads share it, and each decodes its own chunks. */
typedef struct exr_job {
    exr_context_t exr;
    io_input *input;
    int wanted[WANTED]; /* indices in the list of channels; -1: none */
    wadi_raster *raster;
    bool coloured; /* found colours, but no encoding is given */
} exr_job;

static const char *channel_name(void *channels, int band) {
    return ((const exr_attr_chlist_t *)channels)->entries[band - 1].name.str;
}

/* In a luminance and chroma picture Y is the luminance. It is a height only without RY and BY. */
static wadi_status choose_channels(const exr_attr_chlist_t *channels, exr_job *job) {
    const int y = find_channel(channels, "Y"), red = find_channel(channels, "R"), alpha = find_channel(channels, "A");
    const int green = find_channel(channels, "G"), blue = find_channel(channels, "B");
    const bool chroma = find_channel(channels, "RY") >= 0 || find_channel(channels, "BY") >= 0;
    const int others = channels->num_channels - (alpha >= 0 ? 1 : 0);
    const bool colours = y < 0 && red >= 0 && green >= 0 && blue >= 0;
    const io_bands bands = {channels->num_channels, channel_name, (void *)(uintptr_t)channels};
    int only = y >= 0 ? y : red, named = 0;
    const wadi_status status = io_choose_band(job->input, &bands, &named);
    if (status != WADI_OK) return status;
    if (named > 0) {
        const int wanted[WANTED] = {named - 1, -1, -1, alpha != named - 1 ? alpha : -1};
        memcpy(job->wanted, wanted, sizeof wanted);
        return WADI_OK;
    }
    if (only < 0 && others <= 1) only = others == 1 && alpha == 0 ? 1 : 0;
    if (only < 0) return io_refuse_bands(job->input, &bands);
    if (y >= 0 && chroma && job->input->options->encoding != WADI_ENCODING_LUMINANCE)
        return io_refuse_colours(job->input);
    const int wanted[WANTED] = {only, colours ? green : -1, colours ? blue : -1, alpha != only ? alpha : -1};
    memcpy(job->wanted, wanted, sizeof wanted);
    return WADI_OK;
}

static wadi_status check_channels(const exr_attr_chlist_t *channels, const exr_job *job) {
    for (int i = 0; i < WANTED; i++) {
        if (job->wanted[i] < 0) continue;
        const exr_attr_chlist_entry_t *channel = &channels->entries[job->wanted[i]];
        if (channel->x_sampling != 1 || channel->y_sampling != 1)
            return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: channel %s is subsampled; save it in full", job->input->name,
                             channel->name.str);
    }
    return WADI_OK;
}

static io_type type_of(exr_pixel_type_t type) {
    return type == EXR_PIXEL_HALF ? IO_F16 : type == EXR_PIXEL_UINT ? IO_U32 : IO_F32;
}

static void note_rounding(exr_job *job, double rounded_by) {
    if (!(rounded_by > 0)) return;
    platform_lock();
    job->raster->rounded_by = fmax(job->raster->rounded_by, rounded_by);
    platform_unlock();
}

/* One row of a chunk, channel after channel. Subsampled channels are missing in some rows. False: the bytes end early.
 */
static bool take_row(exr_job *job, const exr_decode_pipeline_t *pipeline, int y, const uint8_t **from, uint64_t *left,
                     float *planes) {
    const size_t width = (size_t)pipeline->chunk.width;
    for (int c = 0; c < pipeline->channel_count; c++) {
        const exr_coding_channel_info_t *channel = &pipeline->channels[c];
        const size_t step = (size_t)channel->bytes_per_element, bytes = (size_t)channel->width * step;
        if (channel->y_samples > 1 && (pipeline->chunk.start_y + y) % channel->y_samples != 0) continue;
        if (bytes > *left) return false;
        const io_samples samples = {.type = type_of(channel->data_type), .step = step};
        for (size_t i = 0; i < WANTED; i++)
            if (job->wanted[i] == c && channel->width == pipeline->chunk.width)
                note_rounding(job, io_decode(&samples, *from, width, planes + i * width, 1));
        *from += bytes;
        *left -= bytes;
    }
    return true;
}

/* The library's unpacking is not used, because some of it writes to channels that were not requested. */
static bool take_chunk(exr_job *job, const exr_decode_pipeline_t *pipeline, float *to) {
    const size_t width = (size_t)pipeline->chunk.width;
    const uint8_t *from = pipeline->unpacked_buffer;
    uint64_t left = pipeline->chunk.unpacked_size;
    float *planes = calloc(WANTED * width, sizeof *planes);
    const io_planes rows = {.red = planes,
                            .green = job->wanted[GREEN] >= 0 ? planes + GREEN * width : NULL,
                            .blue = job->wanted[BLUE] >= 0 ? planes + BLUE * width : NULL,
                            .alpha = job->wanted[ALPHA] >= 0 ? planes + ALPHA * width : NULL};
    bool good = planes != NULL && from != NULL;
    for (int y = 0; y < pipeline->chunk.height && good; y++) {
        good = take_row(job, pipeline, y, &from, &left, planes);
        if (!good || io_mix(job->input, &rows, width, to + (size_t)y * (size_t)job->raster->width)) continue;
        good = false;
#pragma omp atomic write
        job->coloured = true;
    }
    free(planes);
    return good;
}

static exr_result_t leave_packed(exr_decode_pipeline_t *pipeline) {
    (void)pipeline;
    return EXR_ERR_SUCCESS;
}

/* Reads and decompresses the chunk. The library chooses a method from the requested channels, so one is requested.
 * Nothing is unpacked, so nothing is written to its memory. */
static bool decodes(exr_job *job, const exr_chunk_info_t *chunk, float *to) {
    exr_decode_pipeline_t pipeline = EXR_DECODE_PIPELINE_INITIALIZER;
    errno = 0;
    bool good = chunk->packed_size > 0 && exr_decoding_initialize(job->exr, 0, chunk, &pipeline) == EXR_ERR_SUCCESS;
    if (good) {
        exr_coding_channel_info_t *asked = &pipeline.channels[job->wanted[GREY]];
        asked->decode_to_ptr = (uint8_t *)to;
        asked->user_data_type = EXR_PIXEL_FLOAT;
        asked->user_bytes_per_element = sizeof(float);
        asked->user_pixel_stride = 2 * sizeof(float); /* prevents a direct read into that memory */
        asked->user_line_stride = 2 * sizeof(float);
    }
    good = good && exr_decoding_choose_default_routines(job->exr, 0, &pipeline) == EXR_ERR_SUCCESS;
    pipeline.unpack_and_convert_fn = leave_packed;
    good = good && exr_decoding_run(job->exr, 0, &pipeline) == EXR_ERR_SUCCESS && take_chunk(job, &pipeline, to);
    if (!good) note_memory(job->input, EXR_ERR_SUCCESS);
    exr_decoding_destroy(job->exr, &pipeline);
    return good;
}

/* The chunk of lines whose first line is number `y`. */
static bool read_line_chunk(exr_job *job, const exr_attr_box2i_t *window, int y) {
    const wadi_raster *raster = job->raster;
    exr_chunk_info_t chunk = {0};
    if (exr_read_scanline_chunk_info(job->exr, 0, window->min.y + y, &chunk) != EXR_ERR_SUCCESS) return false;
    if (chunk.start_y != window->min.y + y || chunk.height > raster->height - y || chunk.width != raster->width)
        return false;
    return decodes(job, &chunk, raster->values + (size_t)y * (size_t)raster->width);
}

static bool read_lines(exr_job *job, const exr_attr_box2i_t *window) {
    int32_t step = 0;
    if (exr_get_scanlines_per_chunk(job->exr, 0, &step) != EXR_ERR_SUCCESS || step < 1) return false;
    bool good = true;
#pragma omp parallel reduction(&& : good)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(dynamic)
        for (int y = 0; y < job->raster->height; y += step) good = good && read_line_chunk(job, window, y);
    }
    return good;
}

static bool read_tile(exr_job *job, int x, int y, const int32_t size[2]) {
    const wadi_raster *raster = job->raster;
    exr_chunk_info_t chunk = {0};
    if (exr_read_tile_chunk_info(job->exr, 0, x / size[0], y / size[1], 0, 0, &chunk) != EXR_ERR_SUCCESS) return false;
    if (chunk.width > raster->width - x || chunk.height > raster->height - y) return false;
    return decodes(job, &chunk, raster->values + (size_t)y * (size_t)raster->width + (size_t)x);
}

static bool read_tiles(exr_job *job) {
    int32_t size[2] = {0};
    if (exr_get_tile_sizes(job->exr, 0, 0, 0, &size[0], &size[1]) != EXR_ERR_SUCCESS || size[0] < 1 || size[1] < 1)
        return false;
    bool good = true;
#pragma omp parallel reduction(&& : good)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(dynamic)
        for (int y = 0; y < job->raster->height; y += size[1])
            for (int x = 0; x < job->raster->width; x += size[0]) good = good && read_tile(job, x, y, size);
    }
    return good;
}

static wadi_status check_header(exr_context_t exr, io_input *input, const exr_attr_box2i_t *window, int bytes_a_cell) {
    const int64_t width = (int64_t)window->max.x - window->min.x + 1,
                  height = (int64_t)window->max.y - window->min.y + 1;
    exr_compression_t compression = EXR_COMPRESSION_NONE;
    int32_t chunks = 0;
    exr_get_compression(exr, 0, &compression);
    if (width < 1 || height < 1 || exr_get_chunk_count(exr, 0, &chunks) != EXR_ERR_SUCCESS || chunks < 1 ||
        (uint64_t)chunks > input->size / 8) /* the table of chunks has 8 bytes per chunk */
        return io_truncated(input, NULL);
    return io_check_held(input, (uint64_t)width, (uint64_t)height, bytes_a_cell, most_compressed(compression));
}

static void read_cell_size(exr_context_t exr, io_meaning *meaning) {
    exr_attr_v2d_t size = {0};
    if (exr_attr_get_v2d(exr, 0, IO_EXR_CELL_SIZE, &size) != EXR_ERR_SUCCESS) return;
    if (!(size.x > 1e-6 && size.x < 1e9 && size.y > 1e-6 && size.y < 1e9)) return;
    meaning->lx = size.x;
    meaning->ly = size.y;
}

static void read_unit(exr_context_t exr, wadi_raster *raster, io_meaning *meaning) {
    const char *text = NULL;
    int32_t length = 0;
    char unit[32];
    if (exr_attr_get_string(exr, 0, IO_EXR_UNIT, &length, &text) != EXR_ERR_SUCCESS || text == NULL || length < 0)
        return;
    snprintf(unit, sizeof unit, "%.*s", length, text);
    io_set_unit(raster, meaning, unit);
}

static wadi_status read_chunks(exr_job *job, exr_state *state, const exr_attr_box2i_t *window, bool tiled) {
    const bool good = tiled ? read_tiles(job) : read_lines(job, window);
    if (job->coloured) return io_refuse_colours(job->input);
    if (!good && state->code == EXR_ERR_FEATURE_NOT_IMPLEMENTED)
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: cannot be read by this OpenEXR library (%s); save it with ZIP",
                         job->input->name, state->message);
    return good ? WADI_OK : io_truncated(job->input, state->message);
}

static wadi_status read_part(exr_context_t exr, exr_state *state, wadi_raster **raster, io_meaning *meaning) {
    io_input *input = state->input;
    exr_job job = {.exr = exr, .input = input};
    exr_storage_t storage;
    exr_attr_box2i_t window;
    const exr_attr_chlist_t *channels = NULL;
    if (exr_get_storage(exr, 0, &storage) != EXR_ERR_SUCCESS ||
        exr_get_data_window(exr, 0, &window) != EXR_ERR_SUCCESS ||
        exr_get_channels(exr, 0, &channels) != EXR_ERR_SUCCESS || channels->num_channels < 1)
        return io_truncated(input, state->message);
    if (storage != EXR_STORAGE_SCANLINE && storage != EXR_STORAGE_TILED)
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: is a deep EXR file; flatten it", input->name);
    wadi_status status = choose_channels(channels, &job);
    if (status == WADI_OK) status = check_channels(channels, &job);
    const exr_pixel_type_t type = channels->entries[status == WADI_OK ? job.wanted[GREY] : 0].pixel_type;
    if (status == WADI_OK) status = check_header(exr, input, &window, type == EXR_PIXEL_HALF ? 2 : 4);
    if (status != WADI_OK) return status;
    status = io_begin(input, (uint64_t)((int64_t)window.max.x - window.min.x + 1),
                      (uint64_t)((int64_t)window.max.y - window.min.y + 1), raster);
    if (status != WADI_OK) return status;
    job.raster = *raster;
    (*raster)->sample = io_type_sample(type_of(type));
    read_cell_size(exr, meaning);
    read_unit(exr, *raster, meaning);
    (*raster)->bands = channels->num_channels;
    (*raster)->band = job.wanted[GREEN] >= 0 ? 0 : job.wanted[GREY] + 1;
    snprintf((*raster)->band_name, sizeof(*raster)->band_name, "%s", channels->entries[job.wanted[GREY]].name.str);
    if (job.wanted[ALPHA] >= 0) (*raster)->from.mask = WADI_ORIGIN_FILE;
    if (job.wanted[GREEN] >= 0) status = io_begin_colours(input, *raster, meaning);
    return status == WADI_OK ? read_chunks(&job, state, &window, storage == EXR_STORAGE_TILED) : status;
}

static wadi_status io_exr_read(io_input *input, wadi_raster **raster) {
    exr_state state = {.input = input};
    io_meaning meaning = {0};
    exr_context_initializer_t how = EXR_DEFAULT_CONTEXT_INITIALIZER;
    how.error_handler_fn = on_error;
    how.read_fn = read_bytes;
    how.size_fn = file_size;
    how.user_data = &state;
    how.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION; /* a damaged file is an error, and not read in parts */
    exr_context_t exr = NULL;
    wadi_status status = WADI_OK;
    errno = 0;
    const exr_result_t started = exr_start_read(&exr, input->name, &how);
    if (started != EXR_ERR_SUCCESS) {
        note_memory(input, started);
        status = io_truncated(input, state.message);
    } else
        status = read_part(exr, &state, raster, &meaning);
    if (exr != NULL) exr_finish(&exr);
    return status == WADI_OK ? io_finish(input, *raster, &meaning) : status;
}

/* --- writing --------------------------------------------------------------------------------------------------- */

static wadi_status io_exr_write(io_output *output, const wadi_raster *raster, wadi_write_options *options) {
    const io_exr_image image = {.part = "height",
                                .width = raster->width,
                                .height = raster->height,
                                .channels = 1,
                                .names = {"Y"},
                                .planes = {raster->values},
                                .logarithmic = true,
                                .lx = raster->lx,
                                .ly = raster->ly,
                                .unit = options->unit};
    return io_exr_encode(output, &image);
}

#endif

const io_format io_format_EXR = {
    .facts = {.name = "OpenEXR", .endings = "exr", .package = "libopenexr-dev", .samples = 1 << WADI_SAMPLE_FLOAT32},
    .marks = {IO_MARK("\x76\x2f\x31\x01")},
#ifdef WADI_WITH_EXR
    .read = io_exr_read,
    .write = io_exr_write,
#endif
};
