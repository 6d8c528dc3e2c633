/* checkpoint.h: checkpoints of runs: the simulations and the plan of the run. */
#ifndef WADI_RUN_CHECKPOINT_H
#define WADI_RUN_CHECKPOINT_H

#include "run_state.h"

wadi_status run_checkpoint_save(const run *run, wadi_write_fn *write, void *context);
/* Reads a checkpoint. Messages begin with `what`. */
wadi_status run_checkpoint_load(wadi_read_fn *read, void *context, const char *what, const wadi_def *how, run *run);
wadi_status run_checkpoint_read_file(const char *path, const wadi_def *how, run *run);
wadi_status run_checkpoint_read(const char *folder, const wadi_def *how, run *run);
wadi_status run_checkpoint_check(const char *folder); /* whether the folder has a checkpoint to continue from */

#endif
