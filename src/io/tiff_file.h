/* tiff_file.h: libtiff on our own bytes, and the tags that it does not know. */
#ifndef WADI_IO_TIFF_FILE_H
#define WADI_IO_TIFF_FILE_H

#include "formats.h"

#ifdef WADI_WITH_TIFF

#include <tiffio.h>

enum {
    TAG_SCALE = 33550,
    TAG_TIES = 33922,
    TAG_MATRIX = 34264,
    TAG_KEYS = 34735,
    TAG_NUMBERS = 34736,
    TAG_TEXT = 34737,
    TAG_METADATA = 42112, /* GDAL's: XML */
    TAG_NODATA = 42113,   /* GDAL's: a number as text */
};

typedef struct tiff_state {
    io_input *input;
    io_output *output; /* neither: memory, for one encoded strip after another */
    uint8_t *strip;
    size_t strip_bytes, strip_room;
    uint64_t at;
    char message[160]; /* libtiff's first complaint */
} tiff_state;

/* Memory ends here for libtiff: behind the header of a file in memory, which nobody reads. */
#define TIFF_STRIP_AT 16u

TIFF *io_tiff_open(tiff_state *state, const char *name, const char *mode, uint64_t memory_limit);
/* The values belong to libtiff until the file is closed. NULL where the tag is missing or of another type. */
const void *io_tiff_tag(TIFF *tiff, uint32_t tag, TIFFDataType type, size_t *count);
/* A tag's text, ended by a 0; "" if there is none. NULL: no memory. The caller frees it. */
char *io_tiff_text(TIFF *tiff, uint32_t tag);

/* Cells of which this plane (of several that lie apart) is 0 have no data. The directory is the current one. */
wadi_status io_tiff_mask_plane(TIFF *tiff, const io_input *input, uint16_t plane, wadi_raster *raster);
/* The same by the mask among the directories that follow, if there is one. Goes to that directory. */
wadi_status io_tiff_inner_mask(TIFF *tiff, const io_input *input, wadi_raster *raster);

#endif
#endif
