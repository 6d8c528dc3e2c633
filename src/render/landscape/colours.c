/* colours.c: colours each pixel once. Sky, ground, cut face and water each colour their visible pixels. */
#include <math.h>
#include <stdio.h>

#include "render/landscape/draw.h"
#include "render/landscape/tell.h"

/* The settings of a quality: the last row whose least quality it reaches. */
static const struct {
    double least;
    int samples;
    const char *defines;
} shadings[SHADINGS] = {{0, 1, "#define SAMPLES 1\n#define SIMPLE\n"},
                        {0.4, 1, "#define SAMPLES 1\n"},
                        {0.75, MOST_SAMPLES, "#define SAMPLES 4\n"}};

static const char *const fragments[PASSES] = {
    [PASS_SKY] = "sky.frag.glsl",     [PASS_GROUND] = "ground.frag.glsl", [PASS_CUT] = "cut.frag.glsl",
    [PASS_WATER] = "water.frag.glsl", [PASS_MARKS] = "marks.frag.glsl",   [PASS_KIND] = "kind.frag.glsl",
    [PASS_COPY] = "copy.frag.glsl"};
static const GLuint seen_in[PASSES] = {[PASS_SKY] = SEEN_SKY,
                                       [PASS_GROUND] = SEEN_GROUND,
                                       [PASS_CUT] = SEEN_CUT,
                                       [PASS_WATER] = SEEN_WATER,
                                       [PASS_MARKS] = SEEN_GROUND};

static bool has_marks(const wadi_look *look) {
    return look->ring_radius_m > 0 || look->mark_count > 0 || look->line || look->outline_corners > 0;
}

static bool is_drawn(const drawing *d, pass pass) {
    const wadi_look *look = d->look;
    return pass == PASS_WATER   ? d->wet
           : pass == PASS_SKY   ? !look->unlit
           : pass == PASS_CUT   ? look->sides
           : pass == PASS_KIND  ? shadings[d->shading].samples > 1
           : pass == PASS_MARKS ? has_marks(look)
                                : true;
}

/* Forms of a program: of dry land, with an overlay, with ice, or several of these. */
static int form_of(const drawing *d, pass pass) {
    const bool overlaid = d->overlaid && (pass == PASS_GROUND || pass == PASS_WATER);
    const bool icy = d->icy && (pass == PASS_GROUND || pass == PASS_CUT || pass == PASS_WATER || pass == PASS_MARKS);
    const bool dry = d->look->ground == WADI_GROUND_DRY && pass == PASS_GROUND;
    return (overlaid ? OVERLAID : 0) | (dry ? DRY : 0) | (icy ? ICY : 0);
}

static GLuint *program_of(const drawing *d, pass pass) { return &d->l->colours_of[d->shading][form_of(d, pass)][pass]; }

/* Programs are built at first use: llvmpipe takes some tenths of a second for one. */
wadi_status landscape_choose_shading(drawing *d) {
    wadi_landscape *l = d->l;
    const double quality = look_quality(d->look);
    d->shading = SHADINGS - 1;
    while (d->shading > 0 && (quality < shadings[d->shading].least || l->most_samples < shadings[d->shading].samples))
        d->shading--;
    for (int i = 0; i < PASSES; i++) {
        GLuint *program = program_of(d, (pass)i);
        char defines[96];
        if (*program != 0 || !is_drawn(d, (pass)i)) continue;
        const int form = form_of(d, (pass)i);
        snprintf(defines, sizeof defines, "%s%s%s%s", shadings[d->shading].defines,
                 form & OVERLAID ? "#define OVERLAID\n" : "", form & DRY ? "#define DRY\n" : "",
                 form & ICY ? "#define ICE\n" : "");
        *program = landscape_program("whole.vert.glsl", fragments[i], defines);
        if (*program == 0) return WADI_ERROR_DEVICE;
    }
    const int samples = shadings[d->shading].samples;
    d->frame = &l->frames[samples > 1];
    if (landscape_frame(d->frame, d->width, d->height, samples)) return WADI_OK;
    return wadi_fail(WADI_ERROR_MEMORY, "OpenGL has no room for a picture of %d x %d pixels", d->width, d->height);
}

/* --- uniforms --- */

static vec3 times(vec3 v, double by) { return (vec3){v.x * by, v.y * by, v.z * by}; }

/* Uniforms of all programs. */
void landscape_use(const drawing *d, GLuint program) {
    const wadi_landscape *l = d->l;
    glUseProgram(program);
    tell2(program, "cells", l->width, l->height);
    tell2(program, "cell", l->lx, l->ly);
    tell1(program, "exaggeration", d->exaggeration);
    tell3(program, "eye", d->eye.at);
    tell3(program, "forward", d->eye.forward);
    tell_if(program, "perspective", d->eye.perspective);
    tell1(program, "shift", d->eye.shift);
    tell1(program, "threshold", d->threshold);
    tell1(program, "base", d->base);
    tell_map(program, "heights", 0, l->layers[WADI_LAYER_HEIGHT].texture);
    tell_map(program, "waters", 1, l->layers[WADI_LAYER_WATER].texture);
    if (d->icy) tell_map(program, "ices", 9, l->layers[WADI_LAYER_ICE].texture);
}

static void tell_places(const frame *f, GLuint p) {
    const GLenum kind = f->samples > 1 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D;
    tell_map_of(p, "grounds", 2, kind, f->grounds);
    tell_map_of(p, "surfaces", 3, kind, f->surfaces);
    glUniform4fv(place_of(p, "spots_x"), 1, f->spots_x);
    glUniform4fv(place_of(p, "spots_y"), 1, f->spots_y);
}

/* Uniforms of seen.glsl. */
static void tell_view(const drawing *d, GLuint p) {
    const wadi_landscape *l = d->l;
    tell3(p, "sun", landscape_vec3_towards(d->look->sun_azimuth, d->look->sun_elevation));
    tell3(p, "right", times(d->eye.right, d->eye.half_height * d->eye.aspect));
    tell3(p, "up", times(d->eye.up, d->eye.half_height));
    tell2(p, "picture", d->width, d->height);
    tell_if(p, "sides", d->look->sides);
    tell1(p, "haze", 0.06 / hypot(landscape_width(l), landscape_depth(l)));
    tell_if(p, "lit", d->look->shadows);
    tell_places(d->frame, p);
    tell_map(p, "noise", 4, l->noise);
    tell_map(p, "light_map", 5, l->light.texture);
}

static void tell_overlay(const drawing *d, GLuint p) {
    const render_layer *overlay = &d->overlay;
    const render_scale_kind kind = overlay->palette->kind;
    const bool over_all = !render_scale_is_amount(kind) && kind != RENDER_SCALE_AROUND_0;
    tell_map(p, "overlay_map", 7, d->l->layers[WADI_LAYER_OVERLAY].texture);
    tell_map(p, "ramp", 8, d->l->ramp);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, RENDER_RAMP, 1, GL_RGB, GL_FLOAT, overlay->ramp.colours);
    tell2(p, "overlay_ends", overlay->scale.low, overlay->scale.high);
    tell3(p, "overlay_kind", (vec3){overlay->scale.logarithmic, !over_all, (double)overlay->palette->whole});
}

static void tell_ground(const drawing *d, GLuint p) {
    const double most = d->look->change_m > 0 ? d->look->change_m : landscape_most_change(d->l);
    tell2(p, "range", d->land * d->exaggeration, (d->land + fmax(d->high - d->land, 1e-6)) * d->exaggeration);
    tell1(p, "change_scale", most > 0 ? 1 / fmax(0.12 * most, 0.004 * landscape_cell(d->l)) : 0);
    const double brook = d->exaggeration * (d->l->river_m > 0 ? d->l->river_m : 1),
                 river = fmax(4 * brook, d->threshold);
    tell2(p, "rivers", log2(brook), 1 / log2(river / brook));
    tell_map(p, "changes", 6, d->l->layers[WADI_LAYER_CHANGE].texture);
    tell_if(p, "unlit", d->look->unlit);
    tell1(p, "detail", d->look->detail ? 1 : 0);
    if (d->icy) tell1(p, "firn_line", d->firn);
    if (d->overlaid) tell_overlay(d, p);
}

static void tell_rest(const drawing *d, pass pass, GLuint p) {
    if (pass == PASS_GROUND) tell_ground(d, p);
    if (pass == PASS_CUT) tell1(p, "relief", d->relief);
    if (pass == PASS_WATER) tell1(p, "deep", d->deep);
    if (pass == PASS_WATER) tell_map(p, "sediments", 6, d->l->layers[WADI_LAYER_SEDIMENT].texture);
    if (pass == PASS_COPY) tell_map(p, "pixels", 6, d->frame->picture);
}

/* --- the passes in order --- */

static void draw_whole(const drawing *d, pass pass) {
    const GLuint p = *program_of(d, pass);
    landscape_use(d, p);
    tell_view(d, p);
    tell_rest(d, pass, p);
    if (pass == PASS_MARKS)
        landscape_draw_marks(d, p);
    else
        glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* Sets the stencil of pixels from their samples. */
static void find_kinds(const drawing *d) {
    static const GLuint kinds[] = {SEEN_SKY, SEEN_GROUND, SEEN_CUT, SEEN_WATER};
    const GLuint p = *program_of(d, PASS_KIND);
    glClearBufferfi(GL_DEPTH_STENCIL, 0, 1, 0);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    landscape_use(d, p);
    tell_view(d, p);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        glStencilFunc(GL_ALWAYS, (GLint)kinds[i], 0xff);
        glStencilMask(kinds[i]);
        tell_count(p, "kind", kinds[i] == SEEN_SKY ? 0 : kinds[i] == SEEN_CUT ? -1 : 1);
        if (kinds[i] == SEEN_WATER) tell_map_of(p, "grounds", 2, GL_TEXTURE_2D_MULTISAMPLE, d->frame->surfaces);
        if (kinds[i] != SEEN_WATER || d->wet) glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

/* Opaque surfaces add up to a pixel, and others are blended over them. The alpha of the picture stays 1. */
static void blend(pass pass) {
    const bool over = pass == PASS_WATER || pass == PASS_MARKS;
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_ONE, over ? GL_ONE_MINUS_SRC_ALPHA : GL_ONE, GL_ZERO, GL_ONE);
}

void landscape_colour(const drawing *d, GLuint framebuffer) {
    static const float black[4] = {0, 0, 0, 1};
    glBindVertexArray(d->l->empty_array);
    glBindFramebuffer(GL_FRAMEBUFFER, d->frame->to_picture);
    glStencilMask(0xff);
    if (d->frame->samples > 1) find_kinds(d);
    glStencilMask(0);
    glClearBufferfv(GL_COLOR, 0, black);
    glEnable(GL_BLEND);
    for (int i = 0; i <= PASS_MARKS; i++) {
        if (!is_drawn(d, (pass)i)) continue;
        glStencilFunc(GL_EQUAL, 0xff, seen_in[i]);
        blend((pass)i);
        draw_whole(d, (pass)i);
    }
    glDisable(GL_BLEND);
    glDisable(GL_STENCIL_TEST);
    glStencilMask(0xff);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    draw_whole(d, PASS_COPY);
}
