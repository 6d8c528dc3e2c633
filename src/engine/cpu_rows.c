/* cpu_rows.c: one model's stages as loops over a piece of a row, compiled once for each model (WADI_MODEL_ID) and
 * instruction set (WADI_ISA). */
#include <string.h>

#include "engine/cell.h"
#include "engine/rows.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

#define UNUSED __attribute__((unused))
#define IN_SLOT(name, radius) in_##name,
#define OUT_SLOT(name) out_##name,
#define IN_ROWS(name, radius) UNUSED const wadi_rows r_##name = in[in_##name];
#define OUT_ROW(name) UNUSED float *const w_##name = out[out_##name];
#define OUT_SUM(name) UNUSED float *const sum_##name = out[out_##name];

/* clang-format off */ /* it takes the lists for statements */

/* `variant`, `OUTSIDE` and `watched` are constants in each instance, so that what they rule out costs nothing. */
#define STAGE(name) \
    CELL void name##_row(int x0, int x1, const void *given, const wadi_rows *in, float *const *out, uint8_t *changed, \
                         const int variant, const int OUTSIDE, const int watched) { \
        enum { STAGE_##name(IN_SLOT, IN_SLOT, CELL_SKIP1, CELL_SKIP1) in_count }; \
        enum { STAGE_##name(CELL_SKIP2, CELL_SKIP2, OUT_SLOT, OUT_SLOT) out_count }; \
        const constants k = *(const constants *)given; \
        STAGE_##name(IN_ROWS, IN_ROWS, CELL_SKIP1, CELL_SKIP1) \
        STAGE_##name(CELL_SKIP2, CELL_SKIP2, OUT_ROW, OUT_SUM) \
        (void)k, (void)variant, (void)OUTSIDE; \
        for (int from = x0, to; from < x1; from = to) { \
            unsigned differs = 0; \
            to = watched ? tile_end(from, x1) : x1; \
            _Pragma("omp simd reduction(|:differs)") for (int x = from; x < to; x++)
#define END_STAGE \
            if (watched) changed[from / WADI_TILE_COLUMNS] |= differs != 0; \
        } \
    }

CELL int tile_end(int x, int x1) {
    const int end = (x / WADI_TILE_COLUMNS + 1) * WADI_TILE_COLUMNS;
    return end < x1 ? end : x1;
}

CELL unsigned bits_of(float value) {
    unsigned bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

enum { USUAL, LEAN, ANY };
#define AT(name, dx, dy) ((dy) < 0 ? r_##name.above : (dy) > 0 ? r_##name.below : r_##name.here)[x + (dx)]
#define MAP_AT(name, dx, dy) (variant != ANY ? k.name : AT(name, dx, dy))
#define SET(name, value) \
    do { \
        const float value_##name = (value); \
        if (watched && LASTS_##name) differs |= bits_of(w_##name[x]) ^ bits_of(value_##name); \
        w_##name[x] = value_##name; \
    } while (0)
#define SUM(name, value) \
    do { \
        const float value_##name = (value); \
        if (watched) differs |= bits_of(value_##name) << 1; /* but for the sign of 0 */ \
        sum_##name[x] = value_##name; \
    } while (0)
#define SWITCH(name) (variant == USUAL ? (int)USUAL_##name : variant == LEAN ? (int)LEAN_##name : k.name)

#include TEXT(models/WADI_MODEL_ID/JOIN(WADI_MODEL_ID, _cell).h)

#define INSTANCE(name, kind, ...) \
    static void name##_##kind(int x0, int x1, const void *k, const wadi_rows *in, float *const *out, \
                              uint8_t *changed) { \
        name##_row(x0, x1, k, in, out, changed, __VA_ARGS__); \
    }
#define EACH_INSTANCE(name, watched, tail) \
    INSTANCE(name, usual##tail, USUAL, 0, watched) \
    INSTANCE(name, usual_beside##tail, USUAL, 1, watched) \
    INSTANCE(name, lean##tail, LEAN, 0, watched) \
    INSTANCE(name, lean_beside##tail, LEAN, 1, watched) \
    INSTANCE(name, any##tail, ANY, 1, watched)
#define INSTANCES(name, needs, every, operations) \
    EACH_INSTANCE(name, 0, ) \
    EACH_INSTANCE(name, 1, _watched)
MODEL_STAGES(INSTANCES)

#define TABLE_ROW(name, needs, every, operations) \
    {name##_usual,         name##_usual_beside,         name##_lean,         name##_lean_beside,         name##_any, \
     name##_usual_watched, name##_usual_beside_watched, name##_lean_watched, name##_lean_beside_watched, name##_any_watched},
static wadi_row_fn *const stages[][WADI_ROW_KINDS] = {MODEL_STAGES(TABLE_ROW)};

/* clang-format on */

static void add_lanes(double lanes[8], const float *row, int x0, int x1) {
    double sum[8];
    for (int j = 0; j < 8; j++) sum[j] = lanes[j];
    int x = x0;
    for (; x % 8 != 0 && x < x1; x++) sum[x % 8] += (double)row[x];
    for (; x + 8 <= x1; x += 8)
        for (int j = 0; j < 8; j++) sum[j] += (double)row[x + j];
    for (; x < x1; x++) sum[x % 8] += (double)row[x];
    for (int j = 0; j < 8; j++) lanes[j] = sum[j];
}

const wadi_row_table JOIN(JOIN(wadi_rows_, WADI_MODEL_ID), JOIN(_, WADI_ISA));
const wadi_row_table JOIN(JOIN(wadi_rows_, WADI_MODEL_ID), JOIN(_, WADI_ISA)) = {TEXT(WADI_MODEL_ID), TEXT(WADI_ISA),
                                                                                 stages, add_lanes};
