/* mesh.h: terrain and water as a mesh of triangles in a file (library wadi_io). */
#ifndef WADI_MESH_H
#define WADI_MESH_H

#include "wadi/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Corners are cells' centres. x goes east and 0 is the grid's middle; heights are what they are, times the
 * exaggeration. Up is y in .obj, .gltf and .glb (z goes south), as their readers have it, and z in .ply (y goes north).
 * Normals come from all cells, whatever `every` is; texture coordinates cover the grid once, so any map of the run
 * fits. Cells without data are left out. */
typedef struct wadi_mesh {
    int width, height;    /* cells, 2 or more each */
    double lx, ly;        /* m, above 0 */
    const float *heights; /* m, width * height; not finite: no data */
    const float
        *water; /* m, or NULL; a second mesh, where it is above the threshold and as far as the bank. Not in .ply */
    double water_threshold_m; /* 0: 0.02 of the mean cell size: what is thinner is a film on the land */
    double exaggeration;      /* 0: 1 */
    int every;                /* takes each n-th cell of each n-th row, and the last; 0: 1 */
} wadi_mesh;

/* The format is the name's: .obj, .ply (binary), .gltf (all in one file), .glb. */
WADI_API wadi_status wadi_mesh_write(const char *path, const wadi_mesh *mesh);

#ifdef __cplusplus
}
#endif
#endif
