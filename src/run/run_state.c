#include "run_state.h"

#include "array.h"
#include "backend.h"
#include "maps.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t run_fine_count(const run *run) {
    size_t fine = 0;
    while (fine < run->stage_count && run->stages[run->stage_count - 1 - fine].level == 0) fine++;
    return fine;
}

size_t run_shares(const run *run) {
    const size_t all_levels = run->plan.levels > 1 ? 2 : 1; /* as run_level_limit says */
    return run_fine_count(run) * all_levels;
}

/* A row of the next coarser level has half of the cells, so half of the memory holds as many rows. A few megabytes are
 * for what a small field has around it. */
uint64_t run_level_limit(uint64_t limit, int level) {
    const uint64_t share = limit >> level, least = (uint64_t)4 << 20;
    return limit > least && share < least ? least : share;
}

const run_stage *run_fine_stages(const run *run) { return run->stages + (run->stage_count - run_fine_count(run)); }

bool run_is_plain(const run *run) { return run_fine_count(run) == 1 && run->stages[0].rounds == 1; }

int run_level(const run *run) {
    for (size_t i = 0; i < run->stage_count; i++)
        if (run->stages[i].sim == run->sim) return run->stages[i].level;
    return 0;
}

/* "jako2011", or "recipe" for several stages. */
const char *run_title(const run *run) {
    return run_is_plain(run) ? wadi_model_id(wadi_sim_def(run->sim)->model) : "recipe";
}

bool run_is_relaxed(const wadi_def *def) {
    return def->arithmetic == WADI_RELAXED && wadi_engine_is_gpu(def->engine); /* the CPU is always strict */
}

wadi_format run_height_format(const run *run) {
    if (run->plan.format != WADI_FORMAT_UNKNOWN) return run->plan.format;
    wadi_format format = run->raster->format;
    return format == WADI_FORMAT_GDAL || format == WADI_FORMAT_UNKNOWN ? WADI_FORMAT_TIFF : format;
}

bool run_keeps_integers(const run *run) {
    const wadi_sample sample = run->raster->sample;
    return run->plan.keep_type && sample != WADI_SAMPLE_FLOAT32 && run->raster->scale > 0 &&
           run_maps_hold(run_height_format(run), sample);
}

static bool lifts(const event *event, int uplift) {
    if (event->kind == EVENT_PAINT || event->kind == EVENT_AREA) return event->dabs->brush == WADI_BRUSH_UPLIFT;
    if (event->kind == EVENT_SET) return event->adjustment->values[uplift] > 0;
    return false;
}

static bool stage_rises(const run_stage *stage) {
    const wadi_model *model = stage->def.model;
    if (!wadi_model_has_uplift(model)) return false;
    const int uplift = wadi_model_parameter_index(model, "uplift");
    const char *symbol = wadi_model_parameters(model, NULL)[uplift].name;
    bool rises = stage->def.values[uplift] > 0 || run_input_path(&stage->inputs, symbol);
    for (size_t i = 0; i < stage->events.count; i++) {
        const event *event = &stage->events.items[i];
        rises = rises || lifts(event, uplift) || (event->kind == EVENT_MAP && strcmp(event->map->name, symbol) == 0);
    }
    return rises;
}

bool run_rises(const run *run) {
    bool rises = false;
    for (size_t i = 0; i < run->stage_count; i++) rises = rises || stage_rises(&run->stages[i]);
    return rises;
}

bool run_has_ice(const run *run) {
    bool has = false;
    for (size_t i = 0; i < run->stage_count; i++) has = has || wadi_model_has_ice(run->stages[i].def.model);
    return has;
}

wadi_status run_add_input(run_inputs *inputs, const char *name, const char *path, const char *sha256) {
    run_input *input = run_array_add(&inputs->items, &inputs->count, sizeof *input);
    if (!input) return WADI_ERROR_MEMORY;
    input->name = run_text_copy(name);
    input->path = run_text_copy(path);
    snprintf(input->sha256, sizeof input->sha256, "%s", sha256);
    return input->name && input->path ? WADI_OK : WADI_ERROR_MEMORY;
}

void run_inputs_free(run_inputs *inputs) {
    for (size_t i = 0; i < inputs->count; i++) {
        free(inputs->items[i].name);
        free(inputs->items[i].path);
    }
    free(inputs->items);
    *inputs = (run_inputs){0};
}

const char *run_input_path(const run_inputs *inputs, const char *name) {
    for (size_t i = 0; i < inputs->count; i++)
        if (strcmp(inputs->items[i].name, name) == 0) return inputs->items[i].path;
    return NULL;
}
