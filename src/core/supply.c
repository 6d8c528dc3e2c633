/* supply.c: precipitation discs and shower points, row by row. */
#include "core/supply.h"
#include "core/need.h"
#include "core/strict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/def.h"
#include "core/inside.h"
#include "core/random.h"
#include "platform/platform.h"

void wadi_supply_free_sources(wadi_supply *supply) {
    free(supply->sources);
    free(supply->source_cells);
}

void wadi_supply_free_discs(wadi_supply *supply) {
    for (size_t i = 0; i < supply->lists; i++) free(supply->discs[i].list);
    free(supply->discs);
}

#define CELL static inline
#define DISC wadi_disc
typedef uint64_t uwide;
#include "core/falls_cell.h"

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

void wadi_supply_box(const wadi_domain *domain, const wadi_disc *d, int *x0, int *x1, int *y0, int *y1) {
    const ground on = ground_of(domain);
    const double up = fmin(disc_reach(*d) / domain->def.ly, on.height) + 1;
    *x0 = disc_first(on, *d) - on.first_column;
    *x1 = *x0 + disc_columns(on, *d);
    *y0 = (int)floor(d->y - up) - on.first_row;
    *y1 = (int)ceil(d->y + up) + 1 - on.first_row;
}

/* The weighted number of cells with data under a disc. Beyond a tile all cells of the whole count. */
static double count_cells(const wadi_domain *domain, const disc d) {
    const ground on = ground_of(domain);
    double cells = 0;
    for (int grid_y = 0; grid_y < on.height; grid_y++) {
        if (!disc_touches(on, d, grid_y)) continue;
        const int y = grid_y - on.first_row;
        for (int i = 0; i < disc_columns(on, d); i++) {
            const int grid_x = fall_on_grid(on, disc_first(on, d) + i), x = ground_column(on, grid_x);
            const bool beyond = x < 0 || y < 0 || y >= domain->def.height;
            if (grid_x >= 0 && (beyond || wadi_has_data(domain, x, y))) cells += disc_weight(on, d, grid_x, grid_y);
        }
    }
    return cells;
}

static wadi_status check_source(const wadi_domain *domain, const wadi_source *source, size_t number, double *cells) {
    if (!isfinite(source->x + source->y + source->radius_m + source->rate_m3s) || isnan(source->start_s) ||
        isnan(source->end_s) || source->radius_m < 0 || source->rate_m3s < 0)
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "source %zu: place, radius (0 or more) and rate (0 or more) must be finite numbers",
                         number + 1);
    const int width = wadi_whole_width(&domain->def), height = wadi_whole_height(&domain->def);
    if (source->x < 0 || source->y < 0 || source->x >= width || source->y >= height)
        return wadi_fail(WADI_ERROR_ARGUMENT, "source %zu: (%g, %g) is not on the grid of %d x %d cells", number + 1,
                         source->x, source->y, width, height);
    const disc d = {source->x, source->y, source->radius_m, 0, domain->model->gaussian_sources};
    *cells = count_cells(domain, d);
    if (*cells == 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "source %zu: no cell with data under it at (%g, %g)", number + 1,
                         source->x, source->y);
    return WADI_OK;
}

static wadi_status check_sources(const wadi_domain *domain, const wadi_source *sources, size_t count, double *cells) {
    wadi_status status = WADI_OK;
    for (size_t i = 0; status == WADI_OK && i < count; i++) status = check_source(domain, &sources[i], i, &cells[i]);
    return status;
}

/* Exchanges the members with those of `with`. */
static void exchange_sources(wadi_supply *supply, wadi_supply *with) {
    const wadi_supply before = *supply;
    supply->sources = with->sources;
    supply->source_cells = with->source_cells;
    supply->source_count = with->source_count;
    with->sources = before.sources;
    with->source_cells = before.source_cells;
    with->source_count = before.source_count;
}

wadi_status wadi_sim_set_sources(wadi_sim *sim, const wadi_source *sources, size_t count) {
    WADI_IEEE_MODE;
    WADI_NEED(sim);
    wadi_domain *domain = sim->domain;
    if (count > 0) WADI_NEED(sources);
    if (count > WADI_MOST_SOURCES)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%zu sources: at most %d", count, WADI_MOST_SOURCES);
    wadi_supply given = {.sources = malloc((count + 1) * sizeof(wadi_source)),
                         .source_cells = malloc((count + 1) * sizeof(double)),
                         .source_count = count};
    wadi_status status = WADI_OK;
    if (given.sources == NULL || given.source_cells == NULL)
        status = wadi_fail(WADI_ERROR_MEMORY, "not enough memory for %zu sources", count);
    if (status == WADI_OK) status = check_sources(domain, sources, count, given.source_cells);
    if (status == WADI_OK) status = wadi_supply_reserve(domain, count, domain->def.drops.count);
    if (status == WADI_OK) {
        if (count > 0) memcpy(given.sources, sources, count * sizeof *sources);
        exchange_sources(&domain->supply, &given);
        /* GPU kernels are compiled for uniform or for varying rain */
        if (sim->domain->engine->fetch != NULL) status = sim->domain->engine->plan(domain);
        if (status != WADI_OK) exchange_sources(&domain->supply, &given);
        domain->edits++;
    }
    wadi_supply_free_sources(&given);
    return status;
}

const wadi_source *wadi_sim_sources(const wadi_sim *sim, size_t *count) {
    if (count != NULL) *count = sim != NULL ? sim->domain->supply.source_count : 0;
    return sim != NULL ? sim->domain->supply.sources : NULL;
}

static bool reserve_list(wadi_discs *discs, size_t need) {
    if (need <= discs->capacity) return true;
    wadi_disc *list = realloc(discs->list, need * sizeof *list);
    if (list == NULL) return false;
    discs->list = list;
    discs->capacity = need;
    return true;
}

static size_t most_of(size_t sources, double drops) { return sources + (size_t)ceil(drops) + 1; }

size_t wadi_supply_most(const wadi_domain *domain) {
    return most_of(domain->supply.source_count, domain->def.drops.count);
}

wadi_status wadi_supply_reserve(wadi_domain *domain, size_t sources, double drops) {
    wadi_supply *supply = &domain->supply;
    const size_t need = most_of(sources, drops), lists = (size_t)domain->members * (size_t)domain->substeps_per_pass;
    if (lists > supply->lists) {
        wadi_discs *discs = realloc(supply->discs, lists * sizeof *discs);
        if (discs == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for sources and drops");
        for (size_t i = supply->lists; i < lists; i++) discs[i] = (wadi_discs){0};
        supply->discs = discs;
        supply->lists = lists;
    }
    bool all = true;
    for (size_t i = 0; all && i < lists; i++) all = reserve_list(&supply->discs[i], need);
    return all ? WADI_OK : wadi_fail(WADI_ERROR_MEMORY, "not enough memory for %zu sources and drops", need);
}

wadi_status wadi_supply_reserve_now(wadi_domain *domain) {
    return wadi_supply_reserve(domain, domain->supply.source_count, domain->def.drops.count);
}

#define SHOWERS_STREAM 0x73686f77u /* a stream of its own, as below */

static wadi_random4 draw(const wadi_def *def, int64_t step, uint32_t number) {
    const uint64_t s = (uint64_t)step;
    return wadi_philox(number, (wadi_u32)s, (wadi_u32)(s >> 32),
                       0x64726f70u /* a stream of its own: other uses of the seed have other numbers */,
                       (wadi_u32)def->seed, (wadi_u32)(def->seed >> 32));
}

/* Seconds for which water flows in a sub-step. A model with a river speed passes it on by one cell. */
static double water_s(const wadi_domain *domain) {
    const int speed = wadi_parameter_of(domain->model, WADI_PARAMETER_RIVER_SPEED);
    return speed < 0 ? domain->dt_s : sqrt(domain->def.lx * domain->def.ly) / domain->def.values[speed];
}

static void add_drops(const wadi_domain *domain, int64_t step, wadi_discs *discs) {
    const wadi_def *def = &domain->def;
    const ground on = ground_of(domain);
    const double whole = floor(def->drops.count);
    size_t count = (size_t)whole;
    if (wadi_unit_float(draw(def, step, UINT32_MAX).v[0]) < def->drops.count - whole) count++;
    for (size_t i = 0; i < count; i++) {
        const wadi_random4 words = draw(def, step, (uint32_t)i);
        discs->list[discs->count++] =
            (wadi_disc){(double)wadi_unit_float(words.v[0]) * on.width, (double)wadi_unit_float(words.v[1]) * on.height,
                        def->drops.radius_m, (float)(def->drops.rate_m_s * water_s(domain)), false};
    }
}

static double time_ahead(const wadi_domain *domain, int64_t ahead) {
    return wadi_time_at(domain, domain->steps + ahead / domain->substeps) +
           (double)(ahead % domain->substeps) * domain->dt_s;
}

static wadi_showers showers_of(const wadi_domain *domain) {
    const wadi_showers none = {0, 0, false};
    return domain->model->showers != NULL ? domain->model->showers(domain->def.values) : none;
}

/* When the shower of this number falls, as a part of its interval. */
static double shower_delay(const wadi_domain *domain, const wadi_showers *showers, int64_t number) {
    const uint64_t n = (uint64_t)number, seed = domain->def.seed;
    if (!showers->random_times) return 0;
    return (double)wadi_unit_float(
        wadi_philox((wadi_u32)n, (wadi_u32)(n >> 32), 1, SHOWERS_STREAM, (wadi_u32)seed, (wadi_u32)(seed >> 32)).v[0]);
}

/* The number of showers that fell before the time, 2^53 at most: a double counts no further. */
static int64_t showers_before(const wadi_domain *domain, const wadi_showers *showers, double time_s) {
    const double intervals = fmin(time_s / showers->interval_s, 0x1p53), whole = floor(intervals);
    return (int64_t)whole + (whole + shower_delay(domain, showers, (int64_t)whole) < intervals);
}

/* The showers from the beginning of the sub-step to the beginning of the next. */
static void begin_showers(const wadi_domain *domain, int64_t ahead, wadi_discs *discs) {
    const wadi_showers showers = showers_of(domain);
    if (!(showers.interval_s > 0 && showers.share > 0)) return;
    discs->first_shower = showers_before(domain, &showers, time_ahead(domain, ahead));
    const int64_t count = showers_before(domain, &showers, time_ahead(domain, ahead + 1)) - discs->first_shower;
    discs->showers = count < WADI_MOST_SHOWERS ? (int)count : WADI_MOST_SHOWERS;
}

/* Part of a sub-step from begin_s to end_s in which the source runs, as seconds of water. Rounding at a border does not
 * matter: a source that ends with a sub-step fills that sub-step and is absent from the next. */
static double overlap(const wadi_domain *domain, const wadi_source *source, double begin_s, double end_s) {
    const double slack = 1e-9 * domain->dt_s + 1e-15 * fabs(end_s);
    const double from = fmax(begin_s, source->start_s), to = fmin(end_s, source->end_s);
    if ((from - begin_s) + (end_s - to) <= slack) return water_s(domain);
    return to - from > slack ? (to - from) * (water_s(domain) / domain->dt_s) : 0;
}

void wadi_supply_begin(const wadi_domain *domain, int64_t ahead, wadi_discs *discs) {
    const wadi_supply *supply = &domain->supply;
    ahead += domain->ahead;
    const int64_t step = domain->steps + ahead / domain->substeps;
    const double begin_s = time_ahead(domain, ahead), end_s = time_ahead(domain, ahead + 1);
    discs->count = 0;
    discs->showers = 0;
    if (!wadi_takes_water(domain)) return;
    begin_showers(domain, ahead, discs);
    for (size_t i = 0; i < supply->source_count; i++) {
        const wadi_source *source = &supply->sources[i];
        const double running_s = overlap(domain, source, begin_s, end_s);
        if (!(running_s > 0)) continue;
        const double area = supply->source_cells[i] * domain->def.lx * domain->def.ly;
        discs->list[discs->count++] =
            (wadi_disc){source->x, source->y, source->radius_m, (float)(source->rate_m3s * running_s / area),
                        domain->model->gaussian_sources};
    }
    if (domain->def.drops.count > 0) add_drops(domain, step, discs);
}

void wadi_supply_base(const wadi_domain *domain, int map, int y, float *row) {
    const float *given = domain->block.map[map];
    if (given != NULL) {
        memcpy(row, given + y * domain->block.pitch, (size_t)domain->def.width * sizeof *row);
        return;
    }
    const float uniform = wadi_constant(domain, map);
    for (int x = 0; x < domain->def.width; x++) row[x] = uniform;
}

bool wadi_supply_row(const wadi_domain *domain, const wadi_discs *discs, int y, float *row) {
    const ground on = ground_of(domain);
    const int grid_y = ground_row(on, y);
    bool any = false;
    for (size_t i = 0; i < discs->count; i++) {
        const disc d = discs->list[i];
        if (!disc_touches(on, d, grid_y)) continue;
        if (!any) wadi_supply_base(domain, wadi_map_of(domain->model, WADI_MAP_RAIN), y, row);
        any = true;
        const int first = disc_first(on, d), count = disc_columns(on, d);
        for (int j = 0; j < count; j++) {
            const int grid_x = fall_on_grid(on, first + j), x = ground_column(on, grid_x);
            if (x >= 0) row[x] += (float)((double)d.depth * disc_weight(on, d, grid_x, grid_y));
        }
    }
    return any;
}

/* --- showers --- */

uint64_t wadi_shower_stride(const wadi_domain *domain) {
    const ground on = ground_of(domain);
    const double points = ceil(showers_of(domain).share * on.width * on.height);
    return (UINT64_C(1) << 32) / (uint64_t)points | 1;
}

uint64_t wadi_shower_start(const wadi_domain *domain, const wadi_discs *discs, int which) {
    const uint64_t number = (uint64_t)(discs->first_shower + which), seed = domain->def.seed;
    const wadi_random4 words = wadi_philox((wadi_u32)number, (wadi_u32)(number >> 32), 0, SHOWERS_STREAM,
                                           (wadi_u32)seed, (wadi_u32)(seed >> 32));
    return ((uint64_t)words.v[0] << 32 | words.v[1]) % wadi_shower_stride(domain);
}

bool wadi_supply_showers(const wadi_domain *domain, const wadi_discs *discs, int y, float *row) {
    if (discs->showers == 0) return false;
    const ground on = ground_of(domain);
    const int grid_y = ground_row(on, y);
    const uint64_t stride = wadi_shower_stride(domain);
    for (int x = 0; x < on.columns; x++) row[x] = 0;
    for (int s = 0; s < discs->showers; s++) {
        const uint64_t start = wadi_shower_start(domain, discs, s);
        for (uint64_t i = shower_first(on, start, stride, grid_y); i < shower_end(on, grid_y); i += stride) {
            const int x = ground_column(on, shower_column(on, i));
            if (x >= 0) row[x] += 1;
        }
    }
    return true;
}

bool wadi_supply_varies(const wadi_domain *domain) {
    return domain->supply.source_count > 0 || domain->def.drops.count > 0 || domain->model->showers != NULL;
}
