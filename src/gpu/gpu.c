/* gpu.c: the GPU engine: the state stays on a device; a kernel a stage, or several stages and sub-steps in one. */
#include "gpu/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"

static const wadi_driver *driver_of(wadi_engine engine) {
    return engine == WADI_ENGINE_CUDA ? &wadi_driver_cuda : &wadi_driver_opencl;
}

/* Notes a failure in the simulation: nothing more is done with the device. */
static bool good(wadi_sim *sim, wadi_status status) {
    if (status != WADI_OK && sim->failure == WADI_OK) sim->failure = status;
    return sim->failure == WADI_OK;
}

/* --- launching --- */

#define MEMORY(handle) ((wadi_gpu_argument){.memory = (handle)})
#define VALUE(variable) ((wadi_gpu_argument){.value = &(variable), .bytes = sizeof(variable)})

static wadi_status launch(const wadi_gpu_engine *engine, wadi_gpu_kernel *kernel, size_t groups_x, size_t groups_y,
                          const wadi_gpu_argument *arguments, int count) {
    const wadi_gpu_launch launch = {{groups_x, groups_y}, WADI_GPU_PLAIN_ITEMS, 0};
    return engine->driver->launch(engine->gpu, kernel, &launch, arguments, count);
}

static wadi_status start_field(const wadi_gpu_engine *engine, wadi_gpu_memory *field, float value, float outside) {
    const int64_t count = (int64_t)engine->count;
    const wadi_gpu_argument arguments[] = {MEMORY(field), VALUE(count), VALUE(value), VALUE(outside),
                                           VALUE(engine->grid)};
    return launch(engine, engine->start, 2048, 1, arguments, 5);
}

/* --- memory --- */

static wadi_gpu_grid grid_of(const wadi_def *def, size_t *count) {
    wadi_gpu_grid grid = {.width = def->width, .height = def->height, .wrap = def->boundary == WADI_WRAP};
    grid.pitch = ((int64_t)def->width + 31) / 32 * 32 + 2 * WADI_GPU_MARGIN;
    grid.origin = WADI_GPU_MARGIN_ROWS * grid.pitch + WADI_GPU_MARGIN;
    *count = (size_t)(grid.pitch * ((int64_t)def->height + 2 * WADI_GPU_MARGIN_ROWS));
    return grid;
}

static wadi_status allocate(const wadi_gpu_engine *engine, size_t bytes, wadi_gpu_memory **memory) {
    return *memory != NULL ? WADI_OK : engine->driver->allocate(engine->gpu, bytes, memory);
}

/* A field that is what it is at the start. */
static wadi_status allocate_field(const wadi_sim *sim, int f) {
    wadi_gpu_engine *engine = sim->engine_state;
    if (engine->field[f] != NULL) return WADI_OK;
    const wadi_field *field = &sim->model->fields[f];
    const wadi_status status = allocate(engine, engine->count * sizeof(float), &engine->field[f]);
    if (status != WADI_OK) return status;
    const float value = field->kind == WADI_STATE ? wadi_at_start(sim, f) : field->outside;
    return start_field(engine, engine->field[f], value, field->outside);
}

static wadi_gpu_rows all_rows(const wadi_sim *sim) {
    const wadi_gpu_engine *engine = sim->engine_state;
    return (wadi_gpu_rows){.offset = (size_t)engine->grid.origin * sizeof(float),
                           .pitch = (size_t)engine->grid.pitch * sizeof(float),
                           .host_pitch = (size_t)sim->block.pitch * sizeof(float),
                           .bytes = (size_t)sim->def.width * sizeof(float),
                           .rows = (size_t)sim->def.height};
}

static wadi_status fetch(wadi_sim *sim, int f) {
    wadi_gpu_engine *engine = sim->engine_state;
    if (sim->failure != WADI_OK) return wadi_fail(sim->failure, "the device failed earlier: its state is lost");
    const wadi_gpu_rows rows = all_rows(sim);
    const wadi_status status = engine->driver->read(engine->gpu, engine->field[f], &rows, sim->block.field[f]);
    good(sim, status);
    return status;
}

/* The device's copy of all that was set or begun anew. */
static wadi_status send(wadi_sim *sim) {
    wadi_gpu_engine *engine = sim->engine_state;
    const wadi_gpu_rows rows = all_rows(sim);
    wadi_status status = WADI_OK;
    for (int f = 0; f < sim->model->field_count && status == WADI_OK; f++) {
        const wadi_field *field = &sim->model->fields[f];
        if (field->kind == WADI_SCRATCH || sim->where[f] == WADI_THERE || sim->where[f] == WADI_BOTH) continue;
        status = allocate_field(sim, f);
        if (status != WADI_OK) break;
        if (sim->where[f] == WADI_HERE)
            status = engine->driver->write(engine->gpu, engine->field[f], &rows, sim->block.field[f]);
        else
            status = start_field(engine, engine->field[f], wadi_at_start(sim, f), field->outside);
        sim->where[f] = sim->where[f] == WADI_HERE ? WADI_BOTH : WADI_THERE;
    }
    return status;
}

static bool is_rain(const wadi_sim *sim, int map) {
    const char *name = sim->model->maps[map].name;
    return wadi_supply_varies(sim) &&
           (strcmp(name, "rain_dt") == 0 || (strcmp(name, "shower") == 0 && sim->model->showers != NULL));
}

static wadi_status send_map(wadi_sim *sim, int map) {
    wadi_gpu_engine *engine = sim->engine_state;
    const float *given = sim->block.map[map];
    if (given == NULL && !is_rain(sim, map)) {
        engine->driver->free(engine->gpu, engine->map[map]);
        engine->map[map] = NULL;
        return WADI_OK;
    }
    wadi_status status = allocate(engine, engine->count * sizeof(float), &engine->map[map]);
    if (status == WADI_OK) {
        const float value = wadi_constant(sim, map);
        status = start_field(engine, engine->map[map], value, value);
    }
    const wadi_gpu_rows rows = all_rows(sim);
    if (status == WADI_OK && given != NULL)
        status = engine->driver->write(engine->gpu, engine->map[map], &rows, given);
    return status;
}

static wadi_status send_maps(wadi_sim *sim) {
    wadi_gpu_engine *engine = sim->engine_state;
    const size_t height = (size_t)sim->def.height, width = (size_t)sim->def.width;
    wadi_status status = WADI_OK;
    for (int m = 0; m < sim->model->map_count && status == WADI_OK; m++) status = send_map(sim, m);
    engine->sent.count = 0;
    engine->sent.showers = 0;
    for (int i = 0; i < 2; i++) memset(engine->touched[i], 0, height);
    if (wadi_supply_varies(sim) && engine->rows == NULL) {
        engine->rows = malloc((width + (1 << 20)) * sizeof *engine->rows);
        if (engine->rows == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for rows of rain");
    }
    return status;
}

/* --- stages --- */

static wadi_status run_stage(wadi_sim *sim, const wadi_stage *stage) {
    wadi_gpu_engine *engine = sim->engine_state;
    wadi_gpu_argument arguments[WADI_MAX_READS + WADI_MAX_MAPS + WADI_MAX_FIELDS + WADI_SUMS + 2];
    int count = 0;
    for (int i = 0; i < stage->reads; i++) arguments[count++] = MEMORY(engine->field[stage->read[i].field]);
    for (int i = 0; i < stage->maps; i++) {
        wadi_gpu_memory *map = engine->map[stage->map[i].field];
        arguments[count++] = MEMORY(map != NULL ? map : engine->field[0]); /* which is then not looked at */
    }
    for (int i = 0; i < stage->writes; i++) arguments[count++] = MEMORY(engine->field[stage->write[i]]);
    for (int i = 0; i < stage->sums; i++) arguments[count++] = MEMORY(engine->slots[stage->sum[i]]);
    arguments[count++] = (wadi_gpu_argument){.value = sim->constants, .bytes = sim->model->constants_bytes};
    arguments[count++] = VALUE(engine->grid);
    return launch(engine, engine->plain[stage - sim->model->stages], (size_t)engine->slots_a_line,
                  (size_t)engine->line_count, arguments, count);
}

static void written(wadi_sim *sim, const wadi_stage *stage) {
    for (int i = 0; i < stage->writes; i++) sim->where[stage->write[i]] = WADI_THERE;
}

static bool run_substep(wadi_sim *sim, int64_t ahead) {
    bool all = good(sim, wadi_gpu_rain(sim, ahead));
    for (int s = 0; all && s < sim->model->stage_count; s++) {
        const wadi_stage *stage = &sim->model->stages[s];
        if (!wadi_stage_due(sim, stage, sim->substeps_done + ahead)) continue;
        all = good(sim, run_stage(sim, stage));
        written(sim, stage);
    }
    return all;
}

/* --- what comes back --- */

static wadi_status add_sum(wadi_sim *sim, wadi_sum sum, float *pairs) {
    wadi_gpu_engine *engine = sim->engine_state;
    const int32_t slots = engine->slots_a_line, lines = engine->line_count;
    const wadi_gpu_argument arguments[] = {MEMORY(engine->slots[sum]), MEMORY(engine->lines), VALUE(slots),
                                           VALUE(lines)};
    const size_t groups = ((size_t)lines + WADI_GPU_PLAIN_ITEMS - 1) / WADI_GPU_PLAIN_ITEMS;
    const size_t bytes = (size_t)lines * 2 * sizeof(float);
    const wadi_gpu_rows rows = {0, bytes, bytes, bytes, 1};
    wadi_status status = launch(engine, engine->add_up, groups, 1, arguments, 4);
    if (status == WADI_OK) status = engine->driver->read(engine->gpu, engine->lines, &rows, pairs);
    if (status != WADI_OK) return status;
    for (int i = 0; i < lines; i++) sim->sums[sum][i] += (double)pairs[2 * i] + (double)pairs[2 * i + 1];
    return WADI_OK;
}

static wadi_status add_sums(wadi_sim *sim) {
    wadi_gpu_engine *engine = sim->engine_state;
    float *pairs = malloc((size_t)engine->line_count * 2 * sizeof *pairs);
    if (pairs == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the balance");
    wadi_status status = WADI_OK;
    for (int i = 0; i < WADI_SUMS && status == WADI_OK; i++)
        if (engine->slots[i] != NULL) status = add_sum(sim, (wadi_sum)i, pairs);
    free(pairs);
    return status;
}

static wadi_status is_finite(wadi_sim *sim, bool *finite) {
    wadi_gpu_engine *engine = sim->engine_state;
    const wadi_gpu_rows one = {0, sizeof(int32_t), sizeof(int32_t), sizeof(int32_t), 1};
    int32_t bad = 0;
    wadi_status status = engine->driver->write(engine->gpu, engine->bad, &one, &bad);
    for (int f = 0; f < sim->model->field_count && status == WADI_OK; f++) {
        if (sim->model->fields[f].kind != WADI_STATE) continue;
        const wadi_gpu_argument arguments[] = {MEMORY(engine->field[f]), MEMORY(engine->bad), VALUE(engine->grid)};
        status = launch(engine, engine->look, 1, (size_t)sim->def.height, arguments, 3);
    }
    if (status == WADI_OK) status = engine->driver->read(engine->gpu, engine->bad, &one, &bad);
    *finite = bad == 0;
    return status;
}

static bool advance(wadi_sim *sim, int64_t substeps) {
    const unsigned mode = platform_float_mode_strict();
    bool finite = true, all = good(sim, send(sim));
    for (int64_t i = 0; all && i < substeps; i++) all = run_substep(sim, i);
    if (all) all = good(sim, add_sums(sim));
    if (all) all = good(sim, is_finite(sim, &finite));
    platform_float_mode_restore(mode);
    return all && finite;
}

static void once(wadi_sim *sim, const wadi_stage *stage) {
    wadi_status status = send(sim);
    for (int i = 0; i < stage->writes && status == WADI_OK; i++) status = allocate_field(sim, stage->write[i]);
    if (status == WADI_OK) status = run_stage(sim, stage);
    written(sim, stage);
    good(sim, status);
}

/* --- the last good state --- */

static void keep(wadi_sim *sim) {
    wadi_gpu_engine *engine = sim->engine_state;
    const size_t bytes = engine->count * sizeof(float);
    wadi_status status = send(sim);
    for (int f = 0; f < sim->model->field_count && status == WADI_OK; f++) {
        if (sim->model->fields[f].kind != WADI_STATE) continue;
        status = allocate(engine, bytes, &engine->kept[f]);
        if (status == WADI_OK) status = engine->driver->copy(engine->gpu, engine->kept[f], engine->field[f], bytes);
    }
    good(sim, status);
}

static void go_back(wadi_sim *sim) {
    wadi_gpu_engine *engine = sim->engine_state;
    wadi_status status = WADI_OK;
    for (int f = 0; f < sim->model->field_count && status == WADI_OK; f++) {
        if (sim->model->fields[f].kind != WADI_STATE || engine->kept[f] == NULL) continue;
        status = engine->driver->copy(engine->gpu, engine->field[f], engine->kept[f], engine->count * sizeof(float));
        sim->where[f] = WADI_THERE;
    }
    good(sim, status);
}

/* --- the plan --- */

static wadi_status find_kernels(wadi_sim *sim) {
    wadi_gpu_engine *engine = sim->engine_state;
    const struct {
        const char *name;
        wadi_gpu_kernel **kernel;
    } common[] = {{"start", &engine->start}, {"wrap", &engine->wrap}, {"look", &engine->look},
                  {"add_up", &engine->add_up}};
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < sizeof common / sizeof *common && status == WADI_OK; i++)
        status = engine->driver->find(engine->gpu, engine->program, common[i].name, common[i].kernel);
    for (int s = 0; s < sim->model->stage_count && status == WADI_OK; s++) {
        char name[64];
        snprintf(name, sizeof name, "plain_%s", sim->model->stages[s].name);
        status = engine->driver->find(engine->gpu, engine->program, name, &engine->plain[s]);
    }
    return status;
}

/* Nothing where the choices are those it was built for. */
static wadi_status build(wadi_sim *sim) {
    wadi_gpu_engine *engine = sim->engine_state;
    char *source = wadi_gpu_source(sim);
    if (source == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the device's program");
    if (engine->choices != NULL && strcmp(engine->choices, source) == 0) {
        free(source);
        return WADI_OK;
    }
    wadi_gpu_program *before = engine->program;
    const wadi_status status = engine->driver->build(engine->gpu, source, &engine->program);
    if (status != WADI_OK) {
        engine->program = before;
        free(source);
        return status;
    }
    engine->driver->release(engine->gpu, before);
    free(engine->choices);
    engine->choices = source;
    return find_kernels(sim);
}

static wadi_status clear(const wadi_gpu_engine *engine, wadi_gpu_memory *memory, size_t bytes) {
    void *zeros = calloc(1, bytes);
    if (zeros == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the balance");
    const wadi_gpu_rows rows = {0, bytes, bytes, bytes, 1};
    const wadi_status status = engine->driver->write(engine->gpu, memory, &rows, zeros);
    free(zeros);
    return status;
}

/* Room for what the stages that run write and sum. */
static wadi_status make_room(wadi_sim *sim) {
    wadi_gpu_engine *engine = sim->engine_state;
    const size_t slot_bytes = (size_t)engine->slots_a_line * (size_t)engine->line_count * 2 * sizeof(float);
    wadi_status status = WADI_OK;
    for (int s = 0; s < sim->model->stage_count; s++) {
        const wadi_stage *stage = &sim->model->stages[s];
        if (!wadi_stage_on(sim, stage)) continue;
        for (int i = 0; i < stage->writes && status == WADI_OK; i++) status = allocate_field(sim, stage->write[i]);
        for (int i = 0; i < stage->sums && status == WADI_OK; i++) {
            wadi_gpu_memory **slots = &engine->slots[stage->sum[i]];
            if (*slots != NULL) continue;
            status = allocate(engine, slot_bytes, slots);
            if (status == WADI_OK) status = clear(engine, *slots, slot_bytes);
        }
    }
    if (status == WADI_OK) status = allocate(engine, (size_t)engine->line_count * 2 * sizeof(float), &engine->lines);
    if (status == WADI_OK) status = allocate(engine, sizeof(int32_t), &engine->bad);
    return status;
}

static wadi_status plan(wadi_sim *sim) {
    wadi_status status = wadi_supply_reserve(sim);
    if (status == WADI_OK) status = build(sim);
    if (status == WADI_OK) status = allocate_field(sim, 0);
    if (status == WADI_OK) status = make_room(sim);
    if (status == WADI_OK) status = send_maps(sim);
    return status;
}

/* --- opening and closing --- */

static void close_gpu(wadi_sim *sim) {
    wadi_gpu_engine *engine = sim->engine_state;
    const wadi_driver *driver = engine->driver;
    if (engine->gpu != NULL) {
        for (int f = 0; f < WADI_MAX_FIELDS; f++) {
            driver->free(engine->gpu, engine->field[f]);
            driver->free(engine->gpu, engine->kept[f]);
        }
        for (int m = 0; m < WADI_MAX_MAPS; m++) driver->free(engine->gpu, engine->map[m]);
        for (int i = 0; i < WADI_SUMS; i++) driver->free(engine->gpu, engine->slots[i]);
        driver->free(engine->gpu, engine->lines);
        driver->free(engine->gpu, engine->bad);
        driver->release(engine->gpu, engine->program);
        driver->close(engine->gpu);
    }
    free(engine->choices);
    free(engine->touched[0]);
    free(engine->touched[1]);
    free(engine->rows);
    free(engine->sent.list);
    free(engine);
    sim->engine_state = NULL;
}

/* The device asked for, or the first that will do. */
static wadi_status find_device(wadi_sim *sim, wadi_device *device) {
    wadi_device devices[16];
    const char *missing = NULL;
    const wadi_engine engine = sim->def.engine;
    const bool relaxed = sim->def.arithmetic == WADI_RELAXED;
    const size_t most = sizeof devices / sizeof *devices, count = wadi_devices(engine, devices, most, &missing);
    if (count == 0) return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s", missing);
    if (sim->def.device >= (int)count)
        return wadi_fail(WADI_ERROR_ARGUMENT, "device %d: there are %zu, from 0; 'wadi devices' lists them",
                         sim->def.device, count);
    for (size_t i = 0; i < count && i < most; i++) {
        if (sim->def.device >= 0 ? devices[i].number != sim->def.device : !devices[i].strict && !relaxed) continue;
        *device = devices[i];
        if (device->strict || relaxed) return WADI_OK;
    }
    return wadi_fail(WADI_ERROR_UNSUPPORTED,
                     "this device does not round as IEEE asks, so its bits would not be the CPU's: choose another, or "
                     "relaxed arithmetic");
}

static wadi_status open_gpu(wadi_sim *sim) {
    wadi_gpu_engine *engine = calloc(1, sizeof *engine);
    if (engine == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the GPU engine");
    sim->engine_state = engine;
    sim->levels = 1;
    engine->driver = driver_of(sim->def.engine);
    wadi_status status = find_device(sim, &engine->about);
    if (status != WADI_OK) return status;
    sim->def.device = engine->about.number;
    engine->touched[0] = calloc((size_t)sim->def.height, 1);
    engine->touched[1] = calloc((size_t)sim->def.height, 1);
    if (engine->touched[0] == NULL || engine->touched[1] == NULL)
        return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the GPU engine");
    snprintf(sim->device, sizeof sim->device, "%s", engine->about.name);
    engine->grid = grid_of(&sim->def, &engine->count);
    engine->line_count = sim->def.height;
    engine->slots_a_line = (sim->def.width + WADI_GPU_PLAIN_ITEMS - 1) / WADI_GPU_PLAIN_ITEMS;
    status = engine->driver->open(engine->about.number, sim->def.arithmetic == WADI_RELAXED, &engine->gpu);
    return status == WADI_OK ? plan(sim) : status;
}

const wadi_engine_calls wadi_engine_gpu = {"gpu", open_gpu, close_gpu, plan, advance, once, fetch, keep, go_back};

/* --- what a definition needs --- */

uint64_t wadi_def_device_memory(const wadi_def *def) {
    if (def->engine != WADI_ENGINE_OPENCL && def->engine != WADI_ENGINE_CUDA) return 0;
    uint64_t fields = 0;
    for (int f = 0; f < def->model->field_count; f++) fields += wadi_field_used(def, f);
    if (def->keep_good_state)
        for (int f = 0; f < def->model->field_count; f++) fields += def->model->fields[f].kind == WADI_STATE;
    size_t count;
    grid_of(def, &count);
    return fields * (uint64_t)count * sizeof(float) + ((uint64_t)def->width * (uint64_t)def->height / 8) + (16u << 20);
}

static double speed_of(const wadi_device *device) { return device->units * device->clock_hz; }

void wadi_def_choose_engine(wadi_def *def) {
    static const wadi_engine engines[] = {WADI_ENGINE_CUDA, WADI_ENGINE_OPENCL};
    double best = 0;
    wadi_def chosen = *def;
    chosen.engine = WADI_ENGINE_CPU;
    chosen.device = -1;
    for (size_t e = 0; e < 2; e++) {
        wadi_device devices[16];
        const size_t count = wadi_devices(engines[e], devices, 16, NULL);
        wadi_def trial = *def;
        trial.engine = engines[e];
        for (size_t i = 0; i < count && i < 16; i++) {
            const wadi_device *device = &devices[i];
            const uint64_t need = wadi_def_device_memory(&trial);
            if (!device->gpu || !(device->strict || def->arithmetic == WADI_RELAXED) || need > device->free_bytes ||
                !(speed_of(device) > best))
                continue;
            best = speed_of(device);
            chosen.engine = engines[e];
            chosen.device = device->number;
        }
    }
    def->engine = chosen.engine;
    def->device = chosen.device;
}
