#include "texture_scene.h"

#include "array.h"
#include "film.h"
#include "mesh_film.h"
#include "message.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static wadi_status take(textures *t, const char *name, const wadi_raster **map) {
    return run_textures_has(t, name) ? run_textures_map(t, name, map) : WADI_OK;
}

/* The ground under the ice. */
static wadi_status take_bed(const textures *t, const wadi_raster *ice, wadi_raster **bed) {
    const size_t count = (size_t)t->height->width * (size_t)t->height->height;
    const wadi_status status = wadi_raster_like(t->height, bed);
    for (size_t i = 0; status == WADI_OK && i < count; i++)
        (*bed)->values[i] = t->height->values[i] - fmaxf(ice->values[i], 0); /* 0 where it is NaN */
    return status;
}

wadi_status run_textures_colours(textures *t, wadi_picture **picture) {
    landscape_maps maps = {.height = t->height};
    wadi_raster *bed = NULL;
    *picture = NULL;
    wadi_status status = take(t, "water", &maps.water);
    if (status == WADI_OK) status = take(t, "ice", &maps.ice);
    if (status == WADI_OK && t->facts.on_ice) status = take_bed(t, maps.ice, &bed);
    if (bed) maps.height = bed;
    if (status == WADI_OK && !t->facts.rises) status = take(t, "erosion", &maps.erosion);
    if (status == WADI_OK && !t->facts.rises) status = take(t, "deposition", &maps.deposition);
    if (status == WADI_OK) status = run_landscape_colours(t->facts.ground, &maps, picture);
    wadi_raster_destroy(bed);
    return status;
}

/* Red is east, green is north, 0.5 is none; blue is the share of the speed, or of the flow. */
static wadi_status add_flow(textures *t, texture_mesh *made) {
    static const char *const names[2] = {"flow_x", "flow_y"};
    const char *speed = run_textures_has(t, "velocity") ? "velocity" : "flow";
    wadi_status status = WADI_OK;
    for (int k = 0; k < 2 && status == WADI_OK; k++) status = run_textures_shares(t, names[k], &made->flow[k]);
    if (status == WADI_OK && run_textures_has(t, speed)) status = run_textures_shares(t, speed, &made->flow[2]);
    for (int k = 0; k < 3; k++) made->mesh.flow[k] = made->flow[k];
    return status;
}

static wadi_status add_water(textures *t, const texture_mesh_options *how, texture_mesh *made) {
    const wadi_raster *water;
    if (how->no_water || !run_textures_has(t, "water")) return WADI_OK;
    wadi_status status = run_textures_map(t, "water", &water);
    if (status != WADI_OK) return status;
    made->mesh.water = water->values;
    made->mesh.has_sea = t->facts.has_sea;
    made->mesh.sea_m = t->facts.sea_m;
    status = run_mesh_film(&made->mesh);
    if (how->water_threshold_m > 0) made->mesh.water_threshold_m = how->water_threshold_m;
    return status == WADI_OK ? add_flow(t, made) : status;
}

static wadi_status add_colours(textures *t, texture_mesh *made) {
    const wadi_status status = run_textures_colours(t, &made->colours);
    if (status == WADI_OK) made->mesh.colours = made->colours->rgb;
    if (status != WADI_ERROR_UNSUPPORTED && status != WADI_ERROR_DEVICE) return status;
    run_message_note("the ground has no colours: %s", wadi_error_message());
    return WADI_OK;
}

bool run_mesh_has_colours(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && (run_text_same(dot, ".glb") || run_text_same(dot, ".gltf"));
}

wadi_status run_texture_mesh_make(textures *t, const texture_mesh_options *how, texture_mesh *made) {
    const wadi_raster *height = t->height;
    *made = (texture_mesh){.mesh = {.width = height->width,
                                    .height = height->height,
                                    .lx = height->lx,
                                    .ly = height->ly,
                                    .heights = height->values,
                                    .sides = how->sides}};
    const wadi_status status = add_water(t, how, made);
    return status != WADI_OK || how->no_colours ? status : add_colours(t, made);
}

void run_texture_mesh_free(texture_mesh *made) {
    for (int k = 0; k < 3; k++) free(made->flow[k]);
    wadi_picture_destroy(made->colours);
    *made = (texture_mesh){0};
}
