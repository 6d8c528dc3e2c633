/* mesh.c: selects the patches to draw, and their resolution. */
#include <math.h>
#include <stdlib.h>

#include "render/landscape/landscape.h"

double landscape_reach(const wadi_landscape *l, const eye *e, int level) {
    if (level == 0) return 0;
    const double quad = ldexp(landscape_cell(l), level);
    if (!e->perspective) return quad * e->pixels_at_one < e->pixels_a_quad ? 0 : 1e30;
    /* A neighbour of a patch may not be coarser than the level that the patch slides towards. A drawn patch lies in a
     * patch of the next level that begins nearer than this distance. So it ends within this distance plus the size of
     * that patch. The next level begins to slide only beyond that, at 0.85 of twice this distance. */
    const double across = ldexp(PATCH * hypot(l->lx, l->ly), level);
    return fmax(quad * e->pixels_at_one / e->pixels_a_quad, across / 0.69);
}

static float highest(const value_range *blocks, size_t i) { return blocks != NULL ? blocks[i].high : 0; }

/* For blocks x0 to x1, y0 to y1: the lowest ground, and the highest ground, ice and water. */
static value_range range_of(const wadi_landscape *l, int x0, int y0, int x1, int y1) {
    const value_range *heights = l->layers[WADI_LAYER_HEIGHT].blocks, *water = l->layers[WADI_LAYER_WATER].blocks,
                      *ice = l->layers[WADI_LAYER_ICE].blocks;
    value_range all = NOTHING;
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1 && heights != NULL; x++) {
            const size_t i = (size_t)y * (size_t)l->blocks_x + (size_t)x;
            const float top = heights[i].high + highest(ice, i) + highest(water, i);
            all.low = heights[i].low < all.low ? heights[i].low : all.low;
            all.high = top > all.high ? top : all.high;
        }
    return all.low <= all.high ? all : (value_range){0, 0};
}

static int block_at(double cell, int blocks) { return (int)fmin(fmax(floor(cell / PATCH), 0), blocks - 1); }

value_range landscape_heights(const wadi_landscape *l, double x0, double y0, double x1, double y1) {
    return range_of(l, block_at(fmin(x0, x1) - 1, l->blocks_x), block_at(fmin(y0, y1) - 1, l->blocks_y),
                    block_at(fmax(x0, x1) + 1, l->blocks_x), block_at(fmax(y0, y1) + 1, l->blocks_y));
}

typedef struct chooser {
    const wadi_landscape *l;
    const eye *eye;
    double exaggeration;
    patches *seen, *rim;
    vec3 planes[5]; /* of the view: inwards, through the eye; unused without perspective */
    double offsets[5];
    bool failed;
} chooser;

typedef struct box {
    vec3 low, high;
} box;

/* A patch reaches one cell into the next blocks. */
static box box_of(const chooser *c, int x, int y, int cells) {
    const wadi_landscape *l = c->l;
    const value_range heights =
        range_of(l, x / PATCH, y / PATCH, block_at(x + cells, l->blocks_x), block_at(y + cells, l->blocks_y));
    const double x1 = fmin(x + cells, l->width - 1), y1 = fmin(y + cells, l->height - 1);
    const double left = 0.5 * (l->width - 1), top = 0.5 * (l->height - 1);
    return (box){{(x - left) * l->lx, (y - top) * l->ly, (double)heights.low * c->exaggeration},
                 {(x1 - left) * l->lx, (y1 - top) * l->ly, (double)heights.high * c->exaggeration}};
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
