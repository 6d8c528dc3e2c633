/* run_resume.h: wadi run --resume. */
#ifndef WADI_CLI_RUN_RESUME_H
#define WADI_CLI_RUN_RESUME_H

#include "options.h"

#include "run/run_options.h"
#include "run/run_state.h"

wadi_status run_resume(const run_options *given, const arguments *arguments, run *run);

#endif
