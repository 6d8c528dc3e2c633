/* estimate.c: how long a run takes. The rates are rounded from bench/results: jako2011 and mei2007, 1024^2 and larger.
 */
#include "engine/gpu/estimate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/domain.h"
#include "engine/gpu/driver/cache.h"
#include "platform/platform.h"

/* Operations a second of a thread, where all cores work. One that is alone makes up to twice as many. */
static double thread_rate(const wadi_def *def) {
    const bool any = def->isa == NULL;
    if ((any && platform_cpu_has("avx512")) || (!any && strcmp(def->isa, "avx512") == 0)) return 13e9;
    if ((any && platform_cpu_has("avx2")) || (!any && strcmp(def->isa, "avx2") == 0)) return 10e9;
    return 5e9;
}

/* A unit of a GPU makes up to 128 operations a clock. Three in ten are reached. */
static double device_rate(const wadi_device *device) { return 0.3 * 128 * device->units * device->clock_hz; }

/* Of the stages that run with these parameters. */
static double operations_a_cell(const wadi_def *def) {
    const unsigned processes = def->model->processes(def->values);
    double operations = 0;
    for (int s = 0; s < def->model->stage_count; s++) {
        const wadi_stage *stage = &def->model->stages[s];
        if (stage->every > 0 && (stage->needs & ~processes) == 0)
            operations += (double)stage->operations / stage->every;
    }
    return operations;
}

static double cells_of(const wadi_def *def) { return (double)def->width * def->height; }

static double operations_of(const wadi_def *def) {
    return operations_a_cell(def) * cells_of(def) * (double)def->expected_steps * wadi_def_safety(def).substeps;
}

double wadi_estimate_cpu_s(const wadi_def *def) {
    return operations_of(def) / (thread_rate(def) * wadi_domain_threads(def));
}

double wadi_estimate_gpu_s(const wadi_def *def, const wadi_device *device) {
    const double copied_bytes = 2.0 * (double)sizeof(float) * def->model->field_count * cells_of(def);
    return operations_of(def) / device_rate(device) + copied_bytes / 5e9;
}

/* --- the start --- */

#define COLD_S 3.0                  /* NVRTC builds two kernels */
#define COLD_MORE_S 2.0             /* and those of each other simulation of the run, by several threads */
#define WARM_S WADI_SOONEST_START_S /* the driver starts, and kernels come from the cache */

/* Kernels are built for a model and a width. */
static void key_of(const char *what, const wadi_def *def, const wadi_device *device, char *key, size_t size) {
    snprintf(key, size, "%s %s %s %s %s %d %s", what, wadi_engine_name(device->engine), device->name, device->driver,
             def->model->id, def->width, wadi_version());
}

static bool has_started(const wadi_def *def, const wadi_device *device) {
    char key[512], value[16];
    key_of("started", def, device, key, sizeof key);
    return wadi_cache_get(key, value, sizeof value);
}

/* Adds to the seconds that runs have lost. */
static double add_lost(const wadi_def *def, const wadi_device *device, double lost_s) {
    char key[512], value[32];
    key_of("lost", def, device, key, sizeof key);
    if (wadi_cache_get(key, value, sizeof value)) lost_s += strtod(value, NULL);
    snprintf(value, sizeof value, "%.3f", lost_s);
    wadi_cache_put(key, value);
    return lost_s;
}

static double cold_s(const wadi_def *def) {
    return COLD_S + (def->expected_sims > 1 ? COLD_MORE_S * (def->expected_sims - 1) / wadi_domain_threads(def) : 0);
}

/* The finest simulation of a run starts last: if it has started before, so have the others. */
bool wadi_estimate_pays(const wadi_def *def, const wadi_device *device) {
    const double gained_s = wadi_estimate_cpu_s(def) - wadi_estimate_gpu_s(def, device);
    if (gained_s <= WARM_S) return false;
    if (gained_s > cold_s(def) || has_started(def, device)) return true;
    return def->tune && add_lost(def, device, gained_s - WARM_S) > cold_s(def) - WARM_S;
}

void wadi_estimate_started(const wadi_domain *domain, const wadi_device *device) {
    char key[512];
    if (has_started(&domain->def, device)) return;
    key_of("started", &domain->def, device, key, sizeof key);
    wadi_cache_put(key, "yes");
}
