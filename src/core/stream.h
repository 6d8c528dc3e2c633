/* stream.h (internal): numbers of a checkpoint, little-endian, with a SHA-256 over all of them. */
#ifndef WADI_CORE_STREAM_H
#define WADI_CORE_STREAM_H

#include "core/model.h"
#include "wadi/analysis.h"

/* One description of a file serves reading and writing: `write` or `read` is NULL. After a failure all calls do
 * nothing. */
typedef struct wadi_stream {
    wadi_write_fn *write;
    wadi_read_fn *read;
    void *context;
    wadi_sha256 hash;
    wadi_status status;
    int version;
} wadi_stream;

void wadi_stream_bytes(wadi_stream *stream, void *bytes, size_t count);
void wadi_stream_write(wadi_stream *stream, const void *bytes, size_t count);
/* Numbers of `size` bytes each, in the byte order of this machine. */
void wadi_stream_numbers(wadi_stream *stream, void *numbers, size_t size, size_t count);
void wadi_stream_flag(wadi_stream *stream, bool *flag);
/* The hash so far. A reader compares it with its own. */
void wadi_stream_checksum(wadi_stream *stream);
/* Fails: the file is damaged in `what`. */
void wadi_stream_damaged(wadi_stream *stream, const char *what);

/* A field or a map: `height` rows of `width` cells, the rows `pitch` floats apart. */
typedef struct wadi_rows {
    float *first;
    ptrdiff_t pitch;
    int width, height, threads;
} wadi_rows;

/* Bands of 64 rows: a flag, then either the one value of all cells, or the rows and their own SHA-256. All threads hash
 * while the caller's thread reads or writes. */
void wadi_stream_bands(wadi_stream *stream, const wadi_rows *rows);
/* The rows without bands, as earlier versions have them. */
void wadi_stream_plain_rows(wadi_stream *stream, const wadi_rows *rows);

#endif
