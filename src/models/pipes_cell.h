/* pipes_cell.h: the virtual-pipe water model of mei2007 and jako2011, as pure functions. Equation numbers are those of
 * Mei, Decaudin, Hu 2007; those with j are of Jako, Toth 2011. */
#include "models/common_cell.h"

/* x^(-1/3), to a millionth for x from 2^-33 to 2^15, and finite for any other x >= 0. It has the same bits on every
 * machine. m = 8^n*x/2^15 is from 1/8 to 1. There a cubic polynomial is 1.7 % off, and each iteration of Newton's
 * method squares the error and doubles it. */
CELL float inverse_cube_root(float x) {
    float m = cell_least(x, 0x1p15f) * 0x1p-15f, y = 0x1p-5f;
    int low = m < 0x1p-24f;
    m = low ? m * 0x1p24f : m, y = low ? y * 0x1p8f : y;
    low = m < 0x1p-12f;
    m = low ? m * 0x1p12f : m, y = low ? y * 0x1p4f : y;
    low = m < 0x1p-6f;
    m = low ? m * 0x1p6f : m, y = low ? y * 0x1p2f : y;
    low = m < 0x1p-3f;
    m = low ? m * 0x1p3f : m, y = low ? y * 0x1p1f : y;
    float third = m * 0.33333333f;
    float r = 2.474054f + m * (-4.755405f + m * (5.874646f - m * 2.610134f));
    r = r * (1.3333334f - third * (r * r * r));
    r = r * (1.3333334f - third * (r * r * r));
    return y * r;
}

/* The friction at depth h. That of Darcy and Weisbach is the same at any depth. That of Manning goes with h^(-1/3). */
CELL float drag_at(float h, float drag, float inv_d_cf, int manning) {
    return manning ? drag * inverse_cube_root(h * inv_d_cf) : drag;
}

/* The same for ease = 1/cf, which grows with h^(1/3) for Manning. */
CELL float ease_at(float h, float ease, float inv_d_cf, int manning) {
    float root = manning ? inverse_cube_root(h * inv_d_cf) : 0.0f;
    return manning ? ease * (h * inv_d_cf * (root * root)) : ease;
}

/* (2), and ours: friction after Darcy-Weisbach, f / (1 + dt*cf*|v|/h) with v = f/(width*h): f*h^2 / (h^2 + drag*f),
 * drag = dt*cf/width. gain = dt*A*g/l, area_gain = dt*g*width/l for a cross-section of width times depth. With
 * friction, a flux below f_min counts as 0: friction would reduce it to denormal numbers. */
typedef struct cell_pipe {
    float flux, over, under; /* flux: without friction; over / under: the flux with it */
} cell_pipe;

CELL cell_pipe pipe_of(float f, float H, float Hn, float b, float bn, float gain, float area_gain, float drag,
                       float f_min, float d_floor, float inv_d_cf, int friction, int manning, int depth_area) {
    cell_pipe p;
    float depth = cell_most(H, Hn) - cell_most(b, bn);
    float push = depth_area ? cell_least(gain, area_gain * cell_most(depth, 0.0f)) : gain;
    float pushed = f + push * (H - Hn);
    float h = cell_most(depth, d_floor);
    float h2 = h * h;
    p.flux = friction ? (pushed < f_min ? 0.0f : pushed) : cell_most(0.0f, pushed);
    p.over = p.flux * h2;
    p.under = h2 + drag_at(h, drag, inv_d_cf, manning) * p.flux;
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

/* --- eight pipes (ours): one net flux on each face between two cells, with inertia, gravity and friction --- */

/* The net fluxes through a cell's eight faces, positive to the right and downwards. The cell stores four of them, and
 * its neighbours store the others. diagonal: from upper left to lower right; anti: from upper right to lower left. */
typedef struct cell_faces {
    float right, below, diagonal, anti;      /* stored here: to the right, below, below right, below left */
    float left, above, diagonal_in, anti_in; /* stored by neighbours: from the left, above, above left, above right */
} cell_faces;

/* Inertia and gravity: the flux through a face before friction and limits, after Bates, Horritt, Fewtrell 2010. h:
 * depth above the higher bed; at most `cap`. Exchanging both cells and the sign of f reverses the result, bit for
 * bit. */
CELL float face_push(float f, float H, float Hn, float b, float bn, float gain, float cap, float f_min,
                     int depth_area) {
    float h = cell_most(H, Hn) - cell_most(b, bn);
    float p = f + gain * (depth_area ? cell_least(cap, h) : cap) * (H - Hn);
    return h > 0.0f && !(cell_size(p) < f_min) ? p : 0.0f;
}

/* The part of a face's flux that leaves the cell, in the direction that `out` counts as positive. 0 for -0. */
CELL float leaving(float out) { return cell_most(out, 0.0f); }

CELL float out_across(cell_faces f) { return leaving(f.right) + leaving(-f.left); }
CELL float out_down(cell_faces f) { return leaving(f.below) + leaving(-f.above); }
CELL float out_corners(cell_faces f) {
    return (leaving(f.diagonal) + leaving(-f.diagonal_in)) + (leaving(f.anti) + leaving(-f.anti_in));
}
CELL float faces_out(cell_faces f) { return (out_across(f) + out_down(f)) + out_corners(f); }

/* The factor for a cell's outflows, from friction, a limit on the Froude number and the available water. Friction turns
 * the push P (m2/s) into the flow M with M = P - dt*cf*M^2/d^2, solved implicitly. So M/P = 2 / (1 + sqrt(1 +
 * 4*dt*cf*P/d^2)). It acts on the vector, so it is the same in all directions. out: total outflow as a depth. */
CELL float eased(float d, float px, float py, float out, float drag, float inv_d_cf, float froude2_g, float d_min,
                 int friction, int manning WATCHED) {
    float p2 = px * px + py * py;
    float P = ROOT(p2 < 0x1p-79f ? 0.0f : p2);
    float fastest = d * ROOT(froude2_g * d);
    float rough = d + (friction ? ROOT(d * d + drag_at(d, drag, inv_d_cf, manning) * P) : d);
    /* the least of 2*d/rough, fastest/P and d/out, with one division */
    int races = P * d > out * fastest;
    float room = races ? fastest : d, most = races ? P : out;
    int limited = room * rough < most * (d + d);
    int wet = d > d_min; /* thinner water dries before the next step */
    return PART_IF(wet, limited ? room : d + d, limited ? most : rough, 0.0f);
}

/* The flux to an outside neighbour, m3/s: uniform flow, at most critical. Outside is dry ground that continues the
 * initial terrain in a straight line, from the cell's opposite neighbour. ease: 1 / friction factor. */
CELL float outfall(float H, float b, float b0, float b0_outside, float b0_opposite, float width, float inv_length,
                   float g, float ease, float d_min WATCHED) {
    float ground = cell_outside(b0_opposite) ? b0 : (b0 + b0) - b0_opposite;
    float h = H - cell_most(b, ground);
    int dry = !cell_outside(b0_outside) || cell_outside(b0) || !(h > d_min);
    float steep = cell_least((H - ground) * inv_length * ease, 1.0f);
    return width * (h * ROOT(dry ? 0.0f : g * h * cell_most(steep, 0.0f)));
}

/* Water below the level of the sea does not evaporate, or the sea would not stay level. to_level: from the bed up to
 * the level, below 0 on land. */
CELL float evaporate_at_sea(float d, float to_level, float keep, float depth, float d_min, int surface) {
    float below = cell_most(0.0f, cell_least(d, to_level));
    return below + evaporate(d - below, keep, depth, d_min, surface);
}

/* The flux f through a face, times the value of the cell upstream. */
CELL float upstream(float f, float here, float there) { return f > 0.0f ? f * here : f * there; }

/* --- four and eight pipes: the water that passes, its velocity, transport --- */

typedef struct cell_fluxes {
    float L, R, T, B;     /* this cell's outflows */
    float iL, iR, iT, iB; /* the neighbours' towards it */
} cell_fluxes;

/* (8), j(8): twice the water passing through the cell, m3/s, by axis. */
typedef struct cell_through {
    float x, y;
} cell_through;

CELL float fluxes_out(cell_fluxes f) { return (f.L + f.R) + (f.T + f.B); }
CELL float fluxes_in(cell_fluxes f) { return (f.iL + f.iR) + (f.iT + f.iB); }
CELL cell_through through_pipes(cell_fluxes f) {
    cell_through t;
    t.x = (f.iL - f.L) + (f.R - f.iR);
    t.y = (f.iT - f.T) + (f.B - f.iB);
    return t;
}
CELL cell_through through_faces(cell_faces f) {
    cell_through t;
    float diagonal = f.diagonal + f.diagonal_in, anti = f.anti + f.anti_in;
    t.x = (f.left + f.right) + (diagonal - anti);
    t.y = (f.above + f.below) + (diagonal + anti);
    return t;
}
/* Inflow less outflow, m3/s. */
CELL float gain_of_pipes(cell_fluxes f) { return fluxes_in(f) - fluxes_out(f); }
CELL float gain_of_faces(cell_faces f) {
    return ((f.left - f.right) + (f.above - f.below)) + ((f.diagonal_in - f.diagonal) + (f.anti_in - f.anti));
}
/* (6, 7): the depth after the step's inflow and outflow. */
CELL float depth_after(float d1, float gained, float dt_area) { return cell_most(0.0f, d1 + dt_area * gained); }

/* Water through the cell per metre of its side (m2/s), and the depth that divides it into a velocity (9). This is the
 * mean depth, at least d_floor. With `cut` it is the mean depth itself, and there is no flow below d_cut. Both are
 * doubled, as are floor2 and cut2, which avoids halving. */
typedef struct cell_flow {
    float x, y, depth;
} cell_flow;

CELL cell_flow flow_through(float d1, float d2, cell_through t, float inv_lx, float inv_ly, float floor2, float cut2,
                            int cut) {
    cell_flow q;
    float depth = d1 + d2;
    int still = cut && depth < cut2;
    q.x = still ? 0.0f : t.x * inv_ly;
    q.y = still ? 0.0f : t.y * inv_lx;
    q.depth = cell_most(depth, cut ? cut2 : floor2);
    return q;
}

/* Eight pipes, next to outside cells: the flow continues in a straight line (the outfall takes its water later). */
CELL cell_through near_outside(cell_through t, int left, int right, int above, int below) {
    t.x = left != right ? t.x + t.x : t.x;
    t.y = above != below ? t.y + t.y : t.y;
    return t;
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

/* A path that is traced back ends at a wall. If a wall lies in one direction, the neighbour in the other replaces the
 * corner. If both or only the corner are walls, the mean of both neighbours does. */
CELL float at_corner(float corner, float in_x, float in_y, int wall_x, int wall_y, int wall_xy) {
    float beside = wall_x && !wall_y ? in_y : wall_y && !wall_x ? in_x : 0.5f * (in_x + in_y);
    return wall_x || wall_y || wall_xy ? beside : corner;
}

/* (14), j(15): the value at the place that (u, v)*dt leads back to. ax, ay: displacements in cells, at most one. The
 * caller picks the values: of the cell, of the neighbours upstream in x and in y, and of the one in both. */
CELL float bilinear(float centre, float in_x, float in_y, float in_xy, float ax, float ay) {
    float w00 = (1.0f - ax) * (1.0f - ay), w10 = ax * (1.0f - ay), w01 = (1.0f - ax) * ay, w11 = ax * ay;
    return (w00 * centre + w11 * in_xy) + (w10 * in_x + w01 * in_y);
}
