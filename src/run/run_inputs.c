/* run_inputs.c: reads the inputs and makes the simulations. Nothing is written before all of it is valid. */
#include "run_inputs.h"
#include "rain_series.h"

#include "array.h"
#include "backend.h"
#include "events.h"
#include "fail.h"
#include "generator.h"
#include "map_input.h"
#include "map_load.h"
#include "memory.h"
#include "message.h"
#include "read_args.h"
#include "recipe.h"
#include "recipe_options.h"
#include "run_def.h"
#include "run_levels.h"
#include "run_options.h"
#include "run_series.h"
#include "run_stages.h"
#include "run_state.h"
#include "run_tile.h"
#include "run_video.h"
#include "sources.h"
#include "text.h"
#include "vectors.h"

#include "io/vector.h"

#include "platform/platform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t cells_of(const wadi_raster *raster) { return (size_t)raster->width * (size_t)raster->height; }

static wadi_status check_heights(const char *path, const wadi_raster *raster) {
    wadi_range range = wadi_range_of(raster->values, cells_of(raster));
    if (range.infinite)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: %.0f heights are infinite", path, (double)range.infinite);
    if (range.missing == cells_of(raster))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: no cell has a height, all is nodata", path);
    return WADI_OK;
}

/* Whether ground rises in this stage. Of a map the value is the largest. */
static bool is_lifted(const wadi_sim *sim) {
    const wadi_def *def = wadi_sim_def(sim);
    const int index = wadi_model_parameter_index(def->model, "U");
    return index >= 0 && def->values[index] > 0;
}

/* Once the terrain was lifted, a warning that goes by its heights as given says nothing. */
static void note_safety(const wadi_sim *sim, bool lifted) {
    const bool of_terrain = wadi_def_safety(wadi_sim_def(sim)).warning == NULL;
    wadi_safety safety = wadi_sim_safety(sim);
    char dt[32], longest[32];
    if (safety.substeps > 1)
        run_message_note("dt = %s is longer than the stable %s: each step is done in %s%d sub-steps",
                         run_text_simulated(safety.dt_s, dt), run_text_simulated(safety.longest_dt_s, longest),
                         wadi_def_substeps_follow(wadi_sim_def(sim)) ? "up to " : "", safety.substeps);
    if (safety.warning && !(lifted && of_terrain)) run_message_warn("%s", safety.warning);
}

/* Host memory: the simulations, and at most the following beside them. For the picture: height, water and the drawn
 * picture. For a map: as it was read, as given and in the unit of the physics. If there are several simulations, each
 * keeps the change that it took over. The input raster is already allocated. With files, only the parts' own rows of
 * maps are in memory. */
static uint64_t memory_without_limit(const run *run, const wadi_def *defs) {
    const bool in_files = defs->scratch != NULL && defs->memory_limit == 0; /* in parts */
    const uint64_t field = (uint64_t)run->raster->width * (uint64_t)run->raster->height * sizeof(float);
    const uint64_t of_map = (in_files ? 1 : 3) * field;
    uint64_t needed = (in_files ? 0 : 3 * field) + run_video_memory(run);
    for (size_t i = 0; i < run->stage_count; i++) {
        needed += wadi_def_memory(&defs[i]) + run->stages[i].maps * of_map;
        needed += run->stage_count > 1 && !in_files ? field : 0;
        needed += run_events_map_memory(&run->stages[i].events, field);
    }
    return needed;
}

/* With a limit, what exceeds it lies in files. */
uint64_t run_memory(const run *run, const wadi_def *defs) {
    const uint64_t needed = memory_without_limit(run, defs);
    const uint64_t limit = defs[run->stage_count - 1].memory_limit * run_shares(run);
    return limit > 0 && needed > limit ? limit : needed;
}

/* Its definitions are put back. */
static bool fits_on_cpu(const run *run, wadi_def *defs) {
    const wadi_engine engine = defs->engine; /* of all of them */
    for (size_t i = 0; i < run->stage_count; i++) defs[i].engine = WADI_ENGINE_CPU;
    const bool fits = run_memory(run, defs) <= platform_memory_bytes();
    for (size_t i = 0; i < run->stage_count; i++) defs[i].engine = engine;
    return fits;
}

static wadi_status check_memory(const run *run, wadi_def *defs) {
    const char *of = run->stage_count > 1 ? "all stages" : wadi_model_id(defs->model);
    uint64_t needed = run_memory(run, defs);
    const bool limited = defs->memory_limit > 0 && needed < memory_without_limit(run, defs);
    if (run->plan.levels > 1 && !limited) needed += needed / 3; /* each coarser level has a quarter of the cells */
    wadi_status status = run_memory_check_host(defs, of, needed);
    return status != WADI_OK ? status : run_memory_check_device(defs, run->stage_count, of, fits_on_cpu(run, defs));
}

static wadi_status make_hardness(run *run, wadi_sim *sim) {
    wadi_hardness how = wadi_default_hardness(run->raster->width, run->raster->height);
    how.seed = wadi_sim_def(sim)->seed;
    how.wrap = wadi_sim_def(sim)->boundary == WADI_WRAP;
    run->plan.hardness_made = true;
    wadi_raster *map = NULL;
    wadi_status status = wadi_raster_create(how.width, how.height, &map);
    if (status != WADI_OK) return status;
    status = wadi_hardness_from_height(&how, run->raster->values, map->values);
    if (status == WADI_OK) status = run_map_input_fill(run, "--hardness", "height", map);
    if (status == WADI_OK) status = run_tile_set(run, sim, "hardness", map);
    wadi_raster_destroy(map);
    return status;
}

/* Hardness as given, or as the preset wants it. */
static wadi_status load_hardness(const run_options *options, run *run, const run_stage *stage) {
    const wadi_model *model = wadi_sim_def(stage->sim)->model;
    const char *given = options->hardness ? options->hardness : "";
    if (strcmp(given, "uniform") == 0) return WADI_OK;
    if (*given && strcmp(given, "height") != 0)
        return run_map_load(run, stage->sim, &run->plan.inputs, "--hardness", "hardness", given);
    const wadi_preset *preset = stage->preset ? wadi_preset_find(stage->preset, &model) : NULL;
    bool uniform = run_setting_of(options, model, wadi_model_parameter_index(model, "R")) >= 0;
    return *given || (preset && preset->hardness && !uniform) ? make_hardness(run, stage->sim) : WADI_OK;
}

/* The first stage with hardness gets it; later ones take it over. */
static wadi_status load_all_hardness(const recipe *recipe, run *run) {
    bool any = false;
    for (size_t i = 0; i < run->stage_count; i++) {
        const run_options *options = &recipe->stages[i].options;
        const wadi_model *model = wadi_sim_def(run->stages[i].sim)->model;
        if (!wadi_model_has_hardness(model)) continue;
        int setting = run_setting_of(options, model, wadi_model_parameter_index(model, "R"));
        if (any && setting >= 0) {
            wadi_fail(WADI_ERROR_ARGUMENT, "--set %s: the hardness is taken over from an earlier stage; leave it out",
                      options->settings.items[setting]);
            return run_at_setting(options, (size_t)setting, WADI_ERROR_ARGUMENT);
        }
        const wadi_status status = any ? WADI_OK : load_hardness(options, run, &run->stages[i]);
        if (status != WADI_OK) return run_at(options, &options->hardness, status);
        any = true;
    }
    if (any || !recipe->top.hardness) return WADI_OK;
    return run_at(&recipe->top, &recipe->top.hardness,
                  wadi_fail(WADI_ERROR_ARGUMENT, "--hardness: %s has no hardness; leave it out",
                            wadi_model_id(wadi_sim_def(run->stages[0].sim)->model)));
}

/* Those of a CSV file or a recipe. */
static wadi_status place_sources(const run_options *options, const char *file, const wadi_raster *raster,
                                 wadi_source **sources, size_t *count) {
    source_rows read = {0};
    wadi_status status = options->source_rows ? WADI_OK : run_sources_read(file, &read);
    const source_rows *rows = options->source_rows ? options->source_rows : &read;
    if (status == WADI_OK)
        status = run_at(options, &options->sources, run_sources_check_place(file, options->pixel, raster));
    if (status == WADI_OK) status = run_sources_place(rows, file, options->pixel, raster, sources);
    *count = rows->count;
    free(read.rows);
    return status;
}

static wadi_status read_vector_sources(const run_options *options, const wadi_raster *raster, wadi_source **sources,
                                       size_t *count) {
    if (options->pixel && !options->gauges)
        run_message_note("--sources: %s: its places are in a CRS, whatever --pixel says", options->sources);
    wadi_status status = run_vector_sources(options->sources, raster, sources, count);
    if (status == WADI_ERROR_ARGUMENT) status = wadi_fail(status, "--sources: %s", wadi_error_message());
    return run_at(options, &options->sources, status);
}

static wadi_status load_sources(const run_options *options, const run *run, run_stage *stage) {
    const char *file = options->source_rows ? options->places->file : options->sources;
    wadi_source *sources = NULL;
    size_t count = 0;
    wadi_status status = !options->source_rows && wadi_io_has_vector_name(file)
                             ? read_vector_sources(options, run->raster, &sources, &count)
                             : place_sources(options, file, run->raster, &sources, &count);
    if (status == WADI_OK) {
        char hex[65];
        wadi_sha256 hash;
        wadi_sha256_begin(&hash);
        for (size_t i = 0; i < count; i++) wadi_sha256_add(&hash, &sources[i], sizeof sources[i]);
        wadi_sha256_end(&hash, hex);
        status = run_add_input(&stage->inputs, "sources", file, hex);
    }
    if (status == WADI_OK)
        status =
            run_at(options, &options->sources, run_fail_as_input(wadi_sim_set_sources(stage->sim, sources, count)));
    free(sources);
    return status;
}

/* A tile's margin depends on them. */
static wadi_status take_all_largest(const recipe *recipe, const run *run, wadi_def *defs, const text_list *maps) {
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < run->stage_count && recipe->top.tile && status == WADI_OK; i++)
        status = run_maps_take_largest(&recipe->stages[i].options, &maps[i], run, &defs[i]);
    return status;
}

static wadi_status load_fields(const run_options *options, const text_list *maps, const run *run, run_stage *stage) {
    wadi_status status = run_fail_as_input(run_tile_set(run, stage->sim, "height", run->raster));
    if (status == WADI_OK) status = run_tile_flood(run, stage->sim, NULL);
    status = run_at(options, NULL, status);
    if (status == WADI_OK) status = run_maps_load(options, maps, run, stage);
    if (status == WADI_OK && (options->sources || options->source_rows)) status = load_sources(options, run, stage);
    return status;
}

static wadi_status generate_input(const recipe *recipe, run *run) {
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < recipe->generated.texts.count && status == WADI_OK; i++)
        status = run_text_list_add(&run->plan.generator, recipe->generated.texts.items[i]);
    return status == WADI_OK ? run_generated_make(recipe->file, &recipe->generated, &run->raster) : status;
}

static wadi_status copy_raster(const wadi_raster *raster, wadi_raster **copy) {
    const wadi_status status = wadi_raster_like(raster, copy);
    if (status == WADI_OK) memcpy((*copy)->values, raster->values, cells_of(raster) * sizeof *raster->values);
    return status;
}

static wadi_status load_input(const recipe *recipe, run *run) {
    const read_args *read = &recipe->top.read;
    run->plan.read = *read;
    if (read->z_unit) run->plan.read.z_unit = run->plan.z_unit = run_text_copy(read->z_unit);
    if (read->band) run->plan.read.band = run->plan.band = run_text_copy(read->band);
    if ((read->z_unit && !run->plan.z_unit) || (read->band && !run->plan.band)) return WADI_ERROR_MEMORY;
    if (recipe->generated.kind) return generate_input(recipe, run);
    wadi_status status =
        recipe->raster ? copy_raster(recipe->raster, &run->raster) : run_read_height(recipe->input, read, &run->raster);
    if (status == WADI_OK) status = check_heights(recipe->input, run->raster);
    if (status != WADI_OK) return status;
    run_note_assumptions(recipe->input, read, run->raster);
    if (*run->raster->map_unit)
        run_message_warn("%s: is a map in %s, no height; its values are taken as metres", recipe->input,
                         run->raster->map_unit);
    return *run->raster->map_unit ? WADI_OK : run_check_doubts(recipe->input, read, run->raster);
}

/* Stages that take turns share the ground by its change from the initial terrain. */
static wadi_status refuse_turns(const char *file, const run_stage *stage) {
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < stage->events.count && stage->rounds > 1 && stage->last > stage->first && !status; i++) {
        const event *event = &stage->events.items[i];
        const bool paints = event->kind == EVENT_PAINT || event->kind == EVENT_AREA;
        if (!paints || event->dabs->brush > WADI_BRUSH_FLATTEN) continue;
        wadi_fail(WADI_ERROR_ARGUMENT, "paint: the ground of stages that are repeated together cannot be painted");
        status = run_fail_at(file, (place){event->line, event->column}, WADI_ERROR_ARGUMENT);
    }
    return status;
}

static void note_maps(const text_list *maps, settings_now *now) {
    for (size_t i = 0; i < maps->count; i++) { /* "symbol=path" */
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(maps->items[i], "="), maps->items[i]);
        const int index = wadi_model_parameter_index(now->def.model, name);
        if (index >= 0) now->is_map[index] = true;
    }
}

static wadi_status take_events(const recipe *recipe, size_t index, const wadi_def *def, const text_list *maps,
                               run_stage *stage) {
    const run_options *options = &recipe->stages[index].options;
    const wadi_model *model = def->model;
    settings_now now = {.def = *def, .preset = wadi_preset_find(stage->preset, &model)};
    note_maps(maps, &now);
    const int rain = wadi_model_parameter_index(model, "rain");
    const bool rains_by_map = rain >= 0 && now.is_map[rain];
    wadi_status status = options->events ? run_events_copy(options->events, &stage->events) : WADI_OK;
    if (status == WADI_OK)
        status = run_events_check(recipe->file, &stage->events, &now, options->repeats, run_stage_steps(stage));
    if (status == WADI_OK && options->rain_series)
        status = run_at(options, &options->rain_series,
                        run_rain_series_add(options->rain_series, def, rains_by_map, &stage->events));
    return status != WADI_OK ? status : refuse_turns(recipe->file, stage);
}

/* The levels share a stage's duration; --steps are those of the finest level. The run has the most levels of any stage.
 */
static wadi_status settle_levels(const run_options *options, wadi_def *def, run *run, run_stage *stage) {
    const wadi_status status = run_count_levels(options, run->raster, &stage->levels);
    if (status != WADI_OK) return status;
    if (stage->levels > run->plan.levels) run->plan.levels = stage->levels;
    if (stage->levels > 1 && (options->events || options->rain_series))
        return run_at(options, NULL,
                      wadi_fail(WADI_ERROR_ARGUMENT,
                                "events and rain series: they do not go with several levels; leave one out"));
    if (options->steps < 0) stage->steps = run_share_steps(def, stage->steps, stage->levels);
    const bool both = options->steps >= 0 && options->time_s >= 0; /* dt follows */
    return both ? run_at(options, &options->time_s, run_fit_time_step(options, stage->levels, def)) : WADI_OK;
}

/* Off for the papers' presets, and for a run.json that does not say so. */
static bool settles(const run_options *top, const run_stage *last, const wadi_model *model) {
    if (top->settle >= 0) return top->settle == 1;
    const wadi_preset *preset = last->preset ? wadi_preset_find(last->preset, &model) : NULL;
    return !top->repeats && !(preset && preset->literal);
}

/* Asking for a map of what slid is enough to have it. */
static wadi_status track_sliding(const run *run, const run_options *given, wadi_def *def) {
    static const char *const maps[] = {"slid", "slide_wear", "talus", "water_wear", "silt"};
    bool wanted = false;
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        wanted |= (run->plan.maps >> run_maps_index(maps[i]) & 1) != 0 || run_series_saves(run, maps[i]);
    const int parameter = wanted ? wadi_model_parameter_index(def->model, "track_sliding") : -1;
    if (parameter < 0 || run_setting_of(given, def->model, parameter) >= 0) return WADI_OK;
    return wadi_def_set_text(def, "track_sliding", "on");
}

static wadi_status make_defs(const recipe *recipe, run *run, wadi_def *defs, text_list *maps) {
    run->plan.levels = 1;
    run->stages = run_array_new(recipe->stage_count, sizeof *run->stages);
    if (!run->stages) return WADI_ERROR_MEMORY;
    run->stage_count = recipe->stage_count;
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < run->stage_count && status == WADI_OK; i++) {
        const recipe_stage *given = &recipe->stages[i];
        run->stages[i] = (run_stage){.first = given->first, .last = given->last, .rounds = given->rounds};
        status = run_make_def(&given->options, run->raster, &defs[i], &run->stages[i], &maps[i]);
        if (status == WADI_OK) status = track_sliding(run, &given->options, &defs[i]);
        run->stages[i].maps = maps[i].count + (given->options.mask != NULL) + run->stages[i].rain_taken;
        if (status == WADI_OK && i == 0 && (run->stages[i].mask_taken || run->stages[i].rain_taken))
            status = run_at(&given->options, NULL,
                            wadi_fail(WADI_ERROR_ARGUMENT, "previous: there is no stage before the first"));
        if (status == WADI_OK) status = settle_levels(&given->options, &defs[i], run, &run->stages[i]);
        if (status == WADI_OK && (given->options.events || given->options.rain_series))
            status = take_events(recipe, i, &defs[i], &maps[i], &run->stages[i]);
        const int64_t steps = status != WADI_OK ? 0 : run_stage_steps(&run->stages[i]);
        if (status == WADI_OK && (steps < 0 || run->plan.steps + steps > (int64_t)1e15 / run->stages[i].levels))
            status = run_at(&given->options, NULL, wadi_fail(WADI_ERROR_ARGUMENT, "more than 1e15 steps in all"));
        run->plan.steps += steps;
        if (!recipe->endless) defs[i].expected_steps = steps > 0 ? steps : 1;
        defs[i].expected_sims = run->stages[i].levels;
    }
    return status;
}

/* The raster still has the heights of the whole. */
static wadi_status load_maps_of_events(const recipe *recipe, const run *run, run_stage *stage) {
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < stage->events.count && status == WADI_OK; i++) {
        const event *event = &stage->events.items[i];
        if (event->kind != EVENT_MAP) continue;
        status = run_map_input_load(event->map, run, stage->sim, recipe->top.strict_inputs);
        status = run_fail_at(recipe->file, (place){event->line, event->column}, status);
    }
    return status;
}

static wadi_status make_sims(const recipe *recipe, run *run, wadi_def *defs, const text_list *maps) {
    wadi_status status = check_memory(run, defs);
    bool lifted = false; /* by an earlier stage */
    for (size_t i = 0; i < run->stage_count && status == WADI_OK; i++) {
        const run_options *options = &recipe->stages[i].options;
        status = run_at(options, NULL, run_fail_as_input(wadi_sim_create(&defs[i], &run->stages[i].sim)));
        if (status == WADI_ERROR_DEVICE) run_message_note("--backend cpu does without the device");
        if (status == WADI_OK) status = load_fields(options, &maps[i], run, &run->stages[i]);
        if (status == WADI_OK) status = load_maps_of_events(recipe, run, &run->stages[i]);
        if (status == WADI_OK) status = run_events_try(recipe->file, &run->stages[i].events, run->stages[i].sim);
        if (status != WADI_OK) break;
        note_safety(run->stages[i].sim, lifted);
        lifted = lifted || is_lifted(run->stages[i].sim);
        status = run_stage_begin(&run->stages[i], run->stages[i].sim);
    }
    run->sim = run->stages[0].sim;
    bool knows = status == WADI_OK && wadi_model_has_hardness(defs->model);
    run->plan.hardness_stage = knows ? 0 : -1;
    return status;
}

/* Changes the terrain after its hash was taken: the input is still what the file holds. The sea is that of the first
 * stage with one. */
static wadi_status breach(const number_pair *limits, const wadi_def *defs, run *run) {
    const char *scratch = run_cells_folder((uint64_t)defs->width * (uint64_t)defs->height);
    wadi_breaching how = {defs->width, defs->height, defs->lx, defs->ly, limits->first, 0, false, 0, scratch};
    wadi_breached done;
    how.longest_m = limits->count > 1 ? limits->second : 0;
    for (size_t i = 0; i < run->stage_count && !how.sea; i++) how.sea = wadi_def_sea(&defs[i], &how.sea_m);
    run->plan.breach = (number_pair){how.deepest_m, how.longest_m, 2};
    const wadi_status status = wadi_breach(&how, run->raster->values, &done);
    if (status != WADI_OK) return status;
    run_message_note("breached %zu basins, %zu stay lakes: %zu cells cut, at most %.3g m deep, %.4g m3 in all",
                     done.opened, done.left, done.cells, done.deepest_m, done.volume_m3);
    return WADI_OK;
}

static wadi_status load_stages(const recipe *recipe, run *run, wadi_def *defs, text_list *maps) {
    const run_options *top = &recipe->top;
    run_inputs *inputs = &run->plan.inputs;
    wadi_status status = make_defs(recipe, run, defs, maps);
    backend_args on = top->on;
    on.memory_limit = run_backend_share(on.memory_limit, run_shares(run));
    on.no_tune = on.no_tune || top->dry_run; /* nothing is to be remembered */
    if (status == WADI_OK) run_backend_apply(&on, defs, run->stage_count);
    if (status == WADI_OK)
        status =
            run_add_field_input(inputs, "height", recipe->generated.kind ? "generated" : recipe->input, run->raster);
    if (status == WADI_OK && top->breach.count) status = run_at(top, &top->breach, breach(&top->breach, defs, run));
    if (status == WADI_OK) status = take_all_largest(recipe, run, defs, maps);
    if (status == WADI_OK) status = run_tile_plan(top, run, defs);
    if (status == WADI_OK) status = make_sims(recipe, run, defs, maps);
    const size_t last = run->stage_count - 1;
    run->plan.ground = (wadi_ground)top->ground;
    run->plan.level_warp = top->level_warp;
    if (top->level_warp > 0 && run->plan.levels == 1)
        run_message_note("--level-warp: this run has one level alone, so nothing is warped");
    if (status == WADI_OK) run->plan.settle = settles(top, &run->stages[last], defs[last].model);
    if (status != WADI_OK) return status;
    status = load_all_hardness(recipe, run);
    if (status == WADI_OK && top->water)
        status = run_at(top, &top->water, run_map_load(run, run->sim, inputs, "--water", "water", top->water));
    if (status == WADI_OK) status = run_tile_cut(run);
    if (status != WADI_OK) return status;
    run->plan.score_before =
        wadi_erosion_score(run->raster->values, defs->width, defs->height, defs->boundary == WADI_WRAP);
    return status == WADI_OK ? run_levels_make(run, top->water != NULL) : status;
}

wadi_status run_load(const recipe *recipe, run *run) {
    wadi_status status = load_input(recipe, run);
    if (status != WADI_OK) return status;
    wadi_def *defs = run_array_new(recipe->stage_count, sizeof *defs);
    text_list *maps = run_array_new(recipe->stage_count, sizeof *maps);
    status = defs && maps ? load_stages(recipe, run, defs, maps) : WADI_ERROR_MEMORY;
    for (size_t i = 0; maps && i < recipe->stage_count; i++) run_text_list_free(&maps[i]);
    free(maps);
    free(defs);
    return status;
}
