/* frames.h: copies of the work's maps for the window. The work's thread makes at most 30 a second. Three frames take
 * turns: one is written, one waits, one is shown. */
#ifndef WADI_VIEWER_SESSION_FRAMES_H
#define WADI_VIEWER_SESSION_FRAMES_H

#include "viewer/session/info.h"

#include "wadi/landscape.h"

/* The maps after one step. */
typedef struct session_frame {
    uint64_t terrain; /* changes with each terrain that is opened */
    int width, height;
    double lx, ly;
    int64_t steps;
    float *maps[WADI_LAYERS]; /* the overlay is undefined if `overlay` is empty; ice NULL: the model has none */
    size_t cells;             /* room in each map */
    char overlay[32];
} session_frame;

typedef struct frames frames;
frames *frames_new(void);
void frames_free(frames *frames);

/* --- the window's thread --- */
/* The newest frame since the last call. It stays unchanged until the next call. NULL: there is none. */
const session_frame *frames_take(frames *frames);
bool frames_wait(frames *frames); /* whether the next call returns a frame */

/* --- the work's thread --- */
/* Makes a frame if the last one was taken and the work or the overlay has changed. `seldom`: the picture's maps come by
 * gpu_maps, and the frames serve figures only. A failure is reported in `info`. */
void frames_publish(frames *frames, const work *work, uint64_t terrain, const char *overlay, bool seldom,
                    session_info *info);
void frames_restart(frames *frames); /* another terrain was opened */

#endif
