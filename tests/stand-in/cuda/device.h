/* device.h (internal): the stand-in's memory, and how it runs kernels. */
#ifndef WADI_TESTS_STAND_IN_DEVICE_H
#define WADI_TESTS_STAND_IN_DEVICE_H

#include <stddef.h>

#include "machine.h"

/* Allocates memory filled with NaN. It ends at a page's end, so that an access beyond it faults. */
char *device_memory(size_t bytes);
void device_free(char *memory);

extern machine the_machine;
void run_kernel(void (*kernel)(const void *const *), place3 groups, unsigned items, size_t bytes,
                const void *const *given, bool together);

#endif
