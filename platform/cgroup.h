/* cgroup.h: the limits that a Linux container sets, for versions 1 and 2 of control groups. */
#ifndef WADI_CGROUP_H
#define WADI_CGROUP_H

#include <stdint.h>

uint64_t platform_cgroup_memory_left(void); /* UINT64_MAX: no limit */
double platform_cgroup_cpus(void);          /* 0: no limit */

#endif
