/* run_command.c: from the command line to a finished run folder. */
#include "run_command.h"

#include "progress.h"
#include "report.h"
#include "run_report.h"

#include "run/checkpoint.h"
#include "run/message.h"
#include "run/recipe.h"
#include "run/run_options.h"
#include "run/run_outputs.h"
#include "run/run_resume.h"
#include "run/run_start.h"
#include "run/run_steps.h"
#include "run/run_video.h"

#include "platform/openmp.h"
#include "platform/platform.h"

#include <inttypes.h>

/* The command's run, and how it speaks of it. */
typedef struct task {
    run run;
    run_words words;
    bool interrupted; /* it was stopped before its end, and can be resumed */
} task;

/* --- all steps, for new and resumed runs --- */

typedef struct follower {
    progress progress;
    const run *run;
} follower;

/* Cells of a step of the current stage. */
static double cells_of_step(const run *run) {
    const wadi_def *def = wadi_sim_def(run->sim);
    return (double)def->width * (double)def->height * wadi_sim_safety(run->sim).substeps;
}

static bool follow(void *context, const wadi_run_progress *now) {
    follower *follower = context;
    if (now->steps > 0) progress_add(&follower->progress, now->steps, now->seconds);
    follower->progress.cells = cells_of_step(follower->run); /* of the next steps */
    return !platform_interrupted();
}

static wadi_status step_to_end(task *task) {
    run *run = &task->run;
    follower follower = {progress_begin(progress_kind_for(task->words.json, task->words.quiet), run_title(run),
                                        run->plan.done, run->plan.steps, cells_of_step(run)),
                         run};
    const wadi_status status = run_steps(run, run->plan.steps, follow, &follower);
    progress_end(&follower.progress);
    run_video_end(run, status != WADI_OK);
    return status;
}

static wadi_status stop_interrupted(task *task) {
    const wadi_status status = run_checkpoint_write(&task->run);
    if (status != WADI_OK) return status;
    run_report_interrupted(&task->run, &task->words);
    task->interrupted = true;
    return WADI_OK;
}

static wadi_status write_outputs(task *task) {
    run_result result = {0};
    const wadi_status status = run_write_outputs(&task->run, &result);
    if (status == WADI_OK) run_report_result(&task->run, &result, &task->words);
    run_result_free(&result);
    return status;
}

/* The earlier checkpoint stays if the run fails. Non-finite numbers would come again from it, so there is no note then.
 */
static wadi_status finish(task *task) {
    run *run = &task->run;
    if (task->words.json) run_report_start(run);
    wadi_status status = step_to_end(task);
    const bool stopped = run->plan.done < run->plan.steps;
    if (status == WADI_OK) status = stopped ? stop_interrupted(task) : write_outputs(task);
    if (status != WADI_OK && status != WADI_ERROR_NUMERIC) run_report_checkpoint(run);
    return status != WADI_OK || stopped ? status : run_video_result(run);
}

/* --- a new run --- */

static wadi_status dry_run(task *task) {
    run_needs needs;
    const wadi_status status = run_measure(&task->run, &needs);
    if (status == WADI_OK) run_report_plan(&task->run, &needs, &task->words);
    return status;
}

static wadi_status begin(task *task, bool force) {
    platform_catch_interrupts();
    const wadi_status status = run_begin(&task->run, force);
    return status == WADI_OK ? finish(task) : status;
}

static wadi_status run_anew(const run_options *given, const arguments *arguments, recipe_reader_fn *read, task *task) {
    recipe recipe = {0};
    wadi_status status = read(given, arguments, &recipe);
    if (status == WADI_OK) status = run_prepare(&recipe, &task->run);
    if (status == WADI_OK) status = recipe.top.dry_run ? dry_run(task) : begin(task, recipe.top.force);
    run_recipe_free(&recipe);
    return status;
}

/* --- a resumed run --- */

static wadi_status run_again(const run_options *given, const arguments *arguments, task *task) {
    if (arguments->count > 0)
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "--resume takes no INPUT: the run folder holds what the run was started with");
    wadi_status status = run_check_with_resume(arguments->given);
    if (status == WADI_OK) status = run_resume(given, &task->run);
    if (status != WADI_OK) return status;
    platform_catch_interrupts();
    status = run_go_on(&task->run);
    return status == WADI_OK ? finish(task) : status;
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

static wadi_status note_command(int argc, char **argv, run *run) {
    wadi_status status = run_text_list_add(&run->plan.command, "wadi");
    for (int i = 0; i < argc && status == WADI_OK; i++) status = run_text_list_add(&run->plan.command, argv[i]);
    return status;
}

int run_by_command(const command *command, int argc, char **argv, recipe_reader_fn *read) {
    run_options given = run_options_default;
    arguments arguments;
    wadi_status status;
    task task = {0};
    if (options_parse(command, argc, argv, &given, &arguments, &status)) {
        task.words = (run_words){given.json, given.quiet};
        report_set_quiet(given.quiet);
        use_threads(given.threads);
        if (given.resume) {
            status = run_again(&given, &arguments, &task);
        } else {
            status = note_command(argc, argv, &task.run);
            if (status == WADI_OK) status = run_anew(&given, &arguments, read, &task);
        }
        run_free(&task.run);
    }
    run_text_list_free(&given.settings);
    run_text_list_free(&given.knobs);
    return status == WADI_OK && task.interrupted ? EXIT_INTERRUPTED : report_end(status);
}
