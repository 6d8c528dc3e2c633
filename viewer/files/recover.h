/* recover.h: offers the work that a crash left. */
#ifndef WADI_VIEWER_FILES_RECOVER_H
#define WADI_VIEWER_FILES_RECOVER_H

#include "viewer/files/files.h"

/* The first one that is found; then this window's own work is kept. */
void recover_offer(files *files, workbench *bench);

#endif
