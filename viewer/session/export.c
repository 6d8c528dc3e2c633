/* export.c: what `wadi export` writes of a run folder, of the maps in memory. */
#include "viewer/session/export.h"

#include "platform/platform.h"

#include "run/derived.h"
#include "run/export_texts.h"
#include "run/folder.h"
#include "run/maps.h"
#include "run/run_carry.h"
#include "run/texture_scene.h"

#include <errno.h>
#include <string.h>

/* --- the work's maps, as of a run folder --- */

static wadi_status read_map(const work *work, const char *name, wadi_raster **map) {
    const wadi_raster *grid = work_run(work)->raster;
    const wadi_status status = wadi_raster_like(grid, map);
    return status == WADI_OK ? run_get(work_run(work), name, (*map)->values) : status;
}

static texture_facts facts_of(const run *run) {
    texture_facts facts = {.ground = run->plan.ground, .rises = run_rises(run)};
    facts.has_sea = wadi_def_sea(wadi_sim_def(run->sim), &facts.sea_m);
    return facts;
}

static wadi_status take_maps(const work *work, textures *textures) {
    const wadi_map_facts *facts;
    wadi_status status = WADI_OK;
    for (int i = 0; status == WADI_OK && (facts = run_maps_at(i)) != NULL; i++) {
        wadi_raster *map = NULL;
        if (!wadi_sim_has(work_sim(work), facts->name)) continue;
        status = read_map(work, facts->name, &map);
        if (status == WADI_OK)
            status = run_textures_take(textures, facts->name, map);
        else
            wadi_raster_destroy(map);
    }
    return status;
}

/* *height belongs to the caller, and outlives the textures. */
static wadi_status open_textures(const work *work, const range_list *ranges, wadi_raster **height, textures *opened) {
    *opened = (textures){0};
    const wadi_status status = read_map(work, "height", height);
    if (status != WADI_OK) return status;
    *opened = run_textures_of(NULL, *height, run_derived_def(*height), ranges);
    opened->facts = facts_of(work_run(work));
    const wadi_status taken = take_maps(work, opened);
    return taken == WADI_OK ? run_textures_add_ice(opened) : taken;
}

/* --- maps --- */

static wadi_status write_derived(const work *work, const wadi_map_facts *facts, const char *path) {
    wadi_write_options options = run_derived_write_options(wadi_format_of_name(path), facts);
    const range_list usual = {0};
    wadi_raster *height = NULL;
    const wadi_raster *map;
    wadi_status status = read_map(work, "height", &height);
    if (status != WADI_OK) {
        wadi_raster_destroy(height);
        return status;
    }
    textures textures = run_textures_of(NULL, height, run_derived_def(height), &usual);
    status = run_textures_map(&textures, facts->name, &map);
    if (status == WADI_OK) status = wadi_raster_write(path, map, &options);
    run_textures_close(&textures);
    wadi_raster_destroy(height);
    return status;
}

wadi_status export_map(const work *work, const char *name, const char *path) {
    const wadi_map_facts *derived = wadi_derived_facts_of(name);
    if (derived && !wadi_sim_has(work_sim(work), name)) return write_derived(work, derived, path);
    wadi_raster *raster = work_run(work)->raster;
    wadi_write_options options = run_maps_write_options(wadi_format_of_name(path), name);
    const wadi_status status = run_get(work_run(work), name, raster->values);
    return status == WADI_OK ? wadi_raster_write(path, raster, &options) : status;
}

/* --- meshes and programs --- */

static wadi_status write_mesh(textures *textures, const char *path, double exaggeration) {
    const texture_mesh_options how = {.no_colours = !run_mesh_has_colours(path)};
    texture_mesh made;
    wadi_status status = run_texture_mesh_make(textures, &how, &made);
    made.mesh.exaggeration = exaggeration;
    if (status == WADI_OK) status = wadi_mesh_write(path, &made.mesh);
    run_texture_mesh_free(&made);
    return status;
}

wadi_status export_mesh(const work *work, const char *path, double exaggeration) {
    const range_list usual = {0};
    wadi_raster *height = NULL;
    textures textures;
    wadi_status status = open_textures(work, &usual, &height, &textures);
    if (status == WADI_OK) status = write_mesh(&textures, path, exaggeration);
    run_textures_close(&textures);
    wadi_raster_destroy(height);
    return status;
}

static wadi_status make_folder(const char *path) {
    const int error = platform_make_folder(path);
    if (error == 0 || error == EEXIST) return WADI_OK;
    return wadi_fail(WADI_ERROR_IO, "%s: the folder cannot be made: %s", path, strerror(error));
}

static wadi_status write_set(const export_options *how, textures *textures) {
    export_set set;
    wadi_status status = run_export_open(how, textures, &set);
    if (status == WADI_OK) status = make_folder(how->folder);
    if (status == WADI_OK) status = run_export_write(&set);
    if (status == WADI_OK) status = run_export_texts(&set);
    run_export_free(&set);
    return status;
}

static const export_target *target_of(const char *name) {
    size_t i = 0;
    while (run_export_target_at(i) && strcmp(run_export_target_at(i)->name, name) != 0) i++;
    return run_export_target_at(i);
}

wadi_status export_for(const work *work, const char *target, const char *folder) {
    static const int one_tile[2];
    const range_list usual = {0};
    const wadi_raster *grid = work_run(work)->raster;
    export_options how = {.target = target_of(target), .folder = folder, .sample = WADI_SAMPLE_UINT8, .ranges = &usual};
    wadi_raster *height = NULL;
    textures textures = {0};
    wadi_status status = run_folder_check(folder, false);
    if (status == WADI_OK)
        status = run_export_grid(how.target, grid->width, grid->height, one_tile, 0, FIT_RESAMPLE, &how.grid);
    if (status == WADI_OK) status = open_textures(work, &usual, &height, &textures);
    if (status == WADI_OK) status = write_set(&how, &textures);
    run_textures_close(&textures);
    wadi_raster_destroy(height);
    return status;
}
