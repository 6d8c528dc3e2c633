/* schedule.c: lags, reaches and live rows, from what the stages declare. */
#include "engine/schedule/schedule.h"

#include <stdlib.h>
#include <string.h>

static int largest(int a, int b) { return a > b ? a : b; }

/* Whether both stages use the same copy of the field. Each sub-step has scratch of its own. */
static bool shared(const wadi_model *model, int field, const wadi_scheduled_stage *a, const wadi_scheduled_stage *b) {
    return model->fields[field].kind != WADI_SCRATCH || a->substep == b->substep;
}

/* How far `reader` reads around a cell what `writer` writes: radius, rows above, rows below. -1: it reads none of
 * it. */
typedef struct between {
    int radius, up, down;
} between;

static between between_of(const wadi_model *model, const wadi_scheduled_stage *reader,
                          const wadi_scheduled_stage *writer) {
    between far = {-1, -1, -1};
    for (int i = 0; i < reader->stage->reads; i++) {
        const wadi_read *read = &reader->stage->read[i];
        if (!wadi_stage_writes(writer->stage, read->field) || !shared(model, read->field, reader, writer)) continue;
        far = (between){largest(far.radius, read->radius), largest(far.up, read->up), largest(far.down, read->down)};
    }
    return far;
}

static bool write_the_same(const wadi_model *model, const wadi_scheduled_stage *a, const wadi_scheduled_stage *b) {
    for (int i = 0; i < a->stage->writes; i++)
        if (wadi_stage_writes(b->stage, a->stage->write[i]) && shared(model, a->stage->write[i], a, b)) return true;
    return false;
}

/* The least lag at which a stage reads only written rows, and overwrites only rows that earlier stages have read. */
static void find_lag(const wadi_schedule *schedule, const wadi_model *model, int index, bool in_turn) {
    wadi_scheduled_stage *scheduled = &schedule->stages[index];
    scheduled->lag = in_turn && index > 0 ? schedule->stages[index - 1].lag : 0;
    for (int i = 0; i < index; i++) {
        const wadi_scheduled_stage *before = &schedule->stages[i];
        const int reads = between_of(model, scheduled, before).down,
                  overwrites = between_of(model, before, scheduled).up;
        if (reads >= 0 || overwrites >= 0 || write_the_same(model, scheduled, before))
            scheduled->lag = largest(scheduled->lag, before->lag + largest(0, largest(reads, overwrites)));
    }
}

/* The rows outside a partition that a stage must compute, because later stages read them. */
static void find_reach(const wadi_schedule *schedule, const wadi_model *model, int index) {
    wadi_scheduled_stage *scheduled = &schedule->stages[index];
    scheduled->reach = 0;
    for (int i = index + 1; i < schedule->substeps * schedule->stages_per_substep; i++) {
        const wadi_scheduled_stage *after = &schedule->stages[i];
        const int radius = between_of(model, after, scheduled).radius;
        if (radius >= 0) scheduled->reach = largest(scheduled->reach, after->reach + radius);
    }
}

/* The rows of state around a partition that the last `substeps` sub-steps read. */
static int find_halo(const wadi_schedule *schedule, int substeps) {
    int halo = 0;
    for (int i = (schedule->substeps - substeps) * schedule->stages_per_substep;
         i < schedule->substeps * schedule->stages_per_substep; i++)
        halo = largest(halo, schedule->stages[i].reach + schedule->stages[i].stage->radius);
    return halo;
}

/* The rows of a field that live at once, from the writer's row to the last one that the reader reads. 0: the stages
 * belong to different sub-steps, or `writer` does not write the field. */
static int rows_between(const wadi_scheduled_stage *writer, const wadi_scheduled_stage *reader, int field) {
    if (writer->substep != reader->substep || !wadi_stage_writes(writer->stage, field)) return 0;
    const wadi_read *read = wadi_stage_read(reader->stage, field);
    return read == NULL ? 1 : reader->lag + read->up - writer->lag + 1;
}

static int find_depth(const wadi_schedule *schedule, int field) {
    const int count = schedule->substeps * schedule->stages_per_substep;
    int rows = 0, depth = 1;
    for (int w = 0; w < count; w++)
        for (int r = w; r < count; r++)
            rows = largest(rows, rows_between(&schedule->stages[w], &schedule->stages[r], field));
    while (depth < rows) depth *= 2;
    return rows > 0 ? depth : 0;
}

static void list_stages(wadi_schedule *schedule, const wadi_domain *domain) {
    int count = 0;
    for (int substep = 0; substep < schedule->substeps; substep++)
        for (int s = 0; s < domain->model->stage_count; s++)
            if (wadi_stage_on(domain, &domain->model->stages[s]))
                schedule->stages[count++] = (wadi_scheduled_stage){&domain->model->stages[s], substep, 0, 0};
    schedule->stages_per_substep = count / schedule->substeps;
}

bool wadi_schedule_make(wadi_schedule *schedule, const wadi_domain *domain, int substeps, bool in_turn) {
    memset(schedule, 0, sizeof *schedule);
    schedule->stages = malloc((size_t)(substeps * domain->model->stage_count) * sizeof *schedule->stages);
    if (schedule->stages == NULL) return false;
    schedule->substeps = substeps;
    for (int f = 0; f < domain->model->field_count; f++) schedule->kind[f] = wadi_kind(domain, f);
    list_stages(schedule, domain);
    const int count = substeps * schedule->stages_per_substep;
    for (int i = 0; i < count; i++) find_lag(schedule, domain->model, i, in_turn);
    for (int i = count - 1; i >= 0; i--) find_reach(schedule, domain->model, i);
    for (int n = 1; n <= substeps; n++) schedule->halo[n] = find_halo(schedule, n);
    for (int f = 0; f < domain->model->field_count; f++)
        if (schedule->kind[f] == WADI_SCRATCH) schedule->depth[f] = find_depth(schedule, f);
    return true;
}

void wadi_schedule_free(wadi_schedule *schedule) {
    free(schedule->stages);
    schedule->stages = NULL;
}

int wadi_schedule_rows(const wadi_schedule *schedule, const wadi_model *model) {
    const int span = schedule->stages[schedule->substeps * schedule->stages_per_substep - 1].lag + 2;
    int rows = 0;
    for (int f = 0; f < model->field_count; f++)
        rows += schedule->kind[f] == WADI_SCRATCH ? schedule->substeps * schedule->depth[f] : span;
    return rows;
}
