/* raw.c: .r16 and .r32: only rows of samples, little-endian by default. R16 has no nodata value: NaN becomes 0 and
 * counts as clamped. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"

static wadi_status find_size(const io_input *input, uint64_t bytes, uint64_t *width, uint64_t *height) {
    *width = (uint64_t)input->options->width;
    *height = (uint64_t)input->options->height;
    if (*width > 0) {
        if (*width * *height * bytes == input->size) return WADI_OK; /* below 2^64: both are ints */
        return wadi_fail(WADI_ERROR_FORMAT, "%s: holds %llu bytes, %llu x %llu cells need %llu; give its true --size",
                         input->name, (unsigned long long)input->size, (unsigned long long)*width,
                         (unsigned long long)*height, (unsigned long long)*width * *height * bytes);
    }
    const uint64_t samples = input->size / bytes, side = (uint64_t)floor(sqrt((double)samples) + 0.5);
    *width = *height = side;
    if (side * side * bytes == input->size) return WADI_OK;
    return wadi_fail(WADI_ERROR_FORMAT, "%s: its %llu bytes are no square of %llu-byte samples; give its --size WxH",
                     input->name, (unsigned long long)input->size, (unsigned long long)bytes);
}

/* The sample, in either byte order, as an integer that increases with the height. */
static double rank_of(float value, bool is_float, bool swapped) {
    uint32_t bits = 0;
    if (is_float) {
        memcpy(&bits, &value, sizeof bits);
        if (swapped) bits = bits >> 24 | (bits >> 8 & 0xff00) | (bits << 8 & 0xff0000) | bits << 24;
        return (bits & 0x80000000) != 0 ? -(double)(bits & 0x7fffffff) : (double)bits;
    }
    bits = (uint32_t)value;
    return swapped ? (bits >> 8 | (bits << 8 & 0xff00)) : bits;
}

/* The difference of neighbouring samples over that of samples half a raster apart: about 1 in noise, small on land. */
static double roughness(const wadi_raster *raster, bool is_float, bool swapped) {
    const size_t width = (size_t)raster->width, height = (size_t)raster->height;
    const size_t rows_apart = 1 + height / 512; /* enough to know */
    double near = 0, far = 0;
    for (size_t y = 0; y < height; y += rows_apart)
        for (size_t x = 0; x + 1 < width; x++) {
            const float *row = raster->values + y * width, *other = raster->values + (y + height / 2) % height * width;
            const float apart = other[(x + width / 2) % width];
            if (isnan(row[x]) || isnan(row[x + 1]) || isnan(apart)) continue; /* its bits are lost */
            const double rank = rank_of(row[x], is_float, swapped);
            near += fabs(rank - rank_of(row[x + 1], is_float, swapped));
            far += fabs(rank - rank_of(apart, is_float, swapped));
        }
    return far > 0 ? near / far : 0;
}

static bool looks_swapped(const wadi_raster *raster, bool is_float) {
    if ((size_t)raster->width * (size_t)raster->height < 64) return false;
    const double read = roughness(raster, is_float, false);
    return read > 0.5 && roughness(raster, is_float, true) < read / 3;
}

static wadi_status finish(const io_input *input, wadi_raster *raster) {
    const wadi_status status = io_finish(input, raster, NULL);
    if (status != WADI_ERROR_FORMAT || !raster->looks_swapped) return status;
    return wadi_fail(WADI_ERROR_FORMAT, "%s: its samples are no heights in this byte order; try --byte-order %s",
                     input->name, input->options->big_endian ? "little" : "big");
}

static wadi_status read_samples(io_input *input, io_type type, wadi_raster **raster) {
    const size_t bytes = io_type_bytes(type);
    uint64_t width, height;
    wadi_status status = io_only_band(input);
    if (status == WADI_OK) status = find_size(input, bytes, &width, &height);
    if (status == WADI_OK) status = io_begin(input, width, height, raster);
    if (status != WADI_OK) return status;
    (*raster)->sample = io_type_sample(type);
    const size_t row_bytes = (size_t)width * bytes;
    void *row = malloc(row_bytes);
    if (row == NULL) return io_no_memory(input->name, row_bytes, input->memory_limit);
    const io_samples samples = {.type = type, .step = bytes, .big_endian = input->options->big_endian};
    for (uint64_t y = 0; y < height && status == WADI_OK; y++) {
        if (io_input_read(input, y * row_bytes, row, row_bytes) != row_bytes) status = io_truncated(input, NULL);
        io_decode(&samples, row, (size_t)width, (*raster)->values + y * width, 1);
    }
    free(row);
    if (status != WADI_OK) return status;
    (*raster)->looks_swapped = looks_swapped(*raster, type == IO_F32);
    return finish(input, *raster);
}

/* Little-endian, on any machine. */
static void store(uint8_t *to, uint32_t bits, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) to[i] = (uint8_t)(bits >> (8 * i));
}

static wadi_status write_r16(io_output *output, const wadi_raster *raster, wadi_write_options *options) {
    io_quantiser quantiser;
    wadi_write_options as_uint16 = *options;
    as_uint16.sample = WADI_SAMPLE_UINT16;
    const wadi_status status = io_quantiser_make(raster, &as_uint16, false, &quantiser);
    if (status != WADI_OK) return status;
    options->used_scale = as_uint16.used_scale;
    options->used_offset = as_uint16.used_offset;
    const size_t width = (size_t)raster->width;
    int64_t *samples = malloc(width * sizeof *samples);
    uint8_t *row = malloc(width * 2);
    bool good = samples != NULL && row != NULL;
    for (size_t y = 0; good && y < (size_t)raster->height; y++) {
        options->clamped += io_quantise(&quantiser, raster->values + y * width, width, samples);
        for (size_t x = 0; x < width; x++) store(row + 2 * x, (uint32_t)samples[x], 2);
        good = io_output_write(output, y * width * 2, row, width * 2);
    }
    const bool memory = samples != NULL && row != NULL;
    free(samples);
    free(row);
    if (!memory) return io_no_memory(output->path, width * 10, 0);
    return good ? WADI_OK : WADI_ERROR_IO;
}

wadi_status io_r32_write(io_output *output, const wadi_raster *raster, wadi_write_options *options) {
    (void)options;
    const size_t width = (size_t)raster->width;
    uint8_t *row = malloc(width * 4);
    if (row == NULL) return io_no_memory(output->path, width * 4, 0);
    bool good = true;
    for (size_t y = 0; good && y < (size_t)raster->height; y++) {
        for (size_t x = 0; x < width; x++) {
            uint32_t bits;
            memcpy(&bits, &raster->values[y * width + x], sizeof bits);
            store(row + 4 * x, bits, 4);
        }
        good = io_output_write(output, output->size, row, width * 4);
    }
    free(row);
    return good ? WADI_OK : WADI_ERROR_IO; /* io_output_close says why */
}

static wadi_status read_r16(io_input *input, wadi_raster **raster) { return read_samples(input, IO_U16, raster); }
static wadi_status read_r32(io_input *input, wadi_raster **raster) { return read_samples(input, IO_F32, raster); }

const io_format io_format_R16 = {
    .facts = {.name = "RAW r16",
              .endings = "r16",
              .package = "",
              .sample = WADI_SAMPLE_UINT16,
              .samples = 1 << WADI_SAMPLE_UINT16,
              .bare = true},
    .read = read_r16,
    .write = write_r16,
};
const io_format io_format_R32 = {
    .facts = {.name = "RAW r32", .endings = "r32", .package = "", .samples = 1 << WADI_SAMPLE_FLOAT32, .bare = true},
    .read = read_r32,
    .write = io_r32_write,
};
