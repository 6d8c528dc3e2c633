/* export.c: maps in the format of the file's name, meshes with the water on them. */
#include "viewer/session/export.h"

#include "run/maps.h"
#include "run/mesh_film.h"

#include "wadi/mesh.h"

#include <glib.h>

wadi_status export_map(const work *work, const char *field, const char *path) {
    wadi_raster *raster = work_run(work)->raster;
    wadi_write_options options = run_maps_write_options(wadi_format_of_name(path), field);
    const wadi_status status = wadi_sim_get(work_sim(work), field, raster->values, work_cells(work));
    return status == WADI_OK ? wadi_raster_write(path, raster, &options) : status;
}

wadi_status export_mesh(const work *work, const char *path, double exaggeration) {
    const wadi_def *def = wadi_sim_def(work_sim(work));
    const size_t cells = (size_t)def->width * (size_t)def->height;
    float *heights = g_try_malloc_n(cells, sizeof *heights), *water = g_try_malloc_n(cells, sizeof *water);
    wadi_status status = heights && water ? wadi_sim_get(work_sim(work), "height", heights, cells)
                                          : wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a mesh");
    if (status == WADI_OK) status = wadi_sim_get(work_sim(work), "water", water, cells);
    wadi_mesh mesh = {.width = def->width,
                      .height = def->height,
                      .lx = def->lx,
                      .ly = def->ly,
                      .heights = heights,
                      .water = water,
                      .exaggeration = exaggeration};
    if (status == WADI_OK) status = run_mesh_film(&mesh);
    if (status == WADI_OK) status = wadi_mesh_write(path, &mesh);
    g_free(heights);
    g_free(water);
    return status;
}
