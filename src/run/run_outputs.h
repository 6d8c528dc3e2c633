/* run_outputs.h: writes the run folder's files and puts them in place. */
#ifndef WADI_RUN_RUN_OUTPUTS_H
#define WADI_RUN_RUN_OUTPUTS_H

#include "manifest.h"

wadi_format run_output_format(const run *run);
wadi_status run_write_outputs(run *run, run_result *result);
void run_result_free(run_result *result);

/* Whether the outputs come with measures of realism: not for maps so large that this would take a good part of a fast
 * run. `wadi info` has them. */
bool run_outputs_measured(const run *run);

#endif
