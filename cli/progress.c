#include "progress.h"

#include "cli.h"

#include "run/json.h"
#include "run/text.h"

#include "platform/platform.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

progress_kind progress_kind_for(bool json, bool quiet) {
    if (json) return PROGRESS_JSON;
    if (quiet) return PROGRESS_NONE;
    const char *terminal = getenv("TERM");
    bool dumb = terminal && strcmp(terminal, "dumb") == 0;
    return platform_is_terminal(stderr) && !dumb ? PROGRESS_BAR : PROGRESS_LINES;
}

progress progress_begin(progress_kind kind, const char *title, int64_t done, int64_t total, double cells) {
    return (progress){
        .kind = kind, .title = title, .done = done, .total = total, .cells = cells, .told_s = platform_clock_s()};
}

/* "step 412/1000  41%  128 M cell-steps/s  3.2 s left" */
static void describe(const progress *progress, char *text, size_t size) {
    char rate[32], left[32];
    double part = progress->total > 0 ? (double)progress->done / (double)progress->total : 1;
    snprintf(text, size, "step %" PRId64 "/%" PRId64 "  %3.0f%%  %s cell-steps/s  %s left", progress->done,
             progress->total, 100 * part, run_text_rate(progress->steps_per_s * progress->cells, rate),
             run_text_duration(progress->left_s, left));
}

static void show_bar(const progress *progress) {
    enum { WIDEST = 40 };
    char text[160], bar[WIDEST + 1];
    describe(progress, text, sizeof text);
    int room = platform_terminal_columns(stderr) - (int)(strlen(text) + strlen(progress->title)) - 6;
    int width = room > WIDEST ? WIDEST : room;
    const char *colour = getenv("NO_COLOR") && *getenv("NO_COLOR") ? "" : "\033[36m";
    if (width < 5) {
        fprintf(stderr, "\r%.*s\033[K", platform_terminal_columns(stderr) - 1, text);
    } else {
        int filled = progress->total > 0 ? (int)(width * progress->done / progress->total) : width;
        memset(bar, '.', (size_t)width);
        memset(bar, '#', (size_t)filled);
        bar[width] = '\0';
        fprintf(stderr, "\r%s %s[%s]%s %s\033[K", progress->title, colour, bar, *colour ? "\033[0m" : "", text);
    }
    fflush(stderr);
}

static void show_json(const progress *progress) {
    json json = run_json_to(stdout, true);
    run_json_object(&json, NULL);
    run_json_text(&json, "event", "progress");
    run_json_integer(&json, "step", progress->done);
    run_json_integer(&json, "steps", progress->total);
    run_json_number(&json, "cell_steps_per_s", progress->steps_per_s * progress->cells);
    run_json_number(&json, "left_s", progress->left_s);
    run_json_end(&json);
    fflush(stdout);
}

static void show(progress *progress) {
    char text[160];
    progress->shown = true;
    switch (progress->kind) {
    case PROGRESS_NONE:
        break;
    case PROGRESS_BAR:
        show_bar(progress);
        break;
    case PROGRESS_JSON:
        show_json(progress);
        break;
    case PROGRESS_LINES:
        describe(progress, text, sizeof text);
        fprintf(stderr, "%s: %s\n", progress->title, text);
        break;
    }
}

void progress_add(progress *progress, int64_t steps, double seconds, double left_s) {
    static const double every_s[] = {[PROGRESS_BAR] = 0.1, [PROGRESS_LINES] = 5, [PROGRESS_JSON] = 1};
    double rate = seconds > 0 ? (double)steps / seconds : progress->steps_per_s;
    progress->steps_per_s = progress->steps_per_s > 0 ? 0.8 * progress->steps_per_s + 0.2 * rate : rate;
    progress->done += steps;
    progress->left_s = left_s;
    double now = platform_clock_s();
    if (now - progress->told_s < every_s[progress->kind]) return;
    progress->told_s = now;
    show(progress);
}

void progress_end(progress *progress) {
    if (progress->kind == PROGRESS_BAR && progress->shown) fputs("\r\033[K", stderr);
    if (progress->kind == PROGRESS_JSON) show(progress);
    progress->shown = false;
}
