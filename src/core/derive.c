/* derive.c: the maps that follow from a terrain. The drainage is computed when the first map needs it, and kept. */
#include "wadi/derive.h"
#include "core/accumulation.h"
#include "core/flood.h"
#include "core/need.h"
#include "core/series.h"
#include "core/sky.h"
#include "core/soil.h"
#include "core/streams.h"
#include "core/strict.h"
#include "core/surface.h"
#include "wadi/terrain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct wadi_derivation {
    wadi_derive_def def;
    size_t count;
    double cell_m2;
    float *breached; /* heights; NULL: not computed yet */
    bool flooded;    /* the flood is complete */
    wadi_flood flood;
    double *spread; /* cells by multiple flow directions; NULL: not computed yet */
};

wadi_derive_def wadi_default_derive(int width, int height, double lx, double ly, const float *heights) {
    return (wadi_derive_def){.width = width,
                             .height = height,
                             .lx = lx,
                             .ly = ly,
                             .heights = heights,
                             .exponent = 1.1,
                             .azimuth = 315,
                             .altitude = 45,
                             .exaggeration = 1};
}

static wadi_status check(const wadi_derive_def *d) {
    const wadi_status status = wadi_flood_check(d->heights, d->width, d->height, d->lx, d->ly, d->channel_m2);
    if (status != WADI_OK) return status;
    if (!(d->exponent > 0 && d->exponent <= 100))
        return wadi_fail(WADI_ERROR_ARGUMENT, "an exponent of %g for the slope: above 0 to 100 is wanted", d->exponent);
    if (!(fabs(d->azimuth) <= 1e6) || !(d->altitude >= 0 && d->altitude <= 90))
        return wadi_fail(WADI_ERROR_ARGUMENT, "light from %g degrees, %g above the horizon: 0 to 90 is wanted",
                         d->azimuth, d->altitude);
    if (!(d->exaggeration > 0 && d->exaggeration <= 1e6))
        return wadi_fail(WADI_ERROR_ARGUMENT, "heights times %g: above 0 to 1e6 is wanted", d->exaggeration);
    return WADI_OK;
}

static wadi_status no_memory(const wadi_derive_def *d) {
    return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for maps of %dx%d cells", d->width, d->height);
}

wadi_status wadi_derive_create(const wadi_derive_def *def, wadi_derivation **derivation) {
    WADI_IEEE_MODE;
    WADI_NEED(derivation);
    *derivation = NULL;
    WADI_NEED(def);
    const wadi_status status = check(def);
    if (status != WADI_OK) return status;
    wadi_derivation *made = calloc(1, sizeof *made);
    if (made == NULL) return no_memory(def);
    made->def = *def;
    made->count = (size_t)def->width * (size_t)def->height;
    made->cell_m2 = def->lx * def->ly;
    *derivation = made;
    return WADI_OK;
}

void wadi_derive_destroy(wadi_derivation *derivation) {
    if (derivation == NULL) return;
    wadi_flood_free(&derivation->flood);
    free(derivation->breached);
    free(derivation->spread);
    free(derivation);
}

/* --- the drainage, once ------------------------------------------------------------------------------------------- */

static wadi_status need_breached(wadi_derivation *d) {
    if (d->breached != NULL) return WADI_OK;
    float *heights = malloc(d->count * sizeof *heights);
    if (heights == NULL) return no_memory(&d->def);
    memcpy(heights, d->def.heights, d->count * sizeof *heights);
    const wadi_breaching how = {.width = d->def.width, .height = d->def.height, .lx = d->def.lx, .ly = d->def.ly};
    wadi_breached done;
    const wadi_status status = wadi_breach(&how, heights, &done);
    if (status == WADI_OK)
        d->breached = heights;
    else
        free(heights);
    return status;
}

static wadi_status flood_over(const wadi_derivation *d, const float *heights, wadi_flood *flood) {
    if (wadi_flood_run(flood, heights, d->def.width, d->def.height, d->def.lx, d->def.ly)) return WADI_OK;
    wadi_flood_free(flood);
    *flood = (wadi_flood){0};
    return no_memory(&d->def);
}

static wadi_status need_flood(wadi_derivation *d) {
    if (d->flooded) return WADI_OK;
    wadi_status status = d->def.breach ? need_breached(d) : WADI_OK;
    if (status == WADI_OK) status = flood_over(d, d->def.breach ? d->breached : d->def.heights, &d->flood);
    d->flooded = status == WADI_OK;
    return status;
}

static wadi_status need_spread(wadi_derivation *d) {
    const wadi_status status = need_flood(d);
    if (status != WADI_OK || d->spread != NULL) return status;
    d->spread = malloc(d->count * sizeof *d->spread);
    if (d->spread == NULL) return no_memory(&d->def);
    wadi_spread_cells(&d->flood, d->def.exponent, d->spread);
    return WADI_OK;
}

/* --- the maps ----------------------------------------------------------------------------------------------------- */

static bool has_data(const wadi_derivation *d, size_t cell) { return isfinite(d->def.heights[cell]); }

static wadi_status make_filled(wadi_derivation *d, float *values) {
    wadi_flood other = {0};
    wadi_status status = d->def.breach ? flood_over(d, d->def.heights, &other) : need_flood(d);
    const wadi_flood *flood = d->def.breach ? &other : &d->flood;
    for (size_t i = 0; i < d->count && status == WADI_OK; i++) values[i] = has_data(d, i) ? flood->level[i] : NAN;
    wadi_flood_free(&other);
    return status;
}

static wadi_status make_breached(wadi_derivation *d, float *values) {
    const wadi_status status = need_breached(d);
    for (size_t i = 0; i < d->count && status == WADI_OK; i++) values[i] = has_data(d, i) ? d->breached[i] : NAN;
    return status;
}

static wadi_status make_direction(wadi_derivation *d, float *values) {
    const wadi_status status = need_flood(d);
    for (size_t i = 0; i < d->count && status == WADI_OK; i++) {
        const int way = d->flood.way[i];
        values[i] = !has_data(d, i) ? NAN : way < WADI_FLOOD_OUT ? (float)(1 << way) : 0.0f;
    }
    return status;
}

static wadi_status d8_areas(wadi_derivation *d, double unit, float *values) {
    const wadi_status status = need_flood(d);
    for (size_t i = 0; i < d->count && status == WADI_OK; i++)
        values[i] = has_data(d, i) ? (float)(unit * d->flood.areas[i]) : NAN;
    return status;
}

static wadi_status make_accumulation(wadi_derivation *d, float *values) { return d8_areas(d, 1, values); }
static wadi_status make_area(wadi_derivation *d, float *values) { return d8_areas(d, d->cell_m2, values); }

static wadi_status mfd_areas(wadi_derivation *d, double unit, float *values) {
    const wadi_status status = need_spread(d);
    for (size_t i = 0; i < d->count && status == WADI_OK; i++)
        values[i] = has_data(d, i) ? (float)(unit * d->spread[i]) : NAN;
    return status;
}

static wadi_status make_mfd_accumulation(wadi_derivation *d, float *values) { return mfd_areas(d, 1, values); }
static wadi_status make_mfd_area(wadi_derivation *d, float *values) { return mfd_areas(d, d->cell_m2, values); }

static wadi_surface surface_of(const wadi_derivation *d) {
    wadi_surface surface = {.heights = d->def.heights,
                            .width = d->def.width,
                            .height = d->def.height,
                            .lx = d->def.lx,
                            .ly = d->def.ly,
                            .stretched = d->def.exaggeration};
    double level;
    wadi_turn(d->def.altitude / 360, &level, &surface.light[2]);
    wadi_turn(d->def.azimuth / 360, &surface.light[1], &surface.light[0]);
    surface.light[0] *= level;
    surface.light[1] *= level;
    return surface;
}

static wadi_status surface_map(const wadi_derivation *d, wadi_surface_fn *value, float *values) {
    const wadi_surface surface = surface_of(d);
    wadi_surface_map(&surface, value, values);
    return WADI_OK;
}

static wadi_status make_soil_depth(wadi_derivation *d, float *values) {
    const wadi_surface surface = surface_of(d);
    return wadi_soil_map(&surface, values);
}

#define SURFACE(name) \
    static wadi_status make_##name(wadi_derivation *d, float *values) { \
        return surface_map(d, wadi_surface_##name, values); \
    }
SURFACE(slope)
SURFACE(aspect)
SURFACE(profile_curvature)
SURFACE(plan_curvature)
SURFACE(curvature)
SURFACE(normal_x)
SURFACE(normal_y)
SURFACE(normal_z)
static wadi_status make_hillshade(wadi_derivation *d, float *values) {
    return surface_map(d, wadi_surface_shade, values);
}

/* Beven, Kirkby 1979: ln(a / tan b). Level ground counts as a slope of a thousandth, so that the index is finite. */
#define LEAST_TANGENT 1e-3

static wadi_status make_wetness(wadi_derivation *d, float *values) {
    const wadi_status status = need_spread(d);
    if (status != WADI_OK) return status;
    const double contour_m = sqrt(d->cell_m2);
    surface_map(d, wadi_surface_tangent, values);
    for (size_t i = 0; i < d->count; i++) {
        if (!has_data(d, i)) continue;
        const double tangent = (double)values[i] > LEAST_TANGENT ? (double)values[i] : LEAST_TANGENT;
        values[i] = (float)wadi_log(d->spread[i] * d->cell_m2 / contour_m / tangent);
    }
    return WADI_OK;
}

static wadi_status make_strahler(wadi_derivation *d, float *values) {
    const wadi_status status = need_flood(d);
    uint8_t *orders = status == WADI_OK ? calloc(d->count, 1) : NULL;
    if (orders == NULL) return status == WADI_OK ? no_memory(&d->def) : status;
    const double threshold_m2 = wadi_flood_threshold(&d->flood, d->cell_m2, d->def.channel_m2);
    wadi_strahler_orders(&d->flood, threshold_m2 / d->cell_m2, orders, NULL);
    for (size_t i = 0; i < d->count; i++) values[i] = has_data(d, i) ? orders[i] : NAN;
    free(orders);
    return WADI_OK;
}

enum { SKY_REACH = 128 }; /* cells, so that a part of a terrain has the values of the whole */

static wadi_status make_occlusion(wadi_derivation *d, float *values) {
    wadi_sky_map(&d->def, SKY_REACH, values);
    return WADI_OK;
}

/* Rennó and others 2008. The flood reaches a cell after the one that it drains to, so that one's base is known. */
static wadi_status make_hand(wadi_derivation *d, float *values) {
    const wadi_status status = need_flood(d);
    if (status != WADI_OK) return status;
    const wadi_flood *flood = &d->flood;
    const double channel = wadi_flood_threshold(flood, d->cell_m2, d->def.channel_m2) / d->cell_m2;
    for (size_t i = 0; i < d->count; i++) values[i] = NAN;
    for (size_t i = 0; i < flood->reached; i++) {
        const uint32_t cell = flood->order[i];
        uint32_t there;
        const bool ends = flood->areas[cell] >= channel || !wadi_flood_receiver(flood, cell, &there);
        values[cell] = ends ? flood->level[cell] : values[there]; /* the height of the drainage */
    }
    for (size_t i = 0; i < d->count; i++)
        if (!isnan(values[i])) values[i] = flood->level[i] - values[i];
    return WADI_OK;
}

static wadi_status flow_part(wadi_derivation *d, bool to_north, float *values) {
    const wadi_status status = need_flood(d);
    for (size_t i = 0; i < d->count && status == WADI_OK; i++) {
        double east = (double)NAN, north = (double)NAN;
        if (has_data(d, i)) wadi_spread_direction(&d->flood, d->def.exponent, (uint32_t)i, &east, &north);
        values[i] = (float)(to_north ? north : east);
    }
    return status;
}

static wadi_status make_flow_x(wadi_derivation *d, float *values) { return flow_part(d, false, values); }
static wadi_status make_flow_y(wadi_derivation *d, float *values) { return flow_part(d, true, values); }

/* --- the table ---------------------------------------------------------------------------------------------------- */

static const wadi_map_facts facts[] = {
#define DERIVED(name, title, unit, palette, range, use, make, meaning) \
    {#name, title, unit, palette, meaning, WADI_MAP_##use, range},
#include "core/derived.def"
#undef DERIVED
};
static wadi_status (*const makers[])(wadi_derivation *, float *) = {
#define DERIVED(name, title, unit, palette, range, use, make, meaning) make,
#include "core/derived.def"
#undef DERIVED
};
enum { MAPS = sizeof facts / sizeof *facts };

const wadi_map_facts *wadi_derived_facts_at(size_t index) { return index < MAPS ? &facts[index] : NULL; }

const wadi_map_facts *wadi_derived_facts_of(const char *map_name) {
    for (size_t i = 0; i < MAPS && map_name != NULL; i++)
        if (strcmp(facts[i].name, map_name) == 0) return &facts[i];
    return NULL;
}

wadi_status wadi_derive_map(wadi_derivation *derivation, const char *map_name, float *values, size_t count) {
    WADI_IEEE_MODE;
    WADI_NEED(derivation);
    WADI_NEED(map_name);
    WADI_NEED(values);
    const wadi_map_facts *map = wadi_derived_facts_of(map_name);
    if (map == NULL) return wadi_fail(WADI_ERROR_ARGUMENT, "'%s': no such map can be derived", map_name);
    if (count != derivation->count)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: %zu values for a terrain of %zu cells; give room for all", map_name,
                         count, derivation->count);
    return makers[map - facts](derivation, values);
}

wadi_status wadi_derive_streams(wadi_derivation *derivation, wadi_streams **streams) {
    WADI_IEEE_MODE;
    WADI_NEED(streams);
    *streams = NULL;
    WADI_NEED(derivation);
    const wadi_status status = need_flood(derivation);
    if (status != WADI_OK) return status;
    wadi_streams *found = calloc(1, sizeof *found);
    if (found != NULL &&
        wadi_streams_find(&derivation->flood, derivation->cell_m2, derivation->def.channel_m2, found)) {
        *streams = found;
        return WADI_OK;
    }
    wadi_streams_destroy(found);
    return no_memory(&derivation->def);
}

void wadi_streams_destroy(wadi_streams *streams) {
    if (streams == NULL) return;
    free(streams->streams);
    free(streams->cells);
    free(streams);
}
