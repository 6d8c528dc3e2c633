/* texture_scene.h: the colours of a terrain, and its mesh with the water: what the three-dimensional picture shows. */
#ifndef WADI_RUN_TEXTURE_SCENE_H
#define WADI_RUN_TEXTURE_SCENE_H

#include "textures.h"

#include "wadi/mesh.h"

/* A pixel for each cell. Needs OpenGL. Destroy the picture. */
wadi_status run_textures_colours(textures *textures, wadi_picture **picture);

/* A mesh with its maps: heights, water, flow and colours as far as there are any. */
typedef struct texture_mesh {
    wadi_mesh mesh;
    float *flow[3];        /* owned */
    wadi_picture *colours; /* owned; NULL: none */
} texture_mesh;
typedef struct texture_mesh_options {
    bool no_water, no_colours, sides;
    double water_threshold_m; /* 0: the film of rain */
} texture_mesh_options;
bool run_mesh_has_colours(const char *path); /* whether files of that ending hold the ground's colours */
/* Without OpenGL a note says that the ground has no colours. Free it in any case. */
wadi_status run_texture_mesh_make(textures *textures, const texture_mesh_options *how, texture_mesh *made);
void run_texture_mesh_free(texture_mesh *made);

#endif
