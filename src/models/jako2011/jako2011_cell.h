/* jako2011_cell.h: virtual pipes and thermal erosion, Jako and Toth 2011: the lists that describe the model to the
 * engines, its physics, and its stages. Equations: docs/models/jako2011.md. Numbers in brackets: the paper's. */

/* name, kind, value outside */
#define MODEL_FIELDS(F)                                                                                                \
    F(b0, STATIC, WALL) /* m: the terrain as given */                                                                  \
    F(db, STATE, 0.0f)  /* m: what erosion made of it; b = b0 + db */                                                  \
    F(d, STATE, 0.0f)   /* m: water */                                                                                 \
    F(s, STATE, 0.0f)   /* m: suspended sediment */                                                                    \
    F(R, STATE, 0.0f)   /* 0..1: hardness */                                                                           \
    F(fL, STATE, 0.0f)  /* m3/s: outflow to the left, right, top and bottom neighbour; of eight pipes see EIGHT_FACES */                               \
    F(fR, STATE, 0.0f)                                                                                                 \
    F(fT, STATE, 0.0f)                                                                                                 \
    F(fB, STATE, 0.0f)                                                                                                 \
    F(Q, STATE, 0.0f)    /* m3/s: sum of sampled discharges */                                                         \
    F(soaked, OPTIONAL, 0.0f) /* m: water that the ground has taken up */ \
    F(owed, OPTIONAL, 0.0f)   /* m: what it takes up next, too little for the digits of `soaked` and d */ \
    F(slid, OPTIONAL, 0.0f)   /* m: the part of db that is by sliding */ \
    F(b, SCRATCH, WALL)  /* m: terrain at the start of the step */                                                     \
    F(H, SCRATCH, WALL)  /* m: water surface */                                                                        \
    F(pL, SCRATCH, 0.0f) /* m3/s: of eight pipes: what gravity and inertia push through a face; places as of fL to fB */ \
    F(pR, SCRATCH, 0.0f) \
    F(pT, SCRATCH, 0.0f) \
    F(pB, SCRATCH, 0.0f) \
    F(K, SCRATCH, 0.0f)  /* 1: share of the push that flows */                                                                        \
    F(oL, SCRATCH, 0.0f) /* m: what slides to the left, right, top and bottom neighbour */                              \
    F(oR, SCRATCH, 0.0f)                                                                                               \
    F(oT, SCRATCH, 0.0f)                                                                                               \
    F(oB, SCRATCH, 0.0f)                                                                                               \
    F(oTL, SCRATCH, 0.0f) /* and to those at the corners */                                                            \
    F(oTR, SCRATCH, 0.0f)                                                                                              \
    F(oBL, SCRATCH, 0.0f)                                                                                              \
    F(oBR, SCRATCH, 0.0f)                                                                                              \
    F(sq, SCRATCH, 0.0f) /* m/(m3/s): sediment that a unit of outflow carries; semi-Lagrangian: the new sediment */     \
    F(w, SCRATCH, 0.0f)     /* 1: half the share of a height difference that rolls down a side */ \
    F(u, SCRATCH, 0.0f)  /* cells a step: displacement */                                                              \
    F(v, SCRATCH, 0.0f)                                                                                                \
    F(speed, SCRATCH, 0.0f) /* m/s */

/* constants that may differ from cell to cell */
#define MODEL_MAPS(M)                                                                                                  \
    M(rain_dt)                      /* m */                                                                            \
    M(gain_x) M(gain_y)             /* dt*A*g/l */                                                                     \
    M(cap) M(drag) M(ease)                  /* of eight pipes: m: A by the cell's side; m: 4*dt*cf; 1/cf */                      \
    M(drag_x) M(drag_y)             /* dt*cf/width */                                                                  \
    M(Kc) M(sin_min2)               /* s, 1 */                                                                         \
    M(Ks_dt) M(Kd_dt) M(soften_dt)  /* 1, 1, 1/m: dt*Ks, dt*Kd, dt*Kh*Ks, all times the mask */                        \
    M(inv_Kdmax)                    /* 1/m */                                                                          \
    M(R_min) M(Ka) M(Ki) M(Kt_dt)   /* 1, 1, 1, 1: Kt*dt/2 times the mask */                                           \
    M(Kl)                   /* 1/m: half of Kl by the cell's side, times the mask */ \
    M(soak) M(suction)      /* m: Ksat*dt; psi*dtheta */ \
    M(keep) M(evaporated)           /* 1 - Ke*dt; m */                                                                 \
    M(mask)

/* constants that do not */
#define MODEL_CONSTANTS(K)                                                                                             \
    K(dt_area) K(carried_area) K(inv_lx) K(inv_ly) K(half_inv_lx) K(half_inv_ly) /* dt/(lx*ly), 1/l, 0.5/l */                          \
    K(area_gain_x) K(area_gain_y) K(f_min) K(d_floor) K(floor2) K(cut2) K(d_min) K(lx) K(ly) K(ld) K(dt_inv_lx) K(dt_inv_ly)                                             \
    K(stops) K(g) K(froude2_g) K(face_gain_x) K(face_gain_y) K(face_gain_d) K(width_x) K(width_y) K(width_d)                     \
    K(most_w) K(roll_x) K(roll_y) K(out_x) K(out_y) K(out_d) /* 1 */ \
    K(inv_ld) K(inv_d_cf) /* of eight pipes */                                                                        \
    K(sea) /* m: level of the sea; far below any bed: no sea */

/* name, value in the standard, the reduced, and the sea's set: kernels are compiled for these, and for any values.
 * EITHER: for any in this set, too */
#define MODEL_SWITCHES(S) \
    S(friction, 1, 0, 1) \
    S(manning, 0, 0, 0)    /* friction falls with depth */ \
    S(depth_area, 0, 0, 0) /* four pipes as deep as the water */ \
    S(even_area, 0, 0, 0)  /* eight pipes of one cross-section */ \
    S(eight, EITHER, EITHER, EITHER) \
    S(cut, 0, 0, 0)         /* the literal velocity */ \
    S(ramp, 0, 0, 0)        /* 0: erosion fades with depth; 1: as printed; 2: no depth limit */ \
    S(collision, 0, 0, 0)   /* (11) */ \
    S(exchange, 0, 0, 0)    /* (12c, 13c); only kernels for any values book it, so 0 in each set */ \
    S(printed, 0, 0, 0)     /* R as printed in every formula */ \
    S(surface, 0, 0, 0)     /* evaporation the same depth off every cell */ \
    S(masked, 0, 0, 0) \
    S(tide, 0, 0, 1)        /* there is a sea */

#define ERODE_USES (USES_cut | USES_ramp | USES_collision | USES_exchange | USES_printed | USES_surface | USES_tide)

/* name, processes that must be on, runs every so many sub-steps (0: when asked for), what it does at a border (see
 * core/model.h), operations a cell (a test counts them). Last, the switches that it reads */
#define MODEL_STAGES(S) \
    S(water, 0, 1, ALIKE, 4, 0) \
    S(infiltrate, HYDRAULIC | SOAKS, 1, ALIKE, 28, USES_tide) \
    S(flow, HYDRAULIC | FOUR, 1, SPILLS, 69, USES_friction | USES_manning | USES_depth_area) \
    S(push, HYDRAULIC | EIGHT, 1, ALIKE, 44, USES_even_area) \
    S(ease, HYDRAULIC | EIGHT, 1, ALIKE, 49, USES_friction | USES_manning) \
    S(slide_out, THERMAL, 1, ALIKE, 50, USES_printed | USES_masked) \
    S(velocity, HYDRAULIC | SEMI | FOUR, 1, ALIKE, 24, USES_cut) \
    S(velocity_eight, HYDRAULIC | SEMI | EIGHT, 1, ALIKE, 42, USES_cut) \
    S(erosion, HYDRAULIC | FOUR, 1, DIFFERS, 64, ERODE_USES) \
    S(erosion_eight, HYDRAULIC | EIGHT, 1, DIFFERS, 103, ERODE_USES) \
    S(transport, HYDRAULIC | FLUX | FOUR, 1, SPILLS, 14, 0) \
    S(transport_eight, HYDRAULIC | FLUX | EIGHT, 1, ALIKE, 25, 0) \
    S(advect, HYDRAULIC | SEMI, 1, DIFFERS, 22, 0) \
    S(advected, HYDRAULIC | SEMI, 1, ALIKE, 0, 0) \
    S(roll, HYDRAULIC | EIGHT | LATERAL, 1, DIFFERS, 27, 0) \
    S(slide_in, THERMAL, 1, ALIKE, 8, USES_masked) \
    S(track, THERMAL | TRACKS, 1, ALIKE, 16, USES_masked) \
    S(outfall, HYDRAULIC | EIGHT, 1, OUTLET, 0, USES_manning) \
    S(shore, HYDRAULIC | SEA, 1, OUTLET, 1, 0) \
    S(discharge, HYDRAULIC, 8, ALIKE, 17, USES_eight) \
    S(speed, 0, 0, ALIKE, 15, USES_eight | USES_cut)

/* what the core knows them by (core/model.h): role, name */
#define MODEL_ROLES(FIELD, MAP, PARAMETER, STAGE, PROCESS) \
    FIELD(TERRAIN, b0) FIELD(CHANGE, db) FIELD(WATER, d) FIELD(SEDIMENT, s) FIELD(DISCHARGE, Q) FIELD(SOAKED, soaked) \
    FIELD(SLID, slid) PARAMETER(TRACK_SLIDING, track_sliding) \
    FIELD(HARDNESS, R) PARAMETER(HARDNESS, R) \
    MAP(RAIN, rain_dt) PARAMETER(RAIN, rain) PARAMETER(TIME_STEP, dt) PARAMETER(SUBSTEPS, substeps) \
    PARAMETER(SEA, sea) PARAMETER(SEA_LEVEL, sea_level) \
    PROCESS(WATER, HYDRAULIC) STAGE(DISCHARGE, discharge) \
    FIELD(SPEED, speed) STAGE(SPEED, speed)

DEFINE_MODEL

#include "models/pipes_cell.h"

#include "models/infiltration_cell.h"

/* After (17): the talus angle's tangent grows with hardness; dissolving and sliding shrink with it */
CELL float softness(float R, int printed) { return printed ? R : 1.0f - R; }

/* (10): 1 on dry ground, 0 from a depth of Kdmax; as printed it is reversed */
CELL float depth_ramp(float d1, float inv_Kdmax, int ramp) {
    float deep = cell_least(d1 * inv_Kdmax, 1.0f);
    return ramp == 0 ? 1.0f - deep : ramp == 1 ? deep : 1.0f;
}

/* (11): max(-N.V, 0) with N the terrain's normal and V the unit flow along the water surface of gradient (Hx, Hy) */
CELL float collision_speed(float bx, float by, float Hx, float Hy, cell_flow q, float sin_min2) {
    float u = q.x / q.depth, v = q.y / q.depth;
    float w = u * Hx + v * Hy;
    float speed2 = u * u + v * v;
    float length2 = (1.0f + (bx * bx + by * by)) * (speed2 + w * w);
    float into = cell_most((u * bx + v * by) - w, 0.0f);
    float sine2 = length2 > 0.0f ? into * into / length2 : 0.0f;
    return sqrtf(cell_most(sine2, sin_min2) * speed2);
}

/* Sliding: the height difference e to a neighbour counts if it is steeper than the talus angle. */
CELL float steeper(float e, float talus) { return e > talus ? e : 0.0f; }

/* --- stages: fields read (with radius), maps read, fields written, sums for the balance --- */

#define SLIDING(LIST) LIST(oL) LIST(oR) LIST(oT) LIST(oB) LIST(oTL) LIST(oTR) LIST(oBL) LIST(oBR)
#define STAGE_slide_out(READ, MAPS, WRITE, SUMS)                                                                       \
    READ(b, 1) READ(R, 0) READ(db, 0) MAPS(Ka, 0) MAPS(Ki, 0) MAPS(Kt_dt, 0) MAPS(mask, 1) SLIDING(WRITE) WRITE(db)
#define DROP(dx, dy) (SWITCH(masked) && MAP_AT(mask, dx, dy) <= 0.0f ? -WALL : b - AT(b, dx, dy))
STAGE(slide_out) { /* (17, 18): the solid that leaves the cell, shared in proportion to the height difference */
    float b = HERE(b), R = HERE(R), db = HERE(db);
    float T = R * MAP(Ka) + MAP(Ki);
    float eL = DROP(-1, 0), eR = DROP(1, 0), eT = DROP(0, -1), eB = DROP(0, 1);
    float eTL = DROP(-1, -1), eBR = DROP(1, 1), eTR = DROP(1, -1), eBL = DROP(-1, 1);
    float highest = cell_most(cell_most(cell_most(eL, eR), cell_most(eT, eB)), cell_most(cell_most(eTL, eBR), cell_most(eTR, eBL)));
    float tx = T * k.lx, ty = T * k.ly, td = T * k.ld;
    eL = steeper(eL, tx), eR = steeper(eR, tx), eT = steeper(eT, ty), eB = steeper(eB, ty);
    eTL = steeper(eTL, td), eBR = steeper(eBR, td), eTR = steeper(eTR, td), eBL = steeper(eBL, td);
    float total = ((eL + eR) + (eT + eB)) + ((eTL + eBR) + (eTR + eBL));
    int moves = total > 0.0f && !(OUTSIDE && cell_outside(b));
    float db1 = moves ? db - MAP(Kt_dt) * softness(R, SWITCH(printed)) * highest : db;
    float share = RATIO(db - db1, moves ? total : 1.0f); /* of the loss in float32 */
    SET(oL, share * eL);
    SET(oR, share * eR);
    SET(oT, share * eT);
    SET(oB, share * eB);
    SET(oTL, share * eTL);
    SET(oTR, share * eTR);
    SET(oBL, share * eBL);
    SET(oBR, share * eBR);
    SET(db, db1);
}
END_STAGE

#define ERODING(READ, MAPS, WRITE, SUMS)                                                                               \
    READ(b, 1) READ(H, 1) READ(db, 0) READ(d, 0) READ(s, 0) READ(R, 0)                                                 \
    MAPS(Kc, 0) MAPS(sin_min2, 0) MAPS(Ks_dt, 0) MAPS(Kd_dt, 0) MAPS(soften_dt, 0) MAPS(inv_Kdmax, 0) MAPS(R_min, 0)   \
    MAPS(keep, 0) MAPS(evaporated, 0)                                                                                  \
    WRITE(db) WRITE(d) WRITE(s) WRITE(R) WRITE(sq) SUMS(evaporated) SUMS(exchanged)
/* (6, 7, 9-14). t: twice the water through the cell; gained: inflow less outflow */
#define ERODE(t, gained)                                                                                               \
    float b = HERE(b), d1 = HERE(d), s = HERE(s), R = HERE(R);                                                         \
    int dead = OUTSIDE && cell_outside(b);                                                                             \
    float d2 = depth_after(d1, gained, k.dt_area);                                                                     \
    cell_flow q = flow_through(d1, d2, t, k.inv_lx, k.inv_ly, k.floor2, k.cut2, SWITCH(cut));                          \
    float bx = gradient(b, AT(b, -1, 0), AT(b, 1, 0), k.half_inv_lx, OUTSIDE);                                         \
    float by = gradient(b, AT(b, 0, -1), AT(b, 0, 1), k.half_inv_ly, OUTSIDE);                                         \
    float reach = tilt_speed(bx, by, q, MAP(sin_min2), dead WATCH);                                                    \
    if (SWITCH(collision))                                                                                             \
        reach = collision_speed(bx, by, gradient(HERE(H), AT(H, -1, 0), AT(H, 1, 0), k.half_inv_lx, OUTSIDE),          \
                                gradient(HERE(H), AT(H, 0, -1), AT(H, 0, 1), k.half_inv_ly, OUTSIDE), q, MAP(sin_min2)); \
    float C = MAP(Kc) * reach * depth_ramp(d1, MAP(inv_Kdmax), SWITCH(ramp));                                          \
    float excess = C - s;                                                                                              \
    float rate = excess > 0.0f ? MAP(Ks_dt) * softness(R, SWITCH(printed)) : MAP(Kd_dt);                               \
    cell_transfer bed = transfer(HERE(db), s, dead ? 0.0f : rate * excess);                                            \
    float d3 = SWITCH(exchange) ? cell_most(0.0f, d2 + bed.moved) : d2;                                                \
    float left = dead ? 0.0f                                                                                           \
                 : SWITCH(tide)                                                                                        \
                     ? evaporate_at_sea(d3, k.sea - b, MAP(keep), MAP(evaporated), k.d_min, SWITCH(surface))           \
                     : evaporate(d3, MAP(keep), MAP(evaporated), k.d_min, SWITCH(surface));                            \
    SUM(evaporated, dead ? 0.0f : d3 - left);                                                                          \
    if (MAY(exchange)) SUM(exchanged, dead ? 0.0f : d3 - d2);                                                          \
    SET(db, bed.db);                                                                                                   \
    SET(d, left);                                                                                                      \
    SET(s, bed.s);                                                                                                     \
    SET(R, excess < 0.0f ? cell_max(MAP(R_min), R + MAP(soften_dt) * excess) : R);                                     \
    float moving = carried(bed.s, d1, k.carried_area, k.d_min WATCH);                                                  \
    SET(sq, moving);

#include "models/pipes_stages.h"

/* What slides in from the eight neighbours; nothing where there is no data or all is masked. */
#define SLIDES_IN                                                                                                      \
    float sides = (AT(oR, -1, 0) + AT(oL, 1, 0)) + (AT(oB, 0, -1) + AT(oT, 0, 1));                                     \
    float corners = (AT(oBR, -1, -1) + AT(oTL, 1, 1)) + (AT(oBL, 1, -1) + AT(oTR, -1, 1));                             \
    int none = (OUTSIDE && cell_outside(HERE(b))) || (SWITCH(masked) && MAP(mask) <= 0.0f);

#define STAGE_slide_in(READ, MAPS, WRITE, SUMS)                                                                        \
    READ(b, 0) READ(oL, RIGHT) READ(oR, LEFT) READ(oT, BELOW) READ(oB, ABOVE)                                          \
    READ(oTL, BELOW_RIGHT) READ(oTR, BELOW_LEFT) READ(oBL, ABOVE_RIGHT) READ(oBR, ABOVE_LEFT)                          \
    READ(db, 0) MAPS(mask, 0) WRITE(db)
STAGE(slide_in) { /* (18), gathered from the eight neighbours */
    SLIDES_IN
    SET(db, none ? HERE(db) : HERE(db) + (sides + corners));
}
END_STAGE

#define STAGE_track(READ, MAPS, WRITE, SUMS)                                                                           \
    READ(b, 0) READ(oL, ROW) READ(oR, ROW) READ(oT, LOWER) READ(oB, UPPER)                                             \
    READ(oTL, LOWER) READ(oTR, LOWER) READ(oBL, UPPER) READ(oBR, UPPER)                                                \
    READ(slid, 0) MAPS(mask, 0) WRITE(slid)
STAGE(track) { /* what slid in, less what slid out */
    SLIDES_IN
    float left = (HERE(oL) + HERE(oR)) + (HERE(oT) + HERE(oB));
    float gone = (HERE(oTL) + HERE(oBR)) + (HERE(oTR) + HERE(oBL));
    SET(slid, none ? HERE(slid) : HERE(slid) + ((sides + corners) - (left + gone)));
}
END_STAGE
