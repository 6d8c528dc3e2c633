/* gauge_line.h: the cells of a gauge, which is a cell or a line of cells, and how much of their discharge crosses it.
 */
#ifndef WADI_RUN_GAUGE_LINE_H
#define WADI_RUN_GAUGE_LINE_H

#include "run_state.h"

bool run_gauge_is_line(const gauge *gauge);
/* One for each column of a line that is wider than high, else one for each row. */
size_t run_gauge_cells(const gauge *gauge);
void run_gauge_cell(const gauge *gauge, size_t index, int *x, int *y);
size_t run_gauges_cells(const run_gauges *gauges); /* of all */
/* Whether the model's fluxes have a direction that is known. */
bool run_gauge_can_cross(const wadi_sim *sim);
/* Of each cell of all gauges, the part of its discharge that counts: 1 for a point. What goes to the left of the way
 * from a line's first cell to its last counts, and what goes to the right is negative. The direction is that of now. */
wadi_status run_gauge_shares(const run *run, double *shares);

#endif
