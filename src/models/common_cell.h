/* common_cell.h: functions and macros for the physics of all models.
 *
 * Written in the common subset of C11, OpenCL C and CUDA C. The order of operations is part of the contract: it fixes
 * the bits on every backend. It is chosen for few divisions. Opposite directions are combined first, then the two
 * pairs, so that a mirrored or turned terrain gives the mirrored or turned result.
 *
 *     RATIO(a, b)                  a / b; a >= 0 and not -0, b > 0
 *     RATIO_IF(c, a, b, other)     a / b if c, else `other`, which has the magnitude of a
 *     PART_IF(c, a, b, other)      the same; a is at most b, and `other` at most 1
 *     SIGNED_RATIO_IF              the same for any a but -0
 *     ROOT(a), ROOT_RATIO(a, b)    the square root of a, of a / b; a >= 0; for ROOT_RATIO a is 0 or at least 2^-80
 *     INVERSE(a)                   1 / a; a > 0
 *     INVERSE_IF(condition, a, other)
 *     EXPONENT(a)                  the whole number n for which a / 2^n is from sqrt(1/2) to sqrt(2); a > 0 and normal
 *     POWER_OF_2(n)                2^n; a whole number n from -126 to 127
 *
 * A GPU may compute divisions and roots in a faster form, which is exact except for extreme operands. It must record
 * such operands: a function that uses one has WATCHED after its parameters, and its callers pass WATCH after the
 * arguments. Cells outside are computed, too, and WALL is extreme there. Give RATIO_IF a condition that excludes them;
 * else all cells beside a rim are computed twice (tests/unit/extremes_at_rims.cpp). */

CELL float cell_min(float a, float b) { return a < b ? a : b; }
CELL float cell_max(float a, float b) { return a > b ? a : b; }
/* The same if no operand is -0: a GPU's own instruction, which orders -0 before 0 and keeps NaN. */
CELL float cell_least(float a, float b) { return LEAST(a, b); }
CELL float cell_most(float a, float b) { return MOST(a, b); }
CELL float cell_size(float a) { return SIZE(a); }
/* v, clamped to 0..1; 0 for -0 or NaN. */
CELL float cell_within_1(float v) { return WITHIN_1(v); }
/* Whether water carries sediment away. Depths near 0 would make a concentration infinite. Fronts would thin sediment
 * out to denormal numbers, which are slow. So less than a millionth of d_min does not move. */
CELL int is_carried(float s, float d, float d_min) { return d > d_min && s > d_min * 1e-6f; }
CELL int cell_outside(float b) { return b >= 0.1f * WALL; }

/* The value beyond an open border: dry ground at the cell's own initial height. Elsewhere the neighbour's value. */
CELL float beyond(float value, float bn, float own, int open) { return open && cell_outside(bn) ? own : value; }

/* Central difference. Next to an outside cell it is one-sided: the outside continues in a straight line. 0 outside. */
CELL float gradient(float c, float before, float after, float half_inv_l, int outside) {
    float p = outside && cell_outside(before) ? (cell_outside(after) ? c : (c + c) - after) : before;
    float n = outside && cell_outside(after) ? (cell_outside(before) ? c : (c + c) - before) : after;
    return outside && cell_outside(c) ? 0.0f : (n - p) * half_inv_l;
}

/* The exchange between bed and water. The water gets exactly what the bed loses in float32. */
typedef struct cell_transfer {
    float db, s, moved;
} cell_transfer;

CELL cell_transfer transfer(float db, float s, float x) {
    cell_transfer t;
    float db1 = db - x;
    float moved = db - db1;
    float s1 = s + moved;
    int none = s1 < 0.0f; /* rounding would take more than there is */
    t.db = none ? db : db1;
    t.s = none ? s : s1;
    t.moved = none ? 0.0f : moved;
    return t;
}

/* Evaporates a share of the depth, or the same depth from every wet cell. Less than d_min is dry. */
CELL float evaporate(float d, float keep, float depth, float d_min, int surface) {
    float left = surface ? cell_max(0.0f, d - depth) : d * keep;
    return left < d_min ? 0.0f : left;
}

/* e^-x for x >= 0, to a millionth, with x limited to 16. The same bits on every machine. Uses p = e^y - 1, which keeps
 * the digits of a small x. */
CELL float exp_negative(float x WATCHED) {
    float y = cell_min(x, 16.0f) * 0.0625f;
    float p = y * (1.0f + y * (0.5f + y * (0.16666667f + y * (0.041666668f + y * (0.008333334f + y * 0.0013888889f)))));
    p = p * (2.0f + p); /* e^2y - 1 */
    p = p * (2.0f + p);
    p = p * (2.0f + p);
    p = p * (2.0f + p);
    return INVERSE(1.0f + p);
}

/* v^e for |e| <= 2, to some millionths; 1^e is 1. v counts as at least 2^-60 and at most 2^60. The same bits on every
 * machine. v is 2^n (1 + t), and its logarithm to the base of 2 is n + t p(t). e times that is a whole number and the
 * rest r. */
CELL float cell_power(float v, float e) {
    float inside = cell_min(cell_max(v, 0x1p-60f), 0x1p60f), n = EXPONENT(inside);
    float t = inside * POWER_OF_2(-n) - 1.0f, t2 = t * t, t4 = t2 * t2;
    float p = ((1.4426963f - 0.7213677f * t) + (0.4806487f - 0.3591848f * t) * t2) +
              ((0.2950998f - 0.27097747f * t) + 0.17616709f * t2) * t4;
    float whole = e * n, part = e * (t * p), nearest = ((whole + part) + 0x1.8p23f) - 0x1.8p23f;
    float r = (whole - nearest) + part, r2 = r * r;
    float s = ((0.69314724f + 0.24022235f * r) + (0.055503085f + 0.009671875f * r) * r2) + (0.0013407259f * r2) * r2;
    return POWER_OF_2(nearest) * (1.0f + r * s);
}

/* The height of a face of slope S_c between its lower neighbours along x and along y: ((h - bx)/lx)^2 + ((h - by)/ly)^2 =
 * S_c^2. It is the same in all directions, which a limit to each neighbour alone is not. far: there is no such face. */
CELL float face_height(float bx, float by, float part_x, float part_y, float face, float folds, float far WATCHED) {
    float apart = cell_min(cell_max(bx - by, -1e9f), 1e9f), under = face - folds * (apart * apart);
    float h = (bx * part_x + by * part_y) + ROOT(under > 0.0f ? under : 0.0f);
    return under > 0.0f && h >= cell_max(bx, by) ? h : far;
}

CELL float cell_abs1(float v) { /* |v|, at most 1 */
    float a = v < 0.0f ? -v : v;
    return a < 1.0f ? a : 1.0f;
}

/* the sum of those of four flows to neighbours that go to outside cells */
#define SPILL(left, right, top, bottom) \
    (((cell_outside(AT(b, -1, 0)) ? (left) : 0.0f) + (cell_outside(AT(b, 1, 0)) ? (right) : 0.0f)) + \
     ((cell_outside(AT(b, 0, -1)) ? (top) : 0.0f) + (cell_outside(AT(b, 0, 1)) ? (bottom) : 0.0f)))
