/* def_memory.h (internal): whether a simulation exceeds its memory limit. */
#ifndef WADI_CORE_DEF_MEMORY_H
#define WADI_CORE_DEF_MEMORY_H

#include "core/model.h"

/* Whether the grid is computed in slabs, with its fields in files. */
bool wadi_def_streams(const wadi_def *def);

/* wadi_def_device_memory without a limit. */
uint64_t wadi_device_memory_wanted(const wadi_def *def);

#endif
