/* cell_text.hpp: what the text of the physics (models/ID/ID_cell.h) needs in a test that compiles it as C++, beside
 * numbers, ratios and the values of fields. WADI_MODEL_ID names the model. */
#ifndef TESTS_CELL_TEXT_HPP
#define TESTS_CELL_TEXT_HPP

#define WALL 1e30f
#define CELL [[maybe_unused]] static inline
#define SIGNED_RATIO_IF RATIO_IF
#define PART_IF RATIO_IF
#define INVERSE_IF(condition, a, other) RATIO_IF(condition, 1.0f, a, other)
#define WATCHED
#define WATCH
#define HERE(field) AT(field, 0, 0)
#define MAP(name) MAP_AT(name, 0, 0)
#define MAP_AT(name, dx, dy) k.name
#define MAPPED(name) 0
#define SET(name, value) (void)(value)
#define SUM(name, value) (void)(value)
#define MAY(name) 1
#define CONSTANT(name) float name;
#define STRUCT_OF_CONSTANTS                                                                                            \
    struct constants {                                                                                                 \
        MODEL_CONSTANTS(CONSTANT)                                                                                      \
        MODEL_MAPS(CONSTANT)                                                                                           \
        int open;                                                                                                      \
    };
#define EITHER 0
#define END_STAGE                                                                                                      \
    (void)k;                                                                                                           \
    }

#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define MODEL_TEXT TEXT(models/WADI_MODEL_ID/JOIN(WADI_MODEL_ID, _cell).h)

#endif
