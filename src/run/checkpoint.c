/* checkpoint.c: simulations with the run's plan as a note in the first, and the file in the run folder. */
#include "checkpoint.h"

#include "array.h"
#include "backend.h"
#include "fail.h"
#include "folder.h"
#include "gauges.h"
#include "plan_note.h"
#include "run_stages.h"
#include "text.h"

#include "platform/platform.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct stream {
    FILE *file;
    const char *path;
} stream;

static wadi_status read_stream(void *context, void *bytes, size_t count) {
    stream *stream = context;
    if (fread(bytes, 1, count, stream->file) == count) return WADI_OK;
    return wadi_fail(WADI_ERROR_FORMAT, "%s: ends too early; it is damaged", stream->path);
}

static size_t cells_of(const run *run) { return (size_t)run->raster->width * (size_t)run->raster->height; }

/* Their count, which is 0 for NULL, and a checksum before the values. */
static wadi_status save_cells(const float *cells, size_t cell_count, wadi_write_fn *write, void *context) {
    const uint64_t count = cells ? cell_count : 0;
    char hex[65];
    wadi_status status = write(context, &count, sizeof count);
    if (!count || status != WADI_OK) return status;
    wadi_field_sha256(cells, cell_count, hex);
    status = write(context, hex, sizeof hex);
    return status == WADI_OK ? write(context, cells, cell_count * sizeof *cells) : status;
}

/* What equal files hold is stored once: with the first event to come. NULL: it is stored with this one. */
static map_values *stored_before(const run *run, size_t stage, size_t event) {
    const char *sha256 = run->stages[stage].events.items[event].map->sha256;
    map_values *values = NULL;
    for (size_t i = 0; i <= stage && !values; i++) {
        const events *events = &run->stages[i].events;
        values = run_events_map_values(events, run->stages[i].events_done, i < stage ? events->count : event, sha256);
    }
    return values;
}

static wadi_status save_maps(const run *run, wadi_write_fn *write, void *context) {
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < run->stage_count; i++)
        for (size_t k = run->stages[i].events_done; k < run->stages[i].events.count && status == WADI_OK; k++) {
            const map_event *map = run->stages[i].events.items[k].map;
            map_values *before = map ? stored_before(run, i, k) : NULL;
            const map_values *own = map ? map->values : NULL;
            if (map && !before) status = save_cells(own ? own->cells : NULL, own ? own->count : 0, write, context);
            run_map_values_leave(before);
        }
    return status;
}

/* The plan is the note of the first simulation, which is the last stage's: its grid is the run's. */
wadi_status run_checkpoint_save(const run *run, wadi_write_fn *write, void *context) {
    note note = {0};
    wadi_status status = run_plan_put(&note, run);
    bool first = true;
    for (size_t i = run->stage_count; i-- > 0 && status == WADI_OK;) {
        if (!run->stages[i].sim) continue;
        status = wadi_sim_save(run->stages[i].sim, first ? note.bytes : NULL, first ? note.size : 0, write, context);
        first = false;
    }
    free(note.bytes);
    if (status == WADI_OK) status = save_cells(run->hard, cells_of(run), write, context); /* kept for later */
    return status == WADI_OK ? save_maps(run, write, context) : status;
}

static void note_leftover(void *context, const char *name) {
    if (run_folder_is_leftover(name)) *(bool *)context = true;
}

wadi_status run_checkpoint_check(const char *folder) {
    bool killed = false;
    if (!platform_is_folder(folder))
        return wadi_fail(WADI_ERROR_ARGUMENT, "--resume %s: there is no such run folder", folder);
    if (run_folder_has(folder, CHECKPOINT)) return WADI_OK;
    if (run_folder_is_run(folder))
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "--resume %s: this run is complete, and no checkpoint was kept to go on from", folder);
    platform_list(folder, note_leftover, &killed);
    return wadi_fail(WADI_ERROR_ARGUMENT, "--resume %s: holds no run (no %s in it)%s", folder, CHECKPOINT,
                     killed ? "; one was stopped before its first step: start it again as before" : "");
}

static wadi_status restore_failed(const char *what, wadi_status status) {
    return wadi_fail(run_fail_as_input(status), "%s: %s", what, wadi_error_message());
}

/* Checks the choices; the simulation checks the rest. false: there is no such choice. */
static bool settle_beginning(const wadi_def *def, bool before, wadi_def *beginning) {
    wadi_def settled = *def;
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(beginning->model, &count);
    settled.model = beginning->model, settled.boundary = beginning->boundary, settled.seed = beginning->seed;
    settled.allow_out_of_range = beginning->allow_out_of_range, settled.drops = beginning->drops;
    if (!before) {
        settled.scale = beginning->scale, settled.world_m = beginning->world_m;
        memcpy(settled.values, beginning->values, sizeof settled.values);
        memcpy(settled.knobs, beginning->knobs, sizeof settled.knobs);
    }
    bool good = true;
    for (size_t i = 0; i < count; i++)
        if (parameters[i].choices)
            good = good && settled.values[i] >= parameters[i].minimum && settled.values[i] <= parameters[i].maximum;
    *beginning = settled;
    return good;
}

/* Checks the choices and the positions of knobs, too. */
static bool good_adjustment(const adjustment *adjustment, const wadi_model *model) {
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(model, &count);
    bool good = !adjustment->preset || wadi_preset_find(adjustment->preset, &model);
    for (int i = 0; i < WADI_MAX_KNOBS; i++) good = good && !(adjustment->knobs[i] < 0 || adjustment->knobs[i] > 1);
    for (size_t i = 0; i < count; i++) {
        const double value = adjustment->values[i];
        if (parameters[i].choices) good = good && !(value < parameters[i].minimum || value > parameters[i].maximum);
    }
    return good;
}

/* Whether the event is a row of a rain series: it sets the rain and nothing else. */
static bool is_rain(const event *event, const wadi_model *model) {
    if (event->kind != EVENT_SET || event->adjustment->preset) return false;
    const int rain = wadi_model_parameter_index(model, "rain");
    bool alone = true;
    for (int i = 0; i < WADI_MAX_KNOBS; i++) alone = alone && isnan(event->adjustment->knobs[i]);
    for (int i = 0; i < WADI_MAX_PARAMETERS; i++) alone = alone && isnan(event->adjustment->values[i]) == (i != rain);
    return alone;
}

/* Whether the events are in order and complete. Only rows of a rain series may lie beyond the stage's end. */
static bool good_events(const run_stage *stage) {
    int64_t last = 0;
    for (size_t i = 0; i < stage->events.count; i++) {
        const event *event = &stage->events.items[i];
        if (event->at < last) return false;
        if (event->at > run_stage_steps(stage) && !is_rain(event, stage->def.model)) return false;
        last = event->at;
        if (event->kind == EVENT_SET && !good_adjustment(event->adjustment, stage->def.model)) return false;
    }
    return true;
}

typedef struct source {
    wadi_read_fn *read;
    void *context;
    const char *what;
    const wadi_def *how;
    FILE *file; /* what is read; NULL: no file */
} source;

/* Whether cells follow: as many as the run has. */
static wadi_status find_cells(const source *from, size_t cells, bool *found) {
    uint64_t count = 0;
    const wadi_status status = from->read(from->context, &count, sizeof count);
    if (status != WADI_OK) return restore_failed(from->what, status);
    *found = count > 0;
    return count == 0 || count == cells ? WADI_OK : run_plan_damaged(from->what);
}

static wadi_status load_cells(const source *from, float *cells, size_t count) {
    char hex[65] = "", found[65];
    wadi_status status = from->read(from->context, hex, sizeof hex);
    if (status == WADI_OK) status = from->read(from->context, cells, count * sizeof *cells);
    if (status != WADI_OK) return restore_failed(from->what, status);
    wadi_field_sha256(cells, count, found);
    return memcmp(hex, found, sizeof hex) == 0 ? WADI_OK : run_plan_damaged(from->what);
}

static wadi_status load_hard(const source *from, run *run) {
    bool found;
    const wadi_status status = find_cells(from, cells_of(run), &found);
    if (status != WADI_OK || !found) return status;
    run->hard = run_array_new(cells_of(run), sizeof *run->hard);
    return run->hard ? load_cells(from, run->hard, cells_of(run)) : WADI_ERROR_MEMORY;
}

/* An event to come has its values. */
static wadi_status load_map(const source *from, size_t cells, map_event *map) {
    bool found;
    if (map->values) return map->values->count == cells ? WADI_OK : run_plan_damaged(from->what);
    const wadi_status status = find_cells(from, cells, &found);
    if (status != WADI_OK) return status;
    if (!found) return run_plan_damaged(from->what);
    map->values = run_map_values_new(cells);
    return map->values ? load_cells(from, map->values->cells, cells) : WADI_ERROR_MEMORY;
}

static wadi_status load_maps(const source *from, const run *run) {
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < run->stage_count; i++)
        for (size_t k = run->stages[i].events_done; k < run->stages[i].events.count && status == WADI_OK; k++) {
            map_event *map = run->stages[i].events.items[k].map;
            if (map && !map->values) map->values = stored_before(run, i, k);
            if (map) status = load_map(from, cells_of(run), map);
        }
    return status;
}

static wadi_status load_sim(const source *from, uint64_t limit, note *note, wadi_sim **sim) {
    void *bytes = NULL;
    wadi_def how = *from->how;
    how.memory_limit = limit;
    *sim = NULL;
    const wadi_status status = wadi_sim_restore(from->read, from->context, &how, sim, &bytes, &note->size);
    note->bytes = bytes;
    return status == WADI_OK ? WADI_OK : restore_failed(from->what, status);
}

/* Reads the stored simulations, the last stage's first; an earlier version's file has them in order. The first one has
 * been read with the plan. */
static wadi_status load_sims(const source *from, const bool *there, wadi_sim *first, run *run) {
    wadi_status status = WADI_OK;
    const wadi_def *any = wadi_sim_def(first);
    const uint64_t limit = run_backend_share(from->how->memory_limit, run_shares(run));
    for (size_t k = 0; k < run->stage_count && status == WADI_OK; k++) {
        const size_t i = run->plan.before ? k : run->stage_count - 1 - k;
        note none = {0};
        if (there[i] && first) run->stages[i].sim = first;
        if (there[i] && !first)
            status = load_sim(from, run_level_limit(limit, run->stages[i].level), &none, &run->stages[i].sim);
        if (there[i]) first = NULL;
        free(none.bytes);
    }
    wadi_sim_destroy(first); /* it belongs to no stage */
    if (status != WADI_OK || first) return status != WADI_OK ? status : run_plan_damaged(from->what);
    for (size_t i = 0; i < run->stage_count; i++) {
        const wadi_def *def = there[i] ? wadi_sim_def(run->stages[i].sim) : any;
        const int level = run->stages[i].level;
        const bool absent = !there[i] && level > 0; /* of a level that is over, in the window's work */
        const bool same = absent || (wadi_level_cells(run->raster->width, level) == def->width &&
                                     wadi_level_cells(run->raster->height, level) == def->height);
        if (!same || def->model != (there[i] ? run->stages[i].def.model : def->model))
            return run_plan_damaged(from->what);
        if (run->plan.before && !there[i])
            return wadi_fail(WADI_ERROR_ARGUMENT,
                             "%s: was written by another version of wadi; that one can go on with it", from->what);
        if (!settle_beginning(def, run->plan.before, &run->stages[i].def) || !good_events(&run->stages[i]))
            return run_plan_damaged(from->what);
    }
    run->sim = run->stages[run->plan.stage].sim;
    if (!run->sim) return run_plan_damaged(from->what);
    status = run_gauges_restored(run);
    if (status == WADI_OK) status = load_hard(from, run);
    return status == WADI_OK ? load_maps(from, run) : status;
}

/* The first simulation, of level 0, was read before it was known how many share the memory limit: again. */
static wadi_status share_limit(const source *from, uint64_t limit, wadi_sim **first) {
    note known = {0};
    wadi_sim_destroy(*first);
    *first = NULL;
    if (!platform_seek(from->file, 0))
        return wadi_fail(WADI_ERROR_IO, "%s: cannot be read: %s", from->what, strerror(errno));
    const wadi_status status = load_sim(from, limit, &known, first);
    free(known.bytes);
    return status;
}

static wadi_status load(const source *from, run *run) {
    note note = {0};
    bool *there = NULL;
    wadi_sim *first;
    wadi_status status = load_sim(from, from->how->memory_limit, &note, &first);
    if (status != WADI_OK) return status;
    status = run_plan_take(&note, from->what, wadi_sim_def(first), run, &there);
    free(note.bytes);
    if (status == WADI_OK && from->how->memory_limit > 0 && run->stage_count > 1 && from->file)
        status = share_limit(from, run_backend_share(from->how->memory_limit, run_shares(run)), &first);
    if (status != WADI_OK)
        wadi_sim_destroy(first);
    else
        status = load_sims(from, there, first, run);
    free(there);
    return status;
}

wadi_status run_checkpoint_load(wadi_read_fn *read, void *context, const char *what, const wadi_def *how, run *run) {
    return load(&(source){read, context, what, how, NULL}, run);
}

wadi_status run_checkpoint_read_file(const char *path, const wadi_def *how, run *run) {
    if (run_folder_check_source(path) != WADI_OK) return WADI_ERROR_ARGUMENT;
    stream stream = {platform_open(path, "r"), path};
    if (!stream.file)
        return wadi_fail(run_fail_errno(WADI_ERROR_ARGUMENT, errno), "%s: cannot be read: %s", path, strerror(errno));
    wadi_status status = load(&(source){read_stream, &stream, path, how, stream.file}, run);
    fclose(stream.file);
    return status;
}

/* The window stores only the simulation of the current stage. Such a file is refused. */
static wadi_status refuse_work(const char *folder, const run *run) {
    for (size_t i = 0; i < run->stage_count; i++)
        if (!run->stages[i].sim)
            return wadi_fail(WADI_ERROR_ARGUMENT,
                             "--resume %s: its %s is work of the window's: 'wadi view' goes on with it", folder,
                             CHECKPOINT);
    return WADI_OK;
}

static wadi_status read_file(const char *what, const char *path, const wadi_def *how, run *run) {
    if (run_folder_check_source(path) != WADI_OK) return WADI_ERROR_ARGUMENT;
    stream stream = {platform_open(path, "r"), path};
    if (!stream.file)
        return wadi_fail(run_fail_errno(WADI_ERROR_ARGUMENT, errno), "%s: %s cannot be read: %s", what, CHECKPOINT,
                         strerror(errno));
    const wadi_status status = load(&(source){read_stream, &stream, what, how, stream.file}, run);
    fclose(stream.file);
    return status;
}

wadi_status run_checkpoint_read(const char *folder, const wadi_def *how, run *run) {
    char *path = run_text_join(folder, CHECKPOINT), *what = run_text_format("--resume %s", folder);
    wadi_status status = path && what ? read_file(what, path, how, run) : WADI_ERROR_MEMORY;
    if (status == WADI_OK) status = refuse_work(folder, run);
    free(what);
    free(path);
    return status;
}
