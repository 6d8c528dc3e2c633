/* generator.h: a generated terrain, for `wadi generate` and for recipes. */
#ifndef WADI_RUN_GENERATOR_H
#define WADI_RUN_GENERATOR_H

#include "option.h"

#include "wadi/io.h"

typedef struct generate_options {
    const char *output, *from, *line;
    int size[2];
    uint64_t seed;
    number_pair cell;
    double world, relief, roughness, base, feature, warp, width;
    int64_t octaves;
    bool force;
} generate_options;

extern const option run_generator_options[]; /* ended by a NULL name; recipes have all of them but output and force */
extern const generate_options run_generate_defaults;

/* checks the kind, and that there is memory */
wadi_status run_generate_check(const generate_options *given, const char *kind);
wadi_status run_generate_raster(const generate_options *given, const char *kind, wadi_raster **raster);

#endif
