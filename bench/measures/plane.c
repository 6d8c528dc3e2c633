/* plane.c: a plane under steady rain, beside the kinematic wave. With cf*v^2 = g*h*S the discharge is
 * q = alpha*h^1.5, alpha = sqrt(g*S/cf). At x metres from the ridge q = alpha*(r*t)^1.5 until it reaches r*x. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "measures.h"

#define G 9.81

typedef struct plane {
    double slope, cf, degrees;
    int size;
    double rain, alpha, cx, cy; /* the way down */
} plane;

/* The depth below `length` m is 0.4 % of the fall there, or less. So its own gradient adds 0.3 % to the slope. */
static plane make_plane(double slope, double cf, double degrees, int size) {
    const double turn = degrees * 3.14159265358979 / 180, length = 0.7 * size;
    plane p = {.slope = slope, .cf = cf, .degrees = degrees, .size = size, .cx = cos(turn), .cy = sin(turn)};
    const double depth = fmin(0.004 * length * slope, 0.02);
    p.alpha = sqrt(G * slope / cf);
    p.rain = p.alpha * pow(depth, 1.5) / length;
    return p;
}

static double depth_at(const plane *p, double x) { return pow(p->rain * x / p->alpha, 2 / 3.0); }

/* Metres from the ridge, which is the upper border or the left one, to the middle of a cell. */
static double from_ridge(const plane *p, int x, int y) {
    const double to_x = p->cx > 1e-9 ? (x + 0.5) / p->cx : INFINITY, to_y = p->cy > 1e-9 ? (y + 0.5) / p->cy : INFINITY;
    return fmin(to_x, to_y);
}

static wadi_sim *begin_plane(const options *o, const plane *p) {
    wadi_def def = define_water(o, p->size, p->size, 1);
    const double deepest = depth_at(p, 1.5 * p->size), speed = p->rain * 1.5 * p->size / deepest;
    set(&def, "cf", p->cf);
    set(&def, "rain", p->rain);
    set_step(&def, 1.5 * deepest, 1.5 * speed);
    float *heights = allocate((size_t)p->size * (size_t)p->size, sizeof *heights);
    for (int y = 0; y < p->size; y++)
        for (int x = 0; x < p->size; x++) heights[y * p->size + x] = (float)(-p->slope * (p->cx * x + p->cy * y));
    wadi_sim *sim = begin(&def, heights, NULL);
    free(heights);
    return sim;
}

/* Errors, as parts of the value. */
typedef struct errors {
    double discharge, depth, rise, corner;
} errors;

static double larger(double a, double b) { return fabs(b) > fabs(a) ? b : a; }

/* The discharge of the cell that `measured` picks, in the direction of the slope, m2/s. */
static double flow_down(const plane *p, const float *across, const float *down, int cell) {
    return 0.5 * (p->cx * (double)across[cell] + p->cy * (double)down[cell]);
}

static int measured(const plane *p) { /* where one border alone is near, uphill */
    return (p->degrees > 30 ? p->size * 9 / 20 : p->size * 5 / 8) * p->size + p->size * 7 / 10;
}

/* Largest differences of the rising limb from the analytic one, as parts of the last discharge. At the time `last` the
 * analytic limb has a corner. The differences before 0.9 of it are the rise's, the others the corner's. */
static void compare_rise(const plane *p, wadi_sim *sim, double length, errors *e) {
    const double rate = p->alpha * pow(p->rain, 1.5), last = pow(p->rain * length / rate, 2 / 3.0);
    const size_t cells = (size_t)p->size * (size_t)p->size;
    float *across = allocate(cells, sizeof *across), *down = allocate(cells, sizeof *down);
    for (int i = 1; i <= 40; i++) {
        run_for(sim, last * 1.5 / 40);
        discharge_of(sim, across, down);
        const double t = wadi_sim_time(sim), expected = fmin(rate * pow(t, 1.5) / (p->rain * length), 1);
        const double error = flow_down(p, across, down, measured(p)) / (p->rain * length) - expected;
        double *worst = t < 0.9 * last ? &e->rise : &e->corner;
        *worst = larger(*worst, error);
    }
    run_for(sim, last / 2);
    free(across);
    free(down);
}

static errors measure(const options *o, const plane *p) {
    const size_t cells = (size_t)p->size * (size_t)p->size;
    const int at = measured(p);
    const double length = from_ridge(p, at % p->size, at / p->size);
    wadi_sim *sim = begin_plane(o, p);
    errors e = {0};
    compare_rise(p, sim, length, &e);
    float *across = allocate(cells, sizeof *across), *down = allocate(cells, sizeof *down),
          *water = field(sim, "water");
    discharge_of(sim, across, down);
    e.discharge = flow_down(p, across, down, at) / (p->rain * length) - 1;
    e.depth = (double)water[at] / depth_at(p, length) - 1;
    free(across);
    free(down);
    free(water);
    wadi_sim_destroy(sim);
    return e;
}

void measure_plane(const options *o) {
    static const double slopes[] = {0.01, 0.1, 1}, factors[] = {0.03, 0.3, 3};
    const int size = o->size_count > 0 ? o->sizes[0] : 96;
    printf("   S    cf  degrees  Froude   discharge      depth       rise     corner\n");
    for (int i = 0; i < 27; i++) {
        const plane p = make_plane(slopes[i / 9], factors[i / 3 % 3], 22.5 * (i % 3), size);
        const errors e = measure(o, &p);
        printf("%4g  %4g  %7g  %6.2f  %+8.2f %%  %+8.2f %%  %+8.2f %%  %+8.2f %%\n", p.slope, p.cf, p.degrees,
               sqrt(p.slope / p.cf), 100 * e.discharge, 100 * e.depth, 100 * e.rise, 100 * e.corner);
        fflush(stdout);
        expect("discharge", e.discharge, 0.005);
        expect("depth", e.depth, 0.03);
        expect("rise", e.rise, 0.05);
    }
}
