/* neidhold2005_cell.h: Newtonian water packets, Neidhold, Wacker and Deussen 2005: the lists that describe the model to
 * the engines, its physics, and its stages. Equations: docs/models/neidhold2005.md. Numbers in brackets: the paper's.
 */

/* The part that lands at a place, the cell itself (0) or a neighbour: water, its erosion there, and its momentum. */
#define LANDING(F, to) \
    F(f##to, SCRATCH, 0.0f) \
    F(x##to, SCRATCH, 0.0f) F(U##to, SCRATCH, 0.0f) F(V##to, SCRATCH, 0.0f) F(W##to, SCRATCH, 0.0f)

/* name, kind, value outside */
#define MODEL_FIELDS(F) \
    F(b0, STATIC, WALL)  /* m: the terrain as given */ \
    F(db, STATE, 0.0f)   /* m: what erosion made of it; b = b0 + db */ \
    F(d, STATE, 0.0f)    /* m: water, the paper's F */ \
    F(s, STATE, 0.0f)    /* m: sediment dissolved in it, S */ \
    F(rest, STATE, 0.0f) /* m: what rounding kept from s, to be added when it counts */ \
    F(u, STATE, 0.0f)    /* m/s: its velocity; w upwards */ \
    F(v, STATE, 0.0f) \
    F(w, STATE, 0.0f) \
    F(Q, STATE, 0.0f)    /* m3/s: sum of sampled discharges */ \
    F(b, SCRATCH, WALL)  /* m: terrain at the start of the step */ \
    F(I, SCRATCH, WALL)  /* m: what accelerates, b + KF*F */ \
    F(I1, SCRATCH, WALL) /* m: the water's surface after landing */ \
    F(c, SCRATCH, 0.0f)  /* 1: sediment in a depth of water */ \
    LANDING(F, 0) \
    LANDING(F, L) \
    LANDING(F, R) \
    LANDING(F, T) \
    LANDING(F, B) \
    LANDING(F, TL) \
    LANDING(F, TR) \
    LANDING(F, BL) \
    LANDING(F, BR) F(d1, SCRATCH, 0.0f) /* after landing: water, sediment, sediment in a depth of water, velocity */ \
        F(s1, SCRATCH, 0.0f) F(rest1, SCRATCH, 0.0f) F(c1, SCRATCH, 0.0f) F(u1, SCRATCH, 0.0f) F(v1, SCRATCH, 0.0f) \
            F(w1, SCRATCH, 0.0f) F(speed, SCRATCH, 0.0f) /* m/s */

/* constants that may differ from cell to cell */
#define MODEL_MAPS(M) \
    M(rain_dt) /* m */ \
    M(shower)  /* 1: points of showers that fall on the cell */ \
    M(peak)    /* m: rain_peak */ \
    M(KC)      /* s/m */ \
    M(KD_dt) \
    M(KS_dt)      /* 1: times the mask */ \
    M(KE_dt)      /* 1 */ \
    M(evaporated) /* m */ \
    M(mask)

/* constants that do not */
#define MODEL_CONSTANTS(K) \
    K(g_dt) \
    K(left) /* g*dt; 1 - KA*dt */ \
    K(inv_lx) \
    K(inv_ly) \
    K(corner_x) \
    K(corner_y) /* 1/l; l/(lx^2 + ly^2) */ \
    K(cells_x) \
    K(cells_y) /* dt/l */ \
    K(slope_KF) \
    K(v_split) \
    K(k) \
    K(kv) K(eps) K(tiny) K(lx) K(ly) K(low) K(inv_relief) /* m, 1/m: of the terrain as given */ \
        K(anywhere) K(high) K(lowland)                    /* evaporation: 1 where that form is chosen */

/* name, value in the standard, the reduced, and the sea's set: kernels are compiled for these, and for any values */
#define MODEL_SWITCHES(S) \
    S(average, 0, 0, 0) /* (12) as printed */ \
    S(smooth, 0, 0, 0)  /* water itself is smoothed */ \
    S(surface, 0, 0, 0) /* evaporation the same depth off every cell */ \
    S(at_rest, 1, 0, 1) /* rain slows the water that it falls on */

#define FLOWS 1u

/* name, processes that must be on, runs every so many sub-steps (0: when asked for), what it does at a border (see
 * core/model.h), operations a cell (a test counts them). Last, the switches that it reads */
#define MODEL_STAGES(S) \
    S(surface, 0, 1, ALIKE, 27, USES_at_rest) \
    S(discharge, FLOWS, 8, ALIKE, 8, 0) \
    S(packets, FLOWS, 1, DIFFERS, 961, USES_average) \
    S(land, FLOWS, 1, DIFFERS, 123, 0) \
    S(mix, FLOWS, 1, DIFFERS, 160, USES_smooth | USES_surface) \
    S(speed, FLOWS, 0, ALIKE, 7, 0)

/* what the core knows them by (core/model.h): role, name */
#define MODEL_ROLES(FIELD, MAP, PARAMETER, STAGE, PROCESS) \
    FIELD(TERRAIN, b0) FIELD(CHANGE, db) FIELD(WATER, d) FIELD(SEDIMENT, s) FIELD(DISCHARGE, Q) \
    MAP(RAIN, rain_dt) PARAMETER(RAIN, rain) PARAMETER(TIME_STEP, dt) MAP(SHOWERS, shower) \
    PROCESS(WATER, FLOWS) STAGE(DISCHARGE, discharge) \
    FIELD(SPEED, speed) STAGE(SPEED, speed)

DEFINE_MODEL

#include "models/common_cell.h"

CELL float speed_of(float u, float v, float w WATCHED) { return ROOT((u * u + v * v) + w * w); }

/* height above the lowest cell of the terrain as given, in parts of its relief */
CELL float relative_height(float b, float low, float inv_relief) { return cell_max(0.0f, (b - low) * inv_relief); }

/* one of two conditions, in terms that compilers make vectors of: they do not select conditions */
CELL int either(int first, int a, int b) { return (first && a) || (!first && b); }

/* Where a velocity takes water in one direction: the shares that land before, here and after; none goes into a wall. */
typedef struct cell_spread {
    float v, before, here, after;
} cell_spread;

CELL cell_spread spread(float v, float cells, int wall_before, int wall_after) {
    cell_spread s;
    float way;
    s.v = either(v < 0.0f, wall_before, wall_after) ? 0.0f : v;
    way = s.v * cells;
    s.before = cell_within_1(-way);
    s.after = cell_within_1(way);
    s.here = 1.0f - (s.before + s.after);
    return s;
}

/* What the packets of a cell need to know: its velocity less friction, and where that alone would take them; its
 * sediment in a depth of water. cells_x: dt/lx. */
typedef struct cell_origin {
    float u, v, w, c, KC, KS_dt, KD_dt, g_dt, cells_x, cells_y;
    int wall_l, wall_r, wall_t, wall_b;
    cell_spread x, y;
} cell_origin;

/* A moving packet of water: its depth, its destination, and its upward velocity. `excess`: how much more sediment a
 * metre of it could carry (negative: less). `dug`: how much of that it digs (drops). */
typedef struct cell_packet {
    float F;
    cell_spread x, y;
    float w, excess, dug;
} cell_packet;

CELL float dug(float excess, float KS_dt, float KD_dt) { return excess * (excess > 0.0f ? KS_dt : KD_dt); }

/* (3, 4, 14-20, 22). F: its water; (mx, my): the slope it goes down, which may be along one axis. */
enum { ANYWHERE, ALONG_X, ALONG_Y };
CELL cell_packet packet(cell_origin o, float F, float mx, float my, const int way WATCHED) {
    cell_packet p;
    float m2 = way == ALONG_X ? mx * mx : way == ALONG_Y ? my * my : mx * mx + my * my;
    float push = RATIO(o.g_dt, 1.0f + m2);
    p.x = way == ALONG_Y ? o.x : spread(o.u + push * mx, o.cells_x, o.wall_l, o.wall_r);
    p.y = way == ALONG_X ? o.y : spread(o.v + push * my, o.cells_y, o.wall_t, o.wall_b);
    p.w = o.w - push * m2;
    p.F = F;
    p.excess = cell_min(1.0f, o.KC * speed_of(p.x.v, p.y.v, p.w WATCH)) - o.c; /* at most its own depth */
    p.dug = dug(p.excess, o.KS_dt, o.KD_dt);
    return p;
}

/* A part of a packet, or of several: water, what it digs, momentum. */
typedef struct cell_part {
    float f, x, U, V, W;
} cell_part;

CELL cell_part part(cell_packet p, float f, float dug) {
    cell_part q = {f, f * dug, f * p.x.v, f * p.y.v, f * p.w};
    return q;
}
CELL cell_part both(cell_part p, cell_part q) {
    cell_part r = {p.f + q.f, p.x + q.x, p.U + q.U, p.V + q.V, p.W + q.W};
    return r;
}
CELL cell_part part_if(int yes, cell_part p) {
    cell_part q = {yes ? p.f : 0.0f, yes ? p.x : 0.0f, yes ? p.U : 0.0f, yes ? p.V : 0.0f, yes ? p.W : 0.0f};
    return q;
}

/* Two packets along the same axis go the same way across it. What lands at one place of that axis: of each, and in all;
 * M: momentum along it. */
typedef struct cell_pair {
    float f1, f2, f, x, M, W;
} cell_pair;

CELL cell_pair pair_at(cell_packet p, float f1, float v1, cell_packet q, float f2, float v2) {
    cell_pair a = {f1, f2, f1 + f2, f1 * p.dug + f2 * q.dug, f1 * v1 + f2 * v2, f1 * p.w + f2 * q.w};
    return a;
}
/* The share of it that lands at one place across; v: velocity there. */
CELL cell_part pair_part(cell_pair a, float x, float share, float v, const int way) {
    float f = a.f * share, along = a.M * share, across = f * v;
    cell_part q = {f, x * share, way == ALONG_X ? along : across, way == ALONG_X ? across : along, a.W * share};
    return q;
}

/* how much lower a neighbour is */
CELL float below(float I, float In, int dead) { return dead ? 0.0f : cell_max(0.0f, I - In); }

/* The sum of eight, opposite ones first. */
#define EIGHT(add, L, R, T, B, TL, BR, TR, BL) add(add(add(L, R), add(T, B)), add(add(TL, BR), add(TR, BL)))
CELL float add2(float a, float b) { return a + b; }
CELL float one_if(float a) { return a > 0.0f ? 1.0f : 0.0f; }
/* the mean of what `count` neighbours say together */
CELL float mean_of(float sum, float count WATCHED) { return SIGNED_RATIO_IF(count > 0.0f, sum, count, 0.0f); }

#define STAGE_surface(READ, MAPS, WRITE, SUMS) \
    READ(b0, 0) \
    READ(db, 0) \
    READ(d, 0) \
    READ(u, 0) \
    READ(v, 0) READ(w, 0) MAPS(rain_dt, 0) MAPS(shower, 0) MAPS(peak, 0) WRITE(b) WRITE(d) WRITE(I) \
        WRITE(u) WRITE(v) WRITE(w) SUMS(rained)
STAGE(surface) { /* (5-7, 13, 24) */
    float b = HERE(b0) + HERE(db);
    int dead = OUTSIDE && cell_outside(b);
    float h = relative_height(b, k.low, k.inv_relief);
    float fell = MAP(rain_dt) + MAP(shower) * (MAP(peak) * (h * h));
    float d = dead ? 0.0f : HERE(d) + fell;
    /* rain lands at rest, and velocities mix by water */
    int slows = SWITCH(at_rest) && fell > 0.0f && d > k.tiny;
    float moving = PART_IF(slows, HERE(d), d, 1.0f);
    float u = HERE(u) * moving, v = HERE(v) * moving, w = HERE(w) * moving;
    float KF = cell_max(0.0f, 1.0f - k.slope_KF * speed_of(u, v, w WATCH));
    SUM(rained, d - HERE(d));
    SET(b, b);
    SET(d, d);
    SET(u, u);
    SET(v, v);
    SET(w, w);
    SET(I, b + KF * d);
}
END_STAGE

#define STAGE_discharge(READ, MAPS, WRITE, SUMS) READ(d, 0) READ(u, 0) READ(v, 0) READ(Q, 0) WRITE(Q)
STAGE(discharge) {
    float qx = HERE(u) * k.ly, qy = HERE(v) * k.lx;
    SET(Q, HERE(Q) + HERE(d) * sqrtf(qx * qx + qy * qy));
}
END_STAGE

/* The terrain as given goes on beyond an open border in a straight line, without water. That of now would not do: what
 * digs at the border would make it steeper, and so dig more, without end. */
#define BEYOND(dx, dy) \
    (OUTSIDE && k.open && cell_outside(AT(b, dx, dy)) \
         ? (cell_outside(AT(b, -(dx), -(dy))) ? b0 : (b0 + b0) - AT(b0, -(dx), -(dy))) \
         : AT(I, dx, dy))
#define LOWER(dx, dy) below(I, BEYOND(dx, dy), dead)
#define CLOSED(dx, dy) (OUTSIDE && !k.open && cell_outside(AT(b, dx, dy)))
/* What a packet digs where it lands: at (dx, dy), or here where that is behind a wall. */
#define RATE(name, dx, dy) (CLOSED(dx, dy) ? MAP(name) : MAP_AT(name, dx, dy))
#define RATES_DIFFER (MAPPED(KS_dt) || MAPPED(KD_dt))
#define DUG(P, dx, dy) (RATES_DIFFER ? dug(P.excess, RATE(KS_dt, dx, dy), RATE(KD_dt, dx, dy)) : P.dug)
#define PAIR_DUG(A, P, Q, dx, dy) (RATES_DIFFER ? A.f1 * DUG(P, dx, dy) + A.f2 * DUG(Q, dx, dy) : A.x)
#define PAIR(P, Q, axis, at) pair_at(P, P.F *P.axis.at, P.axis.v, Q, Q.F *Q.axis.at, Q.axis.v)
#define PART(P, X, Y, dx, dy) part(P, P.F *(P.x.X * P.y.Y), DUG(P, dx, dy))
#define GATHER(X, Y, dx, dy) \
    both(both(pair_part(x_##X, PAIR_DUG(x_##X, pL, pR, dx, dy), o.y.Y, o.y.v, ALONG_X), \
              pair_part(y_##Y, PAIR_DUG(y_##Y, pT, pB, dx, dy), o.x.X, o.x.v, ALONG_Y)), \
         both(both(PART(pTL, X, Y, dx, dy), PART(pBR, X, Y, dx, dy)), \
              both(PART(pTR, X, Y, dx, dy), PART(pBL, X, Y, dx, dy))))
/* Parts for a cell behind a wall stay; `back` has them. */
#define SEND(to, X, Y, dx, dy) \
    cell_part all##to = GATHER(X, Y, dx, dy); \
    cell_part back##to = part_if(CLOSED(dx, dy), all##to); \
    all##to = part_if(!CLOSED(dx, dy), all##to); \
    STORE(to, all##to)
#define STORE(to, all) \
    SET(f##to, all.f); \
    SET(x##to, all.x); \
    SET(U##to, all.U); \
    SET(V##to, all.V); \
    SET(W##to, all.W);
#define LANDED(WRITE, to) WRITE(f##to) WRITE(x##to) WRITE(U##to) WRITE(V##to) WRITE(W##to)
#define GONE(to, dx, dy) (cell_outside(AT(b, dx, dy)) ? all##to.f : 0.0f)

#define STAGE_packets(READ, MAPS, WRITE, SUMS) \
    READ(b0, 1) \
    READ(b, 1) \
    READ(I, 1) \
    READ(d, 0) \
    READ(s, 0) \
    READ(u, 0) \
    READ(v, 0) \
    READ(w, 0) \
    MAPS(KC, 0) MAPS(KS_dt, 1) MAPS(KD_dt, 1) WRITE(c) LANDED(WRITE, 0) LANDED(WRITE, L) LANDED(WRITE, R) \
        LANDED(WRITE, T) LANDED(WRITE, B) LANDED(WRITE, TL) LANDED(WRITE, TR) LANDED(WRITE, BL) LANDED(WRITE, BR) \
            SUMS(spilled) SUMS(carried)
STAGE(packets) { /* (3, 4, 9-23): where a cell's water goes, and what it does there */
    float b0 = HERE(b0), b = HERE(b), I = HERE(I), d = HERE(d);
    int dead = OUTSIDE && cell_outside(b);
    float c = RATIO_IF(is_carried(HERE(s), d, k.tiny), HERE(s), d, 0.0f);
    float dL = LOWER(-1, 0), dR = LOWER(1, 0), dT = LOWER(0, -1), dB = LOWER(0, 1);
    float dTL = LOWER(-1, -1), dBR = LOWER(1, 1), dTR = LOWER(1, -1), dBL = LOWER(-1, 1);
    float sum = EIGHT(add2, dL, dR, dT, dB, dTL, dBR, dTR, dBL);
    int one = !(speed_of(HERE(u), HERE(v), HERE(w) WATCH) < k.v_split && sum > 0.0f);

    /* (10-12): the mean slope */
    float n_x = one_if(dL) + one_if(dR), n_y = one_if(dT) + one_if(dB);
    float n_diagonal = (one_if(dTL) + one_if(dBR)) + (one_if(dTR) + one_if(dBL));
    float nx = SWITCH(average) ? (n_x + n_y) + n_diagonal : n_x + n_diagonal;
    float ny = SWITCH(average) ? nx : n_y + n_diagonal;
    float mx = mean_of((dR - dL) + ((dTR - dTL) + (dBR - dBL)), nx WATCH) * k.inv_lx;
    float my = mean_of((dB - dT) + ((dBL - dTL) + (dBR - dTR)), ny WATCH) * k.inv_ly;

    /* A part of a packet is a product of rounded numbers; the least part is left behind so that none is more than all.
     */
    float F = d * (1.0f - 0x1p-19f);
    float share = RATIO_IF(!one, F, sum, 0.0f);
    float u = HERE(u) * k.left, v = HERE(v) * k.left, w = HERE(w) * k.left;
    int wall_l = CLOSED(-1, 0), wall_r = CLOSED(1, 0), wall_t = CLOSED(0, -1), wall_b = CLOSED(0, 1);
    cell_spread go_x = spread(u, k.cells_x, wall_l, wall_r), go_y = spread(v, k.cells_y, wall_t, wall_b);
    cell_origin o = {u,         v,         w,      c,      MAP(KC), MAP(KS_dt), MAP(KD_dt), k.g_dt,
                     k.cells_x, k.cells_y, wall_l, wall_r, wall_t,  wall_b,     go_x,       go_y};
    cell_packet pL = packet(o, share * dL, -(dL * k.inv_lx), 0.0f, ALONG_X WATCH);
    cell_packet pR = packet(o, share * dR, dR * k.inv_lx, 0.0f, ALONG_X WATCH);
    cell_packet pT = packet(o, share * dT, 0.0f, -(dT * k.inv_ly), ALONG_Y WATCH);
    cell_packet pB = packet(o, share * dB, 0.0f, dB * k.inv_ly, ALONG_Y WATCH);
    cell_packet pTL = packet(o, one ? F : share * dTL, one ? mx : -(dTL * k.corner_x), one ? my : -(dTL * k.corner_y),
                             ANYWHERE WATCH);
    cell_packet pBR = packet(o, share * dBR, dBR * k.corner_x, dBR * k.corner_y, ANYWHERE WATCH);
    cell_packet pTR = packet(o, share * dTR, dTR * k.corner_x, -(dTR * k.corner_y), ANYWHERE WATCH);
    cell_packet pBL = packet(o, share * dBL, -(dBL * k.corner_x), dBL * k.corner_y, ANYWHERE WATCH);
    cell_pair x_before = PAIR(pL, pR, x, before), x_here = PAIR(pL, pR, x, here), x_after = PAIR(pL, pR, x, after);
    cell_pair y_before = PAIR(pT, pB, y, before), y_here = PAIR(pT, pB, y, here), y_after = PAIR(pT, pB, y, after);

    SET(c, c);
    SEND(L, before, here, -1, 0)
    SEND(R, after, here, 1, 0)
    SEND(T, here, before, 0, -1)
    SEND(B, here, after, 0, 1)
    SEND(TL, before, before, -1, -1)
    SEND(BR, after, after, 1, 1)
    SEND(TR, after, before, 1, -1)
    SEND(BL, before, after, -1, 1)
    cell_part own = GATHER(here, here, 0, 0);
    if (OUTSIDE) own = both(own, EIGHT(both, backL, backR, backT, backB, backTL, backBR, backTR, backBL));
    STORE(0, own)
    if (OUTSIDE) {
        float spilled = EIGHT(add2, GONE(L, -1, 0), GONE(R, 1, 0), GONE(T, 0, -1), GONE(B, 0, 1), GONE(TL, -1, -1),
                              GONE(BR, 1, 1), GONE(TR, 1, -1), GONE(BL, -1, 1));
        SUM(spilled, spilled);
        SUM(carried, spilled * c);
    }
}
END_STAGE

/* s plus what is added, as a float32 from 0 up, and the rounding error of that sum. Without the error, many small
 * additions would be lost one by one. */
typedef struct cell_sum {
    float s, rest;
} cell_sum;

CELL cell_sum sum_of(float s, float more) {
    cell_sum a;
    float sum = s + more;
    float got = sum - s;
    float left = (s - (sum - got)) + (more - got);
    a.s = cell_max(0.0f, sum);
    a.rest = left + (sum - a.s);
    return a;
}

/* what arrives of a kind, from all eight sides */
#define ARRIVES(q) \
    EIGHT(add2, AT(q##R, -1, 0), AT(q##L, 1, 0), AT(q##B, 0, -1), AT(q##T, 0, 1), AT(q##BR, -1, -1), AT(q##TL, 1, 1), \
          AT(q##BL, 1, -1), AT(q##TR, -1, 1))
#define SEDIMENT(f, dx, dy) (AT(f, dx, dy) * AT(c, dx, dy))
/* the water's surface beside a cell; below all where that lies outside */
#define SURFACE(dx, dy) (OUTSIDE && cell_outside(AT(I, dx, dy)) ? -WALL : AT(I, dx, dy))
#define LANDS(READ, to) READ(f##to, 1) READ(x##to, 1) READ(U##to, 1) READ(V##to, 1) READ(W##to, 1)

#define STAGE_land(READ, MAPS, WRITE, SUMS) \
    READ(b0, 0) \
    READ(b, 0) \
    READ(I, 1) \
    READ(db, 0) \
    READ(d, 0) \
    READ(s, 0) \
    READ(rest, 0) \
    READ(c, 1) \
    READ(f0, 0) \
    READ(x0, 0) READ(U0, 0) READ(V0, 0) READ(W0, 0) LANDS(READ, L) LANDS(READ, R) LANDS(READ, T) LANDS(READ, B) \
        LANDS(READ, TL) LANDS(READ, TR) LANDS(READ, BL) LANDS(READ, BR) WRITE(db) WRITE(d1) WRITE(s1) WRITE(rest1) \
            WRITE(c1) WRITE(u1) WRITE(v1) WRITE(w1) WRITE(I1)
STAGE(land) { /* (5-7, 20-23) */
    int dead = OUTSIDE && cell_outside(HERE(b));
    float out = EIGHT(add2, HERE(fL), HERE(fR), HERE(fT), HERE(fB), HERE(fTL), HERE(fBR), HERE(fTR), HERE(fBL));
    float in = ARRIVES(f);
    float brought = EIGHT(add2, SEDIMENT(fR, -1, 0), SEDIMENT(fL, 1, 0), SEDIMENT(fB, 0, -1), SEDIMENT(fT, 0, 1),
                          SEDIMENT(fBR, -1, -1), SEDIMENT(fTL, 1, 1), SEDIMENT(fBL, 1, -1), SEDIMENT(fTR, -1, 1));
    float d1 = dead ? 0.0f : cell_max(0.0f, (HERE(d) - out) + in);
    float taken = EIGHT(add2, SEDIMENT(fL, 0, 0), SEDIMENT(fR, 0, 0), SEDIMENT(fT, 0, 0), SEDIMENT(fB, 0, 0),
                        SEDIMENT(fTL, 0, 0), SEDIMENT(fBR, 0, 0), SEDIMENT(fTR, 0, 0), SEDIMENT(fBL, 0, 0));
    cell_sum s1 = sum_of(HERE(s), dead ? 0.0f : (brought - taken) + HERE(rest));
    float all = HERE(f0) + in;
    float per = RATIO_IF(all > k.tiny && !dead, 1.0f, all, 0.0f);
    /* A deposit ends at the highest water beside it. */
    float highest = EIGHT(cell_max, SURFACE(-1, 0), SURFACE(1, 0), SURFACE(0, -1), SURFACE(0, 1), SURFACE(-1, -1),
                          SURFACE(1, 1), SURFACE(1, -1), SURFACE(-1, 1));
    float change = cell_max(HERE(x0) + ARRIVES(x), cell_min(0.0f, HERE(b) - highest));
    cell_transfer t = transfer(HERE(db), s1.s, dead ? 0.0f : change);
    cell_sum s2 = sum_of(s1.s, t.moved);
    SET(db, t.db);
    SET(d1, d1);
    SET(s1, t.s);
    SET(rest1, s1.rest + s2.rest);
    SET(c1, RATIO_IF(is_carried(t.s, d1, k.tiny), t.s, d1, 0.0f));
    SET(u1, (HERE(U0) + ARRIVES(U)) * per);
    SET(v1, (HERE(V0) + ARRIVES(V)) * per);
    SET(w1, (HERE(W0) + ARRIVES(W)) * per);
    SET(I1, (HERE(b0) + t.db) + d1);
}
END_STAGE

/* What comes from a neighbour by mixing, negative what goes: water, sediment; and how much its velocity counts. */
typedef struct cell_mixing {
    float f, s, weight;
} cell_mixing;

CELL cell_mixing mixing(float I, float d, float s, float c, float In, float dn, float sn, float cn, float k, float kv,
                        int smooth, int outside) {
    cell_mixing m;
    float over = In - I;
    float f = k * (smooth ? dn - d : cell_max(-d, cell_min(over, dn)));
    float common = kv * cell_min(d, dn);
    float moved = f * (f > 0.0f ? cn : c) + common * (cn - c);
    m.f = outside ? 0.0f : f;
    m.s = outside ? 0.0f : smooth ? k * (sn - s) : moved;
    m.weight = outside ? 0.0f : smooth ? kv : cell_max(0.0f, f) + common;
    return m;
}

/* The sediment of a cell that dries falls on its bed: what float32 can make of it, and no more than there is. */
CELL cell_transfer settle(float db, float s) {
    float over = ((db + s) - db) - s;
    return transfer(db, s, over > 0.0f ? -cell_max(0.0f, s - over) : -s);
}

/* In water that comes to rest it fades by the same share at every step: less than 1e-12 m/s is none, or it would go on
 * to denormal numbers. */
CELL float velocity(float v, int dry) { return dry || (v < 1e-12f && v > -1e-12f) ? 0.0f : v; }

#define MIXING(dx, dy) \
    mixing(I, d, s, c, AT(I1, dx, dy), AT(d1, dx, dy), AT(s1, dx, dy), AT(c1, dx, dy), k.k, k.kv, SWITCH(smooth), \
           dead || (OUTSIDE && cell_outside(AT(I1, dx, dy))))
#define DRAG(q, own) \
    ((L.weight * (AT(q, -1, 0) - own) + R.weight * (AT(q, 1, 0) - own)) + \
     (T.weight * (AT(q, 0, -1) - own) + B.weight * (AT(q, 0, 1) - own)))

#define STAGE_mix(READ, MAPS, WRITE, SUMS) \
    READ(I1, 1) \
    READ(d1, 1) \
    READ(s1, 1) \
    READ(rest1, 0) \
    READ(c1, 1) \
    READ(u1, 1) \
    READ(v1, 1) \
    READ(w1, 1) \
    READ(b, 0) READ(db, 0) MAPS(KE_dt, 0) MAPS(evaporated, 0) MAPS(mask, 0) WRITE(db) WRITE(d) WRITE(s) WRITE(rest) \
        WRITE(u) WRITE(v) WRITE(w) SUMS(evaporated)
STAGE(mix) { /* ours for the diffusion; then (25) */
    float I = HERE(I1), d = HERE(d1), s = HERE(s1), c = HERE(c1), u = HERE(u1), v = HERE(v1), w = HERE(w1);
    int dead = OUTSIDE && cell_outside(I);
    cell_mixing L = MIXING(-1, 0), R = MIXING(1, 0), T = MIXING(0, -1), B = MIXING(0, 1);
    float d2 = cell_max(0.0f, d + ((L.f + R.f) + (T.f + B.f)));
    cell_sum s2 = sum_of(s, ((L.s + R.s) + (T.s + B.s)) + HERE(rest1));
    float inverse = RATIO_IF(d2 > k.tiny, 1.0f, d2, 0.0f);
    float per = SWITCH(smooth) ? 1.0f : inverse;
    float h = relative_height(HERE(b), k.low, k.inv_relief);
    float exponent = MAP(KE_dt) * (k.anywhere + (k.high * h + k.lowland * cell_max(0.0f, 1.0f - h)));
    float decayed = d2 * exp_negative(exponent WATCH);
    float left = SWITCH(surface) ? cell_max(0.0f, d2 - MAP(evaporated)) : decayed;
    int dry = dead | (d2 < k.eps) | !(left > 0.0f);
    int falls = dry & (MAP(mask) > 0.0f);
    cell_transfer t = settle(HERE(db), falls ? s2.s : 0.0f);
    left = dry ? 0.0f : left;
    SUM(evaporated, d2 - left);
    SET(db, t.db);
    SET(d, left);
    SET(s, falls ? t.s : s2.s);
    SET(rest, s2.rest);
    SET(u, velocity(u + DRAG(u1, u) * per, dry));
    SET(v, velocity(v + DRAG(v1, v) * per, dry));
    SET(w, velocity(w + DRAG(w1, w) * per, dry));
}
END_STAGE

#define STAGE_speed(READ, MAPS, WRITE, SUMS) READ(d, 0) READ(u, 0) READ(v, 0) READ(w, 0) WRITE(speed)
STAGE(speed) { SET(speed, HERE(d) > 0.0f ? speed_of(HERE(u), HERE(v), HERE(w) WATCH) : 0.0f); }
END_STAGE
