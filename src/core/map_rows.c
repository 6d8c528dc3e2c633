/* map_rows.c: the maps that are made from fields, a row at a time. */
#include "core/map_rows.h"
#include "core/domain.h"
#include "core/gather.h"
#include "core/sea.h"
#include "core/strict.h"
#include "wadi/map.h"

#include <string.h>

#include "core/inside.h"

void wadi_copy_row(const wadi_sim *sim, int y, const float *from, float *values) {
    (void)y;
    memcpy(values, from, (size_t)sim->domain->def.width * sizeof *values);
}

static const float *change_row(const wadi_sim *sim, int y) {
    const int change = wadi_field_of(sim->domain->model, WADI_FIELD_CHANGE);
    return wadi_block_row(&sim->domain->block, sim->domain->block.field[change], y);
}

static void water_row(const wadi_sim *sim, int y, const float *d, float *values) {
    wadi_copy_row(sim, y, d, values);
    double level = 0;
    if (!wadi_sea_is_apart(sim, &level)) return;
    const float *b0 = wadi_terrain_row(sim->domain, y), *db = change_row(sim, y);
    for (int x = 0; x < sim->domain->def.width; x++) {
        const float deep = (float)level - (b0[x] + db[x]);
        if (deep > 0) values[x] = deep;
    }
}

bool wadi_is_field(const wadi_public_map *map) { return map->read == wadi_copy_row || map->read == water_row; }

static void height_row(const wadi_sim *sim, int y, const float *db, float *values) {
    const float *b0 = wadi_terrain_row(sim->domain, y);
    for (int x = 0; x < sim->domain->def.width; x++) values[x] = b0[x] + db[x];
}

static void erosion_row(const wadi_sim *sim, int y, const float *db, float *values) {
    (void)y;
    for (int x = 0; x < sim->domain->def.width; x++) values[x] = db[x] < 0 ? -db[x] : 0.0f;
}

static void deposition_row(const wadi_sim *sim, int y, const float *db, float *values) {
    (void)y;
    for (int x = 0; x < sim->domain->def.width; x++) values[x] = db[x] > 0 ? db[x] : 0.0f;
}

static float above_0(float value) { return value > 0 ? value : 0.0f; }

static void slide_wear_row(const wadi_sim *sim, int y, const float *slid, float *values) {
    (void)y;
    for (int x = 0; x < sim->domain->def.width; x++) values[x] = above_0(-slid[x]);
}

static void talus_row(const wadi_sim *sim, int y, const float *slid, float *values) {
    (void)y;
    for (int x = 0; x < sim->domain->def.width; x++) values[x] = above_0(slid[x]);
}

static void water_wear_row(const wadi_sim *sim, int y, const float *slid, float *values) {
    const float *db = change_row(sim, y);
    for (int x = 0; x < sim->domain->def.width; x++) values[x] = above_0(slid[x] - db[x]);
}

static void silt_row(const wadi_sim *sim, int y, const float *slid, float *values) {
    const float *db = change_row(sim, y);
    for (int x = 0; x < sim->domain->def.width; x++) values[x] = above_0(db[x] - slid[x]);
}

static void flow_row(const wadi_sim *sim, int y, const float *sum, float *values) {
    const float samples = (float)sim->flow_samples;
    for (int x = 0; x < sim->domain->def.width; x++) values[x] = samples > 0 ? sum[x] / samples : 0.0f;
    wadi_sim_add_gathered(sim, y, sum, values);
}

static void mask_row(const wadi_sim *sim, int y, const float *unused, float *values) {
    (void)unused;
    const float *mask = sim->mask != NULL ? sim->mask + (size_t)y * (size_t)sim->domain->def.width : NULL;
    for (int x = 0; x < sim->domain->def.width; x++) values[x] = mask != NULL ? mask[x] : 1.0f;
}

static bool exists(const wadi_sim *sim, int field) {
    return field >= 0 && (sim->domain->model->fields[field].kind != WADI_OPTIONAL || wadi_is_state(sim->domain, field));
}

static const wadi_public_map *find(const char *name) {
    static const wadi_public_map all[] = {
#define MAP(name, title, unit, palette, range, use, read, role, meaning) {#name, read, WADI_FIELD_##role},
#include "core/maps.def"
#undef MAP
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(name, all[i].name) == 0 && all[i].read != NULL) return &all[i];
    return NULL;
}

/* Where the ground rises, its change is not water's alone, and rivers take on what slides: it comes to rest nowhere. */
static bool has_meaning(const wadi_sim *sim, const wadi_public_map *map) {
    const bool parts = map->read == talus_row || map->read == water_wear_row || map->read == silt_row;
    return !parts || wadi_parameter_of(sim->domain->model, WADI_PARAMETER_UPLIFT) < 0;
}

bool wadi_is_named_map(const char *name) { return find(name) != NULL; }

const wadi_public_map *wadi_named_map(const wadi_sim *sim, const char *name) {
    const wadi_public_map *map = find(name);
    if (map == NULL || !exists(sim, wadi_field_of(sim->domain->model, map->from))) return NULL;
    return has_meaning(sim, map) ? map : NULL;
}
