/* blend.c: wadi blend: a terrain between the one that a run began with and the one that it made. */
#include "options.h"

#include "run/folder.h"
#include "run/message.h"
#include "run/run_read.h"

#include "platform/platform.h"

#include <stdio.h>

typedef struct blend_options {
    const char *output;
    bool force;
} blend_options;

#define ROW(...) OPTION_ROW(blend_options, __VA_ARGS__)
static const option options[] = {
    ROW(TEXT, "output", output, "FILE", .letter = 'o',
        .help = "the heightmap; its ending is its format:" WADI_FORMAT_ENDINGS),
    ROW(FLAG, "force", force, NULL, .help = "replace an existing file"),
    {0},
};

static const command blend = {
    .name = "blend",
    .usage = "RUN X -o FILE [--force]",
    .summary = "Writes a height between the one that a run began with (X = 0) and the one that it made (X = 1): the "
               "height before, and X times its change. So a run that went too far need not be made again.",
    .options = options,
    .arguments = "RUN X",
    .arguments_from = 2,
    .arguments_to = 2,
};

static wadi_status check(const blend_options *given, const char *run, const char *part, double *x) {
    if (!run_parse_number(part, x) || *x < 0 || *x > 1)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: a number from 0 (before) to 1 (after) is wanted", part);
    if (!platform_is_folder(run)) return wadi_fail(WADI_ERROR_ARGUMENT, "%s: is no run folder", run);
    if (!given->output) return wadi_fail(WADI_ERROR_ARGUMENT, "-o FILE is missing: wadi blend %s", blend.usage);
    return run_folder_check_heightmap(given->output, given->force);
}

/* height - left * change, with the change in two maps; where `left` is 0, the height to the bit. */
static void take_back(wadi_raster *height, const wadi_raster *erosion, const wadi_raster *deposition, double left) {
    const size_t count = (size_t)height->width * (size_t)height->height;
    for (size_t i = 0; i < count; i++) {
        const double change = (double)deposition->values[i] - (double)erosion->values[i];
        height->values[i] = (float)((double)height->values[i] - left * change);
    }
}

static wadi_status blend_maps(const char *run, double x, wadi_raster **height) {
    wadi_raster *erosion = NULL, *deposition = NULL;
    wadi_status status = run_read_field(run, "height", height);
    if (status == WADI_OK) status = run_read_map(run, "erosion", *height, &erosion);
    if (status == WADI_OK) status = run_read_map(run, "deposition", *height, &deposition);
    if (status == WADI_OK) take_back(*height, erosion, deposition, 1 - x);
    wadi_raster_destroy(erosion);
    wadi_raster_destroy(deposition);
    return status;
}

static wadi_status write_height(const char *path, const wadi_raster *height) {
    const wadi_format format = wadi_format_of_name(path);
    wadi_write_options how = {.format = format, .sample = wadi_format_facts_of(format)->sample};
    return wadi_raster_write(path, height, &how);
}

int wadi_cmd_blend(int argc, char **argv) {
    blend_options given = {0};
    arguments arguments;
    wadi_status status;
    if (!options_parse(&blend, argc, argv, &given, &arguments, &status)) return report_end(status);
    double x = 0;
    wadi_raster *height = NULL;
    status = check(&given, arguments.items[0], arguments.items[1], &x);
    if (status == WADI_OK) status = blend_maps(arguments.items[0], x, &height);
    if (status == WADI_OK) status = write_height(given.output, height);
    if (status == WADI_OK) printf("%s\n", as_shown(given.output));
    wadi_raster_destroy(height);
    return report_end(status);
}
