/* schedule.c: lags, reaches and the rows that must be kept, from what stages declare. */
#include "engine/schedule/schedule.h"

#include <stdlib.h>
#include <string.h>

static int largest(int a, int b) { return a > b ? a : b; }

/* Scratch of different sub-steps is kept apart. */
static bool shared(const wadi_model *model, int field, const wadi_element *a, const wadi_element *b) {
    return model->fields[field].kind != WADI_SCRATCH || a->level == b->level;
}

/* The largest radius at which `reader` reads what `writer` writes; -1: nothing of it. */
static int radius_between(const wadi_model *model, const wadi_element *reader, const wadi_element *writer) {
    int radius = -1;
    for (int i = 0; i < reader->stage->reads; i++) {
        const wadi_read *read = &reader->stage->read[i];
        if (read->radius > radius && wadi_stage_writes(writer->stage, read->field) &&
            shared(model, read->field, reader, writer))
            radius = read->radius;
    }
    return radius;
}

static bool write_the_same(const wadi_model *model, const wadi_element *a, const wadi_element *b) {
    for (int i = 0; i < a->stage->writes; i++)
        if (wadi_stage_writes(b->stage, a->stage->write[i]) && shared(model, a->stage->write[i], a, b)) return true;
    return false;
}

static void find_lag(const wadi_schedule *schedule, const wadi_model *model, int index, bool in_turn) {
    wadi_element *element = &schedule->elements[index];
    element->lag = in_turn && index > 0 ? schedule->elements[index - 1].lag : 0;
    for (int i = 0; i < index; i++) {
        const wadi_element *before = &schedule->elements[i];
        const int reads = radius_between(model, element, before), overwrites = radius_between(model, before, element);
        if (reads >= 0 || overwrites >= 0 || write_the_same(model, element, before))
            element->lag = largest(element->lag, before->lag + largest(0, largest(reads, overwrites)));
    }
}

static void find_reach(const wadi_schedule *schedule, const wadi_model *model, int index) {
    wadi_element *element = &schedule->elements[index];
    element->reach = 0;
    for (int i = index + 1; i < schedule->levels * schedule->per_level; i++) {
        const wadi_element *after = &schedule->elements[i];
        const int radius = radius_between(model, after, element);
        if (radius >= 0) element->reach = largest(element->reach, after->reach + radius);
    }
}

/* Of the last `levels` levels. */
static int find_halo(const wadi_schedule *schedule, int levels) {
    int halo = 0;
    for (int i = (schedule->levels - levels) * schedule->per_level; i < schedule->levels * schedule->per_level; i++)
        halo = largest(halo, schedule->elements[i].reach + schedule->elements[i].stage->radius);
    return halo;
}

/* From the row that a stage of this level writes to the last that another reads. */
static int rows_between(const wadi_element *writer, const wadi_element *reader, int field) {
    if (writer->level != reader->level || !wadi_stage_writes(writer->stage, field)) return 0;
    const int radius = wadi_stage_radius(reader->stage, field);
    return radius < 0 ? 1 : reader->lag + radius - writer->lag + 1;
}

static int find_depth(const wadi_schedule *schedule, int field) {
    const int count = schedule->levels * schedule->per_level;
    int rows = 0, depth = 1;
    for (int w = 0; w < count; w++)
        for (int r = w; r < count; r++)
            rows = largest(rows, rows_between(&schedule->elements[w], &schedule->elements[r], field));
    while (depth < rows) depth *= 2;
    return rows > 0 ? depth : 0;
}

static void list_elements(wadi_schedule *schedule, const wadi_sim *sim) {
    int count = 0;
    for (int level = 0; level < schedule->levels; level++)
        for (int s = 0; s < sim->model->stage_count; s++)
            if (wadi_stage_on(sim, &sim->model->stages[s]))
                schedule->elements[count++] = (wadi_element){&sim->model->stages[s], level, 0, 0};
    schedule->per_level = count / schedule->levels;
}

bool wadi_schedule_make(wadi_schedule *schedule, const wadi_sim *sim, int levels, bool in_turn) {
    memset(schedule, 0, sizeof *schedule);
    schedule->elements = malloc((size_t)(levels * sim->model->stage_count) * sizeof *schedule->elements);
    if (schedule->elements == NULL) return false;
    schedule->levels = levels;
    list_elements(schedule, sim);
    const int count = levels * schedule->per_level;
    for (int i = 0; i < count; i++) find_lag(schedule, sim->model, i, in_turn);
    for (int i = count - 1; i >= 0; i--) find_reach(schedule, sim->model, i);
    for (int n = 1; n <= levels; n++) schedule->halo[n] = find_halo(schedule, n);
    for (int f = 0; f < sim->model->field_count; f++)
        if (sim->model->fields[f].kind == WADI_SCRATCH) schedule->depth[f] = find_depth(schedule, f);
    return true;
}

void wadi_schedule_free(wadi_schedule *schedule) {
    free(schedule->elements);
    schedule->elements = NULL;
}

int wadi_schedule_rows(const wadi_schedule *schedule, const wadi_model *model) {
    const int span = schedule->elements[schedule->levels * schedule->per_level - 1].lag + 2;
    int rows = 0;
    for (int f = 0; f < model->field_count; f++)
        rows += model->fields[f].kind == WADI_SCRATCH ? schedule->levels * schedule->depth[f] : span;
    return rows;
}
