/* water.c: the depth of water in each pixel, its opacity, and the lit surface. */
#include <math.h>
#include <stdlib.h>

#include "core/strict.h"
#include "scene.h"

#define SOFT_EDGE 3.0f    /* water is opaque this many thresholds above the first */
#define STEEPEST_BANK 0.8 /* of the neighbour's depth */

/* Water below the threshold is not drawn; above it, water fades in. */
static float opacity_of(const render_scene *scene, float depth) {
    const float threshold = (float)(scene->threshold_m / scene->deep_m);
    return render_smooth(threshold, threshold * (1.0f + SOFT_EDGE), depth);
}

/* Over deep_m; below 0 on a bank. */
static float depth_of(const render_scene *scene, float water) {
    const double depth = (double)water / scene->deep_m;
    return (float)(depth > -1.0 ? (depth < 1e6 ? depth : 1e6) : -1.0);
}

static void read_depth(const float *cells, float *values, int count, const void *context) {
    for (int x = 0; x < count; x++) values[x] = isnan(cells[x]) ? NAN : depth_of(context, cells[x]);
}

static void read_opacity(const float *cells, float *values, int count, const void *context) {
    for (int x = 0; x < count; x++)
        values[x] = isnan(cells[x]) ? NAN : opacity_of(context, depth_of(context, cells[x]));
}

/* m: of the ground, or of the ice on it. */
static double ground_at(const wadi_view *view, size_t at) {
    const float ice = view->ice != NULL && view->ice[at] > 0.0f ? view->ice[at] : 0.0f;
    return (double)view->heights[at] + (double)ice;
}

/* For a dry cell next to water: the water level minus the ground, a depth below 0; 0 away from water. A bank counts as
 * at most as high as the water is deep, so that interpolation does not remove a river one cell wide in a gorge. */
static float bank_at(const render_scene *scene, int x, int y) {
    const wadi_view *view = scene->view;
    const double ground = ground_at(view, (size_t)y * (size_t)view->width + (size_t)x);
    double level = -INFINITY, deepest = 0.0;
    for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < view->height; j++) {
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < view->width; i++) {
            const size_t at = (size_t)j * (size_t)view->width + (size_t)i;
            const double water = (double)view->water[at];
            if (!(water > scene->threshold_m) || !isfinite(view->heights[at])) continue;
            level = fmax(level, ground_at(view, at) + water);
            deepest = fmax(deepest, water);
        }
    }
    if (!(deepest > 0.0) || !isfinite(ground)) return 0.0f;
    return (float)fmin(fmax(level - ground, -STEEPEST_BANK * deepest), 0.0);
}

/* Depths that continue below 0 under the banks. When interpolated they cross 0 where the water level meets the ground.
 * So an enlarged shore does not follow the corners of cells. */
static void find_banks(const render_scene *scene, float *depths) {
    const wadi_view *view = scene->view;
#pragma omp parallel num_threads(scene->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < view->height; y++) {
            for (int x = 0; x < view->width; x++) {
                const size_t i = (size_t)y * (size_t)view->width + (size_t)x;
                const bool wet = (double)view->water[i] > scene->threshold_m;
                depths[i] = wet || isnan(view->water[i]) ? view->water[i] : bank_at(scene, x, y);
            }
        }
    }
}

static wadi_status sample_enlarged(const render_scene *scene) {
    const wadi_view *view = scene->view;
    float *depths = malloc((size_t)view->width * (size_t)view->height * sizeof *depths);
    if (depths == NULL) return wadi_fail(WADI_ERROR_MEMORY, "render: not enough memory for the water");
    find_banks(scene, depths);
    const wadi_status status = render_scene_sample(scene, depths, read_depth, scene, scene->depth, NULL);
    free(depths);
    const size_t count = (size_t)scene->width * (size_t)scene->height;
    for (size_t i = 0; i < count; i++) scene->opacity[i] = opacity_of(scene, scene->depth[i]);
    return status;
}

/* In a reduced picture, a river narrower than a pixel keeps its share of the pixel: opacity is averaged too. */
static wadi_status sample_reduced(const render_scene *scene) {
    const float *water = scene->view->water;
    const wadi_status status = render_scene_sample(scene, water, read_depth, scene, scene->depth, NULL);
    if (status != WADI_OK) return status;
    return render_scene_sample(scene, water, read_opacity, scene, scene->opacity, NULL);
}

/* The surface uses a water depth of at most two units, so that one extreme cell does not flatten the whole relief. */
static void add_to_surface(render_scene *scene) {
    const size_t count = (size_t)scene->width * (size_t)scene->height;
    const double units = scene->deep_m / scene->unit_m;
    for (size_t i = 0; i < count; i++) {
        scene->depth[i] = scene->depth[i] > 0.0f ? scene->depth[i] : 0.0f;
        const double rise = units * (double)scene->depth[i] * (double)scene->opacity[i];
        const float below = scene->ice != NULL ? scene->surface[i] : scene->ground[i];
        scene->surface[i] = below + (float)(rise < 2.0 ? rise : 2.0);
        scene->wet = scene->wet || scene->opacity[i] > 0.02f;
    }
}

static wadi_status find_depths(render_scene *scene) {
    const wadi_view *view = scene->view;
    const render_grid grid = {view->width, view->height, view->lx, view->ly};
    const double share = 0.95;
    const size_t cells = (size_t)view->width * (size_t)view->height;
    double film_m;
    wadi_status status = WADI_OK;
    scene->threshold_m = view->water_threshold_m;
    if (!(scene->threshold_m > 0.0))
        status = render_film_depth(view->water, &grid, RENDER_SAMPLE, &film_m, &scene->threshold_m);
    if (status != WADI_OK) return status;
    return render_quantiles(view->water, cells, RENDER_SAMPLE, (float)scene->threshold_m, &share, &scene->deep_m, 1);
}

wadi_status render_scene_water(render_scene *scene) {
    const wadi_view *view = scene->view;
    if (view->water == NULL) return WADI_OK;
    wadi_status status = find_depths(scene);
    if (status != WADI_OK) return status;
    scene->deep_m = view->deep_m > 0.0 ? view->deep_m : fmin(fmax(scene->deep_m, 4.0 * scene->threshold_m), 1e30);
    const bool reduced = scene->width < view->width || scene->height < view->height;
    status = reduced ? sample_reduced(scene) : sample_enlarged(scene);
    if (status == WADI_OK) add_to_surface(scene);
    return status;
}
