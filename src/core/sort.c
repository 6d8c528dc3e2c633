#include "core/sort.h"

#include <math.h>
#include <string.h>

enum { DIGIT = 11, DIGITS = 1 << DIGIT, PASSES = 3 };

uint64_t wadi_height_key(float height, uint32_t cell) {
    uint32_t bits;
    height += 0.0f;
    memcpy(&bits, &height, sizeof bits);
    return (uint64_t)(bits >> 31 ? ~bits : bits | 0x80000000u) << 32 | cell;
}

size_t wadi_height_keys(const float *heights, size_t count, uint64_t *keys) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(heights[i])) keys[found++] = wadi_height_key(heights[i], (uint32_t)i);
    return found;
}

const uint64_t *wadi_sort_heights(uint64_t *keys, uint64_t *spare, size_t count) {
    for (int pass = 0; pass < PASSES; pass++) {
        const int shift = 32 + pass * DIGIT;
        size_t at[DIGITS + 1] = {0};
        for (size_t i = 0; i < count; i++) at[(keys[i] >> shift) % DIGITS + 1]++;
        for (int d = 0; d < DIGITS; d++) at[d + 1] += at[d];
        for (size_t i = 0; i < count; i++) spare[at[(keys[i] >> shift) % DIGITS]++] = keys[i];
        uint64_t *swap = keys;
        keys = spare;
        spare = swap;
    }
    return keys;
}
