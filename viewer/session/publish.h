/* publish.h: gives the window what it shows: maps and figures. For the work's thread. */
#ifndef WADI_VIEWER_SESSION_PUBLISH_H
#define WADI_VIEWER_SESSION_PUBLISH_H

#include "viewer/session/session_state.h"

void publish_maps(session *session);
/* `now`: a request was served. Figures of the whole grid are measured twice a second. */
void publish_info(session *session, bool now);
void publish_measure(session *session);
void publish_share(session *session, double share); /* of something that takes a while */

#endif
