/* yaml.h: a YAML or JSON text as a tree of texts, lists and maps with their places, read by libfyaml. */
#ifndef WADI_RUN_YAML_H
#define WADI_RUN_YAML_H

#include "wadi/status.h"

enum { YAML_DEPTH = 16, YAML_NODES = 1 << 22, YAML_BYTES = 1 << 26 }; /* larger inputs are refused */

typedef enum yaml_kind { YAML_TEXT, YAML_LIST, YAML_MAP } yaml_kind;

typedef struct yaml_node {
    yaml_kind kind;
    char *text;       /* of a YAML_TEXT: "" for null */
    char *key;        /* if it is a member of a map, else NULL; its place is key_line, key_column */
    int line, column; /* from 1 */
    int key_line, key_column;
    struct yaml_node *first; /* of a list or map */
    struct yaml_node *next;
} yaml_node;

bool run_yaml_available(void);
/* `text` has `count` bytes and a 0; `name` is the file's, for messages. Messages have line and column. An alias
 * (*name) is a copy of the last node above it with that anchor (&name), whose nodes all have the alias's place. `<<:
 * *name` adds those members of a map whose keys are not there. Tags and a second document are refused. Free the tree.
 */
wadi_status run_yaml_read(const char *name, const char *text, size_t count, yaml_node **root);
void run_yaml_free(yaml_node *root); /* takes NULL */

/* The member of a map; NULL: none. */
const yaml_node *run_yaml_member(const yaml_node *map, const char *key);

#endif
