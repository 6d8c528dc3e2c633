/* run_report.h: what wadi run says of a run: lines for people, or JSON lines. */
#ifndef WADI_CLI_RUN_REPORT_H
#define WADI_CLI_RUN_REPORT_H

#include "run/manifest.h"
#include "run/run_state.h"
#include "run/run_steps.h"

typedef struct run_words {
    bool json, quiet; /* as --json and --quiet */
    const char *set;  /* the folder of variations to which the run belongs; NULL: none */
} run_words;

void run_report_start(const run *run);                              /* as JSON */
void run_report_checkpoint(const run *run, const run_words *words); /* of a failed run: a note that it can be resumed */
void run_report_interrupted(const run *run, const run_words *words);
void run_report_result(const run *run, const run_result *result, const run_words *words);
void run_report_plan(const run *run, const run_needs *needs, const run_words *words);

#endif
