/* stream.c: numbers of a checkpoint. */
#include "core/stream.h"

#include <string.h>

#include "core/byte_order.h"

void wadi_stream_write(wadi_stream *stream, const void *bytes, size_t count) {
    if (stream->status != WADI_OK || count == 0) return;
    stream->status = stream->write(stream->context, bytes, count);
    if (stream->status == WADI_OK) wadi_sha256_add(&stream->hash, bytes, count);
}

static void read_bytes(wadi_stream *stream, void *bytes, size_t count) {
    stream->status = stream->read(stream->context, bytes, count);
    if (stream->status == WADI_OK) wadi_sha256_add(&stream->hash, bytes, count);
}

void wadi_stream_bytes(wadi_stream *stream, void *bytes, size_t count) {
    if (stream->status != WADI_OK || count == 0) return;
    if (stream->write != NULL)
        wadi_stream_write(stream, bytes, count);
    else
        read_bytes(stream, bytes, count);
}

static void reverse(uint8_t *number, size_t size) {
    for (size_t i = 0; i < size / 2; i++) {
        const uint8_t byte = number[i];
        number[i] = number[size - 1 - i];
        number[size - 1 - i] = byte;
    }
}

void wadi_stream_numbers(wadi_stream *stream, void *numbers, size_t size, size_t count) {
    if (!wadi_big_endian()) {
        wadi_stream_bytes(stream, numbers, size * count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint8_t little[8], *number = (uint8_t *)numbers + i * size;
        memcpy(little, number, size);
        reverse(little, size);
        wadi_stream_bytes(stream, little, size);
        reverse(little, size);
        memcpy(number, little, size);
    }
}

void wadi_stream_flag(wadi_stream *stream, bool *flag) {
    uint8_t byte = *flag;
    wadi_stream_bytes(stream, &byte, 1);
    *flag = byte != 0;
}

void wadi_stream_damaged(wadi_stream *stream, const char *what) {
    if (stream->status == WADI_OK)
        stream->status =
            wadi_fail(WADI_ERROR_FORMAT, "checkpoint: %s: the file is damaged or of another version", what);
}

void wadi_stream_checksum(wadi_stream *stream) {
    char mine[65], theirs[65];
    wadi_sha256 hash = stream->hash;
    wadi_sha256_end(&hash, mine);
    memcpy(theirs, mine, sizeof theirs);
    wadi_stream_bytes(stream, theirs, sizeof theirs);
    if (memcmp(mine, theirs, sizeof mine) != 0) wadi_stream_damaged(stream, "the checksum does not match");
}
