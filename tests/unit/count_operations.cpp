// count_operations.cpp: counts what a cell costs, by compiling the physics with a number type that counts, and compares
// it with the model's table. Each value computed counts one: add, multiply, divide, root, and compare (a min or max too).
#define _Static_assert static_assert
#include <cstdio>
#include <cstring>

#include "cell_text.hpp"

static int operations;

struct number {
    float v;
    number(float value = 0.1f) : v(value) {}
};
#define OPERATION(op)                                                                                                  \
    static number operator op(number a, number b) {                                                                    \
        operations++;                                                                                                  \
        return a.v op b.v;                                                                                             \
    }
#define COMPARISON(op)                                                                                                 \
    static bool operator op(number a, number b) {                                                                      \
        operations++;                                                                                                  \
        return a.v op b.v;                                                                                             \
    }
OPERATION(+)
OPERATION(-)
OPERATION(*)
OPERATION(/)
COMPARISON(<)
COMPARISON(>)
COMPARISON(<=)
COMPARISON(>=)
COMPARISON(==)
[[maybe_unused]] static number operator-(number a) { return -a.v; }
[[maybe_unused]] static number sqrtf(number a) {
    operations++;
    return a;
}

// the declarations that the physics' text needs, as in engine/cell.h
#define RATIO(a, b) ((a) / (b))
#define RATIO_IF(condition, a, b, other) ((condition) ? (a) / (b) : (other))
#define ROOT(a) sqrtf(a)
#define ROOT_RATIO(a, b) sqrtf((a) / (b))
#define INVERSE(a) (1.0f / (a))
#define EXPONENT(a) sqrtf(a) /* each counts one; the value does not matter */
#define POWER_OF_2(n) sqrtf(n)
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define MOST(a, b) ((a) > (b) ? (a) : (b))
#define SIZE(a) ((a).v < 0 ? -(a) : (a)) /* its sign alone changes */
#define WITHIN_1(a) cell_min(cell_max(a, 0.0f), 1.0f)
#define CHOICE(name, standard, reduced, at_sea) enum { STANDARD_##name = standard };
#define DEFINE_MODEL                                                                                                   \
    STRUCT_OF_CONSTANTS                                                                                                \
    MODEL_SWITCHES(CHOICE)

#define STAGE(name)                                                                                                    \
    static void count_##name() {                                                                                       \
        constants k{};
#define OUTSIDE 0
#define AT(name, dx, dy) number((dx) == 0 && (dy) == 0 ? 1.0f : 0.0f) /* a peak: it slides, and its water digs */
#define SWITCH(name) (int)STANDARD_##name

#define float number
#include MODEL_TEXT
#undef float

int main() {
    int wrong = 0;
#define COUNT(name, needs, every, border, declared, switches)                                                          \
    operations = 0;                                                                                                    \
    count_##name();                                                                                                    \
    if (operations != declared) {                                                                                      \
        printf("%s: %d operations, the table says %d\n", #name, operations, declared);                                 \
        wrong++;                                                                                                       \
    }
    MODEL_STAGES(COUNT)
    return wrong > 0;
}
