/* channel.c: MacDonald's channels, steady flow of given depth. The bed follows from the shallow-water equations
 * (Delestre et al. 2013). Itzi tests itself with these two: subcritical flow, without rain and with it. The equations
 * of these models have no convective term, so the bed is also computed without it: what is left then is the error of
 * the cells. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "measures.h"

enum { ROWS = 100, FINE = 100 }; /* cells across; parts of a metre of the bed's integral */
#define G 9.81
#define LENGTH_M 1000.0
#define MANNING 0.033
#define STEADY_S 3600.0

typedef struct channel {
    double first, rain; /* m2/s that enter, m/s */
    bool convective;
} channel;

static double depth_at(double x) { return cbrt(4 / G) * (1 + 0.5 * exp(-16 * pow(x / LENGTH_M - 0.5, 2))); }

/* dz/dx, from the balance of forces on steady flow. */
static double slope_at(const channel *c, double x) {
    const double h = depth_at(x), q = c->first + c->rain * x, n = MANNING;
    const double bell = cbrt(4 / G) * 0.5 * exp(-16 * pow(x / LENGTH_M - 0.5, 2));
    const double rises = bell * -32 * (x / LENGTH_M - 0.5) / LENGTH_M;
    const double convective = q * q / (G * h * h * h) * rises - 2 * q * c->rain / (G * h * h);
    return (c->convective ? convective : 0) - rises - n * n * q * q / pow(h, 10 / 3.0);
}

/* From the end, where the bed is 0, to the middles of the cells. */
static void bed_of(const channel *c, int cells, double l, double *bed) {
    double z = 0, x = LENGTH_M;
    for (int i = cells - 1; i >= 0; i--) {
        const double to = (i + 0.5) * l;
        const int parts = (int)ceil((x - to) * FINE);
        const double step = (x - to) / parts;
        for (int k = 0; k < parts; k++) z -= step * slope_at(c, x - (k + 0.5) * step);
        x = to;
        bed[i] = z;
    }
}

/* Walls on both sides and above; the water leaves over the open border at the end. */
static wadi_sim *begin_channel(const options *o, const channel *c, int cells, double l, const double *bed) {
    const int width = cells + 1, height = ROWS + 2;
    const size_t count = (size_t)width * (size_t)height;
    wadi_def def = define_water(o, width, height, l);
    choose(&def, "friction_law", "manning");
    set(&def, "n", MANNING);
    set(&def, "Fr", 1);
    set_step(&def, 1.5, 4);
    float *ground = allocate(count, sizeof *ground), *rain = allocate(count, sizeof *rain);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const bool inside = y > 0 && y <= ROWS && x > 0;
            ground[y * width + x] = inside ? (float)bed[x - 1] : 100;
            rain[y * width + x] = inside ? (float)(c->rain + (x == 1 ? c->first / l : 0)) : 0;
        }
    wadi_sim *sim = begin(&def, ground, NULL);
    check(wadi_sim_set(sim, "rain", rain, count));
    free(ground);
    free(rain);
    return sim;
}

static void run_channel(const options *o, const channel *c, double l) {
    const int cells = (int)round(LENGTH_M / l), width = cells + 1;
    double *bed = allocate((size_t)cells, sizeof *bed);
    bed_of(c, cells, l, bed);
    wadi_sim *sim = begin_channel(o, c, cells, l, bed);
    run_for(sim, STEADY_S);
    float *water = field(sim, "water");
    double sum = 0, ends = 0, largest = 0;
    for (int i = 0; i < cells; i++) {
        const double error = (double)water[(ROWS / 2) * width + i + 1] - depth_at((i + 0.5) * l);
        const bool end = i == 0 || i == cells - 1; /* water enters without speed; a step ends after the outflow */
        sum += fabs(error);
        if (end) ends += fabs(error);
        if (!end && fabs(error) > fabs(largest)) largest = error;
    }
    printf(
        "%s, bed with%s the convective term, cells of %g m: error of the surface %.4f m; without the cells at the ends "
        "%.4f m, largest %+.4f m\n",
        c->rain > 0 ? "rain" : "no rain", c->convective ? "" : "out", l, sum / cells, (sum - ends) / (cells - 2),
        largest);
    fflush(stdout);
    expect("mean error of the surface", sum / cells, c->convective ? 0.045 : 0.013);
    wadi_sim_destroy(sim);
    free(water);
    free(bed);
}

void measure_channel(const options *o) {
    static const double cells[] = {10, 5, 2.5};
    for (int i = 0; i < 4; i++) {
        const channel c = {.first = i < 2 ? 2 : 1, .rain = i < 2 ? 0 : 1e-3, .convective = i % 2 == 0};
        if (o->cell_m > 0) run_channel(o, &c, o->cell_m);
        for (int k = 0; k < 3 && !(o->cell_m > 0); k++) run_channel(o, &c, cells[k]);
    }
}
