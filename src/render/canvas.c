/* canvas.c: pictures; rectangles, lines, and text from the stroke font by distance to its strokes. */
#include "canvas.h"

#include <math.h>
#include <stdlib.h>

#include "font.h"

wadi_picture *render_picture_create(int width, int height) {
    wadi_picture *picture = malloc(sizeof *picture);
    if (picture == NULL) return NULL;
    *picture = (wadi_picture){width, height, malloc((size_t)width * (size_t)height * 3)};
    if (picture->rgb != NULL) return picture;
    free(picture);
    return NULL;
}

void wadi_picture_destroy(wadi_picture *picture) {
    if (picture == NULL) return;
    free(picture->rgb);
    free(picture);
}

void render_fill(wadi_picture *picture, int x, int y, int width, int height, uint32_t srgb) {
    const int left = x > 0 ? x : 0, top = y > 0 ? y : 0;
    const int right = x + width < picture->width ? x + width : picture->width;
    const int bottom = y + height < picture->height ? y + height : picture->height;
    for (int row = top; row < bottom; row++) {
        uint8_t *rgb = picture->rgb + ((size_t)row * (size_t)picture->width + (size_t)left) * 3;
        for (int column = left; column < right; column++, rgb += 3) {
            rgb[0] = (uint8_t)(srgb >> 16);
            rgb[1] = (uint8_t)(srgb >> 8);
            rgb[2] = (uint8_t)srgb;
        }
    }
}

void render_frame(wadi_picture *picture, int x, int y, int width, int height, uint32_t srgb) {
    render_fill(picture, x - 1, y - 1, width + 2, 1, srgb);
    render_fill(picture, x - 1, y + height, width + 2, 1, srgb);
    render_fill(picture, x - 1, y, 1, height, srgb);
    render_fill(picture, x + width, y, 1, height, srgb);
}

static void blend(wadi_picture *picture, int x, int y, uint32_t srgb, double share) {
    if (x < 0 || y < 0 || x >= picture->width || y >= picture->height) return;
    uint8_t *rgb = picture->rgb + ((size_t)y * (size_t)picture->width + (size_t)x) * 3;
    for (int c = 0; c < 3; c++) {
        const double ink = srgb >> (16 - 8 * c) & 255;
        rgb[c] = (uint8_t)(rgb[c] + (ink - rgb[c]) * share + 0.5);
    }
}

static double distance_to_segment(double px, double py, const render_segment *s) {
    const double dx = s->x1 - s->x0, dy = s->y1 - s->y0, squared = dx * dx + dy * dy;
    const double along = squared > 0.0 ? ((px - s->x0) * dx + (py - s->y0) * dy) / squared : 0.0;
    const double t = along < 0.0 ? 0.0 : along > 1.0 ? 1.0 : along;
    return hypot(px - s->x0 - t * dx, py - s->y0 - t * dy);
}

void render_line(wadi_picture *picture, double x0, double y0, double x1, double y1, double width, uint32_t srgb) {
    const render_segment segment = {x0, y0, x1, y1};
    const double half = 0.5 * width, reach = half + 1.0;
    const int left = (int)floor(fmin(x0, x1) - reach), right = (int)ceil(fmax(x0, x1) + reach);
    const int top = (int)floor(fmin(y0, y1) - reach), bottom = (int)ceil(fmax(y0, y1) + reach);
    for (int y = top; y <= bottom; y++) {
        for (int x = left; x <= right; x++) {
            const double ink = half + 0.5 - distance_to_segment(x + 0.5, y + 0.5, &segment);
            if (ink > 0.0) blend(picture, x, y, srgb, ink < 1.0 ? ink : 1.0);
        }
    }
}

static void draw_glyph(wadi_picture *picture, const render_glyph *glyph, double x, double y, double size,
                       uint32_t srgb) {
    const double unit = size / RENDER_FONT_CAPITAL;
    const double half = fmax(0.062 * size, 0.6);
    const int left = (int)floor(x - half - 1.0), right = (int)ceil(x + glyph->width * unit + half + 1.0);
    const int top = (int)floor(y - 1.25 * size - half), bottom = (int)ceil(y + 0.4 * size + half);
    for (int py = top; py <= bottom; py++) {
        for (int px = left; px <= right; px++) {
            const double gx = (px + 0.5 - x) / unit, gy = (y - py - 0.5) / unit;
            double nearest = 1e9;
            for (int s = 0; s < glyph->segments; s++)
                nearest = fmin(nearest, distance_to_segment(gx, gy, &glyph->segment[s]));
            const double ink = half + 0.5 - nearest * unit;
            if (ink > 0.0) blend(picture, px, py, srgb, ink < 1.0 ? ink : 1.0);
        }
    }
}

double render_text(wadi_picture *picture, double x, double y, double size, uint32_t srgb, const char *text) {
    const double unit = size / RENDER_FONT_CAPITAL, start = x;
    double spacing = 0.0;
    while (*text != '\0') {
        render_glyph glyph;
        render_font_next(&text, &glyph);
        x += spacing;
        if (picture != NULL && glyph.segments > 0) draw_glyph(picture, &glyph, x, y, size, srgb);
        x += glyph.width * unit;
        spacing = RENDER_FONT_SPACING * unit;
    }
    return x - start;
}

double render_text_width(double size, const char *text) { return render_text(NULL, 0.0, 0.0, size, 0, text); }
