/* memory.h: checks that simulations fit into memory, before any allocation. */
#ifndef WADI_RUN_MEMORY_H
#define WADI_RUN_MEMORY_H

#include "device_memory.h"

/* WADI_ERROR_MEMORY reports the need, the available memory, and a size that would fit. `needed`: host memory for the
 * size of def; `of`: "jako2011", "all stages". */
wadi_status run_memory_check_host(const wadi_def *def, const char *of, uint64_t needed);
/* cpu_fits: the CPU could run the same. */
wadi_status run_memory_check_device(const wadi_def *defs, size_t count, const char *of, bool cpu_fits);

#endif
