/* recover.h: offers to recover the work that a crash left. */
#ifndef WADI_VIEWER_FILES_RECOVER_H
#define WADI_VIEWER_FILES_RECOVER_H

#include "viewer/files/files.h"

/* Offers the first recovery file that is found; then keeps this window's own work. */
void recover_offer(files *files, workbench *bench);

#endif
