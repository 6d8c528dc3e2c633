/* allocate.h (internal): memory for fields. */
#ifndef WADI_CORE_ALLOCATE_H
#define WADI_CORE_ALLOCATE_H

#include "core/model.h"

float wadi_at_start(const wadi_sim *sim, int field);  /* what a field is everywhere before anything is set */
bool wadi_field_used(const wadi_def *def, int field); /* by a stage that runs, or as state */

/* Grids of all scratch that this run has, for an engine that keeps it, if there is room. */
wadi_status wadi_sim_allocate_scratch(wadi_sim *sim);
/* A field of the block, as it is at the start. false: no memory. */
bool wadi_sim_allocate_field(wadi_sim *sim, int field);

/* Sets the error that says how much memory the simulation needs. */
wadi_status wadi_sim_too_large(const wadi_sim *sim);

#endif
