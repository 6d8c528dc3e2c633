/* strict.h (internal): what promises bits computes as IEEE asks, whatever the caller's rounding is. */
#ifndef WADI_CORE_STRICT_H
#define WADI_CORE_STRICT_H

#include "platform/platform.h"

static inline void wadi_strict_leave(const unsigned *before) { platform_float_mode_restore(*before); }

/* From here to the end of the block, in this thread: round to nearest, keep denormals. Each thread of a team needs it:
 * threads keep the mode that they were made with. First in a block, so that nothing is computed before. */
#define WADI_STRICT \
    __attribute__((cleanup(wadi_strict_leave), unused)) const unsigned strict_before = platform_float_mode_strict()

#endif
