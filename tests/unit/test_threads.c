/* Everything around the steps gives the same for any number of threads: file bytes, fields, sums, checkpoints and
 * messages. labels: threads */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef _WIN32
#include <sys/resource.h>
#endif

#include <cmocka.h>

#include "platform/openmp.h"
#include "wadi/analysis.h"
#include "wadi/io.h"
#include "wadi/sim.h"

enum { WIDTH = 512, HEIGHT = 2570, CELLS = WIDTH * HEIGHT, MOST_THREADS = 3 }; /* 21 strips of TIFF */

static wadi_raster *made(void) {
    wadi_raster *raster;
    assert_int_equal(wadi_raster_create(WIDTH, HEIGHT, &raster), WADI_OK);
    for (int i = 0; i < CELLS; i++)
        raster->values[i] = 0.01f * (float)((uint32_t)i * 2654435761u >> 20) + (float)(i / WIDTH);
    for (int i = 100 * WIDTH; i < 101 * WIDTH; i += 3) raster->values[i] = NAN;
    return raster;
}

static uint8_t *load(const char *path, size_t *count) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    uint8_t *bytes = malloc((size_t)CELLS * 8);
    assert_non_null(bytes);
    *count = fread(bytes, 1, (size_t)CELLS * 8, file);
    fclose(file);
    return bytes;
}

static const struct {
    const char *name;
    wadi_sample sample;
} files[] = {{"map.tif", WADI_SAMPLE_FLOAT32},
             {"map.tif", WADI_SAMPLE_UINT16},
             {"map.exr", WADI_SAMPLE_FLOAT32},
             {"map.npy", WADI_SAMPLE_FLOAT32}};
enum { FILES = sizeof files / sizeof *files };

static void files_have_the_same_bytes(void **state) {
    (void)state;
    wadi_raster *raster = made(), *back;
    for (size_t f = 0; f < FILES; f++) {
        if (!wadi_format_available(wadi_format_of_name(files[f].name), NULL)) continue;
        uint8_t *first = NULL;
        size_t first_count = 0;
        char first_hex[65] = "", hex[65];
        for (int threads = 1; threads <= MOST_THREADS; threads++) {
            omp_set_num_threads(threads);
            wadi_write_options how = {.sample = files[f].sample};
            assert_int_equal(wadi_raster_write(files[f].name, raster, &how), WADI_OK);
            assert_int_equal(how.clamped, 0);
            size_t count;
            uint8_t *bytes = load(files[f].name, &count);
            assert_int_equal(wadi_raster_read_memory(bytes, count, files[f].name, NULL, &back), WADI_OK);
            wadi_field_sha256(back->values, CELLS, hex);
            wadi_raster_destroy(back);
            assert_int_equal(wadi_raster_read(files[f].name, NULL, &back), WADI_OK);
            char from_file[65];
            wadi_field_sha256(back->values, CELLS, from_file);
            assert_string_equal(hex, from_file);
            wadi_raster_destroy(back);
            if (threads == 1) {
                first = bytes;
                first_count = count;
                memcpy(first_hex, hex, sizeof hex);
                continue;
            }
            assert_int_equal(count, first_count);
            assert_memory_equal(bytes, first, count);
            assert_string_equal(hex, first_hex);
            free(bytes);
        }
        free(first);
    }
    wadi_raster_destroy(raster);
}

/* If two places are damaged, the first is reported. */
static void any_number_of_threads_reports_damage_alike(void **state) {
    (void)state;
    if (!wadi_format_available(WADI_FORMAT_TIFF, NULL)) skip();
    omp_set_num_threads(1);
    wadi_raster *raster = made(), *back;
    assert_int_equal(wadi_raster_write("map.tif", raster, NULL), WADI_OK);
    size_t count;
    uint8_t *bytes = load("map.tif", &count);
    memset(bytes + count / 2, 0, 2000);
    assert_int_equal(wadi_raster_read_memory(bytes, count, "map.tif", NULL, &back), WADI_ERROR_FORMAT);
    char first[512];
    snprintf(first, sizeof first, "%s", wadi_error_message());
    memset(bytes + count / 4 * 3, 0, 2000);
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
        omp_set_num_threads(threads);
        assert_int_equal(wadi_raster_read_memory(bytes, count, "map.tif", NULL, &back), WADI_ERROR_FORMAT);
        assert_null(back);
        assert_string_equal(wadi_error_message(), first);
    }
    free(bytes);
    wadi_raster_destroy(raster);
}

static void full_disks_are_reported(void **state) {
    (void)state;
#ifndef _WIN32
    signal(SIGXFSZ, SIG_IGN);
    wadi_raster *raster = made();
    for (size_t f = 0; f < FILES; f++) {
        if (!wadi_format_available(wadi_format_of_name(files[f].name), NULL)) continue;
        for (int threads = 1; threads <= MOST_THREADS; threads++) {
            omp_set_num_threads(threads);
            struct rlimit old;
            assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
            assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){60000, old.rlim_max}), 0);
            wadi_write_options how = {.format = wadi_format_of_name(files[f].name), .sample = files[f].sample};
            const wadi_status status = wadi_raster_write("full", raster, &how);
            assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
            assert_int_equal(status, WADI_ERROR_IO);
            if (strstr(wadi_error_message(), "full: cannot be written: File too large") == NULL)
                fail_msg("%s", wadi_error_message());
        }
    }
    wadi_raster_destroy(raster);
#endif
}

/* --- simulations ----------------------------------------------------------------------------------------------- */

typedef struct written {
    wadi_sha256 hash;
} written;

static wadi_status hash_bytes(void *context, const void *bytes, size_t count) {
    wadi_sha256_add(&((written *)context)->hash, bytes, count);
    return WADI_OK;
}

/* A hash of everything that a simulation returns. */
static void hash_sim(const wadi_sim *sim, float *values, char hex[65]) {
    static const char *const names[] = {"height",     "water", "sediment", "change", "erosion",
                                        "deposition", "flow",  "velocity", "mask"};
    written all;
    wadi_sha256_begin(&all.hash);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(wadi_sim_get(sim, names[i], values, CELLS), WADI_OK);
        char field[65];
        wadi_field_sha256(values, CELLS, field);
        wadi_sha256_add(&all.hash, field, sizeof field);
    }
    wadi_mass mass;
    assert_int_equal(wadi_sim_mass(sim, &mass), WADI_OK);
    wadi_sha256_add(&all.hash, &mass, sizeof mass);
    const wadi_range range = wadi_range_of(values, CELLS);
    const double figures[] = {(double)range.minimum, (double)range.maximum, range.mean};
    wadi_sha256_add(&all.hash, figures, sizeof figures);
    assert_int_equal(wadi_sim_save(sim, NULL, 0, hash_bytes, &all), WADI_OK);
    wadi_sha256_end(&all.hash, hex);
}

static wadi_sim *started(int threads, wadi_raster *raster) {
    wadi_def def = wadi_default_def(wadi_model_find("mei2007"), WIDTH, HEIGHT, 1, 1);
    def.threads = threads;
    def.drops = (wadi_drops){40, 3, 0.05};
    wadi_sim *sim;
    assert_int_equal(wadi_sim_create(&def, &sim), WADI_OK);
    assert_int_equal(wadi_sim_set(sim, "height", raster->values, CELLS), WADI_OK);
    return sim;
}

static void any_number_of_threads_gives_the_same_simulation(void **state) {
    (void)state;
    wadi_raster *raster = made();
    float *values = malloc(CELLS * sizeof *values);
    assert_non_null(values);
    char first[65] = "", hex[65];
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
        omp_set_num_threads(threads);
        wadi_sim *sim = started(threads, raster);
        for (int i = 0; i < CELLS; i++) values[i] = 0.001f * (float)(i % 11);
        assert_int_equal(wadi_sim_set(sim, "water", values, CELLS), WADI_OK);
        for (int i = 0; i < CELLS; i++) values[i] = i % 5 == 0 ? 0.5f : 1;
        assert_int_equal(wadi_sim_set(sim, "mask", values, CELLS), WADI_OK);
        for (int i = 0; i < CELLS; i++) values[i] = 0.001f * (float)(i / WIDTH % 7);
        assert_int_equal(wadi_sim_set(sim, "r", values, CELLS), WADI_OK);
        assert_int_equal(wadi_sim_step(sim, 3), WADI_OK);
        hash_sim(sim, values, hex);
        wadi_sim_destroy(sim);
        if (threads == 1) memcpy(first, hex, sizeof hex);
        assert_string_equal(hex, first);
    }
    free(values);
    wadi_raster_destroy(raster);
}

/* It changes no result, and stepping continues. */
static void trimming_memory_changes_no_result(void **state) {
    (void)state;
    omp_set_num_threads(2);
    wadi_raster *raster = made();
    float *values = malloc(CELLS * sizeof *values);
    assert_non_null(values);
    wadi_sim *trimmed = started(2, raster), *plain = started(2, raster);
    char hex[65], expected[65];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(wadi_sim_step(trimmed, 2), WADI_OK);
        assert_int_equal(wadi_sim_step(plain, 2), WADI_OK);
        wadi_sim_trim(trimmed);
        hash_sim(trimmed, values, hex);
        hash_sim(plain, values, expected);
        assert_string_equal(hex, expected);
    }
    wadi_sim_destroy(trimmed);
    wadi_sim_destroy(plain);
    free(values);
    wadi_raster_destroy(raster);
}

/* Of two bad cells far apart, the first one by rows is reported. */
static void the_first_bad_cell_is_named(void **state) {
    (void)state;
    wadi_raster *raster = made();
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
        omp_set_num_threads(threads);
        wadi_sim *sim = started(threads, raster);
        const struct {
            const char *field;
            float good, bad;
        } cases[] = {{"height", 5, 1e8f}, {"water", 0, -1}, {"mask", 1, 2}, {"r", 0.001f, 7}};
        float *values = malloc(CELLS * sizeof *values);
        assert_non_null(values);
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            for (int i = 0; i < CELLS; i++) values[i] = cases[c].good;
            values[40 * WIDTH + 9] = values[40 * WIDTH + 11] = values[(HEIGHT - 2) * WIDTH] = cases[c].bad;
            assert_int_equal(wadi_sim_set(sim, cases[c].field, values, CELLS), WADI_ERROR_ARGUMENT);
            if (strstr(wadi_error_message(), "(9, 40)") == NULL) fail_msg("%s", wadi_error_message());
        }
        free(values);
        wadi_sim_destroy(sim);
    }
    wadi_raster_destroy(raster);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_have_the_same_bytes),
        cmocka_unit_test(any_number_of_threads_reports_damage_alike),
        cmocka_unit_test(full_disks_are_reported),
        cmocka_unit_test(any_number_of_threads_gives_the_same_simulation),
        cmocka_unit_test(the_first_bad_cell_is_named),
        cmocka_unit_test(trimming_memory_changes_no_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
