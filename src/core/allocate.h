/* allocate.h (internal): memory for fields. */
#ifndef WADI_CORE_ALLOCATE_H
#define WADI_CORE_ALLOCATE_H

#include "core/engine.h"

bool wadi_field_used(const wadi_def *def, int field); /* whether a stage that runs uses it, or it is state */

/* Allocates a field of the block and fills it with its initial value. false: out of memory. */
bool wadi_domain_allocate_field(wadi_domain *domain, int field);

/* Zeros that lie where the fields do: in memory, or in a file of the scratch folder. For what has a value in each cell.
 * NULL: there is no room. */
void *wadi_domain_reserve(const wadi_domain *domain, size_t bytes);
void wadi_domain_release(void *reserved); /* takes NULL */

/* Sets the error message that says how much memory the simulation needs. */
wadi_status wadi_domain_too_large(const wadi_domain *domain);
/* The same for one map beside the fields. */
wadi_status wadi_domain_no_map(const wadi_domain *domain);

#endif
