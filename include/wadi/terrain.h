/* terrain.h: generates starting terrains, rain maps and hardness maps, with the same bits on every machine.
 * Arrays are float32, row-major, width * height, first row at the top, heights in metres. */
#ifndef WADI_TERRAIN_H
#define WADI_TERRAIN_H

#include "wadi/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wadi_terrain {
    const char *kind;  /* one of wadi_terrain_kinds() */
    int width, height; /* cells, any size from 2 */
    double lx, ly;     /* m, default 1 */
    uint64_t seed;
    double relief_m;   /* highest minus lowest; 0: 0.2 of the longer side. For rain maps the largest rain; 0: 1 */
    double roughness;  /* random terrain: amplitude of an octave over that of the one before; default 0.5 */
    double base_m;     /* height of the lowest point */
    int threads;       /* 0: all */
    const float *mask; /* letters: a picture of mask_width * mask_height, owned by the caller; above 0.5 is mountain */
    int mask_width, mask_height;
    int octaves; /* kinds of noise: how many at most; 0: down to waves of about four cells, which none goes below */
    double feature_m; /* kinds of noise: length of the longest waves; 0: a third of the longer side (random: a quarter;
                         range: width_m) */
    double warp_m;    /* about how far other noise moves each place; 0: not at all */
    const double (*line)[2]; /* range: line_points places x, y in m from the top left corner, owned by the caller; */
    int line_points;         /* NULL: from left to right across the middle */
    double width_m;          /* range: from the crest to the foot; 0: a quarter of the shorter side */
    double stretch;          /* kinds of noise: how many times as long as wide its shapes are; 0: 1 */
    double direction_deg;    /* of their length; ramp: where it rises to; clockwise from up */
} wadi_terrain;

WADI_API wadi_terrain wadi_default_terrain(const char *kind, int width, int height);
typedef struct wadi_terrain_kind {
    const char *name;    /* "diamond-square", "cone", ... */
    const char *summary; /* one line */
    bool rain;           /* a rain map: from base_m (no rain) to base_m + relief_m, in any unit */
    bool noise;          /* a kind of noise: takes octaves, feature_m and stretch */
} wadi_terrain_kind;
WADI_API const wadi_terrain_kind *wadi_terrain_kinds(size_t *count);
/* Random terrain of one seed and one ratio of sides has the same large shapes at every size. */
WADI_API wadi_status wadi_terrain_generate(const wadi_terrain *terrain, float *heights);
/* Moves the places of any map as warp_m says, by noise with waves of feature_m. The kind and the relief do not count.
 */
WADI_API wadi_status wadi_terrain_warp(const wadi_terrain *terrain, float *heights);

/* Opens closed basins. From each pit a channel is cut over the lowest pass, so that it falls all the way: to lower
 * ground, the border, cells without data or the sea. A basin that would need a deeper or longer cut stays a lake. */
typedef struct wadi_breaching {
    int width, height;           /* cells, 2 or more each */
    double lx, ly;               /* m */
    double deepest_m, longest_m; /* of a cut; 0: any */
    bool sea;                    /* land below sea_m that is joined to the border is sea, and needs no cut */
    double sea_m;
    const char *scratch; /* folder for files of 5 to 10 bytes a cell; NULL: in memory */
} wadi_breaching;
typedef struct wadi_breached {
    size_t opened, left; /* basins */
    size_t cells;        /* that were cut */
    double volume_m3, deepest_m;
} wadi_breached;
/* Changes the heights (NaN: no data). The same bits on every machine. If memory ends on the way, only some basins are
 * open. */
WADI_API wadi_status wadi_breach(const wadi_breaching *how, float *heights, wadi_breached *done);

/* Raises the water (m deep) to the sea's level where the land is lower than that, and joined to the border or to cells
 * without data by land that is. So does a simulation when it gets its heights, unless it is a tile. */
WADI_API wadi_status wadi_flood_sea(const float *heights, int width, int height, double level_m, float *water);

/* Hardness from the height, as in jako2011: scales the height to [low, high], adds random noise of amplitude `noise`,
 * and blurs with a Gaussian of standard deviation blur_cells. NaN heights give NaN. */
typedef struct wadi_hardness {
    int width, height;
    double low, high;  /* default 0.1, 0.9 */
    double noise;      /* default 0.4 */
    double blur_cells; /* default 2 */
    uint64_t seed;
    bool wrap; /* periodic, as with WADI_WRAP; default false */
} wadi_hardness;
WADI_API wadi_hardness wadi_default_hardness(int width, int height);
WADI_API wadi_status wadi_hardness_from_height(const wadi_hardness *hardness, const float *heights, float *values);

#ifdef __cplusplus
}
#endif
#endif
