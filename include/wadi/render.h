/* render.h: draws maps as pictures (library wadi_render; needs no file format library). */
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

/* Colours of suspended and of deposited sediment. */
typedef enum wadi_colours {
    WADI_COLOURS_STANDARD, /* red and ochre */
    WADI_COLOURS_MEI,      /* green and red, as in Mei et al. 2007 */
} wadi_colours;

/* Colours of the ground. */
typedef enum wadi_ground {
    WADI_GROUND_GREEN, /* woods in 3-D, grass, rock and snow */
    WADI_GROUND_DRY,   /* sand, ochre and bare rock */
} wadi_ground;

/* The maps to draw and how. Each map has width * height values or is NULL, and belongs to the caller. NaN and infinite
 * heights are drawn as cells without data. src/render/README.md describes the automatic values and the colours. */
typedef struct wadi_view {
    int width, height;        /* cells, 2 or more each */
    double lx, ly;            /* m, above 0; pixels are square on the ground for any cell shape */
    const float *heights;     /* m; required */
    const float *water;       /* m: blue by depth */
    const float *sediment;    /* m, suspended: reddens the water, or the ground if `water` is NULL */
    const float *deposition;  /* m: ochre on the ground */
    const float *ice;         /* m: lies on the ground, under the water; white, bluer where it is thick */
    const float *overlay;     /* any map, drawn over the relief with overlay_name's colours */
    const char *overlay_name; /* "flow", "erosion", "velocity", ...: sets the legend, colours and scale */
    const char *overlay_unit; /* NULL: the unit of the named map */
    double exaggeration;      /* vertical; 0: automatic, from the relief */
    double water_threshold_m; /* thinner water is not drawn; 0: the film of rain, wadi_view_film, except rivers */
    double height_low;        /* m: the height of the first colour, */
    double height_middle;     /* of the middle one, */
    double height_high;       /* and of the last; low = high: automatic, from the heights */
    double deep_m;            /* depth of nearly the darkest water; 0: automatic, from the water */
    double thick_m;           /* thickness of the bluest ice; 0: automatic, the greatest thickness */
    double
        scale; /* pixels along a cell's shorter side; 0: automatic, longer side near 1200 pixels, of small grids 600 */
    wadi_colours colours; /* of `sediment` and `deposition`, and of these maps as an overlay */
    wadi_ground ground;   /* of the tint */
    bool tint;            /* hypsometric tint (default true); false: grey */
    bool decorate;        /* title, scale bar and legend in margins around the map (default true) */
    const char *title;    /* UTF-8; NULL: none */
    int threads;          /* 0: all; the picture is the same for any number */
} wadi_view;
WADI_API wadi_view wadi_default_view(int width, int height, double lx, double ly, const float *heights);
/* Sets automatic values of exaggeration, height_*, deep_m and thick_m to those that wadi_render_map would use. So all
 * pictures of a changing terrain use the same scales. Without water, deep_m becomes 0.3 of the mean cell size, which
 * suits most runs. With `ice`, thick_m becomes at least 0.1 of the relief. Errors as below. */
WADI_API wadi_status wadi_view_settle(wadi_view *view);
/* Rain leaves a film on every slope, which is not drawn where no threshold is given. Its depth here is twice the median
 * depth of the cells under no more water than 0.0006 of the terrain's longer side. So a sea or a large lake does not
 * count. That is also its upper limit. Its lower limit is 0.002 of the mean cell size. */
WADI_API wadi_status wadi_view_film(const wadi_view *view, double *depth_m);
/* Argument error for a view that cannot be drawn (sizes, scale, a picture over 65535 pixels per side); memory error.
 * *picture is then NULL. Else the caller destroys it. */
WADI_API wadi_status wadi_render_map(const wadi_view *view, wadi_picture **picture);

/* A diagram: a line through points, or bars. The arrays belong to the caller. Axes run from the lowest to the highest
 * number of each array; bars begin at 0. Labels are UTF-8, NULL: none. */
typedef struct wadi_plot {
    const char *title, *x_label, *y_label;
    int count;       /* points, 2 or more; or bars, 1 or more */
    const double *x; /* count values, rising; count + 1 for bars: bar i is from x[i] to x[i + 1] */
    const double *y; /* count, finite */
    bool bars;
    const char *note; /* a line below */
} wadi_plot;
/* Draws 1 to 8 plots side by side under a title (NULL: none). Argument error for plots without points or with numbers
 * that are not finite; memory error. *picture is then NULL. Else the caller destroys it. */
WADI_API wadi_status wadi_render_plots(const wadi_plot *plots, int count, const char *title, wadi_picture **picture);

/* Draws 1 to 4096 pictures of one size in rows, each with a label below (`labels`, or one of them, may be NULL: none).
 * Argument error for other numbers, for sizes that differ, and for a sheet over 65535 pixels a side; memory error.
 * *sheet is then NULL. Else the caller destroys it. */
WADI_API wadi_status wadi_render_sheet(const wadi_picture *const *pictures, const char *const *labels, int count,
                                       wadi_picture **sheet);
WADI_API void wadi_picture_destroy(wadi_picture *picture); /* takes NULL */

#ifdef __cplusplus
}
#endif
#endif
