/* plain.h: the plain path. One kernel per stage, one work item per cell, all fields in device memory. */

/* Offsets of a cell's neighbours: around a periodic boundary, or into the margin. */
typedef struct places {
    wide at, left, right, up, down;
} places;

/* slot: the field's index among the interleaved ones. */
CELL places places_of(const grid g, const int fields, const int slot, int x, int y) {
    places p;
    const wide pitch = (wide)fields * g.columns;
    const int column = MARGIN_COLUMNS + x, at = column_of(fields, column);
    p.at = (y + MARGIN_ROWS) * pitch + slot * BLOCK_COLUMNS + at;
    p.left = column_of(fields, g.wrap && x == 0 ? column + g.width - 1 : column - 1) - at;
    p.right = column_of(fields, g.wrap && x == g.width - 1 ? column + 1 - g.width : column + 1) - at;
    p.up = g.wrap && y == 0 ? (g.height - 1) * pitch : -pitch;
    p.down = g.wrap && y == g.height - 1 ? (1 - g.height) * pitch : pitch;
    return p;
}

CELL near plain_0(GLOBAL const float *f, const places p) {
    near n = {{{0.0f}}};
    n.at[1][1] = f[p.at];
    return n;
}
CELL near plain_1(GLOBAL const float *f, const places p) {
    near n;
    n.at[0][0] = f[p.at + p.up + p.left];
    n.at[0][1] = f[p.at + p.up];
    n.at[0][2] = f[p.at + p.up + p.right];
    n.at[1][0] = f[p.at + p.left];
    n.at[1][1] = f[p.at];
    n.at[1][2] = f[p.at + p.right];
    n.at[2][0] = f[p.at + p.down + p.left];
    n.at[2][1] = f[p.at + p.down];
    n.at[2][2] = f[p.at + p.down + p.right];
    return n;
}

CELL near plain_near(GLOBAL const float *f, const places p, const int radius) {
    return radius == 0 ? plain_0(f, p) : plain_1(f, p);
}

#define READ_ARGUMENT(name, reach) GLOBAL const float *r_##name,
#define MAP_ARGUMENT(name, reach) GLOBAL const float *m_##name,
#define WRITE_ARGUMENT(name) GLOBAL float *w_##name,
#define SUM_ARGUMENT(name) GLOBAL pair *s_##name,
#define READ_NEAR(name, reach) plain_near(r_##name, places_of(g, FIELDS_##name, SLOT_##name, x, y), RADIUS_##reach),
#define MAP_NEAR(name, reach) RASTER_##name ? plain_near(m_##name, places_of(g, 1, 0, x, y), RADIUS_##reach) : near_none(),
#define SUM_LOCAL(name) float sum_##name = 0.0f;
#define WRITE_RESULT(name) w_##name[places_of(g, FIELDS_##name, SLOT_##name, x, y).at] = results.name;
#define TAKE_SUM(name) sum_##name = results.sum_##name;
#define ADD_SUM(name) group_join(shared, &s_##name[y * GROUPS_X + GROUP_X], pair_of(sum_##name));
#define PLAIN(name, needs, every, border, operations, switches) \
    KERNEL(plain_##name) \
    (BY_KIND(STAGE_##name, READ_ARGUMENT, MAP_ARGUMENT, WRITE_ARGUMENT, SUM_ARGUMENT) const constants k, const grid g) { \
        LOCAL_ARRAY(pair, shared, GROUP_ITEMS); \
        const int x = GROUP_X * ITEMS + ITEM; \
        for (int y = GROUP_Y; y < g.height; y += GROUPS_Y) { \
            STAGE_##name(SKIP2, SKIP2, SKIP1, SUM_LOCAL) if (x < g.width) { \
                extremes watch = {0}; \
                name##_results results = \
                    name##_cell(BY_KIND(STAGE_##name, READ_NEAR, MAP_NEAR, SKIP1, SKIP1) k, 1 WATCHING(watch, 0)); \
                if (is_extreme(watch)) \
                    results = name##_cell(BY_KIND(STAGE_##name, READ_NEAR, MAP_NEAR, SKIP1, SKIP1) k, 1 WATCHING(watch, 1)); \
                STAGE_##name(SKIP2, SKIP2, WRITE_RESULT, TAKE_SUM) \
            } \
            STAGE_##name(SKIP2, SKIP2, SKIP1, ADD_SUM) \
        } \
    }
MODEL_STAGES(PLAIN)
