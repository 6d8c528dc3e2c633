// extremes_at_rims.cpp: looks for ratios and roots with extreme operands in cells beyond the rim of a grid. A GPU computes
// these cells, too, with the values outside (WALL is 1e30). Where its fast division does not take an operand, it computes
// the whole column tile twice. The result is right, but a model may be three times as slow. Mend a ratio by a condition
// that excludes these cells.
#define _Static_assert static_assert
#include <cmath>
#include <cstdio>
#include <cstring>

#include "cell_text.hpp"

static int wrong;
static int outside; // of the 3 x 3 cells: bit 3 y + x, from the upper left
static const char *stage;

// As src/engine/gpu/kernels/device_cell.h has it.
static bool takes(float a) { return a == 0 || (std::fabs(a) >= 0x1p-60f && std::fabs(a) < 0x1p44f); }
static void look(bool good, int line, float a, float b) {
    if (good) return;
    printf("%s, line %d: %g by %g where cells %o are outside\n", stage, line, (double)a, (double)b, (unsigned)outside);
    wrong++;
}
static float ratio(float a, float b, int line) {
    look(takes(a) && takes(b) && b > 0, line, a, b);
    return a / b;
}
static float root(float a, int line) {
    look(a == 0 || (a >= 0x1p-82f && a < 0x1p104f), line, a, 1);
    return std::sqrt(a);
}

// the declarations that the physics' text needs, as in engine/cell.h
#define RATIO(a, b) ratio(a, b, __LINE__)
#define RATIO_IF(condition, a, b, other) ratio((condition) ? (a) : (other), (condition) ? (b) : 1.0f, __LINE__)
#define ROOT(a) root(a, __LINE__)
#define ROOT_RATIO(a, b) root(ratio(a, b, __LINE__), __LINE__)
#define INVERSE(a) ratio(1.0f, a, __LINE__)
#define EXPONENT(a) std::rint(std::log2(a))
#define POWER_OF_2(n) std::exp2(n)
#define LEAST(a, b) std::fmin(a, b)
#define MOST(a, b) std::fmax(a, b)
#define SIZE(a) std::fabs(a)
#define WITHIN_1(a) std::fmin(std::fmax(a, 0.0f), 1.0f)
static int set; // of the switches
#define CHOICE(name, standard, reduced, at_sea) static const int name##_in[] = {standard, reduced, at_sea};
#define NUMBER(name, kind, value_outside) FIELD_##name,
#define VALUE(name, kind, value_outside) value_outside,
#define DEFINE_MODEL                                                                                                   \
    STRUCT_OF_CONSTANTS                                                                                                \
    MODEL_SWITCHES(CHOICE)                                                                                             \
    enum { MODEL_FIELDS(NUMBER) FIELDS };                                                                              \
    static const float values_outside[] = {MODEL_FIELDS(VALUE)};

#define STAGE(name)                                                                                                    \
    static void try_##name(const constants k) {                                                                        \
        stage = #name;
#define OUTSIDE 1
// Ground is rough and some metres high, and all else about a half.
static float field_at(const float *beyond, int field, int dx, int dy) {
    if (outside >> (3 * dy + dx + 4) & 1) return beyond[field];
    const bool ground = beyond[field] > 1e20f;
    return ground ? 10.0f + 0.3f * (float)dx + 0.21f * (float)dy : 0.5f + 0.05f * (float)dx + 0.03f * (float)dy;
}
#define AT(name, dx, dy) field_at(values_outside, FIELD_##name, dx, dy)
#define SWITCH(name) name##_in[set]

#include MODEL_TEXT

int main() {
    // none, all, a column, a row, two of them, and corners
    static const int patterns[] = {0, 0777, 0111, 0444, 0007, 0700, 0333, 0666, 0077, 0770, 0117, 0744, 0377, 0776};
    constants k;
#define FILL(name) k.name = std::strcmp(#name, "sea") != 0 ? 0.3f : set == 2 ? 9.9f : -1e9f;
#define TRY(name, needs, every, border, declared, switches) try_##name(k);
    for (set = 0; set < 3; set++) {
        MODEL_CONSTANTS(FILL)
        MODEL_MAPS(FILL)
        for (int pattern : patterns) {
            outside = pattern;
            k.open = 0;
            MODEL_STAGES(TRY)
            k.open = 1;
            MODEL_STAGES(TRY)
        }
    }
    return wrong > 0;
}
