/* supply.h (internal): water from above: river sources and random drops, as discs, and the points of showers. A row
 * knows what falls on it without asking another: a drop is a function of (seed, step, its number), a point of (seed,
 * shower, its number). */
#ifndef WADI_CORE_SUPPLY_H
#define WADI_CORE_SUPPLY_H

#include "core/discs.h"

void wadi_supply_free(wadi_supply *supply);
/* The discs that a sub-step may have, at most. */
size_t wadi_supply_most(const wadi_sim *sim);
/* Room in every list for so many sources and drops. What falls stays as it is, also where there is no memory. */
wadi_status wadi_supply_reserve(wadi_sim *sim, size_t sources, double drops);
/* The same for those there are. */
wadi_status wadi_supply_reserve_now(wadi_sim *sim);
/* Makes the discs of the sub-step that lies `ahead` of where the simulation stands. */
void wadi_supply_begin(const wadi_sim *sim, int64_t ahead, wadi_discs *discs);
/* What a map of rain is in row y where nothing falls from discs and showers. */
void wadi_supply_base(const wadi_sim *sim, int map, int y, float *row);
/* rain_dt of row y with what falls on it added, and the number of points of showers on its cells. false: nothing does,
 * and `row` is left alone. */
bool wadi_supply_row(const wadi_sim *sim, const wadi_discs *discs, int y, float *row);
bool wadi_supply_showers(const wadi_sim *sim, const wadi_discs *discs, int y, float *row);
/* Which points a shower takes: every stride-th, from its start on. `which` from 0 to discs->showers - 1. */
uint64_t wadi_shower_stride(const wadi_sim *sim);
uint64_t wadi_shower_start(const wadi_sim *sim, const wadi_discs *discs, int which);
/* Cells x0 .. x1 - 1, y0 .. y1 - 1 that a disc may cover; they may pass the border. */
void wadi_supply_box(const wadi_sim *sim, const wadi_disc *disc, int *x0, int *x1, int *y0, int *y1);
/* Whether what falls may differ from row to row at all. */
bool wadi_supply_varies(const wadi_sim *sim);

#endif
