/* gpu_maps.c: OpenGL's buffers between the work's thread and the window's. */
#include "viewer/gpu_maps.h"

#include <epoxy/gl.h>
#include <glib.h>

typedef enum state { EMPTY, FULL, TAKEN } state;

struct gpu_maps {
    GMutex lock;
    wadi_offscreen *context;
    state state;
    bool flow;
    uint64_t terrain;
    /* the work's thread's, without the lock */
    unsigned buffers[GPU_MAPS]; /* but while they are TAKEN */
    bool begun;
    size_t cells;
    bool refused; /* the simulation's device shares nothing with this OpenGL */
};

static const char *const fields[GPU_MAPS] = {[WADI_LAYER_HEIGHT] = "height",
                                             [WADI_LAYER_WATER] = "water",
                                             [WADI_LAYER_SEDIMENT] = "sediment",
                                             [WADI_LAYER_CHANGE] = "change"};

gpu_maps *gpu_maps_new(void) {
    gpu_maps *maps = g_new0(gpu_maps, 1);
    g_mutex_init(&maps->lock);
    return maps;
}

void gpu_maps_free(gpu_maps *maps) {
    g_mutex_clear(&maps->lock);
    g_free(maps);
}

void gpu_maps_begin(gpu_maps *maps) {
    wadi_offscreen *context = NULL;
    g_mutex_lock(&maps->lock);
    const bool there = maps->context != NULL;
    g_mutex_unlock(&maps->lock);
    if (there || wadi_offscreen_share(&context) != WADI_OK) return;
    g_mutex_lock(&maps->lock);
    maps->context = context;
    g_mutex_unlock(&maps->lock);
}

const unsigned *gpu_maps_take(gpu_maps *maps, uint64_t terrain) {
    g_mutex_lock(&maps->lock);
    const bool ours = maps->state == FULL && maps->terrain == terrain;
    if (maps->state == FULL) maps->state = ours ? TAKEN : EMPTY;
    g_mutex_unlock(&maps->lock);
    return ours ? maps->buffers : NULL;
}

void gpu_maps_done(gpu_maps *maps) {
    g_mutex_lock(&maps->lock);
    maps->state = EMPTY;
    g_mutex_unlock(&maps->lock);
}

bool gpu_maps_wait(gpu_maps *maps) {
    g_mutex_lock(&maps->lock);
    const bool any = maps->state == FULL;
    g_mutex_unlock(&maps->lock);
    return any;
}

bool gpu_maps_flow(gpu_maps *maps) {
    g_mutex_lock(&maps->lock);
    const bool flow = maps->flow;
    g_mutex_unlock(&maps->lock);
    return flow;
}

/* Whether this thread has a context, and no buffer is in use. */
static bool is_ready(gpu_maps *maps) {
    g_mutex_lock(&maps->lock);
    wadi_offscreen *context = maps->context;
    const bool empty = maps->state == EMPTY;
    g_mutex_unlock(&maps->lock);
    if (context && !maps->begun) maps->begun = wadi_offscreen_use(context) == WADI_OK;
    return maps->begun && empty;
}

static void make_room(gpu_maps *maps, size_t cells) {
    if (maps->cells == cells) return;
    if (!maps->buffers[0]) glGenBuffers(GPU_MAPS, maps->buffers);
    for (int i = 0; i < GPU_MAPS; i++) {
        glBindBuffer(GL_COPY_WRITE_BUFFER, maps->buffers[i]);
        glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)(cells * sizeof(float)), NULL, GL_STREAM_COPY);
    }
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    maps->cells = glGetError() == GL_NO_ERROR ? cells : 0;
}

bool gpu_maps_send(gpu_maps *maps, const wadi_sim *sim, uint64_t terrain) {
    const wadi_def *def = wadi_sim_def(sim);
    if (def->engine != WADI_ENGINE_CUDA || maps->refused || !is_ready(maps)) return false;
    make_room(maps, (size_t)def->width * (size_t)def->height);
    const bool filled = maps->cells > 0 && wadi_sim_get_gl(sim, fields, maps->buffers, GPU_MAPS) == WADI_OK;
    maps->refused = !filled;
    g_mutex_lock(&maps->lock);
    maps->flow = filled;
    maps->terrain = terrain;
    if (filled) maps->state = FULL;
    g_mutex_unlock(&maps->lock);
    return filled;
}

void gpu_maps_end(gpu_maps *maps) {
    if (maps->begun && maps->buffers[0]) glDeleteBuffers(GPU_MAPS, maps->buffers);
    wadi_offscreen_close(maps->context);
}
