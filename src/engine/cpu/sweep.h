/* sweep.h (internal): a thread's partition of rows, and the fused sweep that computes all stages of some sub-steps. */
#ifndef WADI_CPU_SWEEP_H
#define WADI_CPU_SWEEP_H

#include <stdatomic.h>

#include "engine/cpu/idle.h"
#include "engine/cpu/rows.h"
#include "engine/schedule/schedule.h"

/* Where a field's rows are: row y is base + (y & mask) * pitch. mask: of a ring buffer; -1 for rows in place. */
typedef struct wadi_row_source {
    float *base;
    int mask, radius;
} wadi_row_source;

/* The data of a thread. It copies halo rows and computes them itself, so that no thread waits for them. */
typedef struct wadi_partition {
    int y0, y1;         /* rows of cells */
    int tiles0, tiles1; /* rows of tiles */
    int64_t cells_idle;
    int awake;         /* sub-steps in which no tile is tested */
    bool finite;       /* no non-finite value was found */
    bool tracked;      /* the last sub-step recorded what changed */
    int me, of;        /* its number, from 0, and how many there are */
    atomic_bool came;  /* the thread that computes it has begun */
    wadi_discs *discs; /* by sub-step of the pass */
    float *memory;
    float *rain, *shower;             /* rain_dt with sources and drops; cells of rainfall events */
    float *sum[WADI_SUMS];            /* what a stage sums, by cell */
    wadi_row_source *sources;         /* by scheduled stage: its reads, then its writes */
    float *ring[WADI_MAX_FIELDS];     /* scratch: a ring buffer of rows; state: the halo rows */
    _Alignas(64) atomic_llong copied; /* passes whose halo rows were copied */
    _Alignas(64) atomic_llong ended;  /* passes done; apart, since other threads read it */
} wadi_partition;

/* Columns c0 to c1 - 1 of a sweep, of which x0 to x1 - 1 are its own. */
typedef struct wadi_column_tile {
    int c0, x0, x1, c1;
    bool first, last;
} wadi_column_tile;

typedef struct wadi_cpu {
    const wadi_row_table *rows;
    int rain_map, shower_map;
    bool takes_rain[WADI_MAX_STAGES]; /* the stage reads one of them */
    wadi_idle idle;
    wadi_schedule schedule;
    int set[WADI_MAX_STAGES];      /* of values: that by which a stage's kernels are chosen (rows.h) */
    unsigned planned;              /* the processes that the schedule is made for */
    float *uniform[WADI_MAX_MAPS]; /* a row of each constant, for kernels that read rows */
    float *uniform_memory;
    float uniform_value[WADI_MAX_MAPS];
    float *outside[WADI_MAX_FIELDS]; /* a row of the value outside the grid */
    float *outside_memory;
    int column_tiles, margin;    /* columns on each side of a tile that are computed twice */
    float *margins;              /* old and new values of the tiles' margins, see sweep.c */
    double (*lanes)[WADI_LANES]; /* sums of rows computed in column tiles */
    int sums;                    /* lanes of a row */
    wadi_partition *parts;       /* by thread */
} wadi_cpu;

/* Rows of a partition's own memory, each of the block's pitch; its sources; floats for the margins of column tiles. */
size_t wadi_partition_rows(const wadi_domain *domain, const wadi_schedule *schedule);
size_t wadi_partition_sources(const wadi_schedule *schedule);
void wadi_partition_lay_out(const wadi_domain *domain, const wadi_cpu *cpu, wadi_partition *part);
size_t wadi_margins_floats(const wadi_domain *domain, const wadi_cpu *cpu);

/* Runs `substeps` sub-steps on the partition; `ahead` counts from the simulation's current one. Its halo must have
 * been copied. tracked: one sub-step; idle tiles are skipped, and scratch is kept in the block. checked: the
 * partition's `finite` becomes false if a finished row holds a non-finite value. */
void wadi_sweep_rows(wadi_domain *domain, wadi_partition *part, int substeps, int64_t ahead, bool tracked,
                     bool checked);
/* Copies the halo rows for so many sub-steps. */
void wadi_sweep_copy_halo(wadi_domain *domain, wadi_partition *part, int substeps);
/* Runs one stage outside any sweep on the partition's rows. It reads state alone. */
void wadi_sweep_stage(wadi_domain *domain, wadi_partition *part, const wadi_stage *stage);

#endif
