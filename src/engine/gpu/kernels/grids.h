/* grids.h: kernels over whole fields. */

/* Fills a field: `value` on the grid, `outside` in the margin. */
KERNEL(start)(GLOBAL float *f, const float value, const float outside, const grid g) {
    for (int y = GROUP_Y - MARGIN_ROWS; y < g.height + MARGIN_ROWS; y += GROUPS_Y)
        for (int x = ITEM - MARGIN_COLUMNS; x < g.columns - MARGIN_COLUMNS; x += ITEMS)
            f[cell_at(g, x, y)] = x >= 0 && x < g.width && y >= 0 && y < g.height ? value : outside;
}

/* Copies a field with its margin to another layout. */
KERNEL(move)(GLOBAL float *to, const grid t, GLOBAL const float *from, const grid g) {
    for (int y = GROUP_Y - MARGIN_ROWS; y < g.height + MARGIN_ROWS; y += GROUPS_Y)
        for (int x = ITEM - MARGIN_COLUMNS; x < g.columns - MARGIN_COLUMNS; x += ITEMS)
            to[cell_at(t, x, y)] = from[cell_at(g, x, y)];
}

/* Copies rows from y0 on between a field and contiguous memory, from `begin` on. */
KERNEL(band)(GLOBAL float *f, const grid g, GLOBAL float *rows, const wide begin, const int y0, const int count,
             const int to_field) {
    for (int y = GROUP_Y; y < count; y += GROUPS_Y)
        for (int x = GROUP_X * ITEMS + ITEM; x < g.width; x += GROUPS_X * ITEMS) {
            const wide at = cell_at(g, x, y0 + y), here = begin + (wide)y * g.width + x;
            if (to_field)
                f[at] = rows[here];
            else
                rows[here] = f[at];
        }
}

/* With a periodic boundary the margin repeats the opposite side: `margin` rows and columns. */
KERNEL(wrap)(GLOBAL float *f, const int margin, const grid g) {
    for (int y = GROUP_Y - margin; y < g.height + margin; y += GROUPS_Y) {
        const int ys = (y + g.height * margin) % g.height;
        const int on_grid = y >= 0 && y < g.height;
        const int count = on_grid ? 2 * margin : g.width + 2 * margin;
        for (int i = ITEM; i < count; i += ITEMS) {
            const int x = on_grid && i >= margin ? g.width - margin + i : i - margin;
            const int xs = (x + g.width * margin) % g.width;
            f[cell_at(g, x, y)] = f[cell_at(g, xs, ys)];
        }
    }
}

/* Sets *bad to 1 if a value on the grid is not finite. */
KERNEL(look)(GLOBAL const float *f, GLOBAL int *bad, const grid g) {
    uint seen = 0;
    for (int y = GROUP_Y; y < g.height; y += GROUPS_Y)
        for (int x = ITEM; x < g.width; x += ITEMS)
            seen |= (bits_of(f[cell_at(g, x, y)]) & 0x7f800000u) == 0x7f800000u;
    if (seen) *bad = 1;
}

/* Exports a field row by row, or the sum of terrain and change; NaN where there is no data. */
KERNEL(show)
(GLOBAL const float *f, const grid g, GLOBAL const float *b0, const grid h, GLOBAL float *to, const int on_ground) {
    for (int y = GROUP_Y; y < g.height; y += GROUPS_Y)
        for (int x = ITEM; x < g.width; x += ITEMS) {
            const float ground = b0[cell_at(h, x, y)], value = f[cell_at(g, x, y)];
            const float shown = on_ground ? ground + value : value;
            to[(wide)y * g.width + x] = ground < 0.1f * WALL ? shown : float_of(0x7fc00000u);
        }
}

/* Adds up and clears the slots of each line. Lines of one kind of sum follow those of another. */
KERNEL(add_up)(GLOBAL pair *slots, GLOBAL pair *lines, const int slots_a_line, const int count, const int kind) {
    const int line = GROUP_X * ITEMS + ITEM;
    const pair none = {0.0f, 0.0f};
    pair sum = {0.0f, 0.0f};
    if (line >= count) return;
    for (int i = 0; i < slots_a_line; i++) {
        sum = pair_join(sum, slots[line * slots_a_line + i]);
        slots[line * slots_a_line + i] = none;
    }
    lines[kind * count + line] = sum;
}

#ifdef FLOAT64
/* Sums the rows of `count` fields over cells with data. It adds in the lanes of core/mass.c, so the sums have the same
 * bits. Bit n of `absolute`: absolute values of field n. Bit n of `largest`: its largest value instead, or 0. A lane
 * loads several values before it adds them. */
#define SUM_LANES 8
#define SUM_AHEAD 8
#define SUM_ROWS (GROUP_ITEMS / SUM_LANES)
CELL double sum_on(double sum, GLOBAL const float *f, const grid g, const int x0, const int y, const int *there,
                   const int absolute, const int largest) {
    float v[SUM_AHEAD];
    for (int i = 0; i < SUM_AHEAD; i++) {
        const int x = x0 + i * SUM_LANES;
        const float value = f[cell_at(g, x < g.width ? x : g.width - 1, y)];
        v[i] = there[i] ? (absolute && value < 0.0f ? -value : value) : 0.0f;
    }
    for (int i = 0; i < SUM_AHEAD; i++) {
        if (!largest) sum += (double)v[i];
        else if ((double)v[i] > sum) sum = (double)v[i];
    }
    return sum;
}
#define SUMMED(n) GLOBAL const float *f##n, const grid g##n
#define SUM_ON(n) if (n < count) sum[n] = sum_on(sum[n], f##n, g##n, x0, y, there, absolute >> n & 1, largest >> n & 1)
KERNEL(sum_rows)
(SUMMED(0), SUMMED(1), SUMMED(2), SUMMED(3), SUMMED(4), GLOBAL const float *b0, const grid h, GLOBAL double *sums,
 const int count, const int absolute, const int largest) {
    LOCAL_ARRAY(double, lanes, GROUP_ITEMS);
    for (int y0 = GROUP_Y * SUM_ROWS; y0 < h.height; y0 += GROUPS_Y * SUM_ROWS) {
        const int y = y0 + ITEM / SUM_LANES;
        double sum[5] = {0.0, 0.0, 0.0, 0.0, 0.0};
        for (int x0 = ITEM % SUM_LANES; x0 < h.width && y < h.height; x0 += SUM_AHEAD * SUM_LANES) {
            int there[SUM_AHEAD];
            for (int i = 0; i < SUM_AHEAD; i++) {
                const int x = x0 + i * SUM_LANES;
                there[i] = x < h.width && b0[cell_at(h, x < h.width ? x : h.width - 1, y)] < 0.1f * WALL;
            }
            SUM_ON(0);
            SUM_ON(1);
            SUM_ON(2);
            SUM_ON(3);
            SUM_ON(4);
        }
        for (int n = 0; n < count; n++) { /* a variable index would move sum[] from registers to memory */
            lanes[ITEM] = n == 0 ? sum[0] : n == 1 ? sum[1] : n == 2 ? sum[2] : n == 3 ? sum[3] : sum[4];
            BARRIER;
            if (ITEM % SUM_LANES == 0 && y < h.height) {
                double all = 0.0;
                for (int i = 0; i < SUM_LANES; i++) {
                    if (!(largest >> n & 1)) all += lanes[ITEM + i];
                    else if (lanes[ITEM + i] > all) all = lanes[ITEM + i];
                }
                sums[n * h.height + y] = all;
            }
            BARRIER;
        }
    }
}
#endif
