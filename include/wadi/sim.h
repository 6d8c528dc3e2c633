/* sim.h: a simulation: create it from a definition, set fields, step, read fields, destroy.
 *
 *     wadi_def def = wadi_default_def(wadi_model_find("jako2011"), 512, 512, 1.0, 1.0);
 *     wadi_def_set(&def, "Kc", 0.3);
 *     wadi_sim *sim;
 *     if (wadi_sim_create(&def, &sim) != WADI_OK) puts(wadi_error_message());
 *     wadi_sim_set(sim, "height", heights, 512 * 512);
 *     wadi_sim_step(sim, 1000);
 *     wadi_sim_get(sim, "height", heights, 512 * 512);
 *     wadi_sim_destroy(sim);
 *
 * Fields are float32, row-major, width * height values, the first row at the top (y = 0). A NaN in "height" marks a
 * cell without data: it takes no part, and NaN is what it gives back. The same definition and fields give the same bits
 * on any engine and any number of threads. A simulation is used from one thread at a time. A
 * forked child goes on with the CPU's simulations and has threads of its own, if no call of the library was running
 * when it was forked; those on a GPU stay with the parent. */
#ifndef WADI_SIM_H
#define WADI_SIM_H

#include "wadi/model.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WADI_MAX_PARAMETERS 48

/* OPENCL, CUDA: a GPU, see device.h. AUTO: the fastest there is. All give the same bits, but for RELAXED arithmetic. */
typedef enum wadi_engine {
    WADI_ENGINE_CPU,
    WADI_ENGINE_REFERENCE,
    WADI_ENGINE_OPENCL,
    WADI_ENGINE_CUDA,
    WADI_ENGINE_AUTO
} wadi_engine;

/* RELAXED: what a GPU's compiler makes of it: a little faster, and for GPUs that do not round as IEEE asks. The CPU's
 * engines are always strict. */
typedef enum wadi_arithmetic { WADI_STRICT, WADI_RELAXED } wadi_arithmetic;

/* Random rain: each step, `count` discs of `radius_m` at uniformly random places, each raining rate_m_s. */
typedef struct wadi_drops {
    double count; /* drops a step over the whole grid, at most one a cell; 0: none (a fraction falls as often as it
                     says) */
    double radius_m;
    double rate_m_s;
} wadi_drops;

typedef struct wadi_def {
    const wadi_model *model;
    int width, height; /* cells, 2 or more each */
    double lx, ly;     /* m: the size of a cell */
    wadi_boundary boundary;
    wadi_engine engine; /* default WADI_ENGINE_CPU */
    int device;         /* which of the engine's devices; -1, the default: the fastest on which it fits */
    wadi_arithmetic arithmetic;
    bool tune;          /* default true: a GPU's kernels are measured when first used on it, and the best remembered */
    int threads;        /* 0: as many as the machine has and the grid can use; at most WADI_MOST_THREADS */
    const char *isa;    /* NULL: the widest this CPU has; else "baseline", "avx2" or "avx512" (for tests) */
    int steps_per_pass; /* sub-steps by which rows are advanced while they are in cache, at most 16; 0: chosen */
    int strip;          /* columns of the grid that one pass takes, a multiple of 16; 0: chosen by the caches' size */
    uint64_t seed;      /* of random rain */
    wadi_drops drops;
    bool allow_out_of_range;
    bool keep_good_state; /* default true: a copy of the state at the last check, so that a NaN can be traced */
    int check_every;      /* steps between checks for values that are not finite; default 64 */
    double values[WADI_MAX_PARAMETERS]; /* in the order of the model's table, in SI units for this cell size */
} wadi_def;

/* The model's default preset scaled to the cell size. Never fails; a model of NULL or a size that cannot be is
 * found by wadi_sim_create. */
WADI_API wadi_def wadi_default_def(const wadi_model *model, int width, int height, double lx, double ly);
/* Sets every parameter, and the boundary, to the preset's, scaled to the definition's cell size. */
WADI_API wadi_status wadi_def_preset(wadi_def *def, const wadi_preset *preset);
/* One parameter, by symbol or alias. Ranges are checked for the value scaled back to cells of 1 m. */
WADI_API wadi_status wadi_def_set(wadi_def *def, const char *name, double value);
/* The same from text: a number or a choice's name. */
WADI_API wadi_status wadi_def_set_text(wadi_def *def, const char *name, const char *text);
/* Smallest and largest value allowed at the definition's cell size. */
WADI_API void wadi_def_bounds(const wadi_def *def, int parameter, double *minimum, double *maximum);
/* Bytes wadi_sim_create and a run will need, all told; wadi_sim_take needs 4 more a cell. */
WADI_API uint64_t wadi_def_memory(const wadi_def *def);
/* The longest stable step (s), with the safety factor, and how many sub-steps each dt becomes.
 * warning: NULL, or one line to show (an erosion number that makes checkerboards, say), this thread's until the next
 * call. What depends on the terrain is said as if it were flat; wadi_sim_safety knows the terrain. */
typedef struct wadi_safety {
    double dt_s, longest_dt_s;
    int substeps;
    const char *warning;
} wadi_safety;
WADI_API wadi_safety wadi_def_safety(const wadi_def *def);

/* The same of a simulation as it stands: where a parameter is a raster, its largest value counts. */
typedef struct wadi_sim wadi_sim;
WADI_API wadi_safety wadi_sim_safety(const wadi_sim *sim);

WADI_API wadi_status wadi_sim_create(const wadi_def *def, wadi_sim **sim);
WADI_API void wadi_sim_destroy(wadi_sim *sim); /* takes NULL */

/* "height" (sets the starting terrain and begins anew: no water, the uniform hardness; NaN: no data), "water" (m),
 * "sediment" (m), "hardness" (0..1), "mask" (0: the bed is left alone, 1: erodes), or any per-cell parameter by symbol
 * or alias, in its unit. count must be width * height. Set the height first. */
WADI_API wadi_status wadi_sim_set(wadi_sim *sim, const char *field, const float *values, size_t count);

/* "height", "water", "sediment", "hardness", "mask"; "change" (m, height minus start), "erosion" and "deposition" (m,
 * its two signs), "flow" (time-mean discharge, m3/s), "velocity" (m/s), or any field that lasts from step to step, by
 * its symbol; or any per-cell parameter, by symbol or alias: its map, or its one value in all cells. */
WADI_API wadi_status wadi_sim_get(const wadi_sim *sim, const char *field, float *values, size_t count);
/* Whether the model has this field, as wadi_sim_get takes it. */
WADI_API bool wadi_sim_has(const wadi_sim *sim, const char *field);
/* The same without going by the host: fields ("height", or those that last) into as many of OpenGL's
 * buffers of width * height floats; the same bits (cells without data are NaN), there for OpenGL when this returns. A
 * context that has the buffers, on the simulation's own GPU, must be current in this thread now and when the simulation
 * is destroyed, and have done with what was in them; till then they keep their size. WADI_ERROR_UNSUPPORTED: the engine
 * is not CUDA's, or the context another device's; nothing is broken by that. */
#define WADI_MOST_GL_FIELDS 8
WADI_API wadi_status wadi_sim_get_gl(const wadi_sim *sim, const char *const *fields, const unsigned *buffers,
                                     size_t count);
/* Gives back the memory that stepping alone needs (the copy of the last good state), until the next step. */
WADI_API void wadi_sim_trim(wadi_sim *sim);

/* A river source: water arrives evenly over the disc's cells, at rate_m3s, from start_s to end_s of simulated time. A
 * step of which that is a part gets that part's water: rate_m3s * (end_s - start_s) in all, whatever dt is. */
typedef struct wadi_source {
    double x, y; /* cells from the top left corner of the grid: the first cell's centre is 0.5, 0.5 */
    double radius_m, rate_m3s, start_s, end_s; /* a radius below half a cell means the one cell */
} wadi_source;
#define WADI_MOST_SOURCES 1000000
WADI_API wadi_status wadi_sim_set_sources(wadi_sim *sim, const wadi_source *sources, size_t count);

/* The simulation's own, till they are changed. */
WADI_API const wadi_source *wadi_sim_sources(const wadi_sim *sim, size_t *count);

/* Takes over what `from` has made of the same terrain, bit for bit: height (the start and its change apart), water,
 * sediment, and hardness where both models have it. Everything else stays its own: parameters, rain, sources, mask,
 * time, flows, mean discharge. So models follow one another, or take turns: a.take(b), step a, b.take(a), step b, ...
 * Grid and cell size must be the same; so must the starting terrain, once `sim` has made a step. */
WADI_API wadi_status wadi_sim_take(wadi_sim *sim, const wadi_sim *from);

/* Changes one parameter from the next step on; processes may be switched too. The one value takes a map's place. */
WADI_API wadi_status wadi_sim_set_parameter(wadi_sim *sim, const char *name, double value);
/* Changes the random rain from the next step on. */
WADI_API wadi_status wadi_sim_set_drops(wadi_sim *sim, const wadi_drops *drops);

#define WADI_MOST_STEPS (INT64_C(1) << 53) /* of a simulation in all */
/* Advances by `steps` steps of dt, 0 or more. On WADI_ERROR_NUMERIC, with keep_good_state, the state is an earlier one
 * that was found good: of the last check, or a copy of some checks before. */
WADI_API wadi_status wadi_sim_step(wadi_sim *sim, int64_t steps);

WADI_API int64_t wadi_sim_steps(const wadi_sim *sim); /* done so far */
WADI_API double wadi_sim_time(const wadi_sim *sim);   /* simulated seconds */
WADI_API const wadi_def *wadi_sim_def(const wadi_sim *sim);
WADI_API int wadi_sim_threads(const wadi_sim *sim);
WADI_API int wadi_sim_steps_per_pass(const wadi_sim *sim); /* that are done, at most: asked for or chosen */
/* 0..1: of all cells and sub-steps since the simulation was created or restored, those that were left out because
 * nothing could happen there (no water, settled slopes). It costs no accuracy: the bits are the same. */
WADI_API double wadi_sim_idle_share(const wadi_sim *sim);
WADI_API const char *wadi_sim_device(const wadi_sim *sim); /* "AMD EPYC ..., avx512" */

/* Volumes in m3, summed in float64 with compensation. residual = after - before - in + out - handed. moved and the
 * flows in and out are this simulation's own, so those of simulations that took turns add up to those of the whole run.
 * exchanged: what jako2011's 12c and 13c turned from bed into water (counted in water.in or water.out too).
 * evaporated and border are the parts of water.out. advected: what semi-Lagrangian transport made (in), lost (out). */
typedef struct wadi_balance {
    double before, in, out, after, residual;
} wadi_balance;
typedef struct wadi_mass {
    wadi_balance solid, water;
    double moved; /* sum of |height change| */
    double rained, evaporated, water_over_border, solid_over_border, exchanged, advected;
    double solid_handed, water_handed; /* what other simulations changed after the first step: see wadi_sim_take */
} wadi_mass;
/* Fails where the state is on a device and cannot be read: WADI_ERROR_MEMORY, WADI_ERROR_DEVICE. */
WADI_API wadi_status wadi_sim_mass(const wadi_sim *sim, wadi_mass *mass);

/* Checkpoints: the whole simulation (definition, inputs, state, balance) and up to 16 MiB of the caller's own
 * bytes as a stream with a checksum. Restoring gives a simulation that goes on to the same bits. */
typedef wadi_status wadi_write_fn(void *context, const void *bytes, size_t count);
typedef wadi_status wadi_read_fn(void *context, void *bytes, size_t count);
WADI_API wadi_status wadi_sim_save(const wadi_sim *sim, const void *note, size_t note_bytes, wadi_write_fn *write,
                                   void *context);
/* engine, threads, isa, steps_per_pass and strip are the new simulation's, taken from `how` (NULL: defaults). *note is
 * malloc'ed; free it. */
WADI_API wadi_status wadi_sim_restore(wadi_read_fn *read, void *context, const wadi_def *how, wadi_sim **sim,
                                      void **note, size_t *note_bytes);

#ifdef __cplusplus
}
#endif
#endif
