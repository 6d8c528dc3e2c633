/* recipe.h: the instructions for a run: an input and stages, from a YAML file or from the command line (one stage). */
#ifndef WADI_RUN_RECIPE_H
#define WADI_RUN_RECIPE_H

#include "generated.h"
#include "run_options.h"
#include "run_state.h"

typedef struct recipe_stage {
    run_options options; /* those of the top, overridden by its own */
    run_places places;
    source_rows sources; /* listed in the recipe itself */
    events events;
    size_t first, last; /* the range of stages that are repeated together; its own index if alone */
    int64_t rounds;
} recipe_stage;

typedef struct recipe {
    char *file;                /* NULL: the command line */
    char *folder;              /* base of relative paths: "" or ending in a slash */
    const char *input;         /* NULL: generated terrain */
    const wadi_raster *raster; /* the input in memory, in place of that file; NULL: none */
    generated generated;
    run_options top;
    run_places places;
    recipe_stage *stages;
    size_t stage_count;
    bool endless;      /* steps go on until a person stops them, as in the window */
    text_list texts;   /* owns the texts that options point to */
    run_inputs stored; /* inputs recorded in a run.json; with several stages, stage 1 on as "2/rain" */
} recipe;

/* The options given on the command line; `input` may be NULL. Free it in any case. */
wadi_status run_recipe_from_options(const run_options *given, const char *input, recipe *recipe);
/* Reads a recipe or a run.json. Values of the command line (bit i: option i, and the input) take precedence. Messages
 * have line and column. Free the recipe in any case. */
wadi_status run_recipe_read(const char *path, const run_options *given, option_set set_by_user, const char *input,
                            recipe *recipe);
wadi_status run_recipe_read_text(const char *name, const char *text, const run_options *given, option_set set_by_user,
                                 const char *input, recipe *recipe); /* the same from a text */
/* `text`: count bytes and a 0. */
wadi_status run_recipe_parse(const char *name, const char *text, size_t count, const run_options *given,
                             option_set set_by_user, recipe *recipe);
/* A terrain alone (`kind` or `layers` at the top), or the generated terrain of a recipe. */
wadi_status run_recipe_read_terrain(const char *path, recipe *recipe);
wadi_status run_recipe_parse_terrain(const char *name, const char *text, size_t count, recipe *recipe);
void run_recipe_free(recipe *recipe);

#endif
