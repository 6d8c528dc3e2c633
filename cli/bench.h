/* bench.h: what `wadi bench` measures: cases, each a definition with its results. */
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

    /* during the measurement */
    wadi_sim *sim;
    int64_t steps; /* of one timed run */
    double *rates; /* cell-steps per second of the timed runs; owned */
    /* measured before, between and after the runs; owned by the first case with the same engine, device and threads */
    wadi_machine *seen;

    /* results */
    char device[160]; /* name of the CPU or GPU */
    char isa[24];     /* "avx512", "reference"; of a GPU "cuda", "opencl-relaxed" */
    int threads, substeps_per_pass;
    double rate, lowest, highest; /* cell-steps per second: median, minimum and maximum */
    double active_rate;           /* without idle cells */
    wadi_cost cost;
    wadi_machine machine; /* medians of `seen` */
} bench_case;

/* On a GPU only the memory bandwidth is measured: operations_per_s and divisions_per_s are 0. */
static inline bool bench_is_gpu(const bench_case *one) { return wadi_engine_is_gpu(one->def.engine); }

/* Cases of one model and size. */
typedef struct bench_group {
    bench_case *cases;
    size_t count;
} bench_group;

/* Compares the results' bits with the reference engine's. */
wadi_status bench_check(bench_group group);
/* Measures as many cases at once as fit into memory; their timed runs take turns. */
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
