/* beside.c: side files of a raster: world files, GDAL's .aux.xml and .msk. They supply what the raster's own file does
 * not say. */
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "platform/platform.h"

enum { PATH_BYTES = 4096 };

/* --- world files ----------------------------------------------------------------------------------------------- */

/* Six numbers: cell width, two rotations, cell height, the centre of the top left cell. False: not found. */
static bool read_numbers(const char *path, double numbers[6]) {
    char text[512] = "", *at = text;
    FILE *file = platform_open(path, "r");
    if (file == NULL) return false;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (int i = 0; i < 6; i++) {
        at += strspn(at, " \t\r\n");
        const size_t length = strcspn(at, " \t\r\n");
        char *end = at + length;
        const char kept = *end;
        *end = '\0';
        const bool good = io_parse_whole(at, &numbers[i]) && io_is_finite(numbers[i]);
        *end = kept;
        if (!good) return false;
        at = end;
    }
    return true;
}

static wadi_status place(const io_input *input, const char *path, const double n[6], wadi_raster *raster) {
    if (n[1] != 0 || n[2] != 0) return io_refuse_warped(input->name, "its world file turns or shears its grid");
    if (!(n[0] > 0) || n[3] == 0)
        return wadi_fail(WADI_ERROR_FORMAT, "%s: %s says cells are %g x %g; mend it", input->name, path, n[0], n[3]);
    double *transform = raster->georef.transform;
    memcpy(transform, (double[6]){n[4] - n[0] / 2, n[0], 0, n[5] - n[3] / 2, 0, n[3]}, 6 * sizeof *transform);
    raster->has_georef = true;
    raster->from.cell = WADI_ORIGIN_BESIDE;
    io_turn_north_up(raster);
    raster->lx = transform[1];
    raster->ly = -transform[5];
    return WADI_OK;
}

/* A file whose name differs only in the ending, in small or capital letters. */
static bool has_ending(const char *name, const char *ending, char path[PATH_BYTES]) {
    const char *dot = strrchr(name, '.');
    const int stem = (int)(dot - name);
    const int length = snprintf(path, PATH_BYTES, "%.*s.%s", stem, name, ending);
    if (length >= PATH_BYTES) return false;
    if (platform_exists(path)) return true;
    for (char *c = path + stem; *c != '\0'; c++)
        if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 'a' + 'A');
    return platform_exists(path);
}

/* hills.tif has hills.tfw, hills.tifw or hills.wld. */
static bool find_world_file(const char *name, char path[PATH_BYTES]) {
    const char *dot = strrchr(name, '.');
    if (dot == NULL || strchr(dot, '/') != NULL || strlen(dot) < 3 || strlen(dot) > 6) return false;
    char endings[3][8] = {"", "", "wld"};
    snprintf(endings[0], 8, "%c%cw", dot[1], dot[strlen(dot) - 1]);
    snprintf(endings[1], 8, "%sw", dot + 1);
    for (int i = 0; i < 3; i++)
        if (has_ending(name, endings[i], path)) return true;
    return false;
}

static wadi_status read_world_file(const io_input *input, const char *path, wadi_raster *raster) {
    double numbers[6];
    if (!platform_is_special(path) && read_numbers(path, numbers)) return place(input, path, numbers, raster);
    io_remark(raster, "%s beside it is no world file and is not used", path);
    return WADI_OK;
}

/* --- GDAL's files ---------------------------------------------------------------------------------------------- */

static bool is_beside(const io_input *input, const char *ending, char path[PATH_BYTES]) {
    return snprintf(path, PATH_BYTES, "%s%s", input->name, ending) < PATH_BYTES && platform_exists(path);
}

static wadi_status read_mask(const io_input *input, const char *path, wadi_raster *raster) {
#ifdef WADI_WITH_TIFF
    io_input mask = {.options = input->options, .memory_limit = input->memory_limit};
    wadi_status status = io_input_open(&mask, path);
    if (status != WADI_OK) return status;
    status = io_tiff_mask(&mask, raster);
    raster->from.mask = WADI_ORIGIN_BESIDE;
    io_input_close(&mask);
    return status;
#else
    (void)path;
    (void)raster;
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: has a mask beside it, and TIFF is not built: install libtiff-dev",
                     input->name);
#endif
}

/* GDAL is asked where files beside the raster may tell more of it. */
static bool is_told_more(const io_input *input, const wadi_raster *raster, char path[PATH_BYTES]) {
    if (is_beside(input, ".aux.xml", path)) return true;
    const char *dot = strrchr(input->name, '.');
    if (dot == NULL || strchr(dot, '/') != NULL) return false;
    if (raster->georef.crs_bytes == 0 && has_ending(input->name, "prj", path)) return true;
    return !raster->has_georef && find_world_file(input->name, path);
}

wadi_status io_read_beside(const io_input *input, wadi_raster *raster, io_meaning *meaning) {
    char path[PATH_BYTES];
    if (input->file == NULL) return WADI_OK;
    wadi_status status = WADI_OK;
    const bool with_gdal = wadi_format_available(WADI_FORMAT_GDAL, NULL);
    if (!input->by_gdal && is_told_more(input, raster, path)) {
        if (with_gdal)
            status = io_gdal_describe(input, raster, meaning);
        else if (!raster->has_georef)
            io_remark(raster, "%s beside it is not read: reading through GDAL is not built (libgdal-dev)", path);
    }
    if (status == WADI_OK && !raster->has_georef && find_world_file(input->name, path))
        status = read_world_file(input, path, raster);
    if (status == WADI_OK && is_beside(input, ".msk", path)) status = read_mask(input, path, raster);
    return status;
}
