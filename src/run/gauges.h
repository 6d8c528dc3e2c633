/* gauges.h: water and sediment at named cells, through lines and over the border, with time: gauges.csv. The rows are a
 * part of the plan, so a checkpoint has them. Without --gauges and --gauge-every all functions do nothing. */
#ifndef WADI_RUN_GAUGES_H
#define WADI_RUN_GAUGES_H

#include "json.h"
#include "note.h"
#include "run_options.h"
#include "run_state.h"

/* After the inputs are loaded. pixel: the gauges' places are in cells. */
wadi_status run_gauges_plan(const run_options *options, bool pixel, run *run);
int64_t run_gauges_steps_left(const run *run); /* until the next rows */
wadi_status run_gauges_step(run *run);         /* call after steps and before the first: adds rows if they are due */
wadi_status run_gauges_end(run *run);          /* after the last checkpoint: adds the rows of the end */
wadi_status run_gauges_restored(run *run);     /* after the simulation was read from a checkpoint */
wadi_status run_gauges_write(const run *run, const char *folder); /* the file */
void run_gauges_recipe(json *json, const run *run);               /* the members of a recipe */
void run_gauges_put(note *note, const run_gauges *gauges);
void run_gauges_take(note *note, const wadi_def *grid, run_gauges *gauges);
void run_gauges_put_lines(note *note, const run_gauges *gauges); /* at the end, for earlier versions */
void run_gauges_take_lines(note *note, const wadi_def *grid, run_gauges *gauges);
void run_gauges_free(run_gauges *gauges);

#endif
