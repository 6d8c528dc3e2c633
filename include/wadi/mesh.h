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
 * fits. Cells without data are left out. */
typedef struct wadi_mesh {
    int width, height;    /* cells, 2 or more each */
    double lx, ly;        /* m, above 0 */
    const float *heights; /* m, width * height; not finite: no data */
    const float *water;   /* m, or NULL; a second mesh where it is above the threshold, up to the bank. Not in .ply */
    double water_threshold_m; /* 0: 0.02 of the mean cell size; thinner water is a film on the land */
    double exaggeration;      /* 0: 1 */
    int every;                /* takes every n-th cell of every n-th row, and the last ones; 0: 1 */
} wadi_mesh;

/* The suffix of the name sets the format: .obj, .ply (binary), .gltf (one file), .glb. */
WADI_API wadi_status wadi_mesh_write(const char *path, const wadi_mesh *mesh);

#ifdef __cplusplus
}
#endif
#endif
