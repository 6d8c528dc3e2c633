/* Rasters from bytes that anybody may have written. The first byte picks name and options, the rest is the file. */
#include "check_raster.h"
#include "platform/platform.h"
#include "seed_files.h"
#include "tests/unit/io_files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    if (count == 0) return 0;
    static const wadi_encoding encodings[] = {WADI_ENCODING_NONE, WADI_ENCODING_LUMINANCE, WADI_ENCODING_TERRARIUM,
                                              WADI_ENCODING_MAPBOX_RGB};
    const unsigned choice = bytes[0];
    const wadi_read_options options = {
        .memory_limit = 1 << 24,
        .width = (choice & 1) != 0 ? 4 : 0,
        .height = (choice & 1) != 0 ? 3 : 0,
        .plain_values = (choice & 2) != 0,
        .has_range = (choice & 4) != 0,
        .low = -10,
        .high = 100,
        .z_unit = (choice & 8) != 0 ? "ft" : NULL,
        .encoding = encodings[choice >> 6],
        .big_endian = (choice & 64) != 0,
    };
    static const char *const names[] = {"a.tif", "a.r16", "a.r32", "a"};
    wadi_raster *raster = NULL;
    const wadi_status status = wadi_raster_read_memory(bytes + 1, count - 1, names[choice >> 4 & 3], &options, &raster);
    check_raster(status, raster);
    return 0;
}

/* --- seeds: small files of every kind, into the first folder that the fuzzer was given ------------------------- */

static const char *folder;

static void save_seed(const char *name, uint8_t choice, const bytes *file) {
    static bytes seed;
    char path[4096];
    seed.count = 0;
    put(&seed, &choice, 1);
    put(&seed, file->at, file->count);
    snprintf(path, sizeof path, "%s/seed-%s", folder, name);
    save(path, &seed);
}

static void seed_tiffs(const bytes *samples) {
    static bytes file;
    static const double scale[3] = {30, 30, 0}, tie[6] = {0, 0, 0, 5, 6, 0};
    static const double matrix[16] = {1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0, 0, 1};
    static const uint16_t keys[] = {1,    1,     0, 5, 1024, 0, 1, 1,    1025, 0, 1, 2,
                                    1026, 34737, 5, 0, 3072, 0, 1, 2229, 4096, 0, 1, 6360};
    static const uint16_t degrees[] = {1, 1, 0, 3, 1024, 0, 1, 2, 2048, 0, 1, 32767, 2057, 34736, 1, 0};
    static const double axis[1] = {6378137};
    static const char xml[] =
        "<GDALMetadata><Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.5</Item></GDALMetadata>";
    const tiff_tag feet[] = {{33550, 12, 3, scale},
                             {33922, 12, 6, tie},
                             {34735, 3, 24, keys},
                             {34737, 2, 6, "here|"},
                             {42112, 2, sizeof xml, xml},
                             {42113, 2, 2, "7"},
                             {0}};
    static const uint16_t hidden[] = {1, 1, 0, 0, 4097, 34737, 60000, 65000}; /* a key that is not counted */
    const tiff_tag south[] = {{34264, 12, 16, matrix}, {34735, 3, 16, degrees}, {34736, 12, 1, axis}, {0}};
    make_tiff(&file,
              &(tiff_image){.width = 4, .height = 3, .bits = 16, .format = 2, .samples = samples->at, .tags = feet});
    save_seed("feet.tif", 0, &file);
    make_tiff(&file, &(tiff_image){.width = 4,
                                   .height = 3,
                                   .bits = 32,
                                   .format = 3,
                                   .samples = samples->at,
                                   .tags = south,
                                   .rows_per_strip = 3});
    save_seed("degrees.tif", 0, &file);
    const tiff_tag uncounted[] = {{33550, 12, 3, scale}, {33922, 12, 6, tie}, {34735, 3, 8, hidden}, {0}};
    make_tiff(&file, &(tiff_image){
                         .width = 4, .height = 3, .bits = 16, .format = 2, .samples = samples->at, .tags = uncounted});
    save_seed("hidden-key.tif", 0, &file);
}

static void seed_others(const bytes *samples) {
    static bytes file, rows;
    rows.count = 0;
    put(&rows, "\x00\x1b\x00\xe4", 4);
    make_png(&file, 4, 2, 2, 3, 0, &(bytes){.at = {0, 0, 0, 9, 9, 9, 80, 80, 80, 200, 1, 2}, .count = 12}, &rows);
    save_seed("palette.png", 4, &file);
    make_exr(&file, 4, 3, 2, "Y", false, samples);
    save_seed("lines.exr", 0, &file);
    make_exr(&file, 4, 3, 1, "RZ", true, samples);
    save_seed("tiles.exr", 0, &file);
    make_npy(&file, 1, "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 4), }", samples);
    save_seed("a.npy", 0, &file);
    save_seed("a.r32", 0x20, samples);
    save_seed("a.r16", 0x11, &(bytes){.at = "twelve times two bytes..", .count = 24});
}

/* Land, in both byte orders: one of them looks like noise. */
static void seed_land(void) {
    static bytes little, big;
    for (int i = 0; i < 64 * 64; i++) {
        const uint64_t height = (uint64_t)(1000 + 3 * (i % 64) + 5 * (i / 64));
        put_le(&little, height, 2);
        put_be(&big, height, 2);
    }
    save_seed("land.r16", 0x10, &little);
    save_seed("swapped.r16", 0x10, &big);
    save_seed("big.r16", 0x50, &big);
}

static void save_file(void *context, const char *name, const char *path) {
    (void)context;
    static bytes file;
    FILE *in = fopen(path, "rb");
    if (in == NULL) abort();
    file.count = fread(file.at, 1, sizeof file.at, in);
    fclose(in);
    char other[64];
    save_seed(name, 0, &file);
    snprintf(other, sizeof other, "coded-%s", name);
    if (strstr(name, "rgb") != NULL || strstr(name, "3.exr") != NULL) save_seed(other, 0x80, &file);
}

/* What the project itself writes, compressed. */
static void seed_written(void) {
    static const char *const names[] = {"written.tif", "written.exr", "written.png"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[4096];
        wadi_raster *raster;
        if (wadi_raster_create(19, 33, &raster) != WADI_OK) abort();
        for (int k = 0; k < 19 * 33; k++) raster->values[k] = (float)(k * 37 % 101);
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        if (wadi_raster_write(path, raster, NULL) == WADI_OK) {
            save_file(NULL, names[i], path);
            remove(path);
        }
        wadi_raster_destroy(raster);
    }
}

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerInitialize(int *count, char ***arguments) {
    static bytes samples;
    for (int i = 1; i < *count && folder == NULL; i++)
        if ((*arguments)[i][0] != '-') folder = (*arguments)[i];
    if (folder == NULL || !platform_is_folder(folder)) return 0;
    for (int i = 0; i < 12; i++) put_float(&samples, (float)i);
    seed_tiffs(&samples);
    seed_others(&samples);
    seed_land();
    seed_written();
    seed_files_make(folder, save_file, NULL);
    return 0;
}
