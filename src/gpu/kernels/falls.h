/* falls.h: what falls from discs and showers, on maps of rain; after core/falls_cell.h. */
/* Whether one of this item's share of the discs does. */
CELL int touches_of(GLOBAL const disc *discs, const int count, const ground e, const int y) {
    int any = 0;
    for (int i = ITEM; i < count; i += ITEMS) any |= disc_touches(e, discs[i], y);
    return any;
}

/* Rows on which discs fall now, or fell before, become what they are without, given or uniform, and what falls is
 * added: a cell's by one item, disc after disc. Which discs touch the row the items find out together. They are noted as
 * the next ones' `before`. */
KERNEL(fall)
(GLOBAL float *map, GLOBAL const float *given, const int is_given, const float uniform, GLOBAL const disc *discs,
 const int first_now, const int count, GLOBAL disc *noted, GLOBAL const disc *before, const int count_before,
 const ground e, const grid g) {
    LOCAL_ARRAY(int, touches, GROUP_ITEMS);
    GLOBAL const disc *const now = discs + first_now;
    for (int i = ITEM; GROUP_Y == 0 && i < count; i += ITEMS) noted[i] = now[i];
    for (int y = GROUP_Y; y < g.height; y += GROUPS_Y) {
        const wide at = g.origin + y * g.pitch;
        int any = 0;
        touches[ITEM] = touches_of(before, count_before, e, y) | touches_of(now, count, e, y);
        BARRIER;
        for (int i = 0; i < ITEMS; i++) any |= touches[i];
        BARRIER;
        if (!any) continue;
        for (int x = ITEM; x < g.width; x += ITEMS) map[at + x] = is_given ? given[at + x] : uniform;
        for (int from = 0; from < count; from += ITEMS) {
            touches[ITEM] = from + ITEM < count && disc_touches(e, now[from + ITEM], y);
            BARRIER;
            for (int i = 0; i < ITEMS; i++) {
                if (!touches[i]) continue;
                const disc d = now[from + i];
                const int first = disc_first(e, d), columns = disc_columns(e, d);
                for (int j = 0; j < columns; j++) {
                    const int x = fall_on_grid(e, first + j);
                    if (x >= 0 && x % ITEMS == ITEM) map[at + x] += (float)((double)d.depth * disc_weight(e, d, x, y));
                }
            }
            BARRIER;
        }
    }
}

/* Points of showers, by their starts; the map is 0 before. */
KERNEL(shower)
(GLOBAL float *map, GLOBAL const uwide *starts, const int count, const uwide stride, const ground e, const grid g) {
    const int y = GROUP_X * ITEMS + ITEM;
    for (int s = 0; s < count && y < g.height; s++)
        for (uwide i = shower_first(e, starts[s], stride, y); i < shower_end(e, y); i += stride)
            map[g.origin + y * g.pitch + shower_column(e, i)] += 1.0f;
}
