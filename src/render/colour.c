/* colour.c: sRGB (IEC 61966-2-1) and OKLab. */
#include "colour.h"

#include <math.h>

static double decode(double v) { return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4); }
static double encode(double v) { return v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1.0 / 2.4) - 0.055; }

render_colour render_from_srgb(uint32_t srgb) {
    return (render_colour){(float)decode((srgb >> 16 & 255) / 255.0), (float)decode((srgb >> 8 & 255) / 255.0),
                           (float)decode((srgb & 255) / 255.0)};
}

static uint32_t level(float v) { return (uint32_t)(encode((double)render_clamp(v)) * 255.0 + 0.5); }

uint32_t render_to_srgb(render_colour c) { return level(c.r) << 16 | level(c.g) << 8 | level(c.b); }

void render_gamma_fill(render_gamma *gamma) {
    for (int i = 0; i <= RENDER_GAMMA; i++)
        gamma->levels[i] = (uint8_t)(encode((double)i / RENDER_GAMMA) * 255.0 + 0.5);
}

typedef struct oklab {
    double l, a, b;
} oklab;

static oklab to_oklab(render_colour c) {
    const double l = cbrt(0.4122214708 * c.r + 0.5363325363 * c.g + 0.0514459929 * c.b);
    const double m = cbrt(0.2119034982 * c.r + 0.6806995451 * c.g + 0.1073969566 * c.b);
    const double s = cbrt(0.0883024619 * c.r + 0.2817188376 * c.g + 0.6299787005 * c.b);
    return (oklab){0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                   1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                   0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

static render_colour from_oklab(oklab c) {
    const double l = pow(c.l + 0.3963377774 * c.a + 0.2158037573 * c.b, 3.0);
    const double m = pow(c.l - 0.1055613458 * c.a - 0.0638541728 * c.b, 3.0);
    const double s = pow(c.l - 0.0894841775 * c.a - 1.2914855480 * c.b, 3.0);
    return (render_colour){render_clamp((float)(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)),
                           render_clamp((float)(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)),
                           render_clamp((float)(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s))};
}

void render_ramp_fill(render_ramp *ramp, const render_stop *stops, int count) {
    int next = 1;
    for (int i = 0; i < RENDER_RAMP; i++) {
        const double at = (double)i / (RENDER_RAMP - 1);
        while (next < count - 1 && at > (double)stops[next].position) next++;
        const render_stop *low = &stops[next - 1], *high = &stops[next];
        const double share = (at - (double)low->position) / (double)(high->position - low->position);
        const oklab a = to_oklab(render_from_srgb(low->srgb)), b = to_oklab(render_from_srgb(high->srgb));
        ramp->colours[i] =
            from_oklab((oklab){a.l + (b.l - a.l) * share, a.a + (b.a - a.a) * share, a.b + (b.b - a.b) * share});
    }
}
