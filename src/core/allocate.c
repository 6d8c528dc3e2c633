/* allocate.c: memory for fields. */
#include "core/allocate.h"

#include "core/inside.h"
#include "platform/platform.h"

bool wadi_field_used(const wadi_def *def, int field) {
    if (def->model->fields[field].kind != WADI_SCRATCH) return true;
    const unsigned processes = def->model->processes(def->values);
    for (int s = 0; s < def->model->stage_count; s++) {
        const wadi_stage *stage = &def->model->stages[s];
        if ((stage->needs & ~processes) != 0) continue;
        for (int w = 0; w < stage->writes; w++)
            if (stage->write[w] == field) return true;
    }
    return false;
}

float wadi_at_start(const wadi_sim *sim, int field) {
    return field == wadi_field_of(sim->model, WADI_FIELD_HARDNESS)
               ? (float)sim->def.values[wadi_parameter_of(sim->model, WADI_PARAMETER_HARDNESS)]
               : 0.0f;
}

wadi_status wadi_sim_too_large(const wadi_sim *sim) {
    return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for %d x %d cells of %s: %.1f GB are needed", sim->def.width,
                     sim->def.height, sim->model->id, (double)wadi_def_memory(&sim->def) * 1e-9);
}

bool wadi_sim_allocate_field(wadi_sim *sim, int f) {
    sim->block.field[f] = wadi_block_allocate(&sim->block, f, wadi_at_start(sim, f));
    if (sim->block.field[f] == NULL) return false;
    wadi_block_surround(&sim->block, sim->block.field[f], sim->model->fields[f].outside);
    return true;
}

static bool is_missing(const wadi_sim *sim, int f) {
    return sim->block.field[f] == NULL && wadi_field_used(&sim->def, f);
}

wadi_status wadi_sim_allocate_scratch(wadi_sim *sim) {
    uint64_t bytes = 0;
    for (int f = 0; f < sim->model->field_count; f++)
        if (is_missing(sim, f)) bytes += wadi_block_field_bytes(sim->def.width, sim->def.height);
    if (bytes > 0 && bytes > platform_memory_bytes()) return wadi_sim_too_large(sim);
    for (int f = 0; f < sim->model->field_count; f++)
        if (is_missing(sim, f) && !wadi_sim_allocate_field(sim, f)) return wadi_sim_too_large(sim);
    return WADI_OK;
}
