/* open.c: opens a heightmap, a run folder, a recipe or a file of work. */
#include "viewer/work/open.h"

#include "viewer/work/checkpoints.h"
#include "viewer/work/stages.h"

#include "run/array.h"
#include "run/folder.h"
#include "run/looks.h"
#include "run/message.h"
#include "run/recipe.h"

#include "platform/platform.h"

#include "run/checkpoint.h"
#include "run/run_inputs.h"
#include "run/run_read.h"
#include "run/run_start.h"
#include "run/text.h"

#include <stdlib.h>
#include <string.h>

static void empty(work *work) {
    while (work->saved_count > 0) work_drop_checkpoint(work, work->saved_count - 1);
    for (size_t i = 0; work->fresh && i < work->run.stage_count; i++) free(work->fresh[i].bytes);
    free(work->saved);
    free(work->fresh);
    free(work->marks);
    run_free(&work->run);
    *work = (struct work){0};
}

static wadi_status refuse_turns(const run *run) {
    for (size_t i = 0; i < run->stage_count; i++)
        if (run->stages[i].rounds > 1)
            return wadi_fail(WADI_ERROR_ARGUMENT, "stages that are repeated cannot be shown: 'wadi run' runs them");
    return WADI_OK;
}

static void prepare(run *run) { run->plan.maps = run_maps_by_default(); }

static wadi_status open_recipe(recipe *recipe, bool stepless, work *work) {
    prepare(&work->run);
    recipe->endless = true;
    recipe->top.on.memory_limit = 0, recipe->top.on.scratch = NULL; /* the window computes in memory */
    for (size_t i = 0; i < recipe->stage_count; i++) {              /* a preset's levels are left out */
        run_options *options = &recipe->stages[i].options;
        if (options->levels == 0 && !(options->feature_m > 0)) options->levels = 1;
    }
    wadi_status status = run_load(recipe, &work->run);
    if (status == WADI_OK) status = refuse_turns(&work->run);
    if (status != WADI_OK) return status;
    if (stepless && work->run.plan.levels == 1) work->run.stages[0].steps = 0;
    return work_settle(work);
}

static bool ends_in(const char *path, const char *end) {
    const size_t length = strlen(path), size = strlen(end);
    return length > size && strcmp(path + length - size, end) == 0;
}

static wadi_status open_checkpoint(const char *path, const run_options *options, work *work) {
    wadi_def how = wadi_default_def(wadi_model_at(0), 2, 2, 1, 1);
    run_backend_apply_unseen(&options->on, &how);
    how.threads = (int)options->threads;
    wadi_status status = run_checkpoint_read_file(path, &how, &work->run);
    if (status == WADI_OK) status = refuse_turns(&work->run);
    if (status == WADI_OK) status = work_settle(work);
    return status;
}

static wadi_status open_height(const char *path, const run_options *given, work *work) {
    recipe recipe;
    wadi_status status = run_recipe_from_options(given, path, &recipe);
    if (status == WADI_OK) status = open_recipe(&recipe, true, work);
    run_recipe_free(&recipe);
    return status;
}

/* What the run computed with in its last stage, unless the user chose something else. The texts stay those of `own`. A
 * run.json that cannot be read keeps nobody from the heights beside it. */
static wadi_status take_settings(const char *path, const char *height, recipe *own, run_options *given) {
    if (given->model || given->preset || given->settings.count || given->knobs.count) return WADI_OK;
    char *manifest = run_text_join(path, RUN_JSON);
    if (!manifest) return WADI_ERROR_MEMORY;
    const wadi_status status = run_recipe_read(manifest, &run_options_default, (option_set){0}, height, own);
    free(manifest);
    if (status == WADI_ERROR_UNSUPPORTED) return WADI_OK; /* this build reads no JSON */
    if (status == WADI_ERROR_MEMORY) return status;
    if (status != WADI_OK) {
        run_message_warn("%s; opened with standard settings", wadi_error_message());
        return WADI_OK;
    }
    const run_options *last = &own->stages[own->stage_count - 1].options;
    given->model = last->model, given->preset = last->preset;
    given->settings = last->settings;
    given->repeats = last->repeats;
    given->allow_out_of_range |= last->allow_out_of_range;
    if (given->boundary < 0) given->boundary = last->boundary;
    if (given->scale < 0) given->scale = last->scale;
    if (!(given->world_m > 0)) given->world_m = last->world_m;
    return WADI_OK;
}

/* Its height, its water where no other is given, the colours of its ground, and its settings. */
static wadi_status open_folder(const char *path, const run_options *options, work *work) {
    run_options given = *options;
    char *height = NULL, *water = NULL;
    wadi_status status = run_folder_find_field(path, "height", &height);
    if (status == WADI_OK && !height)
        status = wadi_fail(WADI_ERROR_ARGUMENT, "%s: is no run folder (no height in it)", path);
    if (status == WADI_OK) status = run_folder_find_field(path, "water", &water);
    if (!given.water) given.water = water;
    wadi_ground ground = (wadi_ground)given.ground;
    if (status == WADI_OK && !ground && run_folder_has(path, RUN_JSON)) status = run_read_ground(path, &ground);
    given.ground = (int)ground;
    recipe own = {0};
    if (status == WADI_OK && run_folder_has(path, RUN_JSON)) status = take_settings(path, height, &own, &given);
    if (status == WADI_OK) status = open_height(height, &given, work);
    run_recipe_free(&own);
    free(height);
    free(water);
    return status;
}

static wadi_status open_unfinished(const char *path, const run_options *options, work *work) {
    char *checkpoint = run_text_join(path, CHECKPOINT);
    const wadi_status status = checkpoint ? open_checkpoint(checkpoint, options, work) : WADI_ERROR_MEMORY;
    free(checkpoint);
    return status;
}

static bool reads_otherwise(const read_args *given) {
    return given->size[0] || given->cell.count || given->range.count || given->nodata.count || given->band ||
           given->z_unit || given->encoding || given->byte_order != BYTES_LITTLE;
}

/* Whether the user asks for other settings or inputs than the run's. */
static bool chooses(const run_options *given) {
    return given->model || given->preset || given->settings.count || given->knobs.count || given->rain ||
           given->rain_series || given->sources || given->hardness || given->water || given->mask || given->sea_level ||
           given->boundary >= 0 || given->scale >= 0 || given->world_m > 0 || given->breach.count || given->levels ||
           given->feature_m > 0 || given->level_warp > 0 || given->ground || given->allow_out_of_range ||
           given->seed != run_options_default.seed || reads_otherwise(&given->read);
}

/* Its last checkpoint has what was painted, and what was done. The height beside it remains where that cannot be read.
 */
static wadi_status open_finished(const char *path, const run_options *options, work *work) {
    if (!run_folder_has(path, CHECKPOINT) || chooses(options)) return open_folder(path, options, work);
    const wadi_status status = open_unfinished(path, options, work);
    if (status == WADI_OK || status == WADI_ERROR_MEMORY) return status;
    run_message_warn("%s; opened with its height alone", wadi_error_message());
    empty(work);
    return open_folder(path, options, work);
}

static wadi_status open_recipe_file(const char *path, const run_options *options, work *work) {
    recipe recipe;
    wadi_status status = run_recipe_read(path, options, (option_set){0}, NULL, &recipe);
    if (status == WADI_OK) status = open_recipe(&recipe, false, work);
    run_recipe_free(&recipe);
    return status;
}

static wadi_status open_any(const char *path, const run_options *options, work *work) {
    const bool is_folder = platform_is_folder(path);
    if (is_folder && run_folder_has(path, CHECKPOINT) && !run_folder_has(path, RUN_JSON))
        return open_unfinished(path, options, work);
    if (ends_in(path, ".wadi")) return open_checkpoint(path, options, work);
    if (ends_in(path, ".yaml") || ends_in(path, ".yml") || ends_in(path, ".json"))
        return open_recipe_file(path, options, work);
    return is_folder ? open_finished(path, options, work) : open_height(path, options, work);
}

static wadi_status opened(wadi_status status, work **work) {
    if (status == WADI_OK) return WADI_OK;
    work_close(*work);
    *work = NULL;
    return status;
}

wadi_status work_open(const char *path, const run_options *options, work **work) {
    *work = run_array_new(1, sizeof **work);
    return *work ? opened(open_any(path, options, *work), work) : WADI_ERROR_MEMORY;
}

static wadi_status open_text(const char *text, const run_options *options, work *work) {
    run_options given = *options;
    recipe recipe;
    given.read.size[0] = given.read.size[1] = 0; /* the text has its own */
    wadi_status status = run_recipe_parse("new terrain", text, strlen(text), &given, (option_set){0}, &recipe);
    if (status == WADI_OK) status = open_recipe(&recipe, true, work);
    run_recipe_free(&recipe);
    return status;
}

wadi_status work_open_text(const char *text, const run_options *options, work **work) {
    *work = run_array_new(1, sizeof **work);
    return *work ? opened(open_text(text, options, *work), work) : WADI_ERROR_MEMORY;
}

static wadi_status open_look(const char *name, const run_options *options, work *work) {
    enum { CELLS = 512 }; /* a side: grown in a quarter of a minute */
    run_options given = *options;
    recipe recipe;
    if (given.read.size[0] == 0) given.read.size[0] = given.read.size[1] = CELLS;
    wadi_status status = run_look_recipe(name, &given, (option_set){0}, &recipe);
    if (status == WADI_OK) status = open_recipe(&recipe, false, work);
    run_recipe_free(&recipe);
    return status;
}

wadi_status work_open_look(const char *name, const run_options *options, work **work) {
    *work = run_array_new(1, sizeof **work);
    return *work ? opened(open_look(name, options, *work), work) : WADI_ERROR_MEMORY;
}

void work_close(work *work) {
    if (!work) return;
    empty(work);
    free(work);
}
