/* export_dialog.h: asks for a file, and writes a map, a mesh or the picture to it. */
#ifndef WADI_VIEWER_FILES_EXPORT_DIALOG_H
#define WADI_VIEWER_FILES_EXPORT_DIALOG_H

#include "viewer/workbench.h"

void export_ask(workbench *bench, const char *what); /* a field, "mesh", "picture" */

#endif
