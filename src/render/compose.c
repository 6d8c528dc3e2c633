/* compose.c: the colour of a pixel in linear light, from the ground up: ground, deposits, ice, light, water with
 * sediment, and an overlay. */
#include <math.h>

#include "core/strict.h"
#include "resample.h"
#include "scene.h"

#define CONTRAST 1.2f /* of sunlight, around flat ground */

float render_layer_opacity(const render_layer *layer, float at) {
    if (!(at >= 0.0f) || layer->scale.empty) return 0.0f;
    if (layer->scale.diverging) return 0.93f * render_smooth(0.03f, 0.35f, fabsf(2.0f * at - 1.0f));
    if (!render_scale_is_amount(layer->palette->kind)) return 0.82f;
    return 0.93f * render_smooth(layer->scale.logarithmic ? 0.08f : 0.0f, layer->palette->whole, at);
}

float render_water_position(double depth_over_deep) { return (float)(1.0 - exp(-1.8 * depth_over_deep)); }

/* Steep ground shows its rock; hollows are a little darker and greener, ridges paler. */
static render_colour ground_colour(const render_scene *scene, size_t i) {
    const render_colour soil = render_ramp_at(&scene->height_ramp, scene->ground[i]);
    const render_colour rock = render_ramp_at(&scene->rock_ramp, scene->ground[i]);
    const render_colour bare = render_mix(soil, rock, 0.85f * render_smooth(0.55f, 1.5f, scene->slope[i]));
    const float bulge = scene->bulge[i];
    const render_colour tone = {1.0f + 0.13f * bulge, 1.0f + 0.10f * bulge, 1.0f + 0.11f * bulge};
    return render_times(bare, tone);
}

/* Sunlight is warm, skylight cool; flat open ground keeps its colour. */
static render_colour light_colour(float light, float sky) {
    const float crisp = 1.0f + CONTRAST * (light - 1.0f);
    const float sun = crisp > 0.0f ? 0.76f * crisp : 0.0f, open = 0.24f * sky, nook = 0.45f + 0.55f * sky;
    return (render_colour){nook * (1.03f * sun + 0.88f * open), nook * (1.0f * sun + 1.0f * open),
                           nook * (0.94f * sun + 1.19f * open)};
}

/* The brightest slopes approach white instead of being clipped. */
static float shoulder(float v) { return v < 0.72f ? v : 0.72f + 0.28f * (1.0f - expf((0.72f - v) / 0.28f)); }

static render_colour lit(render_colour colour, render_colour light) {
    const render_colour c = render_times(colour, light);
    return (render_colour){shoulder(c.r), shoulder(c.g), shoulder(c.b)};
}

static render_colour layer_over(const render_layer *layer, size_t i, render_colour under, render_colour light,
                                float most) {
    if (layer->cells == NULL) return under;
    const float at = layer->position[i], opacity = most * render_layer_opacity(layer, at);
    if (!(opacity > 0.0f)) return under;
    return render_mix(under, lit(render_ramp_at(&layer->ramp, at), light), opacity);
}

static render_colour ice_over(const render_scene *scene, size_t i, render_colour ground, render_colour light) {
    if (scene->ice == NULL) return ground;
    const float ice = scene->ice[i], opacity = render_ice_opacity(scene, ice);
    return opacity > 0.0f ? render_mix(ground, lit(render_ice_colour(scene, ice), light), opacity) : ground;
}

/* The bed shows through shallow water, and a thin darker shore outlines it. Water has little of the relief's light. */
static render_colour water_over(const render_scene *scene, size_t i, render_colour ground, render_colour light) {
    const float opacity = scene->opacity[i];
    if (!(opacity > 0.0f)) return layer_over(&scene->sediment, i, ground, light, 0.0f);
    const float at = render_water_position((double)scene->depth[i]);
    const render_colour calm = render_mix((render_colour){1.0f, 1.0f, 1.0f}, light, 0.4f);
    render_colour water = lit(render_ramp_at(&scene->water_ramp, at), calm);
    water = layer_over(&scene->sediment, i, water, calm, RENDER_MOST_SEDIMENT);
    return render_mix(ground, water, opacity * (0.72f + 0.25f * at));
}

static render_colour pixel(const render_scene *scene, size_t i) {
    const render_colour light = light_colour(scene->light[i], scene->sky[i]);
    render_colour colour = lit(ground_colour(scene, i), light);
    colour = layer_over(&scene->deposition, i, colour, light, RENDER_MOST_DEPOSITION);
    colour = ice_over(scene, i, colour, light);
    if (scene->opacity != NULL) {
        colour = water_over(scene, i, colour, light);
    } else {
        colour = layer_over(&scene->sediment, i, colour, light, 1.0f);
    }
    const render_colour soft = render_mix((render_colour){1.0f, 1.0f, 1.0f}, light, 0.75f);
    return layer_over(&scene->overlay, i, colour, soft, 1.0f);
}

void render_compose(const render_scene *scene, uint8_t *rgb, size_t stride) {
    const render_colour blank = render_from_srgb(RENDER_NO_DATA), line = render_from_srgb(RENDER_NO_DATA_LINE);
    render_gamma gamma;
    render_gamma_fill(&gamma);
#pragma omp parallel num_threads(scene->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(dynamic, 16)
        for (int y = 0; y < scene->height; y++) {
            for (int x = 0; x < scene->width; x++) {
                const size_t i = (size_t)y * (size_t)scene->width + (size_t)x;
                const float there = render_clamp((scene->coverage[i] - RENDER_COVERED) / 0.2f);
                const render_colour nothing = (x + y) % RENDER_HATCH == 0 ? line : blank;
                const render_colour colour = there > 0.0f ? render_mix(nothing, pixel(scene, i), there) : nothing;
                render_gamma_store(&gamma, colour, rgb + (size_t)y * stride + 3 * (size_t)x);
            }
        }
    }
}
