/* cpu.c: the CPU engine. Each thread owns a partition of rows. It computes all stages of one or more sub-steps in one
 * fused sweep, with the widest vectors. */
#include <stdio.h>
#include <stdlib.h>

#include "core/allocate.h"
#include "core/domain.h"
#include "core/engine.h"
#include "core/supply.h"
#include "engine/cpu/sweep.h"
#include "platform/openmp.h"
#include "platform/platform.h"

/* The switches that have their value of a set, as bits. */
static unsigned switches_in(const wadi_domain *domain, int set) {
    unsigned in_set = 0;
    for (int i = 0; i < domain->model->switch_count; i++) {
        const wadi_switch *choice = &domain->model->switches[i];
        const int value = *(const int *)((const char *)domain->constants + choice->offset);
        if (choice->value[set] == WADI_EITHER || choice->value[set] == value) in_set |= 1u << i;
    }
    return in_set;
}

/* Finds, for each stage, the first set that has the values of all switches that it reads. */
static void find_sets(const wadi_domain *domain, wadi_cpu *cpu) {
    unsigned in_set[WADI_SWITCH_SETS];
    for (int set = 0; set < WADI_SWITCH_SETS; set++) in_set[set] = switches_in(domain, set);
    for (int s = 0; s < domain->model->stage_count; s++) {
        int set = 0;
        while (set < WADI_SWITCH_SETS && (domain->model->stages[s].switches & ~in_set[set]) != 0) set++;
        cpu->set[s] = set;
    }
}

/* --- threads: each waits only for the threads with neighbouring partitions --- */

#define SPINS 2000 /* polls before the thread yields its processor */

static void wait_for(const atomic_llong *other, long long passes) {
    for (int spins = 0; atomic_load_explicit(other, memory_order_acquire) < passes; spins++)
        if (spins >= SPINS) platform_yield();
}

static long long count_of(const atomic_llong *own) { return atomic_load_explicit(own, memory_order_relaxed); }

static void count_up(atomic_llong *own) { atomic_store_explicit(own, count_of(own) + 1, memory_order_release); }

static const wadi_partition *neighbour_of(const wadi_cpu *cpu, const wadi_partition *part, int way) {
    return &cpu->parts[(part->me + part->of + way) % part->of];
}

/* Waits until both neighbours have finished as many passes as this thread, which reads their rows next. */
static void wait_till_ended(const wadi_cpu *cpu, const wadi_partition *part) {
    wait_for(&neighbour_of(cpu, part, -1)->ended, count_of(&part->ended));
    wait_for(&neighbour_of(cpu, part, 1)->ended, count_of(&part->ended));
}

/* Waits until both neighbours have copied the halo rows that this thread overwrites next. */
static void wait_till_copied(const wadi_cpu *cpu, const wadi_partition *part) {
    wait_for(&neighbour_of(cpu, part, -1)->copied, count_of(&part->copied));
    wait_for(&neighbour_of(cpu, part, 1)->copied, count_of(&part->copied));
}

/* Each thread of a new team calls this to set up its partition, in whole rows of tiles. The system may start fewer
 * threads than requested, so the size of the team decides. */
static wadi_partition *take_partition(const wadi_domain *domain, int me, int members) {
    const wadi_cpu *cpu = domain->engine_state;
    wadi_partition *part = &cpu->parts[me];
    part->me = me;
    part->of = members;
    part->tiles0 = (int)((int64_t)cpu->idle.rows * me / members);
    part->tiles1 = (int)((int64_t)cpu->idle.rows * (me + 1) / members);
    part->y0 = wadi_idle_first(&cpu->idle, domain, part->tiles0);
    part->y1 = wadi_idle_first(&cpu->idle, domain, part->tiles1);
    part->discs = &domain->supply.discs[part->me * domain->substeps_per_pass];
    part->cells_idle = 0;
    part->finite = true;
    for (int i = 0; i < domain->substeps_per_pass; i++) part->discs[i].count = 0, part->discs[i].showers = 0;
    atomic_store_explicit(&part->copied, 0, memory_order_relaxed);
    atomic_store_explicit(&part->ended, 0, memory_order_relaxed);
    return part;
}

/* Kernels for maps read each constant as a row. This fills the rows of constants that are the same in every cell. */
static void fill_uniform(wadi_domain *domain) {
    wadi_cpu *cpu = domain->engine_state;
    for (int m = 0; m < domain->model->map_count; m++) {
        const float value = wadi_constant(domain, m);
        if (cpu->uniform_value[m] == value) continue;
        for (int x = -1; x <= domain->def.width; x++) cpu->uniform[m][x] = value;
        cpu->uniform_value[m] = value;
    }
}

#define AWAKE 7 /* sub-steps without a test after a test found no idle tile: testing costs a few per cent */

/* Finds the idle tiles of the thread's partition. false: it made no test, and all tiles run. */
static bool look_for_idle(wadi_domain *domain, wadi_partition *part, int64_t substep) {
    wadi_idle *idle = &((wadi_cpu *)domain->engine_state)->idle;
    if (part->awake > 0) {
        part->awake--;
        part->tracked = false;
        wadi_idle_all_changed(idle, substep, part->tiles0, part->tiles1);
        return false;
    }
    const int64_t cells =
        wadi_idle_begin(idle, domain, &part->discs[domain->substeps_per_pass - 1], substep, part->tiles0, part->tiles1);
    part->cells_idle += cells;
    if (cells == 0 && part->tracked) part->awake = AWAKE;
    part->tracked = true;
    return true;
}

/* A thread's part of a pass. tracked: idle tiles are skipped. last: the state is checked. */
static void sweep(wadi_domain *domain, wadi_partition *part, int substeps, int64_t ahead, bool tracked, bool last) {
    wadi_cpu *cpu = domain->engine_state;
    if (wadi_supply_varies(domain))
        for (int i = 0; i < substeps; i++)
            wadi_supply_begin(domain, ahead + i, &part->discs[domain->substeps_per_pass - substeps + i]);
    wait_till_ended(cpu, part);
    if (tracked) tracked = look_for_idle(domain, part, domain->substeps_done + ahead);
    wadi_sweep_copy_halo(domain, part, substeps);
    count_up(&part->copied);
    wait_till_copied(cpu, part);
    wadi_sweep_rows(domain, part, substeps, ahead, tracked, last);
    count_up(&part->ended);
}

/* What a call computes: sub-steps, or one stage. */
typedef struct work {
    wadi_domain *domain;
    const wadi_stage *stage; /* NULL: sub-steps */
    int64_t substeps;
    bool tracked;
    atomic_int members;        /* as the first of them says; 0: none has begun */
    atomic_llong begun, ended; /* members */
} work;

static void do_substeps(work *work, wadi_partition *part) {
    wadi_domain *domain = work->domain;
    wadi_cpu *cpu = domain->engine_state;
    const int most = work->tracked ? 1 : domain->substeps_per_pass;
    if (part->me == 0) wadi_idle_ready(&cpu->idle, domain, part->of, work->tracked);
    atomic_fetch_add(&work->begun, 1);
    wait_for(&work->begun, part->of);
    for (int64_t done = 0; done < work->substeps; done += most) {
        const int64_t left = work->substeps - done;
        sweep(domain, part, left < most ? (int)left : most, done, work->tracked, left <= most);
    }
}

/* Whether this member of the caller's crew is due: none may come twice, and all must know of as many. */
static bool is_due(work *work, int me, int members) {
    wadi_cpu *cpu = work->domain->engine_state;
    int none = 0;
    if (me < 0 || me >= members || members > work->domain->members) return false;
    if (!atomic_compare_exchange_strong(&work->members, &none, members) && none != members) return false;
    return !atomic_exchange(&cpu->parts[me].came, true);
}

/* One member's part of the work: a wadi_crew_job. */
static void do_part(void *work_, int me, int members) {
    work *work = work_;
    if (!is_due(work, me, members)) return;
    const unsigned mode = platform_float_mode_strict();
    wadi_partition *part = take_partition(work->domain, me, members);
    if (work->stage != NULL)
        wadi_sweep_stage(work->domain, part, work->stage);
    else
        do_substeps(work, part);
    platform_float_mode_restore(mode);
    atomic_fetch_add(&work->ended, 1);
}

/* false: not all members of the caller's crew ran. */
static bool do_work(work *work) {
    wadi_domain *domain = work->domain;
    wadi_cpu *cpu = domain->engine_state;
    const wadi_crew *crew = domain->def.crew;
    find_sets(domain, cpu);
    fill_uniform(domain);
    for (int i = 0; i < domain->members; i++) atomic_store(&cpu->parts[i].came, false);
    if (crew != NULL) {
        crew->run(crew->context, do_part, work, domain->members);
    } else {
#pragma omp parallel num_threads(domain->members)
        do_part(work, omp_get_thread_num(), omp_get_num_threads());
    }
    const long long ran = count_of(&work->ended);
    if (ran > 0 && ran == atomic_load(&work->members)) return true;
    domain->failure = wadi_fail(WADI_ERROR_DEVICE, "a crew of %d: %lld of its members ran", crew->count, ran);
    return false;
}

static bool advance(wadi_domain *domain, int64_t substeps) {
    wadi_cpu *cpu = domain->engine_state;
    const bool tracked = wadi_idle_possible(&cpu->idle, domain) && wadi_domain_allocate_scratch(domain) == WADI_OK;
    bool finite = do_work(&(work){.domain = domain, .substeps = substeps, .tracked = tracked});
    for (int i = 0; finite && i < cpu->parts[0].of; i++) domain->cells_idle += (double)cpu->parts[i].cells_idle;
    for (int i = 0; finite && i < cpu->parts[0].of; i++) finite = cpu->parts[i].finite;
    return finite;
}

static wadi_status once(wadi_domain *domain, const wadi_stage *stage) {
    return do_work(&(work){.domain = domain, .stage = stage}) ? WADI_OK : domain->failure;
}

/* The tiles in which a bit changes are not idle. */
static bool unpack(wadi_domain *domain, int y, int rows, const float *from) {
    wadi_cpu *cpu = domain->engine_state;
    wadi_idle_compare(&cpu->idle, domain, y, rows, from);
    return wadi_domain_unpack(domain, y, rows, from);
}

/* --- the plan, made before a run: the schedule, column tiles and memory --- */

static size_t outside_floats(const wadi_domain *domain) { return WADI_MAX_FIELDS * (size_t)domain->block.pitch; }

static size_t bytes_of_partitions(const wadi_domain *domain) {
    return (size_t)domain->members * sizeof(wadi_partition);
}

static size_t part_bytes(const wadi_domain *domain, const wadi_cpu *cpu) {
    return wadi_partition_rows(domain, &cpu->schedule) * (size_t)domain->block.pitch * sizeof(float);
}

static void close_plan(const wadi_domain *domain, wadi_cpu *cpu) {
    for (int t = 0; t < domain->members && cpu->parts != NULL; t++) {
        if (cpu->parts[t].memory != NULL) platform_pages_free(cpu->parts[t].memory, part_bytes(domain, cpu));
        free(cpu->parts[t].sources);
    }
    if (cpu->parts != NULL) platform_pages_free(cpu->parts, bytes_of_partitions(domain));
    if (cpu->margins != NULL) platform_pages_free(cpu->margins, wadi_margins_floats(domain, cpu) * sizeof(float));
    free(cpu->lanes);
    wadi_schedule_free(&cpu->schedule);
    cpu->parts = NULL;
    cpu->margins = NULL;
    cpu->lanes = NULL;
}

static int rows_of_smallest_partition(const wadi_domain *domain, const wadi_cpu *cpu) {
    return cpu->idle.rows / domain->members * cpu->idle.tile_rows;
}

/* The most columns for which all rows in use at once fit in this share of the core's fast caches. */
static int columns_in_cache(const wadi_domain *domain, const wadi_schedule *schedule, double share) {
    const double bytes = sizeof(float) * (double)wadi_schedule_rows(schedule, domain->model);
    return (int)(share * (double)platform_fast_cache_bytes() / bytes);
}

/* Whether each partition is at least as high as the halo: a neighbour copies that many of its rows. */
static bool partitions_suffice(const wadi_domain *domain, const wadi_cpu *cpu) {
    return domain->members == 1 ||
           cpu->schedule.halo[cpu->schedule.substeps] <= rows_of_smallest_partition(domain, cpu);
}

/* Chooses the sub-steps per pass: the requested number, or up to four while whole rows fit in 60 % of the caches. This
 * share of them and those below were measured. */
static bool make_schedule(wadi_domain *domain, wadi_cpu *cpu) {
    const int asked = domain->def.substeps_per_pass;
    for (int substeps = asked > 0 ? asked : 4; substeps > 0; substeps--) {
        if (!wadi_schedule_make(&cpu->schedule, domain, substeps, true)) return false;
        const bool fits = asked > 0 || columns_in_cache(domain, &cpu->schedule, 0.6) >= domain->def.width;
        domain->substeps_per_pass = substeps;
        if (substeps == 1 || (fits && partitions_suffice(domain, cpu))) return true;
        wadi_schedule_free(&cpu->schedule);
    }
    return false;
}

/* Chooses the number of column tiles. Unless their width is requested, there is one until rows exceed the cache by a
 * quarter. Then the rows of a tile fill three quarters of the cache. A tile is no narrower than its neighbours'
 * margins. */
static void choose_column_tiles(const wadi_domain *domain, wadi_cpu *cpu) {
    const int width = domain->def.width, in_cache = columns_in_cache(domain, &cpu->schedule, 0.75);
    cpu->margin = (cpu->schedule.halo[cpu->schedule.substeps] + 15) / 16 * 16;
    cpu->column_tiles = 1;
    if (domain->def.tile_columns > 0)
        cpu->column_tiles = width / domain->def.tile_columns;
    else if (columns_in_cache(domain, &cpu->schedule, 1.25) < width)
        cpu->column_tiles = width / (in_cache > 0 ? in_cache : 1) + 1;
    const int most = width / (cpu->margin > 16 ? cpu->margin : 16) - 1; /* their width is rounded to vectors */
    if (cpu->column_tiles > most) cpu->column_tiles = most;
    if (cpu->column_tiles < 1 || domain->def.boundary == WADI_WRAP) cpu->column_tiles = 1;
    cpu->sums = 0;
    for (int i = 0; i < cpu->schedule.substeps * cpu->schedule.stages_per_substep; i++)
        cpu->sums += cpu->schedule.stages[i].stage->sums;
}

static bool allocate_partitions(const wadi_domain *domain, wadi_cpu *cpu) {
    cpu->parts = platform_pages(bytes_of_partitions(domain));
    bool all = cpu->parts != NULL;
    for (int t = 0; all && t < domain->members; t++) {
        wadi_partition *part = &cpu->parts[t];
        part->memory = platform_pages(part_bytes(domain, cpu));
        part->sources = malloc((wadi_partition_sources(&cpu->schedule) + 1) * sizeof *part->sources);
        all = part->memory != NULL && part->sources != NULL;
    }
    return all;
}

static bool fill_plan(wadi_domain *domain, wadi_cpu *cpu) {
    if (!make_schedule(domain, cpu)) return false;
    choose_column_tiles(domain, cpu);
    bool all = allocate_partitions(domain, cpu);
    if (all && cpu->column_tiles > 1) {
        cpu->margins = platform_pages(wadi_margins_floats(domain, cpu) * sizeof(float));
        cpu->lanes = calloc((size_t)domain->def.height * (size_t)cpu->sums + 1, sizeof *cpu->lanes);
        all = cpu->margins != NULL && cpu->lanes != NULL;
    }
    for (int t = 0; all && t < domain->members; t++) wadi_partition_lay_out(domain, cpu, &cpu->parts[t]);
    cpu->planned = domain->processes;
    return all;
}

/* Makes the new plan before it frees the old one. If anything fails, the old plan stays. */
static wadi_status make_plan(wadi_domain *domain) {
    wadi_cpu *cpu = domain->engine_state, before = *cpu;
    const int substeps = domain->substeps_per_pass;
    cpu->parts = NULL;
    cpu->margins = NULL;
    cpu->lanes = NULL;
    cpu->schedule = (wadi_schedule){0};
    wadi_status status = fill_plan(domain, cpu) ? wadi_supply_reserve_now(domain)
                                                : wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the CPU engine");
    if (status == WADI_OK) {
        close_plan(domain, &before);
    } else {
        close_plan(domain, cpu);
        *cpu = before;
        domain->substeps_per_pass = substeps;
    }
    return status;
}

static wadi_status plan(wadi_domain *domain) {
    const wadi_cpu *cpu = domain->engine_state;
    return cpu->planned == domain->processes ? WADI_OK : make_plan(domain);
}

/* --- opening and closing --- */

static void close_cpu(wadi_domain *domain) {
    wadi_cpu *cpu = domain->engine_state;
    close_plan(domain, cpu);
    if (cpu->uniform_memory != NULL)
        platform_pages_free(cpu->uniform_memory, WADI_MAX_MAPS * (size_t)domain->block.pitch * sizeof(float));
    if (cpu->outside_memory != NULL) platform_pages_free(cpu->outside_memory, outside_floats(domain) * sizeof(float));
    wadi_idle_close(&cpu->idle);
    free(cpu);
    domain->engine_state = NULL;
}

static void name_device(wadi_domain *domain, const char *isa) {
    char cpu[96];
    platform_cpu_name(cpu, sizeof cpu);
    snprintf(domain->device, sizeof domain->device, "%s, %s", cpu, isa);
}

/* Sets up the rows of uniform constants, and fills the rows of values outside the grid. */
static void fill_rows(const wadi_domain *domain, wadi_cpu *cpu) {
    const size_t pitch = (size_t)domain->block.pitch;
    for (size_t m = 0; m < WADI_MAX_MAPS; m++) cpu->uniform[m] = cpu->uniform_memory + m * pitch + WADI_PAD;
    for (int f = 0; f < domain->model->field_count; f++) {
        cpu->outside[f] = cpu->outside_memory + (size_t)f * pitch + WADI_PAD;
        for (int x = -1; x <= domain->def.width; x++) cpu->outside[f][x] = domain->model->fields[f].outside;
    }
}

static bool takes_rain(const wadi_cpu *cpu, const wadi_stage *stage) {
    bool takes = false;
    for (int i = 0; i < stage->maps; i++)
        takes = takes || stage->map[i].field == cpu->rain_map || stage->map[i].field == cpu->shower_map;
    return takes;
}

static wadi_status open_cpu(wadi_domain *domain) {
    const wadi_row_table *rows = wadi_row_table_find(domain->model->id, domain->def.isa);
    if (rows == NULL)
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "no kernels for '%s' on this CPU: leave the choice to wadi",
                         domain->def.isa);
    wadi_cpu *cpu = calloc(1, sizeof *cpu);
    if (cpu == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the CPU engine");
    domain->engine_state = cpu;
    cpu->rows = rows;
    cpu->rain_map = wadi_map_of(domain->model, WADI_MAP_RAIN);
    cpu->shower_map = wadi_map_of(domain->model, WADI_MAP_SHOWERS);
    for (int s = 0; s < domain->model->stage_count; s++)
        cpu->takes_rain[s] = takes_rain(cpu, &domain->model->stages[s]);
    const bool tiles = wadi_idle_open(&cpu->idle, domain);
    if (domain->members > cpu->idle.rows)
        domain->members = cpu->idle.rows; /* a partition has at least one row of tiles */
    if (domain->threads > domain->members) domain->threads = domain->members;
    cpu->uniform_memory = platform_pages(WADI_MAX_MAPS * (size_t)domain->block.pitch * sizeof(float));
    cpu->outside_memory = platform_pages(outside_floats(domain) * sizeof(float));
    if (!tiles || cpu->uniform_memory == NULL || cpu->outside_memory == NULL)
        return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the CPU engine");
    fill_rows(domain, cpu);
    name_device(domain, rows->isa);
    return make_plan(domain);
}

const wadi_engine_calls wadi_engine_cpu = {.name = "cpu",
                                           .open = open_cpu,
                                           .close = close_cpu,
                                           .plan = plan,
                                           .advance = advance,
                                           .once = once,
                                           .pack = wadi_domain_pack,
                                           .unpack = unpack};
