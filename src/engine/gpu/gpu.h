/* gpu.h (internal): the inside of the GPU engine. The state stays on the device; the host's block is its mirror
 * (core/mirror.c). */
#ifndef WADI_GPU_GPU_H
#define WADI_GPU_GPU_H

#include "engine/gpu/codegen/layout.h"
#include "engine/gpu/codegen/sweep_plan.h"
#include "engine/gpu/driver/driver.h"
#include "engine/gpu/grid.h"

#define WADI_GPU_ITEMS 128   /* work items of a group, except for the fused sweep */
#define WADI_GPU_FALL_ROWS 8 /* rows that a group rains on */

/* Interleaved fields: 32 columns of each in turn (kernels/places.h). */
typedef struct wadi_gpu_block {
    int fields;                /* 0: none are interleaved */
    int slot[WADI_MAX_FIELDS]; /* a field's place among them, from 1; 0: it has a buffer of its own */
    wadi_gpu_memory *now, *other, *kept;
} wadi_gpu_block;

/* Where sums are made. Each group has a slot; the device adds up the slots of a line. */
typedef struct wadi_gpu_reduction {
    wadi_gpu_memory *slots[WADI_SUMS], *totals;
    float *pairs; /* the host's copy of the totals */
    int slots_a_line, lines;
    bool used; /* since the sums were last fetched */
} wadi_gpu_reduction;

/* A loaded kernel of the fused sweep, for one number of sub-steps per pass. */
typedef struct wadi_gpu_sweep {
    bool ready;
    wadi_gpu_sweep_plan plan;
    wadi_gpu_program *program;
    wadi_gpu_kernel *kernel, *find_borders;
    wadi_gpu_memory *work_items;        /* as in kernels/fused_sweep.h, one per group */
    wadi_gpu_memory *neighbours, *done; /* persistent kernel: each one's neighbours; passes it has finished */
    int work_item_count;
    int most_passes; /* per launch */
    int passes_done; /* wraps around after the largest value */
    bool borders_found;
    wadi_gpu_reduction reduction;
} wadi_gpu_sweep;

enum { WADI_GPU_RAIN, WADI_GPU_SHOWER, WADI_GPU_FALLS };

/* Rain maps of one of the sub-steps of a pass, where rain varies by cell. */
typedef struct wadi_gpu_rain {
    wadi_gpu_memory *map[WADI_GPU_FALLS];
    uint8_t *touched[WADI_GPU_FALLS]; /* by row: rain from a disc falls on it */
    wadi_discs sent;
    wadi_gpu_memory *list[2],
        *starts; /* discs of this and the last sub-step, and rainfall events, if the device makes the maps */
    size_t room; /* of a list, in discs */
} wadi_gpu_rain;

#define WADI_GPU_FORECAST 64

/* Discs of the next sub-steps of a call, sent together: each transfer waits for the device. */
typedef struct wadi_gpu_forecast {
    int64_t begin, end, call_end;     /* in sub-steps of the call */
    wadi_discs of[WADI_GPU_FORECAST]; /* by sub-step, in the list */
    wadi_disc *list;
    size_t room;            /* of the list, in discs */
    wadi_gpu_memory *there; /* the list on the device, if it makes the maps */
} wadi_gpu_forecast;

typedef struct wadi_gpu_engine {
    const wadi_driver *driver;
    wadi_device about;
    wadi_gpu *gpu;
    wadi_gpu_grid grid; /* of fields with buffers of their own */
    char *choices;      /* the choices that programs are built for: how their source begins */
    wadi_gpu_program *common;
    wadi_gpu_kernel *start, *wrap, *move, *band, *look, *show, *add_up, *sum_rows, *fall, *shower;
    wadi_gpu_program *stages; /* built when a stage is run alone */
    wadi_gpu_kernel *plain[WADI_MAX_STAGES];
    wadi_gpu_reduction reduction; /* of the plain path */
    wadi_gpu_block block;
    wadi_gpu_memory *field[WADI_MAX_FIELDS], *other[WADI_MAX_FIELDS], *kept[WADI_MAX_FIELDS];
    bool stale;   /* a change that the programs or maps on the device do not have yet */
    bool no_room; /* no memory for a copy of the state, until something changes */
    wadi_gpu_memory *map[WADI_MAX_MAPS];
    wadi_gpu_memory *bad, *row_sums;
    wadi_gpu_memory *rows_on_way; /* of one interleaved field, contiguous */
    wadi_gpu_rain rain[WADI_GPU_SWEEP_SUBSTEPS];
    wadi_gpu_forecast forecast;
    float *rows;                                       /* of rain, to be sent */
    wadi_gpu_sweep_shape shape;                        /* 0 sub-steps: the plain path */
    bool measure;                                      /* autotune before the next steps */
    wadi_gpu_sweep sweep[WADI_GPU_SWEEP_SUBSTEPS + 1]; /* by sub-steps per pass */
} wadi_gpu_engine;

#define WADI_GPU_MEMORY(handle) ((wadi_gpu_argument){.memory = (handle)})
#define WADI_GPU_VALUE(variable) ((wadi_gpu_argument){.value = &(variable), .bytes = sizeof(variable)})

/* --- fields.c --- */
wadi_gpu_grid wadi_gpu_grid_of(const wadi_gpu_engine *engine, int field);
/* The interleaved fields as one field, whose rows hold all of them. */
wadi_gpu_grid wadi_gpu_grid_of_block(const wadi_gpu_engine *engine);
wadi_gpu_memory *wadi_gpu_terrain(const wadi_domain *domain);
wadi_gpu_memory *wadi_gpu_memory_of(const wadi_gpu_engine *engine, int field); /* NULL: not allocated yet */
/* The grid's cells in a buffer of a field's own, for transfers. */
wadi_gpu_rows wadi_gpu_rows_of(const wadi_domain *domain);
/* Copies a field's cells to the mirror, or from it. */
wadi_status wadi_gpu_fetch_field(const wadi_domain *domain, int field);
wadi_status wadi_gpu_send_field(const wadi_domain *domain, int field);
wadi_status wadi_gpu_call(const wadi_gpu_engine *engine, wadi_gpu_kernel *kernel, size_t groups_x, int64_t groups_y,
                          const wadi_gpu_argument *arguments, int count);
wadi_status wadi_gpu_send(const wadi_gpu_engine *engine, wadi_gpu_memory *to, const void *from, size_t bytes);
/* Allocates it, unless it is there. */
wadi_status wadi_gpu_allocate(const wadi_gpu_engine *engine, size_t bytes, wadi_gpu_memory **memory);
/* The same for a field, which then has its initial value. */
wadi_status wadi_gpu_allocate_field(const wadi_domain *domain, int field);
wadi_status wadi_gpu_start_field(const wadi_domain *domain, int field);
wadi_status wadi_gpu_start_map(const wadi_gpu_engine *engine, wadi_gpu_memory *map, float value);
wadi_status wadi_gpu_wrap_field(const wadi_gpu_engine *engine, int field);
wadi_status wadi_gpu_wrap_map(const wadi_gpu_engine *engine, wadi_gpu_memory *map);
/* Interleaves these fields and no others. Drops the copy of the state. */
wadi_status wadi_gpu_interleave(wadi_domain *domain, const bool *together);
/* Allocates the buffers that a sweep writes to: of the interleaved fields, and of these. */
wadi_status wadi_gpu_allocate_others(const wadi_domain *domain, const bool *alone);
void wadi_gpu_free_others(wadi_gpu_engine *engine);
void wadi_gpu_free_fields(wadi_gpu_engine *engine);
/* The last good state. */
wadi_status wadi_gpu_keep(const wadi_domain *domain);
wadi_status wadi_gpu_go_back(const wadi_domain *domain);
void wadi_gpu_drop_copy(wadi_domain *domain);

/* --- gpu.c --- */
/* Builds a program and frees its source. NULL: there was no memory for the source. */
wadi_status wadi_gpu_build(const wadi_driver *driver, wadi_gpu *gpu, char *source, wadi_gpu_program **program);

/* --- codegen/programs.c: the source of programs. NULL: no memory. malloc'ed. --- */
bool wadi_gpu_is_nvidia(const wadi_domain *domain);
char *wadi_gpu_choices(const wadi_domain *domain);
char *wadi_gpu_common_source(bool float64); /* the device has float64 */
char *wadi_gpu_plain_source(const wadi_domain *domain);
char *wadi_gpu_copy_source(void);
char *wadi_gpu_sweep_program_source(const wadi_domain *domain, const wadi_gpu_sweep_plan *plan);

/* --- rain.c --- */
/* A call of so many sub-steps begins. */
void wadi_gpu_rain_call(wadi_domain *domain, int64_t substeps);
/* Makes the rain maps of sub-step `ahead`, as the place-th of a pass. */
wadi_status wadi_gpu_rain_fall(wadi_domain *domain, int64_t ahead, int place);
/* Makes the maps as they are without discs and rainfall events. */
wadi_status wadi_gpu_rain_begin(wadi_domain *domain, int place);
void wadi_gpu_rain_free(wadi_gpu_engine *engine);
/* The buffer of a map for the place-th sub-step of a pass; NULL if it is the same in every cell. */
wadi_gpu_memory *wadi_gpu_map(const wadi_domain *domain, int map, int place);

/* --- autotune.c --- */
/* Groups of this shape that the device runs at once, as far as is known before the kernel is built. */
int wadi_gpu_groups_at_once(const wadi_domain *domain, const wadi_gpu_sweep_shape *shape);
/* The shape to begin with; 0 sub-steps: the plain path is better. measure: autotune once there is a state. */
void wadi_gpu_shape_default(const wadi_domain *domain, wadi_gpu_sweep_shape *shape, bool *measure);
/* Times several shapes on the state, which stays as it is; chooses the fastest and remembers it. */
void wadi_gpu_shape_measure(wadi_domain *domain);

/* --- reduce.c --- */
/* Allocates zeroed slots for the sums of the stages that run. */
wadi_status wadi_gpu_make_reduction(const wadi_domain *domain, wadi_gpu_reduction *reduction, int slots_a_line,
                                    int lines);
void wadi_gpu_free_reduction(const wadi_gpu_engine *engine, wadi_gpu_reduction *reduction);
wadi_status wadi_gpu_open_reduction(const wadi_domain *domain); /* memory for the results */
/* Adds the sums since the last call to those of the simulation. */
wadi_status wadi_gpu_add_sums(wadi_domain *domain);
wadi_status wadi_gpu_look(wadi_domain *domain, bool *finite);
/* Sums of rows with the bits of core/mass.c (wadi_engine_calls). */
wadi_status wadi_gpu_sum_rows(wadi_domain *domain, const wadi_summed *summed, int count, double *sums);

/* --- sweep_launch.c --- */
/* Prepares the kernel for so many sub-steps per pass. fits: false if the device lacks memory or the stages do not suit
 * it. */
wadi_status wadi_gpu_sweep_open(wadi_domain *domain, int per_pass, bool *fits);
/* Partitions the rows of the loaded kernel anew, as the engine's shape says. Large work items stay large. */
wadi_status wadi_gpu_sweep_partition(wadi_domain *domain, int per_pass);
/* Runs passes of so many sub-steps each. */
wadi_status wadi_gpu_sweep_run(wadi_domain *domain, int per_pass, int64_t ahead, int passes);
/* Does the work of so many passes without changing the state. */
wadi_status wadi_gpu_sweep_try(wadi_domain *domain, int per_pass, int passes);
/* Nothing has to be done between passes, and groups can wait for each other. */
bool wadi_gpu_sweep_may_persist(const wadi_domain *domain);
/* Passes that one call of wadi_gpu_sweep_run may do. */
int wadi_gpu_sweep_most_passes(const wadi_domain *domain, int per_pass);
void wadi_gpu_sweep_close(wadi_gpu_engine *engine);
/* Work items if large ones have so many rows. Below FEW_ROWS all but those at the border are large. */
#define WADI_GPU_FEW_ROWS 64
int wadi_gpu_work_items_of(const wadi_domain *domain, const wadi_gpu_sweep_plan *plan, int rows);

#endif
