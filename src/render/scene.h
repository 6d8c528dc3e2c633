/* scene.h: the contents of a picture: the view's maps at the picture's resolution, and the colours of values. */
#ifndef RENDER_SCENE_H
#define RENDER_SCENE_H

#include <stddef.h>

#include "colour.h"
#include "palette.h"
#include "resample.h"
#include "scale.h"
#include "wadi/render.h"

/* A map shown in colours over the ground. */
typedef struct render_layer {
    const float *cells; /* the view's map; NULL: not drawn */
    const render_palette *palette;
    render_scale scale;
    render_ramp ramp;
    float *position; /* along the ramp; NaN: none */
} render_layer;

typedef struct render_scene {
    const wadi_view *view;
    int width, height, threads; /* pixels of the map, without margins */
    double pixel_m;
    double lowest, middle, highest; /* m: of the colours */
    double unit_m;                  /* m of height per 1 of `ground` */
    double exaggeration;
    double threshold_m, deep_m; /* water: the depth that begins to show, and that of nearly the darkest colour */
    double ice_m;               /* thickness of the bluest ice; 0: none */
    bool wet, holes;            /* any water drawn, any pixel without data */
    render_ramp height_ramp, rock_ramp; /* along `ground` */
    render_ramp water_ramp;
    render_layer sediment, deposition, overlay;
    float *planes;                      /* one block for all below */
    float *ground, *coverage, *surface; /* surface: ground, and the ice and the water on it */
    float *ice;                         /* its thickness, as `ground`; NULL without ice */
    float *depth, *opacity;             /* water: depth over deep_m; NULL without water */
    float *light, *sky, *bulge, *slope;
} render_scene;

wadi_status render_scene_create(const wadi_view *view, render_scene *scene);
void render_scene_destroy(render_scene *scene);

/* Resamples a map to the picture's pixels (water.c uses it too). */
wadi_status render_scene_sample(const render_scene *scene, const float *cells, render_read_row *read,
                                const void *context, float *values, float *coverage);

/* Fills ice and surface, if the view has ice. */
wadi_status render_scene_ice(render_scene *scene);
/* How much of the ground ice hides, and its colour. */
float render_ice_opacity(const render_scene *scene, float ice);
render_colour render_ice_colour(const render_scene *scene, float ice);

/* Fills depth, opacity and surface, if the view has water. */
wadi_status render_scene_water(render_scene *scene);

/* Shared by the map and its legend. */
#define RENDER_MOST_SEDIMENT 0.75f /* muddy water still looks like water */
#define RENDER_MOST_DEPOSITION 0.9f
#define RENDER_NO_DATA 0xe9e8e4
#define RENDER_NO_DATA_LINE 0xd3d2cd
#define RENDER_HATCH 8
float render_water_position(double depth_over_deep); /* along water_ramp */
float render_layer_opacity(const render_layer *layer, float at);
/* In a legend, over pale ground. */
render_colour render_layer_colour(const render_layer *layer, float at);
/* The heading of a named map in its legend. */
/* Of a legend. A map that is not in the table (wadi/map.h) is called by its name, and NULL "Value". */
void render_map_title(const char *name, char *title, size_t size);
const char *render_map_unit(const char *name); /* "": none */

/* Draws the map's pixels, `stride` bytes per row. */
void render_compose(const render_scene *scene, uint8_t *rgb, size_t stride);

/* Margins around the map for title, scale bar and legend, in pixels. */
typedef struct render_page {
    int width, height; /* of the whole picture */
    int left, top;     /* of the map in it */
} render_page;
render_page render_page_plan(const render_scene *scene);
/* Draws a layer's legend on its own panel, at the bottom left of the picture, if there is room. */
void render_legend(wadi_picture *picture, const render_layer *layer, const char *title, const char *unit);
void render_decorate(const render_scene *scene, const render_page *page, wadi_picture *picture);

#endif
