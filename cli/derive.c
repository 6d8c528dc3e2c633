/* derive.c: wadi derive: terrain analysis: slope, flow directions, contributing areas, streams and more. */
#include "derive_textures.h"
#include "options.h"

#include "run/derived.h"
#include "run/folder.h"
#include "run/message.h"
#include "run/run_read.h"
#include "run/stream_file.h"

#include "wadi/analysis.h"

#include "platform/platform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct derive_options {
    const char *output, *maps;
    int format; /* a wadi_format; UNKNOWN: as the input */
    int lines;  /* an index of run_line_endings */
    bool breach, force;
    double exponent, channel_km2, azimuth, altitude, exaggeration;
    texture_options textures;
    read_args read;
} derive_options;

static void maps_help(char text[OPTION_HELP]) {
    char all[MAPS_TEXT], usual[MAPS_TEXT];
    snprintf(text, OPTION_HELP, "maps to write: %s; or all; of a run also its own, as erosion and water (%s)",
             run_derived_text(run_derived_all(), ", ", all), run_derived_text(run_derived_by_default(), ",", usual));
}

static void pictures_help(char text[OPTION_HELP]) {
    char all[OPTION_HELP];
    snprintf(text, OPTION_HELP, "pictures for texturing, PNG in the folder: %.1000s", texture_picture_names(all));
}

#define ROW(...) OPTION_ROW(derive_options, __VA_ARGS__)
static const option options[] = {
    ROW(TEXT, "output", output, "DIR|FILE", .letter = 'o',
        .help = "the folder for the maps; or, for one map, its file:" WADI_FORMAT_ENDINGS
                "; streams are .geojson, .gpkg or .fgb"),
    ROW(TEXT, "maps", maps, "LIST", .help_text = maps_help),
    ROW(CHOICE, "format", format, "F", .choices = run_format_names, .help = "of the maps in the folder (as the input)"),
    ROW(CHOICE, "lines", lines, "F", .choices = run_line_endings, .help = "of the streams in the folder (geojson)"),
    ROW(TEXTS, "range", textures.range, "[MAP=]RANGE",
        .help =
            "the values from black to white: A..B, percentiles 1%..99%, log:A..B, even:A for -A..A, or @FILE with such "
            "lines; " RANGES_FILE " in the folder is one (docs/textures.md)"),
    ROW(CHOICE, "bits", textures.bits, "8|16|32", .choices = texture_bits,
        .help = "of the maps, as shares of their range; 32 are floats from 0 to 1"),
    ROW(TEXT, "pictures", textures.pictures, "LIST", .help_text = pictures_help),
    ROW(TEXTS, "pack", textures.pack, "NAME=MAP,...",
        .help =
            "a picture of one to four maps as red, green, blue and alpha; -MAP turns one round, 0 and 1 are constant"),
    ROW(TEXT, "layers", textures.layers, "FILE",
        .help = "rules for the picture 'layers': a YAML file of the ground's layers (rock, grass, snow and others)"),
    ROW(FLAG, "breach", breach, NULL, .help = "water goes through breached depressions (through filled ones)"),
    ROW(NUMBER, "exponent", exponent, "P", .minimum = 0.01, .maximum = 100,
        .help = "of the slope, for multiple flow directions (1.1, Freeman 1991)"),
    ROW(NUMBER, "channel-area", channel_km2, "KM2", .maximum = 1e12,
        .help = "contributing area from which on a cell is channel (a thousandth of the map, at least 16 cells)"),
    ROW(NUMBER, "azimuth", azimuth, "DEG", .minimum = -360, .maximum = 360,
        .help = "where the light of the hillshade comes from, clockwise from north (315)"),
    ROW(NUMBER, "altitude", altitude, "DEG", .maximum = 90, .help = "of the light above the horizon (45)"),
    ROW(NUMBER, "exaggeration", exaggeration, "X", .minimum = 1e-3, .maximum = 1e4,
        .help = "of the heights in the hillshade (1)"),
    ROW(FLAG, "force", force, NULL, .help = "replace existing files"),
    READ_OPTIONS(derive_options, read),
    {0},
};

static void print_maps(void) {
    const wadi_map_facts *map;
    printf("\nmaps:\n");
    for (size_t i = 0; (map = wadi_derived_facts_at(i)) != NULL; i++)
        printf("  %-18s %s%s%s\n", map->name, map->meaning, strcmp(map->unit, "1") == 0 ? "" : ", ",
               strcmp(map->unit, "1") == 0 ? "" : map->unit);
    printf("  %-18s the channels as lines with their Strahler order, in the terrain's CRS\n", DERIVED_STREAMS);
}

static const command derive = {
    .name = "derive",
    .usage = "FILE|RUN -o DIR|FILE [--maps LIST] [options]",
    .summary = "Derives maps from a heightmap or the height of a run: filled and breached heights, flow directions, "
               "contributing areas, slope, aspect, curvatures, hillshade, wetness index, streams.",
    .options = options,
    .arguments = "FILE|RUN",
    .arguments_from = 1,
    .arguments_to = 1,
    .list = print_maps,
};

/* What is to be written where. */
typedef struct plan {
    const char *input, *output;
    uint64_t maps;
    bool into_folder;
    wadi_format format; /* of the maps in the folder */
    int lines;          /* of the streams there */
} plan;

/* The file of a map; the caller frees it. */
static char *file_of(const plan *plan, unsigned index) {
    const wadi_map_facts *map = run_derived_facts_at(index);
    if (!plan->into_folder) return must_have(run_text_copy(plan->output));
    return must_have(run_text_format("%s/%s.%s", plan->output, map ? map->name : DERIVED_STREAMS,
                                     map ? wadi_format_extension(plan->format) : run_line_endings[plan->lines]));
}

static wadi_status check_one(const derive_options *given, const plan *plan, unsigned index) {
    char *path = file_of(plan, index);
    wadi_status status = WADI_OK;
    if (strcmp(path, plan->input) == 0)
        status = wadi_fail(WADI_ERROR_ARGUMENT, "-o %s: %s is the input; name another place", plan->output, path);
    else if (!plan->into_folder && run_derived_facts_at(index))
        status = run_folder_check_heightmap(path, given->force);
    else
        status = run_folder_check_file("-o ", path, given->force);
    free(path);
    return status;
}

/* A name with an ending is a file's, if it is no folder. */
static wadi_status choose_place(const derive_options *given, plan *plan) {
    const char *output = given->output;
    const bool lines = run_is_line_file(output), raster = wadi_format_of_name(output) != WADI_FORMAT_UNKNOWN;
    const bool one = (plan->maps & (plan->maps - 1)) == 0 && !texture_any(&given->textures);
    plan->into_folder = platform_is_folder(output) || (!lines && !raster);
    if (plan->into_folder) return WADI_OK;
    if (!one)
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "-o %s: is one file for several maps or for pictures; name a folder, or one of --maps",
                         output);
    if (lines != (plan->maps == run_derived_streams()))
        return wadi_fail(
            WADI_ERROR_ARGUMENT,
            "-o %s: streams are lines, in a file that ends in .geojson, .gpkg or .fgb; the other maps are rasters",
            output);
    return WADI_OK;
}

/* A file has no maps of a run. */
static wadi_status check_maps(const plan *plan) {
    if (platform_is_folder(plan->input)) return WADI_OK;
    for (unsigned i = 0; i < DERIVED_BITS; i++)
        if (plan->maps >> i & 1 && run_derived_is_written(i))
            return wadi_fail(WADI_ERROR_ARGUMENT, "--maps %s: %s is a file; this map is a run folder's",
                             run_derived_facts_at(i)->name, plan->input);
    return WADI_OK;
}

static wadi_status check(const derive_options *given, plan *plan) {
    plan->maps = texture_any(&given->textures) ? 0 : run_derived_by_default();
    if (!given->output) return wadi_fail(WADI_ERROR_ARGUMENT, "-o DIR|FILE is missing: wadi derive %s", derive.usage);
    wadi_status status = given->maps ? run_derived_parse(given->maps, &plan->maps) : WADI_OK;
    plan->output = given->output;
    if (status == WADI_OK) status = check_maps(plan);
    if (status == WADI_OK) status = texture_check(&given->textures);
    if (status == WADI_OK) status = choose_place(given, plan);
    if (status == WADI_OK && plan->into_folder && run_folder_is_run(given->output))
        status = wadi_fail(WADI_ERROR_ARGUMENT, "-o %s: holds a run, which has maps of its own; name another folder",
                           given->output);
    if (status == WADI_OK && plan->into_folder && !platform_is_folder(given->output))
        status = run_folder_check(given->output, given->force);
    return status;
}

static wadi_status refuse_name(const plan *plan, const char *name) {
    return wadi_fail(WADI_ERROR_ARGUMENT, "-o %s: two files would be %s; give a picture of --pack another name",
                     plan->output, name);
}

/* Whether a picture has the name of another one or of a map. */
static wadi_status check_names(const derive_options *given, const plan *plan) {
    char name[80], other[80];
    wadi_status status = WADI_OK;
    for (size_t i = 0; status == WADI_OK && texture_file_at(&given->textures, i, name); i++) {
        for (size_t k = 0; k < i && texture_file_at(&given->textures, k, other); k++)
            if (strcmp(name, other) == 0) return refuse_name(plan, name);
        char *path = must_have(run_text_join(plan->output, name));
        for (unsigned k = 0; k < DERIVED_BITS && status == WADI_OK; k++) {
            char *map = plan->maps >> k & 1 ? file_of(plan, k) : NULL;
            if (map && strcmp(map, path) == 0) status = refuse_name(plan, name);
            free(map);
        }
        free(path);
    }
    return status;
}

/* The format of the input, when it is known. */
static wadi_status check_files(const derive_options *given, const wadi_raster *terrain, plan *plan) {
    const char *missing;
    const bool as_input = given->format == WADI_FORMAT_UNKNOWN;
    plan->format = as_input ? terrain->format : (wadi_format)given->format;
    if (plan->format == WADI_FORMAT_UNKNOWN || plan->format == WADI_FORMAT_GDAL) plan->format = WADI_FORMAT_TIFF;
    if (plan->into_folder && !wadi_format_available(plan->format, &missing))
        return wadi_fail(WADI_ERROR_ARGUMENT, "--format %s: this build cannot write it: %s",
                         run_format_names[plan->format], missing);
    const wadi_format format = plan->into_folder ? plan->format : wadi_format_of_name(plan->output);
    wadi_status status = plan->maps & ~run_derived_streams() ? texture_check_format(&given->textures, format) : WADI_OK;
    if (status == WADI_OK && plan->into_folder) status = check_names(given, plan);
    if (plan->into_folder && !platform_is_folder(plan->output)) return status;
    for (unsigned i = 0; i < DERIVED_BITS && status == WADI_OK; i++)
        if (plan->maps >> i & 1) status = check_one(given, plan, i);
    char name[80];
    for (size_t i = 0; plan->into_folder && status == WADI_OK && texture_file_at(&given->textures, i, name); i++) {
        char *path = must_have(run_text_join(plan->output, name));
        status = run_folder_check_file("-o ", path, given->force);
        free(path);
    }
    return status;
}

static wadi_status make_folder(const plan *plan) {
    const int error = plan->into_folder ? platform_make_folder(plan->output) : 0;
    if (error == 0 || error == EEXIST) return WADI_OK;
    return wadi_fail(WADI_ERROR_IO, "-o %s: the folder cannot be made: %s", plan->output, strerror(error));
}

static void report_map(const char *path, const wadi_map_facts *map, const wadi_raster *raster,
                       const wadi_write_options *how) {
    const wadi_range range = wadi_range_of(raster->values, (size_t)raster->width * (size_t)raster->height);
    const char *unit = how->unit ? how->unit : map->unit;
    const bool bare = strcmp(unit, "1") == 0;
    printf("%s: %.6g to %.6g%s%s", as_shown(path), (double)range.minimum, (double)range.maximum, bare ? "" : " ",
           bare ? "" : unit);
    if (how->sample != WADI_SAMPLE_FLOAT32)
        printf("; 0 is %.9g, full scale %.9g", how->used_offset,
               how->used_offset + (how->sample == WADI_SAMPLE_UINT8 ? 255 : 65535) * how->used_scale);
    putchar('\n');
}

static wadi_status write_map(const derive_options *given, const char *path, textures *textures,
                             const wadi_map_facts *map) {
    const wadi_raster *values;
    wadi_raster *scaled = NULL;
    wadi_write_options how = run_derived_write_options(wadi_format_of_name(path), map);
    wadi_status status = run_textures_map(textures, map->name, &values);
    if (status == WADI_OK) status = texture_map(&given->textures, textures, map->name, &scaled, &how);
    if (scaled) values = scaled;
    if (status == WADI_OK) status = wadi_raster_write(path, values, &how);
    if (status == WADI_OK) report_map(path, map, values, &how);
    wadi_raster_destroy(scaled);
    return status;
}

static wadi_status write_streams(const char *path, textures *textures) {
    wadi_derivation *derivation;
    wadi_streams *streams = NULL;
    wadi_status status = run_textures_derivation(textures, &derivation);
    if (status == WADI_OK) status = wadi_derive_streams(derivation, &streams);
    if (status == WADI_OK) status = run_stream_file_write(path, textures->height, streams);
    if (status == WADI_OK)
        printf("%s: %zu reaches, channels from %.6g km2 on\n", as_shown(path), streams->count,
               streams->threshold_m2 * 1e-6);
    wadi_streams_destroy(streams);
    return status;
}

static wadi_status write_all(const derive_options *given, const plan *plan, textures *textures) {
    wadi_status status = make_folder(plan);
    for (unsigned i = 0; i < DERIVED_BITS && status == WADI_OK; i++) {
        const wadi_map_facts *map = run_derived_facts_at(i);
        if (!(plan->maps >> i & 1)) continue;
        char *path = file_of(plan, i);
        status = map ? write_map(given, path, textures, map) : write_streams(path, textures);
        if (map && !texture_any(&given->textures)) run_textures_release(textures, map->name);
        free(path);
    }
    if (status == WADI_OK) status = texture_write(&given->textures, textures, plan->output);
    return status == WADI_OK && plan->into_folder ? texture_write_ranges(textures, plan->output) : status;
}

static wadi_status derive_maps(const derive_options *given, const plan *plan, const wadi_raster *terrain) {
    wadi_derive_def def = run_derived_def(terrain);
    def.breach = given->breach;
    def.exponent = given->exponent;
    def.channel_m2 = given->channel_km2 * 1e6;
    def.azimuth = given->azimuth;
    def.altitude = given->altitude;
    def.exaggeration = given->exaggeration;
    range_list ranges;
    wadi_status status = run_ranges_read(&given->textures.range, &ranges);
    textures textures = run_textures_of(platform_is_folder(plan->input) ? plan->input : NULL, terrain, def, &ranges);
    if (status == WADI_OK && texture_any(&given->textures))
        status = run_texture_facts_read(textures.folder, &textures.facts);
    if (status == WADI_OK) status = write_all(given, plan, &textures);
    run_textures_close(&textures);
    run_ranges_free(&ranges);
    return status;
}

static wadi_status derive_given(const derive_options *given, const char *input) {
    plan plan = {.input = input, .lines = given->lines};
    wadi_raster *terrain = NULL;
    wadi_status status = check(given, &plan);
    if (status == WADI_OK) status = run_read_height_of(plan.input, &given->read, &terrain);
    if (status == WADI_OK) status = check_files(given, terrain, &plan);
    if (status == WADI_OK) status = derive_maps(given, &plan, terrain);
    wadi_raster_destroy(terrain);
    return status;
}

int wadi_cmd_derive(int argc, char **argv) {
    const wadi_derive_def standard = wadi_default_derive(2, 2, 1, 1, NULL);
    derive_options given = {.exponent = standard.exponent,
                            .azimuth = standard.azimuth,
                            .altitude = standard.altitude,
                            .exaggeration = standard.exaggeration};
    arguments arguments;
    wadi_status status;
    if (options_parse(&derive, argc, argv, &given, &arguments, &status))
        status = derive_given(&given, arguments.items[0]);
    run_text_list_free(&given.textures.range);
    run_text_list_free(&given.textures.pack);
    return report_end(status);
}
