/* render.h: a map drawn as a picture (library wadi_render; needs no file format library). */
#ifndef WADI_RENDER_H
#define WADI_RENDER_H

#include "wadi/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wadi_picture {
    int width, height;
    uint8_t *rgb; /* width * height * 3, sRGB */
} wadi_picture;

/* What is drawn. Each map is width * height values or NULL, and stays the caller's. Heights that are NaN or infinite
 * are drawn as no data. src/render/README.md says what is chosen for a 0, and what the colours mean. */
typedef struct wadi_view {
    int width, height;        /* cells, 2 or more each */
    double lx, ly;            /* m, above 0; pixels are square on the ground whatever these are */
    const float *heights;     /* m; needed */
    const float *water;       /* m: blue by depth */
    const float *sediment;    /* m, suspended: reddens the water, or the ground where no water is given */
    const float *deposition;  /* m: ochre on the ground */
    const float *overlay;     /* any map, drawn over the relief with overlay_name's colours */
    const char *overlay_name; /* "flow", "erosion", "velocity", ...: names its legend, picks colours and scale */
    const char *overlay_unit; /* NULL: what goes with the name */
    double exaggeration;      /* vertical; 0: chosen from the relief */
    double water_threshold_m; /* thinner water is not drawn; 0: 0.002 of the mean cell size */
    double height_low;        /* m: where the colours of heights begin, */
    double height_middle;     /* where the middle one is, */
    double height_high;       /* and where they end; low = high: chosen from the heights */
    double deep_m;            /* water that is almost at its darkest; 0: chosen from the water */
    double scale;             /* pixels along a cell's shorter side; 0: chosen, longer side near 1200 pixels */
    bool tint;                /* hypsometric tint (default true); false: grey */
    bool decorate;            /* title, scale bar and legend in margins around the map (default true) */
    const char *title;        /* UTF-8; NULL: none */
    int threads;              /* 0: all; the picture is the same for any number */
} wadi_view;
WADI_API wadi_view wadi_default_view(int width, int height, double lx, double ly, const float *heights);
/* Sets exaggeration, height_* and deep_m, where they are open, to what wadi_render_map would choose, so that a terrain
 * that changes looks the same in all its pictures; where there is no water yet deep_m is 0.3 of the mean cell size,
 * which suits most runs. Errors as below. */
WADI_API wadi_status wadi_view_settle(wadi_view *view);
/* Argument error for a view that cannot be drawn (sizes, scale, a picture beyond 65535 pixels a side); memory error.
 * *picture is then NULL; else it is the caller's, to be destroyed. */
WADI_API wadi_status wadi_render_map(const wadi_view *view, wadi_picture **picture);

/* A diagram: a line through points, or bars. The arrays stay the caller's. Axes begin at the lowest and end at the
 * highest number of each array, bars at 0; labels are UTF-8, NULL: none. */
typedef struct wadi_plot {
    const char *title, *x_label, *y_label;
    int count;       /* points, 2 or more; or bars, 1 or more */
    const double *x; /* count, rising; of bars count + 1: bar i goes from x[i] to x[i + 1] */
    const double *y; /* count, finite */
    bool bars;
    const char *note; /* a line below */
} wadi_plot;
/* Plots side by side, 1 to 8 of them, under a title (NULL: none). Argument error for plots without points or with
 * numbers that are not finite; memory error. *picture is then NULL; else it is the caller's. */
WADI_API wadi_status wadi_render_plots(const wadi_plot *plots, int count, const char *title, wadi_picture **picture);
WADI_API void wadi_picture_destroy(wadi_picture *picture); /* takes NULL */

#ifdef __cplusplus
}
#endif
#endif
