/* colours.c: computes a cell's value from red, green and blue samples. Every format that can hold a picture uses it. */
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
    const float nodata = planes->has_nodata ? io_narrow(planes->nodata) : NAN; /* equal to no value */
    bool grey = true;
    for (size_t i = 0; i < count; i++) {
        const float red = planes->red[i];
        const float green = planes->green != NULL ? planes->green[i] : red;
        const float blue = planes->blue != NULL ? planes->blue[i] : red;
        const bool nowhere =
            (red == nodata && green == nodata && blue == nodata) || (planes->alpha != NULL && planes->alpha[i] == 0);
        const bool missing = nowhere || isnan(red) || isnan(green) || isnan(blue);
        values[i] = missing ? NAN : (float)mix(encoding, (double)red, (double)green, (double)blue);
        grey = grey && (missing || (red == green && green == blue));
    }
    return grey || encoding != WADI_ENCODING_NONE;
}

bool io_mix_palette(const io_input *input, const io_palette *palette, const float *numbers, size_t count, float *room,
                    float *values) {
    const float *const from[4] = {palette->red, palette->green, palette->blue, palette->alpha};
    for (size_t c = 0; c < 4 && from[c] != NULL; c++)
        for (size_t i = 0; i < count; i++) {
            const float number = numbers[i];
            const bool held = number >= 0 && number < (float)palette->count;
            room[c * count + i] = held ? from[c][(size_t)number] : isnan(number) ? NAN : c == 3 ? 1 : 0;
        }
    const io_planes planes = {.red = room,
                              .green = room + count,
                              .blue = room + 2 * count,
                              .alpha = palette->alpha != NULL ? room + 3 * count : NULL};
    return io_mix(input, &planes, count, values);
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
    raster->sample = WADI_SAMPLE_FLOAT32;      /* the results are metres */
    meaning->ranged = meaning->scaled = false; /* these apply to samples */
    meaning->mixed = true;
    if (meaning->unit_m == 0) meaning->unit_m = 1;
    return WADI_OK;
}

wadi_status io_check_mixed(const io_input *input, const io_meaning *meaning) {
    if (!is_metres(input->options->encoding) || meaning->mixed) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: --encoding %s is for colours, and it has none; leave it out",
                     input->name, io_encoding_names[input->options->encoding]);
}
