/* tiff_mask.c: masks and alpha: cells whose sample is 0 have no data. */
#include "tiff_file.h"

#ifdef WADI_WITH_TIFF

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct mask_layout {
    uint32_t width, height, block_width, block_height;
    uint16_t bits, plane;
    bool tiled;
    uint64_t block_bytes, row_bytes;
} mask_layout;

static bool find_layout(TIFF *tiff, mask_layout *m) {
    m->bits = 1;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &m->bits);
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &m->width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &m->height);
    m->tiled = TIFFIsTiled(tiff) != 0;
    m->block_width = m->width;
    if (m->tiled) {
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &m->block_width);
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &m->block_height);
    } else {
        TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &m->block_height);
        if (m->block_height > m->height) m->block_height = m->height;
    }
    m->block_bytes = m->tiled ? TIFFTileSize64(tiff) : TIFFStripSize64(tiff);
    m->row_bytes = ((uint64_t)m->block_width * m->bits + 7) / 8;
    const bool bits = m->bits == 1 || m->bits == 8 || m->bits == 16 || m->bits == 32 || m->bits == 64;
    return bits && m->block_width > 0 && m->block_height > 0 && m->block_bytes >= m->row_bytes * m->block_height;
}

static bool is_masked(const mask_layout *m, const uint8_t *row, uint32_t x) {
    if (m->bits == 1) return (row[x / 8] >> (7 - x % 8) & 1) == 0;
    const size_t bytes = m->bits / 8u;
    for (size_t i = 0; i < bytes; i++)
        if (row[x * bytes + i] != 0) return false;
    return true;
}

/* A block that is not in the file holds zeros. */
static bool mask_block(TIFF *tiff, const mask_layout *m, uint32_t x, uint32_t y, uint8_t *block, wadi_raster *raster) {
    const uint32_t index = m->tiled ? TIFFComputeTile(tiff, x, y, 0, m->plane) : TIFFComputeStrip(tiff, y, m->plane);
    const uint32_t wide = m->width - x < m->block_width ? m->width - x : m->block_width;
    const uint32_t high = m->height - y < m->block_height ? m->height - y : m->block_height;
    const tmsize_t size = (tmsize_t)m->block_bytes;
    memset(block, 0, (size_t)m->block_bytes);
    if (TIFFGetStrileByteCount(tiff, index) != 0) {
        const tmsize_t got =
            m->tiled ? TIFFReadEncodedTile(tiff, index, block, size) : TIFFReadEncodedStrip(tiff, index, block, size);
        if (got < 0 || (uint64_t)got < high * m->row_bytes) return false;
    }
    for (uint32_t row = 0; row < high; row++)
        for (uint32_t i = 0; i < wide; i++)
            if (is_masked(m, block + row * m->row_bytes, i)) raster->values[(size_t)(y + row) * m->width + x + i] = NAN;
    return true;
}

wadi_status io_tiff_mask_plane(TIFF *tiff, const io_input *input, uint16_t plane, wadi_raster *raster) {
    mask_layout m = {.plane = plane};
    if (!find_layout(tiff, &m)) return io_truncated(input, "a mask of an unknown kind");
    if (m.width != (uint32_t)raster->width || m.height != (uint32_t)raster->height)
        return wadi_fail(WADI_ERROR_FORMAT, "%s: its mask has %u x %u cells, the raster %d x %d; make the mask again",
                         input->name, m.width, m.height, raster->width, raster->height);
    if (m.block_bytes > input->memory_limit) return io_no_memory(input->name, m.block_bytes, input->memory_limit);
    uint8_t *block = malloc((size_t)m.block_bytes);
    if (block == NULL) return io_no_memory(input->name, m.block_bytes, input->memory_limit);
    bool good = true;
    for (uint32_t y = 0; y < m.height && good; y += m.block_height)
        for (uint32_t x = 0; x < m.width && good; x += m.block_width) good = mask_block(tiff, &m, x, y, block, raster);
    free(block);
    return good ? WADI_OK : io_truncated(input, "its mask");
}

/* The mask of the full image is a separate directory. Other masks belong to overviews. *pages: other full images. */
static bool find_mask(TIFF *tiff, int *pages) {
    for (int i = 0; i < 1000 && TIFFReadDirectory(tiff); i++) {
        uint32_t kind = 0;
        TIFFGetFieldDefaulted(tiff, TIFFTAG_SUBFILETYPE, &kind);
        if ((kind & FILETYPE_MASK) != 0 && (kind & FILETYPE_REDUCEDIMAGE) == 0) return true;
        *pages += (kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) == 0;
    }
    return false;
}

wadi_status io_tiff_inner_mask(TIFF *tiff, const io_input *input, wadi_raster *raster) {
    int pages = 0;
    const bool found = find_mask(tiff, &pages);
    if (pages > 0)
        io_remark(raster, "holds %d images, of which the first is read (GTIFF_DIR:2:%.200s names the second)",
                  pages + 1, input->name);
    if (found) raster->from.mask = WADI_ORIGIN_FILE;
    return found ? io_tiff_mask_plane(tiff, input, 0, raster) : WADI_OK;
}

wadi_status io_tiff_mask(io_input *input, wadi_raster *raster) {
    tiff_state state = {.input = input};
    TIFF *tiff = io_tiff_open(&state, input->name, "rm", input->memory_limit);
    if (tiff == NULL) return io_tiff_not_opened(&state, input->name, WADI_ERROR_FORMAT);
    const wadi_status status = io_tiff_mask_plane(tiff, input, 0, raster);
    TIFFClose(tiff);
    return io_input_status(input, status);
}

#endif
