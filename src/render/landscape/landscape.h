/* landscape.h (internal): the interface between the parts of the landscape.
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
vec3 landscape_vec3_unit(vec3 a);
/* Towards (azimuth, elevation), degrees. */
vec3 landscape_vec3_towards(double azimuth, double elevation);

/* --- the eye --- */

typedef struct eye {
    vec3 at, forward, right, up;
    mat4 view_projection;
    double half_height, aspect; /* of the picture: at distance 1, or m without perspective */
    bool perspective;
    double pixels_at_one; /* pixels of 1 m at distance 1 (at any distance without perspective) */
    double pixels_a_quad; /* least size of a quad in pixels, except in the finest level */
    double above;         /* m above all ground; 0: not above all */
    double shift;         /* m: makes depths positive without perspective too */
} eye;
eye landscape_eye_of(const wadi_landscape *landscape, const wadi_camera *camera, const wadi_look *look, int width,
                     int height);
/* The ray of a pixel's centre: its start and its unit direction. */
void landscape_eye_ray(const eye *eye, double across, double down, vec3 *from, vec3 *towards);

/* m, exaggerated: height of ground, ice and water. Whole columns and rows are centres of cells; between them
 * interpolated.
 */
double landscape_surface(const wadi_landscape *landscape, double column, double row, double exaggeration);

/* --- the mesh: square patches of a quadtree, coarser with distance (after Strugar's CDLOD) --- */

#define PATCH 32 /* quads along a patch's side */
#define PATCH_INDICES (PATCH * PATCH * 6)
#define RIM_INDICES (4 * PATCH * 6) /* quads from the rim down */

typedef struct patch {
    float x, y, scale; /* first cell; cells per quad */
} patch;

typedef struct patches {
    patch *list;
    size_t count, room;
} patches;

typedef struct value_range {
    float low, high;
} value_range;
#define NOTHING ((value_range){INFINITY, -INFINITY})
/* m: of ground, ice and water, from column and row to column and row in any order; a little more. */
value_range landscape_heights(const wadi_landscape *landscape, double x0, double y0, double x1, double y1);

/* The visible patches, coarser with the distance: all, and those at the grid's rim. false: no memory. */
bool landscape_choose(wadi_landscape *landscape, const eye *eye, double exaggeration);
/* The least distance of a level of detail: its quads are small enough there. Distances are along the map, plus the
 * height of the eye above all ground. So the height of a patch makes no difference. */
double landscape_reach(const wadi_landscape *landscape, const eye *eye, int level);

/* --- the framebuffer of the first pass --- */

#define MOST_SAMPLES 4

typedef struct frame {
    int width, height, samples; /* of a pixel */
    GLuint grounds, surfaces;   /* textures: depth in m; 0: nothing, below 0: the cut face */
    GLuint picture;             /* the pixels' colours */
    GLuint depths, kinds;       /* of the samples; of the pixels, with a stencil of the visible kind */
    GLuint to_grounds, to_surfaces, to_picture;
    GLfloat spots_x[MOST_SAMPLES], spots_y[MOST_SAMPLES]; /* positions of the samples, from a pixel's centre */
} frame;
/* The visible kinds of a pixel, for the stencil. A test in the shader would be slow: llvmpipe evaluates both sides of
 * every if. */
enum { SEEN_SKY = 1, SEEN_GROUND = 2, SEEN_CUT = 4, SEEN_WATER = 8 };
bool landscape_frame(frame *frame, int width, int height, int samples); /* false: no memory */
void landscape_free_frame(frame *frame);
int landscape_most_samples(void);

/* The passes that colour pixels, in this order. KIND finds the visible kind. COPY copies to the target framebuffer. */
typedef enum pass { PASS_SKY, PASS_GROUND, PASS_CUT, PASS_WATER, PASS_MARKS, PASS_KIND, PASS_COPY, PASSES } pass;
#define SHADINGS 3
enum { OVERLAID = 1, DRY = 2, ICY = 4, FORMS = 8 }; /* of the programs that colour */

/* --- a landscape --- */

#define TILE 256  /* cells per side: the unit of comparing and uploading */
#define LEVELS 24 /* largest number of copies of a map, each half the one before */

typedef struct layer {
    GLuint texture;
    float *levels[LEVELS]; /* as drawn: finite, holes filled; smaller copies only of heights and water */
    bool set;
    bool from_buffer;            /* the texture comes from a buffer; set values are for the CPU */
    bool small_stale;            /* small copies are not yet uploaded: see landscape_send_small */
    value_range *blocks, *tiles; /* of PATCH cells a side: blocks_x * blocks_y; of TILE: tiles_x * tiles_y */
    float low, high;             /* of all cells with data */
    int next;                    /* the next tile of wadi_landscape_update_some */
} layer;

/* Results from whole maps. BEHIND: may wait; DUE: needed before the next picture. */
typedef enum age { UP_TO_DATE, BEHIND, DUE } age;
#define FOLLOWS_S 0.3 /* largest delay */

#define LIGHT_SCALES 6 /* scales of the horizon, each twice the one before */

typedef struct light {
    age age;
    int level; /* of the heights used */
    int width, height;
    bool making;                 /* started and not yet shown */
    int next;                    /* the next row of a copy, or row or line of the new map */
    double worked;               /* s: time of the last work */
    uint8_t *map;                /* visible shares of the sky and of the sun, for each place */
    int copy_rows[LIGHT_SCALES]; /* rows of the smaller copies of the heights, stretched to this width */
    float *stretched;            /* heights and their copies, one after the other */
    float *rows;                 /* 6 rows of width + height, for work */
    GLuint texture;
} light;

struct wadi_landscape {
    int width, height;
    double lx, ly;
    int cores; /* of this machine */
    int level_count, tiles_x, tiles_y, blocks_x, blocks_y;
    layer layers[WADI_LAYERS];
    uint8_t *there; /* whether a cell has data; NULL: all */
    GLuint there_texture;
    float deep_m; /* 95 % quantile of the depth of wet cells */
    age deep_age;
    double deep_found, deep_threshold; /* time of the quantile (s), and the threshold that was given (m) */
    double film_m;                     /* threshold where none is given */
    double river_m;                    /* depth of the smallest river that shows */
    double sea_m;                      /* level of the sea when a look was settled; -INFINITY: none */
    bool sea_settled;                  /* it is used with looks whose heights are given */
    double firn_m;                     /* height of the lowest firn */
    double firn_found;                 /* time of that (s) */
    age firn_age;
    char scaled[32]; /* the overlay name of the automatic scale; "": none */
    age scale_age;
    double scale_found;
    render_scale scale;
    const render_palette *coloured; /* of the current colours; NULL: none */
    render_ramp colours;
    light light;
    double lit_for[3]; /* sun and exaggeration of the light map */

    GLuint places[2][2][2]; /* programs of ground and water: without and with holes, without and with ice */
    GLuint colours_of[SHADINGS][FORMS][PASSES];
    GLuint patch_array, patch_vertices, patch_indices, instances, empty_array;
    int most_samples;
    frame frames[2];                               /* of one sample, of several */
    GLuint map_programs[2], map_frame, map_buffer; /* for maps from buffers */
    GLuint noise, ramp;                            /* textures: noise; colours of the overlay */
    patches seen, rim;
};

void landscape_begin_layer(layer *layer);
void landscape_free_layer(layer *layer);
bool landscape_is_depth(wadi_layer which); /* never below 0 */
/* Uploads the small copies that are not yet on the device. */
void landscape_send_small(wadi_landscape *landscape);
/* Uploads all levels of a layer. */
void landscape_send_levels(wadi_landscape *landscape, wadi_layer which);
void landscape_free_buffers(wadi_landscape *landscape);

static inline int level_size(int size, int level) { return size >> level > 0 ? size >> level : 1; }
/* One without smaller copies, not filled. */
GLuint landscape_texture(int width, int height, GLint format, GLenum kind, GLenum type, GLint least, GLint wrap);

/* --- the light --- */

bool landscape_make_light(wadi_landscape *landscape); /* false: no memory */
/* Updates the light map, or a part of it, if the ground, the sun or the exaggeration changed. */
void landscape_light_up(wadi_landscape *landscape, const wadi_look *look);

/* --- ice --- */

bool landscape_is_icy(const wadi_landscape *landscape); /* anywhere */
/* m: height of the lowest firn. Below it ice is bare. */
double landscape_firn_line(wadi_landscape *landscape);

/* --- the overlay --- */

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

/* m: no ground and no ice is higher. */
static inline double landscape_top(const wadi_landscape *l) {
    return (double)l->layers[WADI_LAYER_HEIGHT].high + (double)l->layers[WADI_LAYER_ICE].high;
}

/* m, exaggerated: the base of the cut face. */
static inline double landscape_base(const wadi_landscape *l, double exaggeration) {
    return (double)l->layers[WADI_LAYER_HEIGHT].low * exaggeration -
           0.05 * hypot(landscape_width(l), landscape_depth(l));
}

#endif
