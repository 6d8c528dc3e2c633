/* publish.h: passes maps and figures to the window. For the work's thread. */
#ifndef WADI_VIEWER_SESSION_PUBLISH_H
#define WADI_VIEWER_SESSION_PUBLISH_H

#include "viewer/session/session_state.h"

void publish_maps(session *session);
/* `now`: a request has just been served. Figures of the whole grid are measured twice a second. */
void publish_info(session *session, bool now);
void publish_measure(session *session);
void publish_share(session *session, double share); /* progress of a long operation */

#endif
