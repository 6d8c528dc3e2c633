/* join.c: wadi join: the tiles of a map, eroded by runs of their own, as one run folder. */
#include "options.h"

#include "run/message.h"
#include "run/run_join.h"

#include <stdio.h>

typedef struct join_options {
    const char *output;
    int64_t feather;
    bool force;
} join_options;

#define ROW(...) OPTION_ROW(join_options, __VA_ARGS__)
static const option options[] = {
    ROW(TEXT, "output", output, "WHOLE", .letter = 'o', .help = "the folder of the whole"),
    ROW(COUNT, "feather", feather, "CELLS", .maximum = 1e9,
        .help = "blend the tiles over so many cells on each side of a seam; at most their margin (0)"),
    ROW(FLAG, "force", force, NULL, .help = "replace the run that the folder holds"),
    {0},
};

static const command join = {
    .name = "join",
    .usage = "DIR -o WHOLE [options]",
    .summary =
        "Puts the tiles together that runs with --tile made, as the folders in DIR. The whole's folder is like that of "
        "one run.",
    .options = options,
    .arguments = "DIR",
    .arguments_from = 1,
    .arguments_to = 1,
};

static void print(const join_options *given, const join_done *done) {
    const join_seams *seams = &done->seams;
    printf("%s: %d x %d cells from %zu tiles, height and %zu maps\n", as_shown(given->output), done->width,
           done->height, done->tiles, done->maps - 1);
    if (done->exact)
        puts("seams    none: the whole has the bits of one run");
    else if (!(seams->largest > 0))
        puts("seams    the heights of two tiles are the same there");
    else
        printf(
            "seams    heights of two tiles differ there by %.3g m in the mean, at most by %.3g m at cell (%d, %d)%s\n",
            seams->mean, seams->largest, seams->x, seams->y,
            given->feather > 0 ? "; blended" : "; --feather blends them");
}

int wadi_cmd_join(int argc, char **argv) {
    join_options given = {0};
    arguments arguments;
    wadi_status status;
    if (!options_parse(&join, argc, argv, &given, &arguments, &status)) return report_end(status);
    join_done done = {0};
    if (!given.output)
        status = wadi_fail(WADI_ERROR_ARGUMENT, "-o WHOLE is missing: wadi %s %s", join.name, join.usage);
    else
        status = run_join(arguments.items[0], (int)given.feather, given.output, given.force, &done);
    if (status == WADI_OK) print(&given, &done);
    return report_end(status);
}
