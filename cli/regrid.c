#include "regrid.h"

#include "run/folder.h"
#include "run/run_read.h"

#include "wadi/analysis.h"

#include <stdio.h>
#include <string.h>

#define NAME(constant, name, gdal) #name,
const char *const regrid_methods[] = {WADI_EACH_RESAMPLING(NAME) NULL};

wadi_status regrid_check(const command *command, const char *input, const char *output, bool force) {
    if (!output) return wadi_fail(WADI_ERROR_ARGUMENT, "-o FILE is missing: wadi %s %s", command->name, command->usage);
    if (strcmp(output, input) == 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "-o %s: is the input; name another file", output);
    return run_folder_check_heightmap(output, force);
}

static void report(const char *output, const wadi_raster *raster, const wadi_write_options *how) {
    const size_t count = (size_t)raster->width * (size_t)raster->height;
    const wadi_range range = wadi_range_of(raster->values, count);
    printf("%s: %d x %d cells of %.6g x %.6g m, %.6g to %.6g %s", as_shown(output), raster->width, raster->height,
           raster->lx, raster->ly, (double)range.minimum, (double)range.maximum,
           *raster->map_unit ? raster->map_unit : "m");
    if (range.missing > 0) printf(", %.0f cells without data", (double)range.missing);
    if (how->sample == WADI_SAMPLE_UINT16)
        printf("; read it back with --height-range %.9g,%.9g", how->used_offset,
               how->used_offset + 65535 * how->used_scale);
    putchar('\n');
}

wadi_status regrid_write(const char *output, const wadi_raster *raster) {
    const wadi_format format = wadi_format_of_name(output);
    wadi_write_options how = {.format = format, .sample = wadi_format_facts_of(format)->sample};
    if (*raster->map_unit) how.unit = raster->map_unit;
    const wadi_status status = wadi_raster_write(output, raster, &how);
    if (status == WADI_OK) report(output, raster, &how);
    return status;
}

wadi_status regrid_warp(const char *input, const read_args *read, const char *like, const wadi_warp *how,
                        const char *output) {
    const read_args standard = {.byte_order = BYTES_LITTLE};
    wadi_raster *from = NULL, *other = NULL, *made = NULL;
    wadi_warp used = *how;
    wadi_status status = run_read_height_of(input, read, &from);
    if (status == WADI_OK && like) status = run_read_height(like, &standard, &other);
    used.like = other;
    if (status == WADI_OK) status = wadi_raster_warp(from, &used, &made);
    if (status == WADI_OK) status = regrid_write(output, made);
    wadi_raster_destroy(from);
    wadi_raster_destroy(other);
    wadi_raster_destroy(made);
    return status;
}
