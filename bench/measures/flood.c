/* flood.c: two of the 2-D benchmarks of the Environment Agency (Neelz and Pender 2013, SC120002), built from their
 * description. The report's curves are pictures, so what its text says is checked.
 *
 * Test 2: 20 m3/s for about 80 minutes enter a plain of 4 x 4 hollows at its highest corner. After 48 hours the water
 * stands in hollows; those of the upper right stay dry.
 * Test 4: water enters a flat plain in the middle of one side, and spreads alike in all directions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "measures.h"

static wadi_def define_plain(const options *o, int width, int height, double l, double n, double deepest) {
    wadi_def def = define_water(o, width, height, l);
    def.boundary = WADI_CLOSED;
    choose(&def, "friction_law", "manning");
    set(&def, "d_cf", 1);
    set(&def, "cf", 9.81 * n * n);
    set_step(&def, deepest, 2);
    return def;
}

/* A hydrograph of straight lines, as sources on `count` cells of the first column from row y, for each minute. */
static void set_inflow(wadi_sim *sim, const double (*points)[2], int point_count, int y, int count) {
    const int minutes = (int)points[point_count - 1][0];
    wadi_source *sources = allocate((size_t)minutes * (size_t)count, sizeof *sources);
    int p = 0;
    for (int i = 0; i < minutes; i++) {
        while (points[p + 1][0] <= i) p++;
        const double share = (i + 0.5 - points[p][0]) / (points[p + 1][0] - points[p][0]);
        const double rate = points[p][1] + share * (points[p + 1][1] - points[p][1]);
        for (int j = 0; j < count; j++)
            sources[i * count + j] = (wadi_source){0.5, y + j + 0.5, 0, rate / count, 60.0 * i, 60.0 * (i + 1)};
    }
    check(wadi_sim_set_sources(sim, sources, (size_t)minutes * (size_t)count));
    free(sources);
}

/* --- test 2 --- */

enum { SIDE = 100, HOLLOW = 25 };
#define PLAIN_CELL_M 20.0

static void fill_hollows(const options *o) {
    static const double inflow[][2] = {{0, 0}, {4, 20}, {81, 20}, {85, 0}}; /* minutes, m3/s; 97200 m3 */
    float *ground = allocate(SIDE * SIDE, sizeof *ground);
    for (int i = 0; i < SIDE * SIDE; i++) {
        const double x = (i % SIDE + 0.5) * PLAIN_CELL_M, y = ((int)(i / SIDE) + 0.5) * PLAIN_CELL_M;
        const double wave = sin(3.14159265358979 * x / 500) * sin(3.14159265358979 * y / 500);
        ground[i] = (float)(2 - y / 1500 - x / 3000 - 0.5 * wave * wave);
    }
    const wadi_def def = define_plain(o, SIDE, SIDE, PLAIN_CELL_M, 0.03, 1.2);
    wadi_sim *sim = begin(&def, ground, NULL);
    set_inflow(sim, inflow, 4, 0, 5);
    run_for(sim, 48 * 3600);
    float *water = field(sim, "water");
    wadi_mass mass;
    check(wadi_sim_mass(sim, &mass));
    printf("test 2: deepest water in each hollow after 48 h, m (rows from north)\n");
    double dry = 0, ponded = 0;
    for (int row = 0; row < 4; row++) {
        for (int column = 0; column < 4; column++) {
            double deepest = 0;
            for (int i = 0; i < HOLLOW * HOLLOW; i++) {
                const int x = column * HOLLOW + i % HOLLOW, y = row * HOLLOW + i / HOLLOW;
                deepest = fmax(deepest, (double)water[y * SIDE + x]);
            }
            printf("  %6.3f", deepest);
            if (column == 3 && row < 2) dry = fmax(dry, deepest);
        }
        printf("\n");
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        if (water[i] > 0.05f) ponded += (double)water[i] * PLAIN_CELL_M * PLAIN_CELL_M;
    printf("  of %.0f m3 %.1f %% stand deeper than 5 cm; balance off by %.1e m3\n", mass.water.in,
           100 * ponded / mass.water.in, mass.water.residual);
    expect("water in the upper right hollows", dry, 0.05);
    expect("water balance", mass.water.residual / mass.water.in, 1e-5);
    free(ground);
    free(water);
    wadi_sim_destroy(sim);
}

/* --- test 4 --- */

static void spread(const options *o) {
    enum { ACROSS = 200, DOWN = 400 };
    static const double inflow[][2] = {{0, 0}, {60, 20}, {240, 20}, {360, 0}}; /* peak and base as published */
    const double l = 5;
    const wadi_def def = define_plain(o, ACROSS, DOWN, l, 0.05, 1.5);
    float *ground = allocate((size_t)ACROSS * DOWN, sizeof *ground);
    wadi_sim *sim = begin(&def, ground, NULL);
    set_inflow(sim, inflow, 4, DOWN / 2 - 2, 4);
    for (int hour = 1; hour <= 2; hour++) {
        double reach[3] = {0}; /* of 15 cm: ahead, along the diagonal, along the side */
        run_for(sim, 3600);
        float *water = field(sim, "water");
        for (int i = 0; i < DOWN / 2; i++) {
            if (i < ACROSS && water[DOWN / 2 * ACROSS + i] > 0.15f) reach[0] = (i + 0.5) * l;
            if (i < ACROSS && water[(DOWN / 2 + i) * ACROSS + i] > 0.15f) reach[1] = (i + 0.5) * sqrt(2) * l;
            if (water[(DOWN / 2 + i) * ACROSS] > 0.15f) reach[2] = (i + 0.5) * l;
        }
        printf("test 4: after %d h water of 15 cm is %.0f m ahead, %.0f m along the diagonal, %.0f m along the side\n",
               hour, reach[0], reach[1], reach[2]);
        expect("the diagonal's reach", reach[1] / reach[0] - 1, 0.05);
        expect("the side's reach", reach[2] / reach[0] - 1, 0.08);
        free(water);
    }
    free(ground);
    wadi_sim_destroy(sim);
}

void measure_flood(const options *o) {
    fill_hollows(o);
    spread(o);
}
