/* manifest.h: the content of run.json. */
#ifndef WADI_RUN_MANIFEST_H
#define WADI_RUN_MANIFEST_H

#include "json.h"
#include "run_state.h"

#include "wadi/realism.h"

typedef struct run_output {
    const char *name;
    char *path; /* in the run folder */
    char sha256[65];
    wadi_range range;
    wadi_write_options written;
} run_output;

typedef struct run_result {
    run_output outputs[MOST_MAPS + 1];
    size_t output_count;
    text_list files; /* all files written, in the order in which they are put in place */
    double score_after;
    double sea_m;         /* -INFINITY: none */
    wadi_realism realism; /* of the height as written, without the sea */
    wadi_mass mass;
} run_result;

/* Writes the members of run.json into an open object. */
void run_manifest_write(json *json, const run *run, const run_result *result);
double run_cell_steps_per_s(const run *run);

#endif
