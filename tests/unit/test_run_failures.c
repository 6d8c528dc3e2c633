/* An error of a call is reported. It is never taken for an answer: a map that the model lacks, or an empty folder. The
 * linker puts the functions below in place of the library's, so that one call fails. */
#include "run/folder.h"
#include "wadi/realism.h"
#include "wadi/run.h"
#include "wadi/wadi.h"

#include "platform/openmp.h"
#include "platform/platform.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static int gets_before_error = -1;    /* below 0: no call fails */
static int entries_before_error = -1; /* of folders */
static const char *unreadable;        /* the folder that cannot be listed */
static bool no_measures;

wadi_status __real_wadi_sim_get(const wadi_sim *sim, const char *field, float *values, size_t count);
wadi_status __wrap_wadi_sim_get(const wadi_sim *sim, const char *field, float *values, size_t count);
wadi_status __real_wadi_realism_of(const float *heights, int width, int height, double lx, double ly, double sea_m,
                                   double threshold_m2, wadi_realism *realism);
wadi_status __wrap_wadi_realism_of(const float *heights, int width, int height, double lx, double ly, double sea_m,
                                   double threshold_m2, wadi_realism *realism);
int __real_platform_list(const char *folder, void (*each)(void *context, const char *name), void *context);
int __wrap_platform_list(const char *folder, void (*each)(void *context, const char *name), void *context);
struct dirent *__real_readdir64(DIR *stream);
struct dirent *__wrap_readdir64(DIR *stream);

wadi_status __wrap_wadi_sim_get(const wadi_sim *sim, const char *field, float *values, size_t count) {
    if (gets_before_error >= 0 && gets_before_error-- == 0)
        return wadi_fail(WADI_ERROR_MEMORY, "no memory for %s", field);
    return __real_wadi_sim_get(sim, field, values, count);
}

wadi_status __wrap_wadi_realism_of(const float *heights, int width, int height, double lx, double ly, double sea_m,
                                   double threshold_m2, wadi_realism *realism) {
    if (no_measures) return wadi_fail(WADI_ERROR_MEMORY, "no memory for the measures");
    return __real_wadi_realism_of(heights, width, height, lx, ly, sea_m, threshold_m2, realism);
}

int __wrap_platform_list(const char *folder, void (*each)(void *context, const char *name), void *context) {
    if (unreadable && strcmp(folder, unreadable) == 0) return EIO;
    return __real_platform_list(folder, each, context);
}

struct dirent *__wrap_readdir64(DIR *stream) {
    if (entries_before_error < 0 || entries_before_error-- > 0) return __real_readdir64(stream);
    errno = EIO;
    return NULL;
}

static void write_file(const char *path) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
}

static wadi_run *finished(const char *folder) {
    static const char *const on_cpu[] = {"backend=cpu"};
    const wadi_run_def def = {.folder = folder,
                              .recipe = "two.yaml",
                              .recipe_text =
                                  "generate: {kind: cone, size: 8x6}\nmaps: all\nformat: npy\n"
                                  "stages: [{model: olsen2004, steps: 1}, {model: jako2011, steps: 2, rain: 1e-4}]\n",
                              .options = on_cpu,
                              .option_count = 1};
    wadi_run *run;
    assert_int_equal(wadi_run_start(&def, &run), WADI_OK);
    assert_int_equal(wadi_run_step(run, INT64_MAX, NULL, NULL), WADI_OK);
    return run;
}

/* Every field of the outputs is refused once. */
static void test_no_map_is_left_out(void **state) {
    (void)state;
    wadi_status status = WADI_ERROR_MEMORY;
    int refused = 0;
    for (; status != WADI_OK; refused++) {
        wadi_run *run = finished("maps");
        gets_before_error = refused;
        status = wadi_run_finish(run);
        const bool reached = gets_before_error < 0;
        gets_before_error = -1;
        assert_int_equal(status, reached ? WADI_ERROR_MEMORY : WADI_OK);
        assert_true(platform_exists("maps/run.json") != reached);
        assert_true(platform_exists("maps/velocity.npy") != reached);
        wadi_run_close(run);
        platform_remove_tree("maps");
    }
    assert_true(refused > 10); /* the height, the flow of both models, and the maps */
}

/* They are made beside the files. With one thread they come after them. */
static void test_measures_fail_beside_the_files(void **state) {
    (void)state;
    for (int threads = 1; threads <= 2; threads++) {
        wadi_run *run = finished("maps");
        omp_set_num_threads(threads);
        no_measures = true;
        assert_int_equal(wadi_run_finish(run), WADI_ERROR_MEMORY);
        no_measures = false;
        assert_string_equal(wadi_error_message(), "no memory for the measures");
        assert_false(platform_exists("maps/run.json"));
        wadi_run_close(run);
        platform_remove_tree("maps");
    }
}

static void test_an_unreadable_folder_is_not_empty(void **state) {
    (void)state;
    assert_int_equal(platform_make_folder("full"), 0);
    write_file("full/notes.txt");
    unreadable = "full";
    for (int force = 0; force <= 1; force++) {
        assert_int_equal(run_folder_check("full", force), WADI_ERROR_ARGUMENT);
        assert_string_equal(wadi_error_message(), "full: the folder cannot be read: Input/output error");
    }
    unreadable = NULL;
    assert_int_equal(run_folder_check("full", true), WADI_OK);
}

/* Outputs that wait to be moved are not forgotten. */
static void test_unreadable_outputs_are_an_error(void **state) {
    (void)state;
    char *staging;
    assert_int_equal(platform_make_folder("run"), 0);
    assert_int_equal(run_staging_open("run", &staging), WADI_OK);
    char height[64];
    snprintf(height, sizeof height, "%s/height.npy", staging);
    write_file(height);
    unreadable = "run/.wadi-ready";
    assert_int_equal(run_staging_publish("run", staging), WADI_ERROR_IO);
    unreadable = NULL;
    assert_int_equal(run_staging_finish("run"), WADI_OK);
    assert_true(platform_exists("run/height.npy"));
    run_staging_discard(staging);
}

static void count(void *context, const char *name) {
    (void)name;
    ++*(int *)context;
}

/* A list that breaks off is not the whole list. */
static void test_a_broken_list_is_an_error(void **state) {
    (void)state;
    int names = 0;
    assert_int_equal(platform_make_folder("list"), 0);
    write_file("list/one");
    for (int entries = 0; entries < 3; entries++) { /* ".", ".." and the file */
        entries_before_error = entries;
        assert_int_equal(platform_list("list", count, &names), EIO);
    }
    assert_int_equal(platform_list("list", count, &names), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_map_is_left_out),
        cmocka_unit_test(test_measures_fail_beside_the_files),
        cmocka_unit_test(test_an_unreadable_folder_is_not_empty),
        cmocka_unit_test(test_unreadable_outputs_are_an_error),
        cmocka_unit_test(test_a_broken_list_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
