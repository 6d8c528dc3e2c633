/* render.c: wadi render: a heightmap, or a run with its water and maps, as a picture. */
#include "options.h"

#include "run/escape.h"
#include "run/film.h"
#include "run/folder.h"
#include "run/maps.h"
#include "run/message.h"
#include "run/option.h"
#include "run/run_read.h"

#include "wadi/render.h"

#include "platform/platform.h"

#include <stdlib.h>
#include <string.h>

typedef struct render_options {
    const char *output, *map, *title;
    double scale, exaggeration;
    int64_t threads;
    bool no_decoration, no_water, grey, force;
    landscape_args landscape;
    read_args read;
} render_options;

#define ROW(...) OPTION_ROW(render_options, __VA_ARGS__)
static const option options[] = {
    ROW(TEXT, "output", output, "PICTURE.png", .letter = 'o', .help = "the picture"),
    ROW(TEXT, "map", map, "NAME", .help = "of a run: draw this map (flow, erosion, ...) over the relief"),
    ROW(FLAG, "no-water", no_water, NULL, .help = "of a run: leave its water out"),
    ROW(NUMBER, "scale", scale, "P", .maximum = 64, .help = "pixels a cell (so that the longer side has about 1200)"),
    ROW(NUMBER, "exaggeration", exaggeration, "X", .maximum = 1e4, .help = "of the heights (chosen from the relief)"),
    ROW(FLAG, "grey", grey, NULL, .help = "no colours of height"),
    ROW(TEXT, "title", title, "TEXT", .help = "written on the picture"),
    ROW(FLAG, "no-decoration", no_decoration, NULL, .help = "no scale bar, title and legend; with --3d no legend"),
    ROW(COUNT, "threads", threads, "N", .minimum = 1, .maximum = WADI_MOST_THREADS,
        .help = "else as many as the machine has"),
    ROW(FLAG, "force", force, NULL, .help = "replace an existing file"),
    LANDSCAPE_OPTIONS(render_options, landscape, "1600x900", 0),
    READ_OPTIONS(render_options, read),
    {0},
};

static const command render = {
    .name = "render",
    .usage = "FILE|RUN -o PICTURE.png [options]",
    .summary =
        "Draws a shaded relief, or with --3d a perspective picture; of a run folder with its water, sediment, or any "
        "of its maps.",
    .options = options,
    .arguments = "FILE|RUN",
    .arguments_from = 1,
    .arguments_to = 1,
};

enum { HEIGHT, WATER, SEDIMENT, EROSION, DEPOSITION, OVERLAY, LAYERS };

/* Options that one of the two pictures knows nothing of. */
static int check_kind(const render_options *given, uint64_t bits) {
    static const char *const flat[] = {"scale", "grey", "title", "threads", NULL};
    for (int i = 0; options[i].name; i++) {
        bool only_flat = false;
        const bool only_3d = strncmp(options[i].help, "with --3d", 9) == 0;
        for (int k = 0; flat[k]; k++) only_flat |= strcmp(options[i].name, flat[k]) == 0;
        if (!(bits >> i & 1) || (given->landscape.wanted ? !only_flat : !only_3d)) continue;
        return cli_fail(CLI_USAGE, "--%s: does not go %s --3d", options[i].name,
                        given->landscape.wanted ? "with" : "without");
    }
    return CLI_OK;
}

static int check_arguments(const render_options *given, const char *path) {
    const char *missing = "";
    if (!given->output) return cli_fail(CLI_USAGE, "-o PICTURE.png is missing: wadi render %s", render.usage);
    if (wadi_format_of_name(given->output) != WADI_FORMAT_PNG)
        return cli_fail(CLI_USAGE, "-o %s: pictures are PNG files; name it .png", given->output);
    if (!wadi_format_available(WADI_FORMAT_PNG, &missing))
        return cli_fail(CLI_USAGE, "-o %s: this build has no PNG: %s", given->output, missing);
    if (strcmp(given->output, path) == 0)
        return cli_fail(CLI_USAGE, "-o %s: is the input; name another file", given->output);
    int code = folder_check_file("-o ", given->output, given->force);
    if (code || !given->map) return code;
    if (!platform_is_folder(path)) return cli_fail(CLI_USAGE, "--map: %s is a file; maps are a run folder's", path);
    if (map_index(given->map) >= 0) return CLI_OK;
    const char *names[MAP_COUNT];
    char near[128];
    for (int i = 0; i < MAP_COUNT; i++) names[i] = map_kinds[i].name;
    return cli_fail(CLI_USAGE, "--map %s: no such map%s", given->map, did_you_mean(given->map, names, MAP_COUNT, near));
}

/* A field of the run into its layer, where the run has it and it fits. */
static int load_layer(const char *folder, const char *field, bool needed, wadi_raster **layers, int layer) {
    if (!needed && !run_has_field(folder, field)) return CLI_OK;
    return run_read_map(folder, field, layers[HEIGHT], &layers[layer]);
}

/* Without --map: water, and what is suspended in it. With it, the map named and the water. */
static int load_layers(const render_options *given, const char *path, wadi_raster **layers) {
    int code = read_height_of(path, &given->read, &layers[HEIGHT]);
    if (code || !platform_is_folder(path)) return code;
    const char *map = given->map ? given->map : "";
    bool deposition = strcmp(map, "deposition") == 0, sediment = strcmp(map, "sediment") == 0;
    bool other = *map && !deposition && !sediment && strcmp(map, "water") != 0;
    if (!given->no_water) code = load_layer(path, "water", strcmp(map, "water") == 0, layers, WATER);
    if (code == CLI_OK && (sediment || !*map)) code = load_layer(path, "sediment", sediment, layers, SEDIMENT);
    if (code == CLI_OK && deposition) code = load_layer(path, "deposition", true, layers, DEPOSITION);
    if (code == CLI_OK && other) code = load_layer(path, map, true, layers, OVERLAY);
    return code;
}

/* With --3d what was worn away and laid down is seen in the ground. */
static int load_change(const char *path, wadi_raster **layers) {
    if (!platform_is_folder(path) || !run_has_field(path, "erosion") || !run_has_field(path, "deposition"))
        return CLI_OK;
    int code = load_layer(path, "erosion", true, layers, EROSION);
    return code || layers[DEPOSITION] ? code : load_layer(path, "deposition", true, layers, DEPOSITION);
}

static int draw_landscape(const render_options *given, wadi_raster *const *layers) {
    const wadi_raster *overlay = layers[OVERLAY];
    if (given->map && strcmp(given->map, "deposition") == 0) overlay = layers[DEPOSITION];
    if (given->map && strcmp(given->map, "sediment") == 0) overlay = layers[SEDIMENT];
    const landscape_maps maps = {.height = layers[HEIGHT],
                                 .water = layers[WATER],
                                 .sediment = layers[SEDIMENT],
                                 .erosion = layers[EROSION],
                                 .deposition = layers[DEPOSITION],
                                 .overlay = overlay,
                                 .overlay_name = given->map,
                                 .exaggeration = given->exaggeration,
                                 .decorate = !given->no_decoration};
    double exaggeration;
    const int code = landscape_picture(&given->landscape, &maps, given->output, &exaggeration);
    if (code == CLI_OK)
        printf("%s: %d x %d pixels, heights times %.3g\n", cli_shown(given->output), given->landscape.picture[0],
               given->landscape.picture[1], exaggeration);
    return code;
}

static const float *values_of(const wadi_raster *raster) { return raster ? raster->values : NULL; }

static int draw(const render_options *given, wadi_raster *const *layers) {
    const wadi_raster *height = layers[HEIGHT];
    wadi_view view = wadi_default_view(height->width, height->height, height->lx, height->ly, height->values);
    view.water = values_of(layers[WATER]);
    view.sediment = values_of(layers[SEDIMENT]);
    view.deposition = values_of(layers[DEPOSITION]);
    view.overlay = values_of(layers[OVERLAY]);
    if (view.overlay) {
        const map_kind *kind = &map_kinds[map_index(given->map)];
        view.overlay_name = kind->name;
        view.overlay_unit = kind->unit;
    }
    view.exaggeration = given->exaggeration;
    view.scale = given->scale;
    view.tint = !given->grey;
    view.decorate = !given->no_decoration;
    view.title = given->title;
    view.threads = (int)given->threads;
    wadi_picture *picture = NULL;
    int code = cli_fail_status(wadi_render_map(&view, &picture));
    if (code) return code;
    code = cli_fail_status(wadi_picture_write(given->output, picture->rgb, picture->width, picture->height));
    if (code == CLI_OK) printf("%s: %d x %d pixels\n", cli_shown(given->output), picture->width, picture->height);
    wadi_picture_destroy(picture);
    return code;
}

int wadi_cmd_render(int argc, char **argv) {
    render_options given = {.landscape = LANDSCAPE_DEFAULTS};
    arguments arguments;
    int code;
    if (!options_parse(&render, argc, argv, &given, &arguments, &code)) return code;
    const char *path = arguments.items[0];
    wadi_raster *layers[LAYERS] = {NULL};
    code = check_kind(&given, arguments.given);
    if (code == CLI_OK) code = check_arguments(&given, path);
    if (code == CLI_OK) code = load_layers(&given, path, layers);
    if (code == CLI_OK && given.landscape.wanted) code = load_change(path, layers);
    if (code == CLI_OK) code = given.landscape.wanted ? draw_landscape(&given, layers) : draw(&given, layers);
    for (int i = 0; i < LAYERS; i++) wadi_raster_destroy(layers[i]);
    return code;
}
