/* def.h (internal): checks of a definition. */
#ifndef WADI_CORE_DEF_H
#define WADI_CORE_DEF_H

#include "core/model.h"
#include "wadi/team.h"

#define WADI_KNOB_DURATION "duration" /* a knob's move of this name changes how long a run lasts */

#define WADI_FOLLOW_EVERY 16      /* steps between looks at the deepest water, where sub-steps follow it */
#define WADI_MOST_SUBSTEPS 100000 /* more would make a step endless, and are refused */

wadi_status wadi_check_def(const wadi_def *def);
void wadi_standard_values(wadi_def *def); /* of all parameters, for its cells */
/* The size of the whole grid, of which this one may be a tile. */
static inline bool wadi_is_tile(const wadi_def *def) { return def->tile.width > 0; }
static inline int wadi_whole_width(const wadi_def *def) { return wadi_is_tile(def) ? def->tile.width : def->width; }
static inline int wadi_whole_height(const wadi_def *def) { return wadi_is_tile(def) ? def->tile.height : def->height; }

/* low_m, high_m: lowest and highest cell of the terrain; 0, 0 if unknown. */
wadi_safety wadi_safety_on(const wadi_def *def, double low_m, double high_m);
/* The least number of sub-steps that is stable in water up to depth_m. Waves in deeper water are slowed as
 * wadi_limit_waves does, up to the number of wadi_def_safety. It changes the definition's values so. */
int wadi_fit_substeps(wadi_def *def, double depth_m);
/* The most steps between two looks at the state. So many go to an engine at once, at most. */
int64_t wadi_steps_to_look(const wadi_def *def);
/* For sub-steps of dt_s, in values of the run or of a cell. */
void wadi_limit_waves(const wadi_def *def, double dt_s, double *values);
wadi_status wadi_check_value(const wadi_def *def, int parameter, double value);
wadi_status wadi_check_team(const wadi_team *team); /* whether its members fit together */

#endif
