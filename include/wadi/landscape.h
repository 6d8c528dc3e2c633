/* landscape.h: terrain and water as OpenGL 3.3 draws them, in perspective or as a map (library wadi_render; without
 * libepoxy all that can fail gives WADI_ERROR_UNSUPPORTED). What is drawn goes into the framebuffer that is bound. A
 * landscape needs the context that it was made in to be current whenever it is made, set, drawn or destroyed.
 *
 *     wadi_offscreen *screen;
 *     wadi_offscreen_open(1280, 720, &screen);
 *     wadi_landscape *landscape;
 *     wadi_landscape_create(width, height, lx, ly, &landscape);
 *     wadi_landscape_set(landscape, WADI_LAYER_HEIGHT, 0, 0, width, height, heights);
 *     wadi_camera camera = wadi_landscape_camera(landscape);
 *     wadi_look look = wadi_default_look();
 *     wadi_landscape_draw(landscape, &camera, &look, 1280, 720);
 *     wadi_offscreen_read(screen, &picture);
 */
#ifndef WADI_LANDSCAPE_H
#define WADI_LANDSCAPE_H

#include "wadi/render.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is shown: maps of the grid's cells. */
typedef enum wadi_layer {
    WADI_LAYER_HEIGHT,   /* m; not finite: no data, nothing is drawn there */
    WADI_LAYER_WATER,    /* m */
    WADI_LAYER_SEDIMENT, /* m, suspended: muddies the water */
    WADI_LAYER_CHANGE,   /* m: what was laid down (above 0) and worn away (below) */
    WADI_LAYER_OVERLAY,  /* any map, in colours on the ground */
    WADI_LAYERS
} wadi_layer;

/* Where from: around a point of the ground. In m from the grid's north-west corner, x to the east, y to the south. */
typedef struct wadi_camera {
    double x, y, z;   /* the point looked at */
    double azimuth;   /* degrees: the direction looked in, 0 north, 90 east */
    double elevation; /* degrees above the horizon, 1 to 90 */
    double distance;  /* m from the point */
    double view;      /* degrees from the picture's top to its bottom; 0: no perspective */
} wadi_camera;

/* A place shown on the ground or on the water over it: a disc with an outline, never smaller than a few pixels. */
typedef struct wadi_mark {
    double x, y;     /* cells from the top left corner: the first cell's centre is 0.5, 0.5 */
    double radius_m; /* 0: as small as is drawn */
    unsigned rgb;    /* 0xRRGGBB */
    bool filled;     /* else a circle */
} wadi_mark;

typedef struct wadi_look {
    double sun_azimuth, sun_elevation; /* degrees: where the sun stands */
    double exaggeration;               /* of heights; 0: 1 */
    double water_threshold_m;          /* thinner water is not drawn; 0: 0.002 of the mean cell size */
    double deep_m;                     /* water that is nearly opaque; 0: by how deep it is here */
    double height_low, height_high;    /* m: what the ground's colours go by; equal: by the heights */
    double change_m;                   /* of CHANGE: as much as is ever seen; 0: by how much it is here */
    double overlay_low, overlay_high;  /* the colours' ends; equal: by the map (wadi_landscape_legend says which) */
    const char *overlay_name;          /* as in render.h; NULL: no overlay is drawn */
    bool shadows;                      /* of the sun, and less light in hollows */
    bool sides;                        /* the block of ground that the grid is cut from */
    double quality; /* 1 (also where it is 0): as good as it gets; less: faster, for while the camera moves. Below 0.75
                       edges are not smooth, below 0.4 colours are simple too, and the mesh is coarser all the way */

    /* What is drawn on the ground, and on the water where there is some; in cells as wadi_mark and wadi_dab. */
    double ring_x, ring_y, ring_radius_m; /* a brush; radius 0: none */
    double ring_falloff;                  /* 0..1: a fainter ring where the brush begins to fall off */
    const wadi_mark *marks;               /* the caller's; read while it is drawn */
    size_t mark_count;
    bool line; /* a section's, from line_x0, line_y0 to line_x1, line_y1 */
    double line_x0, line_y0, line_x1, line_y1;
} wadi_look;
WADI_API wadi_look wadi_default_look(void);

typedef struct wadi_landscape wadi_landscape;
/* width and height 2 or more cells, lx and ly m, above 0. WADI_ERROR_UNSUPPORTED without OpenGL 3.3, or for a grid
 * larger than its textures may be. */
WADI_API wadi_status wadi_landscape_create(int width, int height, double lx, double ly, wadi_landscape **landscape);
WADI_API void wadi_landscape_destroy(wadi_landscape *landscape); /* takes NULL */
/* Cells x .. x + width - 1, y .. y + height - 1 of a layer, row after row. A layer that was never set is 0. What
 * follows from a whole map (shadows, the scales of water and of the overlay) is right in the next picture where the
 * whole layer was set; where a part was, it follows within some pictures and tenths of a second, see
 * wadi_landscape_settled. */
WADI_API wadi_status wadi_landscape_set(wadi_landscape *landscape, wadi_layer layer, int x, int y, int width,
                                        int height, const float *values);
/* A whole layer, of which only those tiles of 256 x 256 cells are sent that differ from what is there. What follows
 * from the whole map follows as where a part is set. Returns how many tiles were sent; -1: an error was set. */
WADI_API int wadi_landscape_update(wadi_landscape *landscape, wadi_layer layer, const float *values);
/* The same a bit at a time, so that no picture waits for a large map: sends `most` tiles at most, and goes on from
 * there with the next call. *all: every tile of these values has been looked at, the next call begins anew. */
WADI_API int wadi_landscape_update_some(wadi_landscape *landscape, wadi_layer layer, const float *values, int most,
                                        bool *all);
/* Draws a layer that was set before from OpenGL's buffer of width * height floats, which is read by the next command of
 * this context and not after: wadi_sim_get_gl fills it on a GPU. What else is set of the layer is then not drawn, but
 * what is reckoned without OpenGL goes by it still: light, scales, wadi_landscape_pick, how far the mesh reaches. So
 * that may follow a little later. Buffer 0: what was set is drawn again. WADI_ERROR_UNSUPPORTED: OpenGL takes no buffer
 * of that size (GL_MAX_TEXTURE_BUFFER_SIZE). */
WADI_API wadi_status wadi_landscape_set_buffer(wadi_landscape *landscape, wadi_layer layer, unsigned buffer);
/* Sets deep_m, height_low, height_high and change_m, where they are open, by the maps as they are, so that a landscape
 * that changes looks the same in all its pictures. Where there is no water, or hardly a change, yet: what suits most
 * runs, 0.45 of the mean cell size, and 0.07 of the relief. */
WADI_API wadi_status wadi_landscape_settle(wadi_landscape *landscape, wadi_look *look);
/* Draws into the bound framebuffer's rectangle 0, 0 to width, height. */
WADI_API wadi_status wadi_landscape_draw(wadi_landscape *landscape, const wadi_camera *camera, const wadi_look *look,
                                         int width, int height);

/* Whether another picture of it would be the same: false as long as something still follows from maps that changed. */
WADI_API bool wadi_landscape_settled(const wadi_landscape *landscape, const wadi_look *look);

/* How the map over the ground is drawn: its colours from low to high, evenly. */
#define WADI_LEGEND_STOPS 64
#define WADI_LEGEND_TICKS 8
typedef struct wadi_legend {
    char title[64];   /* "Flow", UTF-8 */
    const char *unit; /* "m3/s"; "": none */
    double low, high;
    bool logarithmic;                /* positions go by the value's logarithm */
    bool diverging;                  /* around 0 */
    bool empty;                      /* the map has nothing to show: 0 everywhere */
    unsigned rgb[WADI_LEGEND_STOPS]; /* 0xRRGGBB; pale where the ground shows through */
    int tick_count;                  /* round values, rising, and where they are: 0 low, 1 high */
    double ticks[WADI_LEGEND_TICKS], tick_positions[WADI_LEGEND_TICKS];
} wadi_legend;
/* false: the look has no map over the ground, or there is no memory. Needs no OpenGL. */
WADI_API bool wadi_landscape_legend(wadi_landscape *landscape, const wadi_look *look, wadi_legend *legend);
/* Draws that legend into a picture of the landscape, at the bottom left; nothing where there is none. */
WADI_API wadi_status wadi_landscape_decorate(wadi_landscape *landscape, const wadi_look *look, wadi_picture *picture);

/* Moves the camera, without turning it, so that all is seen in a picture of that size. */
WADI_API void wadi_landscape_fit(const wadi_landscape *landscape, wadi_camera *camera, const wadi_look *look, int width,
                                 int height);
/* One that sees all of it in a picture of 16 to 9, from the south, at 30 degrees. */
WADI_API wadi_camera wadi_landscape_camera(const wadi_landscape *landscape);
/* The cell seen at a pixel of a picture of that size, from its top left; with fractions, the first cell's centre at
 * 0.5, 0.5. false: the sky. */
WADI_API bool wadi_landscape_pick(const wadi_landscape *landscape, const wadi_camera *camera, const wadi_look *look,
                                  int width, int height, double pixel_x, double pixel_y, double *x, double *y);

/* A context of its own, and a framebuffer in it, with no window: by EGL. */
typedef struct wadi_offscreen wadi_offscreen;
/* Makes it current. WADI_ERROR_UNSUPPORTED where there is no EGL, or none that does OpenGL 3.3. */
WADI_API wadi_status wadi_offscreen_open(int width, int height, wadi_offscreen **screen);
WADI_API const char *wadi_offscreen_renderer(const wadi_offscreen *screen); /* "llvmpipe (LLVM 15, 256 bits)" */
WADI_API wadi_status wadi_offscreen_read(wadi_offscreen *screen, wadi_picture **picture);
WADI_API void wadi_offscreen_close(wadi_offscreen *screen); /* takes NULL */
/* For another thread: a context that shares buffers and textures with the one that is current in this thread, which
 * must be EGL's (else WADI_ERROR_UNSUPPORTED). It has no picture. */
WADI_API wadi_status wadi_offscreen_share(wadi_offscreen **screen);
WADI_API wadi_status wadi_offscreen_use(wadi_offscreen *screen); /* makes it current in this thread */

#ifdef __cplusplus
}
#endif
#endif
