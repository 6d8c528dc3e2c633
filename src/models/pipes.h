/* pipes.h: the parameters of the virtual-pipe water model for mei2007 and jako2011, and their constants. A model's own
 * parameters are numbered after these. */
#ifndef WADI_MODELS_PIPES_H
#define WADI_MODELS_PIPES_H

#include <math.h>

#include "core/model.h"
#include "core/series.h"
#include "models/infiltration.h"

enum {
    P_dt,
    P_rain,
    P_Ke,
    P_A,
    P_g,
    P_cf,
    P_Kc,
    P_Ks,
    P_Kd,
    P_sin_min,
    P_d_floor,
    P_d_cut,
    P_E,
    P_advection,
    P_velocity,
    P_evaporation,
    P_pipe_area,
    P_pipes,
    P_Fr,
    P_friction,
    P_d_cf,
    P_n,
    P_Kl,
    P_substeps,
    P_infiltration,
    P_Ksat,
    P_psi,
    P_dtheta,
    P_PIPES
};

#define PIPES_CHOICES \
    static const char *const advection_names[] = {"flux", "semi-lagrangian", "traced", NULL}; \
    static const char *const velocity_names[] = {"floor", "cut", NULL}; \
    static const char *const evaporation_names[] = {"depth", "surface", NULL}; \
    static const char *const pipe_area_names[] = {"constant", "depth", NULL}; \
    static const char *const pipes_names[] = {"4", "8", NULL}; \
    static const char *const friction_names[] = {"darcy", "manning", NULL}; \
    static const char *const substeps_names[] = {"fixed", "adaptive", NULL}; \
    INFILTRATION_CHOICE

/* clang-format off */ /* clang-format puts each value on a line of its own */

/* name, alias, unit, meaning, source, minimum, standard, maximum, powers of length and time, choices, per cell */
#define PIPES_WATER_PARAMETERS(rain_name, rain_source) \
    [P_dt] = {"dt", "time-step", "s", \
        "time step; sub-stepped where it is longer than the flow stands", "Mei 3.2, Jako T2", 1e-6, 0.02, 0.1, 0, 1, NULL, false, .cell_power = 1}, \
    [P_rain] = {rain_name, "rain", "m/s", "rain rate", rain_source, 0, 0.012, 0.05, 1, -1, NULL, true}, \
    [P_Ke] = {"Ke", "evaporation-rate", "1/s", \
        "evaporation: share of the depth lost in a second", "Mei 15, Jako 16", 0, 0.015, 0.05, 0, -1, NULL, true}, \
    [P_A] = {"A", "pipe-cross-section", "m2", \
        "cross-section of the virtual pipes", "Mei 2, Jako 2", 0.1, 20, 60, 2, 0, NULL, true, .cell_power = 1}, \
    [P_g] = {"g", "gravity", "m/s2", "gravity", "Mei 2, Jako 2", 0.1, 9.81, 20, 1, -2, NULL, false}, \
    [P_cf] = {"cf", "friction", "1", \
        "friction factor of the bed (Darcy-Weisbach); 0: none, as in the papers", "ours", 0, 0.04, 10, 0, 0, NULL, true}

#define PIPES_FLOW_PARAMETERS \
    [P_sin_min] = {"sin_min", "minimum-tilt", "1", \
        "least sine of the tilt in the capacity, so that flat ground erodes too", "Mei 3.3, Jako 9", 0, 0.05, 1, 0, 0, NULL, true}, \
    [P_d_floor] = {"d_floor", "depth-floor", "m", \
        "least depth that divides a flow into a velocity", "ours", 0.001, 0.2, 10, 1, 0, NULL, false}, \
    [P_d_cut] = {"d_cut", "depth-cut", "m", \
        "with velocity = cut: no velocity in thinner water", "Mei 9", 1e-9, 1e-4, 1, 1, 0, NULL, false}, \
    [P_E] = {"E", "surface-evaporation", "m/s", \
        "with evaporation = surface: depth lost in a second from every wet cell", "ours", 0, 0.002, 0.05, 1, -1, NULL, true}, \
    [P_advection] = {"advection", "sediment-transport", "", \
        "how sediment moves: with the fluxes (exact); traced back as in the papers, up to walls; semi-lagrangian: as traced was before", "Mei 14, Jako 15", 0, 0, 2, 0, 0, advection_names, false}, \
    [P_velocity] = {"velocity", "velocity-form", "", \
        "floor: depth at least d_floor; cut: plain division, 0 below d_cut", "Mei 9, Jako 8", 0, 0, 1, 0, 0, velocity_names, false}, \
    [P_evaporation] = {"evaporation", "evaporation-form", "", \
        "depth: in proportion to depth (Ke); surface: the same depth everywhere (E)", "Mei 15, Jako 16", 0, 0, 1, 0, 0, evaporation_names, false}, \
    [P_pipe_area] = {"pipe_area", "pipe-area", "", \
        "constant: A; depth: the water's depth times the cell's side, at most A", "Mei 2", 0, 0, 1, 0, 0, pipe_area_names, false}, \
    [P_pipes] = {"pipes", "pipe-count", "", \
        "pipes of a cell: 4, to its sides, as in the papers; 8: also to its corners, the same in every direction", "ours; Bates 2010", 0, 0, 1, 0, 0, pipes_names, false}, \
    [P_Fr] = {"Fr", "froude-limit", "1", \
        "with pipes = 8: the fastest flow, as a multiple of sqrt(g*depth)", "ours", 0.1, 1, 100, 0, 0, NULL, false}, \
    [P_friction] = {"friction_law", "friction-law", "", \
        "darcy: cf at every depth; manning: cf*(d_cf/depth)^(1/3), so that n^2 = cf*d_cf^(1/3)/g", "ours", 0, 0, 1, 0, 0, friction_names, false}, \
    [P_d_cf] = {"d_cf", "friction-depth", "m", \
        "with friction_law = manning: the depth at which the friction factor is cf", "ours", 0.001, 1, 1000, 1, 0, NULL, false}, \
    [P_n] = {"n", "manning-n", "s/m^(1/3)", \
        "with friction_law = manning: Manning's n, which replaces cf and d_cf; 0: they count", "Manning 1891", 0, 0, 1, 0, 0, NULL, true}, \
    [P_Kl] = {"Kl", "lateral-transport", "1", \
        "with pipes = 8: what rolls down a bed of slope 1, as a share of the moving sediment; gives channels banks and a width", "ours; Ikeda 1982", 0, 0, 2, 0, 0, NULL, true}, \
    [P_substeps] = {"substeps", "sub-steps", "", \
        "with pipe_area = depth: fixed: a step is as safe as water of A by the side needs; adaptive: as the deepest water needs, found again every 16 steps", "ours", 0, 0, 1, 0, 0, substeps_names, false}, \
INFILTRATION_PARAMETERS

/* clang-format on */

/* Eight pipes. On square cells the faces are those of a regular octagon. On others their widths are such that small
 * waves spread alike in all directions: width_x*lx + 2*corner*lx^2/ld = lx*ly, and so for y, with ld the diagonal. */
static inline double pipes_corner_width(double lx, double ly) {
    return (1 - sqrt(0.5)) * fmin(lx, ly) / fmax(lx, ly) * sqrt(lx * lx + ly * ly);
}

static inline int pipes_has_n(const double *v) { return v[P_friction] > 0 && v[P_n] > 0; }
/* The friction factor at the depth d_cf, which cells with Manning's n and cells without it share. */
static inline double pipes_friction(const double *v) {
    return pipes_has_n(v) ? v[P_g] * v[P_n] * v[P_n] / wadi_power(v[P_d_cf], 1.0 / 3) : v[P_cf];
}

/* The constants that both models' cells use. */
#define PREPARE_PIPES(k, setup) \
    do { \
        const double *const v = (setup)->values; \
        const double dt = (setup)->dt_s, lx = (setup)->lx, ly = (setup)->ly, cf = pipes_friction(v); \
        (k)->rain_dt = (float)(dt * v[P_rain]); \
        (k)->gain_x = (float)(dt * v[P_A] * v[P_g] / lx); \
        (k)->gain_y = (float)(dt * v[P_A] * v[P_g] / ly); \
        (k)->area_gain_x = (float)(dt * v[P_g] * ly / lx); \
        (k)->area_gain_y = (float)(dt * v[P_g] * lx / ly); \
        (k)->drag_x = (float)(dt * cf / ly); \
        (k)->drag_y = (float)(dt * cf / lx); \
        (k)->Kc = (float)v[P_Kc]; \
        (k)->sin_min2 = (float)(v[P_sin_min] * v[P_sin_min]); \
        PREPARE_INFILTRATION(k, v, dt); \
        (k)->keep = (float)(1 - fmin(1, v[P_Ke] * dt)); \
        (k)->evaporated = (float)(v[P_E] * dt); \
        (k)->dt_area = (float)(dt / (lx * ly)); \
        (k)->carried_area = (float)(dt / (lx * ly) * (1 - 0x1p-20)); /* rounding never takes more than there is */ \
        (k)->inv_lx = (float)(1 / lx); \
        (k)->inv_ly = (float)(1 / ly); \
        (k)->half_inv_lx = (float)(0.5 / lx); \
        (k)->half_inv_ly = (float)(0.5 / ly); \
        (k)->dt_inv_lx = (float)(dt / lx); \
        (k)->dt_inv_ly = (float)(dt / ly); \
        (k)->d_floor = (float)v[P_d_floor]; \
        (k)->floor2 = 2 * (k)->d_floor; \
        (k)->cut2 = 2 * (float)v[P_d_cut]; \
        (k)->d_min = (float)(1e-9 * sqrt(lx * ly)); \
        (k)->f_min = (float)(1e-15 * sqrt(lx * ly) * lx * ly / dt); \
        const double corner = pipes_corner_width(lx, ly), ld = sqrt(lx * lx + ly * ly), side = sqrt(lx * ly); \
        const double width_x = ly - 2 * corner * lx / ld, width_y = lx - 2 * corner * ly / ld; \
        (k)->cap = (float)(v[P_A] / side); \
        (k)->drag = (float)(4 * dt * cf); \
        (k)->ease = (float)fmin(1e9, 1 / cf); \
        (k)->inv_ld = (float)(1 / ld); \
        (k)->g = (float)v[P_g]; \
        (k)->froude2_g = (float)(v[P_Fr] * v[P_Fr] * v[P_g]); \
        (k)->face_gain_x = (float)(dt * v[P_g] * width_x / lx); \
        (k)->face_gain_y = (float)(dt * v[P_g] * width_y / ly); \
        (k)->face_gain_d = (float)(dt * v[P_g] * corner / ld); \
        (k)->width_x = (float)width_x; \
        (k)->width_y = (float)width_y; \
        (k)->width_d = (float)corner; \
        (k)->Kl = (float)(0.5 * (setup)->mask * v[P_Kl] / side); \
        (k)->roll_x = (float)(ly / lx); \
        (k)->roll_y = (float)(lx / ly); \
        (k)->out_x = (float)(lx / side); \
        (k)->out_y = (float)(ly / side); \
        (k)->out_d = (float)(ld / (side * sqrt(2))); \
        /* A step evens out half of a height difference at most, or the bed would grow a checkerboard. */ \
        (k)->most_w = (float)(0.125 / (lx / ly + ly / lx)); \
        (k)->eight = v[P_pipes] > 0; \
        (k)->friction = cf > 0; \
        (k)->manning = cf > 0 && v[P_friction] > 0; \
        (k)->inv_d_cf = (float)(1 / v[P_d_cf]); \
        (k)->stops = v[P_advection] > 1; \
        (k)->depth_area = !(k)->eight && v[P_pipe_area] > 0; \
        (k)->even_area = (k)->eight && v[P_pipe_area] <= 0; \
        (k)->cut = v[P_velocity] > 0; \
        (k)->surface = v[P_evaporation] > 0; \
        (k)->open = (setup)->boundary == WADI_OPEN; \
        (k)->sea = v[P_sea] > 0 && (k)->open ? (float)wadi_sea_height(v[P_sea_level]) : -WADI_WALL; \
        (k)->tide = (k)->sea > -WADI_WALL; \
    } while (0)

/* The longest stable time step, as measured. For four pipes it is 1/sqrt(2*A*g*(1/lx + 1/ly)/(lx*ly)). For
 * eight it is 2/sqrt(A/side*g*most), with `most` the largest eigenvalue of the faces' conductances. */
static inline double pipes_longest_dt_s(const double *values, double lx, double ly) {
    if (values[P_pipes] <= 0) return 1 / sqrt(2 * values[P_A] * values[P_g] * (1 / lx + 1 / ly) / (lx * ly));
    const double corner = pipes_corner_width(lx, ly), ld = sqrt(lx * lx + ly * ly);
    const double x = ly / lx - 2 * corner / ld, y = lx / ly - 2 * corner / ld;
    const double most = 4 * fmax(fmax(x, y) + 2 * corner / ld, x + y) / (lx * ly);
    return 2 / sqrt(values[P_A] / sqrt(lx * ly) * values[P_g] * most);
}

/* Waves are as fast as in water of A by the side. */
static inline double pipes_limit_waves(double *values, double lx, double ly, double dt_s) {
    const double ratio = pipes_longest_dt_s(values, lx, ly) / dt_s, area = values[P_A] * ratio * ratio;
    if (values[P_pipe_area] <= 0) return 0; /* in shallow water, too */
    if (area >= values[P_A]) return INFINITY;
    values[P_A] = area;
    return area / fmax(lx, ly);
}

#endif
