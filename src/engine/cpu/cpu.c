/* cpu.c: the CPU engine: a band of rows a thread, all stages of one or more sub-steps in one walk down it, in the
 * widest vectors there are. */
#include <stdio.h>
#include <stdlib.h>

#include "core/sim.h"
#include "engine/cpu/sweep.h"
#include "platform/openmp.h"
#include "platform/platform.h"

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

/* --- the team: each thread waits only for those whose bands are beside its own --- */

#define SPINS 2000 /* then the processor is given up to whoever else wants it */

static void wait_for(const atomic_llong *other, long long walks) {
    for (int spins = 0; atomic_load_explicit(other, memory_order_acquire) < walks; spins++)
        if (spins >= SPINS) platform_yield();
}

static long long count_of(const atomic_llong *own) { return atomic_load_explicit(own, memory_order_relaxed); }

static void count_up(atomic_llong *own) { atomic_store_explicit(own, count_of(own) + 1, memory_order_release); }

static const wadi_band *band_beside(const wadi_cpu *cpu, const wadi_band *band, int way) {
    const int team = omp_get_num_threads();
    return &cpu->bands[(band->me + team + way) % team];
}

/* What they have done is what is read now. */
static void wait_till_ended(const wadi_cpu *cpu, const wadi_band *band) {
    wait_for(&band_beside(cpu, band, -1)->ended, count_of(&band->ended));
    wait_for(&band_beside(cpu, band, 1)->ended, count_of(&band->ended));
}

/* They have read what is overwritten now. */
static void wait_till_copied(const wadi_cpu *cpu, const wadi_band *band) {
    wait_for(&band_beside(cpu, band, -1)->copied, count_of(&band->copied));
    wait_for(&band_beside(cpu, band, 1)->copied, count_of(&band->copied));
}

/* At the start of a team: its bands, of whole tiles. The system may give fewer threads than were asked for. */
static wadi_band *take_band(const wadi_sim *sim) {
    const wadi_cpu *cpu = sim->engine_state;
    const int team = omp_get_num_threads();
    wadi_band *band = &cpu->bands[omp_get_thread_num()];
    band->me = omp_get_thread_num();
    band->tiles0 = (int)((int64_t)cpu->idle.rows * band->me / team);
    band->tiles1 = (int)((int64_t)cpu->idle.rows * (band->me + 1) / team);
    band->y0 = wadi_idle_first(&cpu->idle, sim, band->tiles0);
    band->y1 = wadi_idle_first(&cpu->idle, sim, band->tiles1);
    band->discs = &sim->supply.discs[band->me * sim->levels];
    band->cells_idle = 0;
    band->finite = true;
    for (int i = 0; i < sim->levels; i++) band->discs[i].count = 0, band->discs[i].showers = 0;
    atomic_store_explicit(&band->copied, 0, memory_order_relaxed);
    atomic_store_explicit(&band->ended, 0, memory_order_relaxed);
    return band;
}

/* The rows that kernels for differing constants read where a constant does not differ. */
static void fill_uniform(wadi_sim *sim) {
    wadi_cpu *cpu = sim->engine_state;
    for (int m = 0; m < sim->model->map_count; m++) {
        const float value = wadi_constant(sim, m);
        if (cpu->uniform_value[m] == value) continue;
        for (int x = -1; x <= sim->def.width; x++) cpu->uniform[m][x] = value;
        cpu->uniform_value[m] = value;
    }
}

#define AWAKE 7 /* sub-steps before one looks again where no tile was idle: looking costs some per cent */

/* Which of the thread's tiles are idle; false: none. */
static bool look_for_idle(wadi_sim *sim, wadi_band *band, int64_t substep) {
    wadi_idle *idle = &((wadi_cpu *)sim->engine_state)->idle;
    if (band->awake > 0) {
        band->awake--;
        band->watched = false;
        wadi_idle_all_changed(idle, substep, band->tiles0, band->tiles1);
        return false;
    }
    const int64_t cells =
        wadi_idle_begin(idle, sim, &band->discs[sim->levels - 1], substep, band->tiles0, band->tiles1);
    band->cells_idle += cells;
    if (cells == 0 && band->watched) band->awake = AWAKE;
    band->watched = true;
    return true;
}

/* One thread's part of some sub-steps; `watched`: idle tiles are looked for and left out; `last`: the state is checked.
 */
static void walk(wadi_sim *sim, wadi_band *band, int levels, int64_t ahead, bool watched, bool last) {
    wadi_cpu *cpu = sim->engine_state;
    if (wadi_supply_varies(sim))
        for (int i = 0; i < levels; i++) wadi_supply_begin(sim, ahead + i, &band->discs[sim->levels - levels + i]);
    wait_till_ended(cpu, band);
    if (watched) watched = look_for_idle(sim, band, sim->substeps_done + ahead);
    wadi_march_copy(sim, band, levels);
    count_up(&band->copied);
    wait_till_copied(cpu, band);
    wadi_march(sim, band, levels, ahead, watched, last);
    count_up(&band->ended);
}

static bool advance(wadi_sim *sim, int64_t substeps) {
    wadi_cpu *cpu = sim->engine_state;
    const bool watched = wadi_idle_possible(&cpu->idle, sim) && wadi_sim_allocate_scratch(sim) == WADI_OK;
    const int most = watched ? 1 : sim->levels;
    cpu->kind = kind_of(sim);
    fill_uniform(sim);
    bool finite = true;
#pragma omp parallel num_threads(sim->threads) reduction(&& : finite)
    {
        const unsigned mode = platform_float_mode_strict();
        wadi_band *band = take_band(sim);
#pragma omp single
        wadi_idle_ready(&cpu->idle, sim, omp_get_num_threads(), watched);
        for (int64_t done = 0; done < substeps; done += most)
            walk(sim, band, substeps - done < most ? (int)(substeps - done) : most, done, watched,
                 substeps - done <= most);
        finite = finite && band->finite;
#pragma omp atomic
        sim->cells_idle += (double)band->cells_idle;
        platform_float_mode_restore(mode);
    }
    return finite;
}

static wadi_status once(wadi_sim *sim, const wadi_stage *stage) {
    wadi_cpu *cpu = sim->engine_state;
    cpu->kind = kind_of(sim);
    fill_uniform(sim);
#pragma omp parallel num_threads(sim->threads)
    {
        const unsigned mode = platform_float_mode_strict();
        wadi_march_once(sim, take_band(sim), stage);
        platform_float_mode_restore(mode);
    }
    return WADI_OK;
}

/* --- the plan: what can be settled before a run --- */

static size_t outside_floats(const wadi_sim *sim) { return WADI_MAX_FIELDS * (size_t)sim->block.pitch; }

static size_t bytes_of_bands(const wadi_sim *sim) { return (size_t)sim->threads * sizeof(wadi_band); }

static size_t band_bytes(const wadi_sim *sim, const wadi_cpu *cpu) {
    return wadi_band_rows(sim, &cpu->schedule) * (size_t)sim->block.pitch * sizeof(float);
}

static void close_plan(const wadi_sim *sim, wadi_cpu *cpu) {
    for (int t = 0; t < sim->threads && cpu->bands != NULL; t++) {
        if (cpu->bands[t].memory != NULL) platform_pages_free(cpu->bands[t].memory, band_bytes(sim, cpu));
        free(cpu->bands[t].sources);
    }
    if (cpu->bands != NULL) platform_pages_free(cpu->bands, bytes_of_bands(sim));
    if (cpu->sides != NULL) platform_pages_free(cpu->sides, wadi_sides_floats(sim, cpu) * sizeof(float));
    free(cpu->lanes);
    wadi_schedule_free(&cpu->schedule);
    cpu->bands = NULL;
    cpu->sides = NULL;
    cpu->lanes = NULL;
}

static int rows_of_least_band(const wadi_sim *sim, const wadi_cpu *cpu) {
    return cpu->idle.rows / sim->threads * cpu->idle.tile_rows;
}

/* Columns of which all rows that are in use at once stay in a part of a core's own cache. */
static int columns_in_cache(const wadi_sim *sim, const wadi_schedule *schedule, double share) {
    const double bytes = sizeof(float) * (double)wadi_schedule_rows(schedule, sim->model);
    return (int)(share * (double)platform_cache_bytes(2) / bytes);
}

/* A band must have the rows that its neighbours copy. */
static bool bands_suffice(const wadi_sim *sim, const wadi_cpu *cpu) {
    return sim->threads == 1 || cpu->schedule.halo[cpu->schedule.levels] <= rows_of_least_band(sim, cpu);
}

/* As many sub-steps as asked for; or up to four, as long as whole rows stay in six tenths of the cache: measured, like
 * all such shares. */
static bool make_schedule(wadi_sim *sim, wadi_cpu *cpu) {
    const int asked = sim->def.steps_per_pass;
    for (int levels = asked > 0 ? asked : 4; levels > 0; levels--) {
        if (!wadi_schedule_make(&cpu->schedule, sim, levels, true)) return false;
        const bool fits = asked > 0 || columns_in_cache(sim, &cpu->schedule, 0.6) >= sim->def.width;
        sim->levels = levels;
        if (levels == 1 || (fits && bands_suffice(sim, cpu))) return true;
        wadi_schedule_free(&cpu->schedule);
    }
    return false;
}

/* As many as asked for; or one, until rows are a good deal more than the cache, and then as many as it takes for most
 * of the cache; but none narrower than the margins of what is beside it. */
static void choose_strips(const wadi_sim *sim, wadi_cpu *cpu) {
    const int width = sim->def.width, in_cache = columns_in_cache(sim, &cpu->schedule, 0.75);
    cpu->margin = (cpu->schedule.halo[cpu->schedule.levels] + 15) / 16 * 16;
    cpu->strips = 1;
    if (sim->def.strip > 0)
        cpu->strips = width / sim->def.strip;
    else if (columns_in_cache(sim, &cpu->schedule, 1.25) < width)
        cpu->strips = width / (in_cache > 0 ? in_cache : 1) + 1;
    const int most = width / (cpu->margin > 16 ? cpu->margin : 16) - 1; /* their width is rounded to vectors */
    if (cpu->strips > most) cpu->strips = most;
    if (cpu->strips < 1 || sim->def.boundary == WADI_WRAP) cpu->strips = 1;
    cpu->sums = 0;
    for (int i = 0; i < cpu->schedule.levels * cpu->schedule.per_level; i++)
        cpu->sums += cpu->schedule.elements[i].stage->sums;
}

static bool allocate_bands(const wadi_sim *sim, wadi_cpu *cpu) {
    cpu->bands = platform_pages(bytes_of_bands(sim));
    bool all = cpu->bands != NULL;
    for (int t = 0; all && t < sim->threads; t++) {
        wadi_band *band = &cpu->bands[t];
        band->memory = platform_pages(band_bytes(sim, cpu));
        band->sources = malloc((wadi_band_sources(&cpu->schedule) + 1) * sizeof *band->sources);
        all = band->memory != NULL && band->sources != NULL;
    }
    return all;
}

static bool fill_plan(wadi_sim *sim, wadi_cpu *cpu) {
    if (!make_schedule(sim, cpu)) return false;
    choose_strips(sim, cpu);
    bool all = allocate_bands(sim, cpu);
    if (all && cpu->strips > 1) {
        cpu->sides = platform_pages(wadi_sides_floats(sim, cpu) * sizeof(float));
        cpu->lanes = calloc((size_t)sim->def.height * (size_t)cpu->sums + 1, sizeof *cpu->lanes);
        all = cpu->sides != NULL && cpu->lanes != NULL;
    }
    for (int t = 0; all && t < sim->threads; t++) wadi_band_lay_out(sim, cpu, &cpu->bands[t]);
    cpu->planned = sim->processes;
    return all;
}

/* The new plan is made beside the old one, which stays where anything fails. */
static wadi_status make_plan(wadi_sim *sim) {
    wadi_cpu *cpu = sim->engine_state, before = *cpu;
    const int levels = sim->levels;
    cpu->bands = NULL;
    cpu->sides = NULL;
    cpu->lanes = NULL;
    cpu->schedule = (wadi_schedule){0};
    wadi_status status = fill_plan(sim, cpu) ? wadi_supply_reserve_now(sim)
                                             : wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the CPU engine");
    if (status == WADI_OK) {
        close_plan(sim, &before);
    } else {
        close_plan(sim, cpu);
        *cpu = before;
        sim->levels = levels;
    }
    return status;
}

static wadi_status plan(wadi_sim *sim) {
    const wadi_cpu *cpu = sim->engine_state;
    return cpu->planned == sim->processes ? WADI_OK : make_plan(sim);
}

/* --- opening and closing --- */

static void close_cpu(wadi_sim *sim) {
    wadi_cpu *cpu = sim->engine_state;
    close_plan(sim, cpu);
    if (cpu->uniform_memory != NULL)
        platform_pages_free(cpu->uniform_memory, WADI_MAX_MAPS * (size_t)sim->block.pitch * sizeof(float));
    if (cpu->outside_memory != NULL) platform_pages_free(cpu->outside_memory, outside_floats(sim) * sizeof(float));
    wadi_idle_close(&cpu->idle);
    free(cpu);
    sim->engine_state = NULL;
}

static void name_device(wadi_sim *sim, const char *isa) {
    char cpu[96];
    platform_cpu_name(cpu, sizeof cpu);
    snprintf(sim->device, sizeof sim->device, "%s, %s", cpu, isa);
}

/* Rows of what lies outside, and of constants. */
static void fill_rows(const wadi_sim *sim, wadi_cpu *cpu) {
    const size_t pitch = (size_t)sim->block.pitch;
    for (size_t m = 0; m < WADI_MAX_MAPS; m++) cpu->uniform[m] = cpu->uniform_memory + m * pitch + WADI_PAD;
    for (int f = 0; f < sim->model->field_count; f++) {
        cpu->outside[f] = cpu->outside_memory + (size_t)f * pitch + WADI_PAD;
        for (int x = -1; x <= sim->def.width; x++) cpu->outside[f][x] = sim->model->fields[f].outside;
    }
}

static wadi_status open_cpu(wadi_sim *sim) {
    const wadi_row_table *rows = wadi_row_table_find(sim->model->id, sim->def.isa);
    if (rows == NULL)
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "no kernels for '%s' on this CPU: leave the choice to wadi",
                         sim->def.isa);
    wadi_cpu *cpu = calloc(1, sizeof *cpu);
    if (cpu == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the CPU engine");
    sim->engine_state = cpu;
    cpu->rows = rows;
    cpu->rain_map = wadi_model_map(sim->model, "rain_dt");
    cpu->shower_map = wadi_model_map(sim->model, "shower");
    const bool tiles = wadi_idle_open(&cpu->idle, sim);
    if (sim->threads > cpu->idle.rows) sim->threads = cpu->idle.rows; /* a band has a row of tiles at least */
    cpu->uniform_memory = platform_pages(WADI_MAX_MAPS * (size_t)sim->block.pitch * sizeof(float));
    cpu->outside_memory = platform_pages(outside_floats(sim) * sizeof(float));
    if (!tiles || cpu->uniform_memory == NULL || cpu->outside_memory == NULL)
        return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the CPU engine");
    fill_rows(sim, cpu);
    name_device(sim, rows->isa);
    return make_plan(sim);
}

const wadi_engine_calls wadi_engine_cpu = {
    .name = "cpu", .open = open_cpu, .close = close_cpu, .plan = plan, .advance = advance, .once = once};
