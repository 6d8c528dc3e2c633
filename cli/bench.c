/* bench.c: wadi bench: cell-steps per second compared with the machine's limits, for all combinations of the given
 * sizes, threads, sub-steps per pass, models and settings. Each result is checked against the reference engine. */
#include "bench.h"
#include "options.h"

#include "run/backend.h"
#include "run/fail.h"
#include "run/folder.h"
#include "run/memory.h"
#include "run/message.h"
#include "run/option.h"
#include "run/text.h"

#include "platform/platform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench_options {
    const char *model, *isa, *csv;
    backend_args on;
    text_list sizes, threads, per_pass, set, variants;
    int64_t tile_columns, repeats;
    bool json, force;
} bench_options;

#define ROW(...) OPTION_ROW(bench_options, __VA_ARGS__)
static const option options[] = {
    ROW(TEXT, "model", model, "ID", .help = "one model (all)"),
    ROW(TEXTS, "size", sizes, "WxH,...", .help = "cells (512x512,1024x1024,2048x2048,4096x4096)"),
    ROW(TEXTS, "threads", threads, "N,...", .help = "worker threads (as many as the machine has and the grid can use)"),
    ROW(TEXTS, "substeps-per-pass", per_pass, "K,...",
        .help = "sub-steps a pass over memory makes, 1 to 16; 0: chosen (0)"),
    ROW(COUNT, "tile-columns", tile_columns, "COLUMNS", .maximum = 1 << 24,
        .help = "columns of the grid that one pass on the CPU takes, a multiple of 16; 0: chosen (0)"),
    ROW(TEXTS, "set", set, "NAME=VALUE", .help = "a parameter, as in wadi run"),
    ROW(TEXTS, "variant", variants, "NAME=VALUE,...",
        .help = "measures --model with these parameters beside the other variants; repeat it for each"),
    BACKEND_OPTIONS(bench_options, on),
    ROW(TEXT, "isa", isa, "NAME", .help = "of the CPU: baseline, avx2 or avx512 (the widest)"),
    ROW(COUNT, "repeats", repeats, "N", .minimum = 1, .maximum = 1000,
        .help = "timed runs, those of one model and size in turns; the median counts (5)"),
    ROW(FLAG, "json", json, NULL, .help = "as JSON"),
    ROW(TEXT, "csv", csv, "FILE",
        .help = "writes a line a result there too; bench/results keeps such files, named for the CPU"),
    ROW(FLAG, "force", force, NULL, .help = "replace an existing file"),
    {0},
};

static const command bench = {
    .name = "bench",
    .usage = "[--model ID] [--size WxH] [options]",
    .summary = "Measures cell-steps per second on diamond-square terrain, wet everywhere, all processes on, beside the "
               "memory bandwidth and the arithmetic rate measured between the timed runs; of a GPU, beside its "
               "memory's. Without --backend the CPU is measured. Sizes, threads and steps a pass may be lists.",
    .options = options,
    .arguments_to = 0,
};

/* --- lists --- */

enum { MOST_IN_LIST = 16 };

typedef struct item {
    int64_t count;
    int size[2];
} item;

typedef struct list {
    item items[MOST_IN_LIST];
    size_t count;
} list;

#define ITEM(type, name, member, ...) OPTION_ROW(item, type, name, member, NULL, __VA_ARGS__)
static const option a_size = ITEM(SIZE, "size", size, .help = ""),
                    a_number_of_threads = ITEM(COUNT, "threads", count, .minimum = 1, .maximum = 1024),
                    per_pass = ITEM(COUNT, "substeps-per-pass", count, .maximum = 16);

/* Calls `take` for each part between commas. */
static wadi_status each_part(const char *text, wadi_status (*take)(void *context, const char *part), void *context) {
    char *copy = must_have(run_text_copy(text)), *part = copy;
    wadi_status status = WADI_OK;
    while (status == WADI_OK && part != NULL) {
        char *comma = strchr(part, ',');
        if (comma != NULL) *comma = '\0';
        status = take(context, part);
        part = comma != NULL ? comma + 1 : NULL;
    }
    free(copy);
    return status;
}

typedef struct list_reader {
    const option *option;
    list *list;
} list_reader;

static wadi_status add_item(void *context, const char *part) {
    const list_reader *reader = context;
    list *list = reader->list;
    if (list->count == MOST_IN_LIST)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--%s: at most %d in a list", reader->option->name, MOST_IN_LIST);
    return run_option_store(reader->option, part, &list->items[list->count++]);
}

static wadi_status read_list(const option *option, const text_list *texts, list *list) {
    list_reader reader = {option, list};
    wadi_status status = WADI_OK;
    for (size_t i = 0; status == WADI_OK && i < texts->count; i++)
        status = each_part(texts->items[i], add_item, &reader);
    return status;
}

typedef struct lists {
    list sizes, threads, per_pass;
} lists;

static wadi_status read_lists(const bench_options *given, lists *lists) {
    *lists = (struct lists){0};
    wadi_status status = read_list(&a_size, &given->sizes, &lists->sizes);
    if (status == WADI_OK) status = read_list(&a_number_of_threads, &given->threads, &lists->threads);
    if (status == WADI_OK) status = read_list(&per_pass, &given->per_pass, &lists->per_pass);
    for (int side = 512; lists->sizes.count < 4 && given->sizes.count == 0; side *= 2)
        lists->sizes.items[lists->sizes.count++] = (item){.size = {side, side}};
    if (given->threads.count == 0) lists->threads.count = 1;
    if (given->per_pass.count == 0) lists->per_pass.count = 1;
    return status;
}

/* --- cases --- */

typedef struct sweep {
    bench_case *cases;
    size_t count;
} sweep;

static wadi_status set_parameter(void *context, const char *assignment) {
    bench_case *one = context;
    char *name = must_have(run_text_copy(assignment)), *value = strchr(name, '=');
    wadi_status status;
    if (value == NULL) {
        status = wadi_fail(WADI_ERROR_ARGUMENT, "%s: write NAME=VALUE", name);
    } else {
        *value++ = '\0';
        status = wadi_def_set_text(&one->def, name, value);
    }
    char *settings = must_have(run_text_format("%s%s%s", one->settings, *one->settings ? " " : "", assignment));
    free(one->settings);
    one->settings = settings;
    free(name);
    return status;
}

static wadi_status make_case(const bench_options *given, const wadi_model *model, const int size[2],
                             const char *variant, bench_case *one) {
    *one =
        (bench_case){.settings = must_have(run_text_copy("")), .def = wadi_default_def(model, size[0], size[1], 1, 1)};
    one->def.tile_columns = (int)given->tile_columns;
    one->def.isa = given->isa;
    one->def.keep_good_state = false;
    wadi_status status = WADI_OK;
    for (size_t i = 0; status == WADI_OK && i < given->set.count; i++) status = set_parameter(one, given->set.items[i]);
    if (status == WADI_OK && variant != NULL) status = each_part(variant, set_parameter, one);
    return status;
}

static wadi_status check_memory(const bench_case *one) {
    const char *of = wadi_model_id(one->def.model);
    wadi_status status = run_memory_check_host(&one->def, of, wadi_def_memory(&one->def));
    return status != WADI_OK ? status : run_memory_check_device(&one->def, 1, of, false);
}

/* Adds one model, size and variant, for all threads and sub-steps per pass. */
static wadi_status add_cases(const bench_options *given, const lists *lists, const wadi_model *model, const int size[2],
                             const char *variant, sweep *sweep) {
    wadi_status status = WADI_OK;
    const size_t more = lists->threads.count * lists->per_pass.count;
    sweep->cases = must_have(realloc(sweep->cases, (sweep->count + more) * sizeof *sweep->cases));
    for (size_t t = 0; t < lists->threads.count; t++)
        for (size_t k = 0; status == WADI_OK && k < lists->per_pass.count; k++) {
            bench_case *one = &sweep->cases[sweep->count++];
            status = make_case(given, model, size, variant, one);
            one->def.threads = (int)lists->threads.items[t].count;
            one->def.substeps_per_pass = (int)lists->per_pass.items[k].count;
            if (status == WADI_OK) run_backend_apply(&given->on, &one->def, 1);
            if (status == WADI_OK) status = check_memory(one);
        }
    return status;
}

/* Makes the cases, and finds the user's errors before anything takes time. */
static wadi_status make_cases(const bench_options *given, const wadi_model *only, const lists *lists, sweep *sweep) {
    wadi_status status = WADI_OK;
    const size_t variants = given->variants.count > 0 ? given->variants.count : 1;
    for (size_t m = 0; m < wadi_model_count(); m++) {
        if (only != NULL && wadi_model_at(m) != only) continue;
        for (size_t s = 0; s < lists->sizes.count; s++)
            for (size_t v = 0; status == WADI_OK && v < variants; v++)
                status = add_cases(given, lists, wadi_model_at(m), lists->sizes.items[s].size,
                                   given->variants.count > 0 ? given->variants.items[v] : NULL, sweep);
    }
    return status;
}

static void free_cases(sweep *sweep) {
    for (size_t i = 0; i < sweep->count; i++) free(sweep->cases[i].settings);
    free(sweep->cases);
}

/* The cases from index `first` on that have the same model and size. */
static bench_group group_at(const sweep *sweep, size_t first) {
    const wadi_def *def = &sweep->cases[first].def;
    size_t end = first + 1;
    while (end < sweep->count && sweep->cases[end].def.model == def->model &&
           sweep->cases[end].def.width == def->width && sweep->cases[end].def.height == def->height)
        end++;
    return (bench_group){sweep->cases + first, end - first};
}

/* --- the table --- */

/* A CSV file under a temporary name. It gets its own name when it is complete. */
typedef struct table {
    const char *path;
    platform_new_file made;
    FILE *file; /* the file of `made`; NULL: no table */
} table;

static wadi_status table_open(const bench_options *given, table *table) {
    *table = (struct table){.path = given->csv};
    if (table->path == NULL) return WADI_OK;
    const wadi_status status = run_folder_check_file("--csv ", table->path, given->force);
    if (status != WADI_OK) return status;
    const int error = platform_new_file_begin(table->path, &table->made);
    if (error)
        return wadi_fail(run_fail_errno(WADI_ERROR_ARGUMENT, error), "--csv %s: cannot be written: %s", table->path,
                         strerror(error));
    table->file = table->made.file;
    fputs(bench_csv_header, table->file);
    return WADI_OK;
}

static wadi_status table_close(table *table, wadi_status status) {
    if (table->file == NULL) return status;
    int error = status != WADI_OK ? ECANCELED : ferror(table->file) ? EIO : 0;
    error = platform_new_file_end(&table->made, table->path, error);
    return status != WADI_OK || error == 0
               ? status
               : wadi_fail(WADI_ERROR_IO, "--csv %s: cannot be written: %s", table->path, strerror(error));
}

/* --- the command --- */

static wadi_status measure_group(const bench_options *given, bench_group group, const table *table) {
    wadi_status status = bench_check(group);
    if (status == WADI_OK) status = bench_measure(group, given->repeats);
    for (size_t i = 0; status == WADI_OK && i < group.count; i++) {
        if (!given->json) bench_print(&group.cases[i]);
        if (table->file != NULL) bench_write_csv(table->file, &group.cases[i]);
    }
    return status;
}

static wadi_status measure_all(const bench_options *given, const sweep *sweep) {
    table table;
    wadi_status status = table_open(given, &table);
    if (status != WADI_OK) return status;
    for (size_t i = 0; status == WADI_OK && i < sweep->count;) {
        const bench_group group = group_at(sweep, i);
        status = measure_group(given, group, &table);
        i += group.count;
    }
    status = table_close(&table, status);
    if (given->json && status == WADI_OK) bench_write_json(sweep->cases, sweep->count);
    return status;
}

static wadi_status check_backend(const backend_args *on) {
    wadi_status status = run_backend_check(on);
    if (status == WADI_OK) status = run_backend_check_device(on);
    if (status == WADI_OK) status = run_backend_check_devices(on);
    if (status == WADI_OK) status = run_backend_check_limit(on);
    if (status == WADI_OK) status = run_backend_check_arithmetic(on);
    if (status == WADI_OK && on->arithmetic == WADI_RELAXED)
        run_message_note("relaxed arithmetic: the result is not compared with the reference engine's");
    return status;
}

static wadi_status check_options(const bench_options *given, const wadi_model **only) {
    if (given->model != NULL && (*only = wadi_model_find(given->model)) == NULL)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s", wadi_error_message());
    if (given->tile_columns % 16 != 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--tile-columns %d: a multiple of 16 is wanted",
                         (int)given->tile_columns);
    if (given->variants.count > 0 && *only == NULL)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--variant: parameters are a model's; name it with --model");
    return check_backend(&given->on);
}

int wadi_cmd_bench(int argc, char **argv) {
    bench_options given = {.repeats = 5, .on = {.backend = BACKEND_CPU, .device = -1}};
    arguments arguments;
    wadi_status status;
    if (!options_parse(&bench, argc, argv, &given, &arguments, &status)) return report_end(status);
    const wadi_model *only = NULL;
    lists lists;
    sweep sweep = {0};
    status = check_options(&given, &only);
    if (status == WADI_OK) status = read_lists(&given, &lists);
    if (status == WADI_OK) status = make_cases(&given, only, &lists, &sweep);
    if (status == WADI_OK) status = measure_all(&given, &sweep);
    free_cases(&sweep);
    text_list *const texts[] = {&given.sizes, &given.threads, &given.per_pass, &given.set, &given.variants};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) run_text_list_free(texts[i]);
    return report_end(status);
}
