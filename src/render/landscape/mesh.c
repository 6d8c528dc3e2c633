/* mesh.c: which patches are drawn, and how coarse. */
#include <math.h>
#include <stdlib.h>

#include "render/landscape/landscape.h"

#define PIXELS_A_QUAD 5.0 /* smaller triangles shade most pixels several times */

double landscape_reach(const wadi_landscape *l, const eye *e, int level) {
    if (level == 0) return 0;
    const double quad = ldexp(landscape_cell(l), level);
    if (!e->perspective) return quad * e->pixels_at_one < PIXELS_A_QUAD ? 0 : 1e30;
    return quad * e->pixels_at_one / PIXELS_A_QUAD;
}

typedef struct chooser {
    const wadi_landscape *l;
    const eye *eye;
    double exaggeration;
    patches *chosen;
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

static double distance_to(vec3 p, const box *b) {
    const vec3 d = {outside(p.x, b->low.x, b->high.x), outside(p.y, b->low.y, b->high.y),
                    outside(p.z, b->low.z, b->high.z)};
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

static void add(chooser *c, int x, int y, int level) {
    patches *p = c->chosen;
    if (p->count == p->room) {
        const size_t room = p->room > 0 ? 2 * p->room : 256;
        patch *list = realloc(p->list, room * sizeof *list);
        c->failed |= list == NULL;
        if (list == NULL) return;
        p->list = list;
        p->room = room;
    }
    p->list[p->count++] = (patch){(float)x, (float)y, (float)(1 << level)};
}

static void choose(chooser *c, int x, int y, int level) {
    const int cells = PATCH << level;
    if (x >= c->l->width - 1 || y >= c->l->height - 1) return;
    const box b = box_of(c, x, y, cells);
    if (!is_seen(c, &b)) return;
    if (level == 0 || distance_to(c->eye->at, &b) >= landscape_reach(c->l, c->eye, level)) {
        add(c, x, y, level);
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

bool landscape_choose(const wadi_landscape *l, const eye *e, double exaggeration, patches *chosen) {
    chooser c = {.l = l, .eye = e, .exaggeration = exaggeration, .chosen = chosen};
    int level = 0;
    chosen->count = 0;
    find_planes(&c);
    while ((PATCH << level) < l->width || (PATCH << level) < l->height) level++;
    choose(&c, 0, 0, level);
    return !c.failed;
}
