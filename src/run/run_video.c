/* run_video.c: a run as a video, a frame every so many steps. What it draws is read from the simulation and changes
 * nothing in it; steps are cut where a frame is due, which changes no bit. Where the video fails the run goes on: hours
 * of steps are worth more than it. */
#include "run_video.h"

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
    int64_t every, frames; /* every: 0: to be chosen when the steps are known */
    double rate;           /* frames a second */
    landscape_args how;
    video *file;
    landscape_film *film; /* in perspective; else a map: */
    float *heights;
    wadi_view view; /* settled by the first frame */
    bool settled;
    int width, height, code;
};

/* --- what can be refused before the run --- */

/* The first option given that has no meaning without another one. */
static const char *stray_option(const run_options *given, const char **wants) {
    const landscape_args *how = &given->film;
    *wants = "--video FILE";
    if (!given->video && given->every > 0) return "every";
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
           : how->no_sides      ? "no-sides"
                                : NULL;
}

int run_video_plan(const run_options *given, run *run) {
    const char *wants, *stray = stray_option(given, &wants);
    run_at(given, NULL);
    if (stray) return cli_fail(CLI_USAGE, "--%s: goes with %s", stray, wants);
    if (!given->video) return CLI_OK;
    run_video *video = run->video = cli_allocate(sizeof *video);
    *video =
        (run_video){.path = cli_copy(given->video), .every = given->every, .rate = given->rate, .how = given->film};
    if (!(video->rate > 0)) video->rate = USUAL_RATE;
    if (video->how.picture[0] == 0) video->how.picture[0] = 1280, video->how.picture[1] = 720;
    run_at(given, &given->video);
    int code = video_check(video->path);
    run_at(given, &given->film.wanted);
    if (code == CLI_OK && video->how.wanted) code = landscape_check(&video->how);
    return code;
}

static void choose_every(const run *run) {
    const int64_t left = run->plan.steps - run->plan.done, chosen = (left + USUAL_FRAMES / 2) / USUAL_FRAMES;
    if (run->video->every == 0) run->video->every = chosen > 0 ? chosen : 1;
}

/* The run folder need not be there yet. */
int run_video_check(const run_options *given, const run *run) {
    if (!run->video) return CLI_OK;
    const char *path = run->video->path;
    int code = CLI_OK;
    choose_every(run);
    run_at(given, &given->video);
    if (given->resume && platform_exists(path))
        code =
            cli_fail(CLI_USAGE, "%s: is there; what is left of the run is a video of its own: name another file", path);
    const bool in_run = !platform_exists(path) && folder_is_for(run->folder, path);
    if (code == CLI_OK && !in_run) code = folder_check_file("", path, given->force);
    cli_place_none();
    return code;
}

/* --- frames --- */

static int get(const run *run, const char *field) {
    const size_t count = (size_t)run->raster->width * (size_t)run->raster->height;
    return cli_fail_status(wadi_sim_get(run->sim, field, run->raster->values, count));
}

static int draw_landscape(const run *run, wadi_picture **picture) {
    static const struct {
        const char *field;
        wadi_layer layer;
    } layers[] = {{"height", WADI_LAYER_HEIGHT},
                  {"water", WADI_LAYER_WATER},
                  {"sediment", WADI_LAYER_SEDIMENT},
                  {"change", WADI_LAYER_CHANGE}};
    int code = CLI_OK;
    for (size_t i = 0; i < sizeof layers / sizeof *layers && code == CLI_OK; i++) {
        code = get(run, layers[i].field);
        if (code == CLI_OK) code = landscape_set(run->video->film, layers[i].layer, run->raster->values);
    }
    return code ? code : landscape_draw(run->video->film, picture);
}

/* Pixels a cell: a whole number where there are few, one where that is no more than a screen has. */
static double map_scale(const wadi_raster *raster) {
    const double cell = fmin(raster->lx, raster->ly);
    const double scale = MAP_SIDE * cell / fmax(raster->width * raster->lx, raster->height * raster->ly);
    return scale > 1 ? floor(scale + 0.5) : scale > 0.6 ? 1 : scale;
}

static int settle_map(const run *run) {
    run_video *video = run->video;
    video->view = run_picture_view(run, video->heights);
    video->view.scale = map_scale(run->raster);
    video->settled = true;
    return cli_fail_status(wadi_view_settle(&video->view));
}

static int draw_map(const run *run, wadi_picture **picture) {
    run_video *video = run->video;
    int code = run_picture_fields(run, video->heights);
    if (code == CLI_OK && !video->settled) code = settle_map(run);
    if (code) return code;
    char *title = run_picture_title(run);
    video->view.title = title;
    code = cli_fail_status(wadi_render_map(&video->view, picture));
    free(title);
    return code;
}

static int draw(const run *run, wadi_picture **picture) {
    *picture = NULL;
    return run->video->film ? draw_landscape(run, picture) : draw_map(run, picture);
}

/* The first picture's size is the video's. */
static int add_frame(const run *run) {
    run_video *video = run->video;
    wadi_picture *picture;
    int code = draw(run, &picture);
    if (code == CLI_OK && !video->file) {
        code = video_open(video->path, picture->width, picture->height, video->rate, &video->file);
        video->width = picture->width;
        video->height = picture->height;
    }
    if (code == CLI_OK && (picture->width != video->width || picture->height != video->height))
        code = cli_fail(CLI_FAILED, "%s: a frame has another size than the first", video->path);
    if (code == CLI_OK) code = video_frame(video->file, picture->rgb);
    if (code == CLI_OK) video->frames++;
    wadi_picture_destroy(picture);
    return code;
}

/* What draws it. */
static int open_film(const run *run) {
    run_video *video = run->video;
    int code = CLI_OK;
    if (video->how.wanted) {
        code = get(run, "height");
        if (code == CLI_OK) code = landscape_open(&video->how, run->raster, &video->film);
    } else {
        video->heights = malloc((size_t)run->raster->width * (size_t)run->raster->height * sizeof *video->heights);
        if (!video->heights) code = cli_fail(CLI_MEMORY, "no memory for the heights of the video");
    }
    return code;
}

int run_video_begin(run *run) {
    if (!run->video) return CLI_OK;
    const int code = open_film(run);
    return code ? code : add_frame(run);
}

int64_t run_video_steps_left(const run *run) {
    if (!run->video || run->video->code) return INT64_MAX;
    return run->video->every - run->plan.done % run->video->every;
}

double run_video_step(run *run) {
    run_video *video = run->video;
    const double start = platform_clock_s();
    if (!video || video->code) return 0;
    if (run->plan.done % video->every != 0 && run->plan.done < run->plan.steps) return 0;
    video->code = add_frame(run);
    if (video->code) cli_note("the run goes on without the video");
    return platform_clock_s() - start;
}

/* --- the end --- */

int run_video_end(run *run, bool failed) {
    run_video *video = run->video;
    if (!video) return CLI_OK;
    if (failed || video->code)
        video_discard(video->file); /* what was there under its name stays */
    else if (video->file)
        video->code = video_close(video->file);
    video->file = NULL;
    if (!failed && video->code == CLI_OK && run->plan.done < run->plan.steps)
        cli_note("%s holds the run so far, %" PRId64 " frames; --resume --video takes another file for the rest",
                 video->path, video->frames);
    return video->code;
}

void run_video_free(run_video *video) {
    if (!video) return;
    video_discard(video->file);
    landscape_close(video->film);
    free(video->heights);
    free(video->path);
    free(video);
}

/* Of a run that begins anew. */
static int64_t frames_in_all(const run *run) {
    return 1 + (run->plan.steps + run->video->every - 1) / run->video->every;
}

/* The second picture is measured: the first one pays for what they share. */
int run_video_estimate(const run *run, double *seconds) {
    *seconds = 0;
    int code = run->video ? open_film(run) : CLI_OK;
    for (int i = 0; i < 2 && run->video && code == CLI_OK; i++) {
        wadi_picture *picture;
        const double start = platform_clock_s();
        code = draw(run, &picture);
        *seconds = (platform_clock_s() - start) * (double)frames_in_all(run);
        wadi_picture_destroy(picture);
    }
    return code;
}

bool run_video_tell(const run *run, bool planned, run_video_facts *facts) {
    const run_video *video = run->video;
    if (!video || video->code) return false;
    *facts = (run_video_facts){.path = video->path, .every = video->every, .rate = video->rate};
    facts->frames = planned ? frames_in_all(run) : video->frames;
    return true;
}

void run_video_write(json *json, const run *run) {
    const run_video *video = run->video;
    if (!video || video->code) return;
    json_object(json, "video");
    json_text(json, "path", video->path);
    json_integer(json, "every", video->every);
    json_integer(json, "frames", video->frames);
    json_number(json, "frames_per_s", video->rate);
    json_array(json, "size");
    json_integer(json, NULL, video->width);
    json_integer(json, NULL, video->height);
    json_end(json);
    json_end(json);
}

uint64_t run_video_memory(const run *run) {
    const uint64_t field = (uint64_t)run->raster->width * (uint64_t)run->raster->height * sizeof(float);
    /* heights, water and four textures, of which two have smaller copies; a map's is the last picture's */
    return run->video && run->video->how.wanted ? 7 * field : 0;
}
