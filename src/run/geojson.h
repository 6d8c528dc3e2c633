/* geojson.h: a stream network as lines in a GeoJSON file. */
#ifndef WADI_RUN_GEOJSON_H
#define WADI_RUN_GEOJSON_H

#include "wadi/derive.h"
#include "wadi/io.h"

/* Writes a line for each reach, through the centres of its cells, in the terrain's CRS. A member "crs" names it by its
 * EPSG code, as GeoJSON of 2008 has it. Without a georeference the place of the top left corner is 0, 0, and y is up.
 */
wadi_status run_geojson_write(const char *path, const wadi_raster *terrain, const wadi_streams *streams);

#endif
