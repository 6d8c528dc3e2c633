/* run_series.c: the frames go to a file of their own while the run makes steps: whole frames are kept if the process is
 * killed. At the end, or when the run is stopped, GDAL makes the series of them. They stay beside the checkpoint, so
 * that a longer run goes on with the same series. */
#include "run_series.h"

#include "run_carry.h"
#include "run_stages.h"

#include "array.h"
#include "folder.h"
#include "json.h"
#include "maps.h"
#include "message.h"
#include "text.h"

#include "io/time_series.h"

#include "platform/platform.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES "series.frames"

enum { USUAL_FRAMES = 100, MOST_SAVED = 32, BYTE_ORDER_MARK = 0x01020304 };

/* The beginning of the file of frames. Each frame is its head, then the maps. */
typedef struct file_head {
    char mark[8];
    int32_t order, width, height, format;
    int64_t every;
    uint64_t maps; /* bits, in the order of wadi_map_facts_at */
} file_head;
typedef struct frame_head {
    double step, time_s;
} frame_head;

struct run_series {
    file_head head;
    FILE *file;
    int64_t frames;
    frame_head last;
    wadi_status status; /* of an error during the run */
    char why[1024];
};

/* --- which maps --------------------------------------------------------------------------------------------------- */

/* The ground's own maps, and those that a run writes. */
static bool can_save(const wadi_map_facts *map) {
    return map->use != WADI_MAP_SHOWN || strcmp(map->name, "height") == 0 || strcmp(map->name, "change") == 0;
}

static wadi_status unknown(const char *name) {
    const char *names[MOST_SAVED];
    char near[128], all[MAPS_TEXT] = "";
    size_t count = 0;
    const wadi_map_facts *map;
    for (size_t i = 0; (map = wadi_map_facts_at(i)) != NULL && count < MOST_SAVED; i++) {
        if (!can_save(map)) continue;
        run_text_add(all, sizeof all, "%s%s", count > 0 ? ", " : "", map->name);
        names[count++] = map->name;
    }
    return wadi_fail(WADI_ERROR_ARGUMENT, "--save %s: no such map%s (there are %s)", name,
                     run_did_you_mean(name, names, count, near), all);
}

static wadi_status parse(const char *list, uint64_t *maps) {
    *maps = 0;
    do {
        const size_t length = strcspn(list, ",");
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)length, list);
        const wadi_map_facts *map;
        size_t i = 0;
        while ((map = wadi_map_facts_at(i)) != NULL && (strcmp(map->name, name) != 0 || !can_save(map))) i++;
        if (map == NULL) return unknown(name);
        *maps |= UINT64_C(1) << i;
        list += length + (list[length] == ',');
    } while (*list);
    return WADI_OK;
}

static const wadi_map_facts *saved_at(const run_series *series, size_t index) {
    for (size_t i = 0;; i++)
        if (series->head.maps >> i & 1 && index-- == 0) return wadi_map_facts_at(i);
}

static size_t map_count(const run_series *series) {
    size_t count = 0;
    for (size_t i = 0; i < 64; i++) count += series->head.maps >> i & 1;
    return count;
}

/* --- before the run ----------------------------------------------------------------------------------------------- */

static run_series *new_series(run *run) {
    run_series *series = run->series = run_array_new(1, sizeof *series);
    return series;
}

wadi_status run_series_plan(const run_options *given, run *run) {
    const char *missing;
    if (!given->save && given->save_format > 0)
        return run_at(given, &given->save_format,
                      wadi_fail(WADI_ERROR_ARGUMENT, "--save-format: goes with --save LIST"));
    if (!given->save) return WADI_OK;
    run_series *series = new_series(run);
    if (!series) return WADI_ERROR_MEMORY;
    memcpy(series->head.mark, "WADIFRAM", sizeof series->head.mark);
    series->head.order = BYTE_ORDER_MARK;
    series->head.format = given->save_format;
    series->head.every = given->every;
    wadi_status status = parse(given->save, &series->head.maps);
    if (status == WADI_OK && !wadi_io_series_available(given->save_format == 1, &missing))
        status = wadi_fail(WADI_ERROR_ARGUMENT, "--save: this build cannot write %s: install %s",
                           run_series_formats[given->save_format], missing);
    return run_at(given, &given->save, status);
}

bool run_series_saves(const run *run, const char *map) {
    for (size_t i = 0; run->series && i < map_count(run->series); i++)
        if (strcmp(saved_at(run->series, i)->name, map) == 0) return true;
    return false;
}

/* --- frames ------------------------------------------------------------------------------------------------------- */

static size_t cells_of(const run *run) { return (size_t)run->raster->width * (size_t)run->raster->height; }

static uint64_t place_of(const run *run, int64_t frame) {
    const uint64_t bytes = map_count(run->series) * cells_of(run) * sizeof(float) + sizeof(frame_head);
    return sizeof(file_head) + (uint64_t)frame * bytes;
}

static wadi_status fail_file(const run *run, const char *what) {
    return wadi_fail(errno == ENOMEM ? WADI_ERROR_MEMORY : WADI_ERROR_IO, "%s/" FRAMES ": cannot be %s: %s",
                     run->folder, what, errno != 0 ? strerror(errno) : "it ends too early");
}

/* A model without this map has no values. */
static wadi_status get_map(const run *run, const char *name, float *values) {
    if (strcmp(name, "height") == 0 || wadi_sim_has(run->sim, name)) return run_get(run, name, values);
    for (size_t i = 0; i < cells_of(run); i++) values[i] = (float)NAN;
    return WADI_OK;
}

static wadi_status add_frame(run *run) {
    run_series *series = run->series;
    /* where one stage's time has gone with its simulation, the series' does not go back */
    const frame_head head = {(double)run->plan.done, fmax(run_simulated_s(run), series->last.time_s)};
    errno = 0;
    if (!platform_seek(series->file, place_of(run, series->frames)) || fwrite(&head, sizeof head, 1, series->file) != 1)
        return fail_file(run, "written");
    for (size_t i = 0; i < map_count(series); i++) {
        const wadi_status status = get_map(run, saved_at(series, i)->name, run->raster->values);
        if (status != WADI_OK) return status;
        if (fwrite(run->raster->values, sizeof(float), cells_of(run), series->file) != cells_of(run))
            return fail_file(run, "written");
    }
    if (fflush(series->file) != 0) return fail_file(run, "written");
    series->last = head;
    series->frames++;
    return WADI_OK;
}

static wadi_status read_head(const run *run, int64_t frame, frame_head *head) {
    errno = 0;
    FILE *file = run->series->file;
    return platform_seek(file, place_of(run, frame)) && fread(head, sizeof *head, 1, file) == 1
               ? WADI_OK
               : fail_file(run, "read");
}

/* An earlier process may have gone on without the series, after an error. next: of the frame after the last. */
static void warn_of_hole(const run *run, double next) {
    const run_series *series = run->series;
    const double every = (double)series->head.every;
    const double first = series->frames > 0 ? (floor(series->last.step / every) + 1) * every : 0;
    const double last = floor((next - 1) / every) * every;
    if (first <= last)
        run_message_warn("%s/" FRAMES ": has no frames of steps %.0f to %.0f, which could not be written; "
                         "the series goes on without them",
                         run->folder, first, last);
}

/* Those up to the step that the run goes on from; what a killed process made after it comes again. */
static wadi_status count_frames(run *run) {
    run_series *series = run->series;
    const uint64_t bytes = platform_file_bytes(series->file), first = place_of(run, 0);
    const uint64_t whole = bytes >= first ? (bytes - first) / (place_of(run, 1) - first) : 0;
    wadi_status status = WADI_OK;
    frame_head head;
    for (series->frames = 0; (uint64_t)series->frames < whole; series->frames++) {
        status = read_head(run, series->frames, &head);
        if (status != WADI_OK || !(head.step <= (double)run->plan.done)) break;
        warn_of_hole(run, head.step);
        series->last = head;
    }
    if (status == WADI_OK) warn_of_hole(run, (double)run->plan.done);
    return status;
}

static bool fits(const run *run, const file_head *head) {
    bool good = memcmp(head->mark, "WADIFRAM", sizeof head->mark) == 0 && head->order == BYTE_ORDER_MARK &&
                head->width == run->raster->width && head->height == run->raster->height && head->every > 0 &&
                (head->format == 0 || head->format == 1) && head->maps != 0;
    for (size_t i = 0; i < 64 && good; i++)
        if (head->maps >> i & 1) good = wadi_map_facts_at(i) != NULL && can_save(wadi_map_facts_at(i));
    return good;
}

static wadi_status open_again(run *run, const char *path) {
    run_series *series = platform_exists(path) && !platform_is_special(path) ? new_series(run) : NULL;
    if (!series) return platform_exists(path) && !platform_is_special(path) ? WADI_ERROR_MEMORY : WADI_OK;
    errno = 0;
    series->file = platform_open(path, "r+");
    if (!series->file) return fail_file(run, "read");
    if (fread(&series->head, sizeof series->head, 1, series->file) != 1 || !fits(run, &series->head))
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "%s: is no file of this run's frames; remove it to go on without a series", path);
    return count_frames(run);
}

static wadi_status open_new(run *run, const char *path) {
    run_series *series = run->series;
    const int64_t steps = run->plan.steps, chosen = (steps + USUAL_FRAMES / 2) / USUAL_FRAMES;
    series->head.width = run->raster->width;
    series->head.height = run->raster->height;
    if (series->head.every == 0) series->head.every = chosen > 0 ? chosen : 1;
    errno = 0;
    series->file = platform_open(path, "w+");
    if (!series->file || fwrite(&series->head, sizeof series->head, 1, series->file) != 1)
        return fail_file(run, "written");
    return WADI_OK;
}

static bool is_due(const run *run) {
    const run_series *series = run->series;
    if (series->frames > 0 && !(series->last.step < (double)run->plan.done)) return false;
    return run->plan.done % series->head.every == 0 || run->plan.done >= run->plan.steps;
}

wadi_status run_series_begin(run *run, bool resumed) {
    char *path = run_text_join(run->folder, FRAMES);
    if (!path) return WADI_ERROR_MEMORY;
    wadi_status status = WADI_OK;
    if (resumed)
        status = open_again(run, path);
    else if (run->series)
        status = open_new(run, path);
    else
        platform_remove_file(path); /* of an earlier run, whose checkpoint is gone too */
    free(path);
    return status == WADI_OK && run->series && is_due(run) ? add_frame(run) : status;
}

int64_t run_series_steps_left(const run *run) {
    if (!run->series || run->series->status != WADI_OK) return INT64_MAX;
    return run->series->head.every - run->plan.done % run->series->head.every;
}

double run_series_step(run *run) {
    run_series *series = run->series;
    const double start = platform_clock_s();
    if (!series || series->status != WADI_OK || !is_due(run)) return 0;
    series->status = add_frame(run);
    if (series->status == WADI_OK) return platform_clock_s() - start;
    snprintf(series->why, sizeof series->why, "%s", wadi_error_message());
    run_message_warn("%s; the run goes on without the series", series->why);
    return 0;
}

/* --- the series --------------------------------------------------------------------------------------------------- */

static bool read_frame(void *context, size_t frame, size_t map, float *values) {
    const run *run = context;
    const uint64_t at = place_of(run, (int64_t)frame) + sizeof(frame_head) + map * cells_of(run) * sizeof(float);
    return platform_seek(run->series->file, at) &&
           fread(values, sizeof *values, cells_of(run), run->series->file) == cells_of(run);
}

/* CF's table of standard names. */
static const char *standard_name_of(const char *map) {
    static const struct {
        const char *map, *name;
    } names[] = {{"height", "surface_altitude"}, {"flow", "water_volume_transport_in_river_channel"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].map, map) == 0) return names[i].name;
    return NULL;
}

static wadi_status write_series(run *run, const char *path) {
    const run_series *made = run->series;
    io_series_map maps[MOST_SAVED];
    const size_t frames = (size_t)made->frames;
    double *steps = run_array_new(2 * frames, sizeof *steps);
    if (!steps) return WADI_ERROR_MEMORY;
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < frames && status == WADI_OK; i++) {
        frame_head head = {0};
        status = read_head(run, (int64_t)i, &head);
        steps[i] = head.step;
        steps[frames + i] = head.time_s;
    }
    for (size_t i = 0; i < map_count(made); i++) {
        const wadi_map_facts *map = saved_at(made, i);
        maps[i] = (io_series_map){map->name, map->meaning, map->unit, standard_name_of(map->name)};
    }
    char source[128];
    snprintf(source, sizeof source, "wadi %s, %s", wadi_version(), run_title(run));
    const io_series series = {run->raster, maps,   map_count(made), frames, steps + frames,
                              steps,       source, read_frame,      run};
    if (status == WADI_OK) status = wadi_io_series_write(path, &series);
    free(steps);
    return status;
}

static char *file_of(const run *run, const char *folder) {
    return run_text_format("%s/" SERIES "%s", folder, run_series_formats[run->series->head.format]);
}

/* A folder cannot be renamed over another. */
static wadi_status put_in_place(const char *from, const char *to) {
    platform_remove_tree(to);
    const int error = platform_replace(from, to);
    return error ? wadi_fail(WADI_ERROR_IO, "%s: cannot be put in place: %s", to, strerror(error)) : WADI_OK;
}

static wadi_status make_in(run *run, const char *staging) {
    char *path = file_of(run, staging);
    const wadi_status status = path ? write_series(run, path) : WADI_ERROR_MEMORY;
    free(path);
    return status;
}

static wadi_status make_alone(run *run) {
    char *staging;
    wadi_status status = run_staging_open(run->folder, &staging);
    if (status != WADI_OK) return status;
    char *path = file_of(run, staging), *place = file_of(run, run->folder);
    status = path && place ? make_in(run, staging) : WADI_ERROR_MEMORY;
    if (status == WADI_OK) status = put_in_place(path, place);
    free(path);
    free(place);
    run_staging_discard(staging);
    return status;
}

void run_series_make(run *run, const char *staging) {
    run_series *series = run->series;
    if (!series || series->status != WADI_OK) return;
    series->status = staging ? make_in(run, staging) : make_alone(run);
    if (series->status != WADI_OK) snprintf(series->why, sizeof series->why, "%s", wadi_error_message());
}

wadi_status run_series_end(run *run) {
    run_series *series = run->series;
    if (!series) return WADI_OK;
    if (series->status != WADI_OK) return wadi_fail(series->status, "%s", series->why);
    const bool keep = !run->plan.no_checkpoint || run->plan.done < run->plan.steps;
    char *path = keep ? NULL : run_text_join(run->folder, FRAMES);
    if (path) {
        fclose(series->file);
        series->file = NULL;
        platform_remove_file(path);
    }
    free(path);
    return WADI_OK;
}

/* --- reports ---------------------------------------------------------------------------------------------------- */

void run_series_write(json *json, const run *run) {
    const run_series *series = run->series;
    char name[16];
    if (!series || series->status != WADI_OK) return;
    snprintf(name, sizeof name, SERIES "%s", run_series_formats[series->head.format]);
    run_json_object(json, "series");
    run_json_text(json, "path", name);
    run_json_array(json, "maps");
    for (size_t i = 0; i < map_count(series); i++) run_json_text(json, NULL, saved_at(series, i)->name);
    run_json_end(json);
    run_json_integer(json, "every", series->head.every);
    run_json_integer(json, "frames", series->frames);
    run_json_end(json);
}

char *run_series_text(const run *run) {
    const run_series *series = run->series;
    char maps[MAPS_TEXT] = "";
    if (!series || series->status != WADI_OK) return NULL;
    for (size_t i = 0; i < map_count(series); i++)
        run_text_add(maps, sizeof maps, "%s%s", i > 0 ? ", " : "", saved_at(series, i)->name);
    return run_text_format(SERIES "%s: %" PRId64 " frames of %s, one every %" PRId64 " step%s",
                           run_series_formats[series->head.format], series->frames, maps, series->head.every,
                           series->head.every == 1 ? "" : "s");
}

void run_series_free(run_series *series) {
    if (series && series->file) fclose(series->file);
    free(series);
}
