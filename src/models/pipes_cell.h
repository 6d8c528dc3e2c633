/* pipes_cell.h: the virtual-pipe water model of mei2007 and jako2011, as pure functions. Equation numbers are those of
 * Mei, Decaudin, Hu 2007; those with j are of Jako, Toth 2011. */
#include "models/common_cell.h"

/* (2), and ours: friction after Darcy-Weisbach, f / (1 + dt*cf*|v|/h) with v = f/(width*h): f*h^2 / (h^2 + drag*f),
 * drag = dt*cf/width. gain = dt*A*g/l, area_gain = dt*g*width/l for a cross-section of width times depth. With
 * friction, a flux below f_min counts as 0: friction would reduce it to denormal numbers. */
typedef struct cell_pipe {
    float flux, over, under; /* without friction; with it over / under */
} cell_pipe;

CELL cell_pipe pipe_of(float f, float H, float Hn, float b, float bn, float gain, float area_gain, float drag,
                       float f_min, float d_floor, int friction, int depth_area) {
    cell_pipe p;
    float depth = cell_most(H, Hn) - cell_most(b, bn);
    float push = depth_area ? cell_least(gain, area_gain * cell_most(depth, 0.0f)) : gain;
    float pushed = f + push * (H - Hn);
    float h = cell_most(depth, d_floor);
    float h2 = h * h;
    p.flux = friction ? (pushed < f_min ? 0.0f : pushed) : cell_most(0.0f, pushed);
    p.over = p.flux * h2;
    p.under = h2 + drag * p.flux;
    return p;
}

/* Opposite pipes share one division: 1 / (u1*u2). */
typedef struct cell_pair {
    float a, b;
} cell_pair;

CELL cell_pair pipe_fluxes(cell_pipe a, cell_pipe b, int friction WATCHED) {
    cell_pair f = {a.flux, b.flux};
    float inverse = friction ? INVERSE(a.under * b.under) : 1.0f;
    f.a = friction ? (a.over * b.under) * inverse : f.a;
    f.b = friction ? (b.over * a.under) * inverse : f.b;
    return f;
}

/* (4), j(4): the factor that limits the four outflows to the available water. sum: total outflow as a depth. */
CELL float pipe_limit(float sum, float d WATCHED) { return PART_IF(sum > d, d, sum, 1.0f); }

typedef struct cell_fluxes {
    float L, R, T, B;     /* this cell's outflows */
    float iL, iR, iT, iB; /* the neighbours' towards it */
} cell_fluxes;

CELL float fluxes_out(cell_fluxes f) { return (f.L + f.R) + (f.T + f.B); }
CELL float fluxes_in(cell_fluxes f) { return (f.iL + f.iR) + (f.iT + f.iB); }
/* (8), j(8): twice the water passing through the cell, m3/s */
CELL float through_x(cell_fluxes f) { return (f.iL - f.L) + (f.R - f.iR); }
CELL float through_y(cell_fluxes f) { return (f.iT - f.T) + (f.B - f.iB); }
/* (6, 7) */
CELL float depth_after(float d1, cell_fluxes f, float dt_area) {
    return cell_most(0.0f, d1 + dt_area * (fluxes_in(f) - fluxes_out(f)));
}

/* Water through the cell per metre of its side (m2/s), and the depth that divides it into a velocity (9). This is the
 * mean depth, at least d_floor. With `cut` it is the mean depth itself, and there is no flow below d_cut. Both are
 * doubled, as are floor2 and cut2, which avoids halving. */
typedef struct cell_flow {
    float x, y, depth;
} cell_flow;

CELL cell_flow flow_through(float d1, float d2, cell_fluxes f, float inv_lx, float inv_ly, float floor2, float cut2,
                            int cut) {
    cell_flow q;
    float depth = d1 + d2;
    int still = cut && depth < cut2;
    q.x = still ? 0.0f : through_x(f) * inv_ly;
    q.y = still ? 0.0f : through_y(f) * inv_lx;
    q.depth = cell_most(depth, cut ? cut2 : floor2);
    return q;
}

/* max(sin a, sin_min)*|v| of (10), j(10), with one root and one division. 0 outside (`dead`), and where almost nothing
 * flows, for example at the front of water on dry land. */
CELL float tilt_speed(float gx, float gy, cell_flow q, float sin_min2, int dead WATCHED) {
    float g2 = gx * gx + gy * gy;
    float g1 = 1.0f + g2;
    float flows = cell_most(g2, sin_min2 * g1) * (q.x * q.x + q.y * q.y);
    return ROOT_RATIO(dead || flows < 0x1p-79f ? 0.0f : flows, g1 * (q.depth * q.depth));
}

/* For (14), ours: the sediment per unit of outflow. */
CELL float carried(float s, float d1, float carried_area, float d_min WATCHED) {
    return RATIO_IF(is_carried(s, d1, d_min), s * carried_area, d1, 0.0f);
}

/* (14), j(15): backward by (u, v)*dt, displacements in cells, at most one. s: the 3 x 3 neighbourhood's values picked
 * by the caller: centre, the neighbour upstream in x, in y, and in both. */
CELL float bilinear(float centre, float in_x, float in_y, float in_xy, float ax, float ay) {
    float w00 = (1.0f - ax) * (1.0f - ay), w10 = ax * (1.0f - ay), w01 = (1.0f - ax) * ay, w11 = ax * ay;
    return (w00 * centre + w11 * in_xy) + (w10 * in_x + w01 * in_y);
}
