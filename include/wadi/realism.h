/* realism.h: measures that tell eroded land from noise, each with the range that real terrain has. docs/realism.md says
 * which terrain was measured. */
#ifndef WADI_REALISM_H
#define WADI_REALISM_H

#include "wadi/analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WADI_DEEP_M 1.0         /* a pit is deep if it is deeper than this */
#define WADI_FILLING_RAIN_M 0.1 /* a hollow is closed if more water than this, over its catchment, goes into it */

/* Water drains as wadi_drainage_density says: hollows are filled, then each cell drains to the steepest of 8
 * neighbours. Channels begin at `threshold_m2`. Its default, a thousandth of the area, makes the measures of one
 * terrain comparable at all resolutions. Stream bins are octaves of contributing area, from the threshold up. A bin
 * counts if at least 8 separate basins end in it. A fit needs three bins, and gives each the same weight.
 *
 * concavity   theta in S = k A^-theta, slope by contributing area (Hack 1957; Flint 1974). S of a bin is the fall of
 *             all its channels by their length, A the geometric mean.
 * hack        h in L = c A^h (Hack 1957; Rigon et al. 1996): L is the longest way of the water in a basin. A basin is
 *             counted where its stream joins one of a higher bin, or leaves the map. A bin has the means of log L and
 *             log A.
 * hypsometry  the hypsometric integral (Strahler 1952; Pike, Wilson 1971).
 * density     the drainage density, km of channel per km2 (Horton 1945). It depends on the threshold.
 * network     density * sqrt(threshold): the same without a unit, for maps of any extent (Tarboton et al. 1991).
 * draining    percentage of the area whose water reaches the border, the sea or a cell without data, and passes no
 *             closed hollow on its way. A hollow that 100 mm of water over its catchment fill is open: terrain models
 *             have many, where a gorge is narrower than a cell.
 * pits        local lowest places per 10,000 cells. Equal neighbours are one place. A pit's depth is what water must
 *             rise until it finds a lower pit or a way out: its persistence (Edelsbrunner et al. 2002).
 * deep_pits   those deeper than 1 m.
 * peaks       local highest places, counted like pits. Their persistence is the prominence. Border cells are none.
 * high_peaks  those higher than 1 m.
 * axis_power  power along the grid's axes by that along its diagonals, each within 11.25 degrees: 1 if the grid does
 *             not show. From periodograms of the Laplacian in a round Hann window, in tiles of at most 256 x 256 cells
 *             that overlap by half (Welch 1967). The geometric mean of five half octaves, wavelengths of 4 to 22.6
 *             times the longer side of a cell. Maps under 32 cells have none.
 * grid_power  power along the axes and the diagonals by that between them, in the same way: 1 if water does not prefer
 *             the eight directions to its neighbours. */
#define WADI_EACH_MEASURE(M) \
    M(CONCAVITY, concavity, "concavity", "slope falls with area to this power", "", 0.29, 0.72) \
    M(HACK, hack, "Hack's exponent", "a basin's length grows with its area to this power", "", 0.48, 0.57) \
    M(HYPSOMETRY, hypsometry, "hypsometric integral", "mean height in the relief", "", 0.29, 0.54) \
    M(DENSITY, density, "drainage density", "channels by area", "km/km2", 0, 0) \
    M(NETWORK, network, "drainage density", "times the root of the area where channels begin", "", 0.58, 0.78) \
    M(DRAINING, draining, "draining out", "of the area, after 100 mm of rain", "%", 62, 100) \
    M(PITS, pits, "pits", "in 10,000 cells", "", 0, 156) \
    M(DEEP_PITS, deep_pits, "pits deeper than 1 m", "in 10,000 cells", "", 0, 81) \
    M(PEAKS, peaks, "peaks", "in 10,000 cells", "", 20, 147) \
    M(HIGH_PEAKS, high_peaks, "peaks higher than 1 m", "in 10,000 cells", "", 15, 101) \
    M(AXIS_POWER, axis_power, "axis power", "along the grid's axes by that along the diagonals", "", 0.84, 1.19) \
    M(GRID_POWER, grid_power, "grid power", "along the axes and the diagonals by that between them", "", 0.95, 1.03)

#define WADI_MEASURE_CONSTANT(constant, name, title, meaning, unit, from, to) WADI_MEASURE_##constant,
typedef enum wadi_measure { WADI_EACH_MEASURE(WADI_MEASURE_CONSTANT) WADI_MEASURES } wadi_measure;

typedef struct wadi_measure_info {
    const char *name;           /* "deep_pits", for scripts */
    const char *title;          /* "pits deeper than 1 m" */
    const char *meaning, *unit; /* the unit may be "" */
    double real_from, real_to;  /* what real terrain has; 0, 0: it depends on the extent */
} wadi_measure_info;
WADI_API const wadi_measure_info *wadi_measure_about(wadi_measure measure); /* NULL for invalid values */

typedef struct wadi_realism {
    double values[WADI_MEASURES]; /* NaN: the map has too little of it */
    wadi_drainage drainage;
} wadi_realism;

/* Cells that are not finite have no data. sea_m: cells not above this height that are joined to the border or to cells
 * without data are sea, and count as cells without data; -INFINITY: no sea. threshold_m2 0: chosen. The results have
 * the same bits on every machine and with any number of threads. At most 2^32 - 1 cells. Argument error as for the
 * functions of analysis.h; memory error. */
enum { WADI_REALISM_BYTES_PER_CELL = 80 };
WADI_API wadi_status wadi_realism_of(const float *heights, int width, int height, double lx, double ly, double sea_m,
                                     double threshold_m2, wadi_realism *realism);

#ifdef __cplusplus
}
#endif
#endif
