/* overlay.c: a map over the ground: its colours, its scale and its legend. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/need.h"
#include "platform/platform.h"
#include "render/landscape/landscape.h"
#include "render/scene.h"

#define QUICKLY ((size_t)1 << 14) /* cells sampled if a map changes many times per second */

/* The scale is computed when the name or the map has changed, but not many times per second. */
static wadi_status choose_scale(wadi_landscape *l, const char *name) {
    const layer *map = &l->layers[WADI_LAYER_OVERLAY];
    const render_palette *palette = render_palette_of_map(name);
    const double now = platform_clock_s();
    if (l->scaled[0] == '\0' || strncmp(l->scaled, name, sizeof l->scaled - 1) != 0) l->scale_age = DUE;
    if (l->scale_age == UP_TO_DATE || (l->scale_age == BEHIND && now < l->scale_found + FOLLOWS_S)) return WADI_OK;
    const size_t cells = (size_t)l->width * (size_t)l->height,
                 looked_at = l->scale_age == DUE ? RENDER_SAMPLE : QUICKLY;
    const wadi_status status = render_scale_choose(map->levels[0], cells, looked_at, palette->kind, &l->scale);
    if (status != WADI_OK) return status;
    snprintf(l->scaled, sizeof l->scaled, "%s", name);
    l->scale_age = UP_TO_DATE, l->scale_found = now;
    return WADI_OK;
}

bool landscape_is_overlaid(const wadi_landscape *l, const wadi_look *look) {
    return look->overlay_name != NULL && l->layers[WADI_LAYER_OVERLAY].set;
}

wadi_status landscape_overlay(wadi_landscape *l, const wadi_look *look, render_layer *overlay) {
    const wadi_status status = choose_scale(l, look->overlay_name);
    if (status != WADI_OK) return status;
    *overlay = (render_layer){.cells = l->layers[WADI_LAYER_OVERLAY].levels[0], .scale = l->scale};
    /* a map with both signs does not use the palette of its name */
    overlay->palette = l->scale.diverging ? render_palette_named("change")
                                          : render_palette_in(WADI_COLOURS_STANDARD, look->ground, look->overlay_name);
    if (look->overlay_low < look->overlay_high) {
        overlay->scale.low = look->overlay_low, overlay->scale.high = look->overlay_high;
        overlay->scale.logarithmic = l->scale.logarithmic && look->overlay_low > 0;
        overlay->scale.empty = false;
    }
    if (l->coloured != overlay->palette)
        render_ramp_fill(&l->colours, overlay->palette->stops, overlay->palette->stop_count);
    l->coloured = overlay->palette;
    overlay->ramp = l->colours;
    return WADI_OK;
}

static void name_it(const wadi_look *look, char *title, size_t size, const char **unit) {
    render_map_title(look->overlay_name, title, size);
    *unit = render_map_unit(look->overlay_name);
}

bool wadi_landscape_legend(wadi_landscape *l, const wadi_look *look, wadi_legend *legend) {
    if (l == NULL || look == NULL || legend == NULL) return false;
    render_layer overlay;
    *legend = (wadi_legend){.unit = ""};
    if (!landscape_is_overlaid(l, look) || landscape_overlay(l, look, &overlay) != WADI_OK) return false;
    name_it(look, legend->title, sizeof legend->title, &legend->unit);
    legend->low = overlay.scale.low, legend->high = overlay.scale.high;
    legend->logarithmic = overlay.scale.logarithmic;
    legend->diverging = overlay.scale.diverging;
    legend->empty = overlay.scale.empty;
    for (int i = 0; i < WADI_LEGEND_STOPS; i++)
        legend->rgb[i] = render_to_srgb(render_layer_colour(&overlay, (float)i / (WADI_LEGEND_STOPS - 1)));
    double ticks[RENDER_TICKS];
    legend->tick_count = overlay.scale.empty ? 0 : render_scale_ticks(&overlay.scale, WADI_LEGEND_TICKS, ticks);
    for (int i = 0; i < legend->tick_count; i++) {
        legend->ticks[i] = ticks[i] + 0.0; /* no -0 */
        legend->tick_positions[i] = render_scale_position(&overlay.scale, ticks[i]);
    }
    return true;
}

wadi_status wadi_landscape_decorate(wadi_landscape *l, const wadi_look *look, wadi_picture *picture) {
    WADI_NEED(l);
    WADI_NEED(look);
    WADI_NEED(picture);
    render_layer overlay;
    char title[64];
    const char *unit;
    if (!landscape_is_overlaid(l, look)) return WADI_OK;
    const wadi_status status = landscape_overlay(l, look, &overlay);
    if (status != WADI_OK) return status;
    name_it(look, title, sizeof title, &unit);
    render_legend(picture, &overlay, title, unit);
    return WADI_OK;
}
