/* files.c: writes the terrain of now into a file of the module's own memory, from which the page takes it. */
#include <stdlib.h>

#include "web/page.h"

static wadi_status write_mesh(const char *path, const float *heights, const float *water) {
    const wadi_mesh mesh = {.width = page_ground.width,
                            .height = page_ground.height,
                            .lx = page_ground.lx,
                            .ly = page_ground.ly,
                            .heights = heights,
                            .water = water,
                            .sides = true};
    return wadi_mesh_write(path, &mesh);
}

static double scale, offset; /* of the last raster of integers: m = scale * sample + offset */

static wadi_status write_raster(const char *path, float *heights) {
    wadi_raster *raster = NULL;
    wadi_write_options options = {.format = WADI_FORMAT_UNKNOWN, .sample = WADI_SAMPLE_UINT16};
    wadi_status status = wadi_raster_create(page_ground.width, page_ground.height, &raster);
    if (status != WADI_OK) return status;
    float *own = raster->values;
    raster->values = heights;
    raster->lx = page_ground.lx, raster->ly = page_ground.ly;
    status = wadi_raster_write(path, raster, &options);
    scale = options.used_scale, offset = options.used_offset;
    raster->values = own;
    wadi_raster_destroy(raster);
    return status;
}

/* The ending of the path is the format: a mesh's, or r16, r32, npy. */
PAGE_CALL bool page_write(const char *path, bool mesh) {
    const size_t cells = (size_t)page_ground.width * (size_t)page_ground.height;
    float *heights = malloc(sizeof *heights * cells), *water = malloc(sizeof *water * cells);
    bool written = false;
    if (heights == NULL || water == NULL)
        wadi_fail(WADI_ERROR_MEMORY, "there is no memory to write a file");
    else if (page_heights(heights, water))
        written = (mesh ? write_mesh(path, heights, water) : write_raster(path, heights)) == WADI_OK;
    free(heights);
    free(water);
    return written;
}

PAGE_CALL double page_written_low(void) { return offset; }
PAGE_CALL double page_written_high(void) { return offset + scale * 65535; }
