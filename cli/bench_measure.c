/* bench_measure.c: wadi bench: the scene, its check against the reference engine, and the timed runs. */
#include "bench.h"

#include "run/array.h"
#include "run/backend.h"
#include "run/message.h"
#include "run/text.h"

#include "platform/platform.h"

#include <stdlib.h>
#include <string.h>

enum { WARM_STEPS = 20 };

/* The grid and length of the check: more sub-steps than two of the longest passes, a few seconds of work for the
 * reference engine, and several column tiles wide. */
enum { CHECKED_SUBSTEPS = 40, CHECKED_WIDTH = 2048, CHECKED_CELL_SUBSTEPS = 1 << 22 };

static const double timed_s = 0.2; /* least duration of a timed run */

/* The bench's terrain under a film of water. */
static wadi_status open_scene(const wadi_def *def, wadi_sim **sim) {
    const size_t cells = (size_t)def->width * (size_t)def->height;
    float *values = must_have(run_array_new(cells, sizeof *values));
    wadi_terrain terrain = wadi_default_terrain("diamond-square", def->width, def->height);
    wadi_status status = wadi_sim_create(def, sim);
    if (status == WADI_OK) status = wadi_terrain_generate(&terrain, values);
    if (status == WADI_OK) status = wadi_sim_set(*sim, "height", values, cells);
    for (size_t i = 0; i < cells; i++) values[i] = 0.01f;
    if (status == WADI_OK) status = wadi_sim_set(*sim, "water", values, cells);
    free(values);
    return status;
}

/* --- the check --- */

typedef struct hashes {
    char hex[5][65]; /* hashes of all state fields */
} hashes;

static wadi_status hash_of(const wadi_def *def, int64_t steps, hashes *hashes) {
    static const char *const fields[] = {"height", "water", "sediment", "flow", "change"};
    wadi_sim *sim = NULL;
    wadi_status status = open_scene(def, &sim);
    if (status == WADI_OK) status = wadi_sim_step(sim, steps);
    const size_t cells = (size_t)def->width * (size_t)def->height;
    float *values = must_have(run_array_new(cells, sizeof *values));
    for (int f = 0; status == WADI_OK && f < 5; f++) {
        status = wadi_sim_get(sim, fields[f], values, cells);
        if (status == WADI_OK) wadi_field_sha256(values, cells, hashes->hex[f]);
    }
    free(values);
    wadi_sim_destroy(sim);
    return status;
}

static wadi_def checked_def(const wadi_def *def, int64_t *steps) {
    const int64_t substeps = wadi_def_safety(def).substeps;
    *steps = (CHECKED_SUBSTEPS + substeps - 1) / substeps;
    wadi_def small = *def;
    small.allow_out_of_range = true; /* the ranges depend on the size */
    if (small.width > CHECKED_WIDTH) small.width = CHECKED_WIDTH;
    const int64_t rows = CHECKED_CELL_SUBSTEPS / (*steps * substeps * small.width);
    if (small.height > rows) small.height = rows > 2 ? (int)rows : 2;
    return small;
}

wadi_status bench_check(bench_group group) {
    hashes reference = {0};
    for (size_t i = 0; i < group.count; i++) {
        const bench_case *one = &group.cases[i];
        if (one->def.engine == WADI_ENGINE_REFERENCE || one->def.arithmetic == WADI_RELAXED) continue;
        int64_t steps;
        wadi_def def = checked_def(&one->def, &steps);
        hashes ours = {0};
        wadi_status status = hash_of(&def, steps, &ours);
        def.engine = WADI_ENGINE_REFERENCE;
        if (status == WADI_OK && (i == 0 || strcmp(one->settings, one[-1].settings) != 0))
            status = hash_of(&def, steps, &reference);
        if (status != WADI_OK) return status;
        if (memcmp(&ours, &reference, sizeof ours) != 0)
            return wadi_fail(WADI_ERROR_IO,
                             "bench: the result differs from the reference engine's: do not trust this build");
    }
    return WADI_OK;
}

/* --- the timed runs --- */

static wadi_status time_steps(const bench_case *one, double *seconds) {
    const double start = platform_clock_s();
    const wadi_status status = wadi_sim_step(one->sim, one->steps);
    *seconds = platform_clock_s() - start;
    return status;
}

/* Opens the scene, warms it up, and finds how many whole passes a timed run has. */
static wadi_status open_case(bench_case *one, int64_t repeats) {
    double seconds = 0;
    wadi_status status = open_scene(&one->def, &one->sim);
    if (status == WADI_OK) status = wadi_sim_step(one->sim, WARM_STEPS);
    if (status != WADI_OK) return status;
    one->threads = wadi_sim_threads(one->sim);
    one->substeps_per_pass = wadi_sim_substeps_per_pass(one->sim);
    one->rates = must_have(run_array_new((size_t)repeats, sizeof *one->rates));
    one->steps = one->substeps_per_pass;
    while ((status = time_steps(one, &seconds)) == WADI_OK && seconds < timed_s && one->steps < (int64_t)1 << 20)
        one->steps *= 2;
    return status;
}

/* Another case ran before. So one pass first fills the caches again. */
static wadi_status run_case(bench_case *one, double *rate) {
    const wadi_def *def = &one->def;
    double seconds = 0;
    wadi_status status = WADI_OK;
    if (one->steps > one->substeps_per_pass) status = wadi_sim_step(one->sim, one->substeps_per_pass);
    const int64_t before = wadi_sim_substeps(one->sim);
    if (status == WADI_OK) status = time_steps(one, &seconds);
    *rate = (double)def->width * def->height * (double)(wadi_sim_substeps(one->sim) - before) / seconds;
    return status;
}

/* The first case on the same engine, device and number of threads. */
static size_t owner_of_seen(bench_group batch, size_t i) {
    const bench_case *one = &batch.cases[i];
    size_t owner = 0;
    for (; owner < i; owner++) {
        const bench_case *other = &batch.cases[owner];
        if (other->threads == one->threads && other->def.engine == one->def.engine &&
            other->def.device == one->def.device)
            break;
    }
    return owner;
}

static bool owns_seen(bench_group batch, size_t i) { return owner_of_seen(batch, i) == i; }

static wadi_status see_case(const bench_case *one, wadi_machine *seen) {
    if (!bench_is_gpu(one)) return wadi_measure_machine(one->threads, seen);
    *seen = (wadi_machine){0};
    return wadi_device_bandwidth(one->def.engine, one->def.device, &seen->bandwidth_bytes_per_s);
}

static wadi_status see_machine(bench_group batch, int64_t round) {
    wadi_status status = WADI_OK;
    for (size_t i = 0; status == WADI_OK && i < batch.count; i++)
        if (owns_seen(batch, i)) status = see_case(&batch.cases[i], &batch.cases[i].seen[round]);
    return status;
}

static wadi_status run_rounds(bench_group batch, int64_t repeats) {
    wadi_status status = WADI_OK;
    for (int64_t round = 0; status == WADI_OK && round < repeats; round++) {
        status = see_machine(batch, round);
        for (size_t i = 0; status == WADI_OK && i < batch.count; i++)
            status = run_case(&batch.cases[i], &batch.cases[i].rates[round]);
    }
    return status == WADI_OK ? see_machine(batch, repeats) : status;
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts them. */
static double median(double *values, int64_t count) {
    qsort(values, (size_t)count, sizeof *values, by_value);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

static double median_seen(const wadi_machine *seen, int64_t count, size_t offset) {
    double *values = must_have(run_array_new((size_t)count, sizeof *values));
    for (int64_t i = 0; i < count; i++) values[i] = *(const double *)((const char *)&seen[i] + offset);
    const double middle = median(values, count);
    free(values);
    return middle;
}

static wadi_machine machine_seen(const wadi_machine *seen, int64_t count) {
    return (wadi_machine){
        .bandwidth_bytes_per_s = median_seen(seen, count, offsetof(wadi_machine, bandwidth_bytes_per_s)),
        .operations_per_s = median_seen(seen, count, offsetof(wadi_machine, operations_per_s)),
        .divisions_per_s = median_seen(seen, count, offsetof(wadi_machine, divisions_per_s)),
    };
}

static void name_device(bench_case *one) {
    wadi_device device;
    const char *isa = strrchr(wadi_sim_device(one->sim), ' '); /* "AMD EPYC ..., avx512" or "reference" */
    if (run_backend_find(one->def.engine, one->def.device, &device)) {
        snprintf(one->device, sizeof one->device, "%s", device.name);
        snprintf(one->isa, sizeof one->isa, "%s%s", wadi_engine_name(one->def.engine),
                 one->def.arithmetic == WADI_RELAXED ? "-relaxed" : "");
    } else {
        platform_cpu_name(one->device, sizeof one->device);
        snprintf(one->isa, sizeof one->isa, "%s", isa ? isa + 1 : wadi_sim_device(one->sim));
    }
}

static void conclude(bench_case *one, const wadi_machine *seen, int64_t repeats) {
    name_device(one);
    one->rate = median(one->rates, repeats);
    one->lowest = one->rates[0];
    one->highest = one->rates[repeats - 1];
    one->active_rate = one->rate * (1 - wadi_sim_idle_share(one->sim));
    one->cost = wadi_def_cost(&one->def);
    one->machine = machine_seen(seen, repeats + 1);
}

static void conclude_all(bench_group batch, int64_t repeats) {
    for (size_t i = 0; i < batch.count; i++)
        conclude(&batch.cases[i], batch.cases[owner_of_seen(batch, i)].seen, repeats);
}

static void close_all(bench_group batch) {
    for (size_t i = 0; i < batch.count; i++) {
        bench_case *one = &batch.cases[i];
        wadi_sim_destroy(one->sim);
        free(one->rates);
        free(one->seen);
        one->sim = NULL;
        one->rates = NULL;
        one->seen = NULL;
    }
}

static wadi_status measure_batch(bench_group batch, int64_t repeats) {
    wadi_status status = WADI_OK;
    for (size_t i = 0; status == WADI_OK && i < batch.count; i++) {
        status = open_case(&batch.cases[i], repeats);
        if (owns_seen(batch, i))
            batch.cases[i].seen = must_have(run_array_new((size_t)repeats + 1, sizeof(wadi_machine)));
    }
    if (status == WADI_OK) status = run_rounds(batch, repeats);
    if (status == WADI_OK) conclude_all(batch, repeats);
    close_all(batch);
    return status;
}

/* The first cases that fit into the host's and the device's memory together with the measurement of the machine; at
 * least one. */
static bench_group first_batch(bench_group group) {
    const wadi_def *first = &group.cases[0].def;
    wadi_device device = {0};
    run_backend_find(first->engine, first->device, &device);
    uint64_t left = platform_memory_bytes() / 4 * 3, needed = 0, there = device.free_bytes / 4 * 3, needed_there = 0;
    size_t count = 0;
    for (; count < group.count; count++) {
        needed += wadi_def_memory(&group.cases[count].def);
        needed_there += wadi_def_device_memory(&group.cases[count].def);
        if (needed > left || needed_there > there) break;
    }
    return (bench_group){group.cases, count > 0 ? count : 1};
}

wadi_status bench_measure(bench_group group, int64_t repeats) {
    wadi_status status = WADI_OK;
    while (status == WADI_OK && group.count > 0) {
        const bench_group batch = first_batch(group);
        status = measure_batch(batch, repeats);
        group.cases += batch.count;
        group.count -= batch.count;
    }
    return status;
}
