/* new_terrain.h: the dialog that generates a terrain. */
#ifndef WADI_VIEWER_FILES_NEW_TERRAIN_H
#define WADI_VIEWER_FILES_NEW_TERRAIN_H

#include "viewer/files/files.h"

void new_terrain_ask(files *files, workbench *bench);

#endif
