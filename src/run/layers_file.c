/* layers_file.c: a heightmap as a layer, stretched over the terrain's grid. */
#include "layers.h"

#include "fail.h"
#include "read_args.h"

#include <math.h>
#include <stdlib.h>

/* The cells of the file that a cell of the terrain sees along one axis, with their weights: a tent as wide as the
 * larger of the two cells. */
typedef struct tent {
    int first, count;
    double middle, reach;
} tent;

static tent tent_of(int cell, int cells, int file_cells) {
    const double ratio = (double)file_cells / cells;
    tent t = {.middle = (cell + 0.5) * ratio - 0.5, .reach = ratio > 1 ? ratio : 1};
    const double from = ceil(t.middle - t.reach), to = floor(t.middle + t.reach);
    t.first = from > 0 ? (int)from : 0;
    t.count = (to < file_cells - 1 ? (int)to : file_cells - 1) - t.first + 1;
    return t;
}

static double weight(const tent *t, int i) { return t->reach - fabs(t->first + i - t->middle); }

/* Cells without data do not count; NaN if there are no others. */
static float sample(const wadi_raster *file, const tent *across, const tent *down) {
    double sum = 0, weights = 0;
    for (int j = 0; j < down->count; j++) {
        const float *row = file->values + (size_t)(down->first + j) * (size_t)file->width + (size_t)across->first;
        for (int i = 0; i < across->count; i++) {
            const double value = (double)row[i], share = weight(down, j) * weight(across, i);
            if (value - value != 0 || share <= 0) continue; /* NaN or infinite */
            sum += share * value;
            weights += share;
        }
    }
    return (float)(weights > 0 ? sum / weights : NAN);
}

static void stretch_over(const wadi_raster *file, wadi_raster *raster) {
    for (int y = 0; y < raster->height; y++) {
        const tent down = tent_of(y, raster->height, file->height);
        for (int x = 0; x < raster->width; x++) {
            const tent across = tent_of(x, raster->width, file->width);
            raster->values[(size_t)y * (size_t)raster->width + (size_t)x] = sample(file, &across, &down);
        }
    }
}

wadi_status run_layers_file(const char *path, wadi_raster *raster) {
    const read_args plain = {0};
    wadi_raster *file = NULL;
    const wadi_status status = run_read_height(path, &plain, &file);
    if (status != WADI_OK) return status;
    stretch_over(file, raster);
    wadi_raster_destroy(file);
    return WADI_OK;
}
