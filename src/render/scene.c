/* scene.c: from a view to planes at the picture's resolution. */
#include "scene.h"
#include "core/strict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "relief.h"
#include "resample.h"

/* When the caller leaves the scale open: the pixels of the longer side, fewer for few cells */
#define LONGER_SIDE 1200.0
#define LONGER_SIDE_LEAST 600.0
#define MOST_PIXELS_A_CELL 10.0
#define MOST_PIXELS 268435456.0
#define TYPICAL_TANGENT 0.75 /* of the steeper fifth of the slopes */
#define MOST_RELIEF 0.15     /* exaggerated, of the longer side, so that a plain stays flat */
#define SOFT_EDGE 3.0f       /* water is opaque this many thresholds above the first */

/* Whole numbers of pixels per cell are preferred, because resampling loses nothing then. */
static double automatic_scale(double longer_cells) {
    const double scale = LONGER_SIDE / longer_cells;
    const double most = fmax(MOST_PIXELS_A_CELL, LONGER_SIDE_LEAST / longer_cells);
    if (scale >= 1.0) return floor(fmin(scale, most) + 0.35);
    return scale > 0.6 ? 1.0 : scale;
}

static wadi_status plan_size(render_scene *scene) {
    const wadi_view *view = scene->view;
    const double cell = fmin(view->lx, view->ly);
    const double across = view->width * (view->lx / cell), down = view->height * (view->ly / cell);
    const double scale = view->scale > 0.0 ? view->scale : automatic_scale(fmax(across, down));
    const double width = fmax(floor(across * scale + 0.5), 1.0), height = fmax(floor(down * scale + 0.5), 1.0);
    if (!(width < 65536.0) || !(height < 65536.0) || width * height > MOST_PIXELS)
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "render: a picture of %.0fx%.0f pixels is too large; give a smaller scale", width, height);
    scene->width = (int)width;
    scene->height = (int)height;
    scene->pixel_m = cell / scale;
    return WADI_OK;
}

static bool heights_given(const wadi_view *view) { return view->height_low < view->height_high; }

static void height_range(render_scene *scene) {
    const size_t count = (size_t)scene->view->width * (size_t)scene->view->height;
    const float *heights = scene->view->heights;
    float lowest = INFINITY, highest = -INFINITY;
#pragma omp parallel num_threads(scene->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static) reduction(min : lowest) reduction(max : highest)
        for (size_t i = 0; i < count; i++) {
            if (!isfinite(heights[i])) continue;
            lowest = heights[i] < lowest ? heights[i] : lowest;
            highest = heights[i] > highest ? heights[i] : highest;
        }
    }
    const bool any = lowest <= highest, given = heights_given(scene->view);
    scene->lowest = given ? scene->view->height_low : any ? (double)lowest : 0.0;
    scene->highest = given ? scene->view->height_high : any ? (double)highest : 0.0;
    scene->unit_m = scene->highest > scene->lowest ? scene->highest - scene->lowest : 1.0;
}

static bool allocate_planes(render_scene *scene) {
    const wadi_view *view = scene->view;
    const size_t count = (size_t)scene->width * (size_t)scene->height;
    float **planes[] = {&scene->ground,
                        &scene->coverage,
                        &scene->light,
                        &scene->sky,
                        &scene->bulge,
                        &scene->slope,
                        &scene->surface,
                        &scene->depth,
                        &scene->opacity,
                        &scene->ice,
                        &scene->sediment.position,
                        &scene->deposition.position,
                        &scene->overlay.position};
    const bool needed[] = {true,
                           true,
                           true,
                           true,
                           true,
                           true,
                           view->water != NULL || view->ice != NULL,
                           view->water != NULL,
                           view->water != NULL,
                           view->ice != NULL,
                           view->sediment != NULL,
                           view->deposition != NULL,
                           view->overlay != NULL};
    size_t wanted = 0;
    for (size_t i = 0; i < sizeof needed; i++) wanted += needed[i];
    scene->planes = malloc(wanted * count * sizeof *scene->planes);
    if (scene->planes == NULL) return false;
    float *next = scene->planes;
    for (size_t i = 0; i < sizeof needed; i++) {
        if (!needed[i]) continue;
        *planes[i] = next;
        next += count;
    }
    if (scene->surface == NULL) scene->surface = scene->ground;
    return true;
}

static void read_ground(const float *cells, float *values, int count, const void *context) {
    const render_scene *scene = context;
    const double low = scene->lowest, per_unit = 1.0 / scene->unit_m;
    for (int x = 0; x < count; x++) {
        const double at = ((double)cells[x] - low) * per_unit;
        values[x] = isfinite(cells[x]) ? (float)(per_unit <= 1e300 ? at : 0.0) : NAN;
    }
}

wadi_status render_scene_sample(const render_scene *scene, const float *cells, render_read_row *read,
                                const void *context, float *values, float *coverage) {
    const bool heights = cells == scene->view->heights;
    const render_map map = {cells, scene->view->width, scene->view->height, read, context, heights};
    return render_resample(&map, scene->width, scene->height, scene->threads, values, coverage);
}

static void read_layer(const float *cells, float *values, int count, const void *context) {
    const render_layer *layer = context;
    for (int x = 0; x < count; x++) values[x] = (float)render_scale_position(&layer->scale, (double)cells[x]);
}

static wadi_status sample_layer(const render_scene *scene, render_layer *layer, const float *cells, const char *name) {
    layer->cells = cells;
    if (cells == NULL) return WADI_OK;
    const size_t cell_count = (size_t)scene->view->width * (size_t)scene->view->height;
    const size_t count = (size_t)scene->width * (size_t)scene->height;
    layer->palette =
        render_palette_in(scene->view->colours, scene->view->tint ? scene->view->ground : WADI_GROUND_GREEN, name);
    wadi_status status = render_scale_choose(cells, cell_count, RENDER_SAMPLE, layer->palette->kind, &layer->scale);
    if (status != WADI_OK) return status;
    const render_palette *colours = layer->scale.diverging ? render_palette_named("change") : layer->palette;
    render_ramp_fill(&layer->ramp, colours->stops, colours->stop_count);
    float *coverage = malloc(count * sizeof *coverage);
    if (coverage == NULL) return wadi_fail(WADI_ERROR_MEMORY, "render: not enough memory for the overlay");
    status = render_scene_sample(scene, cells, read_layer, layer, layer->position, coverage);
    for (size_t i = 0; i < count && status == WADI_OK; i++)
        if (!(coverage[i] >= RENDER_COVERED)) layer->position[i] = NAN;
    free(coverage);
    return status;
}

static double two_digits(double value) {
    const double unit = pow(10.0, floor(log10(value)) - 1.0);
    return floor(value / unit + 0.5) * unit;
}

static void choose_exaggeration(render_scene *scene, const render_relief *relief) {
    const double tangent = (double)render_relief_typical_slope(relief) * scene->unit_m / scene->pixel_m;
    const double longer = scene->pixel_m * (scene->width > scene->height ? scene->width : scene->height);
    double chosen = 1.0;
    if (scene->view->exaggeration > 0.0) {
        chosen = scene->view->exaggeration;
    } else if (tangent > 0.0) {
        chosen = two_digits(fmin(TYPICAL_TANGENT / tangent, MOST_RELIEF * longer / scene->unit_m));
    }
    scene->exaggeration = chosen;
}

static void fit_ramp(render_ramp *ramp, double power, bool muted) {
    const render_ramp straight = *ramp;
    for (int i = 0; i < RENDER_RAMP; i++) {
        const double at = pow((double)i / (RENDER_RAMP - 1), power);
        const render_colour c = render_ramp_at(&straight, (float)at);
        const float grey = 0.35f + 0.65f * (0.2126f * c.r + 0.7152f * c.g + 0.0722f * c.b);
        ramp->colours[i] = muted ? render_mix(c, (render_colour){grey, grey, 0.98f * grey}, 0.8f) : c;
    }
}

/* The median height gets the middle greens and tans of the ramp, on a plain and on a plateau. Under an overlay the
 * ground is almost grey. */
static wadi_status choose_tint(render_scene *scene) {
    const wadi_view *view = scene->view;
    const double half = 0.5;
    const size_t cells = (size_t)view->width * (size_t)view->height;
    const wadi_status status =
        render_quantiles(view->heights, cells, RENDER_SAMPLE, -INFINITY, &half, &scene->middle, 1);
    if (heights_given(view)) scene->middle = view->height_middle;
    const double at = fmin(fmax((scene->middle - scene->lowest) / scene->unit_m, 0.01), 0.99);
    const double power = fmin(fmax(log(0.38) / log(at), 0.6), 1.6);
    render_height_ramp(&scene->height_ramp, view);
    render_rock_ramp(&scene->rock_ramp, view);
    render_water_ramp(&scene->water_ramp);
    fit_ramp(&scene->height_ramp, power, view->overlay != NULL);
    fit_ramp(&scene->rock_ramp, power, view->overlay != NULL);
    return status;
}

static wadi_status shade(render_scene *scene) {
    const size_t count = (size_t)scene->width * (size_t)scene->height;
    for (size_t i = 0; i < count && !scene->holes; i++) scene->holes = scene->coverage[i] < RENDER_COVERED;
    render_relief relief = {.width = scene->width,
                            .height = scene->height,
                            .threads = scene->threads,
                            .ground = scene->surface,
                            .coverage = scene->coverage,
                            .holes = scene->holes,
                            .light = scene->light,
                            .sky = scene->sky,
                            .bulge = scene->bulge,
                            .slope = scene->slope};
    choose_exaggeration(scene, &relief);
    relief.steepness = (float)fmin(scene->exaggeration * scene->unit_m / scene->pixel_m, 1e9);
    return render_relief_shade(&relief);
}

wadi_status render_scene_create(const wadi_view *view, render_scene *scene) {
    memset(scene, 0, sizeof *scene);
    scene->view = view;
    scene->threads = view->threads;
    wadi_status status = plan_size(scene);
    if (status != WADI_OK) return status;
    height_range(scene);
    if (!allocate_planes(scene))
        return wadi_fail(WADI_ERROR_MEMORY, "render: not enough memory for a map of %dx%d pixels", scene->width,
                         scene->height);
    status = render_scene_sample(scene, view->heights, read_ground, scene, scene->ground, scene->coverage);
    if (status == WADI_OK) status = render_scene_ice(scene);
    if (status == WADI_OK) status = render_scene_water(scene);
    if (status == WADI_OK) status = sample_layer(scene, &scene->sediment, view->sediment, "sediment");
    if (status == WADI_OK) status = sample_layer(scene, &scene->deposition, view->deposition, "deposition");
    if (status == WADI_OK) status = sample_layer(scene, &scene->overlay, view->overlay, view->overlay_name);
    if (status == WADI_OK) status = choose_tint(scene);
    if (status == WADI_OK) status = shade(scene);
    if (status != WADI_OK) render_scene_destroy(scene);
    return status;
}

void render_scene_destroy(render_scene *scene) {
    free(scene->planes);
    scene->planes = NULL;
}
