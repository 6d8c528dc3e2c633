/* run_series.h: saves maps of a run at many times, as one file with a time axis. Without --save all functions do
 * nothing. */
#ifndef WADI_RUN_RUN_SERIES_H
#define WADI_RUN_RUN_SERIES_H

#include "json.h"
#include "run_options.h"
#include "run_state.h"

wadi_status run_series_plan(const run_options *options, run *run); /* before anything is read */
/* Opens the file of frames in the run folder, with the first frame; of a resumed run with the frames that it has. */
bool run_series_saves(const run *run, const char *map);
wadi_status run_series_begin(run *run, bool resumed);
int64_t run_series_steps_left(const run *run); /* until the next frame */
/* Call after steps: adds a frame if one is due. Returns the seconds that it took; errors are kept for the end. */
double run_series_step(run *run);
/* Makes the series of all frames so far: among the outputs, before run.json names it, or (staging NULL) in place of an
 * earlier one. Errors are kept for run_series_end. */
void run_series_make(run *run, const char *staging);
wadi_status run_series_end(run *run); /* after the outputs are written: removes frames that nobody needs again */
void run_series_write(json *json, const run *run); /* the member "series" */
/* "out/series.nc: 11 frames of water, flow, one every 10 steps"; NULL: no series, or no memory. Free it. */
char *run_series_text(const run *run);
void run_series_free(run_series *series);

#endif
