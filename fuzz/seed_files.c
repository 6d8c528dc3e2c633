#include "seed_files.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 37, HEIGHT = 21 };

typedef struct place {
    const char *folder;
    seed_fn *each;
    void *context;
    char path[4096];
} place;

static const char *begin(place *place, const char *name) {
    snprintf(place->path, sizeof place->path, "%s/%s", place->folder, name);
    return place->path;
}

static void end(place *place, const char *name) {
    place->each(place->context, name, place->path);
    remove(place->path);
}

#if defined WADI_WITH_TIFF || defined WADI_WITH_PNG || defined WADI_WITH_EXR
/* Anything that a compression has some work with. */
static void fill(uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) bytes[i] = (uint8_t)(i % 4 < 2 ? i / 16 : 0x3f + i % 3);
}
#endif

#ifdef WADI_WITH_TIFF
#include <tiffio.h>

typedef struct tiff_seed {
    const char *name, *mode; /* mode: of TIFFOpen: l, b: byte order; 8: BigTIFF */
    uint16_t bits, format, compression, predictor, bands, planar;
    uint32_t tile, rows; /* tile: 0, strips of `rows` */
} tiff_seed;

static const tiff_seed tiff_seeds[] = {
    {"big-endian.tif", "wb", 16, SAMPLEFORMAT_INT, COMPRESSION_NONE, 1, 1, 1, 0, 5},
    {"bigtiff.tif", "w8", 32, SAMPLEFORMAT_IEEEFP, COMPRESSION_ADOBE_DEFLATE, 3, 1, 1, 0, 8},
    {"tiles.tif", "wl", 32, SAMPLEFORMAT_IEEEFP, COMPRESSION_LZW, 3, 1, 1, 16, 0},
    {"tiles-big.tif", "wb8", 64, SAMPLEFORMAT_IEEEFP, COMPRESSION_ADOBE_DEFLATE, 3, 1, 1, 16, 0},
    {"lzw.tif", "wl", 16, SAMPLEFORMAT_UINT, COMPRESSION_LZW, 2, 1, 1, 0, 4},
    {"packbits.tif", "wl", 8, SAMPLEFORMAT_UINT, COMPRESSION_PACKBITS, 1, 1, 1, 0, 7},
    {"int8.tif", "wl", 8, SAMPLEFORMAT_INT, COMPRESSION_NONE, 1, 1, 1, 0, 30},
    {"uint32.tif", "wl", 32, SAMPLEFORMAT_UINT, COMPRESSION_DEFLATE, 2, 1, 1, 0, 3},
    {"int32.tif", "wb", 32, SAMPLEFORMAT_INT, COMPRESSION_NONE, 1, 1, 1, 0, 3},
    {"int64.tif", "wl", 64, SAMPLEFORMAT_INT, COMPRESSION_NONE, 1, 1, 1, 0, 3},
    {"bands.tif", "wl", 16, SAMPLEFORMAT_UINT, COMPRESSION_ADOBE_DEFLATE, 1, 3, PLANARCONFIG_CONTIG, 0, 9},
    {"planes.tif", "wl", 32, SAMPLEFORMAT_IEEEFP, COMPRESSION_LZW, 1, 2, PLANARCONFIG_SEPARATE, 0, 9},
    {"half.tif", "wl", 16, SAMPLEFORMAT_IEEEFP, COMPRESSION_NONE, 1, 1, 1, 0, 9},
    {"fax.tif", "wl", 1, SAMPLEFORMAT_UINT, COMPRESSION_CCITTFAX4, 1, 1, 1, 0, 9},
    {"zstd.tif", "wl", 32, SAMPLEFORMAT_IEEEFP, 50000, 3, 1, 1, 0, 9},
    {"lerc.tif", "wl", 32, SAMPLEFORMAT_IEEEFP, 34887, 1, 1, 1, 0, 9},
};

static void write_blocks(TIFF *tiff, const tiff_seed *seed) {
    const size_t size = (size_t)(seed->tile ? TIFFTileSize(tiff) : TIFFStripSize(tiff));
    const uint32_t blocks = seed->tile ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff);
    uint8_t *block = malloc(size);
    if (block == NULL) abort();
    for (uint32_t i = 0; i < blocks; i++) {
        fill(block, size); /* libtiff may turn its bytes */
        if (seed->tile)
            TIFFWriteEncodedTile(tiff, i, block, (tmsize_t)size);
        else
            TIFFWriteEncodedStrip(tiff, i, block, (tmsize_t)size);
    }
    free(block);
}

static void make_tiff(place *place, const tiff_seed *seed) {
    if (!TIFFIsCODECConfigured(seed->compression)) return;
    TIFF *tiff = TIFFOpen(begin(place, seed->name), seed->mode);
    if (tiff == NULL) abort();
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, WIDTH);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, HEIGHT);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, seed->bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, seed->format);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, seed->bands);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, seed->planar);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, seed->compression);
    if (seed->predictor > 1) TIFFSetField(tiff, TIFFTAG_PREDICTOR, seed->predictor);
    if (seed->tile) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, seed->tile);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, seed->tile);
    } else {
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, seed->rows);
    }
    write_blocks(tiff, seed);
    TIFFClose(tiff);
    end(place, seed->name);
}

static void make_tiffs(place *place) {
    TIFFSetErrorHandler(NULL);
    TIFFSetWarningHandler(NULL);
    for (size_t i = 0; i < sizeof tiff_seeds / sizeof *tiff_seeds; i++) make_tiff(place, &tiff_seeds[i]);
}
#else
static void make_tiffs(place *place) { (void)place; }
#endif

#ifdef WADI_WITH_PNG
#include <png.h>

static const struct {
    const char *name;
    int depth, colour, interlace;
} png_seeds[] = {
    {"grey1.png", 1, PNG_COLOR_TYPE_GRAY, 0},          {"grey4.png", 4, PNG_COLOR_TYPE_GRAY, 1},
    {"grey8.png", 8, PNG_COLOR_TYPE_GRAY, 0},          {"grey16.png", 16, PNG_COLOR_TYPE_GRAY, 1},
    {"alpha16.png", 16, PNG_COLOR_TYPE_GRAY_ALPHA, 0}, {"rgb8.png", 8, PNG_COLOR_TYPE_RGB, 1},
    {"rgb16.png", 16, PNG_COLOR_TYPE_RGB, 0},          {"rgba8.png", 8, PNG_COLOR_TYPE_RGB_ALPHA, 0},
    {"palette2.png", 2, PNG_COLOR_TYPE_PALETTE, 1},    {"palette8.png", 8, PNG_COLOR_TYPE_PALETTE, 0},
};

static void write_png(png_structp png, png_infop info, int depth, int colour, int interlace) {
    static uint8_t row[8 * WIDTH];
    static png_color colours[256];
    png_color_16 clear = {.index = 1, .gray = 1, .red = 1, .green = 1, .blue = 1};
    png_byte alphas[2] = {0, 128};
    fill(row, sizeof row);
    for (int i = 0; i < 256; i++) colours[i] = (png_color){(png_byte)i, (png_byte)(2 * i), (png_byte)(255 - i)};
    png_set_IHDR(png, info, WIDTH, HEIGHT, depth, colour, interlace ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (colour == PNG_COLOR_TYPE_PALETTE) {
        png_set_PLTE(png, info, colours, 1 << depth);
        png_set_tRNS(png, info, alphas, 2, NULL);
    } else if (!(colour & PNG_COLOR_MASK_ALPHA)) {
        png_set_tRNS(png, info, NULL, 0, &clear);
    }
    png_set_pHYs(png, info, 100, 50, PNG_RESOLUTION_METER);
    png_set_gAMA(png, info, 0.45455);
    png_set_text(png, info,
                 &(png_text){.compression = PNG_TEXT_COMPRESSION_NONE, .key = (char[]){"Title"}, .text = (char[]){"x"}},
                 1);
    png_write_info(png, info);
    for (int pass = png_set_interlace_handling(png); pass > 0; pass--)
        for (int y = 0; y < HEIGHT; y++) png_write_row(png, row);
    png_write_end(png, NULL);
}

static void make_pngs(place *place) {
    for (size_t i = 0; i < sizeof png_seeds / sizeof *png_seeds; i++) {
        FILE *file = fopen(begin(place, png_seeds[i].name), "wb");
        png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
        png_infop info = png_create_info_struct(png);
        if (file == NULL || info == NULL || setjmp(png_jmpbuf(png)) != 0) abort();
        png_init_io(png, file);
        write_png(png, info, png_seeds[i].depth, png_seeds[i].colour, png_seeds[i].interlace);
        png_destroy_write_struct(&png, &info);
        fclose(file);
        end(place, png_seeds[i].name);
    }
}
#else
static void make_pngs(place *place) { (void)place; }
#endif

#ifdef WADI_WITH_EXR
#include <openexr.h>

static const struct {
    const char *name;
    exr_compression_t compression;
    exr_pixel_type_t type;
    int channels; /* Y; or R, G, B */
    int tile;     /* 0: lines */
} exr_seeds[] = {
    {"rle.exr", EXR_COMPRESSION_RLE, EXR_PIXEL_FLOAT, 1, 0},
    {"zips.exr", EXR_COMPRESSION_ZIPS, EXR_PIXEL_HALF, 1, 0},
    {"zip.exr", EXR_COMPRESSION_ZIP, EXR_PIXEL_UINT, 1, 0},
    {"piz.exr", EXR_COMPRESSION_PIZ, EXR_PIXEL_HALF, 1, 0},
    {"piz3.exr", EXR_COMPRESSION_PIZ, EXR_PIXEL_FLOAT, 3, 0},
    {"pxr24.exr", EXR_COMPRESSION_PXR24, EXR_PIXEL_FLOAT, 1, 0},
    {"b44.exr", EXR_COMPRESSION_B44, EXR_PIXEL_HALF, 1, 0},
    {"tiles.exr", EXR_COMPRESSION_ZIP, EXR_PIXEL_FLOAT, 1, 16},
    {"tiles3.exr", EXR_COMPRESSION_ZIP, EXR_PIXEL_HALF, 3, 16},
    {"rgb-half.exr", EXR_COMPRESSION_NONE, EXR_PIXEL_HALF, 3, 0},
    {"b44a.exr", EXR_COMPRESSION_B44A, EXR_PIXEL_HALF, 3, 0},
};

static bool encode(exr_context_t exr, const exr_chunk_info_t *chunk, int bytes) {
    static uint8_t values[4 * WIDTH * HEIGHT];
    exr_encode_pipeline_t pipeline = EXR_ENCODE_PIPELINE_INITIALIZER;
    if (exr_encoding_initialize(exr, 0, chunk, &pipeline) != EXR_ERR_SUCCESS) return false;
    fill(values, sizeof values);
    for (int i = 0; i < pipeline.channel_count; i++) {
        exr_coding_channel_info_t *channel = &pipeline.channels[i];
        channel->encode_from_ptr = values;
        channel->user_data_type = channel->data_type;
        channel->user_bytes_per_element = (int16_t)bytes;
        channel->user_pixel_stride = bytes;
        channel->user_line_stride = bytes * WIDTH;
    }
    const bool good = exr_encoding_choose_default_routines(exr, 0, &pipeline) == EXR_ERR_SUCCESS &&
                      exr_encoding_run(exr, 0, &pipeline) == EXR_ERR_SUCCESS;
    exr_encoding_destroy(exr, &pipeline);
    return good;
}

static bool write_exr(exr_context_t exr, size_t s) {
    static const char *const names[] = {"Y", "B", "G", "R"};
    const int tile = exr_seeds[s].tile, bytes = exr_seeds[s].type == EXR_PIXEL_HALF ? 2 : 4;
    int part;
    int32_t step = 1;
    bool good = exr_add_part(exr, "x", tile ? EXR_STORAGE_TILED : EXR_STORAGE_SCANLINE, &part) == EXR_ERR_SUCCESS &&
                exr_initialize_required_attr_simple(exr, 0, WIDTH, HEIGHT, exr_seeds[s].compression) == EXR_ERR_SUCCESS;
    if (tile && good)
        good = exr_set_tile_descriptor(exr, 0, 16, 16, EXR_TILE_ONE_LEVEL, EXR_TILE_ROUND_DOWN) == EXR_ERR_SUCCESS;
    for (int c = 0; good && c < exr_seeds[s].channels; c++)
        good = exr_add_channel(exr, 0, names[exr_seeds[s].channels == 1 ? 0 : c + 1], exr_seeds[s].type,
                               EXR_PERCEPTUALLY_LINEAR, 1, 1) == EXR_ERR_SUCCESS;
    good = good && exr_write_header(exr) == EXR_ERR_SUCCESS;
    if (good && !tile) good = exr_get_scanlines_per_chunk(exr, 0, &step) == EXR_ERR_SUCCESS;
    exr_chunk_info_t chunk = {0};
    for (int y = 0; good && !tile && y < HEIGHT; y += step)
        good = exr_write_scanline_chunk_info(exr, 0, y, &chunk) == EXR_ERR_SUCCESS && encode(exr, &chunk, bytes);
    for (int y = 0; good && tile && y * tile < HEIGHT; y++)
        for (int x = 0; good && x * tile < WIDTH; x++)
            good =
                exr_write_tile_chunk_info(exr, 0, x, y, 0, 0, &chunk) == EXR_ERR_SUCCESS && encode(exr, &chunk, bytes);
    return good;
}

static void say_nothing(exr_const_context_t exr, exr_result_t code, const char *text) {
    (void)exr;
    (void)code;
    (void)text;
}

/* Those that this version of the library cannot write are left out. */
static void make_exrs(place *place) {
    for (size_t i = 0; i < sizeof exr_seeds / sizeof *exr_seeds; i++) {
        exr_context_initializer_t how = EXR_DEFAULT_CONTEXT_INITIALIZER;
        how.error_handler_fn = say_nothing;
        exr_context_t exr = NULL;
        bool good =
            exr_start_write(&exr, begin(place, exr_seeds[i].name), EXR_WRITE_FILE_DIRECTLY, &how) == EXR_ERR_SUCCESS;
        good = good && write_exr(exr, i);
        if (exr != NULL && exr_finish(&exr) != EXR_ERR_SUCCESS) good = false;
        if (good)
            end(place, exr_seeds[i].name);
        else
            remove(place->path);
    }
}
#else
static void make_exrs(place *place) { (void)place; }
#endif

void seed_files_make(const char *folder, seed_fn *each, void *context) {
    place place = {.folder = folder, .each = each, .context = context};
    make_tiffs(&place);
    make_pngs(&place);
    make_exrs(&place);
}
