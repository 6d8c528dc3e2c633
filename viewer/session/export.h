/* export.h: writes a map, a mesh or the files for a program, of the work as it stands. */
#ifndef WADI_VIEWER_SESSION_EXPORT_H
#define WADI_VIEWER_SESSION_EXPORT_H

#include "viewer/work/work.h"

wadi_status export_map(const work *work, const char *name, const char *path); /* of the work, or derived */
/* These may leave another OpenGL context current in this thread. */
wadi_status export_mesh(const work *work, const char *path, double exaggeration);
wadi_status export_for(const work *work, const char *target, const char *folder); /* as `wadi export --for` */

#endif
