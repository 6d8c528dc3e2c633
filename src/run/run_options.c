/* run_options.c: the options of wadi run. */
#include "run_options.h"

#include "maps.h"
#include "option.h"
#include "run_state.h"

#include <stdio.h>
#include <string.h>

static void maps_help(char text[OPTION_HELP]) {
    char all[MAPS_TEXT], usual[MAPS_TEXT];
    snprintf(text, OPTION_HELP, "maps to write: %s; or all; or none (%s)", run_maps_text(run_maps_all(), ", ", all),
             run_maps_text(run_maps_by_default(), ",", usual));
}

#define ROW(...) OPTION_ROW(run_options, __VA_ARGS__)
const option run_option_rows[] = {
    ROW(TEXT, "output", output, "DIR", .command_alone = true, .not_in_window = true, .letter = 'o',
        .help = "the run folder (INPUT's name and the model's, here)"),
    ROW(TEXT, "model", model, "ID", .recipe = RECIPE_STAGE, .help = "'wadi models' lists them (jako2011)"),
    ROW(TEXT, "preset", preset, "NAME", .recipe = RECIPE_STAGE,
        .help = "'wadi presets' lists them; or a preset of your own, FILE.yaml (dem for terrain with a CRS, else "
                "the model's first)"),
    ROW(TEXT, "recipe", recipe, "FILE", .command_alone = true, .not_in_window = true,
        .help = "a YAML file with everything, and models that follow one another; or a run.json, to do it again"),
    ROW(FLAG, "strict-inputs", strict_inputs, NULL, .not_in_window = true,
        .help = "with --recipe run.json: refuse inputs that are not what they were, where a warning is usual"),
    ROW(FLAG, "exact", read.exact, NULL, .recipe = RECIPE_TOP,
        .help = "refuse maps on another grid than the heightmap's, which are resampled to it else"),
    ROW(COUNT, "steps", steps, "N", .not_in_window = true, .recipe = RECIPE_STAGE, .maximum = 1e15, .with_resume = true,
        .help = "how many time steps (the preset's own); with --resume: how many more"),
    ROW(NUMBER, "time", time_s, "TIME", .not_in_window = true, .recipe = RECIPE_STAGE, .maximum = 1e15,
        .with_resume = true,
        .help = "simulated time in the unit of dt (seconds; years for schott2023 and braun1999); with --steps it says "
                "what dt is"),
    ROW(CHOICE, "scale", scale, "KIND", .recipe = RECIPE_BOTH, .choices = run_scale_names,
        .help = "what a preset's values are for: a terrain of 512 m, scaled to this one's size whatever its cells "
                "measure; or cells of 1 m (as the preset has it)"),
    ROW(NUMBER, "world-size", world_m, "M", .recipe = RECIPE_BOTH, .minimum = 1e-6, .maximum = 1e12,
        .help = "with scale world: longer side of the whole terrain, if the input is a part of it"),
    ROW(COUNT, "levels", levels, "N", .recipe = RECIPE_BOTH, .minimum = 1, .maximum = MOST_LEVELS,
        .help = "erode from coarse to fine: N grids, each with half the cells of the next along a side, the input's "
                "last; they share the duration evenly; --steps are the last one's (1)"),
    ROW(NUMBER, "feature-size", feature_m, "M", .recipe = RECIPE_BOTH, .minimum = 1e-6, .maximum = 1e12,
        .help = "in place of --levels: the coarsest grid has 8 cells along M metres"),
    ROW(NUMBER, "level-warp", level_warp, "X", .recipe = RECIPE_TOP, .minimum = 0, .maximum = WADI_MOST_LEVEL_WARP,
        .help = "bends what goes up from a coarser level by noise, so that valleys do not follow the grid: root mean "
                "square of the displacement, in cells of the coarser grid (0; 0.4 suits mountains)"),
    ROW(CHOICE, "settle", settle, "HOW", .not_in_window = true, .recipe = RECIPE_TOP, .choices = run_switch_names,
        .help = "whether what is suspended in the water at the end lies down and counts in the height (on; off for the "
                "papers' presets)"),
    ROW(TEXTS, "knob", knobs, "NAME=X", .recipe = RECIPE_STAGE, .key = "knobs",
        .help = "moves parameters together, from 0 to 1, where 0.5 is the preset: strength=0.7 ('wadi models ID' lists "
                "the knobs); before --set; may be repeated"),
    ROW(TEXTS, "set", settings, "NAME=VALUE", .recipe = RECIPE_STAGE,
        .help = "a parameter ('wadi models ID' lists them): a number, a choice, or @FILE for a map; may be repeated"),
    ROW(TEXT, "rain", rain, "RATE", .recipe = RECIPE_STAGE,
        .help = "m/s; or @FILE, a map of it; or drops:count=N,radius=M,rate=R, N discs a step at random places"),
    ROW(TEXT, "rain-series", rain_series, "FILE", .recipe = RECIPE_STAGE,
        .help = "even rain that changes with time: CSV lines time,rain under the names time_s, time_min or time_h, and "
                "rain_mm_h or rain_m_s; each holds until the next, and --set rain-map=@FILE multiplies it"),
    ROW(TEXT, "sources", sources, "FILE", .recipe = RECIPE_STAGE,
        .help = "river sources: CSV lines x,y,radius_m,rate_m3s[,start_s[,end_s]], x and y in the terrain's CRS; or "
                "points and lines with these attributes: GeoJSON, GeoPackage, Shapefile"),
    ROW(FLAG, "pixel", pixel, NULL, .recipe = RECIPE_BOTH,
        .help = "x and y of sources and gauges are in cells from the top left corner"),
    ROW(TEXT, "gauges", gauges, "PLACES", .not_in_window = true, .recipe = RECIPE_TOP,
        .help = "\"NAME=X,Y NAME=X,Y:X,Y\", cells and lines, places as of sources: gauges.csv has depth, stage, "
                "discharge and sediment there, and over the border, with time"),
    ROW(NUMBER, "gauge-every", gauge_every, "SECONDS", .not_in_window = true, .recipe = RECIPE_TOP, .minimum = 1e-9,
        .maximum = 1e15, .help = "simulated time between the rows of gauges.csv (a hundredth of the run)"),
    ROW(TEXT, "hardness", hardness, "FILE", .recipe = RECIPE_TOP,
        .help = "a map, 0 soft to 1 hard; or 'height', made from the height; or 'uniform' (as the preset has it)"),
    ROW(TEXT, "water", water, "FILE", .recipe = RECIPE_TOP, .help = "a map of the water at the start, metres deep"),
    ROW(TEXT, "mask", mask, "FILE", .recipe = RECIPE_STAGE,
        .help = "a map of where the bed changes: 0 not at all, 1 in full; or areas (GeoJSON, GeoPackage, Shapefile)"),
    ROW(TEXT, "sea-level", sea_level, "M", .recipe = RECIPE_BOTH,
        .help = "m: the sea stands this high outside an open border and on the land joined to it; or 'off'"),
    ROW(PAIR, "breach", breach, "M", .recipe = RECIPE_TOP,
        .help = "open closed basins first, by channels to lower ground, at most so deep: M, or M,LENGTH in metres"),
    ROW(CHOICE, "boundary", boundary, "KIND", .recipe = RECIPE_BOTH, .choices = run_boundary_names,
        .help = "the border; else as the preset has it"),
    ROW(SEED, "seed", seed, "N", .recipe = RECIPE_BOTH,
        .help = "of random rain and of hardness made from the height (0)"),
    ROW(TEXT, "seeds", seeds, "A..B", .command_alone = true, .not_in_window = true,
        .help = "a run for each seed from A to B, in a folder of its own in DIR, and one picture of all; the seed is "
                "that of generated terrain too"),
    ROW(FLAG, "allow-out-of-range", allow_out_of_range, NULL, .recipe = RECIPE_BOTH,
        .help = "take parameters beyond their ranges"),
    ROW(TEXT, "tile", tile, "N/CxR", .not_in_window = true, .recipe = RECIPE_TOP,
        .help = "erode tile N of C x R alone, counted by rows from 1 at the top left; 'wadi join' puts them together"),
    ROW(COUNT, "margin", margin, "CELLS", .not_in_window = true, .recipe = RECIPE_TOP, .maximum = 1e9,
        .help = "with --tile: cells computed around the tile (so many that the tile has the bits of the whole)"),
    ROW(TEXT, "maps", maps, "LIST", .not_in_window = true, .recipe = RECIPE_TOP, .help_text = maps_help),
    ROW(CHOICE, "ground", ground, "KIND", .recipe = RECIPE_TOP, .choices = run_ground_names,
        .help = "colours of the ground in pictures: green, with woods, grass and snow; dry, with sand and bare rock "
                "(green)"),
    ROW(CHOICE, "format", format, "F", .not_in_window = true, .recipe = RECIPE_TOP, .choices = run_format_names,
        .help = "what height and maps are written as (as the input, 8 bits as 16, a GeoTIFF as float32); input: the "
                "height in the input's integers too, if they can hold its change"),
    BACKEND_OPTIONS(run_options, on),
    ROW(COUNT, "threads", threads, "N", .recipe = RECIPE_TOP, .minimum = 1, .maximum = WADI_MOST_THREADS,
        .with_resume = true, .help = "else as many as the machine has"),
    ROW(COUNT, "checkpoint-every", checkpoint_every, "N", .not_in_window = true, .recipe = RECIPE_TOP, .maximum = 1e15,
        .with_resume = true, .help = "steps between checkpoints; else at the start and on Ctrl-C alone"),
    ROW(FLAG, "no-checkpoint", no_checkpoint, NULL, .not_in_window = true, .recipe = RECIPE_TOP, .with_resume = true,
        .help = "keep no checkpoint of the finished run: a smaller folder, but --resume cannot go on with it"),
    ROW(FLAG, "no-preview", no_preview, NULL, .not_in_window = true, .recipe = RECIPE_TOP, .with_resume = true,
        .help = "draw no preview.png: of a small map it takes most of the time after the steps"),
    ROW(TEXT, "resume", resume, "DIR", .command_alone = true, .not_in_window = true, .with_resume = true,
        .help = "go on with the run in DIR, or with the variations of --seeds: to its end; or, finished or not, for "
                "--steps "
                "N more steps from where it stands"),
    ROW(FLAG, "dry-run", dry_run, NULL, .command_alone = true, .not_in_window = true,
        .help = "say the memory, steps and time it needs; write nothing"),
    ROW(FLAG, "json", json, NULL, .command_alone = true, .not_in_window = true, .with_resume = true,
        .help = "progress and result as JSON lines on standard output"),
    ROW(FLAG, "quiet", quiet, NULL, .command_alone = true, .not_in_window = true, .with_resume = true,
        .help = "errors and warnings alone"),
    ROW(FLAG, "force", force, NULL, .not_in_window = true,
        .help = "replace the run that the folder holds, and the video, once the new one is done"),
    ROW(TEXT, "video", video, "FILE", .not_in_window = true, .recipe = RECIPE_TOP, .with_resume = true,
        .help = "make a video of the run, .mp4, .webm or .gif: the map, or with --3d the landscape (needs ffmpeg)"),
    ROW(COUNT, "every", every, "N", .not_in_window = true, .recipe = RECIPE_TOP, .with_resume = true, .minimum = 1,
        .maximum = 1e15,
        .help = "with --video or --save: steps from frame to frame (so that a video has about 250, a series 100)"),
    ROW(TEXT, "save", save, "LIST", .not_in_window = true, .recipe = RECIPE_TOP,
        .help = "save these maps at many times, as one file with a time axis in the run folder: height, change, and "
                "those of --maps"),
    ROW(CHOICE, "save-format", save_format, "F", .not_in_window = true, .recipe = RECIPE_TOP,
        .choices = run_series_formats, .help = "of --save: nc, netCDF with the names of CF; or zarr (nc)"),
    ROW(NUMBER, "fps", rate, "N", .not_in_window = true, .recipe = RECIPE_TOP, .with_resume = true, .minimum = 0.1,
        .maximum = 240, .help = "with --video: frames a second (25)"),
    LANDSCAPE_OPTIONS(run_options, film, "1280x720", RECIPE_TOP),
    READ_OPTIONS(run_options, read),
    {0},
};

const run_options run_options_default = {.steps = -1,
                                         .time_s = -1,
                                         .boundary = -1,
                                         .format = -1,
                                         .scale = -1,
                                         .settle = -1,
                                         .margin = -1,
                                         .checkpoint_every = -1,
                                         .film.azimuth = -1,
                                         .on.device = -1};

_Static_assert(sizeof run_option_rows / sizeof *run_option_rows <= MOST_OPTIONS, "a set has room for all options");
int run_option_index(const char *name) {
    int i = 0;
    while (strcmp(run_option_rows[i].name, name) != 0) i++;
    return i;
}

static wadi_status at(const run_options *options, place place, wadi_status status) {
    if (!options->places) return status;
    if (place.line == 0) place = options->places->self;
    return run_fail_at(options->places->file, place, status);
}

wadi_status run_at(const run_options *options, const void *member, wadi_status status) {
    const place none = {0};
    size_t offset = (size_t)((const char *)member - (const char *)options);
    for (size_t i = 0; member && options->places && run_option_rows[i].name; i++)
        if (run_option_rows[i].offset == offset) return at(options, options->places->options[i], status);
    return at(options, none, status);
}

wadi_status run_at_setting(const run_options *options, size_t setting, wadi_status status) {
    return options->places ? at(options, options->places->settings[setting], status) : status;
}
