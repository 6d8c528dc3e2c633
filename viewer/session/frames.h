/* frames.h: maps of the work for the window: copies, made by the work's thread, at most 30 a second. Three frames take
 * turns: one is written, one waits, one is shown. */
#ifndef WADI_VIEWER_SESSION_FRAMES_H
#define WADI_VIEWER_SESSION_FRAMES_H

#include "viewer/session/info.h"

/* Maps after some step. */
typedef struct session_frame {
    uint64_t terrain; /* changes with each terrain that is opened */
    int width, height;
    double lx, ly;
    int64_t steps;
    float *maps[5]; /* by wadi_layer; the last one, the overlay, is undefined if `overlay` is empty */
    size_t cells;   /* allocated in each */
    char overlay[32];
} session_frame;

typedef struct frames frames;
frames *frames_new(void);
void frames_free(frames *frames);

/* --- the window's thread --- */
/* The newest frame since the last call; it stays as it is until the next call. NULL: there is none. */
const session_frame *frames_take(frames *frames);
bool frames_wait(frames *frames); /* whether the next call gives one */

/* --- the work's thread --- */
/* Makes a frame if the last one was taken and the work or the overlay has changed. `seldom`: the picture comes another
 * way, and the frames are for figures alone. A failure is told in `info`. */
void frames_publish(frames *frames, const work *work, uint64_t terrain, const char *overlay, bool seldom,
                    session_info *info);
void frames_restart(frames *frames); /* another terrain was opened */

#endif
