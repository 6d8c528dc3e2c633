/* worker.h: the work's thread: serves requests in order, and steps between them. */
#ifndef WADI_VIEWER_SESSION_WORKER_H
#define WADI_VIEWER_SESSION_WORKER_H

#include "viewer/session/session_state.h"

/* The window's thread calls both. */
void worker_start(session *session);
void worker_end(session *session); /* waits for the current step and for files that are being written */

#endif
