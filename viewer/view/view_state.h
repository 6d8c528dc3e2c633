/* view_state.h: the state of the terrain's view, and access to it for others. Only the files of this folder access the
 * members. The view knows no tools: it reports pointer events to its owner by view_calls, and the owner sets the look.
 */
#ifndef WADI_VIEWER_VIEW_STATE_H
#define WADI_VIEWER_VIEW_STATE_H

#include <gtk/gtk.h>

#include "viewer/session/session.h"
#include "wadi/landscape.h"

enum { VIEW_TIMES = 64 };

/* The pointer, and the place under it. */
typedef struct view_pointer {
    double x, y;           /* in the widget; negative: outside */
    double drag_x, drag_y; /* where the button was pressed */
    bool pressed, shift, control;
    int button;
    bool over; /* the pointer is over the ground, at this place in cells: */
    double over_x, over_y;
} view_pointer;

/* Calls by which the view reports to its owner. */
typedef struct view_calls {
    /* the left button: pressed; moved while pressed; still held, with the time since the press; released */
    void (*pressed)(void *user);
    void (*dragged)(void *user);
    void (*held)(void *user, gint64 held_us);
    void (*released)(void *user);
    void (*pointed)(void *user);                /* the place under the pointer may have changed */
    void (*scrolled)(void *user, double lines); /* the wheel with Ctrl */
    void (*framed)(void *user, bool other);     /* a frame has arrived; other: it belongs to another state */
} view_calls;

/* A picture that is not the window's own: it has fewer pixels, or is read back. */
typedef struct view_target {
    int width, height;
    unsigned frame, colour; /* OpenGL names */
} view_target;

typedef struct view {
    GtkWidget *area;
    session *session;
    view_calls calls;
    void *user;
    /* the picture */
    wadi_landscape *landscape;
    const session_frame *frame;
    uint64_t terrain, refused_terrain; /* the terrain that is shown; the one that is too large */
    int width, height;                 /* of the terrain */
    bool stale_layers, by_gpu;
    bool icy;  /* the landscape has ice */
    int layer; /* the layer that is being uploaded; WADI_LAYERS: none */
    char *error, overlay[32];
    bool says; /* the error is new */
    view_target target;
    wadi_look look;
    /* the drawing quality */
    int rung;
    bool rough; /* the last picture had fewer pixels than full quality has */
    gint64 still_since_us;
    double times[VIEW_TIMES]; /* of the last pictures, in ms */
    int time_count;
    /* the camera */
    wadi_camera camera, camera_before; /* camera_before: the perspective camera, while the map view is on */
    wadi_camera drag_camera;
    wadi_camera camera_home; /* which shows the whole terrain */
    bool map, fly, keys[6];
    gint64 last_tick_us;
    /* the pointer */
    view_pointer pointer;
    gint64 pressed_us;
    guint32 pressed_ms; /* by the display's clock */
} view;

GtkWidget *view_widget(const view *view);
const wadi_camera *view_camera(const view *view);
wadi_look *view_look(view *view);                  /* may be changed; call view_redraw afterwards */
const session_frame *view_frame(const view *view); /* NULL: none yet */
bool view_legend(view *view, wadi_legend *legend);
double view_height_at(const view *view, double x, double y); /* in m; NAN: outside */
void view_redraw(view *view);
char *view_take_error(view *view); /* to be freed; NULL: there is no new error */

/* For the files of this folder. */
void view_say(view *view, const char *text); /* reports an error */
void view_fail(view *view);                  /* reports the library's error */
int view_pixels(const view *view, bool of_height);

#endif
