/* autotune.c: chooses the plain path or the fused sweep, and the sweep's shape. The shape comes from the environment,
 * the cache, measurements or defaults. */
#include "engine/gpu/autotune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/gpu/codegen/programs.h"
#include "engine/gpu/driver/cache.h"
#include "engine/gpu/estimate.h"
#include "engine/gpu/fields.h"
#include "engine/gpu/plain_launch.h"
#include "engine/gpu/rain.h"
#include "engine/gpu/reduce.h"
#include "engine/gpu/sweep_launch.h"
#include "platform/platform.h"
#include "wadi/analysis.h"

/* WADI_GPU_SHAPE=substeps,columns,tiles,lanes,prefetch,rows,groups,side,ending: for tests. No bit depends on it. 0
 * sub-steps: the plain path. */
static bool shape_given(wadi_gpu_sweep_shape *shape) {
    const char *text = getenv("WADI_GPU_SHAPE");
    int v[9] = {0};
    if (text == NULL) return false;
    sscanf(text, "%d,%d,%d,%d,%d,%d,%d,%d,%d", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7], &v[8]);
    const int ending = v[8] >= 0 && v[8] < WADI_GPU_ENDINGS ? v[8] : 0;
    *shape =
        (wadi_gpu_sweep_shape){v[0], v[1], v[2], v[3] > 1 ? v[3] : 1, v[4], v[6], v[5] > 0 ? v[5] : 64, v[7], ending};
    return true;
}

/* --- rows of a work item --- */

/* Rows of the large work items (sweep_launch.c). On a small grid each group that runs at once gets one work item. On
 * others it gets about two, long enough that few rows are computed twice. */
static int best_rows(const wadi_domain *domain, const wadi_gpu_sweep_plan *plan) {
    const int columns = (domain->def.width + plan->own_columns - 1) / plan->own_columns, height = domain->def.height;
    const int at_once = wadi_gpu_groups_at_once(domain, &plan->shape);
    const bool one = plan->shape.substeps == 1; /* else more rows are computed twice */
    const int64_t share = (int64_t)columns * height / at_once + 1, half = share * 3 / 8;
    const int64_t most = one ? share * 3 / 4 : share * 3 / 5, enough = one ? 150 : 250;
    for (int rows = 8; share < WADI_GPU_FEW_ROWS && rows < WADI_GPU_FEW_ROWS; rows++)
        if (rows >= height || wadi_gpu_work_items_of(domain, plan, rows) <= at_once)
            return rows < height ? rows : height;
    int64_t large = half > enough ? half : most < enough ? most : enough;
    if (large < WADI_GPU_FEW_ROWS) large = WADI_GPU_FEW_ROWS;
    return (int)(large < height ? large : height);
}

/* The floats in all windows of a lane, as if all were kept in registers. A lane has 255 registers, and about half of
 * the floats are never used. */
static int ring_floats(const wadi_domain *domain, const wadi_gpu_sweep_plan *plan) {
    int floats = 0;
    for (int f = 0; f < domain->model->field_count; f++)
        if (plan->role[f] == WADI_GPU_SWEEP_WINDOW)
            floats += (plan->spilled[f] > 0 ? 2 : plan->to[f] - plan->from[f] + 1) *
                      (plan->shape.columns + (plan->wide[f] ? 2 : 0));
    return floats;
}

/* Groups per multiprocessor. 16 warps have 128 registers per lane, 12 have 168, and 8 have 255. The limits were found
 * with models of 72 to 490 floats in windows. Four columns per lane need all registers. Groups of 64 lanes count as one
 * warp, so they have half the registers: their rates in docs/performance.md are of that. */
static int best_groups(const wadi_gpu_sweep_shape *shape, int ring) {
    const double registers = 0.45 * ring + 33 * shape->columns;
    const int warps = shape->columns == 4 ? 8 : registers <= 115 ? 16 : registers <= 155 ? 12 : 8;
    const int groups = warps / (shape->tiles * shape->substeps);
    return groups > 0 ? groups : 1;
}

/* Sets groups and rows. false: the shape does not suit the model, the device or the grid. */
static bool suits(const wadi_domain *domain, wadi_gpu_sweep_shape *shape) {
    const wadi_gpu_engine *engine = domain->engine_state;
    wadi_gpu_sweep_plan plan;
    bool fits;
    if (wadi_gpu_sweep_plan_make(&plan, domain, engine->about.local_bytes, shape, &fits) != WADI_OK) return false;
    const int ring = ring_floats(domain, &plan);
    plan.persistent = wadi_gpu_shape_uses_ptx(shape) && wadi_gpu_sweep_may_persist(domain); /* needs more memory */
    fits = fits && ring <= 500 && wadi_gpu_sweep_local_bytes(&plan) <= engine->about.local_bytes;
    if (shape->groups == 0) shape->groups = best_groups(shape, ring);
    plan.shape.groups = shape->groups;
    if (fits) shape->rows = best_rows(domain, &plan);
    wadi_gpu_sweep_plan_free(&plan);
    return fits;
}

/* --- the shapes to choose from --- */

static const wadi_gpu_sweep_shape shapes[] = {
    /* substeps, columns, tiles, lanes, prefetch, groups (0: by the model); the grid decides the rest */
    /* with PTX */
    {1, 2, 4, 32, 3, 0, 0, 0, 0},
    {2, 2, 2, 32, 3, 0, 0, 0, 0},
    {2, 4, 2, 32, 3, 0, 0, 0, 0},
    {1, 1, 8, 32, 3, 0, 0, 0, 0}, /* where the others do not fit */
    {1, 1, 4, 32, 3, 0, 0, 0, 0},
    {1, 2, 1, 32, 3, 0, 0, 0, 0},
    {1, 2, 1, 32, 3, 8, 0, 0, 0}, /* fewer groups, so that fewer rows are computed twice */
    /* without: the plain path, and groups of one column tile */
    {0, 0, 1, 1, 0, 0, 0, 0, 0},
    {1, 2, 1, 32, 0, 0, 0, 0, 0},
    {1, 1, 1, 64, 0, 0, 0, 0, 0},
    {1, 2, 1, 64, 0, 0, 0, 0, 0},
    {1, 4, 1, 32, 0, 0, 0, 0, 0},
};
#define SHAPES (sizeof shapes / sizeof *shapes)

static bool is_made_for(int per_pass) {
    for (int i = 0; i < (int)SHAPES; i++)
        if (shapes[i].substeps == per_pass) return true;
    return false;
}

/* Whether the shape is the plain path. */
static bool is_plain(const wadi_gpu_sweep_shape *shape) { return shape->substeps == 0; }

static bool take(const wadi_domain *domain, int index, wadi_gpu_sweep_shape *shape) {
    const int asked = domain->def.substeps_per_pass;
    wadi_gpu_sweep_shape trial = shapes[index];
    if (wadi_gpu_shape_uses_ptx(&trial) != wadi_gpu_has_ptx(domain)) return false;
    if (is_plain(&trial)) {
        *shape = trial;
        return true;
    }
    if (asked > 0) trial.substeps = asked < WADI_GPU_SWEEP_SUBSTEPS ? asked : WADI_GPU_SWEEP_SUBSTEPS;
    if (!suits(domain, &trial)) return false;
    *shape = trial;
    return true;
}

/* The cache's key: device, driver, model and choices, grid size, and the shapes to choose from. */
static void key_of(const wadi_domain *domain, char *key, size_t size) {
    const wadi_gpu_engine *engine = domain->engine_state;
    wadi_sha256 hash;
    char hex[65];
    wadi_sha256_begin(&hash);
    const uint8_t asked[] = {wadi_gpu_has_ptx(domain), wadi_gpu_sweep_may_persist(domain),
                             (uint8_t)domain->def.substeps_per_pass, WADI_GPU_ENDINGS};
    wadi_sha256_add(&hash, asked, sizeof asked);
    wadi_sha256_add(&hash, engine->choices, strlen(engine->choices));
    wadi_sha256_add(&hash, engine->about.driver, strlen(engine->about.driver));
    wadi_sha256_add(&hash, wadi_version(), strlen(wadi_version()));
    for (int i = 0; i < (int)SHAPES; i++) {
        const wadi_gpu_sweep_shape *shape = &shapes[i];
        const int values[] = {shape->substeps, shape->columns,  shape->tiles,
                              shape->lanes,    shape->prefetch, shape->groups};
        wadi_sha256_add(&hash, values, sizeof values);
    }
    wadi_sha256_end(&hash, hex);
    snprintf(key, size, "%s %s %s %dx%d %.16s", engine->driver->name, engine->about.name, domain->model->id,
             domain->def.width, domain->def.height, hex);
}

/* What the cache has of a search: the fastest shape so far, its partition and seconds per sub-step, and the first shape
 * that was not tried. */
typedef struct search {
    int chosen, rows, side, ending, next;
    double seconds;
} search;

static void save(const wadi_domain *domain, const search *found) {
    char key[512], value[96];
    key_of(domain, key, sizeof key);
    snprintf(value, sizeof value, "%d %d %d %d %d %.6e", found->chosen, found->rows, found->side, found->ending,
             found->next, found->seconds);
    wadi_cache_put(key, value);
}

static bool load(const wadi_domain *domain, search *found, wadi_gpu_sweep_shape *shape) {
    char key[512], value[96];
    key_of(domain, key, sizeof key);
    if (!wadi_cache_get(key, value, sizeof value)) return false;
    const int numbers = sscanf(value, "%d %d %d %d %d %lf", &found->chosen, &found->rows, &found->side, &found->ending,
                               &found->next, &found->seconds);
    const int height = domain->def.height;
    const bool good = numbers == 6 && found->chosen >= 0 && found->chosen < (int)SHAPES &&
                      (found->rows > 0 || is_plain(&shapes[found->chosen])) && found->rows <= height &&
                      found->side >= 0 && found->side <= height && found->ending >= 0 &&
                      found->ending < WADI_GPU_ENDINGS && found->next >= 0 && found->next <= (int)SHAPES &&
                      found->seconds > 0 && take(domain, found->chosen, shape);
    if (good) shape->rows = found->rows, shape->side = found->side, shape->ending = found->ending;
    return good;
}

#define LONGEST_SEARCH_S 17.0
#define SHAPE_S 1.0 /* to build a kernel and time it */

/* How long the search may take: a twentieth of the steps that it serves. */
static double search_s(const wadi_domain *domain) {
    const wadi_gpu_engine *engine = domain->engine_state;
    const double run_s = wadi_estimate_gpu_s(&domain->def, &engine->about);
    return domain->def.expected_steps <= 0 || !(run_s / 20 < LONGEST_SEARCH_S) ? LONGEST_SEARCH_S : run_s / 20;
}

/* Chooses a shape with one warp per group if each group then gets one work item. A persistent kernel may take fewer
 * groups, so that fewer rows are computed twice. */
static void take_for_few(const wadi_domain *domain, wadi_gpu_sweep_shape *shape) {
    wadi_gpu_sweep_shape trial;
    for (int i = (int)SHAPES - 1; i > 0 && shape->substeps == 0 && domain->def.substeps_per_pass < 2; i--) {
        const bool fewer = shapes[i].groups > 0;
        if (shapes[i].tiles == 1 && (!fewer || wadi_gpu_sweep_may_persist(domain)) && take(domain, i, &trial) &&
            trial.rows < WADI_GPU_FEW_ROWS)
            *shape = trial;
    }
}

void wadi_gpu_shape_default(const wadi_domain *domain, wadi_gpu_sweep_shape *shape, bool *measure) {
    const wadi_gpu_engine *engine = domain->engine_state;
    *shape = (wadi_gpu_sweep_shape){0};
    *measure = false;
    if (shape_given(shape)) {
        if (domain->def.substeps_per_pass > 0 && shape->substeps > 0) shape->substeps = domain->def.substeps_per_pass;
        if (shape->substeps > WADI_GPU_SWEEP_SUBSTEPS) shape->substeps = WADI_GPU_SWEEP_SUBSTEPS;
        return;
    }
    const bool ptx = wadi_gpu_has_ptx(domain);
    if (!ptx && !engine->about.gpu) return;
    const bool may_measure = domain->def.tune && search_s(domain) >= SHAPE_S;
    search found;
    if (load(domain, &found, shape)) {
        *measure = may_measure && found.next < (int)SHAPES;
        return;
    }
    if (!ptx) { /* there nobody knows which path is faster */
        *measure = may_measure && domain->def.substeps_per_pass < 2;
        return;
    }
    take_for_few(domain, shape);
    for (int i = 0; i < (int)SHAPES && shape->substeps == 0; i++) /* prefer a shape made for so many sub-steps */
        if (shapes[i].substeps == domain->def.substeps_per_pass) take(domain, i, shape);
    for (int i = 0; i < (int)SHAPES && shape->substeps == 0; i++) take(domain, i, shape);
    *measure = shape->substeps > 0 && may_measure &&
               (domain->def.substeps_per_pass == 0 || is_made_for(domain->def.substeps_per_pass));
}

void wadi_gpu_build_ahead(const wadi_domain *domain) {
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_gpu_sweep_shape shape;
    bool measure;
    if (engine->driver->build_ahead == NULL || !wadi_cache_is_on() || engine->choices != NULL) return;
    engine->choices = wadi_gpu_choices(domain); /* the shape depends on them */
    if (engine->choices == NULL) return;
    wadi_gpu_shape_default(domain, &shape, &measure);
    if (shape.substeps > 0) wadi_gpu_sweep_build_ahead(domain, shape, 1);
    if (shape.substeps > 1) wadi_gpu_sweep_build_ahead(domain, shape, shape.substeps);
    free(engine->choices); /* nothing is loaded for them yet */
    engine->choices = NULL;
}

/* --- measuring --- */

/* per_pass: 0 for the plain path, whose passes are sub-steps. */
static wadi_status try_passes(wadi_domain *domain, int per_pass, int passes, double *seconds) {
    const wadi_gpu_engine *engine = domain->engine_state;
    const double begin = platform_clock_s();
    wadi_status status =
        per_pass > 0 ? wadi_gpu_sweep_try(domain, per_pass, passes) : wadi_gpu_plain_try(domain, passes);
    if (status == WADI_OK) status = engine->driver->finish(engine->gpu);
    *seconds = platform_clock_s() - begin;
    return status;
}

/* Times the loaded kernel, or the plain path, in seconds per sub-step. */
static wadi_status time_open(wadi_domain *domain, int per_pass, double *seconds) {
    enum { PASSES = 4, MOST_PASSES = 400 };
    const double enough_s = 8e-3;
    int passes = PASSES;
    wadi_status status = try_passes(domain, per_pass, 1, seconds);
    if (status == WADI_OK) status = try_passes(domain, per_pass, passes, seconds);
    if (status == WADI_OK && *seconds < enough_s) {
        passes = MOST_PASSES * *seconds < enough_s ? MOST_PASSES : (int)(PASSES * enough_s / *seconds) + 1;
        status = try_passes(domain, per_pass, passes, seconds);
    }
    *seconds /= passes * (per_pass > 0 ? per_pass : 1);
    return status;
}

#define CANNOT_BE 1e30

/* Times the loaded kernel with another partition, and keeps that if it is faster. */
static void try_share(wadi_domain *domain, const wadi_gpu_sweep_shape *trial, wadi_gpu_sweep_shape *shape, double *best,
                      double end) {
    wadi_gpu_engine *engine = domain->engine_state;
    double seconds = 0;
    const bool tried =
        platform_clock_s() < end && trial->rows >= WADI_GPU_FEW_ROWS && trial->rows <= domain->def.height;
    engine->shape = *trial;
    if (!tried || wadi_gpu_sweep_partition(domain, trial->substeps) != WADI_OK ||
        time_open(domain, trial->substeps, &seconds) != WADI_OK || seconds >= *best)
        return;
    *best = seconds;
    *shape = *trial;
}

/* Tries partitions with the loaded kernel: the rows of a work item, and how the last rows of a column are split. They
 * decide how many rows are computed twice, and how long processors wait for the last work item. If each group has one
 * work item, there is nothing to try. */
static void find_share(wadi_domain *domain, wadi_gpu_sweep_shape *shape, double *best, double end) {
    static const double parts[] = {0.5, 0.65, 0.8, 1.25, 1.6, 2}, near_by[] = {0.9, 1.1}, sides[] = {0.35, 0.5, 0.8};
    const wadi_gpu_sweep_shape from = *shape;
    if (from.rows < WADI_GPU_FEW_ROWS) return;
    for (int i = 0; i < 6; i++) {
        wadi_gpu_sweep_shape trial = *shape;
        trial.rows = (int)(from.rows * parts[i]);
        try_share(domain, &trial, shape, best, end);
    }
    for (int ending = 1; ending < WADI_GPU_ENDINGS; ending++) {
        wadi_gpu_sweep_shape trial = *shape;
        trial.ending = ending;
        try_share(domain, &trial, shape, best, end);
    }
    for (int i = 0; i < 3; i++) {
        wadi_gpu_sweep_shape trial = *shape;
        trial.side = (int)(shape->rows * sides[i]);
        try_share(domain, &trial, shape, best, end);
    }
    const int rows = shape->rows;
    for (int i = 0; i < 2; i++) {
        wadi_gpu_sweep_shape trial = *shape;
        trial.rows = (int)(rows * near_by[i]);
        try_share(domain, &trial, shape, best, end);
    }
}

/* The same of the plain path, which works in place: the state comes back from a copy. CANNOT_BE: no memory for that. */
static double time_of_plain(wadi_domain *domain) {
    wadi_gpu_engine *engine = domain->engine_state;
    double seconds = 0;
    wadi_gpu_drop_copy(domain);
    wadi_status status = wadi_gpu_plain_open(domain);
    if (status == WADI_OK) status = wadi_gpu_keep(domain);
    const bool tried = status == WADI_OK;
    if (tried) status = time_open(domain, 0, &seconds);
    if (tried && wadi_gpu_go_back(domain) != WADI_OK) domain->failure = status = WADI_ERROR_DEVICE; /* it is lost */
    wadi_gpu_drop_copy(domain);
    wadi_gpu_free_reduction(engine, &engine->reduction); /* its sums are those of the trial */
    return status == WADI_OK ? seconds : CANNOT_BE;
}

/* Seconds per sub-step with this shape and its fastest partition. CANNOT_BE: the shape does not run. */
static double time_of(wadi_domain *domain, wadi_gpu_sweep_shape *shape, double end) {
    wadi_gpu_engine *engine = domain->engine_state;
    bool fits = true;
    double seconds = 0;
    if (is_plain(shape)) return time_of_plain(domain);
    engine->shape = *shape;
    wadi_status status = wadi_gpu_sweep_open(domain, shape->substeps, &fits);
    for (int place = 0; place < shape->substeps && status == WADI_OK && fits; place++)
        status = wadi_gpu_rain_begin(domain, place);
    if (status == WADI_OK && fits) status = time_open(domain, shape->substeps, &seconds);
    const bool good = status == WADI_OK && fits;
    if (good) find_share(domain, shape, &seconds, end);
    wadi_gpu_sweep_close(engine);
    return good ? seconds : CANNOT_BE;
}

/* Whether a shape is worth timing. One warp per group is for grids on which each group has one work item. Four columns
 * per lane are for larger grids, or for groups of one warp. One column in eight tiles is tried only while nothing else
 * fits (any is false). The number of sub-steps is the requested one. */
static bool is_worth_trying(const wadi_domain *domain, int index, const wadi_gpu_sweep_shape *trial, bool any) {
    const wadi_gpu_sweep_shape *shape = &shapes[index];
    const bool few = trial->rows < WADI_GPU_FEW_ROWS;
    const int asked = domain->def.substeps_per_pass;
    if (!wadi_gpu_shape_uses_ptx(shape)) return true;
    return (shape->tiles == 1 ? few : !few || shape->columns < 4) && (shape->columns > 1 || shape->tiles < 8 || !any) &&
           (asked == 0 || shape->substeps == asked);
}

/* Goes on where an earlier search ended. */
void wadi_gpu_shape_measure(wadi_domain *domain) {
    const double end = platform_clock_s() + search_s(domain);
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_gpu_sweep_close(engine); /* the loaded kernel is one of them */
    wadi_gpu_sweep_shape shape = {0}, fastest = engine->shape;
    search found;
    if (!load(domain, &found, &fastest)) found = (search){.seconds = CANNOT_BE};
    for (; found.next < (int)SHAPES && platform_clock_s() + SHAPE_S <= end && domain->failure == WADI_OK;
         found.next++) {
        const int i = found.next;
        const bool tried = take(domain, i, &shape) && is_worth_trying(domain, i, &shape, found.seconds < CANNOT_BE);
        const double seconds = tried ? time_of(domain, &shape, end) : CANNOT_BE;
        if (seconds >= found.seconds) continue;
        found.seconds = seconds;
        found.chosen = i;
        fastest = shape;
    }
    engine->shape = fastest;
    if (domain->failure != WADI_OK || found.seconds >= CANNOT_BE) return; /* none of them suits: the default stays */
    found.rows = fastest.rows, found.side = fastest.side, found.ending = fastest.ending;
    save(domain, &found);
}
