/* ice.c: ice on the ground, and where it is white. */
#include <stdlib.h>

#include "platform/platform.h"
#include "render/landscape/landscape.h"
#include "render/scale.h"

#define SAMPLES ((size_t)1 << 14) /* about the most cells looked at, unless none of them has ice */
#define BARE 0.4                  /* part of the ice that lies under the line: glaciers in balance have 0.3 to 0.5 */

bool landscape_is_icy(const wadi_landscape *l) {
    const layer *ice = &l->layers[WADI_LAYER_ICE];
    return ice->high > 0 || ice->from_buffer;
}

/* Looks at every so many cells. false: none has ice, or there is no memory. */
static bool find_line(wadi_landscape *l, size_t every) {
    const double share = BARE;
    const float *heights = l->layers[WADI_LAYER_HEIGHT].levels[0], *ice = l->layers[WADI_LAYER_ICE].levels[0];
    const size_t cells = (size_t)l->width * (size_t)l->height;
    float *tops = malloc((cells / every + 1) * sizeof *tops);
    size_t count = 0;
    if (tops == NULL) return false;
    for (size_t i = 0; i < cells; i += every)
        if (ice[i] > 0) tops[count++] = heights[i] + ice[i];
    const bool any = count > 0 && render_quantiles(tops, count, count, -INFINITY, &share, &l->firn_m, 1) == WADI_OK;
    free(tops);
    return any;
}

/* Snow lies on the higher part of a glacier all year. */
double landscape_firn_line(wadi_landscape *l) {
    const double now = platform_clock_s();
    const size_t every = (size_t)l->width * (size_t)l->height / SAMPLES + 1;
    if (l->firn_age == UP_TO_DATE || (l->firn_age == BEHIND && now < l->firn_found + FOLLOWS_S)) return l->firn_m;
    if (!find_line(l, every) && every > 1) find_line(l, 1);
    l->firn_age = UP_TO_DATE, l->firn_found = now;
    return l->firn_m;
}
