/* actions.h: everything that a key or the menu can do. */
#ifndef WADI_VIEWER_ACTIONS_H
#define WADI_VIEWER_ACTIONS_H

#include "viewer/files/files.h"
#include "viewer/files/recorder.h"
#include "viewer/pages/panels.h"

/* The parts of the window that actions act on. */
typedef struct action_parts {
    workbench *bench;
    panels *panels;
    files *files;
    recorder *recorder;
} action_parts;

/* Adds the actions and their keys to the window. `on` must live as long as the window. */
void actions_add(action_parts *on);
void actions_show(const action_parts *on); /* enables the actions that are possible now */
GMenuModel *actions_menu(void);

#endif
