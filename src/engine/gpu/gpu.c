/* gpu.c: the GPU engine. The state stays on a device; a kernel computes one stage, or all stages of some sub-steps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/supply.h"
#include "engine/gpu/autotune.h"
#include "engine/gpu/choose_device.h"
#include "engine/gpu/codegen/programs.h"
#include "engine/gpu/estimate.h"
#include "engine/gpu/fields.h"
#include "engine/gpu/part_rows.h"
#include "engine/gpu/plain_launch.h"
#include "engine/gpu/rain.h"
#include "engine/gpu/reduce.h"
#include "engine/gpu/sweep_launch.h"
#include "platform/platform.h"

/* Records a failure in the simulation; the device is not used again. */
static bool good(wadi_domain *domain, wadi_status status) {
    if (status != WADI_OK && domain->failure == WADI_OK) domain->failure = status;
    return domain->failure == WADI_OK;
}

#define MEMORY WADI_GPU_MEMORY
#define VALUE WADI_GPU_VALUE

/* --- transfers --- */

static wadi_status fetch(wadi_domain *domain, int f) {
    if (domain->failure != WADI_OK) return wadi_fail(domain->failure, "the device failed earlier: its state is lost");
    const wadi_status status = wadi_gpu_fetch_field(domain, f);
    if (status != WADI_ERROR_MEMORY) good(domain, status);
    return status;
}

static bool pack(wadi_domain *domain, int y, int rows, float *to) {
    return domain->failure == WADI_OK && good(domain, wadi_gpu_pack(domain, y, rows, to));
}

static bool unpack(wadi_domain *domain, int y, int rows, const float *from) {
    return domain->failure == WADI_OK && good(domain, wadi_gpu_unpack(domain, y, rows, from));
}

static bool hold(wadi_domain *domain, int rows, int which) {
    return domain->failure == WADI_OK && good(domain, wadi_gpu_hold(domain, rows, which));
}

static bool take(wadi_domain *domain, const wadi_domain *before, const wadi_domain *after, int which) {
    return domain->failure == WADI_OK && good(domain, wadi_gpu_take(domain, before, after, which));
}

static bool reaches(const wadi_domain *domain, const wadi_domain *other) {
    const wadi_gpu_engine *one = domain->engine_state, *two = other->engine_state;
    return one->driver == two->driver;
}

/* Sends all that was set or reset since the last call. */
static wadi_status send(wadi_domain *domain) {
    wadi_gpu_engine *engine = domain->engine_state;
    const int terrain = wadi_field_of(domain->model, WADI_FIELD_TERRAIN);
    wadi_status status = WADI_OK;
    for (int f = 0; f < domain->model->field_count && status == WADI_OK; f++) {
        if (wadi_kind(domain, f) == WADI_SCRATCH || domain->where[f] == WADI_THERE || domain->where[f] == WADI_BOTH)
            continue;
        status = wadi_gpu_allocate_field(domain, f);
        if (status != WADI_OK) break;
        status = domain->where[f] == WADI_HERE ? wadi_gpu_send_field(domain, f) : wadi_gpu_start_field(domain, f);
        if (status != WADI_OK) break;
        domain->where[f] = domain->where[f] == WADI_HERE ? WADI_BOTH : WADI_THERE;
        status = wadi_gpu_wrap_field(engine, f);
        if (status == WADI_OK) wadi_domain_let_go(domain, f);
        for (int i = 0; i <= WADI_GPU_SWEEP_SUBSTEPS && f == terrain; i++) engine->sweep[i].borders_found = false;
    }
    return status;
}

static wadi_status send_map(wadi_domain *domain, int map) {
    wadi_gpu_engine *engine = domain->engine_state;
    const float *given = domain->block.map[map];
    if (given == NULL) {
        engine->driver->free(engine->gpu, engine->map[map]);
        engine->map[map] = NULL;
        return WADI_OK;
    }
    wadi_status status = wadi_gpu_allocate(engine, wadi_gpu_bytes(&engine->grid), &engine->map[map]);
    if (status == WADI_OK) status = wadi_gpu_start_map(engine, engine->map[map], wadi_constant(domain, map));
    const wadi_gpu_rows rows = wadi_gpu_rows_of(domain);
    if (status == WADI_OK) status = engine->driver->write(engine->gpu, engine->map[map], &rows, given);
    return status == WADI_OK ? wadi_gpu_wrap_map(engine, engine->map[map]) : status;
}

static wadi_status send_maps(wadi_domain *domain) {
    wadi_status status = WADI_OK;
    for (int m = 0; m < domain->model->map_count && status == WADI_OK; m++) status = send_map(domain, m);
    for (int place = 0; place < domain->substeps_per_pass && status == WADI_OK; place++)
        status = wadi_gpu_rain_begin(domain, place);
    return status;
}

/* Brings programs, maps and state on the device up to date with the simulation. */
static wadi_status make_ready(wadi_domain *domain);

static bool is_there(const wadi_domain *domain, int f) {
    return domain->where[f] == WADI_THERE || domain->where[f] == WADI_BOTH;
}

static bool sum_rows(wadi_domain *domain, const wadi_summed *summed, int count, double *sums) {
    const wadi_gpu_engine *engine = domain->engine_state;
    bool all = domain->failure == WADI_OK &&
               domain->where[wadi_field_of(domain->model, WADI_FIELD_TERRAIN)] == WADI_BOTH && engine->about.float64;
    for (int i = 0; i < count; i++) all = all && is_there(domain, summed[i].field);
    return all && good(domain, wadi_gpu_sum_rows(domain, summed, count, sums));
}

/* --- stages --- */

static void written(wadi_domain *domain, const wadi_stage *stage) {
    for (int i = 0; i < stage->writes; i++) domain->where[stage->write[i]] = WADI_THERE;
}

static bool run_substep(wadi_domain *domain, int64_t ahead) {
    wadi_gpu_engine *engine = domain->engine_state;
    bool all = good(domain, wadi_gpu_rain_fall(domain, ahead, 0));
    for (int s = 0; all && s < domain->model->stage_count; s++) {
        const wadi_stage *stage = &domain->model->stages[s];
        if (!wadi_stage_due(domain, stage, domain->substeps_done + ahead)) continue;
        all = good(domain, wadi_gpu_run_stage(domain, stage));
        engine->reduction.used = true;
        written(domain, stage);
    }
    return all;
}

/* Sub-steps of the largest kernel that fits the sub-steps left; 0: none fits. */
static int substeps_now(const wadi_domain *domain, int64_t left) {
    const wadi_gpu_engine *engine = domain->engine_state;
    int per_pass = engine->shape.substeps;
    while (per_pass > 1 && (per_pass > left || !engine->sweep[per_pass].ready)) per_pass--;
    return per_pass;
}

static bool run_passes(wadi_domain *domain, int per_pass, int64_t ahead, int passes) {
    bool all = true;
    for (int place = 0; all && place < per_pass; place++)
        all = good(domain, wadi_gpu_rain_fall(domain, ahead + place, place));
    return all && good(domain, wadi_gpu_sweep_run(domain, per_pass, ahead, passes));
}

/* The number of passes in the next launch. */
static int passes_now(const wadi_domain *domain, int per_pass, int64_t left) {
    const int most = per_pass > 0 ? wadi_gpu_sweep_most_passes(domain, per_pass) : 1;
    return per_pass * (int64_t)most <= left ? most : (int)(left / per_pass);
}

static void all_written(wadi_domain *domain) {
    for (int s = 0; s < domain->model->stage_count; s++)
        if (wadi_stage_on(domain, &domain->model->stages[s])) written(domain, &domain->model->stages[s]);
}

/* --- the last good state: a copy, where memory allows --- */

static bool keep(wadi_domain *domain) {
    wadi_gpu_engine *engine = domain->engine_state;
    if (!good(domain, make_ready(domain)) || engine->no_room) return false;
    const wadi_status status = wadi_gpu_keep(domain);
    engine->no_room = status == WADI_ERROR_MEMORY;
    if (engine->no_room) wadi_gpu_drop_copy(domain);
    return !engine->no_room && good(domain, status);
}

static void go_back(wadi_domain *domain) {
    for (int f = 0; f < domain->model->field_count; f++)
        if (wadi_is_state(domain, f)) domain->where[f] = WADI_THERE;
    good(domain, wadi_gpu_go_back(domain));
}

/* --- a stage on request --- */

static wadi_status make_room_once(wadi_domain *domain, const wadi_stage *stage) {
    wadi_status status = make_ready(domain);
    if (status == WADI_OK) status = wadi_gpu_build_stages(domain);
    for (int i = 0; i < stage->writes && status == WADI_OK; i++)
        status = wadi_gpu_allocate_field(domain, stage->write[i]);
    return status;
}

static wadi_status once(wadi_domain *domain, const wadi_stage *stage) {
    wadi_status status = make_room_once(domain, stage);
    if (status == WADI_ERROR_MEMORY) { /* the copy is less important */
        wadi_gpu_drop_copy(domain);
        status = make_room_once(domain, stage);
    }
    if (status == WADI_OK) status = wadi_gpu_run_stage(domain, stage);
    if (status == WADI_OK) written(domain, stage);
    if (status != WADI_ERROR_MEMORY) good(domain, status);
    return status;
}

/* --- maps for OpenGL --- */

static wadi_status show_one(const wadi_domain *domain, const wadi_shown *shown, wadi_gpu_memory *to) {
    const wadi_gpu_engine *engine = domain->engine_state;
    const int32_t on_ground = shown->on_ground;
    const wadi_gpu_grid grid = wadi_gpu_grid_of(engine, shown->field);
    const wadi_gpu_argument arguments[] = {MEMORY(wadi_gpu_memory_of(engine, shown->field)),
                                           VALUE(grid),
                                           MEMORY(wadi_gpu_terrain(domain)),
                                           VALUE(engine->grid),
                                           MEMORY(to),
                                           VALUE(on_ground)};
    return wadi_gpu_call(engine, engine->show, 1, grid.height, arguments, 6);
}

static wadi_status show(wadi_domain *domain, const wadi_shown *shown, const unsigned *buffers, int count) {
    const wadi_gpu_engine *engine = domain->engine_state;
    const wadi_driver *driver = engine->driver;
    const size_t bytes = (size_t)domain->def.width * (size_t)domain->def.height * sizeof(float);
    wadi_gpu_memory *memory[GPU_BORROWED];
    if (driver->borrow == NULL)
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s shares no memory with OpenGL by way of %s", domain->device,
                         driver->name);
    wadi_status status = make_ready(domain);
    if (status == WADI_OK) {
        status = driver->borrow(engine->gpu, buffers, count, bytes, memory);
        if (status == WADI_ERROR_UNSUPPORTED || status == WADI_ERROR_ARGUMENT) return status;
    }
    if (status == WADI_OK) {
        for (int i = 0; i < count && status == WADI_OK; i++) status = show_one(domain, &shown[i], memory[i]);
        const wadi_status given = driver->give_back(engine->gpu);
        if (status == WADI_OK) status = given;
    }
    if (status != WADI_ERROR_MEMORY) good(domain, status);
    return status;
}

/* --- the plan --- */

static void let_go(const wadi_gpu_engine *engine, wadi_gpu_program **program) {
    engine->driver->release(engine->gpu, *program);
    *program = NULL;
}

static wadi_status build_common(wadi_gpu_engine *engine) {
    const bool float64 = engine->about.float64;
    const struct {
        const char *name;
        wadi_gpu_kernel **kernel;
        bool there;
    } kernels[] = {{"start", &engine->start, true},   {"wrap", &engine->wrap, true},
                   {"move", &engine->move, true},     {"band", &engine->band, true},
                   {"look", &engine->look, true},     {"show", &engine->show, true},
                   {"add_up", &engine->add_up, true}, {"sum_rows", &engine->sum_rows, float64},
                   {"fall", &engine->fall, float64},  {"shower", &engine->shower, float64}};
    if (engine->common != NULL) return WADI_OK;
    wadi_status status =
        wadi_driver_build(engine->driver, engine->gpu, wadi_gpu_common_source(float64), &engine->common);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels && status == WADI_OK; i++)
        if (kernels[i].there)
            status = engine->driver->find(engine->gpu, engine->common, kernels[i].name, kernels[i].kernel);
    if (status != WADI_OK) let_go(engine, &engine->common);
    return status;
}

/* Drops kernels that were built for other choices. */
static wadi_status build(wadi_domain *domain) {
    wadi_gpu_engine *engine = domain->engine_state;
    char *choices = wadi_gpu_choices(domain);
    if (choices == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the device's program");
    if (engine->choices != NULL && strcmp(engine->choices, choices) == 0) {
        free(choices);
        return WADI_OK;
    }
    free(engine->choices);
    engine->choices = choices;
    wadi_gpu_sweep_close(engine);
    engine->shape.substeps = 0;
    engine->measured = false;
    let_go(engine, &engine->stages);
    const wadi_status status = build_common(engine);
    if (status != WADI_OK) {
        free(engine->choices);
        engine->choices = NULL;
    }
    return status;
}

/* Loads sweeps of the engine's shape and of single sub-steps, or the plain path. */
static wadi_status open_path(wadi_domain *domain) {
    wadi_gpu_engine *engine = domain->engine_state;
    const int asked = engine->shape.substeps;
    bool fits = true;
    wadi_status status = WADI_OK;
    if (asked > 0) status = wadi_gpu_sweep_open(domain, 1, &fits);
    if (!fits) engine->shape.substeps = 0;
    if (status == WADI_OK && fits && asked > 1) {
        status = wadi_gpu_sweep_open(domain, asked, &fits);
        if (!fits) engine->shape.substeps = 1;
    }
    if (engine->shape.substeps == 0) wadi_gpu_free_others(engine);
    domain->substeps_per_pass = engine->shape.substeps > 0 ? engine->shape.substeps : 1;
    return status == WADI_OK && engine->shape.substeps == 0 ? wadi_gpu_plain_open(domain) : status;
}

/* Each sub-step of a pass needs rain maps of its own. */
static wadi_status open_rain(wadi_domain *domain) {
    const wadi_status status = wadi_supply_reserve_now(domain);
    return status == WADI_OK ? send_maps(domain) : status;
}

static wadi_status plan_all(wadi_domain *domain) {
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_status status = build(domain);
    if (status == WADI_OK) status = wadi_gpu_allocate_field(domain, wadi_field_of(domain->model, WADI_FIELD_TERRAIN));
    if (status == WADI_OK) status = wadi_gpu_open_reduction(domain);
    if (status == WADI_OK && engine->shape.substeps == 0) {
        wadi_gpu_shape_default(domain, &engine->shape, &engine->measure);
        engine->measure = engine->measure && !engine->measured;
    }
    if (status == WADI_OK) status = open_path(domain);
    return status == WADI_OK ? open_rain(domain) : status;
}

/* Autotunes when there is a state. */
static wadi_status measure(wadi_domain *domain) {
    wadi_gpu_engine *engine = domain->engine_state;
    if (!engine->measure) return WADI_OK;
    engine->measure = false;
    engine->measured = true;
    wadi_gpu_shape_measure(domain);
    const wadi_status status = domain->failure == WADI_OK ? open_path(domain) : domain->failure;
    return status == WADI_OK ? open_rain(domain) : status;
}

/* If memory does not suffice, nothing is lost: the next call starts the plan again. */
static wadi_status prepare(wadi_domain *domain) {
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_status status = make_ready(domain);
    if (status == WADI_OK) status = measure(domain);
    if (status != WADI_OK) engine->stale = true;
    if (status != WADI_ERROR_MEMORY) good(domain, status);
    return status;
}

static bool advance(wadi_domain *domain, int64_t substeps) {
    const unsigned mode = platform_float_mode_strict();
    bool finite = true, all = domain->failure == WADI_OK;
    const wadi_gpu_engine *engine = domain->engine_state;
    wadi_gpu_rain_call(domain, substeps);
    for (int64_t i = 0; all && i < substeps;) {
        const int per_pass = substeps_now(domain, substeps - i);
        const int passes = passes_now(domain, per_pass, substeps - i);
        all = per_pass > 0 ? run_passes(domain, per_pass, i, passes) : run_substep(domain, i);
        i += per_pass > 0 ? per_pass * passes : 1;
    }
    if (engine->shape.substeps > 0) all_written(domain);
    if (all && !domain->more) all = good(domain, wadi_gpu_add_sums(domain));
    if (all && !domain->more) all = good(domain, wadi_gpu_look(domain, &finite));
    platform_float_mode_restore(mode);
    return all && finite;
}

/* Nothing is built while maps and parameters are still being set. */
static wadi_status plan(wadi_domain *domain) {
    wadi_gpu_engine *engine = domain->engine_state;
    engine->stale = true;
    engine->no_room = false;
    return WADI_OK;
}

static wadi_status make_ready(wadi_domain *domain) {
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_status status = WADI_OK;
    if (engine->stale) status = plan_all(domain);
    if (status == WADI_ERROR_MEMORY && domain->good_kept) { /* the copy is less important */
        wadi_gpu_drop_copy(domain);
        status = plan_all(domain);
    }
    if (status == WADI_OK && engine->stale) wadi_estimate_started(domain, &engine->about);
    if (status == WADI_OK) engine->stale = false;
    return status == WADI_OK ? send(domain) : status;
}

/* --- opening and closing --- */

static void close_gpu(wadi_domain *domain) {
    wadi_gpu_engine *engine = domain->engine_state;
    const wadi_driver *driver = engine->driver;
    if (engine->gpu != NULL) {
        wadi_gpu_free_fields(engine);
        for (int below = 0; below < 2; below++) wadi_gpu_forget(domain, below);
        wadi_gpu_free_packed(engine);
        for (int m = 0; m < WADI_MAX_MAPS; m++) driver->free(engine->gpu, engine->map[m]);
        wadi_gpu_free_reduction(engine, &engine->reduction);
        wadi_gpu_sweep_close(engine);
        driver->free(engine->gpu, engine->bad);
        driver->free(engine->gpu, engine->row_sums);
        driver->release(engine->gpu, engine->common);
        driver->release(engine->gpu, engine->stages);
    }
    wadi_gpu_rain_free(engine);
    if (engine->gpu != NULL) driver->close(engine->gpu);
    free(engine->choices);
    free(engine);
    domain->engine_state = NULL;
}

static wadi_status open_gpu(wadi_domain *domain) {
    wadi_gpu_engine *engine = calloc(1, sizeof *engine);
    if (engine == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the GPU engine");
    domain->engine_state = engine;
    domain->substeps_per_pass = 1;
    engine->driver = wadi_driver_of(domain->def.engine);
    wadi_status status = wadi_gpu_choose_device(domain, &engine->about);
    if (status != WADI_OK) return status;
    domain->def.device = engine->about.number;
    snprintf(domain->device, sizeof domain->device, "%s", engine->about.name);
    engine->grid = wadi_gpu_grid_alone(&domain->def);
    status = engine->driver->open(engine->about.number, domain->def.arithmetic == WADI_RELAXED, &engine->gpu);
    return status == WADI_OK ? plan(domain) : status;
}

const wadi_engine_calls wadi_engine_gpu = {.name = "gpu",
                                           .open = open_gpu,
                                           .close = close_gpu,
                                           .plan = plan,
                                           .advance = advance,
                                           .once = once,
                                           .pack = pack,
                                           .unpack = unpack,
                                           .hold = hold,
                                           .take = take,
                                           .reaches = reaches,
                                           .offer = wadi_gpu_offer,
                                           .accept = wadi_gpu_accept,
                                           .lend = wadi_gpu_lend,
                                           .take_back = wadi_gpu_take_back,
                                           .forget = wadi_gpu_forget,
                                           .fetch = fetch,
                                           .build_ahead = wadi_gpu_build_ahead,
                                           .sum_rows = sum_rows,
                                           .prepare = prepare,
                                           .keep = keep,
                                           .go_back = go_back,
                                           .show = show};
