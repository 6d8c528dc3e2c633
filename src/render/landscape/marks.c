/* marks.c: marks on the ground: the ring of a brush, places, the line of a section, an outline. Each is computed only
 * in the part of the picture where it can be, for all pixels there. */
#include <math.h>

#include "render/landscape/draw.h"
#include "render/landscape/tell.h"

#define LEAST_PIXELS 4.5 /* of a place's radius */
#define MARGIN 6         /* pixels around it for its line */

enum { DISC, LINE, RING }; /* as in marks.frag.glsl */

static double east(const wadi_landscape *l, double x) { return (x - 0.5 * l->width) * l->lx; }
static double south(const wadi_landscape *l, double y) { return (y - 0.5 * l->height) * l->ly; }

typedef struct bounds { /* of the picture, pixels */
    double left, right, bottom, top;
} bounds;

/* Extends the bounds by a point, or to the whole picture if the point is behind the eye. */
static void add_point(const drawing *d, vec3 at, bounds *b) {
    const eye *e = &d->eye;
    const vec3 from = vec3_minus(at, e->at);
    const double ahead = vec3_dot(from, e->forward), pixels = e->pixels_at_one / (e->perspective ? ahead : 1);
    const bool behind = e->perspective && !(ahead > 0);
    const double x = 0.5 * d->width + vec3_dot(from, e->right) * pixels;
    const double y = 0.5 * d->height + vec3_dot(from, e->up) * pixels;
    b->left = fmin(b->left, behind ? 0 : x), b->right = fmax(b->right, behind ? d->width : x);
    b->bottom = fmin(b->bottom, behind ? 0 : y), b->top = fmax(b->top, behind ? d->height : y);
}

/* The part of the picture that may show the ground between these columns and rows. */
static bounds bounds_of(const drawing *d, double x0, double y0, double x1, double y1) {
    const wadi_landscape *l = d->l;
    const value_range heights = landscape_heights(l, x0, y0, x1, y1);
    bounds b = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (int i = 0; i < 8; i++)
        add_point(d,
                  (vec3){east(l, i & 1 ? x0 : x1), south(l, i & 2 ? y0 : y1),
                         (double)(i & 4 ? heights.low : heights.high) * d->exaggeration},
                  &b);
    return b;
}

static void draw_within(const drawing *d, bounds b) {
    const double left = fmax(floor(b.left) - MARGIN, 0), right = fmin(ceil(b.right) + MARGIN, d->width);
    const double bottom = fmax(floor(b.bottom) - MARGIN, 0), top = fmin(ceil(b.top) + MARGIN, d->height);
    if (!(left < right) || !(bottom < top)) return;
    glScissor((GLint)left, (GLint)bottom, (GLsizei)(right - left), (GLsizei)(top - bottom));
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void tell_ink(GLuint p, int kind, unsigned rgb) {
    tell_count(p, "kind", kind);
    tell3(p, "ink", (vec3){(rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0});
}

static void draw_disc(const drawing *d, GLuint p, const wadi_mark *mark) {
    const wadi_landscape *l = d->l;
    const double rx = mark->radius_m / l->lx, ry = mark->radius_m / l->ly;
    const vec3 middle = {east(l, mark->x), south(l, mark->y),
                         landscape_surface(l, mark->x - 0.5, mark->y - 0.5, d->exaggeration)};
    const double ahead = vec3_dot(vec3_minus(middle, d->eye.at), d->eye.forward);
    bounds b = bounds_of(d, mark->x - rx, mark->y - ry, mark->x + rx, mark->y + ry), at = {INFINITY, 0, INFINITY, 0};
    add_point(d, middle, &at);
    b.left = fmin(b.left, at.left - LEAST_PIXELS), b.right = fmax(b.right, at.left + LEAST_PIXELS);
    b.bottom = fmin(b.bottom, at.bottom - LEAST_PIXELS), b.top = fmax(b.top, at.bottom + LEAST_PIXELS);
    tell_ink(p, DISC, mark->rgb);
    tell4(p, "shape", middle.x, middle.y, mark->radius_m, 0);
    tell1(p, "filled", mark->filled);
    tell3(p, "seen",
          (vec3){at.left, at.bottom, 8 * LEAST_PIXELS * (d->eye.perspective ? ahead : 1) / d->eye.pixels_at_one});
    tell1(p, "least_pixels", LEAST_PIXELS);
    draw_within(d, b);
}

static void draw_line(const drawing *d, GLuint p, double x0, double y0, double x1, double y1) {
    const wadi_landscape *l = d->l;
    tell_ink(p, LINE, 0xffdb4d);
    tell4(p, "shape", east(l, x0), south(l, y0), east(l, x1), south(l, y1));
    draw_within(d, bounds_of(d, x0, y0, x1, y1));
}

static void draw_outline(const drawing *d, GLuint p) {
    const size_t count = d->look->outline_corners;
    for (size_t i = 0; i < count; i++) {
        const double *a = d->look->outline[i], *b = d->look->outline[(i + 1) % count];
        draw_line(d, p, a[0], a[1], b[0], b[1]);
    }
}

static void draw_ring(const drawing *d, GLuint p) {
    const wadi_landscape *l = d->l;
    const double x = d->look->ring_x, y = d->look->ring_y, radius = d->look->ring_radius_m;
    const double rx = radius / l->lx, ry = radius / l->ly, falloff = d->look->ring_falloff;
    tell_ink(p, RING, 0xfffae6);
    tell4(p, "shape", east(l, x), south(l, y), radius, falloff > 0 && falloff < 1 ? radius * (1 - falloff) : 0);
    draw_within(d, bounds_of(d, x - rx, y - ry, x + rx, y + ry));
}

void landscape_draw_marks(const drawing *d, GLuint p) {
    glEnable(GL_SCISSOR_TEST);
    for (size_t i = 0; i < d->look->mark_count; i++) draw_disc(d, p, &d->look->marks[i]);
    const wadi_look *k = d->look;
    if (k->line) draw_line(d, p, k->line_x0, k->line_y0, k->line_x1, k->line_y1);
    draw_outline(d, p);
    if (d->look->ring_radius_m > 0) draw_ring(d, p);
    glDisable(GL_SCISSOR_TEST);
}
