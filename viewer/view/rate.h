/* rate.h: how long pictures take, and the drawing quality while things move. */
#ifndef WADI_VIEWER_VIEW_RATE_H
#define WADI_VIEWER_VIEW_RATE_H

#include "viewer/view/view_state.h"

/* How a picture is drawn: the quality of the landscape, and the fraction of pixels along each side. */
typedef struct view_rung {
    double quality, share;
} view_rung;

double view_frame_ms(const view *view); /* median of the last pictures */

/* For the files of this folder. */
int view_rung_now(view *view);
view_rung view_rung_of(int rung);
void view_drawn(view *view, int rung, gint64 start_us); /* records the time of a picture */
bool view_is_still(const view *view);                   /* nothing has moved for a while */

#endif
