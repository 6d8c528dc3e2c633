/* frames.c: copies maps for the window. */
#include "viewer/session/frames.h"

#include "viewer/gpu_maps.h"

#include "platform/platform.h"

#include <glib.h>
#include <math.h>
#include <string.h>

struct frames {
    GMutex lock;         /* of waiting and shown */
    int waiting, shown;  /* protects waiting and shown */
    session_frame of[3]; /* one is written, one waits, one is shown */
    /* of the work's thread */
    int writing;
    uint64_t edits;     /* work_edits at the last frame */
    uint64_t not_shown; /* a terrain that is too large to show; the user has been told */
    char overlay[32];   /* the overlay that was requested with the last frame */
    double last_s;
};

frames *frames_new(void) {
    frames *frames = g_new0(struct frames, 1);
    frames->waiting = frames->shown = -1;
    g_mutex_init(&frames->lock);
    return frames;
}

void frames_free(frames *frames) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < WADI_LAYERS; k++) g_free(frames->of[i].maps[k]);
    g_mutex_clear(&frames->lock);
    g_free(frames);
}

const session_frame *frames_take(frames *frames) {
    g_mutex_lock(&frames->lock);
    const bool any = frames->waiting >= 0;
    if (any) {
        frames->shown = frames->waiting;
        frames->waiting = -1;
    }
    g_mutex_unlock(&frames->lock);
    return any ? &frames->of[frames->shown] : NULL;
}

bool frames_wait(frames *frames) {
    g_mutex_lock(&frames->lock);
    const bool any = frames->waiting >= 0;
    g_mutex_unlock(&frames->lock);
    return any;
}

static bool make_room(session_frame *frame, size_t cells, bool icy) {
    const bool other = frame->cells < cells;
    bool there = true;
    for (int i = 0; i < WADI_LAYERS; i++) {
        const bool wanted = i != WADI_LAYER_ICE || icy;
        if (other || !wanted) g_clear_pointer(&frame->maps[i], g_free);
        if (wanted && !frame->maps[i]) frame->maps[i] = g_try_malloc0_n(cells, sizeof *frame->maps[i]);
        there = there && (frame->maps[i] || !wanted);
    }
    frame->cells = there ? cells : 0;
    return there;
}

/* Slopes in degrees, from the heights of the neighbours. */
static void make_slopes(const session_frame *frame, float *slopes) {
    const float *h = frame->maps[WADI_LAYER_HEIGHT];
#pragma omp parallel for schedule(static)
    for (int y = 0; y < frame->height; y++)
        for (int x = 0; x < frame->width; x++) {
            const int x0 = x > 0 ? x - 1 : x, x1 = x + 1 < frame->width ? x + 1 : x;
            const int y0 = y > 0 ? y - 1 : y, y1 = y + 1 < frame->height ? y + 1 : y;
            const size_t row = (size_t)y * (size_t)frame->width;
            const double sx = (double)(h[row + (size_t)x1] - h[row + (size_t)x0]) / (frame->lx * (x1 - x0));
            const double sy = (double)(h[(size_t)y1 * (size_t)frame->width + (size_t)x] -
                                       h[(size_t)y0 * (size_t)frame->width + (size_t)x]) /
                              (frame->ly * (y1 - y0));
            slopes[row + (size_t)x] = (float)(atan(hypot(sx, sy)) * (180 / G_PI));
        }
}

static void fill_overlay(const work *work, session_info *info, session_frame *frame, const char *name) {
    float *map = frame->maps[WADI_LAYER_OVERLAY];
    g_strlcpy(frame->overlay, name, sizeof frame->overlay); /* colours and legends know it by this name */
    if (strcmp(name, "slope") == 0)
        make_slopes(frame, map);
    else if (!*name || !info_get_field(info, work, name, map, frame->cells))
        frame->overlay[0] = '\0';
}

/* A landscape that grows towards a sea has it from the beginning, so that an island looks like one. */
static void fill_sea(const work *work, session_frame *frame) {
    double level_m;
    if (work_sea_ahead(work, &level_m))
        wadi_flood_sea(frame->maps[WADI_LAYER_HEIGHT], frame->width, frame->height, level_m,
                       frame->maps[WADI_LAYER_WATER]);
}

static bool fill_frame(const work *work, uint64_t terrain, session_info *info, session_frame *frame,
                       const char *overlay) {
    const wadi_raster *grid = work_run(work)->raster;
    const size_t cells = work_cells(work);
    if (frame->cells != cells) frame->cells = 0;
    if (!make_room(frame, cells, wadi_sim_has(work_sim(work), "ice"))) return false;
    frame->terrain = terrain;
    frame->width = grid->width, frame->height = grid->height, frame->lx = grid->lx, frame->ly = grid->ly;
    frame->steps = work_steps_at(work, work_now(work));
    for (int i = 0; i < GPU_MAPS; i++) {
        float *map = frame->maps[gpu_map_list[i].layer];
        if (map && !info_get_field(info, work, gpu_map_list[i].field, map, cells)) memset(map, 0, cells * sizeof *map);
    }
    fill_sea(work, frame);
    fill_overlay(work, info, frame, overlay);
    return true;
}

/* Publishes the written frame as the waiting one. The frame that is neither waiting nor shown is written next. */
static void hand_over(frames *frames) {
    g_mutex_lock(&frames->lock);
    frames->waiting = frames->writing;
    for (int i = 0; i < 3; i++)
        if (i != frames->waiting && i != frames->shown) frames->writing = i;
    g_mutex_unlock(&frames->lock);
}

static void tell_too_large(frames *frames, uint64_t terrain, session_info *info) {
    if (frames->not_shown != terrain) info_tell(info, true, "not enough memory to show this terrain");
    frames->not_shown = terrain;
    info->serial++;
}

void frames_publish(frames *frames, const work *work, uint64_t terrain, const char *overlay, bool seldom,
                    session_info *info) {
    const uint64_t edits = work_edits(work);
    const bool same_overlay = strcmp(overlay, frames->overlay) == 0;
    if (same_overlay && edits == frames->edits) return;
    const double least_s = same_overlay && seldom ? 0.4 : 1.0 / 30;
    if (frames_wait(frames) || platform_clock_s() - frames->last_s < least_s) return;
    frames->edits = edits;
    if (!fill_frame(work, terrain, info, &frames->of[frames->writing], overlay)) {
        tell_too_large(frames, terrain, info);
        return;
    }
    g_strlcpy(frames->overlay, overlay, sizeof frames->overlay);
    frames->last_s = platform_clock_s();
    hand_over(frames);
}

void frames_restart(frames *frames) { frames->edits = 0; }
