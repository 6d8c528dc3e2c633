/* landscape.h: draws terrain and water by OpenGL 3.3, in perspective or as a map (library wadi_render). In a build
 * without libepoxy every call that can fail gives WADI_ERROR_UNSUPPORTED. Pictures go into the bound framebuffer. The
 * OpenGL context of a landscape must be current when the landscape is created, set, drawn or destroyed.
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

/* The maps to show, one value per cell. */
typedef enum wadi_layer {
    WADI_LAYER_HEIGHT,   /* m; not finite: no data, not drawn */
    WADI_LAYER_WATER,    /* m */
    WADI_LAYER_SEDIMENT, /* m, suspended: muddies the water */
    WADI_LAYER_CHANGE,   /* m: deposition (above 0) and erosion (below 0) */
    WADI_LAYER_OVERLAY,  /* any map, drawn in colours on the ground */
    WADI_LAYER_ICE,      /* m: lies on the ground, under the water */
    WADI_LAYERS
} wadi_layer;

/* The camera orbits a point of the ground. In m from the grid's north-west corner, x to the east, y to the south. */
typedef struct wadi_camera {
    double x, y, z;   /* the point looked at */
    double azimuth;   /* degrees: viewing direction, 0 north, 90 east */
    double elevation; /* degrees above the horizon, 1 to 90 */
    double distance;  /* m from the point */
    double view;      /* degrees: vertical field of view; 0: no perspective */
} wadi_camera;

/* A place shown on the ground or on the water over it: a disc with an outline, never smaller than a few pixels. */
typedef struct wadi_mark {
    double x, y;     /* cells from the top left corner: the first cell's centre is 0.5, 0.5 */
    double radius_m; /* 0: the smallest size that is drawn */
    unsigned rgb;    /* 0xRRGGBB */
    bool filled;     /* else a circle */
} wadi_mark;

typedef struct wadi_look {
    double sun_azimuth, sun_elevation; /* degrees: position of the sun */
    double exaggeration;               /* of heights; 0: 1 */
    double water_threshold_m;          /* thinner water is not drawn; 0: as in render.h */
    double deep_m;                     /* depth of nearly opaque water; 0: automatic, from the water */
    wadi_ground ground;
    double height_low, height_high; /* m: range of the ground's colours; equal: automatic, from the heights */
    double change_m;                /* CHANGE at full colour; 0: automatic, from the change */
    double overlay_low,
        overlay_high;         /* range of the colours; equal: automatic, from the map (see wadi_landscape_legend) */
    const char *overlay_name; /* as in render.h; NULL: no overlay is drawn */
    bool shadows;             /* shadows of the sun, and less light in hollows */
    bool detail;    /* bumps of rock and plants, smaller than a cell or a few: in the light, not in the heights */
    bool sides;     /* the cut faces at the rim of the grid */
    bool unlit;     /* the ground's colours alone, without light, air and water: a texture */
    double quality; /* 1 (or 0): the best; less is faster, for a moving camera: the mesh is coarser, below 0.75 edges
                       are not smooth, and below 0.4 colours are simpler too */

    /* Marks on the ground or the water. Positions are in cells, as in wadi_mark and wadi_dab. */
    double ring_x, ring_y, ring_radius_m; /* a brush; radius 0: none */
    double ring_falloff;                  /* 0..1: a fainter ring where the brush begins to weaken */
    const wadi_mark *marks;               /* owned by the caller, read during drawing */
    size_t mark_count;
    bool line; /* the line of a section from line_x0, line_y0 to line_x1, line_y1 */
    double line_x0, line_y0, line_x1, line_y1;
    const double (*outline)[2]; /* corners of an area, closed by a line to the first; owned by the caller, likewise */
    size_t outline_corners;     /* 0: none */
} wadi_look;
WADI_API wadi_look wadi_default_look(void);

typedef struct wadi_landscape wadi_landscape;
/* width and height: 2 or more cells. lx and ly: m, above 0. WADI_ERROR_UNSUPPORTED without OpenGL 3.3, or for a grid
 * that is larger than a texture may be. */
WADI_API wadi_status wadi_landscape_create(int width, int height, double lx, double ly, wadi_landscape **landscape);
WADI_API void wadi_landscape_destroy(wadi_landscape *landscape); /* takes NULL */
/* Sets the cells x .. x + width - 1, y .. y + height - 1 of a layer, row after row. A layer that was never set is 0.
 * Some results need the whole map: shadows, the scales of water and overlay, and the height above which ice is white.
 * After setting a whole layer they are right in the next picture. After setting a part they follow within some pictures
 * and tenths of a second (see wadi_landscape_settled). */
WADI_API wadi_status wadi_landscape_set(wadi_landscape *landscape, wadi_layer layer, int x, int y, int width,
                                        int height, const float *values);
/* Makes a layer 0 everywhere, as if it had never been set, also if it is drawn from a buffer. WADI_ERROR_ARGUMENT for
 * the heights. */
WADI_API wadi_status wadi_landscape_clear(wadi_landscape *landscape, wadi_layer layer);
/* Sets a whole layer, but uploads only the tiles of 256 x 256 cells that changed. Results from the whole map follow as
 * after setting a part. Returns the number of uploaded tiles; -1: an error was set. */
WADI_API int wadi_landscape_update(wadi_landscape *landscape, wadi_layer layer, const float *values);
/* The same in parts, so that no picture waits for a large map: uploads at most `most` tiles, and continues there at the
 * next call. *all: every tile of these values has been compared, and the next call begins again. */
WADI_API int wadi_landscape_update_some(wadi_landscape *landscape, wadi_layer layer, const float *values, int most,
                                        bool *all);
/* Draws a layer from an OpenGL buffer of width * height floats. wadi_sim_get_gl fills such buffers on a GPU. The next
 * command of this context reads the buffer; later ones do not. The layer must have been set before. Its set values are
 * not drawn then, but computations on the CPU still use them: light, scales, the height above which ice is white,
 * wadi_landscape_pick, the extent of the mesh. So these may be set a little later. Buffer 0: draws the set values
 * again. WADI_ERROR_UNSUPPORTED: OpenGL allows no buffer of that size (GL_MAX_TEXTURE_BUFFER_SIZE). */
WADI_API wadi_status wadi_landscape_set_buffer(wadi_landscape *landscape, wadi_layer layer, unsigned buffer);
/* Sets automatic values of deep_m, height_low, height_high and change_m from the current maps. So all pictures of a
 * changing landscape use the same scales. The height above which ice is white follows the ice. Without water, deep_m
 * becomes 0.45 of the mean cell size. Almost without a change, change_m becomes 0.07 of the relief. Both suit most
 * runs. */
WADI_API wadi_status wadi_landscape_settle(wadi_landscape *landscape, wadi_look *look);
/* Draws into the rectangle 0, 0 to width, height of the bound framebuffer. */
WADI_API wadi_status wadi_landscape_draw(wadi_landscape *landscape, const wadi_camera *camera, const wadi_look *look,
                                         int width, int height);

/* Whether the next picture would be the same: false while results of changed maps are still being computed. */
WADI_API bool wadi_landscape_settled(const wadi_landscape *landscape, const wadi_look *look);

/* The colours of the overlay from low to high, at even steps. */
#define WADI_LEGEND_STOPS 64
#define WADI_LEGEND_TICKS 8
typedef struct wadi_legend {
    char title[64];   /* "Flow", UTF-8 */
    const char *unit; /* "m3/s"; "": none */
    double low, high;
    bool logarithmic;                /* positions are proportional to the logarithm */
    bool diverging;                  /* around 0 */
    bool empty;                      /* the map has nothing to show: 0 everywhere */
    unsigned rgb[WADI_LEGEND_STOPS]; /* 0xRRGGBB; pale where the ground shows through */
    int tick_count;                  /* round values, rising, and their positions: 0 low, 1 high */
    double ticks[WADI_LEGEND_TICKS], tick_positions[WADI_LEGEND_TICKS];
} wadi_legend;
/* false: the look has no overlay, or there is no memory. Needs no OpenGL. */
WADI_API bool wadi_landscape_legend(wadi_landscape *landscape, const wadi_look *look, wadi_legend *legend);
/* Draws that legend into a picture of the landscape, at the bottom left, if there is one. */
WADI_API wadi_status wadi_landscape_decorate(wadi_landscape *landscape, const wadi_look *look, wadi_picture *picture);

/* Moves the camera, without turning it, so that a picture of that size shows the whole landscape. */
WADI_API void wadi_landscape_fit(const wadi_landscape *landscape, wadi_camera *camera, const wadi_look *look, int width,
                                 int height);
/* A camera that shows the whole landscape in a picture of 16 to 9, from the south, at 30 degrees. */
WADI_API wadi_camera wadi_landscape_camera(const wadi_landscape *landscape);
/* Finds the cell at a pixel of a picture of that size. Pixels count from the top left. Cells have fractions: the first
 * cell's centre is 0.5, 0.5. false: the sky. */
WADI_API bool wadi_landscape_pick(const wadi_landscape *landscape, const wadi_camera *camera, const wadi_look *look,
                                  int width, int height, double pixel_x, double pixel_y, double *x, double *y);

/* An OpenGL context with a framebuffer and without a window, through EGL. */
typedef struct wadi_offscreen wadi_offscreen;
/* Makes the context current. WADI_ERROR_UNSUPPORTED without EGL or OpenGL 3.3. */
WADI_API wadi_status wadi_offscreen_open(int width, int height, wadi_offscreen **screen);
WADI_API const char *wadi_offscreen_renderer(const wadi_offscreen *screen); /* "llvmpipe (LLVM 15, 256 bits)" */
WADI_API wadi_status wadi_offscreen_read(wadi_offscreen *screen, wadi_picture **picture);
WADI_API void wadi_offscreen_close(wadi_offscreen *screen); /* takes NULL */
/* For another thread: creates a context without a picture. It shares buffers and textures with this thread's current
 * context, which must be an EGL context (else WADI_ERROR_UNSUPPORTED). */
WADI_API wadi_status wadi_offscreen_share(wadi_offscreen **screen);
WADI_API wadi_status wadi_offscreen_use(wadi_offscreen *screen); /* makes it current in this thread */

#ifdef __cplusplus
}
#endif
#endif
