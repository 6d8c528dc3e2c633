/* kernel_source.c: prints the source of the GPU engine's fused sweep as CUDA would get it, without a device.
 *
 *     kernel_source MODEL SIZE SUBSTEPS,COLUMNS,TILES,GROUPS [NAME=VALUE...] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/inside.h"
#include "engine/gpu/codegen/programs.h"
#include "engine/gpu/engine_state.h"
#include "wadi/wadi.h"

static int fail(const char *message) {
    fprintf(stderr, "kernel_source: %s\n", message);
    return 1;
}

static wadi_status set(wadi_def *def, const char *assignment) {
    char name[64];
    const char *value = strchr(assignment, '=');
    if (value == NULL || (size_t)(value - assignment) >= sizeof name) return wadi_def_set_text(def, assignment, "");
    memcpy(name, assignment, (size_t)(value - assignment));
    name[value - assignment] = '\0';
    return wadi_def_set_text(def, name, value + 1);
}

static int print(wadi_sim *sim, const wadi_gpu_sweep_shape *shape) {
    wadi_gpu_engine engine = {.about = {.capability = 90, .local_bytes = 227 << 10}};
    wadi_gpu_sweep_plan plan;
    bool fits;
    void *const own = sim->domain->engine_state;
    sim->domain->engine_state = &engine; /* stands for a Hopper device; nothing runs on it */
    wadi_status status = wadi_gpu_sweep_plan_make(&plan, sim->domain, 227 << 10, shape, &fits);
    char *text = status == WADI_OK && fits ? wadi_gpu_sweep_program_source(sim->domain, &plan) : NULL;
    if (text != NULL) {
        fprintf(stderr, "%d of %d columns useful, %zu bytes of shared memory\n", plan.own_columns,
                32 * shape->columns * shape->tiles, wadi_gpu_sweep_local_bytes(&plan));
        fputs(text, stdout);
    }
    free(text);
    wadi_gpu_sweep_plan_free(&plan);
    sim->domain->engine_state = own;
    return text != NULL ? 0 : fail("the shape does not suit the model");
}

int main(int count, char **arguments) {
    wadi_gpu_sweep_shape shape = {.lanes = 32, .prefetch = 3, .rows = 64};
    if (count < 4 ||
        sscanf(arguments[3], "%d,%d,%d,%d", &shape.substeps, &shape.columns, &shape.tiles, &shape.groups) != 4)
        return fail("usage: kernel_source MODEL SIZE SUBSTEPS,COLUMNS,TILES,GROUPS [NAME=VALUE...]");
    const wadi_model *model = wadi_model_find(arguments[1]);
    const int size = atoi(arguments[2]);
    if (model == NULL) return fail("there is no such model; wadi models lists them");
    wadi_def def = wadi_default_def(model, size, size, 1.0, 1.0);
    for (int i = 4; i < count; i++)
        if (set(&def, arguments[i]) != WADI_OK) return fail(wadi_error_message());
    wadi_sim *sim;
    if (wadi_sim_create(&def, &sim) != WADI_OK) return fail(wadi_error_message());
    const int code = print(sim, &shape);
    wadi_sim_destroy(sim);
    return code;
}
