/* schott2023_cell.h: uplift against rivers (stream power), after Schott and others 2023. It has the lists that describe
 * the model to the engines, its physics, and its stages. docs/models/schott2023.md has the equations.
 *
 * Water and sediment go on by one cell in a step. So what passes a cell is summed by a gather, and follows as the
 * terrain changes. */

/* name, kind, value outside */
#define MODEL_FIELDS(F) \
    F(b0, STATIC, WALL)      /* m: the terrain as given */ \
    F(db, STATE, 0.0f)       /* m: change by uplift, erosion and deposition; b = b0 + db */ \
    F(d, STATE, 0.0f)        /* m: water that passes */ \
    F(s, STATE, 0.0f)        /* m: sediment that passes */ \
    F(Q, STATE, 0.0f)        /* m3/s: sum of sampled discharges */ \
    F(lake, STATE, 0.0f)     /* m: depth to the level at which water leaves a hollow; 0: not known yet */ \
    F(slid, OPTIONAL, 0.0f)  /* m: the part of db that is by sliding */ \
    F(bank, OPTIONAL, 0.0f)  /* m: how far the valley floor around reaches from here; 0: not on one */ \
    F(pitch, OPTIONAL, 0.0f) /* 1: how steeply that floor rises from its river; 0: not on one */ \
    F(exposed, OPTIONAL, 0.0f) /* 1: 1 + the share of sea around; 0: not known yet */ \
    F(b, SCRATCH, WALL)      /* m: terrain */ \
    F(guess, SCRATCH, WALL)  /* m: the lake's level, as the step before left it */ \
    F(w, SCRATCH, WALL)      /* m: that level */ \
    F(from, SCRATCH, 0.0f)   /* m: as bank, and in a river half of its floor's width */ \
    F(climb, SCRATCH, 0.0f)  /* 1: pitch at the start of the step; 0: none */ \
    F(seen, SCRATCH, 0.0f)   /* 1: exposed at the start of the step */ \
    F(S, SCRATCH, 0.0f)      /* 1: steepest slope down; 0: none */ \
    F(reach, SCRATCH, 1.0f)  /* m: distance along it */ \
    F(gentle, SCRATCH, 0.0f) /* 1/S, or 0 */ \
    F(dq, SCRATCH, 0.0f)     /* m: water for a neighbour of weight 1 */ \
    F(sq, SCRATCH, 0.0f)     /* m: sediment for a neighbour of weight 1 */ \
    F(slips, SCRATCH, 0.0f)  /* m: what slides away in the step */ \
    F(area, SCRATCH, 0.0f)   /* m2: drainage area, where rain falls as P0 */

/* constants that may differ from cell to cell */
#define MODEL_MAPS(M) \
    M(rain_dt)   /* m a step */ \
    M(uplift_dt) /* m a step, times the mask */ \
    M(power)     /* m a step: K dt a^m, a the area of a cell, times the mask */ \
    M(waves)     /* 1: share of a cell that they cut off a straight coast in a step, times the mask */ \
    M(cover)     /* 1: soil, times the mask */ \
    M(strata)    /* 1: how much layers of rock differ */ \
    M(bed_level) /* m: height of the surface from which layers of rock are counted */ \
    M(mask)

/* uniform constants */
#define MODEL_CONSTANTS(K) \
    K(inv_rain) /* 1/m: 1/(depth of a step's rain on the cell itself where P = P0) */ \
    K(settling) /* m: G times that depth */ \
    K(fill)     /* 1: hollows catch sediment; 0: they do not */ \
    K(m) \
    K(n_less_1) /* exponents */ \
    K(S_c) \
    K(part_x) \
    K(part_y) /* shares of a neighbour along x and along y in the height of a face */ \
    K(face)   /* m2 */ \
    K(folds)  /* 1 */ \
    K(variety) /* 1 */ \
    K(inv_bed) \
    K(differ) /* 1/m: by the thickness of layers of rock; 1: how much hard ones differ */ \
    K(sea)    /* m: its level; without a sea far below any ground */ \
    K(front)  /* 1: slope of a delta under water */ \
    K(wave_base) /* m: lowest ground that waves cut */ \
    K(alike)     /* 1: waves cut all coasts alike; 0: headlands more than bays */ \
    K(refracts)  /* 1: how fast their speed grows with the share of sea around */ \
    K(one) \
    K(many) \
    K(many_d) /* the same for a neighbour at a corner */ \
    K(p1) \
    K(p2) \
    K(p4) /* 1 - spread, spread; whether p has 1, 2, 4 in it */ \
    K(creep_x) \
    K(creep_y)                                    /* 1: D dt / l^2 */ \
        K(lx) K(ly) K(ld)                         /* m: to a neighbour, and to one at a corner */ \
        K(inv_side) K(inv_lx) K(inv_ly) K(inv_ld) /* 1/m */ \
        K(planes)               /* 1: slopes of planes count, too; 0: those to neighbours alone */ \
        K(wide)                 /* m: half of a floor's width, by the root of the area in cells */ \
        K(own)                  /* m: half of the river's own cell */ \
        K(retreat_x) K(retreat_y) K(retreat_d)    /* 1: by which part of a cell a floor's walls retreat in a step */ \
        K(tilt) K(rise) K(none) /* 1: of a lake's level; m: that a level may rise in a step; m: no depth */ \
        K(lift) K(passes)       /* m: most that ground is lifted in a step; far above any level if it is, or 0 */ \
        K(rims)                 /* m: far above any terrain, or 0 */ \
        K(area_per_s)           /* m2/s */ \
        K(area_per_m)           /* m2 of drainage area for each m of water that passes */

/* name, value in the standard, the reduced, and the sea's set: kernels are compiled for these, and for any values.
 * EITHER: for any in this set, too */
#define MODEL_SWITCHES(S) \
    S(general, 0, 1, EITHER) /* m is not 1/2, or n is not 1; at sea one kernel serves both */ \
    S(slope_power, 0, 0, 0)  /* n is not 1 */ \
    S(tide, 0, 0, 1)         /* there is a sea */

#define FLOWS 1u
#define TRACKS 2u
#define WIDENS 4u
#define REFRACTS 8u

/* name, processes that must all be on, runs every so many sub-steps (0: on request), behaviour at a border (see
 * core/model.h), operations a cell (checked by a test). Last, the switches that it reads */
#define MODEL_STAGES(S) \
    S(bed, FLOWS, 1, ALIKE, 3, USES_tide) \
    S(floor, FLOWS | WIDENS, 1, ALIKE, 8, USES_tide) \
    S(fill, FLOWS, 1, SPILLS, 25, USES_tide) \
    S(route, FLOWS, 1, SPILLS, 243, USES_tide) \
    S(erode, FLOWS, 1, DIFFERS, 302, USES_general | USES_slope_power | USES_tide) \
    S(track, FLOWS | TRACKS, 1, ALIKE, 1, 0) \
    S(widen, FLOWS | WIDENS, 1, DIFFERS, 147, 0) \
    S(exposure, FLOWS | REFRACTS, 1, ALIKE, 1, 0) \
    S(surf, FLOWS | REFRACTS, 1, DIFFERS, 75, 0) \
    S(discharge, FLOWS, 8, ALIKE, 2, 0) \
    S(area, FLOWS, 0, ALIKE, 1, 0)

/* roles by which the core knows them (core/model.h): role, name */
#define MODEL_ROLES(FIELD, MAP, PARAMETER, STAGE, PROCESS) \
    FIELD(TERRAIN, b0) \
    FIELD(CHANGE, db) \
    FIELD(WATER, d) \
    FIELD(SEDIMENT, s) \
    FIELD(DISCHARGE, Q) \
    FIELD(AREA, area) \
    FIELD(SLID, slid) PARAMETER(TRACK_SLIDING, track_sliding) \
    PARAMETER(SEA, sea) PARAMETER(SEA_LEVEL, sea_level) \
    MAP(RAIN, rain_dt) \
    PARAMETER(RAIN, rain) \
    PARAMETER(TIME_STEP, dt) PARAMETER(RIVER_SPEED, v) PARAMETER(UPLIFT, U) PARAMETER(ERODIBILITY, K) PARAMETER(OUTLETS, outlets) \
        PROCESS(WATER, FLOWS) STAGE(DISCHARGE, discharge)

DEFINE_MODEL

#include "models/common_cell.h"

/* A level that is not known yet; far above any terrain, and under WALL. */
#define UNKNOWN 1e20f
#define KNOWN_BELOW 1e19f

#define EIGHT(f) \
    { f(-1, 0, x), f(1, 0, x), f(0, -1, y), f(0, 1, y), f(-1, -1, d), f(1, 1, d), f(1, -1, d), f(-1, 1, d) }

/* one value for each of the eight neighbours */
typedef struct cell_eight {
    float L, R, T, B, TL, BR, TR, BL;
} cell_eight;

CELL float eight_sum(cell_eight e) { return ((e.L + e.R) + (e.T + e.B)) + ((e.TL + e.BR) + (e.TR + e.BL)); }
CELL float eight_max(cell_eight e) {
    return cell_max(cell_max(cell_max(e.L, e.R), cell_max(e.T, e.B)),
                    cell_max(cell_max(e.TL, e.BR), cell_max(e.TR, e.BL)));
}
CELL float eight_min(cell_eight e) {
    return cell_min(cell_min(cell_min(e.L, e.R), cell_min(e.T, e.B)),
                    cell_min(cell_min(e.TL, e.BR), cell_min(e.TR, e.BL)));
}

/* With an open border a cell beside the outside is an outlet, at base level. k.rims: all are, or 0: only those without a
 * lower neighbour. */
#define BESIDE(dx, dy, way) (AT(b, dx, dy))
CELL int is_outlet(float b, cell_eight beside, int open, float rims) {
    return open && cell_outside(eight_max(beside)) && eight_min(beside) + rims >= b;
}

/* A number from -1/2 to 1/2 by the digits of the height h, which is in cells. So a turned terrain has turned numbers.
 * On a flat one all are equal. */
CELL float part_of(float v) { return v - ((v + 0x1.8p23f) - 0x1.8p23f); }
CELL float chance(float h) { return part_of(613.3f * part_of(61.7f * h)); }

/* Layers of rock: 1 in the hardest ones, -1 in soft ones. v: the height, in layers, each a hard and a soft part. Some
 * are thicker than others. `differ`: hard ones have 1 - differ to 1, by the digits of their number. */
CELL float triangle(float v) {
    float part = part_of(v);
    return 1.0f - 4.0f * (part < 0.0f ? -part : part);
}
CELL float hardness_at(float v, float differ) {
    float u = v + 0.5f * triangle(0.29f * v), h = cell_max(cell_min(2.0f * triangle(u), 1.0f), -1.0f);
    float part = part_of(0.618034f * (u - part_of(u)) + 0.31f), less = 0.5f + part_of(613.3f * (part * part));
    return h > 0.0f ? h * (1.0f - differ * less) : h;
}

#define STAGE_bed(READ, MAPS, WRITE, SUMS) READ(b0, 0) READ(db, 0) READ(lake, 0) WRITE(b) WRITE(guess)
STAGE(bed) {
    float b = HERE(b0) + HERE(db);
    int dead = OUTSIDE && cell_outside(b), sea = SWITCH(tide) && b < k.sea;
    SET(b, b);
    SET(guess, dead ? b : sea ? k.sea : HERE(lake) > 0.0f ? b + HERE(lake) : UNKNOWN);
}
END_STAGE

/* A valley's floor is as wide as its river's drainage area asks. It begins in cells that no larger floor reaches. */
#define STAGE_floor(READ, MAPS, WRITE, SUMS) \
    READ(b, 0) READ(d, 0) READ(lake, 0) READ(bank, 0) READ(pitch, 0) WRITE(from) WRITE(climb)
STAGE(floor) {
    float b = HERE(b), bank = HERE(bank), cells = HERE(d) * k.inv_rain;
    float far = k.wide * ROOT(cells < 0x1p-60f ? 0.0f : cells) - k.own;
    int is_lake = HERE(lake) > k.none + k.none, river = far > bank && !is_lake && !(OUTSIDE && cell_outside(b));
    river = SWITCH(tide) && b < k.sea ? 0 : river;
    SET(from, river ? far : bank);
    SET(climb, HERE(pitch));
}
END_STAGE

/* The level at which water leaves: the terrain, or a little above the lowest neighbour's level. It comes down from
 * above, one cell a step (Planchon and Darboux 2001, as a gather). In the sea it is the bed, down which sediment goes.
 */
#define LEVEL(dx, dy, way) (AT(guess, dx, dy) + k.tilt * k.l##way)
#define STAGE_fill(READ, MAPS, WRITE, SUMS) READ(b, 1) READ(guess, 1) WRITE(w)
STAGE(fill) {
    float b = HERE(b);
    cell_eight levels = EIGHT(LEVEL);
    float low = eight_min(levels), w = low < KNOWN_BELOW ? cell_max(b, low) : UNKNOWN;
    if (OUTSIDE) {
        cell_eight beside = EIGHT(BESIDE);
        w = cell_outside(b) || is_outlet(b, beside, k.open, k.rims) ? b : w;
    }
    SET(w, SWITCH(tide) && b < k.sea ? b : w);
}
END_STAGE

/* Height above a neighbour, by levels, or by the terrain where the own level is not known yet. */
CELL float above(float w, float b, float wn, float bn) { return w < KNOWN_BELOW ? w - wn : b - bn; }
/* The same beside a sea: for the land all of it lies at its level. */
CELL float above_sea(float w, float b, float wn, float bn, float sea) {
    float land = w < KNOWN_BELOW ? w - cell_max(wn, sea) : b - cell_max(bn, sea);
    return b < sea ? b - bn : land;
}
#define ABOVE(w, b, wn, bn) (SWITCH(tide) ? above_sea(w, b, wn, bn, k.sea) : above(w, b, wn, bn))
/* A neighbour's weight. x: its slope, divided by the steepest. Equal slopes share. Shares under a 50th are dropped. */
CELL float weight(float x, float one, float many, float p1, float p2, float p4) {
    float x2 = x * x;
    float share = (p1 > 0.0f ? x : 1.0f) * (p2 > 0.0f ? x2 : 1.0f) * (p4 > 0.0f ? x2 * x2 : 1.0f);
    return x > 0.02f ? (x >= 0.999999f ? one : 0.0f) + many * share : 0.0f;
}
#define MANY_x k.many
#define MANY_y k.many
#define MANY_d k.many_d
#define WEIGHT(x, way) weight(x, k.one, MANY_##way, k.p1, k.p2, k.p4)

/* The square of the slope of a plane through this cell, a neighbour along an axis, and one at a corner beside that
 * (Tarboton 1997). 0: it does not fall between these two. Of the two corners the lower one counts: the other's plane
 * is less steep, or this corner is the steepest neighbour. */
CELL float plane(float axis, float corner, float other, float la, float lb, float inv_lb, float ld) {
    float side = (cell_max(corner, other) * ld - axis * la) * inv_lb;
    float square = axis * axis + side * side;
    square = side * la < axis * lb ? square : 0.0f;
    square = side > 0.0f ? square : 0.0f;
    return axis > 0.0f ? square : 0.0f;
}
#define PLANE_X(axis, corner, other) plane(e.axis, e.corner, e.other, k.lx, k.ly, k.inv_ly, k.ld)
#define PLANE_Y(axis, corner, other) plane(e.axis, e.corner, e.other, k.ly, k.lx, k.inv_lx, k.ld)
/* The slope along the axis by the distance to that neighbour, in the steepest plane. */
#define ALONG(plane, axis, way) (plane >= steepest ? e.axis * k.inv_l##way : 0.0f)

/* A level that rises above its guess was too low, as in a new hollow, where cells raise each other by turns. So it is not
 * known any more, and comes down from above anew. It may rise with the rim, as fast as any ground is lifted. */
#define HIGHEST(guess) ((guess) + (0.5f * k.rise + k.lift))
#define RISES(w, guess) ((w) > HIGHEST(guess))
/* Until the level of a lake is known, its water sinks in. Else its cells would pass the water to and fro, gather all that
 * a river brings, and let it out as one flood. passes: 0, or far above any level, where ground is lifted: there lakes rise
 * with their rims for ever, and their water goes on. */
CELL int unsettled(float w, float guess, float known, float unknown, float passes) {
    float settled = (guess < KNOWN_BELOW ? known : unknown) + passes, level = w < KNOWN_BELOW ? w : -UNKNOWN;
    return level > settled;
}

#define SLOPE(dx, dy, way) (ABOVE(w, b, AT(w, dx, dy), AT(b, dx, dy)) * k.inv_l##way)
#define GIVEN(e, way) WEIGHT(e *gentle, way)
#define STEEP(e, way) (e * gentle >= 0.999999f ? k.l##way : 0.0f)
#define STAGE_route(READ, MAPS, WRITE, SUMS) \
    READ(b, 1) \
    READ(w, 1) \
    READ(guess, 0) \
    READ(d, 0) \
    READ(s, 0) WRITE(S) WRITE(reach) WRITE(gentle) WRITE(dq) WRITE(sq) SUMS(spilled) SUMS(carried) SUMS(evaporated)
STAGE(route) { /* what passes is shared among lower neighbours */
    float w = HERE(w), b = HERE(b);
    cell_eight e = EIGHT(SLOPE);
    cell_eight beside = EIGHT(BESIDE);
    int dead = OUTSIDE && cell_outside(b), outlet = OUTSIDE && !dead && is_outlet(b, beside, k.open, k.rims);
    float S = eight_max(e);
    /* Where no level is known yet, sediment makes a pit higher than its neighbours, by the tilt. Water stays there, too. */
    float least = w < KNOWN_BELOW ? 0x1p-40f : 1.5f * k.tilt;
    float known = HIGHEST(HERE(guess)), unknown = b + (k.none + k.none);
    int sinks = unsettled(w, HERE(guess), known, unknown, k.passes), sea = SWITCH(tide) && b < k.sea; /* where the water goes */
    int falls = S > least && !sinks && !dead && !outlet;
    float gentle = INVERSE_IF(falls, S, 0.0f);
    cell_eight given = {GIVEN(e.L, x),  GIVEN(e.R, x),  GIVEN(e.T, y),  GIVEN(e.B, y),
                        GIVEN(e.TL, d), GIVEN(e.BR, d), GIVEN(e.TR, d), GIVEN(e.BL, d)};
    float all = eight_sum(given);
    cell_eight steep = {STEEP(e.L, x),  STEEP(e.R, x),  STEEP(e.T, y),  STEEP(e.B, y),
                        STEEP(e.TL, d), STEEP(e.BR, d), STEEP(e.TR, d), STEEP(e.BL, d)};
    float left = PLANE_X(L, TL, BL), right = PLANE_X(R, TR, BR), upper = PLANE_Y(T, TL, TR), lower = PLANE_Y(B, BL, BR);
    float steepest = cell_max(cell_max(left, right), cell_max(upper, lower)), square = falls ? k.planes * steepest : 0.0f;
    float along = cell_max(cell_max(ALONG(left, L, x), ALONG(right, R, x)), cell_max(ALONG(upper, T, y), ALONG(lower, B, y)));
    float s = ROOT(square > 0x1p-80f ? square : 0.0f);
    int between = s > cell_max(S, 0.0f); /* the receiver lies between two neighbours */
    float far = RATIO_IF(between, s, along, 1.0f);
    SET(S, falls ? between ? s : S : 0.0f);
    SET(reach, falls ? between ? far : eight_max(steep) : 1.0f);
    SET(gentle, gentle);
    SET(dq, RATIO_IF(falls, sea ? 0.0f : HERE(d), all, 0.0f));
    float solid = HERE(s) > 0x1p-70f ? HERE(s) : 0.0f; /* less is lost: 1e-21 m */
    SET(sq, RATIO_IF(falls, solid, all, 0.0f));
    SUM(spilled, outlet ? HERE(d) : 0.0f);
    SUM(carried, outlet ? HERE(s) : 0.0f);
    SUM(evaporated, sea && !outlet ? HERE(d) : falls || outlet ? 0.0f : HERE(d)); /* sinks in; the sea takes it */
}
END_STAGE

/* How high a neighbour stands above this cell; its slope towards it, divided by its steepest. */
#define HIGHER(dx, dy, way) ABOVE(AT(w, dx, dy), AT(b, dx, dy), w, b)
#define TOWARDS(e, dx, dy, way) ((e) * k.inv_l##way * AT(gentle, dx, dy))
/* Of those that give something. */
#define GIVER(taken, e) ((taken) > 0.0f ? (e) : UNKNOWN)
#define OF(e, field) \
    { \
        e.L *AT(field, -1, 0), e.R *AT(field, 1, 0), e.T *AT(field, 0, -1), e.B *AT(field, 0, 1), \
            e.TL *AT(field, -1, -1), e.BR *AT(field, 1, 1), e.TR *AT(field, 1, -1), e.BL *AT(field, -1, 1) \
    }
/* Hillslope diffusion from a neighbour; nothing comes from outside. */
CELL float crept_from(int none, float cover, float height) { return (none ? 0.0f : cover) * (none ? 0.0f : height); }
/* The sea floor rests: a shore creeps as if it stood at the level of the sea. */
#define CREEPING(b) (SWITCH(tide) ? cell_max(b, k.sea) : (b))
#define CREPT(dx, dy) \
    crept_from(OUTSIDE &&cell_outside(AT(b, dx, dy)), MAP_AT(cover, dx, dy), CREEPING(AT(b, dx, dy)) - CREEPING(b))

/* How high a delta can grow beside a neighbour. */
#define FRONT(dx, dy, way) (AT(b, dx, dy) + k.front * k.l##way)
/* How much a coast is open to the sea. A straight one along an axis has 1. One along a diagonal has the root of 2,
 * because the next cells are nearer there. So waves cut back both as fast. */
#define OPEN_x 0.609f
#define OPEN_y 0.609f
#define OPEN_d 0.195f
#define OPEN(dx, dy, way) (AT(b, dx, dy) < k.sea ? OPEN_##way : 0.0f)
CELL float open_of(cell_eight opens) { return cell_min(eight_sum(opens), 1.41421356f); }
#define CLIFF(dx, dy, way) (cell_outside(AT(b, dx, dy)) ? b : AT(b, dx, dy))
/* m: what waves cut in a step from a cell, by the highest ground beside it. */
CELL float cut_by_waves(float waves, float open, cell_eight cliffs, float b, float sea, float wave_base) {
    float cliff = cell_max(cell_max(eight_max(cliffs), b) - sea, wave_base);
    return waves * open * cliff;
}

/* A step cuts e, implicit towards the receiver's old height: with h above it, e = F (h - e) / reach. */
#define STAGE_erode(READ, MAPS, WRITE, SUMS) \
    READ(b0, 0) \
    READ(b, 1) \
    READ(w, 1) \
    READ(gentle, 1) \
    READ(dq, 1) \
    READ(sq, 1) \
    READ(S, 0) \
    READ(reach, 0) \
    READ(db, 0) \
    READ(s, 0) \
    READ(guess, 0) \
    MAPS(rain_dt, 0) \
    MAPS(uplift_dt, 0) \
    MAPS(power, 0) MAPS(waves, 0) MAPS(cover, 1) MAPS(strata, 0) MAPS(bed_level, 0) MAPS(mask, 0) WRITE(db) WRITE(d) WRITE(s) WRITE(lake) WRITE(slips) SUMS(rained) SUMS(carried) SUMS(advected)
STAGE(erode) {
    float b = HERE(b), w = HERE(w), S = HERE(S), reach = HERE(reach), mask = MAP(mask);
    cell_eight beside = EIGHT(BESIDE);
    int dead = OUTSIDE && cell_outside(b), outlet = OUTSIDE && !dead && is_outlet(b, beside, k.open, k.rims);
    cell_eight higher = EIGHT(HIGHER);
    cell_eight to = {TOWARDS(higher.L, -1, 0, x),   TOWARDS(higher.R, 1, 0, x),
                     TOWARDS(higher.T, 0, -1, y),   TOWARDS(higher.B, 0, 1, y),
                     TOWARDS(higher.TL, -1, -1, d), TOWARDS(higher.BR, 1, 1, d),
                     TOWARDS(higher.TR, 1, -1, d),  TOWARDS(higher.BL, -1, 1, d)};
    cell_eight taken = {WEIGHT(to.L, x),  WEIGHT(to.R, x),  WEIGHT(to.T, y),  WEIGHT(to.B, y),
                        WEIGHT(to.TL, d), WEIGHT(to.BR, d), WEIGHT(to.TR, d), WEIGHT(to.BL, d)};
    cell_eight givers = {GIVER(taken.L, higher.L),   GIVER(taken.R, higher.R),
                         GIVER(taken.T, higher.T),   GIVER(taken.B, higher.B),
                         GIVER(taken.TL, higher.TL), GIVER(taken.BR, higher.BR),
                         GIVER(taken.TR, higher.TR), GIVER(taken.BL, higher.BL)};
    cell_eight water = OF(taken, dq), solid = OF(taken, sq);
    float rain = dead ? 0.0f : MAP(rain_dt), d = dead ? 0.0f : rain + eight_sum(water);
    float stays = outlet ? 0.0f : S > 0.0f ? 0.0f : HERE(s); /* gcc makes no selection of || here */
    float s = dead ? 0.0f : stays + eight_sum(solid);
    int fixed = dead || outlet, is_lake = w > b + (k.none + k.none) && w < KNOWN_BELOW, sea = SWITCH(tide) && b < k.sea;

    float crept = MAP(cover) * (k.creep_x * (CREPT(-1, 0) + CREPT(1, 0)) + k.creep_y * (CREPT(0, -1) + CREPT(0, 1)));
    float lift = MAP(uplift_dt), up = fixed || sea ? 0.0f : lift, cells = d * k.inv_rain, F = 0.0f;
    if (SWITCH(general))
        F = MAP(power) * cell_power(cells, k.m) * (SWITCH(slope_power) ? cell_power(S, k.n_less_1) : 1.0f);
    else
        F = MAP(power) * ROOT(cells < 0x1p-60f ? 0.0f : cells);
    float hard = MAP(strata) * hardness_at((b - MAP(bed_level)) * k.inv_bed, k.differ), stand = 1.0f + hard;
    F = F * (1.0f + k.variety * chance(HERE(b0) * k.inv_side)) * (1.0f - hard);
    float falls = cell_max(S * reach + (up + crept), 0.0f); /* height above the receiver's old one */
    int cuts = S > 0.0f && !is_lake && !fixed && !sea;
    float e = RATIO_IF(cuts, F * falls, reach + F, 0.0f);
    float top = b + ((up + crept) - e); /* before it slides */
    float along_x = cell_min(beside.L, beside.R), along_y = cell_min(beside.T, beside.B);
    along_x = SWITCH(tide) ? cell_max(along_x, k.sea) : along_x;
    along_y = SWITCH(tide) ? cell_max(along_y, k.sea) : along_y;
    float face = face_height(along_x, along_y, k.part_x, k.part_y, k.face * (stand * stand), k.folds, top WATCH);
    float slid = cuts ? cell_max(cell_max((falls - e) - k.S_c * stand * reach, top - face), 0.0f) * mask : 0.0f;
    float share = cell_min(RATIO_IF(d > k.settling * 0x1p-20f, k.settling, d, 1.0f), 1.0f);
    float room = cell_max(eight_min(beside) - b, 0.0f) + k.tilt * k.ld; /* a pit rises to its lowest neighbour */
    /* Sediment rests below the lowest cell that gives water, which rises as this one does. */
    float below = cell_max(eight_min(givers) - ((top - slid) - (b + up)), 0.0f);
    float lies = cell_min(share * s, below);
    float drop = is_lake ? k.fill * cell_min(s, cell_min(w - b, room)) : S > 0.0f ? lies : cell_min(s, room);
    float stands = outlet ? b - eight_min(beside) : 0.0f; /* the rim slides, too */
    if (SWITCH(tide)) stands = outlet && !sea ? b - cell_max(eight_min(beside), k.sea) : stands;
    float rim = cell_max(stands - k.S_c * k.ld, 0.0f) * mask;
    float worn = 0.0f; /* by waves, less what comes to rest in the sea */
    if (SWITCH(tide)) {
        cell_eight fronts = EIGHT(FRONT), opens = EIGHT(OPEN), cliffs = EIGHT(CLIFF);
        float base = k.sea - k.wave_base;
        float grows = cell_max(cell_min(eight_min(fronts), k.sea + k.tilt * k.ld) - b, 0.0f);
        float cut = k.alike * cut_by_waves(MAP(waves), open_of(opens), cliffs, b, k.sea, k.wave_base);
        worn = cell_max(cell_min(cut, (top - slid) - base), 0.0f) - (sea ? cell_min(s, grows) * mask : 0.0f);
        drop = sea ? 0.0f : drop;
    }
    float loses = (e + slid) - drop * mask;
    float gone = fixed ? rim : SWITCH(tide) ? loses + worn : loses;

    float raised = HERE(db) + up, moved = fixed ? raised : raised + crept;
    cell_transfer t = transfer(moved, s, gone);
    float level = cell_max((w + (up + k.rise)) - (HERE(b0) + t.db), k.none);
    SUM(rained, rain);
    SUM(advected, raised - HERE(db));
    SUM(carried, outlet ? crept : 0.0f);
    SET(db, t.db);
    SET(d, d);
    SET(s, t.s);
    SET(slips, fixed ? rim : slid);
    SET(lake, dead || RISES(w, HERE(guess)) || w > KNOWN_BELOW ? 0.0f : is_lake ? level : k.none);
}
END_STAGE

#define STAGE_track(READ, MAPS, WRITE, SUMS) READ(slips, 0) READ(slid, 0) WRITE(slid)
STAGE(track) { SET(slid, HERE(slid) - HERE(slips)); } /* rivers take it on, so nothing comes to rest by sliding */
END_STAGE

CELL float or_unknown(float climb) { return climb > 0.0f ? climb : UNKNOWN; }
/* A floor reaches on by one cell in a step. It rises to both sides twice as steeply as its river falls, and at least a
 * little. With less it would cut off the valley above, which is steeper than the river here. What stands higher goes into
 * the river. */
#define REACHED(dx, dy, way) (AT(from, dx, dy) - k.l##way * rock)
#define FLOOR(dx, dy, way) (REACHED(dx, dy, way) >= bank ? AT(b, dx, dy) + or_unknown(AT(climb, dx, dy)) * k.l##way : UNKNOWN)
#define PITCH(dx, dy, way) (REACHED(dx, dy, way) >= bank ? or_unknown(AT(climb, dx, dy)) : UNKNOWN)
#define STAGE_widen(READ, MAPS, WRITE, SUMS) \
    READ(b, 1) \
    READ(from, 1) \
    READ(climb, 1) \
    READ(S, 0) READ(bank, 0) READ(b0, 0) READ(db, 0) READ(s, 0) MAPS(mask, 0) WRITE(bank) WRITE(pitch) WRITE(db) WRITE(s)
STAGE(widen) {
    float b = HERE(b), rock = 1.0f - 0.5f * (k.variety * chance(HERE(b0) * k.inv_side));
    cell_eight beside = EIGHT(BESIDE), reached = EIGHT(REACHED);
    float bank = eight_max(reached);
    cell_eight floors = EIGHT(FLOOR), pitches = EIGHT(PITCH);
    float along_x = cell_min(floors.L, floors.R), along_y = cell_min(floors.T, floors.B);
    float corner = cell_min(cell_min(floors.TL, floors.TR), cell_min(floors.BL, floors.BR)), climb = eight_min(pitches);
    int dead = OUTSIDE && cell_outside(b), outlet = OUTSIDE && !dead && is_outlet(b, beside, k.open, k.rims);
    int river = HERE(from) > HERE(bank), keeps = river && HERE(from) > bank; /* by stage floor */
    float top = HERE(b0) + HERE(db), across = cell_max(k.retreat_x * (top - along_x), k.retreat_y * (top - along_y));
    float above_it = cell_max(cell_max(across, k.retreat_d * (top - corner)), 0.0f) * MAP(mask);
    float cut = keeps ? 0.0f : above_it, on_floor = dead ? 0.0f : cell_max(bank, 0.0f);
    cut = outlet ? 0.0f : cut;
    cell_transfer t = transfer(HERE(db), HERE(s), on_floor > 0.0f ? cut : 0.0f);
    float around = climb < KNOWN_BELOW ? climb : 0.0f;
    float rises = river && HERE(S) > 0.0f ? cell_max(2.0f * HERE(S), 0x1p-6f) : around;
    SET(bank, on_floor);
    SET(pitch, dead ? 0.0f : river || on_floor > 0.0f ? rises : 0.0f);
    SET(db, t.db);
    SET(s, t.s);
}
END_STAGE

#include "models/schott2023/waves_cell.h"

#define STAGE_discharge(READ, MAPS, WRITE, SUMS) READ(d, 0) READ(Q, 0) WRITE(Q)
STAGE(discharge) { SET(Q, HERE(Q) + HERE(d) * k.area_per_s); }
END_STAGE

#define STAGE_area(READ, MAPS, WRITE, SUMS) READ(d, 0) WRITE(area)
STAGE(area) { SET(area, HERE(d) * k.area_per_m); }
END_STAGE
