#include "run_start.h"

#include "array.h"
#include "backend.h"
#include "checkpoint_writer.h"
#include "folder.h"
#include "gauges.h"
#include "run_inputs.h"
#include "run_outputs.h"
#include "run_replay.h"
#include "run_series.h"
#include "run_stages.h"
#include "run_video.h"
#include "text.h"

#include "wadi/device.h"

#include <stdlib.h>
#include <string.h>

wadi_status run_check_backend(const run_options *given) {
    const backend_args *on = &given->on;
    wadi_status status = run_at(given, &on->backend, run_backend_check(on));
    if (status == WADI_OK) status = run_at(given, &on->device, run_backend_check_device(on));
    if (status == WADI_OK) status = run_at(given, &on->devices, run_backend_check_devices(on));
    if (status == WADI_OK) status = run_at(given, &on->memory_limit, run_backend_check_limit(on));
    if (status == WADI_OK) run_backend_use_limit(on);
    return status != WADI_OK ? status : run_at(given, &on->arithmetic, run_backend_check_arithmetic(on));
}

wadi_status run_check_with_recipe(option_set given) {
    for (int i = 0; run_option_rows[i].name; i++)
        if (option_set_has(given, i) && run_option_rows[i].recipe == RECIPE_STAGE)
            return wadi_fail(WADI_ERROR_ARGUMENT, "--%s does not go with --recipe or wadi demo: write it in the recipe",
                             run_option_rows[i].name);
    return WADI_OK;
}

static wadi_status check_format(wadi_format format) {
    const char *missing = "";
    if (format == WADI_FORMAT_UNKNOWN || wadi_format_available(format, &missing)) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "--format %s: not built: %s", run_format_names[format], missing);
}

/* "hills-jako2011" for ".../hills.tif", "alps" for the recipe ".../alps.yaml". Free it. */
static char *default_folder(const recipe *recipe, const wadi_model *model) {
    const char *file = recipe->file ? recipe->file : recipe->input;
    const char *stem = file + strlen(file);
    while (stem > file && stem[-1] != '/' && stem[-1] != '\\') stem--;
    const char *dot = strrchr(stem, '.');
    int length = dot && dot > stem ? (int)(dot - stem) : (int)strlen(stem);
    return run_text_format("%.*s%s%s", length, stem, recipe->file ? "" : "-", recipe->file ? "" : wadi_model_id(model));
}

/* Refuses what can be refused before the input is read. */
static wadi_status check_options(const run_options *given, run *run) {
    run_plan *plan = &run->plan;
    plan->maps = run_maps_by_default();
    plan->format = given->format > 0 ? (wadi_format)given->format : WADI_FORMAT_UNKNOWN;
    plan->keep_type = given->format == 0;
    plan->checkpoint_every = given->checkpoint_every > 0 ? given->checkpoint_every : 0;
    plan->no_checkpoint = given->no_checkpoint;
    plan->no_preview = given->no_preview;
    wadi_status status = WADI_OK;
    if (given->maps) status = run_at(given, &given->maps, run_maps_parse(given->maps, &plan->maps));
    if (status == WADI_OK) status = run_check_backend(given);
    if (status == WADI_OK) status = run_at(given, &given->format, check_format(plan->format));
    if (status == WADI_OK) status = run_video_plan(given, run);
    if (status == WADI_OK) status = run_series_plan(given, run);
    return status != WADI_OK ? status : given->output ? run_folder_check(given->output, given->force) : WADI_OK;
}

/* The kernels of all stages and levels at the same time, and not one after the other. */
static void build_ahead(const run *run) {
    if (!wadi_engine_is_gpu(wadi_sim_def(run->sim)->engine)) return;
    wadi_sim **sims = run_array_new(run->stage_count, sizeof *sims);
    for (size_t i = 0; sims && i < run->stage_count; i++)
        if (run_stage_steps(&run->stages[i]) > 0) sims[i] = run->stages[i].sim;
    if (sims) wadi_build_ahead(sims, run->stage_count);
    free(sims);
}

wadi_status run_prepare_in_memory(const recipe *recipe, run *run) {
    wadi_status status = run_check_backend(&recipe->top);
    if (status == WADI_OK) status = run_load(recipe, run);
    if (status == WADI_OK) status = run_check_replay(recipe, run, false);
    if (status != WADI_OK) return status;
    build_ahead(run);
    run->folder = run_text_copy("in memory");
    return run->folder ? run_next_visit(run) : WADI_ERROR_MEMORY;
}

wadi_status run_prepare(const recipe *recipe, run *run) {
    const run_options *given = &recipe->top;
    wadi_status status = check_options(given, run);
    if (status == WADI_OK) status = run_load(recipe, run);
    if (status == WADI_OK) status = run_gauges_plan(given, given->pixel || recipe->stages[0].options.pixel, run);
    if (status == WADI_OK) status = run_check_replay(recipe, run, given->strict_inputs);
    if (status == WADI_OK) status = check_format(run_output_format(run));
    if (status != WADI_OK) return status;
    run->folder = given->output ? run_text_copy(given->output) : default_folder(recipe, wadi_sim_def(run->sim)->model);
    if (!run->folder) return WADI_ERROR_MEMORY;
    status = run_folder_check(run->folder, given->force);
    if (status == WADI_OK && recipe->input) status = run_folder_check_input(run->folder, recipe->input);
    return status == WADI_OK ? run_video_check(given, run) : status;
}

wadi_status run_begin(run *run, bool force) {
    wadi_status status = run_folder_take(run->folder, force, &run->hold);
    if (status != WADI_OK) return status;
    build_ahead(run);
    status = run_next_visit(run);                         /* events before the first step belong into the first frame */
    if (status == WADI_OK) status = run_video_begin(run); /* before any file of an earlier run changes */
    if (status == WADI_OK) status = run_gauges_step(run);
    if (status == WADI_OK) status = run_checkpoint_write(run); /* before frames of an earlier run go */
    return status == WADI_OK ? run_series_begin(run, false) : status;
}

void run_free(run *run) {
    run_checkpoint_writer_free(run);
    run_video_free(run->video);
    run_series_free(run->series);
    run_folder_leave(run->hold); /* after the video, whose file may be in the folder */
    for (size_t i = 0; i < run->stage_count; i++) run_stage_free(&run->stages[i]);
    free(run->stages);
    wadi_raster_destroy(run->raster);
    free(run->hard);
    free(run->start);
    free(run->folder);
    run_inputs_free(&run->plan.inputs);
    run_gauges_free(&run->plan.gauges);
    free(run->plan.z_unit);
    free(run->plan.band);
    run_text_list_free(&run->plan.generator);
    run_text_list_free(&run->plan.command);
}
