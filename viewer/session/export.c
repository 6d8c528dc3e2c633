/* export.c: maps in the format of the file's name, meshes with the water on them. */
#include "viewer/session/export.h"

#include "run/maps.h"
#include "run/mesh_film.h"
#include "run/run_carry.h"

#include "wadi/mesh.h"

#include <glib.h>

wadi_status export_map(const work *work, const char *field, const char *path) {
    wadi_raster *raster = work_run(work)->raster;
    wadi_write_options options = run_maps_write_options(wadi_format_of_name(path), field);
    const wadi_status status = run_get(work_run(work), field, raster->values);
    return status == WADI_OK ? wadi_raster_write(path, raster, &options) : status;
}

wadi_status export_mesh(const work *work, const char *path, double exaggeration) {
    const wadi_raster *grid = work_run(work)->raster;
    const size_t cells = work_cells(work);
    float *heights = g_try_malloc_n(cells, sizeof *heights), *water = g_try_malloc_n(cells, sizeof *water);
    wadi_status status = heights && water ? run_get(work_run(work), "height", heights)
                                          : wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a mesh");
    if (status == WADI_OK) status = run_get(work_run(work), "water", water);
    wadi_mesh mesh = {.width = grid->width,
                      .height = grid->height,
                      .lx = grid->lx,
                      .ly = grid->ly,
                      .heights = heights,
                      .water = water,
                      .exaggeration = exaggeration};
    if (status == WADI_OK) status = run_mesh_film(&mesh);
    if (status == WADI_OK) status = wadi_mesh_write(path, &mesh);
    g_free(heights);
    g_free(water);
    return status;
}
