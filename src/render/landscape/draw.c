/* draw.c: a picture of the landscape: light, sky, ground, its cut sides, water. */
#include <math.h>

#include "platform/platform.h"
#include "render/landscape/landscape.h"
#include "render/landscape/tell.h"

typedef struct drawing {
    wadi_landscape *l;
    const wadi_look *look;
    eye eye;
    vec3 sun;
    double exaggeration, threshold, deep, base, relief;
    double low, high; /* of the heights' colours, m */
    bool overlaid, wet;
    render_layer overlay;
    int height; /* pixels */
} drawing;

/* --- what shaders are told --- */

static vec3 times(vec3 v, double by) { return (vec3){v.x * by, v.y * by, v.z * by}; }

/* What most of them know. */
static void use(const drawing *d, GLuint program) {
    const wadi_landscape *l = d->l;
    float m[16];
    for (int i = 0; i < 16; i++) m[i] = (float)d->eye.view_projection.m[i];
    glUseProgram(program);
    glUniformMatrix4fv(place_of(program, "view_projection"), 1, GL_FALSE, m);
    tell2(program, "cells", l->width, l->height);
    tell2(program, "cell", l->lx, l->ly);
    tell1(program, "exaggeration", d->exaggeration);
    tell3(program, "eye", d->eye.at);
    tell3(program, "forward", d->eye.forward);
    tell3(program, "sun", d->sun);
    tell_if(program, "perspective", d->eye.perspective);
    tell_if(program, "holes", l->there != NULL);
    tell_if(program, "lit", d->look->shadows);
    tell_if(program, "overlaid", d->overlaid);
    tell1(program, "haze", 0.05 / hypot(landscape_width(l), landscape_depth(l)));
    tell1(program, "threshold", d->threshold);
    tell1(program, "base", d->base);
    tell1(program, "relief", d->relief);
    tell_map(program, "heights", 0, l->layers[WADI_LAYER_HEIGHT].texture);
    tell_map(program, "waters", 1, l->layers[WADI_LAYER_WATER].texture);
    tell_map(program, "noise", 2, l->noise);
    tell_map(program, "light_map", 3, l->light.texture);
    tell_map(program, "there", 4, l->there_texture);
}

/* --- what is drawn, in its order --- */

static void whole_picture(const drawing *d) {
    glBindVertexArray(d->l->empty_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void draw_sky(const drawing *d) {
    use(d, d->l->sky);
    tell3(d->l->sky, "right", times(d->eye.right, d->eye.half_height * d->eye.aspect));
    tell3(d->l->sky, "up", times(d->eye.up, d->eye.half_height));
    glDepthMask(GL_FALSE);
    whole_picture(d);
    glDepthMask(GL_TRUE);
}

static void draw_mesh(const drawing *d, GLuint program) {
    wadi_landscape *l = d->l;
    tell1(program, "reach_of_one", landscape_reach(l, &d->eye, 1));
    glBindVertexArray(l->patch_array);
    glDrawElementsInstanced(GL_TRIANGLES, PATCH * PATCH * 6, GL_UNSIGNED_SHORT, NULL, (GLsizei)l->seen.count);
}

static void tell_overlay(const drawing *d, GLuint p) {
    const render_layer *overlay = &d->overlay;
    tell_map(p, "overlay_map", 6, d->l->layers[WADI_LAYER_OVERLAY].texture);
    tell_map(p, "ramp", 7, d->l->ramp);
    if (!d->overlaid) return;
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, RENDER_RAMP, 1, GL_RGB, GL_FLOAT, overlay->ramp.colours);
    tell2(p, "overlay_ends", overlay->scale.low, overlay->scale.high);
    tell3(p, "overlay_kind",
          (vec3){overlay->scale.logarithmic, overlay->palette->amount, (double)overlay->palette->whole});
}

static double most_change(const wadi_landscape *l) {
    const layer *change = &l->layers[WADI_LAYER_CHANGE];
    return fmax((double)change->high, -(double)change->low);
}

static void draw_terrain(const drawing *d) {
    wadi_landscape *l = d->l;
    const GLuint p = l->terrain;
    use(d, p);
    tell2(p, "range", d->low * d->exaggeration, d->high * d->exaggeration);
    const double most = d->look->change_m > 0 ? d->look->change_m : most_change(l);
    tell1(p, "change_scale", most > 0 ? 1 / fmax(0.12 * most, 0.004 * landscape_cell(l)) : 0);
    landscape_tell_marks(p, l, &d->eye, d->look, d->height);
    tell_map(p, "changes", 5, l->layers[WADI_LAYER_CHANGE].texture);
    tell_overlay(d, p);
    draw_mesh(d, p);
}

static void draw_sides(const drawing *d) {
    use(d, d->l->side);
    glBindVertexArray(d->l->side_array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, d->l->side_count);
}

static void draw_water(const drawing *d) {
    const GLuint p = d->l->water_program;
    use(d, p);
    tell1(p, "deep", d->deep);
    landscape_tell_marks(p, d->l, &d->eye, d->look, d->height);
    tell_map(p, "sediments", 5, d->l->layers[WADI_LAYER_SEDIMENT].texture);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    draw_mesh(d, p);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}

/* --- all of it --- */

static double threshold_m(const wadi_landscape *l, const wadi_look *look) {
    return look->water_threshold_m > 0 ? look->water_threshold_m : 0.002 * 0.5 * (l->lx + l->ly);
}

static bool is_wet(const wadi_landscape *l, const wadi_look *look) {
    return (double)l->layers[WADI_LAYER_WATER].high > threshold_m(l, look);
}

/* As deep as 95 % of the wet cells are, at most. */
static wadi_status find_deep(wadi_landscape *l, const wadi_look *look) {
    const size_t cells = (size_t)l->width * (size_t)l->height, quickly = (size_t)1 << 14;
    const double share = 0.95, threshold = threshold_m(l, look), now = platform_clock_s();
    double deep = 0;
    if (threshold != l->deep_threshold) l->deep_age = DUE;
    if (!is_wet(l, look) || l->deep_age == UP_TO_DATE || (l->deep_age == BEHIND && now < l->deep_found + FOLLOWS_S))
        return WADI_OK;
    const wadi_status status =
        render_quantiles(l->layers[WADI_LAYER_WATER].levels[0], cells, l->deep_age == DUE ? RENDER_SAMPLE : quickly,
                         (float)threshold, &share, &deep, 1);
    l->deep_m = (float)fmax(1.5 * deep, 0.02 * landscape_cell(l));
    l->deep_age = UP_TO_DATE, l->deep_found = now, l->deep_threshold = threshold;
    return status;
}

bool wadi_landscape_settled(const wadi_landscape *l, const wadi_look *look) {
    const bool by_the_map = landscape_is_overlaid(l, look) && !(look->overlay_low < look->overlay_high);
    if (look->shadows && (l->light.making || l->light.age != UP_TO_DATE)) return false;
    if (by_the_map && l->scale_age != UP_TO_DATE) return false;
    return l->deep_age == UP_TO_DATE || look->deep_m > 0 || !l->layers[WADI_LAYER_WATER].set;
}

/* The block's foot stays where it was, unless the ground comes down to it. */
static void choose_heights(drawing *d) {
    const layer *height = &d->l->layers[WADI_LAYER_HEIGHT];
    const double across = hypot(landscape_width(d->l), landscape_depth(d->l));
    const bool given = d->look->height_low < d->look->height_high;
    d->low = given ? d->look->height_low : (double)height->low;
    d->high = given ? d->look->height_high : (double)height->high;
    d->relief = fmax((d->high - d->low) * d->exaggeration, 0.02 * across);
    d->base = landscape_base(d->l, d->exaggeration);
    if (given) d->base = fmin(d->low * d->exaggeration - 0.05 * across, d->base + 0.04 * across);
}

static wadi_status prepare(drawing *d) {
    wadi_landscape *l = d->l;
    const wadi_look *look = d->look;
    d->exaggeration = look_exaggeration(look);
    d->sun = vec3_towards(look->sun_azimuth, look->sun_elevation);
    d->threshold = d->exaggeration * threshold_m(l, look);
    choose_heights(d);
    d->wet = is_wet(l, look);
    d->overlaid = landscape_is_overlaid(l, look);
    wadi_status status = find_deep(l, look);
    d->deep = d->exaggeration * (look->deep_m > 0 ? look->deep_m : (double)l->deep_m);
    if (status == WADI_OK && d->overlaid) status = landscape_overlay(l, look, &d->overlay);
    if (status == WADI_OK && !landscape_choose(l, &d->eye, d->exaggeration, &l->seen))
        status = wadi_fail(WADI_ERROR_MEMORY, "not enough memory to draw a landscape");
    return status;
}

wadi_status wadi_landscape_settle(wadi_landscape *l, wadi_look *look) {
    const layer *height = &l->layers[WADI_LAYER_HEIGHT];
    const wadi_status status = find_deep(l, look);
    if (status != WADI_OK) return status;
    if (!(look->deep_m > 0)) look->deep_m = is_wet(l, look) ? (double)l->deep_m : 0.45 * 0.5 * (l->lx + l->ly);
    if (!(look->height_low < look->height_high)) {
        look->height_low = (double)height->low;
        look->height_high = height->high > height->low ? (double)height->high : look->height_low + 1;
    }
    if (!(look->change_m > 0)) look->change_m = fmax(most_change(l), 0.07 * (look->height_high - look->height_low));
    return WADI_OK;
}

wadi_status wadi_landscape_draw(wadi_landscape *l, const wadi_camera *camera, const wadi_look *look, int width,
                                int height) {
    if (width < 1 || height < 1 || !(camera->distance > 0))
        return wadi_fail(WADI_ERROR_ARGUMENT, "a picture of %d x %d pixels from %g m away cannot be drawn", width,
                         height, camera->distance);
    drawing d = {.l = l, .look = look, .eye = eye_of(l, camera, look, width, height), .height = height};
    const wadi_status status = prepare(&d);
    if (status != WADI_OK) return status;
    glBindBuffer(GL_ARRAY_BUFFER, l->instances);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(l->seen.count * sizeof(patch)), l->seen.list, GL_STREAM_DRAW);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    if (look->shadows) landscape_light_up(l, look);
    glViewport(0, 0, width, height);
    glDepthMask(GL_TRUE);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    draw_sky(&d);
    draw_terrain(&d);
    if (look->sides) draw_sides(&d);
    if (d.wet) draw_water(&d);
    glBindVertexArray(0);
    glUseProgram(0);
    glActiveTexture(GL_TEXTURE0);
    const GLenum error = glGetError();
    return error == GL_NO_ERROR ? WADI_OK
                                : wadi_fail(WADI_ERROR_DEVICE, "%s: drawing failed (OpenGL error %#x)",
                                            (const char *)glGetString(GL_RENDERER), error);
}
