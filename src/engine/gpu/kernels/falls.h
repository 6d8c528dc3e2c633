/* falls.h: adds rain from discs and rainfall events to rain maps; uses core/falls_cell.h. */
/* Results of disc tests that a work item looks at together. */
#define FLAGS 8

CELL int touches_band(const ground e, const disc d, const int y0, const int y1) {
    int any = 0;
    for (int y = y0; y < y1; y++) any |= disc_touches(e, d, ground_row(e, y));
    return any;
}

/* Adds a disc's rain to this work item's columns of rows y0 to y1. add 0: resets them instead. */
CELL void disc_falls(GLOBAL float *map, GLOBAL const float *given, const int is_given, const float uniform,
                     const disc d, const int y0, const int y1, const ground e, const grid g, const int add) {
    const int first = disc_first(e, d), end = first + disc_columns(e, d);
    for (int round = e.wrap ? -1 : 0; round <= (e.wrap ? 1 : 0); round++) { /* the grid, and its periodic images */
        const int left = first + round * e.width, right = end + round * e.width;
        const int from = left < e.first_column ? e.first_column : left;
        const int to = right < e.first_column + e.columns ? right : e.first_column + e.columns;
        for (int x = from + (ITEM - from % ITEMS + ITEMS) % ITEMS; x < to; x += ITEMS)
            for (int y = y0; y < y1; y++) {
                const wide at = cell_at(g, x - e.first_column, y);
                const int row = ground_row(e, y);
                if (!disc_touches(e, d, row)) continue;
                if (add)
                    map[at] += (float)((double)d.depth * disc_weight(e, d, x, row));
                else
                    map[at] = is_given ? given[at] : uniform;
            }
    }
}

/* Adds each disc that touches the rows, in order. The work items test the discs in parallel. */
CELL void discs_fall(GLOBAL float *map, GLOBAL const float *given, const int is_given, const float uniform,
                     GLOBAL const disc *discs, const int count, const int y0, const int y1, const ground e,
                     const grid g, const int add, LOCAL int *touches) {
    for (int from = 0; from < count; from += ITEMS) {
        touches[ITEM] = from + ITEM < count && touches_band(e, discs[from + ITEM], y0, y1);
        BARRIER;
        for (int i = 0; i < ITEMS; i += FLAGS) {
            int any = 0;
            for (int j = 0; j < FLAGS; j++) any |= touches[i + j];
            for (int j = 0; any && j < FLAGS; j++)
                if (touches[i + j]) disc_falls(map, given, is_given, uniform, discs[from + i + j], y0, y1, e, g, add);
        }
        BARRIER;
    }
}

/* Resets what the previous sub-step's discs changed and adds this one's. One work item handles a cell, disc by disc, so
 * the order is fixed. The discs are copied to `noted`, as `before` of the next sub-step. */
KERNEL(fall)
(GLOBAL float *map, GLOBAL const float *given, const int is_given, const float uniform, GLOBAL const disc *discs,
 const int first_now, const int count, GLOBAL disc *noted, GLOBAL const disc *before, const int count_before,
 const ground e, const grid g) {
    LOCAL_ARRAY(int, touches, GROUP_ITEMS);
    GLOBAL const disc *const now = discs + first_now;
    for (int i = ITEM; GROUP_X == 0 && i < count; i += ITEMS) noted[i] = now[i];
    for (int y = GROUP_X * FALL_ROWS; y < g.height; y += GROUPS_X * FALL_ROWS) {
        const int end = y + FALL_ROWS < g.height ? y + FALL_ROWS : g.height;
        discs_fall(map, given, is_given, uniform, before, count_before, y, end, e, g, 0, touches);
        discs_fall(map, given, is_given, uniform, now, count, y, end, e, g, 1, touches);
    }
}

/* Adds 1 to the cells of rainfall events. An event's cells are `stride` apart, from its start on. The map is 0
 * before. */
KERNEL(shower)
(GLOBAL float *map, GLOBAL const uwide *starts, const int count, const uwide stride, const ground e, const grid g) {
    const int y = GROUP_X * ITEMS + ITEM, row = ground_row(e, y);
    for (int s = 0; s < count && y < g.height; s++)
        for (uwide i = shower_first(e, starts[s], stride, row); i < shower_end(e, row); i += stride) {
            const int x = ground_column(e, shower_column(e, i));
            if (x >= 0) map[cell_at(g, x, y)] += 1.0f;
        }
}
