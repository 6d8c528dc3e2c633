/* domain.c: makes a domain, and copies its state. */
#include "core/domain.h"

#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/def_memory.h"
#include "core/strict.h"
#include "core/supply.h"
#include "platform/openmp.h"
#include "platform/platform.h"
#include "wadi/device.h"
#include "wadi/team.h"

static int least(int64_t a, int64_t b) { return (int)(a < b ? a : b); }

/* With fewer than about 16,000 cells per thread, synchronization takes longer than the work. */
static int64_t useful_threads(const wadi_def *def) { return (int64_t)def->width * def->height / 16384 + 1; }

int wadi_domain_threads(const wadi_def *def) {
    const wadi_team *team = def->team;
    if (def->crew != NULL) return def->crew->count;
    if (team == NULL) return def->threads > 0 ? def->threads : least(useful_threads(def), platform_cores());
    const int cores = (int)(platform_cores() * team->share + 0.001);
    const int threads =
        def->threads > 0 ? def->threads / team->on_host : least(useful_threads(def) / team->processes + 1, cores);
    return threads > 1 ? threads : 1;
}

static bool is_cut(const wadi_def *def) { return def->parts > 1 || (def->team != NULL && def->team->processes > 1); }

static const wadi_engine_calls *engine_of(const wadi_def *def) {
    if (is_cut(def)) return &wadi_engine_parts;
    if (wadi_def_streams(def)) return &wadi_engine_stream;
    if (wadi_engine_is_gpu(def->engine)) return &wadi_engine_gpu;
    return def->engine == WADI_ENGINE_REFERENCE ? &wadi_engine_reference : &wadi_engine_cpu;
}

/* The caller's text need not last. false: no memory. */
static bool take_folder(wadi_domain *domain) {
    const bool streams = domain->engine == &wadi_engine_stream, cut = domain->engine == &wadi_engine_parts;
    char usual[4096] = ".";
    const char *folder = domain->def.scratch;
    if (folder == NULL && streams) folder = platform_scratch_folder(usual, sizeof usual) ? usual : ".";
    if (folder == NULL) return true;
    const size_t bytes = strlen(folder) + 1;
    domain->def.scratch = domain->scratch = malloc(bytes);
    if (domain->scratch == NULL) return false;
    memcpy(domain->scratch, folder, bytes);
    if (streams || cut) domain->block.folder = domain->scratch;
    return true;
}

wadi_domain *wadi_domain_make(const wadi_def *def, wadi_window window) {
    wadi_domain *domain = calloc(1, sizeof *domain);
    if (domain == NULL) return NULL;
    domain->def = *def;
    domain->model = def->model;
    domain->window = window;
    if (def->engine == WADI_ENGINE_AUTO) wadi_def_choose_engine(&domain->def);
    domain->engine = engine_of(&domain->def);
    if (domain->def.engine != WADI_ENGINE_CPU) domain->def.crew = NULL; /* it has nothing to do there */
    const wadi_crew *crew = domain->def.crew;
    domain->threads = crew != NULL ? 1 : wadi_domain_threads(&domain->def);
    if (domain->threads > omp_get_thread_limit()) domain->threads = omp_get_thread_limit();
    domain->members = crew != NULL ? crew->count : domain->threads;
    domain->processes = def->model->processes(def->values);
    wadi_block_shape(&domain->block, def->width, def->height, domain->threads);
    if (take_folder(domain)) return domain;
    free(domain);
    return NULL;
}

static bool is_state_ever(const wadi_domain *domain, int f) {
    const wadi_field_kind kind = domain->model->fields[f].kind;
    return kind == WADI_STATE || kind == WADI_OPTIONAL;
}

static bool keeps_good(const wadi_domain *domain) {
    return domain->def.keep_good_state && domain->engine->keep == NULL;
}

wadi_status wadi_domain_allocate(wadi_domain *domain) {
    for (int f = 0; f < domain->model->field_count; f++)
        if (domain->engine->fetch != NULL && is_state_ever(domain, f)) domain->where[f] = WADI_NOWHERE;
    return wadi_domain_allocate_numbers(domain) ? wadi_domain_add_fields(domain) : wadi_domain_too_large(domain);
}

wadi_status wadi_domain_add_fields(wadi_domain *domain) {
    bool all = true;
    for (int f = 0; f < domain->model->field_count; f++) {
        const wadi_field_kind kind = wadi_kind(domain, f);
        const bool elsewhere = domain->engine->fetch != NULL && kind == WADI_STATE;
        if (kind != WADI_SCRATCH && !elsewhere && domain->block.field[f] == NULL)
            all = all && wadi_domain_allocate_field(domain, f);
        if (all && kind == WADI_STATE && domain->good[f] == NULL && keeps_good(domain)) {
            domain->good[f] = wadi_block_allocate(&domain->block, f, 0);
            all = domain->good[f] != NULL;
        }
    }
    return all ? WADI_OK : wadi_domain_too_large(domain);
}

void wadi_domain_drop_fields(wadi_domain *domain) {
    for (int f = 0; f < domain->model->field_count; f++) {
        if (domain->model->fields[f].kind != WADI_OPTIONAL || wadi_is_state(domain, f)) continue;
        wadi_block_free(&domain->block, f, domain->block.field[f]);
        wadi_block_free(&domain->block, f, domain->good[f]);
        domain->block.field[f] = domain->good[f] = NULL;
        domain->where[f] = domain->engine->fetch != NULL ? WADI_NOWHERE : WADI_HERE;
    }
}

bool wadi_domain_allocate_numbers(wadi_domain *domain) {
    bool all = true;
    for (int i = 0; i < WADI_SUMS; i++) {
        domain->sums[i] = calloc((size_t)domain->def.height, sizeof *domain->sums[i]);
        all = all && domain->sums[i] != NULL;
    }
    domain->near_outside = calloc((size_t)domain->def.height, 1);
    domain->constants = calloc(1, domain->model->constants_bytes);
    return all && domain->near_outside != NULL && domain->constants != NULL;
}

void wadi_domain_free(wadi_domain *domain) {
    if (domain == NULL) return;
    if (domain->engine_state != NULL) domain->engine->close(domain);
    for (int f = 0; f < WADI_MAX_FIELDS; f++) {
        wadi_block_free(&domain->block, f, domain->block.field[f]);
        wadi_block_free(&domain->block, f, domain->good[f]);
    }
    for (int m = 0; m < WADI_MAX_MAPS; m++) wadi_block_free(&domain->block, WADI_MAX_FIELDS + m, domain->block.map[m]);
    for (int i = 0; i < WADI_SUMS; i++) free(domain->sums[i]);
    free(domain->near_outside);
    free(domain->constants);
    free(domain->scratch);
    wadi_supply_free_discs(&domain->supply);
    free(domain);
}

wadi_status wadi_domain_once(wadi_domain *domain, const wadi_stage *stage) {
    for (int w = 0; w < stage->writes && domain->engine->fetch == NULL; w++)
        if (domain->block.field[stage->write[w]] == NULL && !wadi_domain_allocate_field(domain, stage->write[w]))
            return wadi_domain_too_large(domain);
    if (domain->failure != WADI_OK) return wadi_fail(domain->failure, "the device failed earlier: its state is lost");
    return domain->engine->once(domain, stage);
}

/* --- the last good state --- */

static void copy_field(const wadi_domain *domain, const float *from, float *to) {
    const wadi_block *block = &domain->block;
#pragma omp parallel num_threads(domain->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = -1; y <= block->height; y++)
            memcpy(to + y * block->pitch - 1, from + y * block->pitch - 1, (size_t)(block->width + 2) * sizeof(float));
    }
}

bool wadi_domain_keep(wadi_domain *domain) {
    if (domain->engine->keep != NULL) return domain->engine->keep(domain);
    for (int f = 0; f < domain->model->field_count; f++)
        if (domain->good[f] != NULL) copy_field(domain, domain->block.field[f], domain->good[f]);
    return true;
}

void wadi_domain_go_back(wadi_domain *domain) {
    if (domain->engine->go_back != NULL) {
        domain->engine->go_back(domain);
        return;
    }
    for (int f = 0; f < domain->model->field_count; f++)
        if (domain->good[f] != NULL) copy_field(domain, domain->good[f], domain->block.field[f]);
}

/* --- rows of the whole state --- */

size_t wadi_domain_state_floats(const wadi_domain *domain, int rows) {
    size_t fields = 0;
    for (int f = 0; f < domain->model->field_count; f++) fields += wadi_is_state(domain, f);
    return fields * (size_t)rows * (size_t)domain->def.width;
}

size_t wadi_domain_most_floats(const wadi_domain *domain, int rows) {
    size_t fields = 0;
    for (int f = 0; f < domain->model->field_count; f++) fields += is_state_ever(domain, f);
    return fields * (size_t)rows * (size_t)domain->def.width;
}

bool wadi_domain_pack(wadi_domain *domain, int y, int rows, float *to) {
    const size_t width = (size_t)domain->def.width;
    for (int f = 0; f < domain->model->field_count; f++)
        for (int i = 0; wadi_is_state(domain, f) && i < rows; i++, to += width)
            memcpy(to, wadi_block_row(&domain->block, domain->block.field[f], y + i), width * sizeof *to);
    return true;
}

bool wadi_domain_unpack(wadi_domain *domain, int y, int rows, const float *from) {
    const size_t width = (size_t)domain->def.width;
    for (int f = 0; f < domain->model->field_count; f++)
        for (int i = 0; wadi_is_state(domain, f) && i < rows; i++, from += width) {
            float *row = wadi_block_row(&domain->block, domain->block.field[f], y + i);
            memcpy(row, from, width * sizeof *row);
            if (domain->def.boundary == WADI_WRAP) wadi_block_close_row(&domain->block, row);
        }
    return true;
}
