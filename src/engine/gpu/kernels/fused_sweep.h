/* march.h: the walk down the rows, with which march.c's text is written. LANES items side by side go down a strip of
 * columns, COLUMNS each, and do all stages in one go, each stage some rows behind the one it reads: rows in between
 * stay in registers. What lies beside an item's columns comes from the items beside it; where items cannot hand it on,
 * one item does a strip. A strip's outermost MARGIN columns and the rows before and after a piece are worked out twice.
 */
#ifdef SHUFFLE
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
#endif

#ifdef SHUFFLE
CELL float from_left(float v) {
    float r;
    ASM("shfl.sync.up.b32 %0, %1, 1, 0, 0xffffffff;" : "=f"(r) : "f"(v));
    return r;
}
CELL float from_right(float v) {
    float r;
    ASM("shfl.sync.down.b32 %0, %1, 1, 31, 0xffffffff;" : "=f"(r) : "f"(v));
    return r;
}
/* What all items of a warp have, so that the compiler knows: branches by it, and what is reckoned of it, are the
 * warp's. */
CELL int of_warp(int v) {
    int r;
    ASM("redux.sync.max.s32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(v));
    return r;
}
#else
CELL int of_warp(int v) { return v; }
CELL float from_left(float v) { return v; }
CELL float from_right(float v) { return v; }
#endif
CELL void exchange(float *row) {
    row[0] = from_left(row[COLUMNS]);
    row[COLUMNS + 1] = from_right(row[1]);
}

/* Of a row that one neighbour alone reads: each has in the end what it will read. */
CELL void take_from_left(float *row) {
    const float first = from_left(row[COLUMNS - 1]);
    UNROLL
    for (int i = COLUMNS - 1; i > 0; i--) row[i] = row[i - 1];
    row[0] = first;
}
CELL void take_from_right(float *row) {
    const float last = from_right(row[0]);
    UNROLL
    for (int i = 0; i < COLUMNS - 1; i++) row[i] = row[i + 1];
    row[COLUMNS - 1] = last;
}

CELL void load_row(float *to, GLOBAL const float *from) {
#if defined(__OPENCL_VERSION__) || COLUMNS == 1
    UNROLL
    for (int i = 0; i < COLUMNS; i++) to[i] = from[i];
#elif COLUMNS == 2
    const float2 v = __ldg((const float2 *)from);
    to[0] = v.x, to[1] = v.y;
#else
    const float4 v = __ldg((const float4 *)from);
    to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
#endif
}
/* Of fields that lie together: an item's pointers are to its first column, and where lanes shuffle, its others follow; else
 * they are to the row, and each column has a place of its own. */
#ifdef SHUFFLE
#define FIRST_OF(at) column_of(FIELDS, at)
#define PLACE(at, i) (i)
#else
#define FIRST_OF(at) 0
#define PLACE(at, i) column_of(FIELDS, (at) + (i))
#endif
CELL void load_together(float *to, GLOBAL const float *from, const int at) {
#ifdef SHUFFLE
    load_row(to, from);
#else
    for (int i = 0; i < COLUMNS; i++) to[i] = from[PLACE(at, i)];
#endif
}
/* The columns that are the group's own. Lanes have all of theirs or none, but at the end of a grid that is not so many
 * columns wide: BY_COLUMN. To ask of each column takes predicates, and a schedule that has few of them waits. */
CELL void store_row(GLOBAL float *to, const int at, const float *from, const int own, const int own_end,
                    const int by_column) {
    if (by_column) {
        UNROLL
        for (int i = 0; i < COLUMNS; i++)
            if (i >= own && i < own_end) to[PLACE(at, i)] = from[i];
        return;
    }
#if defined(__OPENCL_VERSION__) || COLUMNS == 1
    UNROLL
    for (int i = 0; i < COLUMNS; i++) to[i] = from[i];
#elif COLUMNS == 2
    *(float2 *)to = make_float2(from[0], from[1]);
#else
    *(float4 *)to = make_float4(from[0], from[1], from[2], from[3]);
#endif
}
/* An address in the device's memory, for NVIDIA's own instructions. */
#ifdef __OPENCL_VERSION__
#define ADDRESS(pointer) ((ulong)(pointer))
#else
#define ADDRESS(pointer) (pointer)
#endif
/* Places in the group's memory. By NVIDIA's own instructions, so that what is the same in all rows of an address is added
 * up once. */
#ifdef SHUFFLE
typedef uint place;
#define FURTHER(place, floats) ((place) + (floats) * 4)
CELL place place_of(LOCAL float *at) {
#ifdef __OPENCL_VERSION__
    return (uint)(ulong)at;
#else
    return (uint)__cvta_generic_to_shared(at);
#endif
}
CELL float local_value(const place at) {
    float r;
    ASM volatile("ld.shared.f32 %0, [%1];" : "=f"(r) : "r"(at));
    return r;
}
#if COLUMNS == 4
CELL void load_local(float *to, const place at) {
    ASM volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
                 : "r"(at));
}
CELL void store_local(const place at, const float *from) {
    ASM volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};"
                 :
                 : "r"(at), "f"(from[0]), "f"(from[1]), "f"(from[2]), "f"(from[3])
                 : "memory");
}
#elif COLUMNS == 2
CELL void load_local(float *to, const place at) {
    ASM volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(to[0]), "=f"(to[1]) : "r"(at));
}
CELL void store_local(const place at, const float *from) {
    ASM volatile("st.shared.v2.f32 [%0], {%1, %2};" : : "r"(at), "f"(from[0]), "f"(from[1]) : "memory");
}
#else
CELL void load_local(float *to, const place at) { to[0] = local_value(at); }
CELL void store_local(const place at, const float *from) {
    ASM volatile("st.shared.f32 [%0], %1;" : : "r"(at), "f"(from[0]) : "memory");
}
#endif
#else
typedef LOCAL float *place;
#define FURTHER(place, floats) ((place) + (floats))
CELL place place_of(LOCAL float *at) { return at; }
CELL float local_value(const place at) { return at[0]; }
CELL void load_local(float *to, const place at) {
    for (int i = 0; i < COLUMNS; i++) to[i] = at[i];
}
CELL void store_local(const place at, const float *from) {
    for (int i = 0; i < COLUMNS; i++) at[i] = from[i];
}
#endif

/* A level takes its rows from the group's memory: DEPTH rows of what is given, and of the state, which come from the
 * device's memory or from the level before. What row t of the walk takes of a field. */
#define WIDE (LANES * COLUMNS)
#define TAKEN_FLOATS (DEPTH * (GIVEN + FIELDS) * ROW_FLOATS)
#define TAKEN(t, index) ((((t) & (DEPTH - 1)) * (GIVEN + FIELDS) + (index)) * ROW_FLOATS)
#define ROWS_ABOVE(level) ((LEVELS - (level)) * HALO)
#define ROWS_BELOW(level) ((LEVELS - 1 - (level)) * HALO + LAG)

#if PREFETCH > 0
/* From so many floats after it. */
#if COLUMNS == 4
#define ASYNC "cp.async.cg.shared.global [%0], [%1 + %2], 16;"
#elif COLUMNS == 2
#define ASYNC "cp.async.ca.shared.global [%0], [%1 + %2], 8;"
#else
#define ASYNC "cp.async.ca.shared.global [%0], [%1 + %2], 4;"
#endif
#define LOAD_ASYNC(at, from, floats) ASM volatile(ASYNC : : "r"(at), "l"(ADDRESS(from)), "n"((floats) * 4) : "memory")
CELL void async_mark(void) { ASM volatile("cp.async.commit_group;" : : : "memory"); }
/* For the oldest row. */
CELL void async_wait(void) { ASM volatile("cp.async.wait_group %0;" : : "n"(PREFETCH - 1) : "memory"); }
CELL void async_wait_all(void) { ASM volatile("cp.async.wait_group 0;" : : : "memory"); }
#else
#define LOAD_ASYNC(at, from, floats)
CELL void async_mark(void) {}
CELL void async_wait(void) {}
CELL void async_wait_all(void) {}
#endif

CELL near near_here(float v) {
    near n = {{{0.0f}}};
    n.at[1][1] = v;
    return n;
}
CELL near near_one(float v, const int dx, const int dy) {
    near n = {{{0.0f}}};
    n.at[1 + dy][1 + dx] = v;
    return n;
}
CELL near near_rows(const float *above, const float *here, const float *below, const int i) {
    near n;
    UNROLL
    for (int j = 0; j < 3; j++) {
        n.at[0][j] = above[i + j];
        n.at[1][j] = here[i + j];
        n.at[2][j] = below[i + j];
    }
    return n;
}
CELL near near_global(GLOBAL const float *f, const wide pitch) {
    near n;
    UNROLL
    for (int j = 0; j < 3; j++) {
        n.at[0][j] = f[j - 1 - pitch];
        n.at[1][j] = f[j - 1];
        n.at[2][j] = f[j - 1 + pitch];
    }
    return n;
}

#define SHIFT(rows, i) \
    UNROLL \
    for (int j = 0; j < (int)(sizeof rows[0] / sizeof(float)); j++) rows[i][j] = rows[(i)-1][j];

/* The warps of a group go each their own way; else all wait for each other and run the same text. */
#define APART (LEVELS == 1 && STRIPS <= 4)

/* Levels side by side wait for each other: the next for a row that it takes, the one before for a place to put it. A
 * barrier for each of PHASES rows, so that one may be ahead. */
#if defined(SHUFFLE) && LEVELS > 1
#define FULL(level, t) (1 + 2 * PHASES * (level) + ((t) & (PHASES - 1)))
#define EMPTY(level, t) (FULL(level, t) + PHASES)
CELL void wait_at(const int which) {
    ASM volatile("bar.sync %0, %1;" : : "r"(which), "n"(2 * STRIPS * LANES) : "memory");
}
CELL void arrive_at(const int which) {
    ASM volatile("bar.arrive %0, %1;" : : "r"(which), "n"(2 * STRIPS * LANES) : "memory");
}
CELL void rows_begin(const int level) {
    for (int i = 0; i < PHASES && level > 0; i++) arrive_at(EMPTY(level - 1, i));
}
#if LEVELS == 2 /* each waits at one and arrives at one */
CELL void row_begin(const int level, const int t) { wait_at(EMPTY(0, t) - PHASES * level); }
CELL void row_end(const int level, const int t) { arrive_at(FULL(0, t) + PHASES * level); }
#else
CELL void row_begin(const int level, const int t) {
    if (level > 0) wait_at(FULL(level - 1, t));
    if (level < LEVELS - 1) wait_at(EMPTY(level, t));
}
CELL void row_end(const int level, const int t) {
    if (level < LEVELS - 1) arrive_at(FULL(level, t));
    if (level > 0) arrive_at(EMPTY(level - 1, t));
}
#endif
CELL void rows_end(const int level, const int t) {
    for (int i = 0; i < PHASES && level < LEVELS - 1; i++) wait_at(EMPTY(level, t + i));
}
#else
CELL void rows_begin(const int level) {}
CELL void row_begin(const int level, const int t) {}
CELL void row_end(const int level, const int t) {
#ifdef SHUFFLE
    if (!APART) BARRIER; /* so that many warps are at the same instructions, which then are fetched once */
#endif
}
CELL void rows_end(const int level, const int t) {}
#endif

/* What a launch does. One pass; but groups that are all there at the same time may do several, and begin the next when
 * those beside them have done this one. */
typedef struct passes {
    int count;
    int before;    /* that were done by launches before */
    int until_due; /* sub-steps until the first in which a stage is due that does not run every time */
    int trial;     /* all passes are the same, for nothing */
} passes;

#ifdef RESIDENT
#ifdef SHUFFLE
CELL int passes_of(GLOBAL const int *done) {
    int r;
    ASM volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(r) : "l"(ADDRESS(done)) : "memory");
    return r;
}
/* Whether it is so for any item of the warp. */
CELL int warp_any(const int so) {
    int any;
    ASM volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync.any.pred q, p, 0xffffffff; selp.s32 %0, 1, 0, q; }"
                 : "=r"(any)
                 : "r"(so));
    return any;
}
/* The group has done so many passes: what it has written may be read by those that see it. Then it waits till the
 * pieces beside, BESIDE of them or -1 in their place, have done as many. */
CELL void passes_done(GLOBAL const int *beside, GLOBAL int *done, const int passes) {
    const int which = ITEM < LANES ? beside[GROUP_X * BESIDE + ITEM] : -1; /* before anything is waited for */
    BARRIER_OF_ALL;
    if (ITEM == 0)
        ASM volatile("st.release.gpu.global.s32 [%0], %1;" : : "l"(ADDRESS(done + GROUP_X)), "r"(passes) : "memory");
    if (ITEM < LANES) {
        int late = which >= 0;
        while (warp_any(late))
            if (late) late = (int)((uint)passes_of(done + which) - (uint)passes) < 0;
    }
    BARRIER;
}
#else /* there is one group */
CELL void passes_done(GLOBAL const int *beside, GLOBAL int *done, const int passes) { BARRIER_OF_ALL; }
#endif
#endif

/* What a group does: rows of the columns that are the x-th group's own. */
typedef struct piece {
    int x, y0, y1;
    int edges; /* bit by bit, which strips of which level see a cell that lies outside, or are at the end of the grid */
} piece;

/* Where an item is, at one of the levels. */
typedef struct strip {
    int x;            /* its first column */
    int column;       /* the same in the rows that levels hand on */
    int useful;       /* what it makes is right, and handed on */
    int own, own_end; /* of its columns, the first that is the group's own, and its alone, and the end of those */
    int all_own;      /* they all are */
    int y0, y1;       /* rows of the piece */
    int at;           /* of its first column in a row with its margin, or of one that may be read in its stead */
    int parked;               /* in the group's memory: rows that wait */
    int staged, taken, given; /* there too: its columns of what the level takes, from the device's memory,
                                and from the level before if there is one; and of what the next level takes */
} strip;

/* The last level's strips begin at the group's own columns; those of each before it, a margin further out. */
CELL strip strip_of(const int level, const int warp, const int lane, const piece my, const grid g) {
    strip s;
    const int own = my.x * OWN_COLUMNS, first = own - MARGIN * (LEVELS - 1);
    const int end = own + OWN_COLUMNS < g.width ? own + OWN_COLUMNS : g.width;
    const int inner = lane * COLUMNS;
    int x;
    s.x = first + MARGIN * level + warp * (LANES * COLUMNS - 2 * MARGIN) - MARGIN + inner;
    s.column = s.x - first + MARGIN;
    s.useful = LANES == 1 || (inner >= MARGIN && inner < LANES * COLUMNS - MARGIN);
    s.own = s.x < own ? own - s.x : 0;
    s.own_end = !s.useful ? 0 : end - s.x < COLUMNS ? end - s.x : COLUMNS;
    s.all_own = s.own == 0 && s.own_end == COLUMNS;
    s.y0 = my.y0;
    s.y1 = my.y1;
    x = g.columns - MARGIN_COLUMNS - COLUMNS;
    x = s.x < -MARGIN_COLUMNS ? -MARGIN_COLUMNS : s.x < x ? s.x : x;
    s.at = MARGIN_COLUMNS + x;
    s.parked = PARKED_FROM + (level * STRIPS + warp) * (PARKED_ROWS * WIDE) + inner;
    s.staged = level * TAKEN_FLOATS + warp * WIDE + inner;
    s.taken = level == 0 ? s.staged : level * TAKEN_FLOATS + s.column;
    s.given = (level + 1) * TAKEN_FLOATS + s.column;
    return s;
}

/* Where row t of what has memory of its own is. */
CELL wide line_of(const strip strip, const int t, const grid g) { return strip.at + (wide)(t + MARGIN_ROWS) * PITCH; }

/* An item's sums. */
#ifdef SHUFFLE
typedef double total;
CELL total total_add(total sum, float x) { return sum + (double)x; }
CELL total total_join(total a, total b) { return a + b; }
CELL total from_lane(total v, const int step) {
    total r;
    ASM("{ .reg .b32 low, high; mov.b64 {low, high}, %1; shfl.sync.bfly.b32 low, low, %2, 31, 0xffffffff;"
        " shfl.sync.bfly.b32 high, high, %2, 31, 0xffffffff; mov.b64 %0, {low, high}; }"
        : "=d"(r)
        : "d"(v), "r"(step));
    return r;
}
#define WARPS (LEVELS * STRIPS)
/* Puts what the items of each warp have, in all, where the group's sum is made of it. */
CELL void warp_sum(LOCAL float *all, const int which, total sum) {
    LOCAL total *const sums = (LOCAL total *)all;
    UNROLL
    for (int step = LANES / 2; step > 0; step /= 2) sum += from_lane(sum, step);
    if (ITEM % LANES == 0) sums[which * WARPS + ITEM / LANES] = sum;
}
/* Adds it to *slot. */
CELL void group_sum(LOCAL float *all, const int which, const pair before, GLOBAL pair *slot) {
    LOCAL const total *const sums = (LOCAL const total *)all + which * WARPS;
    total sum = sums[0];
    for (int i = 1; i < WARPS; i++) sum += sums[i];
    pair p;
    p.high = (float)sum;
    p.low = (float)(sum - (double)p.high);
    *slot = pair_join(before, p);
}
/* Whether it is so for any item of the group. */
CELL int group_any(int so) {
    int any;
    ASM volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red.or.pred q, 0, p; selp.s32 %0, 1, 0, q; }"
                 : "=r"(any)
                 : "r"(so)
                 : "memory");
    return any;
}
#else
typedef pair total;
CELL total total_add(total sum, float x) { return pair_add(sum, x); }
CELL total total_join(total a, total b) { return pair_join(a, b); }
#endif
#ifdef RESIDENT
/* Where an item's sums of the passes that are done are kept. */
CELL LOCAL total *kept_sum(LOCAL float *all, const int which) {
    return (LOCAL total *)(all + ROWS_FLOATS) + which * ITEMS + ITEM;
}
CELL void keep_sum(LOCAL float *all, const int which, const int pass, const total sum) {
    LOCAL total *const kept = kept_sum(all, which);
    *kept = pass > 0 ? total_join(*kept, sum) : sum;
}
#endif
/* Whether row y lies in the piece, or so many rows beside it. */
CELL int is_within(const int y, const int beside, const strip strip) {
    return y >= strip.y0 - beside && y < strip.y1 + beside;
}
CELL total add_own(total sum, const float *values, const strip strip, const int by_column) {
    UNROLL
    for (int i = 0; i < COLUMNS; i++)
        sum = total_add(sum, !by_column || (i >= strip.own && i < strip.own_end) ? values[i] : 0.0f);
    return sum;
}

KERNEL(find_edges)(GLOBAL const float *b0, GLOBAL piece *pieces, const grid g) {
    LOCAL_ARRAY(int, any, LEVELS *STRIPS);
    const piece my = pieces[GROUP_X];
    for (int i = ITEM; i < LEVELS * STRIPS; i += ITEMS) any[i] = 0;
    BARRIER;
    for (int i = 0; i < LEVELS * STRIPS; i++) {
        const int x0 = strip_of(i / STRIPS, i % STRIPS, 0, my, g).x, end = x0 + WIDE - MARGIN > g.width;
        if (ITEM == 0 && end) any[i] = 1;
        for (int y = my.y0 - LEVELS * HALO; y < my.y1 + LEVELS * HALO && !end; y++)
            for (int x = x0 + ITEM; x < x0 + WIDE; x += ITEMS)
                if (b0[cell_at(g, x, y)] >= 0.1f * WALL) any[i] = 1;
    }
    BARRIER;
    int edges = 0;
    for (int i = 0; i < LEVELS * STRIPS; i++) edges |= any[i] << i;
    if (ITEM == 0) pieces[GROUP_X].edges = edges;
}
