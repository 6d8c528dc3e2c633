/* double_cell.c: one model's text (WADI_MODEL_ID) compiled with float64 for float32. */
#include "double_cell.h"

#include "engine/cell.h"

typedef float float32;

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wkeyword-macro"
#endif
#define float double
#define fabsf fabs
#define sqrtf sqrt
#define expf exp

#define GIVEN_CONSTANT(name) float32 name;
#define CONVERT(name) k->name = (double)given->name;
#define CONVERT_CHOICE(name, usual, lean) k->name = given->name;
#undef DEFINE_MODEL
#define DEFINE_MODEL \
    typedef struct constants { \
        MODEL_CONSTANTS(CELL_CONSTANT) \
        MODEL_MAPS(CELL_CONSTANT) \
        MODEL_SWITCHES(CELL_CHOICE) \
        int open; \
    } constants; \
    typedef struct given_constants { /* as the simulation has them */ \
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
#define AT(name, dx, dy) double_read(at, FIELD_##name, dx, dy)
#define MAP_AT(name, dx, dy) (k.name)
#define SET(name, value) double_write(at, FIELD_##name, value)
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

#define CELL_OF(name, needs, every, border, operations) name##_cell,
static void (*const cells[])(const double_at *at) = {MODEL_STAGES(CELL_OF)};

extern const double_model JOIN(double_, WADI_MODEL_ID);
const double_model JOIN(double_, WADI_MODEL_ID) = {cells, sizeof(constants), convert};
