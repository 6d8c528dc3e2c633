/* need.h (internal): checks pointers that a public call requires. */
#ifndef WADI_CORE_NEED_H
#define WADI_CORE_NEED_H

#include "wadi/status.h"

/* Returns WADI_ERROR_ARGUMENT if the pointer is NULL. The message names it. */
#define WADI_NEED(pointer) \
    do { \
        if ((pointer) == NULL) \
            return wadi_fail(WADI_ERROR_ARGUMENT, "%s: %s is NULL: give what the header asks for", __func__, \
                             #pointer); \
    } while (0)

#endif
