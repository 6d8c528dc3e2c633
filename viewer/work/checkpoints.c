/* checkpoints.c: checkpoints in memory: made, thinned out, and restored. */
#include "viewer/work/checkpoints.h"

#include "run/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* *copy is NULL where there is no hardness. */
static wadi_status copy_hard(const work *work, const float *hard, float **copy) {
    *copy = NULL;
    if (!hard) return WADI_OK;
    *copy = malloc(work_cells(work) * sizeof **copy);
    if (!*copy) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory to keep the hardness");
    memcpy(*copy, hard, work_cells(work) * sizeof **copy);
    return WADI_OK;
}

void work_drop_checkpoint(work *work, size_t index) {
    free(work->saved[index].sim.bytes);
    free(work->saved[index].hard);
    work->saved_count--;
    for (size_t i = index; i < work->saved_count; i++) work->saved[i] = work->saved[i + 1];
}

static uint64_t saved_bytes(const work *work) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < work->saved_count; i++) bytes += work->saved[i].sim.size;
    return bytes;
}

/* The checkpoint to drop: the one that leaves the smallest gap, relative to how far back it lies. The first and the
 * last stay. */
static size_t least_missed(const work *work) {
    const double now = (double)work_steps_at(work, work_now(work));
    size_t least = 1;
    double smallest = INFINITY;
    for (size_t i = 1; i + 1 < work->saved_count; i++) {
        const double before = (double)work_steps_at(work, work->saved[i - 1].place);
        const double after = (double)work_steps_at(work, work->saved[i + 1].place);
        const double missed = (after - before) / (now - (double)work_steps_at(work, work->saved[i].place) + 1);
        if (missed < smallest) smallest = missed, least = i;
    }
    return least;
}

static void thin_out(work *work) {
    enum { MOST = 64 };
    while (work->saved_count > 2 && (saved_bytes(work) > work->budget || work->saved_count > MOST))
        work_drop_checkpoint(work, least_missed(work));
}

/* The last one at or before a place; saved_count: none. */
size_t work_checkpoint_before(const work *work, work_place place) {
    size_t found = work->saved_count;
    for (size_t i = 0; i < work->saved_count; i++)
        if (work_compare(work->saved[i].place, place) <= 0) found = i;
    return found;
}

wadi_status work_checkpoint(work *work) {
    work_saved saved = {.place = work_now(work)};
    const size_t before = work_checkpoint_before(work, saved.place);
    if (before < work->saved_count && work_compare(work->saved[before].place, saved.place) == 0) return WADI_OK;
    wadi_status status = copy_hard(work, work->run.hard, &saved.hard);
    if (status == WADI_OK) status = packed_save(work->run.sim, &saved.sim);
    if (status != WADI_OK) {
        free(saved.hard);
        return status;
    }
    const size_t index = before == work->saved_count ? 0 : before + 1;
    if (!run_array_add(&work->saved, &work->saved_count, sizeof *work->saved)) {
        free(saved.hard);
        free(saved.sim.bytes);
        return WADI_ERROR_MEMORY;
    }
    for (size_t i = work->saved_count - 1; i > index; i--) work->saved[i] = work->saved[i - 1];
    work->saved[index] = saved;
    work->since_saved_s = 0;
    thin_out(work);
    return WADI_OK;
}

/* Makes a checkpoint where repeating the steps would take long. A failure is ignored: going back then takes longer. */
void work_checkpoint_if_far(work *work) {
    if (work->since_saved_s > 0.5) work_checkpoint(work);
}

size_t work_checkpoints(const work *work) { return work->saved_count; }

work_place work_checkpoint_at(const work *work, size_t index) { return work->saved[index].place; }

void work_set_budget(work *work, uint64_t bytes) {
    work->budget = bytes;
    thin_out(work);
}

wadi_status work_restore(work *work, const work_saved *saved) {
    wadi_sim *sim;
    float *hard;
    wadi_status status = copy_hard(work, saved->hard, &hard);
    if (status == WADI_OK) status = packed_restore(&work->how, &saved->sim, &sim);
    if (status != WADI_OK) {
        free(hard);
        return status;
    }
    work_make_current(work, sim, saved->place.stage);
    for (size_t i = 0; i < work->run.stage_count; i++) {
        run_stage *stage = &work->run.stages[i];
        stage->events_done = i < saved->place.stage ? stage->events.count : 0;
        stage->entered = i <= saved->place.stage;
        if (i < saved->place.stage) continue;
        stage->made = 0; /* its simulation counts its steps, or they are not made yet */
        stage->mass = (wadi_mass){0};
    }
    work_stage(work)->events_done = saved->place.event;
    free(work->run.hard);
    work->run.hard = hard;
    work->since_saved_s = 0, work->group = 0;
    work_count_steps(work);
    return WADI_OK;
}
