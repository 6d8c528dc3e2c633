/* run_start.h: begins and ends a run. */
#ifndef WADI_RUN_RUN_START_H
#define WADI_RUN_RUN_START_H

#include "run_options.h"
#include "run_state.h"

void run_free(run *run);
wadi_status run_check_backend(const run_options *given);

#endif
