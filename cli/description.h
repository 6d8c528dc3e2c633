/* description.h: what the reader of a raster understood, and where it found that, in `wadi info`. */
#ifndef WADI_CLI_DESCRIPTION_H
#define WADI_CLI_DESCRIPTION_H

#include "run/json.h"

#include "wadi/io.h"

void description_print(const wadi_raster *raster);
void description_json(const wadi_raster *raster, json *json); /* writes members into the open object */

#endif
