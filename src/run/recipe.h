/* recipe.h: what a run is asked to do: an input and stages, from a YAML file or from the command line (one stage). */
#ifndef WADI_RUN_RECIPE_H
#define WADI_RUN_RECIPE_H

#include "generator.h"
#include "run_options.h"
#include "run_state.h"

typedef struct recipe_stage {
    run_options options; /* the top's, and its own */
    run_places places;
    source_rows sources; /* written out in the recipe */
    events events;
    size_t first, last; /* the stages that are repeated together; both its own number where it stands alone */
    int64_t rounds;
} recipe_stage;

typedef struct recipe {
    char *file;        /* NULL: the command line */
    char *folder;      /* what its paths are relative to: "" or ending in a slash */
    const char *input; /* NULL: generated */
    const char *kind;  /* of generated terrain */
    generate_options generate;
    text_list generator; /* "key=value" as given, kind first */
    run_options top;
    run_places places;
    recipe_stage *stages;
    size_t stage_count;
    text_list texts; /* what the options point to */
    run_inputs
        stored; /* of a run.json: what its run was given; a stage's (from 1) as "2/rain" where there are several */
} recipe;

/* The options given on the command line; `input` may be NULL. Free it in any case. */
wadi_status recipe_from_options(const run_options *given, const char *input, recipe *recipe);
/* From a file, or a run.json; what the command line gave (bit i: option i, and the input) comes before what the recipe
 * says. Messages have line and column. Free it in any case. */
wadi_status recipe_read(const char *path, const run_options *given, uint64_t given_bits, const char *input,
                        recipe *recipe);
wadi_status recipe_parse(const char *name, const char *text, size_t count, const run_options *given,
                         uint64_t given_bits, recipe *recipe);
void recipe_free(recipe *recipe);

#endif
