/* pack.c: converts a raster without its values to bytes and back, with the same bytes on every machine. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/need.h"
#include "formats.h"

static const char mark[8] = {'W', 'A', 'D', 'I', 'R', 'A', 'S', '1'};

/* One traversal of the fields serves both directions. A cursor without enough bytes stays failed. */
typedef struct cursor {
    uint8_t *bytes; /* NULL: only count */
    size_t at, size;
    bool reading, failed;
} cursor;

static void field_bytes(cursor *c, void *field, size_t count) {
    if (c->bytes != NULL && count > c->size - c->at) {
        c->failed = true;
        return;
    }
    if (c->bytes != NULL && c->reading) memcpy(field, c->bytes + c->at, count);
    if (c->bytes != NULL && !c->reading) memcpy(c->bytes + c->at, field, count);
    c->at += count;
}

static void field_u64(cursor *c, uint64_t *field) {
    uint8_t little[8];
    for (int i = 0; i < 8; i++) little[i] = (uint8_t)(*field >> (8 * i));
    field_bytes(c, little, sizeof little);
    if (!c->reading || c->failed) return;
    *field = 0;
    for (int i = 0; i < 8; i++) *field |= (uint64_t)little[i] << (8 * i);
}

static void field_int(cursor *c, int *field, int lowest, int highest) {
    uint64_t wide = (uint64_t)*field;
    field_u64(c, &wide);
    if (!c->reading) return;
    if (wide < (uint64_t)lowest || wide > (uint64_t)highest) c->failed = true;
    if (!c->failed) *field = (int)wide;
}

static void field_bool(cursor *c, bool *field) {
    int value = *field;
    field_int(c, &value, 0, 1);
    *field = value != 0;
}

static void field_double(cursor *c, double *field) {
    uint64_t bits;
    memcpy(&bits, field, sizeof bits);
    field_u64(c, &bits);
    memcpy(field, &bits, sizeof bits);
}

static void field_text(cursor *c, char *text, size_t size) {
    field_bytes(c, text, size);
    text[size - 1] = '\0';
}

/* GDAL is 7 in files, where it was before the list of formats grew. Those after it in the list follow. */
enum { stored_gdal = 7, stored_last = WADI_FORMAT_GDAL < stored_gdal ? stored_gdal : WADI_FORMAT_GDAL };
static int stored_format(wadi_format format) {
    if (format == WADI_FORMAT_GDAL) return stored_gdal;
    return (int)format < stored_gdal ? (int)format : (int)format + 1;
}
static wadi_format format_of_stored(int stored) {
    if (stored == stored_gdal) return WADI_FORMAT_GDAL;
    return (wadi_format)(stored < stored_gdal ? stored : stored - 1);
}

static void fields(cursor *c, wadi_raster *raster, uint64_t *crs_bytes) {
    char found[sizeof mark];
    memcpy(found, mark, sizeof mark);
    field_bytes(c, found, sizeof found);
    if (memcmp(found, mark, sizeof mark) != 0) c->failed = true;
    int format = stored_format(raster->format), sample = (int)raster->sample;
    field_int(c, &raster->width, 1, INT32_MAX);
    field_int(c, &raster->height, 1, INT32_MAX);
    field_int(c, &format, WADI_FORMAT_UNKNOWN, stored_last);
    field_int(c, &sample, WADI_SAMPLE_FLOAT32, IO_SAMPLES - 1);
    raster->format = format_of_stored(format);
    raster->sample = (wadi_sample)sample;
    double *const numbers[] = {&raster->scale, &raster->offset,       &raster->lx,
                               &raster->ly,    &raster->lx_variation, &raster->nodata};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) field_double(c, numbers[i]);
    field_bool(c, &raster->scale_assumed);
    field_bool(c, &raster->has_nodata);
    field_bool(c, &raster->has_georef);
    field_bool(c, &raster->flipped);
    for (int i = 0; i < 6; i++) field_double(c, &raster->georef.transform[i]);
    field_bool(c, &raster->georef.geographic);
    field_text(c, raster->georef.name, sizeof raster->georef.name);
    field_text(c, raster->georef.vertical_unit, sizeof raster->georef.vertical_unit);
    field_u64(c, crs_bytes);
}

/* Files of before end with the CRS. */
static void words(cursor *c, wadi_raster *raster, uint64_t *bytes) {
    field_text(c, raster->band_name, sizeof raster->band_name);
    field_u64(c, bytes);
}

wadi_status wadi_raster_pack(const wadi_raster *raster, void **bytes, size_t *count) {
    WADI_NEED(raster);
    WADI_NEED(bytes);
    WADI_NEED(count);
    *bytes = NULL;
    wadi_raster copy = *raster; /* the traversal takes writable fields */
    uint64_t crs_bytes = raster->georef.crs_bytes, word_bytes = raster->metadata_bytes;
    cursor c = {0};
    fields(&c, &copy, &crs_bytes);
    words(&c, &copy, &word_bytes);
    const size_t size = c.at + raster->georef.crs_bytes + raster->metadata_bytes;
    uint8_t *made = malloc(size);
    if (made == NULL) return io_no_memory("a raster's description", size, 0);
    c = (cursor){.bytes = made, .size = size};
    fields(&c, &copy, &crs_bytes);
    if (crs_bytes > 0) field_bytes(&c, raster->georef.crs, raster->georef.crs_bytes);
    words(&c, &copy, &word_bytes);
    if (word_bytes > 0) field_bytes(&c, raster->metadata, raster->metadata_bytes);
    *bytes = made;
    *count = size;
    return WADI_OK;
}

/* NAME=VALUE, each with a 0 behind it. */
static bool has_items(const char *text, size_t bytes) {
    size_t at = 0;
    while (at < bytes && memchr(text + at, 0, bytes - at) != NULL) {
        const char *equals = strchr(text + at, '=');
        if (equals == NULL || equals == text + at) return false;
        at += strlen(text + at) + 1;
    }
    return at == bytes;
}

wadi_status wadi_raster_unpack(const void *bytes, size_t count, int width, int height, wadi_raster **raster) {
    WADI_NEED(bytes);
    WADI_NEED(raster);
    *raster = NULL;
    wadi_raster found = {0};
    uint64_t crs_bytes = 0;
    uint8_t *copy = malloc(count + 1); /* the cursor's bytes are not const */
    if (copy == NULL) return io_no_memory("a raster's description", count, 0);
    memcpy(copy, bytes, count);
    cursor c = {.bytes = copy, .size = count, .reading = true};
    fields(&c, &found, &crs_bytes);
    wadi_status status = WADI_OK;
    const bool fits = found.width == width && found.height == height;
    const size_t crs_at = c.at;
    uint64_t word_bytes = 0;
    const bool has_crs = !c.failed && crs_bytes <= count - c.at;
    if (has_crs) c.at += crs_bytes;
    if (has_crs && c.at < count) words(&c, &found, &word_bytes);
    if (!has_crs || c.failed || word_bytes != count - c.at || !fits || word_bytes > IO_METADATA_LONGEST ||
        !has_items((const char *)copy + c.at, (size_t)word_bytes))
        status = wadi_fail(WADI_ERROR_FORMAT, "a raster's description is damaged; make the checkpoint again");
    wadi_raster view = found; /* its CRS is in `copy`; wadi_raster_like copies it to the raster */
    view.georef.crs = copy + crs_at;
    view.georef.crs_bytes = (size_t)crs_bytes;
    view.metadata = (char *)copy + c.at;
    view.metadata_bytes = (size_t)word_bytes;
    if (status == WADI_OK) status = wadi_raster_like(&view, raster);
    free(copy);
    if (status != WADI_OK) return status;
    found.values = (*raster)->values;
    found.georef = (*raster)->georef;
    found.metadata = (*raster)->metadata;
    found.metadata_bytes = (*raster)->metadata_bytes;
    **raster = found;
    return WADI_OK;
}
