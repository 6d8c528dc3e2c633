/* common_cell.h: what the physics of all models is written with.
 *
 * Written in the common subset of C11, OpenCL C and CUDA C. The order of operations is part of the contract: it
 * fixes the bits on every backend. It is chosen for few divisions, and so that a mirrored or turned terrain gives the
 * mirrored or turned result: opposite directions are combined first, then the two pairs.
 *
 * RATIO(a, b) is a / b, a >= 0 and not -0, b > 0; RATIO_IF(c, a, b, other) that where c, else `other`, which is like a;
 * PART_IF the same where neither a nor `other` is more than b, or than 1; SIGNED_RATIO_IF of any a but -0; ROOT(a) the
 * square root, a >= 0; ROOT_RATIO(a, b) that of a / b, where a is 0 or at least 2^-80; INVERSE(a) is 1 / a, a > 0.
 * A GPU may take a faster way there that is exact for all but extreme operands, and be told when it met those. So a
 * function that has one of them has WATCHED after its parameters, and WATCH after its arguments. */

CELL float cell_min(float a, float b) { return a < b ? a : b; }
CELL float cell_max(float a, float b) { return a > b ? a : b; }
/* The same if none is -0: a GPU's own instruction, which puts -0 before 0, and keeps what is no number. */
CELL float cell_least(float a, float b) { return LEAST(a, b); }
CELL float cell_most(float a, float b) { return MOST(a, b); }
/* v, at least 0 and at most 1; of -0 or what is no number 0. */
CELL float cell_within_1(float v) { return WITHIN_1(v); }
/* Whether water carries sediment away: depths near 0 would make a concentration infinite, and fronts thin sediment out
 * without end, to denormal numbers, which are slow. What is less than a millionth of d_min stays where it is. */
CELL int is_carried(float s, float d, float d_min) { return d > d_min && s > d_min * 1e-6f; }
CELL int cell_outside(float b) { return b >= 0.1f * WALL; }

/* What a cell sees beyond an open border: dry ground at its own initial height. Elsewhere the neighbour's value. */
CELL float beyond(float value, float bn, float own, int open) { return open && cell_outside(bn) ? own : value; }

/* Central difference; beside an outside cell, one-sided: the outside is taken to go on in a straight line. 0 outside. */
CELL float gradient(float c, float before, float after, float half_inv_l, int outside) {
    float p = outside && cell_outside(before) ? (cell_outside(after) ? c : (c + c) - after) : before;
    float n = outside && cell_outside(after) ? (cell_outside(before) ? c : (c + c) - before) : after;
    return outside && cell_outside(c) ? 0.0f : (n - p) * half_inv_l;
}

/* What goes between bed and water. The bed's change is what float32 made of it, and the water gets exactly that. */
typedef struct cell_transfer {
    float db, s, moved;
} cell_transfer;

CELL cell_transfer transfer(float db, float s, float x) {
    cell_transfer t;
    float db1 = db - x;
    float moved = db - db1;
    float s1 = s + moved;
    int none = s1 < 0.0f; /* rounding asked for more than there is */
    t.db = none ? db : db1;
    t.s = none ? s : s1;
    t.moved = none ? 0.0f : moved;
    return t;
}

/* A share of the depth, or the same depth off every wet cell; less than d_min is taken for dry. */
CELL float evaporate(float d, float keep, float depth, float d_min, int surface) {
    float left = surface ? cell_max(0.0f, d - depth) : d * keep;
    return left < d_min ? 0.0f : left;
}

/* e^-x for x >= 0, to a millionth; from 16 on what 16 gives. The same on every machine. By way of p = e^y - 1, which keeps
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

CELL float cell_abs1(float v) { /* |v|, at most 1 */
    float a = v < 0.0f ? -v : v;
    return a < 1.0f ? a : 1.0f;
}

/* what goes to outside cells, of four things on their way to the four neighbours */
#define SPILL(left, right, top, bottom)                                                                                \
    (((cell_outside(AT(b, -1, 0)) ? (left) : 0.0f) + (cell_outside(AT(b, 1, 0)) ? (right) : 0.0f)) +                   \
     ((cell_outside(AT(b, 0, -1)) ? (top) : 0.0f) + (cell_outside(AT(b, 0, 1)) ? (bottom) : 0.0f)))
