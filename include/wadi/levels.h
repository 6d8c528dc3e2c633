/* levels.h: coarser grids of the same terrain, for runs from coarse to fine.
 *
 * Level 0 is the grid itself. Level n has half as many cells along each side as level n - 1, rounded up, over the same
 * area. What is eroded on a coarse grid is carried up to a finer one, whose own detail stays:
 *
 *     wadi_def coarse = wadi_def_level(&def, 1);
 *     wadi_average(height, def.width, def.height, low, coarse.width, coarse.height);
 *     ...                                        a simulation of `coarse` starts with `low`, and runs
 *     wadi_sim_settle(sim);
 *     wadi_sim_get(sim, "change", low_change, ...);
 *     wadi_carry_up(low_change, coarse.width, coarse.height, false, change, def.width, def.height);
 *     wadi_sim_set(fine, "change", change, ...); after "height" */
#ifndef WADI_LEVELS_H
#define WADI_LEVELS_H

#include "wadi/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Cells along a side of `cells` at a level; at least 2. */
WADI_API int wadi_level_cells(int cells, int level);
/* The definition of the same run at a level: its grid, and the time step and all else that a preset scales with the
 * cell size. Drops keep their volume and their rate. */
WADI_API wadi_def wadi_def_level(const wadi_def *def, int level);

/* The steps at a level for `steps` at level 0. They simulate the same time, so there are fewer. In schott2023 and
 * braun1999 there are as many, in longer time: what passes goes one cell a step, on any grid. */
WADI_API int64_t wadi_level_steps(const wadi_def *def, int64_t steps, int level);

/* Means over the cells of a coarser grid, which need not be whole numbers of cells. NaN (no data) does not count; a
 * mean of nothing is NaN. */
WADI_API wadi_status wadi_average(const float *fine, int width, int height, float *coarse, int coarse_width,
                                  int coarse_height);
/* The opposite, smooth, and with the same volume. Each fine cell takes the mean of the coarse cells that it lies in,
 * and exchanges a quarter of the difference with each neighbour. Between halves this is linear interpolation. `wrap`:
 * the grid is periodic. A cell in the area of a coarse cell without data is NaN. */
WADI_API wadi_status wadi_carry_up(const float *coarse, int coarse_width, int coarse_height, bool wrap, float *fine,
                                   int width, int height);

#define WADI_MOST_LEVEL_WARP 0.7 /* more would fold the terrain over */
/* Displaces a grid that was carried up, by smooth noise with a node every three coarse cells. So valleys that followed
 * the directions of the coarse grid bend. `amount`: root mean square of the displacement, in coarse cells, 0 to
 * WADI_MOST_LEVEL_WARP. The border and cells beside missing ones stay, and volumes nearly do: the displacement is the
 * curl of the noise. On a periodic grid the border moves, too. Grids of one coarse width and seed get the same. The
 * result may not be `values`. */
WADI_API wadi_status wadi_warp_level(const float *values, int width, int height, int coarse_width, int coarse_height,
                                     bool wrap, double amount, uint64_t seed, float *warped);

/* What is suspended in the water lies down where it is. The solid balance stays closed. It changes nothing in
 * schott2023 and braun1999, whose sediment is on its way through. */
WADI_API wadi_status wadi_sim_settle(wadi_sim *sim);

#ifdef __cplusplus
}
#endif
#endif
