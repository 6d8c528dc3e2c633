/* view_state.h: the terrain's view: what it consists of, and what others may read and set. Only the files of this
 * folder touch the members. The view knows no tool: it reports the pointer to its owner (view_calls), who also sets its
 * look.
 */
#ifndef WADI_VIEWER_VIEW_STATE_H
#define WADI_VIEWER_VIEW_STATE_H

#include <gtk/gtk.h>

#include "viewer/session/session.h"
#include "wadi/landscape.h"

enum { VIEW_TIMES = 64 };

/* The pointer, and what lies under it. */
typedef struct view_pointer {
    double x, y;           /* in the widget; negative: outside */
    double drag_x, drag_y; /* where the button was pressed */
    bool pressed, shift, control;
    int button;
    bool over; /* it is over the ground, at this place in cells: */
    double over_x, over_y;
} view_pointer;

/* What the view reports. */
typedef struct view_calls {
    /* the left button: pressed; moved while pressed; still held, so long after the press; released */
    void (*pressed)(void *user);
    void (*dragged)(void *user);
    void (*held)(void *user, gint64 held_us);
    void (*released)(void *user);
    void (*pointed)(void *user);                /* the place under the pointer may have changed */
    void (*scrolled)(void *user, double lines); /* the wheel with Ctrl */
    void (*framed)(void *user, bool other);     /* a frame has come; other: of another state */
} view_calls;

/* A picture that is not the window's own: of fewer pixels, or to be read back. */
typedef struct view_target {
    int width, height;
    unsigned frame, colour; /* OpenGL's */
} view_target;

typedef struct view {
    GtkWidget *area;
    session *session;
    view_calls calls;
    void *user;
    /* the picture */
    wadi_landscape *landscape;
    const session_frame *frame;
    uint64_t terrain, refused_terrain; /* shown; too large to be drawn */
    int width, height;                 /* of the terrain */
    bool stale_layers, by_gpu;
    int layer; /* of the frame that is being sent; WADI_LAYERS: none */
    char *error, overlay[32];
    bool says; /* the error is new */
    view_target target;
    wadi_look look;
    /* how simply it is drawn */
    int rung;
    bool rough; /* the last picture had fewer pixels than it might */
    gint64 still_since_us;
    double times[VIEW_TIMES]; /* of the last pictures, in ms */
    int time_count;
    /* the camera */
    wadi_camera camera, camera_before; /* before: of perspective, while a map is shown */
    wadi_camera drag_camera;
    bool map, fly, keys[6];
    gint64 last_tick_us;
    /* the pointer */
    view_pointer pointer;
    gint64 pressed_us;
    guint32 pressed_ms; /* by the display's clock */
} view;

GtkWidget *view_widget(const view *view);
const wadi_camera *view_camera(const view *view);
wadi_look *view_look(view *view);                  /* to be changed; then view_redraw */
const session_frame *view_frame(const view *view); /* NULL: none yet */
bool view_legend(view *view, wadi_legend *legend);
double view_height_at(const view *view, double x, double y); /* in m; NAN: outside */
void view_redraw(view *view);
char *view_take_error(view *view); /* to be freed; NULL: there is no new error */

/* For the files of this folder. */
void view_say(view *view, const char *text); /* an error */
void view_fail(view *view);                  /* the library's error */
int view_pixels(const view *view, bool of_height);

#endif
