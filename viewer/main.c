/* main.c: wadi-view, which `wadi view` starts: its options are those of wadi run that choose the input; then the
 * window. */
#include "viewer/window.h"

#include "cli/options.h"
#include "cli/report.h"

#include "platform/openmp.h"
#include "platform/platform.h"

#include <locale.h>
#include <string.h>

/* The options of wadi run that the window takes. */
static void choose_options(option options[MOST_OPTIONS]) {
    size_t count = 0;
    for (const option *given = run_option_rows; given->name; given++)
        if (!given->not_in_window && count + 1 < MOST_OPTIONS) options[count++] = *given;
    options[count] = (option){0};
}

typedef struct start {
    const run_options *options;
    const char *path;
} start;

static void activate(GtkApplication *app, gpointer user) {
    const start *start = user;
    window *window = window_new(app, start->options);
    if (start->path) window_open(window, start->path);
    window_recover(window);
}

static int show(const run_options *options, const char *path) {
    if (!gtk_init_check())
        return report_end(wadi_fail(
            WADI_ERROR_IO, "view: there is no display to open a window on; 'wadi render --3d' draws without one"));
    setlocale(LC_NUMERIC, "C"); /* numbers have a decimal point, in recipes and in entries */
    GtkApplication *app = gtk_application_new("org.wadi.view", G_APPLICATION_NON_UNIQUE);
    start start = {options, path};
    g_signal_connect(app, "activate", G_CALLBACK(activate), &start);
    const int code = g_application_run(G_APPLICATION(app), 0, NULL);
    g_object_unref(app);
    return code;
}

int main(int argc, char **argv) {
    static option options[MOST_OPTIONS];
    run_options given = run_options_default;
    arguments arguments;
    wadi_status status;
    int code = EXIT_DONE;
    report_begin();
    platform_end_on_signals();
    choose_options(options);
    const command command = {
        .name = "view",
        .usage = "[FILE|RUN] [options]",
        .summary =
            "Opens a window in which terrain is shaped while it erodes: a heightmap, a run folder, a recipe, or a "
            "file of work (.wadi). The key ? lists the keys.",
        .options = options,
        .arguments = "FILE|RUN",
        .arguments_to = 1,
    };
    if (omp_get_max_threads() > platform_cores()) omp_set_num_threads(platform_cores());
    if (options_parse(&command, argc, argv, &given, &arguments, &status)) {
        if (given.threads > 0) omp_set_num_threads((int)given.threads);
        code = show(&given, arguments.count ? arguments.items[0] : NULL);
    } else {
        code = report_end(status);
    }
    run_text_list_free(&given.settings);
    run_text_list_free(&given.knobs);
    return code;
}
