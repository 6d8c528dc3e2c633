/* scale.c: quantiles, the ends of a colour scale, and round numbers along it. */
#include "scale.h"

#include <math.h>
#include <stdlib.h>

#include "core/least_depth.h"

#define DECADES 1e4

static int by_value(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* At most `looked_at` evenly chosen values above `above`, in order. The caller frees them. */
static float *sample_of(const float *values, size_t count, size_t looked_at, float above, size_t *kept) {
    const size_t taken = count < looked_at ? count : looked_at;
    float *sample = malloc((taken > 0 ? taken : 1) * sizeof *sample);
    if (sample == NULL) {
        wadi_fail(WADI_ERROR_MEMORY, "render: not enough memory to look through a map");
        return NULL;
    }
    const size_t step = taken > 0 ? count / taken : 1;
    *kept = 0;
    for (size_t i = 0; i < taken; i++) {
        const float value =
            values[i * step + (i * 2654435761u) % step]; /* hashed: even steps would sample single columns */
        if (isfinite(value) && value > above) sample[(*kept)++] = value;
    }
    qsort(sample, *kept, sizeof *sample, by_value);
    return sample;
}

static double quantile_of(const float *sorted, size_t count, double share) {
    return count == 0 ? 0.0 : (double)sorted[(size_t)(share * (double)(count - 1) + 0.5)];
}

wadi_status render_quantiles(const float *values, size_t count, size_t looked_at, float above, const double *shares,
                             double *quantiles, int wanted) {
    size_t kept;
    float *sample = sample_of(values, count, looked_at, above, &kept);
    if (sample == NULL) return WADI_ERROR_MEMORY;
    for (int q = 0; q < wanted; q++) quantiles[q] = quantile_of(sample, kept, shares[q]);
    free(sample);
    return WADI_OK;
}

static size_t count_up_to(const float *sorted, size_t count, double most) {
    size_t n = 0;
    while (n < count && sorted[n] <= (float)most) n++;
    return n;
}

wadi_status render_film_depth(const float *water, const render_grid *grid, size_t looked_at, double *film,
                              double *river) {
    const double most = 0.0006 * fmax(grid->width * grid->lx, grid->height * grid->ly);
    const double least = wadi_least_depth(grid->lx, grid->ly);
    size_t kept;
    float *sample = sample_of(water, (size_t)grid->width * (size_t)grid->height, looked_at, -INFINITY, &kept);
    if (sample == NULL) return WADI_ERROR_MEMORY;
    const size_t shallow = count_up_to(sample, kept, most); /* a sea or a lake is deeper */
    *film = fmax(fmin(2.0 * quantile_of(sample, shallow, 0.5), most), least);
    const size_t dry = count_up_to(sample, kept, 0.0), wet = count_up_to(sample, kept, *film) - dry;
    const double median = quantile_of(&sample[dry], wet, 0.5), deep = quantile_of(&sample[dry], wet, 0.99);
    *river = wet > 0 ? fmin(fmax(fmax(8.0 * median, 0.5 * deep), 0.01 * least), *film) : *film;
    free(sample);
    return WADI_OK;
}

static void choose_amount(render_scale *scale, double typical, double most, bool logarithmic) {
    scale->empty = !(most > 0.0);
    scale->high = scale->empty ? 1.0 : most;
    scale->logarithmic = logarithmic && !scale->empty;
    if (scale->logarithmic) scale->low = fmin(fmax(typical, most / DECADES), most / 10.0);
}

static bool diverges(render_scale_kind kind, bool both_signs) {
    return kind == RENDER_SCALE_AROUND_0 || (kind != RENDER_SCALE_RANGE && both_signs);
}

static void choose_around_0(render_scale *scale, const double range[4]) {
    const double low = range[1] < 0.0 ? -range[1] : -range[0], high = range[2] > 0.0 ? range[2] : range[3];
    const double most = fmax(low, high);
    scale->diverging = true;
    scale->empty = !(most > 0.0);
    scale->high = scale->empty ? 1.0 : most;
    scale->low = -scale->high;
}

wadi_status render_scale_choose(const float *values, size_t count, size_t looked_at, render_scale_kind kind,
                                render_scale *scale) {
    const double all[] = {0.0, 0.005, 0.995, 1.0}, positive[] = {0.1, 0.995};
    double range[4] = {0}, amounts[2] = {0};
    *scale = (render_scale){0.0, 1.0, false, false, false};
    wadi_status status = render_quantiles(values, count, looked_at, -INFINITY, all, range, 4);
    if (status == WADI_OK) status = render_quantiles(values, count, looked_at, 0.0f, positive, amounts, 2);
    if (status != WADI_OK) return status;
    if (diverges(kind, range[0] < 0.0 && range[3] > 0.0)) {
        choose_around_0(scale, range);
    } else if (render_scale_is_amount(kind) && range[0] >= 0.0) {
        choose_amount(scale, amounts[0], amounts[1], kind == RENDER_SCALE_LOG);
    } else if (range[1] < range[2]) {
        scale->low = range[1];
        scale->high = range[2];
    } else if (range[0] > 0.0 && range[3] <= 1.0) { /* one share, or very few, as of a mask that is 1 everywhere */
        scale->low = 0.0;
        scale->high = 1.0;
    } else { /* one value, or very few: keep a scale around it */
        scale->low = range[0];
        scale->high = range[3] > range[0] ? range[3] : range[0] + fmax(fabs(range[0]), 1.0);
    }
    return WADI_OK;
}

double render_scale_position(const render_scale *scale, double value) {
    if (isnan(value)) return value;
    double at;
    if (scale->logarithmic) {
        at = value > scale->low ? log(value / scale->low) / log(scale->high / scale->low) : 0.0;
    } else {
        at = (value - scale->low) / (scale->high - scale->low);
    }
    return at > 0.0 ? (at < 1.0 ? at : 1.0) : 0.0;
}

static double decade(double value) { return pow(10.0, floor(log10(value) + 1e-9)); }

double render_round_down(double value) {
    const double unit = decade(value), left = value / unit * (1.0 + 1e-9);
    return (left >= 5.0 ? 5.0 : left >= 2.0 ? 2.0 : 1.0) * unit;
}

static double round_up(double value) {
    const double down = render_round_down(value);
    if (down >= value * (1.0 - 1e-9)) return down;
    const double left = down / decade(value);
    return left < 1.5 ? 2.0 * down : left < 3.0 ? 2.5 * down : 2.0 * down;
}

static int log_ticks(const render_scale *scale, int most, double *ticks) {
    const int low = (int)ceil(log10(scale->low) - 1e-9), high = (int)floor(log10(scale->high) + 1e-9);
    const int stride = (high - low) / most + 1;
    int count = 0;
    for (int e = low; e <= high && count < most; e += stride) ticks[count++] = pow(10.0, e);
    return count;
}

int render_scale_ticks(const render_scale *scale, int most, double ticks[RENDER_TICKS]) {
    if (most > RENDER_TICKS) most = RENDER_TICKS;
    if (most < 1) return 0;
    if (scale->logarithmic) return log_ticks(scale, most, ticks);
    const double span = scale->high - scale->low;
    if (!(span > 0.0) || !isfinite(span) || span < 1e-300) return 0;
    const double step = round_up(span / most);
    int count = 0;
    for (double i = ceil(scale->low / step - 1e-9); count < most && i * step <= scale->high + 1e-9 * span; i += 1.0) {
        if (i + 1.0 == i) break; /* the step is below the rounding of the values */
        ticks[count++] = i * step;
    }
    return count;
}
