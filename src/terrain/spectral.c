/* spectral.c: 1/f spectral synthesis (Saupe 1988, as Olsen 2004 uses it): a random complex number for every wave
 * with a whole number of periods in each direction. Its magnitude decreases with the frequency. One inverse Fourier
 * transform gives the heights.
 *
 * A wave's number depends only on the seed and the wave, so a finer map adds waves to a coarser one. The map is
 * periodic. Any number of cells works: powers of two by the radix-2 FFT, others by Bluestein's method (1970), which
 * makes them a convolution of a power of two. Twiddles come from our own series. Rows and columns are independent, so
 * threads change no bit. */
#include <math.h>
#include <stdlib.h>

#include "core/series.h"
#include "core/strict.h"
#include "terrain/kinds.h"

typedef struct wave {
    double re, im;
} wave;

static wave times(wave a, wave b) { return (wave){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

static wave unit(double turns) {
    wave w;
    wadi_turn(turns, &w.re, &w.im);
    return w;
}

/* A transform of n values: the sum over k of in[k] exp(2 pi i k x / n). `size` is n; for Bluestein's algorithm it is a
 * power of two, at least 2n - 1. */
typedef struct transform {
    size_t n, size;
    wave *twiddles; /* size / 2: exp(2 pi i k / size) */
    wave *chirp;    /* n: exp(pi i k k / n); NULL: n is a power of two */
    wave *kernel;   /* size: the transformed conjugate chirp, over size */
} transform;

static size_t power_of_two_from(size_t n) {
    size_t size = 1;
    while (size < n) size *= 2;
    return size;
}

static void swap_bits(wave *values, size_t size) {
    for (size_t i = 1, j = 0; i < size; i++) {
        size_t bit = size >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j |= bit;
        if (i >= j) continue;
        const wave kept = values[i];
        values[i] = values[j];
        values[j] = kept;
    }
}

static void radix2(const transform *t, wave *values) {
    swap_bits(values, t->size);
    for (size_t half = 1; half < t->size; half *= 2) {
        const size_t step = t->size / (2 * half);
        for (size_t from = 0; from < t->size; from += 2 * half) {
            for (size_t k = 0; k < half; k++) {
                wave *a = &values[from + k], *b = &values[from + k + half];
                const wave turned = times(*b, t->twiddles[k * step]);
                *b = (wave){a->re - turned.re, a->im - turned.im};
                *a = (wave){a->re + turned.re, a->im + turned.im};
            }
        }
    }
}

static void transform_free(transform *t) {
    free(t->twiddles);
    free(t->chirp);
    free(t->kernel);
    *t = (transform){0};
}

/* k x = (k k + x x - (x - k)^2) / 2: the transform is a convolution with the conjugate chirp. */
static void make_chirp(transform *t) {
    for (size_t k = 0; k < t->n; k++) {
        const uint64_t square = (uint64_t)k * k % (2 * (uint64_t)t->n); /* whole turns left out, exactly */
        t->chirp[k] = unit((double)square / (2 * (double)t->n));
        const wave conjugate = {t->chirp[k].re, -t->chirp[k].im};
        t->kernel[k] = conjugate;
        if (k > 0) t->kernel[t->size - k] = conjugate;
    }
    radix2(t, t->kernel);
    for (size_t k = 0; k < t->size; k++) {
        t->kernel[k].re /= (double)t->size;
        t->kernel[k].im /= (double)t->size;
    }
}

static bool transform_make(size_t n, transform *t) {
    *t = (transform){.n = n, .size = n};
    const bool direct = power_of_two_from(n) == n;
    if (!direct) t->size = power_of_two_from(2 * n - 1);
    t->twiddles = malloc((t->size / 2 + 1) * sizeof *t->twiddles);
    if (!direct) t->chirp = malloc(n * sizeof *t->chirp);
    if (!direct) t->kernel = calloc(t->size, sizeof *t->kernel);
    if (t->twiddles == NULL || (!direct && (t->chirp == NULL || t->kernel == NULL))) {
        transform_free(t);
        return false;
    }
    for (size_t k = 0; k < t->size / 2; k++) t->twiddles[k] = unit((double)k / (double)t->size);
    if (!direct) make_chirp(t);
    return true;
}

/* values: `size` of them, the first n are transformed, the rest is room for work. */
static void transform_run(const transform *t, wave *values) {
    if (t->chirp == NULL) {
        radix2(t, values);
        return;
    }
    for (size_t k = 0; k < t->n; k++) values[k] = times(values[k], t->chirp[k]);
    for (size_t k = t->n; k < t->size; k++) values[k] = (wave){0, 0};
    radix2(t, values);
    for (size_t k = 0; k < t->size; k++) { /* the inverse transform is that of the conjugates, conjugated */
        values[k] = times(values[k], t->kernel[k]);
        values[k].im = -values[k].im;
    }
    radix2(t, values);
    for (size_t k = 0; k < t->n; k++) values[k] = times((wave){values[k].re, -values[k].im}, t->chirp[k]);
}

/* One half of the spectrum: a real map's other half is its conjugate. */
typedef struct spectrum {
    const wadi_terrain *terrain;
    double across, down; /* waves in the longer side for one wave in the map's own side */
    double power;        /* of the frequency */
    size_t columns;      /* kx from 0 */
    float (*waves)[2];   /* columns * height, column by column; then half-way transformed */
} spectrum;

/* The wave that fits kx times across and ky times down the map. */
static wave random_wave(const spectrum *s, int64_t kx, int64_t ky) {
    const wadi_terrain *t = s->terrain;
    if (kx == 0 && ky == 0) return (wave){0, 0};
    const bool mirrored = kx == 0 && ky < 0; /* both halves lie in this column */
    const wadi_u32 x = (wadi_u32)kx, y = (wadi_u32)(mirrored ? -ky : ky);
    const wadi_u32 k0 = (wadi_u32)t->seed, k1 = (wadi_u32)(t->seed >> 32);
    wave w = {(double)wadi_gaussian(wadi_philox(x, y, 0, WADI_STREAM_SPECTRUM, k0, k1)),
              (double)wadi_gaussian(wadi_philox(x, y, 1, WADI_STREAM_SPECTRUM, k0, k1))};
    if (mirrored) w.im = -w.im;
    const double fx = (double)kx * s->across, fy = (double)ky * s->down;
    const double size = wadi_power(fx * fx + fy * fy, 0.5 * s->power);
    /* A cell's height is that of its middle. */
    const wave middle = unit(0.5 * ((double)kx / t->width + (double)ky / t->height));
    return times((wave){size * w.re, size * w.im}, middle);
}

/* Column kx: its waves made and transformed down. The shortest wave of an even side has no mirror image: left out. */
static void make_column(const spectrum *s, const transform *t, size_t kx, wave *work) {
    const int64_t height = (int64_t)t->n;
    for (int64_t i = 0; i < height; i++) {
        const int64_t ky = 2 * i < height ? i : i - height;
        work[i] = 2 * i == height ? (wave){0, 0} : random_wave(s, (int64_t)kx, ky);
    }
    transform_run(t, work);
    for (size_t y = 0; y < t->n; y++) {
        s->waves[kx * t->n + y][0] = (float)work[y].re;
        s->waves[kx * t->n + y][1] = (float)work[y].im;
    }
}

static void make_row(const spectrum *s, const transform *t, size_t y, wave *work, float *heights) {
    const size_t width = t->n, height = (size_t)s->terrain->height;
    for (size_t k = 0; k < width; k++) work[k] = (wave){0, 0};
    for (size_t k = 0; k < s->columns; k++) {
        const float *w = s->waves[k * height + y];
        work[k] = (wave){(double)w[0], (double)w[1]};
        if (k > 0) work[width - k] = (wave){(double)w[0], -(double)w[1]};
    }
    transform_run(t, work);
    for (size_t x = 0; x < width; x++) heights[y * width + x] = (float)work[x].re;
}

/* work: room for `threads` pieces of work of the longer transform. */
static void make_map(const spectrum *s, const transform *across, const transform *down, wave *work, float *heights) {
    const size_t room = across->size > down->size ? across->size : down->size;
    const int threads = s->terrain->threads, rows = s->terrain->height;
    const int columns = (int)s->columns;
#pragma omp parallel num_threads(threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int part = 0; part < threads; part++) {
            for (int kx = part; kx < columns; kx += threads)
                make_column(s, down, (size_t)kx, work + (size_t)part * room);
        }
    }
#pragma omp parallel num_threads(threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int part = 0; part < threads; part++) {
            for (int y = part; y < rows; y += threads)
                make_row(s, across, (size_t)y, work + (size_t)part * room, heights);
        }
    }
}

wadi_status wadi_make_spectral(const wadi_terrain *t, float *heights) {
    const double longer = wadi_longer_side(t), roughness = t->roughness > 1e-3 ? t->roughness : 1e-3;
    spectrum s = {.terrain = t,
                  .across = longer / (t->width * t->lx),
                  .down = longer / (t->height * t->ly),
                  /* An octave holds waves in proportion to its frequency squared. */
                  .power = wadi_log(roughness) / wadi_log(2) - 1,
                  .columns = ((size_t)t->width + 1) / 2};
    transform across = {0}, down = {0};
    const bool made = transform_make((size_t)t->width, &across) && transform_make((size_t)t->height, &down);
    const size_t room = across.size > down.size ? across.size : down.size;
    s.waves = malloc(s.columns * (size_t)t->height * sizeof *s.waves);
    wave *work = malloc(room * (size_t)t->threads * sizeof *work);
    const bool enough = made && s.waves != NULL && work != NULL;
    if (enough) make_map(&s, &across, &down, work, heights);
    free(work);
    free(s.waves);
    transform_free(&down);
    transform_free(&across);
    if (enough) return WADI_OK;
    return wadi_fail(WADI_ERROR_MEMORY, "not enough memory to generate %dx%d cells", t->width, t->height);
}
