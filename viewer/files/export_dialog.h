/* export_dialog.h: asks for a file or a folder, and writes a map, a mesh, the picture or the files for a program. */
#ifndef WADI_VIEWER_FILES_EXPORT_DIALOG_H
#define WADI_VIEWER_FILES_EXPORT_DIALOG_H

#include "viewer/workbench.h"

void export_ask(workbench *bench, const char *what);       /* a field or a derived map, "mesh", "picture" */
void export_ask_for(workbench *bench, const char *target); /* a name of run/export_targets.def */

#endif
