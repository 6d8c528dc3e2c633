/* manifest.c: writes run.json. Scripts rely on its keys. */
#include "manifest.h"

#include "backend.h"
#include "json.h"
#include "option.h"
#include "read_args.h"
#include "recipe_write.h"
#include "run_stages.h"
#include "run_state.h"
#include "run_video.h"
#include "text.h"

#include "platform/platform.h"

#include <stdlib.h>
#include <string.h>

/* A cell-step is one cell in one sub-step, as in wadi bench. */
double run_cell_steps_per_s(const run *run) {
    double cells = (double)run->raster->width * (double)run->raster->height, steps = 0;
    for (size_t i = 0; i < run->stage_count; i++)
        steps += (double)wadi_sim_steps(run->stages[i].sim) * wadi_sim_safety(run->stages[i].sim).substeps;
    return run->plan.wall_s > 0 ? cells * steps / run->plan.wall_s : 0;
}

/* The initial parameters; events give the changes. */
static void write_parameters(json *json, const run_stage *stage) {
    const wadi_def *def = &stage->def;
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(def->model, &count);
    json_object(json, "parameters");
    for (size_t i = 0; i < count; i++) {
        const wadi_parameter *parameter = &parameters[i];
        const char *path = parameter->per_cell ? run_input_path(&stage->inputs, parameter->name) : NULL;
        if (path) {
            json_map(json, parameter->name, path);
        } else if (parameter->choices) {
            json_text(json, parameter->name, parameter->choices[(int)def->values[i]]);
        } else {
            json_number(json, parameter->name, def->values[i]);
        }
    }
    json_end(json);
}

static void write_drops(json *json, const wadi_drops *drops) {
    if (!(drops->count > 0)) return;
    json_object(json, "drops");
    json_number(json, "count", drops->count);
    json_number(json, "radius_m", drops->radius_m);
    json_number(json, "rate_m_s", drops->rate_m_s);
    json_end(json);
}

static void write_scene(json *json, const run *run, const wadi_def *def) {
    json_unsigned(json, "seed", def->seed);
    if (run_is_plain(run)) write_drops(json, &def->drops);
    json_array(json, "size");
    json_integer(json, NULL, def->width);
    json_integer(json, NULL, def->height);
    json_end(json);
    json_array(json, "cell_size");
    json_number(json, NULL, def->lx);
    json_number(json, NULL, def->ly);
    json_end(json);
    json_text(json, "crs", run->raster->has_georef && *run->raster->georef.name ? run->raster->georef.name : NULL);
    json_text(json, "boundary", boundary_names[def->boundary]);
    json_text(json, "scale", scale_names[def->scale]);
    bool mapped = run_input_path(&run->plan.inputs, "hardness") != NULL;
    if (run->plan.hardness_stage >= 0)
        json_text(json, "hardness", mapped ? "map" : run->plan.hardness_made ? "from height" : "uniform");
}

static void write_work(json *json, const run *run, const wadi_def *def) {
    wadi_safety safety = wadi_sim_safety(run->stages[0].sim);
    json_text(json, "backend", wadi_engine_name(def->engine));
    json_text(json, "device", wadi_sim_device(run->sim));
    json_text(json, "arithmetic", run->plan.relaxed ? "relaxed" : "strict");
    json_integer(json, "threads", wadi_sim_threads(run->sim));
    json_integer(json, "steps", run->plan.done);
    if (run_is_plain(run)) json_integer(json, "substeps", safety.substeps);
    json_number(json, "simulated_s", run_simulated_s(run));
    json_number(json, "wall_s", run->plan.wall_s);
    json_number(json, "cell_steps_per_s", run_cell_steps_per_s(run));
    json_integer(json, "peak_memory_bytes", (int64_t)platform_peak_memory_bytes());
}

static void write_balance(json *json, const char *name, const wadi_balance *balance) {
    json_object(json, name);
    json_number(json, "before", balance->before);
    json_number(json, "in", balance->in);
    json_number(json, "out", balance->out);
    json_number(json, "after", balance->after);
    json_number(json, "residual", balance->residual);
}

/* handed: changes by other stages between the turns of this one */
static void write_mass(json *json, const wadi_mass *mass, bool handed) {
    json_object(json, "mass");
    write_balance(json, "solid", &mass->solid);
    json_number(json, "moved", mass->moved);
    json_number(json, "over_border", mass->solid_over_border);
    json_number(json, "advected", mass->advected);
    if (handed) json_number(json, "handed", mass->solid_handed);
    json_end(json);
    write_balance(json, "water", &mass->water);
    json_number(json, "rained", mass->rained);
    json_number(json, "evaporated", mass->evaporated);
    json_number(json, "over_border", mass->water_over_border);
    json_number(json, "exchanged", mass->exchanged);
    if (handed) json_number(json, "handed", mass->water_handed);
    json_end(json);
    json_end(json);
}

static void write_inputs(json *json, const run_inputs *inputs) {
    for (size_t i = 0; i < inputs->count; i++) {
        json_object(json, inputs->items[i].name);
        json_text(json, "path", inputs->items[i].path);
        json_text(json, "sha256", inputs->items[i].sha256);
        json_end(json);
    }
}

/* One of several stages, on a line of its own. */
static void write_stage(json *json, const run_stage *stage) {
    const wadi_def *def = &stage->def;
    json_object(json, NULL);
    json_text(json, "model", wadi_model_id(def->model));
    json_text(json, "preset", stage->preset && *stage->preset ? stage->preset : NULL);
    write_parameters(json, stage);
    json_unsigned(json, "seed", def->seed);
    write_drops(json, &def->drops);
    json_text(json, "boundary", boundary_names[def->boundary]);
    json_text(json, "scale", scale_names[def->scale]);
    json_integer(json, "rounds", stage->rounds);
    json_integer(json, "steps", wadi_sim_steps(stage->sim));
    json_integer(json, "substeps", wadi_sim_safety(stage->sim).substeps);
    json_number(json, "simulated_s", wadi_sim_time(stage->sim));
    json_number(json, "wall_s", stage->wall_s);
    write_mass(json, &stage->mass, true);
    json_object(json, "inputs");
    write_inputs(json, &stage->inputs);
    json_end(json);
    json_end(json);
}

static void write_model(json *json, const run *run) {
    json_text(json, "model", run_title(run));
    if (run_is_plain(run)) {
        const char *preset = run->stages[0].preset;
        json_text(json, "preset", preset && *preset ? preset : NULL);
        write_parameters(json, &run->stages[0]);
        return;
    }
    json_array(json, "stages");
    for (size_t i = 0; i < run->stage_count; i++) write_stage(json, &run->stages[i]);
    json_end(json);
}

static void write_outputs(json *json, const run_result *result) {
    json_object(json, "outputs");
    for (size_t i = 0; i < result->output_count; i++) {
        const run_output *output = &result->outputs[i];
        json_object(json, output->name);
        json_text(json, "path", output->path);
        json_text(json, "sha256", output->sha256);
        json_number(json, "minimum", (double)output->range.minimum);
        json_number(json, "maximum", (double)output->range.maximum);
        json_number(json, "mean", output->range.mean);
        json_text(json, "sample", sample_name(output->written.sample));
        if (output->written.sample != WADI_SAMPLE_FLOAT32) { /* metres = scale * sample + offset */
            json_number(json, "scale", output->written.used_scale);
            json_number(json, "offset", output->written.used_offset);
            json_integer(json, "clamped", (int64_t)output->written.clamped);
        }
        json_end(json);
    }
    json_end(json);
}

void manifest_write(json *json, const run *run, const run_result *result) {
    const wadi_def *def = &run->stages[0].def;
    json_text(json, "wadi", wadi_version());
    json_array(json, "command");
    for (size_t i = 0; i < run->plan.command.count; i++) json_text(json, NULL, run->plan.command.items[i]);
    json_end(json);
    write_model(json, run);
    write_scene(json, run, def);
    write_work(json, run, def);
    write_mass(json, &result->mass, false);
    json_object(json, "score");
    json_number(json, "before", run->plan.score_before);
    json_number(json, "after", result->score_after);
    json_end(json);
    run_video_write(json, run);
    recipe_write(json, run);
    json_object(json, "inputs");
    write_inputs(json, &run->plan.inputs);
    if (run_is_plain(run)) write_inputs(json, &run->stages[0].inputs);
    json_end(json);
    write_outputs(json, result);
}
