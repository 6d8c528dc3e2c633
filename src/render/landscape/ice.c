/* ice.c: ice on the ground, and where it is white. */
#include <stdlib.h>

#include "platform/platform.h"
#include "render/landscape/landscape.h"
#include "render/scale.h"

#define SAMPLES (1 << 14) /* cells that are looked at, at most about */
#define BARE 0.4          /* part of the ice that lies under the line: glaciers in balance have 0.3 to 0.5 */

bool landscape_is_icy(const wadi_landscape *l) { return l->layers[WADI_LAYER_ICE].high > 0; }

/* Snow lies on the higher part of a glacier all year. */
double landscape_firn_line(wadi_landscape *l) {
    const double now = platform_clock_s(), share = BARE;
    if (l->firn_age == UP_TO_DATE || (l->firn_age == BEHIND && now < l->firn_found + FOLLOWS_S)) return l->firn_m;
    const float *heights = l->layers[WADI_LAYER_HEIGHT].levels[0], *ice = l->layers[WADI_LAYER_ICE].levels[0];
    const size_t cells = (size_t)l->width * (size_t)l->height, every = cells / SAMPLES + 1;
    float *tops = malloc((cells / every + 1) * sizeof *tops);
    size_t count = 0;
    for (size_t i = 0; i < cells && tops != NULL; i += every)
        if (ice[i] > 0) tops[count++] = heights[i] + ice[i];
    if (count > 0) render_quantiles(tops, count, count, -INFINITY, &share, &l->firn_m, 1);
    free(tops);
    l->firn_age = UP_TO_DATE, l->firn_found = now;
    return l->firn_m;
}
