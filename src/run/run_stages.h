/* run_stages.h: which stage's turn it is, and what it takes over. */
#ifndef WADI_RUN_RUN_STAGES_H
#define WADI_RUN_RUN_STAGES_H

#include "run_state.h"

/* What `sim` takes over from the one before: all that wadi_sim_take does; `hard`, where the one before knows no
 * hardness (NULL: leave it); and what the stage says. */
wadi_status run_hand_over(const run_stage *stage, wadi_sim *sim, const wadi_sim *from, const float *hard);
/* Keeps what a stage begins with. */
wadi_status run_stage_begin(run_stage *stage, const wadi_sim *sim);
bool run_misses_hardness(const wadi_sim *sim, const wadi_sim *from);
void run_stage_free(run_stage *stage);
bool run_events_due(const run *run);    /* of the stage whose turn it is */
int64_t run_steps_left(const run *run); /* of this visit */
/* After the last step of a visit, before the first, and where events are due: does them, and hands the state on. */
wadi_status run_next_visit(run *run);
int64_t run_stage_steps(const run_stage *stage); /* in all rounds; -1: too many */
double run_simulated_s(const run *run);
/* Of the whole run; and each stage's own, noted in the stage. */
wadi_status run_mass(run *run, wadi_mass *mass);
/* The simulation that a map is of: the last stage's, but flow and velocity of the last one in which water flowed. */
wadi_status run_map_sim(const run *run, const char *map, float *scratch, const wadi_sim **sim);

#endif
