/* recipe_options.h: one option in a recipe: from a YAML node to the structs that the command line fills too. */
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

place run_place_of(const yaml_node *node);
/* Puts the node's place before the message of an error; returns the status. */
wadi_status run_at_value(const recipe_reader *reader, const yaml_node *node, wadi_status status);
wadi_status run_at_key(const recipe_reader *reader, const yaml_node *node, wadi_status status);
/* Refuses a node of another kind: "KEY: WANTED is wanted". */
wadi_status run_expect_kind(const recipe_reader *reader, const yaml_node *node, yaml_kind kind, const char *wanted);

/* Takes `text`; *kept lives as long as the reader's texts. NULL: WADI_ERROR_MEMORY. */
wadi_status run_keep_text(const recipe_reader *reader, char *text, const char **kept);
/* A path of the recipe as one from the current folder. NULL without memory; free it. */
char *run_resolve_path(const recipe_reader *reader, const char *path);
/* "@map" with its path resolved; other values as they are. `before` stands in front. */
char *run_resolve_value(const recipe_reader *reader, const char *before, const char *text);
/* Whether a map's "path" is the text of a layer, "{kind: noise, ...}" (layers.h), and no file. */
bool run_is_layer(const char *path);
const char *run_map_name(const char *path); /* for messages */

/* Whether the value of `preset` is a file, rather than a preset's name: by its ending. */
bool run_names_preset_file(const char *name);

/* The flag --no-x is the key x: what it takes away is there unless it is false. */
const char *run_key_of(const option *option);
const option *run_find_recipe_option(const option *options, const char *key); /* NULL: none */
/* Stores an option, and returns its text as the command line would have it (NULL for a flag). */
wadi_status run_store_recipe_option(const recipe_reader *reader, const option *option, const yaml_node *node,
                                    void *values, const char **text);

#endif
