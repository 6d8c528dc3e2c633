/* mesh_sink.h (internal): bytes, words and numbers to a file, through a buffer. */
#ifndef WADI_IO_MESH_SINK_H
#define WADI_IO_MESH_SINK_H

#include "formats.h"

typedef struct io_sink {
    io_output output;
    uint64_t at;
    size_t used;
    bool base64; /* of what follows */
    uint8_t left[3];
    size_t left_count;
    char buffer[1 << 16];
} io_sink;

/* NULL: *status says why. */
io_sink *io_sink_open(const char *path, wadi_status *status);
wadi_status io_sink_close(io_sink *s); /* reports errors of all calls before, and frees it */
void io_sink_put(io_sink *s, const void *bytes, size_t count);
void io_sink_text(io_sink *s, const char *words);
void io_sink_binary(io_sink *s, const uint8_t *bytes, size_t count); /* base64, if it is set */
void io_sink_base64_end(io_sink *s);
void io_sink_word(io_sink *s, uint32_t v); /* the low byte first */
void io_sink_float(io_sink *s, float v);
void io_sink_number(io_sink *s, double v); /* " 1.500000" */
/* The shortest decimal number that is read back as the same float, independent of the caller's locale. */
void io_sink_float_text(char out[32], float v);

#endif
