/* run_replay.h: whether a run that is done again from its run.json gets the inputs that it had then. */
#ifndef WADI_RUN_RUN_REPLAY_H
#define WADI_RUN_RUN_REPLAY_H

#include "recipe.h"

/* The inputs by their hashes: a warning for each that is another now; strict: refused. */
wadi_status run_check_replay(const recipe *recipe, const run *run, bool strict);

#endif
