/* pipes_stages.h: the stages that mei2007 and jako2011 share: water, flow, transport, and measured fields. Each
 * declares the fields it reads (with a radius), the maps it reads, the fields it writes, and its sums for the mass
 * balance. Equation numbers are of Mei, Decaudin, Hu 2007. */

#define HYDRAULIC 1u
#define THERMAL 2u
#define FLUX 4u
#define SEMI 8u
#define FOUR 16u
#define EIGHT 32u
#define SEA 64u
#define SOAKS 128u
#define TRACKS 256u
#define LATERAL 512u

#define OUT(dx, dy) cell_outside(AT(b, dx, dy))
#define FLUXES(READ) READ(fL, 1) READ(fR, 1) READ(fT, 1) READ(fB, 1)
#define FOUR_FLUXES \
    { HERE(fL), HERE(fR), HERE(fT), HERE(fB), AT(fR, -1, 0), AT(fL, 1, 0), AT(fB, 0, -1), AT(fT, 0, 1) }
/* Eight pipes keep the net flux to the right in fR, below in fB, below right in fT and below left in fL. */
#define FACES(LIST, L, R, T, B) LIST(R, ROW) LIST(B, UPPER) LIST(T, UPPER) LIST(L, UPPER)
#define FACES_OF(L, R, T, B) \
    { HERE(R), HERE(B), HERE(T), HERE(L), AT(R, -1, 0), AT(B, 0, -1), AT(T, -1, -1), AT(L, 1, -1) }
#define EIGHT_FACES FACES_OF(fL, fR, fT, fB)
#define THROUGH \
    cell_fluxes four = FOUR_FLUXES; \
    cell_faces faces = EIGHT_FACES; \
    cell_through t = SWITCH(eight) ? through_faces(faces) : through_pipes(four);

#define STAGE_water(READ, MAPS, WRITE, SUMS) \
    READ(b0, 0) READ(db, 0) READ(d, 0) MAPS(rain_dt, 0) WRITE(b) WRITE(d) WRITE(H) SUMS(rained)
STAGE(water) { /* (1) */
    float b = HERE(b0) + HERE(db);
    float d1 = OUTSIDE && cell_outside(b) ? 0.0f : HERE(d) + MAP(rain_dt);
    SUM(rained, d1 - HERE(d));
    SET(b, b);
    SET(d, d1);
    SET(H, b + d1);
}
END_STAGE

#define STAGE_infiltrate(READ, MAPS, WRITE, SUMS) \
    READ(b, 0) READ(d, 0) READ(soaked, 0) READ(owed, 0) MAPS(soak, 0) MAPS(suction, 0) \
    WRITE(d) WRITE(H) WRITE(soaked) WRITE(owed) SUMS(infiltrated)
STAGE(infiltrate) { /* ours: Green and Ampt 1911; the sea's own water stays */
    float b = HERE(b), d = HERE(d);
    float below = SWITCH(tide) ? cell_most(0.0f, cell_least(d, k.sea - b)) : 0.0f;
    cell_ground ground =
        infiltrate(d - below, HERE(soaked), HERE(owed), soaking(MAP(soak), MAP(suction), HERE(soaked)));
    float left = below + ground.d;
    SUM(infiltrated, d - left);
    SET(d, left);
    SET(H, b + left);
    SET(soaked, ground.soaked);
    SET(owed, ground.owed);
}
END_STAGE

#define STAGE_flow(READ, MAPS, WRITE, SUMS) \
    READ(b0, 0) \
    READ(b, 1) \
    READ(H, 1) \
    READ(d, 0) \
    READ(fL, 0) \
    READ(fR, 0) \
    READ(fT, 0) \
    READ(fB, 0) \
    MAPS(gain_x, 0) \
    MAPS(gain_y, 0) MAPS(drag_x, 0) MAPS(drag_y, 0) WRITE(fL) WRITE(fR) WRITE(fT) WRITE(fB) SUMS(spilled)
/* The ground outside, or the sea that stands on it. */
#define LEVEL_OUTSIDE (OUTSIDE ? cell_most(HERE(b0), k.sea) : HERE(b0))
#define PIPE(f, dx, dy, axis) \
    pipe_of(HERE(f), H, beyond(AT(H, dx, dy), AT(b, dx, dy), LEVEL_OUTSIDE, OUTSIDE &&k.open), b, \
            beyond(AT(b, dx, dy), AT(b, dx, dy), HERE(b0), OUTSIDE &&k.open), MAP(gain_##axis), k.area_gain_##axis, \
            MAP(drag_##axis), k.f_min, k.d_floor, k.inv_d_cf, SWITCH(friction), SWITCH(manning), SWITCH(depth_area))
STAGE(flow) { /* (2-5); an outside cell counts as far below, so nothing flows from it */
    float b = HERE(b), H = OUTSIDE && cell_outside(b) ? -WALL : HERE(H);
    cell_pair across = pipe_fluxes(PIPE(fL, -1, 0, x), PIPE(fR, 1, 0, x), SWITCH(friction) WATCH);
    cell_pair down = pipe_fluxes(PIPE(fT, 0, -1, y), PIPE(fB, 0, 1, y), SWITCH(friction) WATCH);
    float L = across.a, R = across.b, T = down.a, B = down.b;
    float K = pipe_limit(((L + R) + (T + B)) * k.dt_area, HERE(d) WATCH);
    L = L * K;
    R = R * K;
    T = T * K;
    B = B * K;
    SET(fL, L);
    SET(fR, R);
    SET(fT, T);
    SET(fB, B);
    if (OUTSIDE) SUM(spilled, SPILL(L, R, T, B) * k.dt_area);
}
END_STAGE

/* --- eight pipes: the flow in two stages, push and ease --- */

#define STAGE_push(READ, MAPS, WRITE, SUMS) \
    READ(b, LOWER) \
    READ(H, LOWER) \
    READ(fL, 0) READ(fR, 0) READ(fT, 0) READ(fB, 0) MAPS(cap, 1) WRITE(pL) WRITE(pR) WRITE(pT) WRITE(pB)
#define PUSH(f, dx, dy, axis) \
    face_push(HERE(f), HERE(H), AT(H, dx, dy), HERE(b), AT(b, dx, dy), k.face_gain_##axis, \
              0.5f * (MAP(cap) + MAP_AT(cap, dx, dy)), k.f_min, !SWITCH(even_area))
STAGE(push) { /* a face belongs to the cell on its left or above it; no flow if either cell is outside */
    float right = PUSH(fR, 1, 0, x), below = PUSH(fB, 0, 1, y);
    float diagonal = PUSH(fT, 1, 1, d), anti = PUSH(fL, -1, 1, d);
    SET(pL, anti);
    SET(pR, right);
    SET(pT, diagonal);
    SET(pB, below);
}
END_STAGE

#define STAGE_ease(READ, MAPS, WRITE, SUMS) READ(d, 0) FACES(READ, pL, pR, pT, pB) MAPS(drag, 0) WRITE(K)
STAGE(ease) { /* friction, and (4): no more flows out than the cell holds */
    cell_faces f = FACES_OF(pL, pR, pT, pB);
    cell_through t = through_faces(f);
    SET(K, eased(HERE(d), t.x * k.half_inv_ly, t.y * k.half_inv_lx, faces_out(f) * k.dt_area, MAP(drag), k.inv_d_cf,
                 k.froude2_g, k.d_min, SWITCH(friction), SWITCH(manning) WATCH));
}
END_STAGE

/* A face's flux is its push times the factor K of the cell upstream. Stages that need the fluxes of all faces compute
 * them again. That is cheaper than to wait for the neighbours' results. */
#define EASED_READS(READ) FACES(READ, pL, pR, pT, pB) READ(K, 1)
#define EASED_FACES \
    { \
        upstream(HERE(pR), HERE(K), AT(K, 1, 0)), upstream(HERE(pB), HERE(K), AT(K, 0, 1)), \
            upstream(HERE(pT), HERE(K), AT(K, 1, 1)), upstream(HERE(pL), HERE(K), AT(K, -1, 1)), \
            upstream(AT(pR, -1, 0), AT(K, -1, 0), HERE(K)), upstream(AT(pB, 0, -1), AT(K, 0, -1), HERE(K)), \
            upstream(AT(pT, -1, -1), AT(K, -1, -1), HERE(K)), upstream(AT(pL, 1, -1), AT(K, 1, -1), HERE(K)) \
    }
#define SET_FACES(f) \
    SET(fL, f.anti); \
    SET(fR, f.right); \
    SET(fT, f.diagonal); \
    SET(fB, f.below);

#define VELOCITY(t, gained) \
    cell_flow q = flow_through(HERE(d), depth_after(HERE(d), gained, k.dt_area), t, k.inv_lx, k.inv_ly, k.floor2, \
                               k.cut2, SWITCH(cut)); \
    SET(u, q.x / q.depth * k.dt_inv_lx); \
    SET(v, q.y / q.depth * k.dt_inv_ly);

#define STAGE_velocity(READ, MAPS, WRITE, SUMS) FLUXES(READ) READ(d, 0) WRITE(u) WRITE(v)
STAGE(velocity) { /* (8, 9), for the semi-Lagrangian transport */
    cell_fluxes f = FOUR_FLUXES;
    VELOCITY(through_pipes(f), gain_of_pipes(f))
}
END_STAGE

#define STAGE_velocity_eight(READ, MAPS, WRITE, SUMS) EASED_READS(READ) READ(d, 0) WRITE(u) WRITE(v)
STAGE(velocity_eight) {
    cell_faces f = EASED_FACES;
    VELOCITY(through_faces(f), gain_of_faces(f))
}
END_STAGE

/* A model defines ERODING, what its erosion reads and writes, and ERODE, its formulas, before it includes this file. */
#define STAGE_erosion(READ, MAPS, WRITE, SUMS) FLUXES(READ) ERODING(READ, MAPS, WRITE, SUMS)
STAGE(erosion) {
    cell_fluxes f = FOUR_FLUXES;
    ERODE(through_pipes(f), gain_of_pipes(f))
}
END_STAGE

#define STAGE_erosion_eight(READ, MAPS, WRITE, SUMS) \
    EASED_READS(READ) MAPS(Kl, 0) WRITE(fL) WRITE(fR) WRITE(fT) WRITE(fB) WRITE(w) ERODING(READ, MAPS, WRITE, SUMS)
STAGE(erosion_eight) {
    cell_faces f = EASED_FACES;
    cell_through t = through_faces(f);
    if (OUTSIDE) t = near_outside(t, OUT(-1, 0), OUT(1, 0), OUT(0, -1), OUT(0, 1));
    ERODE(t, gain_of_faces(f))
    SET_FACES(f)
    float out = (k.out_x * out_across(f) + k.out_y * out_down(f)) + k.out_d * out_corners(f);
    SET(w, cell_least(MAP(Kl) * (out * moving), k.most_w)); /* for `roll` */
}
END_STAGE

#define STAGE_transport(READ, MAPS, WRITE, SUMS) READ(b, 1) FLUXES(READ) READ(sq, 1) READ(s, 0) WRITE(s) SUMS(carried)
STAGE(transport) { /* ours for (14): sediment moves with the water from one cell to the next */
    cell_fluxes f = FOUR_FLUXES;
    float s = HERE(s), sq = HERE(sq);
    float in = (f.iL * AT(sq, -1, 0) + f.iR * AT(sq, 1, 0)) + (f.iT * AT(sq, 0, -1) + f.iB * AT(sq, 0, 1));
    /* no more leaves than the cell holds; the limit matters for denormal numbers, which round coarsely */
    SET(s, OUTSIDE && cell_outside(HERE(b)) ? 0.0f : cell_most(0.0f, s + (in - fluxes_out(f) * sq)));
    if (OUTSIDE) SUM(carried, SPILL(f.L, f.R, f.T, f.B) * sq);
}
END_STAGE

#define STAGE_transport_eight(READ, MAPS, WRITE, SUMS) FACES(READ, fL, fR, fT, fB) READ(sq, 1) READ(s, 0) WRITE(s)
STAGE(transport_eight) { /* the same for eight pipes, through the faces */
    cell_faces f = EIGHT_FACES;
    float s = HERE(s), sq = HERE(sq);
    float across = upstream(f.left, AT(sq, -1, 0), sq) - upstream(f.right, sq, AT(sq, 1, 0));
    float down = upstream(f.above, AT(sq, 0, -1), sq) - upstream(f.below, sq, AT(sq, 0, 1));
    float diagonal = upstream(f.diagonal_in, AT(sq, -1, -1), sq) - upstream(f.diagonal, sq, AT(sq, 1, 1));
    float anti = upstream(f.anti_in, AT(sq, 1, -1), sq) - upstream(f.anti, sq, AT(sq, -1, 1));
    SET(s, cell_most(0.0f, s + ((across + down) + (diagonal + anti))));
}
END_STAGE

#define STAGE_outfall(READ, MAPS, WRITE, SUMS) \
    READ(b0, 1) READ(b, 0) READ(d, 0) READ(s, 0) MAPS(ease, 0) WRITE(d) WRITE(s) SUMS(spilled) SUMS(carried)
#define FALLS(dx, dy, axis) \
    outfall(b + d, b, HERE(b0), AT(b0, dx, dy), AT(b0, -(dx), -(dy)), k.width_##axis, k.inv_l##axis, k.g, ease, \
            k.d_min WATCH)
STAGE(outfall) { /* eight pipes: what leaves over an open border */
    float d = HERE(d), s = HERE(s), b = HERE(b);
    float left = d, kept = s;
    if (OUTSIDE) {
        float ease = ease_at(d, MAP(ease), k.inv_d_cf, SWITCH(manning));
        float flow = ((FALLS(-1, 0, x) + FALLS(1, 0, x)) + (FALLS(0, -1, y) + FALLS(0, 1, y))) +
                     ((FALLS(-1, -1, d) + FALLS(1, 1, d)) + (FALLS(1, -1, d) + FALLS(-1, 1, d)));
        left = d - (k.open && !(b < k.sea) ? cell_least(d, flow * k.dt_area) : 0.0f);
        kept = s * PART_IF(left < d, left, d, 1.0f);
        SUM(spilled, d - left);
        SUM(carried, s - kept);
    }
    SET(d, left);
    SET(s, kept);
}
END_STAGE

#define STAGE_shore(READ, MAPS, WRITE, SUMS) \
    READ(b0, 1) READ(db, 0) READ(d, 0) READ(s, 0) WRITE(d) WRITE(s) SUMS(spilled) SUMS(carried)
#define BEYOND(dx, dy) cell_outside(AT(b0, dx, dy))
STAGE(shore) { /* the sea holds the water at an open border at its level, where the bed is lower */
    float d = HERE(d), s = HERE(s), b = HERE(b0) + HERE(db);
    float left = d, kept = s;
    if (OUTSIDE) {
        int borders = (BEYOND(-1, 0) || BEYOND(1, 0)) || (BEYOND(0, -1) || BEYOND(0, 1));
        int held = borders && b < k.sea;
        left = held ? k.sea - b : d;
        kept = s * PART_IF(left < d, left, d, 1.0f);
        SUM(spilled, d - left);
        SUM(carried, s - kept);
    }
    SET(d, left);
    SET(s, kept);
}
END_STAGE

#define STAGE_advect(READ, MAPS, WRITE, SUMS) READ(b, 1) READ(s, 1) READ(u, 0) READ(v, 0) WRITE(sq) SUMS(advected)
#define UPSTREAM(dx, dy) (OUTSIDE && cell_outside(AT(b, dx, dy)) ? s : AT(s, dx, dy))
#define CORNER(dx, dy) \
    (OUTSIDE && k.stops > 0.0f ? at_corner(UPSTREAM(dx, dy), in_x, in_y, OUT(dx, 0), OUT(0, dy), OUT(dx, dy)) \
                               : UPSTREAM(dx, dy))
STAGE(advect) { /* (14) */
    float s = HERE(s);
    int left = HERE(u) > 0.0f, up = HERE(v) > 0.0f;
    float in_x = left ? UPSTREAM(-1, 0) : UPSTREAM(1, 0);
    float in_y = up ? UPSTREAM(0, -1) : UPSTREAM(0, 1);
    float in_xy = up ? (left ? CORNER(-1, -1) : CORNER(1, -1)) : (left ? CORNER(-1, 1) : CORNER(1, 1));
    float new_s = bilinear(s, in_x, in_y, in_xy, cell_abs1(HERE(u)), cell_abs1(HERE(v)));
    new_s = OUTSIDE && cell_outside(HERE(b)) ? 0.0f : new_s;
    SUM(advected, new_s - s);
    SET(sq, new_s);
}
END_STAGE

#define STAGE_advected(READ, MAPS, WRITE, SUMS) READ(sq, 0) WRITE(s)
STAGE(advected) { SET(s, HERE(sq)); }
END_STAGE

/* --- lateral transport: moving sediment rolls down the bed's slope, so that channels have banks and a width --- */

#define STAGE_roll(READ, MAPS, WRITE, SUMS) READ(b, 1) READ(db, 0) READ(s, 0) READ(w, 1) MAPS(Kl, 1) WRITE(db) WRITE(s)
/* The height that comes from a neighbour; nothing if either cell is outside or masked. */
#define ROLL(dx, dy) \
    ((OUTSIDE && OUT(dx, dy)) || !(MAP_AT(Kl, dx, dy) > 0.0f) \
         ? 0.0f \
         : (HERE(w) + AT(w, dx, dy)) * (AT(b, dx, dy) - b))
STAGE(roll) { /* ours, after Ikeda 1982: as diffusion, through the four sides; what float32 cannot add to db goes to s */
    float b = HERE(b), db = HERE(db);
    float across = ROLL(-1, 0) + ROLL(1, 0), down = ROLL(0, -1) + ROLL(0, 1);
    int stays = (OUTSIDE && cell_outside(b)) || !(MAP(Kl) > 0.0f);
    float gained = stays ? 0.0f : k.roll_x * across + k.roll_y * down;
    float db1 = db + gained;
    SET(db, db1);
    SET(s, cell_most(0.0f, HERE(s) + (gained - (db1 - db))));
}
END_STAGE

#define STAGE_discharge(READ, MAPS, WRITE, SUMS) FLUXES(READ) READ(Q, 0) WRITE(Q)
STAGE(discharge) {
    THROUGH
    float Wx = t.x, Wy = t.y;
    float dx = Wx * k.dt_area, dy = Wy * k.dt_area, least = k.d_min * 2e-3f; /* twice a depth a step, m */
    int flows = dx * dx + dy * dy > least * least;                           /* denormal numbers are slow */
    SET(Q, HERE(Q) + 0.5f * ROOT(flows ? Wx * Wx + Wy * Wy : 0.0f));
}
END_STAGE

#define STAGE_speed(READ, MAPS, WRITE, SUMS) FLUXES(READ) READ(d, 0) WRITE(speed)
STAGE(speed) { /* (9), with the water at the end of the step */
    THROUGH
    cell_flow q = flow_through(HERE(d), HERE(d), t, k.inv_lx, k.inv_ly, k.floor2, k.cut2, SWITCH(cut));
    SET(speed, sqrtf(q.x * q.x + q.y * q.y) / q.depth);
}
END_STAGE
