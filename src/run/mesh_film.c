#include "mesh_film.h"

#include "wadi/render.h"

#include <math.h>

wadi_status run_mesh_film(wadi_mesh *mesh) {
    if (!mesh->water) return WADI_OK;
    wadi_view view = wadi_default_view(mesh->width, mesh->height, mesh->lx, mesh->ly, mesh->heights);
    view.water = mesh->water;
    double film_m = 0;
    const wadi_status status = wadi_view_film(&view, &film_m);
    mesh->water_threshold_m = fmax(film_m, 0.01 * (mesh->lx + mesh->ly));
    return status;
}
