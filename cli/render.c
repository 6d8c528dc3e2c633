/* render.c: wadi render: a heightmap, or a run with its water and maps, as a picture. */
#include "options.h"

#include "run/derived.h"
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
    int colours, ground; /* ground -1: not given */
    bool no_decoration, no_water, no_ice, grey, force;
    landscape_args landscape;
    read_args read;
} render_options;

static const char *const colour_schemes[] = {[WADI_COLOURS_STANDARD] = "standard", [WADI_COLOURS_MEI] = "mei", NULL};

#define ROW(...) OPTION_ROW(render_options, __VA_ARGS__)
static const option options[] = {
    ROW(TEXT, "output", output, "PICTURE", .letter = 'o',
        .help = "the picture: .png; or .tif, .cog.tif, the map alone with its place on Earth"),
    ROW(TEXT, "map", map, "NAME",
        .help = "draw this map over the relief: one that 'wadi derive' makes (slope, area, ...); of a run also flow, "
                "erosion, ..."),
    ROW(FLAG, "no-water", no_water, NULL, .help = "of a run: leave its water out"),
    ROW(FLAG, "no-ice", no_ice, NULL, .help = "of a run: leave its ice out, and show its bed"),
    ROW(NUMBER, "scale", scale, "P", .maximum = 64,
        .help = "pixels a cell (so that the longer side has about 1200, of small maps 600)"),
    ROW(NUMBER, "exaggeration", exaggeration, "X", .maximum = 1e4, .help = "of the heights (chosen from the relief)"),
    ROW(CHOICE, "colours", colours, "SCHEME", .choices = colour_schemes,
        .help =
            "of sediment, suspended and deposited: standard, red and ochre; mei, as in Mei et al. 2007, green and red, "
            "both at once (standard)"),
    ROW(CHOICE, "ground", ground, "KIND", .choices = run_ground_names,
        .help = "colours of height: green, with woods, grass and snow; dry, with sand and bare rock (as the run has "
                "it; green)"),
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
    .usage = "FILE|RUN -o PICTURE [options]",
    .summary =
        "Draws a shaded relief, or with --3d a perspective picture; of a run folder with its water, sediment, or any "
        "of its maps.",
    .options = options,
    .arguments = "FILE|RUN",
    .arguments_from = 1,
    .arguments_to = 1,
};

enum { HEIGHT, WATER, ICE, SEDIMENT, EROSION, DEPOSITION, OVERLAY, LAYERS };

/* Refuses options that the chosen kind of picture does not have. */
static wadi_status check_kind(const render_options *given, option_set by_user) {
    static const char *const flat[] = {"scale", "colours", "grey", "title", "threads", NULL};
    for (int i = 0; options[i].name; i++) {
        bool only_flat = false;
        const bool only_3d = strncmp(options[i].help, "with --3d", 9) == 0;
        for (int k = 0; flat[k]; k++) only_flat |= strcmp(options[i].name, flat[k]) == 0;
        if (!option_set_has(by_user, i) || (given->landscape.wanted ? !only_flat : !only_3d)) continue;
        return wadi_fail(WADI_ERROR_ARGUMENT, "--%s: does not go %s --3d", options[i].name,
                         given->landscape.wanted ? "with" : "without");
    }
    return WADI_OK;
}

static bool is_placed(const char *output) {
    const wadi_format format = wadi_format_of_name(output);
    return format == WADI_FORMAT_TIFF || format == WADI_FORMAT_COG;
}

static wadi_status check_output(const render_options *given) {
    const char *missing = "", *output = given->output;
    const bool placed = is_placed(output);
    if (!placed && wadi_format_of_name(output) != WADI_FORMAT_PNG)
        return wadi_fail(WADI_ERROR_ARGUMENT, "-o %s: pictures are PNG files or GeoTIFFs; name it .png or .tif",
                         output);
    if (placed && given->landscape.wanted)
        return wadi_fail(WADI_ERROR_ARGUMENT, "-o %s: a picture with --3d has no place on a map; name it .png", output);
    if (placed && given->title)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--title: a GeoTIFF is the map alone; leave the title out");
    if (wadi_format_available(placed ? WADI_FORMAT_COG : WADI_FORMAT_PNG, &missing)) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "-o %s: this build cannot write it: %s", output, missing);
}

static wadi_status check_map(const render_options *given, const char *path) {
    const char *map = given->map;
    char near[128];
    if (strcmp(map, DERIVED_STREAMS) == 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--map %s: these are lines; 'wadi derive --maps %s' writes them", map,
                         map);
    if (run_derived_facts_of(map) == NULL)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--map %s: no such map%s", map, run_derived_near(map, near));
    if (given->no_water && strcmp(map, "water") == 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--map water: does not go with --no-water");
    if (platform_is_folder(path) || wadi_derived_facts_of(map) || strcmp(map, "height") == 0) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "--map %s: %s is a file; this map is a run folder's", map, path);
}

static wadi_status check_arguments(const render_options *given, const char *path) {
    if (!given->output) return wadi_fail(WADI_ERROR_ARGUMENT, "-o PICTURE is missing: wadi render %s", render.usage);
    wadi_status status = check_output(given);
    if (status != WADI_OK) return status;
    if (strcmp(given->output, path) == 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "-o %s: is the input; name another file", given->output);
    status = run_folder_check_file("-o ", given->output, given->force);
    return status != WADI_OK || !given->map ? status : check_map(given, path);
}

/* Loads a field of the run into its layer, if the run has it and the size fits. */
static wadi_status load_layer(const char *folder, const char *field, bool needed, wadi_raster **layers, int layer) {
    if (!needed && !run_folder_has_field(folder, field)) return WADI_OK;
    return run_read_map(folder, field, layers[HEIGHT], &layers[layer]);
}

static wadi_status derive_layer(const char *map, wadi_raster **layers) {
    const wadi_derive_def def = run_derived_def(layers[HEIGHT]);
    wadi_derivation *derivation = NULL;
    wadi_status status = wadi_derive_create(&def, &derivation);
    if (status == WADI_OK) status = run_derived_raster(derivation, map, layers[HEIGHT], &layers[OVERLAY]);
    wadi_derive_destroy(derivation);
    return status;
}

/* The map over the ground. With --3d those that a flat picture has layers of its own for are drawn over it, too. */
static const wadi_raster *overlay_of(const render_options *given, wadi_raster *const *layers) {
    static const struct {
        const char *map;
        int layer;
    } own[] = {{"height", HEIGHT}, {"water", WATER}, {"deposition", DEPOSITION}, {"sediment", SEDIMENT}};
    const size_t flat = 1, all = sizeof own / sizeof *own;
    for (size_t i = 0; given->map && i < (given->landscape.wanted ? all : flat); i++)
        if (strcmp(given->map, own[i].map) == 0) return layers[own[i].layer];
    return layers[OVERLAY];
}

/* A run's own map comes before a derived one of the same name. */
static wadi_status load_overlay(const char *path, const char *map, wadi_raster **layers) {
    const bool own = platform_is_folder(path) && run_folder_has_field(path, map);
    return own || !wadi_derived_facts_of(map) ? load_layer(path, map, true, layers, OVERLAY)
                                              : derive_layer(map, layers);
}

/* Without --map: water and its sediment, in the colours of Mei et al. deposits too. With --map: that map and the water.
 */
static wadi_status load_layers(const render_options *given, const char *path, wadi_raster **layers) {
    wadi_status status = run_read_height_of(path, &given->read, &layers[HEIGHT]);
    const char *map = given->map && strcmp(given->map, "height") != 0 ? given->map : "";
    if (status == WADI_OK && !platform_is_folder(path) && *map) status = load_overlay(path, map, layers);
    if (status != WADI_OK || !platform_is_folder(path)) return status;
    bool deposition = strcmp(map, "deposition") == 0, sediment = strcmp(map, "sediment") == 0;
    bool other = *map && !deposition && !sediment && strcmp(map, "water") != 0;
    if (!given->no_water) status = load_layer(path, "water", strcmp(map, "water") == 0, layers, WATER);
    /* A flat picture of the map `ice` has it once. */
    const bool icy = !given->no_ice && (given->landscape.wanted || strcmp(map, "ice") != 0);
    if (status == WADI_OK && icy) status = load_layer(path, "ice", false, layers, ICE);
    if (status == WADI_OK && (sediment || (!given->map && !given->no_water)))
        status = load_layer(path, "sediment", sediment, layers, SEDIMENT);
    if (status == WADI_OK && (deposition || (!given->map && given->colours == WADI_COLOURS_MEI)))
        status = load_layer(path, "deposition", deposition, layers, DEPOSITION);
    if (status == WADI_OK && other) status = load_overlay(path, map, layers);
    return status;
}

/* With --3d the ground shows erosion and deposition, unless the change contains uplift. */
static wadi_status load_change(const char *path, wadi_raster **layers) {
    if (!platform_is_folder(path) || !run_folder_has_field(path, "erosion") ||
        !run_folder_has_field(path, "deposition"))
        return WADI_OK;
    bool rises;
    wadi_status status = run_read_rises(path, &rises);
    if (status != WADI_OK || rises) return status;
    status = load_layer(path, "erosion", true, layers, EROSION);
    return status != WADI_OK || layers[DEPOSITION] ? status : load_layer(path, "deposition", true, layers, DEPOSITION);
}

static wadi_status choose_ground(const char *path, render_options *given) {
    wadi_ground ground = WADI_GROUND_GREEN;
    wadi_status status = WADI_OK;
    if (given->ground < 0 && run_folder_is_run(path)) status = run_read_ground(path, &ground);
    if (given->ground < 0) given->ground = (int)ground;
    given->landscape.ground = (wadi_ground)given->ground;
    return status;
}

static wadi_status draw_landscape(const render_options *given, wadi_raster *const *layers) {
    const landscape_maps maps = {.height = layers[HEIGHT],
                                 .water = layers[WATER],
                                 .ice = layers[ICE],
                                 .sediment = layers[SEDIMENT],
                                 .erosion = layers[EROSION],
                                 .deposition = layers[DEPOSITION],
                                 .overlay = overlay_of(given, layers),
                                 .overlay_name = given->map,
                                 .exaggeration = given->exaggeration,
                                 .decorate = !given->no_decoration};
    double exaggeration;
    const wadi_status status = run_landscape_picture(&given->landscape, &maps, given->output, &exaggeration);
    if (status == WADI_OK)
        printf("%s: %d x %d pixels, heights times %.3g\n", as_shown(given->output), given->landscape.picture[0],
               given->landscape.picture[1], exaggeration);
    return status;
}

static const float *values_of(const wadi_raster *raster) { return raster ? raster->values : NULL; }

static wadi_status draw(const render_options *given, wadi_raster *const *layers) {
    const wadi_raster *height = layers[HEIGHT];
    wadi_view view = wadi_default_view(height->width, height->height, height->lx, height->ly, height->values);
    view.water = values_of(layers[WATER]);
    view.ice = values_of(layers[ICE]);
    view.sediment = values_of(layers[SEDIMENT]);
    view.deposition = values_of(layers[DEPOSITION]);
    view.overlay = values_of(overlay_of(given, layers));
    view.overlay_name = given->map;
    view.exaggeration = given->exaggeration;
    view.scale = given->scale;
    view.colours = (wadi_colours)given->colours;
    view.ground = (wadi_ground)given->ground;
    view.tint = !given->grey;
    const bool placed = is_placed(given->output);
    view.decorate = !given->no_decoration && !placed;
    view.title = given->title;
    view.threads = (int)given->threads;
    wadi_picture *picture = NULL;
    wadi_status status = wadi_render_map(&view, &picture);
    if (status != WADI_OK) return status;
    status = placed ? wadi_picture_write_placed(given->output, picture->rgb, picture->width, picture->height, height)
                    : wadi_picture_write(given->output, picture->rgb, picture->width, picture->height);
    if (status == WADI_OK) printf("%s: %d x %d pixels\n", as_shown(given->output), picture->width, picture->height);
    wadi_picture_destroy(picture);
    return status;
}

int wadi_cmd_render(int argc, char **argv) {
    render_options given = {.ground = -1, .landscape = LANDSCAPE_DEFAULTS};
    arguments arguments;
    wadi_status status;
    if (!options_parse(&render, argc, argv, &given, &arguments, &status)) return report_end(status);
    const char *path = arguments.items[0];
    wadi_raster *layers[LAYERS] = {NULL};
    status = check_kind(&given, arguments.given);
    if (status == WADI_OK) status = check_arguments(&given, path);
    if (status == WADI_OK) status = load_layers(&given, path, layers);
    if (status == WADI_OK) status = choose_ground(path, &given);
    if (status == WADI_OK && given.landscape.wanted) status = load_change(path, layers);
    if (status == WADI_OK) status = given.landscape.wanted ? draw_landscape(&given, layers) : draw(&given, layers);
    for (int i = 0; i < LAYERS; i++) wadi_raster_destroy(layers[i]);
    return report_end(status);
}
