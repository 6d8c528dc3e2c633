/* exchange.h: the parts of a grid advance side by side, and exchange rows. A part is an ordinary domain of some rows of
 * the grid: its own, and a margin of its neighbours' rows on each side. Its own engine advances it as if it were a
 * whole grid. So the rows at the rim of a margin become wrong, and one sub-step after the other the wrong rows spread.
 * The margin is as high as they can spread in some sub-steps. Then the parts exchange rows, and every row is right
 * again. */
#ifndef WADI_ENGINE_PARTS_EXCHANGE_H
#define WADI_ENGINE_PARTS_EXCHANGE_H

#include "engine/parts/team.h"

/* The failure of a part is the failure of the whole. */
bool wadi_parts_good(wadi_domain *whole);

typedef void wadi_part_work(wadi_domain *whole, part *part, int number, int substeps);
/* Does the work for all parts here, each in a thread of its own. */
bool wadi_parts_work(wadi_domain *whole, wadi_part_work *work, int substeps);

/* Steps, and rows from part to part. false: a part may have a value that is not finite. */
bool wadi_parts_advance(wadi_domain *whole, int64_t substeps);

/* Without its copy a part cannot go back. So there is none of the whole. */
void wadi_parts_note_dropped_copies(wadi_domain *whole);

#endif
