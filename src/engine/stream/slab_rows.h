/* slab_rows.h (internal): what a streaming engine keeps, and how rows come from the whole grid and go back. A slab is a
 * domain with a margin of its neighbours' rows, as a part of engine/parts is. */
#ifndef WADI_ENGINE_STREAM_SLAB_ROWS_H
#define WADI_ENGINE_STREAM_SLAB_ROWS_H

#include "engine/stream/slabs.h"

/* Old state of some rows of the grid that new state has overwritten: its fields in order, `pitch` floats a row. */
typedef struct wadi_kept_rows {
    int y, rows;
    float *values;
    size_t room; /* floats */
} wadi_kept_rows;

typedef struct wadi_stream {
    wadi_domain *slab;
    wadi_slabs slabs;
    wadi_kept_rows above; /* the rows above the slab that is loaded next */
    wadi_kept_rows first; /* periodic grid: the first rows, which the last slab reads too */
    uint64_t loads;
    double *deepest; /* where sub-steps follow the deepest water: that of each row after the last pass */
    uint64_t deepest_edits;
    /* so far: slabs passed, sub-steps of slabs, and what they took */
    int64_t passed, substeps;
    double moving_s, computing_s;
    bool measured; /* the slabs were chosen by these times */
} wadi_stream;

/* Copies the rows of a slab from the whole, by its number. The old rows that later slabs need are kept. */
wadi_status wadi_stream_load(const wadi_domain *whole, wadi_stream *stream, int slab);
/* Copies the own rows of the slab to the whole: all its state, or one field. */
wadi_status wadi_stream_store(const wadi_domain *whole, wadi_stream *stream);
wadi_status wadi_stream_store_field(const wadi_domain *whole, wadi_domain *slab, int f);
/* Whether the deepest water of each row is known as it is now. */
bool wadi_stream_knows_deepest(const wadi_domain *whole);
/* Frees the rows that are kept. */
void wadi_stream_forget(wadi_stream *stream);

#endif
