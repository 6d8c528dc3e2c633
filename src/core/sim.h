/* sim.h (internal): life cycle of a simulation. */
#ifndef WADI_CORE_SIM_H
#define WADI_CORE_SIM_H

#include "core/model.h"

/* Runs a stage that is computed on request. */
wadi_status wadi_sim_once(const wadi_sim *sim, const wadi_stage *stage);

#endif
