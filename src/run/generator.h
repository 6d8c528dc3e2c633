/* generator.h: a generated terrain, for `wadi generate` and for recipes. */
#ifndef WADI_RUN_GENERATOR_H
#define WADI_RUN_GENERATOR_H

#include "option.h"

#include "wadi/io.h"
#include "wadi/terrain.h"

typedef struct generate_options {
    const char *output, *recipe, *from, *line;
    int size[2];
    uint64_t seed;
    number_pair cell;
    double world, relief, roughness, base, feature, warp, width, stretch, direction;
    int64_t octaves;
    bool force;
} generate_options;

extern const option
    run_generator_options[]; /* ended by a NULL name; recipes have all of them but output, recipe and force */
extern const generate_options run_generate_defaults;

/* checks the kind, and that there is memory */
wadi_status run_generate_check(const generate_options *given, const char *kind);
wadi_status run_generate_check_world(const generate_options *given);
wadi_status run_generate_check_maps(const generate_options *given, uint64_t maps);  /* memory for so many maps */
wadi_terrain run_generate_terrain(const generate_options *given, const char *kind); /* without picture and line */
/* Fills the map of a terrain, with the picture and the line that are given. */
wadi_status run_generate_heights(const generate_options *given, const wadi_terrain *terrain, float *heights);
/* A map of size and cell size as given, all 0. The caller destroys *raster, here and below, after an error too. */
wadi_status run_generate_empty(const generate_options *given, wadi_raster **raster);
wadi_status run_generate_raster(const generate_options *given, const char *kind, wadi_raster **raster);

#endif
