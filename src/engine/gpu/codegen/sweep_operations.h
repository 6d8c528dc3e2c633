/* sweep_operations.h (internal): one row of a fused sweep as a list of operations, made from its plan. The list is
 * plain data: what is loaded, moved, computed and stored, in order. sweep_row.c prints each operation as a few lines of
 * source. A window of a field has its newest row at index 0. Other lanes hold the left and right neighbours of a row.
 * An exchange makes them readable. */
#ifndef WADI_GPU_SWEEP_OPERATIONS_H
#define WADI_GPU_SWEEP_OPERATIONS_H

#include "engine/gpu/codegen/sweep_plan.h"

typedef enum wadi_gpu_operation_kind {
    /* before the stages */
    WADI_GPU_SHIFT,        /* field, row: row - 1 of the window moves to row */
    WADI_GPU_WAIT,         /* for the oldest prefetched row */
    WADI_GPU_LOAD,         /* field, slot: row 0 of the window */
    WADI_GPU_LOAD_SPILLED, /* field, row: from shared memory, where it was spilled `row` rows ago */
    WADI_GPU_PREFETCH,     /* the loads of a later row begin */

    /* a stage: begin, call with its operands, results, what follows, end */
    WADI_GPU_STAGE,               /* stage */
    WADI_GPU_CALL,                /* stage */
    WADI_GPU_READ_CELL,           /* field, row: operand, the cell alone */
    WADI_GPU_READ_NEIGHBOUR,      /* field, row, dx, dy: operand, one neighbour, stored in the cell's own place */
    WADI_GPU_READ_WINDOW,         /* field, row, up, down: operand, 3 x 3 cells; rows that are not read are undefined */
    WADI_GPU_READ_MEMORY,         /* field: operand, the cell in device memory */
    WADI_GPU_READ_MEMORY_3X3,     /* field: operand, 3 x 3 cells in device memory */
    WADI_GPU_READ_PREFETCHED,     /* field, slot: operand, a periodic field's prefetched row, or device memory */
    WADI_GPU_READ_MAP,            /* map: operand, the cell in device memory */
    WADI_GPU_READ_MAP_3X3,        /* map: operand, 3 x 3 cells */
    WADI_GPU_READ_MAP_PREFETCHED, /* map, slot: operand */
    WADI_GPU_READ_UNIFORM,        /* operand: the constant is the same in every cell */
    WADI_GPU_RESULTS,             /* stage: the call ends, its results follow */
    WADI_GPU_RESULT,              /* field, row: into the window */
    WADI_GPU_RESULT_PERIODIC,     /* field: kept until it is stored */
    WADI_GPU_RESULT_SUM,          /* sum */
    WADI_GPU_RESULTS_END,
    WADI_GPU_STORE_PERIODIC, /* field: to device memory, when the stage is due */
    WADI_GPU_ADD_SUM,        /* stage, sum: own columns are added to the balance */
    WADI_GPU_EXCHANGE,       /* field, row; stage -1: as loaded: left and right neighbours from other lanes */
    WADI_GPU_TAKE_SIDE,      /* field, row, dx: the row moves one column, to where it is read */
    WADI_GPU_SPILL,          /* field: row 0 to shared memory */
    WADI_GPU_STAGE_END,

    /* after the stages: the last sub-step stores its rows, the others pass them to the next sub-step */
    WADI_GPU_STORE_ROWS,
    WADI_GPU_PASS_ROWS,
    WADI_GPU_STORE_BEGIN, /* stage: begins the stores of what it completes, if the row is needed */
    WADI_GPU_PASS_BEGIN,  /* stage: the same for what is passed */
    WADI_GPU_STORE,       /* field, row, slot: to device memory */
    WADI_GPU_PASS,        /* field, row, slot: to the next sub-step's shared rows */
    WADI_GPU_COMPLETED_END,
    WADI_GPU_ROWS_END,
    WADI_GPU_OPERATION_KINDS
} wadi_gpu_operation_kind;

typedef struct wadi_gpu_operation {
    wadi_gpu_operation_kind kind;
    int stage; /* index among the scheduled stages; -1: none */
    int index; /* of the field, map or sum */
    int row;   /* of the window */
    int slot;  /* among the loaded rows, or among the interleaved fields */
    int dx, dy;
    int up, down; /* rows above and below that are read */
} wadi_gpu_operation;

/* A row that is loaded for each row of the sweep: an input, a periodic field, a map, or state. */
typedef enum wadi_gpu_load_kind {
    WADI_GPU_LOAD_INPUT,
    WADI_GPU_LOAD_PERIODIC,
    WADI_GPU_LOAD_MAP,
    WADI_GPU_LOAD_STATE
} wadi_gpu_load_kind;

typedef struct wadi_gpu_load {
    wadi_gpu_load_kind kind;
    int index; /* of the field or map */
    int slot;  /* among the loaded rows */
    int lag;   /* of the row */
} wadi_gpu_load;

typedef struct wadi_gpu_operations {
    wadi_gpu_operation *list; /* of one row */
    int count, room;
    wadi_gpu_load *loads;
    int load_count, load_room;
    bool failed; /* no memory */
} wadi_gpu_operations;

/* Free them in any case. WADI_ERROR_MEMORY: no memory. */
wadi_status wadi_gpu_operations_make(wadi_gpu_operations *operations, const wadi_gpu_sweep_plan *plan,
                                     const wadi_domain *domain);
void wadi_gpu_operations_free(wadi_gpu_operations *operations);

#endif
