/* landforms.c: an island, and a mountain range along a line. Noise bends their outlines, and ridged noise cuts their
 * flanks, so that neither is a plain shape. */
#include <math.h>
#include <stdlib.h>

#include "terrain/noise.h"

/* 0 at 0 and below, 1 at 1 and above, smooth between. */
static double smooth_step(double s) {
    if (s <= 0) return 0;
    return s < 1 ? s * s * (3 - 2 * s) : 1;
}

typedef struct island {
    wadi_noise detail, coast; /* of the feature size, and of the size of the map */
    double across, down;      /* the map's sides, in shares of the longer one */
} island;

/* The distance from the middle is 1 at the border. Noise of a third of the map makes bays and headlands. Lowlands lie
 * along the coast, and mountains inland. */
static double island_height(const void *context, double u, double v) {
    const island *s = context;
    const double x = 2 * u / s->across - 1, y = 2 * v / s->down - 1;
    const double border = 1 - (fabs(x) > fabs(y) ? fabs(x) : fabs(y));
    const double bend = 0.3 * wadi_noise_sum(&s->coast, u, v, 4) * smooth_step(4 * border);
    const double inland = (0.8 - sqrt(x * x + y * y) + bend) * smooth_step(12 * border);
    const double land = smooth_step(1.25 * inland);
    return land * (0.3 + 0.7 * (0.3 + 0.7 * land) * wadi_noise_ridges(&s->detail, u, v, 0));
}

wadi_status wadi_make_island(const wadi_terrain *t, float *heights) {
    const double longer = wadi_longer_side(t);
    island s = {.across = t->width * t->lx / longer, .down = t->height * t->ly / longer};
    wadi_terrain whole = *t;
    whole.feature_m = 0;
    wadi_noise_prepare(t, &s.detail);
    whole.roughness = 0.45;
    wadi_noise_prepare(&whole, &s.coast);
    wadi_fill_places(t, heights, island_height, &s);
    return WADI_OK;
}

typedef struct range {
    wadi_noise noise;
    const double (*line)[2]; /* in shares of the longer side */
    int points;
    double width; /* likewise */
} range;

static double square_to_segment(const double a[2], const double b[2], double u, double v) {
    const double dx = b[0] - a[0], dy = b[1] - a[1], length = dx * dx + dy * dy;
    double along = length > 0 ? ((u - a[0]) * dx + (v - a[1]) * dy) / length : 0;
    along = along < 0 ? 0 : along > 1 ? 1 : along;
    const double off_x = u - a[0] - along * dx, off_y = v - a[1] - along * dy;
    return off_x * off_x + off_y * off_y;
}

static double distance_to_line(const range *s, double u, double v) {
    double nearest = HUGE_VAL;
    for (int i = 1; i < s->points; i++) {
        const double square = square_to_segment(s->line[i - 1], s->line[i], u, v);
        nearest = square < nearest ? square : nearest;
    }
    return sqrt(nearest);
}

/* Flanks are concave, as in `mountains`. Passes and summits alternate along the crest. */
static double range_height(const void *context, double u, double v) {
    const range *s = context;
    const double moved_u = u + 0.3 * s->width * wadi_noise_sum(&s->noise, u, v, 4);
    const double moved_v = v + 0.3 * s->width * wadi_noise_sum(&s->noise, u, v, 5);
    const double off = distance_to_line(s, moved_u, moved_v) / s->width;
    if (off >= 1) return 0;
    const double crest = (1 - off) * (1 - off) * (1 + 0.8 * off);
    const double pass =
        0.85 + 0.4 * wadi_noise_octave(&s->noise, 0.7 * u / s->width, 0.7 * v / s->width, 6 * WADI_NOISE_FIELD);
    return crest * pass * (0.5 + 0.5 * wadi_noise_ridges(&s->noise, u, v, 0));
}

wadi_status wadi_make_range(const wadi_terrain *t, float *heights) {
    const double longer = wadi_longer_side(t);
    const double across = t->width * t->lx / longer, down = t->height * t->ly / longer;
    const double middle[2][2] = {{0, 0.5 * down}, {across, 0.5 * down}};
    range s = {.line = middle, .points = 2, .width = 0.25 * (across < down ? across : down)};
    if (t->width_m > 0) s.width = t->width_m / longer;
    wadi_terrain rough = *t;
    if (rough.feature_m == 0) rough.feature_m = s.width * longer;
    wadi_noise_prepare(&rough, &s.noise);
    double(*line)[2] = NULL;
    if (t->line != NULL) {
        line = malloc((size_t)t->line_points * sizeof *line);
        if (line == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a line");
        for (int i = 0; i < t->line_points; i++) {
            line[i][0] = t->line[i][0] / longer;
            line[i][1] = t->line[i][1] / longer;
        }
        s.line = (const double(*)[2])line;
        s.points = t->line_points;
    }
    wadi_fill_places(t, heights, range_height, &s);
    free(line);
    return WADI_OK;
}
