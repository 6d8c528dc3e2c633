/* sea.c: the level of the sea, and the land that it floods at the start. */
#include "core/sea.h"

#include <math.h>
#include <stdlib.h>

#include "core/inside.h"
#include "core/mirror.h"
#include "core/need.h"
#include "core/strict.h"

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

typedef struct flood {
    const wadi_sim *sim;
    float *change; /* the simulation's */
    float level;
    uint8_t *reached; /* width * height */
    uint32_t *queue;  /* cells whose neighbours are still to be reached */
    size_t count;
} flood;

static float bed_at(const flood *f, int x, int y) {
    const wadi_domain *domain = f->sim->domain;
    return wadi_terrain_row(domain, y)[x] + wadi_block_row(&domain->block, f->change, y)[x];
}

static void reach(flood *f, int x, int y) {
    const wadi_domain *domain = f->sim->domain;
    if (x < 0 || y < 0 || x >= domain->def.width || y >= domain->def.height) return;
    const size_t cell = (size_t)y * (size_t)domain->def.width + (size_t)x;
    if (f->reached[cell] || !wadi_has_data(domain, x, y) || !(bed_at(f, x, y) < f->level)) return;
    f->reached[cell] = 1;
    f->queue[f->count++] = (uint32_t)cell;
}

static bool is_outside(const flood *f, int x, int y) {
    const wadi_domain *domain = f->sim->domain;
    return x < 0 || y < 0 || x >= domain->def.width || y >= domain->def.height || !wadi_has_data(domain, x, y);
}

/* The order in which cells are reached does not matter for which are. */
static void spread(flood *f) {
    const int width = f->sim->domain->def.width, height = f->sim->domain->def.height;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (is_outside(f, x - 1, y) || is_outside(f, x + 1, y) || is_outside(f, x, y - 1) ||
                is_outside(f, x, y + 1))
                reach(f, x, y);
    while (f->count > 0) {
        const uint32_t cell = f->queue[--f->count];
        const int x = (int)(cell % (uint32_t)width), y = (int)(cell / (uint32_t)width);
        for (int i = 0; i < 9; i++) reach(f, x + i % 3 - 1, y + i / 3 - 1);
    }
}

/* The new depth of a cell in which the sea is `sea` deep. */
typedef float change_depth(float depth, float sea);

static float raised(float depth, float sea) { return depth > sea ? depth : sea; }
static float emptied(float depth, float sea) { return depth > sea ? depth : 0.0f; }

static void change_water(const flood *f, float *water, change_depth *change) {
    const wadi_domain *domain = f->sim->domain;
    for (int y = 0; y < domain->def.height; y++) {
        float *row = wadi_block_row(&domain->block, water, y);
        for (int x = 0; x < domain->def.width; x++)
            if (f->reached[(size_t)y * (size_t)domain->def.width + (size_t)x])
                row[x] = change(row[x], f->level - bed_at(f, x, y));
    }
}

static wadi_status change_sea(wadi_sim *sim, change_depth *change_to) {
    WADI_IEEE_MODE;
    double level = 0;
    if (!wadi_def_sea(&sim->domain->def, &level) || !wadi_takes_water(sim->domain)) return WADI_OK;
    const int change = wadi_field_of(sim->domain->model, WADI_FIELD_CHANGE);
    const int water = wadi_field_of(sim->domain->model, WADI_FIELD_WATER);
    const size_t cells = (size_t)sim->domain->def.width * (size_t)sim->domain->def.height;
    if (cells > UINT32_MAX)
        return wadi_fail(WADI_ERROR_ARGUMENT, "a sea on a grid of %d x %d cells: at most 2^32 - 1 can be",
                         sim->domain->def.width, sim->domain->def.height);
    wadi_status status = wadi_domain_bring(sim->domain, change);
    if (status == WADI_OK) status = wadi_domain_bring_to_change(sim->domain, water);
    if (status != WADI_OK) return status;
    flood f = {.sim = sim, .change = sim->domain->block.field[change], .level = (float)level};
    f.reached = calloc(cells, 1);
    f.queue = malloc(cells * sizeof *f.queue);
    const bool enough = f.reached != NULL && f.queue != NULL;
    if (enough) {
        spread(&f);
        change_water(&f, sim->domain->block.field[water], change_to);
        sim->domain->edits++;
    }
    free(f.reached);
    free(f.queue);
    return enough ? WADI_OK : wadi_fail(WADI_ERROR_MEMORY, "not enough memory to flood the land below the sea");
}

wadi_status wadi_sim_flood(wadi_sim *sim) { return change_sea(sim, raised); }
wadi_status wadi_sim_ebb(wadi_sim *sim) { return change_sea(sim, emptied); }
