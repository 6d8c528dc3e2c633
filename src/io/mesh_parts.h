/* mesh_parts.h (internal): meshes as parts of a scene, the nodes that they are made from, and their writers. */
#ifndef WADI_IO_MESH_PARTS_H
#define WADI_IO_MESH_PARTS_H

#include "formats.h"

#include "wadi/mesh.h"

/* x to the east, y to the south, z up; v down. */
typedef struct io_corner {
    float at[3], normal[3], uv[2];
} io_corner;

typedef enum io_material { IO_GROUND, IO_SIDES, IO_WATER, IO_MATERIALS } io_material;

enum { IO_WATER_VALUES = 4 };

/* An object of the scene. */
typedef struct io_part {
    char name[32];
    io_material material;
    io_corner *corners;  /* owned */
    float *water;        /* owned; of each corner of water its flow (red, green, blue) and opacity, 0 to 1; else NULL */
    uint32_t *triangles; /* owned; three corners each */
    size_t corner_count, triangle_count, corner_room, triangle_room;
} io_part;

typedef struct io_scene {
    io_part *parts; /* owned; the ground comes first */
    size_t count;
    uint8_t *texture; /* owned; a PNG file: the colours of the ground; NULL: none */
    size_t texture_bytes;
} io_scene;

/* What parts are made from. Corners are nodes i, j: each `every`-th cell, and the last ones. */
typedef struct io_surface {
    const wadi_mesh *mesh; /* with `every` above 0 */
    double exaggeration, threshold;
    int columns, rows; /* nodes */
} io_surface;
bool io_cell_has_data(const io_surface *surface, int x, int y);
double io_cell_height(const io_surface *surface, int x, int y); /* m */
int io_node_x(const io_surface *surface, int i);                /* the cell of a node */
int io_node_y(const io_surface *surface, int j);
bool io_node_has_data(const io_surface *surface, int i, int j);
double io_node_ground(const io_surface *surface, int i, int j);            /* m */
void io_node_place(const io_surface *surface, int i, int j, io_corner *c); /* at[0], at[1] and uv */
/* Whether a quad's diagonal goes from its north-west to its south-east corner. The other corners differ more in height,
 * so that it follows ridges and valleys. */
bool io_quad_falls(const io_surface *surface, int i, int j);

/* NULL: no memory; nothing has changed. */
io_part *io_scene_add(io_scene *scene, const char *name, io_material material);
void io_scene_free(io_scene *scene);
/* The number of the corner. The part must have room: io_part_room, false without memory. */
bool io_part_room(io_part *part, size_t corners, size_t triangles);
void io_part_triangle(io_part *part, uint32_t a, uint32_t b, uint32_t c);

typedef wadi_status io_mesh_writer(const char *path, const io_scene *scene);
io_mesh_writer *io_mesh_writer_of(const char *path); /* by the name's suffix; NULL: none */
io_mesh_writer io_gltf_write, io_glb_write, io_ply_write;

#endif
