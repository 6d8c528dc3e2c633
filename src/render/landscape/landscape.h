/* landscape.h (internal): what the parts of the landscape know of each other.
 *
 * The world is in m: x to the east, y to the south, z up, (0, 0) in the grid's middle, heights exaggerated. Cells'
 * centres are the mesh's corners. */
#ifndef RENDER_LANDSCAPE_H
#define RENDER_LANDSCAPE_H

#include <epoxy/gl.h>
#include <math.h>

#include "render/scene.h"
#include "wadi/landscape.h"

/* --- shaders --- */

/* A program of two of the embedded shaders, after the line `define` (or ""); 0: an error was set. */
GLuint landscape_program(const char *vertex, const char *fragment, const char *define);

/* --- mathematics --- */

typedef struct vec3 {
    double x, y, z;
} vec3;
typedef struct mat4 {
    double m[16]; /* by columns */
} mat4;

static inline vec3 vec3_minus(vec3 a, vec3 b) { return (vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline vec3 vec3_along(vec3 a, vec3 d, double t) { return (vec3){a.x + d.x * t, a.y + d.y * t, a.z + d.z * t}; }
static inline double vec3_dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
vec3 vec3_unit(vec3 a);
/* Towards (azimuth, elevation), degrees. */
vec3 vec3_towards(double azimuth, double elevation);

/* --- what is seen --- */

typedef struct eye {
    vec3 at, forward, right, up;
    mat4 view_projection;
    double half_height, aspect; /* of the picture: at distance 1, or m where there is no perspective */
    bool perspective;
    double pixels_at_one; /* that 1 m at distance 1 has (without perspective at any) */
} eye;
eye eye_of(const wadi_landscape *landscape, const wadi_camera *camera, const wadi_look *look, int width, int height);
/* Of a pixel's middle: where it starts, and its unit direction. */
void eye_ray(const eye *eye, double across, double down, vec3 *from, vec3 *towards);

/* m, exaggerated: of ground and water, between cells' centres at whole columns and rows. */
double landscape_surface(const wadi_landscape *landscape, double column, double row, double exaggeration);

/* Tells a program with marks.glsl what a look has drawn on the ground, in a picture of that height. */
void landscape_tell_marks(GLuint program, const wadi_landscape *landscape, const eye *eye, const wadi_look *look,
                          int height);

/* --- the mesh: square patches of a quadtree, coarser with distance (after Strugar's CDLOD) --- */

#define PATCH 64 /* quads along a patch's side */

typedef struct patch {
    float x, y, scale; /* first cell, cells a quad */
} patch;

typedef struct patches {
    patch *list;
    size_t count, room;
} patches;

typedef struct block_range { /* heights of a square of PATCH cells */
    float low, high;
} block_range;

/* The patches that this eye sees, coarse where far. false: no memory. */
bool landscape_choose(const wadi_landscape *landscape, const eye *eye, double exaggeration, patches *chosen);
/* The distance from which on a level of detail does: its quads are small there. */
double landscape_reach(const wadi_landscape *landscape, const eye *eye, int level);

/* --- a landscape --- */

typedef struct layer {
    GLuint texture;
    bool set;
    float low, high; /* of all its values that are finite */
} layer;

struct wadi_landscape {
    int width, height;
    double lx, ly;
    layer layers[WADI_LAYERS];
    float *heights; /* holes filled */
    float *water;   /* NULL: none */
    uint8_t *there; /* whether a cell has data; NULL: all have */
    GLuint there_texture;
    block_range *blocks; /* blocks_x * blocks_y */
    int blocks_x, blocks_y;
    float deep_m;    /* 95 % of the wet cells are less deep; 0: to be found */
    float *overlay;  /* NULL: none */
    char scaled[32]; /* the name for which the map's own scale was chosen; "": for none */
    render_scale scale;
    const render_palette *coloured; /* what colours are of; NULL: none yet */
    render_ramp colours;

    GLuint terrain, water_program, side, sky, light;
    GLuint patch_array, patch_vertices, patch_indices, instances, side_array, side_vertices, empty_array;
    int side_count;
    GLuint noise, ramp; /* textures: values that look random; the overlay's colours */
    GLuint light_map, light_frame;
    int light_width, light_height;
    bool light_stale;
    double lit_for[3]; /* the sun and the exaggeration that the light map was made for */
    patches seen;
};

/* --- a map over the ground --- */

bool landscape_is_overlaid(const wadi_landscape *landscape, const wadi_look *look);
/* Its colours and their scale, as in a map's picture; where there is one. */
wadi_status landscape_overlay(wadi_landscape *landscape, const wadi_look *look, render_layer *overlay);

static inline double look_exaggeration(const wadi_look *look) {
    return look->exaggeration > 0 ? look->exaggeration : 1;
}
static inline double landscape_cell(const wadi_landscape *l) { return l->lx < l->ly ? l->lx : l->ly; }
static inline double landscape_width(const wadi_landscape *l) { return l->lx * (l->width - 1); }
static inline double landscape_depth(const wadi_landscape *l) { return l->ly * (l->height - 1); }

/* m, exaggerated: where the cut through the ground ends. */
static inline double landscape_base(const wadi_landscape *l, double exaggeration) {
    return (double)l->layers[WADI_LAYER_HEIGHT].low * exaggeration -
           0.05 * hypot(landscape_width(l), landscape_depth(l));
}

#endif
