#include "run_join_same.h"

#ifdef WADI_WITH_JANSSON
#include <jansson.h>
#include <stdbool.h>
#include <string.h>

enum { DEEPEST = 16 }; /* of the objects in a run.json that are looked at */

void run_join_drop(json_t *object, const char *const *keys) {
    for (; *keys; keys++) json_object_del(object, *keys);
}

/* A run's maps may lie elsewhere than another's: their hashes are compared. */
static void drop_path(json_t *object, const char *key, json_t *value) {
    const char *text = json_string_value(value);
    const bool is_input = strcmp(key, "input") == 0 || strcmp(key, "water") == 0 || strcmp(key, "path") == 0;
    const bool is_map = strcmp(key, "mask") == 0 && text && strcmp(text, "previous") != 0;
    if (text && (is_input || is_map || *text == '@')) json_object_del(object, key);
}

/* Recipes are nested a few levels deep. */
static void drop_paths(json_t *value, int depth) {
    const char *key;
    json_t *member;
    void *next;
    size_t index;
    if (depth == 0) return;
    json_object_foreach_safe(value, next, key, member) {
        drop_paths(member, depth - 1);
        drop_path(value, key, member);
    }
    json_array_foreach(value, index, member) drop_paths(member, depth - 1);
}

/* The names and hashes of all files that were read; NULL: no memory. */
static json_t *inputs_of(json_t *root) {
    json_t *inputs = json_pack("[O?]", json_object_get(root, "inputs")), *stage;
    size_t index;
    json_array_foreach(json_object_get(root, "stages"), index, stage) {
        json_t *read = json_object_get(stage, "inputs");
        if (inputs && read && json_array_append(inputs, read) != 0) {
            json_decref(inputs);
            return NULL;
        }
    }
    return inputs;
}

char *run_join_same(json_t *root) {
    static const char *const of_a_tile[] = {"tile", "margin", NULL};
    json_t *inputs = inputs_of(root), *recipe = json_object_get(root, "recipe");
    json_t *all = inputs ? json_pack("{s:O, s:O, s:O?}", "inputs", inputs, "recipe", recipe, "wadi",
                                     json_object_get(root, "wadi"))
                         : NULL;
    json_t *same = all ? json_deep_copy(all) : NULL;
    if (same) {
        recipe = json_object_get(same, "recipe");
        run_join_drop(recipe, of_a_tile);
        if (json_object_get(json_object_get(root, "inputs"), "hardness")) json_object_del(recipe, "hardness");
        drop_paths(same, DEEPEST);
    }
    char *text = same ? json_dumps(same, JSON_SORT_KEYS | JSON_COMPACT) : NULL;
    json_decref(inputs);
    json_decref(all);
    json_decref(same);
    return text;
}
#endif
