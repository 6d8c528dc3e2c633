/* The command's checkpoints, and the window's files, from bytes that anybody may have written: the simulations and the
 * plan of the run that they belong to. The first byte picks what happens, the rest is the file. */
#include "platform/platform.h"
#include "run/recipe.h"
#include "tape.h"

#include "run/checkpoint.h"
#include "run/fail.h"
#include "run/run_inputs.h"
#include "run/run_stages.h"
#include "run/run_start.h"

/* libfyaml 0.7 loses a buffer on some texts that it refuses; it makes the seeds. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfyaml.so"; }

static wadi_status load(const uint8_t *bytes, size_t count, unsigned choice, run *run) {
    const wadi_def how = {.threads = 1, .engine = (choice & 1) != 0 ? WADI_ENGINE_REFERENCE : WADI_ENGINE_CPU};
    tape tape = tape_of(bytes, count, (choice & 2) != 0);
    return run_checkpoint_load(play, &tape, "a checkpoint", &how, run);
}

static void check(const run *run) {
    const run_plan *plan = &run->plan;
    if (run->sim == NULL || run->raster == NULL || plan->stage >= run->stage_count) abort();
    if (plan->done < 0 || plan->done > plan->steps || plan->visit_done > run->stages[plan->stage].steps) abort();
    if (run->sim != run->stages[plan->stage].sim || run->raster->width != wadi_sim_def(run->sim)->width) abort();
}

/* What was taken is written again, and taken again. */
static void check_again(const run *first) {
    static bytes again;
    again.count = 0;
    if (first->stage_count > 8 || run_checkpoint_save(first, record, &again) != WADI_OK) return;
    run second = {0};
    if (load(again.at, again.count, 2, &second) != WADI_OK) abort();
    check(&second);
    if (second.plan.done != first->plan.done || second.stage_count != first->stage_count) abort();
    run_free(&second);
}

/* Strange values may end in a refusal. */
static void go_on(run *run) {
    for (int i = 0; i < 3 && run->plan.done < run->plan.steps; i++) {
        if (run_steps_left(run) == 0 || run_events_due(run)) {
            if (run_next_visit(run) != WADI_OK) return;
            continue;
        }
        if (wadi_sim_safety(run->sim).substeps > 4 || wadi_sim_step(run->sim, 1) != WADI_OK) return;
        run->plan.done++;
        run->plan.visit_done++;
    }
}

static bool all_there(const run *run) {
    for (size_t i = 0; i < run->stage_count; i++)
        if (run->stages[i].sim == NULL) return false; /* the window's */
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    if (count == 0 || too_large(bytes + 1, count - 1)) return 0;
    run run = {0};
    const wadi_status status = load(bytes + 1, count - 1, bytes[0], &run);
    if (status != WADI_OK && status != WADI_ERROR_MEMORY && run_fail_while_running(status) == status)
        abort(); /* not bad input */
    if (status == WADI_OK) {
        check(&run);
        check_again(&run);
        if (all_there(&run)) go_on(&run);
    }
    run_free(&run);
    return 0;
}

/* --- seeds: runs as they stand after some steps ----------------------------------------------------------------- */

static const char *const recipes[] = {
    "{generate: {kind: noise, size: 5x4, seed: 2}, model: mei2007, steps: 3}",
    "{generate: {kind: cone, size: 6x5}, model: jako2011, steps: 4, hardness: height, boundary: open, maps: all,"
    " pixel: true, sources: [{x: 2, y: 2, radius_m: 1, rate_m3s: 0.1, start_s: 0, end_s: 9}],"
    " events: [{at: 1, set: {Kc: 0.2}}, {at: 2, paint: raise, radius_m: 2, strength: 1, dabs: \"2,2 3,2.5\"},"
    " {at: 3, rain: {count: 2, radius: 1, rate: 0.1}}]}",
    "{generate: {kind: noise, size: 4x6}, boundary: wrap, format: r32, checkpoint-every: 2, hardness: height, stages: ["
    "{model: jako2011, steps: 2}, {repeat: 3, stages: [{model: neidhold2005, steps: 1},"
    " {model: olsen2004, preset: talus, steps: 1}]}, {model: swenson2018, rain: previous, steps: 2}]}",
};

static void save_seed(const char *folder, size_t number, const char *text, int visits) {
    static bytes seed;
    const run_options given = run_options_default;
    recipe recipe;
    run run = {0};
    char path[4096];
    wadi_status status = run_recipe_parse("seed.yaml", text, strlen(text), &given, (option_set){0}, &recipe);
    recipe.top.on.backend = BACKEND_CPU;
    if (status == WADI_OK) status = run_load(&recipe, &run);
    if (status == WADI_OK) status = run_next_visit(&run);
    for (int i = 0; status == WADI_OK && i < visits && run.plan.done < run.plan.steps; i++) {
        if (wadi_sim_step(run.sim, 1) != WADI_OK) abort();
        run.plan.done++;
        run.plan.visit_done++;
        if (run_steps_left(&run) == 0 || run_events_due(&run)) status = run_next_visit(&run);
    }
    if (status != WADI_OK) abort();
    seed.count = 0;
    put(&seed, &(uint8_t){number % 2 != 0}, 1);
    if (run_checkpoint_save(&run, record, &seed) != WADI_OK) abort();
    snprintf(path, sizeof path, "%s/seed-%zu-%d", folder, number, visits);
    save(path, &seed);
    run_free(&run);
    run_recipe_free(&recipe);
}

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerInitialize(int *count, char ***arguments) {
    const char *folder = NULL;
    for (int i = 1; i < *count && folder == NULL; i++)
        if ((*arguments)[i][0] != '-') folder = (*arguments)[i];
    if (folder == NULL || !platform_is_folder(folder)) return 0;
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++)
        for (int visits = 0; visits < 6; visits += 2) save_seed(folder, i, recipes[i], visits);
    return 0;
}
