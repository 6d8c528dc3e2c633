#include "mesh_sink.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void flush(io_sink *s) {
    io_output_write(&s->output, s->at, s->buffer, s->used); /* closing reports an error */
    s->at += s->used;
    s->used = 0;
}

void io_sink_put(io_sink *s, const void *bytes, size_t count) {
    const char *from = bytes;
    while (count > 0) {
        if (s->used == sizeof s->buffer) flush(s);
        const size_t room = sizeof s->buffer - s->used, part = count < room ? count : room;
        memcpy(s->buffer + s->used, from, part);
        s->used += part;
        from += part;
        count -= part;
    }
}

void io_sink_text(io_sink *s, const char *words) { io_sink_put(s, words, strlen(words)); }

static void put_group(io_sink *s, size_t count) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint32_t v = (uint32_t)s->left[0] << 16 | (uint32_t)s->left[1] << 8 | s->left[2];
    char group[4];
    for (size_t i = 0; i < 4; i++) group[i] = '=';
    for (size_t i = 0; i <= count; i++) group[i] = letters[v >> (18 - 6 * i) & 63];
    io_sink_put(s, group, 4);
    memset(s->left, 0, sizeof s->left);
    s->left_count = 0;
}

void io_sink_binary(io_sink *s, const uint8_t *bytes, size_t count) {
    if (!s->base64) {
        io_sink_put(s, bytes, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        s->left[s->left_count++] = bytes[i];
        if (s->left_count == 3) put_group(s, 3);
    }
}

void io_sink_base64_end(io_sink *s) {
    if (s->left_count > 0) put_group(s, s->left_count);
    s->base64 = false;
}

void io_sink_word(io_sink *s, uint32_t v) {
    const uint8_t bytes[] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)};
    io_sink_binary(s, bytes, 4);
}

void io_sink_float(io_sink *s, float v) {
    uint32_t bits;
    memcpy(&bits, &v, 4);
    io_sink_word(s, bits);
}

/* The locale's decimal point may be a comma, or several bytes. */
static void set_point(char *text) {
    const size_t whole = strspn(text, "+-0123456789"), point = strcspn(text + whole, "+-0123456789e");
    if (point == 0) return;
    text[whole] = '.';
    memmove(text + whole + 1, text + whole + point, strlen(text + whole + point) + 1);
}

void io_sink_float_text(char out[32], float v) {
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(out, 32, "%.*g", digits, (double)v);
        if (strtof(out, NULL) == v) break;
    }
    set_point(out);
}

/* Six decimals, as far as integers reach. */
void io_sink_number(io_sink *s, double v) {
    const bool far = !(fabs(v) < 9e12);
    const int64_t scaled = far ? 0 : (int64_t)floor(fabs(v) * 1e6 + 0.5), whole = 1000000;
    char digits[40];
    if (far)
        io_sink_float_text(digits, (float)v);
    else
        snprintf(digits, sizeof digits, "%s%lld.%06lld", v < 0 && scaled > 0 ? "-" : "", (long long)(scaled / whole),
                 (long long)(scaled % whole));
    io_sink_text(s, " ");
    io_sink_text(s, digits);
}

io_sink *io_sink_open(const char *path, wadi_status *status) {
    io_sink *s = malloc(sizeof *s);
    *status = s != NULL ? WADI_OK : wadi_fail(WADI_ERROR_MEMORY, "%s: not enough memory to write it", path);
    if (s == NULL) return NULL;
    s->at = s->used = s->left_count = 0;
    s->base64 = false;
    memset(s->left, 0, sizeof s->left);
    *status = io_output_open(&s->output, path);
    if (*status == WADI_OK) return s;
    free(s);
    return NULL;
}

wadi_status io_sink_close(io_sink *s) {
    flush(s);
    const wadi_status status = io_output_close(&s->output, WADI_OK);
    free(s);
    return status;
}
