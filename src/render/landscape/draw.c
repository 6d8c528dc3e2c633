/* draw.c: draws a picture: first the visible ground and water, then the colour of each pixel, once. */
#include <math.h>
#include <stdio.h>

#include "core/least_depth.h"
#include "core/need.h"
#include "platform/platform.h"
#include "render/landscape/draw.h"
#include "render/landscape/tell.h"

/* --- the first pass --- */

#define COARSE 8 /* pixels per quad */

/* Created at first use. */
static wadi_status make_places(const drawing *d) {
    const bool holes = d->l->there != NULL;
    for (int i = 0; i < 2; i++) {
        char defines[64];
        snprintf(defines, sizeof defines, "%s%s%s", i == 1 ? "#define SURFACE\n" : "", holes ? "#define HOLES\n" : "",
                 d->icy ? "#define ICE\n" : "");
        GLuint *program = &d->l->places[i][holes][d->icy];
        if (*program == 0) *program = landscape_program("mesh.vert.glsl", "place.frag.glsl", defines);
        if (*program == 0) return WADI_ERROR_DEVICE;
    }
    return WADI_OK;
}

static void use_for_mesh(const drawing *d, GLuint program) {
    float m[16];
    for (int i = 0; i < 16; i++) m[i] = (float)d->eye.view_projection.m[i];
    landscape_use(d, program);
    glUniformMatrix4fv(place_of(program, "view_projection"), 1, GL_FALSE, m);
    tell1(program, "above", d->eye.above);
    tell1(program, "reach_of_one", landscape_reach(d->l, &d->eye, 1));
    tell_map(program, "there", 2, d->l->there_texture);
    tell1(program, "kind", 1);
}

static void draw_patches(const wadi_landscape *l, size_t first, size_t count, int index, int indices) {
    glBindBuffer(GL_ARRAY_BUFFER, l->instances);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, sizeof(patch), (const void *)(first * sizeof(patch)));
    glDrawElementsInstanced(GL_TRIANGLES, indices, GL_UNSIGNED_SHORT, (const void *)((size_t)index * sizeof(uint16_t)),
                            (GLsizei)count);
}

static void send_patches(const wadi_landscape *l) {
    const GLsizeiptr seen = (GLsizeiptr)(l->seen.count * sizeof(patch)),
                     rim = (GLsizeiptr)(l->rim.count * sizeof(patch));
    glBindBuffer(GL_ARRAY_BUFFER, l->instances);
    glBufferData(GL_ARRAY_BUFFER, seen + rim, NULL, GL_STREAM_DRAW);
    glBufferSubData(GL_ARRAY_BUFFER, 0, seen, l->seen.list);
    if (rim > 0) glBufferSubData(GL_ARRAY_BUFFER, seen, rim, l->rim.list);
}

static void stencil(GLuint kind, GLuint instead_of) {
    glStencilFunc(GL_ALWAYS, (GLint)kind, 0xff);
    glStencilMask(kind | instead_of);
}

/* The stencil marks the visible kind. For pixels with several samples this happens later. */
static void draw_places(const drawing *d) {
    static const float nothing[4] = {0};
    const wadi_landscape *l = d->l;
    const bool holes = l->there != NULL;
    const GLuint ground = l->places[0][holes][d->icy], water = l->places[1][holes][d->icy];
    send_patches(l);
    glBindFramebuffer(GL_FRAMEBUFFER, d->frame->to_grounds);
    glStencilMask(0xff);
    glClearBufferfv(GL_COLOR, 0, nothing);
    glClearBufferfi(GL_DEPTH_STENCIL, 0, 1, SEEN_SKY);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_STENCIL_TEST);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    glBindVertexArray(l->patch_array);
    use_for_mesh(d, ground);
    stencil(SEEN_GROUND, SEEN_SKY | SEEN_CUT);
    draw_patches(l, 0, l->seen.count, 0, PATCH_INDICES);
    tell1(ground, "kind", -1);
    stencil(SEEN_CUT, SEEN_SKY | SEEN_GROUND);
    if (d->look->sides) draw_patches(l, l->seen.count, l->rim.count, PATCH_INDICES, RIM_INDICES);
    glBindFramebuffer(GL_FRAMEBUFFER, d->frame->to_surfaces);
    glClearBufferfv(GL_COLOR, 0, nothing);
    if (d->wet) {
        use_for_mesh(d, water);
        stencil(SEEN_WATER, 0);
        /* on large quads a film of water and its ground would alternate between pixels */
        if (d->eye.pixels_a_quad > COARSE) glEnable(GL_POLYGON_OFFSET_FILL);
        glPolygonOffset(0, -2);
        draw_patches(l, 0, l->seen.count, 0, PATCH_INDICES);
        glDisable(GL_POLYGON_OFFSET_FILL);
        if (d->look->sides) draw_patches(l, l->seen.count, l->rim.count, PATCH_INDICES, RIM_INDICES);
    }
    glDisable(GL_DEPTH_TEST);
}

/* --- the whole picture --- */

static render_grid grid_of(const wadi_landscape *l) { return (render_grid){l->width, l->height, l->lx, l->ly}; }

static double threshold_m(const wadi_landscape *l, const wadi_look *look) {
    return look->water_threshold_m > 0 ? look->water_threshold_m : fmax(l->film_m, wadi_least_depth(l->lx, l->ly));
}

static bool has_water(const wadi_landscape *l) { return l->layers[WADI_LAYER_WATER].high > 0; }

static bool is_wet(const wadi_landscape *l, const wadi_look *look) {
    return (double)l->layers[WADI_LAYER_WATER].high > threshold_m(l, look);
}

enum { CLEAR_M = 5 };      /* the bed is seen through so much water, */
#define CLEAR_SHARE 0.0025 /* or this share of the terrain's diagonal */

/* The depth of the film and of the smallest river, and the 95 % quantile of the depth of wet cells. */
static wadi_status find_deep(wadi_landscape *l, const wadi_look *look) {
    const size_t cells = (size_t)l->width * (size_t)l->height, quickly = (size_t)1 << 14;
    const double share = 0.95, now = platform_clock_s();
    const float *water = l->layers[WADI_LAYER_WATER].levels[0];
    const render_grid grid = grid_of(l);
    double deep = 0;
    if (look->water_threshold_m != l->deep_threshold) l->deep_age = DUE;
    if (!has_water(l) || l->deep_age == UP_TO_DATE || (l->deep_age == BEHIND && now < l->deep_found + FOLLOWS_S))
        return WADI_OK;
    const size_t looked_at = l->deep_age == DUE ? RENDER_SAMPLE : quickly;
    wadi_status status = render_film_depth(water, &grid, looked_at, &l->film_m, &l->river_m);
    if (status == WADI_OK)
        status = render_quantiles(water, cells, looked_at, (float)threshold_m(l, look), &share, &deep, 1);
    if (look->water_threshold_m > 0) l->river_m = look->water_threshold_m;
    /* The bed of a sea is not seen from so far away. */
    const double dark = fmax(CLEAR_M, CLEAR_SHARE * hypot(landscape_width(l), landscape_depth(l)));
    l->deep_m = (float)fmax(fmin(1.5 * deep, dark), 0.02 * landscape_cell(l));
    l->deep_age = UP_TO_DATE, l->deep_found = now, l->deep_threshold = look->water_threshold_m;
    return status;
}

bool wadi_landscape_settled(const wadi_landscape *l, const wadi_look *look) {
    if (l == NULL || look == NULL) return true;
    const bool by_the_map = landscape_is_overlaid(l, look) && !(look->overlay_low < look->overlay_high);
    if (look->shadows && (l->light.making || l->light.age != UP_TO_DATE)) return false;
    if (by_the_map && l->scale_age != UP_TO_DATE) return false;
    if (landscape_is_icy(l) && l->firn_age != UP_TO_DATE) return false;
    return l->deep_age == UP_TO_DATE || !has_water(l);
}

double landscape_most_change(const wadi_landscape *l) {
    const layer *change = &l->layers[WADI_LAYER_CHANGE];
    return fmax((double)change->high, -(double)change->low);
}

/* The level of a sea: of water that covers blocks of cells along a twentieth of the rim, and has no dry land much
 * below. -INFINITY: none. Water is flat, so the deepest cell of a block tells its level. */
static double sea_level(const wadi_landscape *l, double threshold) {
    const value_range *heights = l->layers[WADI_LAYER_HEIGHT].blocks, *water = l->layers[WADI_LAYER_WATER].blocks;
    const int last_x = l->blocks_x - 1, last_y = l->blocks_y - 1;
    const double relief = (double)(l->layers[WADI_LAYER_HEIGHT].high - l->layers[WADI_LAYER_HEIGHT].low);
    double level = INFINITY, dry = INFINITY;
    int under = 0;
    if (heights == NULL || !has_water(l)) return -INFINITY;
    for (int y = 0; y <= last_y; y++)
        for (int x = 0; x <= last_x; x++) {
            const size_t i = (size_t)y * (size_t)l->blocks_x + (size_t)x;
            const bool rim = y == 0 || y == last_y || x == 0 || x == last_x, there = heights[i].low <= heights[i].high;
            if (there && !((double)water[i].high > threshold)) dry = fmin(dry, (double)heights[i].low);
            if (!rim || !there || !((double)water[i].low > threshold)) continue;
            level = fmin(level, (double)heights[i].low + (double)water[i].high);
            under++;
        }
    return under > (last_x + last_y) / 10 && level <= dry + 0.02 * relief ? level : -INFINITY;
}

/* The base of the block stays, unless the ground reaches it. */
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
    choose_heights(d);
    d->overlaid = landscape_is_overlaid(l, look);
    wadi_status status = find_deep(l, look);
    d->threshold = d->exaggeration * threshold_m(l, look);
    const bool settled = l->sea_settled && look->height_low < look->height_high;
    const double sea = settled ? l->sea_m : sea_level(l, threshold_m(l, look));
    d->land = sea > d->low && sea < d->high - 0.01 * (d->high - d->low) ? sea : d->low;
    d->wet = !look->unlit && is_wet(l, look);
    d->icy = landscape_is_icy(l);
    if (d->icy) d->firn = landscape_firn_line(l) * d->exaggeration;
    d->deep = d->exaggeration * (look->deep_m > 0 ? look->deep_m : (double)l->deep_m);
    if (status == WADI_OK && d->overlaid) status = landscape_overlay(l, look, &d->overlay);
    if (status == WADI_OK && !landscape_choose(l, &d->eye, d->exaggeration))
        status = wadi_fail(WADI_ERROR_MEMORY, "not enough memory to draw a landscape");
    return status;
}

wadi_status wadi_landscape_settle(wadi_landscape *l, wadi_look *look) {
    WADI_NEED(l);
    WADI_NEED(look);
    const layer *height = &l->layers[WADI_LAYER_HEIGHT];
    const wadi_status status = find_deep(l, look);
    if (status != WADI_OK) return status;
    if (!(look->deep_m > 0)) look->deep_m = is_wet(l, look) ? (double)l->deep_m : 0.45 * 0.5 * (l->lx + l->ly);
    l->sea_m = sea_level(l, threshold_m(l, look)), l->sea_settled = true;
    if (!(look->height_low < look->height_high)) {
        look->height_low = (double)height->low;
        look->height_high = height->high > height->low ? (double)height->high : look->height_low + 1;
    }
    if (!(look->change_m > 0))
        look->change_m = fmax(landscape_most_change(l), 0.07 * (look->height_high - look->height_low));
    return WADI_OK;
}

/* Sets all the OpenGL state that drawing needs: the caller may have changed it. */
static void begin_state(const drawing *d) {
    glViewport(0, 0, d->width, d->height);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_TRUE);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

wadi_status wadi_landscape_draw(wadi_landscape *l, const wadi_camera *camera, const wadi_look *look, int width,
                                int height) {
    WADI_NEED(l);
    WADI_NEED(camera);
    WADI_NEED(look);
    if (width < 1 || height < 1 || !(camera->distance > 0))
        return wadi_fail(WADI_ERROR_ARGUMENT, "a picture of %d x %d pixels from %g m away cannot be drawn", width,
                         height, camera->distance);
    drawing d = {.l = l, .look = look, .width = width, .height = height};
    d.eye = landscape_eye_of(l, camera, look, width, height);
    GLint frame = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &frame);
    wadi_status status = prepare(&d);
    if (status == WADI_OK) status = make_places(&d);
    if (status == WADI_OK) status = landscape_choose_shading(&d);
    if (status == WADI_OK) {
        if (look->shadows) landscape_light_up(l, look);
        landscape_send_small(l);
        begin_state(&d);
        draw_places(&d);
        landscape_colour(&d, (GLuint)frame);
        glBindVertexArray(0);
        glUseProgram(0);
        glActiveTexture(GL_TEXTURE0);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)frame);
    const GLenum error = status == WADI_OK ? glGetError() : GL_NO_ERROR;
    return error == GL_NO_ERROR ? status
                                : wadi_fail(WADI_ERROR_DEVICE, "%s: drawing failed (OpenGL error %#x)",
                                            (const char *)glGetString(GL_RENDERER), error);
}
