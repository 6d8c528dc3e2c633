/* mei2007_cell.h: virtual pipes, Mei, Decaudin, Hu 2007: the lists that describe the model to the engines, and its
 * erosion. Water and transport: pipes_stages.h. Equations: docs/models/mei2007.md. Numbers in brackets: the paper's. */

/* name, kind, value outside */
#define MODEL_FIELDS(F)                                                                                                \
    F(b0, STATIC, WALL) /* m: the terrain as given */                                                                  \
    F(db, STATE, 0.0f)  /* m: what erosion made of it; b = b0 + db */                                                  \
    F(d, STATE, 0.0f)   /* m: water */                                                                                 \
    F(s, STATE, 0.0f)   /* m: suspended sediment */                                                                    \
    F(fL, STATE, 0.0f)  /* m3/s: outflow to the left, right, top and bottom neighbour; of eight pipes see EIGHT_FACES */                               \
    F(fR, STATE, 0.0f)                                                                                                 \
    F(fT, STATE, 0.0f)                                                                                                 \
    F(fB, STATE, 0.0f)                                                                                                 \
    F(Q, STATE, 0.0f)    /* m3/s: sum of sampled discharges */                                                         \
    F(soaked, OPTIONAL, 0.0f) /* m: water that the ground has taken up */ \
    F(owed, OPTIONAL, 0.0f)   /* m: what it takes up next, too little for the digits of `soaked` and d */ \
    F(b, SCRATCH, WALL)  /* m: terrain at the start of the step */                                                     \
    F(H, SCRATCH, WALL)  /* m: water surface */                                                                        \
    F(pL, SCRATCH, 0.0f) /* m3/s: of eight pipes: what gravity and inertia push through a face; places as of fL to fB */ \
    F(pR, SCRATCH, 0.0f) \
    F(pT, SCRATCH, 0.0f) \
    F(pB, SCRATCH, 0.0f) \
    F(K, SCRATCH, 0.0f)  /* 1: share of the push that flows */                                                                        \
    F(sq, SCRATCH, 0.0f) /* m/(m3/s): sediment that a unit of outflow carries; semi-Lagrangian: the new sediment */     \
    F(w, SCRATCH, 0.0f)     /* 1: half the share of a height difference that rolls down a side */ \
    F(u, SCRATCH, 0.0f)  /* cells a step: displacement */                                                              \
    F(v, SCRATCH, 0.0f)                                                                                                \
    F(speed, SCRATCH, 0.0f) /* m/s */

/* constants that may differ from cell to cell */
#define MODEL_MAPS(M)                                                                                                  \
    M(rain_dt)              /* m */                                                                                    \
    M(gain_x) M(gain_y)     /* dt*A*g/l */                                                                             \
    M(cap) M(drag) M(ease)                  /* of eight pipes: m: A by the cell's side; m: 4*dt*cf; 1/cf */                      \
    M(drag_x) M(drag_y)     /* dt*cf/width */                                                                          \
    M(Kc) M(sin_min2)       /* s, 1 */                                                                                 \
    M(Ks) M(Kd)             /* 1: of a sub-step, times the mask */                                                     \
    M(Kl)                   /* 1/m: half of Kl by the cell's side, times the mask */ \
    M(soak) M(suction)      /* m: Ksat*dt; psi*dtheta */ \
    M(keep) M(evaporated)   /* 1 - Ke*dt; m */

/* constants that do not */
#define MODEL_CONSTANTS(K)                                                                                             \
    K(dt_area) K(carried_area) K(inv_lx) K(inv_ly) K(half_inv_lx) K(half_inv_ly) /* dt/(lx*ly), 1/l, 0.5/l */                          \
    K(area_gain_x) K(area_gain_y) K(f_min) K(d_floor) K(floor2) K(cut2) K(d_min) K(dt_inv_lx) K(dt_inv_ly)                                             \
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
    S(cut, 0, 0, 0)        /* the literal velocity */ \
    S(surface, 0, 0, 0)    /* evaporation the same depth off every cell */ \
    S(tide, 0, 0, 1)       /* there is a sea */

#define ERODE_USES (USES_cut | USES_surface | USES_tide)

/* name, processes that must be on, runs every so many sub-steps (0: when asked for), what it does at a border (see
 * core/model.h), operations a cell (a test counts them). Last, the switches that it reads */
#define MODEL_STAGES(S) \
    S(water, 0, 1, ALIKE, 4, 0) \
    S(infiltrate, HYDRAULIC | SOAKS, 1, ALIKE, 28, USES_tide) \
    S(flow, HYDRAULIC | FOUR, 1, SPILLS, 69, USES_friction | USES_manning | USES_depth_area) \
    S(push, HYDRAULIC | EIGHT, 1, ALIKE, 44, USES_even_area) \
    S(ease, HYDRAULIC | EIGHT, 1, ALIKE, 49, USES_friction | USES_manning) \
    S(velocity, HYDRAULIC | SEMI | FOUR, 1, ALIKE, 24, USES_cut) \
    S(velocity_eight, HYDRAULIC | SEMI | EIGHT, 1, ALIKE, 42, USES_cut) \
    S(erosion, HYDRAULIC | FOUR, 1, DIFFERS, 55, ERODE_USES) \
    S(erosion_eight, HYDRAULIC | EIGHT, 1, DIFFERS, 94, ERODE_USES) \
    S(transport, HYDRAULIC | FLUX | FOUR, 1, SPILLS, 14, 0) \
    S(transport_eight, HYDRAULIC | FLUX | EIGHT, 1, ALIKE, 25, 0) \
    S(advect, HYDRAULIC | SEMI, 1, DIFFERS, 22, 0) \
    S(advected, HYDRAULIC | SEMI, 1, ALIKE, 0, 0) \
    S(roll, HYDRAULIC | EIGHT | LATERAL, 1, DIFFERS, 27, 0) \
    S(outfall, HYDRAULIC | EIGHT, 1, OUTLET, 0, USES_manning) \
    S(shore, HYDRAULIC | SEA, 1, OUTLET, 1, 0) \
    S(discharge, HYDRAULIC, 8, ALIKE, 17, USES_eight) \
    S(speed, 0, 0, ALIKE, 15, USES_eight | USES_cut)

/* what the core knows them by (core/model.h): role, name */
#define MODEL_ROLES(FIELD, MAP, PARAMETER, STAGE, PROCESS) \
    FIELD(TERRAIN, b0) FIELD(CHANGE, db) FIELD(WATER, d) FIELD(SEDIMENT, s) FIELD(DISCHARGE, Q) FIELD(SOAKED, soaked) \
    MAP(RAIN, rain_dt) PARAMETER(RAIN, rain) PARAMETER(TIME_STEP, dt) PARAMETER(SUBSTEPS, substeps) \
    PARAMETER(SEA, sea) PARAMETER(SEA_LEVEL, sea_level) \
    PROCESS(WATER, HYDRAULIC) STAGE(DISCHARGE, discharge) \
    FIELD(SPEED, speed) STAGE(SPEED, speed)

DEFINE_MODEL

#include "models/pipes_cell.h"

#include "models/infiltration_cell.h"

#define ERODING(READ, MAPS, WRITE, SUMS)                                                                               \
    READ(b, 1) READ(db, 0) READ(d, 0) READ(s, 0)                                                                       \
    MAPS(Kc, 0) MAPS(sin_min2, 0) MAPS(Ks, 0) MAPS(Kd, 0) MAPS(keep, 0) MAPS(evaporated, 0)                            \
    WRITE(db) WRITE(d) WRITE(s) WRITE(sq) SUMS(evaporated)
/* (6-12, 15). t: twice the water through the cell; gained: inflow less outflow */
#define ERODE(t, gained)                                                                                               \
    float b = HERE(b), d1 = HERE(d), s = HERE(s);                                                                      \
    int dead = OUTSIDE && cell_outside(b);                                                                             \
    float d2 = depth_after(d1, gained, k.dt_area);                                                                     \
    cell_flow q = flow_through(d1, d2, t, k.inv_lx, k.inv_ly, k.floor2, k.cut2, SWITCH(cut));                          \
    float bx = gradient(b, AT(b, -1, 0), AT(b, 1, 0), k.half_inv_lx, OUTSIDE);                                         \
    float by = gradient(b, AT(b, 0, -1), AT(b, 0, 1), k.half_inv_ly, OUTSIDE);                                         \
    float excess = MAP(Kc) * tilt_speed(bx, by, q, MAP(sin_min2), dead WATCH) - s;                                     \
    float rate = excess > 0.0f ? MAP(Ks) : MAP(Kd);                                                                    \
    cell_transfer bed = transfer(HERE(db), s, dead ? 0.0f : rate * excess);                                            \
    float left = dead ? 0.0f                                                                                           \
                 : SWITCH(tide)                                                                                        \
                     ? evaporate_at_sea(d2, k.sea - b, MAP(keep), MAP(evaporated), k.d_min, SWITCH(surface))           \
                     : evaporate(d2, MAP(keep), MAP(evaporated), k.d_min, SWITCH(surface));                            \
    SUM(evaporated, dead ? 0.0f : d2 - left);                                                                          \
    SET(db, bed.db);                                                                                                   \
    SET(d, left);                                                                                                      \
    SET(s, bed.s);                                                                                                     \
    float moving = carried(bed.s, d1, k.carried_area, k.d_min WATCH);                                                  \
    SET(sq, moving);

#include "models/pipes_stages.h"
