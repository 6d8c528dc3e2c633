#include "mesh_film.h"

#include "wadi/render.h"

wadi_status run_mesh_film(wadi_mesh *mesh) {
    if (!mesh->water) return WADI_OK;
    wadi_view view = wadi_default_view(mesh->width, mesh->height, mesh->lx, mesh->ly, mesh->heights);
    view.water = mesh->water;
    return wadi_view_film(&view, &mesh->water_threshold_m);
}
