/* vectors.h: sources and maps from vector files: GeoJSON, GeoPackage and what else io/vector.h reads. */
#ifndef WADI_RUN_VECTORS_H
#define WADI_RUN_VECTORS_H

#include "wadi/io.h"
#include "wadi/wadi.h"

/* River sources from points and lines with the attributes of run_source_fields, without x and y. A line is cut into
 * discs that share its discharge. Free the sources, after an error too. */
wadi_status run_vector_sources(const char *path, const wadi_raster *terrain, wadi_source **sources, size_t *count);

/* A map of areas, lines and points on the height's grid. `field`: what it is for. Outside of them hardness, mask, water
 * and rain are 0, and a parameter has no value. `option` names the map in messages. */
wadi_status run_vector_map(const char *option, const char *path, const wadi_def *def, const char *field,
                           const wadi_raster *height, wadi_raster **map);

#endif
