/* camera.h: moves the camera: around the terrain, over it as over a map, or flying. */
#ifndef WADI_VIEWER_VIEW_CAMERA_H
#define WADI_VIEWER_VIEW_CAMERA_H

#include "viewer/view/view_state.h"

void view_home(view *view);              /* sees the whole terrain */
void view_set_map(view *view, bool map); /* from above, without perspective */
bool view_is_map(const view *view);
void view_set_fly(view *view, bool fly); /* by keys and dragging, from where the eye is */
bool view_flies(const view *view);
void view_turn(view *view, double azimuth, double elevation); /* degrees */
void view_move(view *view, double right, double forward);     /* in shares of the distance */
void view_zoom(view *view, double by);
void view_drag_camera(view *view, bool move); /* as far as the pointer has gone since the press: turns, or moves */

/* For the files of this folder. */
void view_fly_on(view *view, double seconds);           /* by the keys that are held */
bool view_fly_key(view *view, guint key, bool pressed); /* false: no key of flying */
void view_zoom_to_pointer(view *view, double by);

#endif
