/* run.h: wadi run in its two forms. */
#ifndef WADI_CLI_RUN_H
#define WADI_CLI_RUN_H

#include "options.h"

#include "run/run_state.h"

/* From a written checkpoint on: the same for a new and for a resumed run. */
wadi_status run_finish(run *run);

#endif
