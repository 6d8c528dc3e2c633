/* target.h: draws into a frame buffer whose size differs from the window's. */
#ifndef WADI_VIEWER_VIEW_TARGET_H
#define WADI_VIEWER_VIEW_TARGET_H

#include "viewer/view/view_state.h"

#include "wadi/render.h"

/* Draws the current picture at this size; to be destroyed. false: there is none. */
bool view_grab(view *view, int width, int height, wadi_picture **picture);

/* For the files of this folder. */
/* Draws into the window's frame. `share` is the fraction of pixels along each side. */
void view_draw_into(view *view, int width, int height, double share, int window_frame);
void view_free_target(view_target *target);

#endif
