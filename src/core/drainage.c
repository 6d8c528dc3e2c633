/* drainage.c: the drainage density. */
#include "core/flood.h"
#include "core/need.h"
#include "core/strict.h"

double wadi_flood_threshold(const wadi_flood *flood, double cell_m2, double threshold_m2) {
    const double thousandth = (double)flood->reached / 1000;
    return threshold_m2 > 0 ? threshold_m2 : (thousandth > 16 ? thousandth : 16) * cell_m2;
}

void wadi_flood_measure(const wadi_flood *flood, double lx, double ly, double threshold_m2, wadi_drainage *drainage) {
    const double cell_m2 = lx * ly;
    *drainage = (wadi_drainage){
        .threshold_m2 = wadi_flood_threshold(flood, cell_m2, threshold_m2),
        .area_km2 = (double)flood->reached * cell_m2 * 1e-6,
        .largest_km2 = flood->largest_area * cell_m2 * 1e-6,
    };
    uint64_t by_way[WADI_FLOOD_OUT + 1] = {0}; /* integers: the order of adding does not matter */
    for (size_t i = 0; i < flood->reached; i++) {
        const uint32_t cell = flood->order[i];
        if (flood->areas[cell] * cell_m2 >= drainage->threshold_m2) by_way[flood->way[cell]]++;
    }
    for (int k = 0; k <= WADI_FLOOD_OUT; k++) {
        drainage->channel_cells += by_way[k];
        if (k < WADI_FLOOD_OUT) drainage->length_km += (double)by_way[k] * flood->steps[k] * 1e-3;
    }
    drainage->density = drainage->area_km2 > 0 ? drainage->length_km / drainage->area_km2 : 0;
}

wadi_status wadi_drainage_density(const float *heights, int width, int height, double lx, double ly,
                                  double threshold_m2, wadi_drainage *drainage) {
    WADI_IEEE_MODE;
    WADI_NEED(drainage);
    *drainage = (wadi_drainage){0};
    if (wadi_flood_check(heights, width, height, lx, ly, threshold_m2) != WADI_OK) return WADI_ERROR_ARGUMENT;
    wadi_flood flood;
    const bool enough = wadi_flood_run(&flood, heights, width, height, lx, ly);
    if (enough) wadi_flood_measure(&flood, lx, ly, threshold_m2, drainage);
    wadi_flood_free(&flood);
    if (enough) return WADI_OK;
    return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the drainage of %dx%d cells", width, height);
}
