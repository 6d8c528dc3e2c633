/* swenson2018_cell.h: velocity-free gather erosion, Swenson and Patil 2018. It has the lists that describe the model to
 * the engines, its physics, and its stages. See docs/models/swenson2018.md. Numbers in brackets: the report's steps. */

/* name, kind, value outside */
#define MODEL_FIELDS(F) \
    F(b0, STATIC, WALL)       /* m: the terrain as given */ \
    F(db, STATE, 0.0f)        /* m: change by erosion and deposition; b = b0 + db */ \
    F(d, STATE, 0.0f)         /* m: water */ \
    F(s, STATE, 0.0f)         /* m: sediment in the water */ \
    F(Q, STATE, 0.0f)         /* m3/s: sum of sampled discharges */ \
    F(soaked, OPTIONAL, 0.0f) /* m: water that the ground has taken up */ \
    F(owed, OPTIONAL, 0.0f)   /* m: what it takes up next, too little for the digits of `soaked` and d */ \
    F(b, SCRATCH, WALL)       /* m: terrain at the start of the step */ \
    F(H, SCRATCH, WALL)       /* m: water surface */ \
    F(q, SCRATCH, 0.0f)       /* 1: fraction of a difference of water surfaces that flows down it */ \
    F(c, SCRATCH, 0.0f)       /* 1: sediment per depth of water */

/* constants that may differ from cell to cell */
#define MODEL_MAPS(M) \
    M(rain_dt)    /* m a step */ \
    M(abrasion)   /* 1, times the mask */ \
    M(solubility) /* 1 */ \
    M(inv_deep)   /* 1/m: 1/DEEP_WATER_CUTOFF */ \
    M(keep)       /* 1 - EVAPORATION */ \
    M(evaporated) /* m a step */ \
    M(soak)       /* m: Ksat*dt */ \
    M(suction)    /* m: psi*dtheta */ \
    M(mask)

/* uniform constants */
#define MODEL_CONSTANTS(K) K(beta) K(half_area_dt) K(d_min) /* 1; m2/s: half a cell's area times dt; m */

/* name, value in the standard, the reduced, and the sea's set: kernels are compiled for these, and for any values */
#define MODEL_SWITCHES(S) S(surface, 0, 1, 0) /* evaporation takes the same depth from every cell */

#define FLOWS 1u
#define SOAKS 2u

/* name, processes that must all be on, runs every so many sub-steps (0: on request), behaviour at a border (see
 * core/model.h), operations a cell (checked by a test). Last, the switches that it reads */
#define MODEL_STAGES(S) \
    S(surface, 0, 1, ALIKE, 2, 0) \
    S(infiltrate, FLOWS | SOAKS, 1, ALIKE, 26, 0) \
    S(outflow, FLOWS, 1, SPILLS, 18, 0) \
    S(discharge, FLOWS, 8, SPILLS, 30, 0) \
    S(erosion, FLOWS, 1, SPILLS, 62, USES_surface)

/* roles by which the core knows them (core/model.h): role, name */
#define MODEL_ROLES(FIELD, MAP, PARAMETER, STAGE, PROCESS) \
    FIELD(TERRAIN, b0) \
    FIELD(CHANGE, db) FIELD(WATER, d) FIELD(SEDIMENT, s) FIELD(DISCHARGE, Q) FIELD(SOAKED, soaked) MAP(RAIN, rain_dt) \
        PARAMETER(RAIN, rain) PARAMETER(TIME_STEP, dt) PARAMETER(SOAK, Ksat) PROCESS(WATER, FLOWS) STAGE(DISCHARGE, discharge)

DEFINE_MODEL

#include "models/common_cell.h"

#include "models/infiltration_cell.h"

/* the amount by which this cell stands higher, or 0 */
CELL float above(float H, float Hn) { return cell_most(0.0f, H - Hn); }

#define SEEN(dx, dy) beyond(AT(H, dx, dy), AT(b, dx, dy), HERE(b0), OUTSIDE &&k.open)
/* Inflow from a neighbour. Outside cells have q = 0. */
#define COMING(dx, dy) (AT(q, dx, dy) * above(AT(H, dx, dy), H))

#define STAGE_surface(READ, MAPS, WRITE, SUMS) READ(b0, 0) READ(db, 0) READ(d, 0) WRITE(b) WRITE(H)
STAGE(surface) {
    float b = HERE(b0) + HERE(db);
    SET(b, b);
    SET(H, b + HERE(d));
}
END_STAGE

#define STAGE_infiltrate(READ, MAPS, WRITE, SUMS) \
    READ(b, 0) \
    READ(d, 0) READ(soaked, 0) READ(owed, 0) MAPS(soak, 0) MAPS(suction, 0) WRITE(d) WRITE(H) WRITE(soaked) \
        WRITE(owed) SUMS(infiltrated)
STAGE(infiltrate) { /* ours: Green and Ampt 1911 */
    float d = HERE(d);
    cell_ground ground = infiltrate(d, HERE(soaked), HERE(owed), soaking(MAP(soak), MAP(suction), HERE(soaked)));
    SUM(infiltrated, d - ground.d);
    SET(d, ground.d);
    SET(H, HERE(b) + ground.d);
    SET(soaked, ground.soaked);
    SET(owed, ground.owed);
}
END_STAGE

#define STAGE_outflow(READ, MAPS, WRITE, SUMS) \
    READ(b0, 0) READ(b, 1) READ(H, 1) READ(d, 0) READ(s, 0) WRITE(q) WRITE(c) SUMS(spilled) SUMS(carried)
STAGE(outflow) { /* (1, 2): beta of each difference, or all the water in proportion to the differences */
    float H = HERE(H), d = HERE(d);
    float L = above(H, SEEN(-1, 0)), R = above(H, SEEN(1, 0)), T = above(H, SEEN(0, -1)), B = above(H, SEEN(0, 1));
    float sum = (L + R) + (T + B);
    float all = d * (1.0f - 0x1p-20f); /* rounding never takes more than there is */
    int dead = OUTSIDE && cell_outside(HERE(b));
    float q = RATIO_IF(!dead && k.beta * sum > all, all, sum, dead ? 0.0f : k.beta);
    float c = RATIO_IF(is_carried(HERE(s), d, k.d_min), HERE(s), d, 0.0f);
    SET(q, q);
    SET(c, c);
    if (OUTSIDE) {
        float spilled = q * SPILL(L, R, T, B);
        SUM(spilled, spilled);
        SUM(carried, spilled * c);
    }
}
END_STAGE

#define STAGE_discharge(READ, MAPS, WRITE, SUMS) READ(b0, 0) READ(b, 1) READ(H, 1) READ(q, 1) READ(Q, 0) WRITE(Q)
STAGE(discharge) { /* mean of inflow and outflow */
    float H = HERE(H);
    float out =
        HERE(q) * ((above(H, SEEN(-1, 0)) + above(H, SEEN(1, 0))) + (above(H, SEEN(0, -1)) + above(H, SEEN(0, 1))));
    float in = (COMING(-1, 0) + COMING(1, 0)) + (COMING(0, -1) + COMING(0, 1));
    SET(Q, HERE(Q) + (in + out) * k.half_area_dt);
}
END_STAGE

#define STAGE_erosion(READ, MAPS, WRITE, SUMS) \
    READ(b0, 0) \
    READ(b, 1) \
    READ(H, 1) \
    READ(q, 1) \
    READ(c, 1) \
    READ(db, 0) READ(d, 0) READ(s, 0) MAPS(rain_dt, 0) MAPS(abrasion, 0) MAPS(solubility, 0) MAPS(inv_deep, 0) \
        MAPS(keep, 0) MAPS(evaporated, 0) MAPS(mask, 0) WRITE(db) WRITE(d) WRITE(s) SUMS(evaporated) SUMS(rained)
STAGE(erosion) { /* (2-4, 6): flow, erosion, deposition, evaporation, rain */
    float H = HERE(H);
    int dead = OUTSIDE && cell_outside(HERE(b));
    float out =
        HERE(q) * ((above(H, SEEN(-1, 0)) + above(H, SEEN(1, 0))) + (above(H, SEEN(0, -1)) + above(H, SEEN(0, 1))));
    float L = COMING(-1, 0), R = COMING(1, 0), T = COMING(0, -1), B = COMING(0, 1);
    float in = (L + R) + (T + B);
    float brought = (L * AT(c, -1, 0) + R * AT(c, 1, 0)) + (T * AT(c, 0, -1) + B * AT(c, 0, 1));
    float d1 = dead ? 0.0f : cell_most(0.0f, HERE(d) + (in - out));
    float s1 = dead ? 0.0f : cell_most(0.0f, HERE(s) + (brought - out * HERE(c)));
    float dug = MAP(abrasion) * (in + out) * (1.0f - cell_least(d1 * MAP(inv_deep), 1.0f));
    float surplus = cell_most(0.0f, (s1 + dug) - MAP(solubility) * d1);
    cell_transfer t = transfer(HERE(db), s1, dead ? 0.0f : dug - surplus * MAP(mask));
    float left = evaporate(d1, MAP(keep), MAP(evaporated), k.d_min, SWITCH(surface));
    float d2 = dead ? 0.0f : left + MAP(rain_dt);
    SUM(evaporated, d1 - left);
    SUM(rained, d2 - left);
    SET(db, t.db);
    SET(d, d2);
    SET(s, t.s);
}
END_STAGE
