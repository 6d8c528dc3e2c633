/* measures.h: the measures of realism of a raster, and how they are written. */
#ifndef WADI_RUN_MEASURES_H
#define WADI_RUN_MEASURES_H

#include "json.h"

#include "wadi/io.h"
#include "wadi/realism.h"

bool run_measures_have_memory(const wadi_raster *raster); /* now */
bool run_measures_fit(const wadi_raster *raster);         /* whether there is the memory; if not, says so */
/* sea_m and threshold_m2 as in wadi_realism_of. All values are NaN if the machine has not enough memory. */
wadi_status run_measures_of(const wadi_raster *raster, double sea_m, double threshold_m2, wadi_realism *realism);
void run_measures_none(wadi_realism *realism); /* all values are NaN */
/* An object "realism" with the level of the sea, the value of each measure, and what real terrain has. */
void run_measures_write(json *json, double sea_m, const wadi_realism *realism);
/* One measure as a line without its end: title, value, what real terrain has. Returns `line`. */
const char *run_measure_text(const wadi_realism *realism, wadi_measure measure, char line[160]);

#endif
