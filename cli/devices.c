/* devices.c: wadi devices: what this machine and this build can run on. */
#include "json.h"
#include "options.h"

#include "platform/platform.h"

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

static void print_json(const char *cpu) {
    json json = json_to(stdout, false);
    json_array(&json, NULL);
    json_object(&json, NULL);
    json_text(&json, "backend", "cpu");
    json_integer(&json, "device", 0);
    json_text(&json, "name", cpu);
    json_text(&json, "isa", widest_isa());
    json_integer(&json, "cores", platform_cores());
    json_integer(&json, "memory_bytes", (int64_t)platform_memory_bytes());
    json_integer(&json, "cache3_bytes", (int64_t)platform_cache_bytes(3));
    json_end(&json);
    json_end(&json);
}

static void print_table(const char *cpu) {
    char memory[32], cache[3][32];
    printf("cpu 0   %s\n", cpu);
    printf("        %d core%s, %s, %s of memory available, caches %s + %s a core, %s shared\n", platform_cores(),
           platform_cores() == 1 ? "" : "s", widest_isa(), cli_bytes(platform_memory_bytes(), memory),
           cli_bytes(platform_cache_bytes(1), cache[0]), cli_bytes(platform_cache_bytes(2), cache[1]),
           cli_bytes(platform_cache_bytes(3), cache[2]));
    printf("reference  the same CPU, plain loops: slow, the oracle that the others are compared with\n");
    printf("opencl, cuda  not built: they come in a later version\n");
}

int wadi_cmd_devices(int argc, char **argv) {
    devices_options given = {0};
    arguments arguments;
    int code;
    if (!options_parse(&devices, argc, argv, &given, &arguments, &code)) return code;
    char cpu[128] = "";
    platform_cpu_name(cpu, sizeof cpu);
    if (given.json)
        print_json(cpu);
    else
        print_table(cpu);
    return CLI_OK;
}
