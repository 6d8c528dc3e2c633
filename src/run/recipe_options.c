#include "recipe_options.h"

#include "fail.h"
#include "option.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* --- places --- */

place run_place_of(const yaml_node *node) { return (place){node->line, node->column}; }

wadi_status run_at_value(const recipe_reader *reader, const yaml_node *node, wadi_status status) {
    return run_fail_at(reader->file, run_place_of(node), status);
}

wadi_status run_at_key(const recipe_reader *reader, const yaml_node *node, wadi_status status) {
    const place key = {node->key_line, node->key_column};
    return run_fail_at(reader->file, node->key ? key : run_place_of(node), status);
}

wadi_status run_expect_kind(const recipe_reader *reader, const yaml_node *node, yaml_kind kind, const char *wanted) {
    if (node->kind == kind) return WADI_OK;
    wadi_fail(WADI_ERROR_ARGUMENT, "%.80s%s%s is wanted", node->key ? node->key : "", node->key ? ": " : "", wanted);
    return run_at_value(reader, node, WADI_ERROR_ARGUMENT);
}

/* --- texts --- */

wadi_status run_keep_text(const recipe_reader *reader, char *text, const char **kept) {
    *kept = text;
    return run_text_list_take(reader->texts, text);
}

static bool is_absolute(const char *path) { return path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':'); }

/* GPKG:FILE:LAYER, NETCDF:"FILE":VARIABLE: the length of what stands before the file; 0: nothing. */
static size_t before_file(const char *path) {
    const size_t length = strspn(path, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (length < 2 || path[length] != ':') return 0;
    return length + 1 + (path[length + 1] == '"');
}

bool run_is_layer(const char *path) {
    const size_t length = strlen(path);
    return length > 1 && path[0] == '{' && path[length - 1] == '}';
}

const char *run_map_name(const char *path) { return run_is_layer(path) ? "its layers" : path; }

char *run_resolve_path(const recipe_reader *reader, const char *path) {
    if (run_is_layer(path)) return run_text_copy(path);
    const size_t before = before_file(path);
    const char *file = path + before;
    return run_text_format("%.*s%s%s", (int)before, path, is_absolute(file) || !*file ? "" : reader->folder, file);
}

char *run_resolve_value(const recipe_reader *reader, const char *before, const char *text) {
    if (text[0] != '@') return run_text_format("%s%s", before, text);
    char *path = run_resolve_path(reader, text + 1);
    char *value = path ? run_text_format("%s@%s", before, path) : NULL;
    free(path);
    return value;
}

/* Puts a longer text in the place of `text`; NULL: WADI_ERROR_MEMORY, and *text is NULL. */
static wadi_status replace(char **text, char *longer) {
    free(*text);
    *text = longer;
    return longer ? WADI_OK : WADI_ERROR_MEMORY;
}

/* A list of plain values as one text. */
static wadi_status join_list(const recipe_reader *reader, const yaml_node *list, char separator, char **text) {
    wadi_status status = replace(text, run_text_copy(""));
    for (const yaml_node *item = list->first; item && status == WADI_OK; item = item->next) {
        const char *key = list->key ? list->key : "list";
        if (item->kind != YAML_TEXT)
            return run_at_value(reader, item,
                                wadi_fail(WADI_ERROR_ARGUMENT, "%.80s: a list of plain values is wanted", key));
        status = replace(text, run_text_format("%s%.*s%s", *text, **text != '\0', &separator, item->text));
    }
    return status;
}

/* rain: {count: N, radius: M, rate: R} as the option has it. */
static wadi_status join_drops(const recipe_reader *reader, const yaml_node *map, char **text) {
    wadi_status status = replace(text, run_text_copy("drops:"));
    for (const yaml_node *member = map->first; member && status == WADI_OK; member = member->next) {
        if (member->kind != YAML_TEXT)
            return run_at_key(reader, member,
                              wadi_fail(WADI_ERROR_ARGUMENT, "rain: %.80s: a number is wanted", member->key));
        const char *comma = member == map->first ? "" : ",";
        status = replace(text, run_text_format("%s%s%s=%s", *text, comma, member->key, member->text));
    }
    return status;
}

/* line: [[0.1, 0.5], [0.9, 0.4]] as the option has it. */
static wadi_status join_points(const recipe_reader *reader, const yaml_node *list, char **text) {
    wadi_status status = replace(text, run_text_copy(""));
    for (const yaml_node *item = list->first; item && status == WADI_OK; item = item->next) {
        char *point = NULL;
        status = run_expect_kind(reader, item, YAML_LIST, "a point, as in [0.1, 0.5],");
        if (status == WADI_OK) status = join_list(reader, item, ',', &point);
        if (status == WADI_OK) status = replace(text, run_text_format("%s%s%s", *text, **text ? " " : "", point));
        free(point);
    }
    return status;
}

bool run_names_preset_file(const char *name) {
    const char *ending = strrchr(name, '.');
    return ending && (strcmp(ending, ".yaml") == 0 || strcmp(ending, ".yml") == 0 || strcmp(ending, ".json") == 0);
}

static bool names_file(const option *option, const char *value) {
    if (strcmp(option->name, "hardness") == 0) return strcmp(value, "height") != 0 && strcmp(value, "uniform") != 0;
    if (strcmp(option->name, "mask") == 0) return strcmp(value, "previous") != 0;
    if (strcmp(option->name, "preset") == 0) return run_names_preset_file(value);
    return strcmp(option->name, "water") == 0 || strcmp(option->name, "sources") == 0 ||
           strcmp(option->name, "rain-series") == 0 || strcmp(option->name, "from") == 0 ||
           strcmp(option->name, "file") == 0 || strcmp(option->name, "video") == 0;
}

/* The value as it would stand on the command line. Free *text, on an error too. */
static wadi_status option_text(const recipe_reader *reader, const option *option, const yaml_node *node, char **text) {
    const bool rain = strcmp(option->name, "rain") == 0,
               maps = strcmp(option->name, "maps") == 0 || strcmp(option->name, "save") == 0;
    *text = NULL;
    if (node->kind == YAML_TEXT && rain) return replace(text, run_resolve_value(reader, "", node->text));
    if (node->kind == YAML_TEXT && names_file(option, node->text))
        return replace(text, run_resolve_path(reader, node->text));
    if (node->kind == YAML_TEXT) return replace(text, run_text_copy(node->text));
    if (node->kind == YAML_MAP && rain) return join_drops(reader, node, text);
    if (node->kind == YAML_LIST && (maps || option->type == OPTION_PAIR)) return join_list(reader, node, ',', text);
    if (node->kind == YAML_LIST && strcmp(option->name, "line") == 0) return join_points(reader, node, text);
    if (node->kind == YAML_LIST && option->type == OPTION_SIZE) return join_list(reader, node, 'x', text);
    wadi_fail(WADI_ERROR_ARGUMENT, "%s: a %s is no value for it", option->name,
              node->kind == YAML_LIST ? "list" : "map");
    return run_at_value(reader, node, WADI_ERROR_ARGUMENT);
}

/* --- options --- */

const char *run_key_of(const option *option) {
    if (option->key) return option->key;
    return option->type == OPTION_FLAG && strncmp(option->name, "no-", 3) == 0 ? option->name + 3 : option->name;
}

const option *run_find_recipe_option(const option *options, const char *key) {
    for (const option *o = options; o->name; o++)
        if (strcmp(run_key_of(o), key) == 0) return o;
    return NULL;
}

static wadi_status store_flag(const option *option, const yaml_node *node, void *values) {
    const char *text = node->kind == YAML_TEXT ? node->text : "", *key = run_key_of(option);
    const bool yes = strcmp(text, "true") == 0, takes_away = key != option->name;
    if (!yes && strcmp(text, "false") != 0) return wadi_fail(WADI_ERROR_ARGUMENT, "%s: true or false is wanted", key);
    return yes != takes_away ? run_option_store(option, "", values) : WADI_OK;
}

wadi_status run_store_recipe_option(const recipe_reader *reader, const option *option, const yaml_node *node,
                                    void *values, const char **text) {
    char *value;
    *text = NULL;
    if (option->type == OPTION_FLAG) return run_at_value(reader, node, store_flag(option, node, values));
    wadi_status status = option_text(reader, option, node, &value);
    if (status != WADI_OK) {
        free(value);
        return status;
    }
    status = run_keep_text(reader, value, text);
    return status == WADI_OK ? run_at_value(reader, node, run_option_store(option, *text, values)) : status;
}
