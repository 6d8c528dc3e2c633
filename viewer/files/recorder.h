/* recorder.h: records a video: a frame whenever the terrain has changed. */
#ifndef WADI_VIEWER_FILES_RECORDER_H
#define WADI_VIEWER_FILES_RECORDER_H

#include "viewer/workbench.h"

typedef struct recorder recorder;
recorder *recorder_new(workbench *bench); /* freed with g_free, after recorder_end */
void recorder_toggle(recorder *recorder); /* asks for a file and begins, or ends */
void recorder_frame(recorder *recorder);
void recorder_end(recorder *recorder); /* writes what there is, if it records */

#endif
