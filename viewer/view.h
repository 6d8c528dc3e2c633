/* view.h: the terrain in the window: its picture, its camera, and what the pointer does on it. */
#ifndef WADI_VIEWER_VIEW_H
#define WADI_VIEWER_VIEW_H

#include <gtk/gtk.h>

#include "viewer/session/session.h"
#include "viewer/tools.h"
#include "wadi/landscape.h"

typedef struct view view;

/* What the view tells the window. */
typedef struct view_calls {
    void (*looked_at)(void *user, int x, int y);                             /* a cell was clicked to be inspected */
    void (*section)(void *user, double x0, double y0, double x1, double y1); /* drawn, or moved */
    void (*framed)(void *user, bool other); /* another frame has come; other: another state is seen */
} view_calls;

view *view_new(session *session, tools *tools, const view_calls *calls, void *user);
void view_free(view *view); /* once its widget is gone */
GtkWidget *view_widget(const view *view);
wadi_look *view_look(view *view); /* to be changed; then view_redraw */
void view_redraw(view *view);
void view_set_info(view *view, const session_info *info); /* sources that are there */
void view_home(view *view);                               /* sees all */
void view_set_map(view *view, bool map);                  /* from above, without perspective */
bool view_is_map(const view *view);
void view_set_fly(view *view, bool fly); /* by keys and dragging, from where the eye is */
bool view_flies(const view *view);
void view_turn(view *view, double azimuth, double elevation);
void view_move(view *view, double right, double forward); /* in shares of the distance */
void view_zoom(view *view, double by);
const session_frame *view_frame(const view *view); /* NULL: none yet */
bool view_legend(view *view, wadi_legend *legend);
double view_height_at(const view *view, double x, double y);
/* The picture as it is; false: there is none. */
bool view_grab(view *view, int width, int height, wadi_picture **picture);
double view_frame_ms(const view *view); /* of the last ones, median */
char *view_take_error(view *view);      /* to be freed; NULL: nothing new is wrong */

#endif
