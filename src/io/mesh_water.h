/* mesh_water.h (internal): the water's surface as meshes. */
#ifndef WADI_IO_MESH_WATER_H
#define WADI_IO_MESH_WATER_H

#include "mesh_parts.h"

/* Adds an object for each body of water, and one for the sea. False: not enough memory. */
bool io_water_add(const io_surface *surface, io_scene *scene);

#endif
