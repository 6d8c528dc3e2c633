/* cpu.c: the CPU engine: each stage over the rows of the block, on all threads, in the widest vectors there are.
 *
 * A row is done in three pieces: its two ends, where a neighbour may lie outside, by kernels that ask; the rest, and on
 * a torus all of it, by kernels that need not. Rows at the top and bottom and near cells without data ask everywhere.
 * The kernels give the same bits wherever both apply. */
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sim.h"
#include "engine/idle.h"
#include "engine/rows.h"
#include "platform/platform.h"

#define PIECE 16 /* columns of a row's end: one vector, so that the rest starts aligned */

/* A thread's own: which rows it does, how many stages it has done, and rows to write to. */
typedef struct scratch {
    int y0, y1;         /* of cells */
    int tiles0, tiles1; /* of tiles */
    int64_t cells_idle;
    int awake;    /* sub-steps for which no tile is asked */
    bool watched; /* in the last sub-step it was seen what changed */
    wadi_discs *discs;
    float *memory;
    float *rain, *shower;           /* rain_dt with sources and drops; points of showers */
    float *sum[WADI_SUMS];          /* what a stage sums, cell by cell */
    _Alignas(64) atomic_llong done; /* apart from what others read */
} scratch;

typedef struct state {
    const wadi_row_table *rows;
    float *uniform[WADI_MAX_MAPS]; /* a row of each constant, for kernels that take rows */
    float *uniform_memory;
    float uniform_value[WADI_MAX_MAPS];
    scratch *threads;
    int rain_map, shower_map;
    wadi_idle idle;
} state;

static size_t row_floats(const wadi_sim *sim) { return ((size_t)sim->def.width + 15) / 16 * 16 + 2 * WADI_PAD; }

/* --- one row --- */

static wadi_rows rows_of(const wadi_block *block, const float *field, int y, int radius) {
    const float *here = field + y * block->pitch;
    return (wadi_rows){radius > 0 ? here - block->pitch : here, here, radius > 0 ? here + block->pitch : here};
}

static bool takes_rain(const state *own, const wadi_stage *stage) {
    return stage->maps > 0 && stage->map[0].field == own->rain_map;
}

/* Fills the kernel's inputs; true if one of the stage's maps differs from cell to cell in this row. */
static bool gather_inputs(const wadi_sim *sim, const wadi_stage *stage, int y, const float *rain, const float *shower,
                          wadi_rows *in) {
    const state *own = sim->engine_state;
    bool differs = false;
    for (int i = 0; i < stage->reads; i++)
        in[i] = rows_of(&sim->block, sim->block.field[stage->read[i].field], y, stage->read[i].radius);
    for (int i = 0; i < stage->maps; i++) {
        const int map = stage->map[i].field;
        const float *given = sim->block.map[map], *same = own->uniform[map];
        wadi_rows *rows = &in[stage->reads + i];
        *rows = given != NULL ? rows_of(&sim->block, given, y, stage->map[i].radius) : (wadi_rows){same, same, same};
        if (rain != NULL && map == own->rain_map) *rows = (wadi_rows){rain, rain, rain};
        if (shower != NULL && map == own->shower_map) *rows = (wadi_rows){shower, shower, shower};
        differs |= given != NULL || rain != NULL || shower != NULL;
    }
    return differs;
}

static void gather_outputs(const wadi_sim *sim, const wadi_stage *stage, int y, const scratch *own, float **out) {
    for (int i = 0; i < stage->writes; i++) out[i] = wadi_block_row(&sim->block, sim->block.field[stage->write[i]], y);
    for (int i = 0; i < stage->sums; i++) out[stage->writes + i] = own->sum[stage->sum[i]];
}

/* USUAL or LEAN where every switch stands so, else ANY. */
static wadi_row_kind kind_of(const wadi_sim *sim) {
    bool usual = true, lean = true;
    for (int i = 0; i < sim->model->switch_count; i++) {
        const wadi_switch *choice = &sim->model->switches[i];
        const int value = *(const int *)((const char *)sim->constants + choice->offset);
        usual = usual && value == choice->usual;
        lean = lean && value == choice->lean;
    }
    return usual ? WADI_ROW_USUAL : lean ? WADI_ROW_LEAN : WADI_ROW_ANY;
}

static wadi_row_kind beside(wadi_row_kind kind) { return kind >= WADI_ROW_MAPS ? kind : kind + 1; }

/* For a row where a constant differs. */
static wadi_row_kind with_maps(wadi_row_kind kind) { return kind == WADI_ROW_USUAL ? WADI_ROW_MAPS : WADI_ROW_ANY; }

static bool only_beside(int sum) { return sum == WADI_SUM_spilled || sum == WADI_SUM_carried; }

typedef struct piece {
    int x0, x1;
    bool beside;
} piece;

/* How a row is cut: by where a neighbour may lie outside. Pieces follow each other. */
static int cut_row(const wadi_sim *sim, const wadi_stage *stage, int y, piece pieces[3]) {
    const int width = sim->def.width, last = width < 2 * PIECE ? 0 : (width - 1) / PIECE * PIECE;
    const bool border = sim->def.boundary != WADI_WRAP && stage->radius > 0;
    const bool all = sim->beside_outside[y] || (border && (y == 0 || y == sim->def.height - 1 || last <= PIECE));
    if (all || !border) {
        pieces[0] = (piece){0, width, all};
        return 1;
    }
    pieces[0] = (piece){0, PIECE, true};
    pieces[1] = (piece){PIECE, last, false};
    pieces[2] = (piece){last, width, true};
    return 3;
}

/* What a stage is being done to: a row, cut into pieces. */
typedef struct row_work {
    const wadi_stage *stage;
    wadi_row_fn *const *kernels;
    wadi_row_kind kind;
    wadi_rows in[WADI_MAX_READS + WADI_MAX_MAPS];
    float *out[WADI_MAX_FIELDS + WADI_SUMS];
    piece pieces[3];
    int count;
    double lanes[WADI_SUMS][8];
} row_work;

static bool is_written(int sum, wadi_row_kind kind, bool beside) {
    return sum == WADI_SUM_exchanged ? kind == WADI_ROW_ANY : !only_beside(sum) || beside || kind >= WADI_ROW_MAPS;
}

static void add_lanes(const state *engine, const scratch *own, row_work *work, int x0, int x1, bool beside) {
    const wadi_stage *stage = work->stage;
    const float *rows[WADI_SUMS];
    double lanes[WADI_SUMS][8];
    int which[WADI_SUMS], count = 0;
    for (int i = 0; i < stage->sums; i++)
        if (is_written(stage->sum[i], work->kind, beside)) which[count] = i, rows[count++] = own->sum[stage->sum[i]];
    for (int i = 0; i < count; i++) memcpy(lanes[i], work->lanes[which[i]], sizeof lanes[i]);
    engine->rows->add_lanes(lanes, rows, count, x0, x1);
    for (int i = 0; i < count; i++) memcpy(work->lanes[which[i]], lanes[i], sizeof lanes[i]);
}

/* Columns x0 .. x1 - 1, as far as there are any. */
static void run_columns(const wadi_sim *sim, const scratch *own, row_work *work, int x0, int x1, uint8_t *changed) {
    for (int p = 0; p < work->count; p++) {
        const piece *cut = &work->pieces[p];
        const int from = x0 > cut->x0 ? x0 : cut->x0, to = x1 < cut->x1 ? x1 : cut->x1;
        if (from >= to) continue;
        const wadi_row_kind kind = cut->beside ? beside(work->kind) : work->kind;
        work->kernels[kind + (changed != NULL ? WADI_ROW_WATCHED : 0)](from, to, sim->constants, work->in, work->out,
                                                                       changed);
        if (work->stage->sums > 0) add_lanes(sim->engine_state, own, work, from, to, cut->beside);
    }
}

/* The active tiles, where idle ones are watched for. A stage that does not run every time asks no tile: what it does is
 * not what happened the sub-step before. */
static void run_tiles(const wadi_sim *sim, const scratch *own, row_work *work, int y, int64_t substep) {
    const state *engine = sim->engine_state;
    const wadi_idle *idle = &engine->idle;
    const int row = wadi_idle_row(idle, y);
    const uint8_t *active = wadi_idle_active(idle, row);
    uint8_t *changed = wadi_idle_changed(idle, substep, row);
    for (int c = 0, end; c < idle->columns; c = end + 1) {
        for (end = c; end < idle->columns && (active[end] || work->stage->every > 1);) end++;
        if (end > c) run_columns(sim, own, work, c * WADI_TILE_COLUMNS, end * WADI_TILE_COLUMNS, changed);
    }
}

static void run_row(wadi_sim *sim, const wadi_stage *stage, wadi_row_kind kind, int y, const scratch *own,
                    int64_t substep) {
    const state *engine = sim->engine_state;
    row_work work;
    work.stage = stage;
    work.kernels = engine->rows->stages[stage - sim->model->stages];
    const bool wet = takes_rain(engine, stage);
    const float *rain = wet && wadi_supply_row(sim, own->discs, y, own->rain) ? own->rain : NULL;
    const float *shower = wet && wadi_supply_showers(sim, own->discs, y, own->shower) ? own->shower : NULL;
    work.kind = gather_inputs(sim, stage, y, rain, shower, work.in) ? with_maps(kind) : kind;
    gather_outputs(sim, stage, y, own, work.out);
    work.count = cut_row(sim, stage, y, work.pieces);
    memset(work.lanes, 0, (size_t)stage->sums * sizeof work.lanes[0]);
    if (substep >= 0)
        run_tiles(sim, own, &work, y, substep);
    else
        run_columns(sim, own, &work, 0, sim->def.width, NULL);
    for (int i = 0; i < stage->sums; i++) {
        const double *lane = work.lanes[i];
        sim->sums[stage->sum[i]][y] +=
            ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
    }
    if (sim->def.boundary == WADI_WRAP)
        for (int i = 0; i < stage->writes; i++) wadi_block_wrap_row(&sim->block, sim->block.field[stage->write[i]], y);
}

/* --- all rows: each thread has a band of them, and waits only for the bands beside its own --- */

#define SPINS 2000 /* then the processor is given up to whoever else wants it */

static void wait_for(const scratch *other, long long stages) {
    for (int spins = 0; atomic_load_explicit(&other->done, memory_order_acquire) < stages; spins++)
        if (spins >= SPINS) platform_yield();
}

/* A stage reads what the one before wrote in this band and in the next ones to it; those must have done with it. */
static void wait_for_neighbours(const state *engine) {
    const int team = omp_get_num_threads(), me = omp_get_thread_num();
    const long long done = atomic_load_explicit(&engine->threads[me].done, memory_order_relaxed);
    wait_for(&engine->threads[(me + team - 1) % team], done);
    wait_for(&engine->threads[(me + 1) % team], done);
}

static void run_stage(wadi_sim *sim, const wadi_stage *stage, wadi_row_kind kind, scratch *own, int64_t substep) {
    wait_for_neighbours(sim->engine_state);
    for (int y = own->y0; y < own->y1; y++) run_row(sim, stage, kind, y, own, substep);
    atomic_store_explicit(&own->done, atomic_load_explicit(&own->done, memory_order_relaxed) + 1, memory_order_release);
}

/* At the start of a team: its bands, of whole tiles. The system may give fewer threads than were asked for. */
static scratch *take_band(const wadi_sim *sim) {
    const state *engine = sim->engine_state;
    const int team = omp_get_num_threads(), me = omp_get_thread_num();
    scratch *own = &engine->threads[me];
    own->tiles0 = (int)((int64_t)engine->idle.rows * me / team);
    own->tiles1 = (int)((int64_t)engine->idle.rows * (me + 1) / team);
    own->y0 = wadi_idle_first(&engine->idle, sim, own->tiles0);
    own->y1 = wadi_idle_first(&engine->idle, sim, own->tiles1);
    own->discs = &sim->supply.discs[me];
    own->discs->count = 0;
    own->discs->showers = 0;
    own->cells_idle = 0;
    atomic_store_explicit(&own->done, 0, memory_order_relaxed);
    return own;
}

/* The rows that kernels for differing constants read where a constant does not differ. */
static void fill_uniform(wadi_sim *sim) {
    state *own = sim->engine_state;
    for (int m = 0; m < sim->model->map_count; m++) {
        const float value = wadi_constant(sim, m);
        if (own->uniform_value[m] == value) continue;
        for (int x = -1; x <= sim->def.width; x++) own->uniform[m][x] = value;
        own->uniform_value[m] = value;
    }
}

#define AWAKE 7 /* sub-steps before one looks again where no tile was idle: looking costs some per cent */

/* Which of the thread's tiles are idle; false: none. */
static bool look_for_idle(wadi_sim *sim, scratch *own, int64_t substep) {
    wadi_idle *idle = &((state *)sim->engine_state)->idle;
    wait_for_neighbours(sim->engine_state);
    if (own->awake > 0) {
        own->awake--;
        own->watched = false;
        wadi_idle_all_changed(idle, substep, own->tiles0, own->tiles1);
        return false;
    }
    const int64_t cells = wadi_idle_begin(idle, sim, own->discs, substep, own->tiles0, own->tiles1);
    own->cells_idle += cells;
    if (cells == 0 && own->watched) own->awake = AWAKE;
    own->watched = true;
    return true;
}

/* One thread's part of a sub-step; `watched`: idle tiles are looked for and left out. */
static void run_substep(wadi_sim *sim, wadi_row_kind kind, scratch *own, int64_t ahead, bool watched) {
    const int64_t substep = sim->substeps_done + ahead;
    if (wadi_supply_varies(sim)) wadi_supply_begin(sim, ahead, own->discs);
    if (watched) watched = look_for_idle(sim, own, substep);
    for (int s = 0; s < sim->model->stage_count; s++)
        if (wadi_stage_due(sim, &sim->model->stages[s], substep))
            run_stage(sim, &sim->model->stages[s], kind, own, watched ? substep : -1);
}

static void advance(wadi_sim *sim, int64_t substeps) {
    state *engine = sim->engine_state;
    const wadi_row_kind kind = kind_of(sim);
    const bool watched = wadi_idle_possible(&engine->idle, sim);
    fill_uniform(sim);
#pragma omp parallel num_threads(sim->threads)
    {
        const unsigned mode = platform_float_mode_strict();
        scratch *own = take_band(sim);
#pragma omp single
        wadi_idle_ready(&engine->idle, sim, omp_get_num_threads(), watched);
        for (int64_t i = 0; i < substeps; i++) run_substep(sim, kind, own, i, watched);
#pragma omp atomic
        sim->cells_idle += (double)own->cells_idle;
        platform_float_mode_restore(mode);
    }
}

static void once(wadi_sim *sim, const wadi_stage *stage) {
    const wadi_row_kind kind = kind_of(sim);
    fill_uniform(sim);
#pragma omp parallel num_threads(sim->threads)
    {
        const unsigned mode = platform_float_mode_strict();
        scratch *own = take_band(sim);
#pragma omp barrier
        run_stage(sim, stage, kind, own, -1);
        platform_float_mode_restore(mode);
    }
}

/* --- opening and closing --- */

static bool open_scratch(const wadi_sim *sim, scratch *own) {
    const size_t row = row_floats(sim);
    own->memory = platform_pages((WADI_SUMS + 2) * row * sizeof(float));
    if (own->memory == NULL) return false;
    own->rain = own->memory + WADI_PAD;
    own->shower = own->rain + row;
    for (size_t i = 0; i < WADI_SUMS; i++) own->sum[i] = own->memory + (i + 2) * row + WADI_PAD;
    return true;
}

static void close_cpu(wadi_sim *sim) {
    state *own = sim->engine_state;
    const size_t row = row_floats(sim) * sizeof(float);
    for (int t = 0; own->threads != NULL && t < sim->threads; t++)
        if (own->threads[t].memory != NULL) platform_pages_free(own->threads[t].memory, (WADI_SUMS + 2) * row);
    if (own->uniform_memory != NULL) platform_pages_free(own->uniform_memory, WADI_MAX_MAPS * row);
    if (own->threads != NULL) platform_pages_free(own->threads, (size_t)sim->threads * sizeof *own->threads);
    wadi_idle_close(&own->idle);
    free(own);
    sim->engine_state = NULL;
}

static void name_device(wadi_sim *sim, const char *isa) {
    char cpu[96];
    platform_cpu_name(cpu, sizeof cpu);
    snprintf(sim->device, sizeof sim->device, "%s, %s", cpu, isa);
}

static wadi_status open_cpu(wadi_sim *sim) {
    const wadi_row_table *rows = wadi_row_table_find(sim->model->id, sim->def.isa);
    if (rows == NULL)
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "no kernels for '%s' on this CPU: leave the choice to wadi",
                         sim->def.isa);
    state *own = calloc(1, sizeof *own);
    if (own == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the CPU engine");
    sim->engine_state = own;
    own->rows = rows;
    own->rain_map = wadi_model_map(sim->model, "rain_dt");
    own->shower_map = wadi_model_map(sim->model, "shower");
    bool all = wadi_idle_open(&own->idle, sim);
    if (sim->threads > own->idle.rows) sim->threads = own->idle.rows; /* a band has a row of tiles at least */
    own->threads = platform_pages((size_t)sim->threads * sizeof *own->threads);
    own->uniform_memory = platform_pages(WADI_MAX_MAPS * row_floats(sim) * sizeof(float));
    all = all && own->threads != NULL && own->uniform_memory != NULL;
    for (int t = 0; all && t < sim->threads; t++) all = open_scratch(sim, &own->threads[t]);
    if (!all) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the CPU engine");
    for (size_t m = 0; m < WADI_MAX_MAPS; m++) own->uniform[m] = own->uniform_memory + m * row_floats(sim) + WADI_PAD;
    name_device(sim, rows->isa);
    return WADI_OK;
}

const wadi_engine_calls wadi_engine_cpu = {"cpu", open_cpu, close_cpu, advance, once};
