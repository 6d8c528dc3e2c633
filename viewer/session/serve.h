/* serve.h: serves one request. For the work's thread. */
#ifndef WADI_VIEWER_SESSION_SERVE_H
#define WADI_VIEWER_SESSION_SERVE_H

#include "viewer/session/session_state.h"

void serve(session *session, request *request);

#endif
