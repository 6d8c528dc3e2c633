/* run.h: the two forms of wadi run. */
#ifndef WADI_CLI_RUN_H
#define WADI_CLI_RUN_H

#include "options.h"

#include "run/run_state.h"

/* Runs to the end, from a checkpoint that is already written. The same for new and resumed runs. */
wadi_status run_finish(run *run);

#endif
