/* fused_sweep.h: the fixed part of a fused sweep's kernel. codegen/ generates the rest. LANES work items share a column
 * tile, with COLUMNS columns each. They sweep down its rows and compute all stages in one pass. Each stage lags behind the
 * stages it reads, and rows in between stay in registers. A lane reads its neighbours' columns; a single lane computes a
 * whole tile. The outermost MARGIN columns of a tile, and some rows above and below a work item, are computed twice. */
#if LANES > 1
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
#endif

/* --- what a lane reads from its neighbours --- */

/* PTX: the instructions of NVIDIA's devices since Ampere. Else a group is one tile: Intel's sub-group functions, or local
 * memory. Those of Khronos need a later OpenCL C than 1.2. */
#if defined(PTX)
typedef struct neighbour_lanes {
    int none;
} neighbour_lanes;
CELL neighbour_lanes lanes_of(LOCAL float *all) {
    neighbour_lanes lanes = {0};
    return lanes;
}
CELL float from_left(neighbour_lanes *lanes, float v) {
    float r;
    ASM("shfl.sync.up.b32 %0, %1, 1, 0, 0xffffffff;" : "=f"(r) : "f"(v));
    return r;
}
CELL float from_right(neighbour_lanes *lanes, float v) {
    float r;
    ASM("shfl.sync.down.b32 %0, %1, 1, 31, 0xffffffff;" : "=f"(r) : "f"(v));
    return r;
}
/* v must be the same in all lanes. The compiler then knows that branches and addresses made from it are
 * warp-uniform. */
CELL int warp_uniform(int v) {
    int r;
    ASM("redux.sync.max.s32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(v));
    return r;
}
CELL void exchange(neighbour_lanes *lanes, float *row) {
    row[0] = from_left(lanes, row[COLUMNS]);
    row[COLUMNS + 1] = from_right(lanes, row[1]);
}
#else
typedef struct neighbour_lanes {
    LOCAL float *exchanged; /* four times LANES: what each lane gives to its neighbours, in two places by turns */
    int turn;
    int together; /* the lanes are one sub-group, in the order of the work items */
} neighbour_lanes;
#if LANES > 1 && defined(cl_intel_subgroups)
#define SUB_GROUPS
#endif
CELL neighbour_lanes lanes_of(LOCAL float *all) {
    neighbour_lanes lanes = {0};
    lanes.exchanged = all;
#ifdef SUB_GROUPS
    lanes.together = get_num_sub_groups() == 1u && sub_group_all((int)get_sub_group_local_id() == ITEM);
#endif
    return lanes;
}
/* Gives a value to each neighbour, and returns where this lane's are. The places alternate, so that one barrier suffices:
 * a place is written again when all lanes have passed the next barrier. */
CELL LOCAL const float *give_to_neighbours(neighbour_lanes *lanes, float to_left, float to_right) {
    LOCAL float *const at = lanes->exchanged + lanes->turn * (2 * LANES) + ITEM;
    at[0] = to_right;
    at[LANES] = to_left;
    lanes->turn = !lanes->turn;
    BARRIER;
    return at;
}
CELL void exchange(neighbour_lanes *lanes, float *row) {
#ifdef SUB_GROUPS
    if (lanes->together) {
        row[0] = intel_sub_group_shuffle_up(row[COLUMNS], row[COLUMNS], 1u);
        row[COLUMNS + 1] = intel_sub_group_shuffle_down(row[1], row[1], 1u);
        return;
    }
#endif
#if LANES > 1
    LOCAL const float *const at = give_to_neighbours(lanes, row[1], row[COLUMNS]);
    row[0] = at[ITEM > 0 ? -1 : 0];
    row[COLUMNS + 1] = at[ITEM < LANES - 1 ? LANES + 1 : LANES];
#endif
}
CELL float from_left(neighbour_lanes *lanes, float v) {
#ifdef SUB_GROUPS
    if (lanes->together) return intel_sub_group_shuffle_up(v, v, 1u);
#endif
    return LANES > 1 ? give_to_neighbours(lanes, v, v)[ITEM > 0 ? -1 : 0] : v;
}
CELL float from_right(neighbour_lanes *lanes, float v) {
#ifdef SUB_GROUPS
    if (lanes->together) return intel_sub_group_shuffle_down(v, v, 1u);
#endif
    return LANES > 1 ? give_to_neighbours(lanes, v, v)[ITEM < LANES - 1 ? LANES + 1 : LANES] : v;
}
CELL int warp_uniform(int v) { return v; }
#endif

/* For rows of which only one neighbour is read: the row moves one column, to the lane that reads it. */
CELL void take_from_left(neighbour_lanes *lanes, float *row) {
    const float first = from_left(lanes, row[COLUMNS - 1]);
    UNROLL
    for (int i = COLUMNS - 1; i > 0; i--) row[i] = row[i - 1];
    row[0] = first;
}
CELL void take_from_right(neighbour_lanes *lanes, float *row) {
    const float last = from_right(lanes, row[0]);
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
/* Interleaved fields. A lane's pointer points to its first column, and the others follow. That of a single lane points to
 * the row, and each column has an offset of its own. */
#if LANES > 1
#define FIRST_OF(at) column_of(FIELDS, at)
#define PLACE(at, i) (i)
#else
#define FIRST_OF(at) 0
#define PLACE(at, i) column_of(FIELDS, (at) + (i))
#endif
CELL void load_interleaved(float *to, GLOBAL const float *from, const int at) {
#if LANES > 1
    load_row(to, from);
#else
    for (int i = 0; i < COLUMNS; i++) to[i] = from[PLACE(at, i)];
#endif
}
/* Stores the columns that the group owns. A lane owns all of its columns or none, unless the grid's width is no multiple of
 * COLUMNS (by_column). A test per column would need predicates, of which there are few. */
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
/* An address in device memory, for PTX. */
#ifdef __OPENCL_VERSION__
#define ADDRESS(pointer) ((ulong)(pointer))
#else
#define ADDRESS(pointer) (pointer)
#endif
/* Addresses in shared memory. They are for PTX, so that the part that all rows have in common is added only once. */
#ifdef PTX
typedef uint shared_address;
#define SHARED_AT(shared_address, floats) ((shared_address) + (floats) * 4)
CELL shared_address shared_address_of(LOCAL float *at) {
#ifdef __OPENCL_VERSION__
    return (uint)(ulong)at;
#else
    return (uint)__cvta_generic_to_shared(at);
#endif
}
CELL float local_value(const shared_address at) {
    float r;
    ASM volatile("ld.shared.f32 %0, [%1];" : "=f"(r) : "r"(at));
    return r;
}
#if COLUMNS == 4
CELL void load_local(float *to, const shared_address at) {
    ASM volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
                 : "r"(at));
}
CELL void store_local(const shared_address at, const float *from) {
    ASM volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};"
                 :
                 : "r"(at), "f"(from[0]), "f"(from[1]), "f"(from[2]), "f"(from[3])
                 : "memory");
}
#elif COLUMNS == 2
CELL void load_local(float *to, const shared_address at) {
    ASM volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(to[0]), "=f"(to[1]) : "r"(at));
}
CELL void store_local(const shared_address at, const float *from) {
    ASM volatile("st.shared.v2.f32 [%0], {%1, %2};" : : "r"(at), "f"(from[0]), "f"(from[1]) : "memory");
}
#else
CELL void load_local(float *to, const shared_address at) { to[0] = local_value(at); }
CELL void store_local(const shared_address at, const float *from) {
    ASM volatile("st.shared.f32 [%0], %1;" : : "r"(at), "f"(from[0]) : "memory");
}
#endif
#else
typedef LOCAL float *shared_address;
#define SHARED_AT(shared_address, floats) ((shared_address) + (floats))
CELL shared_address shared_address_of(LOCAL float *at) { return at; }
CELL float local_value(const shared_address at) { return at[0]; }
CELL void load_local(float *to, const shared_address at) {
    for (int i = 0; i < COLUMNS; i++) to[i] = at[i];
}
CELL void store_local(const shared_address at, const float *from) {
    for (int i = 0; i < COLUMNS; i++) at[i] = from[i];
}
#endif

/* A sub-step loads its rows from shared memory: DEPTH rows of each input and of the state. They come from device memory, or
 * from the previous sub-step. LOADED_ROW is the offset of a field's row t. */
#define WIDE (LANES * COLUMNS)
#define LOADED_FLOATS (DEPTH * (INPUTS + FIELDS) * ROW_FLOATS)
#define LOADED_ROW(t, index) ((((t) & (DEPTH - 1)) * (INPUTS + FIELDS) + (index)) * ROW_FLOATS)
#define ROWS_ABOVE(substep) ((SUBSTEPS - (substep)) * HALO)
#define ROWS_BELOW(substep) ((SUBSTEPS - 1 - (substep)) * HALO + LAG)

#if PREFETCH > 0
/* An asynchronous copy to shared memory; `floats` is a constant offset. */
#if COLUMNS == 4
#define ASYNC "cp.async.cg.shared.global [%0], [%1 + %2], 16;"
#elif COLUMNS == 2
#define ASYNC "cp.async.ca.shared.global [%0], [%1 + %2], 8;"
#else
#define ASYNC "cp.async.ca.shared.global [%0], [%1 + %2], 4;"
#endif
#define LOAD_ASYNC(at, from, floats) ASM volatile(ASYNC : : "r"(at), "l"(ADDRESS(from)), "n"((floats) * 4) : "memory")
CELL void async_mark(void) { ASM volatile("cp.async.commit_group;" : : : "memory"); }
/* Waits for the oldest row. */
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

/* Whether the warps of a group run independently. Otherwise they meet at each row, so that they share instruction
 * fetches. */
#define APART (SUBSTEPS == 1 && TILES <= 4)

/* The warps of one sub-step produce rows for those of the next. The consumers wait until a row is full, and the
 * producers until its place is empty. Each of PHASES rows has its own pair of named barriers, so that one side may run
 * ahead. */
#if defined(PTX) && SUBSTEPS > 1
#define FULL(substep, t) (1 + 2 * PHASES * (substep) + ((t) & (PHASES - 1)))
#define EMPTY(substep, t) (FULL(substep, t) + PHASES)
CELL void wait_at(const int which) {
    ASM volatile("bar.sync %0, %1;" : : "r"(which), "n"(2 * TILES * LANES) : "memory");
}
CELL void arrive_at(const int which) {
    ASM volatile("bar.arrive %0, %1;" : : "r"(which), "n"(2 * TILES * LANES) : "memory");
}
CELL void rows_begin(const int substep) {
    for (int i = 0; i < PHASES && substep > 0; i++) arrive_at(EMPTY(substep - 1, i));
}
#if SUBSTEPS == 2 /* each sub-step waits at one barrier and arrives at the other */
CELL void row_begin(const int substep, const int t) { wait_at(EMPTY(0, t) - PHASES * substep); }
CELL void row_end(const int substep, const int t) { arrive_at(FULL(0, t) + PHASES * substep); }
#else
CELL void row_begin(const int substep, const int t) {
    if (substep > 0) wait_at(FULL(substep - 1, t));
    if (substep < SUBSTEPS - 1) wait_at(EMPTY(substep, t));
}
CELL void row_end(const int substep, const int t) {
    if (substep < SUBSTEPS - 1) arrive_at(FULL(substep, t));
    if (substep > 0) arrive_at(EMPTY(substep - 1, t));
}
#endif
CELL void rows_end(const int substep, const int t) {
    for (int i = 0; i < PHASES && substep < SUBSTEPS - 1; i++) wait_at(EMPTY(substep, t + i));
}
#else
CELL void rows_begin(const int substep) {}
CELL void row_begin(const int substep, const int t) {}
CELL void row_end(const int substep, const int t) {
#if LANES > 1
    if (!APART) BARRIER; /* warps at the same instructions share their fetches */
#endif
}
CELL void rows_end(const int substep, const int t) {}
#endif

/* What a launch does: one pass, or several by a persistent kernel. There a group begins its next pass when its neighbours
 * have finished this one. */
typedef struct passes {
    int count;
    int before;    /* passes of earlier launches */
    int until_due; /* sub-steps until the periodic stages are due */
    int trial;     /* autotuning: every pass repeats the same work */
} passes;

#ifdef PERSISTENT
#ifdef PTX
CELL int passes_of(GLOBAL const int *done) {
    int r;
    ASM volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(r) : "l"(ADDRESS(done)) : "memory");
    return r;
}
/* Whether `so` is true in any lane of the warp. */
CELL int warp_any(const int so) {
    int any;
    ASM volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync.any.pred q, p, 0xffffffff; selp.s32 %0, 1, 0, q; }"
                 : "=r"(any)
                 : "r"(so));
    return any;
}
/* Publishes the group's writes, and that it has finished so many passes. Then waits until its neighbours have finished
 * as many. neighbours: work items by number, -1 for none. */
CELL void passes_done(GLOBAL const int *neighbours, GLOBAL int *done, const int passes) {
    const int which = ITEM < LANES ? neighbours[GROUP_X * NEIGHBOURS + ITEM] : -1; /* loaded before the wait */
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
#else /* one group */
CELL void passes_done(GLOBAL const int *neighbours, GLOBAL int *done, const int passes) { BARRIER_OF_ALL; }
#endif
#endif

/* A group's work item: rows y0 to y1 of the x-th range of own columns. */
typedef struct work_item {
    int x, y0, y1;
    int borders; /* a bit per tile and sub-step: it sees a cell outside, or the end of the grid */
} work_item;

/* A lane's place in a column tile of one sub-step. */
typedef struct tile {
    int x;            /* first column of the lane */
    int column;       /* the same, in rows passed between sub-steps */
    int useful;       /* not in the margin: results are valid and passed on */
    int own, own_end; /* range of its columns that the group owns */
    int all_own;      /* it owns all of them */
    int y0, y1;       /* rows of the work item */
    int at;           /* offset of the first column in a row with margins, clamped to what may be read */
    int spilled; /* offset of its spilled rows in shared memory */
    int prefetched, incoming, outgoing; /* offsets of its columns in shared memory: of prefetched rows, of rows from the
                                           previous sub-step, of rows for the next one */
} tile;

/* The tiles of the last sub-step begin at the group's own columns, those of each earlier sub-step a margin further out. */
CELL tile tile_of(const int substep, const int warp, const int lane, const work_item my, const grid g) {
    tile s;
    const int own = my.x * OWN_COLUMNS, first = own - MARGIN * (SUBSTEPS - 1);
    const int end = own + OWN_COLUMNS < g.width ? own + OWN_COLUMNS : g.width;
    const int inner = lane * COLUMNS;
    int x;
    s.x = first + MARGIN * substep + warp * (LANES * COLUMNS - 2 * MARGIN) - MARGIN + inner;
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
    s.spilled = SPILLED_FROM + (substep * TILES + warp) * (SPILLED_ROWS * WIDE) + inner;
    s.prefetched = substep * LOADED_FLOATS + warp * WIDE + inner;
    s.incoming = substep == 0 ? s.prefetched : substep * LOADED_FLOATS + s.column;
    s.outgoing = (substep + 1) * LOADED_FLOATS + s.column;
    return s;
}

/* Offset of row t in a field with a buffer of its own. */
CELL wide line_of(const tile tile, const int t, const grid g) { return tile.at + (wide)(t + MARGIN_ROWS) * PITCH; }

/* A work item's sums: float64 with PTX, else pairs of floats. */
#ifdef PTX
typedef double total;
CELL total total_of(float x) { return (double)x; }
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
#define WARPS (SUBSTEPS * TILES)
/* Sums the lanes of each warp, and stores the sum for group_sum. */
CELL void warp_sum(LOCAL float *all, const int which, total sum) {
    LOCAL total *const sums = (LOCAL total *)all;
    UNROLL
    for (int step = LANES / 2; step > 0; step /= 2) sum += from_lane(sum, step);
    if (ITEM % LANES == 0) sums[which * WARPS + ITEM / LANES] = sum;
}
/* Adds the group's sum to *slot, whose value is `before`. */
CELL void group_sum(LOCAL float *all, const int which, const pair before, GLOBAL pair *slot) {
    LOCAL const total *const sums = (LOCAL const total *)all + which * WARPS;
    total sum = sums[0];
    for (int i = 1; i < WARPS; i++) sum += sums[i];
    pair p;
    p.high = (float)sum;
    p.low = (float)(sum - (double)p.high);
    *slot = pair_join(before, p);
}
#else
typedef pair total;
CELL total total_of(float x) { return pair_of(x); }
CELL total total_add(total sum, float x) { return pair_add(sum, x); }
CELL total total_join(total a, total b) { return pair_join(a, b); }
#endif
/* Whether `so` is true in any work item of the group. Only fast divisions ask. */
CELL int group_any(int so) {
#ifdef QUICK
    int any;
    ASM volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red.or.pred q, 0, p; selp.s32 %0, 1, 0, q; }"
                 : "=r"(any)
                 : "r"(so)
                 : "memory");
    return any;
#else
    return 0;
#endif
}
#ifdef PERSISTENT
/* Where a work item keeps its sums of earlier passes: in shared memory, after the rows. */
CELL LOCAL total *kept_sum(LOCAL float *all, const int which) {
    return (LOCAL total *)(all + ROWS_FLOATS) + which * ITEMS + ITEM;
}
CELL void keep_sum(LOCAL float *all, const int which, const int pass, const total sum) {
    LOCAL total *const kept = kept_sum(all, which);
    *kept = pass > 0 ? total_join(*kept, sum) : sum;
}
#endif
/* Whether row y is in the work item, or at most so many rows outside it. */
CELL int is_within(const int y, const int around, const tile tile) {
    return y >= tile.y0 - around && y < tile.y1 + around;
}
CELL total add_own(total sum, const float *values, const tile tile, const int by_column) {
    UNROLL
    for (int i = 0; i < COLUMNS; i++)
        sum = total_add(sum, !by_column || (i >= tile.own && i < tile.own_end) ? values[i] : 0.0f);
    return sum;
}

/* Sets the bits `borders` of each work item. One group per work item. */
KERNEL(find_borders)(GLOBAL const float *b0, GLOBAL work_item *work_items, const grid g) {
    LOCAL_ARRAY(int, any, SUBSTEPS *TILES);
    const work_item my = work_items[GROUP_X];
    for (int i = ITEM; i < SUBSTEPS * TILES; i += ITEMS) any[i] = 0;
    BARRIER;
    for (int i = 0; i < SUBSTEPS * TILES; i++) {
        const int x0 = tile_of(i / TILES, i % TILES, 0, my, g).x, end = x0 + WIDE - MARGIN > g.width;
        if (ITEM == 0 && end) any[i] = 1;
        for (int y = my.y0 - SUBSTEPS * HALO; y < my.y1 + SUBSTEPS * HALO && !end; y++)
            for (int x = x0 + ITEM; x < x0 + WIDE; x += ITEMS)
                if (b0[cell_at(g, x, y)] >= 0.1f * WALL) any[i] = 1;
    }
    BARRIER;
    int borders = 0;
    for (int i = 0; i < SUBSTEPS * TILES; i++) borders |= any[i] << i;
    if (ITEM == 0) work_items[GROUP_X].borders = borders;
}
