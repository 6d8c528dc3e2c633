/* programs.c: makes the source of each program for a device, from the model's own text and the kernels'. */
#include "engine/gpu/codegen/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/supply.h"
#include "engine/gpu/codegen/layout.h"
#include "engine/gpu/codegen/sweep_kernel.h"
#include "engine/gpu/engine_state.h"

/* Whether kernels may use the instructions of NVIDIA's devices since Ampere. For experiments: WADI_GPU_PTX=0 forbids
 * it. */
bool wadi_gpu_has_ptx(const wadi_domain *domain) {
    const wadi_gpu_engine *engine = domain->engine_state;
    const char *text = getenv("WADI_GPU_PTX");
    return engine->about.capability >= 80 && (text == NULL || strcmp(text, "0") != 0);
}

/* Defines what is fixed when a program is built. Numbers are arguments, so changing one needs no new build. */
static void add_choices(wadi_program_text *text, const wadi_domain *domain) {
    const wadi_model *model = domain->model;
    if (domain->def.arithmetic == WADI_RELAXED)
        wadi_text_add(text, "#define RELAXED\n");
    else if (wadi_gpu_has_ptx(domain))
        wadi_text_add(text, "#define QUICK\n");
    for (int i = 0; i < model->switch_count; i++)
        wadi_text_add(text, "#define SWITCH_%s %d\n", model->switches[i].name,
                      *(const int *)((const char *)domain->constants + model->switches[i].offset));
    for (int m = 0; m < model->map_count; m++) /* 2: each sub-step of a pass has its own */
        wadi_text_add(text, "#define RASTER_%s %d\n", model->maps[m].name,
                      wadi_gpu_is_rain(domain, m) ? 2 : wadi_gpu_is_raster(domain, m));
}

static void add_common(wadi_program_text *text) {
    wadi_text_add(text,
                  "#define GROUP_ITEMS %d\n#define MARGIN_COLUMNS %d\n#define MARGIN_ROWS %d\n#define FALL_ROWS %d\n",
                  WADI_GPU_ITEMS, WADI_GPU_MARGIN, WADI_GPU_MARGIN_ROWS, WADI_GPU_FALL_ROWS);
    wadi_text_include(text, "engine/gpu/kernels/dialect.h");
    wadi_text_include(text, "engine/gpu/kernels/places.h");
    wadi_text_include(text, "engine/gpu/kernels/sums.h");
}

static void begin(wadi_program_text *text, const wadi_domain *domain) {
    add_choices(text, domain);
    add_common(text);
    wadi_text_include(text, "core/reach_cell.h");
    wadi_text_include(text, "engine/gpu/kernels/device_cell.h");
    char path[128];
    snprintf(path, sizeof path, "models/%s/%s_cell.h", domain->model->id, domain->model->id);
    wadi_text_include(text, path);
}

static char *text_or_null(wadi_program_text *text) {
    if (!text->failed) return text->text;
    wadi_text_free(text);
    return NULL;
}

char *wadi_gpu_choices(const wadi_domain *domain) {
    wadi_program_text text = {0};
    add_choices(&text, domain);
    wadi_text_add(&text, "/* processes: %u */\n", domain->processes);
    return text_or_null(&text);
}

char *wadi_gpu_common_source(bool float64) {
    wadi_program_text text = {0};
    if (float64) wadi_text_add(&text, "#define FLOAT64\n");
    add_common(&text);
    wadi_text_include(&text, "engine/gpu/kernels/grids.h");
    if (float64) wadi_text_include(&text, "core/falls_cell.h");
    if (float64) wadi_text_include(&text, "engine/gpu/kernels/falls.h");
    return text_or_null(&text);
}

char *wadi_gpu_plain_source(const wadi_domain *domain) {
    const wadi_gpu_engine *engine = domain->engine_state;
    wadi_program_text text = {0};
    begin(&text, domain);
    for (int f = 0; f < domain->model->field_count; f++) {
        const int slot = engine->block.slot[f];
        wadi_text_add(&text, "#define FIELDS_%s %d\n#define SLOT_%s %d\n", domain->model->fields[f].name,
                      slot > 0 ? engine->block.fields : 1, domain->model->fields[f].name, slot > 0 ? slot - 1 : 0);
    }
    wadi_text_include(&text, "engine/gpu/kernels/plain.h");
    return text_or_null(&text);
}

char *wadi_gpu_sweep_program_source(const wadi_domain *domain, const wadi_gpu_sweep_plan *plan) {
    wadi_program_text text = {0};
    begin(&text, domain);
    wadi_gpu_sweep_source(&text, plan, domain);
    return text_or_null(&text);
}

char *wadi_gpu_copy_source(void) {
    wadi_program_text text = {0};
    wadi_text_include(&text, "engine/gpu/kernels/dialect.h");
    wadi_text_include(&text, "engine/gpu/kernels/copy.h");
    return text_or_null(&text);
}
