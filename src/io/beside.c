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
    io_turn_north_up(raster);
    raster->lx = transform[1];
    raster->ly = -transform[5];
    return WADI_OK;
}

/* hills.tif has hills.tfw, hills.tifw or hills.wld. */
static wadi_status read_world_file(const io_input *input, wadi_raster *raster) {
    const char *dot = strrchr(input->name, '.');
    if (dot == NULL || strchr(dot, '/') != NULL || strlen(dot) < 3 || strlen(dot) > 6) return WADI_OK;
    char endings[6][8];
    const char last = dot[strlen(dot) - 1];
    snprintf(endings[0], 8, "%c%cw", dot[1], last);
    snprintf(endings[1], 8, "%c%cW", dot[1], last);
    snprintf(endings[2], 8, "%sw", dot + 1);
    snprintf(endings[3], 8, "%sW", dot + 1);
    snprintf(endings[4], 8, "wld");
    snprintf(endings[5], 8, "WLD");
    for (int i = 0; i < 6; i++) {
        char path[PATH_BYTES];
        double numbers[6];
        const int length = snprintf(path, sizeof path, "%.*s.%s", (int)(dot - input->name), input->name, endings[i]);
        if (length >= (int)sizeof path || !platform_exists(path)) continue;
        if (platform_is_special(path) || !read_numbers(path, numbers)) {
            io_remark(raster, "%s beside it is no world file and is not used", path);
            continue;
        }
        return place(input, path, numbers, raster);
    }
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
    io_input_close(&mask);
    return status;
#else
    (void)path;
    (void)raster;
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: has a mask beside it, and TIFF is not built: install libtiff-dev",
                     input->name);
#endif
}

wadi_status io_read_beside(const io_input *input, wadi_raster *raster, io_meaning *meaning) {
    char path[PATH_BYTES];
    if (input->file == NULL) return WADI_OK;
    wadi_status status = WADI_OK;
    if (!input->by_gdal && is_beside(input, ".aux.xml", path)) {
        if (wadi_format_available(WADI_FORMAT_GDAL, NULL))
            status = io_gdal_describe(input, raster, meaning);
        else if (!raster->has_georef)
            io_remark(raster, "%s beside it is not read: reading through GDAL is not built (libgdal-dev)", path);
    }
    if (status == WADI_OK && !raster->has_georef) status = read_world_file(input, raster);
    if (status == WADI_OK && is_beside(input, ".msk", path)) status = read_mask(input, path, raster);
    return status;
}
