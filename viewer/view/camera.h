/* camera.h: moves the camera: around the terrain, over it as over a map, or flying. */
#ifndef WADI_VIEWER_VIEW_CAMERA_H
#define WADI_VIEWER_VIEW_CAMERA_H

#include "viewer/view/view_state.h"

void view_home(view *view);              /* shows the whole terrain */
void view_fit_again(view *view);         /* of another size: if the camera still is where view_home put it */
void view_set_map(view *view, bool map); /* top view, without perspective */
bool view_is_map(const view *view);
void view_set_fly(view *view, bool fly); /* steered by keys and dragging, starts where the eye is */
bool view_flies(const view *view);
void view_turn(view *view, double azimuth, double elevation); /* degrees */
void view_move(view *view, double right, double forward);     /* as fractions of the distance */
void view_zoom(view *view, double by);
void view_drag_camera(view *view, bool move); /* turns or moves by the pointer's way since the press */

/* For the files of this folder. */
void view_fly_on(view *view, double seconds);           /* moves by the keys that are held */
bool view_fly_key(view *view, guint key, bool pressed); /* false: the key does not steer */
void view_zoom_to_pointer(view *view, double by);

#endif
