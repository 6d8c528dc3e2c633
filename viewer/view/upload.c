/* upload.c: frames are uploaded in parts; the session's buffers are drawn directly. */
#include "viewer/view/upload.h"

#include "viewer/view/camera.h"

#include <string.h>

static bool make_landscape(view *view) {
    const session_frame *frame = view->frame;
    const bool same = view->landscape && view->terrain == frame->terrain;
    if (same) return true;
    if (view->refused_terrain == frame->terrain) return false;
    const bool first = !view->landscape || view->width != frame->width || view->height != frame->height;
    wadi_landscape_destroy(view->landscape);
    view->landscape = NULL;
    if (wadi_landscape_create(frame->width, frame->height, frame->lx, frame->ly, &view->landscape) != WADI_OK) {
        view_fail(view);
        view->refused_terrain = frame->terrain;
        view->layer = WADI_LAYERS; /* nothing waits for upload */
        return false;
    }
    view->by_gpu = false;
    view->terrain = frame->terrain;
    view->width = frame->width, view->height = frame->height;
    view->stale_layers = true;
    view->look.line = false;
    if (first) view->map = false;
    return true;
}

/* Uploads for some milliseconds at most, so that no picture waits for large maps. true: all maps are there. */
static bool send_layers(view *view) {
    enum { TILES = 4, MOST_US = 5000, FEW_US = 2000 };
    const session_frame *frame = view->frame;
    const gint64 until = g_get_monotonic_time() + (view->by_gpu ? FEW_US : MOST_US);
    const int most = view->stale_layers ? 1 << 20 : TILES;
    while (view->layer < WADI_LAYERS && (view->stale_layers || g_get_monotonic_time() < until)) {
        bool all = true;
        const float *map = frame->maps[view->layer];
        int sent = 0;
        if (!map) /* no ice */
            sent = wadi_landscape_clear(view->landscape, (wadi_layer)view->layer) == WADI_OK ? 0 : -1;
        else if (view->layer != WADI_LAYER_OVERLAY || frame->overlay[0])
            sent = wadi_landscape_update_some(view->landscape, (wadi_layer)view->layer, map, most, &all);
        if (sent < 0) view_fail(view);
        if (all || sent < 0) view->layer++;
    }
    if (view->layer < WADI_LAYERS) return false;
    view->icy = frame->maps[WADI_LAYER_ICE] != NULL;
    g_strlcpy(view->overlay, frame->overlay, sizeof view->overlay);
    view->look.overlay_name = view->overlay[0] ? view->overlay : NULL;
    if (view->stale_layers) view_home(view);
    view->stale_layers = false;
    return true;
}

static bool draw_from(view *view, const unsigned *buffers) {
    bool drawn = true;
    for (int i = 0; i < GPU_MAPS; i++) {
        const wadi_layer layer = gpu_map_list[i].layer;
        if (layer == WADI_LAYER_ICE && !view->icy) continue;        /* a frame sets it first */
        if (layer == WADI_LAYER_ICE && !buffers[i] && buffers[0]) { /* the new model has none */
            view->icy = false;
            drawn = wadi_landscape_clear(view->landscape, layer) == WADI_OK && drawn;
            continue;
        }
        drawn = wadi_landscape_set_buffer(view->landscape, layer, buffers[i]) == WADI_OK && drawn;
    }
    return drawn;
}

/* Draws from the session's buffers. If they have ended, it draws from the frames again. */
static bool take_gpu_maps(view *view) {
    static const unsigned none[GPU_MAPS];
    gpu_maps *maps = session_gpu_maps(view->session);
    const unsigned *taken = view->stale_layers ? NULL : gpu_maps_take(maps, view->terrain);
    if (taken && !draw_from(view, taken)) gpu_maps_stop(maps);
    if (taken) view->by_gpu = true;
    if (view->by_gpu && !gpu_maps_flow(maps)) view->by_gpu = !draw_from(view, none);
    return taken != NULL;
}

bool view_has_maps_to_send(const view *view) { return view->layer < WADI_LAYERS; }

bool view_take_maps(view *view, view_news *news) {
    const bool sending = view_has_maps_to_send(view) && !view->stale_layers;
    const session_frame *fresh = sending ? NULL : session_take_frame(view->session);
    if (fresh) view->frame = fresh, view->layer = 0;
    if (!view->frame || !view->frame->maps[0] || !make_landscape(view)) return false;
    if (view->stale_layers) view->layer = 0;
    news->arrived = view_has_maps_to_send(view) && send_layers(view);
    news->taken = take_gpu_maps(view);
    return true;
}
