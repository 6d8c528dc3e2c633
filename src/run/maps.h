/* maps.h: the maps that a run can write besides its height: those of wadi/map.h that say so, numbered in that order. A
 * set of them is a number with bit i for map i; checkpoints store it. */
#ifndef WADI_RUN_MAPS_H
#define WADI_RUN_MAPS_H

#include "wadi/io.h"
#include "wadi/map.h"

enum { MOST_MAPS = 32, MAPS_TEXT = 2048 };

const wadi_map_facts *run_maps_at(int index); /* NULL beyond the last */
int run_maps_index(const char *name);         /* -1: none */
unsigned run_maps_by_default(void);
unsigned run_maps_all(void);

/* The names in `maps`, with `between` between them. The text is returned. */
const char *run_maps_text(unsigned maps, const char *between, char text[MAPS_TEXT]);
/* How a map is written: with its unit and description, and the format's usual samples. `map` is a name of wadi/map.h.
 */
/* The format itself, if it holds floats; else GeoTIFF. */
wadi_format run_maps_float_format(wadi_format format);
/* Whether files of a format are written with such samples. */
bool run_maps_hold(wadi_format format, wadi_sample sample);
wadi_write_options run_maps_write_options(wadi_format format, const char *map);
/* "water,flow", "all" or "none" as bits. */
wadi_status run_maps_parse(const char *list, unsigned *maps);

#endif
