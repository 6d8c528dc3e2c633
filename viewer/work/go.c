/* go.c: makes steps, and goes to any place of the history. */
#include "viewer/work/go.h"

#include "viewer/work/checkpoints.h"
#include "viewer/work/history.h"
#include "viewer/work/levels.h"
#include "viewer/work/stages.h"

#include "run/run_steps.h"

#include <stdio.h>

static wadi_status make_steps(work *work, int64_t count, double *seconds) {
    const wadi_status status = run_make_steps(&work->run, count, seconds);
    work->since_saved_s += *seconds;
    return status;
}

/* Goes back to the last checkpoint. The error's message is kept. */
static wadi_status fall_back(work *work, wadi_status status) {
    char message[512];
    snprintf(message, sizeof message, "%s", wadi_error_message());
    const size_t last = work_checkpoint_before(work, work_now(work));
    const bool back = last < work->saved_count && work_restore(work, &work->saved[last]) == WADI_OK;
    if (back && !work_in_levels(work)) work_cut_future(work);
    work_count_steps(work);
    return wadi_fail(status, "%s", message);
}

/* Steps to the next event or the end of the stage, for about 0.1 s at a time. */
static wadi_status step_to(work *work, int64_t step, int64_t *most) {
    const int64_t left = step - wadi_sim_steps(work->run.sim), count = left < *most ? left : *most;
    double seconds;
    const wadi_status status = make_steps(work, count, &seconds);
    *most = run_steps_for(0.1, count, seconds);
    return status;
}

/* Takes the next step towards a later place: an event, some steps, or the next stage. */
static wadi_status approach(work *work, work_place place, int64_t *most) {
    run_stage *stage = work_stage(work);
    const bool there = work->run.plan.stage == place.stage;
    const size_t events = there ? place.event : stage->events.count;
    const event *next = stage->events_done < events ? &stage->events.items[stage->events_done] : NULL;
    const int64_t now = wadi_sim_steps(work->run.sim), last = there ? place.step : stage->steps;
    if (next && next->at <= now) {
        const wadi_status status = run_event_apply(next, work->run.sim);
        if (status == WADI_OK) stage->events_done++;
        return status;
    }
    if (now < last) return step_to(work, next && next->at < last ? next->at : last, most);
    if (work->run.plan.stage + 1 < work->run.stage_count) return work_enter_next(work);
    return wadi_fail(WADI_ERROR_FORMAT, "there is nothing after the last stage's end");
}

/* At most so many steps on the way to the end of the levels. */
static wadi_status follow_levels(work *work, int64_t steps) {
    const wadi_status status = approach(work, work_levels_end(work), &steps);
    if (status != WADI_OK) return fall_back(work, status);
    work_count_steps(work);
    return WADI_OK;
}

wadi_status work_step(work *work, int64_t steps) {
    double seconds;
    wadi_status status = WADI_OK;
    if (work_in_levels(work)) return follow_levels(work, steps);
    if (work_has_future(work)) work_cut_future(work);
    if (steps > 0) status = work_leave_levels(work);
    if (status == WADI_OK) status = make_steps(work, steps, &seconds);
    if (status != WADI_OK) return fall_back(work, status);
    work_stage(work)->steps = wadi_sim_steps(work->run.sim);
    work_count_steps(work);
    return WADI_OK;
}

wadi_status work_go(work *work, work_place place, work_going *going, void *context) {
    work_place now = work_now(work);
    work_checkpoint_if_far(work);
    const size_t from = work_checkpoint_before(work, place);
    const bool behind = work_compare(now, place) <= 0;
    wadi_status status = WADI_OK;
    if (from == work->saved_count && !behind)
        return wadi_fail(WADI_ERROR_ARGUMENT, "there is no checkpoint so far back");
    if (!behind || (from < work->saved_count && work_compare(now, work->saved[from].place) < 0))
        status = work_restore(work, &work->saved[from]);
    now = work_now(work);
    const double first = (double)work_steps_at(work, now), far = (double)work_steps_at(work, place) - first;
    int64_t most = 1;
    while (status == WADI_OK && work_compare(now, place) < 0) {
        status = approach(work, place, &most);
        now = work_now(work);
        const double done = (double)work_steps_at(work, now) - first;
        if (going && !going(context, far > 0 ? done / far : 1)) break;
        if (work->since_saved_s > 10) work_checkpoint(work); /* on a long way through a recipe */
    }
    if (status == WADI_ERROR_NUMERIC) status = fall_back(work, status);
    work->group = 0;
    work_count_steps(work);
    return status;
}
