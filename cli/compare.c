/* compare.c: wadi compare: two heightmaps or two runs, field by field. */
#include "options.h"

#include "run/folder.h"
#include "run/json.h"
#include "run/maps.h"
#include "run/message.h"
#include "run/read_args.h"
#include "run/run_read.h"
#include "run/text.h"

#include "platform/platform.h"

#include <stdlib.h>

typedef struct compare_options {
    double tolerance;
    bool json;
    read_args read;
} compare_options;

#define ROW(...) OPTION_ROW(compare_options, __VA_ARGS__)
static const option options[] = {
    ROW(NUMBER, "tolerance", tolerance, "X", .maximum = 1e30, .help = "largest difference that counts as none (0)"),
    ROW(FLAG, "json", json, NULL, .help = "as JSON"),
    READ_OPTIONS(compare_options, read),
    {0},
};

static const command compare = {
    .name = "compare",
    .usage = "A B [--tolerance X]",
    .summary =
        "Compares two heightmaps, or two run folders field by field: the largest difference, the root mean "
        "square, the correlation, the first cell that differs. Of maps of which one has a multiple of the other's "
        "cells, the coarser one is compared with the means of the finer one. Ends with 1 where a difference is "
        "beyond the tolerance.",
    .options = options,
    .arguments = "A B",
    .arguments_from = 2,
    .arguments_to = 2,
};

typedef struct difference {
    double largest, rms; /* infinite if only one has data */
    double correlation;  /* of cells with data in both; NaN if one is flat */
    size_t differing;    /* cells beyond the tolerance */
    int x, y;            /* of the first one */
    double a, b;
} difference;

static double cell_difference(float a, float b) {
    if (a == b || (a != a && b != b)) return 0;
    double apart = fabs((double)a - (double)b);
    return is_finite(apart) ? apart : INFINITY;
}

static double correlation_of(const wadi_raster *a, const wadi_raster *b) {
    const size_t cells = (size_t)a->width * (size_t)a->height;
    double n = 0, mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;
    for (size_t i = 0; i < cells; i++) {
        const double x = (double)a->values[i], y = (double)b->values[i];
        if (!is_finite(x) || !is_finite(y)) continue;
        const double dx = x - mean_a, dy = y - mean_b; /* from the means so far (Welford 1962) */
        n += 1;
        mean_a += dx / n;
        mean_b += dy / n;
        aa += dx * (x - mean_a);
        bb += dy * (y - mean_b);
        ab += dx * (y - mean_b);
    }
    return ab / sqrt(aa * bb);
}

static difference measure(const wadi_raster *a, const wadi_raster *b, double tolerance) {
    difference result = {.x = -1, .y = -1};
    size_t count = (size_t)a->width * (size_t)a->height;
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        double apart = cell_difference(a->values[i], b->values[i]);
        squares += apart * apart;
        if (apart > result.largest) result.largest = apart;
        if (apart > tolerance && result.differing++ == 0) {
            result.x = (int)(i % (size_t)a->width);
            result.y = (int)(i / (size_t)a->width);
            result.a = (double)a->values[i];
            result.b = (double)b->values[i];
        }
    }
    result.rms = sqrt(squares / (double)count);
    result.correlation = correlation_of(a, b);
    return result;
}

static void print_difference(const char *field, const difference *result) {
    printf("%-11s max %.6g, rms %.6g", field, result->largest, result->rms);
    if (result->largest > 0 && is_finite(result->correlation)) printf(", correlation %.4f", result->correlation);
    if (result->differing)
        printf(", %.0f cells differ, first (%d, %d): %.9g against %.9g\n", (double)result->differing, result->x,
               result->y, result->a, result->b);
    else
        printf(result->largest > 0 ? ", within the tolerance\n" : ", the same\n");
}

static void json_difference(json *json, const char *field, const difference *result) {
    run_json_object(json, field);
    run_json_number(json, "max", result->largest);
    run_json_number(json, "rms", result->rms);
    run_json_number(json, "correlation", result->correlation);
    run_json_integer(json, "differing", (int64_t)result->differing);
    if (result->differing) {
        run_json_integers(json, "first", result->x, result->y);
        run_json_number(json, "a", result->a);
        run_json_number(json, "b", result->b);
    }
    run_json_end(json);
}

/* How often the finer map's cells fit into the coarser one's; 0: not evenly. */
static int multiple_of(const wadi_raster *fine, const wadi_raster *coarse) {
    const int times = fine->width / coarse->width;
    return fine->width == times * coarse->width && fine->height == times * coarse->height ? times : 0;
}

/* The means of blocks replace the first values of the map. A block with a cell without data has none. */
static void coarsen(wadi_raster *raster, int times) {
    const int width = raster->width / times, height = raster->height / times;
    size_t to = 0;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            double sum = 0;
            for (int j = y * times; j < (y + 1) * times; j++)
                for (int i = x * times; i < (x + 1) * times; i++)
                    sum += (double)raster->values[(size_t)j * (size_t)raster->width + (size_t)i];
            raster->values[to++] = (float)(sum / times / times);
        }
    }
    raster->width = width;
    raster->height = height;
}

static bool match_sizes(wadi_raster *a, wadi_raster *b) {
    const int a_by_b = multiple_of(a, b), b_by_a = multiple_of(b, a);
    if (a_by_b > 1) coarsen(a, a_by_b);
    if (b_by_a > 1) coarsen(b, b_by_a);
    return a_by_b > 0 || b_by_a > 0;
}

/* Prints the differences. Sets *same to false if there are any. */
static void compare_rasters(const char *field, wadi_raster *a, wadi_raster *b, double tolerance, json *json,
                            bool *same) {
    if (!match_sizes(a, b)) {
        *same = false;
        report_line("%s: %d x %d cells against %d x %d", field, a->width, a->height, b->width, b->height);
        return;
    }
    difference result = measure(a, b, tolerance);
    if (json)
        json_difference(json, field, &result);
    else
        print_difference(field, &result);
    if (result.differing) *same = false;
}

/* Compares one field, if at least one run has it. */
static wadi_status compare_field(const char *const paths[2], const char *field, double tolerance, json *json,
                                 bool *same) {
    bool has_a = run_folder_has_field(paths[0], field), has_b = run_folder_has_field(paths[1], field);
    if (!has_a && !has_b) return WADI_OK;
    if (has_a != has_b) {
        *same = false;
        report_line("%s: is in %s alone", field, has_a ? paths[0] : paths[1]);
        return WADI_OK;
    }
    wadi_raster *a = NULL, *b = NULL;
    wadi_status status = run_read_field(paths[0], field, &a);
    if (status == WADI_OK) status = run_read_field(paths[1], field, &b);
    if (status == WADI_OK) compare_rasters(field, a, b, tolerance, json, same);
    wadi_raster_destroy(a);
    wadi_raster_destroy(b);
    return status;
}

static wadi_status compare_runs(const char *const paths[2], double tolerance, json *json, bool *same) {
    for (int i = 0; i < 2; i++)
        if (!run_folder_has_field(paths[i], "height"))
            return wadi_fail(WADI_ERROR_ARGUMENT, "%s: holds no height; it is no run folder, or of an unfinished run",
                             paths[i]);
    wadi_status status = compare_field(paths, "height", tolerance, json, same);
    for (int i = 0; run_maps_at(i) != NULL && status == WADI_OK; i++)
        status = compare_field(paths, run_maps_at(i)->name, tolerance, json, same);
    return status;
}

/* --height-range applies to the side with integer samples. */
static wadi_status read_side(const char *path, const read_args *args, wadi_raster **raster) {
    if (platform_is_folder(path)) return run_read_field(path, "height", raster);
    read_args without_range = *args;
    without_range.range.count = 0;
    wadi_status status = run_read_height(path, &without_range, raster);
    if (status == WADI_OK && args->range.count && wadi_sample_full_scale((*raster)->sample) > 0) {
        wadi_raster_destroy(*raster);
        *raster = NULL;
        status = run_read_height(path, args, raster);
    }
    if (status == WADI_OK) run_note_assumptions(path, args, *raster);
    return status;
}

static wadi_status compare_files(const char *const paths[2], const compare_options *given, json *json, bool *same) {
    wadi_raster *a = NULL, *b = NULL;
    wadi_status status = read_side(paths[0], &given->read, &a);
    if (status == WADI_OK) status = read_side(paths[1], &given->read, &b);
    if (status == WADI_OK) compare_rasters("height", a, b, given->tolerance, json, same);
    wadi_raster_destroy(a);
    wadi_raster_destroy(b);
    return status;
}

int wadi_cmd_compare(int argc, char **argv) {
    compare_options given = {0};
    arguments arguments;
    wadi_status status;
    if (!options_parse(&compare, argc, argv, &given, &arguments, &status)) return report_end(status);
    json json = run_json_to(stdout, false);
    bool same = true, runs = platform_is_folder(arguments.items[0]) && platform_is_folder(arguments.items[1]);
    if (given.json) run_json_object(&json, NULL);
    status = runs ? compare_runs(arguments.items, given.tolerance, given.json ? &json : NULL, &same)
                  : compare_files(arguments.items, &given, given.json ? &json : NULL, &same);
    if (given.json) run_json_bool(&json, "same", status == WADI_OK && same);
    if (given.json) run_json_end(&json);
    return status != WADI_OK ? report_end(status) : same ? EXIT_DONE : EXIT_FAILED;
}
