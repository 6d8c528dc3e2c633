/* sea.c: the level of the sea, and the land that it floods at the start. */
#include "core/sea.h"

#include <math.h>
#include <stdlib.h>

#include "core/allocate.h"
#include "core/def.h"
#include "core/inside.h"
#include "core/mirror.h"
#include "core/need.h"
#include "core/strict.h"
#include "wadi/terrain.h"

/* Whole 1/1024 m, so that bed and depth add up to the level in float32, and the sea rests to the last bit. */
double wadi_sea_height(double level_m) { return nearbyint(level_m * 1024) / 1024 + 0.0; }

bool wadi_model_has_sea(const wadi_model *model) {
    return model != NULL && wadi_parameter_of(model, WADI_PARAMETER_SEA) >= 0;
}

bool wadi_def_sea(const wadi_def *def, double *level_m) {
    WADI_IEEE_MODE;
    if (def == NULL || !wadi_model_has_sea(def->model)) return false;
    if (!(def->values[wadi_parameter_of(def->model, WADI_PARAMETER_SEA)] > 0)) return false;
    if (level_m != NULL)
        *level_m = wadi_sea_height(def->values[wadi_parameter_of(def->model, WADI_PARAMETER_SEA_LEVEL)]);
    return def->boundary == WADI_OPEN;
}

bool wadi_def_sea_stands(const wadi_def *def) { return wadi_def_sea(def, NULL) && !def->model->sediment_passes; }

bool wadi_sea_is_apart(const wadi_sim *sim, double *level_m) {
    return wadi_def_sea(&sim->domain->def, level_m) && !wadi_def_sea_stands(&sim->domain->def);
}

wadi_status wadi_sim_dry_sea(wadi_sim *sim) {
    double level = 0;
    if (!wadi_sea_is_apart(sim, &level)) return WADI_OK;
    const wadi_block *block = &sim->domain->block;
    const int change = wadi_field_of(sim->domain->model, WADI_FIELD_CHANGE);
    const int water = wadi_field_of(sim->domain->model, WADI_FIELD_WATER);
    wadi_status status = wadi_domain_bring(sim->domain, change);
    if (status == WADI_OK) status = wadi_domain_bring_to_change(sim->domain, water);
    for (int y = 0; status == WADI_OK && y < sim->domain->def.height; y++) {
        const float *b0 = wadi_terrain_row(sim->domain, y), *db = wadi_block_row(block, block->field[change], y);
        float *d = wadi_block_row(block, block->field[water], y);
        for (int x = 0; x < sim->domain->def.width; x++)
            if (b0[x] + db[x] < (float)level) d[x] = 0;
    }
    if (status == WADI_OK) wadi_domain_close_rows(sim->domain, water);
    return status;
}

/* From first up to, not including, end. */
typedef struct span {
    int first, end;
} span;

typedef struct flood {
    int width, height;
    const wadi_sim *sim;  /* NULL: there are heights alone */
    const float *heights; /* width * height */
    float *change;        /* the simulation's */
    float level;
    uint8_t *reached; /* width * height */
    span *due;        /* of each row: the columns beside which cells were reached since it was filled */
} flood;

static size_t cell_at(const flood *f, int x, int y) { return (size_t)y * (size_t)f->width + (size_t)x; }

static float bed_at(const flood *f, int x, int y) {
    if (f->sim == NULL) return f->heights[cell_at(f, x, y)];
    const wadi_domain *domain = f->sim->domain;
    return wadi_terrain_row(domain, y)[x] + wadi_block_row(&domain->block, f->change, y)[x];
}

static bool is_outside(const flood *f, int x, int y) {
    if (x < 0 || y < 0 || x >= f->width || y >= f->height) return true;
    return f->sim != NULL ? !wadi_has_data(f->sim->domain, x, y) : isnan(f->heights[cell_at(f, x, y)]);
}

/* Whether the sea has just reached this cell. */
static bool reach(const flood *f, int x, int y) {
    if (is_outside(f, x, y)) return false;
    const size_t cell = cell_at(f, x, y);
    if (f->reached[cell] || !(bed_at(f, x, y) < f->level)) return false;
    f->reached[cell] = 1;
    return true;
}

static void add_due(const flood *f, int y, span columns) {
    if (y < 0 || y >= f->height) return;
    span *due = &f->due[y];
    const bool none = due->first >= due->end;
    if (none || columns.first < due->first) due->first = columns.first;
    if (none || columns.end > due->end) due->end = columns.end;
}

static bool is_beside_sea(const flood *f, int x, int y) {
    const int first = x > 0 ? x - 1 : x, last = x < f->width - 1 ? x + 1 : x;
    for (int v = y > 0 ? y - 1 : y; v <= y + 1 && v < f->height; v++)
        for (int u = first; u <= last; u++)
            if (f->reached[cell_at(f, u, v)]) return true;
    return false;
}

/* Reaches what is due in a row, and goes on to both sides. */
static void fill_row(const flood *f, int y) {
    const span due = f->due[y];
    f->due[y] = (span){0, 0};
    for (int x = due.first > 0 ? due.first - 1 : 0; x <= due.end && x < f->width; x++) {
        if (!is_beside_sea(f, x, y) || !reach(f, x, y)) continue;
        span filled = {x, x + 1};
        while (reach(f, filled.first - 1, y)) filled.first--;
        while (reach(f, filled.end, y)) filled.end++;
        add_due(f, y - 1, filled);
        add_due(f, y + 1, filled);
        x = filled.end;
    }
}

static bool fill_due_row(const flood *f, int y) {
    const bool due = f->due[y].first < f->due[y].end;
    if (due) fill_row(f, y);
    return due;
}

/* From the border, and from cells without data, row by row down and up. It needs a byte a cell, and goes through files
 * in their order. */
static void spread(const flood *f) {
    const int width = f->width, height = f->height;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if ((is_outside(f, x - 1, y) || is_outside(f, x + 1, y) || is_outside(f, x, y - 1) ||
                 is_outside(f, x, y + 1)) &&
                reach(f, x, y))
                for (int v = y - 1; v <= y + 1; v++) add_due(f, v, (span){x, x + 1});
    for (bool more = true; more;) {
        more = false;
        for (int y = 0; y < height; y++) more |= fill_due_row(f, y);
        for (int y = height - 1; y >= 0; y--) more |= fill_due_row(f, y);
    }
}

/* The new depth of a cell in which the sea is `sea` deep. */
typedef float change_depth(float depth, float sea);

static float raised(float depth, float sea) { return depth > sea ? depth : sea; }
static float emptied(float depth, float sea) { return depth > sea ? depth : 0.0f; }

static void change_water(const flood *f, float *water, change_depth *change) {
    for (int y = 0; y < f->height; y++) {
        float *row = f->sim != NULL ? wadi_block_row(&f->sim->domain->block, water, y) : &water[cell_at(f, 0, y)];
        for (int x = 0; x < f->width; x++)
            if (f->reached[cell_at(f, x, y)]) row[x] = change(row[x], f->level - bed_at(f, x, y));
    }
}

static void *reserve(const flood *f, size_t bytes) {
    return f->sim != NULL ? wadi_domain_reserve(f->sim->domain, bytes) : calloc(1, bytes);
}

static wadi_status change_by(flood *f, float *water, change_depth *change) {
    f->reached = reserve(f, (size_t)f->width * (size_t)f->height);
    f->due = calloc((size_t)f->height, sizeof *f->due);
    wadi_status status = WADI_OK;
    if (f->reached == NULL && f->sim != NULL) status = wadi_domain_no_map(f->sim->domain);
    if (status == WADI_OK && (f->reached == NULL || f->due == NULL))
        status = wadi_fail(WADI_ERROR_MEMORY, "not enough memory to flood the land below the sea");
    if (status == WADI_OK) spread(f);
    if (status == WADI_OK) change_water(f, water, change);
    wadi_domain_release(f->reached);
    free(f->due);
    return status;
}

wadi_status wadi_flood_sea(const float *heights, int width, int height, double level_m, float *water) {
    WADI_IEEE_MODE;
    WADI_NEED(heights);
    WADI_NEED(water);
    if (width < 1 || height < 1) return wadi_fail(WADI_ERROR_ARGUMENT, "a sea on %d x %d cells", width, height);
    flood f = {.width = width, .height = height, .heights = heights, .level = (float)wadi_sea_height(level_m)};
    return change_by(&f, water, raised);
}

static wadi_status change_sea(wadi_sim *sim, change_depth *change_to) {
    WADI_IEEE_MODE;
    double level = 0;
    if (!wadi_def_sea(&sim->domain->def, &level) || !wadi_takes_water(sim->domain)) return WADI_OK;
    if (!wadi_def_sea_stands(&sim->domain->def)) return WADI_OK;
    if (wadi_is_tile(&sim->domain->def)) return WADI_OK; /* only the whole knows which land the sea can reach */
    const int change = wadi_field_of(sim->domain->model, WADI_FIELD_CHANGE);
    const int water = wadi_field_of(sim->domain->model, WADI_FIELD_WATER);
    wadi_status status = wadi_domain_bring(sim->domain, change);
    if (status == WADI_OK) status = wadi_domain_bring_to_change(sim->domain, water);
    if (status != WADI_OK) return status;
    flood f = {.width = sim->domain->def.width,
               .height = sim->domain->def.height,
               .sim = sim,
               .change = sim->domain->block.field[change],
               .level = (float)level};
    status = change_by(&f, sim->domain->block.field[water], change_to);
    if (status == WADI_OK) sim->domain->edits++;
    return status;
}

wadi_status wadi_sim_flood(wadi_sim *sim) { return change_sea(sim, raised); }
wadi_status wadi_sim_ebb(wadi_sim *sim) { return change_sea(sim, emptied); }
