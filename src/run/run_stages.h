/* run_stages.h: the order of stages, and what each takes over from the previous one. */
#ifndef WADI_RUN_RUN_STAGES_H
#define WADI_RUN_RUN_STAGES_H

#include "run_state.h"

/* Passes the state to `sim`: all that wadi_sim_take does, and what the stage says. `hard` is the hardness if the
 * previous model has none (NULL: leave it). */
wadi_status run_hand_over(const run_stage *stage, wadi_sim *sim, const wadi_sim *from, const float *hard);
/* Records the initial settings of a stage. */
wadi_status run_stage_begin(run_stage *stage, const wadi_sim *sim);
bool run_misses_hardness(const wadi_sim *sim, const wadi_sim *from);
void run_stage_free(run_stage *stage);
bool run_events_due(const run *run);    /* in the current stage */
int64_t run_steps_left(const run *run); /* in this visit of the stage */
/* Call after the last step of a visit, before the first, and when events are due. Applies the events, and passes the
 * state to the next stage. */
wadi_status run_next_visit(run *run);
int64_t run_stage_steps(const run_stage *stage); /* in all rounds; -1: too many */
double run_simulated_s(const run *run);
/* Balance of the whole run; also records each stage's own. */
wadi_status run_mass(run *run, wadi_mass *mass);
/* The simulation that has a map: the last stage's. For flow and velocity it is the last one with flowing water. */
wadi_status run_map_sim(const run *run, const char *map, float *scratch, const wadi_sim **sim);

#endif
