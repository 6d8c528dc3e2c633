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
    double pixels_a_quad; /* that the mesh's quads are large at least, but for the finest */
    double above;         /* m above all ground; 0: not above all */
    double shift;         /* m: makes what is ahead of the eye more than 0 without perspective too */
} eye;
eye eye_of(const wadi_landscape *landscape, const wadi_camera *camera, const wadi_look *look, int width, int height);
/* Of a pixel's middle: where it starts, and its unit direction. */
void eye_ray(const eye *eye, double across, double down, vec3 *from, vec3 *towards);

/* m, exaggerated: of ground and water, between cells' centres at whole columns and rows. */
double landscape_surface(const wadi_landscape *landscape, double column, double row, double exaggeration);

/* --- the mesh: square patches of a quadtree, coarser with distance (after Strugar's CDLOD) --- */

#define PATCH 32 /* quads along a patch's side */
#define PATCH_INDICES (PATCH * PATCH * 6)
#define RIM_INDICES (4 * PATCH * 6) /* of quads from its rim down */

typedef struct patch {
    float x, y, scale; /* first cell, cells a quad */
} patch;

typedef struct patches {
    patch *list;
    size_t count, room;
} patches;

typedef struct value_range {
    float low, high;
} value_range;
#define NOTHING ((value_range){INFINITY, -INFINITY})
/* m: of ground and water, from column and row to column and row in any order; a little more. */
value_range landscape_heights(const wadi_landscape *landscape, double x0, double y0, double x1, double y1);

/* The patches that this eye sees, coarse where far: all, and those at the grid's rim. false: no memory. */
bool landscape_choose(wadi_landscape *landscape, const eye *eye, double exaggeration);
/* The distance from which on a level of detail does: its quads are small there. Distances are along the map, with how
 * high the eye stands above all ground: so a patch's own height makes no difference. */
double landscape_reach(const wadi_landscape *landscape, const eye *eye, int level);

/* --- what the mesh is drawn into, before anything has a colour --- */

#define MOST_SAMPLES 4

typedef struct frame {
    int width, height, samples; /* of a pixel */
    GLuint grounds, surfaces;   /* textures: m ahead of the eye; 0: nothing, below 0: the cut through the ground */
    GLuint picture;             /* the pixels' colours */
    GLuint depths, kinds;       /* of the samples; and of the pixels, whose stencil says what is seen in them */
    GLuint to_grounds, to_surfaces, to_picture;
    GLfloat spots_x[MOST_SAMPLES], spots_y[MOST_SAMPLES]; /* of the samples, from a pixel's middle */
} frame;
/* What is seen in a pixel. A shader would work out what it then leaves out: llvmpipe takes both ways of every if. */
enum { SEEN_SKY = 1, SEEN_GROUND = 2, SEEN_CUT = 4, SEEN_WATER = 8 };
bool landscape_frame(frame *frame, int width, int height, int samples); /* false: there is no room */
void landscape_free_frame(frame *frame);
int landscape_most_samples(void);

/* What colours pixels, in this order; KIND tells apart what is seen in them, COPY puts them where they are wanted. */
typedef enum pass { PASS_SKY, PASS_GROUND, PASS_CUT, PASS_WATER, PASS_MARKS, PASS_KIND, PASS_COPY, PASSES } pass;
#define SHADINGS 3

/* --- a landscape --- */

#define TILE 256  /* cells a side: what is compared and sent at once */
#define LEVELS 24 /* a map and smaller copies of it, each half the one before, at most */

typedef struct layer {
    GLuint texture;
    float *levels[LEVELS]; /* as they are drawn: finite, holes filled; the smaller ones of heights and water alone */
    bool set;
    bool from_buffer;            /* the texture is: values that are set are for what is reckoned here */
    bool small_stale;            /* copies that are not yet on the device: see landscape_send_small */
    value_range *blocks, *tiles; /* of PATCH cells a side: blocks_x * blocks_y; of TILE: tiles_x * tiles_y */
    float low, high;             /* of all cells with data */
    int next;                    /* the tile that wadi_landscape_update_some goes on with */
} layer;

/* What follows from whole maps. BEHIND: may wait; DUE: before the next picture. */
typedef enum age { UP_TO_DATE, BEHIND, DUE } age;
#define FOLLOWS_S 0.3 /* that it may be behind */

#define LIGHT_SCALES 6 /* at which what stands higher around is looked at, twice the size each */

typedef struct light {
    age age;
    int level; /* of the heights it is made from */
    int width, height;
    bool making;                 /* begun and not yet shown */
    int next;                    /* row of a copy, row or line of what is being made */
    double worked;               /* s: when some of it last was */
    uint8_t *map;                /* of each place how much of the sky it sees, and of the sun */
    int copy_rows[LIGHT_SCALES]; /* of the smaller copies of the heights, which are stretched to this width */
    float *stretched;            /* all but the first, one after the other */
    float *rows;                 /* 6 of width + height: what is being worked out */
    GLuint texture;
} light;

struct wadi_landscape {
    int width, height;
    double lx, ly;
    int cores; /* of this machine */
    int level_count, tiles_x, tiles_y, blocks_x, blocks_y;
    layer layers[WADI_LAYERS];
    uint8_t *there; /* whether a cell has data; NULL: all have */
    GLuint there_texture;
    float deep_m; /* 95 % of the wet cells are less deep */
    age deep_age;
    double deep_found, deep_threshold; /* when (s), and what was wet then (m) */
    char scaled[32];                   /* the name for which the map's own scale was chosen; "": for none */
    age scale_age;
    double scale_found;
    render_scale scale;
    const render_palette *coloured; /* what colours are of; NULL: none yet */
    render_ramp colours;
    light light;
    double lit_for[3]; /* the sun and the exaggeration that the light map is made for */

    GLuint places[2][2];                    /* programs of ground and water: without holes, with holes */
    GLuint colours_of[SHADINGS][2][PASSES]; /* without and with an overlay */
    GLuint patch_array, patch_vertices, patch_indices, instances, empty_array;
    int most_samples;
    frame frames[2];                               /* of one sample, of several */
    GLuint map_programs[2], map_frame, map_buffer; /* what maps from buffers take */
    GLuint noise, ramp;                            /* textures: values that look random; the overlay's colours */
    patches seen, rim;
};

/* Sends what setting has left for the next picture. */
void landscape_send_small(wadi_landscape *landscape);
/* All of a layer as it was set. */
void landscape_send_levels(wadi_landscape *landscape, wadi_layer which);
void landscape_free_buffers(wadi_landscape *landscape);

static inline int level_size(int size, int level) { return size >> level > 0 ? size >> level : 1; }
/* One without smaller copies, not filled. */
GLuint landscape_texture(int width, int height, GLint format, GLenum kind, GLenum type, GLint least, GLint wrap);

/* --- the light on it --- */

bool landscape_make_light(wadi_landscape *landscape); /* false: no memory */
/* Makes it anew where the ground, the sun or the exaggeration changed, or some of it. */
void landscape_light_up(wadi_landscape *landscape, const wadi_look *look);

/* --- a map over the ground --- */

bool landscape_is_overlaid(const wadi_landscape *landscape, const wadi_look *look);
/* Its colours and their scale, as in a map's picture; where there is one. */
wadi_status landscape_overlay(wadi_landscape *landscape, const wadi_look *look, render_layer *overlay);

static inline double look_exaggeration(const wadi_look *look) {
    return look->exaggeration > 0 ? look->exaggeration : 1;
}
static inline double look_quality(const wadi_look *look) { return look->quality > 0 ? look->quality : 1; }
static inline double landscape_cell(const wadi_landscape *l) { return l->lx < l->ly ? l->lx : l->ly; }
static inline double landscape_width(const wadi_landscape *l) { return l->lx * (l->width - 1); }
static inline double landscape_depth(const wadi_landscape *l) { return l->ly * (l->height - 1); }

/* m, exaggerated: where the cut through the ground ends. */
static inline double landscape_base(const wadi_landscape *l, double exaggeration) {
    return (double)l->layers[WADI_LAYER_HEIGHT].low * exaggeration -
           0.05 * hypot(landscape_width(l), landscape_depth(l));
}

#endif
