/* tiff.c: TIFF and GeoTIFF through libtiff: one band of 8, 16 or 32-bit integers or 32 or 64-bit floats, in strips or
 * tiles, compressed in any way libtiff knows. Written deflated, as BigTIFF where 4 GB could be too few. GDAL's tags for
 * nodata, scale and offset are read and written. */
#include "formats.h"
#include "platform/openmp.h"
#include "platform/platform.h"

#ifdef WADI_WITH_TIFF

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

enum {
    TAG_SCALE = 33550,
    TAG_TIES = 33922,
    TAG_MATRIX = 34264,
    TAG_KEYS = 34735,
    TAG_NUMBERS = 34736,
    TAG_TEXT = 34737,
    TAG_METADATA = 42112, /* GDAL's: XML */
    TAG_NODATA = 42113,   /* GDAL's: a number as text */
};

/* --- libtiff on our own bytes ---------------------------------------------------------------------------------- */

typedef struct tiff_state {
    io_input *input;
    io_output *output; /* neither: memory, for one encoded strip after another */
    uint8_t *strip;
    size_t strip_bytes, strip_room;
    uint64_t at;
    char message[160]; /* libtiff's first complaint */
} tiff_state;

#define STRIP_AT 16u /* where libtiff believes that memory ends: behind the file's header, which nobody reads */

/* Each thread has a libtiff handle of its own; the file under them is one. */
static tmsize_t tiff_read(thandle_t handle, void *to, tmsize_t count) {
    tiff_state *state = handle;
    platform_lock();
    const size_t got = state->input != NULL    ? io_input_read(state->input, state->at, to, (size_t)count)
                       : state->output != NULL ? io_output_read(state->output, state->at, to, (size_t)count)
                                               : 0;
    platform_unlock();
    state->at += got;
    return (tmsize_t)got;
}

static bool keep_strip(tiff_state *state, const void *from, size_t count) {
    if (state->at < STRIP_AT) return true;
    const size_t at = (size_t)(state->at - STRIP_AT), end = at + count;
    if (end > state->strip_room) {
        uint8_t *grown = realloc(state->strip, 2 * end);
        if (grown == NULL) return false;
        state->strip = grown;
        state->strip_room = 2 * end;
    }
    memcpy(state->strip + at, from, count);
    if (end > state->strip_bytes) state->strip_bytes = end;
    return true;
}

static tmsize_t tiff_write(thandle_t handle, void *from, tmsize_t count) {
    tiff_state *state = handle;
    const bool good = state->input != NULL    ? false
                      : state->output != NULL ? io_output_write(state->output, state->at, from, (size_t)count)
                                              : keep_strip(state, from, (size_t)count);
    if (!good) return -1;
    state->at += (uint64_t)count;
    return count;
}

static toff_t tiff_size(thandle_t handle) {
    const tiff_state *state = handle;
    return state->input != NULL ? state->input->size : state->output != NULL ? state->output->size : STRIP_AT;
}

static toff_t tiff_seek(thandle_t handle, toff_t offset, int whence) {
    tiff_state *state = handle;
    state->at = whence == SEEK_SET ? offset : whence == SEEK_CUR ? state->at + offset : tiff_size(handle) + offset;
    return state->at;
}

static int tiff_close(thandle_t handle) {
    (void)handle;
    return 0;
}

WADI_PRINTF(4, 0)
static int on_error(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    (void)tiff;
    (void)module;
    tiff_state *state = user;
    if (state->message[0] == '\0') vsnprintf(state->message, sizeof state->message, format, arguments);
    return 1;
}

WADI_PRINTF(4, 0)
static int on_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    (void)tiff;
    (void)user;
    (void)module;
    (void)format;
    (void)arguments;
    return 1;
}

static TIFF *open_tiff(tiff_state *state, const char *name, const char *mode, uint64_t memory_limit) {
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (options == NULL) return NULL;
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, state);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, state);
    if (memory_limit < PTRDIFF_MAX) TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)memory_limit);
    TIFF *tiff = TIFFClientOpenExt(name, mode, state, tiff_read, tiff_write, tiff_seek, tiff_close, tiff_size, NULL,
                                   NULL, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

/* --- tags ------------------------------------------------------------------------------------------------------ */

/* libtiff knows these tags only if the program has told it (GDAL does), and then gives them in another way. They belong
 * to libtiff, until the file is closed. NULL where the tag is not there or of another type. */
static const void *find_tag(TIFF *tiff, uint32_t tag, TIFFDataType type, size_t *count) {
    const TIFFField *field = TIFFFindField(tiff, tag, TIFF_ANY);
    void *values = NULL;
    uint32_t many = 0;
    uint16_t few = 0;
    *count = 0;
    if (field == NULL || TIFFFieldDataType(field) != type) return NULL;
    if (!TIFFFieldPassCount(field)) {
        if (type != TIFF_ASCII || TIFFGetField(tiff, tag, &values) == 0 || values == NULL) return NULL;
        *count = strlen(values) + 1;
    } else if (TIFFFieldReadCount(field) == TIFF_VARIABLE2) {
        if (TIFFGetField(tiff, tag, &many, &values) == 0 || values == NULL) return NULL;
        *count = many;
    } else {
        if (TIFFGetField(tiff, tag, &few, &values) == 0 || values == NULL) return NULL;
        *count = few;
    }
    return values;
}

/* A tag's text, ended by a 0, or "". */
static void find_text(TIFF *tiff, uint32_t tag, char *text, size_t size) {
    size_t count;
    const char *found = find_tag(tiff, tag, TIFF_ASCII, &count);
    if (found == NULL) count = 0;
    if (count > size - 1) count = size - 1;
    if (count > 0) memcpy(text, found, count);
    text[count] = '\0';
}

/* <Item name="SCALE" sample="0" role="scale">0.1</Item> */
static const char *metadata_item(const char *xml, const char *role) {
    char wanted[32];
    snprintf(wanted, sizeof wanted, "role=\"%s\"", role);
    for (const char *item = strstr(xml, "<Item "); item != NULL; item = strstr(item + 1, "<Item ")) {
        const char *end = strchr(item, '>');
        const char *found = strstr(item, wanted), *sample = strstr(item, "sample=\"");
        if (end == NULL || found == NULL || found > end) continue;
        if (sample == NULL || sample > end || strncmp(sample, "sample=\"0\"", 10) == 0) return end + 1;
    }
    return NULL;
}

static void read_metadata(TIFF *tiff, wadi_raster *raster, io_meaning *meaning) {
    char xml[8192];
    find_text(tiff, TAG_METADATA, xml, sizeof xml);
    const char *scale = metadata_item(xml, "scale"), *offset = metadata_item(xml, "offset");
    const char *unit = metadata_item(xml, "unittype");
    meaning->scale = 1;
    if (scale != NULL && io_parse_number(scale, &meaning->scale)) meaning->scaled = true;
    if (offset != NULL && io_parse_number(offset, &meaning->offset)) meaning->scaled = true;
    if (!io_is_finite(meaning->scale) || meaning->scale == 0 || !io_is_finite(meaning->offset)) meaning->scaled = false;
    char name[32] = "";
    if (unit != NULL && meaning->unit_m == 0) sscanf(unit, "%31[^<]", name);
    const io_unit *found = io_unit_of_name(name);
    if (found == NULL) return;
    meaning->unit_m = found->metres;
    snprintf(raster->georef.vertical_unit, sizeof raster->georef.vertical_unit, "%s", found->name);
}

static wadi_status read_georef(TIFF *tiff, const char *name, wadi_raster *raster, io_meaning *meaning) {
    io_geotags tags = {0};
    tags.scale = find_tag(tiff, TAG_SCALE, TIFF_DOUBLE, &tags.scale_count);
    tags.ties = find_tag(tiff, TAG_TIES, TIFF_DOUBLE, &tags.tie_count);
    tags.matrix = find_tag(tiff, TAG_MATRIX, TIFF_DOUBLE, &tags.matrix_count);
    tags.keys = find_tag(tiff, TAG_KEYS, TIFF_SHORT, &tags.key_count);
    tags.numbers = find_tag(tiff, TAG_NUMBERS, TIFF_DOUBLE, &tags.number_count);
    tags.text = find_tag(tiff, TAG_TEXT, TIFF_ASCII, &tags.text_count);
    const wadi_status status = io_georef_from_tags(name, &tags, raster, &meaning->unit_m);
    if (status == WADI_OK) read_metadata(tiff, raster, meaning);
    return status;
}

/* --- samples --------------------------------------------------------------------------------------------------- */

typedef struct tiff_layout {
    uint32_t width, height, block_width, block_height; /* a strip is as wide as the raster */
    uint16_t bands, compression;                       /* bands: that lie side by side in a block */
    bool tiled;
    size_t block_bytes;
    io_samples samples;
} tiff_layout;

static bool find_type(uint16_t format, uint16_t bits, io_type *type) {
    static const struct {
        uint16_t format, bits;
        io_type type;
    } types[] = {
        {SAMPLEFORMAT_UINT, 8, IO_U8},  {SAMPLEFORMAT_UINT, 16, IO_U16},   {SAMPLEFORMAT_UINT, 32, IO_U32},
        {SAMPLEFORMAT_INT, 8, IO_I8},   {SAMPLEFORMAT_INT, 16, IO_I16},    {SAMPLEFORMAT_INT, 32, IO_I32},
        {SAMPLEFORMAT_VOID, 8, IO_U8},  {SAMPLEFORMAT_VOID, 16, IO_U16},   {SAMPLEFORMAT_UINT, 64, IO_U64},
        {SAMPLEFORMAT_INT, 64, IO_I64}, {SAMPLEFORMAT_IEEEFP, 32, IO_F32}, {SAMPLEFORMAT_IEEEFP, 64, IO_F64},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].format == format && types[i].bits == bits) {
            *type = types[i].type;
            return true;
        }
    return false;
}

static wadi_status check_kind(TIFF *tiff, const io_input *input, tiff_layout *layout) {
    uint16_t format = SAMPLEFORMAT_UINT, bits = 1, photometric = PHOTOMETRIC_MINISBLACK, planar = PLANARCONFIG_CONTIG;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &format);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &layout->bands);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planar);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &layout->compression);
    TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric);
    if (!find_type(format, bits, &layout->samples.type))
        return wadi_fail(WADI_ERROR_UNSUPPORTED,
                         "%s: has %d-bit samples of TIFF format %d; save it as 16-bit integers or 32-bit floats",
                         input->name, bits, format);
    if (photometric != PHOTOMETRIC_MINISBLACK && photometric != PHOTOMETRIC_MINISWHITE)
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: is in colours; save the height as one grey band", input->name);
    if (!TIFFIsCODECConfigured(layout->compression))
        return wadi_fail(WADI_ERROR_UNSUPPORTED,
                         "%s: libtiff was built without its compression (TIFF number %d); save it"
                         " with Deflate",
                         input->name, layout->compression);
    if (layout->bands < 1) return io_truncated(input, "no bands");
    if (planar != PLANARCONFIG_CONTIG) layout->bands = 1; /* the first band's blocks come first */
    return WADI_OK;
}

/* The most bytes that a compression makes of one; the rest has no useful limit. */
static double most_compressed(uint16_t compression) {
    switch (compression) {
    case COMPRESSION_NONE:
        return 1;
    case COMPRESSION_PACKBITS:
        return 64;
    case COMPRESSION_ADOBE_DEFLATE:
    case COMPRESSION_DEFLATE:
        return 1032;
    case COMPRESSION_LZW:
        return 4096;
    default:
        return 1e9;
    }
}

static wadi_status find_layout(TIFF *tiff, const io_input *input, tiff_layout *layout) {
    const wadi_status status = check_kind(tiff, input, layout);
    if (status != WADI_OK) return status;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &layout->width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &layout->height);
    layout->tiled = TIFFIsTiled(tiff) != 0;
    layout->block_width = layout->width;
    if (layout->tiled) {
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &layout->block_width);
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &layout->block_height);
    } else {
        TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &layout->block_height);
        if (layout->block_height > layout->height) layout->block_height = layout->height;
    }
    layout->samples.big_endian = wadi_big_endian(); /* libtiff has turned them */
    layout->samples.step = io_type_bytes(layout->samples.type) * layout->bands;
    const uint64_t bytes = layout->tiled ? TIFFTileSize64(tiff) : TIFFStripSize64(tiff);
    if (layout->block_width == 0 || layout->block_height == 0 || bytes == 0) return io_truncated(input, "empty blocks");
    if (bytes > input->memory_limit || bytes > PTRDIFF_MAX)
        return io_no_memory(input->name, bytes, input->memory_limit);
    const double row_bytes = (double)layout->block_width * (double)layout->samples.step;
    if ((double)bytes < row_bytes * layout->block_height) return io_truncated(input, "blocks of a wrong size");
    layout->block_bytes = (size_t)bytes;
    return WADI_OK;
}

/* A block that takes no bytes at all is one that GDAL left out, as it holds no data (or zeros). */
static bool is_left_out(TIFF *tiff, uint32_t block) {
    return TIFFGetStrileByteCount(tiff, block) == 0 && TIFFGetStrileOffset(tiff, block) == 0;
}

/* The blocks that are there must fit into the file; those left out must not be large for that reason. */
static wadi_status check_size(TIFF *tiff, const io_input *input, const tiff_layout *layout) {
    const uint32_t blocks = layout->tiled ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff);
    if (blocks / 2 > input->size)
        return io_truncated(input, "too many blocks"); /* 2 bytes or more say where each lies */
    const double step = (double)layout->samples.step, ratio = most_compressed(layout->compression);
    const double block_bytes = (double)layout->block_width * layout->block_height * step;
    uint32_t left_out = 0;
    for (uint32_t i = 0; i < blocks; i++) left_out += is_left_out(tiff, i) ? 1 : 0;
    if (left_out == 0 || block_bytes > 16 * 1048576.0)
        return io_check_held(input, layout->width, layout->height, step, ratio);
    return io_check_held(input, blocks - left_out, 1, block_bytes, ratio);
}

/* False: the block cannot be read. */
static bool read_block(TIFF *tiff, const tiff_layout *layout, uint32_t x, uint32_t y, void *block,
                       wadi_raster *raster) {
    const uint32_t index = layout->tiled ? TIFFComputeTile(tiff, x, y, 0, 0) : TIFFComputeStrip(tiff, y, 0);
    const uint32_t wide = layout->width - x < layout->block_width ? layout->width - x : layout->block_width;
    const uint32_t high = layout->height - y < layout->block_height ? layout->height - y : layout->block_height;
    const size_t row_bytes = (size_t)layout->block_width * layout->samples.step;
    const bool left_out = is_left_out(tiff, index);
    if (!left_out) {
        const tmsize_t size = (tmsize_t)layout->block_bytes;
        const tmsize_t got = layout->tiled ? TIFFReadEncodedTile(tiff, index, block, size)
                                           : TIFFReadEncodedStrip(tiff, index, block, size);
        if (got < 0 || (size_t)got < high * row_bytes) return false;
    }
    for (uint32_t row = 0; row < high; row++) {
        float *to = raster->values + (size_t)(y + row) * layout->width + x;
        const uint8_t *from = (const uint8_t *)block + row * row_bytes;
        if (!left_out) io_decode(&layout->samples, from, wide, to, 1);
        for (uint32_t i = 0; left_out && i < wide; i++) to[i] = layout->samples.has_nodata ? (float)NAN : 0.0f;
    }
    return true;
}

/* What a thread reads with; the first has the handle that read the directory. */
typedef struct tiff_reader {
    TIFF *tiff;
    tiff_state *state, own;
    void *block;
} tiff_reader;

/* A handle reads the directory again, so it must be worth it; blocks of all threads together take 64 MiB, or one. */
static int readers_for(const tiff_layout *layout, uint64_t blocks) {
    const uint64_t most = ((uint64_t)64 << 20) / layout->block_bytes, worth = blocks / 8;
    const uint64_t readers = most < worth ? most : worth;
    const int threads = omp_get_max_threads();
    return readers < 2 ? 1 : readers < (uint64_t)threads ? (int)readers : threads;
}

static bool reader_open(TIFF *first, tiff_state *state, const tiff_layout *layout, tiff_reader *reader) {
    *reader = (tiff_reader){.tiff = first, .state = state, .block = calloc(1, layout->block_bytes)};
    if (first != NULL) return reader->block != NULL;
    reader->state = &reader->own;
    reader->own.input = state->input;
    reader->tiff = open_tiff(&reader->own, state->input->name, "rm", state->input->memory_limit);
    return reader->tiff != NULL && reader->block != NULL;
}

static void reader_close(tiff_reader *reader) {
    if (reader->state == &reader->own && reader->tiff != NULL) TIFFClose(reader->tiff);
    free(reader->block);
}

/* Of several blocks that cannot be read the first is the one told of, whatever the threads. */
static wadi_status read_all(const tiff_layout *layout, tiff_reader *readers, int threads, uint64_t blocks,
                            wadi_raster *raster) {
    const uint64_t across = (layout->width + (uint64_t)layout->block_width - 1) / layout->block_width;
    const io_input *input = readers->state->input;
    uint64_t bad = blocks;
    char message[sizeof readers->own.message] = "";
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (uint64_t i = 0; i < blocks; i++) {
        tiff_reader *reader = &readers[omp_get_thread_num()];
        const uint32_t x = (uint32_t)(i % across) * layout->block_width;
        const uint32_t y = (uint32_t)(i / across) * layout->block_height;
        uint64_t first;
#pragma omp atomic read
        first = bad;
        if (i > first) continue;
        reader->state->message[0] = '\0';
        if (read_block(reader->tiff, layout, x, y, reader->block, raster)) continue;
        platform_lock();
        if (i < bad) {
#pragma omp atomic write
            bad = i;
            memcpy(message, reader->state->message, sizeof message);
        }
        platform_unlock();
    }
    return bad == blocks ? WADI_OK : io_truncated(input, message);
}

/* By as many readers as could be opened. */
static wadi_status read_blocks(TIFF *tiff, tiff_state *state, const tiff_layout *layout, wadi_raster *raster) {
    const uint64_t across = (layout->width + (uint64_t)layout->block_width - 1) / layout->block_width;
    const uint64_t down = (layout->height + (uint64_t)layout->block_height - 1) / layout->block_height;
    const int wanted = readers_for(layout, across * down);
    tiff_reader *readers = calloc((size_t)wanted, sizeof *readers);
    int open = 0;
    while (readers != NULL && open < wanted && reader_open(open == 0 ? tiff : NULL, state, layout, &readers[open]))
        open++;
    const wadi_status status = open > 0
                                   ? read_all(layout, readers, open, across * down, raster)
                                   : io_no_memory(state->input->name, layout->block_bytes, state->input->memory_limit);
    for (int i = 0; readers != NULL && i < wanted; i++) reader_close(&readers[i]);
    free(readers);
    return status;
}

static wadi_status read_image(TIFF *tiff, tiff_state *state, wadi_raster **raster) {
    io_input *input = state->input;
    tiff_layout layout = {0};
    io_meaning meaning = {0};
    char nodata[64];
    wadi_status status = find_layout(tiff, input, &layout);
    if (status != WADI_OK) return status;
    status = check_size(tiff, input, &layout);
    if (status == WADI_OK) status = io_begin(input, layout.width, layout.height, raster);
    if (status != WADI_OK) return status;
    find_text(tiff, TAG_NODATA, nodata, sizeof nodata);
    layout.samples.has_nodata = io_parse_number(nodata, &layout.samples.nodata);
    (*raster)->has_nodata = layout.samples.has_nodata;
    (*raster)->nodata = layout.samples.nodata;
    (*raster)->sample = io_type_sample(layout.samples.type);
    status = read_georef(tiff, input->name, *raster, &meaning);
    if (status == WADI_OK) status = read_blocks(tiff, state, &layout, *raster);
    return status == WADI_OK ? io_finish(input, *raster, &meaning) : status;
}

wadi_status io_tiff_read(io_input *input, wadi_raster **raster) {
    tiff_state state = {.input = input};
    TIFF *tiff = open_tiff(&state, input->name, "rm", input->memory_limit);
    if (tiff == NULL) return io_truncated(input, state.message);
    const wadi_status status = read_image(tiff, &state, raster);
    TIFFClose(tiff);
    return status;
}

wadi_status io_tiff_georef(io_input *input, wadi_raster *raster, io_meaning *meaning) {
    tiff_state state = {.input = input};
    TIFF *tiff = open_tiff(&state, input->name, "rm", input->memory_limit);
    if (tiff == NULL) return io_truncated(input, state.message);
    const wadi_status status = read_georef(tiff, input->name, raster, meaning);
    TIFFClose(tiff);
    return status;
}

/* --- writing --------------------------------------------------------------------------------------------------- */

static void define_tags(TIFF *tiff) {
    static char scale[] = "ModelPixelScale", ties[] = "ModelTiepoint", keys[] = "GeoKeyDirectory",
                numbers[] = "GeoDoubleParams", text[] = "GeoAsciiParams", metadata[] = "GDAL_METADATA",
                nodata[] = "GDAL_NODATA";
    const TIFFFieldInfo fields[] = {
        {TAG_SCALE, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, scale},
        {TAG_TIES, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, ties},
        {TAG_KEYS, -1, -1, TIFF_SHORT, FIELD_CUSTOM, 1, 1, keys},
        {TAG_NUMBERS, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, numbers},
        {TAG_TEXT, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, text},
        {TAG_METADATA, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, metadata},
        {TAG_NODATA, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, nodata},
    };
    TIFFMergeFieldInfo(tiff, fields, sizeof fields / sizeof *fields);
}

typedef struct tiff_out {
    TIFF *tiff;
    const wadi_raster *raster;
    wadi_write_options *options;
    io_quantiser quantiser; /* for integers */
    bool has_nodata;
    double nodata;
    size_t bytes; /* of a sample */
    int strip_rows;
} tiff_out;

static bool has_missing(const wadi_raster *raster) {
    const size_t count = (size_t)raster->width * (size_t)raster->height;
    bool missing = false;
#pragma omp parallel for schedule(static) reduction(|| : missing)
    for (size_t i = 0; i < count; i++) missing = missing || isnan(raster->values[i]);
    return missing;
}

/* A strip has about 256 KiB. */
static int rows_a_strip(const tiff_out *out) {
    const size_t row_bytes = (size_t)out->raster->width * out->bytes, rows = 262144 / row_bytes;
    return rows < 1 ? 1 : rows < (size_t)out->raster->height ? (int)rows : out->raster->height;
}

static wadi_status choose_samples(tiff_out *out) {
    if (out->options->sample == WADI_SAMPLE_FLOAT32) {
        const double nodata = io_free_nodata(out->raster);
        out->bytes = 4;
        out->nodata = nodata;
        out->has_nodata = has_missing(out->raster) || (out->raster->has_nodata && nodata == out->raster->nodata);
        return WADI_OK;
    }
    const wadi_status status = io_quantiser_make(out->raster, out->options, true, &out->quantiser);
    out->bytes = out->options->sample == WADI_SAMPLE_UINT8 ? 1 : 2;
    out->has_nodata = out->quantiser.has_nodata;
    out->nodata = out->quantiser.nodata;
    return status;
}

static bool set_layout(const tiff_out *out, TIFF *tiff) {
    const wadi_sample sample = out->options->sample;
    const bool floats = sample == WADI_SAMPLE_FLOAT32;
    const int format = floats                        ? SAMPLEFORMAT_IEEEFP
                       : sample == WADI_SAMPLE_INT16 ? SAMPLEFORMAT_INT
                                                     : SAMPLEFORMAT_UINT;
    bool good = TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)out->raster->width) &&
                TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)out->raster->height) &&
                TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, (int)(8 * out->bytes)) &&
                TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, format) && TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1) &&
                TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) &&
                TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
                TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, (uint32_t)out->strip_rows);
    if (good && TIFFIsCODECConfigured(COMPRESSION_ADOBE_DEFLATE))
        good = TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE) &&
               TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, 1) && /* a third of 6's time for 2 % more bytes */
               TIFFSetField(tiff, TIFFTAG_PREDICTOR, floats ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
    return good;
}

/* Samples that are not in the unit that the file states, and maps that are no heights, say so in GDAL's way. */
static bool set_metadata(tiff_out *out, double unit_m) {
    const double scale = out->options->used_scale / unit_m, offset = out->options->used_offset / unit_m;
    const char *unit = out->options->unit;
    char scale_text[40], offset_text[40], scaled[200] = "", stated[80] = "", xml[400];
    if (scale == 1 && offset == 0 && unit == NULL) return true;
    io_format_number(scale, scale_text, sizeof scale_text);
    io_format_number(offset, offset_text, sizeof offset_text);
    if (scale != 1 || offset != 0)
        snprintf(scaled, sizeof scaled,
                 "  <Item name=\"OFFSET\" sample=\"0\" role=\"offset\">%s</Item>\n"
                 "  <Item name=\"SCALE\" sample=\"0\" role=\"scale\">%s</Item>\n",
                 offset_text, scale_text);
    if (unit != NULL)
        snprintf(stated, sizeof stated, "  <Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">%.16s</Item>\n",
                 strcmp(unit, "m") == 0 ? "metre" : unit);
    snprintf(xml, sizeof xml, "<GDALMetadata>\n%s%s</GDALMetadata>\n", scaled, stated);
    return TIFFSetField(out->tiff, TAG_METADATA, xml) != 0;
}

static bool set_georef(TIFF *tiff, const io_geotag_block *block) {
    bool good = TIFFSetField(tiff, TAG_SCALE, 3, block->scale) && TIFFSetField(tiff, TAG_TIES, 6, block->ties);
    if (block->key_count > 0) good = good && TIFFSetField(tiff, TAG_KEYS, (int)block->key_count, block->keys);
    if (block->number_count > 0)
        good = good && TIFFSetField(tiff, TAG_NUMBERS, (int)block->number_count, block->numbers);
    if (block->text_count > 0) good = good && TIFFSetField(tiff, TAG_TEXT, block->text);
    return good;
}

/* A cell size alone is a georeference without a CRS: TIFF has no other place for it. */
static wadi_raster placed(const wadi_raster *raster) {
    wadi_raster copy = *raster;
    if (raster->has_georef || (raster->lx == 1 && raster->ly == 1)) return copy;
    copy.has_georef = true;
    copy.georef = (wadi_georef){.transform = {0, raster->lx, 0, 0, 0, -raster->ly}};
    return copy;
}

/* Integers may stay in the unit of the file that they came from; floats, and all that is scaled otherwise, are metres.
 */
static wadi_status set_tags(tiff_out *out) {
    const wadi_raster copy = placed(out->raster), *raster = &copy;
    const double unit = raster->has_georef ? io_georef_unit(raster) : 1;
    const bool in_unit = out->options->sample != WADI_SAMPLE_FLOAT32 && out->options->used_scale == unit &&
                         out->options->used_offset == 0;
    define_tags(out->tiff);
    bool good = set_layout(out, out->tiff) && set_metadata(out, in_unit ? unit : 1);
    if (good && out->has_nodata) {
        char text[40];
        io_format_number(out->nodata, text, sizeof text);
        good = TIFFSetField(out->tiff, TAG_NODATA, text) != 0;
    }
    wadi_status status = WADI_OK;
    if (good && raster->has_georef) {
        io_geotag_block block;
        status = io_georef_to_tags(raster, !in_unit, &block);
        if (status == WADI_OK && out->options->unit != NULL) io_geotags_drop_vertical(&block);
        good = status != WADI_OK || set_georef(out->tiff, &block);
        io_geotag_block_free(&block);
    }
    return good ? status : WADI_ERROR_IO;
}

/* What a thread encodes strips with: a TIFF of its own, in memory. The strips go into the file as they are. */
typedef struct tiff_encoder {
    tiff_state state;
    TIFF *tiff;
    int *integers; /* of a row */
    uint8_t *rows; /* of a strip */
} tiff_encoder;

static bool encoder_open(const tiff_out *out, tiff_encoder *encoder) {
    const size_t width = (size_t)out->raster->width;
    encoder->integers = malloc(width * sizeof *encoder->integers);
    encoder->rows = malloc(width * out->bytes * (size_t)out->strip_rows);
    encoder->tiff = open_tiff(&encoder->state, "memory", "w", UINT64_MAX);
    return encoder->integers != NULL && encoder->rows != NULL && encoder->tiff != NULL &&
           set_layout(out, encoder->tiff);
}

static void encoder_close(tiff_encoder *encoder) {
    if (encoder->tiff != NULL) TIFFClose(encoder->tiff);
    free(encoder->state.strip);
    free(encoder->integers);
    free(encoder->rows);
}

/* In the host's order of bytes: libtiff turns them if the file's is another. Returns how many were clamped. */
static uint64_t fill_row(const tiff_out *out, size_t y, int *integers, void *row) {
    const size_t width = (size_t)out->raster->width;
    const float *values = out->raster->values + y * width;
    if (out->options->sample == WADI_SAMPLE_FLOAT32) {
        float *samples = row;
        for (size_t x = 0; x < width; x++) samples[x] = isnan(values[x]) ? (float)out->nodata : values[x];
        return 0;
    }
    const uint64_t clamped = io_quantise(&out->quantiser, values, width, integers);
    for (size_t x = 0; x < width; x++) {
        if (out->bytes == 1)
            ((uint8_t *)row)[x] = (uint8_t)integers[x];
        else
            ((uint16_t *)row)[x] = (uint16_t)integers[x];
    }
    return clamped;
}

static bool encode_strip(const tiff_out *out, uint32_t strip, tiff_encoder *encoder, uint64_t *clamped) {
    const int first = (int)strip * out->strip_rows, left = out->raster->height - first;
    const int rows = left < out->strip_rows ? left : out->strip_rows;
    const size_t row_bytes = (size_t)out->raster->width * out->bytes;
    *clamped = 0;
    for (int y = 0; y < rows; y++)
        *clamped += fill_row(out, (size_t)(first + y), encoder->integers, encoder->rows + (size_t)y * row_bytes);
    encoder->state.strip_bytes = 0;
    return TIFFWriteEncodedStrip(encoder->tiff, strip, encoder->rows, (tmsize_t)((size_t)rows * row_bytes)) >= 0;
}

/* In their order, so that the file is the same whatever the threads. After a failure nothing more is done. */
static bool write_strips(tiff_out *out, tiff_encoder *encoders, int threads, tiff_state *state) {
    const int strips = (out->raster->height + out->strip_rows - 1) / out->strip_rows;
    int failed = 0;
#pragma omp parallel for ordered schedule(static, 1) num_threads(threads)
    for (int i = 0; i < strips; i++) {
        tiff_encoder *encoder = &encoders[omp_get_thread_num()];
        uint64_t clamped = 0;
        int stopped;
#pragma omp atomic read
        stopped = failed;
        const bool encoded = !stopped && encode_strip(out, (uint32_t)i, encoder, &clamped);
#pragma omp ordered
        if (!failed) {
            const bool written = encoded && TIFFWriteRawStrip(out->tiff, (uint32_t)i, encoder->state.strip,
                                                              (tmsize_t)encoder->state.strip_bytes) >= 0;
            out->options->clamped += clamped;
            if (!encoded) memcpy(state->message, encoder->state.message, sizeof state->message);
            if (!written) {
#pragma omp atomic write
                failed = 1;
            }
        }
    }
    return !failed && TIFFFlush(out->tiff) == 1;
}

/* By as many encoders as could be made. */
static wadi_status write_image(tiff_out *out, const char *path, tiff_state *state) {
    wadi_status status = choose_samples(out);
    out->strip_rows = rows_a_strip(out);
    if (status == WADI_OK) status = set_tags(out);
    if (status != WADI_OK) return status;
    const int strips = (out->raster->height - 1) / out->strip_rows + 1, threads = omp_get_max_threads();
    const int wanted = strips < threads ? strips : threads;
    tiff_encoder *encoders = calloc((size_t)wanted, sizeof *encoders);
    int open = 0;
    while (encoders != NULL && open < wanted && encoder_open(out, &encoders[open])) open++;
    if (open == 0)
        status = io_no_memory(path, (uint64_t)out->raster->width * out->bytes * (uint64_t)out->strip_rows, 0);
    else if (!write_strips(out, encoders, open, state))
        status = WADI_ERROR_IO;
    for (int i = 0; encoders != NULL && i < wanted; i++) encoder_close(&encoders[i]);
    free(encoders);
    return status;
}

wadi_status io_tiff_write(io_output *output, const wadi_raster *raster, wadi_write_options *options) {
    tiff_state state = {.output = output};
    const double bytes = (double)raster->width * raster->height * 4; /* deflating can make random bytes a little more */
    TIFF *tiff = open_tiff(&state, output->path, bytes > 3.5e9 ? "w8" : "w", 0);
    tiff_out out = {.tiff = tiff, .raster = raster, .options = options};
    wadi_status status = tiff != NULL ? write_image(&out, output->path, &state) : WADI_ERROR_IO;
    if (tiff != NULL) TIFFClose(tiff);
    if (status == WADI_ERROR_IO)
        status = wadi_fail(WADI_ERROR_IO, "%s: cannot be written as TIFF: %s", output->path, state.message);
    return status;
}

#endif
