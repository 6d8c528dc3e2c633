/* public.c: the functions of wadi/run.h, on top of the library's own. */
#include "wadi/run.h"

#include "array.h"
#include "checkpoint_writer.h"
#include "recipe.h"
#include "run_carry.h"
#include "run_options.h"
#include "run_outputs.h"
#include "run_resume.h"
#include "run_series.h"
#include "run_stages.h"
#include "run_start.h"
#include "run_steps.h"
#include "run_video.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

struct wadi_run {
    run run;
    recipe recipe;
    run_options options;
    option_set given;
    text_list texts; /* what the options and the recipe point to */
    bool failed, finished;
    bool in_memory; /* there is no folder */
};

/* --- options --- */

static wadi_status missing(const char *what) { return wadi_fail(WADI_ERROR_ARGUMENT, "%s is missing", what); }

static const option *find_option(const char *name) {
    for (const option *o = run_option_rows; o->name; o++)
        if (strcmp(o->name, name) == 0) return o;
    return NULL;
}

static wadi_status refuse_name(const char *name) {
    const char *names[MOST_OPTIONS];
    size_t count = 0;
    for (const option *o = run_option_rows; o->name && count < MOST_OPTIONS; o++)
        if (!o->command_alone) names[count++] = o->name;
    char near[128];
    return wadi_fail(WADI_ERROR_ARGUMENT, "--%.80s: a run has no such option%s", name,
                     run_did_you_mean(name, names, count, near));
}

/* "name=value", or "name" for a flag. `text` lives as long as the run; its '=' becomes a 0. */
static wadi_status take_option(wadi_run *run, char *text) {
    char *value = strchr(text, '=');
    if (value) *value++ = '\0';
    const option *option = find_option(text);
    if (!option || option->command_alone) return refuse_name(text);
    const bool flag = option->type == OPTION_FLAG;
    if (flag && value) return wadi_fail(WADI_ERROR_ARGUMENT, "--%s takes no value; leave '%s' out", text, value);
    if (!flag && !value)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--%s: its value is missing; write %s=%s", text, text, option->value);
    option_set_add(&run->given, option - run_option_rows);
    return run_option_store(option, value ? value : "", &run->options);
}

/* A copy that lives as long as the run; NULL stays NULL. */
static wadi_status keep(wadi_run *run, const char *text, const char **kept) {
    *kept = NULL;
    const wadi_status status = text ? run_text_list_add(&run->texts, text) : WADI_OK;
    if (text && status == WADI_OK) *kept = run->texts.items[run->texts.count - 1];
    return status;
}

/* What would do nothing in memory: files to write, and how pictures look. */
static bool is_about_files(const option *option) {
    const size_t film = offsetof(run_options, film);
    if (option->offset >= film && option->offset < film + sizeof run_options_default.film) return true;
    static const char *const names[] = {"ground",        "maps",        "format",       "checkpoint-every",
                                        "no-checkpoint", "no-preview",  "force",        "video",
                                        "every",         "save",        "save-format",  "fps",
                                        "gauges",        "gauge-every", "strict-inputs"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(option->name, names[i]) == 0) return true;
    return false;
}

static wadi_status refuse_files(const wadi_run *run) {
    for (const option *o = run_option_rows; o->name; o++)
        if (option_set_has(run->given, o - run_option_rows) && is_about_files(o))
            return wadi_fail(WADI_ERROR_ARGUMENT,
                             "--%s: a run in memory writes no files; leave it out, or name a folder", o->name);
    return WADI_OK;
}

bool wadi_run_option_at(size_t index, wadi_run_option *facts) {
    const option *o = run_option_rows;
    while (o->name && (o->command_alone || index-- > 0)) o++;
    if (!facts || !o->name) return false;
    *facts = (wadi_run_option){.name = o->name,
                               .value = o->value,
                               .choices = o->choices,
                               .files = is_about_files(o),
                               .repeated = o->type == OPTION_TEXTS};
    if (o->help_text)
        o->help_text(facts->help);
    else
        run_text_add(facts->help, sizeof facts->help, "%s", o->help);
    return true;
}

static wadi_status take_options(wadi_run *run, const char *const *options, size_t count) {
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < count && status == WADI_OK; i++) {
        if (!options || !options[i]) return missing("an option's text");
        status = run_text_list_add(&run->texts, options[i]);
        if (status == WADI_OK) status = take_option(run, run->texts.items[run->texts.count - 1]);
    }
    return status;
}

/* For run.json. */
static wadi_status note_command(run *run, const wadi_run_def *def) {
    wadi_status status = run_text_list_add(&run->plan.command, "wadi_run_start");
    if (status == WADI_OK && def->input) status = run_text_list_add(&run->plan.command, def->input);
    for (size_t i = 0; i < def->option_count && status == WADI_OK; i++)
        status = run_text_list_add(&run->plan.command, def->options[i]);
    return status;
}

/* --- start --- */

static wadi_status read_recipe(wadi_run *run, const wadi_run_def *def) {
    const char *input, *name;
    const char *given = def->input || !def->raster ? def->input : "the heightmap";
    wadi_status status = keep(run, given, &input);
    if (status == WADI_OK) status = keep(run, def->recipe ? def->recipe : "recipe", &name);
    if (status != WADI_OK) return status;
    if (!def->recipe && !def->recipe_text)
        return input ? run_recipe_from_options(&run->options, input, &run->recipe) : missing("input or recipe");
    status = run_check_with_recipe(run->given);
    if (status != WADI_OK) return status;
    if (!def->recipe_text) return run_recipe_read(name, &run->options, run->given, input, &run->recipe);
    return run_recipe_read_text(name, def->recipe_text, &run->options, run->given, input, &run->recipe);
}

static wadi_status start_in_memory(wadi_run *run, const wadi_run_def *def) {
    run->in_memory = true;
    wadi_status status = take_options(run, def->options, def->option_count);
    if (status == WADI_OK) status = refuse_files(run);
    if (status == WADI_OK) status = read_recipe(run, def);
    if (status != WADI_OK) return status;
    run->recipe.raster = def->raster;
    return run_prepare_in_memory(&run->recipe, &run->run);
}

static wadi_status start(wadi_run *run, const wadi_run_def *def) {
    if (!def->folder) return start_in_memory(run, def);
    if (def->raster)
        return wadi_fail(WADI_ERROR_ARGUMENT, "raster: a run folder holds the name of a file; write it to one");
    wadi_status status = take_options(run, def->options, def->option_count);
    if (status == WADI_OK) status = keep(run, def->folder, &run->options.output);
    if (status == WADI_OK) status = note_command(&run->run, def);
    if (status == WADI_OK) status = read_recipe(run, def);
    if (status == WADI_OK) status = run_prepare(&run->recipe, &run->run);
    return status == WADI_OK ? run_begin(&run->run, run->options.force) : status;
}

static wadi_status resume(wadi_run *run, const char *folder, const char *const *options, size_t count) {
    wadi_status status = take_options(run, options, count);
    if (status == WADI_OK) status = run_check_with_resume(run->given);
    if (status == WADI_OK) status = keep(run, folder, &run->options.resume);
    if (status == WADI_OK) status = run_resume(&run->options, &run->run);
    return status == WADI_OK ? run_go_on(&run->run) : status;
}

/* A run in *made, or NULL. */
static wadi_status make(wadi_run **made) {
    *made = run_array_new(1, sizeof **made);
    if (!*made) return WADI_ERROR_MEMORY;
    (*made)->options = run_options_default;
    return WADI_OK;
}

static wadi_status deliver(wadi_status status, wadi_run *made, wadi_run **run) {
    if (status == WADI_OK)
        *run = made;
    else
        wadi_run_close(made);
    return status;
}

wadi_status wadi_run_start(const wadi_run_def *def, wadi_run **run) {
    wadi_run *made;
    if (!run) return missing("run");
    *run = NULL;
    if (!def) return missing("def");
    const wadi_status status = make(&made);
    return status == WADI_OK ? deliver(start(made, def), made, run) : status;
}

wadi_status wadi_run_resume(const char *folder, const char *const *options, size_t option_count, wadi_run **run) {
    wadi_run *made;
    if (!run) return missing("run");
    *run = NULL;
    if (!folder) return missing("folder");
    const wadi_status status = make(&made);
    return status == WADI_OK ? deliver(resume(made, folder, options, option_count), made, run) : status;
}

void wadi_run_close(wadi_run *run) {
    if (!run) return;
    run_free(&run->run);
    run_recipe_free(&run->recipe);
    run_text_list_free(&run->options.settings);
    run_text_list_free(&run->options.knobs);
    run_text_list_free(&run->texts);
    free(run);
}

/* --- steps and results --- */

static wadi_status check_usable(const wadi_run *run) {
    if (!run) return missing("run");
    if (run->failed) return wadi_fail(WADI_ERROR_ARGUMENT, "%s: this run has failed; close it", run->run.folder);
    if (run->finished) return wadi_fail(WADI_ERROR_ARGUMENT, "%s: this run is finished; close it", run->run.folder);
    return WADI_OK;
}

wadi_status wadi_run_step(wadi_run *run, int64_t steps, wadi_run_progress_fn *progress, void *context) {
    wadi_status status = check_usable(run);
    if (status != WADI_OK) return status;
    if (steps < 0) return wadi_fail(WADI_ERROR_ARGUMENT, "steps: %lld; 0 or more are wanted", (long long)steps);
    const run_plan *plan = &run->run.plan;
    const int64_t left = plan->steps - plan->done;
    status = run_steps(&run->run, plan->done + (steps < left ? steps : left), progress, context);
    if (status == WADI_OK) status = run_checkpoint_end(&run->run);
    run->failed = status != WADI_OK;
    return status;
}

wadi_status wadi_run_checkpoint(wadi_run *run) {
    const wadi_status status = check_usable(run);
    if (status == WADI_OK && run->in_memory)
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "a run in memory has no folder for a checkpoint; wadi_sim_save keeps its state");
    return status == WADI_OK ? run_checkpoint_write(&run->run) : status;
}

static wadi_status settle(wadi_run *run) {
    run->finished = true;
    return run->run.plan.settle ? wadi_sim_settle(run->run.sim) : WADI_OK;
}

wadi_status wadi_run_finish(wadi_run *run) {
    wadi_status status = check_usable(run);
    if (status != WADI_OK) return status;
    const run_plan *plan = &run->run.plan;
    if (plan->done < plan->steps)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: %lld of %lld steps are done; make the others first", run->run.folder,
                         (long long)plan->done, (long long)plan->steps);
    if (run->in_memory) return settle(run);
    run_result result = {0};
    run_video_end(&run->run, false);
    status = run_write_outputs(&run->run, &result);
    run_result_free(&result);
    if (status == WADI_OK) status = run_series_end(&run->run);
    run->finished = true;
    return status != WADI_OK ? status : run_video_result(&run->run);
}

/* --- queries --- */

static bool is_coarse(const run *run) {
    const wadi_def *def = wadi_sim_def(run->sim);
    return def->width != run->raster->width || def->height != run->raster->height;
}

const wadi_raster *wadi_run_grid(const wadi_run *run) { return run ? run->run.raster : NULL; }

wadi_status wadi_run_get(const wadi_run *run, const char *map, float *values, size_t count) {
    if (!run || !map || !values) return missing(!run ? "run" : !map ? "map" : "values");
    const wadi_raster *raster = run->run.raster;
    if (count != (size_t)raster->width * (size_t)raster->height)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: room for %zu values, %d x %d cells", map, count, raster->width,
                         raster->height);
    if (is_coarse(&run->run)) return run_get(&run->run, map, values);
    const wadi_sim *sim;
    const wadi_status status = run_map_sim(&run->run, map, values, &sim);
    return status == WADI_OK ? wadi_sim_get(sim, map, values, count) : status;
}

wadi_status wadi_run_mass(wadi_run *run, wadi_mass *mass) {
    if (!run || !mass) return missing(run ? "mass" : "run");
    return run_mass(&run->run, mass);
}

int64_t wadi_run_done(const wadi_run *run) { return run ? run->run.plan.done : 0; }
int64_t wadi_run_total(const wadi_run *run) { return run ? run->run.plan.steps : 0; }
const char *wadi_run_model(const wadi_run *run) { return run ? run_title(&run->run) : NULL; }
const wadi_sim *wadi_run_sim(const wadi_run *run) { return run ? run->run.sim : NULL; }
