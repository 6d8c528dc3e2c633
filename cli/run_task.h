/* run_task.h: a run of the command: its steps to the end or to an interruption, and what is said of them. */
#ifndef WADI_CLI_RUN_TASK_H
#define WADI_CLI_RUN_TASK_H

#include "run_report.h"

typedef struct run_task {
    run run;
    run_words words;
    bool interrupted; /* it was stopped before its end, and can be resumed */
} run_task;

/* Makes all steps of a run that has begun, and its outputs. */
wadi_status run_task_finish(run_task *task);
wadi_status run_note_command(int argc, char **argv, run *run); /* the command line, for run.json */

#endif
