/* terrain.c: the list of kinds. Checks a terrain, generates it, and stretches it to its relief. */
#include "wadi/terrain.h"
#include "core/need.h"
#include "core/strict.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "platform/openmp.h"
#include "terrain/noise.h"
#include "wadi/model.h"

#define KIND(function, name, meaning, rain, noise) {name, meaning, rain, noise},
static const wadi_terrain_kind kinds[] = {
#include "kinds.def"
};
#undef KIND
#define KIND(function, name, meaning, rain, noise) wadi_make_##function,
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

/* Waves far shorter than a cell or far longer than the map would leave the integers of the lattice or the digits. */
static wadi_status check_noise(const wadi_terrain *t) {
    const double shortest = t->lx < t->ly ? t->lx : t->ly, longest = 1000 * wadi_longer_side(t);
    if (t->octaves < 0 || t->octaves > 24)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%d octaves: must be 1 to 24, or 0", t->octaves);
    if (t->feature_m != 0 && !(t->feature_m >= shortest && t->feature_m <= longest))
        return wadi_fail(WADI_ERROR_ARGUMENT, "features of %g m cannot be; use %g (a cell) to %g m", t->feature_m,
                         shortest, longest);
    if (!(t->warp_m >= 0 && t->warp_m <= longest))
        return wadi_fail(WADI_ERROR_ARGUMENT, "a warp of %g m cannot be; use 0 to %g m", t->warp_m, longest);
    return WADI_OK;
}

/* By the series of the sine and the cosine, so that every machine gives the same bits. */
void wadi_unit_vector(double degrees, double *sine, double *cosine) {
    const double quarters = nearbyint(degrees / 90), angle = (degrees - 90 * quarters) * (3.14159265358979323846 / 180);
    double term = 1, s = 0, c = 0;
    for (int i = 0; i < 18; i += 2) { /* to 1e-17 */
        c += term;
        s += term * angle / (i + 1);
        term *= -angle * angle / ((i + 1) * (i + 2));
    }
    const int turns = (int)quarters & 3;
    *sine = turns & 1 ? c : s;
    *cosine = turns & 1 ? -s : c;
    if (turns & 2) *sine = -*sine, *cosine = -*cosine;
}

wadi_stretched wadi_stretch_of(const wadi_terrain *t) {
    double sine, cosine;
    if (!(t->stretch > 1)) return (wadi_stretched){{1, 0}, {0, 1}};
    wadi_unit_vector(t->direction_deg, &sine, &cosine);
    return (wadi_stretched){{cosine, sine}, {-sine / t->stretch, cosine / t->stretch}};
}

static wadi_status check_stretch(const wadi_terrain *t) {
    if (t->stretch != 0 && !(t->stretch >= 1 && t->stretch <= 100))
        return wadi_fail(WADI_ERROR_ARGUMENT, "a stretch of %g cannot be; use 1 to 100", t->stretch);
    if (!(fabs(t->direction_deg) <= 360))
        return wadi_fail(WADI_ERROR_ARGUMENT, "a direction of %g degrees is outside -360 to 360", t->direction_deg);
    return WADI_OK;
}

static wadi_status check_line(const wadi_terrain *t) {
    const double most = 1000 * wadi_longer_side(t);
    if (!(t->width_m >= 0 && t->width_m <= most))
        return wadi_fail(WADI_ERROR_ARGUMENT, "a range %g m wide cannot be; use 0 to %g m", t->width_m, most);
    if (t->line == NULL) return WADI_OK;
    if (t->line_points < 2 || t->line_points > WADI_LINE_POINTS)
        return wadi_fail(WADI_ERROR_ARGUMENT, "a line of %d points cannot be; use 2 to %d", t->line_points,
                         WADI_LINE_POINTS);
    for (int i = 0; i < t->line_points; i++) {
        if (fabs(t->line[i][0]) <= most && fabs(t->line[i][1]) <= most) continue;
        return wadi_fail(WADI_ERROR_ARGUMENT, "point %d of the line is more than %g m away", i + 1, most);
    }
    return WADI_OK;
}

static wadi_status check_kind(const wadi_terrain *t) {
    if (t->kind == NULL) return wadi_fail(WADI_ERROR_ARGUMENT, "no kind of terrain is given (NULL)");
    if (find_kind(t->kind) < 0) return fail_kind(t->kind);
    return check_mask(t);
}

static wadi_status check(const wadi_terrain *t) {
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
    if (check_noise(t) != WADI_OK || check_stretch(t) != WADI_OK || check_line(t) != WADI_OK)
        return WADI_ERROR_ARGUMENT;
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
    const bool moved = t->warp_m > 0;
    wadi_warp warp;
    if (moved) wadi_warp_prepare(t, &warp);
#pragma omp parallel num_threads(t->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < t->height; y++) {
            for (int x = 0; x < width; x++) {
                double u = (x + 0.5) * x_step, v = (y + 0.5) * y_step;
                if (moved) wadi_warp_place(&warp, &u, &v);
                heights[(size_t)y * (size_t)width + (size_t)x] = (float)shape(context, u, v);
            }
        }
    }
}

/* Noise is made at moved places. The map of another kind is made first, and its cells move. */
static wadi_status make(const wadi_terrain *terrain, int kind, float *heights) {
    if (kinds[kind].noise || terrain->warp_m == 0) return makers[kind](terrain, heights);
    wadi_terrain still = *terrain;
    still.warp_m = 0;
    const wadi_status made = makers[kind](&still, heights);
    return made != WADI_OK ? made : wadi_warp_map(terrain, heights);
}

wadi_status wadi_terrain_generate(const wadi_terrain *terrain, float *heights) {
    WADI_IEEE_MODE;
    WADI_NEED(terrain);
    WADI_NEED(heights);
    wadi_status status = check_kind(terrain);
    if (status == WADI_OK) status = check(terrain);
    if (status != WADI_OK) return status;
    wadi_terrain full = *terrain;
    const int kind = find_kind(full.kind);
    if (full.relief_m == 0) full.relief_m = kinds[kind].rain ? 1 : 0.2 * wadi_longer_side(&full);
    if (full.threads <= 0) full.threads = omp_get_max_threads();
    if (!kinds[kind].noise) full.stretch = 0;
    status = make(&full, kind, heights);
    if (status != WADI_OK) return status;
    if (kinds[kind].rain) {
        stretch(&full, 0, 1, heights); /* 0 stays no rain, even if it rains everywhere */
    } else {
        stretch_to_relief(&full, heights);
    }
    return WADI_OK;
}

wadi_status wadi_terrain_warp(const wadi_terrain *terrain, float *heights) {
    WADI_IEEE_MODE;
    WADI_NEED(terrain);
    WADI_NEED(heights);
    const wadi_status checked = check(terrain);
    if (checked != WADI_OK || terrain->warp_m == 0) return checked;
    wadi_terrain full = *terrain;
    if (full.threads <= 0) full.threads = omp_get_max_threads();
    return wadi_warp_map(&full, heights);
}
