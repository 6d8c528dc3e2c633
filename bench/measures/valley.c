/* valley.c: the V-shaped catchment of Di Giammarco, Todini, Lamberti 1996. Two planes of 800 x 1000 m fall by 5 % to a
 * channel 20 m wide, which falls by 2 %. It rains 10.8 mm/h for 90 minutes. Friction is Manning's, n = 0.015 on the
 * planes and 0.15 in the channel. The discharge at the outlet is compared with the kinematic wave, whose solution is
 * known along its characteristics. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "measures.h"

#define PLANE_M 800.0
#define CHANNEL_M 1000.0
#define CHANNEL_WIDTH 20.0
#define RAIN 3e-6
#define RAIN_S 5400.0
#define ALPHA_PLANE (sqrt(0.05) / 0.015) /* q = alpha * h^(5/3), m2/s */
#define ALPHA_CHANNEL (sqrt(0.02) / 0.15)
#define STEP_S 0.5 /* of the integration along characteristics */

/* --- the kinematic wave --- */

/* What a plane gives to a metre of the channel at time t, m2/s. When the rain has ended, the flow q at the foot has
 * come from where it was q during the rain: PLANE_M = q/r + dq/dh * time. */
static double from_plane(double t) {
    const double most = RAIN * PLANE_M, rising = ALPHA_PLANE * pow(RAIN * fmin(t, RAIN_S), 5 / 3.0);
    if (t <= RAIN_S) return fmin(rising, most);
    double low = 0, high = most;
    for (int i = 0; i < 60; i++) {
        const double q = (low + high) / 2, speed = 5 / 3.0 * pow(ALPHA_PLANE, 0.6) * pow(q, 0.4);
        if (q / RAIN + speed * (t - RAIN_S) < PLANE_M)
            low = q;
        else
            high = q;
    }
    return low;
}

static double channel_gain(double t) { /* m/s */
    return 2 * from_plane(t) / CHANNEL_WIDTH + (t < RAIN_S ? RAIN : 0);
}

/* The time at which the characteristic that leaves the channel's upper end at t0 reaches the outlet, and its depth. */
static double arrive(double t0, double *depth) {
    double x = 0, t = t0, h = 0;
    while (x < CHANNEL_M && t < 4 * RAIN_S) {
        const double gain = STEP_S * channel_gain(t + STEP_S / 2), middle = h + gain / 2;
        x += STEP_S * 5 / 3.0 * ALPHA_CHANNEL * pow(fmax(middle, 0), 2 / 3.0);
        h += gain;
        t += STEP_S;
    }
    *depth = h;
    return t;
}

/* Of the outlet, m3/s. Before any arrives, the channel fills alike over all its length. */
static double discharge_at(double t) {
    double low = 0, high = t, depth = 0;
    if (arrive(0, &depth) > t) {
        for (depth = 0, low = 0; low < t; low += STEP_S) depth += STEP_S * channel_gain(low + STEP_S / 2);
    } else {
        for (int i = 0; i < 40; i++) {
            const double middle = (low + high) / 2;
            if (arrive(middle, &depth) < t)
                low = middle;
            else
                high = middle;
        }
        arrive(low, &depth);
    }
    return CHANNEL_WIDTH * ALPHA_CHANNEL * pow(depth, 5 / 3.0);
}

/* --- Wadi --- */

/* The channel goes on through a row of walls at the lower end, and leaves over the border. */
static wadi_sim *begin_valley(const options *o, double l) {
    const int planes = (int)(PLANE_M / l), channel = (int)(CHANNEL_WIDTH / l), width = 2 * planes + channel;
    const int length = (int)(CHANNEL_M / l), height = length + 2;
    const size_t cells = (size_t)width * (size_t)height;
    float *ground = allocate(cells, sizeof *ground), *rain = allocate(cells, sizeof *rain);
    float *friction = allocate(cells, sizeof *friction);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const size_t i = (size_t)y * (size_t)width + (size_t)x;
            const double aside = fmax(planes - 0.5 - x, x - planes - channel + 0.5) * l; /* from the channel's edge */
            const bool in_channel = x >= planes && x<planes + channel, inside = y> 0 && y <= length;
            ground[i] = in_channel ? (float)(-1 - 0.02 * l * y) : inside ? (float)(0.05 * aside) : 100;
            if (y == 0) ground[i] = 100;
            rain[i] = inside ? (float)RAIN : 0;
            friction[i] = (float)(9.81 * (in_channel ? 0.15 * 0.15 : 0.015 * 0.015));
        }
    wadi_def def = define_water(o, width, height, l);
    choose(&def, "friction_law", "manning");
    set(&def, "d_cf", 1);
    set_step(&def, 0.8, 1);
    wadi_sim *sim = begin(&def, ground, NULL);
    check(wadi_sim_set(sim, "rain", rain, cells));
    check(wadi_sim_set(sim, "cf", friction, cells));
    free(ground);
    free(rain);
    free(friction);
    return sim;
}

static double gone(const wadi_sim *sim) {
    wadi_mass mass;
    check(wadi_sim_mass(sim, &mass));
    return mass.water_over_border;
}

void measure_valley(const options *o) {
    const double l = o->cell_m > 0 ? o->cell_m : 5, peak = discharge_at(RAIN_S), minute = 60;
    wadi_sim *sim = begin_valley(o, l);
    double worst = 0;
    printf("minutes   kinematic wave       Wadi\n");
    for (int m = 10; m <= 180; m += 10) {
        run_for(sim, (m - 1) * minute - wadi_sim_time(sim));
        const double before = gone(sim), from = wadi_sim_time(sim);
        run_for(sim, minute);
        const double found = (gone(sim) - before) / (wadi_sim_time(sim) - from);
        const double expected = discharge_at((from + wadi_sim_time(sim)) / 2);
        if (m == 90) check(wadi_sim_set_parameter(sim, "rain", 0));
        printf("%7d   %7.3f m3/s   %7.3f m3/s   %+6.2f %% of the peak\n", m, expected, found,
               100 * (found - expected) / peak);
        worst = fmax(worst, fabs(found - expected) / peak);
    }
    expect("discharge", worst, 0.05);
    wadi_sim_destroy(sim);
}
