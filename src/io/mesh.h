/* mesh.h (internal): meshes and their writers. */
#ifndef WADI_IO_MESH_H
#define WADI_IO_MESH_H

#include "formats.h"

/* x to the east, y to the south, z up; v down. */
typedef struct io_corner {
    float at[3], normal[3], uv[2];
} io_corner;

typedef struct io_mesh {
    io_corner *corners;
    uint32_t *triangles; /* three corners each */
    size_t corner_count, triangle_count;
} io_mesh;

/* water: NULL: none */
typedef wadi_status io_mesh_writer(const char *path, const io_mesh *ground, const io_mesh *water);
io_mesh_writer *io_mesh_writer_of(const char *path); /* by the name's suffix; NULL: none */

#endif
