/* accumulation.c: Freeman 1991. A cell gives to each lower neighbour in proportion to a power of the slope there. In
 * filled depressions and on level ground it gives all to one neighbour, as D8 does. */
#include "core/accumulation.h"
#include "core/series.h"

#include <math.h>
#include <string.h>

typedef struct shares {
    uint32_t to[8];
    double part[8]; /* of the whole; they add up to 1 */
    int count;
} shares;

static double steepest_of(const wadi_flood *f, uint32_t cell, shares *s) {
    double steepest = 0;
    for (int k = 0; k < 8; k++) {
        uint32_t there;
        if (!wadi_flood_neighbour(f, cell, k, &there) || f->areas[there] == 0) continue;
        const double slope = ((double)f->level[cell] - (double)f->level[there]) / f->steps[k];
        if (!(slope > 0)) continue;
        s->to[s->count] = there;
        s->part[s->count++] = slope;
        steepest = slope > steepest ? slope : steepest;
    }
    return steepest;
}

static void share(const wadi_flood *f, uint32_t cell, double exponent, shares *s) {
    s->count = 0;
    const double steepest = steepest_of(f, cell, s);
    if (s->count == 0) {
        s->part[0] = 1;
        s->count = wadi_flood_receiver(f, cell, &s->to[0]);
        return;
    }
    double sum = 0;
    for (int i = 0; i < s->count; i++) {
        s->part[i] = wadi_power(s->part[i] / steepest, exponent);
        sum += s->part[i];
    }
    for (int i = 0; i < s->count; i++) s->part[i] /= sum;
}

/* The flood reaches cells in the order of their level. So in reverse each cell is complete before it gives. */
void wadi_spread_cells(const wadi_flood *flood, double exponent, double *cells) {
    memset(cells, 0, (size_t)flood->width * (size_t)flood->height * sizeof *cells);
    for (size_t i = flood->reached; i-- > 0;) {
        const uint32_t cell = flood->order[i];
        shares s;
        cells[cell] += 1;
        share(flood, cell, exponent, &s);
        for (int k = 0; k < s.count; k++) cells[s.to[k]] += s.part[k] * cells[cell];
    }
}

/* The place of a neighbour, in m. */
static void way_to(const wadi_flood *f, uint32_t from, uint32_t to, double *east, double *north) {
    const int width = f->width, x = (int)(to % (uint32_t)width) - (int)(from % (uint32_t)width),
              y = (int)(to / (uint32_t)width) - (int)(from / (uint32_t)width);
    *east = x * f->steps[0];
    *north = 0 - y * f->steps[2];
}

void wadi_spread_direction(const wadi_flood *flood, double exponent, uint32_t cell, double *east, double *north) {
    shares s;
    double x = 0, y = 0;
    share(flood, cell, exponent, &s);
    for (int k = 0; k < s.count; k++) {
        double dx, dy;
        way_to(flood, cell, s.to[k], &dx, &dy);
        const double length = sqrt(dx * dx + dy * dy);
        x += s.part[k] * dx / length;
        y += s.part[k] * dy / length;
    }
    const double size = sqrt(x * x + y * y);
    *east = size > 1e-9 ? x / size : 0;
    *north = size > 1e-9 ? y / size : 0;
}
