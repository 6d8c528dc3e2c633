/* section.h: a cut through the terrain, seen from the side. */
#ifndef WADI_WIDGETS_SECTION_H
#define WADI_WIDGETS_SECTION_H

#include <gtk/gtk.h>

GtkWidget *section_new(void);
/* Copies. NaN: no data there. `water_m` is its depth; `start_m` the terrain before erosion, a dotted line. Both may be
 * NULL. distance_m rises. */
void section_set(GtkWidget *section, const float *distance_m, const float *ground_m, const float *water_m,
                 const float *start_m, size_t count);

#endif
