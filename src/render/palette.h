/* palette.h: the colours and the kind of scale of a named map. */
#ifndef RENDER_PALETTE_H
#define RENDER_PALETTE_H

#include <stdbool.h>

#include "colour.h"

typedef struct render_palette {
    const char *name;
    const char *heading; /* of the legend */
    const char *unit;    /* the default unit */
    const render_stop *stops;
    int stop_count;
    bool amount; /* begins at 0, where the ground shows through */
    bool logarithmic;
    float whole; /* the position from which an amount hides the ground */
} render_palette;

/* Never NULL: an unknown name, or NULL, gives the general palette. */
const render_palette *render_palette_find(const char *name);
extern const render_palette render_change_palette; /* for maps with both signs */

void render_height_ramp(render_ramp *ramp, bool tint);
void render_rock_ramp(render_ramp *ramp, bool tint);
void render_water_ramp(render_ramp *ramp);

#endif
