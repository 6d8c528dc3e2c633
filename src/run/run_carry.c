#include "run_carry.h"

#include "array.h"

#include <stdlib.h>
#include <string.h>

static size_t cells_of(const wadi_def *def) { return (size_t)def->width * (size_t)def->height; }

/* Carries a field of a coarser simulation up to a grid of width * height cells. */
static wadi_status carry(const wadi_sim *coarse, const char *field, int width, int height, float *values) {
    const wadi_def *from = wadi_sim_def(coarse);
    float *low = run_cells_new(cells_of(from));
    wadi_status status = low ? wadi_sim_get(coarse, field, low, cells_of(from)) : WADI_ERROR_MEMORY;
    if (status == WADI_OK)
        status = wadi_carry_up(low, from->width, from->height, from->boundary == WADI_WRAP, values, width, height);
    run_cells_free(low);
    return status;
}

static wadi_status warp(const run *run, const wadi_def *to, const float *straight, float *warped) {
    const wadi_def *from = wadi_sim_def(run->sim);
    return wadi_warp_level(straight, to->width, to->height, from->width, from->height, from->boundary == WADI_WRAP,
                           run->plan.level_warp, to->seed, warped);
}

/* The height is displaced, but not the input's detail. So to the change comes what the displacement changes in the
 * height that is carried up. */
static wadi_status carry_warped_change(const run *run, const wadi_def *to, float *change) {
    float *height = run_cells_new(cells_of(to)), *warped = run_cells_new(cells_of(to));
    wadi_status status =
        height && warped ? carry(run->sim, "height", to->width, to->height, height) : WADI_ERROR_MEMORY;
    if (status == WADI_OK) status = warp(run, to, height, warped);
    if (status == WADI_OK) status = carry(run->sim, "change", to->width, to->height, change);
    for (size_t i = 0; status == WADI_OK && i < cells_of(to); i++) change[i] += warped[i] - height[i];
    run_cells_free(warped);
    run_cells_free(height);
    return status;
}

static wadi_status carry_warped(const run *run, const char *field, const wadi_def *to, float *values) {
    float *straight = run_cells_new(cells_of(to));
    wadi_status status = straight ? carry(run->sim, field, to->width, to->height, straight) : WADI_ERROR_MEMORY;
    if (status == WADI_OK) status = warp(run, to, straight, values);
    run_cells_free(straight);
    return status;
}

static wadi_status carry_field(const run *run, const char *field, const wadi_def *to, float *values) {
    if (!(run->plan.level_warp > 0)) return carry(run->sim, field, to->width, to->height, values);
    if (strcmp(field, "change") == 0) return carry_warped_change(run, to, values);
    return carry_warped(run, field, to, values);
}

wadi_status run_carry_up(const run *run, const run_stage *stage) {
    static const char *const fields[] = {"change", "slid"};
    const wadi_def *def = wadi_sim_def(stage->sim);
    float *values = run_cells_new(cells_of(def));
    wadi_status status = values ? wadi_sim_settle(run->sim) : WADI_ERROR_MEMORY;
    for (size_t i = 0; i < sizeof fields / sizeof *fields && status == WADI_OK; i++) {
        if (!wadi_sim_has(run->sim, fields[i]) || !wadi_sim_has(stage->sim, fields[i])) continue;
        status = carry_field(run, fields[i], def, values);
        if (status == WADI_OK) status = wadi_sim_set(stage->sim, fields[i], values, cells_of(def));
    }
    run_cells_free(values);
    return status;
}

/* Adds the heights of level 0 at its beginning. */
static wadi_status add_start(const run *run, float *values, size_t cells) {
    float *start = run->start ? NULL : run_cells_new(cells);
    if (!start && !run->start) return WADI_ERROR_MEMORY;
    const wadi_status status = start ? wadi_sim_get(run_fine_stages(run)->sim, "height", start, cells) : WADI_OK;
    for (size_t i = 0; status == WADI_OK && i < cells; i++) values[i] += start ? start[i] : run->start[i];
    run_cells_free(start);
    return status;
}

wadi_status run_get(const run *run, const char *field, float *values) {
    const wadi_raster *raster = run->raster;
    const size_t cells = (size_t)raster->width * (size_t)raster->height;
    const bool height = strcmp(field, "height") == 0;
    if (cells_of(wadi_sim_def(run->sim)) == cells) return wadi_sim_get(run->sim, field, values, cells);
    const wadi_status status = carry(run->sim, height ? "change" : field, raster->width, raster->height, values);
    return status == WADI_OK && height ? add_start(run, values, cells) : status;
}
