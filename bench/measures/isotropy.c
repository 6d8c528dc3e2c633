/* isotropy.c: whether the grid's axes show.
 *
 * On a cone with a little noise the relief of the gullies along the grid's axes is divided by that along the
 * diagonals. On noise without a direction, turned by three angles, the flow's directions are counted: 20 % are within
 * 9 degrees of the four axes if all are equally frequent. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measures.h"

enum { SECTORS = 5, BOX = 3, WAVES = 480 };
#define PI 3.14159265358979

/* Degrees from the nearest axis of the grid, 0 to 45. */
static double off_axis(double x, double y) {
    const double angle = fmod(atan2(y, x) * 180 / PI + 360, 90);
    return fmin(angle, 90 - angle);
}

/* The mean of the values less than BOX + 1 cells away in x and in y. */
static double box_mean(const float *values, int width, int x, int y) {
    double sum = 0;
    for (int j = y - BOX; j <= y + BOX; j++)
        for (int i = x - BOX; i <= x + BOX; i++) sum += (double)values[(size_t)j * (size_t)width + (size_t)i];
    return sum / ((2 * BOX + 1) * (2 * BOX + 1));
}

/* --- the cone --- */

static void make_cone(float *heights, int size, double l, double noise_m, uint64_t seed) {
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            const double r = hypot(x + 0.5 - size / 2.0, y + 0.5 - size / 2.0);
            const double height = fmax(0, 1 - r / (0.44 * size)) * 0.25 * size * l;
            heights[(size_t)y * (size_t)size + (size_t)x] = (float)(height + noise_m * draw_normal(&seed));
        }
}

typedef struct gullies {
    double squares[SECTORS], cells[SECTORS]; /* of the relief: the change less its mean over 7 x 7 cells */
    double deepest, cut, area;
} gullies;

static void add_gullies(gullies *g, const float *change, int size) {
    for (int y = BOX; y < size - BOX; y++)
        for (int x = BOX; x < size - BOX; x++) {
            const double dx = x + 0.5 - size / 2.0, dy = y + 0.5 - size / 2.0, r = hypot(dx, dy);
            if (r < 0.1 * size || r > 0.4 * size) continue;
            const double here = (double)change[(size_t)y * (size_t)size + (size_t)x];
            const double relief = here - box_mean(change, size, x, y);
            const int sector = (int)fmin(off_axis(dx, dy) / 9, SECTORS - 1);
            g->squares[sector] += relief * relief;
            g->cells[sector] += 1;
            g->deepest = fmax(g->deepest, -here);
            g->cut += fmax(0, -here);
            g->area += 1;
        }
}

static void cones(const options *o, int size, double l, double noise_m) {
    gullies all = {0};
    float *heights = allocate((size_t)size * (size_t)size, sizeof *heights);
    for (int seed = 1; seed <= o->seeds; seed++) {
        make_cone(heights, size, l, noise_m, (uint64_t)seed);
        const wadi_def def = define(o, size, size, l);
        float *hardness = hardness_of(o, heights, size, size);
        wadi_sim *sim = begin(&def, heights, hardness);
        run_for(sim, seconds_of(o, &def));
        float *change = field(sim, "change");
        add_gullies(&all, change, size);
        free(change);
        free(hardness);
        wadi_sim_destroy(sim);
    }
    double relief[SECTORS];
    printf("cone, noise %g m: gully relief", noise_m);
    for (int i = 0; i < SECTORS; i++) printf(" %.4f", relief[i] = sqrt(all.squares[i] / all.cells[i]));
    const double ratio = relief[0] / relief[SECTORS - 1];
    printf(" m at %s degrees from an axis; axis by diagonal %.2f; deepest cut %.2f m, mean %.3f m\n", "0-9 ... 36-45",
           ratio, all.deepest, all.cut / all.area);
    expect("gully relief, axis by diagonal, less 1", ratio - 1, 0.1);
    free(heights);
}

/* --- noise without a direction --- */

/* Waves of 3 to 48 lengths a side, evenly over directions, of an amplitude in proportion to their length. */
static void make_noise(float *heights, int size, double relief_m, double turn, uint64_t seed) {
    double(*waves)[4] = allocate(WAVES, sizeof *waves); /* x, y, phase, amplitude */
    double variance = 0;
    for (int i = 0; i < WAVES; i++) {
        const double octave = 4 * fmod(i * 0.6180339887, 1), lengths = 3 * exp2(octave);
        const double angle = turn + PI * (i + draw(&seed)) / WAVES, k = 2 * PI * lengths / size;
        const double amplitude = exp2(-octave);
        memcpy(waves[i], (double[]){k * cos(angle), k * sin(angle), 2 * PI * draw(&seed), amplitude}, sizeof *waves);
        variance += amplitude * amplitude / 2;
    }
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            const double dx = x + 0.5 - size / 2.0, dy = y + 0.5 - size / 2.0;
            double sum = 0;
            for (int i = 0; i < WAVES; i++) sum += waves[i][3] * cos(waves[i][0] * dx + waves[i][1] * dy + waves[i][2]);
            heights[(size_t)y * (size_t)size + (size_t)x] = (float)(relief_m / 6 * sum / sqrt(variance));
        }
    free(waves);
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct directions {
    double near_axis, near_diagonal, counted;
} directions;

static void count_one(directions *d, double x, double y) {
    const double off = off_axis(x, y);
    d->near_axis += off < 9;
    d->near_diagonal += off > 36;
    d->counted += 1;
}

/* Of the cells in a circle the tenth with the strongest flow. */
static void count_directions(directions *strong, const float *across, const float *down, int size) {
    double *strengths = allocate((size_t)size * (size_t)size, sizeof *strengths), least = -1;
    for (int pass = 0; pass < 2; pass++) {
        size_t count = 0;
        for (int y = 1; y < size - 1; y++)
            for (int x = 1; x < size - 1; x++) {
                const int i = y * size + x;
                if (hypot(x + 0.5 - size / 2.0, y + 0.5 - size / 2.0) > 0.45 * size) continue;
                const double u = (double)across[i], v = (double)down[i], strength = hypot(u, v);
                if (pass == 0) strengths[count++] = strength;
                if (pass == 0 || !(strength > least)) continue;
                count_one(strong, u, v);
            }
        if (pass == 0) qsort(strengths, count, sizeof *strengths, by_size), least = strengths[count * 9 / 10];
    }
    free(strengths);
}

static void turned(const options *o, int size, double l, double degrees) {
    const size_t cells = (size_t)size * (size_t)size;
    float *heights = allocate(cells, sizeof *heights);
    float *across = allocate(cells, sizeof *across), *down = allocate(cells, sizeof *down);
    directions strong = {0};
    for (int seed = 1; seed <= o->seeds; seed++) {
        make_noise(heights, size, 0.2 * size * l, degrees * PI / 180, (uint64_t)seed);
        const wadi_def def = define(o, size, size, l);
        float *hardness = hardness_of(o, heights, size, size);
        wadi_sim *sim = begin(&def, heights, hardness);
        run_for(sim, seconds_of(o, &def));
        discharge_of(sim, across, down);
        count_directions(&strong, across, down, size);
        free(hardness);
        wadi_sim_destroy(sim);
    }
    printf("noise turned by %4.1f degrees: strong flow within 9 degrees of an axis %.1f %%, of a diagonal %.1f %%\n",
           degrees, 100 * strong.near_axis / strong.counted, 100 * strong.near_diagonal / strong.counted);
    free(heights);
    free(across);
    free(down);
}

void measure_isotropy(const options *o) {
    const int size = o->size_count > 0 ? o->sizes[0] : 160;
    const double l = o->cell_m > 0 ? o->cell_m : 1;
    cones(o, size, l, 0.02 * l);
    cones(o, size, l, 0.2 * l);
    for (int i = 0; i < 3; i++) turned(o, size, l, 22.5 * i);
}
