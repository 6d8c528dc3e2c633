/* wadi/run.h as a program outside uses it: nothing but the public headers. */
#include <wadi/run.h>
#include <wadi/wadi.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WIDTH = 24, HEIGHT = 20, CELLS = WIDTH * HEIGHT, STEPS = 43 };

/* Two models in turns, and an event in the last one. */
static const char two_models[] = "generate: {kind: diamond-square, size: 24x20, seed: 7}\n"
                                 "maps: all\n"
                                 "format: npy\n"
                                 "stages:\n"
                                 "- repeat: 3\n"
                                 "  stages:\n"
                                 "  - {model: jako2011, steps: 6, rain: 1e-4}\n"
                                 "  - {model: olsen2004, steps: 5}\n"
                                 "- {model: mei2007, steps: 10, events: [{at: 4, set: {Kc: 0.3}}]}\n";
static const char *const on_cpu[] = {"backend=cpu"};

static void fails_with(wadi_status status, wadi_status expected, const char *message) {
    assert_int_equal(status, expected);
    if (strstr(wadi_error_message(), message) != wadi_error_message())
        assert_string_equal(wadi_error_message(), message);
}

static wadi_status start(const char *folder, const char *text, wadi_run **run) {
    const wadi_run_def def = {
        .folder = folder, .recipe = "two.yaml", .recipe_text = text, .options = on_cpu, .option_count = 1};
    return wadi_run_start(&def, run);
}

static wadi_run *started(const char *folder) {
    wadi_run *run;
    assert_int_equal(start(folder, two_models, &run), WADI_OK);
    assert_int_equal(wadi_run_total(run), STEPS);
    assert_int_equal(wadi_run_done(run), 0);
    return run;
}

static void read_height(const wadi_run *run, float *values) {
    assert_int_equal(wadi_sim_get(wadi_run_sim(run), "height", values, CELLS), WADI_OK);
}

static bool there(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

/* Up to its first `size` bytes. */
static size_t read_file(const char *path, char *bytes, size_t size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t count = fread(bytes, 1, size, file);
    fclose(file);
    return count;
}

static void same_files(const char *a, const char *b) {
    static char first[65536], second[65536];
    const size_t count = read_file(a, first, sizeof first);
    assert_true(count > CELLS * sizeof(float));
    assert_int_equal(read_file(b, second, sizeof second), count);
    assert_memory_equal(first, second, count);
}

typedef struct follower {
    int64_t seen, calls, stop_at;
} follower;

static bool follow(void *context, const wadi_run_progress *now) {
    follower *follower = context;
    assert_int_equal(now->total, STEPS);
    assert_true(now->seconds >= 0);
    if (follower->calls++ == 0) assert_int_equal(now->steps, 0);
    assert_true(now->steps > 0 ? now->left_s >= 0 && (now->left_s > 0) == (now->done < STEPS) : now->left_s > 1e300);
    follower->seen += now->steps;
    return now->done < follower->stop_at;
}

/* By calls of a step each. */
static bool follow_singly(void *context, const wadi_run_progress *now) {
    (void)context;
    assert_true(now->done == 0 || (now->left_s >= 0 && now->left_s < 1e9));
    return true;
}

/* In one go; by single steps; and stopped in its middle, closed, and resumed: the same bits. */
static void test_a_stopped_run_has_the_same_bits(void **state) {
    (void)state;
    float whole[CELLS], single[CELLS], resumed[CELLS];
    follower follower = {.stop_at = INT64_MAX};
    wadi_run *run = started("whole");
    assert_string_equal(wadi_run_model(run), "recipe");
    assert_int_equal(wadi_run_step(run, INT64_MAX, follow, &follower), WADI_OK);
    assert_int_equal(wadi_run_done(run), STEPS);
    assert_int_equal(follower.seen, STEPS);
    read_height(run, whole);
    assert_int_equal(wadi_run_finish(run), WADI_OK);
    wadi_run_close(run);

    run = started("single");
    for (int i = 1; i <= STEPS; i++) {
        assert_int_equal(wadi_run_step(run, 1, follow_singly, NULL), WADI_OK);
        assert_int_equal(wadi_run_done(run), i);
    }
    read_height(run, single);
    assert_memory_equal(whole, single, sizeof whole);
    wadi_run_close(run);

    follower = (struct follower){.stop_at = 5};
    run = started("resumed");
    assert_int_equal(wadi_run_step(run, INT64_MAX, follow, &follower), WADI_OK);
    const int64_t stopped = wadi_run_done(run);
    assert_true(stopped >= 5 && stopped < STEPS);
    assert_int_equal(wadi_run_checkpoint(run), WADI_OK);
    wadi_run_close(run);
    assert_int_equal(wadi_run_resume("resumed", on_cpu, 1, &run), WADI_OK);
    assert_int_equal(wadi_run_done(run), stopped);
    assert_int_equal(wadi_run_step(run, INT64_MAX, NULL, NULL), WADI_OK);
    read_height(run, resumed);
    assert_memory_equal(whole, resumed, sizeof whole);
    assert_int_equal(wadi_run_finish(run), WADI_OK);
    wadi_run_close(run);
    same_files("whole/height.npy", "resumed/height.npy");
    same_files("whole/flow.npy", "resumed/flow.npy");
    assert_true(there("resumed/run.json"));
}

/* Stopped on the coarser of two levels, and resumed: what goes up is warped as it would have been. */
static void test_a_run_stopped_on_a_coarse_level(void **state) {
    (void)state;
    static const char *const options[] = {"backend=cpu", "steps=20", "levels=2", "boundary=wrap", "level-warp=0.4"};
    static const char *const folders[] = {"straight", "warped", "warped again"};
    float heights[3][CELLS];
    wadi_run *run;
    for (int i = 0; i < 3; i++) {
        const wadi_run_def def = {
            .folder = folders[i], .input = "whole/height.npy", .options = options, .option_count = i == 0 ? 4 : 5};
        assert_int_equal(wadi_run_start(&def, &run), WADI_OK);
        if (i == 2) {
            assert_int_equal(wadi_run_step(run, 2, NULL, NULL), WADI_OK);
            assert_int_equal(wadi_run_checkpoint(run), WADI_OK);
            wadi_run_close(run);
            assert_int_equal(wadi_run_resume(folders[i], on_cpu, 1, &run), WADI_OK);
        }
        assert_int_equal(wadi_run_step(run, INT64_MAX, NULL, NULL), WADI_OK);
        read_height(run, heights[i]);
        wadi_run_close(run);
    }
    assert_memory_not_equal(heights[0], heights[1], sizeof heights[0]);
    assert_memory_equal(heights[1], heights[2], sizeof heights[0]);
}

/* A callback that says stop at once: no step is made. */
static void test_it_can_stop_before_the_first_step(void **state) {
    (void)state;
    follower follower = {.stop_at = 0};
    wadi_run *run = started("none");
    assert_int_equal(wadi_run_step(run, INT64_MAX, follow, &follower), WADI_OK);
    assert_int_equal(wadi_run_done(run), 0);
    assert_int_equal(follower.calls, 1);
    wadi_run_close(run);
}

static void test_more_steps(void **state) {
    (void)state;
    static const char *const more[] = {"backend=cpu", "steps=7", "no-checkpoint"};
    wadi_run *run = started("more");
    assert_int_equal(wadi_run_step(run, STEPS, NULL, NULL), WADI_OK);
    assert_int_equal(wadi_run_finish(run), WADI_OK);
    wadi_run_close(run);
    fails_with(wadi_run_resume("more", on_cpu, 1, &run), WADI_ERROR_ARGUMENT, "resume more: this run is complete");
    assert_null(run);
    assert_int_equal(wadi_run_resume("more", more, 3, &run), WADI_OK);
    assert_int_equal(wadi_run_total(run), STEPS + 7);
    assert_int_equal(wadi_run_step(run, INT64_MAX, NULL, NULL), WADI_OK);
    assert_int_equal(wadi_run_finish(run), WADI_OK);
    fails_with(wadi_run_step(run, 1, NULL, NULL), WADI_ERROR_ARGUMENT, "more: this run is finished");
    wadi_run_close(run);
    assert_false(there("more/checkpoint.wadi"));
}

/* One stage from options, of a file that an earlier run wrote. */
static void test_options_and_an_input(void **state) {
    (void)state;
    static const char *const options[] = {"backend=cpu", "model=mei2007", "steps=3",
                                          "set=Kc=0.2",  "maps=none",     "format=npy"};
    const wadi_run_def def = {.folder = "plain", .input = "whole/height.npy", .options = options, .option_count = 6};
    wadi_run *run;
    assert_int_equal(wadi_run_start(&def, &run), WADI_OK);
    assert_string_equal(wadi_run_model(run), "mei2007");
    fails_with(wadi_run_finish(run), WADI_ERROR_ARGUMENT, "plain: 0 of 3 steps are done");
    assert_int_equal(wadi_run_step(run, INT64_MAX, NULL, NULL), WADI_OK);
    assert_int_equal(wadi_run_finish(run), WADI_OK);
    wadi_run_close(run);
    assert_true(there("plain/height.npy"));
    assert_false(there("plain/flow.npy"));
}

/* A recipe without a folder: the maps that it would write, and nothing written. */
static void test_a_run_in_memory_has_the_bits_of_a_folder(void **state) {
    (void)state;
    static const char *const names[] = {"height", "flow", "water", "velocity"};
    static float values[CELLS];
    const wadi_run_def def = {.recipe = "two.yaml", .recipe_text = two_models, .options = on_cpu, .option_count = 1};
    wadi_run *run;
    wadi_mass mass;
    assert_int_equal(wadi_run_start(&def, &run), WADI_OK);
    fails_with(wadi_run_finish(run), WADI_ERROR_ARGUMENT, "in memory: 0 of 43 steps are done");
    fails_with(wadi_run_checkpoint(run), WADI_ERROR_ARGUMENT, "a run in memory has no folder");
    assert_int_equal(wadi_run_step(run, INT64_MAX, NULL, NULL), WADI_OK);
    assert_int_equal(wadi_run_finish(run), WADI_OK);
    assert_int_equal(wadi_run_grid(run)->width, WIDTH);
    assert_int_equal(wadi_run_grid(run)->height, HEIGHT);
    for (int i = 0; i < 4; i++) {
        char path[64];
        wadi_raster *written;
        snprintf(path, sizeof path, "whole/%s.npy", names[i]);
        assert_int_equal(wadi_raster_read(path, &(wadi_read_options){.plain_values = true}, &written), WADI_OK);
        assert_int_equal(wadi_run_get(run, names[i], values, CELLS), WADI_OK);
        assert_memory_equal(values, written->values, sizeof values);
        wadi_raster_destroy(written);
    }
    assert_int_equal(wadi_run_mass(run, &mass), WADI_OK);
    assert_true(mass.moved > 0 && mass.rained > 0);
    fails_with(wadi_run_get(run, "height", values, 3), WADI_ERROR_ARGUMENT, "height: room for 3 values");
    fails_with(wadi_run_get(run, "watr", values, CELLS), WADI_ERROR_ARGUMENT, "mei2007 has no field 'watr'");
    wadi_run_close(run);
    assert_false(there("in memory/checkpoint.wadi"));
}

/* From coarse to fine, of a raster in memory, and of the same file. */
static void test_a_raster_in_memory_is_as_good_as_its_file(void **state) {
    (void)state;
    static const char *const options[] = {"backend=cpu", "steps=5", "levels=2", "format=npy"};
    static float values[CELLS];
    wadi_raster *raster, *written;
    wadi_run *run;
    wadi_run_def def = {.folder = "file", .input = "whole/height.npy", .options = options, .option_count = 4};
    assert_int_equal(wadi_run_start(&def, &run), WADI_OK);
    assert_int_equal(wadi_run_step(run, INT64_MAX, NULL, NULL), WADI_OK);
    assert_int_equal(wadi_run_finish(run), WADI_OK);
    wadi_run_close(run);
    assert_int_equal(wadi_raster_read("whole/height.npy", NULL, &raster), WADI_OK);
    fails_with((def.raster = raster, wadi_run_start(&def, &run)), WADI_ERROR_ARGUMENT, "raster: ");
    def = (wadi_run_def){.raster = raster, .options = options, .option_count = 4};
    fails_with(wadi_run_start(&def, &run), WADI_ERROR_ARGUMENT, "format: a run in memory writes no files");
    def.option_count = 3;
    assert_int_equal(wadi_run_start(&def, &run), WADI_OK);
    wadi_raster_destroy(raster);
    assert_int_equal(wadi_run_step(run, 1, NULL, NULL), WADI_OK);
    assert_int_equal(wadi_run_get(run, "height", values, CELLS), WADI_OK); /* of the coarser level, carried up */
    assert_int_equal(wadi_run_step(run, INT64_MAX, NULL, NULL), WADI_OK);
    assert_int_equal(wadi_run_finish(run), WADI_OK);
    assert_int_equal(wadi_run_get(run, "height", values, CELLS), WADI_OK);
    wadi_run_close(run);
    assert_int_equal(wadi_raster_read("file/height.npy", NULL, &written), WADI_OK);
    assert_memory_equal(values, written->values, sizeof values);
    wadi_raster_destroy(written);
}

/* What the list says is what a run takes. */
static void test_options_are_as_they_are_listed(void **state) {
    (void)state;
    wadi_run_option option;
    size_t count = 0, files = 0;
    for (; wadi_run_option_at(count, &option); count++) {
        char message[128], text[64];
        const char *const options[] = {text};
        const wadi_run_def def = {.recipe_text = two_models, .options = options, .option_count = 1};
        wadi_run *run;
        assert_true(strlen(option.help) > 3);
        files += option.files;
        snprintf(text, sizeof text, option.value ? "%s" : "%s=x", option.name);
        snprintf(message, sizeof message, option.value ? "%s: its value is missing; write %s=%s" : "%s takes no value",
                 option.name, option.name, option.value);
        fails_with(wadi_run_start(&def, &run), WADI_ERROR_ARGUMENT, message);
    }
    assert_true(count > 40 && files > 8);
    assert_false(wadi_run_option_at(0, NULL));
}

static void refused(const char *option, const char *message) {
    const wadi_run_def def = {
        .folder = "refused", .input = "whole/height.npy", .options = (const char *const[]){option}, .option_count = 1};
    wadi_run *run;
    fails_with(wadi_run_start(&def, &run), WADI_ERROR_ARGUMENT, message);
    assert_null(run);
    assert_false(there("refused/checkpoint.wadi"));
}

/* A status, a message with its place, and nothing left behind. */
static void test_errors(void **state) {
    (void)state;
    static const char *const steps[] = {"steps=3"};
    wadi_run *run, *second;
    wadi_run_def def = {.folder = "refused"};
    fails_with(wadi_run_start(&def, &run), WADI_ERROR_ARGUMENT, "input or recipe is missing");
    fails_with(wadi_run_start(NULL, &run), WADI_ERROR_ARGUMENT, "def is missing");
    fails_with(start("refused", "input: a.tif\nmodel: jako2011\nstepz: 3\n", &run), WADI_ERROR_ARGUMENT,
               "two.yaml:3:1: stepz: no such key; did you mean steps?");
    fails_with(start("refused", "input: not-there.tif\n", &run), WADI_ERROR_ARGUMENT, "not-there.tif: ");
    refused("stepz=3", "stepz: a run has no such option; did you mean steps?");
    refused("json", "json: a run has no such option");
    refused("output=elsewhere", "output: a run has no such option");
    refused("steps", "steps: its value is missing; write steps=N");
    refused("force=yes", "force takes no value");
    refused("steps=many", "steps many: ");
    def = (wadi_run_def){.folder = "refused", .recipe_text = two_models, .options = steps, .option_count = 1};
    fails_with(wadi_run_start(&def, &run), WADI_ERROR_ARGUMENT, "steps does not go with recipe");
    fails_with(wadi_run_resume("not-there", NULL, 0, &run), WADI_ERROR_ARGUMENT, "resume not-there: ");
    run = started("held");
    fails_with(start("held", two_models, &second), WADI_ERROR_ARGUMENT, "held: ");
    assert_null(second);
    fails_with(wadi_run_step(run, -1, NULL, NULL), WADI_ERROR_ARGUMENT, "steps: -1");
    wadi_run_close(run);
    wadi_run_close(NULL);
    assert_int_equal(wadi_run_total(NULL), 0);
}

static char heard[512];

static void hear(void *context, wadi_run_message kind, const char *text) {
    assert_ptr_equal(context, heard);
    if (kind == WADI_RUN_NOTE) snprintf(heard, sizeof heard, "%s", text);
}

static void test_the_listener_gets_notes(void **state) {
    (void)state;
    const wadi_run_listener listener = {hear, heard};
    wadi_run *run;
    wadi_run_listen(&listener);
    assert_int_equal(wadi_run_resume("held", on_cpu, 1, &run), WADI_OK);
    wadi_run_listen(NULL);
    wadi_run_close(run);
    assert_string_equal(heard, "going on from step 0 of 43");
}

/* The last test: the standard streams are files from here on. */
static void test_nothing_is_printed(void **state) {
    (void)state;
    wadi_run *run;
    assert_non_null(freopen("stdout", "w", stdout));
    assert_non_null(freopen("stderr", "w", stderr));
    const wadi_status bad = start("quiet", "stepz: 3", &run);
    const wadi_status good = wadi_run_resume("held", on_cpu, 1, &run);
    const wadi_status stepped = wadi_run_step(run, INT64_MAX, NULL, NULL), finished = wadi_run_finish(run);
    wadi_run_close(run);
    fflush(NULL);
    const long out = ftell(stdout), error = ftell(stderr);
    assert_int_equal(bad, WADI_ERROR_ARGUMENT);
    assert_int_equal(good, WADI_OK);
    assert_int_equal(stepped, WADI_OK);
    assert_int_equal(finished, WADI_OK);
    assert_int_equal(out, 0);
    assert_int_equal(error, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_stopped_run_has_the_same_bits),
        cmocka_unit_test(test_a_run_stopped_on_a_coarse_level),
        cmocka_unit_test(test_it_can_stop_before_the_first_step),
        cmocka_unit_test(test_more_steps),
        cmocka_unit_test(test_options_and_an_input),
        cmocka_unit_test(test_a_run_in_memory_has_the_bits_of_a_folder),
        cmocka_unit_test(test_a_raster_in_memory_is_as_good_as_its_file),
        cmocka_unit_test(test_options_are_as_they_are_listed),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_the_listener_gets_notes),
        cmocka_unit_test(test_nothing_is_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
