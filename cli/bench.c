/* bench.c: wadi bench: cell-steps per second beside what the machine could do, checked against the reference engine. */
#include "json.h"
#include "options.h"

#include "platform/platform.h"
#include "wadi/bench.h"
#include "wadi/wadi.h"

#include <stdlib.h>
#include <string.h>

typedef struct bench_options {
    const char *model;
    int size[2];
    int64_t threads, repeats, per_pass;
    const char *backend, *isa;
    text_list set;
    bool json;
} bench_options;

#define ROW(...) OPTION_ROW(bench_options, __VA_ARGS__)
static const option options[] = {
    ROW(TEXT, "model", model, "ID", .help = "one model (all)"),
    ROW(SIZE, "size", size, "WxH", .help = "cells (512x512, 1024x1024, 2048x2048 and 4096x4096)"),
    ROW(COUNT, "threads", threads, "N", .minimum = 1, .maximum = 1024, .help = "worker threads (all cores)"),
    ROW(TEXT, "backend", backend, "NAME", .help = "cpu or reference (cpu)"),
    ROW(COUNT, "steps-per-pass", per_pass, "K", .minimum = 1, .maximum = 1,
        .help = "steps a pass over memory; 1 is all there is so far (1)"),
    ROW(TEXTS, "set", set, "NAME=VALUE", .help = "a parameter, as in wadi run"),
    ROW(TEXT, "isa", isa, "NAME", .help = "baseline, avx2 or avx512 (the widest)"),
    ROW(COUNT, "repeats", repeats, "N", .minimum = 1, .maximum = 1000, .help = "timed runs; the median counts (5)"),
    ROW(FLAG, "json", json, NULL, .help = "as JSON"),
    {0},
};

static const command bench = {
    .name = "bench",
    .usage = "[--model ID] [--size WxH] [options]",
    .summary = "Measures cell-steps per second on diamond-square terrain, wet everywhere, all processes on, beside the "
               "memory bandwidth and the arithmetic rate measured in the same run.",
    .options = options,
    .arguments_to = 0,
};

enum { WARM_STEPS = 20, CHECKED_STEPS = 2, CHECKED_CELLS = 1 << 20 };

typedef struct result {
    const char *model, *backend, *device;
    int width, height, threads;
    double rate, idle;
    wadi_cost cost;
} result;

static bool set_parameters(wadi_def *def, const text_list *set, int *code) {
    for (size_t i = 0; i < set->count; i++) {
        char *name = cli_copy(set->items[i]), *value = strchr(name, '=');
        wadi_status status = WADI_OK;
        if (value == NULL) {
            *code = cli_fail(CLI_USAGE, "--set %s: write NAME=VALUE", name);
        } else {
            *value++ = '\0';
            status = wadi_def_set_text(def, name, value);
            if (status != WADI_OK) *code = cli_fail_status(status);
        }
        const bool failed = value == NULL || status != WADI_OK;
        free(name);
        if (failed) return false;
    }
    return true;
}

static bool is_reference(const bench_options *given) {
    return given->backend && strcmp(given->backend, "reference") == 0;
}

/* The bench's terrain under a film of water, warmed up until water flows everywhere. */
static wadi_status open_scene(const wadi_def *def, wadi_sim **sim) {
    const size_t cells = (size_t)def->width * (size_t)def->height;
    float *values = cli_allocate(cells * sizeof *values);
    wadi_terrain terrain = wadi_default_terrain("diamond-square", def->width, def->height);
    wadi_status status = wadi_sim_create(def, sim);
    if (status == WADI_OK) status = wadi_terrain_generate(&terrain, values);
    if (status == WADI_OK) status = wadi_sim_set(*sim, "height", values, cells);
    for (size_t i = 0; i < cells; i++) values[i] = 0.01f;
    if (status == WADI_OK) status = wadi_sim_set(*sim, "water", values, cells);
    if (status == WADI_OK) status = wadi_sim_step(*sim, WARM_STEPS);
    free(values);
    return status;
}

/* Of all that the state shows, one hash after the other. */
static wadi_status hash_of(const wadi_def *def, wadi_engine engine, int64_t steps, char hex[5][65]) {
    static const char *const fields[] = {"height", "water", "sediment", "flow", "change"};
    wadi_def own = *def;
    own.engine = engine;
    wadi_sim *sim = NULL;
    wadi_status status = open_scene(&own, &sim);
    if (status == WADI_OK) status = wadi_sim_step(sim, steps);
    const size_t cells = (size_t)def->width * (size_t)def->height;
    float *values = cli_allocate(cells * sizeof *values);
    for (int f = 0; status == WADI_OK && f < 5; f++) {
        status = wadi_sim_get(sim, fields[f], values, cells);
        if (status == WADI_OK) wadi_field_sha256(values, cells, hex[f]);
    }
    free(values);
    wadi_sim_destroy(sim);
    return status;
}

/* The same scene on both engines, no larger than the reference can do in some seconds. */
static int check_hash(const wadi_def *def) {
    wadi_def small = *def;
    while ((int64_t)small.width * small.height > CHECKED_CELLS)
        small.width = (small.width + 1) / 2, small.height = (small.height + 1) / 2;
    char ours[5][65] = {{0}}, reference[5][65] = {{0}};
    wadi_status status = hash_of(&small, def->engine, CHECKED_STEPS, ours);
    if (status == WADI_OK && def->engine != WADI_ENGINE_REFERENCE)
        status = hash_of(&small, WADI_ENGINE_REFERENCE, CHECKED_STEPS, reference);
    if (status != WADI_OK) return cli_fail_status(status);
    if (def->engine == WADI_ENGINE_REFERENCE || memcmp(ours, reference, sizeof ours) == 0) return CLI_OK;
    return cli_fail(CLI_FAILED, "bench: the result differs from the reference engine's: do not trust this build");
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of the timed runs, each of about a fifth of a second. */
static wadi_status time_steps(wadi_sim *sim, int64_t repeats, double *rate) {
    double *rates = cli_allocate((size_t)repeats * sizeof *rates);
    const wadi_def *def = wadi_sim_def(sim);
    const double cells = (double)def->width * def->height * wadi_sim_safety(sim).substeps;
    int64_t steps = 1;
    wadi_status status = WADI_OK;
    for (int64_t i = 0; status == WADI_OK && i < repeats;) {
        const double start = platform_clock_s();
        status = wadi_sim_step(sim, steps);
        const double time = platform_clock_s() - start;
        if (time < 0.2 && steps < (int64_t)1 << 20)
            steps *= 2;
        else
            rates[i++] = cells * (double)steps / time;
    }
    qsort(rates, (size_t)repeats, sizeof *rates, by_value);
    *rate = rates[repeats / 2];
    free(rates);
    return status;
}

/* What is measured, checked for what the user got wrong before anything takes time. */
static int make_def(const bench_options *given, const wadi_model *model, int width, int height, wadi_def *def) {
    int code = CLI_OK;
    *def = wadi_default_def(model, width, height, 1, 1);
    def->threads = (int)given->threads;
    def->isa = given->isa;
    def->keep_good_state = false;
    def->engine = is_reference(given) ? WADI_ENGINE_REFERENCE : WADI_ENGINE_CPU;
    if (!set_parameters(def, &given->set, &code)) return code;
    if (wadi_def_memory(def) <= platform_memory_bytes()) return CLI_OK;
    return cli_fail(CLI_MEMORY, "bench: %dx%d cells of %s need more memory than there is; choose a smaller --size",
                    width, height, wadi_model_id(model));
}

static int run_one(const bench_options *given, const wadi_model *model, int width, int height, result *result) {
    wadi_def def;
    int code = make_def(given, model, width, height, &def);
    if (code != CLI_OK) return code;
    if ((code = check_hash(&def)) != CLI_OK) return code;
    wadi_sim *sim = NULL;
    wadi_status status = open_scene(&def, &sim);
    if (status == WADI_OK) status = time_steps(sim, given->repeats, &result->rate);
    if (status == WADI_OK) {
        result->model = wadi_model_id(model);
        result->backend = is_reference(given) ? "reference" : "cpu";
        result->width = width, result->height = height;
        result->threads = wadi_sim_threads(sim);
        result->idle = wadi_sim_idle_share(sim);
        result->cost = wadi_def_cost(&def);
    }
    wadi_sim_destroy(sim);
    return status == WADI_OK ? CLI_OK : cli_fail_status(status);
}

static void print_row(const result *result, const wadi_machine *machine) {
    printf(
        "%-12s %5dx%-5d %-9s %2d threads  %8.1f M cell-steps/s  %5.1f bytes  %3.0f%% of bandwidth  %5.0f operations  "
        "%3.0f%% of arithmetic\n",
        result->model, result->width, result->height, result->backend, result->threads, result->rate * 1e-6,
        result->cost.bytes, 100 * result->rate * result->cost.bytes / machine->bandwidth_bytes_per_s,
        result->cost.operations, 100 * result->rate * result->cost.operations / machine->operations_per_s);
    fflush(stdout);
}

static void write_row(json *json, const result *result, const wadi_machine *machine) {
    json_object(json, NULL);
    json_text(json, "model", result->model);
    json_array(json, "size");
    json_integer(json, NULL, result->width);
    json_integer(json, NULL, result->height);
    json_end(json);
    json_text(json, "backend", result->backend);
    json_integer(json, "threads", result->threads);
    json_integer(json, "steps_per_pass", 1);
    json_number(json, "cell_steps_per_s", result->rate);
    json_number(json, "active_cell_steps_per_s", result->rate * (1 - result->idle));
    json_number(json, "bytes_per_cell_step", result->cost.bytes);
    json_number(json, "bandwidth_fraction", result->rate * result->cost.bytes / machine->bandwidth_bytes_per_s);
    json_number(json, "flops_per_cell_step", result->cost.operations);
    json_number(json, "arithmetic_fraction", result->rate * result->cost.operations / machine->operations_per_s);
    json_end(json);
}

typedef struct sizes {
    int list[4][2], count;
} sizes;

static sizes sizes_of(const bench_options *given) {
    if (given->size[0] > 0) return (sizes){{{given->size[0], given->size[1]}}, 1};
    return (sizes){{{512, 512}, {1024, 1024}, {2048, 2048}, {4096, 4096}}, 4};
}

static int check_all(const bench_options *given, const wadi_model *only) {
    const sizes sizes = sizes_of(given);
    wadi_def def;
    int code = CLI_OK;
    for (size_t m = 0; code == CLI_OK && m < wadi_model_count(); m++)
        for (int i = 0; code == CLI_OK && i < sizes.count; i++)
            if (only == NULL || wadi_model_at(m) == only)
                code = make_def(given, wadi_model_at(m), sizes.list[i][0], sizes.list[i][1], &def);
    return code;
}

static int run_all(const bench_options *given, const wadi_model *only, const wadi_machine *machine, json *json) {
    const sizes sizes = sizes_of(given);
    for (size_t m = 0; m < wadi_model_count(); m++) {
        if (only != NULL && wadi_model_at(m) != only) continue;
        for (int i = 0; i < sizes.count; i++) {
            result result = {0};
            const int code = run_one(given, wadi_model_at(m), sizes.list[i][0], sizes.list[i][1], &result);
            if (code != CLI_OK) return code;
            if (given->json)
                write_row(json, &result, machine);
            else
                print_row(&result, machine);
        }
    }
    return CLI_OK;
}

static int measure_all(const bench_options *given, const wadi_model *only) {
    wadi_machine machine;
    const wadi_status status = wadi_measure_machine((int)given->threads, &machine);
    if (status != WADI_OK) return cli_fail_status(status);
    char cpu[128];
    platform_cpu_name(cpu, sizeof cpu);
    json json = json_to(stdout, false);
    if (given->json) {
        json_object(&json, NULL);
        json_number(&json, "bandwidth_bytes_per_s", machine.bandwidth_bytes_per_s);
        json_number(&json, "operations_per_s", machine.operations_per_s);
        json_text(&json, "device", cpu);
        json_array(&json, "results");
    } else {
        printf("%s: %.1f GB/s triad, %.0f G operations/s\n", cpu, machine.bandwidth_bytes_per_s * 1e-9,
               machine.operations_per_s * 1e-9);
    }
    const int code = run_all(given, only, &machine, &json);
    if (given->json && code == CLI_OK) {
        json_end(&json);
        json_end(&json);
    }
    return code;
}

int wadi_cmd_bench(int argc, char **argv) {
    bench_options given = {.repeats = 5, .per_pass = 1};
    arguments arguments;
    int code;
    if (!options_parse(&bench, argc, argv, &given, &arguments, &code)) return code;
    const wadi_model *only = NULL;
    if (given.model != NULL && (only = wadi_model_find(given.model)) == NULL)
        return cli_fail(CLI_USAGE, "%s", wadi_error_message());
    if (given.backend != NULL && strcmp(given.backend, "cpu") != 0 && strcmp(given.backend, "auto") != 0 &&
        !is_reference(&given))
        return cli_fail(CLI_USAGE, "--backend %s: not in this build; cpu or reference", given.backend);
    code = check_all(&given, only);
    if (code == CLI_OK) code = measure_all(&given, only);
    text_list_free(&given.set);
    return code;
}
