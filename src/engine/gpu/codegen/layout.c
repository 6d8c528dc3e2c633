/* layout.c: the parts of a domain's layout that the source of kernels depends on. */
#include "engine/gpu/codegen/layout.h"

#include "core/supply.h"

int wadi_gpu_columns(const wadi_def *def) { return (def->width + 31) / 32 * 32 + 2 * WADI_GPU_MARGIN; }

bool wadi_gpu_is_rain(const wadi_domain *domain, int map) {
    const bool rain = map == wadi_map_of(domain->model, WADI_MAP_RAIN);
    const bool shower = map == wadi_map_of(domain->model, WADI_MAP_SHOWERS) && domain->model->showers != NULL;
    return wadi_supply_varies(domain) && (rain || shower);
}

bool wadi_gpu_is_raster(const wadi_domain *domain, int map) {
    return wadi_gpu_is_rain(domain, map) || domain->block.map[map] != NULL;
}
