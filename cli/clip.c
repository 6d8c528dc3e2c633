/* clip.c: wadi clip: a part of a raster, cell by cell. */
#include "regrid.h"

#include "run/run_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct clip_options {
    const char *output, *window, *bounds, *like;
    bool force;
    read_args read;
} clip_options;

#define ROW(...) OPTION_ROW(clip_options, __VA_ARGS__)
static const option options[] = {
    ROW(TEXT, "output", output, "FILE", .letter = 'o',
        .help = "the raster; its ending is its format:" WADI_FORMAT_ENDINGS),
    ROW(TEXT, "window", window, "X,Y,W,H",
        .help = "W x H cells from column X and row Y, counted from 0 at the top left"),
    ROW(TEXT, "bounds", bounds, "X1,Y1,X2,Y2",
        .help = "the cells between these coordinates of the CRS, to the nearest edge of a cell"),
    ROW(TEXT, "like", like, "RASTER", .help = "the cells within the extent of another raster in the same CRS"),
    ROW(FLAG, "force", force, NULL, .help = "replace an existing file"),
    REGRID_MAP_OPTION(clip_options, read),
    READ_OPTIONS(clip_options, read),
    {0},
};

static const command clip = {
    .name = "clip",
    .usage = "FILE|RUN --window X,Y,W,H|--bounds X1,Y1,X2,Y2|--like RASTER -o FILE [options]",
    .summary = "Cuts a part out of a heightmap. No value changes, and the part keeps its place.",
    .options = options,
    .arguments = "FILE|RUN",
    .arguments_from = 1,
    .arguments_to = 1,
};

typedef struct window {
    int x, y, width, height;
} window;

/* Four numbers with commas between them. */
static wadi_status parse_four(const char *option, const char *text, double four[4]) {
    const char *rest = text;
    for (int i = 0; i < 4; i++) {
        char number[64];
        const size_t length = strcspn(rest, ",");
        snprintf(number, sizeof number, "%.*s", (int)length, rest);
        const bool last = rest[length] == '\0';
        if (length >= sizeof number || !run_parse_number(number, &four[i]) || last != (i == 3))
            return wadi_fail(WADI_ERROR_ARGUMENT, "%s %s: four numbers with commas between them are wanted", option,
                             text);
        rest += length + !last;
    }
    return WADI_OK;
}

static wadi_status parse_window(const char *text, window *window) {
    double four[4];
    const wadi_status status = parse_four("--window", text, four);
    if (status != WADI_OK) return status;
    for (int i = 0; i < 4; i++)
        if (!(four[i] >= (i < 2 ? 0 : 2) && four[i] <= 2147483647 && four[i] == floor(four[i])))
            return wadi_fail(WADI_ERROR_ARGUMENT, "--window %s: whole numbers of cells are wanted, 2 x 2 at the least",
                             text);
    *window = (struct window){(int)four[0], (int)four[1], (int)four[2], (int)four[3]};
    return WADI_OK;
}

static double limited(double cell, int cells) { return fmin(fmax(floor(cell + 0.5), 0), cells); }

/* Bounds are x1, y1, x2, y2 with any corner first. They may reach beyond the raster. */
static wadi_status window_of_bounds(const char *what, const double bounds[4], const wadi_raster *raster,
                                    window *window) {
    const double *t = raster->georef.transform;
    if (!raster->has_georef)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: the raster has no georeference; --window counts cells", what);
    const double left = limited((fmin(bounds[0], bounds[2]) - t[0]) / t[1], raster->width),
                 right = limited((fmax(bounds[0], bounds[2]) - t[0]) / t[1], raster->width),
                 top = limited((fmax(bounds[1], bounds[3]) - t[3]) / t[5], raster->height),
                 bottom = limited((fmin(bounds[1], bounds[3]) - t[3]) / t[5], raster->height);
    if (!(right - left >= 2 && bottom - top >= 2))
        return wadi_fail(
            WADI_ERROR_ARGUMENT,
            "%s: 2 x 2 cells at the least are wanted; the raster reaches from %.10g, %.10g to %.10g, %.10g", what, t[0],
            t[3] + raster->height * t[5], t[0] + raster->width * t[1], t[3]);
    *window = (struct window){(int)left, (int)top, (int)(right - left), (int)(bottom - top)};
    return WADI_OK;
}

static wadi_status window_like(const char *path, const wadi_raster *raster, window *window) {
    const read_args standard = {.byte_order = BYTES_LITTLE};
    wadi_raster *other = NULL;
    wadi_status status = run_read_height(path, &standard, &other);
    if (status != WADI_OK) return status;
    const double *t = other->georef.transform;
    const double bounds[4] = {t[0], t[3], t[0] + other->width * t[1], t[3] + other->height * t[5]};
    const char *here = raster->georef.name, *there = other->georef.name;
    char what[400];
    snprintf(what, sizeof what, "--like %.380s", path);
    if (!other->has_georef)
        status = wadi_fail(WADI_ERROR_ARGUMENT, "%s: has no georeference", what);
    else if (*here && *there && strcmp(here, there) != 0)
        status = wadi_fail(WADI_ERROR_ARGUMENT,
                           "%s: is in %s, the raster in %s; wadi reproject brings one to the other", what, there, here);
    else
        status = window_of_bounds(what, bounds, raster, window);
    wadi_raster_destroy(other);
    return status;
}

static wadi_status find_window(const clip_options *given, const wadi_raster *raster, window *window) {
    double bounds[4];
    if (given->window) return parse_window(given->window, window);
    if (given->like) return window_like(given->like, raster, window);
    const wadi_status status = parse_four("--bounds", given->bounds, bounds);
    return status == WADI_OK ? window_of_bounds("--bounds", bounds, raster, window) : status;
}

static wadi_status check(const clip_options *given, const char *input) {
    window window;
    double bounds[4];
    if (!!given->window + !!given->bounds + !!given->like != 1)
        return wadi_fail(WADI_ERROR_ARGUMENT, "one of --window, --bounds and --like is wanted: wadi %s %s", clip.name,
                         clip.usage);
    wadi_status status = regrid_check(&clip, input, given->output, given->force);
    if (status == WADI_OK && given->window) status = parse_window(given->window, &window);
    if (status == WADI_OK && given->bounds) status = parse_four("--bounds", given->bounds, bounds);
    return status;
}

int wadi_cmd_clip(int argc, char **argv) {
    clip_options given = {0};
    arguments arguments;
    wadi_status status;
    if (!options_parse(&clip, argc, argv, &given, &arguments, &status)) return report_end(status);
    window window = {0};
    wadi_raster *from = NULL, *made = NULL;
    status = check(&given, arguments.items[0]);
    if (status == WADI_OK) status = run_read_height_of(arguments.items[0], &given.read, &from);
    if (status == WADI_OK) status = find_window(&given, from, &window);
    if (status == WADI_OK) status = wadi_raster_clip(from, window.x, window.y, window.width, window.height, &made);
    if (status == WADI_OK) status = regrid_write(given.output, made);
    wadi_raster_destroy(from);
    wadi_raster_destroy(made);
    return report_end(status);
}
