/* samples.c: converts samples of any type to float32, and metres to integer samples. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "formats.h"

size_t io_type_bytes(io_type type) {
    static const uint8_t bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 2};
    return bytes[type];
}

wadi_sample io_type_sample(io_type type) {
    static const wadi_sample samples[] = {
        [IO_U8] = WADI_SAMPLE_UINT8,    [IO_I8] = WADI_SAMPLE_INT8,     [IO_U16] = WADI_SAMPLE_UINT16,
        [IO_I16] = WADI_SAMPLE_INT16,   [IO_U32] = WADI_SAMPLE_UINT32,  [IO_I32] = WADI_SAMPLE_INT32,
        [IO_U64] = WADI_SAMPLE_UINT64,  [IO_I64] = WADI_SAMPLE_INT64,   [IO_F32] = WADI_SAMPLE_FLOAT32,
        [IO_F64] = WADI_SAMPLE_FLOAT64, [IO_F16] = WADI_SAMPLE_FLOAT16,
    };
    return samples[type];
}

const char *wadi_sample_name(wadi_sample sample) {
#define NAME(constant, name) name,
    static const char *const names[] = {WADI_EACH_SAMPLE(NAME)};
#undef NAME
    return (unsigned)sample < IO_SAMPLES ? names[sample] : "?";
}

double wadi_sample_full_scale(wadi_sample sample) {
    return sample == WADI_SAMPLE_UINT8    ? 255
           : sample == WADI_SAMPLE_UINT16 ? 65535
           : sample == WADI_SAMPLE_INT16  ? 32767
                                          : 0;
}

/* IEEE 754 binary16, exactly: the fraction has 10 bits of float32's 23, the exponent's bias is 15 of 127. */
static double half(uint16_t bits) {
    const uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023;
    const uint32_t wide = (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13;
    float size;
    memcpy(&size, &wide, sizeof size);
    const double value = exponent == 0 ? fraction / 16777216.0 : (double)size;
    return (bits & 0x8000) != 0 ? -value : value;
}

/* Every integer type goes through the widest of its signedness; double holds those of 32 bits exactly. */
static double load(const uint8_t *bytes, io_type type, bool swap) {
    const size_t size = io_type_bytes(type);
    uint8_t turned[8];
    if (swap) {
        for (size_t i = 0; i < size; i++) turned[i] = bytes[size - 1 - i];
        bytes = turned;
    }
    switch (type) {
    case IO_U8:
        return bytes[0];
    case IO_I8:
        return (int8_t)bytes[0];
#define WADI_LOAD(TYPE) \
    { \
        TYPE value; \
        memcpy(&value, bytes, sizeof value); \
        return (double)value; \
    }
    case IO_U16:
        WADI_LOAD(uint16_t)
    case IO_I16:
        WADI_LOAD(int16_t)
    case IO_U32:
        WADI_LOAD(uint32_t)
    case IO_I32:
        WADI_LOAD(int32_t)
    case IO_U64:
        WADI_LOAD(uint64_t)
    case IO_I64:
        WADI_LOAD(int64_t)
    case IO_F32:
        WADI_LOAD(float)
    case IO_F64:
        WADI_LOAD(double)
    case IO_F16: {
        uint16_t bits;
        memcpy(&bits, bytes, sizeof bits);
        return half(bits);
    }
#undef WADI_LOAD
    }
    return NAN;
}

/* A double beyond float32 becomes infinite, which io_finish refuses; C leaves the plain conversion undefined. */
float io_narrow(double value) {
    if (value > FLT_MAX) return INFINITY;
    return value < -FLT_MAX ? -INFINITY : (float)value;
}

/* The float32 that means no data. NaN, which equals no value, where a tiny value would become 0. */
static float narrow_nodata(double nodata) {
    const float narrow = io_narrow(nodata);
    return narrow == 0 && nodata != 0 ? NAN : narrow;
}

/* Writers print a float32's nodata value with any number of digits, so it is compared as a float32;
 * -3.40282346638529e+38 is meant for the lowest one. */
static double nodata_as(io_type type, double nodata) {
    if (type != IO_F32 || !io_is_finite(nodata)) return nodata;
    return (double)(nodata > FLT_MAX ? FLT_MAX : nodata < -FLT_MAX ? -FLT_MAX : narrow_nodata(nodata));
}

/* By the user's nodata values (io_finish). */
static bool is_cleared_later(const io_samples *samples, float value) {
    const wadi_read_options *options = samples->options;
    for (int i = 0; options != NULL && i < options->nodata_count; i++)
        if (value == io_narrow(options->nodata[i])) return true;
    return false;
}

double io_decode(const io_samples *samples, const void *bytes, size_t count, float *values, size_t value_step) {
    const bool swap = samples->big_endian != wadi_big_endian();
    const double nodata = nodata_as(samples->type, samples->nodata);
    const float near_nodata = samples->near_nodata ? narrow_nodata(nodata) : NAN;
    const uint8_t *from = bytes;
    double rounded_by = 0;
    for (size_t i = 0; i < count; i++, from += samples->step, values += value_step) {
        const double value = load(from, samples->type, swap);
        const bool missing =
            io_is_nan(value) || (samples->has_nodata && (value == nodata || io_narrow(value) == near_nodata));
        *values = missing ? NAN : io_narrow(value);
        if (missing || value == (double)*values || is_cleared_later(samples, *values)) continue;
        rounded_by = fmax(rounded_by, fabs(value - (double)*values));
    }
    return rounded_by;
}

/* --- metres to integers ---------------------------------------------------------------------------------------- */

static bool finite_range(const wadi_raster *raster, double *low, double *high, bool *missing) {
    const size_t count = (size_t)raster->width * (size_t)raster->height;
    float least = INFINITY, most = -INFINITY;
    bool any_missing = false;
#pragma omp parallel reduction(min : least) reduction(max : most) reduction(|| : any_missing)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (size_t i = 0; i < count; i++) {
            const float value = raster->values[i];
            any_missing = any_missing || isnan(value);
            least = isfinite(value) && value < least ? value : least;
            most = isfinite(value) && value > most ? value : most;
        }
    }
    *missing = any_missing;
    *low = (double)least + 0.0; /* -0 and 0 are equal: the result must not depend on their order */
    *high = (double)most + 0.0;
    return least <= most;
}

static int64_t sample_of(const io_quantiser *q, float value, bool *clamped) {
    const double sample = floor(((double)value - q->offset) / q->scale + 0.5);
    const double lowest = (double)q->lowest, highest = (double)q->highest;
    *clamped = !(sample >= lowest && sample <= highest);
    return sample > highest ? q->highest : sample >= lowest ? (int64_t)sample : q->lowest;
}

/* One more than zero, one less than all others: the value that cells with the nodata value move to. */
static int64_t beside(const io_quantiser *q, int64_t sample) { return sample == q->lowest ? sample + 1 : sample - 1; }

uint64_t io_quantise(const io_quantiser *q, const float *values, size_t count, int64_t *samples) {
    uint64_t clamped = 0;
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i])) {
            samples[i] = q->has_nodata ? q->nodata : 0;
            clamped += !q->has_nodata;
            continue;
        }
        bool outside;
        samples[i] = sample_of(q, values[i], &outside);
        const bool taken = q->has_nodata && samples[i] == q->nodata;
        if (taken) samples[i] = beside(q, samples[i]);
        clamped += outside || taken;
    }
    return clamped;
}

static bool is_used(const io_quantiser *q, const wadi_raster *raster, int64_t sample) {
    const size_t count = (size_t)raster->width * (size_t)raster->height;
    bool used = false;
#pragma omp parallel reduction(|| : used)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (size_t i = 0; i < count; i++) {
            bool clamped;
            used = used || (!isnan(raster->values[i]) && sample_of(q, raster->values[i], &clamped) == sample);
        }
    }
    return used;
}

/* The first of these values that no cell has: the file's own; the lowest for signed and the highest for unsigned
 * samples; the other end. If cells have all of them, cells with the chosen value move by one (io_quantise). */
static void choose_nodata(io_quantiser *q, const wadi_raster *raster, bool missing) {
    const int64_t ends[2] = {q->lowest < 0 ? q->lowest : q->highest, q->lowest < 0 ? q->highest : q->lowest};
    const double own = raster->nodata;
    const bool own_fits =
        raster->has_nodata && own >= (double)q->lowest && own <= (double)q->highest && own == floor(own);
    q->has_nodata = true;
    q->nodata = own_fits ? (int64_t)own : ends[0];
    if (!is_used(q, raster, q->nodata)) return;
    if (!missing) { /* none is needed, so none is named */
        q->has_nodata = false;
        return;
    }
    for (int i = 0; i < 2; i++) {
        q->nodata = ends[i];
        if (!is_used(q, raster, q->nodata)) return;
    }
    q->nodata = ends[0];
}

/* Maps the range of the values to the whole positive range, so that --height-range restores them. */
static void fit_scale(io_quantiser *q, double low, double high, bool reserve) {
    const int64_t to = q->lowest < 0 ? q->highest : q->highest - (reserve ? 1 : 0);
    q->scale = high > low ? (high - low) / (double)to : 1;
    q->offset = low;
}

wadi_status io_quantiser_make(const wadi_raster *raster, wadi_write_options *options, bool with_nodata,
                              io_quantiser *q) {
    static const struct {
        int64_t lowest, highest;
    } ends[IO_SAMPLES] = {
        [WADI_SAMPLE_UINT8] = {0, UINT8_MAX},   [WADI_SAMPLE_INT8] = {INT8_MIN, INT8_MAX},
        [WADI_SAMPLE_UINT16] = {0, UINT16_MAX}, [WADI_SAMPLE_INT16] = {INT16_MIN, INT16_MAX},
        [WADI_SAMPLE_UINT32] = {0, UINT32_MAX}, [WADI_SAMPLE_INT32] = {INT32_MIN, INT32_MAX},
    };
    *q = (io_quantiser){.scale = options->scale, .offset = options->offset};
    q->lowest = ends[options->sample].lowest, q->highest = ends[options->sample].highest;
    if (!(options->scale >= 0) || !io_is_finite(options->scale) || !io_is_finite(options->offset))
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "a scale of %g and an offset of %g cannot be written; give a scale above 0", options->scale,
                         options->offset);
    double low, high;
    bool missing;
    if (!finite_range(raster, &low, &high, &missing)) low = high = 0;
    if (q->scale == 0) fit_scale(q, low, high, with_nodata && missing);
    if (with_nodata && (missing || raster->has_nodata)) choose_nodata(q, raster, missing);
    options->used_scale = q->scale;
    options->used_offset = q->offset;
    return WADI_OK;
}

/* --- nodata of float files ------------------------------------------------------------------------------------- */

double io_free_nodata(const wadi_raster *raster) {
    const double own = raster->has_nodata ? nodata_as(IO_F32, raster->nodata) : -9999;
    const float candidates[] = {io_is_finite(own) ? (float)own : -9999.0f, -9999.0f, -FLT_MAX};
    const size_t count = (size_t)raster->width * (size_t)raster->height;
    for (size_t c = 0; c < sizeof candidates / sizeof *candidates; c++) {
        const float candidate = candidates[c];
        bool used = false;
#pragma omp parallel reduction(|| : used)
        {
            WADI_IEEE_MODE;
#pragma omp for schedule(static)
            for (size_t i = 0; i < count; i++) used = used || raster->values[i] == candidate;
        }
        if (!used) return (double)candidate;
    }
    return NAN;
}
