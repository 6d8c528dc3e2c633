/* draw.c: a picture of the landscape: light, sky, ground, its cut sides, water. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/landscape/landscape.h"
#include "render/palette.h"

typedef struct drawing {
    wadi_landscape *l;
    const wadi_look *look;
    eye eye;
    vec3 sun;
    double exaggeration, threshold, deep, base, relief;
    double low, high; /* of the heights' colours, m */
    bool overlaid, wet;
    GLint frame;
} drawing;

/* --- what shaders are told --- */

static GLint place_of(GLuint program, const char *name) { return glGetUniformLocation(program, name); }
static void tell1(GLuint program, const char *name, double v) { glUniform1f(place_of(program, name), (float)v); }
static void tell2(GLuint program, const char *name, double x, double y) {
    glUniform2f(place_of(program, name), (float)x, (float)y);
}
static void tell3(GLuint program, const char *name, vec3 v) {
    glUniform3f(place_of(program, name), (float)v.x, (float)v.y, (float)v.z);
}
static void tell_if(GLuint program, const char *name, bool v) { glUniform1i(place_of(program, name), v); }
static void tell_map(GLuint program, const char *name, int unit, GLuint texture) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(GL_TEXTURE_2D, texture);
    glUniform1i(place_of(program, name), unit);
}

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
    tell_map(program, "light_map", 3, l->light_map);
    tell_map(program, "there", 4, l->there_texture);
}

/* --- what is drawn, in its order --- */

static void whole_picture(const drawing *d) {
    glBindVertexArray(d->l->empty_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* Made anew where the ground, the sun or the exaggeration changed. */
static void light_up(const drawing *d) {
    wadi_landscape *l = d->l;
    const double now[] = {d->look->sun_azimuth, d->look->sun_elevation, d->exaggeration};
    if (!d->look->shadows || (!l->light_stale && memcmp(now, l->lit_for, sizeof now) == 0)) return;
    glBindFramebuffer(GL_FRAMEBUFFER, l->light_frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, l->light_map, 0);
    glViewport(0, 0, l->light_width, l->light_height);
    glDisable(GL_DEPTH_TEST);
    use(d, l->light);
    tell_map(l->light, "light_map", 3, 0); /* is written now */
    tell1(l->light, "finest", log2((double)l->width / l->light_width));
    whole_picture(d);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)d->frame);
    l->light_stale = false;
    memcpy(l->lit_for, now, sizeof now);
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

/* Of a map with both signs not what its name has. */
static const render_palette *palette_of(const drawing *d) {
    return d->l->scale.diverging ? &render_change_palette : render_palette_find(d->look->overlay_name);
}

/* The map's colours and their scale, as in a map's picture. */
static wadi_status choose_colours(drawing *d) {
    wadi_landscape *l = d->l;
    const render_palette *palette = render_palette_find(d->look->overlay_name);
    if (strncmp(l->scaled, d->look->overlay_name, sizeof l->scaled - 1) == 0) return WADI_OK;
    const wadi_status status = render_scale_choose(l->overlay, (size_t)l->width * (size_t)l->height, palette->amount,
                                                   palette->logarithmic, &l->scale);
    if (status != WADI_OK) return status;
    const render_palette *shown = palette_of(d);
    render_ramp ramp;
    render_ramp_fill(&ramp, shown->stops, shown->stop_count);
    glBindTexture(GL_TEXTURE_2D, l->ramp);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, RENDER_RAMP, 1, GL_RGB, GL_FLOAT, ramp.colours);
    snprintf(l->scaled, sizeof l->scaled, "%s", d->look->overlay_name);
    return WADI_OK;
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
    tell_map(p, "changes", 5, l->layers[WADI_LAYER_CHANGE].texture);
    tell_map(p, "overlay_map", 6, l->layers[WADI_LAYER_OVERLAY].texture);
    tell_map(p, "ramp", 7, l->ramp);
    if (d->overlaid) {
        const render_palette *palette = palette_of(d);
        const bool given = d->look->overlay_low < d->look->overlay_high;
        tell2(p, "overlay_ends", given ? d->look->overlay_low : l->scale.low,
              given ? d->look->overlay_high : l->scale.high);
        tell3(p, "overlay_kind", (vec3){l->scale.logarithmic, palette->amount, (double)palette->whole});
    }
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

/* As deep as 95 % of the wet cells are, at most. */
static wadi_status find_deep(wadi_landscape *l, const wadi_look *look) {
    const double share = 0.95;
    double deep = 0;
    if (l->deep_m > 0 || l->water == NULL) return WADI_OK;
    const wadi_status status =
        render_quantiles(l->water, (size_t)l->width * (size_t)l->height, (float)threshold_m(l, look), &share, &deep, 1);
    l->deep_m = (float)fmax(1.5 * deep, 0.02 * landscape_cell(l));
    return status;
}

static bool is_wet(const wadi_landscape *l, const wadi_look *look) {
    return l->water != NULL && (double)l->layers[WADI_LAYER_WATER].high > threshold_m(l, look);
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
    d->overlaid = look->overlay_name != NULL && l->overlay != NULL;
    wadi_status status = find_deep(l, look);
    d->deep = d->exaggeration * (look->deep_m > 0 ? look->deep_m : (double)l->deep_m);
    if (status == WADI_OK && d->overlaid) status = choose_colours(d);
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
    drawing d = {.l = l, .look = look, .eye = eye_of(l, camera, look, width, height)};
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &d.frame);
    const wadi_status status = prepare(&d);
    if (status != WADI_OK) return status;
    glBindBuffer(GL_ARRAY_BUFFER, l->instances);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(l->seen.count * sizeof(patch)), l->seen.list, GL_STREAM_DRAW);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    light_up(&d);
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
