/* memory.h: whether simulations fit into memory, before anything is allocated. */
#ifndef WADI_RUN_MEMORY_H
#define WADI_RUN_MEMORY_H

#include "device_memory.h"

/* WADI_ERROR_MEMORY says what is needed, what there is, and what would fit. `needed`: of the host's memory, for
 * what has def's size; `of`: "jako2011", "all stages". */
wadi_status memory_check_host(const wadi_def *def, const char *of, uint64_t needed);
/* cpu_fits: the CPU would take the same. */
wadi_status memory_check_device(const wadi_def *defs, size_t count, const char *of, bool cpu_fits);

#endif
