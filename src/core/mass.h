/* mass.h (internal): sums for the mass balance. */
#ifndef WADI_CORE_MASS_H
#define WADI_CORE_MASS_H

#include "wadi/sim.h"

/* Over cells with data. They fail where an engine keeps the state elsewhere and it cannot be brought; of a field that
 * was brought to be changed they do not. */
wadi_status wadi_field_total(const wadi_sim *sim, int field, double *total);
wadi_status wadi_moved_total(const wadi_sim *sim, double *total); /* of |change - taken| */

#endif
