/* The library of runs without the command: a recipe is read and run, and what is said goes to the reporter alone. */
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

static char heard[16384];

static void hear(void *context, const char *line) {
    (void)context;
    snprintf(heard, sizeof heard, "%s", line);
}

static int parse(const char *name, const char *text, recipe *recipe) {
    const run_options given = {.steps = -1, .time_s = -1, .boundary = -1, .checkpoint_every = -1, .on.device = -1};
    heard[0] = '\0';
    const int code = recipe_parse(name, text, strlen(text), &given, 0, recipe);
    recipe->top.on.backend = BACKEND_CPU;
    return code;
}

static void test_a_recipe_runs_to_its_end(void **state) {
    (void)state;
    recipe recipe;
    run run = {.quiet = true};
    assert_int_equal(parse("two.yaml",
                           "generate: {kind: cone, size: 8x6}\nstages:\n- {model: jako2011, steps: 2}\n"
                           "- {model: mei2007, steps: 3}\n",
                           &recipe),
                     CLI_OK);
    assert_int_equal(run_load(&recipe, &run), CLI_OK);
    assert_int_equal(run.stage_count, 2);
    assert_int_equal(run.plan.steps, 5);
    assert_int_equal(run_next_visit(&run), CLI_OK);
    while (run.plan.done < run.plan.steps) {
        assert_int_equal(wadi_sim_step(run.sim, 1), WADI_OK);
        run.plan.done++;
        run.plan.visit_done++;
        if (run_steps_left(&run) == 0) assert_int_equal(run_next_visit(&run), CLI_OK);
    }
    assert_string_equal(wadi_model_id(wadi_sim_def(run.sim)->model), "mei2007");
    assert_int_equal(wadi_sim_steps(run.sim), 3);
    run_free(&run);
    recipe_free(&recipe);
}

static void test_an_error_has_its_place(void **state) {
    (void)state;
    recipe recipe;
    assert_int_equal(parse("folder/bad.yaml", "input: a.tif\nmodel: jako2011\nstepz: 3\n", &recipe), CLI_USAGE);
    assert_ptr_equal(strstr(heard, "folder/bad.yaml:3:1: stepz: no such key; did you mean steps?"), heard);
    recipe_free(&recipe);
}

/* The name of the file alone is longer than a message mostly is; its control character is escaped. */
static void test_a_long_message_is_whole(void **state) {
    (void)state;
    char name[4001];
    recipe recipe;
    memset(name, 'n', sizeof name - 1);
    name[0] = '\x1b';
    name[sizeof name - 1] = '\0';
    assert_int_equal(parse(name, "model: [", &recipe), CLI_USAGE);
    assert_ptr_equal(strstr(heard, "\\x1bnnn"), heard);
    assert_non_null(strstr(heard, "is no YAML"));
    recipe_free(&recipe);
}

#ifdef WRAP_MEMORY
static int allowed = -1; /* allocations until one is refused; -1: none is */

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

/* Reading a recipe's text comes back with an error, whichever allocation is refused. */
static void test_refused_memory_comes_back(void **state) {
    (void)state;
    static const char text[] = "{generate: {kind: cone}, stages: [{model: jako2011}, {steps: 2}]}";
    yaml_node *root = NULL;
    int code = CLI_MEMORY, refused = 0;
    for (; code != CLI_OK; refused++) {
        assert_true(refused < 100);
        allowed = refused;
        code = yaml_read("r.yaml", text, sizeof text - 1, &root);
        allowed = -1;
        if (code == CLI_OK) break;
        assert_int_equal(code, CLI_MEMORY);
        assert_null(root);
        assert_string_equal(heard, "r.yaml: no memory to read it");
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
    const int code = sources_read(file, &rows);
    allowed = -1;
    remove(file);
    assert_int_equal(code, CLI_MEMORY);
    assert_string_equal(heard, "--sources test_run.csv: no memory to read it");
}
#endif

/* Without a reporter nothing is written anywhere. The last test: standard error is a file from here on. */
static void test_nothing_is_printed(void **state) {
    (void)state;
    static const char file[] = "test_run.stderr";
    recipe recipe;
    assert_non_null(freopen(file, "w", stderr));
    cli_report_to(NULL, NULL);
    const int code = parse("bad.yaml", "stepz: 3", &recipe);
    cli_warn("a warning");
    fflush(stderr);
    const long written = ftell(stderr);
    remove(file);
    assert_int_equal(code, CLI_USAGE);
    assert_string_equal(heard, "");
    assert_int_equal(written, 0);
    recipe_free(&recipe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_recipe_runs_to_its_end),  cmocka_unit_test(test_an_error_has_its_place),
        cmocka_unit_test(test_a_long_message_is_whole),
#ifdef WRAP_MEMORY
        cmocka_unit_test(test_refused_memory_comes_back), cmocka_unit_test(test_refused_memory_for_a_file_comes_back),
#endif
        cmocka_unit_test(test_nothing_is_printed),
    };
    cli_report_to(hear, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
