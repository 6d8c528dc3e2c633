/* ice.c: the ice on the ground: its thickness in each pixel, its surface and its colour. */
#include <math.h>

#include "scene.h"

/* Parts of a cell's width: thinner ice is not drawn, and from the other on ice hides the ground. */
#define THIN 0.01
#define WHOLE 0.1
#define MOST 1e6 /* units of height */

static void read_ice(const float *cells, float *values, int count, const void *context) {
    const render_scene *scene = context;
    for (int x = 0; x < count; x++) {
        const double thick = fmin(fmax((double)cells[x], 0.0) / scene->unit_m, MOST);
        values[x] = isnan(cells[x]) ? NAN : (float)thick;
    }
}

wadi_status render_scene_ice(render_scene *scene) {
    const wadi_view *view = scene->view;
    if (view->ice == NULL) return WADI_OK;
    const wadi_status status = render_scene_sample(scene, view->ice, read_ice, scene, scene->ice, NULL);
    const size_t count = (size_t)scene->width * (size_t)scene->height;
    float thickest = 0.0f;
    for (size_t i = 0; i < count && status == WADI_OK; i++) {
        scene->ice[i] = scene->ice[i] > 0.0f ? scene->ice[i] : 0.0f;
        scene->surface[i] = scene->ground[i] + scene->ice[i];
        thickest = fmaxf(thickest, scene->ice[i]);
    }
    scene->ice_m = view->thick_m > 0.0 ? view->thick_m : (double)thickest * scene->unit_m;
    return status;
}

float render_ice_opacity(const render_scene *scene, float ice) {
    const double cell = 0.5 * (scene->view->lx + scene->view->ly) / scene->unit_m;
    return render_smooth((float)(THIN * cell), (float)(WHOLE * cell), ice);
}

/* White to blue by the root, so that thin ice differs, too. */
render_colour render_ice_colour(const render_scene *scene, float ice) {
    const float part = scene->ice_m > 0.0 ? (float)((double)ice * scene->unit_m / scene->ice_m) : 0.0f;
    const render_colour white = render_from_srgb(0xf3f6f8), blue = render_from_srgb(0xb4d3e2);
    return render_mix(white, blue, sqrtf(render_clamp(part)));
}
