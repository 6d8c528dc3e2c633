/* colour.h: colours in linear light, and ramps of them. */
#ifndef RENDER_COLOUR_H
#define RENDER_COLOUR_H

#include <stdint.h>

typedef struct render_colour {
    float r, g, b; /* linear light, 0..1 */
} render_colour;

#define RENDER_RAMP 256
typedef struct render_ramp {
    render_colour colours[RENDER_RAMP];
} render_ramp;

typedef struct render_stop {
    float position; /* 0..1, rising */
    uint32_t srgb;  /* 0xRRGGBB */
} render_stop;

render_colour render_from_srgb(uint32_t srgb);
uint32_t render_to_srgb(render_colour colour);

/* Stops joined in OKLab (Ottosson 2020), so that steps of equal size look equal. */
void render_ramp_fill(render_ramp *ramp, const render_stop *stops, int count);

static inline float render_clamp(float v) { return v > 0.0f ? (v < 1.0f ? v : 1.0f) : 0.0f; } /* NaN: 0 */

static inline float render_smooth(float low, float high, float v) {
    const float t = render_clamp((v - low) / (high - low));
    return t * t * (3.0f - 2.0f * t);
}

static inline render_colour render_mix(render_colour a, render_colour b, float share) {
    return (render_colour){a.r + (b.r - a.r) * share, a.g + (b.g - a.g) * share, a.b + (b.b - a.b) * share};
}

static inline render_colour render_times(render_colour a, render_colour b) {
    return (render_colour){a.r * b.r, a.g * b.g, a.b * b.b};
}

static inline render_colour render_ramp_at(const render_ramp *ramp, float position) {
    const float at = render_clamp(position) * (RENDER_RAMP - 1);
    const int below = at < RENDER_RAMP - 2 ? (int)at : RENDER_RAMP - 2;
    return render_mix(ramp->colours[below], ramp->colours[below + 1], at - (float)below);
}

/* Linear light to 8-bit sRGB by table, row by row. A power per pixel would cost more than all the rest. */
#define RENDER_GAMMA 8192
typedef struct render_gamma {
    uint8_t levels[RENDER_GAMMA + 1];
} render_gamma;
void render_gamma_fill(render_gamma *gamma);
static inline void render_gamma_store(const render_gamma *gamma, render_colour c, uint8_t *rgb) {
    rgb[0] = gamma->levels[(int)(render_clamp(c.r) * RENDER_GAMMA + 0.5f)];
    rgb[1] = gamma->levels[(int)(render_clamp(c.g) * RENDER_GAMMA + 0.5f)];
    rgb[2] = gamma->levels[(int)(render_clamp(c.b) * RENDER_GAMMA + 0.5f)];
}

#endif
