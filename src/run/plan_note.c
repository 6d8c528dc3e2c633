/* plan_note.c: the run's plan as the note in a checkpoint: a version, then the plan's members in a fixed order. The
 * checkpoint's checksum covers it; reading still checks every length and value, since a file can be made by hand. */
#include "plan_note.h"

#include "adjust.h"
#include "array.h"
#include "events.h"
#include "fail.h"
#include "gauges.h"
#include "run_def.h"
#include "run_stages.h"
#include "run_tile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTE_VERSION = 9, NOTE_VERSION_BEFORE = 5 };

static void put_texts(note *note, const text_list *texts) {
    run_note_put_integer(note, texts->count);
    for (size_t i = 0; i < texts->count; i++) run_note_put_text(note, texts->items[i]);
}

static void put_inputs(note *note, const run_inputs *inputs) {
    run_note_put_integer(note, inputs->count);
    for (size_t i = 0; i < inputs->count; i++) {
        run_note_put_text(note, inputs->items[i].name);
        run_note_put_text(note, inputs->items[i].path);
        run_note_put_text(note, inputs->items[i].sha256);
    }
}

static void put_pair(note *note, const number_pair *pair) {
    run_note_put_double(note, pair->first);
    run_note_put_double(note, pair->second);
    run_note_put_integer(note, (uint64_t)pair->count);
}

static void put_read(note *note, const read_args *read) {
    for (int i = 0; i < 2; i++) {
        const number_pair *pair = i == 0 ? &read->cell : &read->range;
        run_note_put_integer(note, (uint64_t)read->size[i]);
        put_pair(note, pair);
    }
    run_note_put_double(note, read->nodata.first);
    run_note_put_double(note, read->nodata.second);
    run_note_put_integer(note, (uint64_t)read->nodata.count);
    run_note_put_text(note, read->z_unit);
    run_note_put_integer(note, (uint64_t)read->encoding);
    run_note_put_integer(note, (uint64_t)read->byte_order);
    run_note_put_text(note, read->band);
    run_note_put_integer(note, read->exact);
}

static void put_sources(note *note, const wadi_source *sources, size_t count) {
    run_note_put_integer(note, count);
    for (size_t i = 0; i < count; i++) {
        const double numbers[] = {sources[i].x,        sources[i].y,       sources[i].radius_m,
                                  sources[i].rate_m3s, sources[i].start_s, sources[i].end_s};
        for (int k = 0; k < 6; k++) run_note_put_double(note, numbers[k]);
    }
}

static void put_drops(note *note, const wadi_drops *drops) {
    run_note_put_double(note, drops->count);
    run_note_put_double(note, drops->radius_m);
    run_note_put_double(note, drops->rate_m_s);
}

static void put_event(note *note, const wadi_model *model, const event *event) {
    const adjustment *adjustment = event->adjustment;
    run_note_put_integer(note, (uint64_t)event->at);
    run_note_put_integer(note, event->kind);
    if (event->kind == EVENT_SET) run_note_put_text(note, adjustment->preset);
    if (event->kind == EVENT_SET) run_named_put(note, model, adjustment->knobs, adjustment->values);
    put_sources(note, event->sources, event->source_count);
    put_drops(note, &event->drops);
    const wadi_dab first = event->dab_count ? *event->dabs : (wadi_dab){0};
    const double alike[] = {first.brush, first.radius_m, first.strength, first.falloff, first.level_m};
    for (int k = 0; k < 5; k++) run_note_put_double(note, alike[k]);
    run_note_put_integer(note, event->dab_count);
    for (size_t i = 0; i < event->dab_count; i++) {
        run_note_put_double(note, event->dabs[i].x);
        run_note_put_double(note, event->dabs[i].y);
    }
    if (event->kind == EVENT_MAP) run_map_event_put(note, event->map);
}

enum { MASS_NUMBERS = sizeof(wadi_mass) / sizeof(double) };
_Static_assert(MASS_NUMBERS * sizeof(double) == sizeof(wadi_mass), "a mass balance is doubles and nothing else");

static void put_mass(note *note, const wadi_mass *mass) {
    double numbers[MASS_NUMBERS];
    memcpy(numbers, mass, sizeof numbers);
    run_note_put_integer(note, sizeof numbers);
    for (int i = 0; i < MASS_NUMBERS; i++) run_note_put_double(note, numbers[i]);
}

static void put_values(note *note, const wadi_def *def) {
    run_note_put_integer(note, def->scale);
    run_note_put_double(note, def->world_m);
    run_named_put(note, def->model, def->knobs, def->values);
}

/* What the stage begins with, which events may have changed since, and these. */
static void put_beginning(note *note, const run_stage *stage) {
    const wadi_def *def = &stage->def;
    run_note_put_integer(note, stage->sim != NULL);
    run_note_put_text(note, wadi_model_id(def->model));
    run_note_put_integer(note, def->boundary);
    run_note_put_integer(note, def->seed);
    run_note_put_integer(note, def->allow_out_of_range);
    run_note_put_integer(note, (uint64_t)stage->made);
    put_mass(note, &stage->mass);
    put_values(note, def);
    put_drops(note, &stage->def.drops);
    put_sources(note, stage->sources, stage->source_count);
    run_note_put_integer(note, stage->mask_taken);
    run_note_put_integer(note, stage->rain_taken);
    run_note_put_integer(note, stage->entered);
    run_note_put_integer(note, stage->events_done);
    run_note_put_integer(note, stage->events.count);
    for (size_t i = 0; i < stage->events.count; i++) put_event(note, def->model, &stage->events.items[i]);
}

static void put_stages(note *note, const run *run) {
    run_note_put_integer(note, run->stage_count);
    for (size_t i = 0; i < run->stage_count; i++) {
        const run_stage *stage = &run->stages[i];
        run_note_put_text(note, stage->preset);
        run_note_put_integer(note, (uint64_t)stage->level);
        run_note_put_integer(note, (uint64_t)stage->levels);
        put_inputs(note, &stage->inputs);
        run_note_put_integer(note, stage->first);
        run_note_put_integer(note, stage->last);
        run_note_put_integer(note, (uint64_t)stage->rounds);
        run_note_put_integer(note, (uint64_t)stage->steps);
        run_note_put_double(note, stage->wall_s);
        put_beginning(note, stage);
    }
}

wadi_status run_plan_put(note *note, const run *run) {
    const run_plan *plan = &run->plan;
    void *raster;
    size_t raster_bytes;
    wadi_status status = wadi_raster_pack(run->raster, &raster, &raster_bytes);
    if (status != WADI_OK) return status;
    run_note_put_integer(note, NOTE_VERSION);
    run_note_put_block(note, raster, raster_bytes);
    free(raster);
    put_texts(note, &plan->command);
    put_texts(note, &plan->generator);
    put_read(note, &plan->read);
    put_inputs(note, &plan->inputs);
    const int64_t whole[] = {plan->steps,           plan->done,          plan->checkpoint_every, (int64_t)plan->stage,
                             plan->round,           plan->visit_done,    plan->hardness_stage,   plan->maps,
                             (int64_t)plan->format, plan->hardness_made, plan->no_checkpoint,    plan->relaxed,
                             plan->levels,          plan->settle};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) run_note_put_integer(note, (uint64_t)whole[i]);
    run_note_put_double(note, plan->score_before);
    run_note_put_double(note, plan->wall_s);
    put_pair(note, &plan->breach);
    put_stages(note, run);
    run_note_put_integer(note, plan->ground);
    run_note_put_integer(note, plan->keep_type);
    run_gauges_put(note, &plan->gauges);
    run_tile_put(note, &plan->tile);
    run_gauges_put_lines(note, &plan->gauges);
    run_note_put_double(note, plan->level_warp);
    return run_note_memory(note);
}

static void take_pair(note *note, number_pair *pair) {
    pair->first = run_note_take_double(note);
    pair->second = run_note_take_double(note);
    pair->count = (int)run_note_take_integer(note);
}

static void take_texts(note *note, text_list *texts) {
    size_t count = run_note_take_count(note);
    for (size_t i = 0; i < count && !note->broken; i++) {
        if (run_text_list_take(texts, run_note_take_text(note)) != WADI_OK) run_note_lose(note);
    }
}

static void take_inputs(note *note, run_inputs *inputs) {
    size_t count = run_note_take_count(note);
    for (size_t i = 0; i < count && !note->broken; i++) {
        char *name = run_note_take_text(note), *path = run_note_take_text(note), *sha256 = run_note_take_text(note);
        if (!name || !path || !sha256 || run_add_input(inputs, name, path, sha256) != WADI_OK) run_note_lose(note);
        free(name);
        free(path);
        free(sha256);
    }
}

static void take_read(note *note, run_plan *plan) {
    for (int i = 0; i < 2; i++) {
        number_pair *pair = i == 0 ? &plan->read.cell : &plan->read.range;
        plan->read.size[i] = (int)run_note_take_integer(note);
        take_pair(note, pair);
    }
    plan->read.nodata.first = run_note_take_double(note);
    plan->read.nodata.second = run_note_take_double(note);
    plan->read.nodata.count = (int)run_note_take_integer(note);
    plan->z_unit = run_note_take_text(note);
    plan->read.z_unit = plan->z_unit && *plan->z_unit ? plan->z_unit : NULL;
    const uint64_t encoding = run_note_take_integer(note), byte_order = run_note_take_integer(note);
    if (encoding > WADI_ENCODING_MAPBOX_RGB || byte_order > BYTES_BIG) note->broken = true;
    if (!note->broken) plan->read.encoding = (int)encoding, plan->read.byte_order = (int)byte_order;
    if (plan->before) return;
    plan->band = run_note_take_text(note);
    plan->read.band = plan->band && *plan->band ? plan->band : NULL;
    plan->read.exact = run_note_take_integer(note) != 0;
}

/* The coarsest first. Coarser levels have as many stages as level 0, or less: the window adds stages to that one. */
static bool good_levels(const run *run) {
    const size_t fine = run_fine_count(run), coarse = run->stage_count - fine;
    const size_t levels = (size_t)run->plan.levels - 1, each = levels > 0 ? coarse / levels : 0;
    if (each * levels != coarse || each > fine || (levels > 0 && each == 0)) return false;
    for (size_t i = 0; i < coarse; i++)
        if (run->stages[i].level != run->plan.levels - 1 - (int)(i / each)) return false;
    return true;
}

/* Stages follow one another without gaps in what is repeated together, and where the run stands is among them. */
static bool good_stages(const run *run) {
    const run_plan *plan = &run->plan;
    int64_t steps = 0;
    for (size_t i = 0; i < run->stage_count; i++) {
        const run_stage *stage = &run->stages[i];
        bool good = stage->first <= i && stage->last >= i && stage->last < run->stage_count && stage->rounds > 0 &&
                    stage->steps >= 0 && run_stage_steps(stage) >= 0;
        const run_stage *first = good ? &run->stages[stage->first] : NULL;
        good = good && first->first == stage->first && first->last == stage->last && first->rounds == stage->rounds;
        good = good && run_stage_steps(stage) <= (int64_t)1e15 - steps;
        if (!good) return false;
        steps += run_stage_steps(stage);
    }
    return run->stage_count > 0 && steps == plan->steps && plan->done <= plan->steps &&
           plan->round < (plan->stage < run->stage_count ? run->stages[plan->stage].rounds : 1) &&
           plan->stage < run->stage_count && plan->round >= 0 && plan->visit_done >= 0 &&
           plan->visit_done <= run->stages[plan->stage].steps && plan->hardness_stage >= -1 &&
           plan->hardness_stage < (int64_t)run->stage_count;
}

static wadi_source *take_sources(note *note, size_t *count) {
    wadi_source *sources = run_note_take_array(note, sizeof *sources, count);
    for (size_t i = 0; i < *count; i++) {
        double numbers[6];
        for (int k = 0; k < 6; k++) numbers[k] = run_note_take_double(note);
        sources[i] = (wadi_source){numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]};
    }
    return sources;
}

static wadi_drops take_drops(note *note) {
    wadi_drops drops;
    drops.count = run_note_take_double(note);
    drops.radius_m = run_note_take_double(note);
    drops.rate_m_s = run_note_take_double(note);
    return drops;
}

/* An earlier version had one parameter in an event, and its place in every kind. */
static void take_adjustment_before(note *note, const wadi_model *model, adjustment *adjustment) {
    char *name = run_note_take_text(note);
    const double value = run_note_take_double(note);
    const int index = adjustment && name ? wadi_model_parameter_index(model, name) : -1;
    if (index >= 0) adjustment->values[index] = value;
    if (adjustment && index < 0) note->broken = true;
    free(name);
}

static adjustment *take_adjustment(note *note, const wadi_model *model, bool before, bool set) {
    adjustment *made = set ? run_adjustment_new() : NULL;
    if (set && !made) run_note_lose(note);
    if (before) take_adjustment_before(note, model, made);
    if (before || !made) return made;
    char *preset = run_note_take_text(note);
    if (preset && *preset)
        made->preset = preset;
    else
        free(preset);
    run_named_take(note, model, made->knobs, made->values);
    return made;
}

static event take_event(note *note, const wadi_model *model, bool before) {
    event event = {.at = (int64_t)run_note_take_integer(note)};
    const uint64_t kind = run_note_take_integer(note);
    event.adjustment = take_adjustment(note, model, before, kind == EVENT_SET);
    event.sources = take_sources(note, &event.source_count);
    event.drops = take_drops(note);
    double alike[5];
    for (int k = 0; k < 5; k++) alike[k] = run_note_take_double(note);
    if (!(alike[0] >= 0 && alike[0] < WADI_BRUSHES)) note->broken = true;
    wadi_dab dab = {.radius_m = alike[1], .strength = alike[2], .falloff = alike[3], .level_m = alike[4]};
    dab.brush = note->broken ? WADI_BRUSH_RAISE : (wadi_brush)(int)alike[0];
    event.dabs = run_note_take_array(note, sizeof *event.dabs, &event.dab_count);
    for (size_t i = 0; i < event.dab_count; i++) {
        dab.x = run_note_take_double(note);
        dab.y = run_note_take_double(note);
        event.dabs[i] = dab;
    }
    if (kind == EVENT_MAP) event.map = run_map_event_take(note);
    const bool paints = kind == EVENT_PAINT || kind == EVENT_AREA;
    if (kind > EVENT_MAP || event.at < 0 || (paints && event.dab_count == 0)) note->broken = true;
    event.kind = note->broken ? EVENT_DROPS : (event_kind)kind;
    return event;
}

/* An earlier version had no infiltration, the last number. */
static void take_mass(note *note, wadi_mass *mass) {
    double numbers[MASS_NUMBERS] = {0};
    const uint64_t bytes = run_note_take_integer(note);
    if (bytes != sizeof numbers && bytes != sizeof numbers - sizeof *numbers) note->broken = true;
    for (size_t i = 0; i < bytes / sizeof *numbers && !note->broken; i++) numbers[i] = run_note_take_double(note);
    memcpy(mass, numbers, sizeof numbers);
}

/* *there: its simulation follows. */
static void take_def(note *note, run_stage *stage, bool *there) {
    *there = run_note_take_integer(note) != 0;
    char *id = run_note_take_text(note);
    const wadi_model *model = wadi_model_find(id);
    const uint64_t boundary = run_note_take_integer(note);
    free(id);
    if (!model || boundary > WADI_WRAP) note->broken = true;
    stage->def = wadi_default_def(model ? model : wadi_model_at(0), 2, 2, 1, 1); /* the grid is the plan's */
    if (wadi_def_preset(&stage->def, &run_standard_preset) != WADI_OK) note->broken = true;
    stage->def.boundary = note->broken ? WADI_CLOSED : (wadi_boundary)boundary;
    stage->def.seed = run_note_take_integer(note);
    stage->def.allow_out_of_range = run_note_take_integer(note) != 0;
    stage->made = (int64_t)run_note_take_integer(note);
    take_mass(note, &stage->mass);
}

/* A parameter that the file does not have keeps the standard value that take_def gave it. */
static void take_values(note *note, wadi_def *def) {
    const uint64_t scale = run_note_take_integer(note);
    if (scale > WADI_SCALE_CELL) note->broken = true;
    def->scale = note->broken ? WADI_SCALE_CELL : (wadi_scale)scale;
    def->world_m = run_note_take_double(note);
    run_named_take(note, def->model, def->knobs, def->values);
}

static void take_beginning(note *note, bool before, run_stage *stage, bool *there) {
    take_def(note, stage, there);
    for (int i = 0; before && i < WADI_MAX_PARAMETERS; i++) run_note_take_double(note);
    if (!before) take_values(note, &stage->def);
    stage->def.drops = take_drops(note);
    stage->sources = take_sources(note, &stage->source_count);
    stage->mask_taken = run_note_take_integer(note) != 0;
    stage->rain_taken = run_note_take_integer(note) != 0;
    stage->entered = run_note_take_integer(note) != 0;
    stage->events_done = (size_t)run_note_take_integer(note);
    const size_t count = run_note_take_count(note);
    for (size_t i = 0; i < count && !note->broken; i++)
        if (run_events_add(&stage->events, take_event(note, stage->def.model, before)) != WADI_OK) run_note_lose(note);
    if (stage->events_done > stage->events.count) note->broken = true;
}

static void take_stages(note *note, run *run, bool **there) {
    size_t count = run_note_take_count(note);
    if (count > MOST_STAGES * MOST_LEVELS) note->broken = true, count = 0;
    *there = run_array_new(count, sizeof **there);
    run->stages = run_array_new(count, sizeof *run->stages);
    if (!*there || !run->stages) run_note_lose(note);
    for (; run->stage_count < count && !note->broken; run->stage_count++) {
        run_stage *stage = &run->stages[run->stage_count];
        stage->preset = run_note_take_text(note);
        const uint64_t level = run->plan.before ? 0 : run_note_take_integer(note);
        if (level >= MOST_LEVELS) note->broken = true;
        const uint64_t levels = run->plan.before ? 1 : run_note_take_integer(note);
        if (levels > MOST_LEVELS) note->broken = true;
        stage->level = note->broken ? 0 : (int)level;
        stage->levels = note->broken ? 1 : (int)levels;
        take_inputs(note, &stage->inputs);
        stage->first = (size_t)run_note_take_integer(note);
        stage->last = (size_t)run_note_take_integer(note);
        stage->rounds = (int64_t)run_note_take_integer(note);
        stage->steps = (int64_t)run_note_take_integer(note);
        stage->wall_s = run_note_take_double(note);
        take_beginning(note, run->plan.before, stage, &(*there)[run->stage_count]);
    }
}

static void take_numbers(note *note, run_plan *plan) {
    int64_t whole[14] = {[12] = 1};
    const size_t count = sizeof whole / sizeof *whole - (plan->before ? 2 : 0);
    for (size_t i = 0; i < count; i++) whole[i] = (int64_t)run_note_take_integer(note);
    plan->steps = whole[0], plan->done = whole[1], plan->checkpoint_every = whole[2];
    plan->stage = (size_t)whole[3], plan->round = whole[4], plan->visit_done = whole[5],
    plan->hardness_stage = whole[6];
    plan->maps = (unsigned)whole[7], plan->format = (wadi_format)whole[8];
    plan->hardness_made = whole[9] != 0, plan->no_checkpoint = whole[10] != 0, plan->relaxed = whole[11] != 0;
    if (whole[12] < 1 || whole[12] > MOST_LEVELS) note->broken = true;
    plan->levels = note->broken ? 1 : (int)whole[12];
    plan->settle = whole[13] != 0;
    if (whole[8] < 0 || whole[8] >= WADI_FORMAT_GDAL) note->broken = true;
    plan->score_before = run_note_take_double(note);
    plan->wall_s = run_note_take_double(note);
    if (!plan->before) take_pair(note, &plan->breach);
}

/* It stands at the end, and is missing in earlier files. */
static void take_ground(note *note, run_plan *plan) {
    if (note->broken || note->at == note->size) return;
    const uint64_t ground = run_note_take_integer(note);
    if (ground > WADI_GROUND_DRY) note->broken = true;
    plan->ground = note->broken ? WADI_GROUND_GREEN : (wadi_ground)ground;
}

/* Likewise. */
static void take_keep_type(note *note, run_plan *plan) {
    if (!note->broken && note->at != note->size) plan->keep_type = run_note_take_integer(note) != 0;
}

/* Likewise. */
static void take_level_warp(note *note, run_plan *plan) {
    if (note->broken || note->at == note->size) return;
    plan->level_warp = run_note_take_double(note);
    if (!(plan->level_warp >= 0 && plan->level_warp <= WADI_MOST_LEVEL_WARP)) note->broken = true;
}

wadi_status run_plan_damaged(const char *what) {
    return wadi_fail(WADI_ERROR_FORMAT, "%s: is damaged; the run must be started anew", what);
}

wadi_status run_plan_take(note *note, const char *what, const wadi_def *grid, run *run, bool **there) {
    run_plan *plan = &run->plan;
    uint64_t version = run_note_take_integer(note);
    plan->before = version == NOTE_VERSION_BEFORE;
    if (!note->broken && version != NOTE_VERSION && !plan->before)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: was written by another version of wadi; that one can go on with it",
                         what);
    uint64_t raster_bytes = run_note_take_integer(note);
    const unsigned char *raster = run_note_take_bytes(note, raster_bytes);
    if (raster) {
        wadi_status status = run_fail_as_input(
            wadi_raster_unpack(raster, (size_t)raster_bytes, grid->width, grid->height, &run->raster));
        if (status != WADI_OK) return status;
    }
    take_texts(note, &plan->command);
    take_texts(note, &plan->generator);
    for (size_t i = 0; i < plan->generator.count; i++)
        if (!strchr(plan->generator.items[i], '=')) note->broken = true;
    take_read(note, plan);
    take_inputs(note, &plan->inputs);
    take_numbers(note, plan);
    take_stages(note, run, there);
    take_ground(note, plan);
    take_keep_type(note, plan);
    run_gauges_take(note, grid, &plan->gauges);
    run_tile_take(note, grid, &plan->tile);
    run_gauges_take_lines(note, grid, &plan->gauges);
    take_level_warp(note, plan);
    bool good = !note->broken && plan->steps >= 0 && plan->done >= 0 && plan->checkpoint_every >= 0 &&
                good_stages(run) && good_levels(run);
    if (note->no_memory) return run_note_memory(note);
    return good ? WADI_OK : run_plan_damaged(what);
}
