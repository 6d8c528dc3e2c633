/* sim.h (internal): a simulation's life. */
#ifndef WADI_CORE_SIM_H
#define WADI_CORE_SIM_H

#include "core/model.h"

/* A stage that runs when asked for. */
wadi_status wadi_sim_once(wadi_sim *sim, const wadi_stage *stage);

#endif
