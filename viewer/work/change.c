/* change.c: events and switches of the model, as the user asks for them. */
#include "viewer/work/change.h"

#include "viewer/work/checkpoints.h"
#include "viewer/work/go.h"
#include "viewer/work/history.h"
#include "viewer/work/levels.h"
#include "viewer/work/stages.h"

#include "run/array.h"
#include "run/map_input.h"
#include "run/run_stages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same_brush(const wadi_dab *a, const wadi_dab *b) {
    return a->brush == b->brush && !(a->radius_m < b->radius_m) && !(a->radius_m > b->radius_m) &&
           !(a->strength < b->strength) && !(a->strength > b->strength) && !(a->falloff < b->falloff) &&
           !(a->falloff > b->falloff) && !(a->level_m < b->level_m) && !(a->level_m > b->level_m);
}

/* Whether the next event of the same action, between the same steps, can be merged into the last one. */
static bool joins(const event *last, const event *next) {
    if (last->at != next->at || last->kind != next->kind) return false;
    if (last->kind == EVENT_AREA || last->kind == EVENT_MAP) return false;
    return last->kind != EVENT_PAINT || same_brush(last->dabs, next->dabs);
}

/* So that what is done to the simulation can also be recorded: room for one more event, or for the dabs of `next` in
 * the last one. */
static wadi_status make_room(events *events, event *last, const event *next) {
    size_t count = events->count;
    if (!last) return run_array_add(&events->items, &count, sizeof *next) ? WADI_OK : WADI_ERROR_MEMORY;
    if (last->kind != EVENT_PAINT) return WADI_OK;
    wadi_dab *dabs = realloc(last->dabs, (last->dab_count + next->dab_count) * sizeof *dabs);
    if (!dabs) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory to keep the stroke");
    last->dabs = dabs;
    return WADI_OK;
}

static void join(event *last, event *next) {
    if (last->kind == EVENT_PAINT) {
        memcpy(last->dabs + last->dab_count, next->dabs, next->dab_count * sizeof *last->dabs);
        last->dab_count += next->dab_count;
        run_event_free(next);
        return;
    }
    if (last->kind == EVENT_SET) {
        run_adjustment_join(last->adjustment, next->adjustment);
        return;
    }
    run_event_free(last);
    *last = *next;
}

/* Completes what the user asked for with the values that it gives now. */
static wadi_status complete(const work *work, event *event) {
    if (event->kind != EVENT_SET) return WADI_OK;
    if (!event->adjustment) return WADI_ERROR_MEMORY;
    const settings_now now = work_settings(work);
    return run_adjustment_resolve(event->adjustment, &now);
}

/* A checkpoint of this place is out of date, because an event was added there. */
static void forget_here(work *work) {
    const size_t here = work_checkpoint_before(work, work_now(work));
    if (here < work->saved_count && work_compare(work->saved[here].place, work_now(work)) == 0)
        work_drop_checkpoint(work, here);
}

/* Dabs of one event share all but their place. The caller starts a new event for other dabs. */
static wadi_status act(work *work, event event, const char *label, uint64_t group) {
    run_stage *stage = work_stage(work);
    const bool same = group != 0 && group == work->group && !work_has_future(work);
    event.at = wadi_sim_steps(work->run.sim);
    struct event *last = same && stage->events.count ? &stage->events.items[stage->events.count - 1] : NULL;
    if (last && !joins(last, &event)) last = NULL;
    if (!same) work_checkpoint_if_far(work);
    wadi_status status = complete(work, &event);
    if (status == WADI_OK) status = make_room(&stage->events, last, &event);
    if (status == WADI_OK) status = run_event_apply(&event, work->run.sim);
    if (status != WADI_OK) {
        run_event_free(&event);
        return status;
    }
    if (work_has_future(work)) work_cut_future(work);
    if (!same) work_add_mark(work, label);
    if (last) {
        forget_here(work);
        join(last, &event);
    } else {
        stage->events.items[stage->events.count++] = event;
    }
    stage->events_done = stage->events.count;
    work->group = group;
    work_count_steps(work);
    return WADI_OK;
}

wadi_status work_do(work *work, event event, const char *label, uint64_t group) {
    wadi_status status = work_check_levels(work);
    if (status == WADI_OK) status = work_leave_levels(work);
    if (status == WADI_OK) return act(work, event, label, group);
    run_event_free(&event);
    return status;
}

/* The raster's values are scratch memory, and the map needs to know where the terrain is. */
static wadi_status load(const work *work, map_event *map) {
    const run *run = &work->run;
    const wadi_status status = wadi_sim_get(run->sim, "height", run->raster->values, work_cells(work));
    return status == WADI_OK ? run_map_input_load(map, run, run->sim, false) : status;
}

wadi_status work_import(work *work, const char *name, const char *path) {
    char label[64];
    wadi_status status = work_check_levels(work);
    if (status != WADI_OK) return status;
    event event = {.kind = EVENT_MAP, .map = run_map_event_new(name, path)};
    status = event.map ? load(work, event.map) : WADI_ERROR_MEMORY;
    if (status != WADI_OK) {
        run_event_free(&event);
        return status;
    }
    snprintf(label, sizeof label, "map of %s", event.map->name);
    return work_do(work, event, label, 0);
}

wadi_status work_switch(work *work, const wadi_def *def, const char *preset, const char *label) {
    const run_stage *now = work_stage(work);
    const wadi_status early = work_check_levels(work);
    if (early != WADI_OK) return early;
    /* A stage without steps and events is replaced. */
    if (work->run.plan.stage > work_levels_end(work).stage && wadi_sim_steps(work->run.sim) == 0 &&
        now->events_done == 0) {
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
    status = work_append(work, def, preset);
    if (status != WADI_OK) work_drop_mark(work);
    return status;
}
