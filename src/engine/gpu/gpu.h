/* gpu.h (internal): the GPU engine's inside. The state stays on the device; the block is its mirror (core/mirror.c). */
#ifndef WADI_GPU_GPU_H
#define WADI_GPU_GPU_H

#include "engine/gpu/codegen/sweep_plan.h"
#include "engine/gpu/driver/driver.h"

#define WADI_GPU_MARGIN 32   /* columns beside the grid, so that rows start aligned */
#define WADI_GPU_ITEMS 128   /* of a group, but for the walk's */
#define WADI_GPU_FALL_ROWS 8 /* of a group that lets drops fall */

/* As in kernels/places.h. */
typedef struct wadi_gpu_grid {
    int64_t origin, pitch;
    int32_t width, height, wrap, columns, apart;
} wadi_gpu_grid;

/* Fields that lie together, by 32 columns of each in turn (kernels/places.h). */
typedef struct wadi_gpu_block {
    int fields;                /* 0: there are none */
    int slot[WADI_MAX_FIELDS]; /* which of them the field is, from 1; 0: it has memory of its own */
    wadi_gpu_memory *now, *other, *kept;
} wadi_gpu_block;

/* Where sums are made: each group has a slot; a line of them is added up on the device. */
typedef struct wadi_gpu_tally {
    wadi_gpu_memory *slots[WADI_SUMS], *totals;
    int slots_a_line, lines;
    bool used; /* since it was told */
} wadi_gpu_tally;

/* A kernel that walks. */
typedef struct wadi_gpu_sweep {
    bool ready;
    wadi_gpu_sweep_plan plan;
    wadi_gpu_program *program;
    wadi_gpu_kernel *kernel, *find_borders;
    wadi_gpu_memory *pieces;        /* as in kernels/fused_sweep.h: each group's */
    wadi_gpu_memory *beside, *done; /* of resident groups: which pieces each waits for; passes it has told of */
    int piece_count;
    int most_passes; /* in one launch */
    int passes_done; /* may begin anew after the largest */
    bool borders_found;
    wadi_gpu_tally tally;
} wadi_gpu_sweep;

enum { WADI_GPU_RAIN, WADI_GPU_SHOWER, WADI_GPU_FALLS };

/* What falls in one of the sub-steps that a walk does: maps of it, where it differs by place. */
typedef struct wadi_gpu_rain {
    wadi_gpu_memory *map[WADI_GPU_FALLS];
    uint8_t *touched[WADI_GPU_FALLS]; /* by row: something lies on it */
    wadi_discs sent;
    wadi_gpu_memory *list[2], *starts; /* discs now and before, and showers, where the device itself makes the maps */
    size_t room;                       /* of a list, in discs */
} wadi_gpu_rain;

#define WADI_GPU_FORECAST 64

/* Discs of the sub-steps that come next in a call, sent all at once: to send something is to wait for the device. */
typedef struct wadi_gpu_forecast {
    int64_t begin, end, call_end;     /* sub-steps of the call */
    wadi_discs of[WADI_GPU_FORECAST]; /* each one's, in the list */
    wadi_disc *list;
    size_t room;            /* of the list, in discs */
    wadi_gpu_memory *there; /* the same on the device, where it makes the maps itself */
} wadi_gpu_forecast;

typedef struct wadi_gpu_engine {
    const wadi_driver *driver;
    wadi_device about;
    wadi_gpu *gpu;
    wadi_gpu_grid grid; /* of what has memory of its own */
    char *choices;      /* what the programs were made for: the beginning of their text */
    wadi_gpu_program *common;
    wadi_gpu_kernel *start, *wrap, *move, *band, *look, *show, *add_up, *sum_rows, *fall, *shower;
    wadi_gpu_program *stages; /* built when a stage is to be run by itself, for where the fields lie */
    wadi_gpu_kernel *plain[WADI_MAX_STAGES];
    wadi_gpu_tally tally; /* of the plain path */
    wadi_gpu_block block;
    wadi_gpu_memory *field[WADI_MAX_FIELDS], *other[WADI_MAX_FIELDS], *kept[WADI_MAX_FIELDS];
    bool stale;   /* something has changed that the programs or maps on the device must know */
    bool no_room; /* for a copy of the state, till something changes */
    wadi_gpu_memory *map[WADI_MAX_MAPS];
    wadi_gpu_memory *bad, *row_sums;
    wadi_gpu_memory *rows_on_way; /* of a field that lies among others, one after the other */
    wadi_gpu_rain rain[WADI_GPU_SWEEP_SUBSTEPS];
    wadi_gpu_forecast forecast;
    float *rows;                                      /* of rain, to be sent */
    wadi_gpu_sweep_shape shape;                       /* of 0 levels: the plain path */
    bool measure;                                     /* which shape is best is to be found out */
    wadi_gpu_sweep walk[WADI_GPU_SWEEP_SUBSTEPS + 1]; /* by sub-steps a pass */
} wadi_gpu_engine;

#define WADI_GPU_MEMORY(handle) ((wadi_gpu_argument){.memory = (handle)})
#define WADI_GPU_VALUE(variable) ((wadi_gpu_argument){.value = &(variable), .bytes = sizeof(variable)})

/* --- fields.c --- */
wadi_gpu_grid wadi_gpu_grid_alone(const wadi_def *def);
wadi_gpu_grid wadi_gpu_grid_of(const wadi_gpu_engine *engine, int field);
/* As one field, with all that is in a row as its cells. */
wadi_gpu_grid wadi_gpu_grid_of_block(const wadi_gpu_engine *engine);
wadi_gpu_memory *wadi_gpu_memory_of(const wadi_gpu_engine *engine, int field); /* NULL: there is none yet */
/* Of a field with memory of its own. */
size_t wadi_gpu_bytes(const wadi_gpu_grid *grid);
/* The grid's cells of what has memory of its own, as the driver sends and fetches them. */
wadi_gpu_rows wadi_gpu_rows_of(const wadi_sim *sim);
/* A field's cells go to the mirror, or come from there. */
wadi_status wadi_gpu_fetch_field(const wadi_sim *sim, int field);
wadi_status wadi_gpu_send_field(const wadi_sim *sim, int field);
wadi_status wadi_gpu_call(const wadi_gpu_engine *engine, wadi_gpu_kernel *kernel, size_t groups_x, int64_t groups_y,
                          const wadi_gpu_argument *arguments, int count);
wadi_status wadi_gpu_send(const wadi_gpu_engine *engine, wadi_gpu_memory *to, const void *from, size_t bytes);
/* What there is not yet. */
wadi_status wadi_gpu_allocate(const wadi_gpu_engine *engine, size_t bytes, wadi_gpu_memory **memory);
/* The same for a field, which is then what it is at the start. */
wadi_status wadi_gpu_allocate_field(const wadi_sim *sim, int field);
wadi_status wadi_gpu_start_field(const wadi_sim *sim, int field);
wadi_status wadi_gpu_start_map(const wadi_gpu_engine *engine, wadi_gpu_memory *map, float value);
wadi_status wadi_gpu_wrap_field(const wadi_gpu_engine *engine, int field);
wadi_status wadi_gpu_wrap_map(const wadi_gpu_engine *engine, wadi_gpu_memory *map);
/* These fields, and no others, lie together from now on. The copy of the state is dropped. */
wadi_status wadi_gpu_lay_together(wadi_sim *sim, const bool *together);
/* A second memory for those that lie together, and for these, to write to. */
wadi_status wadi_gpu_allocate_others(const wadi_sim *sim, const bool *alone);
void wadi_gpu_free_others(wadi_gpu_engine *engine);
void wadi_gpu_free_fields(wadi_gpu_engine *engine);
/* The last good state. */
wadi_status wadi_gpu_keep(const wadi_sim *sim);
wadi_status wadi_gpu_go_back(const wadi_sim *sim);
void wadi_gpu_drop_copy(wadi_sim *sim);

/* --- gpu.c --- */
/* Builds a program and frees its text; NULL: there was no memory for it. */
wadi_status wadi_gpu_build(const wadi_driver *driver, wadi_gpu *gpu, char *source, wadi_gpu_program **program);

/* --- codegen/programs.c: the source of programs. NULL: no memory. malloc'ed. --- */
int wadi_gpu_columns(const wadi_sim *sim);             /* of a row with its margin */
bool wadi_gpu_is_raster(const wadi_sim *sim, int map); /* a constant that varies by cell, or rain that does */
bool wadi_gpu_is_rain(const wadi_sim *sim, int map);
bool wadi_gpu_is_nvidia(const wadi_sim *sim);
char *wadi_gpu_choices(const wadi_sim *sim);
char *wadi_gpu_common_source(bool float64); /* float64: the device has it */
char *wadi_gpu_plain_source(const wadi_sim *sim);
char *wadi_gpu_copy_source(void);
char *wadi_gpu_sweep_program_source(const wadi_sim *sim, const wadi_gpu_sweep_plan *plan);

/* --- rain.c --- */
/* A call of so many sub-steps begins. */
void wadi_gpu_rain_call(wadi_sim *sim, int64_t substeps);
/* Makes the level's maps what falls in sub-step `ahead`. */
wadi_status wadi_gpu_rain_fall(wadi_sim *sim, int64_t ahead, int level);
/* Makes them what they are where nothing falls from discs and showers. */
wadi_status wadi_gpu_rain_begin(wadi_sim *sim, int level);
void wadi_gpu_rain_free(wadi_gpu_engine *engine);
/* What a kernel is given for a map, at a level of its walk; NULL where it is the same everywhere. */
wadi_gpu_memory *wadi_gpu_map(const wadi_sim *sim, int map, int level);

/* --- shape.c --- */
/* Groups of the shape that the device holds at the same time, as far as is known before the kernel is built. */
int wadi_gpu_groups_at_once(const wadi_sim *sim, const wadi_gpu_sweep_shape *shape);
/* The walk's shape; of 0 levels where the plain path is better. measure: it should be, when there is a state. */
void wadi_gpu_shape_default(const wadi_sim *sim, wadi_gpu_sweep_shape *shape, bool *measure);
/* Tries some shapes on the state, which stays what it is, chooses the fastest and has it remembered. */
void wadi_gpu_shape_measure(wadi_sim *sim);

/* --- tally.c --- */
/* Slots for the sums of stages that run, all 0. */
wadi_status wadi_gpu_make_tally(const wadi_sim *sim, wadi_gpu_tally *tally, int slots_a_line, int lines);
void wadi_gpu_free_tally(const wadi_gpu_engine *engine, wadi_gpu_tally *tally);
wadi_status wadi_gpu_open_tally(const wadi_sim *sim); /* memory for what is told */
/* Adds what was summed since to the simulation's sums. */
wadi_status wadi_gpu_add_sums(wadi_sim *sim);
wadi_status wadi_gpu_look(wadi_sim *sim, bool *finite);
/* Sums of rows, bit by bit those of core/mass.c, as wadi_engine_calls has it. */
wadi_status wadi_gpu_sum_rows(wadi_sim *sim, const wadi_summed *summed, int count, double *sums);

/* --- walk.c --- */
/* Makes the engine's kernel for so many sub-steps ready. fits: false where there can be none, for want of memory on the
 * device or because the stages are too much for it. */
wadi_status wadi_gpu_sweep_open(wadi_sim *sim, int levels, bool *fits);
/* What is open shares its rows out as the engine's shape has it now, in large pieces as before. */
wadi_status wadi_gpu_sweep_partition(wadi_sim *sim, int levels);
/* One pass or more, with so many sub-steps each. */
wadi_status wadi_gpu_sweep_run(wadi_sim *sim, int levels, int64_t ahead, int passes);
/* Does the work of so many passes for nothing. */
wadi_status wadi_gpu_sweep_try(wadi_sim *sim, int levels, int passes);
/* Whether nothing has to be told or done between passes, and groups can wait for each other. */
bool wadi_gpu_sweep_may_persist(const wadi_sim *sim);
/* How many there may be in one call of wadi_gpu_sweep_run. */
int wadi_gpu_sweep_most_passes(const wadi_sim *sim, int levels);
void wadi_gpu_sweep_close(wadi_gpu_engine *engine);
/* How many pieces there are if large ones have so many rows; under FEW_ROWS, all are large but those at the border. */
#define WADI_GPU_FEW_ROWS 64
int wadi_gpu_pieces_of(const wadi_sim *sim, const wadi_gpu_sweep_plan *plan, int rows);

#endif
