/* section.h: a vertical cross-section of the terrain. */
#ifndef WADI_WIDGETS_SECTION_H
#define WADI_WIDGETS_SECTION_H

#include <gtk/gtk.h>

GtkWidget *section_new(void);
/* Profiles along a line. NaN: no data. distance_m rises; all but the first two may be NULL. */
typedef struct section_profiles {
    const float *distance_m, *ground_m;
    const float *ice_m;   /* thickness on the ground */
    const float *water_m; /* depth on ground and ice */
    const float *start_m; /* the ground before erosion, a dotted line */
    size_t count;
} section_profiles;
void section_set(GtkWidget *section, const section_profiles *profiles); /* copies them */

#endif
