/* export.c: wadi export: a heightmap or a run as a mesh. */
#include "options.h"

#include "run/escape.h"
#include "run/folder.h"
#include "run/mesh_film.h"
#include "run/message.h"
#include "run/run_read.h"

#include "wadi/mesh.h"

#include "platform/platform.h"

#include <stdio.h>
#include <string.h>

typedef struct export_options {
    const char *output;
    int64_t every;
    double exaggeration;
    bool no_water, force;
    read_args read;
} export_options;

#define ROW(...) OPTION_ROW(export_options, __VA_ARGS__)
static const option options[] = {
    ROW(TEXT, "output", output, "FILE.{obj,ply,gltf,glb}", .letter = 'o', .help = "the mesh"),
    ROW(COUNT, "every", every, "N", .minimum = 1, .maximum = 1 << 20,
        .help = "takes each N-th cell of each N-th row (1)"),
    ROW(NUMBER, "exaggeration", exaggeration, "X", .minimum = 1e-6, .maximum = 1e4, .help = "of the heights (1)"),
    ROW(FLAG, "no-water", no_water, NULL, .help = "of a run: leave its water out"),
    ROW(FLAG, "force", force, NULL, .help = "replace an existing file"),
    READ_OPTIONS(export_options, read),
    {0},
};

static const command export = {
    .name = "export",
    .usage = "FILE|RUN -o FILE.{obj,ply,gltf,glb} [options]",
    .summary =
        "Writes a mesh of triangles, in m, with normals and texture coordinates on which the run's maps fit; of a run "
        "with its water as a second mesh (not in .ply).",
    .options = options,
    .arguments = "FILE|RUN",
    .arguments_from = 1,
    .arguments_to = 1,
};

static wadi_status write_mesh(const export_options *given, const wadi_raster *height, const wadi_raster *water) {
    wadi_mesh mesh = {.width = height->width,
                      .height = height->height,
                      .lx = height->lx,
                      .ly = height->ly,
                      .heights = height->values,
                      .water = water ? water->values : NULL,
                      .exaggeration = given->exaggeration,
                      .every = (int)given->every};
    const wadi_status status = run_mesh_film(&mesh);
    return status == WADI_OK ? wadi_mesh_write(given->output, &mesh) : status;
}

static wadi_status load(const export_options *given, const char *path, wadi_raster **height, wadi_raster **water) {
    wadi_status status = run_read_height_of(path, &given->read, height);
    if (status != WADI_OK || given->no_water || !platform_is_folder(path) || !run_folder_has_field(path, "water"))
        return status;
    return run_read_map(path, "water", *height, water);
}

int wadi_cmd_export(int argc, char **argv) {
    export_options given = {0};
    arguments arguments;
    wadi_status status;
    if (!options_parse(&export, argc, argv, &given, &arguments, &status)) return report_end(status);
    const char *path = arguments.items[0];
    wadi_raster *height = NULL, *water = NULL;
    if (!given.output)
        return report_end(wadi_fail(WADI_ERROR_ARGUMENT, "-o FILE is missing: wadi export %s", export.usage));
    if (strcmp(given.output, path) == 0)
        return report_end(wadi_fail(WADI_ERROR_ARGUMENT, "-o %s: is the input; name another file", given.output));
    status = run_folder_check_file("-o ", given.output, given.force);
    if (status == WADI_OK) status = load(&given, path, &height, &water);
    if (status == WADI_OK) status = write_mesh(&given, height, water);
    if (status == WADI_OK) printf("%s\n", as_shown(given.output));
    wadi_raster_destroy(height);
    wadi_raster_destroy(water);
    return report_end(status);
}
