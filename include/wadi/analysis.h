/* analysis.h: statistics of a map, and hashes of its values. */
#ifndef WADI_ANALYSIS_H
#define WADI_ANALYSIS_H

#include "wadi/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Olsen 2004: slope = largest |difference| to the 4 neighbours, score = standard deviation / mean of the slopes.
 * NaN cells are left out. wrap: the grid is periodic. A flat map scores 0, and so does a map without cells. Needs no
 * memory and cannot fail. */
WADI_API double wadi_erosion_score(const float *heights, int width, int height, bool wrap);

typedef struct wadi_range {
    float minimum, maximum; /* of the finite values; 0, 0 if there are none */
    double mean;
    uint64_t missing; /* NaN */
    uint64_t infinite;
} wadi_range;
WADI_API wadi_range wadi_range_of(const float *values, size_t count);

/* For all functions below: NaN and infinite cells are left out. lx and ly are in m, above 0. Argument error for sizes
 * below 1 or invalid cell sizes; memory error. The results have the same bits on every machine and with any number of
 * threads. */

/* Slope of the ground: the angle between the steepest descent and the horizontal. From central differences, one-sided
 * at the border and next to missing cells, 0 in a direction without neighbours. */
enum { WADI_SLOPE_BINS = 90 };
typedef struct wadi_slopes {
    uint64_t bins[WADI_SLOPE_BINS]; /* cells from i to i + 1 degrees */
    uint64_t cells;
    double mean, median, steepest; /* degrees; the median to within a degree; 0 without cells */
} wadi_slopes;
WADI_API wadi_status wadi_slope_histogram(const float *heights, int width, int height, double lx, double ly,
                                          wadi_slopes *slopes);

/* The hypsometric curve (Strahler 1952): the share of the area at or above a height. */
enum { WADI_HYPSOMETRY_POINTS = 101 };
typedef struct wadi_hypsometric_curve {
    double above[WADI_HYPSOMETRY_POINTS]; /* share of the area at or above lowest + i % of the relief; 1 at i = 0 */
    double integral; /* (mean - lowest) / relief, the area under the curve (Pike, Wilson 1971); 0 on a flat map */
    double lowest, highest; /* m */
} wadi_hypsometric_curve;
WADI_API wadi_status wadi_hypsometry(const float *heights, int width, int height, wadi_hypsometric_curve *curve);

/* Drainage density (Horton 1945): the length of all channels over the area they drain. Priority-flood (Barnes, Lehman,
 * Mulla 2014) fills hollows and gives every cell a way out. A cell drains to the steepest lower one of its 8 neighbours
 * (D8, O'Callaghan and Mark 1984). In a filled hollow or on a plain it drains to the neighbour from which the flood
 * came. Water leaves at the border and next to missing cells. A cell is a channel if its contributing area, with the
 * cell itself, is at least `threshold_m2`. The length of a channel cell is the distance to the cell it drains to. D8
 * lengths are up to 8 % too long for channels between the 8 directions. The density depends on the threshold. At most
 * 2^32 - 1 cells; needs about 22 bytes per cell. */
typedef struct wadi_drainage {
    double threshold_m2; /* as used */
    double area_km2, length_km;
    double density; /* km / km2 */
    uint64_t channel_cells;
    double largest_km2; /* the largest area that drains through one cell */
} wadi_drainage;
/* threshold_m2 0: a thousandth of the area, at least 16 cells. */
WADI_API wadi_status wadi_drainage_density(const float *heights, int width, int height, double lx, double ly,
                                           double threshold_m2, wadi_drainage *drainage);

/* SHA-256 of bytes, as 64 hexadecimal digits and a 0. */
typedef struct wadi_sha256 {
    uint32_t state[8];
    uint64_t bytes;
    uint8_t block[64];
} wadi_sha256;
WADI_API void wadi_sha256_begin(wadi_sha256 *hash);
WADI_API void wadi_sha256_add(wadi_sha256 *hash, const void *bytes, size_t count);
WADI_API void wadi_sha256_end(wadi_sha256 *hash, char hex[65]);
/* The hash of a field: its float32 values, little-endian, row-major, every NaN as 0x7fc00000. */
WADI_API void wadi_field_sha256(const float *values, size_t count, char hex[65]);

#ifdef __cplusplus
}
#endif
#endif
