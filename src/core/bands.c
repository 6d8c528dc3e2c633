/* bands.c: fields of a checkpoint in bands of rows, which all threads hash. */
#include <string.h>

#include "core/block.h"
#include "core/byte_order.h"
#include "core/stream.h"
#include "platform/openmp.h"

/* A disk is slower than some threads hash. */
enum { BAND = 64, MOST_THREADS = 4, GROUP = MOST_THREADS - 1 };

/* What a file says of a band beside its rows. */
typedef struct band {
    bool same; /* all cells have the bits of `value` */
    float value;
    char sha256[65]; /* of the rows, if not */
} band;

static int band_count(const wadi_rows *rows) { return (rows->height - 1) / BAND + 1; }
static float *row_of(const wadi_rows *rows, int y) { return rows->first + y * rows->pitch; }
static int begin_of(int band) { return band * BAND; }
static int end_of(const wadi_rows *rows, int band) {
    return band == band_count(rows) - 1 ? rows->height : begin_of(band + 1);
}

/* From this machine's byte order to that of files, or back. */
static void turn(float *row, int width) {
    if (!wadi_big_endian()) return;
    for (int x = 0; x < width; x++) {
        const uint32_t b = wadi_bits(row[x]), turned = b >> 24 | (b >> 8 & 0xff00) | (b << 8 & 0xff0000) | b << 24;
        memcpy(&row[x], &turned, sizeof turned);
    }
}

static bool has_one_value(const wadi_rows *rows, int band) {
    const float *first = row_of(rows, begin_of(band));
    uint32_t differs = 0;
    for (int y = begin_of(band); y < end_of(rows, band) && !differs; y++)
        for (int x = 0; x < rows->width; x++) differs |= wadi_bits(row_of(rows, y)[x]) ^ wadi_bits(*first);
    return !differs;
}

static void hash_band(const wadi_rows *rows, int band, char hex[65]) {
    wadi_sha256 hash;
    wadi_sha256_begin(&hash);
    for (int y = begin_of(band); y < end_of(rows, band); y++) {
        float *row = row_of(rows, y);
        turn(row, rows->width);
        wadi_sha256_add(&hash, row, (size_t)rows->width * sizeof *row);
        turn(row, rows->width);
    }
    wadi_sha256_end(&hash, hex);
}

/* The rows pass without the stream's own hash. That has the bands' hashes. */
static void pass_row(wadi_stream *stream, float *row, int width) {
    const size_t bytes = (size_t)width * sizeof *row;
    if (stream->status != WADI_OK) return;
    if (stream->write != NULL) turn(row, width);
    stream->status =
        stream->write != NULL ? stream->write(stream->context, row, bytes) : stream->read(stream->context, row, bytes);
    turn(row, width);
}

static void fill(const wadi_rows *rows, int band, float value) {
    for (int y = begin_of(band); y < end_of(rows, band); y++)
        for (int x = 0; x < rows->width; x++) row_of(rows, y)[x] = value;
}

static void pass_band(wadi_stream *stream, const wadi_rows *rows, int index, band *band) {
    wadi_stream_flag(stream, &band->same);
    if (band->same) {
        wadi_stream_numbers(stream, &band->value, sizeof band->value, 1);
        if (stream->read != NULL && stream->status == WADI_OK) fill(rows, index, band->value);
        return;
    }
    for (int y = begin_of(index); y < end_of(rows, index); y++) pass_row(stream, row_of(rows, y), rows->width);
    wadi_stream_bytes(stream, band->sha256, sizeof band->sha256);
}

static void describe(const wadi_rows *rows, int index, band *band) {
    band->same = has_one_value(rows, index);
    band->value = *row_of(rows, begin_of(index));
    if (!band->same) hash_band(rows, index, band->sha256);
}

static bool is_right(const wadi_rows *rows, int index, const band *band) {
    char found[65];
    if (band->same) return true;
    hash_band(rows, index, found);
    return memcmp(found, band->sha256, sizeof found) == 0;
}

/* A thread takes longer to start than to hash a small grid. */
static int thread_count(const wadi_rows *rows) {
    if ((int64_t)rows->width * rows->height < 1 << 18) return 1;
    return rows->threads < MOST_THREADS ? rows->threads : MOST_THREADS;
}

/* A group of bands is read or written while another one is hashed. */
static void write_bands(wadi_stream *stream, const wadi_rows *rows) {
    const int count = band_count(rows);
    band bands[2][GROUP] = {0};
    for (int first = 0, now = 0; first - GROUP < count && stream->status == WADI_OK; first += GROUP, now = !now) {
#pragma omp parallel num_threads(thread_count(rows))
        {
#pragma omp master
            for (int i = 0; i < GROUP && first > 0 && first - GROUP + i < count; i++)
                pass_band(stream, rows, first - GROUP + i, &bands[!now][i]);
#pragma omp for schedule(dynamic)
            for (int i = 0; i < GROUP; i++)
                if (first + i < count) describe(rows, first + i, &bands[now][i]);
        }
    }
}

static void read_bands(wadi_stream *stream, const wadi_rows *rows) {
    const int count = band_count(rows);
    band bands[2][GROUP] = {0};
    int wrong = 0;
    for (int first = 0, now = 0; first - GROUP < count && stream->status == WADI_OK; first += GROUP, now = !now) {
#pragma omp parallel num_threads(thread_count(rows)) reduction(+ : wrong)
        {
#pragma omp master
            for (int i = 0; i < GROUP && first + i < count; i++) pass_band(stream, rows, first + i, &bands[now][i]);
#pragma omp for schedule(dynamic)
            for (int i = 0; i < GROUP; i++)
                if (first > 0 && first - GROUP + i < count)
                    wrong += !is_right(rows, first - GROUP + i, &bands[!now][i]);
        }
        if (wrong > 0) wadi_stream_damaged(stream, "the checksum of rows does not match");
    }
}

void wadi_stream_bands(wadi_stream *stream, const wadi_rows *rows) {
    if (stream->write != NULL)
        write_bands(stream, rows);
    else
        read_bands(stream, rows);
}

void wadi_stream_plain_rows(wadi_stream *stream, const wadi_rows *rows) {
    for (int y = 0; y < rows->height; y++)
        wadi_stream_numbers(stream, row_of(rows, y), sizeof(float), (size_t)rows->width);
}
