/* mirror.h (internal): the block's copies of fields that an engine keeps elsewhere. */
#ifndef WADI_CORE_MIRROR_H
#define WADI_CORE_MIRROR_H

#include "core/engine.h"

/* Brings the block's copy of a field up to date: for reading, or for writing. */
wadi_status wadi_domain_bring(wadi_domain *domain, int field);
wadi_status wadi_domain_bring_to_change(wadi_domain *domain, int field);
/* Periodic grid: fills the halo of the mirror's rows after a change. */
void wadi_domain_close_rows(const wadi_domain *domain, int field);
/* Resets a state field to its initial value. */
void wadi_domain_begin_anew(wadi_domain *domain, int field);

#endif
