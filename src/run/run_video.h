/* run_video.h: makes a video of a run. Without a video all functions do nothing. */
#ifndef WADI_RUN_RUN_VIDEO_H
#define WADI_RUN_RUN_VIDEO_H

#include "json.h"
#include "run_options.h"
#include "run_state.h"

wadi_status run_video_plan(const run_options *options, run *run); /* before anything is read */
wadi_status run_video_check(const run_options *options,
                            const run *run);  /* checks its path, once the run and its folder are known */
wadi_status run_video_begin(run *run);        /* opens it, with the first frame */
int64_t run_video_steps_left(const run *run); /* until the next one */
/* Call after steps: adds a frame if one is due. Returns the seconds that it took; errors are kept for the end. */
double run_video_step(run *run);
/* Puts the file in place. A stopped run has a shorter video, a failed one has none. */
void run_video_end(run *run, bool failed);
wadi_status run_video_result(const run *run);                    /* the error that ended the video, if any */
void run_video_free(run_video *video);                           /* removes the file if the video was not ended */
wadi_status run_video_estimate(const run *run, double *seconds); /* estimates the drawing time */
typedef struct run_video_facts {
    const char *path;
    int64_t every, frames;
    double rate; /* frames a second */
} run_video_facts;
/* false: there is no video. `planned`: the frames of a run from its beginning. */
bool run_video_tell(const run *run, bool planned, run_video_facts *facts);
void run_video_write(json *json, const run *run); /* the member "video" */
uint64_t run_video_memory(const run *run);

#endif
