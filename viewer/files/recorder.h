/* recorder.h: records a video: one frame each time the terrain has changed. */
#ifndef WADI_VIEWER_FILES_RECORDER_H
#define WADI_VIEWER_FILES_RECORDER_H

#include "viewer/workbench.h"

typedef struct recorder recorder;
recorder *recorder_new(workbench *bench); /* freed with g_free, after recorder_end */
void recorder_toggle(recorder *recorder); /* starts, after asking for a file, or stops */
void recorder_frame(recorder *recorder);
void recorder_end(recorder *recorder); /* finishes the video, if one is being recorded */

#endif
