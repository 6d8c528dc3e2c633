/* tiff.c: reads TIFF and GeoTIFF through libtiff: one band of 8, 16 or 32-bit integers or of 32 or 64-bit floats, or
 * colours that encode a height (colours.c). Strips, tiles and all compressions of libtiff work. GDAL's tags for nodata,
 * scale and offset are honoured. */
#include "platform/openmp.h"
#include "platform/platform.h"
#include "tiff_file.h"

#ifdef WADI_WITH_TIFF

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the meaning of the tags ----------------------------------------------------------------------------------- */

/* <Item name="SCALE" sample="0" role="scale">0.1</Item> */
static const char *metadata_item(char *xml, const char *role) {
    char wanted[32];
    snprintf(wanted, sizeof wanted, "role=\"%s\"", role);
    for (char *item = strstr(xml, "<Item "), *end; item != NULL; item = strstr(end + 1, "<Item ")) {
        end = strchr(item, '>');
        if (end == NULL) return NULL;
        *end = '\0'; /* searches only this item: texts can be long */
        const char *found = strstr(item, wanted), *sample = strstr(item, "sample=\"");
        *end = '>';
        if (found != NULL && (sample == NULL || strncmp(sample, "sample=\"0\"", 10) == 0)) return end + 1;
    }
    return NULL;
}

static void take_metadata(char *xml, wadi_raster *raster, io_meaning *meaning) {
    const char *scale = metadata_item(xml, "scale"), *offset = metadata_item(xml, "offset");
    const char *unit = metadata_item(xml, "unittype");
    if (!meaning->scaled) meaning->scale = 1;
    if (scale != NULL && io_parse_number(scale, &meaning->scale)) meaning->scaled = true;
    if (offset != NULL && io_parse_number(offset, &meaning->offset)) meaning->scaled = true;
    if (!io_is_finite(meaning->scale) || meaning->scale == 0 || !io_is_finite(meaning->offset)) meaning->scaled = false;
    char name[32] = "";
    if (unit != NULL && meaning->unit_m == 0) sscanf(unit, "%31[^<]", name);
    io_set_unit(raster, meaning, name);
}

static wadi_status read_metadata(TIFF *tiff, const char *name, wadi_raster *raster, io_meaning *meaning) {
    char *xml = io_tiff_text(tiff, TAG_METADATA);
    if (xml == NULL) return io_no_memory(name, 0, 0);
    take_metadata(xml, raster, meaning);
    io_metadata_from_xml(xml, raster);
    free(xml);
    io_tiff_metadata(tiff, raster);
    return WADI_OK;
}

static wadi_status read_nodata(TIFF *tiff, const io_input *input, io_samples *samples, wadi_raster *raster) {
    char *text = io_tiff_text(tiff, TAG_NODATA);
    if (text == NULL) return io_no_memory(input->name, 0, 0);
    samples->has_nodata = io_parse_whole(text, &samples->nodata);
    samples->near_nodata = samples->type == IO_F64;
    samples->options = input->options;
    if (!samples->has_nodata && text[strspn(text, " ")] != '\0')
        io_remark(raster, "its nodata value '%.40s' is no number, so no cell is taken for nodata (--nodata names one)",
                  text);
    raster->has_nodata = samples->has_nodata;
    raster->nodata = samples->nodata;
    free(text);
    return WADI_OK;
}

static wadi_status read_georef(TIFF *tiff, const char *name, wadi_raster *raster, io_meaning *meaning) {
    io_geotags tags = {0};
    tags.scale = io_tiff_tag(tiff, TAG_SCALE, TIFF_DOUBLE, &tags.scale_count);
    tags.ties = io_tiff_tag(tiff, TAG_TIES, TIFF_DOUBLE, &tags.tie_count);
    tags.matrix = io_tiff_tag(tiff, TAG_MATRIX, TIFF_DOUBLE, &tags.matrix_count);
    tags.keys = io_tiff_tag(tiff, TAG_KEYS, TIFF_SHORT, &tags.key_count);
    tags.numbers = io_tiff_tag(tiff, TAG_NUMBERS, TIFF_DOUBLE, &tags.number_count);
    tags.text = io_tiff_tag(tiff, TAG_TEXT, TIFF_ASCII, &tags.text_count);
    const wadi_status status = io_georef_from_tags(name, &tags, raster, meaning);
    return status == WADI_OK ? read_metadata(tiff, name, raster, meaning) : status;
}

/* --- samples --------------------------------------------------------------------------------------------------- */

typedef struct tiff_layout {
    uint32_t width, height, block_width, block_height; /* a strip is as wide as the raster */
    uint16_t bands, compression;                       /* bands: interleaved in a block */
    uint16_t alpha;                                    /* the band of the mask; 0: none */
    bool apart;                                        /* bands are separate */
    bool tiled;
    bool colours;       /* the first three bands are red, green and blue */
    io_palette palette; /* count 0: none */
    size_t block_bytes;
    io_samples samples;
} tiff_layout;

/* The blocks for one part of the raster. */
static size_t blocks_at_once(const tiff_layout *layout) { return layout->colours && layout->apart ? 3 : 1; }

/* The alpha band in the blocks. A separate one is read as a mask. */
static bool has_alpha(const tiff_layout *layout) { return layout->alpha > 0 && !layout->apart; }

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

static uint16_t find_alpha(TIFF *tiff, uint16_t bands) {
    uint16_t count = 0, *kinds = NULL;
    if (!TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds) || count >= bands) return 0;
    for (uint16_t i = 0; i < count; i++)
        if (kinds[i] == EXTRASAMPLE_ASSOCALPHA || kinds[i] == EXTRASAMPLE_UNASSALPHA)
            return (uint16_t)(bands - count + i);
    return 0;
}

static wadi_status check_colours(TIFF *tiff, const io_input *input, tiff_layout *layout) {
    uint16_t kind = PHOTOMETRIC_MINISBLACK;
    TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &kind);
    layout->colours = kind == PHOTOMETRIC_RGB && layout->bands >= 3;
    const io_type type = layout->samples.type;
    if (layout->colours || kind == PHOTOMETRIC_MINISBLACK || kind == PHOTOMETRIC_MINISWHITE) return WADI_OK;
    if (kind == PHOTOMETRIC_PALETTE && (type == IO_U8 || type == IO_U16)) {
        if (input->options->band == NULL) layout->palette.count = type == IO_U8 ? 256 : 65536;
        return WADI_OK;
    }
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: has colours of TIFF kind %d, in %d bands; save it as RGB, or in grey",
                     input->name, kind, layout->bands);
}

/* One band beside alpha, or colours. */
static wadi_status check_bands(const io_input *input, const tiff_layout *layout) {
    const io_bands bands = {.count = layout->bands};
    const int others = layout->bands - (layout->alpha > 0 ? 1 : 0);
    int band = 0;
    if (bands.count < 1) return io_truncated(input, "no bands");
    const wadi_status status = io_choose_band(input, &bands, &band);
    if (status != WADI_OK || (others == 1 && band < 2) || (band == 0 && layout->colours)) return status;
    if (band == 0) return io_refuse_bands(input, &bands);
    return wadi_fail(WADI_ERROR_UNSUPPORTED,
                     "%s: has %d bands, which only GDAL tells apart; install libgdal-dev and "
                     "build again, or save one",
                     input->name, bands.count);
}

static wadi_status check_kind(TIFF *tiff, const io_input *input, tiff_layout *layout) {
    uint16_t format = SAMPLEFORMAT_UINT, bits = 1, planar = PLANARCONFIG_CONTIG;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &format);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &layout->bands);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planar);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &layout->compression);
    if (!find_type(format, bits, &layout->samples.type))
        return wadi_fail(WADI_ERROR_UNSUPPORTED,
                         "%s: has %d-bit samples of TIFF format %d; save it as 16-bit integers or 32-bit floats",
                         input->name, bits, format);
    wadi_status status = check_colours(tiff, input, layout);
    if (status != WADI_OK) return status;
    if (!TIFFIsCODECConfigured(layout->compression))
        return wadi_fail(WADI_ERROR_UNSUPPORTED,
                         "%s: libtiff was built without its compression (TIFF number %d); save it"
                         " with Deflate",
                         input->name, layout->compression);
    layout->alpha = find_alpha(tiff, layout->bands);
    status = check_bands(input, layout);
    if (status != WADI_OK) return status;
    layout->apart = planar != PLANARCONFIG_CONTIG;
    if (layout->apart) layout->bands = 1; /* a band's blocks have one sample a cell */
    return WADI_OK;
}

/* The largest ratio of a compression. The others have no useful limit. */
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
    layout->samples.big_endian = wadi_big_endian(); /* libtiff has swapped them */
    layout->samples.step = io_type_bytes(layout->samples.type) * layout->bands;
    const uint64_t bytes = layout->tiled ? TIFFTileSize64(tiff) : TIFFStripSize64(tiff);
    if (layout->block_width == 0 || layout->block_height == 0 || bytes == 0) return io_truncated(input, "empty blocks");
    if (bytes > input->memory_limit / blocks_at_once(layout) || bytes > PTRDIFF_MAX / 3)
        return io_no_memory(input->name, bytes, input->memory_limit);
    const double row_bytes = (double)layout->block_width * (double)layout->samples.step;
    if ((double)bytes < row_bytes * layout->block_height) return io_truncated(input, "blocks of a wrong size");
    layout->block_bytes = (size_t)bytes;
    return WADI_OK;
}

/* A block of 0 bytes was left out by GDAL, because it has no data (or zeros). */
static bool is_left_out(TIFF *tiff, uint32_t block) {
    return TIFFGetStrileByteCount(tiff, block) == 0 && TIFFGetStrileOffset(tiff, block) == 0;
}

/* The stored blocks must fit into the file. Blocks that were left out may not be larger. */
static wadi_status check_size(TIFF *tiff, const io_input *input, const tiff_layout *layout) {
    const uint32_t blocks = layout->tiled ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff);
    if (blocks / 2 > input->size)
        return io_truncated(input, "too many blocks"); /* each has an offset of 2 bytes or more */
    const double step = (double)layout->samples.step, ratio = most_compressed(layout->compression);
    const double block_bytes = (double)layout->block_width * layout->block_height * step;
    uint32_t left_out = 0;
    for (uint32_t i = 0; i < blocks; i++) left_out += is_left_out(tiff, i) ? 1 : 0;
    if (left_out == 0 || block_bytes > 16 * 1048576.0)
        return io_check_held(input, layout->width, layout->height, step, ratio);
    return io_check_held(input, blocks - left_out, 1, block_bytes, ratio);
}

/* Cells whose alpha is 0 are transparent: they have no data. */
static void clear_transparent(const tiff_layout *layout, const uint8_t *from, uint32_t count, float *values) {
    const size_t bytes = io_type_bytes(layout->samples.type);
    from += layout->alpha * bytes;
    for (uint32_t i = 0; i < count; i++, from += layout->samples.step) {
        bool transparent = true;
        for (size_t b = 0; b < bytes; b++) transparent = transparent && from[b] == 0;
        if (transparent) values[i] = NAN;
    }
}

/* The state of a reading thread. The first one has the handle that read the directory. */
typedef struct tiff_reader {
    TIFF *tiff;
    tiff_state *state, own;
    uint8_t *block; /* three, one after the other, for separate colours */
    float *room;    /* for a row of colours: 4 samples per cell */
    bool coloured;  /* found colours, but no encoding is given */
    double rounded_by;
} tiff_reader;

/* False: the block cannot be read. *nothing: it has no data. Without a nodata value, a left-out block has zeros. */
static bool fetch_block(tiff_reader *reader, const tiff_layout *layout, uint32_t x, uint32_t y, uint16_t band,
                        size_t wanted, bool *nothing) {
    TIFF *tiff = reader->tiff;
    const uint32_t index = layout->tiled ? TIFFComputeTile(tiff, x, y, 0, band) : TIFFComputeStrip(tiff, y, band);
    uint8_t *to = reader->block + band * layout->block_bytes;
    const tmsize_t size = (tmsize_t)layout->block_bytes;
    if (is_left_out(tiff, index)) {
        *nothing = layout->samples.has_nodata || has_alpha(layout);
        memset(to, 0, layout->block_bytes);
        return true;
    }
    const tmsize_t got =
        layout->tiled ? TIFFReadEncodedTile(tiff, index, to, size) : TIFFReadEncodedStrip(tiff, index, to, size);
    return got >= 0 && (size_t)got >= wanted;
}

static bool mix_row(tiff_reader *reader, const tiff_layout *layout, const uint8_t *from, size_t count, float *values) {
    const size_t next = layout->apart ? layout->block_bytes : io_type_bytes(layout->samples.type);
    io_samples samples = layout->samples;
    samples.has_nodata = false; /* it applies to all colours together */
    const bool alpha = has_alpha(layout);
    for (size_t c = 0; c < (alpha ? 4 : 3); c++)
        io_decode(&samples, from + (c == 3 ? layout->alpha : c) * next, count, reader->room + c * count, 1);
    const io_planes planes = {.red = reader->room,
                              .green = reader->room + count,
                              .blue = reader->room + 2 * count,
                              .alpha = alpha ? reader->room + 3 * count : NULL,
                              .has_nodata = layout->samples.has_nodata,
                              .nodata = layout->samples.nodata};
    return io_mix(reader->state->input, &planes, count, values);
}

/* False: the block has colours, and there is no encoding. */
static bool take_row(tiff_reader *reader, const tiff_layout *layout, const uint8_t *from, uint32_t count, float *to) {
    if (layout->colours) return mix_row(reader, layout, from, count, to);
    reader->rounded_by = fmax(reader->rounded_by, io_decode(&layout->samples, from, count, to, 1));
    if (has_alpha(layout)) clear_transparent(layout, from, count, to);
    return layout->palette.count == 0 ||
           io_mix_palette(reader->state->input, &layout->palette, to, count, reader->room, to);
}

/* False: the block cannot be read, or not as heights. */
static bool read_block(tiff_reader *reader, const tiff_layout *layout, uint32_t x, uint32_t y, wadi_raster *raster) {
    const uint32_t wide = layout->width - x < layout->block_width ? layout->width - x : layout->block_width;
    const uint32_t high = layout->height - y < layout->block_height ? layout->height - y : layout->block_height;
    const size_t row_bytes = (size_t)layout->block_width * layout->samples.step;
    bool nothing = false;
    reader->coloured = false;
    for (size_t band = 0; band < blocks_at_once(layout); band++)
        if (!fetch_block(reader, layout, x, y, (uint16_t)band, high * row_bytes, &nothing)) return false;
    for (uint32_t row = 0; row < high && !reader->coloured; row++) {
        float *to = raster->values + (size_t)(y + row) * layout->width + x;
        if (!nothing)
            reader->coloured = !take_row(reader, layout, reader->block + row * row_bytes, wide, to);
        else
            for (uint32_t i = 0; i < wide; i++) to[i] = NAN;
    }
    return !reader->coloured;
}

/* Each handle reads the directory again, so there must be enough work. All threads' blocks together take at most 64
 * MiB, or one block. */
static int readers_for(const tiff_layout *layout, uint64_t blocks) {
    const uint64_t most = ((uint64_t)64 << 20) / layout->block_bytes / blocks_at_once(layout), worth = blocks / 8;
    const uint64_t readers = most < worth ? most : worth;
    const int threads = omp_get_max_threads();
    return readers < 2 ? 1 : readers < (uint64_t)threads ? (int)readers : threads;
}

static bool reader_open(TIFF *first, tiff_state *state, const tiff_layout *layout, tiff_reader *reader) {
    const uint32_t wide = layout->block_width < layout->width ? layout->block_width : layout->width;
    *reader = (tiff_reader){.tiff = first,
                            .state = state,
                            .block = calloc(blocks_at_once(layout), layout->block_bytes),
                            .room = calloc((size_t)wide * 4, sizeof *reader->room)};
    if (reader->block == NULL || reader->room == NULL) return false;
    if (first != NULL) return true;
    reader->state = &reader->own;
    reader->own.input = state->input;
    reader->tiff = io_tiff_open(&reader->own, state->input->name, "rm", state->input->memory_limit);
    return reader->tiff != NULL;
}

static void reader_close(tiff_reader *reader) {
    if (reader->state == &reader->own && reader->tiff != NULL) TIFFClose(reader->tiff);
    free(reader->block);
    free(reader->room);
}

/* Of several unreadable blocks the first is reported, for any number of threads. */
static wadi_status read_all(const tiff_layout *layout, tiff_reader *readers, int threads, uint64_t blocks,
                            wadi_raster *raster) {
    const uint64_t across = (layout->width + (uint64_t)layout->block_width - 1) / layout->block_width;
    const io_input *input = readers->state->input;
    uint64_t bad = blocks;
    bool coloured = false;
    char message[sizeof readers->own.message] = "";
#pragma omp parallel num_threads(threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(dynamic)
        for (uint64_t i = 0; i < blocks; i++) {
            tiff_reader *reader = &readers[omp_get_thread_num()];
            const uint32_t x = (uint32_t)(i % across) * layout->block_width;
            const uint32_t y = (uint32_t)(i / across) * layout->block_height;
            uint64_t first;
#pragma omp atomic read
            first = bad;
            if (i > first) continue;
            reader->state->message[0] = '\0';
            if (read_block(reader, layout, x, y, raster)) continue;
            platform_lock();
            if (i < bad) {
#pragma omp atomic write
                bad = i;
                coloured = reader->coloured;
                memcpy(message, reader->state->message, sizeof message);
            }
            platform_unlock();
        }
    }
    if (coloured) return io_refuse_colours(input);
    return bad == blocks ? WADI_OK : io_truncated(input, message);
}

/* Reads with as many readers as could be opened. */
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
    for (int i = 0; readers != NULL && i < wanted; i++) {
        raster->rounded_by = fmax(raster->rounded_by, readers[i].rounded_by);
        reader_close(&readers[i]);
    }
    free(readers);
    return status;
}

/* The palette of the TIFF: 16 bits each, or 8 in files of old programs. */
static wadi_status read_palette(TIFF *tiff, const io_input *input, tiff_layout *layout, float **colours) {
    const size_t count = layout->palette.count;
    uint16_t *maps[3] = {NULL}, most = 0;
    if (count == 0) return WADI_OK;
    if (!TIFFGetField(tiff, TIFFTAG_COLORMAP, &maps[0], &maps[1], &maps[2])) return io_truncated(input, "no palette");
    *colours = calloc(3 * count, sizeof **colours);
    if (*colours == NULL) return io_no_memory(input->name, 3 * count * sizeof **colours, input->memory_limit);
    for (size_t i = 0; i < 3 * count; i++) most = maps[i / count][i % count] > most ? maps[i / count][i % count] : most;
    for (size_t i = 0; i < 3 * count; i++) (*colours)[i] = (float)(maps[i / count][i % count] >> (most > 255 ? 8 : 0));
    layout->palette.red = *colours;
    layout->palette.green = *colours + count;
    layout->palette.blue = *colours + 2 * count;
    return WADI_OK;
}

static wadi_status read_cells(TIFF *tiff, tiff_state *state, tiff_layout *layout, wadi_raster *raster,
                              io_meaning *meaning) {
    float *colours = NULL;
    wadi_status status = read_palette(tiff, state->input, layout, &colours);
    if (colours != NULL) raster->sample = WADI_SAMPLE_UINT8;
    if (status == WADI_OK && (layout->colours || colours != NULL))
        status = io_begin_colours(state->input, raster, meaning);
    if (status == WADI_OK) status = read_blocks(tiff, state, layout, raster);
    free(colours);
    return status;
}

static wadi_status read_image(TIFF *tiff, tiff_state *state, wadi_raster **raster) {
    io_input *input = state->input;
    tiff_layout layout = {0};
    io_meaning meaning = {0};
    wadi_status status = find_layout(tiff, input, &layout);
    if (status != WADI_OK) return status;
    status = check_size(tiff, input, &layout);
    if (status == WADI_OK) status = io_begin(input, layout.width, layout.height, raster);
    if (status != WADI_OK) return status;
    (*raster)->sample = io_type_sample(layout.samples.type);
    status = read_nodata(tiff, input, &layout.samples, *raster);
    if (status == WADI_OK) status = read_georef(tiff, input->name, *raster, &meaning);
    if (status == WADI_OK) status = read_cells(tiff, state, &layout, *raster, &meaning);
    if (status == WADI_OK && layout.alpha > 0 && layout.apart)
        status = io_tiff_mask_plane(tiff, input, layout.alpha, *raster);
    if (layout.alpha > 0) (*raster)->from.mask = WADI_ORIGIN_FILE;
    if (layout.colours) (*raster)->band = 0, (*raster)->bands = 3;
    if (status == WADI_OK) status = io_tiff_inner_mask(tiff, input, *raster);
    return status == WADI_OK ? io_finish(input, *raster, &meaning) : status;
}

/* GDAL reads what is not of this file's kinds: other numbers of bits, colours and compressions, one of several bands,
 * and tags that a file beside the raster replaces. */
static bool is_for_gdal(TIFF *tiff, io_input *input) {
    tiff_layout layout = {0};
    if (input->file == NULL || io_format_GDAL.read == NULL) return false;
    const wadi_status status = check_kind(tiff, input, &layout);
    return (status != WADI_OK || io_gdal_told_beside(input)) && input->error == 0;
}

static wadi_status io_tiff_read(io_input *input, wadi_raster **raster) {
    tiff_state state = {.input = input};
    TIFF *tiff = io_tiff_open(&state, input->name, "rm", input->memory_limit);
    if (tiff == NULL) return io_tiff_not_opened(&state, input->name, WADI_ERROR_FORMAT);
    const bool for_gdal = is_for_gdal(tiff, input);
    const wadi_status status = for_gdal ? WADI_OK : read_image(tiff, &state, raster);
    TIFFClose(tiff);
    return for_gdal ? io_format_GDAL.read(input, raster) : status;
}

wadi_status io_tiff_georef(io_input *input, wadi_raster *raster, io_meaning *meaning) {
    tiff_state state = {.input = input};
    TIFF *tiff = io_tiff_open(&state, input->name, "rm", input->memory_limit);
    if (tiff == NULL) return io_tiff_not_opened(&state, input->name, WADI_ERROR_FORMAT);
    const wadi_status status = read_georef(tiff, input->name, raster, meaning);
    TIFFClose(tiff);
    return io_input_status(input, status);
}

#endif

#define SAMPLES \
    (1 << WADI_SAMPLE_FLOAT32 | 1 << WADI_SAMPLE_UINT8 | 1 << WADI_SAMPLE_UINT16 | 1 << WADI_SAMPLE_UINT32 | \
     1 << WADI_SAMPLE_INT8 | 1 << WADI_SAMPLE_INT16 | 1 << WADI_SAMPLE_INT32)
const io_format io_format_TIFF = {
    .facts = {.name = "TIFF", .endings = "tif tiff gtiff", .package = "libtiff-dev", .samples = SAMPLES},
    .marks = {IO_MARK("II*\0"), IO_MARK("MM\0*"), IO_MARK("II+\0"), IO_MARK("MM\0+")}, /* the last two: BigTIFF */
#ifdef WADI_WITH_TIFF
    .read = io_tiff_read,
    .write = io_tiff_write,
#endif
};
