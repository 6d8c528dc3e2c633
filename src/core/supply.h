/* supply.h (internal): water sources: river sources and random drops as discs, and shower points. Each row computes its
 * own water: a drop is a function of (seed, step, its number), a point of (seed, shower, its number). */
#ifndef WADI_CORE_SUPPLY_H
#define WADI_CORE_SUPPLY_H

#include "core/engine.h"

void wadi_supply_free_sources(wadi_supply *supply);
void wadi_supply_free_discs(wadi_supply *supply);
/* Most discs that a sub-step can have. */
size_t wadi_supply_most(const wadi_domain *domain);
/* Reserves room in every list for so many sources and drops. Without memory nothing changes. */
wadi_status wadi_supply_reserve(wadi_domain *domain, size_t sources, double drops);
/* The same for the current sources and drops. */
wadi_status wadi_supply_reserve_now(wadi_domain *domain);
/* Makes the discs of the sub-step that is `ahead` of the current one. */
void wadi_supply_begin(const wadi_domain *domain, int64_t ahead, wadi_discs *discs);
/* The rain map in row y without discs and showers. */
void wadi_supply_base(const wadi_domain *domain, int map, int y, float *row);
/* rain_dt of row y with discs added, and the number of shower points on its cells. false: there are none, and `row` is
 * unchanged. */
bool wadi_supply_row(const wadi_domain *domain, const wadi_discs *discs, int y, float *row);
bool wadi_supply_showers(const wadi_domain *domain, const wadi_discs *discs, int y, float *row);
/* The points of a shower: every stride-th from its start on. `which`: 0 to discs->showers - 1. */
uint64_t wadi_shower_stride(const wadi_domain *domain);
uint64_t wadi_shower_start(const wadi_domain *domain, const wadi_discs *discs, int which);
/* The cells that a disc may cover: x0 .. x1 - 1, y0 .. y1 - 1. They may extend beyond the border. */
void wadi_supply_box(const wadi_domain *domain, const wadi_disc *disc, int *x0, int *x1, int *y0, int *y1);
/* Whether rain can differ between rows at all. */
bool wadi_supply_varies(const wadi_domain *domain);

#endif
