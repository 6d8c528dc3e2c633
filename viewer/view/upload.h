/* upload.h: brings the session's maps into the landscape that is drawn. Called while OpenGL's context is current. */
#ifndef WADI_VIEWER_VIEW_UPLOAD_H
#define WADI_VIEWER_VIEW_UPLOAD_H

#include "viewer/view/view_state.h"

typedef struct view_news {
    bool arrived; /* a frame is all there */
    bool taken;   /* maps came in OpenGL's buffers: gpu_maps_done follows the drawing */
} view_news;

/* Takes what is new. false: there is nothing to be drawn. */
bool view_take_maps(view *view, view_news *news);
bool view_has_maps_to_send(const view *view);

#endif
