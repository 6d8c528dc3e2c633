/* layers.c: makes a terrain of layers. Only + - * / are used, so that every machine gives the same bits. */
#include "layers.h"

#include "fail.h"

#include "wadi/analysis.h"
#include "wadi/terrain.h"

#include <string.h>

/* What all layers have in common. */
typedef struct maker {
    const char *file;
    uint64_t seed;
    /* Of a map: what masks by height look at, and whether a layer was finer than the cells. NULL: the layers so far;
     * such layers are refused. */
    const wadi_raster *terrain;
    bool *too_fine;
} maker;

enum { ADD, SUBTRACT, MULTIPLY, LEAST, MOST, REPLACE };

static size_t cells_of(const wadi_raster *raster) { return (size_t)raster->width * (size_t)raster->height; }

uint64_t run_layers_maps(const layer *layers) {
    uint64_t most = 0;
    for (const layer *l = layers; l; l = l->next) {
        const uint64_t inner = l->layers ? run_layers_maps(l->layers) : 0,
                       mask = l->mask ? run_layers_maps(l->mask) : 0;
        const uint64_t work = l->options.warp > 0 || l->source == LAYER_FILE ? 2 : 0;
        const uint64_t here = 1 + (inner > work ? inner : work), masked = 2 + mask;
        most = here > most ? here : most;
        most = l->mask && masked > most ? masked : most;
    }
    return 1 + most;
}

bool run_layers_have_grain(const layer *layers) {
    for (const layer *l = layers; l; l = l->next) {
        if (l->source == LAYER_KIND && strcmp(l->kind, "grain") == 0) return true;
        if (run_layers_have_grain(l->layers) || run_layers_have_grain(l->mask)) return true;
    }
    return false;
}

void run_layers_stretch(wadi_raster *raster, double base, double relief) {
    const wadi_range range = wadi_range_of(raster->values, cells_of(raster));
    const double lowest = (double)range.minimum, span = (double)range.maximum - lowest;
    const double factor = relief == 0 ? 1 : span > 0 ? relief / span : 0, shift = relief == 0 ? 0 : lowest;
    for (size_t i = 0; i < cells_of(raster); i++)
        raster->values[i] = (float)(base + factor * ((double)raster->values[i] - shift));
}

/* Whether the layer of a map has features that its cells do not show. */
static bool is_too_fine(const maker *maker, const layer *layer, const wadi_raster *raster) {
    const double cell = raster->lx < raster->ly ? raster->lx : raster->ly;
    return maker->too_fine != NULL && layer->options.feature > 0 && layer->options.feature < cell;
}

static wadi_terrain terrain_of(const maker *maker, const layer *layer, const wadi_raster *raster) {
    wadi_terrain terrain = run_generate_terrain(&layer->options, layer->kind);
    terrain.width = raster->width;
    terrain.height = raster->height;
    terrain.lx = raster->lx;
    terrain.ly = raster->ly;
    terrain.seed = maker->seed + layer->options.seed * 0x9e3779b97f4a7c15u; /* 2^64 over the golden ratio: far apart */
    if (is_too_fine(maker, layer, raster)) terrain.feature_m = raster->lx < raster->ly ? raster->lx : raster->ly;
    return terrain;
}

static void fill(wadi_raster *raster, double value) {
    for (size_t i = 0; i < cells_of(raster); i++) raster->values[i] = (float)value;
}

/* A range or an island has noise, too, but a form beside it. */
static bool is_noise_alone(const char *kind) {
    static const char *const kinds[] = {"noise", "ridged", "billowed", "warped", "voronoi"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i], kind) == 0) return true;
    return false;
}

/* Shares, not metres, are what masks and products want. */
static wadi_status make_kind(const maker *maker, const layer *layer, bool share, wadi_raster *raster) {
    wadi_terrain terrain = terrain_of(maker, layer, raster);
    if (terrain.relief_m == 0 && share) terrain.relief_m = 1;
    if (!is_too_fine(maker, layer, raster) || terrain.relief_m == 0 || !is_noise_alone(layer->kind))
        return run_generate_heights(&layer->options, &terrain, raster->values);
    *maker->too_fine = true;
    fill(raster, terrain.base_m + terrain.relief_m / 2);
    return WADI_OK;
}

/* A share of each height between two. */
static void make_height(const layer *layer, const wadi_raster *below, wadi_raster *raster) {
    const double low = layer->height.first, span = layer->height.second - low;
    for (size_t i = 0; i < cells_of(raster); i++) raster->values[i] = (float)(((double)below->values[i] - low) / span);
}

static wadi_status make_list(const maker *maker, const layer *layers, bool share, const wadi_raster *below,
                             wadi_raster *raster);

static wadi_status make_map(const maker *maker, const layer *layer, bool share, const wadi_raster *below,
                            wadi_raster *raster) {
    wadi_status status = WADI_OK;
    if (layer->source == LAYER_KIND) return make_kind(maker, layer, share, raster);
    if (layer->source == LAYER_HEIGHT) {
        make_height(layer, maker->terrain != NULL ? maker->terrain : below, raster);
        return WADI_OK;
    }
    if (layer->source == LAYER_VALUE) {
        fill(raster, layer->value);
        return WADI_OK;
    }
    if (layer->source == LAYER_FILE)
        status = run_layers_file(layer->file, raster);
    else
        status = make_list(maker, layer->layers, share, below, raster);
    const wadi_terrain terrain = terrain_of(maker, layer, raster);
    if (status == WADI_OK) status = wadi_terrain_warp(&terrain, raster->values);
    if (status == WADI_OK) run_layers_stretch(raster, layer->options.base, layer->options.relief);
    return status;
}

/* The lower of two heights, rounded where they differ by less than `smooth` (Quilez's polynomial). */
static double least(double a, double b, double smooth) {
    const double off = a < b ? b - a : a - b, lower = a < b ? a : b;
    if (off >= smooth || a != a || b != b) return a != a ? a : b != b ? b : lower;
    const double near = 1 - off / smooth;
    return lower - 0.25 * smooth * near * near;
}

static double combined(const layer *layer, double below, double here) {
    switch (layer->combine) {
    case SUBTRACT:
        return below - here;
    case MULTIPLY:
        return below * here;
    case LEAST:
        return least(below, here, layer->smooth);
    case MOST:
        return -least(-below, -here, layer->smooth);
    case REPLACE:
        return here;
    default:
        return below + here;
    }
}

static double limited(double share) { return share < 0 ? 0 : share > 1 ? 1 : share; /* NaN stays */ }

/* The mask says how far the result replaces what lies below. */
static void combine(const layer *layer, const wadi_raster *here, const wadi_raster *mask, wadi_raster *raster) {
    for (size_t i = 0; i < cells_of(raster); i++) {
        const double below = (double)raster->values[i];
        const double result = combined(layer, below, (double)here->values[i]);
        const double share = mask ? limited((double)mask->values[i]) : 1;
        raster->values[i] = (float)(share == 1 ? result : below + share * (result - below));
    }
}

static wadi_status make_layer(const maker *maker, const layer *layer, bool share, const wadi_raster *below,
                              wadi_raster *raster) {
    wadi_raster *here = NULL, *mask = NULL;
    wadi_status status = wadi_raster_like(raster, &here);
    if (status == WADI_OK) status = make_map(maker, layer, share || layer->combine == MULTIPLY, below, here);
    if (status == WADI_OK && layer->mask) status = wadi_raster_like(raster, &mask);
    if (status == WADI_OK && mask) status = make_list(maker, layer->mask, true, raster, mask);
    if (status == WADI_OK) combine(layer, here, mask, raster);
    wadi_raster_destroy(mask);
    wadi_raster_destroy(here);
    return status;
}

/* below: what masks by height look at; NULL: the layers of this list so far. */
static wadi_status make_list(const maker *maker, const layer *layers, bool share, const wadi_raster *below,
                             wadi_raster *raster) {
    wadi_status status = WADI_OK;
    for (const layer *l = layers; l && status == WADI_OK; l = l->next) {
        status = make_layer(maker, l, share, below ? below : raster, raster);
        status = run_fail_at(maker->file, l->at, status);
    }
    return status;
}

wadi_status run_layers_make(const char *file, const layer *layers, uint64_t seed, const wadi_raster *terrain,
                            bool *too_fine, wadi_raster *raster) {
    const maker maker = {file, seed, terrain, too_fine};
    if (too_fine != NULL) *too_fine = false;
    return make_list(&maker, layers, false, NULL, raster);
}
