/* byte_order.h (internal): whether this machine is big-endian. Files do not depend on it. */
#ifndef WADI_CORE_BYTE_ORDER_H
#define WADI_CORE_BYTE_ORDER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline bool wadi_big_endian(void) {
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 0;
}

#endif
