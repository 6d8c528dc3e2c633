/* march.h (internal): a thread's band of rows, and the walk down it that does all stages of some sub-steps at once. */
#ifndef WADI_ENGINE_MARCH_H
#define WADI_ENGINE_MARCH_H

#include <stdatomic.h>

#include "engine/cpu/idle.h"
#include "engine/cpu/rows.h"
#include "engine/schedule/schedule.h"

/* Where a field's rows are: row y, of the band or of a ring, is base + (y & mask) * pitch; in place the mask is -1. */
typedef struct wadi_row_source {
    float *base;
    int mask, radius;
} wadi_row_source;

/* What a walk of one thread needs. Rows beside the band are copies, which it works out for itself: nobody waits. */
typedef struct wadi_band {
    int y0, y1;         /* rows of cells */
    int tiles0, tiles1; /* of tiles */
    int64_t cells_idle;
    int awake;    /* sub-steps for which no tile is asked */
    bool finite;  /* what was checked of the state is */
    bool watched; /* in the last sub-step it was seen what changed */
    int me;
    wadi_discs *discs; /* by level */
    float *memory;
    float *rain, *shower;             /* rain_dt with sources and drops; points of showers */
    float *sum[WADI_SUMS];            /* what a stage sums, cell by cell */
    wadi_row_source *sources;         /* by element: its reads, then its writes */
    float *ring[WADI_MAX_FIELDS];     /* of scratch: rows in turn; of state: the rows beside the band */
    _Alignas(64) atomic_llong copied; /* walks for which the rows beside the band were copied */
    _Alignas(64) atomic_llong ended;  /* walks: apart, for others read these */
} wadi_band;

/* Columns of a walk: it does c0 .. c1 - 1, of which x0 .. x1 - 1 are its own. */
typedef struct wadi_strip {
    int c0, x0, x1, c1;
    bool first, last;
} wadi_strip;

typedef struct wadi_cpu {
    const wadi_row_table *rows;
    int rain_map, shower_map;
    wadi_idle idle;
    wadi_schedule schedule;
    wadi_row_kind kind;
    unsigned planned;              /* the processes that the schedule is for */
    float *uniform[WADI_MAX_MAPS]; /* a row of each constant, for kernels that take rows */
    float *uniform_memory;
    float uniform_value[WADI_MAX_MAPS];
    float *outside[WADI_MAX_FIELDS]; /* a row beyond the border */
    float *outside_memory;
    int strips, margin;          /* columns beside a strip that are worked out twice */
    float *sides;                /* what strips' margins held before and after: see march.c */
    double (*lanes)[WADI_LANES]; /* sums of rows that are done in strips */
    int sums;                    /* lanes of a row */
    wadi_band *bands;            /* by thread */
} wadi_cpu;

/* Rows of a band's own memory, each of the block's pitch; its sources; what strips need. */
size_t wadi_band_rows(const wadi_sim *sim, const wadi_schedule *schedule);
size_t wadi_band_sources(const wadi_schedule *schedule);
void wadi_band_lay_out(const wadi_sim *sim, const wadi_cpu *cpu, wadi_band *band);
size_t wadi_sides_floats(const wadi_sim *sim, const wadi_cpu *cpu);

/* Does `levels` sub-steps, the first of them `ahead` of where the simulation stands, to the band. The copies beside it
 * must have been taken. watched: one sub-step; idle tiles are left out, and scratch is the block's own. checked: the
 * band's `finite` becomes false where a state that a row is left with is not, while it is still in the cache. */
void wadi_march(wadi_sim *sim, wadi_band *band, int levels, int64_t ahead, bool watched, bool checked);
/* Copies the rows beside the band that a walk of so many sub-steps needs. */
void wadi_march_copy(wadi_sim *sim, wadi_band *band, int levels);
/* One stage that no walk has, over the band's rows; it reads state alone. */
void wadi_march_once(wadi_sim *sim, wadi_band *band, const wadi_stage *stage);

#endif
