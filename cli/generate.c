/* generate.c: wadi generate: a starting terrain or a rain map as a file. */
#include "generate.h"

#include "folder.h"

#include "platform/platform.h"
#include "wadi/analysis.h"
#include "wadi/io.h"
#include "wadi/terrain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const generate_options generate_defaults = {.size = {512, 512}, .roughness = -1};

#define ROW(...) OPTION_ROW(generate_options, __VA_ARGS__)
static const option options[] = {
    ROW(TEXT, "output", output, "FILE", .letter = 'o',
        .help = "the file; its ending is its format:" WADI_FORMAT_ENDINGS),
    ROW(SIZE, "size", size, "WxH", .help = "cells (512x512)"),
    ROW(SEED, "seed", seed, "N", .help = "another seed, another terrain (0)"),
    ROW(PAIR, "cell-size", cell, "M", .minimum = 1e-6, .maximum = 1e6,
        .help = "metres a cell measures: M or MX,MY (1)"),
    ROW(NUMBER, "relief", relief, "M", .maximum = 1e6,
        .help = "metres from the lowest point to the highest (0.2 of the longer side); rain maps: the most rain (1)"),
    ROW(NUMBER, "roughness", roughness, "R", .maximum = 1,
        .help = "of random terrain: an octave's amplitude by that of the one before (0.5)"),
    ROW(NUMBER, "base", base, "M", .minimum = -1e6, .maximum = 1e6, .help = "height of the lowest point (0)"),
    ROW(TEXT, "from", from, "PICTURE",
        .help = "letters: the picture; what stands out from its border becomes mountain"),
    ROW(FLAG, "force", force, NULL, .help = "replace an existing file"),
    {0},
};

const command generate_command = {
    .name = "generate",
    .usage = "KIND --size WxH -o FILE [options]",
    .summary = "Makes a starting terrain or a rain map. The same kind, size and seed give the same bits on every "
               "machine; random terrain keeps its large shapes at every size.",
    .options = options,
    .arguments = "KIND",
    .arguments_from = 1,
    .arguments_to = 1,
};

static int unknown_kind(const char *wrong) {
    size_t count;
    const wadi_terrain_kind *kinds = wadi_terrain_kinds(&count);
    const char *names[32];
    char *list = cli_copy("");
    if (count > 32) count = 32;
    for (size_t i = 0; i < count; i++) {
        names[i] = kinds[i].name;
        char *longer = cli_text("%s%s%s", list, i ? ", " : "", names[i]);
        free(list);
        list = longer;
    }
    char near[128];
    did_you_mean(wrong, names, count, near);
    cli_fail(CLI_USAGE, "%s: no such kind of terrain%s (there are %s)", wrong, near, list);
    free(list);
    return CLI_USAGE;
}

static bool is_kind(const char *name) {
    size_t count;
    const wadi_terrain_kind *kinds = wadi_terrain_kinds(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(kinds[i].name, name) == 0) return true;
    return false;
}

static int check_from(const generate_options *given, const char *kind) {
    const bool letters = strcmp(kind, "letters") == 0;
    if (letters && !given->from)
        return cli_fail(CLI_USAGE, "letters are made from a picture: --from PICTURE is missing");
    if (!letters && given->from) return cli_fail(CLI_USAGE, "--from: goes with letters, not with %s", kind);
    return CLI_OK;
}

static int check_output(const generate_options *given) {
    const char *missing;
    if (!given->output) return cli_fail(CLI_USAGE, "-o FILE is missing: wadi generate %s", generate_command.usage);
    wadi_format format = wadi_format_of_name(given->output);
    if (format == WADI_FORMAT_UNKNOWN || format == WADI_FORMAT_GDAL)
        return cli_fail(CLI_USAGE, "%s: its ending names no format; use" WADI_FORMAT_ENDINGS, given->output);
    if (!wadi_format_available(format, &missing))
        return cli_fail(CLI_USAGE, "%s: this build cannot write it: %s", given->output, missing);
    return folder_check_file("-o ", given->output, given->force);
}

static int check_memory(const generate_options *given) {
    uint64_t needed = (uint64_t)given->size[0] * (uint64_t)given->size[1] * 8;
    uint64_t available = platform_memory_bytes();
    if (needed <= available) return CLI_OK;
    char need[32], have[32];
    double side = sqrt((double)available / 8);
    return cli_fail(CLI_MEMORY, "%dx%d needs %s of memory, %s are available; %.0fx%.0f would fit", given->size[0],
                    given->size[1], cli_bytes(needed, need), cli_bytes(available, have), side, side);
}

/* A cell size other than 1 m is a georeference without a CRS. */
static void place(wadi_raster *raster, double lx, double ly) {
    raster->lx = lx;
    raster->ly = ly;
    if (lx == 1 && ly == 1) return;
    raster->has_georef = true;
    raster->georef.transform[1] = lx;
    raster->georef.transform[5] = -ly;
}

static int write_terrain(const generate_options *given, const char *kind, const wadi_raster *raster) {
    wadi_format format = wadi_format_of_name(given->output);
    const wadi_format_facts *facts = wadi_format_facts_of(format);
    bool cells = raster->lx != 1 || raster->ly != 1;
    wadi_write_options how = {.format = format, .sample = facts->integers ? WADI_SAMPLE_UINT16 : WADI_SAMPLE_FLOAT32};
    int code = cli_fail_status(wadi_raster_write(given->output, raster, &how));
    if (code) return code;
    printf("%s: %s, %d x %d cells of %g x %g m\n", cli_shown(given->output), kind, raster->width, raster->height,
           raster->lx, raster->ly);
    if (facts->bare && cells) printf("read it back with --cell-size %.9g,%.9g\n", raster->lx, raster->ly);
    if (facts->integers)
        printf("read it back with --height-range %.9g,%.9g\n", how.used_offset,
               how.used_offset + 65535 * how.used_scale);
    return CLI_OK;
}

/* To 0 and 1 between the picture's darkest and brightest cell, so that its border is nearer to 0: black letters on
 * white are read like white ones on black. */
static void outstand(wadi_raster *picture) {
    const size_t width = (size_t)picture->width, count = width * (size_t)picture->height;
    const wadi_range range = wadi_range_of(picture->values, count);
    const double lowest = (double)range.minimum, span = fmax((double)range.maximum - lowest, 1e-30);
    double border = 0, cells = 0;
    for (size_t i = 0; i < count; i++) {
        picture->values[i] = (float)(((double)picture->values[i] - lowest) / span);
        const bool inner = i >= width && i < count - width && i % width > 0 && i % width < width - 1;
        if (inner || !cli_finite((double)picture->values[i])) continue;
        border += (double)picture->values[i];
        cells++;
    }
    if (border <= 0.5 * cells) return;
    for (size_t i = 0; i < count; i++) picture->values[i] = 1 - picture->values[i];
}

static int load_picture(const generate_options *given, wadi_terrain *terrain, wadi_raster **picture) {
    if (!given->from) return CLI_OK;
    const wadi_read_options options = {.plain_values = true, .encoding = WADI_ENCODING_LUMINANCE};
    const int code = cli_fail_input(wadi_raster_read(given->from, &options, picture));
    if (code) return code;
    outstand(*picture);
    terrain->mask = (*picture)->values;
    terrain->mask_width = (*picture)->width;
    terrain->mask_height = (*picture)->height;
    return CLI_OK;
}

int generate_check(const generate_options *given, const char *kind) {
    if (!is_kind(kind)) return unknown_kind(kind);
    const int code = check_from(given, kind);
    return code ? code : check_memory(given);
}

int generate_raster(const generate_options *given, const char *kind, wadi_raster **raster) {
    wadi_terrain terrain = wadi_default_terrain(kind, given->size[0], given->size[1]);
    terrain.seed = given->seed;
    terrain.relief_m = given->relief;
    terrain.base_m = given->base;
    if (given->roughness >= 0) terrain.roughness = given->roughness;
    if (given->cell.count) {
        terrain.lx = given->cell.first;
        terrain.ly = given->cell.second;
    }
    wadi_raster *picture = NULL;
    int code = load_picture(given, &terrain, &picture);
    if (code == CLI_OK) code = cli_fail_status(wadi_raster_create(terrain.width, terrain.height, raster));
    if (code == CLI_OK) {
        place(*raster, terrain.lx, terrain.ly);
        code = cli_fail_status(wadi_terrain_generate(&terrain, (*raster)->values));
    }
    wadi_raster_destroy(picture);
    return code;
}

static int generate_file(const generate_options *given, const char *kind) {
    wadi_raster *raster = NULL;
    int code = generate_raster(given, kind, &raster);
    if (code == CLI_OK) code = write_terrain(given, kind, raster);
    wadi_raster_destroy(raster);
    return code;
}

static void list_kinds(void) {
    size_t count;
    const wadi_terrain_kind *kinds = wadi_terrain_kinds(&count);
    for (int rain = 0; rain < 2; rain++) {
        printf(rain ? "\nrain maps, 0 to --relief (m/s as wadi run --rain @FILE reads them):\n" : "\nkinds:\n");
        for (size_t i = 0; i < count; i++)
            if (kinds[i].rain == rain) printf("  %-16s %s\n", kinds[i].name, kinds[i].summary);
    }
}

int wadi_cmd_generate(int argc, char **argv) {
    generate_options given = generate_defaults;
    arguments arguments;
    int code;
    if (!options_parse(&generate_command, argc, argv, &given, &arguments, &code)) {
        if (code == CLI_OK) list_kinds();
        return code;
    }
    const char *kind = arguments.items[0];
    code = generate_check(&given, kind);
    if (code == CLI_OK) code = check_output(&given);
    return code ? code : generate_file(&given, kind);
}
