/* The library of runs without the command: a recipe is read and run. Errors are statuses with a message, and notes and
 * warnings go to the listener. */
#include "failing_memory.h"

#include "run/checkpoint.h"
#include "run/checkpoint_writer.h"
#include "run/escape.h"
#include "run/folder.h"
#include "run/message.h"
#include "run/pace.h"
#include "run/recipe.h"
#include "run/run_inputs.h"
#include "run/run_outputs.h"
#include "run/run_read.h"
#include "run/run_stages.h"
#include "run/run_start.h"
#include "run/run_steps.h"
#include "run/sources.h"
#include "run/yaml.h"

#include "platform/openmp.h"
#include "platform/platform.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char heard[2048];
static wadi_run_message heard_kind;

static void hear(void *context, wadi_run_message kind, const char *text) {
    (void)context;
    heard_kind = kind;
    snprintf(heard, sizeof heard, "%s", text);
}

static wadi_status parse(const char *name, const char *text, recipe *recipe) {
    run_options given = run_options_default;
    given.threads = 1;
    const wadi_status status = run_recipe_parse(name, text, strlen(text), &given, (option_set){0}, recipe);
    recipe->top.on.backend = BACKEND_CPU;
    return status;
}

/* A GPU's kernels are built with the first steps; each fourth lot has a frame of 1 s; then steps take a quarter. */
static void test_the_pace_learns(void **state) {
    (void)state;
    run_pace pace = {0};
    assert_true(run_pace_seconds(&pace, 1) > 1e300);
    run_pace_learn(&pace, 1, 8, 0);
    assert_true(run_pace_seconds(&pace, 1000) > 1000);
    run_pace_learn(&pace, 100, 0.2, 0);
    assert_float_equal(run_pace_seconds(&pace, 1000), 2, 1e-6);
    for (int i = 0; i < 40; i++) {
        run_pace_learn(&pace, 100, 0.2, i % 4 == 0 ? 1 : 0);
        const double left_s = run_pace_seconds(&pace, 1000);
        if (i >= 8) assert_true(left_s > 3.6 && left_s < 5.4); /* 4.5 */
    }
    run_pace_learn(&pace, 100, 0.05, 0);
    const double left_s = run_pace_seconds(&pace, 1000);
    assert_true(left_s > 2.6 && left_s < 3.4); /* 0.5 by steps, 2.5 by frames */
}

static void test_a_recipe_runs_to_its_end(void **state) {
    (void)state;
    recipe recipe;
    run run = {0};
    assert_int_equal(parse("two.yaml",
                           "generate: {kind: cone, size: 8x6}\nstages:\n- {model: jako2011, steps: 2}\n"
                           "- {model: mei2007, steps: 3}\n",
                           &recipe),
                     WADI_OK);
    assert_int_equal(run_load(&recipe, &run), WADI_OK);
    assert_int_equal(run.stage_count, 2);
    assert_int_equal(run.plan.steps, 5);
    assert_int_equal(run_next_visit(&run), WADI_OK);
    while (run.plan.done < run.plan.steps) {
        assert_int_equal(wadi_sim_step(run.sim, 1), WADI_OK);
        run.plan.done++;
        run.plan.visit_done++;
        if (run_steps_left(&run) == 0) assert_int_equal(run_next_visit(&run), WADI_OK);
    }
    assert_string_equal(wadi_model_id(wadi_sim_def(run.sim)->model), "mei2007");
    assert_int_equal(wadi_sim_steps(run.sim), 3);
    run_free(&run);
    run_recipe_free(&recipe);
}

/* The K of the first stage, which is on the coarsest grid. */
static float *hardness_of_rock(const char *size, int levels, const char *layers, size_t cells) {
    char text[512];
    snprintf(text, sizeof text,
             "generate: {kind: ramp, size: %s, world-size: 640}\nlevels: %d\nmodel: schott2023\nsteps: 8\n"
             "set: {K: {layers: %s}}\n",
             size, levels, layers);
    recipe recipe;
    run run = {0};
    assert_int_equal(parse("rock.yaml", text, &recipe), WADI_OK);
    assert_int_equal(run_load(&recipe, &run), WADI_OK);
    assert_int_equal(run.stage_count, levels);
    float *values = malloc(cells * sizeof *values);
    assert_non_null(values);
    assert_int_equal(wadi_sim_get(run.stages[0].sim, "K", values, cells), WADI_OK);
    run_free(&run);
    run_recipe_free(&recipe);
    return values;
}

/* On a coarse grid the mean of grain would be the same everywhere. So a map with grain is made anew there, as for a run
 * that begins with those cells. Of other layers a coarse grid has the means. */
static void test_each_level_has_grain_of_its_own(void **state) {
    (void)state;
    enum { CELLS = 16 * 12 };
    static const char grain[] = "[{value: 2e-5}, {layers: [{kind: grain, base: 0.5}], combine: multiply}]";
    static const char masked[] = "[{value: 2e-5}, {value: 4e-5, mask: {kind: grain}}]";
    static const char noise[] = "[{kind: noise, feature-size: 100, base: 1e-5, relief: 2e-5}]";
    static const char *const layers[] = {grain, masked, noise};
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        float *coarse = hardness_of_rock("32x24", 2, layers[i], CELLS);
        float *alone = hardness_of_rock("16x12", 1, layers[i], CELLS);
        const bool same = memcmp(coarse, alone, CELLS * sizeof *coarse) == 0;
        assert_int_equal(same, layers[i] != noise);
        free(alone);
        free(coarse);
    }
}

static void test_an_error_names_its_place(void **state) {
    (void)state;
    recipe recipe;
    assert_int_equal(parse("folder/bad.yaml", "input: a.tif\nmodel: jako2011\nstepz: 3\n", &recipe),
                     WADI_ERROR_ARGUMENT);
    assert_ptr_equal(strstr(wadi_error_message(), "folder/bad.yaml:3:1: stepz: no such key; did you mean steps?"),
                     wadi_error_message());
    run_recipe_free(&recipe);
}

/* The file name alone is longer than most messages; its control character is escaped. */
static void test_a_long_message_is_complete(void **state) {
    (void)state;
    char name[4001];
    recipe recipe;
    memset(name, 'n', sizeof name - 1);
    name[0] = '\x1b';
    name[sizeof name - 1] = '\0';
    assert_int_equal(parse(name, "model: [", &recipe), WADI_ERROR_FORMAT);
    char *shown = run_escape_text(wadi_error_message());
    assert_ptr_equal(strstr(shown, "\\x1bnnn"), shown);
    assert_non_null(strstr(shown, "is no YAML"));
    free(shown);
    run_recipe_free(&recipe);
}

#ifdef WRAP_MEMORY
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t length);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t length);

static bool refuses(void) {
    if (!fails()) return false;
    errno = ENOMEM;
    return true;
}

void *__wrap_malloc(size_t bytes) { return refuses() ? NULL : __real_malloc(bytes); }
void *__wrap_calloc(size_t count, size_t bytes) { return refuses() ? NULL : __real_calloc(count, bytes); }
void *__wrap_realloc(void *memory, size_t bytes) { return refuses() ? NULL : __real_realloc(memory, bytes); }
char *__wrap_strdup(const char *text) { return refuses() ? NULL : __real_strdup(text); }
char *__wrap_strndup(const char *text, size_t length) { return refuses() ? NULL : __real_strndup(text, length); }

/* Reading a recipe's text returns an error, whichever allocation is refused. */
static void test_missing_memory_is_a_status(void **state) {
    (void)state;
    static const char text[] =
        "{generate: {kind: cone}, stages: [&a {model: jako2011}, {<<: *a, steps: 2}, {<<: &b {steps: 3}}, *b]}";
    yaml_node *root = NULL;
    wadi_status status = WADI_ERROR_MEMORY;
    int refused_number = 0;
    for (; status != WADI_OK; refused_number++) {
        assert_true(refused_number < 100);
        arm(refused_number, false);
        status = run_yaml_read("r.yaml", text, sizeof text - 1, &root);
        disarm();
        if (status == WADI_OK) break;
        assert_int_equal(status, WADI_ERROR_MEMORY);
        assert_null(root);
        assert_string_equal(wadi_error_message(), "r.yaml: no memory to read it");
    }
    assert_true(refused_number > 10);
    run_yaml_free(root);
}

static void test_missing_memory_for_a_file_is_a_status(void **state) {
    (void)state;
    static const char file[] = "test_run.csv";
    source_rows rows = {0};
    FILE *made = fopen(file, "w");
    assert_non_null(made);
    fputs("1,2,3,4\n", made);
    fclose(made);
    arm(0, false);
    const wadi_status status = run_sources_read(file, &rows);
    disarm();
    remove(file);
    assert_int_equal(status, WADI_ERROR_MEMORY);
    assert_string_equal(wadi_error_message(), "sources test_run.csv: no memory to read it");
}

/* A run from its recipe to what is read back from its folder. Each part needs those before it. */
typedef struct story {
    recipe recipe;
    run run, again;
    run_result result;
    wadi_raster *height;
    unsigned char saved[1 << 16];
    size_t saved_count, taken;
} story;

static const char story_folder[] = "test_run.folder";

static wadi_status story_parse(story *story) {
    return parse(
        "story.yaml",
        "generate: {kind: noise, size: 8x6, seed: 2}\nhardness: height\nstages:\n"
        "- {model: jako2011, steps: 2, set: {Kc: 0.3, Ks: 0.2}, pixel: true,\n"
        "   sources: [{x: 2, y: 2, radius_m: 1, rate_m3s: 0.1}, {x: 3, y: 2, radius_m: 1, rate_m3s: 0.1}],\n"
        "   events: [{at: 1, set: {Kc: 0.2}}, {at: 1, paint: raise, radius_m: 2, strength: 1, dabs: '2,2 3,2'},\n"
        "            {at: 1, sources: [{x: 2, y: 2, radius_m: 1, rate_m3s: 0.1}]},\n"
        "            {at: 2, rain: {count: 2, radius: 1, rate: 0.1}}]}\n"
        "- {repeat: 2, stages: [{model: mei2007, rain: 'drops:count=1,radius=2,rate=1e-5', steps: 1},\n"
        "                       {model: olsen2004, preset: talus, mask: previous, steps: 1}]}\n",
        &story->recipe);
}

static wadi_status story_load(story *story) {
    story->run = (run){.folder = run_text_copy(story_folder)};
    if (!story->run.folder) return WADI_ERROR_MEMORY;
    story->run.plan.maps = run_maps_all();
    story->run.plan.format = WADI_FORMAT_NPY;
    return run_load(&story->recipe, &story->run);
}

static wadi_status story_begin(story *story) {
    wadi_status status = run_folder_take(story_folder, false, &story->run.hold);
    if (status == WADI_OK) status = run_next_visit(&story->run);
    return status == WADI_OK ? run_checkpoint_write(&story->run) : status;
}

static wadi_status story_step(story *story) {
    run *run = &story->run;
    wadi_status status = WADI_OK;
    while (status == WADI_OK && run->plan.done < run->plan.steps) {
        status = wadi_sim_step(run->sim, 1);
        if (status != WADI_OK) return status;
        run->plan.done++;
        run->plan.visit_done++;
        if (run_steps_left(run) == 0 || run_events_due(run)) status = run_next_visit(run);
    }
    return status;
}

static wadi_status put(void *context, const void *bytes, size_t count) {
    story *story = context;
    assert_true(count <= sizeof story->saved - story->saved_count);
    memcpy(story->saved + story->saved_count, bytes, count);
    story->saved_count += count;
    return WADI_OK;
}

static wadi_status take(void *context, void *bytes, size_t count) {
    story *story = context;
    assert_true(count <= story->saved_count - story->taken);
    memcpy(bytes, story->saved + story->taken, count);
    story->taken += count;
    return WADI_OK;
}

static wadi_status story_save(story *story) { return run_checkpoint_save(&story->run, put, story); }

static wadi_status story_restore(story *story) {
    const wadi_def how = wadi_default_def(wadi_model_at(0), 2, 2, 1, 1);
    return run_checkpoint_load(take, story, "saved", &how, &story->again);
}

static wadi_status story_write(story *story) { return run_write_outputs(&story->run, &story->result); }

static wadi_status story_read(story *story) {
    wadi_status status = run_read_field(story_folder, "height", &story->height);
    return status == WADI_OK ? run_checkpoint_check(story_folder) : status;
}

static void story_end(story *story) {
    run_result_free(&story->result);
    run_free(&story->run);
    run_free(&story->again);
    run_recipe_free(&story->recipe);
    wadi_raster_destroy(story->height);
    platform_remove_tree(story_folder);
}

static const struct {
    const char *name;
    wadi_status (*tell)(story *story);
    bool sweeps; /* it clears what killed processes left in the folder, as far as memory reaches */
} parts[] = {{"parse", story_parse, false}, {"load", story_load, false}, {"begin", story_begin, true},
             {"step", story_step, false},   {"save", story_save, false}, {"restore", story_restore, false},
             {"write", story_write, true},  {"read", story_read, false}};
enum { PARTS = sizeof parts / sizeof *parts };

/* The story up to a part, the n-th allocation of which is refused. false: it has no more than n. */
static bool tell_until(size_t part, int n) {
    static story story;
    story = (struct story){0};
    for (size_t i = 0; i < part; i++)
        if (parts[i].tell(&story) != WADI_OK) fail_msg("%s: %s", parts[i].name, wadi_error_message());
    arm(n, false);
    const wadi_status status = parts[part].tell(&story);
    const bool refused = disarm();
    const bool good =
        refused ? status == WADI_ERROR_MEMORY || (status == WADI_OK && parts[part].sweeps) : status == WADI_OK;
    if (!good) fail_msg("%s, allocation %d: status %d, %s", parts[part].name, n, status, wadi_error_message());
    if (status == WADI_ERROR_MEMORY) assert_string_not_equal(wadi_error_message(), "");
    story_end(&story);
    return refused;
}

/* Whichever allocation of a run is refused, the status says so. The sanitizers find what leaks. */
static void test_missing_memory_of_a_run_is_a_status(void **state) {
    (void)state;
    for (size_t part = 0; part < PARTS; part++) {
        const int every =
            parts[part].tell == story_write ? 23 : 1; /* most of these draw the picture, which takes long */
        int n = 0;
        while (tell_until(part, n)) n += every;
        assert_true(n > 0);
    }
}
#endif

/* A value's error has no place; the caller that knows it puts it before, and takes the option's dashes away. */
static void test_places_begin_the_message(void **state) {
    (void)state;
    const place value = {3, 7}, line = {3, 0};
    wadi_name_options(true);
    assert_int_equal(run_fail_at("r.yaml", value, wadi_fail(WADI_ERROR_FORMAT, "--steps x: no")), WADI_ERROR_FORMAT);
    assert_string_equal(wadi_error_message(), "r.yaml:3:7: steps x: no");
    wadi_name_options(false);
    assert_int_equal(run_fail_at("r.csv", line, wadi_fail(WADI_ERROR_ARGUMENT, "no")), WADI_ERROR_ARGUMENT);
    assert_string_equal(wadi_error_message(), "r.csv:3: no");
    assert_int_equal(run_fail_at(NULL, value, WADI_ERROR_ARGUMENT), WADI_ERROR_ARGUMENT);
    assert_int_equal(run_fail_at("r.csv", value, WADI_OK), WADI_OK);
    assert_string_equal(wadi_error_message(), "r.csv:3: no");
}

static void test_the_listener_gets_notes_and_warnings(void **state) {
    (void)state;
    static const wadi_run_listener listener = {hear, NULL};
    wadi_run_listen(&listener);
    run_message_note("a %s", "note");
    assert_string_equal(heard, "a note");
    assert_int_equal(heard_kind, WADI_RUN_NOTE);
    run_message_warn("%01500d", 7); /* longer than what is formatted without memory */
    assert_int_equal(heard_kind, WADI_RUN_WARNING);
    assert_int_equal(strlen(heard), 1500);
    wadi_run_listen(NULL);
    run_message_warn("nobody hears this");
    assert_int_equal(strlen(heard), 1500);
}

/* The library prints nothing itself. The last test: standard error is a file from here on. */
static void test_nothing_is_printed(void **state) {
    (void)state;
    static const char file[] = "test_run.stderr";
    recipe recipe;
    assert_non_null(freopen(file, "w", stderr));
    const wadi_status status = parse("bad.yaml", "stepz: 3", &recipe);
    run_message_warn("a warning");
    fflush(stderr);
    const long written = ftell(stderr);
    remove(file);
    assert_int_equal(status, WADI_ERROR_ARGUMENT);
    assert_int_equal(written, 0);
    run_recipe_free(&recipe);
}

static void test_the_next_steps_take_the_time_that_is_wanted(void **state) {
    (void)state;
    assert_int_equal(run_steps_for(0.2, 10, 0.1), 20);
    assert_int_equal(run_steps_for(0.2, 10, 0.8), 2);
    assert_int_equal(run_steps_for(0.2, 10, 1e-6), 40); /* one fast step promises nothing */
    assert_int_equal(run_steps_for(0.2, 10, 0), 40);
    assert_int_equal(run_steps_for(0.2, 1, 100), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_pace_learns),
        cmocka_unit_test(test_a_recipe_runs_to_its_end),
        cmocka_unit_test(test_each_level_has_grain_of_its_own),
        cmocka_unit_test(test_an_error_names_its_place),
        cmocka_unit_test(test_a_long_message_is_complete),
        cmocka_unit_test(test_places_begin_the_message),
        cmocka_unit_test(test_the_listener_gets_notes_and_warnings),
#ifdef WRAP_MEMORY
        cmocka_unit_test(test_missing_memory_is_a_status),
        cmocka_unit_test(test_missing_memory_for_a_file_is_a_status),
        cmocka_unit_test(test_missing_memory_of_a_run_is_a_status),
#endif
        cmocka_unit_test(test_the_next_steps_take_the_time_that_is_wanted),
        cmocka_unit_test(test_nothing_is_printed),
    };
    omp_set_num_threads(1); /* many short runs: other threads would mostly wait */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
