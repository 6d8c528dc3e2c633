#include "figures.h"

#include "cli.h"

#include "run/json.h"
#include "run/measures.h"
#include "run/text.h"

#include "wadi/render.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

wadi_status figures_of(const wadi_raster *raster, double sea_m, double threshold_m2, figures *figures) {
    const size_t count = (size_t)raster->width * (size_t)raster->height;
    const float *heights = raster->values;
    const int width = raster->width, height = raster->height;
    figures->sea_m = sea_m;
    figures->range = wadi_range_of(heights, count);
    figures->score = wadi_erosion_score(heights, width, height, false);
    wadi_field_sha256(heights, count, figures->sha256);
    wadi_status status = wadi_slope_histogram(heights, width, height, raster->lx, raster->ly, &figures->slopes);
    if (status == WADI_OK) status = wadi_hypsometry(heights, width, height, &figures->hypsometry);
    if (status == WADI_OK) status = run_measures_of(raster, sea_m, threshold_m2, &figures->realism);
    return status;
}

/* Percentage of cells in bins from..to-1. */
static double share_of(const wadi_slopes *slopes, int from, int to) {
    uint64_t cells = 0;
    for (int i = from; i < to; i++) cells += slopes->bins[i];
    return slopes->cells ? 100 * (double)cells / (double)slopes->cells : 0;
}

void figures_print_realism(const wadi_realism *realism) {
    char line[160];
    if (isnan(realism->drainage.area_km2)) return;
    printf("realism  %-30s %-13s\n", "", "real terrain");
    for (int i = 0; i < WADI_MEASURES; i++) printf("         %s\n", run_measure_text(realism, (wadi_measure)i, line));
}

void figures_print(const figures *figures) {
    const wadi_drainage *drainage = &figures->realism.drainage;
    printf("heights  %.6g to %.6g m, mean %.6g m\n", (double)figures->range.minimum, (double)figures->range.maximum,
           figures->range.mean);
    printf("nodata   %.0f cells\n", (double)figures->range.missing);
    if (figures->range.infinite) printf("infinite %.0f cells\n", (double)figures->range.infinite);
    printf("score    %.3f (erosion score: standard deviation / mean of the slopes)\n", figures->score);
    printf("slopes   mean %.3g, median %.3g, steepest %.3g degrees\n", figures->slopes.mean, figures->slopes.median,
           figures->slopes.steepest);
    for (int i = 0; i < WADI_SLOPE_BINS; i += 10)
        if (share_of(&figures->slopes, i, i + 10) > 0)
            printf("         %2d to %2d degrees %5.1f %%\n", i, i + 10, share_of(&figures->slopes, i, i + 10));
    printf("drainage %.4g km/km2 (channels of %.4g km drain %.4g km2; a channel begins at %.4g km2)\n",
           drainage->density, drainage->length_km, drainage->area_km2, drainage->threshold_m2 * 1e-6);
    printf("hypsom.  integral %.3f; of the area, above 10, 20, ... 90 %% of the relief:", figures->hypsometry.integral);
    for (int i = 10; i < 100; i += 10) printf(" %.3g", 100 * figures->hypsometry.above[i]);
    printf(" %%\n");
    figures_print_realism(&figures->realism);
    printf("sha256   %s\n", figures->sha256);
}

void figures_json(const figures *figures, json *json) {
    run_json_number(json, "minimum", (double)figures->range.minimum);
    run_json_number(json, "maximum", (double)figures->range.maximum);
    run_json_number(json, "mean", figures->range.mean);
    run_json_integer(json, "nodata_cells", (int64_t)figures->range.missing);
    run_json_integer(json, "infinite_cells", (int64_t)figures->range.infinite);
    run_json_number(json, "score", figures->score);
    run_json_object(json, "slopes_degrees");
    run_json_number(json, "mean", figures->slopes.mean);
    run_json_number(json, "median", figures->slopes.median);
    run_json_number(json, "steepest", figures->slopes.steepest);
    run_json_array(json, "cells_per_degree");
    for (int i = 0; i < WADI_SLOPE_BINS; i++) run_json_integer(json, NULL, (int64_t)figures->slopes.bins[i]);
    run_json_end(json);
    run_json_end(json);
    run_json_object(json, "drainage");
    run_json_number(json, "density_km_per_km2", figures->realism.drainage.density);
    run_json_number(json, "threshold_m2", figures->realism.drainage.threshold_m2);
    run_json_number(json, "channels_km", figures->realism.drainage.length_km);
    run_json_number(json, "area_km2", figures->realism.drainage.area_km2);
    run_json_number(json, "largest_basin_km2", figures->realism.drainage.largest_km2);
    run_json_end(json);
    run_json_object(json, "hypsometry");
    run_json_number(json, "integral", figures->hypsometry.integral);
    run_json_array(json, "area_above_percent_of_relief");
    for (int i = 0; i < WADI_HYPSOMETRY_POINTS; i++) run_json_number(json, NULL, figures->hypsometry.above[i]);
    run_json_end(json);
    run_json_end(json);
    run_measures_write(json, figures->sea_m, &figures->realism);
    run_json_text(json, "sha256", figures->sha256);
}

/* The number of bins up to the steepest cell, and a few more. */
static int bins_shown(const wadi_slopes *slopes) {
    int last = 10;
    for (int i = 0; i < WADI_SLOPE_BINS; i++) last = slopes->bins[i] > 0 && i + 1 > last ? i + 1 : last;
    return last + 4 < WADI_SLOPE_BINS ? last + 4 : WADI_SLOPE_BINS;
}

/* The last part of a path. */
static const char *base_name(const char *path) {
    for (const char *next = path; (next = strpbrk(next, "/\\")) != NULL; next++)
        if (next[1] != '\0') path = next + 1;
    return path;
}

wadi_status figures_plot(const figures *figures, const char *name, const char *path) {
    double degrees[WADI_SLOPE_BINS + 1], shares[WADI_SLOPE_BINS], area[WADI_HYPSOMETRY_POINTS];
    double height[WADI_HYPSOMETRY_POINTS];
    for (int i = 0; i <= WADI_SLOPE_BINS; i++) degrees[i] = i;
    for (int i = 0; i < WADI_SLOPE_BINS; i++) shares[i] = share_of(&figures->slopes, i, i + 1);
    for (int i = 0; i < WADI_HYPSOMETRY_POINTS; i++) {
        const int from_top = WADI_HYPSOMETRY_POINTS - 1 - i; /* reversed, so that the area rises */
        area[i] = 100 * figures->hypsometry.above[from_top];
        height[i] =
            figures->hypsometry.lowest + (figures->hypsometry.highest - figures->hypsometry.lowest) * 0.01 * from_top;
    }
    char *slopes = must_have(run_text_format("mean %.3g, median %.3g, steepest %.3g degrees; erosion score %.3f",
                                             figures->slopes.mean, figures->slopes.median, figures->slopes.steepest,
                                             figures->score));
    char *curve = must_have(run_text_format(
        "integral %.3f; drainage %.4g km/km\xc2\xb2 (channels from %.3g km\xc2\xb2)", figures->hypsometry.integral,
        figures->realism.drainage.density, figures->realism.drainage.threshold_m2 * 1e-6));
    const wadi_plot plots[] = {
        {"Slopes", "degrees", "% of the cells", bins_shown(&figures->slopes), degrees, shares, true, slopes},
        {"Hypsometric curve", "% of the area above", "m", WADI_HYPSOMETRY_POINTS, area, height, false, curve}};
    wadi_picture *picture = NULL;
    wadi_status status = wadi_render_plots(plots, 2, base_name(name), &picture);
    if (status == WADI_OK) status = wadi_picture_write(path, picture->rgb, picture->width, picture->height);
    wadi_picture_destroy(picture);
    free(slopes);
    free(curve);
    return status;
}
