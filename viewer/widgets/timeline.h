/* timeline.h: a bar that shows the history of a run: the current step, checkpoints and actions. */
#ifndef WADI_WIDGETS_TIMELINE_H
#define WADI_WIDGETS_TIMELINE_H

#include <gtk/gtk.h>

typedef struct timeline_mark {
    double at; /* step */
    const char *label;
    int kind; /* 0 checkpoint, 1 action */
} timeline_mark;

/* `at` is that of a mark, or a whole step from 0 to the end. */
typedef void timeline_go(void *user, double at);

/* Called when a click or drag ends, and by keys: Left and Right go to the neighbouring marks, with Ctrl by one step;
 * Home and End to the ends. */
GtkWidget *timeline_new(timeline_go *go, void *user);
/* Copies the marks, in any order. `now` is the step that is shown, at most `end`, the last step made. */
void timeline_set(GtkWidget *timeline, const timeline_mark *marks, size_t count, double now, double end);

#endif
