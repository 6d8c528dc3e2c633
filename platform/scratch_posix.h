/* scratch_posix.h (internal): what posix.c does with the lock of scratch files around a fork. */
#ifndef WADI_SCRATCH_POSIX_H
#define WADI_SCRATCH_POSIX_H

#include "platform/platform.h"

void platform_scratch_before_fork(void);
void platform_scratch_after_fork(void);
void platform_scratch_in_child(void);

#endif
