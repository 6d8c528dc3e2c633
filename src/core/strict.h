/* strict.h (internal): IEEE arithmetic in the default mode, whatever mode the caller has set. */
#ifndef WADI_CORE_STRICT_H
#define WADI_CORE_STRICT_H

#include "platform/platform.h"

static inline void wadi_strict_leave(const unsigned *before) { platform_float_mode_restore(*before); }

/* From here to the end of the block, this thread rounds to nearest and keeps denormals. Each thread of a team needs it,
 * because threads keep the mode in which they were created. It must come first in a block, before any arithmetic. */
#define WADI_IEEE_MODE \
    __attribute__((cleanup(wadi_strict_leave), unused)) const unsigned strict_before = platform_float_mode_strict()

#endif
