/* scenes.c: terrains like those of the papers' figures, from pictures and captions. No paper gives a formula. */
#include <math.h>

#include "core/series.h"
#include "terrain/noise.h"

typedef struct scene {
    wadi_noise noise;
    double across, down; /* the map's sides, in shares of the longer one */
} scene;

static scene scene_of(const wadi_terrain *t) {
    const double longer = wadi_longer_side(t);
    scene s = {.across = t->width * t->lx / longer, .down = t->height * t->ly / longer};
    wadi_noise_prepare(t, &s.noise);
    return s;
}

/* 1 at 0, falling smoothly to 0 at 1. */
static double bump(double distance_squared) {
    const double rest = 1 - distance_squared;
    return rest > 0 ? rest * rest * rest : 0;
}

static double wave(double turns) {
    double cosine, sine;
    wadi_turn(turns, &cosine, &sine);
    return sine;
}

/* A slope from top to bottom with a winding bed. Its bends grow, and in a sharp one water leaves the bed. */
static double channel(const void *context, double u, double v) {
    const scene *s = context;
    const double x = u / s->across, y = v / s->down;
    const double bend = 0.06 + 0.10 * y;
    const double middle = 0.5 + bend * wave(1.75 * y);
    /* The bed keeps its width across its course. The slope of the course comes from differences. */
    const double ahead = 0.5 + (bend + 0.1 * 0.001) * wave(1.75 * (y + 0.001));
    const double course = (ahead - middle) * s->across / (0.001 * s->down);
    const double off = (x - middle) * s->across / (0.045 * sqrt(1 + course * course));
    return 1 - y - 0.12 * bump(off * off);
}

wadi_status wadi_make_channel(const wadi_terrain *t, float *heights) {
    const scene s = scene_of(t);
    wadi_fill_places(t, heights, channel, &s);
    return WADI_OK;
}

typedef struct hill {
    double x, y, radius, height;
} hill;

/* A summit with two shoulders, on ground with two hollows, where the two lakes of Fig. 6 can form. A little noise of
 * long waves makes it depend on the seed and keeps the slopes smooth. */
static double mountain(const void *context, double u, double v) {
    static const hill hills[] = {{0.45, 0.42, 0.52, 1.0},
                                 {0.66, 0.60, 0.34, 0.32},
                                 {0.26, 0.30, 0.30, 0.22},
                                 {0.20, 0.82, 0.34, -0.3},
                                 {0.84, 0.20, 0.32, -0.26}};
    const scene *s = context;
    const double x = u / s->across, y = v / s->down;
    double height = 0.12 * wadi_noise_sum(&s->noise, u, v, 0);
    for (size_t i = 0; i < sizeof hills / sizeof *hills; i++) {
        const double dx = (x - hills[i].x) / hills[i].radius, dy = (y - hills[i].y) / hills[i].radius;
        height += hills[i].height * bump(dx * dx + dy * dy);
    }
    return height;
}

wadi_status wadi_make_mountain(const wadi_terrain *t, float *heights) {
    scene s = scene_of(t);
    if (s.noise.octaves > 2) s.noise.octaves = 2;
    wadi_fill_places(t, heights, mountain, &s);
    return WADI_OK;
}

/* A crest that winds from left to right, and ridges from it down to two plains. Noise displaces the places of the
 * crest, which makes spurs. Ridged noise roughens high ground. */
static double mountains(const void *context, double u, double v) {
    const scene *s = context;
    const double wander = wadi_noise_octave(&s->noise, 2.2 * u + 0.5, 0.5, WADI_NOISE_FIELD);
    const double moved = v / s->down + 0.10 * wadi_noise_sum(&s->noise, 1.7 * u, 1.7 * v, 2);
    const double off = fabs(moved - 0.5 - 0.13 * wander) / 0.38;
    const double crest = off < 1 ? (1 - off) * (1 - off) * (1 + 0.8 * off) : 0;
    const double pass = 0.8 + 0.5 * wadi_noise_octave(&s->noise, 4 * u, 0.25, 2 * WADI_NOISE_FIELD + 40);
    const double ridges = wadi_noise_ridges(&s->noise, 1.8 * u, 1.8 * v, 0);
    return 0.02 * wadi_noise_sum(&s->noise, u, v, 3) + crest * pass * (0.55 + 0.45 * ridges);
}

wadi_status wadi_make_mountains(const wadi_terrain *t, float *heights) {
    const scene s = scene_of(t);
    wadi_fill_places(t, heights, mountains, &s);
    return WADI_OK;
}
