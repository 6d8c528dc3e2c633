/* change.c: events and switches of the model, as the user asks for them. */
#include "viewer/work/change.h"

#include "viewer/work/checkpoints.h"
#include "viewer/work/go.h"
#include "viewer/work/history.h"
#include "viewer/work/stages.h"

#include "run/run_stages.h"

#include <string.h>

static bool same_brush(const wadi_dab *a, const wadi_dab *b) {
    return a->brush == b->brush && !(a->radius_m < b->radius_m) && !(a->radius_m > b->radius_m) &&
           !(a->strength < b->strength) && !(a->strength > b->strength) && !(a->falloff < b->falloff) &&
           !(a->falloff > b->falloff) && !(a->level_m < b->level_m) && !(a->level_m > b->level_m);
}

/* Whether the next event of the same action, between the same steps, can be merged into the last one. */
static bool joins(const event *last, const event *next) {
    if (last->at != next->at || last->kind != next->kind) return false;
    if (last->kind == EVENT_SET) return strcmp(last->name, next->name) == 0;
    return last->kind != EVENT_PAINT || same_brush(last->dabs, next->dabs);
}

static void join(event *last, event *next) {
    if (last->kind == EVENT_PAINT) {
        last->dabs = text_grow(last->dabs, (last->dab_count + next->dab_count) * sizeof *last->dabs);
        memcpy(last->dabs + last->dab_count, next->dabs, next->dab_count * sizeof *last->dabs);
        last->dab_count += next->dab_count;
        events one = {.items = next, .count = 1};
        events_cut(&one, 0);
        return;
    }
    events one = {.items = last, .count = 1};
    events_cut(&one, 0);
    *last = *next;
}

/* A checkpoint of this place is out of date, because an event was added there. */
static void forget_here(work *work) {
    const size_t here = work_checkpoint_before(work, work_now(work));
    if (here < work->saved_count && work_compare(work->saved[here].place, work_now(work)) == 0)
        work_drop_checkpoint(work, here);
}

/* Dabs of one event share all but their place. The caller starts a new event for other dabs. */
wadi_status work_do(work *work, event event, const char *label, uint64_t group) {
    run_stage *stage = work_stage(work);
    const bool same = group != 0 && group == work->group && !work_has_future(work);
    event.at = wadi_sim_steps(work->run.sim);
    if (!same) work_checkpoint_if_far(work);
    const wadi_status status = event_apply(&event, work->run.sim);
    if (status != WADI_OK) {
        events one = {.items = &event, .count = 1};
        events_cut(&one, 0);
        return status;
    }
    if (work_has_future(work)) work_cut_future(work);
    if (!same) work_add_mark(work, label);
    struct event *last = stage->events.count ? &stage->events.items[stage->events.count - 1] : NULL;
    if (same && last && joins(last, &event)) {
        forget_here(work);
        join(last, &event);
    } else {
        events_add(&stage->events, event);
    }
    stage->events_done = stage->events.count;
    work->group = group;
    work_count_steps(work);
    return WADI_OK;
}

wadi_status work_switch(work *work, const wadi_def *def, const char *preset, const char *label) {
    const run_stage *now = work_stage(work);
    /* A stage without steps and events is replaced. */
    if (work->run.plan.stage > 0 && wadi_sim_steps(work->run.sim) == 0 && now->events_done == 0) {
        const run_stage *before = now - 1;
        const work_place place = {work->run.plan.stage - 1, before->steps, before->events.count};
        const wadi_status status = work_go(work, place, NULL, NULL);
        if (status != WADI_OK) return status;
    }
    wadi_status status = work_checkpoint(work);
    if (status != WADI_OK) return status;
    work_cut_future(work);
    work_add_mark(work, label);
    work->group = 0;
    work_add_stage(work, def, preset);
    status = work_enter_next(work);
    if (status == WADI_OK) return WADI_OK;
    run_stage_free(&work->run.stages[--work->run.stage_count]);
    work->mark_count--;
    return status;
}
