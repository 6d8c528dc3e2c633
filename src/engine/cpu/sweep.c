/* sweep.c: the fused sweep of one partition. Border kernels compute the two ends of a row, where a neighbour may lie
 * outside the grid. Interior kernels compute the rest. With a periodic boundary the whole row is interior. Rows at the
 * top and bottom and near cells without data use border kernels throughout. Both kinds give the same bits wherever both
 * apply. */
#include "engine/cpu/sweep.h"
#include "core/supply.h"

#include <string.h>

#define END_COLUMNS 16 /* of a row's end: one vector, so that the rest starts aligned */

/* What all rows of a sweep have in common. */
typedef struct sweep {
    wadi_domain *domain;
    const wadi_cpu *cpu;
    wadi_partition *part;
    wadi_column_tile tile;
    bool wraps;
    bool whole;      /* scratch is kept for the whole partition, in the block's fields */
    bool checked;    /* the state is tested for non-finite values */
    bool tracked;    /* changes are recorded, and idle tiles are skipped */
    int halo;        /* rows outside the partition */
    int begin, end;  /* range of scheduled stages: those of the last sub-steps */
    int64_t first;   /* number that sub-step 0 of the schedule has or would have */
    int64_t substep; /* number of the sub-step that is computed now */
} sweep;

static int on_grid(const sweep *sweep, int y) {
    const int height = sweep->domain->def.height;
    return y >= 0 && y < height ? y : ((y % height) + height) % height;
}

typedef struct span {
    int x0, x1;
    bool at_border;
} span;

/* A stage and a row, split into spans. */
typedef struct row_work {
    const wadi_stage *stage;
    const wadi_row_kernels *kernels;
    int set;            /* of values that its switches have */
    wadi_row_form form; /* where no neighbour may lie outside: INSIDE, or MAPS */
    wadi_rows in[WADI_MAX_READS + WADI_MAX_MAPS];
    float *out[WADI_MAX_FIELDS + WADI_SUMS];
    span spans[3];
    int count;
    bool counts; /* its sums are added to the balance */
    double (*lanes)[WADI_LANES];
} row_work;

/* --- where a field's rows are --- */

static int ring_rows(const wadi_schedule *schedule, int field) {
    switch (schedule->kind[field]) {
    case WADI_SCRATCH:
        return schedule->substeps * schedule->depth[field];
    case WADI_STATE:
        return 2 * (schedule->halo[schedule->substeps] > 1 ? schedule->halo[schedule->substeps] : 1);
    default:
        return 0;
    }
}

enum { ROWS_OF_ITS_OWN = WADI_SUMS + 2 };

size_t wadi_partition_rows(const wadi_domain *domain, const wadi_schedule *schedule) {
    size_t rows = ROWS_OF_ITS_OWN;
    for (int f = 0; f < domain->model->field_count; f++) rows += (size_t)ring_rows(schedule, f);
    return rows;
}

void wadi_partition_lay_out(const wadi_domain *domain, const wadi_cpu *cpu, wadi_partition *part) {
    const ptrdiff_t pitch = domain->block.pitch;
    float *row = part->memory + WADI_PAD;
    part->rain = row;
    part->shower = row + pitch;
    for (int i = 0; i < WADI_SUMS; i++) part->sum[i] = row + (i + 2) * pitch;
    row += ROWS_OF_ITS_OWN * pitch;
    for (int f = 0; f < domain->model->field_count; f++) {
        part->ring[f] = row;
        for (int i = 0; i < ring_rows(&cpu->schedule, f); i++, row += pitch)
            row[-1] = row[domain->def.width] = domain->model->fields[f].outside;
    }
}

static bool in_partition(const sweep *sweep, int y) { return y >= sweep->part->y0 && y < sweep->part->y1; }

/* Row y in the partition's own memory: a ring buffer for scratch, copied halo rows for state. */
static float *own_row(const sweep *sweep, int field, int substep, int y) {
    const wadi_schedule *schedule = &sweep->cpu->schedule;
    const wadi_partition *part = sweep->part;
    const ptrdiff_t pitch = sweep->domain->block.pitch;
    if (schedule->kind[field] == WADI_SCRATCH)
        return part->ring[field] + (substep * schedule->depth[field] + (y & (schedule->depth[field] - 1))) * pitch;
    return part->ring[field] + (y < part->y0 ? y - (part->y0 - sweep->halo) : sweep->halo + y - part->y1) * pitch;
}

/* Row y of a field. It may lie outside the partition, or with a periodic boundary outside the grid. */
static float *find_row(const sweep *sweep, int field, int substep, int y) {
    const wadi_block *block = &sweep->domain->block;
    const wadi_field_kind kind = sweep->cpu->schedule.kind[field];
    if (in_partition(sweep, y) && (kind != WADI_SCRATCH || sweep->whole)) return block->field[field] + y * block->pitch;
    if (!sweep->wraps && (y < 0 || y >= sweep->domain->def.height)) return sweep->cpu->outside[field];
    if (kind == WADI_STATIC) return block->field[field] + on_grid(sweep, y) * block->pitch;
    return own_row(sweep, field, substep, y);
}

/* --- the common case: rows inside the partition that read inside it --- */

size_t wadi_partition_sources(const wadi_schedule *schedule) {
    size_t count = 0;
    for (int i = 0; i < schedule->substeps * schedule->stages_per_substep; i++)
        count += (size_t)(schedule->stages[i].stage->reads + schedule->stages[i].stage->writes);
    return count;
}

static wadi_row_source source_of(const sweep *sweep, int field, int substep, int radius) {
    const wadi_schedule *schedule = &sweep->cpu->schedule;
    if (schedule->kind[field] != WADI_SCRATCH || sweep->whole)
        return (wadi_row_source){sweep->domain->block.field[field], -1, radius};
    const ptrdiff_t first = substep * schedule->depth[field] * sweep->domain->block.pitch;
    return (wadi_row_source){sweep->part->ring[field] + first, schedule->depth[field] - 1, radius};
}

/* Fills in the sources of a stage's reads and writes. Returns the end of them. */
static wadi_row_source *find_sources(const sweep *sweep, const wadi_scheduled_stage *scheduled,
                                     wadi_row_source *source) {
    const wadi_stage *stage = scheduled->stage;
    for (int i = 0; i < stage->reads; i++)
        *source++ = source_of(sweep, stage->read[i].field, scheduled->substep, stage->read[i].radius);
    for (int i = 0; i < stage->writes; i++) *source++ = source_of(sweep, stage->write[i], scheduled->substep, 0);
    return source;
}

static void gather_fast(const sweep *sweep, const wadi_stage *stage, const wadi_row_source *source, int y,
                        row_work *work) {
    const ptrdiff_t pitch = sweep->domain->block.pitch;
    for (int i = 0; i < stage->reads; i++, source++) {
        float *here = source->base + (y & source->mask) * pitch;
        work->in[i] = (wadi_rows){here, here, here};
        if (source->radius == 0) continue;
        work->in[i].above = source->base + ((y - 1) & source->mask) * pitch;
        work->in[i].below = source->base + ((y + 1) & source->mask) * pitch;
    }
    for (int i = 0; i < stage->writes; i++, source++) work->out[i] = source->base + (y & source->mask) * pitch;
}

/* --- one row --- */

static wadi_rows rows_of(const sweep *sweep, const wadi_scheduled_stage *scheduled, const wadi_read *read, int y) {
    float *here = find_row(sweep, read->field, scheduled->substep, y);
    if (read->radius == 0) return (wadi_rows){here, here, here};
    return (wadi_rows){find_row(sweep, read->field, scheduled->substep, y - 1), here,
                       find_row(sweep, read->field, scheduled->substep, y + 1)};
}

static void gather(const sweep *sweep, const wadi_scheduled_stage *scheduled, const wadi_row_source *source, int y,
                   row_work *work) {
    const wadi_stage *stage = scheduled->stage;
    if (in_partition(sweep, y - 1) && in_partition(sweep, y + 1)) {
        gather_fast(sweep, stage, source, y, work);
        return;
    }
    for (int i = 0; i < stage->reads; i++) work->in[i] = rows_of(sweep, scheduled, &stage->read[i], y);
    for (int i = 0; i < stage->writes; i++) work->out[i] = find_row(sweep, stage->write[i], scheduled->substep, y);
}

static const float *map_row(const sweep *sweep, const float *map, int y) {
    const wadi_block *block = &sweep->domain->block;
    return map + (sweep->wraps ? on_grid(sweep, y) : y) * block->pitch; /* otherwise the halo has it */
}

static void gather_maps(const sweep *sweep, const wadi_stage *stage, int y, const float *rain, const float *shower,
                        wadi_rows *in) {
    const wadi_cpu *cpu = sweep->cpu;
    for (int i = 0; i < stage->maps; i++) {
        const int map = stage->map[i].field;
        const float *given = sweep->domain->block.map[map], *same = cpu->uniform[map];
        in[i] = (wadi_rows){same, same, same};
        if (given != NULL && stage->map[i].radius == 0)
            in[i].here = map_row(sweep, given, y);
        else if (given != NULL)
            in[i] = (wadi_rows){map_row(sweep, given, y - 1), map_row(sweep, given, y), map_row(sweep, given, y + 1)};
        if (rain != NULL && map == cpu->rain_map) in[i].here = rain;
        if (shower != NULL && map == cpu->shower_map) in[i].here = shower;
    }
}

static bool any_map(const wadi_domain *domain, const wadi_stage *stage) {
    bool any = false;
    for (int i = 0; i < stage->maps; i++) any = any || domain->block.map[stage->map[i].field] != NULL;
    return any;
}

/* Rows of the constants, if one varies by cell. */
static wadi_row_form gather_constants(const sweep *sweep, const wadi_scheduled_stage *scheduled, int y, wadi_rows *in) {
    const wadi_stage *stage = scheduled->stage;
    wadi_partition *part = sweep->part;
    const float *rain = NULL, *shower = NULL;
    if (sweep->cpu->takes_rain[stage - sweep->domain->model->stages] && wadi_supply_varies(sweep->domain)) {
        const wadi_discs *discs = &part->discs[scheduled->substep];
        if (wadi_supply_row(sweep->domain, discs, on_grid(sweep, y), part->rain)) rain = part->rain;
        if (wadi_supply_showers(sweep->domain, discs, on_grid(sweep, y), part->shower)) shower = part->shower;
    }
    if (rain == NULL && shower == NULL && !any_map(sweep->domain, stage)) return WADI_ROW_INSIDE;
    gather_maps(sweep, stage, y, rain, shower, in);
    return WADI_ROW_MAPS;
}

/* Whether these kernels write the sum (see rows.h). at_border: asks for the sums that only border kernels write. */
static bool is_summed(const row_work *work, int sum, bool at_border) {
    if (work->stage->border == WADI_OUTLET) return at_border;
    if (sum == WADI_SUM_exchanged) return !at_border && work->set == WADI_ROW_ANY;
    return at_border == ((sum == WADI_SUM_spilled || sum == WADI_SUM_carried) && work->form == WADI_ROW_INSIDE);
}

/* Splits a row into spans, by whether a neighbour may lie outside, and returns their number. An outlet stage runs at
 * the ends of a row alone. */
static int cut_row(const sweep *sweep, const wadi_stage *stage, int y, span spans[3]) {
    const wadi_domain *domain = sweep->domain;
    const int width = domain->def.width, last = width < 2 * END_COLUMNS ? 0 : (width - 1) / END_COLUMNS * END_COLUMNS;
    const bool open = domain->def.boundary == WADI_OPEN, outlet = stage->border == WADI_OUTLET;
    const bool border =
        stage->border == WADI_DIFFERS ? !sweep->wraps : (stage->border == WADI_SPILLS || outlet) && open;
    if (outlet && !open) return 0;
    const bool all = domain->near_outside[on_grid(sweep, y)] ||
                     (border && (y == 0 || y == domain->def.height - 1 || last <= END_COLUMNS));
    if (all || !border) {
        spans[0] = (span){0, width, all};
        return 1;
    }
    spans[0] = (span){0, END_COLUMNS, true};
    spans[1] = (span){END_COLUMNS, outlet ? END_COLUMNS : last, false};
    spans[2] = (span){last, width, true};
    return 3;
}

static int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }

/* Adds the kernels' sums over those of columns x0 to x1 - 1 that the column tile owns. at_border: only the sums of
 * border kernels. */
static void add_lanes(const sweep *sweep, row_work *work, int x0, int x1, bool at_border) {
    const int from = clamp(x0, sweep->tile.x0, sweep->tile.x1), to = clamp(x1, sweep->tile.x0, sweep->tile.x1);
    for (int i = 0; i < work->stage->sums; i++) {
        const int sum = work->stage->sum[i];
        if (is_summed(work, sum, at_border))
            sweep->cpu->rows->add_lanes(work->lanes[i], sweep->part->sum[sum], from, to);
    }
}

/* Runs the kernels on columns x0 to x1 - 1, which may be none. */
static void run_columns(const sweep *sweep, row_work *work, int x0, int x1, uint8_t *changed) {
    for (int p = 0; p < work->count; p++) {
        const span *cut = &work->spans[p];
        const int from = clamp(x0, cut->x0, cut->x1), to = clamp(x1, cut->x0, cut->x1);
        if (from >= to) continue;
        const wadi_row_form form = work->form == WADI_ROW_INSIDE && cut->at_border ? WADI_ROW_BORDER : work->form;
        (*work->kernels)[work->set][form][changed != NULL](from, to, sweep->domain->constants, work->in, work->out,
                                                           changed);
        if (work->counts && cut->at_border) add_lanes(sweep, work, from, to, true);
    }
    if (work->counts) add_lanes(sweep, work, x0, x1, false);
}

/* Runs a stage in a row's active tiles. A periodic stage runs in all tiles, because the changes are recorded for the
 * last sub-step alone. */
static void run_active_tiles(const sweep *sweep, row_work *work, int y) {
    const wadi_idle *idle = &sweep->cpu->idle;
    const int row = wadi_idle_row(idle, y);
    const uint8_t *active = wadi_idle_active(idle, row);
    uint8_t *changed = wadi_idle_changed(idle, sweep->substep, row);
    for (int c = 0, end; c < idle->columns; c = end + 1) {
        for (end = c; end < idle->columns && (active[end] || work->stage->every > 1);) end++;
        if (end > c) run_columns(sweep, work, c * WADI_TILE_COLUMNS, end * WADI_TILE_COLUMNS, changed);
    }
}

/* Adds the row's sums to the balance, after the last column tile. */
static void add_up(const sweep *sweep, const row_work *work, int y) {
    for (int i = 0; i < work->stage->sums; i++)
        sweep->domain->sums[work->stage->sum[i]][y] += wadi_lanes_total(work->lanes[i]);
}

static bool in_column_tiles(const sweep *sweep) { return !sweep->tile.first || !sweep->tile.last; }

/* sums: where rows are computed in column tiles, the index of this stage's lanes among those of a row. */
static void run_row(const sweep *sweep, const wadi_scheduled_stage *scheduled, const wadi_row_source *source, int y,
                    int sums) {
    const wadi_stage *stage = scheduled->stage;
    const bool own = in_partition(sweep, y);
    double lanes[WADI_SUMS][WADI_LANES];
    row_work work;
    work.stage = stage;
    work.kernels = &sweep->cpu->rows->stages[stage - sweep->domain->model->stages];
    work.set = sweep->cpu->set[stage - sweep->domain->model->stages];
    work.counts = own && stage->sums > 0;
    work.lanes = in_column_tiles(sweep) ? sweep->cpu->lanes + (size_t)y * (size_t)sweep->cpu->sums + sums : lanes;
    gather(sweep, scheduled, source, y, &work);
    work.form = gather_constants(sweep, scheduled, y, work.in + stage->reads);
    for (int i = 0; i < stage->sums; i++) work.out[stage->writes + i] = sweep->part->sum[stage->sum[i]];
    work.count = cut_row(sweep, stage, y, work.spans);
    if (work.counts && sweep->tile.first) memset(work.lanes, 0, (size_t)stage->sums * sizeof *work.lanes);
    if (sweep->tracked && own)
        run_active_tiles(sweep, &work, y);
    else
        run_columns(sweep, &work, sweep->tile.c0, sweep->tile.c1, NULL);
    if (work.counts && sweep->tile.last) add_up(sweep, &work, y);
    if (sweep->wraps)
        for (int i = 0; i < stage->writes; i++) wadi_block_close_row(&sweep->domain->block, work.out[i]);
}

/* --- column tiles, where the rows of a partition exceed the cache --- */

/* A tile also computes margins on both sides, from the same old values as the tiles that own them. But state is written
 * in place. So a tile that enters a row saves the new values of its left margin, and puts the old ones there. A tile
 * that leaves a row restores its left margin's new values and its right margin's old ones. A row of `margins` holds
 * three parts for each field of state. The first is the new values of the left margin. The second is the old values
 * inside the tile's right end, the left margin of the next tile. The third is the old values beyond it. */

static size_t margins_row_floats(const wadi_domain *domain, const wadi_cpu *cpu) {
    size_t states = 0;
    for (int f = 0; f < domain->model->field_count; f++) states += cpu->schedule.kind[f] == WADI_STATE;
    return 3 * states * (size_t)cpu->margin;
}

size_t wadi_margins_floats(const wadi_domain *domain, const wadi_cpu *cpu) {
    const size_t halo_rows = 2 * (size_t)cpu->schedule.halo[cpu->schedule.substeps] * (size_t)domain->members;
    return ((size_t)domain->def.height + halo_rows) * margins_row_floats(domain, cpu);
}

static void move(float *to, const float *from, int count) { memcpy(to, from, (size_t)count * sizeof *to); }

static void enter_field(const sweep *sweep, float *row, float *side) {
    const int margin = sweep->cpu->margin;
    if (!sweep->tile.first) {
        float *left = row + sweep->tile.c0;
        move(side, left, margin);
        move(left, side + margin, margin);
    }
    if (!sweep->tile.last) {
        move(side + margin, row + sweep->tile.x1 - margin, margin);
        move(side + 2 * margin, row + sweep->tile.x1, margin);
    }
}

static void leave_field(const sweep *sweep, float *row, const float *side) {
    const int margin = sweep->cpu->margin;
    if (!sweep->tile.first) move(row + sweep->tile.c0, side, margin);
    if (!sweep->tile.last) move(row + sweep->tile.x1, side + 2 * margin, margin);
}

static void pass_margins(const sweep *sweep, int y, bool enters) {
    const wadi_domain *domain = sweep->domain;
    const int halo = sweep->cpu->schedule.halo[sweep->cpu->schedule.substeps];
    const size_t row_floats = margins_row_floats(domain, sweep->cpu);
    float *side = sweep->cpu->margins + (size_t)(y + halo * (2 * sweep->part->me + 1)) * row_floats;
    for (int f = 0; f < domain->model->field_count; f++) {
        if (sweep->cpu->schedule.kind[f] != WADI_STATE) continue;
        float *row = find_row(sweep, f, 0, y);
        if (enters)
            enter_field(sweep, row, side);
        else
            leave_field(sweep, row, side);
        side += 3 * sweep->cpu->margin;
    }
}

static wadi_column_tile tile_at(const wadi_domain *domain, const wadi_cpu *cpu, int index) {
    const int vectors = (domain->def.width + 15) / 16;
    wadi_column_tile tile = {.first = index == 0, .last = index == cpu->column_tiles - 1};
    tile.x0 = (int)((int64_t)vectors * index / cpu->column_tiles) * 16;
    tile.x1 = tile.last ? domain->def.width : (int)((int64_t)vectors * (index + 1) / cpu->column_tiles) * 16;
    tile.c0 = tile.first ? 0 : tile.x0 - cpu->margin;
    tile.c1 = tile.last ? domain->def.width : tile.x1 + cpu->margin;
    return tile;
}

/* --- the sweep --- */

static int first_row(const sweep *sweep, int halo) {
    const int y = sweep->part->y0 - halo;
    return sweep->wraps || y > 0 ? y : 0;
}
static int end_row(const sweep *sweep, int halo) {
    const int y = sweep->part->y1 + halo;
    return sweep->wraps || y < sweep->domain->def.height ? y : sweep->domain->def.height;
}

/* Row t of the sweep: one row of each stage in turn. */
static void run_stages(sweep *sweep, int t) {
    const wadi_scheduled_stage *stages = sweep->cpu->schedule.stages;
    const wadi_row_source *source = sweep->part->sources;
    int sums = 0;
    for (int i = sweep->begin; i < sweep->end; i++) {
        const wadi_scheduled_stage *scheduled = &stages[i];
        const wadi_stage *stage = scheduled->stage;
        const int y = t - (scheduled->lag - stages[sweep->begin].lag);
        sweep->substep = sweep->first + scheduled->substep;
        if (wadi_stage_due(sweep->domain, stage, sweep->substep) && y >= first_row(sweep, scheduled->reach) &&
            y < end_row(sweep, scheduled->reach))
            run_row(sweep, scheduled, source, y, sums);
        source += stage->reads + stage->writes;
        sums += stage->sums;
    }
}

static void check_row(const sweep *sweep, int y) {
    const wadi_domain *domain = sweep->domain;
    for (int f = 0; f < domain->model->field_count; f++)
        if (sweep->cpu->schedule.kind[f] == WADI_STATE &&
            !sweep->cpu->rows->finite(wadi_block_row(&domain->block, domain->block.field[f], y), sweep->tile.x0,
                                      sweep->tile.x1))
            sweep->part->finite = false;
}

static void run_column_tile(sweep *sweep) {
    const wadi_scheduled_stage *stages = sweep->cpu->schedule.stages;
    const int lag = stages[sweep->end - 1].lag - stages[sweep->begin].lag;
    const int from = first_row(sweep, sweep->halo), to = end_row(sweep, sweep->halo);
    const bool margins = in_column_tiles(sweep);
    if (margins) pass_margins(sweep, from, true);
    for (int t = from; t < to + lag + 1; t++) {
        const int left = t - lag - 1;                                /* row that no later stage needs */
        if (margins && t + 1 < to) pass_margins(sweep, t + 1, true); /* stages at row t read row t + 1 */
        run_stages(sweep, t);
        if (sweep->checked && in_partition(sweep, left)) check_row(sweep, left);
        if (margins && left >= from) pass_margins(sweep, left, false);
    }
}

static sweep sweep_of(wadi_domain *domain, wadi_partition *part, int halo) {
    return (sweep){.domain = domain,
                   .cpu = domain->engine_state,
                   .part = part,
                   .tile = {0, 0, domain->def.width, domain->def.width, true, true},
                   .wraps = domain->def.boundary == WADI_WRAP,
                   .halo = halo};
}

static int halo_of(const wadi_domain *domain, int substeps) {
    return ((const wadi_cpu *)domain->engine_state)->schedule.halo[substeps];
}

void wadi_sweep_rows(wadi_domain *domain, wadi_partition *part, int substeps, int64_t ahead, bool tracked,
                     bool checked) {
    sweep sweep = sweep_of(domain, part, halo_of(domain, substeps));
    const wadi_schedule *schedule = &sweep.cpu->schedule;
    sweep.whole = sweep.tracked = tracked;
    sweep.checked = checked;
    sweep.begin = (schedule->substeps - substeps) * schedule->stages_per_substep;
    sweep.end = schedule->substeps * schedule->stages_per_substep;
    sweep.first = domain->substeps_done + ahead - (schedule->substeps - substeps);
    wadi_row_source *source = part->sources;
    for (int i = sweep.begin; i < sweep.end; i++) source = find_sources(&sweep, &schedule->stages[i], source);
    const int column_tiles = tracked ? 1 : sweep.cpu->column_tiles; /* idle tiles need correct scratch in all columns */
    for (int i = 0; i < column_tiles; i++) {
        if (column_tiles > 1) sweep.tile = tile_at(domain, sweep.cpu, i);
        run_column_tile(&sweep);
    }
}

static void copy_rows(const sweep *sweep, int from, int to) {
    const wadi_domain *domain = sweep->domain;
    const size_t bytes = (size_t)(domain->def.width + 2) * sizeof(float);
    for (int y = from; y < to; y++)
        for (int f = 0; f < domain->model->field_count; f++)
            if (sweep->cpu->schedule.kind[f] == WADI_STATE)
                memcpy(own_row(sweep, f, 0, y) - 1,
                       wadi_block_row(&domain->block, domain->block.field[f], on_grid(sweep, y)) - 1, bytes);
}

static void copy_halo(const sweep *sweep) {
    copy_rows(sweep, first_row(sweep, sweep->halo), sweep->part->y0);
    copy_rows(sweep, sweep->part->y1, end_row(sweep, sweep->halo));
}

void wadi_sweep_copy_halo(wadi_domain *domain, wadi_partition *part, int substeps) {
    const sweep sweep = sweep_of(domain, part, halo_of(domain, substeps));
    copy_halo(&sweep);
}

void wadi_sweep_stage(wadi_domain *domain, wadi_partition *part, const wadi_stage *stage) {
    sweep sweep = sweep_of(domain, part, stage->radius);
    const wadi_scheduled_stage scheduled = {stage, 0, 0, 0};
    sweep.whole = true;
    wadi_row_source source[WADI_MAX_READS + WADI_MAX_FIELDS];
    find_sources(&sweep, &scheduled, source);
    copy_halo(&sweep);
    for (int y = part->y0; y < part->y1; y++) run_row(&sweep, &scheduled, source, y, 0);
}
