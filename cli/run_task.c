#include "run_task.h"

#include "progress.h"

#include "run/checkpoint_writer.h"
#include "run/run_outputs.h"
#include "run/run_series.h"
#include "run/run_steps.h"
#include "run/run_video.h"

#include "platform/platform.h"

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
    if (now->steps > 0) progress_add(&follower->progress, now->steps, now->seconds, now->left_s);
    follower->progress.cells = cells_of_step(follower->run); /* of the next steps */
    return !platform_interrupted();
}

static wadi_status step_to_end(run_task *task) {
    run *run = &task->run;
    follower follower = {progress_begin(progress_kind_for(task->words.json, task->words.quiet), run_title(run),
                                        run->plan.done, run->plan.steps, cells_of_step(run)),
                         run};
    const wadi_status status = run_steps(run, run->plan.steps, follow, &follower);
    progress_end(&follower.progress);
    run_video_end(run, status != WADI_OK);
    return status;
}

static wadi_status stop_interrupted(run_task *task) {
    const wadi_status status = run_checkpoint_write(&task->run);
    if (status != WADI_OK) return status;
    run_report_interrupted(&task->run, &task->words);
    task->interrupted = true;
    run_series_make(&task->run, NULL);
    return run_series_end(&task->run);
}

static wadi_status write_outputs(run_task *task) {
    run_result result = {0};
    wadi_status status = run_write_outputs(&task->run, &result);
    const bool written = status == WADI_OK;
    if (written) status = run_series_end(&task->run);
    if (written) run_report_result(&task->run, &result, &task->words);
    run_result_free(&result);
    return status;
}

/* The earlier checkpoint stays if the run fails. Non-finite numbers would come again from it, so there is no note then.
 */
wadi_status run_task_finish(run_task *task) {
    run *run = &task->run;
    if (task->words.json) run_report_start(run);
    wadi_status status = step_to_end(task);
    const bool stopped = run->plan.done < run->plan.steps;
    if (status == WADI_OK) status = stopped ? stop_interrupted(task) : write_outputs(task);
    const bool can_go_on = status != WADI_OK && status != WADI_ERROR_NUMERIC;
    if (can_go_on && run_checkpoint_there(run)) run_report_checkpoint(run, &task->words);
    return status != WADI_OK || stopped ? status : run_video_result(run);
}

wadi_status run_note_command(int argc, char **argv, run *run) {
    wadi_status status = run_text_list_add(&run->plan.command, "wadi");
    for (int i = 0; i < argc && status == WADI_OK; i++) status = run_text_list_add(&run->plan.command, argv[i]);
    return status;
}
