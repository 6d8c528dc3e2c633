/* device_cell.h: compiles a model's stages on a GPU. A stage becomes a function from a neighbourhood to results. The
 * engine defines SWITCH_<name> for every switch and RASTER_<name> (0: no map) for every map. */
/* Fast exact division and root, for devices on which the compiler's exact ones are slow. They are exact unless
 * operands are tiny or huge. `watch` records such operands, and the work is then repeated with the slow form
 * (`exact`). An estimate is refined by fused multiply-adds, without the compiler's branches. The quotient is the
 * nearest float32 if it, the divisor and the remainders are normal numbers: |a| is 0 or 2^-80 to 2^44, b 2^-60 to
 * 2^44. */
#ifdef QUICK
/* The bits of a non-negative float32, as an unsigned integer, grow with its value. Minus the bits of a lower bound,
 * smaller values wrap around to large integers. So one maximum checks both bounds of many operands. */
typedef struct extremes {
    float high; /* at least the largest |a| */
    uint low;   /* of a, or |a|, minus 2^-80: 0 gives -LOW, tiny values more than that */
    uint off;   /* of b minus 2^-60 */
} extremes;
#define LOW 0x17800000u
#define WATCHED , extremes *watch, const int exact
#define WATCH , watch, exact
#define RATIO(a, b) ratio(a, b, ANY WATCH)
#define RATIO_OF(kind, condition, a, b, other) ratio((condition) ? (a) : (other), (condition) ? (b) : 1.0f, kind WATCH)
#define RATIO_IF(condition, a, b, other) RATIO_OF(ANY, condition, a, b, other)
#define PART_IF(condition, a, b, other) RATIO_OF(PART, condition, a, b, other)
#define SIGNED_RATIO_IF(condition, a, b, other) RATIO_OF(SIGNED, condition, a, b, other)
#define ROOT(a) root(a WATCH)
#define ROOT_RATIO(a, b) root_ratio(a, b WATCH)
#define INVERSE(a) ratio(1.0f, a, ONE WATCH)
#define INVERSE_IF(condition, a, other) RATIO_OF(ONE, condition, 1.0f, a, other)
#define WATCHING(watch, exact) , &watch, exact

CELL int is_extreme(const extremes e) {
    return !(e.high < 0x1p44f) || e.low > 0u - LOW || e.off > 0x34000000u; /* from 2^-60 to 2^44: 104 powers of 2 */
}
CELL float about_inverse(float x) {
    float r;
    ASM("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}
CELL float about_inverse_root(float x) {
    float r;
    ASM("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}
CELL float most(float a, float b);
CELL uint later(uint a, uint b) { return a > b ? a : b; }
CELL void watch_low(extremes *watch, float a) { watch->low = later(watch->low, bits_of(a) - LOW); }

enum { ANY, PART, SIGNED, NOT_TINY, ONE };
CELL float ratio(float a, float b, const int kind WATCHED) {
    if (exact) return a / b;
    float y = about_inverse(b), q;
    y = fma(y, fma(-b, y, 1.0f), y);
    q = a * y;
    q = fma(fma(-b, q, a), y, q);
    q = fma(fma(-b, q, a), y, q);
    if (kind != NOT_TINY && kind != ONE) watch_low(watch, kind == SIGNED ? fabs(a) : a);
    if (kind != PART && kind != ONE) watch->high = most(watch->high, fabs(a)); /* else b is checked */
    watch->off = later(watch->off, bits_of(b) - 0x21800000u);
    /* 1/b is half way between two numbers, but for less than can be seen here, if all bits of b's fraction are 1 */
    if (kind == ONE) watch->off = later(watch->off, bits_of(b) << 9 == 0xfffffe00u ? 0xffffffffu : 0u);
    return q;
}
/* Root of 0, or of 2^-124 to 2^104, the range of such quotients. */
CELL float quick_root(float a) {
    float z = a * 0x1p22f, y = about_inverse_root(z > 0x1p-102f ? z : 0x1p-102f), s = z * y;
    return fma(fma(-s, s, z), y * 0.5f, s) * 0x1p-11f;
}
CELL float root(float a WATCHED) {
    if (exact) return sqrtf(a);
    watch_low(watch, a * 0x1p22f); /* a may be smaller by that factor */
    watch->high = fma(a, 0x1p-60f, watch->high);
    return quick_root(a);
}
CELL float root_ratio(float a, float b WATCHED) {
    float q = ratio(a, b, NOT_TINY WATCH);
    return exact ? sqrtf(q) : quick_root(q);
}

CELL float least(float a, float b) {
    float r;
    ASM("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    return r;
}
CELL float most(float a, float b) {
    float r;
    ASM("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    return r;
}
CELL float within_1(float a) {
    float r;
    ASM("cvt.sat.f32.f32 %0, %1;" : "=f"(r) : "f"(a));
    return r;
}
#define LEAST(a, b) least(a, b)
#define MOST(a, b) most(a, b)
#define WITHIN_1(a) within_1(a)
#else
typedef struct extremes {
    int none;
} extremes;
CELL int is_extreme(const extremes e) { return 0; }
#define WATCHED
#define WATCH
#define WATCHING(watch, exact)
#define RATIO(a, b) ((a) / (b))
#define RATIO_IF(condition, a, b, other) ((condition) ? (a) / (b) : (other))
#define SIGNED_RATIO_IF RATIO_IF
#define PART_IF RATIO_IF
#define ROOT(a) sqrtf(a)
#define ROOT_RATIO(a, b) sqrtf((a) / (b))
#define INVERSE(a) (1.0f / (a))
#define INVERSE_IF(condition, a, other) ((condition) ? 1.0f / (a) : (other))
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define MOST(a, b) ((a) > (b) ? (a) : (b))
#define WITHIN_1(a) cell_min(cell_max(a, 0.0f), 1.0f)
#endif

#define EXPONENT(a) exponent_of(a)
#define POWER_OF_2(n) float_of((uint)((int)(n) + 127) << 23)
CELL float exponent_of(float a) { /* 0x3f3504f3: the root of 1/2 */
    return (float)((int)((bits_of(a) + (0x3f800000u - 0x3f3504f3u)) >> 23) - 127);
}

#define SIZE(a) fabs(a)
#define HERE(field) AT(field, 0, 0)
#define MAP(name) MAP_AT(name, 0, 0)
#define MAY(name) (SWITCH_##name != 0)
#define SWITCH(name) SWITCH_##name
#define SKIP1(a)
#define SKIP2(a, b)

#define CONSTANT(name) float name;
#define CHOICE(name, standard, reduced, at_sea) int name;
#define DEFINE_MODEL \
    typedef struct constants { \
        MODEL_CONSTANTS(CONSTANT) \
        MODEL_MAPS(CONSTANT) \
        MODEL_SWITCHES(CHOICE) \
        int open; \
    } constants;

/* A field at a cell and its eight neighbours. */
typedef struct near {
    float at[3][3];
} near;

/* Sorts a stage's list by kind: reads, maps, writes, sums. LIST is STAGE_<name> and not <name>, because a device's
 * compiler may have a macro of that name. */
#define BY_KIND(LIST, READ, MAPS, WRITE, SUMS) \
    LIST(READ, SKIP2, SKIP1, SKIP1) \
    LIST(SKIP2, MAPS, SKIP1, SKIP1) LIST(SKIP2, SKIP2, WRITE, SKIP1) LIST(SKIP2, SKIP2, SKIP1, SUMS)
#define NEAR_IN(name, reach) const near n_##name,
#define RESULT(name) float name;
#define RESULT_SUM(name) float sum_##name;
#define STAGE(name) \
    typedef struct name##_results { \
        STAGE_##name(SKIP2, SKIP2, RESULT, RESULT_SUM) int unused; \
    } name##_results; \
    CELL name##_results name##_cell(BY_KIND(STAGE_##name, NEAR_IN, NEAR_IN, SKIP1, SKIP1) const constants k, \
                                    const int OUTSIDE WATCHED) { \
        name##_results results = {0};
#define END_STAGE \
    return results; \
    }
#define AT(field, dx, dy) n_##field.at[(dy) + 1][(dx) + 1]
#define MAP_AT(name, dx, dy) (RASTER_##name ? AT(name, dx, dy) : k.name)
#define MAPPED(name) RASTER_##name
#define SET(field, value) results.field = (value)
#define SUM(name, value) results.sum_##name = (value)

CELL near near_none(void) {
    near n = {{{0.0f}}};
    return n;
}
