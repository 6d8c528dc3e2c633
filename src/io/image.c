/* image.c: writes pictures of one to four channels as PNG or OpenEXR: masks and normals in the channels of a texture.
 */
#include "core/need.h"
#include "exr.h"
#include "formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static wadi_status encode_png(io_output *output, const wadi_image *image, int depth) {
    rows from = {image, depth, malloc((size_t)image->width * (size_t)image->channels * (size_t)depth / 8)};
    if (from.bytes == NULL) return io_no_memory(output->path, (uint64_t)image->width * 8, 0);
    const io_png_head head = {
        .width = image->width, .height = image->height, .channels = image->channels, .depth = depth};
    const wadi_status status = io_png_encode(output, &head, image_row, &from);
    free(from.bytes);
    return status;
}

#else

static wadi_status encode_png(io_output *output, const wadi_image *image, int depth) {
    (void)image;
    (void)depth;
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: png not built: install libpng-dev and build again", output->path);
}

#endif

/* A single channel is grey; two are red and green. */
static wadi_status encode_exr(io_output *output, const wadi_image *image) {
    io_exr_image floats = {.part = "maps",
                           .width = image->width,
                           .height = image->height,
                           .channels = image->channels,
                           .names = {image->channels == 1 ? "Y" : "R", "G", "B", "A"}};
    memcpy(floats.planes, image->planes, sizeof floats.planes);
    return io_exr_encode(output, &floats);
}

static wadi_status encode(io_output *output, const wadi_image *image, wadi_sample sample) {
    const bool exr = wadi_format_of_name(output->path) == WADI_FORMAT_EXR;
    if (exr && sample == WADI_SAMPLE_FLOAT32) return encode_exr(output, image);
    if (!exr && sample == WADI_SAMPLE_UINT8) return encode_png(output, image, 8);
    if (!exr && sample == WADI_SAMPLE_UINT16) return encode_png(output, image, 16);
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: PNG holds 8 or 16 bits, and EXR 32; choose one of them", output->path);
}

wadi_status wadi_image_write(const char *path, const wadi_image *image, wadi_sample sample) {
    WADI_NEED(path);
    WADI_NEED(image);
    if (image->width < 1 || image->height < 1 || image->channels < 1 || image->channels > 4)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: a picture of %d x %d pixels in %d channels cannot be", path,
                         image->width, image->height, image->channels);
    for (int c = 0; c < image->channels; c++) WADI_NEED(image->planes[c]);
    io_output output;
    const wadi_status status = io_output_open(&output, path);
    return status == WADI_OK ? io_output_close(&output, encode(&output, image, sample)) : status;
}
