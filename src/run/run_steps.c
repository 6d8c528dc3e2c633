#include "run_steps.h"

#include "array.h"
#include "checkpoint_writer.h"
#include "fail.h"
#include "gauges.h"
#include "memory.h"
#include "run_inputs.h"
#include "run_series.h"
#include "run_stages.h"
#include "run_video.h"
#include "time_left.h"

#include "platform/platform.h"

#include <math.h>
#include <stdlib.h>

/* Between two calls of the caller's callback. How steps are divided does not change the result. */
static const double call_s = 0.2;

int64_t run_steps_for(double wanted_s, int64_t made, double took_s) {
    const double most = 4.0 * (double)made;
    const double wanted = took_s > 0 ? fmin(wanted_s * (double)made / took_s, most) : most;
    return wanted < 1 ? 1 : (int64_t)wanted;
}

/* The number of steps until the next event. */
static int64_t steps_to_event(const run *run) {
    const run_stage *stage = &run->stages[run->plan.stage];
    if (stage->events_done == stage->events.count) return INT64_MAX;
    return stage->events.items[stage->events_done].at - wadi_sim_steps(run->sim);
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t greatest(int64_t a, int64_t b) { return a > b ? a : b; }

static int64_t steps_until(const run *run, int64_t last, int64_t most) {
    const int64_t done = run->plan.done, every = run->plan.checkpoint_every;
    int64_t left = least(run_steps_left(run), last - done);
    if (every > 0) left = least(left, every - done % every);
    left = least(left, steps_to_event(run));
    left = least(left, run_video_steps_left(run));
    left = least(left, run_series_steps_left(run));
    left = least(left, run_gauges_steps_left(run));
    return least(most, left);
}

wadi_status run_make_steps(run *run, int64_t count, double *seconds) {
    double start = platform_clock_s();
    wadi_status status = wadi_sim_step(run->sim, count);
    *seconds = platform_clock_s() - start;
    run->plan.wall_s += *seconds;
    run->stages[run->plan.stage].wall_s += *seconds;
    if (run_is_relaxed(wadi_sim_def(run->sim))) run->plan.relaxed = true;
    if (status == WADI_OK) run->plan.done += count;
    if (status == WADI_OK) run->plan.visit_done += count;
    return status;
}

static wadi_status fail_step(const run *run, wadi_status status) {
    status = run_fail_while_running(status);
    if (status == WADI_OK || run_is_plain(run)) return status;
    return wadi_fail(status, "stage %zu, %s: %s", run->plan.stage + 1, wadi_model_id(wadi_sim_def(run->sim)->model),
                     wadi_error_message());
}

/* The caller's callback. */
typedef struct follower {
    wadi_run_progress_fn *progress;
    void *context;
} follower;

/* steps: of `stage`, which took steps_s. other_s: to draw and save. */
static bool tell(const follower *follower, run *run, const run_stage *stage, int64_t steps, double steps_s,
                 double other_s) {
    if (!follower->progress) return true;
    const double left_s = run_time_left(run, stage, steps, steps_s);
    const wadi_run_progress now = {run->plan.done, run->plan.steps, steps, steps_s + other_s, left_s};
    return follower->progress(follower->context, &now);
}

static bool checkpoint_is_due(const run_plan *plan) {
    return plan->checkpoint_every > 0 && plan->done % plan->checkpoint_every == 0 && plan->done < plan->steps;
}

/* Makes `count` steps, and what is due after them. *seconds: of the steps only. */
static wadi_status advance(run *run, int64_t count, const follower *follower, double *seconds, bool *going) {
    const run_stage *stage = &run->stages[run->plan.stage];
    wadi_status status = run_make_steps(run, count, seconds);
    if (status == WADI_OK) status = run_gauges_step(run); /* before events change the water */
    if (status != WADI_OK) return fail_step(run, status);
    if (run_steps_left(run) == 0 || run_events_due(run)) status = run_next_visit(run);
    const double other_s = status == WADI_OK ? run_video_step(run) + run_series_step(run) : 0;
    *going = tell(follower, run, stage, count, *seconds, other_s);
    if (status != WADI_OK) return status;
    return checkpoint_is_due(&run->plan) ? run_checkpoint_begin(run) : run_checkpoint_poll(run);
}

wadi_status run_steps(run *run, int64_t last, wadi_run_progress_fn *progress, void *context) {
    const follower follower = {progress, context};
    wadi_status status = WADI_OK;
    double seconds = 0;
    int64_t most = 1;
    last = least(last, run->plan.steps);
    bool going = tell(&follower, run, &run->stages[run->plan.stage], 0, 0, 0);
    while (status == WADI_OK && run->plan.done < last && going) {
        const int64_t count = steps_until(run, last, greatest(most, wadi_sim_steps_at_once(run->sim)));
        status = advance(run, count, &follower, &seconds, &going);
        most = run_steps_for(call_s, count, seconds);
    }
    return status;
}

/* Measures a stage for at most limit_s. *estimate: seconds for all its steps. */
static wadi_status measure_stage(run *run, double limit_s, double *estimate) {
    int64_t target = run_stage_steps(&run->stages[run->plan.stage]), done = 0;
    double total = 0, seconds = 0;
    wadi_status status = run_make_steps(run, target > 0, &seconds); /* not counted: it starts the threads */
    for (int64_t count = 1; status == WADI_OK && total < limit_s && done < target;) {
        status = run_make_steps(run, count, &seconds);
        done += count;
        total += seconds;
        count = run_steps_for(call_s, count, seconds);
    }
    *estimate = done ? total * (double)target / (double)done : 0;
    return fail_step(run, status);
}

wadi_status run_measure(run *run, run_needs *needs) {
    wadi_def *defs = run_array_new(run->stage_count, sizeof *defs);
    *needs = (run_needs){0};
    wadi_status status = defs ? WADI_OK : WADI_ERROR_MEMORY;
    for (size_t i = 0; i < run->stage_count && status == WADI_OK; i++) {
        double stage_s;
        defs[i] = *wadi_sim_def(run->stages[i].sim);
        run->plan.stage = i;
        run->sim = run->stages[i].sim;
        status = measure_stage(run, 0.5 / (double)run->stage_count, &stage_s);
        needs->seconds += stage_s;
    }
    if (status == WADI_OK) needs->memory = run_memory(run, defs);
    if (status == WADI_OK) needs->device_memory = run_memory_on_device(defs, run->stage_count);
    free(defs);
    double drawing_s = 0;
    if (status == WADI_OK) status = run_video_estimate(run, &drawing_s);
    needs->seconds += drawing_s;
    return status;
}
