/* braun1999_cell.h: ice that cuts valleys, after Braun and others 1999. It has the lists that describe the model to the
 * engines, its physics, and its stages. docs/models/braun1999.md has the equations.
 *
 * A step does not move ice. It brings the thickness in each cell nearer to the one at which as much flows in, falls and
 * melts as flows out. So ice follows its bed and the climate, at any time step. */

/* name, kind, value outside */
#define MODEL_FIELDS(F) \
    F(b0, STATIC, WALL)     /* m: the terrain as given */ \
    F(db, STATE, 0.0f)      /* m: change by uplift and erosion; b = b0 + db */ \
    F(d, STATE, 0.0f)       /* m: precipitation of the step */ \
    F(s, STATE, 0.0f)       /* m: rock worn in the step, which the ice takes away */ \
    F(Q, STATE, 0.0f)       /* m3/s: sum of sampled discharges of ice */ \
    F(ice, STATE, 0.0f)     /* m: its thickness */ \
    F(u, STATE, 0.0f)       /* m/a: speed at which it slides over its bed */ \
    F(b, SCRATCH, WALL)     /* m: bed */ \
    F(top, SCRATCH, WALL)   /* m: surface of the ice, the ground or the sea */ \
    F(h, SCRATCH, 0.0f)     /* m: ice at the start of the step */ \
    F(v, SCRATCH, 0.0f)     /* m/a: u at the start of the step */ \
    F(slides, SCRATCH, 0.0f) /* m/a: speed by this cell's stress alone */ \
    F(glide, SCRATCH, 1.0f) /* 1: part of the wear that walls leave */ \
    F(flux, SCRATCH, 0.0f)  /* m2/a: flux of ice through a width of 1 m */

/* constants that may differ from cell to cell */
#define MODEL_MAPS(M) \
    M(rain_dt)   /* m: most snow that falls while water runs through a cell */ \
    M(line)      /* m: height at which as much melts as falls */ \
    M(uplift_dt) /* m a step, times the mask */ \
    M(wears)     /* K_g dt, times the mask */ \
    M(mask)

/* uniform constants */
#define MODEL_CONSTANTS(K) \
    K(inv_dt)   /* 1/a */ \
    K(snows)    /* 1/a: from the precipitation of a step to that of a year */ \
    K(thinnest) /* m: less ice is none */ \
    K(beta)     /* 1/a: change of the mass balance with height */ \
    K(hold)     /* 1: slope on which no snow stays */ \
    K(sheds)    /* 1: by how much more snow stays where the slope is less by 1 */ \
    K(f_d) \
    K(f_s)      /* 1/(m3 a), 1/(m a): of deformation and of sliding */ \
    K(frozen)   /* m2: square of the thickness under which ice is frozen to its bed */ \
    K(fastest)  /* m/a: of sliding */ \
    K(narrow)   /* m: k_c */ \
    K(adverse)  /* 1: rise of the bed ahead at which wear ends, over the slope of the ice */ \
    K(slow)     /* a/m: 1/fastest */ \
    K(along_x) \
    K(along_y)  /* 1: (lambda / l)^2 */ \
    K(l_less_1) /* exponent */ \
    K(most)     /* m: most that a step wears */ \
    K(S_c) \
    K(part_x) \
    K(part_y) \
    K(face) \
    K(folds)    /* as in face_height */ \
    K(ld)       /* m: to a neighbour at a corner */ \
    K(inv_lx) \
    K(inv_ly)   /* 1/m */ \
    K(sea)      /* m: its level; without a sea far below any ground */ \
    K(calves)   /* 1/a: share of floating ice that breaks off */ \
    K(per_s)    /* m a/s: from flux to discharge */

/* name, value in the standard, the reduced, and the sea's set: kernels are compiled for these, and for any values.
 * EITHER: for any in this set, too */
#define MODEL_SWITCHES(S) \
    S(power, 0, 1, EITHER) /* l is not 1 */ \
    S(tide, 0, 0, 1)       /* there is a sea */

#define FLOWS 1u

/* name, processes that must all be on, runs every so many sub-steps (0: on request), behaviour at a border (see
 * core/model.h), operations a cell (checked by a test). Last, the switches that it reads */
#define MODEL_STAGES(S) \
    S(surface, FLOWS, 1, ALIKE, 2, USES_tide) \
    S(flow, FLOWS, 1, DIFFERS, 224, USES_tide) \
    S(wear, FLOWS, 1, DIFFERS, 122, USES_power | USES_tide) \
    S(discharge, FLOWS, 8, ALIKE, 2, 0)

/* roles by which the core knows them (core/model.h): role, name */
#define MODEL_ROLES(FIELD, MAP, PARAMETER, STAGE, PROCESS) \
    FIELD(TERRAIN, b0) \
    FIELD(CHANGE, db) \
    FIELD(WATER, d) \
    FIELD(SEDIMENT, s) \
    FIELD(DISCHARGE, Q) \
    FIELD(ICE, ice) \
    PARAMETER(SEA, sea) PARAMETER(SEA_LEVEL, sea_level) \
    MAP(RAIN, rain_dt) \
    PARAMETER(RAIN, P) \
    PARAMETER(RIVER_SPEED, v) \
    PARAMETER(TIME_STEP, dt) PARAMETER(UPLIFT, U) PARAMETER(ERODIBILITY, K_g) \
        PROCESS(WATER, FLOWS) STAGE(DISCHARGE, discharge)

DEFINE_MODEL

#include "models/common_cell.h"

/* A step wears at most this part of the width of a cell, and as much again falls. */
#define MOST_WORN 0.02
/* In a step ice grows by at most this part of it, plus MOST_WORN of a cell. */
#define GROWS 0.25f
/* Depth of water that lifts ice 1 m thick: densities of ice and sea water, 917 and 1025 kg/m3. */
#define FLOATS 1.118f

#define STAGE_surface(READ, MAPS, WRITE, SUMS) \
    READ(b0, 0) READ(db, 0) READ(ice, 0) READ(u, 0) WRITE(b) WRITE(top) WRITE(h) WRITE(v)
STAGE(surface) {
    float b = HERE(b0) + HERE(db), top = b + HERE(ice);
    SET(b, b);
    SET(top, SWITCH(tide) ? cell_max(top, k.sea) : top);
    SET(h, HERE(ice));
    SET(v, HERE(u));
}
END_STAGE

/* Ice of any parameters stays finite: thicknesses up to 1e4 m count, and fluxes up to these. */
#define THICKEST 1e4f
#define MOST_FLUX 1e20f

/* What flows out over a face, and how fast that grows with the thickness here. */
typedef struct cell_face {
    float flow, grows; /* m2/a, m/a */
} cell_face;

/* Shallow ice (Oerlemans 1997): q = (f_d h^5 + f_s h^3) |slope|^2 slope. h is that of the higher side, so ice never
 * flows out of a cell that has none (Jarosch and others 2013). across: slope along the face. */
CELL cell_face face_of(float top, float beside, float across, float h, float hn, float inv_l, float f_d, float f_s) {
    float slope = (top - beside) * inv_l, square = slope * slope + across * across;
    float thick = cell_min(slope > 0.0f ? h : hn, THICKEST), h2 = thick * thick, deforms = f_d * h2;
    float moves = cell_min(((deforms + f_s) * (h2 * thick)) * square, MOST_FLUX);
    float more = cell_min(((5.0f * deforms + 3.0f * f_s) * h2) * (square * slope), MOST_FLUX);
    cell_face face;
    face.flow = moves * slope;
    face.grows = 3.0f * moves * inv_l + (slope > 0.0f ? more : 0.0f);
    return face;
}

/* The difference of two heights; 0 if one is outside. */
CELL float apart(float a, float b, int outside) {
    return outside && (cell_outside(a) || cell_outside(b)) ? 0.0f : a - b;
}
#define APART(ax, ay, bx, by) apart(AT(top, ax, ay), AT(top, bx, by), OUTSIDE)
/* Slope along a face, from the cells on both of its sides. */
#define ACROSS_X(dx) ((APART(0, 1, 0, -1) + APART(dx, 1, dx, -1)) * (0.25f * k.inv_ly))
#define ACROSS_Y(dy) ((APART(1, 0, -1, 0) + APART(1, dy, -1, dy)) * (0.25f * k.inv_lx))

/* The surface beyond a border. Over an open one ice flows out as steeply as it comes; over a closed one it does not. */
CELL float top_beyond(float top, float beside, float opposite, int open) {
    float goes_on = cell_outside(opposite) ? top : cell_min((top + top) - opposite, top);
    return cell_outside(beside) ? (open ? goes_on : top) : beside;
}
#define BESIDE_TOP(dx, dy) \
    (OUTSIDE ? top_beyond(top, AT(top, dx, dy), AT(top, -(dx), -(dy)), k.open) : AT(top, dx, dy))
#define FACE(dx, dy, across, inv_l) \
    face_of(top, BESIDE_TOP(dx, dy), across, h, AT(h, dx, dy), inv_l, k.f_d, k.f_s)

#define SLOPE_X(field) gradient(HERE(field), AT(field, -1, 0), AT(field, 1, 0), 0.5f * k.inv_lx, OUTSIDE)
#define SLOPE_Y(field) gradient(HERE(field), AT(field, 0, -1), AT(field, 0, 1), 0.5f * k.inv_ly, OUTSIDE)

/* Second differences of the bed, 1/m; 0 where a cell of theirs is outside. */
CELL float bend(float before, float after, float twice, float inv, int outside) {
    return outside && (cell_outside(before) || cell_outside(after)) ? 0.0f : ((before + after) - twice) * inv;
}
CELL float twist(float a, float b, float c, float d, float inv, int outside) {
    return outside && cell_outside(cell_max(cell_max(a, b), cell_max(c, d))) ? 0.0f : ((a + b) - (c + d)) * inv;
}
#define BENDS_X bend(AT(b, -1, 0), AT(b, 1, 0), b + b, k.inv_lx * k.inv_lx, OUTSIDE)
#define BENDS_Y bend(AT(b, 0, -1), AT(b, 0, 1), b + b, k.inv_ly * k.inv_ly, OUTSIDE)
#define BENDS_XY \
    twist(AT(b, -1, -1), AT(b, 1, 1), AT(b, 1, -1), AT(b, -1, 1), 0.25f * k.inv_lx * k.inv_ly, OUTSIDE)
/* How much a valley bends up to both sides of the fall (tx, ty) of the ice; 0: it does not. square: of that slope. */
CELL float bend_across(float xx, float yy, float xy, float tx, float ty, float square WATCHED) {
    float bend = (ty * ty * xx + tx * tx * yy) - 2.0f * (tx * ty) * xy;
    return RATIO_IF(square > 0.0f && bend > 0.0f, bend, square, 0.0f);
}

#define STAGE_flow(READ, MAPS, WRITE, SUMS) \
    READ(b, 1) \
    READ(top, 1) \
    READ(h, 1) \
    READ(d, 0) MAPS(rain_dt, 0) MAPS(line, 0) WRITE(ice) WRITE(d) WRITE(slides) WRITE(glide) WRITE(flux) SUMS(rained) SUMS(evaporated)
STAGE(flow) {
    float b = HERE(b), top = HERE(top), h = HERE(h);
    int dead = OUTSIDE && cell_outside(b);
    cell_face left = FACE(-1, 0, ACROSS_X(-1), k.inv_lx), right = FACE(1, 0, ACROSS_X(1), k.inv_lx);
    cell_face upper = FACE(0, -1, ACROSS_Y(-1), k.inv_ly), lower = FACE(0, 1, ACROSS_Y(1), k.inv_ly);
    float bx = SLOPE_X(b), by = SLOPE_Y(b), tx = SLOPE_X(top), ty = SLOPE_Y(top);
    float square = tx * tx + ty * ty, bed = bx * bx + by * by;
    square = square > 0x1p-60f ? square : 0.0f;
    float steep = ROOT(square), stays = cell_max(cell_min((k.hold - ROOT(bed > 0x1p-60f ? bed : 0.0f)) * k.sheds, 1.0f), 0.0f);
    float rain = dead ? 0.0f : MAP(rain_dt), balance = cell_min(k.beta * (top - MAP(line)), rain * k.snows);
    float gains = balance > 0.0f ? balance * stays : balance;
    float leaves = (left.flow + right.flow) * k.inv_lx + (upper.flow + lower.flow) * k.inv_ly;
    float grows = (left.grows + right.grows) * k.inv_lx + (upper.grows + lower.grows) * k.inv_ly;
    int floats = SWITCH(tide) && h < FLOATS * (k.sea - b);
    float breaks = floats ? k.calves : 0.0f; /* 1/a: off floating ice */
    float ice = h + (gains - (leaves + breaks * h)) / (k.inv_dt + (grows + breaks));
    ice = cell_min(ice, h + (GROWS * h + k.most)); /* else bare ground would hold all snow of a step, which flows away */
    ice = ice > k.thinnest ? ice : 0.0f;
    ice = dead ? 0.0f : ice;

    float thick = cell_min(h, THICKEST), h2 = thick * thick, slips = k.f_s * h2 * (square * steep);
    float bends = bend_across(BENDS_X, BENDS_Y, BENDS_XY, tx, ty, square WATCH);
    float deforms = k.f_d * h2;
    SET(ice, ice);
    SET(slides, floats ? 0.0f : cell_min(slips * RATIO_IF(h2 > 0x1p-60f, h2, h2 + k.frozen, 0.0f), k.fastest));
    SET(glide, floats ? 0.0f : INVERSE(1.0f + k.narrow * bends));
    SET(flux, cell_min(((deforms + k.f_s) * (h2 * thick)) * (square * steep), MOST_FLUX));
    SUM(rained, rain);
    SUM(evaporated, HERE(d));
    SET(d, rain);
}
END_STAGE

/* A neighbour's part in the speed: none where it has no ice. */
#define DRAGS(dx, dy) (AT(ice, dx, dy) > 0.0f ? 1.0f : 0.0f)
#define DRAGGED(dx, dy) (AT(ice, dx, dy) > 0.0f ? AT(v, dx, dy) : 0.0f)

/* The surface of ice, ground or sea. */
#define ICE_TOP(dx, dy) \
    (SWITCH(tide) ? cell_max(AT(b, dx, dy) + AT(ice, dx, dy), k.sea) : AT(b, dx, dy) + AT(ice, dx, dy))
#define BESIDE_ICE(dx, dy) \
    (OUTSIDE ? top_beyond(top, ICE_TOP(dx, dy), ICE_TOP(-(dx), -(dy)), k.open) : ICE_TOP(dx, dy))
/* Water under the ice leaves with the flow, unless the bed rises too steeply on the way to a neighbour. */
typedef struct cell_outlet {
    float drop;  /* m: how much lower the ice is there */
    float spare; /* m: `adverse` times that, less the rise of the bed */
} cell_outlet;
CELL cell_outlet outlet_to(float top, float top_beside, float b, float beside, float adverse, int outside) {
    cell_outlet outlet;
    outlet.drop = cell_max(top - top_beside, 0.0f);
    float rise = outside && cell_outside(beside) ? 0.0f : cell_max(beside - b, 0.0f);
    outlet.spare = cell_max(adverse * outlet.drop - rise, 0.0f);
    return outlet;
}
#define OUTLET(dx, dy) outlet_to(top, BESIDE_ICE(dx, dy), b, AT(b, dx, dy), k.adverse, OUTSIDE)

/* Ice wears its bed in proportion to the speed at which it slides (Humphrey and Raymond 1994), at a right angle to it.
 * The speed evens out over lambda, as stresses along the flow and from its sides do: u - lambda^2 laplace(u) = slides,
 * a Jacobi iteration in each step. */
#define STAGE_wear(READ, MAPS, WRITE, SUMS) \
    READ(b, 1) \
    READ(v, 1) \
    READ(ice, 1) \
    READ(slides, 0) \
    READ(glide, 0) \
    READ(db, 0) \
    READ(s, 0) MAPS(uplift_dt, 0) MAPS(wears, 0) MAPS(mask, 0) WRITE(u) WRITE(db) WRITE(s) SUMS(advected)
STAGE(wear) {
    float b = HERE(b);
    int dead = OUTSIDE && cell_outside(b), covered = HERE(ice) > 0.0f && !dead;
    float sides = k.along_x * (DRAGS(-1, 0) + DRAGS(1, 0)) + k.along_y * (DRAGS(0, -1) + DRAGS(0, 1));
    float pulls = k.along_x * (DRAGGED(-1, 0) + DRAGGED(1, 0)) + k.along_y * (DRAGGED(0, -1) + DRAGGED(0, 1));
    float u = RATIO_IF(covered, HERE(slides) + pulls, 1.0f + sides, 0.0f);
    float bx = SLOPE_X(b), by = SLOPE_Y(b), normal = ROOT(1.0f + (bx * bx + by * by));
    float top = ICE_TOP(0, 0);
    cell_outlet left = OUTLET(-1, 0), right = OUTLET(1, 0), upper = OUTLET(0, -1), lower = OUTLET(0, 1);
    float all = k.adverse * ((left.drop + right.drop) * k.inv_lx + (upper.drop + lower.drop) * k.inv_ly);
    float spare = (left.spare + right.spare) * k.inv_lx + (upper.spare + lower.spare) * k.inv_ly;
    float washed = cell_min(RATIO_IF(all > 0x1p-60f && !dead, spare, all, 0.0f), 1.0f);
    float slides = u * (HERE(glide) * washed), wears = MAP(wears) * slides * normal;
    if (SWITCH(power)) wears = u > 0.0f ? wears * cell_power(slides * k.slow, k.l_less_1) : 0.0f;
    float lift = dead ? 0.0f : MAP(uplift_dt);
    float worn = b + (lift - cell_min(wears, k.most));
    float along_x = cell_min(AT(b, -1, 0), AT(b, 1, 0)), along_y = cell_min(AT(b, 0, -1), AT(b, 0, 1));
    float corner = cell_min(cell_min(AT(b, -1, -1), AT(b, 1, 1)), cell_min(AT(b, 1, -1), AT(b, -1, 1)));
    float face = face_height(along_x, along_y, k.part_x, k.part_y, k.face, k.folds, worn WATCH);
    float slips = cell_max(cell_max(worn - face, worn - (corner + k.S_c * k.ld)), 0.0f) * MAP(mask);
    float raised = HERE(db) + lift;
    cell_transfer t = transfer(raised, 0.0f, dead ? 0.0f : cell_min(wears, k.most) + cell_min(slips, k.most));
    SUM(advected, (raised - HERE(db)) - HERE(s));
    SET(u, u);
    SET(db, t.db);
    SET(s, t.s);
}
END_STAGE

#define STAGE_discharge(READ, MAPS, WRITE, SUMS) READ(flux, 0) READ(Q, 0) WRITE(Q)
STAGE(discharge) { SET(Q, HERE(Q) + HERE(flux) * k.per_s); }
END_STAGE
