/* rain.c: rain that varies by cell. Discs and rainfall events become maps that the kernels read. Without float64 on
 * the device, the host computes rows of them and sends these. */
#include "engine/gpu/rain.h"

#include <stdlib.h>
#include <string.h>

#include "core/def.h"
#include "core/supply.h"
#include "engine/gpu/codegen/layout.h"
#include "engine/gpu/codegen/programs.h"
#include "engine/gpu/fields.h"

typedef bool make_row(const wadi_domain *domain, const wadi_discs *discs, int y, float *row);

static const struct {
    wadi_map_role map;
    make_row *make;
} falls[WADI_GPU_FALLS] = {{WADI_MAP_RAIN, wadi_supply_row}, {WADI_MAP_SHOWERS, wadi_supply_showers}};

static int map_of(const wadi_domain *domain, int kind) { return wadi_map_of(domain->model, falls[kind].map); }

wadi_gpu_memory *wadi_gpu_map(const wadi_domain *domain, int map, int place) {
    const wadi_gpu_engine *engine = domain->engine_state;
    for (int kind = 0; kind < WADI_GPU_FALLS; kind++)
        if (map == map_of(domain, kind) && wadi_gpu_is_rain(domain, map)) return engine->rain[place].map[kind];
    return engine->map[map];
}

static wadi_status send_rows(const wadi_domain *domain, wadi_gpu_memory *map, int from, int to) {
    const wadi_gpu_engine *engine = domain->engine_state;
    wadi_gpu_rows rows = wadi_gpu_rows_of(domain);
    rows.offset += (size_t)from * rows.pitch;
    rows.host_pitch = rows.bytes;
    rows.rows = (size_t)(to - from);
    return engine->driver->write(engine->gpu, map, &rows, engine->rows);
}

#define SENT_AT_ONCE (1 << 20) /* floats */

/* Sends rows with rain now, and rows with rain in the last sub-step. */
static wadi_status send_map(wadi_domain *domain, wadi_gpu_rain *rain, const wadi_discs *discs, int kind) {
    wadi_gpu_engine *engine = domain->engine_state;
    const int width = domain->def.width, height = domain->def.height, map = map_of(domain, kind);
    const int most = width < SENT_AT_ONCE ? SENT_AT_ONCE / width : 1; /* rows */
    wadi_status status = WADI_OK;
    int from = 0, count = 0;
    bool sent = false;
    for (int y = 0; y <= height && status == WADI_OK; y++) {
        bool send = false;
        if (y < height) {
            float *row = engine->rows + (size_t)count * (size_t)width;
            const bool now = falls[kind].make(domain, discs, y, row);
            send = now || rain->touched[kind][y];
            if (send && !now) wadi_supply_base(domain, map, y, row);
            rain->touched[kind][y] = now;
        }
        if (send && count == 0) from = y;
        count += send;
        if (count > 0 && (!send || count == most)) {
            status = send_rows(domain, rain->map[kind], from, from + count);
            count = 0;
            sent = true;
        }
    }
    /* with a periodic boundary, sweeps read the margin too */
    if (sent && status == WADI_OK && engine->shape.substeps > 0) status = wadi_gpu_wrap_map(engine, rain->map[kind]);
    return status;
}

static bool same(const wadi_discs *a, const wadi_discs *b) {
    return a->count == b->count && (a->count == 0 || memcmp(a->list, b->list, a->count * sizeof *a->list) == 0);
}

/* Allocates before the steps, since these would be lost if memory failed during them. */
static bool make_note(wadi_discs *sent, size_t most) {
    if (most <= sent->capacity) return true;
    wadi_disc *list = realloc(sent->list, most * sizeof *list);
    if (list == NULL) return false;
    sent->list = list;
    sent->capacity = most;
    return true;
}

static void note(wadi_discs *sent, const wadi_discs *discs) {
    if (discs->count > 0) memcpy(sent->list, discs->list, discs->count * sizeof *discs->list);
    sent->count = discs->count;
}

/* --- maps made on the device --- */

/* As in core/falls_cell.h. */
typedef struct ground {
    int32_t width, height, wrap, first_row, first_column, columns;
    double lx, ly;
} ground;

static ground ground_of(const wadi_domain *domain) {
    const wadi_def *def = &domain->def;
    return (ground){wadi_whole_width(def),
                    wadi_is_tile(def) ? def->tile.height : domain->window.grid_height,
                    def->boundary == WADI_WRAP,
                    def->tile.y + domain->window.y,
                    def->tile.x,
                    def->width,
                    def->lx,
                    def->ly};
}

#define FORECAST_DISCS 131072

/* Memory for the forecast, at least for one sub-step. */
static wadi_status make_forecast(const wadi_domain *domain) {
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_gpu_forecast *forecast = &engine->forecast;
    const size_t each = wadi_supply_most(domain), many = WADI_GPU_FORECAST * each;
    const size_t room = many < FORECAST_DISCS ? many : each > FORECAST_DISCS ? each : FORECAST_DISCS;
    if (room > forecast->room) {
        free(forecast->list);
        engine->driver->free(engine->gpu, forecast->there);
        forecast->there = NULL;
        forecast->list = malloc(room * sizeof *forecast->list);
        forecast->room = forecast->list != NULL ? room : 0;
    }
    if (forecast->room == 0) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for %zu sources and drops", room);
    if (!engine->about.float64) return WADI_OK;
    return wadi_gpu_allocate(engine, forecast->room * sizeof *forecast->list, &forecast->there);
}

/* Memory for the most discs and rainfall events of a sub-step. */
static wadi_status make_lists(const wadi_domain *domain, wadi_gpu_rain *rain) {
    const wadi_gpu_engine *engine = domain->engine_state;
    const size_t room = wadi_supply_most(domain);
    wadi_status status = wadi_gpu_allocate(engine, WADI_MOST_SHOWERS * sizeof(uint64_t), &rain->starts);
    for (int i = 0; i < 2 && status == WADI_OK; i++) {
        if (room > rain->room) {
            engine->driver->free(engine->gpu, rain->list[i]);
            rain->list[i] = NULL;
        }
        status = wadi_gpu_allocate(engine, room * sizeof(wadi_disc), &rain->list[i]);
    }
    rain->room = status == WADI_OK ? room : 0;
    return status;
}

/* The kernel stores this sub-step's discs in one list and finds the previous ones in the other. */
static wadi_status drop_discs(const wadi_domain *domain, wadi_gpu_rain *rain, const wadi_discs *discs) {
    const wadi_gpu_engine *engine = domain->engine_state;
    wadi_gpu_memory *const earlier = rain->list[1];
    rain->list[1] = rain->list[0];
    rain->list[0] = earlier;
    const int32_t first = (int32_t)(discs->list - engine->forecast.list);
    const int map = map_of(domain, WADI_GPU_RAIN);
    wadi_gpu_memory *const given = engine->map[map], *const to = rain->map[WADI_GPU_RAIN];
    const int32_t is_given = given != NULL, count = (int32_t)discs->count, before = (int32_t)rain->sent.count;
    const float uniform = is_given ? 0 : wadi_constant(domain, map);
    const ground on = ground_of(domain);
    const wadi_gpu_argument arguments[] = {WADI_GPU_MEMORY(to),
                                           WADI_GPU_MEMORY(is_given ? given : to),
                                           WADI_GPU_VALUE(is_given),
                                           WADI_GPU_VALUE(uniform),
                                           WADI_GPU_MEMORY(engine->forecast.there),
                                           WADI_GPU_VALUE(first),
                                           WADI_GPU_VALUE(count),
                                           WADI_GPU_MEMORY(rain->list[0]),
                                           WADI_GPU_MEMORY(rain->list[1]),
                                           WADI_GPU_VALUE(before),
                                           WADI_GPU_VALUE(on),
                                           WADI_GPU_VALUE(engine->grid)};
    const size_t bands = ((size_t)domain->def.height + WADI_GPU_FALL_ROWS - 1) / WADI_GPU_FALL_ROWS;
    const wadi_status status = wadi_gpu_call(engine, engine->fall, bands, 1, arguments, 12);
    return status == WADI_OK ? wadi_gpu_wrap_map(engine, to) : status;
}

static wadi_status shower(const wadi_domain *domain, wadi_gpu_rain *rain, const wadi_discs *discs) {
    const wadi_gpu_engine *engine = domain->engine_state;
    uint64_t starts[WADI_MOST_SHOWERS];
    const int map = map_of(domain, WADI_GPU_SHOWER);
    wadi_gpu_memory *const to = rain->map[WADI_GPU_SHOWER];
    const int32_t count = discs->showers;
    const uint64_t stride = count > 0 ? wadi_shower_stride(domain) : 1;
    const ground on = ground_of(domain);
    for (int i = 0; i < count; i++) starts[i] = wadi_shower_start(domain, discs, i);
    wadi_status status = wadi_gpu_start_map(engine, to, count > 0 ? 0 : wadi_constant(domain, map));
    if (status == WADI_OK) status = wadi_gpu_send(engine, rain->starts, starts, (size_t)count * sizeof *starts);
    const wadi_gpu_argument arguments[] = {WADI_GPU_MEMORY(to),   WADI_GPU_MEMORY(rain->starts),
                                           WADI_GPU_VALUE(count), WADI_GPU_VALUE(stride),
                                           WADI_GPU_VALUE(on),    WADI_GPU_VALUE(engine->grid)};
    const size_t groups = ((size_t)domain->def.height + WADI_GPU_ITEMS - 1) / WADI_GPU_ITEMS;
    if (status == WADI_OK && count > 0) status = wadi_gpu_call(engine, engine->shower, groups, 1, arguments, 6);
    return status == WADI_OK ? wadi_gpu_wrap_map(engine, to) : status;
}

/* --- the forecast --- */

void wadi_gpu_rain_call(wadi_domain *domain, int64_t substeps) {
    wadi_gpu_engine *engine = domain->engine_state;
    engine->forecast.begin = engine->forecast.end = 0;
    engine->forecast.call_end = substeps;
}

/* Lists the rain of sub-step `ahead` of the call, on the host and on the device. */
static wadi_status foresee(wadi_domain *domain, int64_t ahead) {
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_gpu_forecast *forecast = &engine->forecast;
    if (ahead >= forecast->begin && ahead < forecast->end) return WADI_OK;
    const size_t fit = forecast->room / wadi_supply_most(domain);
    const int64_t most = fit < WADI_GPU_FORECAST ? (int64_t)fit : WADI_GPU_FORECAST, left = forecast->call_end - ahead;
    forecast->begin = ahead;
    forecast->end = ahead + (left < most ? left : most);
    size_t count = 0;
    for (int64_t i = 0; i < forecast->end - ahead; i++) {
        wadi_discs *discs = &forecast->of[i];
        *discs = (wadi_discs){.list = forecast->list + count};
        wadi_supply_begin(domain, ahead + i, discs);
        count += discs->count;
    }
    return engine->about.float64
               ? wadi_gpu_send(engine, forecast->there, forecast->list, count * sizeof *forecast->list)
               : WADI_OK;
}

/* --- the rain of a sub-step --- */

static wadi_status fall(wadi_domain *domain, wadi_gpu_rain *rain, const wadi_discs *discs, int kind) {
    const wadi_gpu_engine *engine = domain->engine_state;
    if (!engine->about.float64) return send_map(domain, rain, discs, kind);
    return kind == WADI_GPU_RAIN ? drop_discs(domain, rain, discs) : shower(domain, rain, discs);
}

wadi_status wadi_gpu_rain_fall(wadi_domain *domain, int64_t ahead, int place) {
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_gpu_rain *rain = &engine->rain[place];
    if (!wadi_supply_varies(domain)) return WADI_OK;
    wadi_status status = foresee(domain, ahead);
    if (status != WADI_OK) return status;
    const wadi_discs *discs = &engine->forecast.of[ahead - engine->forecast.begin];
    if (!same(discs, &rain->sent)) {
        status = fall(domain, rain, discs, WADI_GPU_RAIN);
        if (status == WADI_OK) note(&rain->sent, discs);
    }
    if (status == WADI_OK && (discs->showers > 0 || rain->sent.showers > 0))
        status = fall(domain, rain, discs, WADI_GPU_SHOWER);
    rain->sent.showers = discs->showers;
    return status;
}

static wadi_status begin_map(wadi_domain *domain, wadi_gpu_rain *rain, int kind) {
    wadi_gpu_engine *engine = domain->engine_state;
    const int map = map_of(domain, kind);
    if (map < 0 || !wadi_gpu_is_rain(domain, map)) return WADI_OK;
    if (rain->touched[kind] == NULL) rain->touched[kind] = malloc((size_t)domain->def.height);
    if (rain->touched[kind] == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for maps of rain");
    memset(rain->touched[kind], 0, (size_t)domain->def.height);
    wadi_status status = wadi_gpu_allocate(engine, wadi_gpu_bytes(&engine->grid), &rain->map[kind]);
    const float *given = domain->block.map[map];
    if (status == WADI_OK) status = wadi_gpu_start_map(engine, rain->map[kind], wadi_constant(domain, map));
    const wadi_gpu_rows rows = wadi_gpu_rows_of(domain);
    if (status == WADI_OK && given != NULL) status = engine->driver->write(engine->gpu, rain->map[kind], &rows, given);
    return status == WADI_OK ? wadi_gpu_wrap_map(engine, rain->map[kind]) : status;
}

wadi_status wadi_gpu_rain_begin(wadi_domain *domain, int place) {
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_gpu_rain *rain = &engine->rain[place];
    rain->sent.count = 0;
    rain->sent.showers = 0;
    if (!wadi_supply_varies(domain)) return WADI_OK;
    wadi_status status = make_forecast(domain);
    if (status == WADI_OK && engine->about.float64) status = make_lists(domain, rain);
    if (status != WADI_OK) return status;
    if (!make_note(&rain->sent, wadi_supply_most(domain)))
        return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for %zu sources and drops", wadi_supply_most(domain));
    if (engine->rows == NULL) engine->rows = malloc(((size_t)domain->def.width + SENT_AT_ONCE) * sizeof *engine->rows);
    if (engine->rows == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for rows of rain");
    for (int kind = 0; kind < WADI_GPU_FALLS && status == WADI_OK; kind++) status = begin_map(domain, rain, kind);
    return status;
}

void wadi_gpu_rain_free(wadi_gpu_engine *engine) {
    for (int place = 0; place < WADI_GPU_SWEEP_SUBSTEPS; place++) {
        wadi_gpu_rain *rain = &engine->rain[place];
        for (int kind = 0; kind < WADI_GPU_FALLS; kind++) {
            if (engine->gpu != NULL) engine->driver->free(engine->gpu, rain->map[kind]);
            free(rain->touched[kind]);
        }
        for (int i = 0; i < 2 && engine->gpu != NULL; i++) engine->driver->free(engine->gpu, rain->list[i]);
        if (engine->gpu != NULL) engine->driver->free(engine->gpu, rain->starts);
        free(rain->sent.list);
    }
    if (engine->gpu != NULL) engine->driver->free(engine->gpu, engine->forecast.there);
    free(engine->forecast.list);
    free(engine->rows);
}
