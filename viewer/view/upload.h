/* upload.h: brings the session's maps into the landscape. OpenGL's context must be current. */
#ifndef WADI_VIEWER_VIEW_UPLOAD_H
#define WADI_VIEWER_VIEW_UPLOAD_H

#include "viewer/view/view_state.h"

typedef struct view_news {
    bool arrived; /* a frame is uploaded completely */
    bool taken;   /* maps came in OpenGL buffers: call gpu_maps_done after drawing */
} view_news;

/* Takes new maps. false: there is nothing to draw. */
bool view_take_maps(view *view, view_news *news);
bool view_has_maps_to_send(const view *view);

#endif
