/* run_outputs.c: writes height, maps, picture and run.json to a staging folder, and puts them in place together. */
#include "run_outputs.h"

#include "array.h"
#include "checkpoint_writer.h"
#include "folder.h"
#include "gauges.h"
#include "json.h"
#include "manifest.h"
#include "maps.h"
#include "measures.h"
#include "message.h"
#include "preview.h"
#include "read_args.h"
#include "run_series.h"
#include "run_stages.h"
#include "text.h"

#include "platform/openmp.h"
#include "platform/platform.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t cells_of(const run *run) { return (size_t)run->raster->width * (size_t)run->raster->height; }

/* A tile holds floats: integers would be scaled by its own range, not the whole's. */
wadi_format run_output_format(const run *run) {
    return run->plan.tile.number > 0 ? run_maps_float_format(run_height_format(run)) : run_height_format(run);
}

/* The height keeps the input's sample type, unless that would round the erosion away: 8 bits become 16, whole metres of
 * a GeoTIFF become float32. */
static wadi_write_options height_options(const run *run) {
    const wadi_raster *input = run->raster;
    wadi_format format = run_output_format(run);
    wadi_write_options options = {.format = format, .sample = wadi_format_facts_of(format)->sample};
    bool same = format == input->format && !input->has_georef && run->plan.tile.number == 0;
    const double full = input->scale > 0 ? wadi_sample_full_scale(input->sample) : 0; /* 0: no integers to write */
    if (same && full > 0 && run_maps_hold(format, input->sample)) options.sample = input->sample;
    if (options.sample == WADI_SAMPLE_UINT8) options.sample = WADI_SAMPLE_UINT16;
    const bool whole = input->has_georef || input->sample == WADI_SAMPLE_INT16; /* whole metres, usually */
    /* precise enough */
    if (options.sample == WADI_SAMPLE_FLOAT32 || full == 0 || (whole && !same)) return options;
    /* 8 bits to 16: the same heights at full scale */
    bool widened = input->sample == WADI_SAMPLE_UINT8 && options.sample == WADI_SAMPLE_UINT16;
    options.scale = widened ? input->scale * 255 / 65535 : input->scale;
    options.offset = input->offset;
    return options;
}

/* The input's own integers. */
static wadi_write_options input_options(const run *run) {
    const wadi_raster *input = run->raster;
    return (wadi_write_options){
        .format = run_output_format(run), .sample = input->sample, .scale = input->scale, .offset = input->offset};
}

/* The part of the change that rounding to the input's steps would lose: that of cells which change by less than half a
 * step. */
static wadi_status lost_part(const run *run, const wadi_sim *sim, double *lost) {
    const size_t count = cells_of(run);
    float *change = run_cells_new(count);
    const wadi_status status = change ? wadi_sim_get(sim, "change", change, count) : WADI_ERROR_MEMORY;
    double all = 0, small = 0;
    for (size_t i = 0; i < count && status == WADI_OK; i++) {
        const double moved = fabs((double)change[i]);
        if (!(moved > 0)) continue;
        all += moved;
        if (moved < 0.5 * run->raster->scale) small += moved;
    }
    *lost = all > 0 ? small / all : 0;
    run_cells_free(change);
    return status;
}

/* With --format input: the input's integers, if they hold nine tenths of the change. */
static wadi_status choose_height(const run *run, const wadi_sim *sim, wadi_write_options *options) {
    const wadi_sample sample = run->raster->sample;
    double lost;
    *options = height_options(run);
    if (!run->plan.keep_type || sample == WADI_SAMPLE_FLOAT32 || options->sample == sample) return WADI_OK;
    if (!(run->raster->scale > 0)) {
        run_message_warn("--format input: samples that fall as the height rises are not written; the height is %s",
                         wadi_sample_name(options->sample));
        return WADI_OK;
    }
    if (!run_keeps_integers(run)) {
        run_message_warn("--format input: %s files of %s samples are not written; the height is %s",
                         wadi_format_facts_of(options->format)->name, wadi_sample_name(sample),
                         wadi_sample_name(options->sample));
        return WADI_OK;
    }
    const wadi_status status = lost_part(run, sim, &lost);
    if (status != WADI_OK) return status;
    if (lost <= 0.1)
        *options = input_options(run);
    else
        run_message_warn("--format input: %s in steps of %.6g m would lose %.0f %% of what was eroded and deposited; "
                         "the height is %s",
                         wadi_sample_name(sample), run->raster->scale, 100 * lost, wadi_sample_name(options->sample));
    return WADI_OK;
}

/* Writes one field of the simulation to the staging folder. */
static wadi_status write_field(const run *run, const wadi_sim *sim, const char *staging, const char *name,
                               run_result *result) {
    size_t count = cells_of(run);
    float *values = run->raster->values;
    wadi_status status = wadi_sim_get(sim, name, values, count);
    if (status != WADI_OK) return status;
    run_output *output = &result->outputs[result->output_count++];
    output->name = name;
    output->range = wadi_range_of(values, count);
    if (strcmp(name, "height") == 0)
        status = choose_height(run, sim, &output->written);
    else
        output->written = run_maps_write_options(run_output_format(run), name);
    if (status != WADI_OK) return status;
    output->path = run_text_format("%s.%s", name, wadi_format_extension(output->written.format));
    wadi_field_sha256(values, count, output->sha256);
    char *path = output->path ? run_text_join(staging, output->path) : NULL;
    status = path ? wadi_raster_write(path, run->raster, &output->written) : WADI_ERROR_MEMORY;
    free(path);
    if (status == WADI_OK) status = run_text_list_add(&result->files, output->path);
    if (status == WADI_OK && output->written.clamped)
        run_message_warn(
            "%s: %.0f values lie outside what its %s samples can hold and were clamped; --format tif or npy keeps "
            "them",
            output->path, (double)output->written.clamped, wadi_sample_name(output->written.sample));
    return status;
}

/* A list of maps names those that matter; `all` stands for those that there are. */
static void note_missing(const run *run, const wadi_sim *sim, const char *name) {
    if (run->plan.maps != run_maps_all() && run->plan.maps != run_maps_by_default())
        run_message_note("%s.%s is not written: %s has no such map with these parameters", name,
                         wadi_format_extension(run_output_format(run)), wadi_model_id(wadi_sim_def(sim)->model));
}

/* Some models have no hardness or no water speed. */
static wadi_status write_map(const run *run, const char *staging, const char *name, run_result *result) {
    const wadi_sim *sim;
    const bool soft = strcmp(name, "hardness") == 0 && run->plan.hardness_stage < 0;
    const wadi_status status = soft ? WADI_OK : run_map_sim(run, name, run->raster->values, &sim);
    if (status != WADI_OK) return status;
    if (!soft && wadi_sim_has(sim, name)) return write_field(run, sim, staging, name, result);
    note_missing(run, run->sim, name);
    return WADI_OK;
}

/* `suspended`: the sediment, or all other maps. */
static wadi_status write_maps(const run *run, const char *staging, bool suspended, run_result *result) {
    wadi_status status = WADI_OK;
    for (int i = 0; run_maps_at(i) != NULL && status == WADI_OK; i++) {
        const char *name = run_maps_at(i)->name;
        const bool now = suspended == (strcmp(name, "sediment") == 0);
        if (now && run->plan.maps >> i & 1) status = write_map(run, staging, name, result);
    }
    return status;
}

/* The height is first, then maps as in their table. */
static int order_of(const run_output *output) {
    int index = 0;
    if (strcmp(output->name, "height") == 0) return -1;
    while (strcmp(run_maps_at(index)->name, output->name) != 0) index++;
    return index;
}

/* Puts the sediment, which is written first, in its place. Each output has a file of the same index. */
static void put_in_order(run_result *result) {
    for (size_t i = 0; i + 1 < result->output_count; i++) {
        run_output *a = &result->outputs[i], *b = a + 1;
        if (order_of(a) < order_of(b)) return;
        const run_output output = *a;
        char *file = result->files.items[i];
        *a = *b, *b = output;
        result->files.items[i] = result->files.items[i + 1], result->files.items[i + 1] = file;
    }
}

static wadi_status draw_preview(const run *run, const char *path, const run_picture *maps) {
    wadi_status status = run_picture_read(run, maps);
    if (status != WADI_OK) return status;
    wadi_view view = run_picture_view(run, maps);
    char *title = run_picture_title(run);
    if (!title) return WADI_ERROR_MEMORY;
    view.title = title;
    wadi_picture *picture = NULL;
    status = wadi_render_map(&view, &picture);
    if (status == WADI_OK) status = wadi_picture_write(path, picture->rgb, picture->width, picture->height);
    wadi_picture_destroy(picture);
    free(title);
    return status;
}

static wadi_status write_preview(const run *run, const char *staging, run_result *result) {
    const char *missing;
    if (!wadi_format_available(WADI_FORMAT_PNG, &missing)) {
        run_message_note("no " PREVIEW ": %s", missing);
        return WADI_OK;
    }
    run_picture maps;
    wadi_status status = run_picture_create(run, &maps);
    if (status != WADI_OK) return status;
    char *path = run_text_join(staging, PREVIEW);
    status = path ? draw_preview(run, path, &maps) : WADI_ERROR_MEMORY;
    if (status == WADI_OK) status = run_text_list_add(&result->files, PREVIEW);
    free(path);
    run_picture_destroy(&maps);
    return status;
}

static wadi_status write_manifest(const run *run, const char *staging, run_result *result) {
    char *path = run_text_join(staging, RUN_JSON);
    if (!path) return WADI_ERROR_MEMORY;
    errno = 0;
    FILE *file = platform_open(path, "w");
    bool error = !file;
    const bool no_memory = error && errno == ENOMEM;
    if (file) {
        json json = run_json_to(file, false);
        run_json_object(&json, NULL);
        run_manifest_write(&json, run, result);
        run_json_end(&json);
        error = ferror(file) || platform_sync(file) != 0;
        error = fclose(file) != 0 || error;
    }
    wadi_status status = WADI_OK;
    if (error)
        status = wadi_fail(no_memory ? WADI_ERROR_MEMORY : WADI_ERROR_IO,
                           "%s: cannot be written; make room, or check that the folder may be written", path);
    free(path);
    return status == WADI_OK ? run_text_list_add(&result->files, RUN_JSON) : status;
}

/* Of the last stage that has a sea; -INFINITY without. */
static double sea_of(const run *run) {
    double sea_m = -(double)INFINITY, level_m;
    for (size_t i = 0; i < run->stage_count; i++)
        if (wadi_def_sea(wadi_sim_def(run->stages[i].sim), &level_m)) sea_m = level_m;
    return sea_m;
}

bool run_outputs_measured(const run *run) {
    enum { MOST_CELLS = 1 << 22 };
    return cells_of(run) <= MOST_CELLS;
}

/* All but the height. */
static wadi_status write_rest(run *run, const char *staging, run_result *result) {
    wadi_status status = run_mass(run, &result->mass);
    if (status == WADI_OK) status = write_maps(run, staging, false, result);
    if (status != WADI_OK) return status;
    put_in_order(result);
    if (!run->plan.no_preview) status = write_preview(run, staging, result);
    if (status == WADI_OK && run->plan.gauges.every > 0) {
        status = run_gauges_write(run, staging);
        if (status == WADI_OK) status = run_text_list_add(&result->files, GAUGES_CSV);
    }
    return status;
}

#define MEASURES 4 /* that are made at the same time: more threads would wait */

/* Two jobs side by side, which share the threads. The first is this thread's. */
static wadi_status write_and_measure(run *run, const char *staging, const wadi_raster *height, run_result *result) {
    wadi_status written = WADI_OK, measured = WADI_OK;
    char why[1024] = "";
    const int levels = omp_get_max_active_levels(), threads = omp_get_max_threads();
    const int measuring = threads / 2 < MEASURES ? threads / 2 : MEASURES;
    omp_set_max_active_levels(levels + 1);
#pragma omp parallel for schedule(static, 1) num_threads(threads < 2 ? 1 : 2)
    for (int job = 0; job < 2; job++) {
        if (threads > 1) omp_set_num_threads(job == 1 ? measuring : threads - measuring);
        if (job == 0)
            written = write_rest(run, staging, result);
        else if ((measured = run_measures_of(height, result->sea_m, 0, &result->realism)) != WADI_OK)
            snprintf(why, sizeof why, "%s", wadi_error_message());
    }
    omp_set_max_active_levels(levels);
    return measured == WADI_OK ? written : wadi_fail(measured, "%s", why);
}

/* The measures need a copy of the height, because the maps go through the raster. */
static wadi_status write_rest_measured(run *run, const char *staging, run_result *result) {
    wadi_raster height = *run->raster;
    result->sea_m = sea_of(run);
    run_measures_none(&result->realism);
    if (!run_outputs_measured(run)) return write_rest(run, staging, result);
    if (!run_measures_have_memory(&height)) run_checkpoint_end(run); /* its copy goes; how it ended is told later */
    if (!run_measures_fit(&height)) return write_rest(run, staging, result);
    height.values = run_cells_new(cells_of(run));
    if (!height.values) return WADI_ERROR_MEMORY;
    memcpy(height.values, run->raster->values, cells_of(run) * sizeof *height.values);
    const wadi_status status = write_and_measure(run, staging, &height, result);
    run_cells_free(height.values);
    return status;
}

static wadi_status write_all(run *run, const char *staging, run_result *result) {
    const wadi_def *def = wadi_sim_def(run->sim);
    wadi_status status = write_maps(run, staging, true, result); /* before it settles */
    if (status == WADI_OK && run->plan.settle) status = wadi_sim_settle(run->sim);
    if (status == WADI_OK) status = write_field(run, run->sim, staging, "height", result);
    if (status != WADI_OK) return status;
    result->score_after = wadi_erosion_score(run->raster->values, def->width, def->height, def->boundary == WADI_WRAP);
    status = write_rest_measured(run, staging, result);
    if (status != WADI_OK) return status;
    run_series_make(run, staging);
    return write_manifest(run, staging, result);
}

/* A failure that is told later. */
typedef struct failure {
    wadi_status status;
    char why[1024];
} failure;

static void keep_failure(failure *failure, wadi_status status) {
    failure->status = status;
    if (status != WADI_OK) snprintf(failure->why, sizeof failure->why, "%s", wadi_error_message());
}

static wadi_status tell_failure(const failure *failure) {
    return failure->status == WADI_OK ? WADI_OK : wadi_fail(failure->status, "%s", failure->why);
}

/* Whether the disk has room for the outputs beside the new checkpoint and the one before. */
static bool has_room_for_both(const run *run) {
    const uint64_t picture = (uint64_t)16 << 20;
    uint64_t maps = 2;
    for (unsigned chosen = run->plan.maps; chosen != 0; chosen >>= 1) maps += chosen & 1;
    const uint64_t outputs = maps * cells_of(run) * sizeof(float) + picture;
    return platform_free_disk_bytes(run->folder) > run_checkpoint_bytes(run) + outputs;
}

/* The outputs get their names after the checkpoint is whole. If neither could be written, the checkpoint is tried again
 * in the room of the outputs: steps would be lost. */
static void write_outputs(run *run, run_result *result, failure *output, failure *checkpoint) {
    char *staging;
    if (checkpoint->status == WADI_OK && !has_room_for_both(run)) keep_failure(checkpoint, run_checkpoint_end(run));
    wadi_status status = run_staging_open(run->folder, &staging);
    if (status == WADI_OK) status = write_all(run, staging, result);
    keep_failure(output, status);
    if (checkpoint->status == WADI_OK) keep_failure(checkpoint, run_checkpoint_end(run));
    if (status == WADI_OK) keep_failure(output, run_staging_publish(run->folder, staging));
    run_staging_discard(staging);
    if (output->status != WADI_OK && checkpoint->status != WADI_OK) run_checkpoint_again(run);
}

/* Begins the last checkpoint first, of the state that has not settled: more steps go on from there. If the outputs
 * cannot be written, no step is lost. If the checkpoint cannot be written, there are still the outputs and the earlier
 * checkpoint. */
wadi_status run_write_outputs(run *run, run_result *result) {
    /* no step is left, so scratch can be freed */
    for (size_t i = 0; i < run->stage_count; i++) wadi_sim_trim(run->stages[i].sim);
    failure output = {0}, checkpoint = {0};
    keep_failure(&checkpoint, run->plan.no_checkpoint ? WADI_OK : run_checkpoint_begin(run));
    const wadi_status status = run_gauges_end(run);
    if (status != WADI_OK) return status;
    write_outputs(run, result, &output, &checkpoint);
    if (output.status != WADI_OK) return tell_failure(&output);
    if (run->plan.no_checkpoint) return run_checkpoint_remove(run); /* last: until here the run can be resumed */
    return tell_failure(&checkpoint);
}

void run_result_free(run_result *result) {
    for (size_t i = 0; i < result->output_count; i++) free(result->outputs[i].path);
    run_text_list_free(&result->files);
}
