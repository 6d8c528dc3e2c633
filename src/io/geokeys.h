/* geokeys.h: GeoTIFF's directory of keys, and what it says of heights. */
#ifndef WADI_IO_GEOKEYS_H
#define WADI_IO_GEOKEYS_H

#include "formats.h"

/* Numbers of the GeoTIFF standard (OGC 19-008r4). */
enum {
    TAG_KEYS = 34735,
    TAG_NUMBERS = 34736,
    TAG_TEXT = 34737,
    KEY_MODEL = 1024,
    KEY_RASTER = 1025,
    KEY_CITATION = 1026,
    KEY_GEOGRAPHIC_CITATION = 2049,
    KEY_PROJECTED_CITATION = 3073,
    KEY_VERTICAL_CRS = 4096,
    KEY_VERTICAL_CITATION = 4097,
    KEY_VERTICAL_UNIT = 4099,
    PIXEL_IS_POINT = 2,
    USER_DEFINED = 32767,
    METRE = 9001,
};

/* Where the keys end. The directory's header of four numbers counts them. Values of keys may follow. */
static inline size_t io_keys_end(const uint16_t *keys, size_t key_count) {
    const size_t end = key_count < 4 ? 0 : 4 + 4 * (size_t)keys[3];
    return end < key_count ? end : key_count;
}

/* The four numbers of a key (id, location, count, value), or NULL. */
static inline const uint16_t *io_find_key(const uint16_t *keys, size_t key_count, int id) {
    const size_t end = io_keys_end(keys, key_count);
    for (size_t i = 4; i + 4 <= end; i += 4)
        if (keys[i] == id) return keys + i;
    return NULL;
}

static inline int io_short_key(const uint16_t *keys, size_t key_count, int id) {
    const uint16_t *key = io_find_key(keys, key_count, id);
    return key != NULL && key[1] == 0 ? key[3] : 0;
}

/* NULL: there is none, or it is unknown. */
const io_unit *io_vertical_unit(const uint16_t *keys, size_t key_count);
/* Sets the unit and scale of the heights, and the name of their CRS. The keys are sound. */
void io_take_vertical(const io_geotags *tags, wadi_raster *raster, io_meaning *meaning);
/* Changes the vertical CRS to one in metres. */
void io_geotags_state_metres(io_geotag_block *block);

#endif
