/* frames.c: how long pictures of a landscape take without a window. The ground is still, or a simulation runs in its
 * own thread, as in the window.
 *
 *     frames [--backend cpu|opencl|cuda] [--frames N] [--picture WxH] [--quality Q] [--upload-ms MS] [SIZE...] */
#include <epoxy/gl.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "platform/platform.h"
#include "viewer/gpu_maps.h"
#include "wadi/landscape.h"
#include "wadi/wadi.h"

enum { WARM_FRAMES = 5, MOST_SIZES = 16, MAPS = GPU_MAPS - 1, TILES_AT_ONCE = 4 };

static const double snapshot_s = 1.0 / 30;         /* between two at least */
static const double seldom_s = 0.4;                /* where the GPU that simulates draws too */
static const double degrees_a_frame = 360.0 / 400; /* that the camera goes round by */

typedef struct options {
    wadi_engine engine;
    int frames, width, height;
    double quality, upload_s;
    int sizes[MOST_SIZES], size_count;
} options;

typedef struct snapshot {
    float *maps[MAPS];
} snapshot;

/* One is being written, one is ready, one is being sent: neither side ever waits for the other. */
typedef struct shared {
    wadi_sim *sim;
    size_t cells;
    snapshot buffers[3];
    int writing, ready, sending;
    bool fresh; /* ready has not been sent yet */
    pthread_mutex_t lock;
    atomic_bool stop;
    gpu_maps *gpu_maps;
    int64_t steps; /* made */
    char device[128];
    wadi_status status;
} shared;

static int fail(void) {
    fprintf(stderr, "frames: %s\n", wadi_error_message());
    return 1;
}

static void *allocate(size_t bytes) {
    void *memory = malloc(bytes);
    if (memory != NULL) return memory;
    fprintf(stderr, "frames: not enough memory\n");
    exit(1);
}

/* --- the scene: generated terrain with lakes --- */

static wadi_status make_scene(int size, float *heights, float *water) {
    const size_t cells = (size_t)size * (size_t)size;
    const wadi_terrain terrain = wadi_default_terrain("diamond-square", size, size);
    const wadi_status status = wadi_terrain_generate(&terrain, heights);
    float low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < cells; i++) low = fminf(low, heights[i]), high = fmaxf(high, heights[i]);
    const float level = low + 0.35f * (high - low);
    for (size_t i = 0; i < cells; i++) water[i] = fmaxf(level - heights[i], 0);
    return status;
}

static wadi_status open_sim(const options *o, int size, wadi_sim **sim) {
    const size_t cells = (size_t)size * (size_t)size;
    float *heights = allocate(cells * sizeof *heights), *water = allocate(cells * sizeof *water);
    wadi_def def = wadi_default_def(wadi_model_find("jako2011"), size, size, 1, 1);
    def.engine = o->engine;
    wadi_status status = make_scene(size, heights, water);
    if (status == WADI_OK) status = wadi_sim_create(&def, sim);
    if (status == WADI_OK) status = wadi_sim_set(*sim, "height", heights, cells);
    if (status == WADI_OK) status = wadi_sim_set(*sim, "water", water, cells);
    free(heights);
    free(water);
    return status;
}

/* --- the simulation's thread --- */

static wadi_status take_snapshot(shared *s) {
    wadi_status status = WADI_OK;
    for (int i = 0; i < MAPS && status == WADI_OK; i++)
        status = wadi_sim_get(s->sim, gpu_map_list[i].field, s->buffers[s->writing].maps[i], s->cells);
    pthread_mutex_lock(&s->lock);
    const int written = s->writing;
    s->writing = s->ready, s->ready = written;
    s->fresh = true;
    pthread_mutex_unlock(&s->lock);
    return status;
}

static bool is_wanted(shared *s) {
    pthread_mutex_lock(&s->lock);
    const bool wanted = !s->fresh;
    pthread_mutex_unlock(&s->lock);
    return wanted;
}

/* As many steps at once as take a fifth of the time between two snapshots, at least one. */
static void *simulate(void *context) {
    shared *s = context;
    double taken = -1;
    int64_t steps = 1;
    while (!atomic_load(&s->stop) && s->status == WADI_OK) {
        const double began = platform_clock_s();
        s->status = wadi_sim_step(s->sim, steps);
        const double now = platform_clock_s(), wanted = 0.2 * snapshot_s;
        steps = (int64_t)fmin(fmax((double)steps * wanted / fmax(now - began, 1e-6), 1), 1000);
        if (s->status == WADI_OK) gpu_maps_send(s->gpu_maps, s->sim, 1);
        const double wait_s = gpu_maps_flow(s->gpu_maps) ? seldom_s : snapshot_s;
        if (s->status != WADI_OK || now < taken + wait_s || !is_wanted(s)) continue;
        taken = now;
        s->status = take_snapshot(s);
    }
    s->steps = wadi_sim_steps(s->sim);
    snprintf(s->device, sizeof s->device, "%s", wadi_sim_device(s->sim));
    wadi_sim_destroy(s->sim);
    gpu_maps_end(s->gpu_maps);
    return NULL;
}

/* --- the picture's thread --- */

typedef struct picture {
    const options *options;
    wadi_landscape *landscape;
    shared *shared; /* NULL: nothing runs */
    bool sent[MAPS];
    int shown, gpu_shown; /* snapshots, whole */
    bool began;           /* all maps were sent once */
} picture;

static bool next_snapshot(shared *s) {
    pthread_mutex_lock(&s->lock);
    const bool fresh = s->fresh;
    if (fresh) {
        const int ready = s->ready;
        s->ready = s->sending, s->sending = ready;
        s->fresh = false;
    }
    pthread_mutex_unlock(&s->lock);
    return fresh;
}

static bool all_sent(const picture *p) { return p->sent[0] && p->sent[1] && p->sent[2] && p->sent[3]; }

/* Some tiles of each map in turn, for as long as a picture may wait for it: an eighth of what it takes. */
static wadi_status send_tiles(picture *p, double last_s) {
    const double until = platform_clock_s() + fmax(p->options->upload_s, last_s / 8);
    if (all_sent(p)) {
        if (!next_snapshot(p->shared)) return WADI_OK;
        memset(p->sent, 0, sizeof p->sent);
    }
    const snapshot *s = &p->shared->buffers[p->shared->sending];
    for (int i = 0; !all_sent(p) && platform_clock_s() < until; i = (i + 1) % MAPS)
        if (!p->sent[i] &&
            wadi_landscape_update_some(p->landscape, gpu_map_list[i].layer, s->maps[i], TILES_AT_ONCE, &p->sent[i]) < 0)
            return WADI_ERROR_DEVICE;
    p->shown += all_sent(p);
    p->began = p->began || all_sent(p);
    return WADI_OK;
}

static wadi_status draw_gpu_maps(picture *p, bool *taken) {
    const unsigned *buffers = p->began ? gpu_maps_take(p->shared->gpu_maps, 1) : NULL;
    wadi_status status = WADI_OK;
    *taken = buffers != NULL;
    for (int i = 0; i < MAPS && *taken && status == WADI_OK; i++)
        status = wadi_landscape_set_buffer(p->landscape, gpu_map_list[i].layer, buffers[i]);
    p->gpu_shown += *taken;
    return status;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct timing {
    double *seconds;    /* of each picture, the smallest first */
    double processor_s; /* that all the program's threads took for a picture */
} timing;

static wadi_status time_frames(picture *p, timing *t) {
    const options *o = p->options;
    wadi_look look = wadi_default_look();
    look.quality = o->quality;
    wadi_camera camera = wadi_landscape_camera(p->landscape);
    double last_s = 0;
    clock_t processor = 0;
    for (int i = -WARM_FRAMES; i < o->frames; i++) {
        const double began = platform_clock_s();
        if (i == 0) processor = clock();
        bool taken = false;
        wadi_status status = p->shared != NULL ? send_tiles(p, last_s) : WADI_OK;
        if (status == WADI_OK && p->shared != NULL) status = draw_gpu_maps(p, &taken);
        camera.azimuth = fmod(camera.azimuth + degrees_a_frame, 360);
        if (status == WADI_OK) status = wadi_landscape_draw(p->landscape, &camera, &look, o->width, o->height);
        glFinish();
        if (taken) gpu_maps_done(p->shared->gpu_maps);
        if (status != WADI_OK) return status;
        last_s = platform_clock_s() - began;
        if (i >= 0) t->seconds[i] = last_s;
    }
    t->processor_s = (double)(clock() - processor) / CLOCKS_PER_SEC / o->frames;
    qsort(t->seconds, (size_t)o->frames, sizeof *t->seconds, by_size);
    return WADI_OK;
}

static void say(const options *o, int size, const char *what, const timing *t) {
    double sum = 0;
    for (int i = 0; i < o->frames; i++) sum += t->seconds[i];
    printf("%5d  %-10s  %6.2f ms  %6.2f ms  %10.1f  %6.1f ms", size, what, 1e3 * t->seconds[o->frames / 2],
           1e3 * t->seconds[(int)(0.99 * (o->frames - 1) + 0.5)], o->frames / sum, 1e3 * t->processor_s);
}

/* --- both ways --- */

static wadi_status time_still(const options *o, int size, wadi_landscape *landscape, timing *t) {
    const size_t cells = (size_t)size * (size_t)size;
    float *heights = allocate(cells * sizeof *heights), *water = allocate(cells * sizeof *water);
    picture p = {.options = o, .landscape = landscape};
    wadi_status status = make_scene(size, heights, water);
    if (status == WADI_OK) status = wadi_landscape_set(landscape, WADI_LAYER_HEIGHT, 0, 0, size, size, heights);
    if (status == WADI_OK) status = wadi_landscape_set(landscape, WADI_LAYER_WATER, 0, 0, size, size, water);
    free(heights);
    free(water);
    if (status == WADI_OK) status = time_frames(&p, t);
    if (status != WADI_OK) return status;
    say(o, size, "still", t);
    printf("\n");
    return WADI_OK;
}

static wadi_status draw_while(shared *s, picture *p, timing *t) {
    pthread_t thread;
    if (strstr((const char *)glGetString(GL_RENDERER), "llvmpipe") == NULL) gpu_maps_begin(s->gpu_maps);
    if (pthread_create(&thread, NULL, simulate, s) != 0) exit(1);
    const wadi_status status = time_frames(p, t);
    atomic_store(&s->stop, true);
    pthread_join(thread, NULL);
    return status == WADI_OK ? s->status : status;
}

static wadi_status time_running(const options *o, int size, wadi_landscape *landscape, timing *t) {
    shared s = {.writing = 0, .ready = 1, .sending = 2, .cells = (size_t)size * (size_t)size};
    picture p = {.options = o, .landscape = landscape, .shared = &s, .sent = {true, true, true, true}};
    wadi_status status = open_sim(o, size, &s.sim);
    if (status == WADI_OK) status = wadi_sim_step(s.sim, 4); /* a GPU's kernels are made */
    if (status != WADI_OK) return status;
    const int64_t steps = wadi_sim_steps(s.sim);
    for (int i = 0; i < 3 * MAPS; i++) s.buffers[i / MAPS].maps[i % MAPS] = allocate(s.cells * sizeof(float));
    pthread_mutex_init(&s.lock, NULL);
    s.gpu_maps = gpu_maps_new();
    const double began = platform_clock_s();
    status = s.gpu_maps != NULL ? draw_while(&s, &p, t) : WADI_ERROR_MEMORY;
    const double took = platform_clock_s() - began;
    if (status == WADI_OK) {
        say(o, size, "running", t);
        printf("  %5.1f + %5.1f  %8.1f  %s\n", p.shown / took, p.gpu_shown / took, (double)(s.steps - steps) / took,
               s.device);
    }
    for (int i = 0; i < 3 * MAPS; i++) free(s.buffers[i / MAPS].maps[i % MAPS]);
    pthread_mutex_destroy(&s.lock);
    gpu_maps_free(s.gpu_maps);
    return status;
}

static wadi_status time_size(const options *o, int size) {
    timing t = {.seconds = allocate((size_t)o->frames * sizeof(double))};
    wadi_landscape *landscape;
    wadi_status status = wadi_landscape_create(size, size, 1, 1, &landscape);
    if (status == WADI_OK) status = time_still(o, size, landscape, &t);
    fflush(stdout);
    if (status == WADI_OK) status = time_running(o, size, landscape, &t);
    fflush(stdout);
    wadi_landscape_destroy(landscape);
    free(t.seconds);
    return status;
}

/* --- the command line --- */

static bool read_engine(const char *name, wadi_engine *engine) {
    static const char *const names[] = {"cpu", "opencl", "cuda"};
    static const wadi_engine engines[] = {WADI_ENGINE_CPU, WADI_ENGINE_OPENCL, WADI_ENGINE_CUDA};
    for (int i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0) return *engine = engines[i], true;
    return false;
}

static bool read_option(options *o, const char *name, const char *value) {
    if (strcmp(name, "--backend") == 0) return read_engine(value, &o->engine);
    if (strcmp(name, "--frames") == 0) return (o->frames = atoi(value)) > 0;
    if (strcmp(name, "--picture") == 0)
        return sscanf(value, "%dx%d", &o->width, &o->height) == 2 && o->width > 0 && o->height > 0;
    if (strcmp(name, "--quality") == 0) return (o->quality = atof(value)) > 0;
    if (strcmp(name, "--upload-ms") == 0) return (o->upload_s = 1e-3 * atof(value)) >= 0;
    return false;
}

static bool read_arguments(int argc, char **argv, options *o) {
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-') {
            if (i + 1 == argc || !read_option(o, argv[i], argv[i + 1])) return false;
            i++;
        } else if (o->size_count == MOST_SIZES || (o->sizes[o->size_count++] = atoi(argv[i])) < 2) {
            return false;
        }
    }
    static const int usual[] = {1024, 2048, 4096};
    if (o->size_count > 0) return true;
    for (int i = 0; i < 3; i++) o->sizes[o->size_count++] = usual[i];
    return true;
}

int main(int argc, char **argv) {
    options o = {
        .engine = WADI_ENGINE_CPU, .frames = 300, .width = 1280, .height = 720, .quality = 1, .upload_s = 0.004};
    wadi_offscreen *screen;
    if (!read_arguments(argc, argv, &o)) {
        fprintf(stderr,
                "frames [--backend cpu|opencl|cuda] [--frames N] [--picture WxH] [--quality Q] [--upload-ms MS] "
                "[SIZE...]\n");
        return 2;
    }
    if (wadi_offscreen_open(o.width, o.height, &screen) != WADI_OK) return fail();
    printf("%s, %d x %d pixels, quality %g, %d pictures\n", wadi_offscreen_renderer(screen), o.width, o.height,
           o.quality, o.frames);
    printf("cells  simulation     median       99 %%  pictures/s  processors  states/s by host + GPU, steps/s\n");
    wadi_status status = WADI_OK;
    for (int i = 0; i < o.size_count && status == WADI_OK; i++) status = time_size(&o, o.sizes[i]);
    if (status != WADI_OK) return fail();
    wadi_offscreen_close(screen);
    return 0;
}
