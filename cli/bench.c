/* bench.c: wadi bench: cell-steps per second beside what the machine could do, checked against the reference engine:
 * what is measured, for all sizes, threads, steps a pass, models and settings asked for. */
#include "bench.h"
#include "options.h"

#include "run/backend.h"
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
    int64_t strip, repeats;
    bool json, force;
} bench_options;

#define ROW(...) OPTION_ROW(bench_options, __VA_ARGS__)
static const option options[] = {
    ROW(TEXT, "model", model, "ID", .help = "one model (all)"),
    ROW(TEXTS, "size", sizes, "WxH,...", .help = "cells (512x512,1024x1024,2048x2048,4096x4096)"),
    ROW(TEXTS, "threads", threads, "N,...", .help = "worker threads (as many as the machine has and the grid can use)"),
    ROW(TEXTS, "steps-per-pass", per_pass, "K,...",
        .help = "sub-steps a pass over memory makes, 1 to 16; 0: chosen (0)"),
    ROW(COUNT, "strip", strip, "COLUMNS", .maximum = 1 << 24,
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
                    steps_a_pass = ITEM(COUNT, "steps-per-pass", count, .maximum = 16);

/* Calls `take` with what stands between the commas. */
static int each_part(const char *text, int (*take)(void *context, const char *part), void *context) {
    char *copy = cli_copy(text), *part = copy;
    int code = CLI_OK;
    while (code == CLI_OK && part != NULL) {
        char *comma = strchr(part, ',');
        if (comma != NULL) *comma = '\0';
        code = take(context, part);
        part = comma != NULL ? comma + 1 : NULL;
    }
    free(copy);
    return code;
}

typedef struct list_reader {
    const option *option;
    list *list;
} list_reader;

static int add_item(void *context, const char *part) {
    const list_reader *reader = context;
    list *list = reader->list;
    if (list->count == MOST_IN_LIST)
        return cli_fail(CLI_USAGE, "--%s: at most %d in a list", reader->option->name, MOST_IN_LIST);
    return option_store(reader->option, part, &list->items[list->count++]);
}

static int read_list(const option *option, const text_list *texts, list *list) {
    list_reader reader = {option, list};
    int code = CLI_OK;
    for (size_t i = 0; code == CLI_OK && i < texts->count; i++) code = each_part(texts->items[i], add_item, &reader);
    return code;
}

typedef struct lists {
    list sizes, threads, per_pass;
} lists;

static int read_lists(const bench_options *given, lists *lists) {
    *lists = (struct lists){0};
    int code = read_list(&a_size, &given->sizes, &lists->sizes);
    if (code == CLI_OK) code = read_list(&a_number_of_threads, &given->threads, &lists->threads);
    if (code == CLI_OK) code = read_list(&steps_a_pass, &given->per_pass, &lists->per_pass);
    for (int side = 512; lists->sizes.count < 4 && given->sizes.count == 0; side *= 2)
        lists->sizes.items[lists->sizes.count++] = (item){.size = {side, side}};
    if (given->threads.count == 0) lists->threads.count = 1;
    if (given->per_pass.count == 0) lists->per_pass.count = 1;
    return code;
}

/* --- cases --- */

typedef struct sweep {
    bench_case *cases;
    size_t count;
} sweep;

static int set_parameter(void *context, const char *assignment) {
    bench_case *one = context;
    char *name = cli_copy(assignment), *value = strchr(name, '=');
    int code;
    if (value == NULL) {
        code = cli_fail(CLI_USAGE, "%s: write NAME=VALUE", name);
    } else {
        *value++ = '\0';
        code = cli_fail_status(wadi_def_set_text(&one->def, name, value));
    }
    char *settings = cli_text("%s%s%s", one->settings, *one->settings ? " " : "", assignment);
    free(one->settings);
    one->settings = settings;
    free(name);
    return code;
}

static int make_case(const bench_options *given, const wadi_model *model, const int size[2], const char *variant,
                     bench_case *one) {
    *one = (bench_case){.settings = cli_copy(""), .def = wadi_default_def(model, size[0], size[1], 1, 1)};
    one->def.strip = (int)given->strip;
    one->def.isa = given->isa;
    one->def.keep_good_state = false;
    int code = CLI_OK;
    for (size_t i = 0; code == CLI_OK && i < given->set.count; i++) code = set_parameter(one, given->set.items[i]);
    if (code == CLI_OK && variant != NULL) code = each_part(variant, set_parameter, one);
    return code;
}

static int check_memory(const bench_case *one) {
    const char *of = wadi_model_id(one->def.model);
    int code = memory_check_host(&one->def, of, wadi_def_memory(&one->def));
    return code ? code : memory_check_device(&one->def, 1, of, false);
}

/* One model, size and variant, for all threads and steps a pass. */
static int add_cases(const bench_options *given, const lists *lists, const wadi_model *model, const int size[2],
                     const char *variant, sweep *sweep) {
    int code = CLI_OK;
    const size_t more = lists->threads.count * lists->per_pass.count;
    sweep->cases = cli_grow(sweep->cases, (sweep->count + more) * sizeof *sweep->cases);
    for (size_t t = 0; t < lists->threads.count; t++)
        for (size_t k = 0; code == CLI_OK && k < lists->per_pass.count; k++) {
            bench_case *one = &sweep->cases[sweep->count++];
            code = make_case(given, model, size, variant, one);
            one->def.threads = (int)lists->threads.items[t].count;
            one->def.steps_per_pass = (int)lists->per_pass.items[k].count;
            if (code == CLI_OK) backend_apply(&given->on, &one->def, 1);
            if (code == CLI_OK) code = check_memory(one);
        }
    return code;
}

/* Checked for what the user got wrong before anything takes time. */
static int make_cases(const bench_options *given, const wadi_model *only, const lists *lists, sweep *sweep) {
    int code = CLI_OK;
    const size_t variants = given->variants.count > 0 ? given->variants.count : 1;
    for (size_t m = 0; m < wadi_model_count(); m++) {
        if (only != NULL && wadi_model_at(m) != only) continue;
        for (size_t s = 0; s < lists->sizes.count; s++)
            for (size_t v = 0; code == CLI_OK && v < variants; v++)
                code = add_cases(given, lists, wadi_model_at(m), lists->sizes.items[s].size,
                                 given->variants.count > 0 ? given->variants.items[v] : NULL, sweep);
    }
    return code;
}

static void free_cases(sweep *sweep) {
    for (size_t i = 0; i < sweep->count; i++) free(sweep->cases[i].settings);
    free(sweep->cases);
}

/* The cases from the first-th on that have its model and size. */
static bench_group group_at(const sweep *sweep, size_t first) {
    const wadi_def *def = &sweep->cases[first].def;
    size_t end = first + 1;
    while (end < sweep->count && sweep->cases[end].def.model == def->model &&
           sweep->cases[end].def.width == def->width && sweep->cases[end].def.height == def->height)
        end++;
    return (bench_group){sweep->cases + first, end - first};
}

/* --- the table --- */

/* Written under another name; it takes its own when all of it is there. */
typedef struct table {
    const char *path;
    platform_new_file made;
    FILE *file; /* made's; NULL: none was asked for */
} table;

static int table_open(const bench_options *given, table *table) {
    *table = (struct table){.path = given->csv};
    if (table->path == NULL) return CLI_OK;
    const int code = folder_check_file("--csv ", table->path, given->force);
    if (code != CLI_OK) return code;
    const int error = platform_new_file_begin(table->path, &table->made);
    if (error)
        return cli_fail(cli_code(CLI_USAGE, error), "--csv %s: cannot be written: %s", table->path, strerror(error));
    table->file = table->made.file;
    fputs(bench_csv_header, table->file);
    return CLI_OK;
}

static int table_close(table *table, int code) {
    if (table->file == NULL) return code;
    int error = code != CLI_OK ? ECANCELED : ferror(table->file) ? EIO : 0;
    error = platform_new_file_end(&table->made, table->path, error);
    return code != CLI_OK || error == 0
               ? code
               : cli_fail(CLI_FAILED, "--csv %s: cannot be written: %s", table->path, strerror(error));
}

/* --- the command --- */

static int measure_group(const bench_options *given, bench_group group, const table *table) {
    int code = bench_check(group);
    if (code == CLI_OK) code = bench_measure(group, given->repeats);
    for (size_t i = 0; code == CLI_OK && i < group.count; i++) {
        if (!given->json) bench_print(&group.cases[i]);
        if (table->file != NULL) bench_write_csv(table->file, &group.cases[i]);
    }
    return code;
}

static int measure_all(const bench_options *given, const sweep *sweep) {
    table table;
    int code = table_open(given, &table);
    if (code != CLI_OK) return code;
    for (size_t i = 0; code == CLI_OK && i < sweep->count;) {
        const bench_group group = group_at(sweep, i);
        code = measure_group(given, group, &table);
        i += group.count;
    }
    code = table_close(&table, code);
    if (given->json && code == CLI_OK) bench_write_json(sweep->cases, sweep->count);
    return code;
}

static int check_backend(const backend_args *on) {
    int code = backend_check(on);
    if (code == CLI_OK) code = backend_check_device(on);
    if (code == CLI_OK) code = backend_check_arithmetic(on);
    if (code == CLI_OK && on->arithmetic == WADI_RELAXED)
        cli_note("relaxed arithmetic: the result is not compared with the reference engine's");
    return code;
}

static int check_options(const bench_options *given, const wadi_model **only) {
    if (given->model != NULL && (*only = wadi_model_find(given->model)) == NULL)
        return cli_fail(CLI_USAGE, "%s", wadi_error_message());
    if (given->strip % 16 != 0) return cli_fail(CLI_USAGE, "--strip %d: a multiple of 16 is wanted", (int)given->strip);
    if (given->variants.count > 0 && *only == NULL)
        return cli_fail(CLI_USAGE, "--variant: parameters are a model's; name it with --model");
    return check_backend(&given->on);
}

int wadi_cmd_bench(int argc, char **argv) {
    bench_options given = {.repeats = 5, .on = {.backend = BACKEND_CPU, .device = -1}};
    arguments arguments;
    int code;
    if (!options_parse(&bench, argc, argv, &given, &arguments, &code)) return code;
    const wadi_model *only = NULL;
    lists lists;
    sweep sweep = {0};
    code = check_options(&given, &only);
    if (code == CLI_OK) code = read_lists(&given, &lists);
    if (code == CLI_OK) code = make_cases(&given, only, &lists, &sweep);
    if (code == CLI_OK) code = measure_all(&given, &sweep);
    free_cases(&sweep);
    text_list *const texts[] = {&given.sizes, &given.threads, &given.per_pass, &given.set, &given.variants};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) text_list_free(texts[i]);
    return code;
}
