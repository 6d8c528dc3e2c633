/* rate.c: adapts the drawing to a slow renderer. While things move, it first lowers the quality, then the number of
 * pixels. At rest the picture becomes sharp again. Each setting is a rung: drawing goes one rung lower if pictures take
 * more than 40 ms, and one higher below 12 ms. */
#include "viewer/view/rate.h"

#include <stdlib.h>
#include <string.h>

static const view_rung rungs[] = {{1, 1}, {0.6, 1}, {0.3, 1}, {0.3, 0.7}, {0.3, 0.5}};

static int compare_times(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double view_frame_ms(const view *view) {
    double sorted[VIEW_TIMES];
    const int count = view->time_count < VIEW_TIMES ? view->time_count : VIEW_TIMES;
    if (count == 0) return 0;
    memcpy(sorted, view->times, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_times);
    return sorted[count / 2];
}

bool view_is_still(const view *view) { return g_get_monotonic_time() - view->still_since_us > 350000; }

int view_rung_now(view *view) {
    const int last = (int)G_N_ELEMENTS(rungs) - 1;
    if (view_is_still(view)) return 0;
    if (view->time_count < 6) return view->rung;
    const double ms = view_frame_ms(view);
    const int next = ms > 40 && view->rung < last ? view->rung + 1
                     : ms < 12 && view->rung > 0  ? view->rung - 1
                                                  : view->rung;
    if (next != view->rung) view->time_count = 0; /* the times belong to another rung */
    return view->rung = next;
}

view_rung view_rung_of(int rung) { return rungs[rung]; }

void view_drawn(view *view, int rung, gint64 start_us) {
    view->rough = rung > 0;
    if (rung != view->rung) return;
    view->times[view->time_count++ % VIEW_TIMES] = 1e-3 * (double)(g_get_monotonic_time() - start_us);
}
