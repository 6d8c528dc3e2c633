/* slab_rows.c: rows of the whole grid go to the slab, and its own rows go back. New state overwrites the old in place.
 * So old rows that another slab needs are kept aside before. */
#include "engine/stream/slab_rows.h"

#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/domain.h"
#include "core/mass.h"
#include "core/mirror.h"
#include "core/strict.h"
#include "core/supply.h"
#include "engine/parts/give.h"
#include "platform/openmp.h"

/* --- old rows --- */

static size_t row_floats(const wadi_domain *domain) { return (size_t)domain->def.width + 2; }

static float *kept_row(const wadi_domain *whole, const wadi_kept_rows *kept, int f, int y) {
    size_t before = 0;
    for (int i = 0; i < f; i++) before += wadi_is_state(whole, i);
    return kept->values + (before * (size_t)kept->rows + (size_t)(y - kept->y)) * row_floats(whole);
}

static bool has_row(const wadi_kept_rows *kept, int y) { return y >= kept->y && y < kept->y + kept->rows; }

static bool make_room(const wadi_domain *whole, wadi_kept_rows *kept, int rows) {
    const size_t floats = wadi_domain_state_floats(whole, rows) / (size_t)whole->def.width * row_floats(whole);
    if (floats <= kept->room) return true;
    free(kept->values);
    kept->values = malloc(floats * sizeof *kept->values);
    kept->room = kept->values != NULL ? floats : 0;
    return kept->values != NULL;
}

/* Keeps rows of the slab, which begin at row y of the grid. */
static bool keep_rows(const wadi_domain *whole, const wadi_domain *slab, wadi_kept_rows *kept, int y, int rows) {
    if (!make_room(whole, kept, rows)) return false;
    kept->y = y;
    kept->rows = rows;
    for (int f = 0; f < whole->model->field_count; f++)
        for (int i = 0; wadi_is_state(whole, f) && i < rows; i++)
            memcpy(kept_row(whole, kept, f, y + i),
                   wadi_block_row(&slab->block, slab->block.field[f], y + i - slab->window.y) - 1,
                   row_floats(whole) * sizeof(float));
    return true;
}

void wadi_stream_forget(wadi_stream *stream) {
    free(stream->above.values);
    free(stream->first.values);
    free(stream->deepest);
    stream->deepest = NULL;
    stream->above = stream->first = (wadi_kept_rows){0};
}

/* --- from the whole --- */

/* A row of the grid as it was before this pass. y: from the slab's window, so it may lie outside a periodic grid. */
static const float *old_row(const wadi_domain *whole, const wadi_stream *stream, int f, int y) {
    const int height = whole->def.height, on_grid = (y + height) % height;
    if (wadi_is_state(whole, f) && has_row(&stream->above, y)) return kept_row(whole, &stream->above, f, y);
    if (wadi_is_state(whole, f) && y >= height && has_row(&stream->first, on_grid))
        return kept_row(whole, &stream->first, f, on_grid);
    return wadi_block_row(&whole->block, whole->block.field[f], on_grid) - 1;
}

/* The rows of the slab are needed no more, until they are stored. */
static void pass_rows(const wadi_domain *whole, const wadi_domain *slab, float *field) {
    for (int y = 0, rows; y < slab->def.height; y += rows) {
        const int first = wadi_part_row(whole, slab, y), left = whole->def.height - first;
        rows = slab->def.height - y < left ? slab->def.height - y : left;
        wadi_block_pass(&whole->block, field, first, rows);
    }
}

static wadi_status load_field(const wadi_domain *whole, const wadi_stream *stream, int f) {
    wadi_domain *slab = stream->slab;
    if (slab->block.field[f] == NULL && !wadi_domain_allocate_field(slab, f)) return wadi_domain_too_large(slab);
#pragma omp parallel for schedule(static) num_threads(whole->threads)
    for (int y = 0; y < slab->def.height; y++)
        memcpy(wadi_block_row(&slab->block, slab->block.field[f], y) - 1, old_row(whole, stream, f, slab->window.y + y),
               row_floats(whole) * sizeof(float));
    pass_rows(whole, slab, whole->block.field[f]);
    slab->where[f] = WADI_HERE;
    return WADI_OK;
}

static wadi_status load_map(const wadi_domain *whole, wadi_domain *slab, int map) {
    float **own = &slab->block.map[map];
    const int which = WADI_MAX_FIELDS + map;
    if (whole->block.map[map] == NULL) {
        wadi_block_free(&slab->block, which, *own);
        *own = NULL;
        return WADI_OK;
    }
    if (*own == NULL) *own = wadi_block_allocate(&slab->block, which, wadi_constant(slab, map));
    if (*own == NULL) return wadi_domain_too_large(slab);
#pragma omp parallel for schedule(static) num_threads(whole->threads)
    for (int y = 0; y < slab->def.height; y++)
        memcpy(wadi_block_row(&slab->block, *own, y) - 1,
               wadi_block_row(&whole->block, whole->block.map[map], wadi_part_row(whole, slab, y)) - 1,
               row_floats(whole) * sizeof(float));
    pass_rows(whole, slab, whole->block.map[map]);
    return WADI_OK;
}

static wadi_status load_rows(const wadi_domain *whole, const wadi_stream *stream) {
    wadi_status status = WADI_OK;
    for (int m = 0; m < whole->model->map_count && status == WADI_OK; m++) status = load_map(whole, stream->slab, m);
    for (int f = 0; f < whole->model->field_count && status == WADI_OK; f++)
        if (wadi_kind(whole, f) != WADI_SCRATCH) status = load_field(whole, stream, f);
    return status;
}

/* Keeps what the next slab, and the last one of a periodic grid, need of the rows that this slab overwrites. */
static bool keep_old_rows(const wadi_domain *whole, wadi_stream *stream, int slab) {
    const wadi_cuts *cuts = &stream->slabs.cuts;
    bool all = true;
    if (slab == 0 && cuts->count > 1 && whole->def.boundary == WADI_WRAP)
        all = keep_rows(whole, stream->slab, &stream->first, 0, cuts->margin);
    stream->above.rows = 0;
    if (slab + 1 == cuts->count) return all;
    const wadi_window next = wadi_slabs_window(whole, &stream->slabs, slab + 1);
    return keep_rows(whole, stream->slab, &stream->above, next.y, next.own0) && all;
}

wadi_status wadi_stream_load(const wadi_domain *whole, wadi_stream *stream, int number) {
    wadi_domain *slab = stream->slab;
    slab->window = wadi_slabs_window(whole, &stream->slabs, number);
    slab->edits = ++stream->loads; /* no tile of it is known to be idle */
    wadi_give_numbers(whole, slab);
    if (number == 0) stream->above.rows = stream->first.rows = 0; /* the last pass may have ended between slabs */
    wadi_status status = load_rows(whole, stream);
    if (status == WADI_OK && !keep_old_rows(whole, stream, number)) status = wadi_domain_too_large(slab);
    if (status == WADI_OK) status = slab->engine->plan(slab);
    return status == WADI_OK ? wadi_supply_reserve_now(slab) : status;
}

/* --- and back --- */

wadi_status wadi_stream_store_field(const wadi_domain *whole, wadi_domain *slab, int f) {
    const wadi_window *window = &slab->window;
    const wadi_status status = wadi_domain_bring(slab, f);
    if (status != WADI_OK) return status;
#pragma omp parallel for schedule(static) num_threads(whole->threads)
    for (int y = window->own0; y < window->own1; y++) {
        float *row = wadi_block_row(&whole->block, whole->block.field[f], window->y + y);
        memcpy(row, wadi_block_row(&slab->block, slab->block.field[f], y), (size_t)whole->def.width * sizeof *row);
        if (whole->def.boundary == WADI_WRAP) wadi_block_close_row(&whole->block, row);
    }
    wadi_block_pass(&whole->block, whole->block.field[f], wadi_part_first(whole, slab), wadi_part_rows(slab));
    wadi_domain_let_go(slab, f);
    return WADI_OK;
}

/* Without memory, the field is read again. */
static wadi_status note_deepest(const wadi_domain *whole, wadi_stream *stream) {
    wadi_domain *slab = stream->slab;
    const int water = wadi_field_of(whole->model, WADI_FIELD_WATER), first = wadi_part_first(whole, slab);
    if (!wadi_def_substeps_follow(&whole->def)) return WADI_OK;
    if (stream->deepest == NULL) stream->deepest = malloc((size_t)whole->def.height * sizeof *stream->deepest);
    const wadi_status status = stream->deepest != NULL ? wadi_domain_bring(slab, water) : WADI_OK;
    if (stream->deepest == NULL || status != WADI_OK) return status;
#pragma omp parallel num_threads(whole->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < wadi_part_rows(slab); y++)
            stream->deepest[first + y] = wadi_row_largest(slab, water, slab->window.own0 + y);
    }
    /* All rows are of this pass once the last slab is done. */
    const bool last = first + wadi_part_rows(slab) >= whole->def.height;
    stream->deepest_edits = last ? whole->edits : UINT64_MAX;
    return WADI_OK;
}

bool wadi_stream_knows_deepest(const wadi_domain *whole) {
    const wadi_stream *stream = whole->engine_state;
    return stream->deepest != NULL && stream->deepest_edits == whole->edits;
}

wadi_status wadi_stream_store(const wadi_domain *whole, wadi_stream *stream) {
    wadi_status status = note_deepest(whole, stream);
    for (int f = 0; f < whole->model->field_count && status == WADI_OK; f++)
        if (wadi_is_state(whole, f)) status = wadi_stream_store_field(whole, stream->slab, f);
    return status;
}
