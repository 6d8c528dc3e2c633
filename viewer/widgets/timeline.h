/* timeline.h: the history of a run as a bar: where it stands, its checkpoints, and what was done when. */
#ifndef WADI_WIDGETS_TIMELINE_H
#define WADI_WIDGETS_TIMELINE_H

#include <gtk/gtk.h>

typedef struct timeline_mark {
    double at; /* step */
    const char *label;
    int kind; /* 0 checkpoint, 1 action */
} timeline_mark;

/* To a mark's own `at`, or to a whole step from 0 to the end. */
typedef void timeline_go(void *user, double at);

/* Called on release of a click or drag, and by keys: Left and Right to the marks beside, with Ctrl by one step, Home
 * and End. */
GtkWidget *timeline_new(timeline_go *go, void *user);
/* Copies. Marks in any order. `now`: the step that is shown, at most `end`, the last that was made. */
void timeline_set(GtkWidget *timeline, const timeline_mark *marks, size_t count, double now, double end);

#endif
