/* cell.h (internal): what the text of the physics is compiled with in C. Each engine says what STAGE, END_STAGE, AT,
 * MAP_AT, SET, SUM, MAY, SWITCH and OUTSIDE mean, then includes a model's <id>_cell.h:
 *
 *   DEFINE_MODEL                    after the lists: the constants' type; numbers of fields, maps, switches, stages
 *   STAGE(name) { ... } END_STAGE   the body, once a cell, in a scope with the constants as `k`
 *   AT(field, dx, dy), HERE(field)  a field at the neighbour (dx, dy), or here
 *   MAP_AT(name, dx, dy), MAP(name) a constant that may differ from cell to cell
 *   MAPPED(name)                    whether it may: 1 where that is not known when compiling
 *   SET(field, value), SUM(name, value)
 *   MAY(name)                       whether a choice may be other than 0: 1 where that is not known when compiling
 *   SWITCH(name)                    a choice; OUTSIDE: whether a neighbour or the cell itself may lie outside */
#ifndef WADI_ENGINE_CELL_H
#define WADI_ENGINE_CELL_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/model.h"

#define WALL WADI_WALL
#define CELL static inline __attribute__((always_inline, unused))
/* See models/common_cell.h. */
#define RATIO(a, b) ((a) / (b))
#define RATIO_IF(condition, a, b, other) ((condition) ? (a) / (b) : (other))
#define SIGNED_RATIO_IF RATIO_IF
#define PART_IF RATIO_IF
#define ROOT(a) sqrtf(a)
#define ROOT_RATIO(a, b) sqrtf((a) / (b))
#define INVERSE(a) (1.0f / (a))
#define INVERSE_IF(condition, a, other) RATIO_IF(condition, 1.0f, a, other)
#define EXPONENT(a) exponent_of(a)
#define POWER_OF_2(n) power_of_2(n)
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define MOST(a, b) ((a) > (b) ? (a) : (b))
#define SIZE(a) fabsf(a)
#define WITHIN_1(a) cell_min(cell_max(a, 0.0f), 1.0f)
#define WATCHED
#define WATCH
#define HERE(field) AT(field, 0, 0)
#define MAP(name) MAP_AT(name, 0, 0)

CELL float exponent_of(float a) {
    uint32_t bits;
    memcpy(&bits, &a, sizeof(bits));
    return (float)((int32_t)((bits + (0x3f800000u - 0x3f3504f3u)) >> 23) - 127); /* 0x3f3504f3: the root of 1/2 */
}
CELL float power_of_2(float n) {
    const uint32_t bits = (uint32_t)((int32_t)n + 127) << 23;
    float power;
    memcpy(&power, &bits, sizeof(power));
    return power;
}

/* clang-format off */ /* it takes the lists for statements */
#define CELL_CONSTANT(name) float name;
#define CELL_CHOICE(name, standard, reduced, at_sea) int name;
#define CELL_FIELD_INDEX(name, kind, outside) FIELD_##name,
#define CELL_FIELD_LASTS(name, kind, outside) LASTS_##name = WADI_##kind == WADI_STATE || WADI_##kind == WADI_OPTIONAL,
#define CELL_MAP_INDEX(name) MAP_##name,
#define EITHER WADI_EITHER
#define CELL_SWITCH_INDEX(name, standard, reduced, at_sea) SWITCH_##name,
#define CELL_SWITCH_BIT(name, standard, reduced, at_sea) USES_##name = 1u << SWITCH_##name,
#define CELL_SWITCH_VALUES(name, standard, reduced, at_sea) \
    STANDARD_##name = (standard), REDUCED_##name = (reduced), AT_SEA_##name = (at_sea),
#define CELL_STAGE_INDEX(name, needs, every, border, operations, switches) INDEX_##name,
#define CELL_STAGE_SWITCHES(name, needs, every, border, operations, switches) READ_BY_##name = (switches),
#define DEFINE_MODEL \
    typedef struct constants { \
        MODEL_CONSTANTS(CELL_CONSTANT) \
        MODEL_MAPS(CELL_CONSTANT) \
        MODEL_SWITCHES(CELL_CHOICE) \
        int open; /* the border */ \
    } constants; \
    enum { MODEL_FIELDS(CELL_FIELD_INDEX) FIELDS }; \
    enum { MODEL_FIELDS(CELL_FIELD_LASTS) }; \
    enum { MODEL_MAPS(CELL_MAP_INDEX) MAPS }; \
    enum { MODEL_SWITCHES(CELL_SWITCH_INDEX) SWITCHES }; \
    enum { MODEL_SWITCHES(CELL_SWITCH_BIT) }; \
    enum { MODEL_SWITCHES(CELL_SWITCH_VALUES) }; \
    enum { MODEL_STAGES(CELL_STAGE_INDEX) STAGES }; \
    enum { MODEL_STAGES(CELL_STAGE_SWITCHES) };

/* clang-format on */

/* picks one kind out of a stage's list */
#define CELL_SKIP1(a)
#define CELL_SKIP2(a, b)

#endif
