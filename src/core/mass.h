/* mass.h (internal): sums for the mass balance. */
#ifndef WADI_CORE_MASS_H
#define WADI_CORE_MASS_H

#include "core/engine.h"
#include "wadi/sim.h"

/* Sums over cells with data. They fail if the engine keeps the state elsewhere and cannot fetch it. They cannot fail
 * for a field that was fetched for writing. */
wadi_status wadi_field_total(const wadi_sim *sim, int field, double *total);
wadi_status wadi_field_largest(const wadi_sim *sim, int field, double *largest); /* of values that are 0 or more */
double wadi_row_largest(const wadi_domain *domain, int field, int y);            /* the same of a row, or 0 */
wadi_status wadi_moved_total(const wadi_sim *sim, double *total);                /* sum of |change - taken| */

#endif
