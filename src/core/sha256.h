/* sha256.h (internal) */
#ifndef WADI_CORE_SHA256_H
#define WADI_CORE_SHA256_H

#include <stddef.h>
#include <stdint.h>

/* The state after so many blocks of 64 bytes, in portable C. wadi_sha256_add gives the same on any processor. */
void wadi_sha256_portably(uint32_t state[8], const uint8_t *bytes, size_t blocks);

#endif
