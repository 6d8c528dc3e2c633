/* need.h (internal): pointers that a public call needs. */
#ifndef WADI_CORE_NEED_H
#define WADI_CORE_NEED_H

#include "wadi/status.h"

/* Ends a call that returns a status where a pointer is NULL, which the message names. */
#define WADI_NEED(pointer) \
    do { \
        if ((pointer) == NULL) \
            return wadi_fail(WADI_ERROR_ARGUMENT, "%s: %s is NULL: give what the header asks for", __func__, \
                             #pointer); \
    } while (0)

#endif
