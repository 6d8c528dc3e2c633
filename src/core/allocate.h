/* allocate.h (internal): memory for fields. */
#ifndef WADI_CORE_ALLOCATE_H
#define WADI_CORE_ALLOCATE_H

#include "core/model.h"

float wadi_at_start(const wadi_sim *sim, int field);  /* the value of a field everywhere before anything is set */
bool wadi_field_used(const wadi_def *def, int field); /* whether a stage that runs uses it, or it is state */

/* Allocates all scratch fields that this run uses. For an engine that keeps them for the whole run, if they fit. */
wadi_status wadi_sim_allocate_scratch(wadi_sim *sim);
/* Allocates a field of the block and fills it with its initial value. false: out of memory. */
bool wadi_sim_allocate_field(wadi_sim *sim, int field);

/* Sets the error message that says how much memory the simulation needs. */
wadi_status wadi_sim_too_large(const wadi_sim *sim);

#endif
