/* derived.h: a terrain's derived maps (wadi/derive.h) for commands: lists of them, and one as a raster. */
#ifndef WADI_RUN_DERIVED_H
#define WADI_RUN_DERIVED_H

#include "maps.h"

#include "wadi/derive.h"

#define DERIVED_STREAMS "streams" /* in a list: the stream network as lines */

/* The maps in a list, in the order of their table; bit i is map i. Above them is the bit of the streams, and then those
 * of the height and of the maps that a run writes. */
uint64_t run_derived_streams(void);    /* the bit */
uint64_t run_derived_by_default(void); /* the streams too */
/* "slope,streams", "all". */
wadi_status run_derived_parse(const char *list, uint64_t *maps);
/* The names in `maps`, with `between` between them. The text is returned. */
const char *run_derived_text(uint64_t maps, const char *between, char text[MAPS_TEXT]);
uint64_t run_derived_all(void); /* without those that a run writes */
enum { DERIVED_BITS = 64 };
const wadi_map_facts *run_derived_facts_at(unsigned index);   /* NULL: the streams, or beyond the last */
const wadi_map_facts *run_derived_facts_of(const char *name); /* NULL: the streams, or none */
/* "; did you mean slope?", or "". The text is returned. */
const char *run_derived_near(const char *wrong, char text[128]);
bool run_derived_is_written(unsigned index); /* the height, or a map that a run writes */

/* The default definition for a raster of heights. */
wadi_derive_def run_derived_def(const wadi_raster *terrain);
/* How a map is written: with its unit and description, and the format's usual samples. */
wadi_write_options run_derived_write_options(wadi_format format, const wadi_map_facts *map);
/* A map with the terrain's size and georeference. */
wadi_status run_derived_raster(wadi_derivation *derivation, const char *map, const wadi_raster *terrain,
                               wadi_raster **raster);

#endif
