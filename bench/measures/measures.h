/* measures.h: what the measures of `measures` share: options, a simulation made from them, random numbers, and
 * statistics. Any failure prints one line and ends the program. */
#ifndef WADI_BENCH_MEASURES_H
#define WADI_BENCH_MEASURES_H

#include "wadi/wadi.h"

enum { MOST_SIZES = 8 };

typedef struct options {
    const wadi_model *model;
    wadi_preset preset;                /* with the settings of --set; values are scaled as those of any preset */
    int sizes[MOST_SIZES], size_count; /* cells of a side; none: the measure's own */
    double cell_m;                     /* of `resolution` and `isotropy`; 0: the measure's own */
    double seconds;                    /* simulated; 0: the preset's */
    int seeds, threads;
    wadi_engine engine;
    const char *terrain; /* of `resolution`: a kind of terrain.h */
    int octaves;         /* of that terrain; 0: as many as its cells can hold */
} options;

/* Each prints what its part of docs/benchmarks.md has. */
void measure_channel(const options *options);
void measure_flood(const options *options);
void measure_isotropy(const options *options);
void measure_plane(const options *options);
void measure_resolution(const options *options);
void measure_valley(const options *options);
void measure_waves(const options *options);

void fail(const char *message);
void check(wadi_status status);
void *allocate(size_t count, size_t size);

/* The preset, with the settings in it, for `width` x `height` cells of l metres. */
wadi_def define(const options *options, int width, int height, double l);
void set(wadi_def *def, const char *name, double value);
void choose(wadi_def *def, const char *name, const char *choice);
double value_of(const wadi_def *def, const char *name);
/* Eight pipes without erosion, sliding, evaporation and rain; open borders; no limit on the Froude number. */
wadi_def define_water(const options *options, int width, int height, double l);
/* The longest safe step for water up to this depth (m), and for this speed (m/s). */
void set_step(wadi_def *def, double depth, double speed);
/* hardness: NULL, or as many values. */
wadi_sim *begin(const wadi_def *def, const float *heights, const float *hardness);
void run_for(wadi_sim *sim, double seconds);
float *field(const wadi_sim *sim, const char *name); /* the caller frees it */
/* As the preset asks, from the heights; NULL without. The caller frees it. */
float *hardness_of(const options *options, const float *heights, int width, int height);
double seconds_of(const options *options, const wadi_def *def);

/* Twice the discharge of each cell but the outermost as a vector, m3/s. */
void discharge_of(const wadi_sim *sim, float *across, float *down);
/* Says so where |error| exceeds the bound, and lets the program end with 1. */
void expect(const char *what, double error, double bound);

/* Uniform in 0 to 1, and standard normal. */
double draw(uint64_t *seed);
double draw_normal(uint64_t *seed);

#endif
