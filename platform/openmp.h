/* openmp.h: OpenMP's functions; built without OpenMP (WADI_OPENMP=OFF), the same with one thread. */
#ifndef WADI_PLATFORM_OPENMP_H
#define WADI_PLATFORM_OPENMP_H

#ifdef _OPENMP
#include <omp.h>
#else
static inline int omp_get_thread_num(void) { return 0; }
static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_max_threads(void) { return 1; }
static inline int omp_get_thread_limit(void) { return 1; }
static inline int omp_get_max_active_levels(void) { return 1; }
static inline void omp_set_num_threads(int count) { (void)count; }
static inline void omp_set_max_active_levels(int levels) { (void)levels; }
#endif

#endif
