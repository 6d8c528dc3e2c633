/* waves.c: a wave that runs over dry ground at a steady speed u (Hunter et al. 2005), the test of Bates, Horritt,
 * Fewtrell 2010 and of de Almeida et al. 2012. On ground that rises by S, friction and gravity balance where
 * -dh/dx = n^2 * u^2 / h^(4/3) + S. The speed is the same everywhere, so the wave keeps its shape. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "measures.h"

enum { ROWS = 4 };
#define SPEED 1.0
#define MANNING 0.03
#define WAVE_S 3600.0
#define CELL_M 50.0
#define LENGTH_M 5000.0

/* The depth `behind` metres behind the front: Runge and Kutta, from the solution of a horizontal plane near the front.
 */
static double depth_behind(double behind, double slope) {
    if (behind <= 0) return 0;
    const double n2u2 = MANNING * MANNING * SPEED * SPEED, first = fmin(behind, 1e-3);
    double h = pow(7 / 3.0 * n2u2 * first, 3 / 7.0);
    const int steps = 2000;
    const double step = log(behind / first) / steps; /* of log x */
    for (int i = 0; i < steps; i++) {
        const double x = first * exp(i * step), to = first * exp((i + 1) * step);
        const double k1 = n2u2 / pow(h, 4 / 3.0) + slope;
        const double middle = h + (to - x) / 2 * k1, k2 = n2u2 / pow(middle, 4 / 3.0) + slope;
        h += (to - x) * k2;
    }
    return h;
}

/* The wave enters at the left as rain on the first column: u * h there. */
static void feed(wadi_sim *sim, double until_s, double slope) {
    const wadi_def *def = wadi_sim_def(sim);
    const size_t cells = (size_t)def->width * (size_t)def->height;
    float *rain = allocate(cells, sizeof *rain);
    while (wadi_sim_time(sim) < until_s) {
        const double depth = depth_behind(SPEED * (wadi_sim_time(sim) + 15), slope);
        for (int y = 0; y < def->height; y++) rain[(size_t)y * (size_t)def->width] = (float)(SPEED * depth / def->lx);
        check(wadi_sim_set(sim, "rain", rain, cells));
        run_for(sim, 30);
    }
    free(rain);
}

static void run_wave(const options *o, double l, double slope) {
    const int width = (int)(LENGTH_M / l);
    const double deepest = depth_behind(SPEED * WAVE_S, slope);
    wadi_def def = define_water(o, width, ROWS, l);
    def.boundary = WADI_WRAP; /* walls would take a part of the width of the cells beside them */
    choose(&def, "friction_law", "manning");
    set(&def, "d_cf", 1);
    set(&def, "cf", 9.81 * MANNING * MANNING);
    set_step(&def, 1.2 * deepest, 1.5 * SPEED);
    set(&def, "dt", 30 / ceil(30 / value_of(&def, "dt")));
    float *ground = allocate((size_t)width * ROWS, sizeof *ground);
    for (int i = 0; i < width * ROWS; i++) ground[i] = i % width == width - 1 ? 100 : (float)(slope * l * (i % width));
    wadi_sim *sim = begin(&def, ground, NULL);
    feed(sim, WAVE_S, slope);
    float *water = field(sim, "water");
    double squares = 0, largest = 0, front = 0;
    for (int x = 0; x < width; x++) {
        const double expected = depth_behind(SPEED * wadi_sim_time(sim) - (x + 0.5) * l, slope);
        const double error = (double)water[x] - expected;
        squares += error * error / width;
        largest = fabs(error) > fabs(largest) ? error : largest;
        if (water[x] > 0.01f) front = (x + 1) * l;
    }
    printf("ground rises by %g, cells of %g m: depth at the start %.3f m (%.3f m expected), root mean square error "
           "%.4f m, largest %+.3f m; front at %.0f m (%.0f m)\n",
           slope, l, (double)water[0], depth_behind(SPEED * wadi_sim_time(sim), slope), sqrt(squares), largest, front,
           SPEED * wadi_sim_time(sim));
    expect("root mean square error by the depth", sqrt(squares) / (double)water[0], 0.03);
    free(ground);
    free(water);
    wadi_sim_destroy(sim);
}

void measure_waves(const options *o) {
    const double l = o->cell_m > 0 ? o->cell_m : CELL_M;
    run_wave(o, l, 0);
    run_wave(o, l, 2e-4);
}
