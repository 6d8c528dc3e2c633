/* io_files.h: builds files byte by byte, so that readers meet files that the writers never write. */
#ifndef WADI_TESTS_IO_FILES_H
#define WADI_TESTS_IO_FILES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wadi/io.h"

typedef struct bytes {
    uint8_t at[1 << 17];
    size_t count;
} bytes;

static inline void put(bytes *to, const void *from, size_t count) {
    if (to->count + count > sizeof to->at) abort();
    memcpy(to->at + to->count, from, count);
    to->count += count;
}

static inline void put_le(bytes *to, uint64_t value, size_t count) {
    for (size_t i = 0; i < count; i++) put(to, &(uint8_t){(uint8_t)(i < 8 ? value >> (8 * i) : 0)}, 1);
}

static inline void put_be(bytes *to, uint64_t value, size_t count) {
    for (size_t i = count; i-- > 0;) put(to, &(uint8_t){(uint8_t)(value >> (8 * i))}, 1);
}

static inline void put_text(bytes *to, const char *text) { put(to, text, strlen(text) + 1); }

static inline void put_float(bytes *to, float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    put_le(to, bits, 4);
}

static inline void put_double(bytes *to, double value) {
    uint64_t bits;
    memcpy(&bits, &value, 8);
    put_le(to, bits, 8);
}

static inline void save(const char *path, const bytes *file) {
    FILE *out = fopen(path, "wb");
    if (out == NULL || fwrite(file->at, 1, file->count, out) != file->count || fclose(out) != 0) abort();
}

static inline wadi_status read_bytes(const bytes *file, const char *name, const wadi_read_options *options,
                                     wadi_raster **raster) {
    uint8_t *exact = malloc(file->count + 1); /* an exact copy: the address sanitizer sees a read beyond the end */
    if (exact == NULL) abort();
    memcpy(exact + 1, file->at, file->count);
    const wadi_status status = wadi_raster_read_memory(exact + 1, file->count, name, options, raster);
    free(exact);
    return status;
}

/* --- TIFF: little-endian, one strip, not compressed ------------------------------------------------------------ */

typedef struct tiff_tag {
    int tag, type; /* 2 ASCII, 3 SHORT, 4 LONG, 12 DOUBLE; 0 ends the list */
    size_t count;
    const void *values; /* uint16_t, uint32_t, double or text */
} tiff_tag;

typedef struct tiff_image {
    uint32_t width, height;
    uint16_t bits, format;                                /* format: 1 unsigned, 2 signed, 3 float */
    const void *samples;                                  /* little-endian; NULL: none */
    const tiff_tag *tags;                                 /* in order; NULL: none */
    uint32_t rows_per_strip;                              /* 0: all */
    uint16_t compression, samples_per_pixel, photometric; /* 0: none, 1, black is zero */
    uint16_t extra;                                       /* ExtraSamples: 2 is alpha; 0: not stated */
    bool apart;                                           /* one band after the other */
} tiff_image;

static inline void put_entry(bytes *file, int tag, int type, size_t count, uint32_t value) {
    put_le(file, (uint64_t)tag, 2);
    put_le(file, (uint64_t)type, 2);
    put_le(file, count, 4);
    put_le(file, value, 4);
}

static inline size_t tag_bytes(const tiff_tag *tag) {
    return tag->count * (tag->type == 12 ? 8 : tag->type == 4 ? 4 : tag->type == 3 ? 2 : 1);
}

static inline void make_tiff(bytes *file, const tiff_image *image) {
    file->count = 0;
    size_t extra = 0;
    while (image->tags != NULL && image->tags[extra].type != 0) extra++;
    const size_t entries = (image->extra > 0 ? 12 : 11) + extra, data = 8 + 2 + 12 * entries + 4;
    const uint32_t bands = image->samples_per_pixel > 0 ? image->samples_per_pixel : 1;
    const uint32_t size = image->width * image->height * bands * image->bits / 8;
    const uint32_t strips = image->apart ? bands : 1, lists = strips > 1 ? 8 * strips : 0;
    size_t place = data + lists;
    put(file, "II*\0", 4);
    put_le(file, 8, 4);
    put_le(file, entries, 2);
    for (size_t i = 0; i < extra; i++) place += tag_bytes(&image->tags[i]) > 4 ? tag_bytes(&image->tags[i]) : 0;
    put_entry(file, 256, 4, 1, image->width);
    put_entry(file, 257, 4, 1, image->height);
    put_entry(file, 258, 3, 1, image->bits);
    put_entry(file, 259, 3, 1, image->compression > 0 ? image->compression : 1);
    put_entry(file, 262, 3, 1, image->photometric > 0 ? image->photometric : 1);
    const uint32_t samples_at = (uint32_t)place;
    put_entry(file, 273, 4, strips, (uint32_t)(strips > 1 ? data : place));
    put_entry(file, 277, 3, 1, bands);
    put_entry(file, 278, 4, 1, image->rows_per_strip > 0 ? image->rows_per_strip : image->height);
    put_entry(file, 279, 4, strips, strips > 1 ? (uint32_t)data + 4 * strips : size);
    put_entry(file, 284, 3, 1, image->apart ? 2 : 1);
    if (image->extra > 0) put_entry(file, 338, 3, 1, image->extra);
    put_entry(file, 339, 3, 1, image->format);
    place = data + lists;
    for (size_t i = 0; i < extra; i++) {
        const size_t long_bytes = tag_bytes(&image->tags[i]);
        uint32_t value = (uint32_t)place;
        if (long_bytes <= 4) memcpy(&value, image->tags[i].values, long_bytes);
        put_entry(file, image->tags[i].tag, image->tags[i].type, image->tags[i].count, value);
        place += long_bytes > 4 ? long_bytes : 0;
    }
    put_le(file, 0, 4);
    for (uint32_t i = 0; i < strips && lists > 0; i++) put_le(file, samples_at + i * (size / strips), 4);
    for (uint32_t i = 0; i < strips && lists > 0; i++) put_le(file, size / strips, 4);
    for (size_t i = 0; i < extra; i++)
        if (tag_bytes(&image->tags[i]) > 4) put(file, image->tags[i].values, tag_bytes(&image->tags[i]));
    if (image->samples != NULL) put(file, image->samples, size);
}

/* A second directory: the mask of the first, one bit a cell, rows of whole bytes. */
static inline void add_mask(bytes *file, uint32_t width, uint32_t height, const uint8_t *rows) {
    const size_t next = 10 + 12 * (size_t)(file->at[8] + 256 * file->at[9]);
    while (file->count % 2 != 0) put_le(file, 0, 1);
    for (size_t i = 0; i < 4; i++) file->at[next + i] = (uint8_t)(file->count >> (8 * i));
    const uint32_t size = (width + 7) / 8 * height;
    put_le(file, 10, 2);
    const uint32_t place = (uint32_t)(file->count + 12 * 10 + 4);
    put_entry(file, 254, 4, 1, 4); /* the type "mask" */
    put_entry(file, 256, 4, 1, width);
    put_entry(file, 257, 4, 1, height);
    put_entry(file, 258, 3, 1, 1);
    put_entry(file, 259, 3, 1, 1);
    put_entry(file, 262, 3, 1, 4);
    put_entry(file, 273, 4, 1, place);
    put_entry(file, 277, 3, 1, 1);
    put_entry(file, 278, 4, 1, height);
    put_entry(file, 279, 4, 1, size);
    put_le(file, 0, 4);
    put(file, rows, size);
}

/* --- PNG: deflate blocks that are only stored ------------------------------------------------------------------ */

static inline void put_chunk(bytes *file, const char *kind, const bytes *data) {
    uint32_t crc = 0xffffffffu;
    put_be(file, data->count, 4);
    const size_t start = file->count;
    put(file, kind, 4);
    put(file, data->at, data->count);
    for (size_t i = start; i < file->count; i++) {
        crc ^= file->at[i];
        for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0);
    }
    put_be(file, crc ^ 0xffffffffu, 4);
}

static inline void put_png_head(bytes *file, uint32_t width, uint32_t height, int depth, int colour, int interlace) {
    static bytes chunk;
    file->count = chunk.count = 0;
    put(file, "\x89PNG\r\n\x1a\n", 8);
    put_be(&chunk, width, 4);
    put_be(&chunk, height, 4);
    put(&chunk, (uint8_t[5]){(uint8_t)depth, (uint8_t)colour, 0, 0, (uint8_t)interlace}, 5);
    put_chunk(file, "IHDR", &chunk);
}

static inline void put_png_rows(bytes *file, const bytes *rows) {
    static bytes chunk;
    chunk.count = 0;
    put(&chunk, "\x78\x01\x01", 3);
    put_le(&chunk, rows->count, 2); /* hence at most 65535 bytes */
    put_le(&chunk, ~rows->count, 2);
    put(&chunk, rows->at, rows->count);
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < rows->count; i++) a = (a + rows->at[i]) % 65521, b = (b + a) % 65521;
    put_be(&chunk, b << 16 | a, 4);
    put_chunk(file, "IDAT", &chunk);
    chunk.count = 0;
    put_chunk(file, "IEND", &chunk);
}

/* colour: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha; rows: as stored, each after its filter byte */
static inline void make_png(bytes *file, uint32_t width, uint32_t height, int depth, int colour, int interlace,
                            const bytes *palette, const bytes *rows) {
    put_png_head(file, width, height, depth, colour, interlace);
    if (palette != NULL) put_chunk(file, "PLTE", palette);
    put_png_rows(file, rows);
}

/* The same with a tRNS chunk, which says what is transparent. */
static inline void make_clear_png(bytes *file, uint32_t width, uint32_t height, int depth, int colour,
                                  const bytes *palette, const bytes *clear, const bytes *rows) {
    put_png_head(file, width, height, depth, colour, 0);
    if (palette != NULL) put_chunk(file, "PLTE", palette);
    if (clear != NULL) put_chunk(file, "tRNS", clear);
    put_png_rows(file, rows);
}

/* --- EXR: scan lines or one tile of all, not compressed -------------------------------------------------------- */

static inline void put_attribute(bytes *file, const char *name, const char *type, const bytes *value) {
    put_text(file, name);
    put_text(file, type);
    put_le(file, value->count, 4);
    put(file, value->at, value->count);
}

static inline void put_box(bytes *file, const char *name, uint32_t width, uint32_t height) {
    static bytes box;
    box.count = 0;
    put_le(&box, 0, 8);
    put_le(&box, width - 1, 4);
    put_le(&box, height - 1, 4);
    put_attribute(file, name, "box2i", &box);
}

/* type: 0 uint, 1 half, 2 float; names: one letter each, in order, all of this type; samples: channel after channel in
 * each row, rows one after the other */
static inline void make_exr(bytes *file, uint32_t width, uint32_t height, int type, const char *names, bool tiled,
                            const bytes *samples) {
    static bytes value;
    const size_t row_bytes = width * strlen(names) * (type == 1 ? 2 : 4);
    file->count = 0;
    put_le(file, 20000630, 4);
    put_le(file, tiled ? 0x202 : 2, 4);
    value.count = 0;
    for (const char *name = names; *name != '\0'; name++) {
        put_text(&value, (char[2]){*name, '\0'});
        put_le(&value, (uint64_t)type, 4);
        put_le(&value, 0, 4);
        put_le(&value, 1, 4);
        put_le(&value, 1, 4);
    }
    put_le(&value, 0, 1);
    put_attribute(file, "channels", "chlist", &value);
    value.count = 0;
    put_le(&value, 0, 1);
    put_attribute(file, "compression", "compression", &value);
    put_box(file, "dataWindow", width, height);
    put_box(file, "displayWindow", width, height);
    put_attribute(file, "lineOrder", "lineOrder", &value);
    value.count = 0;
    put_float(&value, 1);
    put_attribute(file, "pixelAspectRatio", "float", &value);
    put_attribute(file, "screenWindowWidth", "float", &value);
    value.count = 0;
    put_le(&value, 0, 8);
    put_attribute(file, "screenWindowCenter", "v2f", &value);
    value.count = 0;
    put_le(&value, width, 4);
    put_le(&value, height, 4);
    put_le(&value, 0, 1);
    if (tiled) put_attribute(file, "tiles", "tiledesc", &value);
    put_le(file, 0, 1);
    const size_t chunks = tiled ? 1 : height, chunk_bytes = tiled ? row_bytes * height : row_bytes,
                 head = tiled ? 20 : 8;
    size_t place = file->count + 8 * chunks;
    for (size_t i = 0; i < chunks; i++, place += head + chunk_bytes) put_le(file, place, 8);
    for (size_t i = 0; i < chunks; i++) {
        put_le(file, tiled ? 0 : i, tiled ? 16 : 4);
        put_le(file, chunk_bytes, 4);
        put(file, samples->at + i * chunk_bytes, chunk_bytes);
    }
}

/* --- NPY ------------------------------------------------------------------------------------------------------- */

static inline void make_npy(bytes *file, int version, const char *header, const bytes *samples) {
    file->count = 0;
    put(file, "\x93NUMPY", 6);
    put_le(file, (uint64_t)version, 2);
    put_le(file, strlen(header), version == 1 ? 2 : 4);
    put(file, header, strlen(header));
    put(file, samples->at, samples->count);
}

#endif
