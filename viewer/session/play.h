/* play.h: steps the simulation at the requested speed. For the work's thread. */
#ifndef WADI_VIEWER_SESSION_PLAY_H
#define WADI_VIEWER_SESSION_PLAY_H

#include "viewer/session/session_state.h"

void play_on(session *session, double speed); /* makes some steps; speed 0: as fast as possible */
void play_set(session *session, bool play);

#endif
