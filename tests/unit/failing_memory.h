/* failing_memory.h: which allocation fails. The test that includes it puts functions of its own in place of malloc()
 * and so on; they ask fails(), and count what lives. */
#ifndef WADI_TESTS_FAILING_MEMORY_H
#define WADI_TESTS_FAILING_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_long before_failure = -1; /* allocations till then; below 0: none fails */
static atomic_long living;
static atomic_bool failed, for_good;

static bool fails(void) {
    if (atomic_load(&failed)) return atomic_load(&for_good);
    if (atomic_load(&before_failure) < 0 || atomic_fetch_sub(&before_failure, 1) != 0) return false;
    atomic_store(&failed, true);
    return true;
}

static inline void *counted(void *memory) {
    if (memory != NULL) atomic_fetch_add(&living, 1);
    return memory;
}
static inline void *gone(void *memory) {
    if (memory != NULL) atomic_fetch_sub(&living, 1);
    return memory;
}

static void arm(long n, bool all_further) {
    atomic_store(&failed, false);
    atomic_store(&for_good, all_further);
    atomic_store(&before_failure, n);
}

/* Whether one failed. */
static bool disarm(void) {
    atomic_store(&before_failure, -1);
    return atomic_exchange(&failed, false);
}

#endif
