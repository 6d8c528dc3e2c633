/* checkpoint_writer.h: the file of a checkpoint. It is written beside the steps: the run is copied into memory, and a
 * thread writes the copy. Where memory is short, the caller's thread writes the file. */
#ifndef WADI_RUN_CHECKPOINT_WRITER_H
#define WADI_RUN_CHECKPOINT_WRITER_H

#include "run_state.h"

/* Waits for the file before, and forgets its failure. Then copies the run. */
wadi_status run_checkpoint_begin(run *run);
/* Waits for the file, if one is being written. WADI_OK: it is whole. Else the checkpoint before it is still there. */
wadi_status run_checkpoint_end(run *run);
/* The same, but does not wait: WADI_OK also while the file is being written. */
wadi_status run_checkpoint_poll(run *run);
uint64_t run_checkpoint_bytes(const run *run); /* of the last one that was begun; 0: none */
/* Waits. Whether the folder has a checkpoint of this run. */
bool run_checkpoint_there(run *run);
/* After run_checkpoint_end has failed: writes the same copy again. Fails as before where there is none. */
wadi_status run_checkpoint_again(run *run);
/* Writes a checkpoint of this moment, and waits for it. */
wadi_status run_checkpoint_write(run *run);
wadi_status run_checkpoint_remove(run *run); /* there may be none */
/* Waits for the file and frees the copy. */
void run_checkpoint_writer_free(run *run);

wadi_status run_checkpoint_write_file(const run *run, const char *path); /* at once; whole or not at all */

#endif
