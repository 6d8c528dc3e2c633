/* exr.h: writes channels of float32 as OpenEXR. */
#ifndef WADI_IO_EXR_H
#define WADI_IO_EXR_H

#include "formats.h"

#define IO_EXR_CELL_SIZE "wadiCellSize" /* v2d: the size of a cell in metres */
#define IO_EXR_UNIT "wadiUnit"

typedef struct io_exr_image {
    const char *part;            /* the name of the file's only part */
    int width, height, channels; /* channels: 1 to 4 */
    const char *names[4];
    const float *planes[4]; /* width * height each */
    bool logarithmic;       /* whether viewers show the values as light */
    double lx, ly;          /* m; 0: not written */
    const char *unit;       /* NULL: not written */
} io_exr_image;

wadi_status io_exr_encode(io_output *output, const io_exr_image *image);

#endif
