/* history.c: undo and redo marks; a new action drops the undone ones. */
#include "viewer/work/history.h"

#include "viewer/work/checkpoints.h"

#include "run/array.h"
#include "run/run_stages.h"

#include <stdio.h>
#include <stdlib.h>

bool work_has_future(const work *work) { return work_compare(work_now(work), work_end(work)) < 0; }

/* Forgets the undone events, stages, checkpoints and marks. */
void work_cut_future(work *work) {
    run *run = &work->run;
    run_stage *stage = work_stage(work);
    const work_place now = work_now(work);
    run_events_cut(&stage->events, stage->events_done);
    stage->steps = now.step;
    while (run->stage_count > now.stage + 1) {
        run_stage_free(&run->stages[--run->stage_count]);
        free(work->fresh[run->stage_count].bytes);
        work->fresh[run->stage_count] = (packed){0};
    }
    while (work->saved_count > 1 && work_compare(work->saved[work->saved_count - 1].place, now) > 0)
        work_drop_checkpoint(work, work->saved_count - 1);
    while (work->mark_count > 0 && work_compare(work->marks[work->mark_count - 1].place, now) > 0) work->mark_count--;
}

/* Without memory there is no mark: undo goes back to the one before. */
void work_add_mark(work *work, const char *label) {
    const work_place now = work_now(work);
    if (work->mark_count > 0 && work_compare(work->marks[work->mark_count - 1].place, now) == 0) work->mark_count--;
    work_mark *added = run_array_add(&work->marks, &work->mark_count, sizeof *added);
    if (!added) return;
    added->place = now;
    snprintf(added->label, sizeof added->label, "%s", label);
}

void work_drop_mark(work *work) {
    const size_t count = work->mark_count;
    if (count > 0 && work_compare(work->marks[count - 1].place, work_now(work)) == 0) work->mark_count--;
}

void work_note(work *work, const char *label) {
    work_checkpoint_if_far(work);
    if (work_has_future(work) && !work_in_levels(work)) work_cut_future(work);
    work_add_mark(work, label);
    work->group = 0;
}

bool work_undo_place(const work *work, work_place *place, const char **label) {
    const work_place now = work_now(work);
    for (size_t i = work->mark_count; i-- > 0;) {
        if (work_compare(work->marks[i].place, now) >= 0) continue;
        if (work_checkpoint_before(work, work->marks[i].place) == work->saved_count) return false;
        *place = work->marks[i].place;
        *label = work->marks[i].label;
        return true;
    }
    /* After a recipe or a file of work was opened: its steps have no mark, but they can be undone as a whole. */
    if (work->saved_count == 0 || work_compare(work->saved[0].place, now) >= 0) return false;
    *place = work->saved[0].place;
    *label = "all steps";
    return true;
}

bool work_redo_place(const work *work, work_place *place, const char **label) {
    const work_place now = work_now(work);
    if (!work_has_future(work)) return false;
    *label = "steps";
    *place = work_end(work);
    for (size_t i = work->mark_count; i-- > 0;) {
        const int order = work_compare(work->marks[i].place, now);
        if (order > 0) *place = work->marks[i].place;
        if (order <= 0) *label = work->marks[i].label;
        if (order <= 0) break;
    }
    return true;
}

const work_mark *work_marks(const work *work, size_t *count) {
    *count = work->mark_count;
    return work->marks;
}
