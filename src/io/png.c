/* png.c: PNG through libpng: 8 or 16-bit grey; colours and palettes are read as their luminance, transparency is left
 * out. PNG has no nodata: NaN is written as 0 and counts as clamped. */
#include "formats.h"

#ifdef WADI_WITH_PNG

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* Deflate makes at most 1032 bytes of one. */
#define MOST_DEFLATED 1032.0

/* What libpng's callbacks, and the code after its longjmp, need to find. */
typedef struct png_state {
    io_input *input;
    uint64_t offset;
    io_output *output;
    uint8_t *rows;
    wadi_raster *raster;
    wadi_status status; /* already told, when not OK */
    char message[128];
} png_state;

static void on_error(png_structp png, png_const_charp text) {
    png_state *state = png_get_error_ptr(png);
    snprintf(state->message, sizeof state->message, "%s", text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

/* --- reading --------------------------------------------------------------------------------------------------- */

static void read_bytes(png_structp png, png_bytep to, size_t count) {
    png_state *state = png_get_io_ptr(png);
    if (io_input_read(state->input, state->offset, to, count) != count) png_error(png, "it ends too early");
    state->offset += count;
}

/* Everything becomes one channel of 8 or 16 bits. */
static void ask_for_grey(png_structp png, png_infop info) {
    const png_byte colour = png_get_color_type(png, info), depth = png_get_bit_depth(png, info);
    if (colour == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
    if (colour == PNG_COLOR_TYPE_GRAY && depth < 8) png_set_expand_gray_1_2_4_to_8(png);
    if ((colour & PNG_COLOR_MASK_COLOR) != 0) png_set_rgb_to_gray(png, PNG_ERROR_ACTION_NONE, -1, -1);
    png_set_strip_alpha(png);
}

static wadi_status start_raster(png_state *state, png_structp png, png_infop info) {
    const uint64_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
    const double bits = (double)png_get_bit_depth(png, info) * png_get_channels(png, info);
    const wadi_status status = io_check_held(state->input, width, height, bits / 8, MOST_DEFLATED);
    return status == WADI_OK ? io_begin(state->input, width, height, &state->raster) : status;
}

/* An interlaced picture comes in passes over all its rows, which must therefore be kept. */
static void read_rows(png_state *state, png_structp png, png_infop info) {
    const int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    const int depth = png_get_bit_depth(png, info);
    const size_t row_bytes = png_get_rowbytes(png, info), kept = passes > 1 ? (size_t)state->raster->height : 1;
    const size_t width = (size_t)state->raster->width;
    const io_samples samples = {.type = depth == 16 ? IO_U16 : IO_U8, .big_endian = true, .step = (size_t)depth / 8};
    if (row_bytes != width * samples.step) png_error(png, "its samples are of an unknown kind");
    state->raster->sample = io_type_sample(samples.type);
    if (kept > SIZE_MAX / row_bytes || kept * row_bytes > state->input->memory_limit) png_error(png, "it is too large");
    state->rows = calloc(kept, row_bytes);
    if (state->rows == NULL) png_error(png, "no memory for its rows");
    for (int pass = 0; pass < passes; pass++)
        for (size_t y = 0; y < (size_t)state->raster->height; y++) {
            uint8_t *row = state->rows + (passes > 1 ? y * row_bytes : 0);
            png_read_row(png, row, NULL);
            if (pass == passes - 1) io_decode(&samples, row, width, state->raster->values + y * width, 1);
        }
    png_read_end(png, NULL); /* finds what is cut off or wrong behind the picture's rows */
}

static void read_png(png_state *state, png_structp png, png_infop info) {
    if (setjmp(png_jmpbuf(png)) != 0) {
        if (state->status == WADI_OK) state->status = io_truncated(state->input, state->message);
        return;
    }
    png_set_read_fn(png, state, read_bytes);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_read_info(png, info);
    state->status = start_raster(state, png, info);
    if (state->status != WADI_OK) return;
    ask_for_grey(png, info);
    read_rows(state, png, info);
}

wadi_status io_png_read(io_input *input, wadi_raster **raster) {
    png_state state = {.input = input};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &state, on_error, on_warning);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    if (info != NULL)
        read_png(&state, png, info);
    else
        state.status = wadi_fail(WADI_ERROR_MEMORY, "%s: no memory for libpng", input->name);
    png_destroy_read_struct(&png, &info, NULL);
    free(state.rows);
    *raster = state.raster;
    return state.status == WADI_OK ? io_finish(input, state.raster, NULL) : state.status;
}

/* --- writing --------------------------------------------------------------------------------------------------- */

static void write_bytes(png_structp png, png_bytep from, size_t count) {
    io_output *output = ((png_state *)png_get_io_ptr(png))->output;
    if (!io_output_write(output, output->size, from, count)) png_error(png, "it cannot be written");
}

static void flush_bytes(png_structp png) { (void)png; }

static void write_png(png_state *state, png_structp png, png_infop info, const int size[4], io_row_fn *row,
                      void *context) {
    if (setjmp(png_jmpbuf(png)) != 0) {
        state->status =
            wadi_fail(WADI_ERROR_IO, "%s: cannot be written as PNG: %s", state->output->path, state->message);
        return;
    }
    png_set_write_fn(png, state, write_bytes, flush_bytes);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(png, info, (png_uint_32)size[0], (png_uint_32)size[1], size[3],
                 size[2] == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (size[2] == 1) png_set_compression_level(png, 3); /* of heights: a fifth of 6's time for 2 % more bytes */
    png_write_info(png, info);
    for (int y = 0; y < size[1]; y++) png_write_row(png, row(context, y));
    png_write_end(png, NULL);
}

wadi_status io_png_encode(io_output *output, int width, int height, int channels, int depth, io_row_fn *row,
                          void *context) {
    png_state state = {.output = output};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &state, on_error, on_warning);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    const int size[4] = {width, height, channels, depth};
    if (info != NULL)
        write_png(&state, png, info, size, row, context);
    else
        state.status = wadi_fail(WADI_ERROR_MEMORY, "%s: no memory for libpng", output->path);
    png_destroy_write_struct(&png, &info);
    return state.status;
}

typedef struct grey_rows {
    const wadi_raster *raster;
    io_quantiser quantiser;
    uint64_t clamped;
    int depth;
    int *samples; /* of one row */
    uint8_t *bytes;
} grey_rows;

static const uint8_t *grey_row(void *context, int y) {
    grey_rows *rows = context;
    const size_t width = (size_t)rows->raster->width;
    rows->clamped += io_quantise(&rows->quantiser, rows->raster->values + (size_t)y * width, width, rows->samples);
    for (size_t x = 0; x < width; x++) {
        const int sample = rows->samples[x];
        if (rows->depth == 8) {
            rows->bytes[x] = (uint8_t)sample;
        } else {
            rows->bytes[2 * x] = (uint8_t)(sample >> 8);
            rows->bytes[2 * x + 1] = (uint8_t)sample;
        }
    }
    return rows->bytes;
}

wadi_status io_png_write(io_output *output, const wadi_raster *raster, wadi_write_options *options) {
    grey_rows rows = {.raster = raster, .depth = options->sample == WADI_SAMPLE_UINT8 ? 8 : 16};
    wadi_status status = io_quantiser_make(raster, options, false, &rows.quantiser);
    if (status != WADI_OK) return status;
    const size_t width = (size_t)raster->width;
    rows.samples = malloc(width * sizeof *rows.samples);
    rows.bytes = malloc(width * 2);
    if (rows.samples != NULL && rows.bytes != NULL)
        status = io_png_encode(output, raster->width, raster->height, 1, rows.depth, grey_row, &rows);
    else
        status = io_no_memory(output->path, width * 6, 0);
    options->clamped = rows.clamped;
    free(rows.samples);
    free(rows.bytes);
    return status;
}

#endif
