/* domain.h (internal): makes a domain, and copies its state. A simulation has one; an engine of parts makes one for
 * each part. */
#ifndef WADI_CORE_DOMAIN_H
#define WADI_CORE_DOMAIN_H

#include "core/engine.h"

/* Threads of the CPU that compute it. A process of a team has its share of the machine's cores, or of the requested
 * threads. */
int wadi_domain_threads(const wadi_def *def);
/* A domain of def's width and height, without memory for fields. It chooses the engine. NULL: out of memory. */
wadi_domain *wadi_domain_make(const wadi_def *def, wadi_window window);
/* Memory for all that lasts, except state that the engine keeps elsewhere. */
wadi_status wadi_domain_allocate(wadi_domain *domain);
/* Memory for optional fields that a stage which was switched on writes; and without it, for those that none writes any
 * more. */
wadi_status wadi_domain_add_fields(wadi_domain *domain);
void wadi_domain_drop_fields(wadi_domain *domain);
/* Memory for constants and for a few numbers of each row; a part of the above. */
bool wadi_domain_allocate_numbers(wadi_domain *domain);
/* Closes the engine. The sources stay: parts share them. Takes NULL. */
void wadi_domain_free(wadi_domain *domain);

/* Runs a stage that is computed on request, with memory for what it writes. */
wadi_status wadi_domain_once(wadi_domain *domain, const wadi_stage *stage);

/* Copies the state as the last good one; false: no room. And back. */
bool wadi_domain_keep(wadi_domain *domain);
void wadi_domain_go_back(wadi_domain *domain);

/* Copies rows of the state: one field after the other, def.width values a row. They are `pack` and `unpack` of an
 * engine whose state is in the block, and return true. */
size_t wadi_domain_state_floats(const wadi_domain *domain, int rows);
size_t wadi_domain_most_floats(const wadi_domain *domain, int rows); /* with all optional fields */
bool wadi_domain_pack(wadi_domain *domain, int y, int rows, float *to);
bool wadi_domain_unpack(wadi_domain *domain, int y, int rows, const float *from);

#endif
