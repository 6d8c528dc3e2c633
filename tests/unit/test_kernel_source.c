/* The generated part of a fused sweep's source is that of tests/golden/swenson2018_fused_sweep.cu, so that a review
 * shows what a change of the generator does. To accept a change: WADI_ACCEPT=1 build/release/tests/test_kernel_source.
 */
#include "scene.h"

#include "core/inside.h"
#include "engine/gpu/codegen/programs.h"
#include "engine/gpu/engine_state.h"

#include <stdlib.h>
#include <string.h>

static void golden_path(char path[1024]) {
    snprintf(path, 1024, "%s/../tests/golden/swenson2018_fused_sweep.cu", getenv("WADI_DATA"));
}

/* From the first generated declaration on. The text before it comes from files. */
static char *generated_source(void) {
    wadi_def def = wadi_default_def(wadi_model_find("swenson2018"), 1024, 1024, 1.0, 1.0);
    def.threads = 1;
    wadi_sim *sim;
    OK(wadi_sim_create(&def, &sim));
    /* a description only: nothing runs on it */
    wadi_gpu_engine hopper = {.about = {.capability = 90, .local_bytes = 227 << 10}};
    void *const own = sim->domain->engine_state;
    sim->domain->engine_state = &hopper;
    const wadi_gpu_sweep_shape shape = {
        .substeps = 2, .columns = 2, .tiles = 2, .lanes = 32, .prefetch = 3, .groups = 2, .rows = 64};
    wadi_gpu_sweep_plan plan;
    bool fits;
    OK(wadi_gpu_sweep_plan_make(&plan, sim->domain, 227 << 10, &shape, &fits));
    assert_true(fits);
    char *source = wadi_gpu_sweep_program_source(sim->domain, &plan);
    assert_non_null(source);
    wadi_gpu_sweep_plan_free(&plan);
    sim->domain->engine_state = own;
    wadi_sim_destroy(sim);
    const char *begin = strstr(source, "typedef struct sweep {");
    assert_non_null(begin);
    memmove(source, begin, strlen(begin) + 1);
    return source;
}

static char *read_golden(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail_msg("%s: cannot be read", path);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

static void assert_same_lines(const char *made, const char *golden) {
    int line = 1;
    for (size_t i = 0; made[i] == golden[i]; i++) {
        if (made[i] == '\0') return;
        line += made[i] == '\n';
    }
    fail_msg("differs from the golden source in line %d; WADI_ACCEPT=1 accepts it", line);
}

static void source_is_the_golden_one(void **state) {
    (void)state;
    char path[1024];
    golden_path(path);
    char *made = generated_source();
    if (getenv("WADI_ACCEPT") != NULL) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        assert_true(fputs(made, file) >= 0);
        assert_int_equal(fclose(file), 0);
    }
    char *golden = read_golden(path);
    assert_same_lines(made, golden);
    free(golden);
    free(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(source_is_the_golden_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
