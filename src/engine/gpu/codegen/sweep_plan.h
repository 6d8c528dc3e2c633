/* sweep_plan.h (internal): what a fused sweep keeps of each field, and where. The first of three steps to a kernel:
 * this plan, then the list of operations of one row (sweep_operations.h), then their source (sweep_row.h).
 *
 * A group of work items sweeps down column tiles, one or several sub-steps in one pass. At row t of a sub-step's sweep,
 * each stage computes row t - lag. Rows between two stages are a window in registers. */
#ifndef WADI_GPU_SWEEP_PLAN_H
#define WADI_GPU_SWEEP_PLAN_H

#include "engine/schedule/schedule.h"

#define WADI_GPU_SWEEP_SUBSTEPS 4    /* most sub-steps of a pass */
#define WADI_GPU_SWEEP_NEIGHBOURS 32 /* most work items that one waits for in a persistent kernel: lanes of a warp */
#define WADI_GPU_ENDINGS 5

/* What autotuning chooses. No bit depends on it. */
typedef struct wadi_gpu_sweep_shape {
    int substeps; /* sub-steps of a pass; with PTX each has its own warps */
    int columns;  /* per lane: 1, 2 or 4; of a single lane: the whole column tile */
    int tiles;    /* column tiles of a group, side by side: one per warp and sub-step with PTX, else 1 */
    int lanes; /* work items that share a column tile and exchange values: 32 with PTX; 1: one work item computes it */
    int prefetch; /* rows on their way into shared memory, by PTX; 0: without PTX */
    int groups;   /* per multiprocessor at least, which limits the registers of a lane; 0: the compiler's choice */
    int rows;     /* of a large work item (sweep_launch.c) */
    int side;     /* rows of a work item at the left or right border; 0: default */
    int ending;   /* how the last rows of a column are partitioned, below WADI_GPU_ENDINGS; 0: default */
} wadi_gpu_sweep_shape;

/* What a field is to a sweep. */
typedef enum wadi_gpu_sweep_role {
    WADI_GPU_SWEEP_UNUSED,
    WADI_GPU_SWEEP_WINDOW,  /* a stage writes it every time: a window of rows is kept in registers */
    WADI_GPU_SWEEP_INPUT,   /* no stage writes it. Read at the cell: a window is kept; at neighbours: device memory */
    WADI_GPU_SWEEP_PERIODIC /* written by a periodic stage, which alone reads it */
} wadi_gpu_sweep_role;

typedef struct wadi_gpu_sweep_plan {
    wadi_gpu_sweep_shape shape;
    wadi_schedule schedule; /* of one sub-step */
    int halo;               /* rows and columns around a part that one sub-step needs */
    int margin;             /* the halo, rounded up to a multiple of a lane's columns */
    int lag;                /* of the last stage */
    int distance;           /* rows between a sub-step and the next one */
    int phases;             /* rows that a sub-step may be ahead of the next one, plus one; a power of 2 */
    int own_columns, items; /* of a group: columns that it stores, work items */
    wadi_gpu_sweep_role role[WADI_MAX_FIELDS];
    int from[WADI_MAX_FIELDS], to[WADI_MAX_FIELDS]; /* lags of the window's newest and oldest row */
    int last[WADI_MAX_FIELDS];                      /* lag of the last write; -1: never written */
    bool wide[WADI_MAX_FIELDS];                     /* left and right neighbours are read: two more columns */
    int side[WADI_MAX_FIELDS];    /* if one neighbour alone is read: its column offset. Stored where it is read */
    int spilled[WADI_MAX_FIELDS]; /* rows spilled to shared memory, a power of 2; 0: all stay in registers */
    int spilled_rows;             /* of all fields */
    int fields;                   /* state that every sub-step changes: interleaved in one buffer */
    int inputs;                   /* loaded rows other than state: of inputs, periodic fields and maps */
    int maps;                     /* prefetched maps, which are the last of these */
    int depth, row_floats;        /* ring buffers that a sub-step loads from: rows (a power of 2), floats of a row */
    int spilled_from;             /* where spilled rows begin in shared memory, in floats */
    int exchanged_from;           /* where lanes without PTX exchange values, in floats */
    int rows_floats;              /* shared memory for rows of all sub-steps and such values, in floats */
    bool sums[WADI_SUMS];
    int every;       /* period of the periodic stages in sub-steps; 0: there are none */
    bool long_rows;  /* the source of a row is long, so there is one variant of it */
    bool persistent; /* a persistent kernel: all groups run at once, and a launch does several passes */
} wadi_gpu_sweep_plan;

/* Plans a kernel. local_bytes: shared memory that a group may have on the device. fits: the model's stages suit this
 * shape. Free the plan in any case. WADI_ERROR_MEMORY: no memory. */
wadi_status wadi_gpu_sweep_plan_make(wadi_gpu_sweep_plan *plan, const wadi_domain *domain, uint64_t local_bytes,
                                     const wadi_gpu_sweep_shape *shape, bool *fits);
void wadi_gpu_sweep_plan_free(wadi_gpu_sweep_plan *plan);
size_t wadi_gpu_sweep_local_bytes(const wadi_gpu_sweep_plan *plan); /* shared memory of a group */
bool wadi_gpu_shape_uses_ptx(const wadi_gpu_sweep_shape *shape);    /* it needs NVIDIA's instructions since Ampere */

/* State that a sweep writes: read from one buffer and written to another. periodic: by periodic stages alone. */
bool wadi_gpu_sweep_changes(const wadi_gpu_sweep_plan *plan, const wadi_domain *domain, int field, bool periodic);

/* --- what the operations are made from --- */

static inline const wadi_stage *wadi_gpu_sweep_stage(const wadi_gpu_sweep_plan *plan, int e) {
    return plan->schedule.stages[e].stage;
}
static inline int wadi_gpu_sweep_lag(const wadi_gpu_sweep_plan *plan, int e) { return plan->schedule.stages[e].lag; }
static inline bool wadi_stage_is_periodic(const wadi_stage *stage) { return stage->every > 1; }

/* Whether a window of the field's rows is kept. */
bool wadi_gpu_sweep_keeps(const wadi_gpu_sweep_plan *plan, int field);
/* Whether the field is state that one sub-step passes to the next; and its place among the interleaved fields. */
bool wadi_gpu_sweep_passes(const wadi_gpu_sweep_plan *plan, const wadi_domain *domain, int field);
int wadi_gpu_sweep_slot(const wadi_gpu_sweep_plan *plan, const wadi_domain *domain, int field);
/* Whether it is a periodic field, whose rows are prefetched when its stage is due. */
bool wadi_gpu_sweep_prefetches_periodic(const wadi_gpu_sweep_plan *plan, int field);
/* Whether the rows of map m of stage e are prefetched; and their place among the prefetched rows. */
bool wadi_gpu_sweep_prefetches_map(const wadi_gpu_sweep_plan *plan, const wadi_domain *domain, int e, int m);
int wadi_gpu_sweep_map_row(const wadi_gpu_sweep_plan *plan, const wadi_domain *domain, int e, int m);
/* Whether a later stage reads neighbours in the row that stage e wrote. e = -1: in the row that was loaded. */
bool wadi_gpu_sweep_neighbours_read(const wadi_gpu_sweep_plan *plan, int e, int field);
/* Whether stage e writes the field last, and the field is state that is passed to the next sub-step. */
bool wadi_gpu_sweep_completes(const wadi_gpu_sweep_plan *plan, const wadi_domain *domain, int e, int field);

/* --- the kernel's arguments --- */

typedef enum wadi_gpu_sweep_argument {
    WADI_GPU_SWEEP_NOW,  /* the interleaved state, read */
    WADI_GPU_SWEEP_NEXT, /* the interleaved state, written */
    WADI_GPU_SWEEP_IN,   /* a periodic field, read */
    WADI_GPU_SWEEP_OUT,  /* a periodic field, written */
    WADI_GPU_SWEEP_FIELD,
    WADI_GPU_SWEEP_MAP
} wadi_gpu_sweep_argument;
/* Calls `each` for every argument, in the kernel's order. substep: the one that a rain map belongs to, else 0. */
void wadi_gpu_sweep_arguments(const wadi_gpu_sweep_plan *plan, const wadi_domain *domain,
                              void (*each)(void *context, wadi_gpu_sweep_argument what, int index, int substep),
                              void *context);

#endif
