/* run_replay.h: when a run is repeated from its run.json, compares its inputs with the recorded ones. */
#ifndef WADI_RUN_RUN_REPLAY_H
#define WADI_RUN_RUN_REPLAY_H

#include "recipe.h"

/* Compares hashes. Each input that differs gives a warning; with `strict` it is refused. */
wadi_status run_check_replay(const recipe *recipe, const run *run, bool strict);

#endif
