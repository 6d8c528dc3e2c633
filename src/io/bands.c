/* bands.c: the band that a caller names, of a raster with several. */
#include <stdlib.h>
#include <string.h>

#include "formats.h"

static const char *name_of(const io_bands *bands, int band) {
    const char *name = bands->name != NULL ? bands->name(bands->context, band) : NULL;
    return name != NULL ? name : "";
}

/* "1 (elevation), 2 (slope) or 3", as far as there is room. */
static void list_bands(const io_bands *bands, char *text, size_t size) {
    size_t used = 0;
    for (int band = 1; band <= bands->count && used < size; band++) {
        const char *name = name_of(bands, band), *before = band == 1 ? "" : band == bands->count ? " or " : ", ";
        const bool cut = band > 8 && band < bands->count;
        if (cut && band > 9) continue;
        used += (size_t)snprintf(text + used, size - used, cut ? "%s..." : "%s%d%s%.40s%s", before, band,
                                 *name ? " (" : "", name, *name ? ")" : "");
    }
}

wadi_status io_choose_band(const io_input *input, const io_bands *bands, int *band) {
    const char *given = input->options->band;
    char *end, list[512];
    *band = 0;
    if (given == NULL) return WADI_OK;
    const long number = strtol(given, &end, 10);
    if (*given != '\0' && *end == '\0' && number >= 1 && number <= bands->count) *band = (int)number;
    for (int i = 1; i <= bands->count && *band == 0; i++)
        if (*given != '\0' && strcmp(name_of(bands, i), given) == 0) *band = i;
    if (*band > 0) return WADI_OK;
    if (bands->count == 1)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: has one band, which is not --band %.40s; leave it out", input->name,
                         given);
    list_bands(bands, list, sizeof list);
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: has no band %.40s; its bands are %s", input->name, given, list);
}

wadi_status io_only_band(const io_input *input) {
    int band;
    return io_choose_band(input, &(io_bands){.count = 1}, &band);
}

wadi_status io_refuse_bands(const io_input *input, const io_bands *bands) {
    char list[512];
    list_bands(bands, list, sizeof list);
    if (input->options->plain_values)
        return wadi_fail(WADI_ERROR_FORMAT, "%s: has %d bands, and a map has one; take it out: gdal_translate -b 1 ...",
                         input->name, bands->count);
    return wadi_fail(WADI_ERROR_FORMAT, "%s: has %d bands; say which has the heights: --band %s", input->name,
                     bands->count, list);
}
