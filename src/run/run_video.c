/* run_video.c: makes a video of a run, with a frame every so many steps. Drawing reads the simulation and never changes
 * it. Dividing the steps at frames changes no bit. If the video fails, the run continues, because hours of steps are
 * worth more. */
#include "run_video.h"

#include "run_carry.h"

#include "array.h"
#include "film.h"
#include "folder.h"
#include "json.h"
#include "message.h"
#include "preview.h"
#include "run_options.h"
#include "text.h"
#include "video.h"

#include "wadi/render.h"

#include "platform/platform.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_FRAMES = 250, USUAL_RATE = 25, MAP_SIDE = 800 };

struct run_video {
    char *path;
    int64_t every, frames; /* every: 0: chosen when the number of steps is known */
    double rate;           /* frames a second */
    landscape_args how;
    video *file;
    landscape_film *film; /* a perspective view; NULL: a map */
    run_picture maps;
    wadi_view view; /* fixed by the first frame */
    bool settled;
    int width, height;
    wadi_status status; /* of an error during the run */
    char why[1024];     /* its message, without an end that is too long */
};

/* --- checks before the run --- */

/* The first given option that needs another one. */
static const char *stray_option(const run_options *given, const char **wants) {
    const landscape_args *how = &given->film;
    *wants = "--video FILE or --save LIST";
    if (!given->video && !given->save && given->every > 0) return "every";
    *wants = "--video FILE";
    if (!given->video && given->rate > 0) return "fps";
    if (!given->video && how->wanted) return "3d";
    *wants = "--video FILE --3d";
    if (how->wanted) return NULL;
    return how->picture[0] > 0  ? "picture"
           : how->azimuth >= 0  ? "azimuth"
           : how->elevation > 0 ? "elevation"
           : how->distance > 0  ? "distance"
           : how->at.count > 0  ? "at"
           : how->angle > 0     ? "angle"
           : how->sun.count > 0 ? "sun"
           : how->no_shadows    ? "no-shadows"
           : how->no_detail     ? "no-detail"
           : how->no_sides      ? "no-sides"
                                : NULL;
}

wadi_status run_video_plan(const run_options *given, run *run) {
    const char *wants, *stray = stray_option(given, &wants);
    if (stray) return run_at(given, NULL, wadi_fail(WADI_ERROR_ARGUMENT, "--%s: goes with %s", stray, wants));
    if (!given->video) return WADI_OK;
    run_video *video = run->video = run_array_new(1, sizeof *video);
    if (!video) return WADI_ERROR_MEMORY;
    *video = (run_video){
        .path = run_text_copy(given->video), .every = given->every, .rate = given->rate, .how = given->film};
    if (!video->path) return WADI_ERROR_MEMORY;
    if (!(video->rate > 0)) video->rate = USUAL_RATE;
    if (video->how.picture[0] == 0) video->how.picture[0] = 1280, video->how.picture[1] = 720;
    wadi_status status = run_at(given, &given->video, run_video_check_file(video->path));
    if (status == WADI_OK && video->how.wanted)
        status = run_at(given, &given->film.wanted, run_landscape_check(&video->how));
    return status;
}

static void choose_every(const run *run) {
    const int64_t left = run->plan.steps - run->plan.done, chosen = (left + USUAL_FRAMES / 2) / USUAL_FRAMES;
    if (run->video->every == 0) run->video->every = chosen > 0 ? chosen : 1;
}

/* The run folder may not exist yet. */
wadi_status run_video_check(const run_options *given, const run *run) {
    if (!run->video) return WADI_OK;
    const char *path = run->video->path;
    wadi_status status = WADI_OK;
    choose_every(run);
    if (given->resume && platform_exists(path))
        status = wadi_fail(WADI_ERROR_ARGUMENT,
                           "%s: is there; what is left of the run is a video of its own: name another file", path);
    const bool in_run = !platform_exists(path) && run_folder_is_for(run->folder, path);
    if (status == WADI_OK && !in_run) status = run_folder_check_file("", path, given->force);
    return run_at(given, &given->video, status);
}

/* --- frames --- */

static wadi_status get(const run *run, const char *field) { return run_get(run, field, run->raster->values); }

static wadi_status draw_landscape(const run *run, wadi_picture **picture) {
    static const struct {
        const char *field;
        wadi_layer layer;
    } layers[] = {{"height", WADI_LAYER_HEIGHT},
                  {"water", WADI_LAYER_WATER},
                  {"sediment", WADI_LAYER_SEDIMENT},
                  {"ice", WADI_LAYER_ICE},
                  {"change", WADI_LAYER_CHANGE}};
    const size_t count = sizeof layers / sizeof *layers - (run_rises(run) ? 1 : 0);
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < count && status == WADI_OK; i++) {
        if (layers[i].layer == WADI_LAYER_ICE && !wadi_sim_has(run->sim, "ice")) {
            status = run_landscape_clear(run->video->film, WADI_LAYER_ICE);
            continue;
        }
        status = get(run, layers[i].field);
        if (status == WADI_OK) status = run_landscape_set(run->video->film, layers[i].layer, run->raster->values);
    }
    return status != WADI_OK ? status : run_landscape_draw(run->video->film, picture);
}

/* Pixels per cell: a whole number for small grids, one where that fits a screen. */
static double map_scale(const wadi_raster *raster) {
    const double cell = fmin(raster->lx, raster->ly);
    const double scale = MAP_SIDE * cell / fmax(raster->width * raster->lx, raster->height * raster->ly);
    return scale > 1 ? floor(scale + 0.5) : scale > 0.6 ? 1 : scale;
}

static wadi_status settle_map(const run *run) {
    run_video *video = run->video;
    video->view = run_picture_view(run, &video->maps);
    video->view.scale = map_scale(run->raster);
    video->settled = true;
    return wadi_view_settle(&video->view);
}

static wadi_status draw_map(const run *run, wadi_picture **picture) {
    run_video *video = run->video;
    wadi_status status = run_picture_read(run, &video->maps);
    if (status == WADI_OK && !video->settled) status = settle_map(run);
    if (status != WADI_OK) return status;
    char *title = run_picture_title(run);
    if (!title) return WADI_ERROR_MEMORY;
    video->view.title = title;
    status = wadi_render_map(&video->view, picture);
    free(title);
    return status;
}

static wadi_status draw(const run *run, wadi_picture **picture) {
    *picture = NULL;
    return run->video->film ? draw_landscape(run, picture) : draw_map(run, picture);
}

/* The first picture defines the size of the video. */
static wadi_status add_frame(const run *run) {
    run_video *video = run->video;
    wadi_picture *picture;
    wadi_status status = draw(run, &picture);
    if (status == WADI_OK && !video->file) {
        status = run_video_open(video->path, picture->width, picture->height, video->rate, &video->file);
        video->width = picture->width;
        video->height = picture->height;
    }
    if (status == WADI_OK && (picture->width != video->width || picture->height != video->height))
        status = wadi_fail(WADI_ERROR_IO, "%s: a frame has another size than the first", video->path);
    if (status == WADI_OK) status = run_video_frame(video->file, picture->rgb);
    if (status == WADI_OK) video->frames++;
    wadi_picture_destroy(picture);
    return status;
}

/* Opens the renderer. */
static wadi_status open_film(const run *run) {
    run_video *video = run->video;
    wadi_status status = WADI_OK;
    if (video->how.wanted) {
        status = get(run, "height");
        video->how.ground = run->plan.ground;
        if (status == WADI_OK) status = run_landscape_open(&video->how, run->raster, &video->film);
    } else {
        status = run_picture_create(run, &video->maps);
    }
    return status;
}

wadi_status run_video_begin(run *run) {
    if (!run->video) return WADI_OK;
    const wadi_status status = open_film(run);
    return status != WADI_OK ? status : add_frame(run);
}

int64_t run_video_steps_left(const run *run) {
    if (!run->video || run->video->status != WADI_OK) return INT64_MAX;
    return run->video->every - run->plan.done % run->video->every;
}

/* Keeps the error for the end, because the run continues. */
static void keep_error(run_video *video, wadi_status status) {
    video->status = status;
    if (status != WADI_OK) snprintf(video->why, sizeof video->why, "%s", wadi_error_message());
}

double run_video_step(run *run) {
    run_video *video = run->video;
    const double start = platform_clock_s();
    if (!video || video->status != WADI_OK) return 0;
    if (run->plan.done % video->every != 0 && run->plan.done < run->plan.steps) return 0;
    keep_error(video, add_frame(run));
    if (video->status != WADI_OK) run_message_warn("%s; the run goes on without the video", video->why);
    return platform_clock_s() - start;
}

/* --- the end --- */

void run_video_end(run *run, bool failed) {
    run_video *video = run->video;
    if (!video) return;
    if (failed || video->status != WADI_OK)
        run_video_discard(video->file); /* an earlier file of that name stays */
    else if (video->file)
        keep_error(video, run_video_close(video->file));
    video->file = NULL;
    if (!failed && video->status == WADI_OK && run->plan.done < run->plan.steps)
        run_message_note("%s holds the run so far, %" PRId64
                         " frames; --resume --video takes another file for the rest",
                         video->path, video->frames);
}

wadi_status run_video_result(const run *run) {
    const run_video *video = run->video;
    return !video || video->status == WADI_OK ? WADI_OK : wadi_fail(video->status, "%s", video->why);
}

void run_video_free(run_video *video) {
    if (!video) return;
    run_video_discard(video->file);
    run_landscape_close(video->film);
    run_picture_destroy(&video->maps);
    free(video->path);
    free(video);
}

/* For a run from its beginning. */
static int64_t frames_in_all(const run *run) {
    return 1 + (run->plan.steps + run->video->every - 1) / run->video->every;
}

/* Times the second picture, because the first one includes set-up costs. */
wadi_status run_video_estimate(const run *run, double *seconds) {
    *seconds = 0;
    wadi_status status = run->video ? open_film(run) : WADI_OK;
    for (int i = 0; i < 2 && run->video && status == WADI_OK; i++) {
        wadi_picture *picture;
        const double start = platform_clock_s();
        status = draw(run, &picture);
        *seconds = (platform_clock_s() - start) * (double)frames_in_all(run);
        wadi_picture_destroy(picture);
    }
    return status;
}

bool run_video_tell(const run *run, bool planned, run_video_facts *facts) {
    const run_video *video = run->video;
    if (!video || video->status != WADI_OK) return false;
    *facts = (run_video_facts){.path = video->path, .every = video->every, .rate = video->rate};
    facts->frames = planned ? frames_in_all(run) : video->frames;
    return true;
}

void run_video_write(json *json, const run *run) {
    const run_video *video = run->video;
    if (!video || video->status != WADI_OK) return;
    run_json_object(json, "video");
    run_json_text(json, "path", video->path);
    run_json_integer(json, "every", video->every);
    run_json_integer(json, "frames", video->frames);
    run_json_number(json, "frames_per_s", video->rate);
    run_json_integers(json, "size", video->width, video->height);
    run_json_end(json);
}

uint64_t run_video_memory(const run *run) {
    int width = run->raster->width, height = run->raster->height;
    if (!run->video || !run->video->how.wanted) return 0; /* a map's size is known from its picture */
    run_landscape_grid(&run->video->how, &width, &height);
    /* heights, water and four textures, of which two have mipmaps; an average; the same of ice */
    const uint64_t averaged = width < run->raster->width || height < run->raster->height,
                   fields = 7 + averaged + (run_has_ice(run) ? 3 : 0);
    return fields * (uint64_t)width * (uint64_t)height * sizeof(float);
}
