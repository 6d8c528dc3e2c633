/* import_dialog.h: asks for a map's file and what it is: mask, water, hardness, or a parameter of the model. */
#ifndef WADI_VIEWER_FILES_IMPORT_DIALOG_H
#define WADI_VIEWER_FILES_IMPORT_DIALOG_H

#include "viewer/workbench.h"

void import_ask(workbench *bench);

#endif
