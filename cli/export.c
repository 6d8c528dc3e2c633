/* export.c: wadi export: a heightmap or a run as a mesh, or as the files that an engine takes. */
#include "options.h"

#include "run/derived.h"
#include "run/escape.h"
#include "run/export_texts.h"
#include "run/folder.h"
#include "run/message.h"
#include "run/run_read.h"
#include "run/texture_scene.h"

#include "platform/platform.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct export_args {
    const char *output, *masks, *layers;
    int target; /* an index of run_export_target_at */
    int tiles[2], fit, bits;
    int64_t every, tile_size, lods, chunk;
    double exaggeration, water_depth;
    bool no_water, no_ice, no_colours, sides, force;
    text_list ranges;
    read_args read;
} export_args;

static const char *const mask_bits[] = {"8", "16", NULL};

static void target_help(char text[OPTION_HELP]) {
    text[0] = '\0';
    run_text_add(text, OPTION_HELP, "files for a program, in the folder -o DIR:");
    for (size_t i = 0; run_export_target_at(i); i++)
        run_text_add(text, OPTION_HELP, "%s %s (%s)", i > 0 ? "," : "", run_export_target_at(i)->name,
                     run_export_target_at(i)->title);
}

#define ROW(...) OPTION_ROW(export_args, __VA_ARGS__)
static const option options[] = {
    ROW(TEXT, "output", output, "FILE.{obj,ply,gltf,glb}|DIR", .letter = 'o',
        .help = "the mesh, or the folder for --for"),
    ROW(CHOICE, "for", target, "PROGRAM", .choices = run_export_target_names, .help_text = target_help),
    ROW(SIZE, "tiles", tiles, "NxM", .minimum = 1, .help = "with --for: so many tiles, which share their edges (1x1)"),
    ROW(COUNT, "tile-size", tile_size, "N", .minimum = 2, .maximum = 1 << 16,
        .help = "with --for: samples along a tile (one that the program takes, near what there is)"),
    ROW(CHOICE, "fit", fit, "HOW", .choices = run_grid_fit_names,
        .help = "with --for: how the terrain comes to that size: resample, from border to border; crop, its middle "
                "(resample)"),
    ROW(TEXT, "masks", masks, "LIST",
        .help = "with --for: maps as grey pictures (erosion,deposition,talus,silt,flow,wetness,occlusion,slope, as far "
                "as there are)"),
    ROW(CHOICE, "bits", bits, "8|16", .choices = mask_bits, .help = "with --for: of the masks (8)"),
    ROW(TEXTS, "range", ranges, "[MAP=]RANGE",
        .help = "with --for: values from black to white, as in wadi derive; height=A..B is that of the heights"),
    ROW(TEXT, "layers", layers, "FILE", .help = "with --for: rules of the ground's layers, as in wadi derive"),
    ROW(COUNT, "every", every, "N", .minimum = 1, .maximum = 1 << 20,
        .help = "of a mesh: takes each N-th cell of each N-th row (1)"),
    ROW(COUNT, "lods", lods, "N", .minimum = 1, .maximum = 8,
        .help = "of a mesh: levels of detail, each in its file: NAME_lod0 as it is, NAME_lod1 with a quarter of the "
                "triangles, and on"),
    ROW(COUNT, "chunk", chunk, "N", .minimum = 1, .maximum = 1 << 16,
        .help = "of a mesh: the ground in objects of N x N quads, ground_x0_y0 and on (one object; not in .ply)"),
    ROW(NUMBER, "exaggeration", exaggeration, "X", .minimum = 1e-6, .maximum = 1e4,
        .help = "of a mesh: of the heights (1)"),
    ROW(FLAG, "sides", sides, NULL, .help = "of a mesh: its sides, down to a flat base"),
    ROW(NUMBER, "water-depth", water_depth, "M", .minimum = 1e-9, .maximum = 1e6,
        .help = "of a run: water is drawn from this depth on (what is more than a film of rain)"),
    ROW(FLAG, "no-water", no_water, NULL, .help = "of a run: leave its water out"),
    ROW(FLAG, "no-ice", no_ice, NULL, .help = "of a run: leave its ice out, and take the ground under it"),
    ROW(FLAG, "no-colours", no_colours, NULL, .help = "leave the ground's colours out, which need OpenGL"),
    ROW(FLAG, "force", force, NULL, .help = "replace existing files"),
    READ_OPTIONS(export_args, read),
    {0},
};

static const command export = {
    .name = "export",
    .usage = "FILE|RUN -o FILE.{obj,ply,gltf,glb} | --for PROGRAM -o DIR [options]",
    .summary = "Writes a mesh of triangles, in m, with normals and texture coordinates on which the run's maps fit, "
               "and a run's "
               "water as further meshes (not in .ply). With --for it writes what a program takes: heights in tiles, "
               "masks, weights, "
               "normals, colours, a scene, and a text that says what to type where.",
    .options = options,
    .arguments = "FILE|RUN",
    .arguments_from = 1,
    .arguments_to = 1,
};

/* --- a mesh --- */

/* "hills_lod1.glb" for "hills.glb". Free it. */
static char *level_file(const char *path, int level) {
    const char *dot = strrchr(path, '.');
    if (!dot || strchr(dot, '/')) dot = path + strlen(path); /* which no format has */
    return run_text_format("%.*s_lod%d%s", (int)(dot - path), path, level, dot);
}

static wadi_status write_level(const export_args *given, wadi_mesh *mesh, int level) {
    char *path = given->lods > 0 ? level_file(given->output, level) : run_text_copy(given->output);
    mesh->every = (int)(given->every > 0 ? given->every : 1) << level;
    wadi_status status = path ? wadi_mesh_write(path, mesh) : WADI_ERROR_MEMORY;
    if (status == WADI_OK) printf("%s\n", as_shown(path));
    free(path);
    return status;
}

/* What is known of the run, and the top of its ice. */
static wadi_status begin(const export_args *given, textures *textures) {
    wadi_status status = run_texture_facts_read(textures->folder, &textures->facts);
    textures->facts.no_ice = given->no_ice;
    return status == WADI_OK ? run_textures_add_ice(textures) : status;
}

static wadi_status write_mesh(const export_args *given, textures *textures) {
    const texture_mesh_options how = {.no_water = given->no_water,
                                      .no_colours = given->no_colours || !run_mesh_has_colours(given->output),
                                      .sides = given->sides,
                                      .water_threshold_m = given->water_depth};
    texture_mesh made;
    wadi_status status = run_texture_mesh_make(textures, &how, &made);
    made.mesh.exaggeration = given->exaggeration;
    made.mesh.chunk = (int)given->chunk;
    for (int level = 0; level < (given->lods > 0 ? given->lods : 1) && status == WADI_OK; level++)
        status = write_level(given, &made.mesh, level);
    run_texture_mesh_free(&made);
    return status;
}

static wadi_status export_mesh(const export_args *given, const char *folder, const wadi_raster *height) {
    const range_list none = {0};
    textures textures = run_textures_of(folder, height, run_derived_def(height), &none);
    wadi_status status = begin(given, &textures);
    if (status == WADI_OK) status = write_mesh(given, &textures);
    run_textures_close(&textures);
    return status;
}

/* --- the files for a program --- */

static wadi_status make_folder(const char *path) {
    const int error = platform_make_folder(path);
    if (error == 0 || error == EEXIST) return WADI_OK;
    return wadi_fail(WADI_ERROR_IO, "-o %s: the folder cannot be made: %s", path, strerror(error));
}

static void report_set(const export_set *set) {
    const export_grid *g = &set->options->grid;
    printf("%s: %zu files for %s; %d x %d tiles of %d x %d samples, %.6g x %.6g m apart, %.6g to %.6g m\n",
           as_shown(set->options->folder), set->files, set->options->target->title, g->tiles_x, g->tiles_y,
           g->tile_width, g->tile_height, set->height->lx, set->height->ly, set->range.low.value,
           set->range.high.value);
    if (set->clamped > 0) printf("%zu samples lie outside --range height and are at its ends\n", set->clamped);
    if (g->width != set->from_width || g->height != set->from_height)
        printf("%d x %d samples were %s to %d x %d\n", set->from_width, set->from_height,
               g->fit == FIT_CROP ? "cropped" : "resampled", g->width, g->height);
    printf("%s/READ_ME.txt says what to type where\n", as_shown(set->options->folder));
}

static wadi_status write_set(const export_args *given, const export_options *how, textures *textures) {
    export_set set;
    wadi_status status = run_export_open(how, textures, &set);
    if (status == WADI_OK) status = make_folder(given->output);
    if (status == WADI_OK) status = run_export_write(&set);
    if (status == WADI_OK) status = run_export_texts(&set);
    if (status == WADI_OK) report_set(&set);
    run_export_free(&set);
    return status;
}

static wadi_status export_for(const export_args *given, const char *folder, const wadi_raster *height) {
    range_list ranges;
    textures textures = run_textures_of(folder, height, run_derived_def(height), &ranges);
    export_options how = {.target = run_export_target_at((size_t)given->target),
                          .folder = given->output,
                          .masks = given->masks,
                          .layers = given->layers,
                          .sample = given->bits == 1 ? WADI_SAMPLE_UINT16 : WADI_SAMPLE_UINT8,
                          .ranges = &ranges,
                          .no_water = given->no_water,
                          .no_colours = given->no_colours,
                          .water_threshold_m = given->water_depth};
    wadi_status status = run_ranges_read(&given->ranges, &ranges);
    if (status == WADI_OK)
        status = run_export_grid(how.target, height->width, height->height, given->tiles, (int)given->tile_size,
                                 (grid_fit)given->fit, &how.grid);
    if (status == WADI_OK) status = begin(given, &textures);
    if (status == WADI_OK) status = write_set(given, &how, &textures);
    run_textures_close(&textures);
    run_ranges_free(&ranges);
    return status;
}

/* --- the command --- */

/* Refuses options of the other kind of export. */
static wadi_status check_kind(option_set by_user, bool set) {
    static const char *const of_mesh[] = {"every", "lods", "chunk", "exaggeration", "sides", NULL};
    for (int i = 0; options[i].name; i++) {
        bool mesh = false;
        const bool only_set = options[i].help && strncmp(options[i].help, "with --for", 10) == 0;
        for (int k = 0; of_mesh[k]; k++) mesh |= strcmp(options[i].name, of_mesh[k]) == 0;
        if (option_set_has(by_user, i) && (set ? mesh : only_set))
            return wadi_fail(WADI_ERROR_ARGUMENT, "--%s: does not go %s --for", options[i].name,
                             set ? "with" : "without");
    }
    return WADI_OK;
}

static int option_at(const char *name) {
    int i = 0;
    while (strcmp(options[i].name, name) != 0) i++;
    return i;
}

static wadi_status check_mesh_files(const export_args *given) {
    wadi_status status = given->lods > 0 ? WADI_OK : run_folder_check_file("-o ", given->output, given->force);
    for (int level = 0; level < given->lods && status == WADI_OK; level++) {
        char *path = level_file(given->output, level);
        status = path ? run_folder_check_file("-o ", path, given->force) : WADI_ERROR_MEMORY;
        free(path);
    }
    return status;
}

static wadi_status check_chunk(const export_args *given) {
    const char *dot = strrchr(given->output, '.');
    if (given->chunk == 0 || !dot || !run_text_same(dot, ".ply")) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "--chunk: a .ply file is one object; .obj, .gltf and .glb have several");
}

static wadi_status check_output(const export_args *given, const char *path, bool set) {
    if (!given->output) return wadi_fail(WADI_ERROR_ARGUMENT, "-o is missing: wadi export %s", export.usage);
    if (strcmp(given->output, path) == 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "-o %s: is the input; name another file", given->output);
    if (!set) {
        const wadi_status status = check_chunk(given);
        return status == WADI_OK ? check_mesh_files(given) : status;
    }
    if (run_folder_is_run(given->output))
        return wadi_fail(WADI_ERROR_ARGUMENT, "-o %s: holds a run; name another folder", given->output);
    return run_folder_check(given->output, given->force);
}

static wadi_status export_given(const export_args *given, const arguments *arguments) {
    const char *path = arguments->items[0], *folder = platform_is_folder(path) ? path : NULL;
    const bool set = option_set_has(arguments->given, option_at("for"));
    wadi_raster *height = NULL;
    wadi_status status = check_kind(arguments->given, set);
    if (status == WADI_OK) status = check_output(given, path, set);
    if (status == WADI_OK) status = run_read_height_of(path, &given->read, &height);
    if (status == WADI_OK) status = set ? export_for(given, folder, height) : export_mesh(given, folder, height);
    wadi_raster_destroy(height);
    return status;
}

int wadi_cmd_export(int argc, char **argv) {
    export_args given = {0};
    arguments arguments;
    wadi_status status;
    if (options_parse(&export, argc, argv, &given, &arguments, &status)) status = export_given(&given, &arguments);
    run_text_list_free(&given.ranges);
    return report_end(status);
}
