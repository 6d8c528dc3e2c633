/* info.c: wadi info: describes a heightmap or a run folder. */
#include "description.h"
#include "figures.h"
#include "options.h"

#include "run/escape.h"
#include "run/folder.h"
#include "run/json.h"
#include "run/message.h"
#include "run/run_read.h"
#include "run/text.h"

#include "platform/platform.h"

#include <stdlib.h>
#include <string.h>

typedef struct info_options {
    bool json, force;
    const char *plot;
    double channel_km2, sea_m;
    read_args read;
} info_options;

#define ROW(...) OPTION_ROW(info_options, __VA_ARGS__)
static const option options[] = {
    ROW(FLAG, "json", json, NULL, .help = "as JSON; of a run: its run.json"),
    ROW(TEXT, "plot", plot, "PLOT.png", .help = "draws the slope histogram and the hypsometric curve"),
    ROW(FLAG, "force", force, NULL, .help = "replace an existing plot"),
    ROW(NUMBER, "channel-area", channel_km2, "KM2", .maximum = 1e12,
        .help = "contributing area from which on a cell is channel (a thousandth of the map, at least 16 cells)"),
    ROW(NUMBER, "sea-level", sea_m, "M", .minimum = -1e6, .maximum = 1e6,
        .help = "land at or below it that is joined to the border is sea, and left out of drainage and realism (a "
                "run's own, else none)"),
    READ_OPTIONS(info_options, read),
    {0},
};

static const command info = {
    .name = "info",
    .usage = "FILE|RUN [--json] [--plot PLOT.png]",
    .summary =
        "Tells what is in a heightmap, and where that was found: band, size, cell size, CRS, unit, scale, nodata; "
        "range, erosion score, slopes, drainage "
        "density, hypsometric curve, measures of realism, hash. Of a run folder: what was run, and the height it left.",
    .options = options,
    .arguments = "FILE|RUN",
    .arguments_from = 1,
    .arguments_to = 1,
};

static void print_raster(const wadi_raster *raster, const figures *figures) {
    description_print(raster);
    figures_print(figures);
}

static void json_raster(const char *path, const wadi_raster *raster, const figures *figures) {
    json json = run_json_to(stdout, false);
    run_json_object(&json, NULL);
    run_json_text(&json, "path", path);
    description_json(raster, &json);
    figures_json(figures, &json);
    run_json_end(&json);
}

/* Describes a heightmap as text or JSON. For a run's JSON, which has other members, it prints nothing. */
static wadi_status tell(const info_options *given, const char *path, const wadi_raster *raster, bool as_json,
                        bool as_text) {
    if (!as_json && !as_text && !given->plot) return WADI_OK;
    figures figures;
    wadi_status status = figures_of(raster, given->sea_m, given->channel_km2 * 1e6, &figures);
    if (status == WADI_OK && given->plot) status = figures_plot(&figures, path, given->plot);
    if (status != WADI_OK) return status;
    if (as_json) json_raster(path, raster, &figures);
    if (as_text) print_raster(raster, &figures);
    return WADI_OK;
}

static void print_facts(const run_facts *facts) {
    char rate[32], wall[32], time[32];
    printf("model    %s%s%s\n", as_shown(facts->model), *facts->preset ? ", preset " : "", as_shown(facts->preset));
    printf("steps    %.0f, %s simulated\n", facts->steps, run_text_simulated(facts->simulated_s, time));
    printf("rate     %s cell-steps/s (%s)\n", run_text_rate(facts->cell_steps_per_s, rate),
           run_text_duration(facts->wall_s, wall));
    printf("backend  %s, %s arithmetic, %s\n", as_shown(facts->backend), as_shown(facts->arithmetic),
           as_shown(facts->device));
    printf("score    %.3f before, %.3f after\n", facts->score_before, facts->score_after);
    printf("solid    %.4g m3 moved, residual %.2g m3\n", facts->solid_moved, facts->solid_residual);
    printf("water    %.4g m3 in, %.4g m3 out, residual %.2g m3\n\n", facts->water_in, facts->water_out,
           facts->water_residual);
}

/* Copies run.json to the output. */
static wadi_status copy_manifest(const char *folder) {
    char *path = must_have(run_text_join(folder, RUN_JSON));
    wadi_status status = run_folder_check_source(path);
    FILE *file = status == WADI_OK ? platform_open(path, "r") : NULL;
    if (!file) {
        if (status == WADI_OK)
            status = wadi_fail(WADI_ERROR_ARGUMENT,
                               "%s: holds no " RUN_JSON "; it is no run folder, or of an unfinished run", folder);
        free(path);
        return status;
    }
    run_json_copy(file, stdout);
    fclose(file);
    free(path);
    return WADI_OK;
}

static wadi_status info_run(const info_options *given, const char *folder) {
    if (given->json) {
        const wadi_status status = copy_manifest(folder);
        if (status != WADI_OK || !given->plot) return status;
    }
    run_facts facts;
    wadi_raster *raster = NULL;
    wadi_status status = run_read_facts(folder, &facts);
    if (status != WADI_OK) return status;
    if (!given->json) print_facts(&facts);
    status = run_read_field(folder, "height", &raster);
    if (status != WADI_OK) return status;
    memset(&raster->from, 0, sizeof raster->from); /* the run, not the file, says these */
    info_options with_sea = *given;                /* the run's, unless --sea-level gives another */
    if (!(given->sea_m > -(double)INFINITY)) with_sea.sea_m = facts.sea_m;
    status = tell(&with_sea, folder, raster, false, !given->json);
    wadi_raster_destroy(raster);
    return status;
}

static wadi_status check_plot(const info_options *given, const char *path) {
    const char *missing = "";
    if (!given->plot) return WADI_OK;
    if (wadi_format_of_name(given->plot) != WADI_FORMAT_PNG)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--plot %s: pictures are PNG files; name it .png", given->plot);
    if (!wadi_format_available(WADI_FORMAT_PNG, &missing))
        return wadi_fail(WADI_ERROR_ARGUMENT, "--plot %s: this build has no PNG: %s", given->plot, missing);
    if (strcmp(given->plot, path) == 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--plot %s: is the input; name another file", given->plot);
    return run_folder_check_file("--plot ", given->plot, given->force);
}

/* All but the measures of realism reads row by row, so a raster too large for memory may lie in a file. */
static void use_scratch(void) {
    char folder[4096];
    if (platform_scratch_folder(folder, sizeof folder)) wadi_raster_scratch(folder, platform_memory_bytes() / 4 * 3);
}

int wadi_cmd_info(int argc, char **argv) {
    info_options given = {.sea_m = -(double)INFINITY};
    arguments arguments;
    wadi_status status;
    if (!options_parse(&info, argc, argv, &given, &arguments, &status)) return report_end(status);
    const char *path = arguments.items[0];
    status = check_plot(&given, path);
    if (status != WADI_OK) return report_end(status);
    use_scratch();
    if (platform_is_folder(path)) return report_end(info_run(&given, path));
    wadi_raster *raster = NULL;
    status = run_read_height_of(path, &given.read, &raster);
    if (status != WADI_OK) return report_end(status);
    status = tell(&given, path, raster, given.json, !given.json);
    wadi_raster_destroy(raster);
    return report_end(status);
}
