/* mesh.c: which patches are drawn, and how coarse. */
#include <math.h>
#include <stdlib.h>

#include "render/landscape/landscape.h"

double landscape_reach(const wadi_landscape *l, const eye *e, int level) {
    if (level == 0) return 0;
    const double quad = ldexp(landscape_cell(l), level);
    if (!e->perspective) return quad * e->pixels_at_one < e->pixels_a_quad ? 0 : 1e30;
    /* Beside a patch nothing may be coarser than what it slides towards. A patch that is drawn lies in one of the next
     * level that begins nearer than this, so it ends no further than this and that one's size: before the next level
     * begins to slide in its turn, at 0.85 of twice this. */
    const double across = ldexp(PATCH * hypot(l->lx, l->ly), level);
    return fmax(quad * e->pixels_at_one / e->pixels_a_quad, across / 0.69);
}

static int block_at(double cell, int blocks) { return (int)fmin(fmax(floor(cell / PATCH), 0), blocks - 1); }

value_range landscape_heights(const wadi_landscape *l, double x0, double y0, double x1, double y1) {
    const int left = block_at(fmin(x0, x1) - 1, l->blocks_x), right = block_at(fmax(x0, x1) + 1, l->blocks_x);
    const int top = block_at(fmin(y0, y1) - 1, l->blocks_y), bottom = block_at(fmax(y0, y1) + 1, l->blocks_y);
    value_range all = {INFINITY, -INFINITY};
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++) {
            const value_range *r = &l->blocks[(size_t)y * (size_t)l->blocks_x + (size_t)x];
            all.low = r->low < all.low ? r->low : all.low;
            all.high = r->high > all.high ? r->high : all.high;
        }
    return all;
}

typedef struct chooser {
    const wadi_landscape *l;
    const eye *eye;
    double exaggeration;
    patches *seen, *rim;
    vec3 planes[5]; /* of what is seen: inwards, through the eye; not without perspective */
    double offsets[5];
    bool failed;
} chooser;

typedef struct box {
    vec3 low, high;
} box;

static box box_of(const chooser *c, int x, int y, int cells) {
    const wadi_landscape *l = c->l;
    float low = INFINITY, high = -INFINITY;
    for (int by = y / PATCH; by < (y + cells) / PATCH && by < l->blocks_y; by++)
        for (int bx = x / PATCH; bx < (x + cells) / PATCH && bx < l->blocks_x; bx++) {
            const value_range *r = &l->blocks[(size_t)by * (size_t)l->blocks_x + (size_t)bx];
            low = r->low < low ? r->low : low;
            high = r->high > high ? r->high : high;
        }
    const double x1 = fmin(x + cells, l->width - 1), y1 = fmin(y + cells, l->height - 1);
    const double left = 0.5 * (l->width - 1), top = 0.5 * (l->height - 1);
    return (box){{(x - left) * l->lx, (y - top) * l->ly, (double)low * c->exaggeration},
                 {(x1 - left) * l->lx, (y1 - top) * l->ly, (double)high * c->exaggeration}};
}

static double outside(double v, double low, double high) { return v < low ? low - v : v > high ? v - high : 0; }

static double distance_to(const eye *e, const box *b) {
    const vec3 d = {outside(e->at.x, b->low.x, b->high.x), outside(e->at.y, b->low.y, b->high.y), e->above};
    return sqrt(vec3_dot(d, d));
}

static bool is_seen(const chooser *c, const box *b) {
    for (int i = 0; i < 5; i++) {
        const vec3 n = c->planes[i];
        const vec3 p = {n.x > 0 ? b->high.x : b->low.x, n.y > 0 ? b->high.y : b->low.y, n.z > 0 ? b->high.z : b->low.z};
        if (vec3_dot(n, p) < c->offsets[i]) return false;
    }
    return true;
}

static bool add(patches *p, patch one) {
    if (p->count == p->room) {
        const size_t room = p->room > 0 ? 2 * p->room : 256;
        patch *list = realloc(p->list, room * sizeof *list);
        if (list == NULL) return false;
        p->list = list;
        p->room = room;
    }
    p->list[p->count++] = one;
    return true;
}

static void choose(chooser *c, int x, int y, int level) {
    const int cells = PATCH << level;
    if (x >= c->l->width - 1 || y >= c->l->height - 1) return;
    const box b = box_of(c, x, y, cells);
    if (!is_seen(c, &b)) return;
    if (level == 0 || distance_to(c->eye, &b) >= landscape_reach(c->l, c->eye, level)) {
        const patch one = {(float)x, (float)y, (float)(1 << level)};
        const bool at_rim = x == 0 || y == 0 || x + cells >= c->l->width - 1 || y + cells >= c->l->height - 1;
        c->failed |= !add(c->seen, one) || (at_rim && !add(c->rim, one));
        return;
    }
    for (int i = 0; i < 4; i++) choose(c, x + i % 2 * cells / 2, y + i / 2 * cells / 2, level - 1);
}

static void plane(chooser *c, int i, vec3 inwards, vec3 through) {
    c->planes[i] = inwards;
    c->offsets[i] = vec3_dot(inwards, through);
}

static void find_planes(chooser *c) {
    const eye *e = c->eye;
    const double h = e->half_height, w = h * e->aspect;
    const vec3 back = {-e->right.x, -e->right.y, -e->right.z}, down = {-e->up.x, -e->up.y, -e->up.z};
    if (e->perspective) {
        plane(c, 0, vec3_along(e->right, e->forward, w), e->at);
        plane(c, 1, vec3_along(back, e->forward, w), e->at);
        plane(c, 2, vec3_along(e->up, e->forward, h), e->at);
        plane(c, 3, vec3_along(down, e->forward, h), e->at);
        plane(c, 4, e->forward, e->at);
    } else {
        plane(c, 0, e->right, vec3_along(e->at, e->right, -w));
        plane(c, 1, back, vec3_along(e->at, e->right, w));
        plane(c, 2, e->up, vec3_along(e->at, e->up, -h));
        plane(c, 3, down, vec3_along(e->at, e->up, h));
        plane(c, 4, e->up, vec3_along(e->at, e->up, -h));
    }
}

bool landscape_choose(wadi_landscape *l, const eye *e, double exaggeration) {
    chooser c = {.l = l, .eye = e, .exaggeration = exaggeration, .seen = &l->seen, .rim = &l->rim};
    int level = 0;
    l->seen.count = l->rim.count = 0;
    find_planes(&c);
    while ((PATCH << level) < l->width || (PATCH << level) < l->height) level++;
    choose(&c, 0, 0, level);
    return !c.failed;
}
