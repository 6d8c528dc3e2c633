/* image.c: writes pictures of one to four channels as PNG: masks and normals in the channels of a texture. */
#include "core/need.h"
#include "formats.h"

#include <math.h>
#include <stdlib.h>

#ifdef WADI_WITH_PNG

typedef struct rows {
    const wadi_image *image;
    int depth;
    uint8_t *bytes;
} rows;

static unsigned sample_of(float share, unsigned full) {
    const double v = (double)share;
    return v > 0 ? (unsigned)((v < 1 ? v : 1) * full + 0.5) : 0; /* NaN: 0 */
}

static const uint8_t *image_row(void *context, int y) {
    const rows *r = context;
    const wadi_image *image = r->image;
    const int channels = image->channels;
    uint8_t *to = r->bytes;
    for (int x = 0; x < image->width; x++)
        for (int c = 0; c < channels; c++) {
            const float share = image->planes[c][(size_t)y * (size_t)image->width + (size_t)x];
            const unsigned sample = sample_of(share, r->depth == 8 ? 255 : 65535);
            if (r->depth == 16) *to++ = (uint8_t)(sample >> 8);
            *to++ = (uint8_t)sample;
        }
    return r->bytes;
}

wadi_status wadi_image_write(const char *path, const wadi_image *image, wadi_sample sample) {
    WADI_NEED(path);
    WADI_NEED(image);
    if (image->width < 1 || image->height < 1 || image->channels < 1 || image->channels > 4)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: a picture of %d x %d pixels in %d channels cannot be", path,
                         image->width, image->height, image->channels);
    for (int c = 0; c < image->channels; c++) WADI_NEED(image->planes[c]);
    if (sample != WADI_SAMPLE_UINT8 && sample != WADI_SAMPLE_UINT16)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: PNG holds 8 or 16 bits; choose one of them", path);
    const int depth = sample == WADI_SAMPLE_UINT8 ? 8 : 16;
    rows from = {image, depth, malloc((size_t)image->width * (size_t)image->channels * (size_t)depth / 8)};
    if (from.bytes == NULL) return io_no_memory(path, (uint64_t)image->width * 8, 0);
    io_output output;
    wadi_status status = io_output_open(&output, path);
    if (status == WADI_OK) {
        const io_png_head head = {
            .width = image->width, .height = image->height, .channels = image->channels, .depth = depth};
        status = io_output_close(&output, io_png_encode(&output, &head, image_row, &from));
    }
    free(from.bytes);
    return status;
}

#else

wadi_status wadi_image_write(const char *path, const wadi_image *image, wadi_sample sample) {
    (void)image;
    (void)sample;
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: png not built: install libpng-dev and build again", path);
}

#endif
