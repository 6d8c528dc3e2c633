/* paint.c: changes fields by brush dabs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/area.h"
#include "core/ground.h"
#include "core/inside.h"
#include "core/mass.h"
#include "core/mirror.h"
#include "core/need.h"
#include "core/prepare.h"
#include "core/strict.h"
#include "platform/platform.h"
#include "wadi/paint.h"

/* What is painted: state, the mask, and from RAIN on maps of parameters. */
typedef enum painted { GROUND, WET, HARD, MASK, RAIN, UPLIFT, ERODIBILITY, KINDS } painted;

static const struct {
    const char *name;
    painted what;
    double sign;
    bool is_share; /* strength is at most 1 */
} brushes[WADI_BRUSHES] = {{"raise", GROUND, 1, false},
                           {"lower", GROUND, -1, false},
                           {"smooth", GROUND, 1, true},
                           {"flatten", GROUND, 1, true},
                           {"water", WET, 1, false},
                           {"drain", WET, -1, false},
                           {"harden", HARD, 1, true},
                           {"soften", HARD, -1, true},
                           {"protect", MASK, -1, true},
                           {"expose", MASK, 1, true},
                           {"rain", RAIN, 1, false},
                           {"dry", RAIN, -1, false},
                           {"uplift", UPLIFT, 1, false},
                           {"quiet", UPLIFT, -1, false},
                           {"erodible", ERODIBILITY, 1, false},
                           {"resistant", ERODIBILITY, -1, false}};

const char *wadi_brush_name(wadi_brush brush) { return (unsigned)brush < WADI_BRUSHES ? brushes[brush].name : NULL; }

static bool is_map(painted what) { return what >= MASK; }

/* The parameter whose map is painted; -1: the model has none. */
static int parameter_of(const wadi_sim *sim, painted what) {
    static const wadi_parameter_role roles[KINDS] = {
        [RAIN] = WADI_PARAMETER_RAIN, [UPLIFT] = WADI_PARAMETER_UPLIFT, [ERODIBILITY] = WADI_PARAMETER_ERODIBILITY};
    const int index = what < RAIN ? -1 : wadi_parameter_of(sim->domain->model, roles[what]);
    return index >= 0 && sim->domain->model->parameters[index].per_cell ? index : -1;
}

static const char *name_of(painted what) { return what == RAIN ? "rain" : what == UPLIFT ? "uplift" : "erodibility"; }

static wadi_status check_dab(const wadi_sim *sim, const wadi_dab *dab, size_t number) {
    const char *name = wadi_brush_name(dab->brush);
    if (name == NULL) return wadi_fail(WADI_ERROR_ARGUMENT, "dab %zu: there is no brush %d", number, (int)dab->brush);
    if (!isfinite(dab->x) || !isfinite(dab->y) || fabs(dab->x) > 1e9 || fabs(dab->y) > 1e9)
        return wadi_fail(WADI_ERROR_ARGUMENT, "dab %zu (%s): (%g, %g) is no place", number, name, dab->x, dab->y);
    if (!(dab->radius_m > 0) || !(dab->radius_m < 1e9))
        return wadi_fail(WADI_ERROR_ARGUMENT, "dab %zu (%s): a radius of %g m cannot be", number, name, dab->radius_m);
    if (!(dab->falloff >= 0 && dab->falloff <= 1))
        return wadi_fail(WADI_ERROR_ARGUMENT, "dab %zu (%s): a falloff of %g is outside 0 to 1", number, name,
                         dab->falloff);
    const double most = brushes[dab->brush].is_share ? 1 : 1e6;
    if (!(dab->strength >= 0 && dab->strength <= most))
        return wadi_fail(WADI_ERROR_ARGUMENT, "dab %zu (%s): a strength of %g is outside 0 to %g", number, name,
                         dab->strength, most);
    if (dab->brush == WADI_BRUSH_FLATTEN && !(fabs(dab->level_m) < 1e7))
        return wadi_fail(WADI_ERROR_ARGUMENT, "dab %zu (%s): a level of %g m cannot be", number, name, dab->level_m);
    if (brushes[dab->brush].what == HARD && !wadi_model_has_hardness(sim->domain->model))
        return wadi_fail(WADI_ERROR_ARGUMENT, "dab %zu (%s): %s has no hardness: leave it out, or choose jako2011",
                         number, name, sim->domain->model->id);
    if (brushes[dab->brush].what >= RAIN && parameter_of(sim, brushes[dab->brush].what) < 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "dab %zu (%s): %s has no %s that differs from cell to cell", number, name,
                         sim->domain->model->id, name_of(brushes[dab->brush].what));
    return WADI_OK;
}

/* --- one dab or area --- */

/* The cells that a dab may reach, from the first one. On a periodic grid they continue on the opposite side. */
typedef struct box {
    int x, y, columns, rows;
} box;

static bool is_periodic(const wadi_sim *sim) { return sim->domain->def.boundary == WADI_WRAP; }

static int bound(double v, int size) { return v < 0 ? 0 : v > size ? size : (int)v; }

static void find_span(double centre, double reach, int size, bool periodic, int *first, int *count) {
    if (!periodic || 2 * reach + 2 >= size) {
        *first = periodic ? 0 : bound(centre - reach, size);
        *count = periodic ? size : bound(centre + reach + 1, size) - *first;
    } else {
        *first = (int)floor(centre - reach);
        *count = (int)floor(centre + reach + 1) - *first;
    }
}

/* What paints: a dab, or an area with the members of a dab. */
typedef struct touch {
    wadi_dab dab;
    const wadi_area *area; /* NULL: the dab's disc */
} touch;

static box box_of(const wadi_sim *sim, const touch *touch) {
    const wadi_area *area = touch->area;
    if (area) return (box){area->x, area->y, area->columns, area->rows};
    const wadi_def *def = &sim->domain->def;
    const wadi_dab *dab = &touch->dab;
    const double rx = dab->radius_m / def->lx + 1, ry = dab->radius_m / def->ly + 1;
    box box;
    find_span(dab->x - def->tile.x, rx, def->width, is_periodic(sim), &box.x, &box.columns);
    find_span(dab->y - def->tile.y, ry, def->height, is_periodic(sim), &box.y, &box.rows);
    return box;
}

static int around(int i, int size) { return i >= 0 && i < size ? i : ((i % size) + size) % size; }
static int column_of(const wadi_sim *sim, const box *box, int i) { return around(box->x + i, sim->domain->def.width); }
static int row_of(const wadi_sim *sim, const box *box, int j) { return around(box->y + j, sim->domain->def.height); }

/* Wraps a coordinate onto a periodic grid. */
static double on_grid(double place, int size) {
    const double rest = fmod(place, size);
    return rest < 0 ? rest + size : rest;
}

/* |a - b| in cells; on a periodic grid the shorter distance. */
static double apart(const wadi_sim *sim, double a, double b, int size) {
    const double distance = fabs(a - b);
    return is_periodic(sim) && distance > size - distance ? size - distance : distance;
}

static double weight_in(const wadi_area *area, int x, int y) {
    return (double)area->weights[(size_t)(y - area->y) * (size_t)area->columns + (size_t)(x - area->x)];
}

/* 1 in the middle; from the start of the falloff it decreases to 0 at the rim. A tile has the places of the whole. */
static double weight(const wadi_sim *sim, const touch *touch, int x, int y) {
    if (touch->area) return weight_in(touch->area, x, y);
    const wadi_def *def = &sim->domain->def;
    const wadi_dab *dab = &touch->dab;
    const double dx = apart(sim, def->tile.x + x + 0.5, dab->x, def->width) * def->lx;
    const double dy = apart(sim, def->tile.y + y + 0.5, dab->y, def->height) * def->ly;
    const double r = sqrt(dx * dx + dy * dy) / dab->radius_m;
    if (r > 1) return 0;
    const double t = dab->falloff > 0 ? (1 - r) / dab->falloff : 1;
    return t < 1 ? t * t * (3 - 2 * t) : 1;
}

static double height_at(const wadi_sim *sim, int x, int y) {
    const float *db = wadi_block_row(&sim->domain->block,
                                     sim->domain->block.field[wadi_field_of(sim->domain->model, WADI_FIELD_CHANGE)], y);
    return (double)wadi_terrain_row(sim->domain, y)[x] + (double)db[x];
}

static bool has_data(const wadi_sim *sim, int x, int y) {
    const bool inside = x >= 0 && y >= 0 && x < sim->domain->def.width && y < sim->domain->def.height;
    return inside && wadi_has_data(sim->domain, x, y);
}

/* Mean of the cell and its neighbours with data. */
static double mean_height(const wadi_sim *sim, int x, int y) {
    double sum = 0;
    int count = 0;
    for (int j = y - 1; j <= y + 1; j++)
        for (int i = x - 1; i <= x + 1; i++) {
            const int column = is_periodic(sim) ? around(i, sim->domain->def.width) : i;
            const int row = is_periodic(sim) ? around(j, sim->domain->def.height) : j;
            if (!has_data(sim, column, row)) continue;
            sum += height_at(sim, column, row);
            count++;
        }
    return sum / count;
}

/* The change of height in a cell. */
static double lift(const wadi_sim *sim, const touch *touch, int x, int y) {
    const wadi_dab *dab = &touch->dab;
    const double much = dab->strength * weight(sim, touch, x, y);
    if (dab->brush == WADI_BRUSH_SMOOTH) return much > 0 ? much * (mean_height(sim, x, y) - height_at(sim, x, y)) : 0;
    if (dab->brush == WADI_BRUSH_FLATTEN) return much * (dab->level_m - height_at(sim, x, y));
    return brushes[dab->brush].sign * much;
}

/* All lifts are computed before any is applied, because smoothing reads neighbours. */
static void paint_ground(wadi_sim *sim, const touch *touch, box box, double *lifts) {
    const double *by = lifts;
    for (int j = 0; j < box.rows; j++)
        for (int i = 0; i < box.columns; i++) {
            const int x = column_of(sim, &box, i), y = row_of(sim, &box, j);
            *lifts++ = wadi_has_data(sim->domain, x, y) ? lift(sim, touch, x, y) : 0;
        }
    for (int j = 0; j < box.rows; j++) {
        float *b0 = wadi_terrain_row(sim->domain, row_of(sim, &box, j));
        for (int i = 0; i < box.columns; i++, by++) {
            const int x = column_of(sim, &box, i);
            const double to = (double)b0[x] + *by;
            if (*by > 0 || *by < 0) b0[x] = (float)(to < -9.9e6 ? -9.9e6 : to > 9.9e6 ? 9.9e6 : to);
        }
    }
}

static float within(double v, double high) { return (float)(v < 0 ? 0 : v > high ? high : v); }

/* Erodibility is multiplied or divided, because rocks differ by factors. */
static double painted_value(wadi_brush brush, double value, double much) {
    const double sign = brushes[brush].sign;
    if (brushes[brush].what != ERODIBILITY) return value + sign * much;
    return sign > 0 ? value * (1 + much) : value / (1 + much);
}

static void paint_row(const wadi_sim *sim, const touch *touch, const box *box, int y, float *row, double high) {
    const wadi_dab *dab = &touch->dab;
    for (int i = 0; i < box->columns; i++) {
        const int x = column_of(sim, box, i);
        const double much = dab->strength * weight(sim, touch, x, y);
        if (wadi_has_data(sim->domain, x, y) && much > 0)
            row[x] = within(painted_value(dab->brush, (double)row[x], much), high);
    }
}

static double highest_of(const wadi_sim *sim, painted what) {
    double lowest, highest = what == WET ? 1e7 : 1;
    if (what >= RAIN) wadi_def_bounds(&sim->domain->def, parameter_of(sim, what), &lowest, &highest);
    return (double)(float)highest > highest ? (double)nextafterf((float)highest, 0) : highest;
}

/* The mask has no parameter. */
static float **map_of(wadi_sim *sim, painted what) {
    const int parameter = parameter_of(sim, what);
    return parameter < 0 ? &sim->mask : &sim->raster[parameter];
}

static void paint(wadi_sim *sim, const wadi_dab *dab, const wadi_area *area, double *lifts) {
    touch touch = {*dab, area};
    if (is_periodic(sim)) {
        touch.dab.x = on_grid(dab->x, sim->domain->def.width);
        touch.dab.y = on_grid(dab->y, sim->domain->def.height);
    }
    const box box = box_of(sim, &touch);
    const painted what = brushes[dab->brush].what;
    if (what == GROUND) {
        paint_ground(sim, &touch, box, lifts);
        return;
    }
    const int field = wadi_field_of(sim->domain->model, what == WET ? WADI_FIELD_WATER : WADI_FIELD_HARDNESS);
    const double highest = highest_of(sim, what);
    float *map = is_map(what) ? *map_of(sim, what) : NULL;
    for (int j = 0; j < box.rows; j++) {
        const int y = row_of(sim, &box, j);
        float *row = map != NULL ? map + (size_t)y * (size_t)sim->domain->def.width
                                 : wadi_block_row(&sim->domain->block, sim->domain->block.field[field], y);
        paint_row(sim, &touch, &box, y, row, highest);
    }
}

/* --- all of them --- */

/* The fields that are painted, and their previous values. The ground is painted in place, and its rows y0 to y1 - 1 are
 * saved. Maps are painted as copies. */
typedef struct work {
    const wadi_area *area; /* NULL: dabs */
    bool on[KINDS];
    double ground_before, water_before, largest_before[KINDS];
    double *lifts;
    float *rows;
    int y0, y1;
    float *map[KINDS]; /* the new maps; after the exchange, the old ones */
} work;

static void look_at(const wadi_sim *sim, const wadi_dab *dab, work *work, size_t *most) {
    const painted what = brushes[dab->brush].what;
    work->on[what] = true;
    if (what != GROUND) return;
    const touch touch = {*dab, work->area};
    const box box = box_of(sim, &touch);
    const size_t cells = (size_t)box.columns * (size_t)box.rows;
    if (cells > *most) *most = cells;
    const bool crosses = is_periodic(sim); /* the dab may wrap, so that any row may change */
    const int y0 = crosses ? 0 : box.y, y1 = crosses ? sim->domain->def.height : box.y + box.rows;
    work->y0 = y0 < work->y0 ? y0 : work->y0;
    work->y1 = y1 > work->y1 ? y1 : work->y1;
}

/* A copy of a map for painting, or of its uniform value if there is no map. NULL: there is no room. */
static float *copy_map(wadi_sim *sim, painted what) {
    const float *map = *map_of(sim, what);
    const int parameter = parameter_of(sim, what);
    const float value = parameter < 0 ? 1.0f : (float)sim->domain->def.values[parameter];
    const size_t cells = (size_t)sim->domain->def.width * (size_t)sim->domain->def.height;
    float *copy = wadi_domain_reserve(sim->domain, cells * sizeof *copy);
    for (size_t i = 0; copy != NULL && i < cells; i++) copy[i] = map != NULL ? map[i] : value;
    return copy;
}

static float *keep_rows(const wadi_sim *sim, const work *work) {
    const size_t width = (size_t)sim->domain->def.width, rows = work->y1 > work->y0 ? (size_t)(work->y1 - work->y0) : 0;
    float *kept = wadi_domain_reserve(sim->domain, (rows * width + 1) * sizeof *kept);
    for (size_t j = 0; kept != NULL && j < rows; j++)
        memcpy(kept + j * width, wadi_terrain_row(sim->domain, work->y0 + (int)j), width * sizeof *kept);
    return kept;
}

static wadi_status make_room(wadi_sim *sim, work *work, size_t most) {
    bool all = true;
    if (work->on[GROUND]) {
        work->lifts = wadi_domain_reserve(sim->domain, most * sizeof *work->lifts);
        work->rows = keep_rows(sim, work);
        all = work->lifts != NULL && work->rows != NULL;
    }
    for (painted what = MASK; what < KINDS; what++)
        if (work->on[what]) all = all && (work->map[what] = copy_map(sim, what)) != NULL;
    return all ? WADI_OK : wadi_domain_no_map(sim->domain);
}

static void make_free(work *work) {
    wadi_domain_release(work->lifts);
    wadi_domain_release(work->rows);
    for (painted what = MASK; what < KINDS; what++) wadi_domain_release(work->map[what]);
}

/* Fields on a device are fetched, and sent back as they are at that time. All that can fail, except a refusal by the
 * simulation, happens before any change. */
static wadi_status begin(wadi_sim *sim, const wadi_dab *dabs, size_t count, work *work) {
    size_t most = 1;
    work->y0 = sim->domain->def.height;
    for (size_t i = 0; i < count; i++) look_at(sim, &dabs[i], work, &most);
    wadi_status status = make_room(sim, work, most);
    if (status == WADI_OK && work->on[GROUND])
        status = wadi_domain_bring(sim->domain, wadi_field_of(sim->domain->model, WADI_FIELD_CHANGE));
    if (status == WADI_OK && work->on[GROUND])
        status = wadi_domain_bring_to_change(sim->domain, wadi_field_of(sim->domain->model, WADI_FIELD_TERRAIN));
    if (status == WADI_OK && work->on[WET])
        status = wadi_domain_bring_to_change(sim->domain, wadi_field_of(sim->domain->model, WADI_FIELD_WATER));
    if (status == WADI_OK && work->on[HARD])
        status = wadi_domain_bring_to_change(sim->domain, wadi_field_of(sim->domain->model, WADI_FIELD_HARDNESS));
    if (status == WADI_OK && work->on[GROUND])
        status = wadi_field_total(sim, wadi_field_of(sim->domain->model, WADI_FIELD_TERRAIN), &work->ground_before);
    if (status == WADI_OK && work->on[WET])
        status = wadi_field_total(sim, wadi_field_of(sim->domain->model, WADI_FIELD_WATER), &work->water_before);
    return status;
}

static void exchange(float **a, float **b) {
    float *const before = *a;
    *a = *b;
    *b = before;
}

static void exchange_maps(wadi_sim *sim, work *work) {
    for (painted what = MASK; what < KINDS; what++)
        if (work->on[what]) exchange(map_of(sim, what), &work->map[what]);
}

static void find_largest(wadi_sim *sim, painted what, work *work) {
    const int index = parameter_of(sim, what);
    const size_t cells = (size_t)sim->domain->def.width * (size_t)sim->domain->def.height;
    float most = 0;
    for (size_t i = 0; i < cells; i++) most = sim->raster[index][i] > most ? sim->raster[index][i] : most;
    work->largest_before[what] = sim->raster_largest[index];
    sim->raster_largest[index] = (double)most;
}

static void put_back(wadi_sim *sim, work *work) {
    const size_t width = (size_t)sim->domain->def.width;
    for (int y = work->y0; work->on[GROUND] && y < work->y1; y++)
        memcpy(wadi_terrain_row(sim->domain, y), work->rows + (size_t)(y - work->y0) * width,
               width * sizeof *work->rows);
    if (work->on[GROUND]) wadi_domain_close_rows(sim->domain, wadi_field_of(sim->domain->model, WADI_FIELD_TERRAIN));
    if (work->on[GROUND]) wadi_sim_find_outside(sim);
    for (painted what = RAIN; what < KINDS; what++)
        if (work->on[what]) sim->raster_largest[parameter_of(sim, what)] = work->largest_before[what];
    exchange_maps(sim, work);
}

/* Paints the ground and the maps, which the simulation may refuse. */
static wadi_status paint_base(wadi_sim *sim, const wadi_dab *dabs, size_t count, work *work) {
    bool any = work->on[GROUND];
    for (painted what = MASK; what < KINDS; what++) any |= work->on[what];
    if (!any) return WADI_OK;
    exchange_maps(sim, work);
    for (size_t i = 0; i < count; i++) {
        const painted what = brushes[dabs[i].brush].what;
        if (what != WET && what != HARD) paint(sim, &dabs[i], work->area, work->lifts);
    }
    if (work->on[GROUND]) wadi_domain_close_rows(sim->domain, wadi_field_of(sim->domain->model, WADI_FIELD_TERRAIN));
    if (work->on[GROUND]) wadi_sim_find_outside(sim);
    for (painted what = RAIN; what < KINDS; what++)
        if (work->on[what]) find_largest(sim, what, work);
    const wadi_status status = wadi_sim_refresh(sim);
    if (status != WADI_OK) put_back(sim, work);
    return status;
}

/* Paints water and hardness, on which other dabs do not depend. */
static void paint_state(wadi_sim *sim, const wadi_dab *dabs, size_t count, const work *work) {
    for (size_t i = 0; i < count; i++) {
        const painted what = brushes[dabs[i].brush].what;
        if (what == WET || what == HARD) paint(sim, &dabs[i], work->area, NULL);
    }
    if (work->on[WET]) wadi_domain_close_rows(sim->domain, wadi_field_of(sim->domain->model, WADI_FIELD_WATER));
    if (work->on[HARD]) wadi_domain_close_rows(sim->domain, wadi_field_of(sim->domain->model, WADI_FIELD_HARDNESS));
}

static wadi_status account(wadi_sim *sim, const work *work) {
    double ground = 0, water = 0;
    wadi_status status = WADI_OK;
    if (sim->domain->steps == 0) return WADI_OK;
    if (work->on[GROUND])
        status = wadi_field_total(sim, wadi_field_of(sim->domain->model, WADI_FIELD_TERRAIN), &ground);
    if (status == WADI_OK && work->on[WET])
        status = wadi_field_total(sim, wadi_field_of(sim->domain->model, WADI_FIELD_WATER), &water);
    if (status != WADI_OK) return status;
    if (work->on[GROUND]) sim->ground_placed += ground - work->ground_before;
    if (work->on[WET]) sim->water_placed += water - work->water_before;
    return WADI_OK;
}

/* An area has the members of one dab. */
static wadi_status paint_all(wadi_sim *sim, const wadi_dab *dabs, size_t count, const wadi_area *area) {
    work work = {.area = area};
    wadi_status status = begin(sim, dabs, count, &work);
    if (status == WADI_OK) status = paint_base(sim, dabs, count, &work);
    if (status == WADI_OK) {
        paint_state(sim, dabs, count, &work);
        status = account(sim, &work);
        sim->domain->edits++;
        sim->look_again = true;
    }
    make_free(&work);
    return status;
}

wadi_status wadi_sim_check_dabs(const wadi_sim *sim, const wadi_dab *dabs, size_t count) {
    WADI_NEED(sim);
    if (count > 0) WADI_NEED(dabs);
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < count && status == WADI_OK; i++) status = check_dab(sim, &dabs[i], i + 1);
    return status;
}

wadi_status wadi_sim_paint(wadi_sim *sim, const wadi_dab *dabs, size_t count) {
    WADI_IEEE_MODE;
    const wadi_status status = wadi_sim_check_dabs(sim, dabs, count);
    return status == WADI_OK ? paint_all(sim, dabs, count, NULL) : status;
}

wadi_status wadi_sim_check_area(const wadi_sim *sim, const wadi_dab *corners, size_t count) {
    if (count > WADI_MOST_CORNERS)
        return wadi_fail(WADI_ERROR_ARGUMENT, "an area has at most %d corners; this one has %zu: leave some out",
                         WADI_MOST_CORNERS, count);
    const wadi_status status = wadi_sim_check_dabs(sim, corners, count);
    if (status != WADI_OK || count >= 3) return status;
    return wadi_fail(WADI_ERROR_ARGUMENT, "an area has three corners or more; this one has %zu", count);
}

wadi_status wadi_sim_paint_area(wadi_sim *sim, const wadi_dab *corners, size_t count) {
    WADI_IEEE_MODE;
    wadi_area area = {0};
    wadi_status status = wadi_sim_check_area(sim, corners, count);
    if (status == WADI_OK) status = wadi_area_make(sim->domain, corners, count, &area);
    if (status == WADI_OK) status = paint_all(sim, corners, 1, &area);
    wadi_area_free(&area);
    return status;
}
