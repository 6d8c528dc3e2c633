/* random.h: counter-based random numbers, Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy
 * as 1, 2, 3", SC11). A number is a function of its counter and key. So any part of the grid can compute the numbers of
 * any cell, drop or step. The code is in the common subset of C11, OpenCL C and CUDA C: 32-bit integers, values in and
 * values out. `unsigned int` has 32 bits in all three. The high half of a product is computed from 16-bit halves,
 * because the three languages spell it differently. */
#ifndef WADI_CORE_RANDOM_H
#define WADI_CORE_RANDOM_H

typedef unsigned int wadi_u32;

typedef struct wadi_random4 {
    wadi_u32 v[4];
} wadi_random4;

/* The high 32 bits of a * b. No intermediate sum exceeds 32 bits: (2^16 - 1)^2 + 2 * (2^16 - 1) = 2^32 - 1. */
static inline wadi_u32 wadi_multiply_high(wadi_u32 a, wadi_u32 b) {
    const wadi_u32 a0 = a & 0xffffu, a1 = a >> 16;
    const wadi_u32 b0 = b & 0xffffu, b1 = b >> 16;
    const wadi_u32 low = a0 * b0;
    const wadi_u32 middle = a1 * b0 + (low >> 16);
    const wadi_u32 middle2 = a0 * b1 + (middle & 0xffffu);
    return a1 * b1 + (middle >> 16) + (middle2 >> 16);
}

/* Four independent random words for counter (c0..c3) under key (k0, k1). */
static inline wadi_random4 wadi_philox(wadi_u32 c0, wadi_u32 c1, wadi_u32 c2, wadi_u32 c3, wadi_u32 k0, wadi_u32 k1) {
    for (int round = 0; round < 10; round++) {
        const wadi_u32 high0 = wadi_multiply_high(0xd2511f53u, c0), low0 = 0xd2511f53u * c0;
        const wadi_u32 high1 = wadi_multiply_high(0xcd9e8d57u, c2), low1 = 0xcd9e8d57u * c2;
        c0 = high1 ^ c1 ^ k0;
        c1 = low1;
        c2 = high0 ^ c3 ^ k1;
        c3 = low0;
        k0 += 0x9e3779b9u; /* the golden ratio */
        k1 += 0xbb67ae85u; /* sqrt(3) - 1 */
    }
    wadi_random4 words;
    words.v[0] = c0;
    words.v[1] = c1;
    words.v[2] = c2;
    words.v[3] = c3;
    return words;
}

/* Uniform in [0, 1): the upper 24 bits of the word, exact. */
static inline float wadi_unit_float(wadi_u32 word) { return (float)(word >> 8) * (1.0f / 16777216.0f); }

#endif
