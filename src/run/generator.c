#include "generator.h"

#include "fail.h"
#include "message.h"
#include "option.h"
#include "text.h"

#include "platform/platform.h"
#include "wadi/analysis.h"
#include "wadi/terrain.h"

#include <stdlib.h>
#include <string.h>

const generate_options run_generate_defaults = {.size = {512, 512}, .roughness = -1};

#define ROW(...) OPTION_ROW(generate_options, __VA_ARGS__)
const option run_generator_options[] = {
    ROW(TEXT, "output", output, "FILE", .letter = 'o',
        .help = "the file; its ending is its format:" WADI_FORMAT_ENDINGS),
    ROW(TEXT, "recipe", recipe, "FILE.yaml", .help = "in place of KIND: a terrain of layers (docs/terrain.md)"),
    ROW(SIZE, "size", size, "WxH", .help = "cells (512x512)"),
    ROW(SEED, "seed", seed, "N", .help = "another seed, another terrain (0)"),
    ROW(PAIR, "cell-size", cell, "M", .minimum = 1e-6, .maximum = 1e6,
        .help = "metres a cell measures: M or MX,MY (1)"),
    ROW(NUMBER, "world-size", world, "M", .minimum = 1e-6, .maximum = 1e12,
        .help = "metres of the longer side, in place of a cell size: the same landscape at every --size"),
    ROW(NUMBER, "relief", relief, "M", .maximum = 1e6,
        .help = "metres from the lowest point to the highest (0.2 of the longer side); rain maps: the most rain (1)"),
    ROW(NUMBER, "roughness", roughness, "R", .maximum = 1,
        .help = "of random terrain: an octave's amplitude by that of the one before (0.5)"),
    ROW(NUMBER, "feature-size", feature, "M", .minimum = 1e-6, .maximum = 1e12,
        .help = "of noise: metres of the longest waves (a third of the longer side)"),
    ROW(COUNT, "octaves", octaves, "N", .minimum = 1, .maximum = 24,
        .help = "of noise: waves of how many lengths, each half the one before (down to 4 cells)"),
    ROW(NUMBER, "warp", warp, "M", .maximum = 1e12, .help = "metres by which noise moves each place (0)"),
    ROW(NUMBER, "stretch", stretch, "R", .minimum = 1, .maximum = 100,
        .help = "of noise: how many times as long as wide its shapes are (1)"),
    ROW(NUMBER, "direction", direction, "DEGREES", .minimum = -360, .maximum = 360,
        .help = "clockwise from up: where a ramp rises to, or the length of stretched noise (0)"),
    ROW(TEXT, "line", line, "POINTS",
        .help =
            "range: its crest, \"X,Y X,Y ...\" in shares of the sides from the top left corner; in metres with m at "
            "the end (0,0.5 1,0.5)"),
    ROW(NUMBER, "width", width, "M", .maximum = 1e12,
        .help = "range: metres from the crest to the foot (a quarter of the shorter side)"),
    ROW(NUMBER, "base", base, "M", .minimum = -1e6, .maximum = 1e6, .help = "height of the lowest point (0)"),
    ROW(TEXT, "from", from, "PICTURE",
        .help = "letters: the picture; what stands out from its border becomes mountain"),
    ROW(FLAG, "force", force, NULL, .help = "replace an existing file"),
    {0},
};

static wadi_status unknown_kind(const char *wrong) {
    size_t count;
    const wadi_terrain_kind *kinds = wadi_terrain_kinds(&count);
    const char *names[32];
    char list[1024] = "", near[128];
    if (count > 32) count = 32;
    for (size_t i = 0; i < count; i++) {
        names[i] = kinds[i].name;
        run_text_add(list, sizeof list, "%s%s", i ? ", " : "", names[i]);
    }
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: no such kind of terrain%s (there are %s)", wrong,
                     run_did_you_mean(wrong, names, count, near), list);
}

static const wadi_terrain_kind *find_kind(const char *name) {
    size_t count;
    const wadi_terrain_kind *kinds = wadi_terrain_kinds(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
    return NULL;
}

static wadi_status refuse(const char *option, const char *with, const char *kind) {
    return wadi_fail(WADI_ERROR_ARGUMENT, "--%s: goes with %s, not with %s", option, with, kind);
}

/* An option that the kind does not take is refused. */
static wadi_status check_options(const generate_options *given, const wadi_terrain_kind *kind) {
    const bool letters = strcmp(kind->name, "letters") == 0, range = strcmp(kind->name, "range") == 0;
    const bool ramp = strcmp(kind->name, "ramp") == 0;
    const bool noise = kind->noise || letters;
    if (letters && !given->from)
        return wadi_fail(WADI_ERROR_ARGUMENT, "letters are made from a picture: --from PICTURE is missing");
    if (!letters && given->from) return refuse("from", "letters", kind->name);
    if (!range && given->line) return refuse("line", "range", kind->name);
    if (!range && given->width > 0) return refuse("width", "range", kind->name);
    if (!kind->noise && given->stretch > 0) return refuse("stretch", "kinds of noise", kind->name);
    if (!kind->noise && !ramp && given->direction != 0)
        return refuse("direction", "ramp and with stretched noise", kind->name);
    if (!(given->stretch > 0) && given->direction != 0 && !ramp)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--direction: needs --stretch");
    if (!noise && given->octaves > 0) return refuse("octaves", "kinds of noise", kind->name);
    if (!noise && given->feature > 0 && given->warp == 0)
        return refuse("feature-size", "kinds of noise and --warp", kind->name);
    return WADI_OK;
}

wadi_status run_generate_check_world(const generate_options *given) {
    if (given->world == 0 || !given->cell.count) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "--world-size: there is a --cell-size, too; leave one out");
}

wadi_status run_generate_check_maps(const generate_options *given, uint64_t maps) {
    const uint64_t cell = maps * sizeof(float), available = platform_memory_bytes();
    const uint64_t needed = (uint64_t)given->size[0] * (uint64_t)given->size[1] * cell;
    if (needed <= available) return WADI_OK;
    char need[32], have[32];
    double side = sqrt((double)available / (double)cell);
    return wadi_fail(WADI_ERROR_MEMORY, "%dx%d needs %s of memory, %s are available; %.0fx%.0f would fit",
                     given->size[0], given->size[1], run_text_bytes(needed, need), run_text_bytes(available, have),
                     side, side);
}

/* A cell size other than 1 m becomes a georeference without a CRS. */
static void set_cell_size(wadi_raster *raster, double lx, double ly) {
    raster->lx = lx;
    raster->ly = ly;
    if (lx == 1 && ly == 1) return;
    raster->has_georef = true;
    raster->georef.transform[1] = lx;
    raster->georef.transform[5] = -ly;
}

/* Scales to 0 and 1 between the darkest and the brightest cell, with the border nearer to 0. So black letters on white
 * give the same as white ones on black. */
static void outstand(wadi_raster *picture) {
    const size_t width = (size_t)picture->width, count = width * (size_t)picture->height;
    const wadi_range range = wadi_range_of(picture->values, count);
    const double lowest = (double)range.minimum, span = fmax((double)range.maximum - lowest, 1e-30);
    double border = 0, cells = 0;
    for (size_t i = 0; i < count; i++) {
        picture->values[i] = (float)(((double)picture->values[i] - lowest) / span);
        const bool inner = i >= width && i < count - width && i % width > 0 && i % width < width - 1;
        if (inner || !is_finite((double)picture->values[i])) continue;
        border += (double)picture->values[i];
        cells++;
    }
    if (border <= 0.5 * cells) return;
    for (size_t i = 0; i < count; i++) picture->values[i] = 1 - picture->values[i];
}

static wadi_status load_picture(const generate_options *given, wadi_terrain *terrain, wadi_raster **picture) {
    if (!given->from) return WADI_OK;
    const wadi_read_options options = {.plain_values = true, .encoding = WADI_ENCODING_LUMINANCE};
    const wadi_status status = run_fail_as_input(wadi_raster_read(given->from, &options, picture));
    if (status != WADI_OK) return status;
    outstand(*picture);
    terrain->mask = (*picture)->values;
    terrain->mask_width = (*picture)->width;
    terrain->mask_height = (*picture)->height;
    return WADI_OK;
}

/* --- a drawn line --- */

/* "X,Y" at *text, which then points behind it. */
static bool take_point(const char **text, double point[2]) {
    char *end;
    point[0] = strtod(*text, &end);
    if (end == *text || *end != ',') return false;
    const char *second = end + 1;
    point[1] = strtod(second, &end);
    if (end == second || (*end && *end != ' ')) return false;
    while (*end == ' ') end++;
    *text = end;
    return is_finite(point[0]) && is_finite(point[1]);
}

static wadi_status bad_line(const char *text) {
    return wadi_fail(WADI_ERROR_ARGUMENT,
                     "--line %.200s: points like \"0.1,0.5 0.9,0.4\" or \"100,500 900,400 m\" are wanted", text);
}

/* Room for the points of a line: each has three characters or more. */
static double (*new_points(const char *text))[2] {
    double(*points)[2] = malloc((strlen(text) / 3 + 1) * sizeof *points);
    if (!points) wadi_fail(WADI_ERROR_MEMORY, "no memory for a line");
    return points;
}

/* Shares of the sides become metres. The points are the terrain's line from here on. */
static wadi_status place_line(const char *text, double (*points)[2], wadi_terrain *terrain) {
    if (!points) return WADI_ERROR_MEMORY;
    const char *rest = text;
    int count = 0;
    while (*rest && *rest != 'm' && take_point(&rest, points[count])) count++;
    const bool metres = strcmp(rest, "m") == 0;
    for (int i = 0; i < count && !metres; i++) {
        points[i][0] *= terrain->width * terrain->lx;
        points[i][1] *= terrain->height * terrain->ly;
    }
    terrain->line = (const double(*)[2])points;
    terrain->line_points = count;
    return (*rest && !metres) || count < 2 ? bad_line(text) : WADI_OK;
}

/* --- a terrain --- */

wadi_status run_generate_check(const generate_options *given, const char *kind) {
    const wadi_terrain_kind *found = find_kind(kind);
    if (!found) return unknown_kind(kind);
    wadi_status status = check_options(given, found);
    if (status == WADI_OK) status = run_generate_check_world(given);
    return status != WADI_OK ? status : run_generate_check_maps(given, 2);
}

wadi_terrain run_generate_terrain(const generate_options *given, const char *kind) {
    wadi_terrain terrain = wadi_default_terrain(kind, given->size[0], given->size[1]);
    terrain.seed = given->seed;
    terrain.relief_m = given->relief;
    terrain.base_m = given->base;
    terrain.octaves = (int)given->octaves;
    terrain.feature_m = given->feature;
    terrain.warp_m = given->warp;
    terrain.width_m = given->width;
    terrain.stretch = given->stretch;
    terrain.direction_deg = given->direction;
    if (given->roughness >= 0) terrain.roughness = given->roughness;
    if (given->world > 0)
        terrain.lx = terrain.ly = given->world / (terrain.width > terrain.height ? terrain.width : terrain.height);
    if (given->cell.count) {
        terrain.lx = given->cell.first;
        terrain.ly = given->cell.second;
    }
    return terrain;
}

wadi_status run_generate_heights(const generate_options *given, const wadi_terrain *terrain, float *heights) {
    wadi_terrain full = *terrain;
    wadi_raster *picture = NULL;
    double(*points)[2] = given->line ? new_points(given->line) : NULL;
    wadi_status status = load_picture(given, &full, &picture);
    if (status == WADI_OK && given->line) status = place_line(given->line, points, &full);
    if (status == WADI_OK) status = wadi_terrain_generate(&full, heights);
    free(points);
    wadi_raster_destroy(picture);
    return status;
}

wadi_status run_generate_empty(const generate_options *given, wadi_raster **raster) {
    const wadi_terrain terrain = run_generate_terrain(given, NULL);
    const wadi_status status = wadi_raster_create(terrain.width, terrain.height, raster);
    if (status == WADI_OK) set_cell_size(*raster, terrain.lx, terrain.ly);
    return status;
}

wadi_status run_generate_raster(const generate_options *given, const char *kind, wadi_raster **raster) {
    const wadi_terrain terrain = run_generate_terrain(given, kind);
    const wadi_status status = run_generate_empty(given, raster);
    return status == WADI_OK ? run_generate_heights(given, &terrain, (*raster)->values) : status;
}
