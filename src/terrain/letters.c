/* letters.c: a mountain in the shape of a picture (the "PG" of Mei et al. 2007, Fig. 1). The picture is in the
 * middle of the map. Heights depend on the distance to its outline, outwards to the foot and inwards to the crest. The
 * exact Euclidean distance transform is that of Felzenszwalb and Huttenlocher (2012), in metres. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "terrain/noise.h"

/* The position of the picture: converts a cell's centre (in m) to a place in the picture (in its cells). */
typedef struct laying {
    const wadi_terrain *terrain;
    double scale, x0, y0; /* m: a picture's cell, and its top left corner */
} laying;

/* As large as possible with a margin of a tenth of the map's shorter side. The picture's cells are square. */
static laying lay(const wadi_terrain *t) {
    const double across = t->width * t->lx, down = t->height * t->ly;
    const double margin = 0.1 * (across < down ? across : down);
    const double x_scale = (across - 2 * margin) / t->mask_width, y_scale = (down - 2 * margin) / t->mask_height;
    const double scale = x_scale < y_scale ? x_scale : y_scale;
    return (laying){t, scale, 0.5 * (across - scale * t->mask_width), 0.5 * (down - scale * t->mask_height)};
}

static double picture_cell(const wadi_terrain *t, int x, int y) {
    if (x < 0 || y < 0 || x >= t->mask_width || y >= t->mask_height) return 0;
    const float value = t->mask[(size_t)y * (size_t)t->mask_width + (size_t)x];
    return value > 0 ? (value < 1 ? (double)value : 1) : 0; /* NaN: 0 */
}

/* Bilinear between the picture's cells, so that an enlarged outline has no steps. */
static bool is_inside(const laying *l, int x, int y) {
    const wadi_terrain *t = l->terrain;
    const double u = ((x + 0.5) * t->lx - l->x0) / l->scale - 0.5, v = ((y + 0.5) * t->ly - l->y0) / l->scale - 0.5;
    if (!(u > -1 && v > -1 && u < t->mask_width && v < t->mask_height)) return false;
    const int i = (int)floor(u), j = (int)floor(v);
    const double s = u - i, r = v - j;
    const double above = (1 - s) * picture_cell(t, i, j) + s * picture_cell(t, i + 1, j);
    const double below = (1 - s) * picture_cell(t, i, j + 1) + s * picture_cell(t, i + 1, j + 1);
    return (1 - r) * above + r * below > 0.5;
}

/* The lower envelope of parabolas with their feet on `values` at multiples of `cell`; FLT_MAX: no parabola. hull and
 * from have room for n and n + 1. */
static void envelope(const float *values, int n, double cell, int *hull, double *from, float *out) {
    int count = 0;
    for (int q = 0; q < n; q++) {
        if (values[q] == FLT_MAX) continue;
        const double high = (double)values[q] + q * cell * (q * cell);
        double meet = -HUGE_VAL;
        while (count > 0) {
            const int p = hull[count - 1];
            meet = (high - ((double)values[p] + p * cell * (p * cell))) / (2 * cell * (q - p));
            if (meet > from[count - 1]) break;
            count--;
            meet = -HUGE_VAL;
        }
        hull[count] = q;
        from[count++] = meet;
    }
    for (int q = 0, k = 0; q < n; q++) {
        while (k + 1 < count && from[k + 1] < q * cell) k++;
        const double off = count > 0 ? (q - hull[k]) * cell : 0;
        out[q] = count > 0 ? (float)((double)values[hull[k]] + off * off) : FLT_MAX;
    }
}

/* The work space to transform a line of cells. */
typedef struct room {
    float *line, *out;
    int *hull;
    double *from;
} room;

static bool room_make(size_t n, room *r) {
    *r = (room){malloc(n * sizeof *r->line), malloc(n * sizeof *r->out), malloc(n * sizeof *r->hull),
                malloc((n + 1) * sizeof *r->from)};
    return r->line != NULL && r->out != NULL && r->hull != NULL && r->from != NULL;
}

static void room_free(room *r) {
    free(r->line);
    free(r->out);
    free(r->hull);
    free(r->from);
}

/* Squared distances to the cells that are 0 in `map` (FLT_MAX elsewhere): down the columns, then along the rows. */
static void distances(const wadi_terrain *t, room *r, float *map) {
    const size_t width = (size_t)t->width, height = (size_t)t->height;
    for (size_t x = 0; x < width; x++) {
        for (size_t y = 0; y < height; y++) r->line[y] = map[y * width + x];
        envelope(r->line, t->height, t->ly, r->hull, r->from, r->out);
        for (size_t y = 0; y < height; y++) map[y * width + x] = r->out[y];
    }
    for (size_t y = 0; y < height; y++) {
        for (size_t x = 0; x < width; x++) r->line[x] = map[y * width + x];
        envelope(r->line, t->width, t->lx, r->hull, r->from, map + y * width);
    }
}

/* m: distance to the outline, which is half a cell before the nearest cell on the other side. Positive inside. */
static double signed_distance(const wadi_terrain *t, float to_inside, float to_outside) {
    const double half = 0.25 * (t->lx + t->ly), longer = wadi_longer_side(t);
    if (to_inside > 0) return to_inside < FLT_MAX ? half - sqrt((double)to_inside) : -longer;
    return to_outside < FLT_MAX ? sqrt((double)to_outside) - half : longer;
}

typedef struct slopes {
    const float *heights; /* m: distances to the outline */
    const wadi_terrain *terrain;
    double foot, top; /* m */
    wadi_noise noise;
} slopes;

/* A cell is read before its height is written in the same place. */
static double slope_height(const void *context, double u, double v) {
    const slopes *s = context;
    const double longer = wadi_longer_side(s->terrain);
    const size_t x = (size_t)(u * longer / s->terrain->lx), y = (size_t)(v * longer / s->terrain->ly);
    const double share = ((double)s->heights[y * (size_t)s->terrain->width + x] + s->foot) / s->top;
    if (share <= 0) return 0;
    const double spur = share + 0.2 * share * wadi_noise_sum(&s->noise, u, v, 4);
    return spur * (0.35 + 0.65 * spur) * (0.6 + 0.4 * wadi_noise_ridges(&s->noise, u, v, 0));
}

/* From the foot, a twentieth of the longer side outside, up to a sharp crest. Noise as long as the slopes makes
 * summits and passes along the crest, and spurs and gullies on the slopes. */
static void raise_slopes(const wadi_terrain *t, float *heights) {
    const double longer = wadi_longer_side(t), foot = 0.05 * longer;
    const size_t count = (size_t)t->width * (size_t)t->height;
    double deepest = 0;
    for (size_t i = 0; i < count; i++) deepest = (double)heights[i] > deepest ? (double)heights[i] : deepest;
    slopes s = {.heights = heights, .terrain = t, .foot = foot, .top = deepest + foot};
    wadi_terrain rough = *t;
    if (rough.feature_m == 0) rough.feature_m = fmin(1.5 * s.top, longer);
    wadi_noise_prepare(&rough, &s.noise);
    wadi_fill_places(t, heights, slope_height, &s);
}

/* The mean of 2 * radius + 1 cells. The end cells continue beyond the ends. */
static void blur_line(const float *line, int n, int radius, float *out) {
    double sum = 0;
    for (int i = -radius; i <= radius; i++) sum += (double)line[i < 0 ? 0 : i < n ? i : n - 1];
    for (int i = 0; i < n; i++) {
        out[i] = (float)(sum / (2 * radius + 1));
        const int in = i + radius + 1, gone = i - radius;
        sum += (double)line[in < n ? in : n - 1] - (double)line[gone > 0 ? gone : 0];
    }
}

static int blur_radius(const wadi_terrain *t, double cell, int cells) {
    const double radius = 0.008 * wadi_longer_side(t) / cell + 1;
    return radius < cells ? (int)radius : cells;
}

/* Twice in each direction: an outline of cells has corners, and each would make a facet on the slope. */
static void smooth(const wadi_terrain *t, room *r, float *heights) {
    const size_t width = (size_t)t->width, height = (size_t)t->height;
    const int x_radius = blur_radius(t, t->lx, t->width), y_radius = blur_radius(t, t->ly, t->height);
    for (size_t y = 0; y < height; y++) {
        blur_line(heights + y * width, t->width, x_radius, r->out);
        blur_line(r->out, t->width, x_radius, heights + y * width);
    }
    for (size_t x = 0; x < width; x++) {
        for (size_t y = 0; y < height; y++) r->line[y] = heights[y * width + x];
        blur_line(r->line, t->height, y_radius, r->out);
        blur_line(r->out, t->height, y_radius, r->line);
        for (size_t y = 0; y < height; y++) heights[y * width + x] = r->line[y];
    }
}

wadi_status wadi_make_letters(const wadi_terrain *t, float *heights) {
    const laying l = lay(t);
    const size_t width = (size_t)t->width, count = width * (size_t)t->height;
    float *to_inside = malloc(count * sizeof *to_inside);
    room r;
    const bool enough = room_make((size_t)(t->width > t->height ? t->width : t->height), &r) && to_inside != NULL;
    if (enough) {
        for (size_t i = 0; i < count; i++) {
            const bool inside = is_inside(&l, (int)(i % width), (int)(i / width));
            to_inside[i] = inside ? 0 : FLT_MAX;
            heights[i] = inside ? FLT_MAX : 0;
        }
        distances(t, &r, to_inside);
        distances(t, &r, heights);
        for (size_t i = 0; i < count; i++) heights[i] = (float)signed_distance(t, to_inside[i], heights[i]);
        smooth(t, &r, heights);
        raise_slopes(t, heights);
    }
    room_free(&r);
    free(to_inside);
    if (enough) return WADI_OK;
    return wadi_fail(WADI_ERROR_MEMORY, "not enough memory to generate %dx%d cells", t->width, t->height);
}
