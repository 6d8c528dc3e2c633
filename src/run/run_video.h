/* run_video.h: a run as a video. All of it does nothing where there is no video. */
#ifndef WADI_RUN_RUN_VIDEO_H
#define WADI_RUN_RUN_VIDEO_H

#include "json.h"
#include "run_options.h"
#include "run_state.h"

wadi_status run_video_plan(const run_options *options, run *run); /* before anything is read */
wadi_status run_video_check(const run_options *options,
                            const run *run);  /* its place, once the run and its folder are known */
wadi_status run_video_begin(run *run);        /* with the first frame */
int64_t run_video_steps_left(const run *run); /* until the next one */
/* After steps: a frame where one is due. Returns the seconds that it took; errors wait for the end. */
double run_video_step(run *run);
/* Puts the file in place: as far as it goes where the run was stopped, not where it failed. */
void run_video_end(run *run, bool failed);
wadi_status run_video_result(const run *run); /* the error by which the video was lost, at whatever time */
void run_video_free(run_video *video);        /* leaves no file where it was not ended */
wadi_status run_video_estimate(const run *run, double *seconds); /* that drawing it will take */
typedef struct run_video_facts {
    const char *path;
    int64_t every, frames;
    double rate; /* frames a second */
} run_video_facts;
/* false: there is none. `planned`: the frames of a run that begins anew. */
bool run_video_tell(const run *run, bool planned, run_video_facts *facts);
void run_video_write(json *json, const run *run); /* the member "video" */
uint64_t run_video_memory(const run *run);

#endif
