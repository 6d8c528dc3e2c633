/* picture.c: writes an RGB picture as PNG. */
#include "core/need.h"
#include "formats.h"

#ifdef WADI_WITH_PNG

typedef struct picture {
    const uint8_t *rgb;
    size_t row_bytes;
} picture;

static const uint8_t *picture_row(void *context, int y) {
    const picture *from = context;
    return from->rgb + (size_t)y * from->row_bytes;
}

wadi_status wadi_picture_write(const char *path, const uint8_t *rgb, int width, int height) {
    WADI_NEED(path);
    WADI_NEED(rgb);
    if (width < 1 || height < 1)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: a picture of %d x %d pixels cannot be; take 1 or more", path, width,
                         height);
    picture from = {rgb, (size_t)width * 3};
    io_output output;
    const wadi_status status = io_output_open(&output, path);
    if (status != WADI_OK) return status;
    const io_png_head head = {.width = width, .height = height, .channels = 3, .depth = 8, .picture = true};
    return io_output_close(&output, io_png_encode(&output, &head, picture_row, &from));
}

#else

wadi_status wadi_picture_write(const char *path, const uint8_t *rgb, int width, int height) {
    (void)rgb;
    (void)width;
    (void)height;
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: png not built: install libpng-dev and build again", path);
}

#endif
