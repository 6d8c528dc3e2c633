/* export.h: writes a map or a mesh of the work as it stands. */
#ifndef WADI_VIEWER_SESSION_EXPORT_H
#define WADI_VIEWER_SESSION_EXPORT_H

#include "viewer/work/work.h"

wadi_status export_map(const work *work, const char *field, const char *path);
wadi_status export_mesh(const work *work, const char *path, double exaggeration);

#endif
