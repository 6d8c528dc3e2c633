typedef struct sweep {
    float r_b0[3][COLUMNS];
    float r_db[3][COLUMNS];
    float r_d[3][COLUMNS];
    float r_s[2][COLUMNS];
    float r_b[4][COLUMNS + 2];
    float r_H[4][COLUMNS + 2];
    float r_q[3][COLUMNS + 2];
    float r_c[3][COLUMNS + 2];
    total s_rained;
    total s_evaporated;
    total s_spilled;
    total s_carried;
    GLOBAL const float *now; /* state: the row that is loaded next */
    GLOBAL const float *at_b0;
    GLOBAL float *next; /* state: the row that the sweep is at */
    shared_address prefetched, incoming, outgoing, spilled; /* as in tile */
    neighbour_lanes lanes;
    extremes watch;
} sweep;

CELL void sweep_begin(sweep *sweep, const tile tile, const int t, LOCAL float *all,
    GLOBAL const float *now,
    GLOBAL float *next,
    GLOBAL const float *g_b0,
    GLOBAL const float *in_Q,
    GLOBAL float *out_Q,
    const grid g) {
    const wide line = line_of(tile, t, g);
    (void)line;
    const wide block = (wide)(t + MARGIN_ROWS) * (FIELDS * PITCH) + FIRST_OF(tile.at);
    sweep->now = now + block;
    sweep->next = next + block;
    sweep->at_b0 = g_b0 + line;
    sweep->prefetched = shared_address_of(all + tile.prefetched);
    sweep->incoming = shared_address_of(all + tile.incoming);
    sweep->outgoing = shared_address_of(all + tile.outgoing);
    sweep->spilled = shared_address_of(all + tile.spilled);
    sweep->lanes = lanes_of(all + EXCHANGED_FROM);
}

CELL void sweep_advance(sweep *sweep, const grid g) {
    sweep->now += FIELDS * PITCH;
    sweep->at_b0 += PITCH;
}

/* Starts the loads for row t. line: its offset in fields with buffers of their own. */
CELL void sweep_prefetch(sweep *sweep, const int FIRST, const int due, const int t, const wide line, const int needed,
    GLOBAL const float *now,
    GLOBAL float *next,
    GLOBAL const float *g_b0,
    GLOBAL const float *in_Q,
    GLOBAL float *out_Q,
    const grid g) {
    if (needed) {
    LOAD_ASYNC(SHARED_AT(sweep->prefetched, LOADED_ROW(t, 0)), sweep->at_b0, -0 * PITCH);
    if (due) LOAD_ASYNC(SHARED_AT(sweep->prefetched, LOADED_ROW(t, 1)), in_Q + line, -2 * PITCH);
    if (FIRST) {
    LOAD_ASYNC(SHARED_AT(sweep->prefetched, LOADED_ROW(t, 2)), sweep->now, 0 * BLOCK_COLUMNS - 0 * FIELDS * PITCH);
    LOAD_ASYNC(SHARED_AT(sweep->prefetched, LOADED_ROW(t, 3)), sweep->now, 1 * BLOCK_COLUMNS - 0 * FIELDS * PITCH);
    LOAD_ASYNC(SHARED_AT(sweep->prefetched, LOADED_ROW(t, 4)), sweep->now, 2 * BLOCK_COLUMNS - 1 * FIELDS * PITCH);
    }
    }
    async_mark();
    sweep_advance(sweep, g);
}

/* Row t of one sub-step's sweep. Rows up to `beyond` outside the work item are needed. WHOLE: every stage works on a
 * row of the work item itself. */
CELL void sweep_row(sweep *sweep, const int FIRST, const int LAST, const int BORDER, const int EXACT,
    const int WHOLE, const int DUE, const int due, const int beyond, const int t,
    const tile tile,
    GLOBAL const float *now,
    GLOBAL float *next,
    GLOBAL const float *g_b0,
    GLOBAL const float *in_Q,
    GLOBAL float *out_Q,
    const constants k, const grid g) {
    const wide line = line_of(tile, t, g);
    (void)line;
    SHIFT(sweep->r_b0, 2)
    SHIFT(sweep->r_b0, 1)
    SHIFT(sweep->r_db, 2)
    SHIFT(sweep->r_db, 1)
    SHIFT(sweep->r_d, 2)
    SHIFT(sweep->r_d, 1)
    SHIFT(sweep->r_s, 1)
    SHIFT(sweep->r_b, 3)
    SHIFT(sweep->r_b, 2)
    SHIFT(sweep->r_b, 1)
    SHIFT(sweep->r_H, 3)
    SHIFT(sweep->r_H, 2)
    SHIFT(sweep->r_H, 1)
    SHIFT(sweep->r_q, 2)
    SHIFT(sweep->r_q, 1)
    SHIFT(sweep->r_c, 2)
    SHIFT(sweep->r_c, 1)
    if (PREFETCH > 0) async_wait();
    if (PREFETCH > 0) load_local(&sweep->r_b0[0][0], SHARED_AT(sweep->prefetched, LOADED_ROW(t, 0)));
    else load_row(&sweep->r_b0[0][0], sweep->at_b0 + -0 * PITCH);
    if (PREFETCH > 0 || !FIRST) load_local(&sweep->r_db[0][0], SHARED_AT(sweep->incoming, LOADED_ROW(t, 2)));
    else load_interleaved(&sweep->r_db[0][0], sweep->now + 0 * BLOCK_COLUMNS - 0 * FIELDS * PITCH, tile.at);
    if (PREFETCH > 0 || !FIRST) load_local(&sweep->r_d[0][0], SHARED_AT(sweep->incoming, LOADED_ROW(t, 3)));
    else load_interleaved(&sweep->r_d[0][0], sweep->now + 1 * BLOCK_COLUMNS - 0 * FIELDS * PITCH, tile.at);
    if (PREFETCH > 0 || !FIRST) load_local(&sweep->r_s[0][0], SHARED_AT(sweep->incoming, LOADED_ROW(t, 4)));
    else load_interleaved(&sweep->r_s[0][0], sweep->now + 2 * BLOCK_COLUMNS - 1 * FIELDS * PITCH, tile.at);
    if (PREFETCH > 0) sweep_prefetch(sweep, FIRST, due, t + PREFETCH, line + PREFETCH * PITCH,
        WHOLE || t + PREFETCH < tile.y1 + beyond + LAG, now, next, g_b0, in_Q, out_Q, g);
    else sweep_advance(sweep, g);
    if (1 && (WHOLE || is_within(t - 0, beyond + 2, tile))) { /* surface */
        const int y = t - 0, ours = WHOLE || is_within(y, 0, tile);
        const wide at = line - 0 * PITCH;
        surface_results made[COLUMNS];
        UNROLL
        for (int i = 0; i < COLUMNS; i++)
            made[i] = surface_cell(near_here(sweep->r_b0[0][i + 0]), near_here(sweep->r_db[0][i + 0]), near_here(sweep->r_d[0][i + 0]), k, BORDER WATCHING(sweep->watch, EXACT));
        UNROLL
        for (int i = 0; i < COLUMNS; i++) {
            const surface_results results = made[i];
            sweep->r_b[0][i + 1] = results.b;
            sweep->r_H[0][i + 1] = results.H;
        }
        (void)ours, (void)at;
        exchange(&sweep->lanes, sweep->r_b[0]);
        exchange(&sweep->lanes, sweep->r_H[0]);
    }
    if (1 && (WHOLE || is_within(t - 1, beyond + 1, tile))) { /* outflow */
        const int y = t - 1, ours = WHOLE || is_within(y, 0, tile);
        const wide at = line - 1 * PITCH;
        float sum_spilled[COLUMNS];
        float sum_carried[COLUMNS];
        outflow_results made[COLUMNS];
        UNROLL
        for (int i = 0; i < COLUMNS; i++)
            made[i] = outflow_cell(near_here(sweep->r_b0[1][i + 0]), near_rows(sweep->r_b[2], sweep->r_b[1], sweep->r_b[0], i), near_rows(sweep->r_H[2], sweep->r_H[1], sweep->r_H[0], i), near_here(sweep->r_d[1][i + 0]), near_here(sweep->r_s[0][i + 0]), k, BORDER WATCHING(sweep->watch, EXACT));
        UNROLL
        for (int i = 0; i < COLUMNS; i++) {
            const outflow_results results = made[i];
            sweep->r_q[0][i + 1] = results.q;
            sweep->r_c[0][i + 1] = results.c;
            sum_spilled[i] = results.sum_spilled;
            sum_carried[i] = results.sum_carried;
        }
        (void)ours, (void)at;
        if (BORDER && ours) sweep->s_spilled = add_own(sweep->s_spilled, sum_spilled, tile, BY_COLUMN(BORDER));
        if (BORDER && ours) sweep->s_carried = add_own(sweep->s_carried, sum_carried, tile, BY_COLUMN(BORDER));
        exchange(&sweep->lanes, sweep->r_q[0]);
        exchange(&sweep->lanes, sweep->r_c[0]);
    }
    if ((WHOLE ? DUE : due) && (WHOLE || is_within(t - 2, beyond + 0, tile))) { /* discharge */
        const int y = t - 2, ours = WHOLE || is_within(y, 0, tile);
        const wide at = line - 2 * PITCH;
        discharge_results made[COLUMNS];
        float now_Q[COLUMNS];
        UNROLL
        for (int i = 0; i < COLUMNS; i++)
            made[i] = discharge_cell(near_here(g_b0[at + i]), near_rows(sweep->r_b[3], sweep->r_b[2], sweep->r_b[1], i), near_rows(sweep->r_H[3], sweep->r_H[2], sweep->r_H[1], i), near_rows(sweep->r_q[2], sweep->r_q[1], sweep->r_q[0], i), near_here(PREFETCH > 0 ? local_value(SHARED_AT(sweep->prefetched, LOADED_ROW(t, 1) + i)) : in_Q[at + i]), k, BORDER WATCHING(sweep->watch, EXACT));
        UNROLL
        for (int i = 0; i < COLUMNS; i++) {
            const discharge_results results = made[i];
            now_Q[i] = results.Q;
        }
        (void)ours, (void)at;
        if (BY_COLUMN(BORDER)) {
            UNROLL
            for (int i = 0; i < COLUMNS; i++)
                if (due && ours && i >= tile.own && i < tile.own_end) out_Q[at + i] = now_Q[i];
        } else if (due && ours && tile.all_own) {
            store_row(out_Q + at, 0, now_Q, 0, COLUMNS, 0);
        }
    }
    if (1 && (WHOLE || is_within(t - 2, beyond + 0, tile))) { /* erosion */
        const int y = t - 2, ours = WHOLE || is_within(y, 0, tile);
        const wide at = line - 2 * PITCH;
        float sum_evaporated[COLUMNS];
        float sum_rained[COLUMNS];
        erosion_results made[COLUMNS];
        UNROLL
        for (int i = 0; i < COLUMNS; i++)
            made[i] = erosion_cell(near_here(sweep->r_b0[2][i + 0]), near_rows(sweep->r_b[3], sweep->r_b[2], sweep->r_b[1], i), near_rows(sweep->r_H[3], sweep->r_H[2], sweep->r_H[1], i), near_rows(sweep->r_q[2], sweep->r_q[1], sweep->r_q[0], i), near_rows(sweep->r_c[2], sweep->r_c[1], sweep->r_c[0], i), near_here(sweep->r_db[2][i + 0]), near_here(sweep->r_d[2][i + 0]), near_here(sweep->r_s[1][i + 0]), near_none(), near_none(), near_none(), near_none(), near_none(), near_none(), near_none(), k, BORDER WATCHING(sweep->watch, EXACT));
        UNROLL
        for (int i = 0; i < COLUMNS; i++) {
            const erosion_results results = made[i];
            sweep->r_db[2][i + 0] = results.db;
            sweep->r_d[2][i + 0] = results.d;
            sweep->r_s[1][i + 0] = results.s;
            sum_evaporated[i] = results.sum_evaporated;
            sum_rained[i] = results.sum_rained;
        }
        (void)ours, (void)at;
        if (ours) sweep->s_evaporated = add_own(sweep->s_evaporated, sum_evaporated, tile, BY_COLUMN(BORDER));
        if (ours) sweep->s_rained = add_own(sweep->s_rained, sum_rained, tile, BY_COLUMN(BORDER));
    }
    if (LAST) {
        if (BY_COLUMN(BORDER) || tile.all_own) {
        if (WHOLE || is_within(t - 2, 0, tile)) {
            store_row(sweep->next + 0 * BLOCK_COLUMNS - 2 * FIELDS * PITCH, tile.at, &sweep->r_db[2][0], tile.own, tile.own_end, BY_COLUMN(BORDER));
            store_row(sweep->next + 1 * BLOCK_COLUMNS - 2 * FIELDS * PITCH, tile.at, &sweep->r_d[2][0], tile.own, tile.own_end, BY_COLUMN(BORDER));
            store_row(sweep->next + 2 * BLOCK_COLUMNS - 2 * FIELDS * PITCH, tile.at, &sweep->r_s[1][0], tile.own, tile.own_end, BY_COLUMN(BORDER));
        }
        }
    } else if (tile.useful) {
        if (WHOLE || is_within(t - 2, beyond + 0, tile)) {
            store_local(SHARED_AT(sweep->outgoing, LOADED_ROW(t - 2, 2)), &sweep->r_db[2][0]);
            store_local(SHARED_AT(sweep->outgoing, LOADED_ROW(t - 2, 3)), &sweep->r_d[2][0]);
            store_local(SHARED_AT(sweep->outgoing, LOADED_ROW(t - 1, 4)), &sweep->r_s[1][0]);
        }
    }
    sweep->next += FIELDS * PITCH;
}

CELL void sweep_work_item(const int BORDER, const int EXACT, sweep *mine, const tile *tiles, const int my_substep,
    const int due, const int y0, const int y1, LOCAL float *all,
    GLOBAL const float *now,
    GLOBAL float *next,
    GLOBAL const float *g_b0,
    GLOBAL const float *in_Q,
    GLOBAL float *out_Q,
    const constants k, const grid g) {
    const int end = y1 + LAG + (SUBSTEPS - 1) * DISTANCE, whole_end = y1 + 0;
    const int whole = y0 + LAG + (SUBSTEPS - 1) * DISTANCE;
    int t = y0 - SUBSTEPS * HALO;
    sweep_begin(&mine[0], tiles[0], y0 - ROWS_ABOVE(my_substep), all, now, next, g_b0, in_Q, out_Q, g);
    UNROLL
    for (int i = 0; i < PREFETCH; i++)
        sweep_prefetch(&mine[0], my_substep == 0, due == my_substep, y0 - ROWS_ABOVE(my_substep) + i, line_of(tiles[0], y0 - ROWS_ABOVE(my_substep) + i, g), 1, now, next, g_b0, in_Q, out_Q, g);
    rows_begin(my_substep);
    for (; t < end; t++) {
        if (!EXACT && t == whole && !BORDER && due < 0) {
            for (; t < whole_end; t++) {
                {
                    enum { WHOLE = 1, DUE = 0 };
                    row_begin(my_substep, t);
        {
            const int at_row = t - my_substep * DISTANCE;
            if (SUBSTEPS == 1 || WHOLE || (at_row >= y0 - ROWS_ABOVE(my_substep) && at_row < y1 + ROWS_BELOW(my_substep)))
                sweep_row(&mine[0], my_substep == 0, my_substep == SUBSTEPS - 1, BORDER, EXACT, WHOLE, DUE, DUE && due == my_substep,
                    (SUBSTEPS - 1 - my_substep) * HALO, at_row, tiles[0], now, next, g_b0, in_Q, out_Q, k, g);
        }
                    row_end(my_substep, t);
                }
            }
        }
        if (!EXACT && t == whole && !BORDER && due >= 0) {
            for (; t < whole_end; t++) {
                {
                    enum { WHOLE = 1, DUE = 1 };
                    row_begin(my_substep, t);
        {
            const int at_row = t - my_substep * DISTANCE;
            if (SUBSTEPS == 1 || WHOLE || (at_row >= y0 - ROWS_ABOVE(my_substep) && at_row < y1 + ROWS_BELOW(my_substep)))
                sweep_row(&mine[0], my_substep == 0, my_substep == SUBSTEPS - 1, BORDER, EXACT, WHOLE, DUE, DUE && due == my_substep,
                    (SUBSTEPS - 1 - my_substep) * HALO, at_row, tiles[0], now, next, g_b0, in_Q, out_Q, k, g);
        }
                    row_end(my_substep, t);
                }
            }
        }
        if (!EXACT && t == whole && BORDER) {
            for (; t < whole_end; t++) {
                {
                    enum { WHOLE = 1, DUE = 1 };
                    row_begin(my_substep, t);
        {
            const int at_row = t - my_substep * DISTANCE;
            if (SUBSTEPS == 1 || WHOLE || (at_row >= y0 - ROWS_ABOVE(my_substep) && at_row < y1 + ROWS_BELOW(my_substep)))
                sweep_row(&mine[0], my_substep == 0, my_substep == SUBSTEPS - 1, BORDER, EXACT, WHOLE, DUE, DUE && due == my_substep,
                    (SUBSTEPS - 1 - my_substep) * HALO, at_row, tiles[0], now, next, g_b0, in_Q, out_Q, k, g);
        }
                    row_end(my_substep, t);
                }
            }
        }
        enum { WHOLE = 0, DUE = 1 };
        row_begin(my_substep, t);
        {
            const int at_row = t - my_substep * DISTANCE;
            if (SUBSTEPS == 1 || WHOLE || (at_row >= y0 - ROWS_ABOVE(my_substep) && at_row < y1 + ROWS_BELOW(my_substep)))
                sweep_row(&mine[0], my_substep == 0, my_substep == SUBSTEPS - 1, BORDER, EXACT, WHOLE, DUE, DUE && due == my_substep,
                    (SUBSTEPS - 1 - my_substep) * HALO, at_row, tiles[0], now, next, g_b0, in_Q, out_Q, k, g);
        }
        row_end(my_substep, t);
    }
    rows_end(my_substep, t);
    if (PREFETCH > 0) async_wait_all();
#if LANES > 1
    if (!BY_COLUMN(BORDER) && !tiles[0].all_own) {
        mine[0].s_rained = total_of(0.0f);
        mine[0].s_evaporated = total_of(0.0f);
        mine[0].s_spilled = total_of(0.0f);
        mine[0].s_carried = total_of(0.0f);
    }
#endif
}

KERNEL_OF(128, 2, fused_sweep)(
    GLOBAL const float *now,
    GLOBAL float *next,
    GLOBAL const float *g_b0,
    GLOBAL const float *in_Q,
    GLOBAL float *out_Q,
    GLOBAL pair *s_rained,
    GLOBAL pair *s_evaporated,
    GLOBAL pair *s_spilled,
    GLOBAL pair *s_carried,
    GLOBAL const work_item *work_items, const constants k, const grid g, const passes how DYNAMIC_LOCAL) {
    int until = how.until_due;
    DYNAMIC_ARRAY
    const work_item my = work_items[GROUP_X];
    const int lane = ITEM % LANES, row_of_lanes = warp_uniform(ITEM / LANES), warp = row_of_lanes % TILES;
    const int my_substep = HELD < SUBSTEPS ? (row_of_lanes / TILES + GROUP_X) % SUBSTEPS : 0;
    const int y0 = my.y0, y1 = my.y1;
    sweep mine[HELD] = {0};
    tile tiles[HELD];
    UNROLL
    for (int i = 0; i < HELD; i++)
        tiles[i] = tile_of(HELD > 1 ? i : my_substep, warp, lane, my, g);
#if LANES > 1
    if (SUBSTEPS > 1 || SPILLED_ROWS > 0) {
        for (int i = ITEM; i < ROWS_FLOATS; i += ITEMS) dynamic[i] = 0.0f;
        BARRIER;
    }
    const int off = APART && my.x * OWN_COLUMNS + warp * (WIDE - 2 * MARGIN) >= g.width; /* the grid */
    const int borders = SUBSTEPS > 1 || APART ? my.borders >> (my_substep * TILES + warp) & 1 : my.borders;
#endif
    const sweep none = {0};
    (void)none;
    const int due = until < SUBSTEPS ? until : -1;
#if LANES > 1
    if (off)
        ;
    else if (borders)
        sweep_work_item(1, 0, mine, tiles, my_substep, due, y0, y1, dynamic, now, next, g_b0, in_Q, out_Q, k, g);
    else
        sweep_work_item(0, 0, mine, tiles, my_substep, due, y0, y1, dynamic, now, next, g_b0, in_Q, out_Q, k, g);
#ifdef QUICK
    if (group_any(is_extreme(mine[0].watch))) {
        mine[0] = none;
        sweep_work_item(1, 1, mine, tiles, my_substep, due, y0, y1, dynamic, now, next, g_b0, in_Q, out_Q, k, g);
    }
#endif
#else
    sweep_work_item(1, 1, mine, tiles, my_substep, due, y0, y1, dynamic, now, next, g_b0, in_Q, out_Q, k, g);
#endif
    BARRIER;
#ifdef PTX
    GLOBAL pair *slot = 0;
    pair before = pair_of(0.0f);
    if (ITEM == 0) slot = &s_rained[GROUP_X];
    if (ITEM == 1) slot = &s_evaporated[GROUP_X];
    if (ITEM == 2) slot = &s_spilled[GROUP_X];
    if (ITEM == 3) slot = &s_carried[GROUP_X];
    if (ITEM < 4) before = *slot; /* loaded early, while sums are made */
    warp_sum(dynamic, 0, mine[0].s_rained);
    warp_sum(dynamic, 1, mine[0].s_evaporated);
    warp_sum(dynamic, 2, mine[0].s_spilled);
    warp_sum(dynamic, 3, mine[0].s_carried);
    BARRIER;
    if (ITEM < 4) group_sum(dynamic, ITEM, before, slot);
#else
    group_join((LOCAL pair *)dynamic, &s_rained[GROUP_X], mine[0].s_rained);
    group_join((LOCAL pair *)dynamic, &s_evaporated[GROUP_X], mine[0].s_evaporated);
    group_join((LOCAL pair *)dynamic, &s_spilled[GROUP_X], mine[0].s_spilled);
    group_join((LOCAL pair *)dynamic, &s_carried[GROUP_X], mine[0].s_carried);
#endif
}
