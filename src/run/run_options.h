/* run_options.h: the options of a run, from the command line or a recipe. */
#ifndef WADI_RUN_RUN_OPTIONS_H
#define WADI_RUN_RUN_OPTIONS_H

#include "backend.h"
#include "events.h"
#include "fail.h"
#include "film.h"
#include "option.h"
#include "read_args.h"
#include "sources.h"

/* The places of the options in a recipe, for messages. */
typedef struct run_places {
    const char *file;
    place self; /* the recipe or the stage */
    place options[MOST_OPTIONS];
    place *settings;
} run_places;

typedef struct run_options {
    const char *output, *resume, *recipe;
    const char *model, *preset;
    int64_t steps;             /* -1: not given */
    double time_s;             /* -1: not given */
    text_list settings, knobs; /* "Kc=0.3", "strength=0.7" */
    const char *rain, *rain_series, *sources, *hardness, *water, *mask;
    number_pair breach;          /* m: depth and length of a cut; count 0: none are made */
    const char *sea_level;       /* NULL: as the parameters say */
    int boundary, scale, settle; /* -1: the preset's */
    double world_m;              /* 0: not given */
    int64_t levels;              /* 0: not given */
    double feature_m;            /* 0: not given */
    double level_warp;           /* in coarse cells */
    uint64_t seed;
    const char *seeds; /* "1..16": variations; NULL: not given */
    const char *maps;
    const char *gauges; /* "NAME=X,Y NAME=X,Y:X,Y" */
    double gauge_every; /* s; 0: not given */
    int format;         /* a wadi_format; 0: that of the input, with its type; -1: not given */
    const char *tile;   /* "N/COLUMNSxROWS" */
    int64_t margin;     /* of a tile, in cells; -1: not given */
    const char *save;
    int save_format; /* of the series, an index of run_series_formats */
    int64_t checkpoint_every;
    const char *video;
    int64_t every; /* steps between frames; 0: not given */
    double rate;   /* frames a second; 0: not given */
    landscape_args film;
    backend_args on;
    int64_t threads;
    int ground; /* wadi_ground */
    bool pixel, allow_out_of_range, dry_run, json, quiet, force, no_checkpoint, no_preview, strict_inputs;
    bool repeats; /* from a run.json, which names every value */
    read_args read;
    const source_rows *source_rows; /* listed in the recipe */
    const events *events;           /* likewise */
    const run_places *places;       /* NULL: the command line */
} run_options;

extern const option run_option_rows[];        /* ended by a NULL name */
extern const run_options run_options_default; /* what is not given */

int run_option_index(const char *name); /* of this option, which exists */

/* If the options come from a recipe: puts the place of the option (member NULL: of the stage), or of a --set, before
 * the error's message. Return the status. */
wadi_status run_at(const run_options *options, const void *member, wadi_status status);
wadi_status run_at_setting(const run_options *options, size_t setting, wadi_status status);

#endif
