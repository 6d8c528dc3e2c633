/* resolution.c: one terrain in cells of several sizes, with the same physics for the same time. The change is compared
 * over the blocks of the coarsest cells. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "measures.h"

#define SIDE_M 512.0 /* of the terrain, without --cell */

/* Means over blocks, from `from` to `to` cells a side. The caller frees them. */
static float *coarser(const float *values, int from, int to) {
    const int k = from / to;
    float *means = allocate((size_t)to * (size_t)to, sizeof *means);
    for (int y = 0; y < to; y++)
        for (int x = 0; x < to; x++) {
            double sum = 0;
            for (int j = 0; j < k * k; j++)
                sum += (double)values[(size_t)(y * k + j / k) * (size_t)from + (size_t)(x * k + j % k)];
            means[(size_t)y * (size_t)to + (size_t)x] = (float)(sum / (k * k));
        }
    return means;
}

typedef struct outcome {
    float *change; /* in the coarsest cells */
    double moved, eroded, water, idle;
} outcome;

static outcome run_at(const options *o, int size, int coarsest, double l, const float *heights, const float *hardness) {
    const wadi_def def = define(o, size, size, l);
    wadi_sim *sim = begin(&def, heights, hardness);
    run_for(sim, seconds_of(o, &def));
    wadi_mass mass;
    check(wadi_sim_mass(sim, &mass));
    outcome result = {.moved = mass.moved, .water = mass.water.after};
    float *change = field(sim, "change");
    for (int i = 0; i < size * size; i++) result.eroded += fmax(0, -(double)change[i]) * l * l;
    result.change = coarser(change, size, coarsest);
    printf("%5d cells of %g m: %lld steps of %g s", size, l, (long long)wadi_sim_steps(sim), value_of(&def, "dt"));
    free(change);
    wadi_sim_destroy(sim);
    return result;
}

static double correlation(const float *a, const float *b, int count) {
    double mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;
    for (int i = 0; i < count; i++) mean_a += (double)a[i] / count, mean_b += (double)b[i] / count;
    for (int i = 0; i < count; i++) {
        const double x = (double)a[i] - mean_a, y = (double)b[i] - mean_b;
        aa += x * x, bb += y * y, ab += x * y;
    }
    return ab / sqrt(aa * bb);
}

/* The most that the correlation may fall short of 1, where the finest grid has `times` as many cells a side. */
static double most_unlike(int times) { return times <= 2 ? 0.01 : times <= 4 ? 0.02 : 0.05; }

static float *make_terrain(const options *o, int size, double l) {
    wadi_terrain terrain = wadi_default_terrain(o->terrain, size, size);
    terrain.lx = terrain.ly = l;
    terrain.seed = 7;
    terrain.octaves = o->octaves;
    float *heights = allocate((size_t)size * (size_t)size, sizeof *heights);
    check(wadi_terrain_generate(&terrain, heights));
    return heights;
}

void measure_resolution(const options *o) {
    static const int usual[] = {128, 256, 512};
    const int count = o->size_count > 0 ? o->size_count : 3;
    const int *sizes = o->size_count > 0 ? o->sizes : usual;
    const int coarsest = sizes[0], finest = sizes[count - 1];
    const double side = o->cell_m > 0 ? o->cell_m * finest : SIDE_M;
    float *heights = make_terrain(o, finest, side / finest);
    float *hardness = hardness_of(o, heights, finest, finest);
    outcome best = {0};
    for (int i = count - 1; i >= 0; i--) {
        if (finest % sizes[i] != 0 || sizes[i] % coarsest != 0) fail("each size must divide the next");
        float *ground = coarser(heights, finest, sizes[i]);
        float *hard = hardness != NULL ? coarser(hardness, finest, sizes[i]) : NULL;
        outcome o_i = run_at(o, sizes[i], coarsest, side / sizes[i], ground, hard);
        if (i == count - 1) best = o_i;
        const double likeness = correlation(o_i.change, best.change, coarsest * coarsest);
        printf("; change: correlation with the finest %.4f; solid moved %.4g m3 (%+.1f %%), eroded %.4g m3 "
               "(%+.1f %%); water %.4g m3 (%+.1f %%)\n",
               likeness, o_i.moved, 100 * (o_i.moved / best.moved - 1), o_i.eroded,
               100 * (o_i.eroded / best.eroded - 1), o_i.water, 100 * (o_i.water / best.water - 1));
        fflush(stdout);
        expect("change: 1 less the correlation", 1 - likeness, most_unlike(finest / sizes[i]));
        expect("solid moved", o_i.moved / best.moved - 1, 0.1);
        if (i < count - 1) free(o_i.change);
        free(ground);
        free(hard);
    }
    free(best.change);
    free(heights);
    free(hardness);
}
