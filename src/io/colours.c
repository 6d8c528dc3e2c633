/* colours.c: one value a cell from its red, green and blue samples. Every format that can hold a picture uses it. */
#include <math.h>

#include "formats.h"

const char *const io_encoding_names[] = {"none", "luminance", "red", "green", "blue", "terrarium", "mapbox-rgb"};

static bool is_metres(wadi_encoding encoding) {
    return encoding == WADI_ENCODING_TERRARIUM || encoding == WADI_ENCODING_MAPBOX_RGB;
}

static double mix(wadi_encoding encoding, double red, double green, double blue) {
    switch (encoding) {
    case WADI_ENCODING_LUMINANCE: /* ITU-R BT.709 */
        return red == green && green == blue ? red : 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    case WADI_ENCODING_GREEN:
        return green;
    case WADI_ENCODING_BLUE:
        return blue;
    case WADI_ENCODING_TERRARIUM: /* Mapzen's and AWS's terrain tiles */
        return red * 256 + green + blue / 256 - 32768;
    case WADI_ENCODING_MAPBOX_RGB: /* Mapbox Terrain-RGB v1 */
        return (red * 65536 + green * 256 + blue) * 0.1 - 10000;
    case WADI_ENCODING_NONE:
    case WADI_ENCODING_RED:
        break;
    }
    return red;
}

bool io_mix(const io_input *input, const io_planes *planes, size_t count, float *values) {
    const wadi_encoding encoding = input->options->encoding;
    bool grey = true;
    for (size_t i = 0; i < count; i++) {
        const float red = planes->red[i];
        const float green = planes->green != NULL ? planes->green[i] : red;
        const float blue = planes->blue != NULL ? planes->blue[i] : red;
        const bool missing = isnan(red) || isnan(green) || isnan(blue) || (planes->alpha && planes->alpha[i] == 0);
        values[i] = missing ? NAN : (float)mix(encoding, (double)red, (double)green, (double)blue);
        grey = grey && (missing || (red == green && green == blue));
    }
    return grey || encoding != WADI_ENCODING_NONE;
}

wadi_status io_refuse_colours(const io_input *input) {
    if (input->options->plain_values)
        return wadi_fail(WADI_ERROR_FORMAT, "%s: is in colours; save the map in grey", input->name);
    return wadi_fail(WADI_ERROR_FORMAT,
                     "%s: is in colours; say how they hold the height: --encoding luminance, red, green, blue, "
                     "terrarium or mapbox-rgb",
                     input->name);
}

wadi_status io_begin_colours(const io_input *input, wadi_raster *raster, io_meaning *meaning) {
    const wadi_encoding encoding = input->options->encoding;
    if (!is_metres(encoding)) return WADI_OK;
    if (raster->sample != WADI_SAMPLE_UINT8)
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "%s: --encoding %s is for 8-bit colours, and these are deeper; leave it out", input->name,
                         io_encoding_names[encoding]);
    raster->sample = WADI_SAMPLE_FLOAT32; /* what is mixed are metres */
    meaning->ranged = false;
    meaning->mixed = true;
    if (meaning->unit_m == 0) meaning->unit_m = 1;
    return WADI_OK;
}

wadi_status io_check_mixed(const io_input *input, const io_meaning *meaning) {
    if (!is_metres(input->options->encoding) || meaning->mixed) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: --encoding %s is for colours, and it has none; leave it out",
                     input->name, io_encoding_names[input->options->encoding]);
}
