/* palette.h: tables of colours, each with its kind of scale. A map names its own in src/core/maps.def. */
#ifndef RENDER_PALETTE_H
#define RENDER_PALETTE_H

#include "colour.h"
#include "scale.h"
#include "wadi/map.h"
#include "wadi/render.h"

typedef struct render_palette {
    const char *name;
    const render_stop *stops;
    int stop_count;
    render_scale_kind kind; /* at 0 of an amount the ground shows through */
    float whole;            /* the position from which an amount hides the ground */
} render_palette;

const render_palette *render_palette_named(const char *name); /* NULL: none */
/* Of a simulation's map or a derived one; NULL: neither has this name. */
const wadi_map_facts *render_map_facts(const char *map_name);
/* Never NULL: an unknown map, or NULL, has the palette "general". */
const render_palette *render_palette_of_map(const char *map_name);
/* The same with one of the colour schemes of a view, on one of its grounds. */
const render_palette *render_palette_in(wadi_colours colours, wadi_ground ground, const char *map_name);

void render_height_ramp(render_ramp *ramp, const wadi_view *view); /* of flat ground */
void render_rock_ramp(render_ramp *ramp, const wadi_view *view);   /* of steep ground */
void render_water_ramp(render_ramp *ramp);

#endif
