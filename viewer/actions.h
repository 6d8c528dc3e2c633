/* actions.h: all that can be done by a key or the menu. */
#ifndef WADI_VIEWER_ACTIONS_H
#define WADI_VIEWER_ACTIONS_H

#include "viewer/files/files.h"
#include "viewer/files/recorder.h"
#include "viewer/pages/panels.h"

/* What actions act on. */
typedef struct action_parts {
    workbench *bench;
    panels *panels;
    files *files;
    recorder *recorder;
} action_parts;

/* Adds the actions and their keys to the window. The parts stay there as long as the window. */
void actions_add(action_parts *on);
void actions_show(const action_parts *on); /* which are possible now */
GMenuModel *actions_menu(void);

#endif
