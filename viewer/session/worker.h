/* worker.h: the work's thread: requests in turn, and steps between them. */
#ifndef WADI_VIEWER_SESSION_WORKER_H
#define WADI_VIEWER_SESSION_WORKER_H

#include "viewer/session/session_state.h"

/* Both are called by the window's thread. */
void worker_start(session *session);
void worker_end(session *session); /* waits for the step that is being made, and for files that are being written */

#endif
