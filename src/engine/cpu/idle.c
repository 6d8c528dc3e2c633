/* idle.c: finds and skips tiles in which nothing changes. */
#include "engine/cpu/idle.h"
#include "core/supply.h"

#include <stdlib.h>
#include <string.h>

/* The most cells that a change travels in a stage. Static fields do not change. */
static int reach_in(const wadi_model *model, const wadi_stage *stage) {
    int reach = 0;
    for (int i = 0; i < stage->reads; i++)
        if (model->fields[stage->read[i].field].kind != WADI_STATIC && stage->read[i].radius > reach)
            reach = stage->read[i].radius;
    return reach;
}

/* The most cells that a change travels in a sub-step. */
static int reach_of(const wadi_domain *domain) {
    int reach = 0;
    for (int s = 0; s < domain->model->stage_count; s++)
        if (wadi_stage_on(domain, &domain->model->stages[s]))
            reach += reach_in(domain->model, &domain->model->stages[s]);
    return reach;
}

bool wadi_idle_open(wadi_idle *idle, const wadi_domain *domain) {
    const int reach = reach_of(domain);
    idle->tile_rows = reach <= 4 ? 4 : reach <= 8 ? 8 : reach;
    idle->columns = (domain->def.width + WADI_TILE_COLUMNS - 1) / WADI_TILE_COLUMNS;
    idle->rows = domain->def.height < idle->tile_rows ? 1 : domain->def.height / idle->tile_rows;
    const size_t tiles = (size_t)idle->columns * (size_t)idle->rows;
    idle->changed[0] = malloc(3 * tiles);
    if (idle->changed[0] == NULL) return false;
    idle->changed[1] = idle->changed[0] + tiles;
    idle->active = idle->changed[1] + tiles;
    return true;
}

void wadi_idle_close(wadi_idle *idle) { free(idle->changed[0]); }

int wadi_idle_row(const wadi_idle *idle, int y) {
    return y / idle->tile_rows < idle->rows ? y / idle->tile_rows : idle->rows - 1;
}
int wadi_idle_first(const wadi_idle *idle, const wadi_domain *domain, int row) {
    return row < idle->rows ? row * idle->tile_rows : domain->def.height;
}
static int end_of(const wadi_domain *domain, int column) { /* first column of cells past tile column `column` */
    return (column + 1) * WADI_TILE_COLUMNS < domain->def.width ? (column + 1) * WADI_TILE_COLUMNS : domain->def.width;
}

/* --- where tiles can be idle --- */

/* Stages outside an idle tile read its scratch. It must hold what the tile's stages would have written. That is true of
 * scratch with one writer, because the values that it is made from did not change. With several writers scratch holds
 * the last one's values, so no stage before the last writer may read it at neighbours. */
static bool scratch_is_right(const wadi_domain *domain, int field) {
    const wadi_stage *stages = domain->model->stages;
    int writers = 0, last = -1;
    for (int s = 0; s < domain->model->stage_count; s++)
        if (wadi_stage_on(domain, &stages[s]) && wadi_stage_writes(&stages[s], field)) writers++, last = s;
    if (writers <= 1) return true;
    for (int s = 0; s < domain->model->stage_count; s++) {
        const int radius = wadi_stage_on(domain, &stages[s]) ? wadi_stage_radius(&stages[s], field) : -1;
        if (s < last && (radius > 0 || (radius == 0 && stages[s].every > 1))) return false;
    }
    return true;
}

static bool scratch_lasts(const wadi_domain *domain) {
    bool right = true;
    for (int f = 0; f < domain->model->field_count; f++)
        if (wadi_kind(domain, f) == WADI_SCRATCH) right = right && scratch_is_right(domain, f);
    return right;
}

/* Whether uniform rain changes every cell. A map of rain may leave cells out. */
static bool rains_evenly(const wadi_domain *domain) {
    const int map = wadi_map_of(domain->model, WADI_MAP_RAIN);
    return wadi_takes_water(domain) && domain->block.map[map] == NULL && wadi_constant(domain, map) > 0;
}

bool wadi_idle_possible(const wadi_idle *idle, const wadi_domain *domain) {
    return reach_of(domain) <= idle->tile_rows && scratch_lasts(domain) && !rains_evenly(domain);
}

void wadi_idle_ready(wadi_idle *idle, const wadi_domain *domain, int team, bool tracked) {
    if (tracked && (idle->edits != domain->edits || idle->team != team))
        memset(idle->changed[0], 1, 2 * (size_t)idle->columns * (size_t)idle->rows);
    idle->edits = tracked ? domain->edits : UINT64_MAX;
    idle->team = team;
}

/* --- a sub-step --- */

/* Whether ranges a0 to a1 - 1 and b0 to b1 - 1 overlap. ring: on a periodic axis of `size` cells. */
static bool meet(int a0, int a1, int b0, int b1, int size, bool ring) {
    for (int shift = ring ? -size : 0; shift <= (ring ? size : 0); shift += size)
        if (a0 + shift < b1 && b0 < a1 + shift) return true;
    return false;
}

/* Marks the tiles that a disc's water reaches in one sub-step. */
static void mark_disc(wadi_idle *idle, const wadi_domain *domain, const wadi_disc *disc, int64_t substep, int row0,
                      int row1) {
    const bool ring = domain->def.boundary == WADI_WRAP;
    const int grown = idle->tile_rows; /* at least as far as a change travels */
    int x0, x1, y0, y1;
    wadi_supply_box(domain, disc, &x0, &x1, &y0, &y1);
    for (int r = row0; r < row1; r++) {
        const int top = wadi_idle_first(idle, domain, r), bottom = wadi_idle_first(idle, domain, r + 1);
        if (!meet(y0 - grown, y1 + grown, top, bottom, domain->window.grid_height, ring)) continue;
        for (int c = 0; c < idle->columns; c++)
            if (meet(x0 - grown, x1 + grown, c * WADI_TILE_COLUMNS, end_of(domain, c), domain->def.width, ring))
                wadi_idle_changed(idle, substep, r)[c] = 1;
    }
}

/* A tile index, wrapped on a periodic grid and else clamped. */
static int tile_index(int i, int size, bool ring) {
    if (ring) return (i % size + size) % size;
    return i < 0 ? 0 : i < size ? i : size - 1;
}

/* Whether this tile or a neighbour changed. Across a periodic boundary a change may cross the last column of tiles,
 * which may be narrow, and reach the next one. */
static bool changed_around(const wadi_idle *idle, const wadi_domain *domain, int64_t substep, int row, int column) {
    const bool ring = domain->def.boundary == WADI_WRAP;
    const int across = ring && domain->def.width % WADI_TILE_COLUMNS != 0 ? 2 : 1;
    for (int dy = -1; dy <= 1; dy++) {
        const uint8_t *changed = wadi_idle_changed(idle, substep, tile_index(row + dy, idle->rows, ring));
        for (int dx = -across; dx <= across; dx++)
            if (changed[tile_index(column + dx, idle->columns, ring)]) return true;
    }
    return false;
}

void wadi_idle_all_changed(wadi_idle *idle, int64_t substep, int row0, int row1) {
    memset(wadi_idle_changed(idle, substep, row0), 1, (size_t)(row1 - row0) * (size_t)idle->columns);
}

static int64_t cells_in(const wadi_idle *idle, const wadi_domain *domain, int row, int column) {
    return (int64_t)(wadi_idle_first(idle, domain, row + 1) - wadi_idle_first(idle, domain, row)) *
           (end_of(domain, column) - column * WADI_TILE_COLUMNS);
}

int64_t wadi_idle_begin(wadi_idle *idle, const wadi_domain *domain, const wadi_discs *discs, int64_t substep, int row0,
                        int row1) {
    memset(wadi_idle_changed(idle, substep, row0), discs->showers > 0, (size_t)(row1 - row0) * (size_t)idle->columns);
    for (size_t i = 0; i < discs->count; i++) mark_disc(idle, domain, &discs->list[i], substep, row0, row1);
    int64_t left_out = 0;
    for (int r = row0; r < row1; r++)
        for (int c = 0; c < idle->columns; c++) {
            const bool active =
                wadi_idle_changed(idle, substep, r)[c] || changed_around(idle, domain, substep + 1, r, c);
            idle->active[(size_t)r * (size_t)idle->columns + (size_t)c] = active;
            if (!active) left_out += cells_in(idle, domain, r, c);
        }
    return left_out;
}

static void compare_row(const wadi_domain *domain, const float *row, const float *other, uint8_t *changed) {
    for (int x = 0, column = 0; x < domain->def.width; x = end_of(domain, column), column++)
        if (memcmp(row + x, other + x, (size_t)(end_of(domain, column) - x) * sizeof *row) != 0) changed[column] = 1;
}

void wadi_idle_compare(wadi_idle *idle, const wadi_domain *domain, int y, int rows, const float *state) {
    if (idle->edits == UINT64_MAX) return; /* no record */
    for (int f = 0; f < domain->model->field_count; f++)
        for (int i = 0; wadi_is_state(domain, f) && i < rows; i++, state += domain->def.width)
            compare_row(domain, wadi_block_row(&domain->block, domain->block.field[f], y + i), state,
                        wadi_idle_changed(idle, domain->substeps_done - 1, wadi_idle_row(idle, y + i)));
}
