/* double_cell.c: compiles one model's cell functions (WADI_MODEL_ID) with double in place of float. With WADI_WATCHED
 * it compiles them in float32 and reports the operands of divisions and roots to double_watch. */
#include "double_cell.h"

#include "engine/cell.h"

typedef float float32;

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wkeyword-macro"
#endif
#ifdef WADI_WATCHED
#define NAME(id) JOIN(watched_, id)
CELL float watched_ratio(float a, float b) {
    double_watch((double)a, (double)b);
    return a / b;
}
CELL float watched_root(float a) {
    double_watch((double)a * 0x1p22, 1);
    return sqrtf(a);
}
#undef RATIO
#undef RATIO_IF
#undef ROOT
#undef ROOT_RATIO
#undef INVERSE
#define RATIO(a, b) watched_ratio(a, b)
#define RATIO_IF(condition, a, b, other) watched_ratio((condition) ? (a) : (other), (condition) ? (b) : 1.0f)
#define ROOT(a) watched_root(a)
#define ROOT_RATIO(a, b) sqrtf(watched_ratio(a, b))
#define INVERSE(a) watched_ratio(1.0f, a)
#define CONVERT(name) k->name = given->name;
#define READ_AT(at, field, dx, dy) ((float)double_read(at, field, dx, dy))
#define WRITE_AT(at, field, value) double_write(at, field, (double)(value))
#else
#define NAME(id) JOIN(double_, id)
#define float double
#define fabsf fabs
#define sqrtf sqrt
#define expf exp
#undef EXPONENT
#undef POWER_OF_2
#define EXPONENT(a) floor(log2(a) + 0.5)
#define POWER_OF_2(n) exp2(n)
#define CONVERT(name) k->name = (double)given->name;
#define READ_AT double_read
#define WRITE_AT double_write
#endif

#define GIVEN_CONSTANT(name) float32 name;
#define CONVERT_CHOICE(name, standard, reduced, at_sea) k->name = given->name;
#undef DEFINE_MODEL
#define DEFINE_MODEL \
    typedef struct constants { \
        MODEL_CONSTANTS(CELL_CONSTANT) \
        MODEL_MAPS(CELL_CONSTANT) \
        MODEL_SWITCHES(CELL_CHOICE) \
        int open; \
    } constants; \
    typedef struct given_constants { /* the layout of the simulation's constants */ \
        MODEL_CONSTANTS(GIVEN_CONSTANT) \
        MODEL_MAPS(GIVEN_CONSTANT) \
        MODEL_SWITCHES(CELL_CHOICE) \
        int open; \
    } given_constants; \
    enum { MODEL_FIELDS(CELL_FIELD_INDEX) FIELDS };

#define STAGE(name) \
    static void name##_cell(const double_at *at) { \
        const constants k = *(const constants *)at->constants; \
        (void)k;
#define END_STAGE }

#define OUTSIDE 1
#define AT(name, dx, dy) READ_AT(at, FIELD_##name, dx, dy)
#define MAP_AT(name, dx, dy) (k.name)
#define SET(name, value) WRITE_AT(at, FIELD_##name, value)
#define SUM(name, value) (void)(value)
#define MAY(name) 1
#define MAPPED(name) 0
#define SWITCH(name) (k.name)

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)
/* clang-format off */
#include TEXT(models/WADI_MODEL_ID/JOIN(WADI_MODEL_ID, _cell).h)
/* clang-format on */

static void convert(const void *given_, void *constants_) {
    const given_constants *given = given_;
    constants *k = constants_;
    MODEL_CONSTANTS(CONVERT)
    MODEL_MAPS(CONVERT)
    MODEL_SWITCHES(CONVERT_CHOICE)
    k->open = given->open;
}

#define CELL_OF(name, needs, every, border, operations, switches) name##_cell,
static void (*const cells[])(const double_at *at) = {MODEL_STAGES(CELL_OF)};

extern const double_model NAME(WADI_MODEL_ID);
const double_model NAME(WADI_MODEL_ID) = {cells, sizeof(constants), convert};
