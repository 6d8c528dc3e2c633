/* reference_cell.h (internal): the meaning of a stage's text in the reference engine. A model's <id>.c includes it
 * before its <id>_cell.h. */
#include "engine/cell.h"
#include "engine/reference/reference.h"

#define STAGE(name) \
    static void name##_cell(const wadi_reference *at) { \
        const constants k = *(const constants *)at->constants; \
        (void)k;
#define END_STAGE }

#define OUTSIDE 1
#define AT(name, dx, dy) wadi_reference_read(at, FIELD_##name, dx, dy)
#define MAP_AT(name, dx, dy) wadi_reference_map(at, MAP_##name, k.name, dx, dy)
#define MAPPED(name) 1
#define SET(name, value) wadi_reference_write(at, FIELD_##name, value)
#define SUM(name, value) wadi_reference_sum(at, WADI_SUM_##name, value)
#define MAY(name) 1
#define SWITCH(name) (k.name)
