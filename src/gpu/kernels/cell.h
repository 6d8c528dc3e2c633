/* cell.h: the meaning of a model's text on a GPU: a stage is a function from what a cell sees to what it makes of it.
 * The engine defines SWITCH_<name> for every switch and RASTER_<name> (0 or 1) for every map. */
#define WALL 1e30f
/* Where division and root are slow if they are to be exact: a way that is exact while operands are neither tiny nor
 * huge, and 0; what is beyond makes `watch` huge, or no number, and then all is done again the slow way (`exact`).
 *
 * An estimate is refined by fused multiplications and additions, as the compilers do it; they, though, look at each
 * operand and branch. The quotient is the nearest float32 if it, the divisor and the remainders are normal numbers:
 * |a| 0 or from 2^-80, |a| and |b| up to 2^44, |1/b| up to 2^60. */
#ifdef QUICK
#define WATCHED , float *watch, const int exact
#define WATCH , watch, exact
#define RATIO(a, b) ratio(1, a, b, 0.0f WATCH)
#define RATIO_IF(condition, a, b, other) ratio(condition, a, b, other WATCH)
#define ROOT(a) root(a WATCH)
#define ROOT_RATIO(a, b) root_ratio(a, b WATCH)
#define WATCHING(exact) , &watch, exact
#define IS_EXTREME(watch) (!((watch) < 0x1p44f))

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
CELL float scaled_to_1(float x) { /* |x| * 2^80, at most 1 */
    float r;
    ASM("mul.rn.sat.f32 %0, %1, 0f67800000;" : "=f"(r) : "f"(fabs(x)));
    return r;
}
/* The sum, or with something huge added where 0 < |x| < 2^-80. */
CELL float add_tiny(float sum, float x) {
    float t = scaled_to_1(x);
    return fma(fma(-t, t, t), 0x1p120f, sum);
}

CELL float ratio(const int condition, float a, float b, float other WATCHED) {
    if (exact) return condition ? a / b : other;
    float y = about_inverse(b), q;
    y = fma(y, fma(-b, y, 1.0f), y);
    q = a * y;
    q = fma(fma(-b, q, a), y, q);
    q = fma(fma(-b, q, a), y, q);
    float size = add_tiny(fma(fabs(y), 0x1p-16f, fabs(a) + fabs(b)), a);
    *watch += condition ? size : 0.0f;
    return condition ? q : other;
}
/* Of 0, or from 2^-124 to 2^104, as such quotients are. */
CELL float quick_root(float a) {
    float z = a * 0x1p22f, y = about_inverse_root(z > 0x1p-102f ? z : 0x1p-102f), s = z * y;
    return fma(fma(-s, s, z), y * 0.5f, s) * 0x1p-11f;
}
CELL float root(float a WATCHED) {
    if (exact) return sqrtf(a);
    *watch = add_tiny(fma(a, 0x1p-60f, *watch), a);
    return quick_root(a);
}
CELL float root_ratio(float a, float b WATCHED) {
    float q = ratio(1, a, b, 0.0f WATCH);
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
#define LEAST(a, b) least(a, b)
#define MOST(a, b) most(a, b)
#else
#define WATCHED
#define WATCH
#define WATCHING(exact)
#define IS_EXTREME(watch) ((void)(watch), 0)
#define RATIO(a, b) ((a) / (b))
#define RATIO_IF(condition, a, b, other) ((condition) ? (a) / (b) : (other))
#define ROOT(a) sqrtf(a)
#define ROOT_RATIO(a, b) sqrtf((a) / (b))
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define MOST(a, b) ((a) > (b) ? (a) : (b))
#endif

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
                                    const int OUTSIDE WATCHED) { \
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
