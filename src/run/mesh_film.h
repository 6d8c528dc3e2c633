/* mesh_film.h: meshes leave out the film of rain, as pictures do. */
#ifndef WADI_RUN_MESH_FILM_H
#define WADI_RUN_MESH_FILM_H

#include "wadi/mesh.h"

/* Sets the mesh's threshold of water to the film's depth. */
wadi_status run_mesh_film(wadi_mesh *mesh);

#endif
