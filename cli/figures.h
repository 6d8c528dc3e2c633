/* figures.h: what wadi info tells of a map's heights. */
#ifndef WADI_CLI_FIGURES_H
#define WADI_CLI_FIGURES_H

#include "run/json.h"

#include "wadi/analysis.h"
#include "wadi/io.h"

typedef struct figures {
    wadi_range range;
    double score;
    wadi_slopes slopes;
    wadi_hypsometric_curve hypsometry;
    wadi_drainage drainage;
    char sha256[65];
} figures;

/* threshold_m2: of channels; 0: chosen. */
wadi_status figures_of(const wadi_raster *raster, double threshold_m2, figures *figures);
void figures_print(const figures *figures);
void figures_json(const figures *figures, json *json); /* members of the object that is open */
/* The slope histogram and the hypsometric curve of the map called `name` as the picture `path`. */
wadi_status figures_plot(const figures *figures, const char *name, const char *path);

#endif
