/* paint.h: paints with a brush on a simulation between its steps. The same dabs between the same steps give the same
 * bits on any engine and machine. */
#ifndef WADI_PAINT_H
#define WADI_PAINT_H

#include "wadi/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The effect of a dab on a cell. The weight w is 1 at the brush's centre and 0 at its rim:
 *
 * RAISE, LOWER         height +- strength * w (m)
 * SMOOTH               height towards the mean of the 3 x 3 cells around, by strength * w (0..1)
 * FLATTEN              height towards level_m, by strength * w (0..1)
 * WATER, DRAIN         water +- strength * w (m), not below 0
 * HARDEN, SOFTEN       hardness +- strength * w, within 0..1; models that have one
 * PROTECT, EXPOSE      mask -+ strength * w, within 0..1; 0 protects from erosion
 * RAIN, DRY            rain +- strength * w (in the parameter's unit)
 * UPLIFT, QUIET        uplift +- strength * w (mm/a); models that have it
 * ERODIBLE, RESISTANT  erodibility times or divided by 1 + strength * w; models that have it
 *
 * The last three stay within the parameter's range, and the parameter is a map from then on.
 *
 * Painted ground is part of the starting terrain. So maps of erosion and deposition do not show it, and the balance
 * counts it as input or output ("in" or "out"). Cells without data stay so. With WADI_WRAP dabs continue across the
 * border. */
typedef enum wadi_brush {
    WADI_BRUSH_RAISE,
    WADI_BRUSH_LOWER,
    WADI_BRUSH_SMOOTH,
    WADI_BRUSH_FLATTEN,
    WADI_BRUSH_WATER,
    WADI_BRUSH_DRAIN,
    WADI_BRUSH_HARDEN,
    WADI_BRUSH_SOFTEN,
    WADI_BRUSH_PROTECT,
    WADI_BRUSH_EXPOSE,
    WADI_BRUSH_RAIN,
    WADI_BRUSH_DRY,
    WADI_BRUSH_UPLIFT,
    WADI_BRUSH_QUIET,
    WADI_BRUSH_ERODIBLE,
    WADI_BRUSH_RESISTANT,
    WADI_BRUSHES
} wadi_brush;

WADI_API const char *wadi_brush_name(wadi_brush brush); /* "raise", ...; NULL: no brush */

typedef struct wadi_dab {
    wadi_brush brush;
    double x, y;     /* cells from the top left corner: the first cell's centre is 0.5, 0.5; may lie outside the grid.
                        Of a tile: in the whole */
    double radius_m; /* above 0 */
    double strength; /* 0 or more */
    double falloff;  /* 0..1: the share of the radius over which w goes from 1 to 0; 0: a hard rim */
    double level_m;  /* FLATTEN only */
} wadi_dab;

/* Applies the dabs in order. On an error nothing has changed. */
WADI_API wadi_status wadi_sim_paint(wadi_sim *sim, const wadi_dab *dabs, size_t count);
/* Returns the error that wadi_sim_paint would return, and paints nothing. */
WADI_API wadi_status wadi_sim_check_dabs(const wadi_sim *sim, const wadi_dab *dabs, size_t count);

#define WADI_MOST_CORNERS 4096
/* Paints an area. Each dab is a corner of its outline, which ends where it begins; otherwise the first one counts.
 * There are 3 to WADI_MOST_CORNERS. What the outline goes round is inside. There w is 1, and towards the outline it
 * falls to 0 over falloff * radius_m, as in a disc of this radius. With WADI_WRAP too, an area ends at the border. */
WADI_API wadi_status wadi_sim_paint_area(wadi_sim *sim, const wadi_dab *corners, size_t count);
WADI_API wadi_status wadi_sim_check_area(const wadi_sim *sim, const wadi_dab *corners, size_t count); /* likewise */

#ifdef __cplusplus
}
#endif
#endif
