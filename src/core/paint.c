/* paint.c: changing fields by hand: a brush's dabs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/sim.h"
#include "platform/platform.h"
#include "wadi/paint.h"

typedef enum painted { GROUND, WET, HARD, MASK, RAIN } painted;

static const struct {
    const char *name;
    painted what;
    double sign;
    bool is_share; /* strength is at most 1 */
} brushes[WADI_BRUSHES] = {{"raise", GROUND, 1, false},  {"lower", GROUND, -1, false}, {"smooth", GROUND, 1, true},
                           {"flatten", GROUND, 1, true}, {"water", WET, 1, false},     {"drain", WET, -1, false},
                           {"harden", HARD, 1, true},    {"soften", HARD, -1, true},   {"protect", MASK, -1, true},
                           {"expose", MASK, 1, true},    {"rain", RAIN, 1, false},     {"dry", RAIN, -1, false}};

const char *wadi_brush_name(wadi_brush brush) { return (unsigned)brush < WADI_BRUSHES ? brushes[brush].name : NULL; }

/* -1: none that may be a map. */
static int rain_parameter(const wadi_sim *sim) {
    const int index = wadi_model_parameter_index(sim->model, "rain");
    return index >= 0 && sim->model->parameters[index].per_cell ? index : -1;
}

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
    if (brushes[dab->brush].what == HARD && !sim->model->has_hardness)
        return wadi_fail(WADI_ERROR_ARGUMENT, "dab %zu (%s): %s has no hardness: leave it out, or choose jako2011",
                         number, name, sim->model->id);
    if (brushes[dab->brush].what == RAIN && rain_parameter(sim) < 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "dab %zu (%s): %s has no rain that differs from cell to cell", number,
                         name, sim->model->id);
    return WADI_OK;
}

/* --- one dab --- */

typedef struct box {
    int x0, y0, x1, y1; /* of cells that it may reach; the last ones are left out */
} box;

static int bound(double v, int size) { return v < 0 ? 0 : v > size ? size : (int)v; }

static box box_of(const wadi_sim *sim, const wadi_dab *dab) {
    const double rx = dab->radius_m / sim->def.lx + 1, ry = dab->radius_m / sim->def.ly + 1;
    return (box){bound(dab->x - rx, sim->def.width), bound(dab->y - ry, sim->def.height),
                 bound(dab->x + rx + 1, sim->def.width), bound(dab->y + ry + 1, sim->def.height)};
}

/* 1 in the middle, and from where the falloff begins down to 0 at the rim. */
static double weight(const wadi_sim *sim, const wadi_dab *dab, int x, int y) {
    const double dx = (x + 0.5 - dab->x) * sim->def.lx, dy = (y + 0.5 - dab->y) * sim->def.ly;
    const double r = sqrt(dx * dx + dy * dy) / dab->radius_m;
    if (r > 1) return 0;
    const double t = dab->falloff > 0 ? (1 - r) / dab->falloff : 1;
    return t < 1 ? t * t * (3 - 2 * t) : 1;
}

static double height_at(const wadi_sim *sim, int x, int y) {
    const float *b0 = wadi_block_row(&sim->block, sim->block.field[0], y);
    return (double)b0[x] + (double)wadi_block_row(&sim->block, sim->block.field[1], y)[x];
}

/* Of the cells around that have data, and itself. */
static double mean_height(const wadi_sim *sim, int x, int y) {
    double sum = 0;
    int count = 0;
    for (int j = y - 1; j <= y + 1; j++)
        for (int i = x - 1; i <= x + 1; i++) {
            if (i < 0 || j < 0 || i >= sim->def.width || j >= sim->def.height || !wadi_sim_has_data(sim, i, j))
                continue;
            sum += height_at(sim, i, j);
            count++;
        }
    return sum / count;
}

/* What is to be added to the height. */
static double lift(const wadi_sim *sim, const wadi_dab *dab, int x, int y) {
    const double much = dab->strength * weight(sim, dab, x, y);
    if (dab->brush == WADI_BRUSH_SMOOTH) return much > 0 ? much * (mean_height(sim, x, y) - height_at(sim, x, y)) : 0;
    if (dab->brush == WADI_BRUSH_FLATTEN) return much * (dab->level_m - height_at(sim, x, y));
    return brushes[dab->brush].sign * much;
}

/* Lifts are found before any is done, as smoothing looks at the cells around. */
static void paint_ground(wadi_sim *sim, const wadi_dab *dab, box box, double *lifts) {
    const size_t columns = (size_t)(box.x1 - box.x0);
    for (int y = box.y0; y < box.y1; y++)
        for (int x = box.x0; x < box.x1; x++)
            lifts[(size_t)(y - box.y0) * columns + (size_t)(x - box.x0)] =
                wadi_sim_has_data(sim, x, y) ? lift(sim, dab, x, y) : 0;
    for (int y = box.y0; y < box.y1; y++) {
        float *b0 = wadi_block_row(&sim->block, sim->block.field[0], y);
        for (int x = box.x0; x < box.x1; x++) {
            const double by = lifts[(size_t)(y - box.y0) * columns + (size_t)(x - box.x0)];
            const double to = (double)b0[x] + by;
            if (by > 0 || by < 0) b0[x] = (float)(to < -9.9e6 ? -9.9e6 : to > 9.9e6 ? 9.9e6 : to);
        }
    }
}

static float within(double v, double high) { return (float)(v < 0 ? 0 : v > high ? high : v); }

static void paint_row(const wadi_sim *sim, const wadi_dab *dab, box box, int y, float *row, double high) {
    for (int x = box.x0; x < box.x1; x++) {
        const double by = brushes[dab->brush].sign * dab->strength * weight(sim, dab, x, y);
        if (wadi_sim_has_data(sim, x, y) && (by > 0 || by < 0)) row[x] = within((double)row[x] + by, high);
    }
}

static void paint(wadi_sim *sim, const wadi_dab *dab, double *lifts) {
    const box box = box_of(sim, dab);
    const painted what = brushes[dab->brush].what;
    const int field = what == WET ? wadi_model_field(sim->model, "d") : wadi_model_field(sim->model, "R");
    if (what == GROUND) {
        paint_ground(sim, dab, box, lifts);
        return;
    }
    double lowest, highest = what == WET ? 1e7 : 1;
    if (what == RAIN) wadi_def_bounds(&sim->def, rain_parameter(sim), &lowest, &highest);
    if ((double)(float)highest > highest) highest = (double)nextafterf((float)highest, 0);
    float *map = what == MASK ? sim->mask : what == RAIN ? sim->raster[rain_parameter(sim)] : NULL;
    for (int y = box.y0; y < box.y1; y++) {
        float *row = map != NULL ? map + (size_t)y * (size_t)sim->def.width
                                 : wadi_block_row(&sim->block, sim->block.field[field], y);
        paint_row(sim, dab, box, y, row, highest);
    }
}

/* --- all of them --- */

typedef struct brought {
    bool ground, wet, hard, mask, rain;
    double ground_before, water_before;
    double *lifts;
} brought;

/* A map to paint on, where none is yet. */
static wadi_status make_map(const wadi_sim *sim, float **map, float value) {
    const size_t cells = (size_t)sim->def.width * (size_t)sim->def.height;
    if (*map != NULL) return WADI_OK;
    *map = malloc(cells * sizeof **map);
    if (*map == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a map to paint on");
    for (size_t i = 0; i < cells; i++) (*map)[i] = value;
    return WADI_OK;
}

static wadi_status make_rain(wadi_sim *sim) {
    const int index = rain_parameter(sim);
    const double even = sim->def.values[index];
    if (sim->raster[index] == NULL) sim->raster_largest[index] = even;
    return make_map(sim, &sim->raster[index], (float)even);
}

static void find_heaviest_rain(wadi_sim *sim) {
    const int index = rain_parameter(sim);
    const size_t cells = (size_t)sim->def.width * (size_t)sim->def.height;
    float most = 0;
    for (size_t i = 0; i < cells; i++) most = sim->raster[index][i] > most ? sim->raster[index][i] : most;
    sim->raster_largest[index] = (double)most;
}

/* Fields that lie on a device come here, to be sent back as they are then. All that can fail is done before anything is
 * changed. */
static wadi_status bring(wadi_sim *sim, const wadi_dab *dabs, size_t count, brought *b) {
    size_t most = 1;
    for (size_t i = 0; i < count; i++) {
        const painted what = brushes[dabs[i].brush].what;
        const box box = box_of(sim, &dabs[i]);
        const size_t cells = (size_t)(box.x1 - box.x0) * (size_t)(box.y1 - box.y0);
        b->ground |= what == GROUND, b->wet |= what == WET, b->hard |= what == HARD, b->mask |= what == MASK,
            b->rain |= what == RAIN;
        if (what == GROUND && cells > most) most = cells;
    }
    wadi_status status = WADI_OK;
    if (b->ground) status = wadi_sim_bring(sim, 1);
    if (status == WADI_OK && b->mask) status = make_map(sim, &sim->mask, 1);
    if (status == WADI_OK && b->rain) status = make_rain(sim);
    if (status == WADI_OK && b->ground) status = wadi_sim_bring_to_change(sim, 0);
    if (status == WADI_OK && b->wet) status = wadi_sim_bring_to_change(sim, wadi_model_field(sim->model, "d"));
    if (status == WADI_OK && b->hard) status = wadi_sim_bring_to_change(sim, wadi_model_field(sim->model, "R"));
    b->lifts = status == WADI_OK ? malloc(most * sizeof *b->lifts) : NULL;
    if (status == WADI_OK && b->lifts == NULL) status = wadi_fail(WADI_ERROR_MEMORY, "not enough memory to paint");
    if (status == WADI_OK && b->ground) b->ground_before = wadi_field_total(sim, "b0");
    if (status == WADI_OK && b->wet) b->water_before = wadi_field_total(sim, "d");
    return status;
}

static void account(wadi_sim *sim, const brought *b) {
    if (b->ground) wadi_sim_close_rows(sim, 0);
    if (b->wet) wadi_sim_close_rows(sim, wadi_model_field(sim->model, "d"));
    if (b->hard) wadi_sim_close_rows(sim, wadi_model_field(sim->model, "R"));
    if (sim->steps == 0) return;
    if (b->ground) sim->ground_placed += wadi_field_total(sim, "b0") - b->ground_before;
    if (b->wet) sim->water_placed += wadi_field_total(sim, "d") - b->water_before;
}

wadi_status wadi_sim_check_dabs(const wadi_sim *sim, const wadi_dab *dabs, size_t count) {
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < count && status == WADI_OK; i++) status = check_dab(sim, &dabs[i], i + 1);
    return status;
}

wadi_status wadi_sim_paint(wadi_sim *sim, const wadi_dab *dabs, size_t count) {
    brought b = {0};
    wadi_status status = wadi_sim_check_dabs(sim, dabs, count);
    if (status == WADI_OK) status = bring(sim, dabs, count, &b);
    if (status != WADI_OK) {
        free(b.lifts);
        return status;
    }
    const unsigned mode = platform_float_mode_strict();
    for (size_t i = 0; i < count; i++) paint(sim, &dabs[i], b.lifts);
    account(sim, &b);
    platform_float_mode_restore(mode);
    free(b.lifts);
    if (b.ground) wadi_sim_find_outside(sim);
    if (b.rain) find_heaviest_rain(sim);
    sim->edits++;
    return b.ground || b.mask || b.rain ? wadi_sim_refresh(sim) : WADI_OK;
}
