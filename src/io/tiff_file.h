/* tiff_file.h: libtiff on our own input and output, and tags that it does not know. */
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
    io_output *output; /* neither: memory, for encoded strips */
    uint8_t *strip;
    size_t strip_bytes, strip_room;
    uint64_t at;
    char message[160]; /* libtiff's first error */
    bool no_memory;    /* an allocation of libtiff failed */
} tiff_state;

/* End of memory for libtiff: after the header of a file in memory, which is never read. */
#define TIFF_STRIP_AT 16u

TIFF *io_tiff_open(tiff_state *state, const char *name, const char *mode, uint64_t memory_limit);
/* Why a file was not opened: `otherwise`, with libtiff's message. */
wadi_status io_tiff_not_opened(const tiff_state *state, const char *name, wadi_status otherwise);
/* The values belong to libtiff until the file is closed. NULL: the tag is missing or has another type. */
const void *io_tiff_tag(TIFF *tiff, uint32_t tag, TIFFDataType type, size_t *count);
/* A tag's text, ended by a 0; "" if there is none. NULL: no memory. The caller frees it. */
char *io_tiff_text(TIFF *tiff, uint32_t tag);

/* Adds TIFF's own texts to the metadata, with GDAL's names. */
void io_tiff_metadata(TIFF *tiff, wadi_raster *raster);

/* Cells that are 0 in this plane (of several separate ones) have no data. Uses the current directory. */
wadi_status io_tiff_mask_plane(TIFF *tiff, const io_input *input, uint16_t plane, wadi_raster *raster);
/* The same with a mask in the following directories, if there is one. Moves to that directory. */
wadi_status io_tiff_inner_mask(TIFF *tiff, const io_input *input, wadi_raster *raster);

#endif
#endif
