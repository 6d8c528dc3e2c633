/* run_resume.h: a run goes on from its folder, to its end or for more steps. */
#ifndef WADI_RUN_RUN_RESUME_H
#define WADI_RUN_RUN_RESUME_H

#include "run_options.h"
#include "run_state.h"

/* Refuses options (bit i of `given`: option i) that the run folder says itself. */
wadi_status run_check_with_resume(option_set given);
/* Holds the folder, reads its checkpoint, and finds how many steps are left. */
wadi_status run_resume(const run_options *given, run *run);
/* Enters the stage whose turn it is. */
wadi_status run_go_on(run *run);

#endif
