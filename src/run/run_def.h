/* run_def.h: a stage's definition from its options: model, preset, parameters, rain. */
#ifndef WADI_RUN_RUN_DEF_H
#define WADI_RUN_RUN_DEF_H

#include "run_options.h"
#include "run_state.h"

/* Parameters that are maps are returned as "symbol=path". */
wadi_status run_make_def(const run_options *options, const wadi_raster *raster, wadi_def *def, run_stage *stage,
                         text_list *maps);
/* From --steps, else from --time; unchanged if neither was given. */
wadi_status run_target_steps(const run_options *options, const wadi_def *def, int64_t *steps);
/* Every parameter's standard value, at scale cell: what a file of an earlier version means by a parameter that it does
 * not name. */
extern const wadi_preset run_standard_preset;
/* Whether the model's water flows in the time that its steps take. */
bool run_flows_by_the_second(const wadi_model *model);
/* Index of the --set that sets a parameter; -1: none. */
int run_setting_of(const run_options *options, const wadi_model *model, int parameter);

#endif
