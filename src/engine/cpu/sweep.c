/* march.c: rows and strips.
 *
 * A row is done in three pieces: its two ends, where a neighbour may lie outside, by kernels that ask; the rest, and on
 * a torus all of it, by kernels that need not. Rows at the top and bottom and near cells without data ask everywhere.
 * The kernels give the same bits wherever both apply. */
#include "engine/cpu/sweep.h"

#include <string.h>

#define PIECE 16 /* columns of a row's end: one vector, so that the rest starts aligned */

/* What every row of a walk has in common. */
typedef struct walk {
    wadi_sim *sim;
    const wadi_cpu *cpu;
    wadi_band *band;
    wadi_strip strip;
    bool torus;
    bool whole;      /* scratch is kept for all of the band, in the block's own fields */
    bool checked;    /* whether the state is finite */
    bool watched;    /* what changes is, and idle tiles are left out */
    int halo;        /* rows beside the band */
    int begin, end;  /* of the schedule's elements: those of its last levels */
    int64_t first;   /* sub-step, of a walk of all levels */
    int64_t substep; /* that is being done */
} walk;

static int on_grid(const walk *walk, int y) {
    const int height = walk->sim->def.height;
    return y >= 0 && y < height ? y : ((y % height) + height) % height;
}

typedef struct piece {
    int x0, x1;
    bool beside;
} piece;

/* What a stage is being done to: a row, cut into pieces. */
typedef struct row_work {
    const wadi_stage *stage;
    wadi_row_fn *const *kernels;
    wadi_row_kind kind;
    wadi_rows in[WADI_MAX_READS + WADI_MAX_MAPS];
    float *out[WADI_MAX_FIELDS + WADI_SUMS];
    piece pieces[3];
    int count;
    bool counts; /* its sums do */
    double (*lanes)[WADI_LANES];
} row_work;

/* --- where a field's rows are --- */

static int ring_rows(const wadi_sim *sim, const wadi_schedule *schedule, int field) {
    switch (sim->model->fields[field].kind) {
    case WADI_SCRATCH:
        return schedule->levels * schedule->depth[field];
    case WADI_STATE:
        return 2 * (schedule->halo[schedule->levels] > 1 ? schedule->halo[schedule->levels] : 1);
    default:
        return 0;
    }
}

enum { ROWS_OF_ITS_OWN = WADI_SUMS + 2 };

size_t wadi_band_rows(const wadi_sim *sim, const wadi_schedule *schedule) {
    size_t rows = ROWS_OF_ITS_OWN;
    for (int f = 0; f < sim->model->field_count; f++) rows += (size_t)ring_rows(sim, schedule, f);
    return rows;
}

void wadi_band_lay_out(const wadi_sim *sim, const wadi_cpu *cpu, wadi_band *band) {
    const ptrdiff_t pitch = sim->block.pitch;
    float *row = band->memory + WADI_PAD;
    band->rain = row;
    band->shower = row + pitch;
    for (int i = 0; i < WADI_SUMS; i++) band->sum[i] = row + (i + 2) * pitch;
    row += ROWS_OF_ITS_OWN * pitch;
    for (int f = 0; f < sim->model->field_count; f++) {
        band->ring[f] = row;
        for (int i = 0; i < ring_rows(sim, &cpu->schedule, f); i++, row += pitch)
            row[-1] = row[sim->def.width] = sim->model->fields[f].outside;
    }
}

static bool in_band(const walk *walk, int y) { return y >= walk->band->y0 && y < walk->band->y1; }

static float *row_beside(const walk *walk, int field, int level, int y) {
    const wadi_schedule *schedule = &walk->cpu->schedule;
    const wadi_band *band = walk->band;
    const ptrdiff_t pitch = walk->sim->block.pitch;
    if (walk->sim->model->fields[field].kind == WADI_SCRATCH)
        return band->ring[field] + (level * schedule->depth[field] + (y & (schedule->depth[field] - 1))) * pitch;
    return band->ring[field] + (y < band->y0 ? y - (band->y0 - walk->halo) : walk->halo + y - band->y1) * pitch;
}

/* Row y of a field, which may lie beside the band and on a torus beyond the grid. */
static float *find_row(const walk *walk, int field, int level, int y) {
    const wadi_block *block = &walk->sim->block;
    const wadi_field_kind kind = walk->sim->model->fields[field].kind;
    if (in_band(walk, y) && (kind != WADI_SCRATCH || walk->whole)) return block->field[field] + y * block->pitch;
    if (!walk->torus && (y < 0 || y >= walk->sim->def.height)) return walk->cpu->outside[field];
    if (kind == WADI_STATIC) return block->field[field] + on_grid(walk, y) * block->pitch;
    return row_beside(walk, field, level, y);
}

/* --- where most rows are: those that neither lie beside the band nor read what does --- */

size_t wadi_band_sources(const wadi_schedule *schedule) {
    size_t count = 0;
    for (int i = 0; i < schedule->levels * schedule->per_level; i++)
        count += (size_t)(schedule->elements[i].stage->reads + schedule->elements[i].stage->writes);
    return count;
}

static wadi_row_source source_of(const walk *walk, int field, int level, int radius) {
    const wadi_schedule *schedule = &walk->cpu->schedule;
    if (walk->sim->model->fields[field].kind != WADI_SCRATCH || walk->whole)
        return (wadi_row_source){walk->sim->block.field[field], -1, radius};
    const ptrdiff_t first = level * schedule->depth[field] * walk->sim->block.pitch;
    return (wadi_row_source){walk->band->ring[field] + first, schedule->depth[field] - 1, radius};
}

/* Where a stage's sources end. */
static wadi_row_source *find_sources(const walk *walk, const wadi_element *element, wadi_row_source *source) {
    const wadi_stage *stage = element->stage;
    for (int i = 0; i < stage->reads; i++)
        *source++ = source_of(walk, stage->read[i].field, element->level, stage->read[i].radius);
    for (int i = 0; i < stage->writes; i++) *source++ = source_of(walk, stage->write[i], element->level, 0);
    return source;
}

static void gather_fast(const walk *walk, const wadi_stage *stage, const wadi_row_source *source, int y,
                        row_work *work) {
    const ptrdiff_t pitch = walk->sim->block.pitch;
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

static wadi_rows rows_of(const walk *walk, const wadi_element *element, const wadi_read *read, int y) {
    float *here = find_row(walk, read->field, element->level, y);
    if (read->radius == 0) return (wadi_rows){here, here, here};
    return (wadi_rows){find_row(walk, read->field, element->level, y - 1), here,
                       find_row(walk, read->field, element->level, y + 1)};
}

static void gather(const walk *walk, const wadi_element *element, const wadi_row_source *source, int y,
                   row_work *work) {
    const wadi_stage *stage = element->stage;
    if (in_band(walk, y - 1) && in_band(walk, y + 1)) {
        gather_fast(walk, stage, source, y, work);
        return;
    }
    for (int i = 0; i < stage->reads; i++) work->in[i] = rows_of(walk, element, &stage->read[i], y);
    for (int i = 0; i < stage->writes; i++) work->out[i] = find_row(walk, stage->write[i], element->level, y);
}

static const float *map_row(const walk *walk, const float *map, int y) {
    const wadi_block *block = &walk->sim->block;
    return map + (walk->torus ? on_grid(walk, y) : y) * block->pitch; /* else the halo has it */
}

static void gather_maps(const walk *walk, const wadi_stage *stage, int y, const float *rain, const float *shower,
                        wadi_rows *in) {
    const wadi_cpu *cpu = walk->cpu;
    for (int i = 0; i < stage->maps; i++) {
        const int map = stage->map[i].field;
        const float *given = walk->sim->block.map[map], *same = cpu->uniform[map];
        in[i] = (wadi_rows){same, same, same};
        if (given != NULL && stage->map[i].radius == 0)
            in[i].here = map_row(walk, given, y);
        else if (given != NULL)
            in[i] = (wadi_rows){map_row(walk, given, y - 1), map_row(walk, given, y), map_row(walk, given, y + 1)};
        if (rain != NULL && map == cpu->rain_map) in[i].here = rain;
        if (shower != NULL && map == cpu->shower_map) in[i].here = shower;
    }
}

static bool any_map(const wadi_sim *sim, const wadi_stage *stage) {
    bool any = false;
    for (int i = 0; i < stage->maps; i++) any = any || sim->block.map[stage->map[i].field] != NULL;
    return any;
}

static bool takes_rain(const wadi_cpu *cpu, const wadi_stage *stage) {
    return stage->maps > 0 && stage->map[0].field == cpu->rain_map;
}

/* For a row where a constant differs. */
static wadi_row_kind with_maps(wadi_row_kind kind) { return kind == WADI_ROW_USUAL ? WADI_ROW_MAPS : WADI_ROW_ANY; }

/* The rows of the constants, if there is one that differs from cell to cell or the kernels are those that read them. */
static wadi_row_kind gather_constants(const walk *walk, const wadi_element *element, int y, wadi_rows *in) {
    const wadi_stage *stage = element->stage;
    wadi_band *band = walk->band;
    const float *rain = NULL, *shower = NULL;
    if (takes_rain(walk->cpu, stage) && wadi_supply_varies(walk->sim)) {
        const wadi_discs *discs = &band->discs[element->level];
        if (wadi_supply_row(walk->sim, discs, on_grid(walk, y), band->rain)) rain = band->rain;
        if (wadi_supply_showers(walk->sim, discs, on_grid(walk, y), band->shower)) shower = band->shower;
    }
    const bool differs = rain != NULL || shower != NULL || any_map(walk->sim, stage);
    const wadi_row_kind kind = differs ? with_maps(walk->cpu->kind) : walk->cpu->kind;
    if (kind >= WADI_ROW_MAPS) gather_maps(walk, stage, y, rain, shower, in);
    return kind;
}

static wadi_row_kind beside(wadi_row_kind kind) { return kind >= WADI_ROW_MAPS ? kind : kind + 1; }

/* Some sums are written by some kernels alone, see rows.h. beside: of what only those beside the outside write. */
static bool is_summed(int sum, wadi_row_kind kind, bool beside) {
    if (sum == WADI_SUM_exchanged) return !beside && kind == WADI_ROW_ANY;
    return beside == ((sum == WADI_SUM_spilled || sum == WADI_SUM_carried) && kind < WADI_ROW_MAPS);
}

/* How a row is cut: by where a neighbour may lie outside. Pieces follow each other. */
static int cut_row(const walk *walk, const wadi_stage *stage, int y, piece pieces[3]) {
    const wadi_sim *sim = walk->sim;
    const int width = sim->def.width, last = width < 2 * PIECE ? 0 : (width - 1) / PIECE * PIECE;
    const bool border =
        stage->border == WADI_BESIDE ? !walk->torus : stage->border == WADI_SPILLS && sim->def.boundary == WADI_OPEN;
    const bool all =
        sim->beside_outside[on_grid(walk, y)] || (border && (y == 0 || y == sim->def.height - 1 || last <= PIECE));
    if (all || !border) {
        pieces[0] = (piece){0, width, all};
        return 1;
    }
    pieces[0] = (piece){0, PIECE, true};
    pieces[1] = (piece){PIECE, last, false};
    pieces[2] = (piece){last, width, true};
    return 3;
}

static int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }

/* What kernels have summed in columns x0 .. x1 - 1, of the strip's own; beside: what only those beside the outside do.
 */
static void add_lanes(const walk *walk, row_work *work, int x0, int x1, bool beside) {
    const int from = clamp(x0, walk->strip.x0, walk->strip.x1), to = clamp(x1, walk->strip.x0, walk->strip.x1);
    for (int i = 0; i < work->stage->sums; i++) {
        const int sum = work->stage->sum[i];
        if (is_summed(sum, work->kind, beside))
            walk->cpu->rows->add_lanes(work->lanes[i], walk->band->sum[sum], from, to);
    }
}

/* Columns x0 .. x1 - 1, as far as there are any. */
static void run_columns(const walk *walk, row_work *work, int x0, int x1, uint8_t *changed) {
    for (int p = 0; p < work->count; p++) {
        const piece *cut = &work->pieces[p];
        const int from = clamp(x0, cut->x0, cut->x1), to = clamp(x1, cut->x0, cut->x1);
        if (from >= to) continue;
        const wadi_row_kind kind = cut->beside ? beside(work->kind) : work->kind;
        work->kernels[kind + (changed != NULL ? WADI_ROW_WATCHED : 0)](from, to, walk->sim->constants, work->in,
                                                                       work->out, changed);
        if (work->counts && cut->beside) add_lanes(walk, work, from, to, true);
    }
    if (work->counts) add_lanes(walk, work, x0, x1, false);
}

/* The active tiles, where idle ones are watched for. A stage that does not run every time asks no tile: what it does is
 * not what happened the sub-step before. */
static void run_tiles(const walk *walk, row_work *work, int y) {
    const wadi_idle *idle = &walk->cpu->idle;
    const int row = wadi_idle_row(idle, y);
    const uint8_t *active = wadi_idle_active(idle, row);
    uint8_t *changed = wadi_idle_changed(idle, walk->substep, row);
    for (int c = 0, end; c < idle->columns; c = end + 1) {
        for (end = c; end < idle->columns && (active[end] || work->stage->every > 1);) end++;
        if (end > c) run_columns(walk, work, c * WADI_TILE_COLUMNS, end * WADI_TILE_COLUMNS, changed);
    }
}

/* Into the balance, when the row's last columns are done. */
static void add_up(const walk *walk, const row_work *work, int y) {
    for (int i = 0; i < work->stage->sums; i++)
        walk->sim->sums[work->stage->sum[i]][y] += wadi_lanes_total(work->lanes[i]);
}

static bool in_strips(const walk *walk) { return !walk->strip.first || !walk->strip.last; }

/* sums: which of the row's lanes, where it is done in strips, are this element's. */
static void run_row(const walk *walk, const wadi_element *element, const wadi_row_source *source, int y, int sums) {
    const wadi_stage *stage = element->stage;
    const bool own = in_band(walk, y);
    double lanes[WADI_SUMS][WADI_LANES];
    row_work work;
    work.stage = stage;
    work.kernels = walk->cpu->rows->stages[stage - walk->sim->model->stages];
    work.counts = own && stage->sums > 0;
    work.lanes = in_strips(walk) ? walk->cpu->lanes + (size_t)y * (size_t)walk->cpu->sums + sums : lanes;
    gather(walk, element, source, y, &work);
    work.kind = gather_constants(walk, element, y, work.in + stage->reads);
    for (int i = 0; i < stage->sums; i++) work.out[stage->writes + i] = walk->band->sum[stage->sum[i]];
    work.count = cut_row(walk, stage, y, work.pieces);
    if (work.counts && walk->strip.first) memset(work.lanes, 0, (size_t)stage->sums * sizeof *work.lanes);
    if (walk->watched && own)
        run_tiles(walk, &work, y);
    else
        run_columns(walk, &work, walk->strip.c0, walk->strip.c1, NULL);
    if (work.counts && walk->strip.last) add_up(walk, &work, y);
    if (walk->torus)
        for (int i = 0; i < stage->writes; i++) wadi_block_close_row(&walk->sim->block, work.out[i]);
}

/* --- strips of columns, where a band's rows do not fit in the cache ---
 *
 * A strip does some columns more on both sides than its own, from the same old values as those whose own they are. A
 * row's state is in place, so before a strip comes to a row the margins are made what they were, and afterwards what
 * they shall be. A row of `sides` has, for each field of state: the left margin's new values; the old ones inside the
 * strip's right end, which the next strip's left margin is; and the old ones beyond it. */

static size_t sides_row_floats(const wadi_sim *sim, const wadi_cpu *cpu) {
    size_t states = 0;
    for (int f = 0; f < sim->model->field_count; f++) states += sim->model->fields[f].kind == WADI_STATE;
    return 3 * states * (size_t)cpu->margin;
}

size_t wadi_sides_floats(const wadi_sim *sim, const wadi_cpu *cpu) {
    const size_t beside = 2 * (size_t)cpu->schedule.halo[cpu->schedule.levels] * (size_t)sim->threads;
    return ((size_t)sim->def.height + beside) * sides_row_floats(sim, cpu);
}

static void move(float *to, const float *from, int count) { memcpy(to, from, (size_t)count * sizeof *to); }

static void enter_field(const walk *walk, float *row, float *side) {
    const int margin = walk->cpu->margin;
    if (!walk->strip.first) {
        float *left = row + walk->strip.c0;
        move(side, left, margin);
        move(left, side + margin, margin);
    }
    if (!walk->strip.last) {
        move(side + margin, row + walk->strip.x1 - margin, margin);
        move(side + 2 * margin, row + walk->strip.x1, margin);
    }
}

static void leave_field(const walk *walk, float *row, const float *side) {
    const int margin = walk->cpu->margin;
    if (!walk->strip.first) move(row + walk->strip.c0, side, margin);
    if (!walk->strip.last) move(row + walk->strip.x1, side + 2 * margin, margin);
}

static void pass_side(const walk *walk, int y, bool enters) {
    const wadi_sim *sim = walk->sim;
    const int beside = walk->cpu->schedule.halo[walk->cpu->schedule.levels];
    const size_t row_floats = sides_row_floats(sim, walk->cpu);
    float *side = walk->cpu->sides + (size_t)(y + beside * (2 * walk->band->me + 1)) * row_floats;
    for (int f = 0; f < sim->model->field_count; f++) {
        if (sim->model->fields[f].kind != WADI_STATE) continue;
        float *row = find_row(walk, f, 0, y);
        if (enters)
            enter_field(walk, row, side);
        else
            leave_field(walk, row, side);
        side += 3 * walk->cpu->margin;
    }
}

static wadi_strip strip_at(const wadi_sim *sim, const wadi_cpu *cpu, int index) {
    const int vectors = (sim->def.width + 15) / 16;
    wadi_strip strip = {.first = index == 0, .last = index == cpu->strips - 1};
    strip.x0 = (int)((int64_t)vectors * index / cpu->strips) * 16;
    strip.x1 = strip.last ? sim->def.width : (int)((int64_t)vectors * (index + 1) / cpu->strips) * 16;
    strip.c0 = strip.first ? 0 : strip.x0 - cpu->margin;
    strip.c1 = strip.last ? sim->def.width : strip.x1 + cpu->margin;
    return strip;
}

/* --- the walk --- */

static int first_row(const walk *walk, int beside) {
    const int y = walk->band->y0 - beside;
    return walk->torus || y > 0 ? y : 0;
}
static int end_row(const walk *walk, int beside) {
    const int y = walk->band->y1 + beside;
    return walk->torus || y < walk->sim->def.height ? y : walk->sim->def.height;
}

/* Row t of the walk: each element in turn, a row each. */
static void run_elements(walk *walk, int t) {
    const wadi_element *elements = walk->cpu->schedule.elements;
    const wadi_row_source *source = walk->band->sources;
    int sums = 0;
    for (int i = walk->begin; i < walk->end; i++) {
        const wadi_element *element = &elements[i];
        const wadi_stage *stage = element->stage;
        const int y = t - (element->lag - elements[walk->begin].lag);
        walk->substep = walk->first + element->level;
        if (wadi_stage_due(walk->sim, stage, walk->substep) && y >= first_row(walk, element->reach) &&
            y < end_row(walk, element->reach))
            run_row(walk, element, source, y, sums);
        source += stage->reads + stage->writes;
        sums += stage->sums;
    }
}

static void check_row(const walk *walk, int y) {
    const wadi_sim *sim = walk->sim;
    for (int f = 0; f < sim->model->field_count; f++)
        if (sim->model->fields[f].kind == WADI_STATE &&
            !walk->cpu->rows->finite(wadi_block_row(&sim->block, sim->block.field[f], y), walk->strip.x0,
                                     walk->strip.x1))
            walk->band->finite = false;
}

static void run_strip(walk *walk) {
    const wadi_element *elements = walk->cpu->schedule.elements;
    const int lag = elements[walk->end - 1].lag - elements[walk->begin].lag;
    const int from = first_row(walk, walk->halo), to = end_row(walk, walk->halo);
    const bool sides = in_strips(walk);
    if (sides) pass_side(walk, from, true);
    for (int t = from; t < to + lag + 1; t++) {
        const int left = t - lag - 1;                          /* row that no element comes back to */
        if (sides && t + 1 < to) pass_side(walk, t + 1, true); /* a radius ahead */
        run_elements(walk, t);
        if (walk->checked && in_band(walk, left)) check_row(walk, left);
        if (sides && left >= from) pass_side(walk, left, false);
    }
}

static walk walk_of(wadi_sim *sim, wadi_band *band, int halo) {
    return (walk){.sim = sim,
                  .cpu = sim->engine_state,
                  .band = band,
                  .strip = {0, 0, sim->def.width, sim->def.width, true, true},
                  .torus = sim->def.boundary == WADI_WRAP,
                  .halo = halo};
}

static int halo_of(const wadi_sim *sim, int levels) {
    return ((const wadi_cpu *)sim->engine_state)->schedule.halo[levels];
}

void wadi_march(wadi_sim *sim, wadi_band *band, int levels, int64_t ahead, bool watched, bool checked) {
    walk walk = walk_of(sim, band, halo_of(sim, levels));
    const wadi_schedule *schedule = &walk.cpu->schedule;
    walk.whole = walk.watched = watched;
    walk.checked = checked;
    walk.begin = (schedule->levels - levels) * schedule->per_level;
    walk.end = schedule->levels * schedule->per_level;
    walk.first = sim->substeps_done + ahead - (schedule->levels - levels);
    wadi_row_source *source = band->sources;
    for (int i = walk.begin; i < walk.end; i++) source = find_sources(&walk, &schedule->elements[i], source);
    const int strips = watched ? 1 : walk.cpu->strips; /* tiles' scratch must be right in all columns */
    for (int i = 0; i < strips; i++) {
        if (strips > 1) walk.strip = strip_at(sim, walk.cpu, i);
        run_strip(&walk);
    }
}

static void copy_rows(const walk *walk, int from, int to) {
    const wadi_sim *sim = walk->sim;
    const size_t bytes = (size_t)(sim->def.width + 2) * sizeof(float);
    for (int y = from; y < to; y++)
        for (int f = 0; f < sim->model->field_count; f++)
            if (sim->model->fields[f].kind == WADI_STATE)
                memcpy(row_beside(walk, f, 0, y) - 1,
                       wadi_block_row(&sim->block, sim->block.field[f], on_grid(walk, y)) - 1, bytes);
}

static void copy_beside(const walk *walk) {
    copy_rows(walk, first_row(walk, walk->halo), walk->band->y0);
    copy_rows(walk, walk->band->y1, end_row(walk, walk->halo));
}

void wadi_march_copy(wadi_sim *sim, wadi_band *band, int levels) {
    const walk walk = walk_of(sim, band, halo_of(sim, levels));
    copy_beside(&walk);
}

void wadi_march_once(wadi_sim *sim, wadi_band *band, const wadi_stage *stage) {
    walk walk = walk_of(sim, band, stage->radius);
    const wadi_element element = {stage, 0, 0, 0};
    walk.whole = true;
    wadi_row_source source[WADI_MAX_READS + WADI_MAX_FIELDS];
    find_sources(&walk, &element, source);
    copy_beside(&walk);
    for (int y = band->y0; y < band->y1; y++) run_row(&walk, &element, source, y, 0);
}
