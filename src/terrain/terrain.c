/* terrain.c: the list of kinds. Checks a terrain, generates it, and stretches it to its relief. */
#include "wadi/terrain.h"
#include "core/need.h"
#include "core/strict.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "platform/openmp.h"
#include "terrain/kinds.h"
#include "wadi/model.h"

#define KIND(function, name, meaning, rain) {name, meaning, rain},
static const wadi_terrain_kind kinds[] = {
#include "kinds.def"
};
#undef KIND
#define KIND(function, name, meaning, rain) wadi_make_##function,
static wadi_status (*const makers[])(const wadi_terrain *, float *) = {
#include "kinds.def"
};
enum { KINDS = sizeof kinds / sizeof *kinds };
_Static_assert(sizeof makers / sizeof *makers == KINDS, "each kind has its maker");

const wadi_terrain_kind *wadi_terrain_kinds(size_t *count) {
    if (count != NULL) *count = KINDS;
    return kinds;
}

wadi_terrain wadi_default_terrain(const char *kind, int width, int height) {
    return (wadi_terrain){.kind = kind, .width = width, .height = height, .lx = 1, .ly = 1, .roughness = 0.5};
}

static int find_kind(const char *name) {
    for (int i = 0; i < KINDS; i++) {
        if (strcmp(kinds[i].name, name) == 0) return i;
    }
    return -1;
}

static wadi_status fail_kind(const char *name) {
    const char *names[KINDS];
    for (int i = 0; i < KINDS; i++) names[i] = kinds[i].name;
    const char *nearest = wadi_nearest_name(name, names, KINDS);
    if (nearest != NULL) {
        return wadi_fail(WADI_ERROR_ARGUMENT, "unknown kind of terrain '%s'; did you mean '%s'?", name, nearest);
    }
    char list[512] = "";
    for (int i = 0; i < KINDS; i++) {
        if (i > 0) strcat(list, i + 1 < KINDS ? ", " : " or ");
        strcat(list, names[i]);
    }
    return wadi_fail(WADI_ERROR_ARGUMENT, "unknown kind of terrain '%s'; use %s", name, list);
}

static bool positive(double value) { return isfinite(value) && value > 0; }

static wadi_status check_mask(const wadi_terrain *t) {
    if (strcmp(t->kind, "letters") != 0) return WADI_OK;
    if (t->mask == NULL) return wadi_fail(WADI_ERROR_ARGUMENT, "letters are made from a picture; give terrain.mask");
    if (t->mask_width >= 1 && t->mask_height >= 1) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "a picture of %dx%d cells cannot be", t->mask_width, t->mask_height);
}

static wadi_status check(const wadi_terrain *t) {
    if (t->kind == NULL) return wadi_fail(WADI_ERROR_ARGUMENT, "no kind of terrain is given (NULL)");
    if (find_kind(t->kind) < 0) return fail_kind(t->kind);
    if (check_mask(t) != WADI_OK) return WADI_ERROR_ARGUMENT;
    if (t->width < 2 || t->height < 2) {
        return wadi_fail(WADI_ERROR_ARGUMENT, "a terrain of %dx%d cells cannot be; use 2x2 or more", t->width,
                         t->height);
    }
    if (!positive(t->lx) || !positive(t->ly) || !isfinite(wadi_longer_side(t))) {
        return wadi_fail(WADI_ERROR_ARGUMENT, "a cell of %g x %g m cannot be; use sizes above 0", t->lx, t->ly);
    }
    if (t->threads < 0 || t->threads > WADI_MOST_THREADS) {
        return wadi_fail(WADI_ERROR_ARGUMENT, "%d threads: must be 1 to %d, or 0", t->threads, WADI_MOST_THREADS);
    }
    if (!(t->roughness >= 0 && t->roughness <= 1)) {
        return wadi_fail(WADI_ERROR_ARGUMENT, "roughness %g is outside 0 to 1", t->roughness);
    }
    if (!(t->relief_m >= 0) || !(fabs(t->base_m) + t->relief_m + wadi_longer_side(t) <= (double)FLT_MAX)) {
        return wadi_fail(WADI_ERROR_ARGUMENT, "a relief of %g m above %g m cannot be; use 0 m or more", t->relief_m,
                         t->base_m);
    }
    return WADI_OK;
}

/* Maps the lowest height to base and the highest to base + relief. A map without relief becomes flat. */
static void stretch(const wadi_terrain *terrain, float lowest, float highest, float *heights) {
    const size_t count = (size_t)terrain->width * (size_t)terrain->height;
    const double span = highest > lowest ? (double)highest - (double)lowest : 1;
#pragma omp parallel num_threads(terrain->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (size_t i = 0; i < count; i++) {
            const double share = ((double)heights[i] - (double)lowest) / span;
            heights[i] = (float)(terrain->base_m + terrain->relief_m * share);
        }
    }
}

static void stretch_to_relief(const wadi_terrain *terrain, float *heights) {
    const size_t count = (size_t)terrain->width * (size_t)terrain->height;
    float lowest = heights[0], highest = heights[0];
#pragma omp parallel num_threads(terrain->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static) reduction(min : lowest) reduction(max : highest)
        for (size_t i = 1; i < count; i++) {
            lowest = heights[i] < lowest ? heights[i] : lowest;
            highest = heights[i] > highest ? heights[i] : highest;
        }
    }
    stretch(terrain, lowest, highest, heights);
}

void wadi_fill_places(const wadi_terrain *t, float *heights, wadi_shape *shape, const void *context) {
    const double longer = wadi_longer_side(t);
    const double x_step = t->lx / longer, y_step = t->ly / longer;
    const int width = t->width;
#pragma omp parallel num_threads(t->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < t->height; y++) {
            for (int x = 0; x < width; x++) {
                heights[(size_t)y * (size_t)width + (size_t)x] =
                    (float)shape(context, (x + 0.5) * x_step, (y + 0.5) * y_step);
            }
        }
    }
}

wadi_status wadi_terrain_generate(const wadi_terrain *terrain, float *heights) {
    WADI_IEEE_MODE;
    WADI_NEED(terrain);
    WADI_NEED(heights);
    const wadi_status checked = check(terrain);
    if (checked != WADI_OK) return checked;
    wadi_terrain full = *terrain;
    const int kind = find_kind(full.kind);
    if (full.relief_m == 0) full.relief_m = kinds[kind].rain ? 1 : 0.2 * wadi_longer_side(&full);
    if (full.threads <= 0) full.threads = omp_get_max_threads();
    const wadi_status made = makers[kind](&full, heights);
    if (made != WADI_OK) return made;
    if (kinds[kind].rain) {
        stretch(&full, 0, 1, heights); /* 0 stays no rain, even if it rains everywhere */
    } else {
        stretch_to_relief(&full, heights);
    }
    return WADI_OK;
}
