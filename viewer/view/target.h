/* target.h: draws into a picture of another size than the window's. */
#ifndef WADI_VIEWER_VIEW_TARGET_H
#define WADI_VIEWER_VIEW_TARGET_H

#include "viewer/view/view_state.h"

#include "wadi/render.h"

/* The picture as it is, of this size; to be destroyed. false: there is none. */
bool view_grab(view *view, int width, int height, wadi_picture **picture);

/* For the files of this folder. */
/* Draws into the window's frame, by `share` of its pixels a side. */
void view_draw_into(view *view, int width, int height, double share, int window_frame);
void view_free_target(view_target *target);

#endif
