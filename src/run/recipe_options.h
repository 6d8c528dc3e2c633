/* recipe_options.h: the options in a recipe: from YAML nodes to the structs that the command line fills too. */
#ifndef WADI_RUN_RECIPE_OPTIONS_H
#define WADI_RUN_RECIPE_OPTIONS_H

#include "run_options.h"
#include "yaml.h"

typedef struct recipe_reader {
    const char *file;   /* for messages */
    const char *folder; /* what its paths are relative to: "" or ending in a slash */
    text_list *texts;   /* what the options point to */
    option_set given;   /* on the command line, which comes first */
} recipe_reader;

/* Puts the node's place before the message of an error; returns the status. */
wadi_status run_at_value(const recipe_reader *reader, const yaml_node *node, wadi_status status);
wadi_status run_at_key(const recipe_reader *reader, const yaml_node *node, wadi_status status);
/* Refuses a node of another kind: "KEY: WANTED is wanted". */
wadi_status run_expect_kind(const recipe_reader *reader, const yaml_node *node, yaml_kind kind, const char *wanted);

/* Takes `text`; *kept lives as long as the reader's texts. NULL: WADI_ERROR_MEMORY. */
wadi_status run_keep_text(const recipe_reader *reader, char *text, const char **kept);
/* A path of the recipe as one from the current folder. NULL without memory; free it. */
char *run_resolve_path(const recipe_reader *reader, const char *path);

/* Whether the value of `preset` is a file, rather than a preset's name: by its ending. */
bool run_names_preset_file(const char *name);

const option *run_find_recipe_option(const option *options, const char *key); /* NULL: none */
/* Stores an option, and returns its text as the command line would have it (NULL for a flag). */
wadi_status run_store_recipe_option(const recipe_reader *reader, const option *option, const yaml_node *node,
                                    void *values, const char **text);

/* Where a stage's options go. `sources`: those that are written out; NULL where there can be none. */
typedef struct recipe_target {
    run_options *options;
    run_places *places;
    source_rows *sources;
} recipe_target;

/* Every member of a map that is an option of `wanted` (RECIPE_TOP, RECIPE_STAGE). `others`: the other keys that may
 * stand there, ended by NULL. */
wadi_status run_read_recipe_options(const recipe_reader *reader, const yaml_node *map, unsigned wanted,
                                    const char *const *others, const recipe_target *target);

#endif
