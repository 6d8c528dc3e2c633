#include "run_levels.h"

#include "array.h"
#include "map_input.h"
#include "run_def.h"
#include "run_stages.h"
#include "text.h"

#include "core/rasters.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_SIDE = 8, CELLS_OF_A_FEATURE = 8 };

static size_t cells_of(const wadi_def *def) { return (size_t)def->width * (size_t)def->height; }
static int shorter_side(const wadi_raster *raster) {
    return raster->width < raster->height ? raster->width : raster->height;
}

/* --- how many --- */

static wadi_status check_levels(const wadi_raster *raster, int levels) {
    const int side = wadi_level_cells(shorter_side(raster), levels - 1);
    if (levels == 1 || side >= LEAST_SIDE) return WADI_OK;
    int most = 1;
    while (wadi_level_cells(shorter_side(raster), most) >= LEAST_SIDE) most++;
    return wadi_fail(WADI_ERROR_ARGUMENT,
                     "--levels %d: the coarsest grid of %d x %d cells would be too small; at most %d", levels,
                     raster->width, raster->height, most);
}

/* The coarsest cell is nearest to an eighth of the feature, as far as the terrain's size allows. */
static int levels_for(const wadi_raster *raster, double feature_m) {
    const double cell = sqrt(raster->lx * raster->ly);
    int levels = 1;
    while (levels < MOST_LEVELS && cell * pow(2, levels - 0.5) < feature_m / CELLS_OF_A_FEATURE &&
           wadi_level_cells(shorter_side(raster), levels) >= LEAST_SIDE)
        levels++;
    return levels;
}

/* As many of the preset's as fit. */
static int fitting(const wadi_raster *raster, int levels) {
    while (levels > 1 && wadi_level_cells(shorter_side(raster), levels - 1) < LEAST_SIDE) levels--;
    return levels;
}

wadi_status run_count_levels(const run_options *options, const wadi_raster *raster, int *levels) {
    *levels = options->levels > 0 ? (int)options->levels : fitting(raster, *levels);
    if (options->levels > 0 && options->feature_m > 0)
        return run_at(
            options, &options->feature_m,
            wadi_fail(WADI_ERROR_ARGUMENT, "--feature-size: --levels says where to begin, too; leave one out"));
    if (options->feature_m > 0) *levels = levels_for(raster, options->feature_m);
    return run_at(options, &options->levels, check_levels(raster, *levels));
}

static double time_step(const wadi_def *def) {
    const int index = wadi_model_parameter_index(def->model, "dt");
    return index >= 0 ? def->values[index] : 1;
}

/* None, if the stage does not take part. */
static int64_t steps_at(const run_stage *fine, int level) {
    return level < fine->levels ? wadi_level_steps(wadi_sim_def(fine->sim), fine->steps, level) : 0;
}

/* Time of all levels together, in time steps of level 0, which makes so many steps. */
static double time_of_levels(const wadi_def *def, int64_t steps, int levels) {
    double time = 0;
    for (int level = 0; level < levels; level++) {
        const wadi_def at = wadi_def_level(def, level);
        time += (double)wadi_level_steps(def, steps, level) * time_step(&at) / time_step(def);
    }
    return time;
}

int64_t run_share_steps(const wadi_def *def, int64_t steps, int levels) {
    const int64_t many = 1000000;
    if (levels == 1) return steps;
    const double share = floor((double)steps * (double)many / time_of_levels(def, many, levels) + 1e-3);
    return share >= 1 ? (int64_t)share : 1;
}

wadi_status run_fit_time_step(const run_options *options, int levels, wadi_def *def) {
    const int index = wadi_model_parameter_index(def->model, "dt");
    if (run_setting_of(options, def->model, index) >= 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--time with --steps sets dt, and so does --set dt; leave one out");
    if (options->steps == 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--time with --steps 0: no steps take no time; leave one out");
    const double dt = options->time_s / time_of_levels(def, options->steps, levels);
    if (wadi_def_set(def, "dt", dt) == WADI_OK) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "--time %g with --steps %" PRId64 ": %s", options->time_s, options->steps,
                     wadi_error_message());
}

/* --- the stages of a coarser level --- */

/* Averages a field of the finest grid, which has values in all cells with data. */
static wadi_status average(const wadi_sim *fine, const char *field, const wadi_def *to, wadi_raster **means) {
    const wadi_def *from = wadi_sim_def(fine);
    float *values = run_cells_new(cells_of(from));
    wadi_status status = values ? wadi_sim_get(fine, field, values, cells_of(from)) : WADI_ERROR_MEMORY;
    if (status == WADI_OK) status = wadi_raster_create(to->width, to->height, means);
    if (status == WADI_OK)
        status = wadi_average(values, from->width, from->height, (*means)->values, to->width, to->height);
    run_cells_free(values);
    const bool terrain = strcmp(field, "height") == 0;
    for (size_t i = 0; status == WADI_OK && !terrain && i < cells_of(to); i++)
        if (isnan((*means)->values[i])) (*means)->values[i] = 0; /* no data */
    return status;
}

static wadi_status average_field(const wadi_sim *fine, const char *field, wadi_sim *coarse) {
    const wadi_def *to = wadi_sim_def(coarse);
    wadi_raster *means = NULL;
    wadi_status status = average(fine, field, to, &means);
    if (status == WADI_OK) status = wadi_sim_set(coarse, field, means->values, cells_of(to));
    wadi_raster_destroy(means);
    return status;
}

/* The maps of a coarser stage, one after the other. */
typedef struct coarse_maps {
    const run *run;
    const run_stage *fine;
    const wadi_sim *coarse;
    size_t begun; /* of the inputs of the fine stage */
    wadi_raster *map;
} coarse_maps;

static wadi_status next_map(void *context, const char **field, const float **values) {
    coarse_maps *maps = context;
    const run_inputs *inputs = &maps->fine->inputs;
    wadi_raster_destroy(maps->map);
    maps->map = NULL;
    while (maps->begun < inputs->count && strcmp(inputs->items[maps->begun].name, "sources") == 0) maps->begun++;
    if (maps->begun == inputs->count) return WADI_OK;
    const run_input *input = &inputs->items[maps->begun++];
    wadi_status status = run_map_input_of_level(maps->run, maps->coarse, input->name, input->path, &maps->map);
    if (status == WADI_OK && !maps->map)
        status = average(maps->fine->sim, input->name, wadi_sim_def(maps->coarse), &maps->map);
    if (status == WADI_OK) *field = input->name, *values = maps->map->values;
    return status;
}

static wadi_status set_maps(const run *run, const run_stage *fine, wadi_sim *coarse) {
    coarse_maps maps = {.run = run, .fine = fine, .coarse = coarse};
    const wadi_status status = wadi_sim_set_maps(coarse, next_map, &maps);
    wadi_raster_destroy(maps.map);
    return status;
}

/* The same places and rates, in the coarser grid's cells. */
static wadi_status place_sources(const run_stage *fine, wadi_sim *coarse) {
    const wadi_def *from = wadi_sim_def(fine->sim), *to = wadi_sim_def(coarse);
    if (fine->source_count == 0) return WADI_OK;
    wadi_source *sources = run_array_copy(fine->sources, fine->source_count, sizeof *sources);
    if (!sources) return WADI_ERROR_MEMORY;
    for (size_t i = 0; i < fine->source_count; i++) {
        sources[i].x *= (double)to->width / from->width;
        sources[i].y *= (double)to->height / from->height;
    }
    const wadi_status status = wadi_sim_set_sources(coarse, sources, fine->source_count);
    free(sources);
    return status;
}

static wadi_status copy_settings(const run_stage *fine, run_stage *stage) {
    stage->preset = fine->preset ? run_text_copy(fine->preset) : NULL;
    if (fine->preset && !stage->preset) return WADI_ERROR_MEMORY;
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < fine->inputs.count && status == WADI_OK; i++) {
        const run_input *input = &fine->inputs.items[i];
        status = run_add_input(&stage->inputs, input->name, input->path, input->sha256);
    }
    return status;
}

/* `first`: whether no earlier stage of the level has hardness, which later ones take over. */
static wadi_status make_coarse(const run *run, const run_stage *fine, bool first, run_stage *stage) {
    wadi_def def = wadi_def_level(wadi_sim_def(fine->sim), stage->level);
    def.memory_limit = run_level_limit(def.memory_limit, stage->level);
    const bool hard = first && wadi_model_has_hardness(def.model) &&
                      (run->plan.hardness_made || run_input_path(&run->plan.inputs, "hardness"));
    wadi_status status = copy_settings(fine, stage);
    if (status == WADI_OK) status = wadi_sim_create(&def, &stage->sim);
    if (status == WADI_OK) status = average_field(fine->sim, "height", stage->sim);
    if (status == WADI_OK) status = set_maps(run, fine, stage->sim);
    if (status == WADI_OK) status = place_sources(fine, stage->sim);
    if (status == WADI_OK && hard) status = average_field(fine->sim, "hardness", stage->sim);
    return status == WADI_OK ? run_stage_begin(stage, stage->sim) : status;
}

static wadi_status make_level(run *run, const run_stage *fine, size_t count, int level, bool water, run_stage *stages) {
    const size_t before = (size_t)(stages - run->stages);
    bool hard = false;
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < count && status == WADI_OK; i++) {
        stages[i] = (run_stage){.level = level,
                                .mask_taken = fine[i].mask_taken,
                                .rain_taken = fine[i].rain_taken,
                                .maps = fine[i].maps,
                                .first = before + fine[i].first,
                                .last = before + fine[i].last,
                                .rounds = fine[i].rounds,
                                .steps = steps_at(&fine[i], level),
                                .levels = fine[i].levels};
        run->stage_count++;
        status = make_coarse(run, &fine[i], !hard, &stages[i]);
        hard = hard || wadi_model_has_hardness(wadi_sim_def(fine[i].sim)->model);
    }
    return status == WADI_OK && water ? average_field(fine->sim, "water", stages->sim) : status;
}

/* The stages of level 0 follow the coarser ones, even if one of these could not be made: the run owns them all. */
static void append_fine(run *run, const run_stage *fine, size_t count) {
    const size_t before = run->stage_count;
    for (size_t i = 0; i < count; i++) {
        run->stages[before + i] = fine[i];
        run->stages[before + i].first += before;
        run->stages[before + i].last += before;
    }
    run->stage_count += count;
}

wadi_status run_levels_make(run *run, bool water) {
    const int levels = run->plan.levels;
    const size_t count = run->stage_count;
    run_stage *fine = run->stages;
    if (levels <= 1) return WADI_OK;
    run_stage *stages = run_array_new(count * (size_t)levels, sizeof *stages);
    if (!stages) return WADI_ERROR_MEMORY;
    run->stages = stages;
    run->stage_count = 0;
    wadi_status status = WADI_OK;
    for (int level = levels - 1; level > 0 && status == WADI_OK; level--)
        status = make_level(run, fine, count, level, water, stages + run->stage_count);
    append_fine(run, fine, count);
    run->plan.steps = 0;
    for (size_t i = 0; i < run->stage_count; i++) run->plan.steps += run_stage_steps(&run->stages[i]);
    free(fine);
    run->sim = run->stages->sim;
    return status;
}
