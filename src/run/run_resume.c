#include "run_resume.h"

#include "array.h"
#include "backend.h"
#include "checkpoint.h"
#include "fail.h"
#include "folder.h"
#include "message.h"
#include "run_def.h"
#include "run_series.h"
#include "run_stages.h"
#include "run_start.h"
#include "run_video.h"
#include "sources.h"
#include "text.h"

#include "platform/platform.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

wadi_status run_check_with_resume(option_set given) {
    for (int i = 0; run_option_rows[i].name; i++) {
        if (!option_set_has(given, i) || run_option_rows[i].with_resume) continue;
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "--%s does not go with --resume: the run folder holds what the run was started with",
                         run_option_rows[i].name);
    }
    return WADI_OK;
}

static wadi_status hold_folder(run *run) {
    wadi_status status = run_checkpoint_check(run->folder);
    if (status != WADI_OK) return status;
    char *what = run_text_format("--resume %s", run->folder);
    if (!what) return WADI_ERROR_MEMORY;
    status = run_fail_as_input(run_folder_hold_take(what, run->folder, false, &run->hold));
    free(what);
    return status;
}

static wadi_status load(const run_options *given, run *run) {
    wadi_def how = wadi_default_def(wadi_model_at(0), 2, 2, 1, 1); /* only its engine, device and threads matter */
    run_backend_apply_unseen(&given->on, &how);
    how.threads = (int)given->threads;
    if (given->steps > 0) how.expected_steps = given->steps; /* else they are not known yet */
    return run_checkpoint_read(run->folder, &how, run);
}

/* --- a finished run --- */

/* The height that the outputs have: if the run settles, with the sediment. */
static wadi_status read_result(const run *run, float *values) {
    const size_t cells = (size_t)run->raster->width * (size_t)run->raster->height;
    if (!run->plan.settle) return wadi_sim_get(run->sim, "height", values, cells);
    float *part = run_cells_new(cells);
    wadi_status status = part ? wadi_sim_get(run->sim, "change", values, cells) : WADI_ERROR_MEMORY;
    if (status == WADI_OK) status = wadi_sim_get(run->sim, "sediment", part, cells);
    for (size_t i = 0; status == WADI_OK && i < cells; i++) values[i] += part[i];
    if (status == WADI_OK) status = wadi_sim_get(run->sim, "b0", part, cells);
    for (size_t i = 0; status == WADI_OK && i < cells; i++) values[i] = part[i] + values[i];
    run_cells_free(part);
    return status;
}

/* Whether run.json names this height and this number of steps. It is put in place last, so all other files are there
 * too. */
static wadi_status find_result(const run *run, bool *found) {
    char hex[65], steps[48], *path = run_text_join(run->folder, RUN_JSON), *text = NULL;
    if (!path) return WADI_ERROR_MEMORY;
    const size_t cells = (size_t)run->raster->width * (size_t)run->raster->height;
    size_t size;
    wadi_status status = read_result(run, run->raster->values);
    *found = false;
    if (status == WADI_OK && platform_exists(path)) {
        wadi_field_sha256(run->raster->values, cells, hex);
        snprintf(steps, sizeof steps, "\n  \"steps\": %" PRId64 ",", run->plan.done);
        status = run_text_file_read("--resume", path, &text, &size);
        *found = text && strstr(text, hex) && strstr(text, steps);
    }
    free(text);
    free(path);
    return status;
}

static wadi_status refuse_finished(const run *run) {
    bool finished = false;
    if (run->plan.done < run->plan.steps) return WADI_OK;
    const wadi_status status = find_result(run, &finished);
    if (status != WADI_OK || !finished) return status;
    return wadi_fail(WADI_ERROR_ARGUMENT,
                     "--resume %s: this run is complete, %" PRId64 " steps; --steps N makes N more", run->folder,
                     run->plan.done);
}

/* --- more steps --- */

/* Only the last stage can be extended. */
static wadi_status check_last_stage(const char *option, const run *run) {
    const size_t last = run->stage_count - 1;
    const bool finished = run->plan.done == run->plan.steps;
    if (run->stages[last].rounds > 1)
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "--%s: the last stages of this recipe are repeated, so there is none to make longer; "
                         "change 'repeat' in the recipe and run it anew",
                         option);
    if (!finished && run->plan.stage < last)
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "--%s: stage %zu of %zu is not done; wadi run --resume %s finishes the recipe first", option,
                         run->plan.stage + 1, run->stage_count, run->folder);
    return WADI_OK;
}

/* Refuses a new end before pending events, which would be lost. A rain series may go on after the old end. */
static wadi_status check_events(const char *option, const run_stage *stage, int64_t old_end) {
    size_t count = stage->events.count;
    while (count > 0 && stage->events.items[count - 1].at > old_end) count--;
    if (count == 0 || stage->events.items[count - 1].at <= stage->steps) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT,
                     "--%s: ends at step %" PRId64 ", before the event at step %" PRId64
                     "; leave the option out to go on to the end",
                     option, stage->steps, stage->events.items[count - 1].at);
}

/* Sets the number of steps from the current one, replacing the rest of the run. */
static wadi_status take_steps(const run_options *given, run *run) {
    const char *option = given->steps >= 0 ? "steps" : "time";
    run_stage *last = &run->stages[run->stage_count - 1];
    int64_t more = 0;
    if (given->steps >= 0 && given->time_s >= 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--time: --steps says how long to go on, too; leave one out");
    wadi_status status = check_last_stage(option, run);
    if (status == WADI_OK) status = run_target_steps(given, wadi_sim_def(last->sim), &more);
    if (status != WADI_OK) return status;
    if (more > (int64_t)1e15 - run->plan.done)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--%s: more than 1e15 steps in all", option);
    const int64_t old_end = last->steps;
    last->steps = wadi_sim_steps(last->sim) + more;
    run->plan.steps = run->plan.done + more;
    return check_events(option, last, old_end);
}

static wadi_status settle_steps(const run_options *given, run *run) {
    return given->steps >= 0 || given->time_s >= 0 ? take_steps(given, run) : refuse_finished(run);
}

/* --- all of it --- */

static void take_options(const run_options *given, run *run) {
    if (given->checkpoint_every >= 0) run->plan.checkpoint_every = given->checkpoint_every;
    if (given->no_checkpoint) run->plan.no_checkpoint = true;
    run->plan.no_preview = given->no_preview;
    if (run->plan.relaxed && !run_is_relaxed(wadi_sim_def(run->sim)))
        run_message_note(
            "it was begun with relaxed arithmetic and goes on strictly; --arithmetic relaxed goes on as before");
    run_message_note("going on from step %" PRId64 " of %" PRId64, run->plan.done, run->plan.steps);
}

wadi_status run_resume(const run_options *given, run *run) {
    wadi_status status = run_check_backend(given);
    if (status == WADI_OK) status = run_video_plan(given, run);
    run->folder = run_text_copy(given->resume);
    if (status == WADI_OK && !run->folder) status = WADI_ERROR_MEMORY;
    if (status == WADI_OK) status = hold_folder(run);
    if (status == WADI_OK) status = load(given, run);
    if (status == WADI_OK) status = settle_steps(given, run);
    if (status != WADI_OK) return status;
    take_options(given, run);
    return run_video_check(given, run);
}

wadi_status run_go_on(run *run) {
    wadi_status status = run_next_visit(run);
    if (status == WADI_OK) status = run_series_begin(run, true);
    return status == WADI_OK ? run_video_begin(run) : status;
}
