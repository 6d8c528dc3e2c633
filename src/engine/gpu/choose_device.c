/* choose_device.c: chooses the device of a simulation, and estimates the memory that it needs there. */
#include "engine/gpu/choose_device.h"

#include "core/def_memory.h"
#include "engine/gpu/driver/driver.h"
#include "engine/gpu/estimate.h"
#include "engine/gpu/grid.h"

#define MOST_DEVICES 32

static double speed_of(const wadi_device *device) { return device->units * device->clock_hz; }

/* GPUs first, then by speed. */
static bool better(const wadi_device *a, const wadi_device *b) {
    return a->gpu != b->gpu ? a->gpu : speed_of(a) > speed_of(b);
}

/* The device that was asked for, or the best one that suits. */
wadi_status wadi_gpu_choose_device(const wadi_domain *domain, wadi_device *device) {
    wadi_device devices[MOST_DEVICES];
    const char *missing = NULL;
    const bool relaxed = domain->def.arithmetic == WADI_RELAXED;
    const size_t count = wadi_devices(domain->def.engine, devices, MOST_DEVICES, &missing);
    const wadi_device *best = NULL;
    if (count == 0) return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s", missing);
    if (domain->def.device >= (int)count)
        return wadi_fail(WADI_ERROR_ARGUMENT, "device %d: there are %zu, from 0; 'wadi devices' lists them",
                         domain->def.device, count);
    for (size_t i = 0; i < count && i < MOST_DEVICES; i++) {
        if (domain->def.device >= 0 && devices[i].number != domain->def.device) continue;
        if ((devices[i].strict || relaxed) && (best == NULL || better(&devices[i], best))) best = &devices[i];
    }
    if (best == NULL)
        return wadi_fail(WADI_ERROR_UNSUPPORTED,
                         "this device does not round as IEEE asks, so its bits would not be the CPU's: choose another, "
                         "or relaxed arithmetic");
    *device = *best;
    return WADI_OK;
}

/* --- memory that a definition needs --- */

/* Fields that last, and those that running stages write: scratch, or the second copy of the state. */
static uint64_t fields_of(const wadi_def *def, wadi_field_kind written) {
    const unsigned processes = def->model->processes(def->values);
    uint64_t fields = 0;
    for (int f = 0; f < def->model->field_count; f++) {
        bool is_written = false;
        for (int s = 0; s < def->model->stage_count; s++) {
            const wadi_stage *stage = &def->model->stages[s];
            const bool on = stage->every > 0 && (stage->needs & ~processes) == 0;
            is_written = is_written || (on && wadi_stage_writes(stage, f));
        }
        fields += wadi_kind_in(def->model, processes, f) != WADI_SCRATCH;
        fields += wadi_kind_in(def->model, processes, f) == written && is_written;
    }
    return fields;
}

/* A part, with margins of about this many rows. */
#define MARGINS 64

uint64_t wadi_device_memory_wanted(const wadi_def *def) {
    if (!wadi_engine_is_gpu(def->engine)) return 0;
    if (def->parts > 1) {
        wadi_def part = *def;
        part.height = def->height / def->parts + MARGINS;
        part.parts = 0;
        return wadi_device_memory_wanted(&part);
    }
    const uint64_t plain = fields_of(def, WADI_SCRATCH), sweep = fields_of(def, WADI_STATE);
    const uint64_t fields = plain < sweep ? plain : sweep; /* the copy of the state is made where memory allows */
    const wadi_gpu_grid grid = wadi_gpu_grid_alone(def);
    return fields * wadi_gpu_bytes(&grid) + ((uint64_t)def->width * (uint64_t)def->height / 8) + (20u << 20);
}

uint64_t wadi_def_device_memory(const wadi_def *def) {
    if (def == NULL || def->model == NULL) return 0;
    const uint64_t wanted = wadi_device_memory_wanted(def);
    return wadi_def_streams(def) && wanted > def->memory_limit ? def->memory_limit : wanted;
}

/* The fastest suitable GPU; of equally fast ones that of the last engine. false: none. */
static bool fastest_gpu(const wadi_def *def, wadi_device *fastest) {
    bool any = false;
    for (int e = WADI_ENGINE_AUTO - 1; e >= 0; e--) {
        wadi_device devices[MOST_DEVICES];
        const size_t count = wadi_devices((wadi_engine)e, devices, MOST_DEVICES, NULL);
        wadi_def trial = *def;
        trial.engine = (wadi_engine)e;
        for (size_t i = 0; i < count && i < MOST_DEVICES; i++) {
            const wadi_device *device = &devices[i];
            const uint64_t need = wadi_def_device_memory(&trial);
            if (!device->gpu || !(device->strict || def->arithmetic == WADI_RELAXED) || need > device->free_bytes ||
                (any && !(speed_of(device) > speed_of(fastest))))
                continue;
            *fastest = *device;
            any = true;
        }
    }
    return any;
}

/* To look for GPUs alone takes some 0.3 s. */
static bool is_worth_looking(const wadi_def *def) {
    return def->expected_steps <= 0 || wadi_estimate_cpu_s(def) > WADI_SOONEST_START_S;
}

/* Whether the steps take the CPU longer than a GPU with its start. A GPU that does not report its speed is taken. */
static bool is_worth_starting(const wadi_def *def, const wadi_device *device) {
    if (def->expected_steps <= 0 || !(speed_of(device) > 0)) return true;
    return wadi_estimate_pays(def, device);
}

void wadi_def_choose_engine(wadi_def *def) {
    wadi_device device;
    if (def == NULL || def->model == NULL) return;
    const bool gpu = is_worth_looking(def) && fastest_gpu(def, &device) && is_worth_starting(def, &device);
    def->engine = gpu ? device.engine : WADI_ENGINE_CPU;
    def->device = gpu ? device.number : -1;
}
