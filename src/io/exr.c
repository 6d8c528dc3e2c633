/* exr.c: OpenEXR through OpenEXRCore: channel Y, else R, else the only one, of the first part; scan lines or the tiles
 * of the largest level. Written as float32 Y, ZIP, NaN for no data. */
#include "formats.h"
#include "platform/platform.h"

#ifdef WADI_WITH_EXR

#include <math.h>
#include <omp.h>
#include <openexr.h>
#include <stdlib.h>
#include <string.h>

typedef struct exr_state {
    io_input *input;
    io_output *output;
    char message[160]; /* the library's first complaint */
} exr_state;

static void on_error(exr_const_context_t exr, exr_result_t code, const char *text) {
    (void)code;
    void *user = NULL;
    if (exr == NULL || exr_get_user_data(exr, &user) != EXR_ERR_SUCCESS || user == NULL) return;
    exr_state *state = user;
    platform_lock();
    if (state->message[0] == '\0') snprintf(state->message, sizeof state->message, "%s", text);
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

/* The most bytes that one becomes. Wavelets and Huffman codes of the others have no useful limit. */
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

static int find_channel(const exr_attr_chlist_t *channels) {
    const char *const names[] = {"Y", "R"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (int i = 0; i < channels->num_channels; i++)
            if (strcmp(channels->entries[i].name.str, names[n]) == 0) return i;
    return channels->num_channels == 1 ? 0 : -1;
}

static bool decodes(exr_context_t exr, const exr_chunk_info_t *chunk, const char *channel, float *to, size_t width) {
    exr_decode_pipeline_t pipeline = EXR_DECODE_PIPELINE_INITIALIZER;
    bool good = exr_decoding_initialize(exr, 0, chunk, &pipeline) == EXR_ERR_SUCCESS;
    for (int i = 0; good && i < pipeline.channel_count; i++) {
        exr_coding_channel_info_t *into = &pipeline.channels[i];
        if (strcmp(into->channel_name, channel) != 0) continue; /* the others stay NULL: not decoded */
        into->decode_to_ptr = (uint8_t *)to;
        into->user_data_type = EXR_PIXEL_FLOAT;
        into->user_bytes_per_element = sizeof(float);
        into->user_pixel_stride = sizeof(float);
        into->user_line_stride = (int32_t)(width * sizeof(float));
    }
    good = good && exr_decoding_choose_default_routines(exr, 0, &pipeline) == EXR_ERR_SUCCESS;
    good = good && exr_decoding_run(exr, 0, &pipeline) == EXR_ERR_SUCCESS;
    exr_decoding_destroy(exr, &pipeline);
    return good;
}

/* The chunk of lines that begins `y` below the first. */
static bool read_line_chunk(exr_context_t exr, const exr_attr_box2i_t *window, const char *channel, int y,
                            wadi_raster *raster) {
    exr_chunk_info_t chunk = {0};
    float *to = raster->values + (size_t)y * (size_t)raster->width;
    if (exr_read_scanline_chunk_info(exr, 0, window->min.y + y, &chunk) != EXR_ERR_SUCCESS) return false;
    if (chunk.start_y != window->min.y + y || chunk.height > raster->height - y) return false;
    return decodes(exr, &chunk, channel, to, (size_t)raster->width);
}

static bool read_lines(exr_context_t exr, const exr_attr_box2i_t *window, const char *channel, wadi_raster *raster) {
    int32_t step = 0;
    if (exr_get_scanlines_per_chunk(exr, 0, &step) != EXR_ERR_SUCCESS || step < 1) return false;
    bool good = true;
#pragma omp parallel for schedule(dynamic) reduction(&& : good)
    for (int y = 0; y < raster->height; y += step) good = good && read_line_chunk(exr, window, channel, y, raster);
    return good;
}

static bool read_tile(exr_context_t exr, const char *channel, int x, int y, const int32_t size[2],
                      wadi_raster *raster) {
    exr_chunk_info_t chunk = {0};
    float *to = raster->values + (size_t)y * (size_t)raster->width + (size_t)x;
    if (exr_read_tile_chunk_info(exr, 0, x / size[0], y / size[1], 0, 0, &chunk) != EXR_ERR_SUCCESS) return false;
    if (chunk.width > raster->width - x || chunk.height > raster->height - y) return false;
    return decodes(exr, &chunk, channel, to, (size_t)raster->width);
}

static bool read_tiles(exr_context_t exr, const char *channel, wadi_raster *raster) {
    int32_t size[2] = {0};
    if (exr_get_tile_sizes(exr, 0, 0, 0, &size[0], &size[1]) != EXR_ERR_SUCCESS || size[0] < 1 || size[1] < 1)
        return false;
    bool good = true;
#pragma omp parallel for schedule(dynamic) reduction(&& : good)
    for (int y = 0; y < raster->height; y += size[1])
        for (int x = 0; x < raster->width; x += size[0]) good = good && read_tile(exr, channel, x, y, size, raster);
    return good;
}

static wadi_status check_header(exr_context_t exr, io_input *input, const exr_attr_box2i_t *window, int bytes_a_cell) {
    const int64_t width = (int64_t)window->max.x - window->min.x + 1,
                  height = (int64_t)window->max.y - window->min.y + 1;
    exr_compression_t compression = EXR_COMPRESSION_NONE;
    int32_t chunks = 0;
    exr_get_compression(exr, 0, &compression);
    if (width < 1 || height < 1 || exr_get_chunk_count(exr, 0, &chunks) != EXR_ERR_SUCCESS || chunks < 1 ||
        (uint64_t)chunks > input->size / 8) /* the table of chunks has 8 bytes for each */
        return io_truncated(input, NULL);
    return io_check_held(input, (uint64_t)width, (uint64_t)height, bytes_a_cell, most_compressed(compression));
}

static wadi_status read_part(exr_context_t exr, exr_state *state, wadi_raster **raster) {
    io_input *input = state->input;
    exr_storage_t storage;
    exr_attr_box2i_t window;
    const exr_attr_chlist_t *channels = NULL;
    if (exr_get_storage(exr, 0, &storage) != EXR_ERR_SUCCESS ||
        exr_get_data_window(exr, 0, &window) != EXR_ERR_SUCCESS ||
        exr_get_channels(exr, 0, &channels) != EXR_ERR_SUCCESS)
        return io_truncated(input, state->message);
    if (storage != EXR_STORAGE_SCANLINE && storage != EXR_STORAGE_TILED)
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: is a deep EXR file; flatten it", input->name);
    const int found = find_channel(channels);
    if (found < 0)
        return wadi_fail(WADI_ERROR_FORMAT, "%s: has %d channels, none of them Y or R; name the height Y", input->name,
                         channels->num_channels);
    const exr_attr_chlist_entry_t *channel = &channels->entries[found];
    if (channel->x_sampling != 1 || channel->y_sampling != 1)
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: channel %s is subsampled; save it in full", input->name,
                         channel->name.str);
    wadi_status status = check_header(exr, input, &window, channel->pixel_type == EXR_PIXEL_HALF ? 2 : 4);
    if (status != WADI_OK) return status;
    status = io_begin(input, (uint64_t)((int64_t)window.max.x - window.min.x + 1),
                      (uint64_t)((int64_t)window.max.y - window.min.y + 1), raster);
    if (status != WADI_OK) return status;
    if ((uint64_t)(*raster)->width * sizeof(float) > INT32_MAX)
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: its rows are too long for EXR; use TIFF", input->name);
    const bool good = storage == EXR_STORAGE_TILED ? read_tiles(exr, channel->name.str, *raster)
                                                   : read_lines(exr, &window, channel->name.str, *raster);
    return good ? WADI_OK : io_truncated(input, state->message);
}

wadi_status io_exr_read(io_input *input, wadi_raster **raster) {
    exr_state state = {.input = input};
    exr_context_initializer_t how = EXR_DEFAULT_CONTEXT_INITIALIZER;
    how.error_handler_fn = on_error;
    how.read_fn = read_bytes;
    how.size_fn = file_size;
    how.user_data = &state;
    how.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION; /* a damaged file is an error, not a patchwork */
    exr_context_t exr = NULL;
    wadi_status status = WADI_OK;
    if (exr_start_read(&exr, input->name, &how) != EXR_ERR_SUCCESS)
        status = io_truncated(input, state.message);
    else
        status = read_part(exr, &state, raster);
    if (exr != NULL) exr_finish(&exr);
    return status == WADI_OK ? io_finish(input, *raster, NULL) : status;
}

/* --- writing --------------------------------------------------------------------------------------------------- */

static int64_t write_bytes(exr_const_context_t exr, void *user, const void *from, uint64_t count, uint64_t offset,
                           exr_stream_error_func_ptr_t error) {
    if (io_output_write(((exr_state *)user)->output, offset, from, (size_t)count)) return (int64_t)count;
    error(exr, EXR_ERR_WRITE_IO, "the disk refused it");
    return -1;
}

static bool declares(exr_context_t exr, const wadi_raster *raster) {
    int part = 0;
    return exr_add_part(exr, "height", EXR_STORAGE_SCANLINE, &part) == EXR_ERR_SUCCESS &&
           exr_initialize_required_attr_simple(exr, part, raster->width, raster->height, EXR_COMPRESSION_ZIP) ==
               EXR_ERR_SUCCESS &&
           exr_add_channel(exr, part, "Y", EXR_PIXEL_FLOAT, EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1) == EXR_ERR_SUCCESS &&
           exr_write_header(exr) == EXR_ERR_SUCCESS;
}

/* Compresses the chunk of lines from y on; the pipeline then holds its bytes. */
static bool encodes(exr_context_t exr, exr_encode_pipeline_t *pipeline, const wadi_raster *raster, int y) {
    exr_chunk_info_t chunk = {0};
    const bool first = pipeline->channels == NULL;
    if (exr_write_scanline_chunk_info(exr, 0, y, &chunk) != EXR_ERR_SUCCESS) return false;
    if (first ? exr_encoding_initialize(exr, 0, &chunk, pipeline) != EXR_ERR_SUCCESS
              : exr_encoding_update(exr, 0, &chunk, pipeline) != EXR_ERR_SUCCESS)
        return false;
    exr_coding_channel_info_t *from = &pipeline->channels[0];
    from->encode_from_ptr = (const uint8_t *)(raster->values + (size_t)y * (size_t)raster->width);
    from->user_data_type = EXR_PIXEL_FLOAT;
    from->user_bytes_per_element = sizeof(float);
    from->user_pixel_stride = sizeof(float);
    from->user_line_stride = raster->width * (int32_t)sizeof(float);
    if (first && exr_encoding_choose_default_routines(exr, 0, pipeline) != EXR_ERR_SUCCESS) return false;
    pipeline->yield_until_ready_fn = NULL; /* chunks are written in their order, below */
    pipeline->write_fn = NULL;
    return exr_encoding_run(exr, 0, pipeline) == EXR_ERR_SUCCESS;
}

static bool write_lines(exr_context_t exr, const wadi_raster *raster) {
    int32_t step = 0;
    if (exr_get_scanlines_per_chunk(exr, 0, &step) != EXR_ERR_SUCCESS || step < 1) return false;
    bool good = true; /* in the ordered part alone */
#pragma omp parallel
    {
        exr_encode_pipeline_t pipeline = EXR_ENCODE_PIPELINE_INITIALIZER;
#pragma omp for ordered schedule(static, 1)
        for (int y = 0; y < raster->height; y += step) {
            const bool encoded = encodes(exr, &pipeline, raster, y);
#pragma omp ordered
            good = good && encoded &&
                   exr_write_scanline_chunk(exr, 0, y, pipeline.compressed_buffer, pipeline.compressed_bytes) ==
                       EXR_ERR_SUCCESS;
        }
        exr_encoding_destroy(exr, &pipeline);
    }
    return good;
}

wadi_status io_exr_write(io_output *output, const wadi_raster *raster, wadi_write_options *options) {
    (void)options;
    if (raster->width > INT32_MAX / (int)sizeof(float))
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: rows of %d cells are too long for EXR; write .tif", output->path,
                         raster->width);
    exr_state state = {.output = output};
    exr_context_initializer_t how = EXR_DEFAULT_CONTEXT_INITIALIZER;
    how.error_handler_fn = on_error;
    how.write_fn = write_bytes;
    how.user_data = &state;
    exr_context_t exr = NULL;
    bool good = exr_start_write(&exr, output->path, EXR_WRITE_FILE_DIRECTLY, &how) == EXR_ERR_SUCCESS;
    good = good && declares(exr, raster) && write_lines(exr, raster);
    if (exr != NULL && exr_finish(&exr) != EXR_ERR_SUCCESS) good = false;
    if (good) return WADI_OK;
    return wadi_fail(WADI_ERROR_IO, "%s: cannot be written as EXR: %s", output->path, state.message);
}

#endif
