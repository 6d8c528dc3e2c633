/* march.h (internal): the text of a kernel that does all stages of one or more sub-steps in a walk down the rows. */
#ifndef WADI_GPU_MARCH_H
#define WADI_GPU_MARCH_H

#include "engine/schedule/schedule.h"
#include "engine/gpu/codegen/source_text.h"

#define WADI_MARCH_LEVELS 4
#define WADI_MARCH_BESIDE 32    /* pieces that a resident group may have to wait for; lanes of a warp */
#define WADI_GPU_MARGIN_ROWS 32 /* above and below the grid */
#define WADI_GPU_ENDINGS 5

/* What may be chosen; no bit depends on it. */
typedef struct wadi_march_shape {
    int levels;   /* sub-steps that a walk does */
    int columns;  /* of an item: 1, 2 or 4 where lanes shuffle, else of a whole strip */
    int strips;   /* side by side in a group: by warps where lanes shuffle, else 1 */
    bool shuffle; /* 32 lanes do a strip and hand values on to each other: NVIDIA's; else one item does it */
    int prefetch; /* rows that are on their way, into memory of the group; NVIDIA's; else 0 */
    int groups;   /* that a multiprocessor is to hold at least, by having fewer registers each; 0: as it comes */
    int rows;     /* of a large piece (walk.c) */
    int side;     /* of one at the border's left and right; 0: as suits most */
    int ending;   /* how a column of pieces ends, of WADI_GPU_ENDINGS; 0: as suits most */
} wadi_march_shape;

/* What a field is to a walk. */
typedef enum wadi_march_role {
    WADI_MARCH_UNUSED,
    WADI_MARCH_RING,  /* rows of it are kept */
    WADI_MARCH_GIVEN, /* nothing in a walk changes it: rows are kept if it is read at the cell, else it is read there */
    WADI_MARCH_SOMETIMES /* changed by a stage that does not run every time, and alone has to do with it */
} wadi_march_role;

typedef struct wadi_march_plan {
    wadi_march_shape shape;
    wadi_schedule schedule; /* of one level */
    int halo;               /* rows and columns beside that a level needs */
    int margin;             /* the same in whole items */
    int lag;                /* of the last */
    int behind;             /* rows between a level and the next */
    int phases;             /* rows that a level may be ahead of the next, and one; a power of 2 */
    int own_columns, items; /* of a group */
    wadi_march_role role[WADI_MAX_FIELDS];
    int from[WADI_MAX_FIELDS], to[WADI_MAX_FIELDS]; /* rows that are kept: so many behind the walk */
    int last[WADI_MAX_FIELDS];                      /* the lag at which it is what it stays; -1: it is not written */
    bool wide[WADI_MAX_FIELDS];                     /* neighbours' are read */
    int side[WADI_MAX_FIELDS];   /* one neighbour's alone, so many columns to the right: it is kept in
                                    the place of the reader's own */
    int parked[WADI_MAX_FIELDS]; /* rows that wait in the group's memory: not all that are kept stay in registers */
    int parked_rows;             /* of all fields */
    int fields;                  /* whose rows lie together: those that a walk hands on */
    int given;                   /* what nothing changes, of which rows are kept; the last, maps: */
    int maps;
    int depth, row_floats; /* of what a level takes its rows from, a power of 2 of each */
    int parked_from;       /* of a group's memory, in floats */
    int rows_floats;       /* for all levels, of a group's memory, with what is parked */
    bool sums[WADI_SUMS];
    int every;      /* sub-steps between those at which stages are due that do not run every time; 0: there are none */
    bool long_rows; /* a row's text is long, and so is building it */
    bool resident;  /* groups are all there at the same time, and may do several passes (kernels/fused_sweep.h) */
} wadi_march_plan;

/* false: no memory; or, with status OK, the model's stages are no good for it in this shape. Free the schedule. */
wadi_status wadi_march_plan_make(wadi_march_plan *plan, const wadi_sim *sim, const wadi_march_shape *shape, bool *fits);
void wadi_march_plan_free(wadi_march_plan *plan);
size_t wadi_march_local_bytes(const wadi_march_plan *plan); /* of a group's memory */
/* The kernel "march", with what it includes. Its arguments: those of wadi_march_arguments, the sums there are, pieces,
 * and if it is resident which are beside each and what is done of each; constants, grid, passes. */
void wadi_march_text(wadi_program_text *text, const wadi_march_plan *plan, const wadi_sim *sim);

/* State that a walk changes, and so reads from one memory and writes to another; sometimes: only if a stage is due. */
bool wadi_march_changes(const wadi_march_plan *plan, const wadi_sim *sim, int field, bool sometimes);

/* Calls, in the order of the kernel's arguments, what each is. */
typedef enum wadi_march_argument {
    WADI_MARCH_NOW,  /* the state that lies together, as it is */
    WADI_MARCH_NEXT, /* and as it will be */
    WADI_MARCH_IN,   /* a field that changes sometimes */
    WADI_MARCH_OUT,
    WADI_MARCH_FIELD,
    WADI_MARCH_MAP
} wadi_march_argument;
void wadi_march_arguments(const wadi_march_plan *plan, const wadi_sim *sim,
                          void (*each)(void *context, wadi_march_argument what, int index, int level), void *context);
int wadi_gpu_columns(const wadi_sim *sim);             /* of a row with its margin */
bool wadi_gpu_is_raster(const wadi_sim *sim, int map); /* a map there is, or rain that differs by place */
bool wadi_gpu_is_rain(const wadi_sim *sim, int map);

#endif
