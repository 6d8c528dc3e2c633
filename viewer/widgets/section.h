/* section.h: a vertical cross-section of the terrain. */
#ifndef WADI_WIDGETS_SECTION_H
#define WADI_WIDGETS_SECTION_H

#include <gtk/gtk.h>

GtkWidget *section_new(void);
/* Copies the profiles. NaN: no data. `water_m` is the depth; `start_m` is the terrain before erosion, a dotted line.
 * Both may be NULL. distance_m rises. */
void section_set(GtkWidget *section, const float *distance_m, const float *ground_m, const float *water_m,
                 const float *start_m, size_t count);

#endif
