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

static bool is_kind(const char *name) {
    size_t count;
    const wadi_terrain_kind *kinds = wadi_terrain_kinds(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(kinds[i].name, name) == 0) return true;
    return false;
}

static wadi_status check_from(const generate_options *given, const char *kind) {
    const bool letters = strcmp(kind, "letters") == 0;
    if (letters && !given->from)
        return wadi_fail(WADI_ERROR_ARGUMENT, "letters are made from a picture: --from PICTURE is missing");
    if (!letters && given->from) return wadi_fail(WADI_ERROR_ARGUMENT, "--from: goes with letters, not with %s", kind);
    return WADI_OK;
}

static wadi_status check_memory(const generate_options *given) {
    uint64_t needed = (uint64_t)given->size[0] * (uint64_t)given->size[1] * 8;
    uint64_t available = platform_memory_bytes();
    if (needed <= available) return WADI_OK;
    char need[32], have[32];
    double side = sqrt((double)available / 8);
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

wadi_status run_generate_check(const generate_options *given, const char *kind) {
    if (!is_kind(kind)) return unknown_kind(kind);
    const wadi_status status = check_from(given, kind);
    return status != WADI_OK ? status : check_memory(given);
}

wadi_status run_generate_raster(const generate_options *given, const char *kind, wadi_raster **raster) {
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
    wadi_status status = load_picture(given, &terrain, &picture);
    if (status == WADI_OK) status = wadi_raster_create(terrain.width, terrain.height, raster);
    if (status == WADI_OK) {
        set_cell_size(*raster, terrain.lx, terrain.ly);
        status = wadi_terrain_generate(&terrain, (*raster)->values);
    }
    wadi_raster_destroy(picture);
    return status;
}
