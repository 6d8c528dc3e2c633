/* render.c: the public calls. */
#include "wadi/render.h"
#include "core/need.h"
#include "core/strict.h"

#include <math.h>
#include <stdlib.h>

#include "canvas.h"
#include "platform/openmp.h"
#include "scene.h"

#define MOST 1e12      /* largest number in a view */
#define NEW_ICE 0.1    /* of the relief: the least thickness of the bluest ice in a film */
#define DEEP_CELLS 0.3 /* of a cell: the depth of the deeper rivers and lakes in most runs */

wadi_view wadi_default_view(int width, int height, double lx, double ly, const float *heights) {
    return (wadi_view){
        .width = width, .height = height, .lx = lx, .ly = ly, .heights = heights, .tint = true, .decorate = true};
}

static bool positive(double v) { return v > 0.0 && v <= MOST; }
static bool open_or_positive(double v) { return v >= 0.0 && v <= MOST; }

static wadi_status check(const wadi_view *view) {
    if (view == NULL || view->heights == NULL)
        return wadi_fail(WADI_ERROR_ARGUMENT, "render: the view has no heights; set view.heights");
    if (view->width < 2 || view->height < 2 || view->width > 1 << 24 || view->height > 1 << 24)
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "render: a map of %dx%d cells cannot be drawn; 2 or more each way are needed", view->width,
                         view->height);
    if (!positive(view->lx) || !positive(view->ly) || view->lx < 1e-9 || view->ly < 1e-9)
        return wadi_fail(WADI_ERROR_ARGUMENT, "render: cells of %g x %g m; give sizes above 0", view->lx, view->ly);
    if (!open_or_positive(view->scale) || !open_or_positive(view->exaggeration) ||
        !open_or_positive(view->water_threshold_m) || !open_or_positive(view->deep_m) ||
        !open_or_positive(view->thick_m))
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "render: scale %g, exaggeration %g, water threshold %g m, depth %g m and thickness %g m must "
                         "be 0 (chosen for you) or more",
                         view->scale, view->exaggeration, view->water_threshold_m, view->deep_m, view->thick_m);
    if (!isfinite(view->height_low) || !isfinite(view->height_high) || !isfinite(view->height_middle) ||
        view->height_low > view->height_high)
        return wadi_fail(WADI_ERROR_ARGUMENT, "render: colours for heights from %g to %g m cannot be", view->height_low,
                         view->height_high);
    return WADI_OK;
}

static int threads_of(const wadi_view *view) {
    if (view->threads > 0) return view->threads < 1024 ? view->threads : 1024;
    return omp_get_max_threads();
}

/* *scene is malloc'ed, to be destroyed and freed; NULL after an error. It keeps `settled` as its view. */
static wadi_status make_scene(const wadi_view *view, wadi_view *settled, render_scene **scene) {
    *scene = NULL;
    wadi_status status = check(view);
    if (status != WADI_OK) return status;
    *settled = *view;
    settled->threads = threads_of(view);
    render_scene *made = malloc(sizeof *made);
    if (made == NULL) return wadi_fail(WADI_ERROR_MEMORY, "render: not enough memory");
    status = render_scene_create(settled, made);
    if (status == WADI_OK)
        *scene = made;
    else
        free(made);
    return status;
}

static void free_scene(render_scene *scene) {
    render_scene_destroy(scene);
    free(scene);
}

wadi_status wadi_view_settle(wadi_view *view) {
    WADI_IEEE_MODE;
    WADI_NEED(view);
    wadi_view settled;
    render_scene *scene;
    const wadi_status status = make_scene(view, &settled, &scene);
    if (scene == NULL) return status;
    if (!(view->exaggeration > 0.0)) view->exaggeration = fmin(scene->exaggeration, MOST);
    if (!(view->height_low < view->height_high)) {
        view->height_low = scene->lowest;
        view->height_high = scene->lowest + scene->unit_m;
        view->height_middle = scene->middle;
    }
    if (!(view->deep_m > 0.0))
        view->deep_m = scene->wet ? fmin(scene->deep_m, MOST) : DEEP_CELLS * 0.5 * (view->lx + view->ly);
    if (view->ice != NULL && !(view->thick_m > 0.0))
        view->thick_m = fmin(fmax(scene->ice_m, NEW_ICE * scene->unit_m), MOST);
    free_scene(scene);
    return status;
}

wadi_status wadi_view_film(const wadi_view *view, double *depth_m) {
    WADI_NEED(view);
    WADI_NEED(view->water);
    WADI_NEED(depth_m);
    if (view->width < 1 || view->height < 1)
        return wadi_fail(WADI_ERROR_ARGUMENT, "render: a map of %d x %d cells", view->width, view->height);
    const render_grid grid = {view->width, view->height, view->lx, view->ly};
    double river_m;
    return render_film_depth(view->water, &grid, RENDER_SAMPLE, depth_m, &river_m);
}

wadi_status wadi_render_map(const wadi_view *view, wadi_picture **picture) {
    WADI_IEEE_MODE;
    WADI_NEED(picture);
    *picture = NULL;
    WADI_NEED(view);
    wadi_view settled;
    render_scene *scene;
    const wadi_status status = make_scene(view, &settled, &scene);
    if (status != WADI_OK) return status;
    const render_page page = render_page_plan(scene);
    *picture = render_picture_create(page.width, page.height);
    if (*picture != NULL) {
        const size_t stride = (size_t)page.width * 3;
        render_compose(scene, (*picture)->rgb + (size_t)page.top * stride + (size_t)page.left * 3, stride);
        render_decorate(scene, &page, *picture);
    }
    free_scene(scene);
    if (*picture != NULL) return WADI_OK;
    return wadi_fail(WADI_ERROR_MEMORY, "render: not enough memory for a picture of %dx%d pixels", page.width,
                     page.height);
}
