/* manifest.c: writes run.json. Scripts rely on its keys. */
#include "manifest.h"

#include "backend.h"
#include "json.h"
#include "measures.h"
#include "option.h"
#include "read_args.h"
#include "recipe_write.h"
#include "run_series.h"
#include "run_stages.h"
#include "run_state.h"
#include "run_tile.h"
#include "run_video.h"
#include "text.h"

#include "platform/platform.h"

#include <stdlib.h>
#include <string.h>

/* A cell-step is one cell in one sub-step, as in wadi bench. */
double run_cell_steps_per_s(const run *run) {
    double cell_steps = 0;
    for (size_t i = 0; i < run->stage_count; i++) {
        const wadi_sim *sim = run->stages[i].sim;
        const double cells = (double)wadi_sim_def(sim)->width * (double)wadi_sim_def(sim)->height;
        cell_steps += cells * (double)wadi_sim_substeps(sim);
    }
    return run->plan.wall_s > 0 ? cell_steps / run->plan.wall_s : 0;
}

/* The initial parameters; events give the changes. */
static void write_parameters(json *json, const run_stage *stage) {
    const wadi_def *def = &stage->def;
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(def->model, &count);
    run_json_object(json, "parameters");
    for (size_t i = 0; i < count; i++) {
        const wadi_parameter *parameter = &parameters[i];
        const char *path = parameter->per_cell ? run_input_path(&stage->inputs, parameter->name) : NULL;
        if (path) {
            run_json_map(json, parameter->name, path);
        } else if (parameter->choices) {
            run_json_text(json, parameter->name, parameter->choices[(int)def->values[i]]);
        } else {
            run_json_number(json, parameter->name, def->values[i]);
        }
    }
    run_json_end(json);
}

static void write_drops(json *json, const wadi_drops *drops) {
    if (!(drops->count > 0)) return;
    run_json_object(json, "drops");
    run_json_number(json, "count", drops->count);
    run_json_number(json, "radius_m", drops->radius_m);
    run_json_number(json, "rate_m_s", drops->rate_m_s);
    run_json_end(json);
}

static void write_grid(json *json, const wadi_def *def) {
    run_json_integers(json, "size", def->width, def->height);
    run_json_numbers(json, "cell_size", def->lx, def->ly);
}

static void write_scene(json *json, const run *run, const wadi_def *def) {
    run_json_unsigned(json, "seed", def->seed);
    if (run_is_plain(run)) write_drops(json, &def->drops);
    write_grid(json, def);
    run_tile_write(json, run);
    run_json_text(json, "crs", run->raster->has_georef && *run->raster->georef.name ? run->raster->georef.name : NULL);
    run_json_text(json, "boundary", run_boundary_names[def->boundary]);
    run_json_text(json, "scale", run_scale_names[def->scale]);
    bool mapped = run_input_path(&run->plan.inputs, "hardness") != NULL;
    if (run->plan.hardness_stage >= 0)
        run_json_text(json, "hardness", mapped ? "map" : run->plan.hardness_made ? "from height" : "uniform");
}

static void write_work(json *json, const run *run, const wadi_def *def) {
    wadi_safety safety = wadi_sim_safety(run_fine_stages(run)->sim);
    run_json_text(json, "backend", wadi_engine_name(def->engine));
    run_json_text(json, "device", wadi_sim_device(run->sim));
    run_json_text(json, "arithmetic", run->plan.relaxed ? "relaxed" : "strict");
    run_json_integer(json, "threads", wadi_sim_threads(run->sim));
    run_json_integer(json, "steps", run->plan.done);
    run_json_bool(json, "settled", run->plan.settle);
    if (run->plan.levels > 1) run_json_number(json, "level_warp", run->plan.level_warp);
    run_json_bool(json, "rises", run_rises(run));
    if (run_is_plain(run)) {
        run_json_integer(json, "substeps", safety.substeps);
        run_json_integer(json, "substeps_done", wadi_sim_substeps(run_fine_stages(run)->sim));
    }
    run_json_number(json, "simulated_s", run_simulated_s(run));
    run_json_number(json, "wall_s", run->plan.wall_s);
    run_json_number(json, "cell_steps_per_s", run_cell_steps_per_s(run));
    run_json_integer(json, "peak_memory_bytes", (int64_t)platform_peak_memory_bytes());
}

static void write_balance(json *json, const char *name, const wadi_balance *balance) {
    run_json_object(json, name);
    run_json_number(json, "before", balance->before);
    run_json_number(json, "in", balance->in);
    run_json_number(json, "out", balance->out);
    run_json_number(json, "after", balance->after);
    run_json_number(json, "residual", balance->residual);
}

/* handed: changes by other stages between the turns of this one */
static void write_mass(json *json, const wadi_mass *mass, bool handed) {
    run_json_object(json, "mass");
    write_balance(json, "solid", &mass->solid);
    run_json_number(json, "moved", mass->moved);
    run_json_number(json, "over_border", mass->solid_over_border);
    run_json_number(json, "advected", mass->advected);
    if (handed) run_json_number(json, "handed", mass->solid_handed);
    run_json_end(json);
    write_balance(json, "water", &mass->water);
    run_json_number(json, "rained", mass->rained);
    run_json_number(json, "evaporated", mass->evaporated);
    run_json_number(json, "infiltrated", mass->infiltrated);
    run_json_number(json, "over_border", mass->water_over_border);
    run_json_number(json, "exchanged", mass->exchanged);
    if (handed) run_json_number(json, "handed", mass->water_handed);
    run_json_end(json);
    run_json_end(json);
}

static void write_inputs(json *json, const run_inputs *inputs) {
    for (size_t i = 0; i < inputs->count; i++) {
        run_json_object(json, inputs->items[i].name);
        run_json_text(json, "path", inputs->items[i].path);
        run_json_text(json, "sha256", inputs->items[i].sha256);
        run_json_end(json);
    }
}

/* A level of a plain run, on a line of its own. */
static void write_level(json *json, const run_stage *stage) {
    run_json_object(json, NULL);
    run_json_integer(json, "level", stage->level);
    write_grid(json, &stage->def);
    write_parameters(json, stage);
    run_json_integer(json, "steps", wadi_sim_steps(stage->sim));
    run_json_integer(json, "substeps", wadi_sim_safety(stage->sim).substeps);
    run_json_integer(json, "substeps_done", wadi_sim_substeps(stage->sim));
    run_json_number(json, "simulated_s", wadi_sim_time(stage->sim));
    run_json_number(json, "wall_s", stage->wall_s);
    write_mass(json, &stage->mass, true);
    run_json_end(json);
}

/* One of several stages, on a line of its own. */
static void write_stage(json *json, const run *run, const run_stage *stage) {
    const wadi_def *def = &stage->def;
    run_json_object(json, NULL);
    if (run->plan.levels > 1) {
        run_json_integer(json, "level", stage->level);
        write_grid(json, def);
    }
    run_json_text(json, "model", wadi_model_id(def->model));
    run_json_text(json, "preset", stage->preset && *stage->preset ? stage->preset : NULL);
    run_knobs_write(json, def);
    write_parameters(json, stage);
    run_json_unsigned(json, "seed", def->seed);
    write_drops(json, &def->drops);
    run_json_text(json, "boundary", run_boundary_names[def->boundary]);
    run_json_text(json, "scale", run_scale_names[def->scale]);
    run_json_integer(json, "rounds", stage->rounds);
    run_json_integer(json, "steps", wadi_sim_steps(stage->sim));
    run_json_integer(json, "substeps", wadi_sim_safety(stage->sim).substeps);
    run_json_integer(json, "substeps_done", wadi_sim_substeps(stage->sim));
    run_json_number(json, "simulated_s", wadi_sim_time(stage->sim));
    run_json_number(json, "wall_s", stage->wall_s);
    write_mass(json, &stage->mass, true);
    run_json_object(json, "inputs");
    write_inputs(json, &stage->inputs);
    run_json_end(json);
    run_json_end(json);
}

static void write_model(json *json, const run *run) {
    run_json_text(json, "model", run_title(run));
    const bool plain = run_is_plain(run);
    if (plain) {
        const run_stage *stage = run_fine_stages(run);
        run_json_text(json, "preset", stage->preset && *stage->preset ? stage->preset : NULL);
        run_knobs_write(json, &stage->def);
        write_parameters(json, stage);
    }
    if (plain && run->plan.levels <= 1) return;
    run_json_array(json, plain ? "levels" : "stages");
    for (size_t i = 0; i < run->stage_count; i++)
        if (plain)
            write_level(json, &run->stages[i]);
        else
            write_stage(json, run, &run->stages[i]);
    run_json_end(json);
}

static void write_outputs(json *json, const run_result *result) {
    run_json_object(json, "outputs");
    for (size_t i = 0; i < result->output_count; i++) {
        const run_output *output = &result->outputs[i];
        run_json_object(json, output->name);
        run_json_text(json, "path", output->path);
        run_json_text(json, "sha256", output->sha256);
        run_json_number(json, "minimum", (double)output->range.minimum);
        run_json_number(json, "maximum", (double)output->range.maximum);
        run_json_number(json, "mean", output->range.mean);
        run_json_text(json, "sample", wadi_sample_name(output->written.sample));
        if (output->written.sample != WADI_SAMPLE_FLOAT32) { /* metres = scale * sample + offset */
            run_json_number(json, "scale", output->written.used_scale);
            run_json_number(json, "offset", output->written.used_offset);
            run_json_integer(json, "clamped", (int64_t)output->written.clamped);
        }
        run_json_end(json);
    }
    run_json_end(json);
}

void run_manifest_write(json *json, const run *run, const run_result *result) {
    const wadi_def *def = &run_fine_stages(run)->def;
    run_json_text(json, "wadi", wadi_version());
    run_json_array(json, "command");
    for (size_t i = 0; i < run->plan.command.count; i++) run_json_text(json, NULL, run->plan.command.items[i]);
    run_json_end(json);
    write_model(json, run);
    write_scene(json, run, def);
    write_work(json, run, def);
    write_mass(json, &result->mass, false);
    run_json_object(json, "score");
    run_json_number(json, "before", run->plan.score_before);
    run_json_number(json, "after", result->score_after);
    run_json_end(json);
    run_measures_write(json, result->sea_m, &result->realism);
    run_video_write(json, run);
    run_series_write(json, run);
    run_recipe_write(json, run);
    run_json_object(json, "inputs");
    write_inputs(json, &run->plan.inputs);
    if (run_is_plain(run)) write_inputs(json, &run_fine_stages(run)->inputs);
    run_json_end(json);
    write_outputs(json, result);
}
