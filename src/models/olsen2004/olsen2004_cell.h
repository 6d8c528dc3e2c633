/* olsen2004_cell.h: talus slippage and diffusive water, Musgrave, Kolb, Mace 1989 as reworked by Olsen 2004. It has the
 * lists that describe the model to the engines, its physics, and its stages. docs/models/olsen2004.md has the
 * equations. Heights are in metres. Quantities that the paper gives for heights of 0 to 1 are multiplied by the
 * terrain's relief. */

/* name, kind, value outside */
#define MODEL_FIELDS(F) \
    F(b0, STATIC, WALL)      /* m: the terrain as given */ \
    F(db, STATE, 0.0f)       /* m: change by erosion and deposition; b = b0 + db */ \
    F(d, STATE, 0.0f)        /* m: water w */ \
    F(s, STATE, 0.0f)        /* m: dissolved material m */ \
    F(Q, STATE, 0.0f)        /* m3/s: sum of sampled discharges */ \
    F(slid, OPTIONAL, 0.0f)  /* m: the part of db that is by sliding */ \
    F(b, SCRATCH, WALL)      /* m: terrain */ \
    F(H, SCRATCH, WALL)      /* m: a = h + w */ \
    F(q, SCRATCH, 0.0f)      /* 1: fraction of a height difference that flows; or m: amount for each lowest corner */ \
    F(low, SCRATCH, -1.0f)   /* m: difference to the lowest corner */ \
    F(c, SCRATCH, 0.0f)      /* 1: material per depth of water */ \
    F(before, SCRATCH, 0.0f) /* m: db before it slides */ \
    F(passed, SCRATCH, 0.0f) /* m: mean of inflow and outflow */

/* constants that may differ from cell to cell */
#define MODEL_MAPS(M) \
    M(rain_dt) /* m a step */ \
    M(talus)   /* m: T */ \
    M(slip)    /* 1: c, times the mask */ \
    M(Ks) \
    M(Kc) \
    M(Kd)        /* 1 */ \
    M(levelling) /* 1: fraction of a difference of water surfaces that flows down it */ \
    M(keep) \
    M(evaporated) /* 1 - Ke; m a step */ \
    M(mask)

/* uniform constants */
#define MODEL_CONSTANTS(K) \
    K(area_dt) K(d_min) K(grid) /* m2/s; m; m: 1.5*2^23 grains */ \
    K(steep_x) K(steep_y)       /* 1: mean side of a cell, divided by its own */

/* name, value in the standard, the reduced, and the sea's set: kernels are compiled for these, and for any values */
#define MODEL_SWITCHES(S) \
    S(musgrave, 0, 0, 0) /* the algorithms of 1989 */ \
    S(gentle, 0, 1, 0)   /* the fast form: slopes flatter than T move, not steeper ones */ \
    S(surface, 0, 0, 0)  /* evaporation takes the same depth from every cell */ \
    S(masked, 0, 0, 0)

#define WATER 1u
#define MOORE 2u   /* all eight neighbours */
#define ROTATED 4u /* the four corners */
#define TALUS 8u
#define TRACKS 32u /* what slides is tracked */
#define ISOTROPIC 16u /* the four sides, by the slope in its own direction */

/* name, processes that must all be on, runs every so many sub-steps (0: on request), behaviour at a border (see
 * core/model.h), operations a cell (checked by a test). Last, the switches that it reads */
#define MODEL_STAGES(S) \
    S(bed, TALUS, 1, ALIKE, 1, 0) \
    S(before, TALUS | TRACKS, 1, ALIKE, 0, 0) \
    S(slip_out, TALUS | MOORE, 1, ALIKE, 73, USES_musgrave | USES_masked) \
    S(slip_in, TALUS | MOORE, 1, ALIKE, 48, USES_musgrave | USES_masked) \
    S(drop_out, TALUS | ROTATED, 1, ALIKE, 19, USES_gentle | USES_masked) \
    S(drop_in, TALUS | ROTATED, 1, ALIKE, 12, USES_masked) \
    S(slope_out, TALUS | ISOTROPIC, 1, ALIKE, 42, USES_masked) \
    S(slope_in, TALUS | ISOTROPIC, 1, ALIKE, 24, USES_masked) \
    S(track, TALUS | TRACKS, 1, ALIKE, 2, 0) \
    S(rain, WATER | MOORE, 1, ALIKE, 11, USES_musgrave) \
    S(spread_out, WATER | MOORE, 1, SPILLS, 46, USES_musgrave) \
    S(spread_in, WATER | MOORE, 1, ALIKE, 66, USES_surface) \
    S(rain_rotated, WATER | ROTATED, 1, ALIKE, 12, 0) \
    S(run_out, WATER | ROTATED, 1, SPILLS, 19, 0) \
    S(run_in, WATER | ROTATED, 1, ALIKE, 37, USES_surface) \
    S(discharge, WATER, 8, ALIKE, 2, 0)

/* roles by which the core knows them (core/model.h): role, name */
#define MODEL_ROLES(FIELD, MAP, PARAMETER, STAGE, PROCESS) \
    FIELD(TERRAIN, b0) FIELD(CHANGE, db) FIELD(WATER, d) FIELD(SEDIMENT, s) FIELD(DISCHARGE, Q) \
    FIELD(SLID, slid) PARAMETER(TRACK_SLIDING, track_sliding) \
    MAP(RAIN, rain_dt) PARAMETER(RAIN, rain) PARAMETER(TIME_STEP, dt) \
    PROCESS(WATER, WATER) STAGE(DISCHARGE, discharge)

DEFINE_MODEL

#include "models/common_cell.h"

/* one value for each of the eight neighbours */
typedef struct cell_eight {
    float L, R, T, B, TL, BR, TR, BL;
} cell_eight;

CELL float eight_sum(cell_eight e) { return ((e.L + e.R) + (e.T + e.B)) + ((e.TL + e.BR) + (e.TR + e.BL)); }
CELL float corners_sum(cell_eight e) { return (e.TL + e.BR) + (e.TR + e.BL); }
CELL float corners_max(cell_eight e) { return cell_max(cell_max(e.TL, e.BR), cell_max(e.TR, e.BL)); }
CELL float eight_max(cell_eight e) {
    return cell_max(cell_max(cell_max(e.L, e.R), cell_max(e.T, e.B)), corners_max(e));
}

CELL float over(float d, float T) { return d > T ? d : 0.0f; }
CELL float one_over(float d, float T) { return d > T ? 1.0f : 0.0f; }

#define EIGHT(f) \
    { f(-1, 0), f(1, 0), f(0, -1), f(0, 1), f(-1, -1), f(1, 1), f(1, -1), f(-1, 1) }
/* applies f to each neighbour's entry in e, with one or two further arguments (not every OpenCL has ...) */
#define EACH1(f, e, a) \
    { f(e.L, a), f(e.R, a), f(e.T, a), f(e.B, a), f(e.TL, a), f(e.BR, a), f(e.TR, a), f(e.BL, a) }
#define EACH2(f, e, a, b) \
    { f(e.L, a, b), f(e.R, a, b), f(e.T, a, b), f(e.B, a, b), f(e.TL, a, b), f(e.BR, a, b), f(e.TR, a, b), f(e.BL, a, b) }
/* the part of eight outgoing amounts that goes to outside cells */
#define LOST1(e, n, dx, dy) (cell_outside(AT(b, dx, dy)) ? e.n : 0.0f)
#define LOST(e) \
    (((LOST1(e, L, -1, 0) + LOST1(e, R, 1, 0)) + (LOST1(e, T, 0, -1) + LOST1(e, B, 0, 1))) + \
     ((LOST1(e, TL, -1, -1) + LOST1(e, BR, 1, 1)) + (LOST1(e, TR, 1, -1) + LOST1(e, BL, -1, 1))))

/* --- thermal --- */

#define STAGE_bed(READ, MAPS, WRITE, SUMS) READ(b0, 0) READ(db, 0) WRITE(b)
STAGE(bed) { SET(b, HERE(b0) + HERE(db)); }
END_STAGE

#define STAGE_before(READ, MAPS, WRITE, SUMS) READ(db, 0) WRITE(before)
STAGE(before) { SET(before, HERE(db)); }
END_STAGE

#define STAGE_track(READ, MAPS, WRITE, SUMS) READ(db, 0) READ(before, 0) READ(slid, 0) WRITE(slid)
STAGE(track) { SET(slid, HERE(slid) + (HERE(db) - HERE(before))); }
END_STAGE

/* The weight of a neighbour that is lower by d: d itself; in 1989, the excess of d over T. */
CELL float slip_weight(float d, float T, int musgrave) { return d > T ? (musgrave ? d - T : d) : 0.0f; }
CELL float number_over(cell_eight d, float T) {
    cell_eight counted = EACH1(one_over, d, T);
    return eight_sum(counted);
}

/* -WALL for outside cells and masked cells, so that nothing goes there. */
#define DOWN(dx, dy) (SWITCH(masked) && MAP_AT(mask, dx, dy) <= 0.0f ? -WALL : b - AT(b, dx, dy))

/* The amount for a neighbour, in whole grains of about a 10-millionth of the relief. Sums of grains are exact, so
 * nothing is lost however slowly slopes come to rest. Adding 1.5*2^23 grains rounds to one grain. */
CELL float gift(float weight, float q, float grid) { return (weight * q + grid) - grid; }

#define STAGE_slip_out(READ, MAPS, WRITE, SUMS) \
    READ(b, 1) READ(db, 0) MAPS(talus, 1) MAPS(slip, 0) MAPS(mask, 1) WRITE(q) WRITE(db)
STAGE(slip_out) { /* h_i += c*(dmax - T)*d_i/dtotal; in 1989, c*(d_i - T) for each, here divided by their number */
    float b = HERE(b), db = HERE(db), T = MAP(talus);
    cell_eight d = EIGHT(DOWN);
    cell_eight weights = EACH2(slip_weight, d, T, SWITCH(musgrave));
    int moves = eight_max(d) > T && !(OUTSIDE && cell_outside(b));
    float over_all = SWITCH(musgrave) ? number_over(d, T) : eight_sum(weights);
    float q = RATIO_IF(moves, MAP(slip) * (SWITCH(musgrave) ? 1.0f : eight_max(d) - T), over_all, 0.0f);
    cell_eight gifts = EACH2(gift, weights, q, k.grid);
    SET(q, q);
    SET(db, db - eight_sum(gifts));
}
END_STAGE

#define SLID(dx, dy) \
    gift(slip_weight(AT(b, dx, dy) - b, MAP_AT(talus, dx, dy), SWITCH(musgrave)), AT(q, dx, dy), k.grid)
#define STAGE_slip_in(READ, MAPS, WRITE, SUMS) READ(b, 1) READ(q, 1) READ(db, 0) MAPS(talus, 1) MAPS(mask, 0) WRITE(db)
STAGE(slip_in) {
    float b = HERE(b);
    cell_eight in = EIGHT(SLID);
    int none = (OUTSIDE && cell_outside(b)) || (SWITCH(masked) && MAP(mask) <= 0.0f);
    SET(db, none ? HERE(db) : HERE(db) + eight_sum(in));
}
END_STAGE

/* The slope of the ground in its own direction, as a fall along a cell's mean side, from the falls to the four sides. */
CELL float steepness(float L, float R, float T, float B, float steep_x, float steep_y, int dead WATCHED) {
    float x = cell_max(0.0f, cell_max(L, R)) * steep_x, y = cell_max(0.0f, cell_max(T, B)) * steep_y;
    float s2 = x * x + y * y;
    return ROOT(dead || s2 < 0x1p-79f ? 0.0f : s2);
}

#define STAGE_slope_out(READ, MAPS, WRITE, SUMS) \
    READ(b, 1) READ(db, 0) MAPS(talus, 0) MAPS(slip, 0) MAPS(mask, 1) WRITE(q) WRITE(db)
/* ours: c*dmax*(1 - T/slope), shared like d_i. So the talus angle is the same in every direction. Towards a side slope
 * is dmax and this is the paper's c*(dmax - T). */
STAGE(slope_out) {
    float b = HERE(b), db = HERE(db), T = MAP(talus);
    float L = DOWN(-1, 0), R = DOWN(1, 0), above = DOWN(0, -1), below = DOWN(0, 1);
    float slope = steepness(L, R, above, below, k.steep_x, k.steep_y, OUTSIDE && cell_outside(b) WATCH);
    int moves = slope > T;
    L = over(L, 0.0f), R = over(R, 0.0f), above = over(above, 0.0f), below = over(below, 0.0f);
    float most = cell_max(cell_max(L, R), cell_max(above, below));
    float total = (L + R) + (above + below);
    float q = RATIO_IF(moves, MAP(slip) * (most * (slope - T)), slope * total, 0.0f);
    SET(q, q);
    SET(db, db - ((gift(L, q, k.grid) + gift(R, q, k.grid)) + (gift(above, q, k.grid) + gift(below, q, k.grid))));
}
END_STAGE

#define SLOPED(dx, dy) gift(over(AT(b, dx, dy) - b, 0.0f), AT(q, dx, dy), k.grid)
#define STAGE_slope_in(READ, MAPS, WRITE, SUMS) READ(b, 1) READ(q, 1) READ(db, 0) MAPS(mask, 0) WRITE(db)
STAGE(slope_in) {
    float b = HERE(b);
    float in = (SLOPED(-1, 0) + SLOPED(1, 0)) + (SLOPED(0, -1) + SLOPED(0, 1));
    int none = (OUTSIDE && cell_outside(b)) || (SWITCH(masked) && MAP(mask) <= 0.0f);
    SET(db, none ? HERE(db) : HERE(db) + in);
}
END_STAGE

#define CORNERS(f) \
    { 0.0f, 0.0f, 0.0f, 0.0f, f(-1, -1), f(1, 1), f(1, -1), f(-1, 1) }
/* the number of corners that are equally low */
CELL float ties(cell_eight d, float most) {
    return ((d.TL == most ? 1.0f : 0.0f) + (d.BR == most ? 1.0f : 0.0f)) +
           ((d.TR == most ? 1.0f : 0.0f) + (d.BL == most ? 1.0f : 0.0f));
}

#define STAGE_drop_out(READ, MAPS, WRITE, SUMS) \
    READ(b, 1) READ(db, 0) MAPS(talus, 0) MAPS(slip, 0) MAPS(mask, 1) WRITE(q) WRITE(low) WRITE(db)
/* all to the lowest corner; equally low ones share. The fast form moves c*dmax where dmax is at most T */
STAGE(drop_out) {
    float b = HERE(b), db = HERE(db), T = MAP(talus);
    cell_eight d = CORNERS(DOWN);
    float most = corners_max(d);
    int moves = (SWITCH(gentle) ? most > 0.0f && most <= T : most > T) && !(OUTSIDE && cell_outside(b));
    float equal = moves ? ties(d, most) : 1.0f;
    float q = moves ? gift(SWITCH(gentle) ? most : most - T, RATIO_IF(moves, MAP(slip), equal, 0.0f), k.grid) : 0.0f;
    SET(q, q);
    SET(low, most);
    SET(db, db - q * equal);
}
END_STAGE

/* A neighbour gives to this cell if the difference is its largest. */
#define DROPPED(dx, dy) (AT(b, dx, dy) - b == AT(low, dx, dy) ? AT(q, dx, dy) : 0.0f)
#define STAGE_drop_in(READ, MAPS, WRITE, SUMS) READ(b, 1) READ(q, 1) READ(low, 1) READ(db, 0) MAPS(mask, 0) WRITE(db)
STAGE(drop_in) {
    float b = HERE(b);
    cell_eight in = CORNERS(DROPPED);
    int none = (OUTSIDE && cell_outside(b)) || (SWITCH(masked) && MAP(mask) <= 0.0f);
    SET(db, none ? HERE(db) : HERE(db) + corners_sum(in));
}
END_STAGE

/* --- hydraulic --- */

#define STAGE_rain(READ, MAPS, WRITE, SUMS) \
    READ(b0, 0) \
    READ(db, 0) \
    READ(d, 0) \
    READ(s, 0) MAPS(rain_dt, 0) MAPS(Ks, 0) MAPS(mask, 0) WRITE(b) WRITE(H) WRITE(db) WRITE(d) WRITE(s) SUMS(rained)
STAGE(rain) { /* (1, 2): new water, and Ks of all water dissolves bed; not in 1989 */
    float b = HERE(b0) + HERE(db);
    int dead = OUTSIDE && cell_outside(b);
    float d1 = dead ? 0.0f : HERE(d) + MAP(rain_dt);
    cell_transfer t = transfer(HERE(db), HERE(s), dead || SWITCH(musgrave) ? 0.0f : MAP(Ks) * d1 * MAP(mask));
    float dug = HERE(b0) + t.db;
    SUM(rained, d1 - HERE(d));
    SET(b, dug);
    SET(H, dug + d1);
    SET(db, t.db);
    SET(d, d1);
    SET(s, t.s);
}
END_STAGE

/* difference to a neighbour's surface; beyond an open border lies dry ground at the cell's initial height */
#define FALL(dx, dy) (H - beyond(AT(H, dx, dy), AT(b, dx, dy), HERE(b0), OUTSIDE && k.open))

#define STAGE_spread_out(READ, MAPS, WRITE, SUMS) \
    READ(b0, 0) \
    READ(b, 1) \
    READ(H, 1) \
    READ(db, 0) \
    READ(d, 0) \
    READ(s, 0) \
    MAPS(Kc, 0) MAPS(Ks, 0) MAPS(Kd, 0) MAPS(mask, 0) WRITE(q) WRITE(c) WRITE(passed) WRITE(db) WRITE(s) SUMS(spilled) \
        SUMS(carried)
STAGE(spread_out) { /* (3): water levels out with lower neighbours: min(w, a - mean), in proportion to d_i */
    float H = HERE(H), d = HERE(d), s = HERE(s);
    int dead = OUTSIDE && cell_outside(HERE(b));
    cell_eight falls = EIGHT(FALL);
    cell_eight down = EACH1(over, falls, 0.0f);
    cell_eight lower = EACH1(one_over, falls, 0.0f);
    float total = eight_sum(down), among = 1.0f + eight_sum(lower);
    float all = d * (1.0f - 0x1p-20f); /* rounding never takes more than there is */
    int drains = all * among < total;
    float q = PART_IF(!dead, drains ? all : 1.0f, drains ? total : among, 0.0f);
    float out = q * total, c = RATIO_IF(d > k.d_min, s, d, 0.0f);
    cell_transfer t = {HERE(db), s, 0.0f};
    /* the outflow carries Kc of itself: a deficit is dissolved, a part of an excess is dropped */
    if (SWITCH(musgrave)) {
        float missing = MAP(Kc) * out - c * out;
        t = transfer(HERE(db), s, (missing > 0.0f ? MAP(Ks) : MAP(Kd)) * missing * MAP(mask));
        c = RATIO_IF(out > k.d_min * 0x1p-20f, cell_min(cell_max(c * out + t.moved, 0.0f), t.s * (1.0f - 0x1p-20f)), out, 0.0f);
    }
    SET(q, q);
    SET(c, c);
    SET(passed, out);
    SET(db, t.db);
    SET(s, t.s);
    if (OUTSIDE) {
        float spilled = q * LOST(down);
        SUM(spilled, spilled);
        SUM(carried, spilled * c);
    }
}
END_STAGE

#define CAME(dx, dy) (AT(q, dx, dy) * cell_most(0.0f, AT(H, dx, dy) - H))
#define BROUGHT(n, dx, dy) (in.n * AT(c, dx, dy))
#define STAGE_spread_in(READ, MAPS, WRITE, SUMS) \
    READ(b, 1) \
    READ(H, 1) \
    READ(q, 1) \
    READ(c, 1) \
    READ(db, 0) \
    READ(d, 0) \
    READ(s, 0) READ(passed, 0) MAPS(Kc, 0) MAPS(keep, 0) MAPS(evaporated, 0) MAPS(mask, 0) WRITE(db) WRITE(d) WRITE(s) \
        WRITE(passed) SUMS(evaporated)
STAGE(spread_in) { /* (3, 4): inflow, evaporation, and deposition of material that the remaining water cannot hold */
    float H = HERE(H);
    int dead = OUTSIDE && cell_outside(HERE(b));
    cell_eight in = EIGHT(CAME);
    float out = HERE(passed), came = eight_sum(in);
    float brought = ((BROUGHT(L, -1, 0) + BROUGHT(R, 1, 0)) + (BROUGHT(T, 0, -1) + BROUGHT(B, 0, 1))) +
                    ((BROUGHT(TL, -1, -1) + BROUGHT(BR, 1, 1)) + (BROUGHT(TR, 1, -1) + BROUGHT(BL, -1, 1)));
    float d1 = dead ? 0.0f : cell_most(0.0f, HERE(d) + (came - out));
    float s1 = dead ? 0.0f : cell_most(0.0f, HERE(s) + (brought - out * HERE(c)));
    float left = evaporate(d1, MAP(keep), MAP(evaporated), k.d_min, SWITCH(surface));
    cell_transfer t = transfer(HERE(db), s1, -cell_most(0.0f, s1 - MAP(Kc) * left) * MAP(mask));
    SUM(evaporated, d1 - left);
    SET(passed, 0.5f * (came + out));
    SET(db, t.db);
    SET(d, left);
    SET(s, t.s);
}
END_STAGE

#define STAGE_rain_rotated(READ, MAPS, WRITE, SUMS) \
    READ(b0, 0) \
    READ(db, 0) \
    READ(d, 0) \
    READ(s, 0) MAPS(rain_dt, 0) MAPS(Kc, 0) MAPS(mask, 0) WRITE(b) WRITE(H) WRITE(db) WRITE(d) WRITE(s) SUMS(rained)
STAGE(rain_rotated) { /* optimised: water always holds Kc of its depth, so new water dissolves Kc of its depth */
    float b = HERE(b0) + HERE(db);
    int dead = OUTSIDE && cell_outside(b);
    float d1 = dead ? 0.0f : HERE(d) + MAP(rain_dt);
    cell_transfer t = transfer(HERE(db), HERE(s), dead ? 0.0f : (MAP(Kc) * d1 - HERE(s)) * MAP(mask));
    float dug = HERE(b0) + t.db;
    SUM(rained, d1 - HERE(d));
    SET(b, dug);
    SET(H, dug + d1);
    SET(db, t.db);
    SET(d, d1);
    SET(s, t.s);
}
END_STAGE

#define STAGE_run_out(READ, MAPS, WRITE, SUMS) \
    READ(b0, 0) \
    READ(b, 1) \
    READ(H, 1) \
    READ(d, 0) READ(s, 0) MAPS(levelling, 0) WRITE(q) WRITE(low) WRITE(c) WRITE(passed) SUMS(spilled) SUMS(carried)
STAGE(run_out) { /* dw = min(w, dmax/2), all to the lowest corner; equally low ones share */
    float H = HERE(H), d = HERE(d);
    cell_eight falls = CORNERS(FALL);
    float most = corners_max(falls);
    int moves = most > 0.0f && d > 0.0f && !(OUTSIDE && cell_outside(HERE(b)));
    float out = moves ? cell_min(d * (1.0f - 0x1p-20f), MAP(levelling) * most) : 0.0f;
    float q = RATIO_IF(moves, out, ties(falls, most), 0.0f);
    float c = RATIO_IF(d > k.d_min, HERE(s), d, 0.0f);
    SET(q, q);
    SET(low, most);
    SET(c, c);
    SET(passed, out);
    if (OUTSIDE) {
        cell_eight goes = {0.0f,
                           0.0f,
                           0.0f,
                           0.0f,
                           falls.TL == most ? q : 0.0f,
                           falls.BR == most ? q : 0.0f,
                           falls.TR == most ? q : 0.0f,
                           falls.BL == most ? q : 0.0f};
        float spilled = LOST(goes);
        SUM(spilled, spilled);
        SUM(carried, spilled * c);
    }
}
END_STAGE

#define RAN(dx, dy) (AT(H, dx, dy) - H == AT(low, dx, dy) ? AT(q, dx, dy) : 0.0f)
#define STAGE_run_in(READ, MAPS, WRITE, SUMS) \
    READ(b, 1) \
    READ(H, 1) \
    READ(q, 1) \
    READ(low, 1) \
    READ(c, 1) \
    READ(db, 0) \
    READ(d, 0) READ(s, 0) READ(passed, 0) MAPS(Kc, 0) MAPS(keep, 0) MAPS(evaporated, 0) MAPS(mask, 0) WRITE(db) \
        WRITE(d) WRITE(s) WRITE(passed) SUMS(evaporated)
STAGE(run_in) { /* inflow; evaporation deposits Kc of its depth */
    float H = HERE(H);
    int dead = OUTSIDE && cell_outside(HERE(b));
    cell_eight in = CORNERS(RAN);
    float out = HERE(passed), came = corners_sum(in);
    float brought = (BROUGHT(TL, -1, -1) + BROUGHT(BR, 1, 1)) + (BROUGHT(TR, 1, -1) + BROUGHT(BL, -1, 1));
    float d1 = dead ? 0.0f : cell_most(0.0f, HERE(d) + (came - out));
    float s1 = dead ? 0.0f : cell_most(0.0f, HERE(s) + (brought - out * HERE(c)));
    float left = evaporate(d1, MAP(keep), MAP(evaporated), k.d_min, SWITCH(surface));
    cell_transfer t = transfer(HERE(db), s1, (MAP(Kc) * left - s1) * MAP(mask));
    SUM(evaporated, d1 - left);
    SET(passed, 0.5f * (came + out));
    SET(db, t.db);
    SET(d, left);
    SET(s, t.s);
}
END_STAGE

#define STAGE_discharge(READ, MAPS, WRITE, SUMS) READ(passed, 0) READ(Q, 0) WRITE(Q)
STAGE(discharge) { SET(Q, HERE(Q) + HERE(passed) * k.area_dt); }
END_STAGE
