/* render.c: the public calls. */
#include "wadi/render.h"

#include <math.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "canvas.h"
#include "scene.h"

wadi_view wadi_default_view(int width, int height, double lx, double ly, const float *heights) {
    return (wadi_view){
        .width = width, .height = height, .lx = lx, .ly = ly, .heights = heights, .tint = true, .decorate = true};
}

static bool positive(double v) { return v > 0.0 && v <= 1e12; }
static bool open_or_positive(double v) { return v >= 0.0 && v <= 1e12; }

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
        !open_or_positive(view->water_threshold_m))
        return wadi_fail(
            WADI_ERROR_ARGUMENT,
            "render: scale %g, exaggeration %g and water threshold %g m must be 0 (chosen for you) or more",
            view->scale, view->exaggeration, view->water_threshold_m);
    return WADI_OK;
}

static int threads_of(const wadi_view *view) {
    if (view->threads > 0) return view->threads < 1024 ? view->threads : 1024;
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

wadi_status wadi_render_map(const wadi_view *view, wadi_picture **picture) {
    *picture = NULL;
    wadi_status status = check(view);
    if (status != WADI_OK) return status;
    wadi_view settled = *view;
    settled.threads = threads_of(view);
    render_scene *scene = malloc(sizeof *scene);
    if (scene == NULL) return wadi_fail(WADI_ERROR_MEMORY, "render: not enough memory");
    status = render_scene_create(&settled, scene);
    if (status == WADI_OK) {
        const render_page page = render_page_plan(scene);
        *picture = render_picture_create(page.width, page.height);
        if (*picture != NULL) {
            const size_t stride = (size_t)page.width * 3;
            render_compose(scene, (*picture)->rgb + (size_t)page.top * stride + (size_t)page.left * 3, stride);
            render_decorate(scene, &page, *picture);
        } else {
            status = wadi_fail(WADI_ERROR_MEMORY, "render: not enough memory for a picture of %dx%d pixels", page.width,
                               page.height);
        }
        render_scene_destroy(scene);
    }
    free(scene);
    return status;
}
