/* The library of runs without the command: a recipe is read and run. Errors are statuses with a message, and notes and
 * warnings go to the listener. */
#include "run/escape.h"
#include "run/message.h"
#include "run/recipe.h"
#include "run/run_inputs.h"
#include "run/run_stages.h"
#include "run/run_start.h"
#include "run/sources.h"
#include "run/yaml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char heard[2048];
static message_kind heard_kind;

static void hear(void *context, message_kind kind, const char *text) {
    (void)context;
    heard_kind = kind;
    snprintf(heard, sizeof heard, "%s", text);
}

static wadi_status parse(const char *name, const char *text, recipe *recipe) {
    const run_options given = {.steps = -1, .time_s = -1, .boundary = -1, .checkpoint_every = -1, .on.device = -1};
    const wadi_status status = recipe_parse(name, text, strlen(text), &given, 0, recipe);
    recipe->top.on.backend = BACKEND_CPU;
    return status;
}

static void test_a_recipe_runs_to_its_end(void **state) {
    (void)state;
    recipe recipe;
    run run = {.quiet = true};
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
    recipe_free(&recipe);
}

static void test_an_error_has_its_place(void **state) {
    (void)state;
    recipe recipe;
    assert_int_equal(parse("folder/bad.yaml", "input: a.tif\nmodel: jako2011\nstepz: 3\n", &recipe),
                     WADI_ERROR_ARGUMENT);
    assert_ptr_equal(strstr(wadi_error_message(), "folder/bad.yaml:3:1: stepz: no such key; did you mean steps?"),
                     wadi_error_message());
    recipe_free(&recipe);
}

/* The file name alone is longer than most messages; its control character is escaped. */
static void test_a_long_message_is_whole(void **state) {
    (void)state;
    char name[4001];
    recipe recipe;
    memset(name, 'n', sizeof name - 1);
    name[0] = '\x1b';
    name[sizeof name - 1] = '\0';
    assert_int_equal(parse(name, "model: [", &recipe), WADI_ERROR_FORMAT);
    char *shown = escape_text(wadi_error_message());
    assert_ptr_equal(strstr(shown, "\\x1bnnn"), shown);
    assert_non_null(strstr(shown, "is no YAML"));
    free(shown);
    recipe_free(&recipe);
}

#ifdef WRAP_MEMORY
static int allowed = -1; /* allocations before the one that is refused; -1: all succeed */

static bool refuses(void) { return allowed >= 0 && allowed-- == 0; }

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_malloc(size_t bytes) { return refuses() ? NULL : __real_malloc(bytes); }
void *__wrap_calloc(size_t count, size_t bytes) { return refuses() ? NULL : __real_calloc(count, bytes); }
void *__wrap_realloc(void *memory, size_t bytes) { return refuses() ? NULL : __real_realloc(memory, bytes); }

/* Reading a recipe's text returns an error, whichever allocation is refused. */
static void test_refused_memory_comes_back(void **state) {
    (void)state;
    static const char text[] = "{generate: {kind: cone}, stages: [{model: jako2011}, {steps: 2}]}";
    yaml_node *root = NULL;
    wadi_status status = WADI_ERROR_MEMORY;
    int refused = 0;
    for (; status != WADI_OK; refused++) {
        assert_true(refused < 100);
        allowed = refused;
        status = yaml_read("r.yaml", text, sizeof text - 1, &root);
        allowed = -1;
        if (status == WADI_OK) break;
        assert_int_equal(status, WADI_ERROR_MEMORY);
        assert_null(root);
        assert_string_equal(wadi_error_message(), "r.yaml: no memory to read it");
    }
    assert_true(refused > 10);
    yaml_free(root);
}

static void test_refused_memory_for_a_file_comes_back(void **state) {
    (void)state;
    static const char file[] = "test_run.csv";
    source_rows rows = {0};
    FILE *made = fopen(file, "w");
    assert_non_null(made);
    fputs("1,2,3,4\n", made);
    fclose(made);
    allowed = 0;
    const wadi_status status = sources_read(file, &rows);
    allowed = -1;
    remove(file);
    assert_int_equal(status, WADI_ERROR_MEMORY);
    assert_string_equal(wadi_error_message(), "--sources test_run.csv: no memory to read it");
}
#endif

/* A value's error has no place; the caller that knows it puts it before, and takes the option's dashes away. */
static void test_a_place_is_put_before(void **state) {
    (void)state;
    const place value = {3, 7}, line = {3, 0};
    assert_int_equal(fail_at("r.yaml", value, wadi_fail(WADI_ERROR_FORMAT, "--steps x: no")), WADI_ERROR_FORMAT);
    assert_string_equal(wadi_error_message(), "r.yaml:3:7: steps x: no");
    assert_int_equal(fail_at("r.csv", line, wadi_fail(WADI_ERROR_ARGUMENT, "no")), WADI_ERROR_ARGUMENT);
    assert_string_equal(wadi_error_message(), "r.csv:3: no");
    assert_int_equal(fail_at(NULL, value, WADI_ERROR_ARGUMENT), WADI_ERROR_ARGUMENT);
    assert_int_equal(fail_at("r.csv", value, WADI_OK), WADI_OK);
    assert_string_equal(wadi_error_message(), "r.csv:3: no");
}

static void test_the_listener_hears(void **state) {
    (void)state;
    static const message_listener listener = {hear, NULL};
    message_listen(&listener);
    message_note("a %s", "note");
    assert_string_equal(heard, "a note");
    assert_int_equal(heard_kind, MESSAGE_NOTE);
    message_warn("%01500d", 7); /* longer than what is formatted without memory */
    assert_int_equal(heard_kind, MESSAGE_WARNING);
    assert_int_equal(strlen(heard), 1500);
    message_listen(NULL);
    message_warn("nobody hears this");
    assert_int_equal(strlen(heard), 1500);
}

/* The library prints nothing itself. The last test: standard error is a file from here on. */
static void test_nothing_is_printed(void **state) {
    (void)state;
    static const char file[] = "test_run.stderr";
    recipe recipe;
    assert_non_null(freopen(file, "w", stderr));
    const wadi_status status = parse("bad.yaml", "stepz: 3", &recipe);
    message_warn("a warning");
    fflush(stderr);
    const long written = ftell(stderr);
    remove(file);
    assert_int_equal(status, WADI_ERROR_ARGUMENT);
    assert_int_equal(written, 0);
    recipe_free(&recipe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_recipe_runs_to_its_end),  cmocka_unit_test(test_an_error_has_its_place),
        cmocka_unit_test(test_a_long_message_is_whole),   cmocka_unit_test(test_a_place_is_put_before),
        cmocka_unit_test(test_the_listener_hears),
#ifdef WRAP_MEMORY
        cmocka_unit_test(test_refused_memory_comes_back), cmocka_unit_test(test_refused_memory_for_a_file_comes_back),
#endif
        cmocka_unit_test(test_nothing_is_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
