/* run_inputs.c: reads what a run is given and makes the simulation; nothing is written before it is all good. */
#include "run_inputs.h"

#include "backend.h"
#include "events.h"
#include "generator.h"
#include "memory.h"
#include "message.h"
#include "read_args.h"
#include "recipe.h"
#include "run_def.h"
#include "run_options.h"
#include "run_stages.h"
#include "run_state.h"
#include "run_video.h"
#include "sources.h"
#include "text.h"

#include "platform/platform.h"

#include <stdlib.h>
#include <string.h>

static size_t cells_of(const wadi_raster *raster) { return (size_t)raster->width * (size_t)raster->height; }

static void add_field_input(run_inputs *inputs, const char *name, const char *path, const wadi_raster *raster) {
    char hex[65];
    wadi_field_sha256(raster->values, cells_of(raster), hex);
    run_add_input(inputs, name, path, hex);
}

static int check_heights(const char *path, const wadi_raster *raster) {
    wadi_range range = wadi_range_of(raster->values, cells_of(raster));
    if (range.infinite) return cli_fail(CLI_USAGE, "%s: %.0f heights are infinite", path, (double)range.infinite);
    if (range.missing == cells_of(raster)) return cli_fail(CLI_USAGE, "%s: no cell has a height, all is nodata", path);
    return CLI_OK;
}

static void note_safety(const wadi_sim *sim) {
    wadi_safety safety = wadi_sim_safety(sim);
    if (safety.substeps > 1)
        cli_note("dt = %.4g s is longer than the stable %.4g s: each step is done in %d sub-steps", safety.dt_s,
                 safety.longest_dt_s, safety.substeps);
    if (safety.warning) cli_warn("%s", safety.warning);
}

/* The simulations, and what the command holds beside them at most: height and water for the picture, and the picture
 * as it is drawn; a map that was given is held as read, as given and as the physics takes it. Where there are several
 * simulations, each keeps the change that it took over. The input raster is allocated by now. */
uint64_t run_memory(const run *run, const wadi_def *defs) {
    uint64_t field = (uint64_t)run->raster->width * (uint64_t)run->raster->height * sizeof(float);
    uint64_t needed = 3 * field + run_video_memory(run);
    for (size_t i = 0; i < run->stage_count; i++)
        needed += wadi_def_memory(&defs[i]) + (run->stage_count > 1 ? field : 0) + run->stages[i].maps * 3 * field;
    return needed;
}

static bool fits_on_cpu(const run *run, const wadi_def *defs) {
    wadi_def *same = cli_allocate(run->stage_count * sizeof *same);
    for (size_t i = 0; i < run->stage_count; i++) {
        same[i] = defs[i];
        same[i].engine = WADI_ENGINE_CPU;
    }
    bool fits = run_memory(run, same) <= platform_memory_bytes();
    free(same);
    return fits;
}

static int check_memory(const run *run, const wadi_def *defs) {
    const char *of = run->stage_count > 1 ? "all stages" : wadi_model_id(defs->model);
    int code = memory_check_host(defs, of, run_memory(run, defs));
    return code ? code : memory_check_device(defs, run->stage_count, of, fits_on_cpu(run, defs));
}

/* Where the terrain has no data a map's value means nothing: 0. Elsewhere it must be there. */
static int fill_nodata(const char *option, const char *path, const wadi_raster *heights, wadi_raster *map) {
    for (size_t i = 0; i < cells_of(map); i++) {
        float value = map->values[i], height = heights->values[i];
        if (height != height) { /* NaN */
            map->values[i] = 0;
            continue;
        }
        if (value - value == 0) continue; /* finite */
        int x = (int)(i % (size_t)map->width), y = (int)(i / (size_t)map->width);
        return cli_fail(CLI_USAGE, "%s: %s has no value at cell (%d, %d), where the height has one", option, path, x,
                        y);
    }
    return CLI_OK;
}

static int load_map(const run *run, wadi_sim *sim, run_inputs *inputs, const char *option, const char *field,
                    const char *path) {
    wadi_raster *map = NULL;
    int code = read_map(option, path, &run->plan.read, run->raster, &map);
    if (code) return code;
    add_field_input(inputs, field, path, map);
    code = fill_nodata(option, path, run->raster, map);
    if (code == CLI_OK && wadi_sim_set(sim, field, map->values, cells_of(map)) != WADI_OK)
        code = cli_fail(CLI_USAGE, "%s: %s: %s", option, path, wadi_error_message());
    wadi_raster_destroy(map);
    return code;
}

static int make_hardness(run *run, wadi_sim *sim) {
    wadi_hardness how = wadi_default_hardness(run->raster->width, run->raster->height);
    how.seed = wadi_sim_def(sim)->seed;
    how.wrap = wadi_sim_def(sim)->boundary == WADI_WRAP;
    run->plan.hardness_made = true;
    wadi_raster *map = NULL;
    int code = cli_fail_status(wadi_raster_create(how.width, how.height, &map));
    if (code) return code;
    code = cli_fail_status(wadi_hardness_from_height(&how, run->raster->values, map->values));
    if (code == CLI_OK) code = fill_nodata("--hardness", "height", run->raster, map);
    if (code == CLI_OK) code = cli_fail_status(wadi_sim_set(sim, "hardness", map->values, cells_of(map)));
    wadi_raster_destroy(map);
    return code;
}

/* Given, or as the preset wants it. */
static int load_hardness(const run_options *options, run *run, const run_stage *stage) {
    const wadi_model *model = wadi_sim_def(stage->sim)->model;
    const char *given = options->hardness ? options->hardness : "";
    run_at(options, &options->hardness);
    if (strcmp(given, "uniform") == 0) return CLI_OK;
    if (*given && strcmp(given, "height") != 0)
        return load_map(run, stage->sim, &run->plan.inputs, "--hardness", "hardness", given);
    const wadi_preset *preset = stage->preset ? wadi_preset_find(stage->preset, &model) : NULL;
    bool uniform = run_setting_of(options, model, wadi_model_parameter_index(model, "R")) >= 0;
    return *given || (preset && preset->hardness && !uniform) ? make_hardness(run, stage->sim) : CLI_OK;
}

/* The first stage that knows hardness gets it; others take it over. */
static int load_all_hardness(const recipe *recipe, run *run) {
    bool any = false;
    for (size_t i = 0; i < run->stage_count; i++) {
        const run_options *options = &recipe->stages[i].options;
        const wadi_model *model = wadi_sim_def(run->stages[i].sim)->model;
        if (!wadi_model_has_hardness(model)) continue;
        int setting = run_setting_of(options, model, wadi_model_parameter_index(model, "R"));
        if (any && setting >= 0) {
            run_at_setting(options, (size_t)setting);
            return cli_fail(CLI_USAGE, "--set %s: the hardness is taken over from an earlier stage; leave it out",
                            options->settings.items[setting]);
        }
        int code = any ? CLI_OK : load_hardness(options, run, &run->stages[i]);
        if (code) return code;
        any = true;
    }
    if (any || !recipe->top.hardness) return CLI_OK;
    run_at(&recipe->top, &recipe->top.hardness);
    return cli_fail(CLI_USAGE, "--hardness: %s has no hardness; leave it out",
                    wadi_model_id(wadi_sim_def(run->stages[0].sim)->model));
}

static int load_sources(const run_options *options, const run *run, run_stage *stage) {
    const char *file = options->source_rows ? options->places->file : options->sources;
    source_rows read = {0};
    wadi_source *sources = NULL;
    int code = options->source_rows ? CLI_OK : sources_read(file, &read);
    const source_rows *rows = options->source_rows ? options->source_rows : &read;
    run_at(options, &options->sources);
    if (code == CLI_OK) code = sources_place(rows, file, options->pixel, run->raster, &sources);
    if (code == CLI_OK) {
        char hex[65];
        wadi_sha256 hash;
        wadi_sha256_begin(&hash);
        for (size_t i = 0; i < rows->count; i++) wadi_sha256_add(&hash, &sources[i], sizeof sources[i]);
        wadi_sha256_end(&hash, hex);
        run_add_input(&stage->inputs, "sources", file, hex);
        run_at(options, &options->sources);
        code = cli_fail_input(wadi_sim_set_sources(stage->sim, sources, rows->count));
    }
    free(sources);
    free(read.rows);
    return code;
}

/* "symbol=path" */
static int load_parameter_map(const run_options *options, const run *run, run_stage *stage, const char *map) {
    char *name = cli_copy(map);
    char *equals = strchr(name, '=');
    *equals = '\0';
    char *option = cli_text("--set %s", name);
    const wadi_model *model = wadi_sim_def(stage->sim)->model;
    int setting = run_setting_of(options, model, wadi_model_parameter_index(model, name));
    if (setting >= 0)
        run_at_setting(options, (size_t)setting);
    else
        run_at(options, &options->rain);
    int code = load_map(run, stage->sim, &stage->inputs, option, name, equals + 1);
    free(option);
    free(name);
    return code;
}

static int load_fields(const run_options *options, const text_list *maps, const run *run, run_stage *stage) {
    const wadi_raster *raster = run->raster;
    run_at(options, NULL);
    int code = cli_fail_input(wadi_sim_set(stage->sim, "height", raster->values, cells_of(raster)));
    run_at(options, &options->mask);
    if (code == CLI_OK && options->mask && !stage->mask_taken)
        code = load_map(run, stage->sim, &stage->inputs, "--mask", "mask", options->mask);
    for (size_t i = 0; i < maps->count && code == CLI_OK; i++)
        code = load_parameter_map(options, run, stage, maps->items[i]);
    if (code == CLI_OK && (options->sources || options->source_rows)) code = load_sources(options, run, stage);
    return code;
}

static int load_input(const recipe *recipe, run *run) {
    run->plan.read = recipe->top.read;
    if (recipe->top.read.z_unit) run->plan.read.z_unit = run->plan.z_unit = cli_copy(recipe->top.read.z_unit);
    if (recipe->kind) {
        for (size_t i = 0; i < recipe->generator.count; i++)
            text_list_add(&run->plan.generator, recipe->generator.items[i]);
        return generate_raster(&recipe->generate, recipe->kind, &run->raster);
    }
    int code = read_height(recipe->input, &recipe->top.read, &run->raster);
    if (code == CLI_OK) code = check_heights(recipe->input, run->raster);
    if (code != CLI_OK) return code;
    note_assumptions(recipe->input, &recipe->top.read, run->raster);
    if (*run->raster->map_unit)
        cli_warn("%s: is a map in %s, no height; its values are taken as metres", recipe->input, run->raster->map_unit);
    return CLI_OK;
}

/* Models that take turns know the ground by what they change of the one that they began with. */
static int refuse_turns(const char *file, const run_stage *stage) {
    int code = CLI_OK;
    for (size_t i = 0; i < stage->events.count && stage->rounds > 1 && stage->last > stage->first && !code; i++) {
        const event *event = &stage->events.items[i];
        if (event->kind != EVENT_PAINT || event->dabs->brush > WADI_BRUSH_FLATTEN) continue;
        cli_place(file, event->line, event->column);
        code = cli_fail(CLI_USAGE, "paint: the ground of stages that are repeated together cannot be painted");
        cli_place_none();
    }
    return code;
}

static int take_events(const recipe *recipe, size_t index, const wadi_def *def, int64_t steps, run_stage *stage) {
    const events *given = recipe->stages[index].options.events;
    for (size_t i = 0; i < given->count; i++) events_add(&stage->events, event_copy(&given->items[i]));
    const int code = events_check(recipe->file, &stage->events, def, steps);
    return code ? code : refuse_turns(recipe->file, stage);
}

static int make_defs(const recipe *recipe, run *run, wadi_def *defs, text_list *maps) {
    run->stage_count = recipe->stage_count;
    run->stages = cli_allocate(run->stage_count * sizeof *run->stages);
    int code = CLI_OK;
    for (size_t i = 0; i < run->stage_count && code == CLI_OK; i++) {
        const recipe_stage *given = &recipe->stages[i];
        run->stages[i] = (run_stage){.first = given->first, .last = given->last, .rounds = given->rounds};
        code = run_make_def(&given->options, run->raster, &defs[i], &run->stages[i], &maps[i]);
        run->stages[i].maps = maps[i].count + (given->options.mask != NULL) + run->stages[i].rain_taken;
        int64_t steps = code ? 0 : run_stage_steps(&run->stages[i]);
        run_at(&given->options, NULL);
        if (code == CLI_OK && i == 0 && (run->stages[i].mask_taken || run->stages[i].rain_taken))
            code = cli_fail(CLI_USAGE, "previous: there is no stage before the first");
        if (code == CLI_OK && given->options.events) code = take_events(recipe, i, &defs[i], steps, &run->stages[i]);
        if (code == CLI_OK && (steps < 0 || run->plan.steps + steps > (int64_t)1e15))
            code = cli_fail(CLI_USAGE, "more than 1e15 steps in all");
        run->plan.steps += steps;
    }
    return code;
}

static int make_sims(const recipe *recipe, run *run, const wadi_def *defs, const text_list *maps) {
    int code = check_memory(run, defs);
    for (size_t i = 0; i < run->stage_count && code == CLI_OK; i++) {
        const run_options *options = &recipe->stages[i].options;
        run_at(options, NULL);
        code = cli_fail_input(wadi_sim_create(&defs[i], &run->stages[i].sim));
        if (code == CLI_FAILED) cli_note("--backend cpu does without the device");
        if (code == CLI_OK) code = load_fields(options, &maps[i], run, &run->stages[i]);
        if (code == CLI_OK) code = events_try(recipe->file, &run->stages[i].events, run->stages[i].sim);
        if (code == CLI_OK) note_safety(run->stages[i].sim);
        if (code == CLI_OK) run_stage_begin(&run->stages[i], run->stages[i].sim);
    }
    run->sim = run->stages[0].sim;
    bool knows = code == CLI_OK && wadi_model_has_hardness(defs->model);
    run->plan.hardness_stage = knows ? 0 : -1;
    return code;
}

static int load_stages(const recipe *recipe, run *run, wadi_def *defs, text_list *maps) {
    const run_options *top = &recipe->top;
    run_inputs *inputs = &run->plan.inputs;
    int code = make_defs(recipe, run, defs, maps);
    if (code == CLI_OK) backend_apply(&top->on, defs, run->stage_count);
    if (code == CLI_OK) code = make_sims(recipe, run, defs, maps);
    if (code) return code;
    add_field_input(inputs, "height", recipe->kind ? "generated" : recipe->input, run->raster);
    run->plan.score_before =
        wadi_erosion_score(run->raster->values, defs->width, defs->height, defs->boundary == WADI_WRAP);
    code = load_all_hardness(recipe, run);
    run_at(top, &top->water);
    if (code == CLI_OK && top->water) code = load_map(run, run->sim, inputs, "--water", "water", top->water);
    return code;
}

int run_load(const recipe *recipe, run *run) {
    int code = load_input(recipe, run);
    if (code) return code;
    wadi_def *defs = cli_allocate(recipe->stage_count * sizeof *defs);
    text_list *maps = cli_allocate(recipe->stage_count * sizeof *maps);
    code = load_stages(recipe, run, defs, maps);
    cli_place_none();
    for (size_t i = 0; i < recipe->stage_count; i++) text_list_free(&maps[i]);
    free(maps);
    free(defs);
    return code;
}
