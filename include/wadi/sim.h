/* sim.h: a simulation: create it from a definition, set fields, step, read fields, destroy.
 *
 *     wadi_def def = wadi_default_def(wadi_model_find("jako2011"), 512, 512, 1.0, 1.0);
 *     wadi_def_set(&def, "Kc", 2);
 *     wadi_sim *sim;
 *     if (wadi_sim_create(&def, &sim) != WADI_OK) puts(wadi_error_message());
 *     wadi_sim_set(sim, "height", heights, 512 * 512);
 *     wadi_sim_step(sim, 1000);
 *     wadi_sim_get(sim, "height", heights, 512 * 512);
 *     wadi_sim_destroy(sim);
 *
 * Fields are float32, row-major, width * height values, the first row at the top (y = 0). A NaN in "height" marks a
 * cell without data: the simulation leaves it out, and reads give NaN there. The same definition and fields give the
 * same bits on any engine and with any number of threads.
 *
 * Use a simulation from one thread at a time. With `threads` 1, or steps of a small grid, it computes in that thread
 * alone. A forked child can go on with simulations on the CPU if no call of the
 * library was running at the fork; it gets new threads. Simulations on a GPU stay with the parent. */
#ifndef WADI_SIM_H
#define WADI_SIM_H

#include "wadi/model.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WADI_MAX_PARAMETERS 48
#define WADI_MAX_KNOBS 8

/* The engines, those of the CPU and those of GPUs: constant and name. A GPU engine's driver is
 * src/engine/gpu/driver/<name>.c. */
#define WADI_EACH_ENGINE(HOST, GPU) HOST(CPU, cpu) HOST(REFERENCE, reference) GPU(OPENCL, opencl) GPU(CUDA, cuda)
#define WADI_ENGINE_CONSTANT(constant, name) WADI_ENGINE_##constant,

/* For GPUs see device.h. AUTO: the fastest engine. All give the same bits, except with RELAXED arithmetic. */
typedef enum wadi_engine {
    WADI_EACH_ENGINE(WADI_ENGINE_CONSTANT, WADI_ENGINE_CONSTANT) WADI_ENGINE_AUTO /* and their number */
} wadi_engine;

WADI_API const char *wadi_engine_name(wadi_engine engine); /* "opencl"; "auto"; NULL for invalid values */
WADI_API bool wadi_engine_is_gpu(wadi_engine engine);

/* STRICT: operations round as IEEE 754 requires. RELAXED: rounding is left to the GPU's compiler. This is a little
 * faster, and also runs on GPUs that do not round so. The CPU engines are always strict. */
typedef enum wadi_arithmetic { WADI_STRICT, WADI_RELAXED } wadi_arithmetic;

/* Random rain: each step, `count` discs of `radius_m` at uniformly random places, each raining rate_m_s. */
typedef struct wadi_drops {
    double count; /* drops per step on the whole grid, at most one per cell; 0: none. A fraction is a probability */
    double radius_m;
    double rate_m_s;
} wadi_drops;

/* Who computes a part of the grid. given false: `engine` and `device` of the definition. */
typedef struct wadi_part {
    bool given;
    wadi_engine engine;
    int device; /* of this engine; -1: the fastest with enough memory */
} wadi_part;
#define WADI_MOST_PARTS 16

/* The grid is a tile of a larger one, and erodes as a part of it. Cells that are further from the tile's sides than
 * wadi_def_reach have the bits of the whole. Sides inside the whole are computed as if they were its border. Random
 * drops, showers and sources have places in the whole. A parameter that is a map keeps the value it had before: it must
 * be the largest of the whole map. The sea is not filled in: set the water. */
typedef struct wadi_tile {
    int x, y;             /* of its first cell in the whole */
    int width, height;    /* of the whole, in cells; 0: the grid is no tile */
    double low_m, high_m; /* lowest and highest cell of the whole terrain as given */
} wadi_tile;

/* Threads of the caller's, for a program that has a job system of its own: the library starts none for the steps. */
typedef void wadi_crew_job(void *work, int me, int members);
typedef struct wadi_crew {
    int count;     /* most members, 1 to WADI_MOST_THREADS */
    void *context; /* of the call below */
    /* Calls job(work, 0, members) to job(work, members - 1, members), and returns when all have returned. All run at
     * the same time, each in a thread of its own, since they wait for each other. The caller's thread may be one of
     * them. members: 1 to `most`, as many as are free now. Any number gives the same bits. */
    void (*run)(void *context, wadi_crew_job *job, void *work, int most);
} wadi_crew;

typedef struct wadi_def {
    const wadi_model *model;
    int width, height; /* cells, 2 or more each */
    double lx, ly;     /* m: the size of a cell */
    wadi_scale scale;  /* how a preset's values, and the ranges, become those of this grid; see model.h */
    double world_m;    /* WORLD: longer side of the terrain that the grid is a part of; 0: the grid is all of it */
    wadi_boundary boundary;
    wadi_tile tile;     /* not of a periodic grid */
    wadi_engine engine; /* default WADI_ENGINE_CPU */
    int device;         /* number of the engine's device; -1, the default: the fastest with enough memory */
    wadi_arithmetic arithmetic;
    bool tune; /* default true: a GPU measures kernel variants at first use and remembers the fastest */
    /* About how many steps it will make; 0: unknown, or many. If few, WADI_ENGINE_AUTO prefers what starts sooner, and
     * a GPU measures for at most a twentieth of the time that they take. */
    int64_t expected_steps;
    int expected_sims; /* of a run: stages and coarser levels too, each with kernels of its own; 0: this one alone */
    int threads;       /* 0: as many as the machine has and the grid can use; at most WADI_MOST_THREADS */
    const wadi_crew *crew; /* computes steps on the CPU, without parts; it outlives the simulation. All else is done in
                            * the thread of the call. GPUs do not use it. NULL: the library's own threads */
    const char *isa;       /* NULL: the widest of this CPU; else "baseline", "avx2" or "avx512" (for tests) */
    int substeps_per_pass; /* sub-steps per pass over memory, at most 16; 0: automatic */
    int tile_columns;      /* width of a column tile in columns, a multiple of 16; 0: automatic, from the cache size */
    /* More than 1: the grid is cut into so many parts of whole rows, which are computed side by side, with the same
     * bits. Fewer, where the grid is too low for them. At most WADI_MOST_PARTS */
    int parts;
    wadi_part part[WADI_MOST_PARTS];
    const struct wadi_team
        *team;                 /* team.h: the processes that have the parts, one at least each; NULL: this one alone */
    int substeps_per_exchange; /* sub-steps between exchanges of rows among parts or slabs, at most 16; 0: automatic */
    /* Most bytes of memory, and of a GPU's memory. A grid that needs more lies in files without a name, and slabs of
     * its rows are computed one after the other, with the same bits. It has no copy of the last good state. 0: no
     * limit. `scratch` is the folder of these files; NULL: TMPDIR, or the system's folder for large temporary files. A
     * grid in parts keeps the fields of the whole there too, if it is given. */
    uint64_t memory_limit;
    const char *scratch;
    int slab_rows; /* rows of a slab with its margins, whatever the limit is (for tests); 0: as many as it allows */
    uint64_t seed; /* of random rain */
    wadi_drops drops;
    bool allow_out_of_range;
    bool keep_good_state; /* default true: keeps a copy of the state at the last check, so that a NaN can be traced */
    int check_every;      /* steps between checks for values that are not finite; default 64 */
    double values[WADI_MAX_PARAMETERS]; /* in the order of the model's table, in SI units */
    double knobs[WADI_MAX_KNOBS];       /* where wadi_def_knob moved them, in the order of the model's table */
} wadi_def;

/* The model's default preset. Never fails: wadi_sim_create reports a NULL model or an invalid size. */
WADI_API wadi_def wadi_default_def(const wadi_model *model, int width, int height, double lx, double ly);
/* Sets every parameter, the boundary and the scale from the preset, and all knobs to 0.5, for the definition's grid and
 * world_m. */
WADI_API wadi_status wadi_def_preset(wadi_def *def, const wadi_preset *preset);
/* The same with another scale than the preset's own. */
WADI_API wadi_status wadi_def_preset_scaled(wadi_def *def, const wadi_preset *preset, wadi_scale scale);
/* Moves a knob from 0.5 to `position`, 0 to 1. Its parameters move from the values that they have, and stay inside
 * wadi_def_bounds. So begin with a preset, move each knob once, and set single parameters last. Moving a knob twice is
 * an argument error. 0.5 changes no bit. */
WADI_API wadi_status wadi_def_knob(wadi_def *def, const char *name, double position);
/* The preset at the definition's scale, then every knob of the model's table, in its order. */
WADI_API wadi_status wadi_def_knobs(wadi_def *def, const wadi_preset *preset, const double positions[WADI_MAX_KNOBS]);
/* The steps of the definition's time step that the preset lasts, at the definition's scale and knobs; 1 at least. */
WADI_API int64_t wadi_def_preset_steps(const wadi_def *def, const wadi_preset *preset);
/* Sets one parameter, by symbol or alias. The range is that of wadi_def_bounds. */
WADI_API wadi_status wadi_def_set(wadi_def *def, const char *name, double value);
/* The same from text: a number, or the name of a choice. */
WADI_API wadi_status wadi_def_set_text(wadi_def *def, const char *name, const char *text);
/* Smallest and largest value allowed at the definition's scale, for its own cells or for 512 along the terrain. */
WADI_API void wadi_def_bounds(const wadi_def *def, int parameter, double *minimum, double *maximum);
/* Whether the sub-steps of a step follow the deepest water, so that a step has one or more of them. */
WADI_API bool wadi_def_substeps_follow(const wadi_def *def);
/* Whether there is a sea, which needs an open border. *level_m (NULL: not wanted): its height, to 1/1024 m. The border
 * is held at this height where the bed is lower. Setting the height floods what is lower and joined to the border. */
WADI_API bool wadi_def_sea(const wadi_def *def, double *level_m);
/* Whether the sea is water of the model's, which stands and is booked. In schott2023 and braun1999 it is not: the map
 * "water" shows it, and setting "water" leaves cells below it without water of the model. */
WADI_API bool wadi_def_sea_stands(const wadi_def *def);
/* Total bytes that wadi_sim_create and a run need. wadi_sim_take needs 4 more per cell. */
WADI_API uint64_t wadi_def_memory(const wadi_def *def);
/* longest_dt_s: the longest stable step (s), with the safety factor. substeps: the number of sub-steps of each dt.
 * Where they follow the deepest water (mei2007, jako2011: substeps = adaptive), it is the largest that they can have.
 * Of a simulation that has begun it is that of the next step. warning: NULL, or one line for the user (for example, an
 * erosion number that makes checkerboards). It lives until this thread's next call. wadi_def_safety assumes flat
 * terrain; wadi_sim_safety uses the terrain. */
typedef struct wadi_safety {
    double dt_s, longest_dt_s;
    int substeps;
    const char *warning;
} wadi_safety;
WADI_API wadi_safety wadi_def_safety(const wadi_def *def);

/* The same for a simulation in its current state. For a parameter that is a map, the largest value counts. */
typedef struct wadi_sim wadi_sim;
WADI_API wadi_safety wadi_sim_safety(const wadi_sim *sim);

WADI_API wadi_status wadi_sim_create(const wadi_def *def, wadi_sim **sim);
WADI_API void wadi_sim_destroy(wadi_sim *sim); /* takes NULL */

/* Sets a field: "height" (m; NaN: no data), "water" (m), "sediment" (m), "hardness" (0..1), "ice" (m; braun1999) or
 * "mask" (0: the bed is protected, 1: it erodes). Or sets a per-cell parameter by symbol or alias, in its unit.
 * "height" sets the starting terrain and resets the rest: no water or ice, the uniform hardness. So set it first.
 * "change" (m) sets what has changed since then, as wadi_sim_take would: the balance counts it as another simulation's.
 * Cells that are base level keep their height (schott2023, open border). count must be width * height. */
WADI_API wadi_status wadi_sim_set(wadi_sim *sim, const char *field, const float *values, size_t count);
/* Returns the error that "water", "sediment", "hardness", "ice", "mask" or a parameter would give there for these
 * values, and sets nothing. */
WADI_API wadi_status wadi_sim_check_map(const wadi_sim *sim, const char *field, const float *values, size_t count);

/* Reads a map of wadi/map.h ("height", "water", "flow", ...), which has its unit and meaning; any state field by its
 * symbol; or any per-cell parameter by symbol or alias. A parameter without a map gives its value in all cells. */
WADI_API wadi_status wadi_sim_get(const wadi_sim *sim, const char *field, float *values, size_t count);
/* A rectangle of cells, inside the grid: x .. x + width - 1, y .. y + height - 1. */
typedef struct wadi_rect {
    int x, y, width, height;
} wadi_rect;
/* The same for a rectangle. The rows of `values` begin `stride` floats apart, which is at least the rectangle's width.
 * What lies between them stays as it is. */
WADI_API wadi_status wadi_sim_get_rect(const wadi_sim *sim, const char *field, const wadi_rect *rect, float *values,
                                       size_t stride);
/* The same without a copy: *values points to cell (0, 0) in the engine's memory, and rows begin *stride floats apart.
 * Steps change these values; the pointer lives as long as the simulation. Only for what lies in memory as wadi_sim_get
 * gives it ("water", "change", ... of a grid without nodata on the CPU); else WADI_ERROR_UNSUPPORTED. */
WADI_API wadi_status wadi_sim_borrow(const wadi_sim *sim, const char *field, const float **values, size_t *stride);

/* A field of a simulation: a map of wadi/map.h or a parameter. The texts live as long as the program. */
typedef struct wadi_field_facts {
    const char *name;    /* as wadi_sim_get takes it */
    const char *unit;    /* "m", "m3/s"; "1": a number without a unit */
    const char *meaning; /* one line */
    bool settable;       /* wadi_sim_set takes it too */
    bool parameter;      /* of the model, per cell; by its symbol */
} wadi_field_facts;
/* Fills in up to `most` fields, the maps first. Returns how many there are. */
WADI_API size_t wadi_sim_fields(const wadi_sim *sim, wadi_field_facts *fields, size_t most);
/* Whether the model has this field, as wadi_sim_get takes it. */
WADI_API bool wadi_sim_has(const wadi_sim *sim, const char *field);
/* Whether a parameter, by symbol or alias, has a map. */
WADI_API bool wadi_sim_has_map(const wadi_sim *sim, const char *parameter);
/* The same without a copy through the host: reads `count` fields ("height", or state fields) into as many OpenGL
 * buffers of width * height floats. The bits are the same (NaN: no data), and OpenGL can use them when this returns. An
 * OpenGL context with these buffers, on the simulation's GPU, must be current in this thread, now and when the
 * simulation is destroyed. It must have finished with the old contents. Until the simulation is destroyed, the buffers
 * must keep their size. WADI_ERROR_UNSUPPORTED: the engine is not CUDA, or the context is on another device; nothing
 * has changed then. */
#define WADI_MOST_GL_FIELDS 8
WADI_API wadi_status wadi_sim_get_gl(const wadi_sim *sim, const char *const *fields, const unsigned *buffers,
                                     size_t count);
/* Frees the memory that only stepping needs (the copy of the last good state), until the next step. */
WADI_API void wadi_sim_trim(wadi_sim *sim);

/* A river source: water arrives evenly over the disc's cells, at rate_m3s, from start_s to end_s of simulated time. A
 * step that the source is active in for a part gets that part of the water. So the total is
 * rate_m3s * (end_s - start_s) for any dt. */
typedef struct wadi_source {
    double x, y; /* cells from the top left corner of the grid: the first cell's centre is 0.5, 0.5 */
    double radius_m, rate_m3s, start_s, end_s; /* a radius below half a cell: one cell */
} wadi_source;
#define WADI_MOST_SOURCES 1000000
WADI_API wadi_status wadi_sim_set_sources(wadi_sim *sim, const wadi_source *sources, size_t count);

/* The array belongs to the simulation and lives until the sources are changed. */
WADI_API const wadi_source *wadi_sim_sources(const wadi_sim *sim, size_t *count);

/* Copies the state of the terrain from `from`, bit for bit: height (its start and its change, separately), water,
 * sediment, and hardness and ice if both models have them. All else stays: parameters, rain, sources, mask, time,
 * flows, mean discharge. So models run one after the other or in turns: a.take(b), step a, b.take(a), step b, ... Grid
 * and cell size must be equal. In schott2023 and braun1999 sediment is on its way through. So between one of them and
 * any other model it is not copied: what is suspended settles, and what passes stays. Once `sim` has made a step, the
 * starting terrain must be equal too. */
WADI_API wadi_status wadi_sim_take(wadi_sim *sim, const wadi_sim *from);

/* Changes one parameter from the next step on. Processes can be switched too. The value replaces a map. */
WADI_API wadi_status wadi_sim_set_parameter(wadi_sim *sim, const char *name, double value);
/* Changes the random rain from the next step on. */
WADI_API wadi_status wadi_sim_set_drops(wadi_sim *sim, const wadi_drops *drops);

#define WADI_MOST_STEPS (INT64_C(1) << 53) /* in total, per simulation */
/* Advances by `steps` steps of dt, 0 or more. After WADI_ERROR_NUMERIC, with keep_good_state, the simulation has an
 * earlier good state: that of the last check, or of a copy some checks before. */
WADI_API wadi_status wadi_sim_step(wadi_sim *sim, int64_t steps);

/* Called in the thread of the call, between passes: before the first step, then about twenty times a second, and after
 * the last. (Steps that take longer are not divided.) `done` of `steps` are made. false: stop. It may read the
 * simulation, but not change it. */
typedef bool wadi_sim_progress_fn(void *context, int64_t done, int64_t steps);
/* The same with progress, which can stop it. The status is then WADI_OK, and wadi_sim_steps tells how far it came. The
 * number of calls and of stops does not change the result. */
WADI_API wadi_status wadi_sim_step_with(wadi_sim *sim, int64_t steps, wadi_sim_progress_fn *progress, void *context);

WADI_API int64_t wadi_sim_steps(const wadi_sim *sim); /* done so far */
WADI_API double wadi_sim_time(const wadi_sim *sim);   /* simulated seconds */
WADI_API const wadi_def *wadi_sim_def(const wadi_sim *sim);
/* Samples of the discharge so far; the map "flow" is their mean. */
WADI_API int64_t wadi_sim_flow_samples(const wadi_sim *sim);
/* Adds to sums[i] the samples of the discharge in a cell (y*width + x) since the last call, in m3/s. The field's float
 * sum then begins anew in these cells, so a small discharge keeps its digits after a large one. Give the same cells and
 * sums each time. The map "flow" is still the mean of all samples: the simulation copies the sums. Checkpoints do not
 * hold them: set them after wadi_sim_restore. */
WADI_API wadi_status wadi_sim_gather_flow(wadi_sim *sim, const size_t *cells, double *sums, size_t count);
WADI_API wadi_status wadi_sim_set_gathered_flow(wadi_sim *sim, const size_t *cells, const double *sums, size_t count);
WADI_API int wadi_sim_threads(const wadi_sim *sim);
WADI_API int wadi_sim_parts(const wadi_sim *sim); /* how many the grid was cut into; 1: it was not */
/* How many cells away a change of the state can be felt, at most, after so many steps (up to 1e9). A tile needs such a
 * margin around the cells that are to have the bits of the whole. */
WADI_API wadi_status wadi_def_reach(const wadi_def *def, int64_t steps, int64_t *cells);
/* Calls of wadi_sim_step with fewer steps are slow: in slabs, each call moves all of them; parts exchange
 * rows after each call. 1: any number. */
WADI_API int64_t wadi_sim_steps_at_once(const wadi_sim *sim);
WADI_API int64_t wadi_sim_substeps(const wadi_sim *sim);      /* done, as wadi_sim_steps */
WADI_API int wadi_sim_substeps_per_pass(const wadi_sim *sim); /* the largest number used, as given or automatic */
/* 0..1: the share of idle cells, over all sub-steps since the simulation was created or restored. The engine skips idle
 * cells because nothing can change there (no water, settled slopes). The bits are the same. */
WADI_API double wadi_sim_idle_share(const wadi_sim *sim);
WADI_API const char *wadi_sim_device(const wadi_sim *sim); /* "AMD EPYC ..., avx512" */

/* Volumes in m3, summed in float64 with compensation. residual = after - before - in + out - handed. moved, in
 * and out count only the changes of this simulation. So simulations in turns add up to the whole run.
 * exchanged: the bed that equations 12c and 13c of jako2011 turned into water (also counted in water.in or water.out).
 * evaporated, infiltrated and water_over_border are the parts of water.out. If the sea gave more than went over the
 * border, water_over_border is negative, and a part of water.in. advected: the solid that semi-Lagrangian transport
 * created (in) or lost (out). */
typedef struct wadi_balance {
    double before, in, out, after, residual;
} wadi_balance;
typedef struct wadi_mass {
    wadi_balance solid, water;
    double moved; /* sum of |height change| */
    double rained, evaporated, water_over_border, solid_over_border, exchanged, advected;
    double solid_handed, water_handed; /* changes by other simulations after the first step: see wadi_sim_take */
    double infiltrated;
} wadi_mass;
/* Fails if the state cannot be read from a device: WADI_ERROR_MEMORY, WADI_ERROR_DEVICE. */
WADI_API wadi_status wadi_sim_mass(const wadi_sim *sim, wadi_mass *mass);

/* Checkpoints: the whole simulation (definition, inputs, state, balance) and up to 256 MiB of the caller's own
 * bytes as a stream with a checksum. A restored simulation continues with the same bits. */
typedef wadi_status wadi_write_fn(void *context, const void *bytes, size_t count);
typedef wadi_status wadi_read_fn(void *context, void *bytes, size_t count);
WADI_API wadi_status wadi_sim_save(const wadi_sim *sim, const void *note, size_t note_bytes, wadi_write_fn *write,
                                   void *context);
/* The new simulation takes engine, threads, isa, parts, team, substeps_per_pass and tile_columns from `how` (NULL:
 * defaults). The caller frees *note by wadi_free. */
WADI_API wadi_status wadi_sim_restore(wadi_read_fn *read, void *context, const wadi_def *how, wadi_sim **sim,
                                      void **note, size_t *note_bytes);

#ifdef __cplusplus
}
#endif
#endif
