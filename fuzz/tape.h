/* tape.h: a checkpoint from bytes, with its checksums made right on the way, or nothing would get past them. */
#ifndef WADI_FUZZ_TAPE_H
#define WADI_FUZZ_TAPE_H

#include "tests/unit/io_files.h"
#include "wadi/analysis.h"
#include "wadi/sim.h"

enum { CHECKSUM = 65, WIDTH_AT = 8 + 64, MOST_CELLS = 512 };

typedef struct tape {
    const uint8_t *bytes;
    size_t count, at;
    bool as_given; /* the checksums too */
    wadi_sha256 hash;
    wadi_sha256 before, band; /* of the bytes up to the last flag, and of those after it */
    int64_t rows;             /* read since then; negative: something else was read, too */
} tape;

static inline tape tape_of(const uint8_t *bytes, size_t count, bool as_given) {
    tape tape = {.bytes = bytes, .count = count, .as_given = as_given};
    wadi_sha256_begin(&tape.hash);
    wadi_sha256_begin(&tape.band);
    tape.before = tape.hash, tape.rows = -1;
    return tape;
}

static inline size_t row_bytes(const tape *tape) {
    int32_t width = 0;
    if (tape->count >= WIDTH_AT + sizeof width) memcpy(&width, tape->bytes + WIDTH_AT, sizeof width);
    return (size_t)width * sizeof(float);
}

static inline bool ends_band(const tape *tape) { return tape->rows > 0; }

/* Flags are what is read by one byte. One may begin a band of rows, which end with a checksum of their own. */
static inline void note_read(tape *tape, const void *bytes, size_t count) {
    if (count == CHECKSUM && ends_band(tape)) tape->hash = tape->before;
    wadi_sha256_add(&tape->hash, bytes, count);
    wadi_sha256_add(&tape->band, bytes, count);
    tape->rows = count == row_bytes(tape) && tape->rows >= 0 ? tape->rows + 1 : -1;
    if (count == 1) {
        tape->before = tape->hash;
        wadi_sha256_begin(&tape->band);
        tape->rows = 0;
    }
}

/* Checksums are what is read 65 bytes at a time, a note of that length apart, which then holds one. */
static inline wadi_status play(void *context, void *bytes, size_t count) {
    tape *tape = context;
    if (count > tape->count - tape->at) return wadi_fail(WADI_ERROR_FORMAT, "the tape ends");
    memcpy(bytes, tape->bytes + tape->at, count);
    tape->at += count;
    if (count == CHECKSUM && !tape->as_given) {
        wadi_sha256 hash = ends_band(tape) ? tape->band : tape->hash;
        wadi_sha256_end(&hash, bytes);
    }
    note_read(tape, bytes, count);
    return WADI_OK;
}

static inline wadi_status record(void *context, const void *from, size_t count) {
    put(context, from, count);
    return WADI_OK;
}

/* Grids that are allowed but take the fuzzer's memory and time are left out. */
static inline bool too_large(const uint8_t *bytes, size_t count) {
    int32_t size[2];
    if (count < WIDTH_AT + sizeof size) return false;
    memcpy(size, bytes + WIDTH_AT, sizeof size);
    const int64_t cells = (int64_t)size[0] * size[1];
    return size[0] > 0 && size[1] > 0 && cells > MOST_CELLS && cells <= INT32_MAX;
}

#endif
