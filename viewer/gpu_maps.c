/* gpu_maps.c: OpenGL buffers shared by the work's thread and the window's thread. */
#include "viewer/gpu_maps.h"

#include <epoxy/gl.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "platform/platform.h"

typedef enum state { EMPTY, FULL, TAKEN } state;

struct gpu_maps {
    pthread_mutex_t lock;
    wadi_offscreen *context;
    state state;
    GLsync filled; /* a fence: OpenGL waits for it before it draws from the buffers */
    bool flow, stopped;
    uint64_t terrain;
    /* owned by the work's thread, used without the lock */
    unsigned buffers[GPU_MAPS]; /* except while they are TAKEN */
    unsigned shown[GPU_MAPS];   /* 0: the simulation has no such map */
    bool begun, failed;
    size_t cells;  /* of each map for which there is room: */
    int count;     /* the first ones of the list */
    float *values; /* staging for one map that comes from the host; NULL: none yet */
    double next_s;
};

static const double least_s = 1.0 / 30, share = 0.2;

const gpu_map gpu_map_list[GPU_MAPS] = {{WADI_LAYER_HEIGHT, "height"},
                                        {WADI_LAYER_WATER, "water"},
                                        {WADI_LAYER_SEDIMENT, "sediment"},
                                        {WADI_LAYER_CHANGE, "change"},
                                        {WADI_LAYER_ICE, "ice"}};

gpu_maps *gpu_maps_new(void) {
    gpu_maps *maps = calloc(1, sizeof *maps);
    if (maps) pthread_mutex_init(&maps->lock, NULL);
    return maps;
}

void gpu_maps_free(gpu_maps *maps) {
    pthread_mutex_destroy(&maps->lock);
    free(maps);
}

/* --- the window's thread --- */

void gpu_maps_begin(gpu_maps *maps) {
    wadi_offscreen *context = NULL;
    pthread_mutex_lock(&maps->lock);
    const bool there = maps->context != NULL;
    pthread_mutex_unlock(&maps->lock);
    if (there || wadi_offscreen_share(&context) != WADI_OK) return;
    pthread_mutex_lock(&maps->lock);
    maps->context = context;
    pthread_mutex_unlock(&maps->lock);
}

const unsigned *gpu_maps_take(gpu_maps *maps, uint64_t terrain) {
    pthread_mutex_lock(&maps->lock);
    const bool ours = maps->state == FULL && maps->terrain == terrain;
    if (ours) glWaitSync(maps->filled, 0, GL_TIMEOUT_IGNORED);
    if (maps->state == FULL) {
        glDeleteSync(maps->filled);
        maps->state = ours ? TAKEN : EMPTY;
    }
    pthread_mutex_unlock(&maps->lock);
    return ours ? maps->shown : NULL;
}

void gpu_maps_done(gpu_maps *maps) {
    pthread_mutex_lock(&maps->lock);
    maps->state = EMPTY;
    pthread_mutex_unlock(&maps->lock);
}

void gpu_maps_stop(gpu_maps *maps) {
    pthread_mutex_lock(&maps->lock);
    maps->stopped = true, maps->flow = false;
    pthread_mutex_unlock(&maps->lock);
}

bool gpu_maps_wait(gpu_maps *maps) {
    pthread_mutex_lock(&maps->lock);
    const bool any = maps->state == FULL;
    pthread_mutex_unlock(&maps->lock);
    return any;
}

bool gpu_maps_flow(gpu_maps *maps) {
    pthread_mutex_lock(&maps->lock);
    const bool flow = maps->flow;
    pthread_mutex_unlock(&maps->lock);
    return flow;
}

/* --- the work's thread --- */

/* Whether this thread has a context and no buffer is in use. */
static bool is_ready(gpu_maps *maps) {
    if (maps->failed || platform_clock_s() < maps->next_s) return false;
    pthread_mutex_lock(&maps->lock);
    wadi_offscreen *context = maps->context;
    const bool empty = maps->state == EMPTY && !maps->stopped;
    pthread_mutex_unlock(&maps->lock);
    if (context && !maps->begun) maps->failed = wadi_offscreen_use(context) != WADI_OK;
    maps->begun = context && !maps->failed;
    return maps->begun && empty;
}

/* The last map of the list is ice. */
static int maps_of(const wadi_sim *sim) {
    return wadi_sim_has(sim, gpu_map_list[GPU_MAPS - 1].field) ? GPU_MAPS : GPU_MAPS - 1;
}

static bool make_room(gpu_maps *maps, size_t cells, int count) {
    if (maps->cells == cells && maps->count >= count) return true;
    if (!maps->buffers[0]) glGenBuffers(GPU_MAPS, maps->buffers);
    for (int i = 0; i < count; i++) {
        glBindBuffer(GL_COPY_WRITE_BUFFER, maps->buffers[i]);
        glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)(cells * sizeof(float)), NULL, GL_STREAM_DRAW);
    }
    free(maps->values);
    maps->values = NULL;
    maps->count = count;
    maps->cells = glGetError() == GL_NO_ERROR ? cells : 0;
    return maps->cells > 0;
}

static bool send_from_host(gpu_maps *maps, const wadi_sim *sim) {
    const size_t bytes = maps->cells * sizeof *maps->values;
    if (!maps->values) maps->values = malloc(bytes);
    bool sent = maps->values != NULL;
    for (int i = 0; i < maps_of(sim) && sent; i++) {
        sent = wadi_sim_get(sim, gpu_map_list[i].field, maps->values, maps->cells) == WADI_OK;
        glBindBuffer(GL_COPY_WRITE_BUFFER, maps->buffers[i]);
        if (sent) glBufferSubData(GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr)bytes, maps->values);
    }
    return sent && glGetError() == GL_NO_ERROR;
}

bool gpu_maps_send(gpu_maps *maps, const wadi_sim *sim, uint64_t terrain) {
    const wadi_def *def = wadi_sim_def(sim);
    if (!is_ready(maps)) return false;
    const double began = platform_clock_s();
    bool sent = make_room(maps, (size_t)def->width * (size_t)def->height, maps_of(sim));
    if (sent) {
        const char *fields[GPU_MAPS];
        const int count = maps_of(sim);
        for (int i = 0; i < GPU_MAPS; i++)
            fields[i] = gpu_map_list[i].field, maps->shown[i] = i < count ? maps->buffers[i] : 0;
        const wadi_status status = wadi_sim_get_gl(sim, fields, maps->buffers, (size_t)count);
        sent = status == WADI_OK || (status == WADI_ERROR_UNSUPPORTED && send_from_host(maps, sim));
    }
    maps->failed = !sent;
    maps->next_s = fmax(began + least_s, began + (platform_clock_s() - began) / share);
    const GLsync filled = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();
    pthread_mutex_lock(&maps->lock);
    maps->flow = sent && !maps->stopped;
    maps->terrain = terrain;
    if (sent)
        maps->state = FULL, maps->filled = filled;
    else
        glDeleteSync(filled);
    pthread_mutex_unlock(&maps->lock);
    return sent;
}

void gpu_maps_again(gpu_maps *maps) {
    if (maps->begun && !maps->failed) maps->failed = wadi_offscreen_use(maps->context) != WADI_OK;
}

void gpu_maps_end(gpu_maps *maps) {
    if (maps->begun && maps->buffers[0]) glDeleteBuffers(GPU_MAPS, maps->buffers);
    wadi_offscreen_close(maps->context);
    free(maps->values);
}
