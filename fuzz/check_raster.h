/* check_raster.h: what holds of every raster that was read, whatever it was read from. */
#ifndef WADI_FUZZ_CHECK_RASTER_H
#define WADI_FUZZ_CHECK_RASTER_H

#include <math.h>
#include <stdlib.h>

#include "wadi/io.h"

/* Takes what a read gave, and frees it. */
static inline void check_raster(wadi_status status, wadi_raster *raster) {
    if ((status == WADI_OK) != (raster != NULL)) abort();
    if (status != WADI_OK && wadi_error_message()[0] == '\0') abort();
    if (raster == NULL) return;
    if (raster->width < 2 || raster->height < 2 || !(raster->lx > 0) || !(raster->ly > 0)) abort();
    size_t known = 0;
    for (size_t i = 0; i < (size_t)raster->width * (size_t)raster->height; i++) {
        if (isinf(raster->values[i])) abort();
        known += isnan(raster->values[i]) ? 0 : 1;
    }
    if (known == 0) abort();
    void *packed;
    size_t packed_count;
    wadi_raster *unpacked;
    if (wadi_raster_pack(raster, &packed, &packed_count) != WADI_OK) abort();
    if (wadi_raster_unpack(packed, packed_count, raster->width, raster->height, &unpacked) != WADI_OK) abort();
    free(packed);
    wadi_raster_destroy(unpacked);
    wadi_raster_destroy(raster);
}

#endif
