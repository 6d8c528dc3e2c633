/* row_kernels.c: the stages of one model as loops over a range of a row. It is compiled once for each model
 * (WADI_MODEL_ID) and instruction set (WADI_ISA). */
#include <string.h>

#include "core/block.h"
#include "core/reach_cell.h"
#include "engine/cell.h"
#include "engine/cpu/rows.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

#define UNUSED __attribute__((unused))
#define IN_SLOT(name, reach) in_##name,
#define OUT_SLOT(name) out_##name,
#define IN_ROWS(name, reach) UNUSED const wadi_rows r_##name = in[in_##name];
#ifdef __has_feature
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif
#if SANITIZED /* sanitizers check each read: to read all neighbours first would take compilers minutes */
#define IN_VALUES(name, reach)
#define IN_MAP(name, reach)
#define AT(name, dx, dy) ((dy) < 0 ? r_##name.above : (dy) > 0 ? r_##name.below : r_##name.here)[x + (dx)]
#define MAP_AT(name, dx, dy) (maps ? AT(name, dx, dy) : k.name)
#else
#define IN_VALUES(name, reach) UNUSED const near n_##name = NEAR(name, reach);
#define IN_MAP(name, reach) UNUSED const near n_##name = maps ? (near)NEAR(name, reach) : everywhere(k.name);
#define AT(name, dx, dy) n_##name.at[(dy) + 1][(dx) + 1]
#define MAP_AT(name, dx, dy) AT(name, dx, dy)
#endif
#define MAPPED(name) maps
#define OUT_ROW(name) UNUSED float *const w_##name = out[out_##name];
#define OUT_SUM(name) UNUSED float *const sum_##name = out[out_##name];

/* clang-format off */ /* clang-format takes the lists for statements */

/* Adds 0, because x is never negative. But compilers now take the switch for a value that varies by cell, and select by
 * it. gcc 12 leaves the loop scalar if it knows that the switch is uniform. */
#define VARYING(name, standard, reduced, at_sea) k.name += x >> 31;

/* `set`, `maps`, `OUTSIDE` and `tracked` are constants in each instance. The compiler drops the code that they exclude. */
#define STAGE(name) \
    CELL void name##_row(int x0, int x1, const void *given, const wadi_rows *in, float *const *out, uint8_t *changed, \
                         const int set, const int maps, const int OUTSIDE, const int tracked) { \
        enum { STAGE_##name(IN_SLOT, CELL_SKIP2, CELL_SKIP1, CELL_SKIP1) in_reads }; \
        enum { in_last_read = in_reads - 1, STAGE_##name(CELL_SKIP2, IN_SLOT, CELL_SKIP1, CELL_SKIP1) in_count }; \
        enum { STAGE_##name(CELL_SKIP2, CELL_SKIP2, OUT_SLOT, CELL_SKIP1) out_writes }; \
        enum { out_last_write = out_writes - 1, STAGE_##name(CELL_SKIP2, CELL_SKIP2, CELL_SKIP1, OUT_SLOT) out_count }; \
        const constants same = *(const constants *)given; \
        STAGE_##name(IN_ROWS, IN_ROWS, CELL_SKIP1, CELL_SKIP1) \
        STAGE_##name(CELL_SKIP2, CELL_SKIP2, OUT_ROW, OUT_SUM) \
        enum { switches = READ_BY_##name }; \
        (void)set, (void)maps, (void)OUTSIDE; \
        int from = x0, to; \
        do { \
            UNUSED unsigned seen[WATCHED_COLUMNS]; /* bits that differ, by column */ \
            to = tracked ? tracked_end(from, x1) : x1; \
            _Pragma("omp simd") for (int x = from; x < to; x++) { \
                UNUSED unsigned differs = 0; \
                UNUSED constants k = same; \
                MODEL_SWITCHES(VARYING) \
                k.open += x >> 31; \
                STAGE_##name(IN_VALUES, IN_MAP, CELL_SKIP1, CELL_SKIP1)
#define END_STAGE \
                if (tracked) seen[x - from] = differs; \
            } \
            if (tracked) say_changed(seen, from, to, changed); \
        } while (tracked && (from = to) < x1); \
    }

/* A field at a cell and its neighbours. A stage first reads all of them unconditionally, because compilers leave a loop
 * with conditional reads scalar. They remove reads that no stage uses. No functions read: clang would then forget that
 * the passes of the loop are independent, and take the scalar loop where a stage writes what it reads. */
typedef struct near {
    float at[3][3];
} near;
#define NEAR(name, reach) JOIN(NEAR_, RADIUS_##reach)(r_##name)
#define NEAR_0(r) {{{0}, {0, r.here[x], 0}, {0}}}
#define ROW_NEAR(row) {row[x - 1], row[x], row[x + 1]}
#define NEAR_1(r) {{ROW_NEAR(r.above), ROW_NEAR(r.here), ROW_NEAR(r.below)}}
CELL near everywhere(float v) {
    const near values = {{{v, v, v}, {v, v, v}, {v, v, v}}};
    return values;
}

/* The columns that are tracked at a time. Their flags stay in the L1 cache. */
#define WATCHED_COLUMNS (32 * WADI_TILE_COLUMNS)
CELL int tracked_end(int x, int x1) {
    const int end = (x / WADI_TILE_COLUMNS) * WADI_TILE_COLUMNS + WATCHED_COLUMNS;
    return end < x1 ? end : x1;
}
CELL void say_changed(const unsigned *seen, int x0, int x1, uint8_t *changed) {
    for (int x = x0; x < x1;) {
        uint8_t *tile = &changed[x / WADI_TILE_COLUMNS];
        const int next = (x / WADI_TILE_COLUMNS + 1) * WADI_TILE_COLUMNS, end = next < x1 ? next : x1;
        unsigned any = 0;
        if (end - x == WADI_TILE_COLUMNS)
            for (int i = 0; i < WADI_TILE_COLUMNS; i++) any |= seen[x - x0 + i];
        else
            for (int i = x; i < end; i++) any |= seen[i - x0];
        *tile |= any != 0;
        x = end;
    }
}

/* All bits, or none. No branch: clang would join two copies of the store that follows, and then know less of it. */
#define WHERE(condition) (0u - (unsigned)(condition))
#define SET(name, value) \
    do { \
        const float value_##name = (value); \
        differs |= WHERE(tracked && LASTS_##name) & (wadi_bits(w_##name[x]) ^ wadi_bits(value_##name)); \
        w_##name[x] = value_##name; \
    } while (0)
#define SUM(name, value) \
    do { \
        const float value_##name = (value); \
        differs |= WHERE(tracked) & (wadi_bits(value_##name) << 1); /* the shift drops the sign, so that -0 counts as 0 */ \
        sum_##name[x] = value_##name; \
    } while (0)
/* A kernel is chosen by the switches that MODEL_STAGES lists for its stage. So a stage reads no others. */
#define LISTED(name) \
    sizeof(struct { \
        _Static_assert((switches & USES_##name) != 0, "MODEL_STAGES lists the switches that a stage reads"); \
        int unused; \
    })
#define VALUE_IN(set, name) \
    (set == WADI_STANDARD  ? (int)STANDARD_##name : \
     set == WADI_REDUCED   ? (int)REDUCED_##name : \
     set == WADI_AT_SEA    ? (int)AT_SEA_##name : EITHER)
#define FIXED(name) (LISTED(name) > 0 ? VALUE_IN(set, name) : 0)
#define MAY(name) (FIXED(name) != 0)
#define SWITCH(name) (FIXED(name) == EITHER ? k.name : FIXED(name))

#include TEXT(models/WADI_MODEL_ID/JOIN(WADI_MODEL_ID, _cell).h)

#define INSTANCE(name, kind, ...) \
    static void name##_##kind(int x0, int x1, const void *k, const wadi_rows *in, float *const *out, \
                              uint8_t *changed) { \
        name##_row(x0, x1, k, in, out, changed, __VA_ARGS__); \
    }
/* A kernel's name ends with its set; then its form, unless that is INSIDE; and _tracked, if it records changes. */
#define EACH_FORM(name, kind, set, tracked, tail) \
    INSTANCE(name, kind##tail, set, 0, 0, tracked) \
    INSTANCE(name, kind##_border##tail, set, 0, 1, tracked) \
    INSTANCE(name, kind##_maps##tail, set, 1, 1, tracked)
#define EACH_SET(name, tracked, tail) \
    EACH_FORM(name, standard, WADI_STANDARD, tracked, tail) \
    EACH_FORM(name, reduced, WADI_REDUCED, tracked, tail) \
    EACH_FORM(name, at_sea, WADI_AT_SEA, tracked, tail) \
    EACH_FORM(name, any, WADI_ROW_ANY, tracked, tail)
#define INSTANCES(name, needs, every, border, operations, switches) \
    EACH_SET(name, 0, ) \
    EACH_SET(name, 1, _tracked)
MODEL_STAGES(INSTANCES)

/* The standard kernel serves a set that gives no switch of the stage another value; the border's serves maps where the
 * stage reads none. Compilers drop the kernels that are not in the table. */
#define OTHER_REDUCED(name, standard, reduced, at_sea) | ((standard) != (reduced) ? USES_##name : 0)
#define OTHER_AT_SEA(name, standard, reduced, at_sea) | ((standard) != (at_sea) ? USES_##name : 0)
#define OTHER_ANY(name, standard, reduced, at_sea) | ((standard) != EITHER ? USES_##name : 0)
enum {
    other_standard = 0,
    other_reduced = 0 MODEL_SWITCHES(OTHER_REDUCED),
    other_at_sea = 0 MODEL_SWITCHES(OTHER_AT_SEA),
    other_any = 0 MODEL_SWITCHES(OTHER_ANY)
};
#define COUNT2(a, b) +1
#define PICK(name, kind, form, switches) ((switches & other_##kind) != 0 ? name##_##kind##form : name##_standard##form)
#define PICK_MAPS(name, kind, tail, switches) \
    (0 STAGE_##name(CELL_SKIP2, COUNT2, CELL_SKIP1, CELL_SKIP1) > 0 ? PICK(name, kind, _maps##tail, switches) \
                                                                    : PICK(name, kind, _border##tail, switches))
#define FORMS(name, kind, switches) \
    {{PICK(name, kind, , switches), PICK(name, kind, _tracked, switches)}, \
     {PICK(name, kind, _border, switches), PICK(name, kind, _border_tracked, switches)}, \
     {PICK_MAPS(name, kind, , switches), PICK_MAPS(name, kind, _tracked, switches)}}
#define TABLE_ROW(name, needs, every, border, operations, switches) \
    {[WADI_STANDARD] = FORMS(name, standard, (switches)), \
     [WADI_REDUCED] = FORMS(name, reduced, (switches)), \
     [WADI_AT_SEA] = FORMS(name, at_sea, (switches)), \
     [WADI_ROW_ANY] = FORMS(name, any, (switches))},
_Static_assert(WADI_SWITCH_SETS == 3, "a row of the table has all sets");
static const wadi_row_kernels stages[] = {MODEL_STAGES(TABLE_ROW)};

/* clang-format on */

static bool finite(const float *row, int x0, int x1) { return wadi_row_finite(row, x0, x1); }

/* Adds `count` values of a row to as many lanes. */
CELL void add_some(double *lane, const float *row, int count) {
#pragma omp simd
    for (int i = 0; i < count; i++) lane[i] += (double)row[i];
}

static void add_lanes(double lanes[WADI_LANES], const float *row, int x0, int x1) {
    const int to = x1 / WADI_LANES * WADI_LANES;
    int x = (x0 + WADI_LANES - 1) / WADI_LANES * WADI_LANES;
    if (x > x0) add_some(lanes + x0 % WADI_LANES, row + x0, (x < x1 ? x : x1) - x0);
    if (x < to) {
        double sum[WADI_LANES];
        memcpy(sum, lanes, sizeof sum);
        for (; x < to; x += WADI_LANES) add_some(sum, row + x, WADI_LANES);
        memcpy(lanes, sum, sizeof sum);
    }
    if (x < x1) add_some(lanes, row + x, x1 - x);
}

const wadi_row_table JOIN(JOIN(wadi_rows_, WADI_MODEL_ID), JOIN(_, WADI_ISA));
const wadi_row_table JOIN(JOIN(wadi_rows_, WADI_MODEL_ID), JOIN(_, WADI_ISA)) = {TEXT(WADI_MODEL_ID), TEXT(WADI_ISA),
                                                                                 stages, finite, add_lanes};
