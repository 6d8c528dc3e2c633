/* plain_launch.c: the plain path. Each stage of a sub-step is a kernel of its own. */
#include "engine/gpu/plain_launch.h"

#include <stdio.h>

#include "engine/gpu/codegen/layout.h"
#include "engine/gpu/codegen/programs.h"
#include "engine/gpu/fields.h"
#include "engine/gpu/rain.h"
#include "engine/gpu/reduce.h"

#define MEMORY WADI_GPU_MEMORY
#define VALUE WADI_GPU_VALUE

wadi_status wadi_gpu_build_stages(wadi_domain *domain) {
    wadi_gpu_engine *engine = domain->engine_state;
    if (engine->stages != NULL) return WADI_OK;
    wadi_status status = wadi_driver_build(engine->driver, engine->gpu, wadi_gpu_plain_source(domain), &engine->stages);
    for (int s = 0; s < domain->model->stage_count && status == WADI_OK; s++) {
        char name[64];
        snprintf(name, sizeof name, "plain_%s", domain->model->stages[s].name);
        status = engine->driver->find(engine->gpu, engine->stages, name, &engine->plain[s]);
    }
    if (status != WADI_OK) {
        engine->driver->release(engine->gpu, engine->stages);
        engine->stages = NULL;
    }
    return status;
}

static size_t groups_in_x(const wadi_domain *domain) {
    return ((size_t)domain->def.width + WADI_GPU_ITEMS - 1) / WADI_GPU_ITEMS;
}

wadi_status wadi_gpu_run_stage(wadi_domain *domain, const wadi_stage *stage) {
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_gpu_argument arguments[WADI_MAX_READS + WADI_MAX_MAPS + WADI_MAX_FIELDS + WADI_SUMS + 2];
    int count = 0;
    for (int i = 0; i < stage->reads; i++)
        arguments[count++] = MEMORY(wadi_gpu_memory_of(engine, stage->read[i].field));
    for (int i = 0; i < stage->maps; i++) {
        wadi_gpu_memory *map = wadi_gpu_map(domain, stage->map[i].field, 0);
        arguments[count++] = MEMORY(map != NULL ? map : wadi_gpu_terrain(domain)); /* the kernel does not read it */
    }
    for (int i = 0; i < stage->writes; i++) arguments[count++] = MEMORY(wadi_gpu_memory_of(engine, stage->write[i]));
    for (int i = 0; i < stage->sums; i++) arguments[count++] = MEMORY(engine->reduction.slots[stage->sum[i]]);
    arguments[count++] = (wadi_gpu_argument){.value = domain->constants, .bytes = domain->model->constants_bytes};
    arguments[count++] = VALUE(engine->grid);
    return wadi_gpu_call(engine, engine->plain[stage - domain->model->stages], groups_in_x(domain), domain->def.height,
                         arguments, count);
}

wadi_status wadi_gpu_plain_open(wadi_domain *domain) {
    static const bool alone[WADI_MAX_FIELDS];
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_status status = wadi_gpu_interleave(domain, alone);
    if (status == WADI_OK || status == WADI_ERROR_MEMORY)
        status = wadi_gpu_build_stages(domain); /* any layout will do */
    for (int s = 0; s < domain->model->stage_count; s++) {
        const wadi_stage *stage = &domain->model->stages[s];
        for (int i = 0; i < stage->writes && wadi_stage_on(domain, stage) && status == WADI_OK; i++)
            status = wadi_gpu_allocate_field(domain, stage->write[i]);
    }
    const int slots = (int)groups_in_x(domain);
    if (status != WADI_OK) return status;
    return wadi_gpu_make_reduction(domain, &engine->reduction, slots, domain->def.height, domain->window.own0,
                                   domain->window.own1);
}

wadi_status wadi_gpu_plain_try(wadi_domain *domain, int substeps) {
    wadi_status status = WADI_OK;
    for (int i = 0; i < substeps; i++)
        for (int s = 0; s < domain->model->stage_count && status == WADI_OK; s++)
            if (wadi_stage_due(domain, &domain->model->stages[s], domain->substeps_done + i))
                status = wadi_gpu_run_stage(domain, &domain->model->stages[s]);
    return status;
}
