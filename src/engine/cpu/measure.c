/* measure.c: measures the machine's memory bandwidth and arithmetic rate, and computes the least cost of a cell-step.
 */
#include <stdlib.h>
#include <string.h>

#include "core/engine.h"
#include "core/need.h"
#include "platform/openmp.h"
#include "platform/platform.h"
#include "wadi/bench.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#define STORE2(to, from) _mm_stream_pd(to, _mm_set_pd((from)[1], (from)[0]))
#define STORE_FENCE() _mm_sfence()
#else
#define STORE2(to, from) ((to)[0] = (from)[0], (to)[1] = (from)[1])
#define STORE_FENCE() (void)0
#endif

#define TRIALS 7

static void triad(double *a, const double *b, const double *c, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i + 2 <= count; i += 2) {
        const double sum[2] = {b[i] + 3.0 * c[i], b[i + 1] + 3.0 * c[i + 1]};
        STORE2(a + i, sum);
    }
    STORE_FENCE();
}

/* Seconds of the fastest trial; each thread works on the part that it touched first. */
static double time_triad(double *a, double *b, double *c, ptrdiff_t count, int threads) {
    double best = 1e30;
#pragma omp parallel num_threads(threads)
    {
        const ptrdiff_t team = omp_get_num_threads(), me = omp_get_thread_num();
        const ptrdiff_t from = count / team * me / 8 * 8, to = me == team - 1 ? count : count / team * (me + 1) / 8 * 8;
        for (ptrdiff_t i = from; i < to; i++) a[i] = 0, b[i] = 1, c[i] = 2;
        for (int trial = 0; trial < TRIALS; trial++) {
#pragma omp barrier
            const double start = platform_clock_s();
            triad(a + from, b + from, c + from, to - from);
#pragma omp barrier
            if (me == 0 && platform_clock_s() - start < best) best = platform_clock_s() - start;
        }
    }
    return best;
}

static wadi_status measure_bandwidth(int threads, double *bytes_per_s) {
    /* All three together: four times the last cache. */
    const size_t least = 64u << 20, cache = 4 * platform_cache_bytes(3) / 3;
    const size_t bytes = (cache > least ? cache : least) / 128 * 128;
    if (3 * (uint64_t)bytes > platform_memory_bytes())
        return wadi_fail(WADI_ERROR_MEMORY, "measuring the bandwidth needs %.1f GB of memory", 3e-9 * (double)bytes);
    double *arrays[3];
    bool all = true;
    for (int i = 0; i < 3; i++) all = (arrays[i] = platform_pages(bytes)) != NULL && all;
    if (all) {
        const ptrdiff_t count = (ptrdiff_t)(bytes / sizeof(double));
        *bytes_per_s = 24.0 * (double)count / time_triad(arrays[0], arrays[1], arrays[2], count, threads);
    }
    for (int i = 0; i < 3; i++)
        if (arrays[i] != NULL) platform_pages_free(arrays[i], bytes);
    return all ? WADI_OK : wadi_fail(WADI_ERROR_MEMORY, "not enough memory to measure the bandwidth");
}

/* Independent chains of vectors as wide as registers, few enough to stay in them and enough to hide the latency; `step`
 * is what happens to each in a round. The factor is not known to the compiler. Not for the address sanitizer: gcc's
 * does not align vectors of 64 bytes on its own stack. */
#define CHAINS 8
#define DEFINE_CHAINS(name, target, lanes, rounds, step) \
    target __attribute__((no_sanitize("address"))) static float name(float factor) { \
        typedef float vector __attribute__((vector_size((lanes) * sizeof(float)), aligned(4))); \
        vector chain[CHAINS], by, add; \
        for (int i = 0; i < (lanes); i++) by[i] = factor, add[i] = 1e-6f; \
        for (int i = 0; i < CHAINS; i++) chain[i] = add; \
        for (int round = 0; round < (rounds); round++) \
            for (int i = 0; i < CHAINS; i++) chain[i] = (step); \
        float sum = 0; \
        for (int i = 0; i < CHAINS; i++) sum += chain[i][i % (lanes)]; \
        return sum; \
    }
#define ARITHMETIC_ROUNDS 2000000
#define DIVISION_ROUNDS 200000

typedef struct kernels {
    const char *isa;
    int lanes;
    float (*arithmetic)(float factor), (*divisions)(float factor);
} kernels;

#define DEFINE_KERNELS(isa, target, lanes) \
    DEFINE_CHAINS(arithmetic_##isa, target, lanes, ARITHMETIC_ROUNDS, chain[i] * by + add) \
    DEFINE_CHAINS(divisions_##isa, target, lanes, DIVISION_ROUNDS, by / chain[i])
#define KERNELS(isa, lanes) \
    { #isa, lanes, arithmetic_##isa, divisions_##isa }

DEFINE_KERNELS(baseline, , 4)
#if defined(__x86_64__) && !defined(_WIN32)
DEFINE_KERNELS(avx2, __attribute__((target("avx2"))), 8)
DEFINE_KERNELS(avx512, __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw"))), 16)
static const kernels widest_first[] = {KERNELS(avx512, 16), KERNELS(avx2, 8), KERNELS(baseline, 4)};
#else
static const kernels widest_first[] = {KERNELS(baseline, 4)};
#endif

static const kernels *widest_kernels(void) {
    const kernels *found = widest_first;
    while (strcmp(found->isa, "baseline") != 0 && !platform_cpu_has(found->isa)) found++;
    return found;
}

/* The number of calls per second by all threads together, in the fastest trial. */
static double calls_per_s(float (*run)(float), float factor, int threads) {
    volatile float sink; /* the compiler would leave out a result that is never used */
    double best = 1e30;
    for (int trial = 0; trial < TRIALS; trial++) {
        float sum = 0;
        const double start = platform_clock_s();
#pragma omp parallel num_threads(threads) reduction(+ : sum)
        sum += run(factor);
        sink = sum;
        const double time = platform_clock_s() - start;
        if (time < best) best = time;
    }
    (void)sink;
    return threads / best;
}

wadi_status wadi_measure_machine(int threads, wadi_machine *machine) {
    WADI_NEED(machine);
    if (threads > WADI_MOST_THREADS)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%d threads: at most %d", threads, WADI_MOST_THREADS);
    if (threads <= 0) threads = platform_cores();
    const kernels *kernels = widest_kernels();
    const double values = (double)CHAINS * kernels->lanes;
    machine->operations_per_s = 2 * values * ARITHMETIC_ROUNDS * calls_per_s(kernels->arithmetic, 0.999f, threads);
    machine->divisions_per_s = values * DIVISION_ROUNDS * calls_per_s(kernels->divisions, 0.999f, threads);
    return measure_bandwidth(threads, &machine->bandwidth_bytes_per_s);
}

/* Bytes that a field costs per sub-step. A field of stages that run every n-th sub-step counts one n-th. */
static double field_bytes(const wadi_def *def, int field, unsigned processes) {
    double read = 0, written = 0;
    for (int s = 0; s < def->model->stage_count; s++) {
        const wadi_stage *stage = &def->model->stages[s];
        if (stage->every == 0 || (stage->needs & ~processes) != 0) continue;
        const double share = 1.0 / stage->every;
        for (int i = 0; i < stage->reads; i++)
            if (stage->read[i].field == field && share > read) read = share;
        for (int i = 0; i < stage->writes; i++)
            if (stage->write[i] == field && share > written) written = share;
    }
    return sizeof(float) * (read + written);
}

wadi_cost wadi_def_cost(const wadi_def *def) {
    if (def == NULL || def->model == NULL) return (wadi_cost){0};
    const unsigned processes = def->model->processes(def->values);
    wadi_cost cost = {0, 0};
    for (int f = 0; f < def->model->field_count; f++)
        if (def->model->fields[f].kind != WADI_SCRATCH) cost.bytes += field_bytes(def, f, processes);
    for (int s = 0; s < def->model->stage_count; s++) {
        const wadi_stage *stage = &def->model->stages[s];
        if (stage->every > 0 && (stage->needs & ~processes) == 0)
            cost.operations += (double)stage->operations / stage->every;
    }
    return cost;
}
