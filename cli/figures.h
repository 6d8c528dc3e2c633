/* figures.h: the figures of a map's heights in `wadi info`. */
#ifndef WADI_CLI_FIGURES_H
#define WADI_CLI_FIGURES_H

#include "run/json.h"

#include "wadi/analysis.h"
#include "wadi/io.h"
#include "wadi/realism.h"

typedef struct figures {
    wadi_range range;
    double score;
    double sea_m;
    wadi_slopes slopes;
    wadi_hypsometric_curve hypsometry;
    wadi_realism realism;
    char sha256[65];
} figures;

/* sea_m: the sea's level, -INFINITY for none. threshold_m2: area from which a channel begins; 0: chosen
 * automatically. */
wadi_status figures_of(const wadi_raster *raster, double sea_m, double threshold_m2, figures *figures);
void figures_print(const figures *figures);
void figures_print_realism(const wadi_realism *realism);
void figures_json(const figures *figures, json *json); /* writes members into the open object */
/* Writes the slope histogram and the hypsometric curve of the map `name` to the picture `path`. */
wadi_status figures_plot(const figures *figures, const char *name, const char *path);

#endif
