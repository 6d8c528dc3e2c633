/* engine.h (internal): what an engine works on, the domain, and the functions of an engine. */
#ifndef WADI_CORE_ENGINE_H
#define WADI_CORE_ENGINE_H

#include "core/block.h"
#include "core/discs.h"
#include "core/model.h"

/* Where a field's values are: in the block; with the engine; both; or nowhere yet: it is what it is at the start. */
typedef enum wadi_whereabouts { WADI_HERE, WADI_THERE, WADI_BOTH, WADI_NOWHERE } wadi_whereabouts;

/* The rows of a domain in the whole grid, of which it may be a part. */
typedef struct wadi_window {
    int y, grid_height; /* the grid's row that is row 0 of the domain: on a periodic grid it may lie outside */
    int own0, own1;     /* rows own0 to own1 - 1 of the domain are its own; the others belong to neighbouring parts */
} wadi_window;

/* The grid, its fields, and the numbers that a step needs. It is all that an engine sees of a simulation. The core
 * makes it and calls the engine. An engine reads it all, and writes the members that say so. */
typedef struct wadi_domain {
    /* --- what is computed. The core changes it between calls, then calls `plan` --- */
    wadi_def def; /* an engine that chooses a device writes its number */
    const wadi_model *model;
    const struct wadi_engine_calls *engine;
    void *constants;    /* of the physics, as model->prepare made them */
    unsigned processes; /* bits: those that are on */
    int substeps;       /* of a step */
    double dt_s;        /* of a sub-step */
    wadi_supply supply; /* sources and drops; engines write the lists of discs */
    wadi_window window; /* drops and sources have places in the whole grid */
    uint64_t edits;     /* counts changes by the caller: fields, parameters, maps */

    /* --- how far it is. The core counts it up after `advance` --- */
    int64_t steps, substeps_done;
    bool more;     /* more calls of `advance` follow at once: sums and the look at the state may wait for the last */
    int64_t ahead; /* sub-steps done since step `steps` began: a part may stop within a step */
    double base_time_s; /* simulated time at step base_step; dt has not changed since */
    int64_t base_step;

    /* --- storage --- */
    wadi_block block;                        /* fields, which engines write, and maps */
    char *scratch;                           /* a copy of the folder of files in place of memory; owned */
    wadi_whereabouts where[WADI_MAX_FIELDS]; /* an engine with memory of its own writes it */
    uint8_t *near_outside;                   /* for each row: this row or one next to it has a cell without data */
    double *sums[WADI_SUMS];      /* for each row: metres summed over cells and sub-steps; engines add to them */
    float *good[WADI_MAX_FIELDS]; /* the last good state, where the block holds the state; NULL: not kept */
    bool good_kept;               /* there is a copy of the last good state; an engine that drops it writes false */

    /* --- what the engine says of itself --- */
    void *engine_state;    /* NULL until it is open */
    int threads;           /* upper limit of OpenMP's, for all but steps; an engine may lower it when it opens */
    int members;           /* upper limit of threads that compute steps: those, or the caller's crew */
    int substeps_per_pass; /* most sub-steps that the engine does in one pass */
    int substeps_at_once;  /* calls of `advance` with fewer are slow; 0: any number */
    char device[128];
    double cells_idle;   /* cells times sub-steps that were skipped */
    wadi_status failure; /* of the engine's device; it is permanent */
} wadi_domain;

/* Whether the stage runs at all in this run; and whether it runs in sub-step n. */
static inline bool wadi_stage_on(const wadi_domain *domain, const wadi_stage *stage) {
    return stage->every > 0 && (stage->needs & ~domain->processes) == 0;
}
static inline bool wadi_stage_due(const wadi_domain *domain, const wadi_stage *stage, int64_t n) {
    return wadi_stage_on(domain, stage) && n % stage->every == 0;
}
static inline bool wadi_takes_water(const wadi_domain *domain) {
    return wadi_process_on(domain->model, domain->processes, WADI_PROCESS_WATER);
}
/* The kind of a field in this run: static, state or scratch. */
static inline wadi_field_kind wadi_kind(const wadi_domain *domain, int f) {
    return wadi_kind_in(domain->model, domain->processes, f);
}
static inline bool wadi_is_state(const wadi_domain *domain, int f) { return wadi_kind(domain, f) == WADI_STATE; }
/* A row of the terrain as given. */
static inline float *wadi_terrain_row(const wadi_domain *domain, int y) {
    return wadi_block_row(&domain->block, domain->block.field[wadi_field_of(domain->model, WADI_FIELD_TERRAIN)], y);
}
static inline bool wadi_has_data(const wadi_domain *domain, int x, int y) {
    return wadi_terrain_row(domain, y)[x] < 0.1f * WADI_WALL;
}
/* A constant of the physics where no map is given. */
static inline float wadi_constant(const wadi_domain *domain, int map) {
    return *(const float *)((const char *)domain->constants + domain->model->maps[map].offset);
}

/* --- what the core does for an engine (rain: supply.h) --- */

/* The value of a field everywhere before anything is set. */
float wadi_at_start(const wadi_domain *domain, int field);
/* Allocates all scratch fields that this run uses. For an engine that keeps them for the whole run, if they fit. */
wadi_status wadi_domain_allocate_scratch(wadi_domain *domain);
/* Frees the block's memory of a field that the engine holds too. The terrain as given stays, because it marks the cells
 * without data. */
void wadi_domain_let_go(wadi_domain *domain, int field);

/* --- what an engine does for the core --- */

typedef struct wadi_shown {
    int field;
    bool on_ground; /* add the terrain as given */
} wadi_shown;

/* The terms of a total, or of a maximum. */
typedef enum wadi_summing {
    WADI_SUM_VALUES,
    WADI_SUM_ABSOLUTE,
    WADI_SUM_LARGEST /* the largest value, or 0 */
} wadi_summing;
typedef struct wadi_summed {
    int field;
    wadi_summing how;
} wadi_summed;
enum { WADI_MOST_SUMMED = 5 };

enum { WADI_OFFER_BYTES = 256 }; /* names of an engine's memory */

/* The functions of an engine. All engines give the same bits. */
typedef struct wadi_engine_calls {
    const char *name;
    wadi_status (*open)(wadi_domain *domain);
    void (*close)(wadi_domain *domain);
    wadi_status (*plan)(wadi_domain *domain); /* after a change of parameters, rasters or the mask */
    /* runs all stages that are due; true: the whole state is finite */
    bool (*advance)(wadi_domain *domain, int64_t substeps);
    /* runs one stage, for values that are computed on request */
    wadi_status (*once)(wadi_domain *domain, const wadi_stage *stage);
    /* Copies rows of the state, as wadi_domain_pack and wadi_domain_unpack of domain.h do. false: the domain has failed
     */
    bool (*pack)(wadi_domain *domain, int y, int rows, float *to);
    bool (*unpack)(wadi_domain *domain, int y, int rows, const float *from);
    /* The same without the host's memory, for engines that `reaches` gives true for. NULL: there is none.
     * hold: copies the first and the last own rows to the engine's memory, into pair `which`, 0 or 1; it waits until
     * that is done. take: copies the margins from what the neighbours hold; a neighbour may be NULL. While
     * `domain->more`, a neighbour may hold another pair, but not this one, before its next `hold` */
    bool (*hold)(wadi_domain *domain, int rows, int which);
    bool (*take)(wadi_domain *domain, const wadi_domain *before, const wadi_domain *after, int which);
    bool (*reaches)(const wadi_domain *domain, const wadi_domain *other);
    /* The same with a neighbour in another process. offer: names of the memory where the domain holds `rows` rows of a
     * side for it. accept: whether `take` may read what the neighbour offered; from then on it does. forget: no longer.
     * The neighbour closes its engine afterwards. NULL: there is none. */
    bool (*offer)(wadi_domain *domain, int rows, bool below, void *names);
    bool (*accept)(wadi_domain *domain, int rows, bool below, const void *names);
    void (*forget)(wadi_domain *domain, bool below);
    /* The same by a transport that reads and writes device memory itself. lend: addresses[0] is what the domain holds
     * of a side in pair `which`, addresses[1] where the next `take` finds the neighbour's rows. The device is current
     * in this thread until take_back. false: no memory, or a lost device, which the next call reports. NULL: there is
     * none.
     */
    bool (*lend)(wadi_domain *domain, int rows, bool below, int which, void *addresses[2]);
    void (*take_back)(const wadi_domain *domain);

    /* For an engine that keeps the state elsewhere; NULL if the block holds all. A failure is also noted in the
     * domain. */
    wadi_status (*fetch)(wadi_domain *domain, int field); /* copies a field into the block */
    /* For up to WADI_MOST_SUMMED fields: the sum of each row over cells with data. All rows of the first field come
     * first, then those of the next. The bits equal those that mass.c computes from a mirror. false: not possible. */
    bool (*sum_rows)(wadi_domain *domain, const wadi_summed *summed, int count, double *sums);
    /* Brings the device up to date before steps. Without memory nothing is lost or noted in the domain. */
    wadi_status (*prepare)(wadi_domain *domain);
    /* Builds into the cache what `prepare` will need. For several domains at the same time. NULL: there is nothing */
    void (*build_ahead)(const wadi_domain *domain);
    bool (*keep)(wadi_domain *domain);    /* copies the state; false: no room for a copy */
    void (*go_back)(wadi_domain *domain); /* restores the copy */
    /* Copies fields into OpenGL buffers, with the values of wadi_sim_get. WADI_ERROR_UNSUPPORTED is not noted. */
    wadi_status (*show)(wadi_domain *domain, const wadi_shown *shown, const unsigned *buffers, int count);
} wadi_engine_calls;

extern const wadi_engine_calls wadi_engine_cpu, wadi_engine_reference, wadi_engine_gpu, wadi_engine_parts,
    wadi_engine_stream;

#endif
