/* sha256.c: SHA-256 (FIPS 180-4) of bytes and of fields. It uses the processor's SHA instructions if there are any. */
#include "core/sha256.h"

#include <stdatomic.h>
#include <string.h>

#include "platform/platform.h"
#include "wadi/analysis.h"

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate_right(uint32_t x, int bits) { return x >> bits | x << (32 - bits); }

static void expand(const uint8_t block[64], uint32_t words[64]) {
    for (int i = 0; i < 16; i++) {
        const uint8_t *b = block + 4 * i;
        words[i] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    }
    for (int i = 16; i < 64; i++) {
        const uint32_t a = words[i - 15], b = words[i - 2];
        const uint32_t s0 = rotate_right(a, 7) ^ rotate_right(a, 18) ^ a >> 3;
        const uint32_t s1 = rotate_right(b, 17) ^ rotate_right(b, 19) ^ b >> 10;
        words[i] = words[i - 16] + s0 + words[i - 7] + s1;
    }
}

static void compress_block(uint32_t state[8], const uint8_t block[64]) {
    uint32_t words[64];
    expand(block, words);
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < 64; i++) {
        const uint32_t s1 = rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25);
        const uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + round_constants[i] + words[i];
        const uint32_t s0 = rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22);
        const uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t1;
        d = c, c = b, b = a, a = t1 + t2;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

void wadi_sha256_portably(uint32_t state[8], const uint8_t *bytes, size_t blocks) {
    for (; blocks > 0; blocks--, bytes += 64) compress_block(state, bytes);
}

#if defined(__x86_64__)
#include <immintrin.h>

/* Four rounds with their four words; the constants are added here. */
__attribute__((target("sha,sse4.1"))) static inline void four_rounds(__m128i *cdgh, __m128i *abef, __m128i words,
                                                                     int round) {
    const __m128i sums = _mm_add_epi32(words, _mm_loadu_si128((const __m128i *)(const void *)&round_constants[round]));
    *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, sums);
    *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_shuffle_epi32(sums, 0x0e));
}

/* The instructions hold the state as ABEF and CDGH, from the highest word down. */
__attribute__((target("sha,sse4.1"))) static void compress_by_instructions(uint32_t state[8], const uint8_t *bytes,
                                                                           size_t blocks) {
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i *const held = (__m128i *)(void *)state;
    const __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128(held), 0xb1);
    const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(held + 1), 0x1b);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
    for (; blocks > 0; blocks--, bytes += 64) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i w[4]; /* the last sixteen words, four at a time */
        for (int i = 0; i < 4; i++) {
            w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)bytes + i), big_endian);
            four_rounds(&cdgh, &abef, w[i], 4 * i);
        }
        for (int round = 16; round < 64; round += 4) {
            const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[0], w[1]), _mm_alignr_epi8(w[3], w[2], 4));
            const __m128i next = _mm_sha256msg2_epu32(sum, w[3]);
            four_rounds(&cdgh, &abef, next, round);
            w[0] = w[1], w[1] = w[2], w[2] = w[3], w[3] = next;
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128(held, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128(held + 1, _mm_alignr_epi8(dchg, feba, 8));
}

/* Cached, because the query is slow in a virtual machine. */
static bool has_instructions(void) {
    static atomic_int known; /* 0: unknown */
    int answer = atomic_load(&known);
    if (answer == 0) atomic_store(&known, answer = platform_cpu_has("sha") ? 1 : -1);
    return answer > 0;
}

static void compress(uint32_t state[8], const uint8_t *bytes, size_t blocks) {
    (has_instructions() ? compress_by_instructions : wadi_sha256_portably)(state, bytes, blocks);
}
#else
#define compress wadi_sha256_portably
#endif

void wadi_sha256_begin(wadi_sha256 *hash) {
    if (hash == NULL) return;
    *hash = (wadi_sha256){
        .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

/* Whole blocks are hashed in place. */
void wadi_sha256_add(wadi_sha256 *hash, const void *bytes, size_t count) {
    if (hash == NULL || bytes == NULL) return;
    const uint8_t *next = bytes;
    const size_t held = (size_t)(hash->bytes % 64);
    hash->bytes += count;
    if (held > 0) {
        const size_t taken = count < 64 - held ? count : 64 - held;
        memcpy(hash->block + held, next, taken);
        if (held + taken < 64) return;
        compress(hash->state, hash->block, 1);
        next += taken, count -= taken;
    }
    if (count >= 64) compress(hash->state, next, count / 64);
    if (count % 64 > 0) memcpy(hash->block, next + count / 64 * 64, count % 64);
}

void wadi_sha256_end(wadi_sha256 *hash, char hex[65]) {
    if (hex == NULL) return;
    hex[0] = '\0';
    if (hash == NULL) return;
    static const char digits[] = "0123456789abcdef";
    static const uint8_t padding[64] = {0x80};
    const uint64_t bits = hash->bytes * 8;
    uint8_t length[8];
    for (int i = 0; i < 8; i++) length[i] = (uint8_t)(bits >> (56 - 8 * i));
    const size_t held = (size_t)(hash->bytes % 64);
    wadi_sha256_add(hash, padding, held < 56 ? 56 - held : 120 - held);
    wadi_sha256_add(hash, length, sizeof length);
    for (int i = 0; i < 64; i++) hex[i] = digits[hash->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
    hex[64] = '\0';
}

static void put_little_endian(uint8_t bytes[4], float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    if (value != value) word = 0x7fc00000; /* all NaNs hash alike */
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(word >> (8 * i));
}

void wadi_field_sha256(const float *values, size_t count, char hex[65]) {
    if (hex == NULL) return;
    hex[0] = '\0';
    if (values == NULL && count > 0) return;
    enum { CHUNK = 1024 };
    uint8_t bytes[4 * CHUNK];
    wadi_sha256 hash;
    wadi_sha256_begin(&hash);
    for (size_t from = 0; from < count; from += CHUNK) {
        const size_t here = count - from < CHUNK ? count - from : CHUNK;
        for (size_t i = 0; i < here; i++) put_little_endian(bytes + 4 * i, values[from + i]);
        wadi_sha256_add(&hash, bytes, 4 * here);
    }
    wadi_sha256_end(&hash, hex);
}
