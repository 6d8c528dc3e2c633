/* cell.h: the meaning of a model's text on a GPU: a stage is a function from what a cell sees to what it makes of it.
 * The engine defines SWITCH_<name> for every switch and RASTER_<name> (0 or 1) for every map. */
#define WALL 1e30f
#define HERE(field) AT(field, 0, 0)
#define MAP(name) MAP_AT(name, 0, 0)
#define MAY(name) (SWITCH_##name != 0)
#define SWITCH(name) SWITCH_##name
#define SKIP1(a)
#define SKIP2(a, b)

#define CONSTANT(name) float name;
#define CHOICE(name, usual, lean) int name;
#define DEFINE_MODEL \
    typedef struct constants { \
        MODEL_CONSTANTS(CONSTANT) \
        MODEL_MAPS(CONSTANT) \
        MODEL_SWITCHES(CHOICE) \
        int open; \
    } constants;

/* A field at a cell and its neighbours. */
typedef struct near {
    float at[3][3];
} near;

#define NEAR_IN(name, radius) const near n_##name,
#define RESULT(name) float name;
#define RESULT_SUM(name) float sum_##name;
#define STAGE(name) \
    typedef struct name##_results { \
        STAGE_##name(SKIP2, SKIP2, RESULT, RESULT_SUM) int unused; \
    } name##_results; \
    CELL name##_results name##_cell(STAGE_##name(NEAR_IN, NEAR_IN, SKIP1, SKIP1) const constants k, \
                                    const int OUTSIDE) { \
        name##_results results = {0};
#define END_STAGE \
    return results; \
    }
#define AT(field, dx, dy) n_##field.at[(dy) + 1][(dx) + 1]
#define MAP_AT(name, dx, dy) (RASTER_##name ? AT(name, dx, dy) : k.name)
#define SET(field, value) results.field = (value)
#define SUM(name, value) results.sum_##name = (value)

CELL near near_none(void) {
    near n = {{{0.0f}}};
    return n;
}
