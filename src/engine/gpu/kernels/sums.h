/* sums.h: compensated sums, and their reduction in a group. */

/* A sum in two floats. The second holds the rounding errors of the first, so that no float64 is needed. */
typedef struct pair {
    float high, low;
} pair;

CELL pair pair_of(float x) {
    pair p;
    p.high = x;
    p.low = 0.0f;
    return p;
}
CELL pair pair_add(pair p, float x) {
    float high = p.high + x;
    float of_x = high - p.high;
    p.low += (p.high - (high - of_x)) + (x - of_x);
    p.high = high;
    return p;
}
CELL pair pair_join(pair p, pair q) {
    p = pair_add(p, q.high);
    p.low += q.low;
    return p;
}

/* Adds the pairs of all work items of a group to *slot. Every work item must call it. */
CELL void group_join(LOCAL pair *shared, GLOBAL pair *slot, const pair mine) {
    shared[ITEM] = mine;
    for (int count = ITEMS; count > 1;) {
        const int other = (count + 1) / 2;
        BARRIER;
        if (ITEM < count - other) shared[ITEM] = pair_join(shared[ITEM], shared[ITEM + other]);
        count = other;
    }
    if (ITEM == 0) *slot = pair_join(*slot, shared[0]);
    BARRIER;
}
