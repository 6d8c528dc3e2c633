/* rain.c: rain that differs by place: discs and showers become rows of the maps that the kernels read. */
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu.h"

enum { RAIN, SHOWER };

typedef bool make_row(const wadi_sim *sim, const wadi_discs *discs, int y, float *row);

/* What a row is where nothing falls on it. */
static void plain_row(const wadi_sim *sim, int map, int y, float *row) {
    const float *given = sim->block.map[map];
    if (given != NULL) {
        memcpy(row, given + y * sim->block.pitch, (size_t)sim->def.width * sizeof *row);
        return;
    }
    const float uniform = wadi_constant(sim, map);
    for (int x = 0; x < sim->def.width; x++) row[x] = uniform;
}

static wadi_status send_rows(wadi_sim *sim, int map, int from, int to) {
    wadi_gpu_engine *engine = sim->engine_state;
    const wadi_gpu_grid *grid = &engine->grid;
    const wadi_gpu_rows rows = {.offset = (size_t)(grid->origin + from * grid->pitch) * sizeof(float),
                                .pitch = (size_t)grid->pitch * sizeof(float),
                                .host_pitch = (size_t)sim->def.width * sizeof(float),
                                .bytes = (size_t)sim->def.width * sizeof(float),
                                .rows = (size_t)(to - from)};
    return engine->driver->write(engine->gpu, engine->map[map], &rows, engine->rows);
}

/* The rows on which something falls now, and those on which something fell before. */
static wadi_status send_map(wadi_sim *sim, const wadi_discs *discs, int map, int kind, make_row *make) {
    wadi_gpu_engine *engine = sim->engine_state;
    const int width = sim->def.width, height = sim->def.height;
    const int most = width < 1 << 20 ? (1 << 20) / width : 1; /* rows that are sent at once */
    wadi_status status = WADI_OK;
    int from = 0, count = 0;
    for (int y = 0; y <= height && status == WADI_OK; y++) {
        bool send = false;
        if (y < height) {
            float *row = engine->rows + (size_t)count * (size_t)width;
            const bool now = make(sim, discs, y, row);
            send = now || engine->touched[kind][y];
            if (send && !now) plain_row(sim, map, y, row);
            engine->touched[kind][y] = now;
        }
        if (send && count == 0) from = y;
        count += send;
        if (count > 0 && (!send || count == most)) {
            status = send_rows(sim, map, from, from + count);
            count = 0;
        }
    }
    return status;
}

static bool same(const wadi_discs *a, const wadi_discs *b) {
    return a->count == b->count && (a->count == 0 || memcmp(a->list, b->list, a->count * sizeof *a->list) == 0);
}

static bool note(wadi_discs *sent, const wadi_discs *discs) {
    if (discs->count > sent->capacity) {
        wadi_disc *list = realloc(sent->list, discs->count * sizeof *list);
        if (list == NULL) return false;
        sent->list = list;
        sent->capacity = discs->count;
    }
    if (discs->count > 0) memcpy(sent->list, discs->list, discs->count * sizeof *discs->list);
    sent->count = discs->count;
    return true;
}

wadi_status wadi_gpu_rain(wadi_sim *sim, int64_t ahead) {
    wadi_gpu_engine *engine = sim->engine_state;
    if (!wadi_supply_varies(sim)) return WADI_OK;
    wadi_discs *discs = sim->supply.discs;
    wadi_supply_begin(sim, ahead, discs);
    wadi_status status = WADI_OK;
    if (!same(discs, &engine->sent)) {
        status = send_map(sim, discs, wadi_model_map(sim->model, "rain_dt"), RAIN, wadi_supply_row);
        if (status == WADI_OK && !note(&engine->sent, discs))
            status = wadi_fail(WADI_ERROR_MEMORY, "not enough memory for %zu sources and drops", discs->count);
    }
    const bool showers = discs->showers > 0 || engine->sent.showers > 0;
    if (status == WADI_OK && showers)
        status = send_map(sim, discs, wadi_model_map(sim->model, "shower"), SHOWER, wadi_supply_showers);
    engine->sent.showers = discs->showers;
    return status;
}
