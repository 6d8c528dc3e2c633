/* backend.c: chooses an engine and a device from the options. */
#include "backend.h"

#include "array.h"
#include "device_memory.h"
#include "message.h"
#include "wadi/io.h"

#include "platform/platform.h"

#include "wadi/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHOICE(constant, name) #name,
const char *const run_backend_choices[] = {"auto", WADI_EACH_ENGINE(CHOICE, CHOICE) NULL}; /* indexed by backend */
/* indexed by wadi_arithmetic */
const char *const run_arithmetic_choices[] = {"strict", "relaxed", NULL};

static wadi_engine engine_of(const backend_args *args) {
    return args->backend == BACKEND_AUTO ? WADI_ENGINE_AUTO : (wadi_engine)(args->backend - 1);
}

typedef struct device_list {
    wadi_device items[MOST_DEVICES];
    size_t count;
    const char *missing;
} device_list;

static void list_devices(wadi_engine engine, device_list *list) {
    list->missing = NULL;
    list->count = wadi_devices(engine, list->items, MOST_DEVICES, &list->missing);
    if (list->count > MOST_DEVICES) list->count = MOST_DEVICES;
}

bool run_backend_find(wadi_engine engine, int number, wadi_device *device) {
    device_list list;
    if (!wadi_engine_is_gpu(engine)) return false;
    list_devices(engine, &list);
    for (size_t i = 0; i < list.count; i++) {
        if (list.items[i].number != number) continue;
        *device = list.items[i];
        return true;
    }
    return false;
}

/* --- checks --- */

/* "opencl or cuda": the backends that are GPUs. */
static const char *gpu_choices(char text[64]) {
    size_t used = 0;
    text[0] = '\0';
    for (wadi_engine engine = 0; engine < WADI_ENGINE_AUTO; engine++)
        if (wadi_engine_is_gpu(engine) && used < 64)
            used += (size_t)snprintf(text + used, 64 - used, "%s%s", used > 0 ? " or " : "", wadi_engine_name(engine));
    return text;
}

wadi_status run_backend_check(const backend_args *args) {
    const wadi_engine engine = engine_of(args);
    device_list list;
    if (!wadi_engine_is_gpu(engine)) return WADI_OK;
    list_devices(engine, &list);
    if (list.count == 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--backend %s: %s", wadi_engine_name(engine),
                         list.missing ? list.missing : "this machine has no such device");
    if (args->arithmetic == WADI_RELAXED || args->device >= 0) return WADI_OK;
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i].strict) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT,
                     "--backend %s: no device of it rounds exactly, so the bits would be its own; --arithmetic relaxed "
                     "takes that",
                     wadi_engine_name(engine));
}

static wadi_status no_such_device(const backend_args *args, wadi_engine engine) {
    device_list list;
    list_devices(engine, &list);
    return wadi_fail(WADI_ERROR_ARGUMENT,
                     "--device %" PRId64 ": %s has %zu device%s, numbered from 0 ('wadi devices' lists them)",
                     args->device, wadi_engine_name(engine), list.count, list.count == 1 ? "" : "s");
}

wadi_status run_backend_check_device(const backend_args *args) {
    const wadi_engine engine = engine_of(args);
    wadi_device device;
    char names[64];
    if (args->device < 0) return WADI_OK;
    if (engine == WADI_ENGINE_AUTO)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--device %" PRId64 ": needs --backend %s ('wadi devices' lists them)",
                         args->device, gpu_choices(names));
    if (!wadi_engine_is_gpu(engine)) {
        if (args->device == 0) return WADI_OK;
        return wadi_fail(WADI_ERROR_ARGUMENT, "--device %" PRId64 ": %s has only device 0 ('wadi devices')",
                         args->device, wadi_engine_name(engine));
    }
    if (!run_backend_find(engine, (int)args->device, &device)) return no_such_device(args, engine);
    if (device.strict || args->arithmetic == WADI_RELAXED) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT,
                     "--device %" PRId64 ": %s does not round exactly, so the bits would be its own; --arithmetic "
                     "relaxed takes that",
                     args->device, device.name);
}

/* The devices of --devices, in its order. */
typedef struct device_numbers {
    int count, items[WADI_MOST_PARTS];
} device_numbers;

static wadi_status bad_devices(const backend_args *args, const char *why) {
    return wadi_fail(WADI_ERROR_ARGUMENT, "--devices %s: %s", args->devices, why);
}

/* All that round exactly, or all with relaxed arithmetic. */
static void take_all(const backend_args *args, const device_list *list, device_numbers *numbers) {
    for (size_t i = 0; i < list->count && numbers->count < WADI_MOST_PARTS; i++)
        if (list->items[i].strict || args->arithmetic == WADI_RELAXED)
            numbers->items[numbers->count++] = list->items[i].number;
}

static wadi_status take_number(const backend_args *args, int64_t number, device_numbers *numbers) {
    backend_args one = *args;
    one.device = number;
    if (numbers->count == WADI_MOST_PARTS) return bad_devices(args, "too many: at most 16 parts");
    const wadi_status status = run_backend_check_device(&one);
    if (status == WADI_OK) numbers->items[numbers->count++] = (int)number;
    return status;
}

static wadi_status take_devices(const backend_args *args, device_numbers *numbers) {
    const wadi_engine engine = engine_of(args);
    device_list list;
    char names[64];
    numbers->count = 0;
    if (!wadi_engine_is_gpu(engine))
        return wadi_fail(WADI_ERROR_ARGUMENT, "--devices %s: needs --backend %s ('wadi devices' lists them)",
                         args->devices, gpu_choices(names));
    list_devices(engine, &list);
    if (strcmp(args->devices, "all") == 0) {
        take_all(args, &list, numbers);
        return WADI_OK;
    }
    wadi_status status = WADI_OK;
    for (const char *at = args->devices; status == WADI_OK; at++) {
        char *end;
        const long number = strtol(at, &end, 10);
        if (end == at || number < 0 || (*end != ',' && *end != '\0'))
            return bad_devices(args, "numbers are wanted, as in 0,1; or 'all'");
        status = take_number(args, number, numbers);
        at = end;
        if (*at == '\0') break;
    }
    return status;
}

wadi_status run_backend_check_devices(const backend_args *args) {
    device_numbers numbers;
    if (args->devices == NULL) return WADI_OK;
    if (args->device >= 0) return bad_devices(args, "with --device: leave out one of them");
    if (args->parts > 0) return bad_devices(args, "with --parts: each device has one part");
    if (args->memory_limit > 0) return bad_devices(args, "with --memory-limit: leave out one of them");
    return take_devices(args, &numbers);
}

static const wadi_team *team;

void wadi_run_use_team(const wadi_team *of_processes) { team = of_processes; }

static bool is_cut(const backend_args *args) {
    return args->parts > 1 || args->devices != NULL || (team != NULL && team->processes > 1);
}

wadi_status run_backend_check_limit(const backend_args *args) {
    if (args->memory_limit == 0 && args->scratch != NULL && !is_cut(args))
        return wadi_fail(WADI_ERROR_ARGUMENT, "--scratch %s: needs --memory-limit, or a run in parts", args->scratch);
    if (args->memory_limit > 0 && args->parts > 1)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--parts %" PRId64 ": not with --memory-limit: leave out one of them",
                         args->parts);
    if (args->scratch != NULL && !platform_is_folder(args->scratch))
        return wadi_fail(WADI_ERROR_ARGUMENT, "--scratch %s: there is no such folder", args->scratch);
    return WADI_OK;
}

uint64_t run_backend_share(uint64_t limit, size_t shares) {
    if (limit == 0 || shares == 0) return limit; /* 0 shares: a run that could not be made */
    const uint64_t share = limit / shares;
    return share > 0 ? share : 1; /* 0 would be none */
}

void run_backend_use_limit(const backend_args *args) {
    char usual[4096];
    const char *folder = args->scratch;
    if (args->memory_limit > 0 && folder == NULL && platform_scratch_folder(usual, sizeof usual)) folder = usual;
    const uint64_t least = args->memory_limit > 0 ? args->memory_limit / 16 : (uint64_t)16 << 20;
    wadi_raster_scratch(folder, least);
    run_cells_scratch(folder, least);
    if (args->memory_limit > 0)
        platform_scratch_keep_under(args->memory_limit / 4 * 3); /* until a simulation is made */
}

wadi_status run_backend_check_arithmetic(const backend_args *args) {
    if (args->arithmetic == WADI_STRICT) return WADI_OK;
    if (args->backend == BACKEND_AUTO || wadi_engine_is_gpu(engine_of(args))) return WADI_OK;
    char names[64];
    return wadi_fail(WADI_ERROR_ARGUMENT,
                     "--arithmetic relaxed: the CPU is always strict; leave it out, or choose --backend %s",
                     gpu_choices(names));
}

/* --- selection --- */

static void set_all(wadi_def *defs, size_t count, wadi_engine engine, int device) {
    for (size_t i = 0; i < count; i++) {
        defs[i].engine = engine;
        defs[i].device = device;
    }
}

/* Prefers devices with enough memory, then GPUs, then higher speed. If none has enough, the one with the most memory is
 * better. */
static bool is_better(const wadi_def *defs, size_t count, const wadi_device *a, const wadi_device *b) {
    const bool fits = run_memory_fits_device(defs, count, a);
    if (fits != run_memory_fits_device(defs, count, b)) return fits;
    if (!fits) return a->free_bytes > b->free_bytes;
    if (a->gpu != b->gpu) return a->gpu;
    return a->units * a->clock_hz > b->units * b->clock_hz;
}

/* Chooses one device for all definitions, so that memory checks apply to that device. */
static void choose_device(wadi_def *defs, size_t count, wadi_engine engine) {
    device_list list;
    list_devices(engine, &list);
    const wadi_device *best = NULL;
    set_all(defs, count, engine, -1);
    for (size_t i = 0; i < list.count; i++) {
        const wadi_device *device = &list.items[i];
        if (!device->strict && defs->arithmetic == WADI_STRICT) continue;
        if (!best || is_better(defs, count, device, best)) best = device;
    }
    if (best) set_all(defs, count, engine, best->number);
}

/* Of all, as steps of a grid of one's size. 0: unknown. */
static int64_t expected_steps(const wadi_def *defs, size_t count, const wadi_def *one) {
    double cell_steps = 0;
    for (size_t i = 0; i < count; i++) {
        if (defs[i].expected_steps == 0) return 0;
        cell_steps += (double)defs[i].expected_steps * defs[i].width * defs[i].height;
    }
    return (int64_t)(cell_steps / ((double)one->width * one->height)) + 1;
}

/* Takes the library's choice for the largest definition, if all fit on that device together. Otherwise the CPU. */
static void choose_engine(wadi_def *defs, size_t count) {
    size_t largest = 0;
    set_all(defs, count, WADI_ENGINE_CPU, -1);
    for (size_t i = 1; i < count; i++)
        if (wadi_def_memory(&defs[i]) > wadi_def_memory(&defs[largest])) largest = i;
    wadi_def one = defs[largest];
    one.engine = WADI_ENGINE_AUTO;
    one.expected_sims = 0;
    for (size_t i = 0; i < count; i++) one.expected_sims += defs[i].expected_sims;
    one.expected_steps = expected_steps(defs, count, &one);
    wadi_def_choose_engine(&one);
    if (!wadi_engine_is_gpu(one.engine)) return;
    wadi_device device;
    if (one.device < 0)
        choose_device(defs, count, one.engine);
    else
        set_all(defs, count, one.engine, one.device);
    const bool found = run_backend_find(one.engine, defs->device, &device);
    if (!found || !run_memory_fits_device(defs, count, &device)) set_all(defs, count, WADI_ENGINE_CPU, -1);
}

static void note_strict(const backend_args *args, wadi_def *defs, size_t count) {
    if (args->arithmetic == WADI_STRICT || defs->engine != WADI_ENGINE_CPU) return;
    run_message_note("it is computed on the CPU, which is always strict: --arithmetic relaxed changes nothing");
    for (size_t i = 0; i < count; i++) defs[i].arithmetic = WADI_STRICT;
}

/* A process has one part at least. */
static void apply_team(wadi_def *def) {
    def->team = team;
    if (team != NULL && def->parts < team->processes) def->parts = team->processes;
}

/* What does not depend on the size of the grid. */
static void apply_to(const backend_args *args, const device_numbers *numbers, wadi_def *def) {
    def->arithmetic = (wadi_arithmetic)args->arithmetic;
    def->tune = !args->no_tune;
    def->memory_limit = args->memory_limit;
    def->scratch = args->scratch;
    def->parts = numbers->count > 0 ? numbers->count : (int)args->parts;
    for (int i = 0; i < numbers->count; i++) def->part[i] = (wadi_part){true, engine_of(args), numbers->items[i]};
    apply_team(def);
}

static device_numbers numbers_of(const backend_args *args) {
    device_numbers numbers = {0};
    if (args->devices != NULL) take_devices(args, &numbers); /* was checked */
    return numbers;
}

void run_backend_apply(const backend_args *args, wadi_def *defs, size_t count) {
    const wadi_engine engine = engine_of(args);
    const device_numbers numbers = numbers_of(args);
    for (size_t i = 0; i < count; i++) apply_to(args, &numbers, &defs[i]);
    if (numbers.count > 0)
        set_all(defs, count, engine, numbers.items[0]);
    else if (engine == WADI_ENGINE_AUTO)
        choose_engine(defs, count);
    else if (wadi_engine_is_gpu(engine) && args->device < 0)
        choose_device(defs, count, engine);
    else
        set_all(defs, count, engine, wadi_engine_is_gpu(engine) ? (int)args->device : -1);
    note_strict(args, defs, count);
}

static bool any_gpu(void) {
    device_list list;
    for (wadi_engine engine = 0; engine < WADI_ENGINE_AUTO; engine++) { /* those of the CPU have no devices */
        list_devices(engine, &list);
        for (size_t i = 0; i < list.count; i++)
            if (list.items[i].gpu) return true;
    }
    return false;
}

void run_backend_apply_unseen(const backend_args *args, wadi_def *how) {
    how->engine = engine_of(args);
    const bool relaxed = args->arithmetic == WADI_RELAXED; /* for the note; else the library looks, if it pays */
    if (how->engine == WADI_ENGINE_AUTO && relaxed && !any_gpu()) how->engine = WADI_ENGINE_CPU;
    how->device = wadi_engine_is_gpu(how->engine) ? (int)args->device : -1;
    const device_numbers numbers = numbers_of(args);
    apply_to(args, &numbers, how);
    note_strict(args, how, 1);
}
