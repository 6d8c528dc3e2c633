/* mesh.h: writes terrain and water as a mesh of triangles (library wadi_io). */
#ifndef WADI_MESH_H
#define WADI_MESH_H

#include "wadi/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Corners are the centres of cells. x points east, and 0 is the grid's middle. Heights are multiplied by the
 * exaggeration. Up is y in .obj, .gltf and .glb (z points south), as usual for these formats, and z in .ply (y points
 * north). Normals come from all cells for any `every`. Texture coordinates cover the grid once, so any map of the run
 * fits. Cells without data are left out.
 *
 * Water is a surface where it is deeper than the threshold. Its shore lies between the cells, where its level meets the
 * ground. Each of the 32 largest bodies that do not touch is an object, water_0, water_1, ...; all others are
 * water_others, but for those of less than 4 cells. The sea is one object, flat at its level. A .ply has one mesh,
 * without water and chunks. */
typedef struct wadi_mesh {
    int width, height;        /* cells, 2 or more each */
    double lx, ly;            /* m, above 0 */
    const float *heights;     /* m, width * height; not finite: no data */
    const float *water;       /* m, or NULL */
    double water_threshold_m; /* thinner water is a film on the land (wadi_view_film); 0: 0.002 of the mean cell size */
    double exaggeration;      /* 0: 1 */
    int every;                /* takes every n-th cell of every n-th row, and the last ones; 0: 1 */
    bool has_sea;             /* with water: what is lower than the sea and joined to the border is the sea */
    double sea_m;
    const float *flow[3];   /* glTF, with water, each NULL or 0 to 1: vertex colours of the water, as COLOR_1 */
    bool sides;             /* the ground's and the water's sides at the border */
    int chunk;              /* the ground in objects of at most so many cells a side, ground_x0_y0, ...; 0: in one */
    const uint8_t *colours; /* glTF: the ground's colours, RGB of each cell, as a texture in the file; NULL: none */
} wadi_mesh;

/* The suffix of the name sets the format: .obj, .ply (binary), .gltf (one file), .glb. */
WADI_API wadi_status wadi_mesh_write(const char *path, const wadi_mesh *mesh);

#ifdef __cplusplus
}
#endif
#endif
