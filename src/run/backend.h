/* backend.h: the meaning of --backend, --device, --devices, --parts, --arithmetic and --no-tune on this machine. */
#ifndef WADI_RUN_BACKEND_H
#define WADI_RUN_BACKEND_H

#include "option.h"

#include "wadi/device.h"

/* auto, and the engines: BACKEND_CPU, ... */
#define BACKEND_CONSTANT(constant, name) BACKEND_##constant,
typedef enum backend { BACKEND_AUTO, WADI_EACH_ENGINE(BACKEND_CONSTANT, BACKEND_CONSTANT) BACKENDS } backend;

typedef struct backend_args {
    int backend;           /* backend */
    int64_t device;        /* -1: not given; a command sets it first */
    int64_t parts;         /* 0: not given */
    const char *devices;   /* "0,1" or "all": a part on each; NULL: not given */
    int arithmetic;        /* wadi_arithmetic */
    uint64_t memory_limit; /* bytes; 0: not given */
    const char *scratch;   /* folder; NULL: not given */
    bool no_tune;
} backend_args;

enum { MOST_DEVICES = 64 }; /* devices of a backend; further ones are not listed */

extern const char *const run_backend_choices[], *const run_arithmetic_choices[];

/* Rows for a command's table of options: `struct_` is its struct, `args` its backend_args. */
#define BACKEND_OPTIONS(struct_, args) \
    OPTION_ROW(struct_, CHOICE, "backend", args.backend, "B", .choices = run_backend_choices, .recipe = RECIPE_TOP, \
               .with_resume = true, \
               .help = "where it is computed, the same bits from each; auto: the fastest there is"), \
        OPTION_ROW(struct_, COUNT, "device", args.device, "N", .recipe = RECIPE_TOP, .with_resume = true, \
                   .maximum = 1e6, \
                   .help = "which of the backend's devices, as 'wadi devices' numbers them (the fastest on which it " \
                           "fits)"), \
        OPTION_ROW(struct_, TEXT, "devices", args.devices, "LIST", .recipe = RECIPE_TOP, .with_resume = true, \
                   .not_in_window = true, \
                   .help = \
                       "several of the backend's devices, as in 0,1,2; or 'all': each computes a part of the grid"), \
        OPTION_ROW(struct_, COUNT, "parts", args.parts, "N", .recipe = RECIPE_TOP, .with_resume = true, \
                   .not_in_window = true, .minimum = 1, .maximum = WADI_MOST_PARTS, \
                   .help = "cut the grid into N parts that are computed side by side, with the same bits (1)"), \
        OPTION_ROW(struct_, BYTES, "memory-limit", args.memory_limit, "BYTES", .recipe = RECIPE_TOP, \
                   .with_resume = true, .not_in_window = true, \
                   .help = "most memory, as 512M or 4G: a terrain that needs more lies in a file of the scratch " \
                           "folder, and slabs of its rows are computed one after the other, with the same bits"), \
        OPTION_ROW(struct_, TEXT, "scratch", args.scratch, "DIR", .recipe = RECIPE_TOP, .with_resume = true, \
                   .not_in_window = true, \
                   .help = "the folder of the large temporary files of --memory-limit (TMPDIR, or /var/tmp); in " \
                           "parts: whole maps lie there too, not in memory"), \
        OPTION_ROW(struct_, CHOICE, "arithmetic", args.arithmetic, "A", .choices = run_arithmetic_choices, \
                   .recipe = RECIPE_TOP, .with_resume = true, \
                   .help = "relaxed is for GPUs that do not round exactly, and a little faster; its bits are the " \
                           "device's own (strict)"), \
        OPTION_ROW(struct_, FLAG, "no-tune", args.no_tune, NULL, .recipe = RECIPE_TOP, .with_resume = true, \
                   .help = "do not measure which of a GPU's kernels are the fastest when it is first used")

/* false: there is no device with this number. */
bool run_backend_find(wadi_engine engine, int number, wadi_device *device);

/* Refuses what can be refused before anything is read. The message names the option. */
wadi_status run_backend_check(const backend_args *args);
wadi_status run_backend_check_device(const backend_args *args);
wadi_status run_backend_check_devices(const backend_args *args);
wadi_status run_backend_check_arithmetic(const backend_args *args);
wadi_status run_backend_check_limit(const backend_args *args);
/* From now on, whole maps lie in the scratch folder too, if they are no small part of the limit, or not small where
 * there is none. Without a folder or a limit they lie in memory again. */
void run_backend_use_limit(const backend_args *args);

/* One of so many shares of a memory limit; 0: of none. */
uint64_t run_backend_share(uint64_t limit, size_t shares);

/* Sets engine, device, memory limit, arithmetic and tuning of definitions that will be in memory together. */
void run_backend_apply(const backend_args *args, wadi_def *defs, size_t count);
/* The same for a definition of unknown size. The library decides what depends on the size. */
void run_backend_apply_unseen(const backend_args *args, wadi_def *how);

#endif
