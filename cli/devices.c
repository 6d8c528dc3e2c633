/* devices.c: wadi devices: the devices on which this build can run. */
#include "options.h"

#include "run/array.h"
#include "run/backend.h"
#include "run/escape.h"
#include "run/json.h"
#include "run/message.h"
#include "run/text.h"

#include "platform/platform.h"

#include <stdlib.h>
#include <string.h>

typedef struct devices_options {
    bool json;
} devices_options;

#define ROW(...) OPTION_ROW(devices_options, __VA_ARGS__)
static const option options[] = {
    ROW(FLAG, "json", json, NULL, .help = "as JSON"),
    {0},
};

static const command devices = {
    .name = "devices",
    .usage = "[--json]",
    .summary = "Lists what this machine and this build can run on.",
    .options = options,
    .arguments_to = 0,
};

static const char *widest_isa(void) {
    return platform_cpu_has("avx512") ? "avx512" : platform_cpu_has("avx2") ? "avx2" : "baseline";
}

/* Returns the number of devices. The caller frees the list. *missing: why there are none, or NULL. */
static size_t list_devices(wadi_engine engine, wadi_device **devices, const char **missing) {
    *missing = NULL;
    *devices = must_have(run_array_new(MOST_DEVICES, sizeof **devices));
    const size_t count = wadi_devices(engine, *devices, MOST_DEVICES, missing);
    if (count == 0 && *missing == NULL) *missing = "none found";
    return count < MOST_DEVICES ? count : MOST_DEVICES;
}

static void json_device(json *json, const wadi_device *device) {
    run_json_object(json, NULL);
    run_json_text(json, "backend", wadi_engine_name(device->engine));
    run_json_integer(json, "device", device->number);
    run_json_text(json, "name", device->name);
    run_json_text(json, "driver", device->driver);
    run_json_bool(json, "gpu", device->gpu);
    run_json_bool(json, "strict", device->strict);
    run_json_integer(json, "memory_bytes", (int64_t)device->memory_bytes);
    run_json_integer(json, "free_bytes", (int64_t)device->free_bytes);
    run_json_integer(json, "largest_bytes", (int64_t)device->largest_bytes);
    run_json_integer(json, "local_bytes", (int64_t)device->local_bytes);
    run_json_integer(json, "units", device->units);
    run_json_number(json, "clock_hz", device->clock_hz);
    run_json_end(json);
}

static void json_engine(json *json, wadi_engine engine) {
    wadi_device *devices;
    const char *missing;
    const size_t count = list_devices(engine, &devices, &missing);
    for (size_t i = 0; i < count; i++) json_device(json, &devices[i]);
    if (count == 0) {
        run_json_object(json, NULL);
        run_json_text(json, "backend", wadi_engine_name(engine));
        run_json_text(json, "missing", missing);
        run_json_end(json);
    }
    free(devices);
}

static void print_json(const char *cpu) {
    json json = run_json_to(stdout, false);
    run_json_array(&json, NULL);
    run_json_object(&json, NULL);
    run_json_text(&json, "backend", "cpu");
    run_json_integer(&json, "device", 0);
    run_json_text(&json, "name", cpu);
    run_json_text(&json, "isa", widest_isa());
    run_json_integer(&json, "cores", platform_cores());
    run_json_integer(&json, "memory_bytes", (int64_t)platform_memory_bytes());
    run_json_integer(&json, "cache3_bytes", (int64_t)platform_cache_bytes(3));
    run_json_end(&json);
    run_json_object(&json, NULL);
    run_json_text(&json, "backend", "reference");
    run_json_integer(&json, "device", 0);
    run_json_text(&json, "name", cpu);
    run_json_end(&json);
    for (wadi_engine engine = 0; engine < WADI_ENGINE_AUTO; engine++)
        if (wadi_engine_is_gpu(engine)) json_engine(&json, engine);
    run_json_end(&json);
}

static void print_device(const wadi_device *device) {
    char memory[32], room[32];
    printf("%s %d  %s%s\n", wadi_engine_name(device->engine), device->number, as_shown(device->name),
           device->gpu ? "" : " (no GPU)");
    printf("        %d unit%s, %s of memory, %s free, %s\n", device->units, device->units == 1 ? "" : "s",
           run_text_bytes(device->memory_bytes, memory), run_text_bytes(device->free_bytes, room),
           as_shown(device->driver));
    printf("        %s\n", device->strict ? "strict: the same bits as the CPU"
                                          : "not strict: it does not round exactly; takes --arithmetic relaxed alone");
}

static void print_engine(wadi_engine engine) {
    wadi_device *devices;
    const char *missing;
    const size_t count = list_devices(engine, &devices, &missing);
    for (size_t i = 0; i < count; i++) print_device(&devices[i]);
    if (count == 0) printf("%-6s  %s\n", wadi_engine_name(engine), missing);
    free(devices);
}

static void print_table(const char *cpu) {
    char memory[32], cache[3][32];
    printf("cpu 0   %s\n", cpu);
    printf("        %d core%s, %s, %s of memory available, caches %s + %s a core, %s shared\n", platform_cores(),
           platform_cores() == 1 ? "" : "s", widest_isa(), run_text_bytes(platform_memory_bytes(), memory),
           run_text_bytes(platform_cache_bytes(1), cache[0]), run_text_bytes(platform_cache_bytes(2), cache[1]),
           run_text_bytes(platform_cache_bytes(3), cache[2]));
    printf("reference  the same CPU, plain loops: slow, the oracle that the others are compared with\n");
    for (wadi_engine engine = 0; engine < WADI_ENGINE_AUTO; engine++)
        if (wadi_engine_is_gpu(engine)) print_engine(engine);
}

int wadi_cmd_devices(int argc, char **argv) {
    devices_options given = {0};
    arguments arguments;
    wadi_status status;
    if (!options_parse(&devices, argc, argv, &given, &arguments, &status)) return report_end(status);
    char cpu[128] = "";
    platform_cpu_name(cpu, sizeof cpu);
    if (given.json)
        print_json(cpu);
    else
        print_table(cpu);
    return EXIT_DONE;
}
