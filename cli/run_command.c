/* run_command.c: from the command line to a finished run folder. */
#include "run_command.h"

#include "report.h"
#include "run_seeds.h"
#include "run_task.h"

#include "run/message.h"
#include "run/recipe.h"
#include "run/run_options.h"
#include "run/run_resume.h"
#include "run/run_start.h"
#include "run/run_steps.h"

#include "platform/openmp.h"
#include "platform/platform.h"

#include <inttypes.h>

/* --- a new run --- */

static wadi_status dry_run(run_task *task) {
    run_needs needs;
    const wadi_status status = run_measure(&task->run, &needs);
    if (status == WADI_OK) run_report_plan(&task->run, &needs, &task->words);
    return status;
}

static wadi_status begin(run_task *task, bool force) {
    platform_catch_interrupts();
    const wadi_status status = run_begin(&task->run, force);
    return status == WADI_OK ? run_task_finish(task) : status;
}

static wadi_status run_anew(const run_options *given, const arguments *arguments, recipe_reader_fn *read,
                            run_task *task) {
    recipe recipe = {0};
    wadi_status status = read(given, arguments, &recipe);
    if (status == WADI_OK) status = run_prepare(&recipe, &task->run);
    if (status == WADI_OK) status = recipe.top.dry_run ? dry_run(task) : begin(task, recipe.top.force);
    run_recipe_free(&recipe);
    return status;
}

/* --- a resumed run --- */

static wadi_status run_again(const run_options *given, const arguments *arguments, run_task *task) {
    if (arguments->count > 0)
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "--resume takes no INPUT: the run folder holds what the run was started with");
    wadi_status status = run_check_with_resume(arguments->given);
    if (status == WADI_OK) status = run_resume(given, &task->run);
    if (status != WADI_OK) return status;
    platform_catch_interrupts();
    status = run_go_on(&task->run);
    return status == WADI_OK ? run_task_finish(task) : status;
}

/* --- the command --- */

/* For the run, and for reading files and computing figures. */
static void use_threads(int64_t count) {
    if (count > omp_get_thread_limit())
        run_message_note("--threads %" PRId64 ": %d can be had here%s", count, omp_get_thread_limit(),
                         omp_get_thread_limit() == 1 ? ", as Wadi was built without OpenMP or OMP_THREAD_LIMIT says so"
                                                     : "");
    if (count > 0) omp_set_num_threads((int)count);
}

int run_by_command(const command *command, int argc, char **argv, recipe_reader_fn *read) {
    run_options given = run_options_default;
    arguments arguments;
    wadi_status status;
    run_task task = {0};
    if (options_parse(command, argc, argv, &given, &arguments, &status)) {
        task.words = (run_words){.json = given.json, .quiet = given.quiet};
        report_set_quiet(given.quiet);
        use_threads(given.threads);
        if (run_seeds_wanted(&given)) {
            const seeds_call call = {&given, &arguments, read, argc, argv};
            status = run_seeds_all(&call, &task.interrupted);
        } else if (given.resume) {
            status = run_again(&given, &arguments, &task);
        } else {
            status = run_note_command(argc, argv, &task.run);
            if (status == WADI_OK) status = run_anew(&given, &arguments, read, &task);
        }
        run_free(&task.run);
    }
    run_text_list_free(&given.settings);
    run_text_list_free(&given.knobs);
    return status == WADI_OK && task.interrupted ? EXIT_INTERRUPTED : report_end(status);
}
