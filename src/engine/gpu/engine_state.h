/* engine_state.h (internal): the members of the GPU engine (engine_state of a domain). The state of the simulation
 * stays on the device; the host's block is its mirror (core/mirror.c). */
#ifndef WADI_GPU_ENGINE_STATE_H
#define WADI_GPU_ENGINE_STATE_H

#include "engine/gpu/codegen/sweep_plan.h"
#include "engine/gpu/driver/driver.h"
#include "engine/gpu/grid.h"

/* Interleaved fields: 32 columns of each in turn (kernels/places.h). */
typedef struct wadi_gpu_block {
    int fields;                /* 0: none are interleaved */
    int slot[WADI_MAX_FIELDS]; /* a field's place among them, from 1; 0: it has a buffer of its own */
    wadi_gpu_memory *now, *other, *kept;
} wadi_gpu_block;

/* Where sums are made. Each group has a slot; the device adds up the slots of a line. */
typedef struct wadi_gpu_reduction {
    wadi_gpu_memory *slots[WADI_SUMS], *totals;
    float *pairs; /* the host's copy of the totals */
    int slots_a_line, lines;
    int from, to; /* lines that count; the others belong to the margins of a part */
    bool used;    /* since the sums were last fetched */
} wadi_gpu_reduction;

/* A loaded kernel of the fused sweep, for one number of sub-steps per pass. */
typedef struct wadi_gpu_sweep {
    bool ready;
    wadi_gpu_sweep_plan plan;
    wadi_gpu_program *program;
    wadi_gpu_kernel *kernel, *find_borders;
    wadi_gpu_memory *work_items;        /* as in kernels/fused_sweep.h, one per group */
    wadi_gpu_memory *neighbours, *done; /* persistent kernel: each one's neighbours; passes it has finished */
    int work_item_count;
    int own0, own1;  /* the domain's own rows for which they were made */
    int most_passes; /* per launch */
    int passes_done; /* wraps around after the largest value */
    bool borders_found;
    wadi_gpu_reduction reduction;
} wadi_gpu_sweep;

enum { WADI_GPU_RAIN, WADI_GPU_SHOWER, WADI_GPU_FALLS };

/* Rain maps of one of the sub-steps of a pass, where rain varies by cell. */
typedef struct wadi_gpu_rain {
    wadi_gpu_memory *map[WADI_GPU_FALLS];
    uint8_t *touched[WADI_GPU_FALLS]; /* by row: rain from a disc falls on it */
    wadi_discs sent;
    wadi_gpu_memory *list[2],
        *starts; /* discs of this and the last sub-step, and rainfall events, if the device makes the maps */
    size_t room; /* of a list, in discs */
} wadi_gpu_rain;

/* Rows of the state in contiguous memory: one field after the other. */
typedef struct wadi_gpu_packed {
    wadi_gpu_memory *memory;
    int rows; /* it has room for so many */
} wadi_gpu_packed;

#define WADI_GPU_FORECAST 64

/* Discs of the next sub-steps of a call, sent together: each transfer waits for the device. */
typedef struct wadi_gpu_forecast {
    int64_t begin, end, call_end;     /* in sub-steps of the call */
    wadi_discs of[WADI_GPU_FORECAST]; /* by sub-step, in the list */
    wadi_disc *list;
    size_t room;            /* of the list, in discs */
    wadi_gpu_memory *there; /* the list on the device, if it makes the maps */
} wadi_gpu_forecast;

typedef struct wadi_gpu_engine {
    const wadi_driver *driver;
    wadi_device about;
    wadi_gpu *gpu;
    wadi_gpu_grid grid; /* of fields with buffers of their own */
    char *choices;      /* the choices that programs are built for: how their source begins */
    wadi_gpu_program *common;
    wadi_gpu_kernel *start, *wrap, *move, *band, *look, *show, *add_up, *sum_rows, *fall, *shower;
    wadi_gpu_program *stages; /* built when a stage is run alone */
    wadi_gpu_kernel *plain[WADI_MAX_STAGES];
    wadi_gpu_reduction reduction; /* of the plain path */
    wadi_gpu_block block;
    wadi_gpu_memory *field[WADI_MAX_FIELDS], *other[WADI_MAX_FIELDS], *kept[WADI_MAX_FIELDS];
    bool stale;   /* a change that the programs or maps on the device do not have yet */
    bool no_room; /* no memory for a copy of the state, until something changes */
    wadi_gpu_memory *map[WADI_MAX_MAPS];
    wadi_gpu_memory *bad, *row_sums;
    wadi_gpu_memory *rows_on_way; /* of one interleaved field, contiguous */
    wadi_gpu_rain rain[WADI_GPU_SWEEP_SUBSTEPS];
    wadi_gpu_forecast forecast;
    wadi_gpu_packed held[2][2], arrived; /* the first and last own rows, of two exchanges; rows from elsewhere */
    wadi_gpu_memory *reached[2][2];      /* what neighbours in other processes hold; [1]: the one below */
    wadi_gpu_packed landed[2];           /* rows that a transport brings from there; no rows: it brings none */
    float *rows;                         /* of rain, to be sent */
    wadi_gpu_sweep_shape shape;          /* 0 sub-steps: the plain path */
    bool measure;                        /* autotune before the next steps */
    bool measured;                       /* since the choices changed last; the next run goes on */
    wadi_gpu_sweep sweep[WADI_GPU_SWEEP_SUBSTEPS + 1]; /* by sub-steps per pass */
} wadi_gpu_engine;

#endif
