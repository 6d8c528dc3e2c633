/* recipe.c: makes a run from a recipe's text, as `wadi run --recipe` does from its file. Needs libwadi_run.
 *
 *     cc recipe.c $(pkg-config --cflags --libs wadi_run) -o recipe && ./recipe FOLDER
 */
#include <stdio.h>
#include <stdlib.h>
#include <wadi/run.h>

static const char text[] = "generate: {kind: diamond-square, size: 128x128, seed: 7}\n"
                           "stages:\n"
                           "- {model: olsen2004, steps: 20}\n"
                           "- {model: jako2011, steps: 80, set: {sediment-capacity: 0.2}}\n";

static void check(wadi_status status) {
    if (status == WADI_OK) return;
    fprintf(stderr, "%s\n", wadi_error_message());
    exit(EXIT_FAILURE);
}

static void hear(void *context, wadi_run_message kind, const char *line) {
    (void)context;
    fprintf(stderr, "%s: %s\n", kind == WADI_RUN_NOTE ? "note" : "warning", line);
}

/* Called several times a second. A program with a window would ask here whether its user wants to stop. */
static bool show(void *context, const wadi_run_progress *now) {
    (void)context;
    fprintf(stderr, "\rstep %lld of %lld", (long long)now->done, (long long)now->total);
    return true;
}

int main(int argc, char **argv) {
    static const wadi_run_listener listener = {hear, NULL};
    const wadi_run_def def = {.folder = argc > 1 ? argv[1] : "recipe-run", .recipe_text = text};
    wadi_run *run;
    wadi_run_listen(&listener);
    check(wadi_run_start(&def, &run));
    check(wadi_run_step(run, INT64_MAX, show, NULL));
    check(wadi_run_finish(run));
    printf("\n%s: %lld steps\n", def.folder, (long long)wadi_run_done(run));
    wadi_run_close(run);
    return EXIT_SUCCESS;
}
