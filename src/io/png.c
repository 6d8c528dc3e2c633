/* png.c: PNG through libpng: 8 or 16-bit grey, or colours that encode a height (colours.c). Transparent cells have no
 * data. Written files have one transparent grey value (tRNS). tEXt chunks, which other programs ignore, hold what PNG
 * cannot. "wadi:cell-size" is the size of a cell in metres, and "wadi:range" the values of 0 and full scale.
 * "wadi:unit" is the unit of a map. */
#include "formats.h"

#ifdef WADI_WITH_PNG

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Deflate expands a byte to at most 1032. */
#define MOST_DEFLATED 1032.0

#define CELL_SIZE "wadi:cell-size"
#define RANGE "wadi:range"
#define UNIT "wadi:unit"

/* State for libpng's callbacks and for the code after its longjmp. */
typedef struct png_state {
    io_input *input;
    uint64_t offset;
    io_output *output;
    uint8_t *rows;
    float *planes; /* of a row with more than one channel: channel after channel */
    wadi_raster *raster;
    io_meaning meaning;
    wadi_status status; /* not OK: the message is already set */
    size_t most;        /* memory limit of libpng, in bytes */
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

/* libpng only warns about a chunk that is too long, and allocates it anyway. */
static png_voidp allocate(png_structp png, png_alloc_size_t size) {
    const png_state *state = png_get_mem_ptr(png);
    if (size > state->most) return NULL;
    void *memory = malloc(size);
    if (memory == NULL && size > 0) *(state->input != NULL ? &state->input->error : &state->output->error) = ENOMEM;
    return memory;
}

/* --- reading --------------------------------------------------------------------------------------------------- */

static void read_bytes(png_structp png, png_bytep to, size_t count) {
    png_state *state = png_get_io_ptr(png);
    if (io_input_read(state->input, state->offset, to, count) != count) png_error(png, "it ends too early");
    state->offset += count;
}

/* libpng reads whole chunks. A chunk longer than the file is damaged. */
static size_t longest_chunk(const io_input *input) {
    const uint64_t least = 1 << 20; /* compressed texts and colour profiles grow when unpacked */
    const uint64_t longest = input->size < input->memory_limit ? input->size : input->memory_limit;
    return longest < least ? least : longest < SIZE_MAX ? (size_t)longest : SIZE_MAX;
}

/* Requests grey, or red, green and blue, of 8 or 16 bits, with alpha if the file has any transparency. */
static void ask_for_samples(png_structp png, png_infop info) {
    const png_byte colour = png_get_color_type(png, info), depth = png_get_bit_depth(png, info);
    if (colour == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
    if (colour == PNG_COLOR_TYPE_GRAY && depth < 8) png_set_expand_gray_1_2_4_to_8(png);
    if (png_get_valid(png, info, PNG_INFO_tRNS) != 0) png_set_tRNS_to_alpha(png);
}

/* "8 8": blanks, since a comma is some locales' decimal point. */
static bool two_numbers(const char *text, double *first, double *second) {
    const char *blank = strchr(text, ' ');
    return blank != NULL && io_parse_number(text, first) && io_parse_number(blank + 1, second) &&
           io_is_finite(*first) && io_is_finite(*second);
}

static void read_texts(png_structp png, png_infop info, wadi_raster *raster, io_meaning *meaning) {
    png_textp texts = NULL;
    const int count = png_get_text(png, info, &texts, NULL);
    double first, second;
    for (int i = 0; i < count; i++) {
        if (texts[i].text != NULL && strcmp(texts[i].key, UNIT) == 0) io_set_unit(raster, meaning, texts[i].text);
        if (texts[i].text == NULL || !two_numbers(texts[i].text, &first, &second)) continue;
        const bool is_size = first > 1e-6 && first < 1e9 && second > 1e-6 && second < 1e9;
        if (strcmp(texts[i].key, CELL_SIZE) == 0 && is_size) meaning->lx = first, meaning->ly = second;
        if (strcmp(texts[i].key, RANGE) == 0 && second > first)
            meaning->ranged = true, meaning->low = first, meaning->high = second;
    }
}

static wadi_status start_raster(png_state *state, png_structp png, png_infop info) {
    const uint64_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
    const double bits = (double)png_get_bit_depth(png, info) * png_get_channels(png, info);
    const wadi_status status = io_check_held(state->input, width, height, bits / 8, MOST_DEFLATED);
    return status == WADI_OK ? io_begin(state->input, width, height, &state->raster) : status;
}

/* libpng widens samples of 1, 2 and 4 bits to the full scale of 8. Here they keep their own. */
static void narrow_bits(const io_meaning *meaning, float *values, size_t count) {
    const float factor = meaning->full > 0 ? 255 / (float)meaning->full : 1; /* 255, 85 or 17 */
    for (size_t i = 0; i < count && factor > 1; i++) values[i] /= factor;
}

/* False: the picture has colours. */
static bool take_row(const png_state *state, const io_samples *samples, size_t channels, const uint8_t *row, size_t y) {
    const size_t width = (size_t)state->raster->width;
    float *values = state->raster->values + y * width, *planes = state->planes;
    if (channels == 1) {
        io_decode(samples, row, width, values, 1);
        narrow_bits(&state->meaning, values, width);
        return true;
    }
    for (size_t c = 0; c < channels; c++)
        io_decode(samples, row + c * io_type_bytes(samples->type), width, planes + c * width, 1);
    io_planes rows = {.red = planes};
    if (channels > 2) rows.green = planes + width, rows.blue = planes + 2 * width;
    if (channels % 2 == 0) rows.alpha = planes + (channels - 1) * width;
    const bool good = io_mix(state->input, &rows, width, values);
    narrow_bits(&state->meaning, values, width);
    return good;
}

static void make_room(png_state *state, png_structp png, size_t row_bytes, size_t kept, size_t channels) {
    if (kept > SIZE_MAX / row_bytes || kept * row_bytes > state->input->memory_limit) png_error(png, "it is too large");
    state->rows = calloc(kept, row_bytes);
    state->planes = calloc((size_t)state->raster->width * channels, sizeof *state->planes);
    if (state->rows != NULL && state->planes != NULL) return;
    state->input->error = ENOMEM;
    png_error(png, "no memory for its rows");
}

/* An interlaced picture has several passes over all rows, so all rows are kept. */
static void read_rows(png_state *state, png_structp png, png_infop info) {
    const int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    const size_t depth = png_get_bit_depth(png, info), channels = png_get_channels(png, info);
    const size_t row_bytes = png_get_rowbytes(png, info), kept = passes > 1 ? (size_t)state->raster->height : 1;
    const io_samples samples = {.type = depth == 16 ? IO_U16 : IO_U8, .big_endian = true, .step = depth / 8 * channels};
    if (row_bytes != (size_t)state->raster->width * samples.step) png_error(png, "its samples are of an unknown kind");
    state->raster->sample = io_type_sample(samples.type);
    if (channels > 2) state->raster->band = 0, state->raster->bands = 3;
    if (channels > 2) state->status = io_begin_colours(state->input, state->raster, &state->meaning);
    if (state->status != WADI_OK) return;
    make_room(state, png, row_bytes, kept, channels);
    for (int pass = 0; pass < passes; pass++)
        for (size_t y = 0; y < (size_t)state->raster->height; y++) {
            uint8_t *row = state->rows + (passes > 1 ? y * row_bytes : 0);
            png_read_row(png, row, NULL);
            if (pass == passes - 1 && !take_row(state, &samples, channels, row, y)) {
                state->status = io_refuse_colours(state->input);
                return;
            }
        }
    state->most = longest_chunk(state->input);
    png_read_end(png, NULL); /* finds errors after the picture's rows */
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
    if (png_get_channels(png, info) % 2 == 0 || png_get_valid(png, info, PNG_INFO_tRNS) != 0)
        state->raster->from.mask = WADI_ORIGIN_FILE;
    state->most = SIZE_MAX; /* the raster's size is checked, and rows are not larger */
    const int depth = png_get_bit_depth(png, info);
    if (png_get_color_type(png, info) == PNG_COLOR_TYPE_GRAY && depth < 8) state->meaning.full = (1 << depth) - 1;
    ask_for_samples(png, info);
    read_texts(png, info, state->raster, &state->meaning);
    read_rows(state, png, info);
}

/* GDAL reads one band of a picture in colours. */
static bool is_for_gdal(io_input *input) {
    uint8_t kind = PNG_COLOR_TYPE_GRAY;
    io_input_read(input, 25, &kind, 1);
    return (kind & PNG_COLOR_MASK_COLOR) != 0 && input->options->band != NULL && input->file != NULL &&
           io_format_GDAL.read != NULL;
}

static wadi_status io_png_read(io_input *input, wadi_raster **raster) {
    if (is_for_gdal(input)) return io_format_GDAL.read(input, raster);
    const wadi_status named = io_only_band(input);
    if (named != WADI_OK) return named;
    png_state state = {.input = input, .most = longest_chunk(input)};
    png_structp png =
        png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &state, on_error, on_warning, &state, allocate, NULL);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    if (info != NULL)
        read_png(&state, png, info);
    else
        state.status = wadi_fail(WADI_ERROR_MEMORY, "%s: no memory for libpng", input->name);
    png_destroy_read_struct(&png, &info, NULL);
    free(state.rows);
    free(state.planes);
    *raster = state.raster;
    return state.status == WADI_OK ? io_finish(input, state.raster, &state.meaning) : state.status;
}

/* --- writing --------------------------------------------------------------------------------------------------- */

static void write_bytes(png_structp png, png_bytep from, size_t count) {
    io_output *output = ((png_state *)png_get_io_ptr(png))->output;
    if (!io_output_write(output, output->size, from, count)) png_error(png, "it cannot be written");
}

static void flush_bytes(png_structp png) { (void)png; }

typedef struct number_text {
    char text[88];
} number_text;

static number_text text_of(double first, double second) {
    char numbers[2][40];
    number_text text;
    io_format_number(first, numbers[0], sizeof numbers[0]);
    io_format_number(second, numbers[1], sizeof numbers[1]);
    snprintf(text.text, sizeof text.text, "%s %s", numbers[0], numbers[1]);
    return text;
}

/* libpng copies the texts. */
static void set_texts(png_structp png, png_infop info, const io_png_head *head) {
    static char keys[][16] = {CELL_SIZE, RANGE, UNIT};
    number_text cell = text_of(head->raster->lx, head->raster->ly), reach = text_of(head->low, head->high);
    char unit[32];
    snprintf(unit, sizeof unit, "%s", head->unit != NULL ? head->unit : "");
    char *const values[] = {cell.text, reach.text, unit};
    png_text texts[3];
    for (int i = 0; i < 3; i++)
        texts[i] = (png_text){.compression = PNG_TEXT_COMPRESSION_NONE, .key = keys[i], .text = values[i]};
    png_set_text(png, info, texts, head->unit != NULL ? 3 : 2);
}

/* Compared with zlib's usual level 6: heights take a fifth of the time for 2 % more bytes, pictures a third for 3 %. */
static void set_compression(png_structp png, const io_png_head *head) {
    if (head->picture) {
        png_set_compression_level(png, 4);
        png_set_compression_strategy(png, Z_DEFAULT_STRATEGY);
        png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB | PNG_FILTER_UP);
    } else if (head->channels == 1) {
        png_set_compression_level(png, 3);
    }
}

static void write_png(png_state *state, png_structp png, png_infop info, const io_png_head *head, io_row_fn *row,
                      void *context) {
    static const int kinds[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                PNG_COLOR_TYPE_RGB_ALPHA};
    if (setjmp(png_jmpbuf(png)) != 0) {
        state->status =
            wadi_fail(WADI_ERROR_IO, "%s: cannot be written as PNG: %s", state->output->path, state->message);
        return;
    }
    png_set_write_fn(png, state, write_bytes, flush_bytes);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(png, info, (png_uint_32)head->width, (png_uint_32)head->height, head->depth, kinds[head->channels - 1],
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    set_compression(png, head);
    const png_color_16 nodata = {.gray = (png_uint_16)head->nodata};
    if (head->has_nodata) png_set_tRNS(png, info, NULL, 0, &nodata);
    if (head->raster != NULL) set_texts(png, info, head);
    png_write_info(png, info);
    for (int y = 0; y < head->height; y++) png_write_row(png, row(context, y));
    png_write_end(png, NULL);
}

wadi_status io_png_encode(io_output *output, const io_png_head *head, io_row_fn *row, void *context) {
    png_state state = {.output = output, .most = SIZE_MAX};
    png_structp png =
        png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &state, on_error, on_warning, &state, allocate, NULL);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    if (info != NULL)
        write_png(&state, png, info, head, row, context);
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
    int64_t *samples; /* of one row */
    uint8_t *bytes;
} grey_rows;

static const uint8_t *grey_row(void *context, int y) {
    grey_rows *rows = context;
    const size_t width = (size_t)rows->raster->width;
    rows->clamped += io_quantise(&rows->quantiser, rows->raster->values + (size_t)y * width, width, rows->samples);
    for (size_t x = 0; x < width; x++) {
        const unsigned sample = (unsigned)rows->samples[x];
        if (rows->depth == 8) {
            rows->bytes[x] = (uint8_t)sample;
        } else {
            rows->bytes[2 * x] = (uint8_t)(sample >> 8);
            rows->bytes[2 * x + 1] = (uint8_t)sample;
        }
    }
    return rows->bytes;
}

static wadi_status io_png_write(io_output *output, const wadi_raster *raster, wadi_write_options *options) {
    grey_rows rows = {.raster = raster, .depth = options->sample == WADI_SAMPLE_UINT8 ? 8 : 16};
    wadi_status status = io_quantiser_make(raster, options, true, &rows.quantiser);
    if (status != WADI_OK) return status;
    const io_quantiser *quantiser = &rows.quantiser;
    const io_png_head head = {.width = raster->width,
                              .height = raster->height,
                              .channels = 1,
                              .depth = rows.depth,
                              .has_nodata = quantiser->has_nodata,
                              .nodata = (int)quantiser->nodata,
                              .raster = raster,
                              .unit = options->unit,
                              .low = quantiser->offset,
                              .high = quantiser->offset + quantiser->scale * (double)quantiser->highest};
    const size_t width = (size_t)raster->width;
    rows.samples = malloc(width * sizeof *rows.samples);
    rows.bytes = malloc(width * 2);
    if (rows.samples != NULL && rows.bytes != NULL)
        status = io_png_encode(output, &head, grey_row, &rows);
    else
        status = io_no_memory(output->path, width * 10, 0);
    options->clamped = rows.clamped;
    free(rows.samples);
    free(rows.bytes);
    return status;
}

#endif

const io_format io_format_PNG = {
    .facts = {.name = "PNG",
              .endings = "png",
              .package = "libpng-dev",
              .sample = WADI_SAMPLE_UINT16,
              .samples = 1 << WADI_SAMPLE_UINT8 | 1 << WADI_SAMPLE_UINT16},
    .marks = {IO_MARK("\x89PNG\r\n\x1a\n")},
#ifdef WADI_WITH_PNG
    .read = io_png_read,
    .write = io_png_write,
#endif
};
