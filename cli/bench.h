/* bench.h: what `wadi bench` measures: cases, each a definition with what came of it. */
#ifndef WADI_CLI_BENCH_H
#define WADI_CLI_BENCH_H

#include "options.h"

#include "run/backend.h"

#include "wadi/bench.h"
#include "wadi/wadi.h"

#include <stdio.h>

typedef struct bench_case {
    wadi_def def;
    char *settings; /* "cf=0.04 Kc=1", or ""; owned */

    /* while it is measured */
    wadi_sim *sim;
    int64_t steps;      /* of one timed run */
    double *rates;      /* cell-steps per second of the timed runs; owned */
    wadi_machine *seen; /* before, between and after them; owned by the first case on the same with as many threads */

    /* results */
    char device[160]; /* the CPU's or the GPU's name */
    char isa[24];     /* "avx512", "reference"; of a GPU "cuda", "opencl-relaxed" */
    int threads, steps_per_pass;
    double rate, lowest, highest; /* cell-steps per second: the median, and of all timed runs */
    double active_rate;           /* without idle cells */
    wadi_cost cost;
    wadi_machine machine; /* medians of what was seen */
} bench_case;

/* On a GPU what is measured beside the rate is its memory alone: operations_per_s and divisions_per_s are 0. */
static inline bool bench_is_gpu(const bench_case *one) { return backend_is_gpu(one->def.engine); }

/* Of one model and size. */
typedef struct bench_group {
    bench_case *cases;
    size_t count;
} bench_group;

/* The results' bits against the reference engine's. */
wadi_status bench_check(bench_group group);
/* As many at once as memory holds, their timed runs in turns. */
wadi_status bench_measure(bench_group group, int64_t repeats);

void bench_print(const bench_case *one);
void bench_write_json(const bench_case *cases, size_t count);
void bench_write_csv(FILE *file, const bench_case *one);
extern const char bench_csv_header[];

static inline double bench_bandwidth_fraction(const bench_case *one) {
    return one->rate * one->cost.bytes / one->machine.bandwidth_bytes_per_s;
}
static inline double bench_arithmetic_fraction(const bench_case *one) {
    return bench_is_gpu(one) ? NAN : one->rate * one->cost.operations / one->machine.operations_per_s;
}

#endif
