/* def_memory.c: how much memory a simulation takes. */
#include "core/def_memory.h"

#include <math.h>

#include "core/allocate.h"
#include "platform/platform.h"
#include "wadi/device.h"
#include "wadi/team.h"

/* Without rain there may be idle tiles, whose scratch must be kept. */
static bool keeps_scratch(const wadi_def *def) {
    const int rain = wadi_parameter_of(def->model, WADI_PARAMETER_RAIN);
    return def->engine == WADI_ENGINE_REFERENCE || !(def->values[rain] > 0);
}

/* Rows of a thread: a few rows of each field for each sub-step of a pass. */
static uint64_t rows_of_threads(const wadi_def *def, uint64_t threads) {
    const uint64_t substeps = (uint64_t)(def->substeps_per_pass > 0 ? def->substeps_per_pass : 2);
    return threads * substeps * 8 * (uint64_t)def->model->field_count;
}

#define MIRRORED 3 /* state fields that are read at the same time */

static uint64_t memory_beside_fields(const wadi_def *def) {
    const uint64_t rain = ((uint64_t)def->width + (1u << 20)) * sizeof(float);
    const uint64_t drops = (uint64_t)ceil(fmax(0, def->drops.count)) * 4 * sizeof(wadi_disc);
    return rain + drops + (uint64_t)def->height * 16 * WADI_SUMS + (1u << 20);
}

/* With the state on a device, the host has the terrain, a mirror of fields that are read, and staging for transfers. */
static uint64_t memory_beside_device(const wadi_def *def) {
    return memory_beside_fields(def) + (1 + MIRRORED) * wadi_block_field_bytes(def->width, def->height);
}

static uint64_t memory_of_one(const wadi_def *def) {
    if (wadi_engine_is_gpu(def->engine)) return memory_beside_device(def);
    uint64_t fields = 0;
    for (int i = 0; i < def->model->field_count; i++) {
        const wadi_field_kind kind = wadi_kind_in(def->model, def->model->processes(def->values), i);
        if (kind == WADI_SCRATCH && !(keeps_scratch(def) && wadi_field_used(def, i))) continue;
        fields += kind == WADI_STATE && def->keep_good_state ? 2 : 1;
    }
    if (def->engine == WADI_ENGINE_REFERENCE) fields *= 2;
    const uint64_t threads = (uint64_t)(def->crew != NULL  ? def->crew->count
                                        : def->threads > 0 ? def->threads
                                                           : platform_cores());
    const uint64_t drops = threads * (uint64_t)ceil(fmax(0, def->drops.count)) * sizeof(wadi_disc);
    const uint64_t rows = rows_of_threads(def, threads) * ((uint64_t)def->width + 64) * sizeof(float);
    return drops + rows + fields * wadi_block_field_bytes(def->width, def->height) +
           (uint64_t)def->height * 8 * WADI_SUMS + (1u << 20);
}

/* The parts have the fields. The whole has the terrain, and fields that are read, unless they lie in files. Of a team,
 * those on this machine. */
static uint64_t memory_of_parts(const wadi_def *def) {
    wadi_def one = *def;
    if (def->team != NULL) {
        const int64_t processes = def->team->processes;
        one.height = (int)(((int64_t)def->height * def->team->on_host + processes - 1) / processes);
    }
    return (def->scratch != NULL ? memory_beside_fields(def) : memory_beside_device(def)) + memory_of_one(&one);
}

/* Without a limit. */
static uint64_t memory_wanted(const wadi_def *def) {
    return def->parts > 1 || def->team != NULL ? memory_of_parts(def) : memory_of_one(def);
}

bool wadi_def_streams(const wadi_def *def) {
    const uint64_t limit = def->memory_limit;
    return limit > 0 && (memory_wanted(def) > limit || wadi_device_memory_wanted(def) > limit);
}

uint64_t wadi_def_memory(const wadi_def *def) {
    if (def == NULL || def->model == NULL) return 0;
    if (def->width < 1 || def->height < 1) return 0;
    return wadi_def_streams(def) ? def->memory_limit : memory_wanted(def);
}
