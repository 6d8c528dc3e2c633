#include "recipe_options.h"

#include "array.h"
#include "fail.h"
#include "layers.h"
#include "option.h"
#include "sources.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* --- places --- */

static place place_of(const yaml_node *node) { return (place){node->line, node->column}; }

wadi_status run_at_value(const recipe_reader *reader, const yaml_node *node, wadi_status status) {
    return run_fail_at(reader->file, place_of(node), status);
}

wadi_status run_at_key(const recipe_reader *reader, const yaml_node *node, wadi_status status) {
    const place key = {node->key_line, node->key_column};
    return run_fail_at(reader->file, node->key ? key : place_of(node), status);
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

char *run_resolve_path(const recipe_reader *reader, const char *path) {
    const size_t before = before_file(path);
    const char *file = path + before;
    return run_text_format("%.*s%s%s", (int)before, path, is_absolute(file) || !*file ? "" : reader->folder, file);
}

/* "@map" with its path resolved; other values as they are. `before` stands in front. */
static char *resolve_value(const recipe_reader *reader, const char *before, const char *text) {
    if (text[0] != '@' || run_is_layers(text + 1)) return run_text_format("%s%s", before, text);
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
    if (node->kind == YAML_TEXT && rain) return replace(text, resolve_value(reader, "", node->text));
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

/* The flag --no-x is the key x: what it takes away is there unless it is false. */
static const char *key_of(const option *option) {
    if (option->key) return option->key;
    return option->type == OPTION_FLAG && strncmp(option->name, "no-", 3) == 0 ? option->name + 3 : option->name;
}

const option *run_find_recipe_option(const option *options, const char *key) {
    for (const option *o = options; o->name; o++)
        if (strcmp(key_of(o), key) == 0) return o;
    return NULL;
}

static wadi_status store_flag(const option *option, const yaml_node *node, void *values) {
    const char *text = node->kind == YAML_TEXT ? node->text : "", *key = key_of(option);
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

/* "NAME=VALUE", "NAME=@FILE" or "NAME=@{LAYER}". NULL without memory; free it. */
static char *setting_text(const recipe_reader *reader, const yaml_node *node) {
    const bool is_map = node->kind == YAML_MAP;
    char *name = run_text_format("%s=%s", node->key, is_map ? "@" : ""), *layer = NULL, *text = NULL;
    if (name && is_map) layer = run_layers_text(reader, node);
    if (name && !is_map) text = resolve_value(reader, name, node->text);
    if (layer) text = run_text_format("%s%s", name, layer);
    free(layer);
    free(name);
    return text;
}

static wadi_status check_layer(const recipe_reader *reader, const yaml_node *node) {
    layer *layers;
    const wadi_status status = run_layers_read(reader, node, &layers);
    run_layers_free(layers);
    return status;
}

static wadi_status store_setting(const recipe_reader *reader, const yaml_node *node, const recipe_target *target) {
    if (node->kind == YAML_LIST)
        return run_at_value(
            reader, node,
            wadi_fail(WADI_ERROR_ARGUMENT, "%.80s: a number, a choice, @FILE or a layer is wanted", node->key));
    wadi_status status = node->kind == YAML_MAP ? check_layer(reader, node) : WADI_OK;
    if (status != WADI_OK) return status;
    size_t count = target->options->settings.count;
    place *added = run_array_add(&target->places->settings, &count, sizeof *added);
    if (!added) return WADI_ERROR_MEMORY;
    *added = (place){node->key_line, node->key_column};
    return run_text_list_take(&target->options->settings, setting_text(reader, node));
}

static wadi_status store_knobs(const recipe_reader *reader, const yaml_node *map, const recipe_target *target) {
    wadi_status status = run_expect_kind(reader, map, YAML_MAP, "a map of knobs, as in knobs: {strength: 0.7},");
    for (const yaml_node *node = map->first; node && status == WADI_OK; node = node->next) {
        status = run_expect_kind(reader, node, YAML_TEXT, "a number from 0 to 1");
        if (status == WADI_OK)
            status = run_text_list_take(&target->options->knobs, run_text_format("%s=%s", node->key, node->text));
    }
    return status;
}

static wadi_status store_settings(const recipe_reader *reader, const yaml_node *map, const recipe_target *target) {
    wadi_status status = run_expect_kind(reader, map, YAML_MAP, "a map of parameters, as in set: {Kc: 0.3},");
    for (const yaml_node *node = map->first; node && status == WADI_OK; node = node->next)
        status = store_setting(reader, node, target);
    return status;
}

/* --- sources that are written out --- */

static wadi_status store_source_field(const recipe_reader *reader, const yaml_node *field, source_row *row) {
    for (int i = 0; i < SOURCE_FIELDS; i++) {
        if (strcmp(field->key, run_source_fields[i]) != 0) continue;
        if (field->kind == YAML_TEXT && run_parse_number(field->text, &row->values[i])) return WADI_OK;
        return run_at_value(reader, field, wadi_fail(WADI_ERROR_ARGUMENT, "%s: a number is wanted", field->key));
    }
    char near[128];
    wadi_fail(WADI_ERROR_ARGUMENT, "%.80s: a source has no such key%s", field->key,
              run_did_you_mean(field->key, run_source_fields, SOURCE_FIELDS, near));
    return run_at_key(reader, field, WADI_ERROR_ARGUMENT);
}

static wadi_status store_source(const recipe_reader *reader, const yaml_node *item, source_rows *rows) {
    source_row row = {.values = {0, 0, 0, 0, 0, INFINITY}, .at = place_of(item)};
    wadi_status status = run_expect_kind(reader, item, YAML_MAP, "a map like {x: 3, y: 4, radius_m: 2, rate_m3s: 1}");
    for (const yaml_node *field = item->first; field && status == WADI_OK; field = field->next)
        status = store_source_field(reader, field, &row);
    for (int i = 0; i < SOURCE_FIELDS_NEEDED && status == WADI_OK; i++)
        if (!run_yaml_member(item, run_source_fields[i]))
            status =
                run_at_value(reader, item, wadi_fail(WADI_ERROR_ARGUMENT, "a source without %s", run_source_fields[i]));
    if (status != WADI_OK) return status;
    source_row *added = run_array_add(&rows->rows, &rows->count, sizeof *added);
    if (!added) return WADI_ERROR_MEMORY;
    *added = row;
    return WADI_OK;
}

static wadi_status store_sources(const recipe_reader *reader, const yaml_node *list, source_rows *rows) {
    wadi_status status = WADI_OK;
    for (const yaml_node *item = list->first; item && status == WADI_OK; item = item->next)
        status = store_source(reader, item, rows);
    if (status != WADI_OK || rows->count) return status;
    return run_at_value(reader, list, wadi_fail(WADI_ERROR_ARGUMENT, "sources: the list is empty"));
}

/* --- all of a map --- */

static wadi_status store(const recipe_reader *reader, const option *option, const yaml_node *node,
                         const recipe_target *target) {
    const char *text;
    target->places->options[option - run_option_rows] = place_of(node);
    if (strcmp(option->name, "knob") == 0) return store_knobs(reader, node, target);
    if (option->type == OPTION_TEXTS) return store_settings(reader, node, target);
    if (node->kind == YAML_LIST && strcmp(option->name, "sources") == 0)
        return store_sources(reader, node, target->sources);
    return run_store_recipe_option(reader, option, node, target->options, &text);
}

static bool is_one_of(const char *const *names, const char *name) {
    for (; *names; names++)
        if (strcmp(*names, name) == 0) return true;
    return false;
}

static wadi_status refuse_key(const char *key, unsigned wanted, const char *const *others) {
    const option *known = run_find_recipe_option(run_option_rows, key);
    if (known && known->recipe == RECIPE_STAGE)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: belongs in a stage where there are 'stages'", key);
    if (known && known->recipe == RECIPE_TOP)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: belongs at the top of the recipe: it is the same for all stages",
                         key);
    if (known) return wadi_fail(WADI_ERROR_ARGUMENT, "%s: belongs on the command line, not in a recipe", key);
    const char *names[80];
    size_t count = 0;
    for (const option *o = run_option_rows; o->name; o++)
        if (o->recipe & wanted) names[count++] = key_of(o);
    for (; *others; others++) names[count++] = *others;
    char near[128];
    return wadi_fail(WADI_ERROR_ARGUMENT, "%.80s: no such key%s (docs/recipes.md lists them)", key,
                     run_did_you_mean(key, names, count, near));
}

wadi_status run_read_recipe_options(const recipe_reader *reader, const yaml_node *map, unsigned wanted,
                                    const char *const *others, const recipe_target *target) {
    wadi_status status = WADI_OK;
    target->places->file = reader->file;
    target->places->self = place_of(map);
    for (const yaml_node *node = map->first; node && status == WADI_OK; node = node->next) {
        if (is_one_of(others, node->key)) continue;
        const option *option = run_find_recipe_option(run_option_rows, node->key);
        if (!option || !(option->recipe & wanted))
            return run_at_key(reader, node, refuse_key(node->key, wanted, others));
        if (wanted != RECIPE_STAGE && option_set_has(reader->given, option - run_option_rows)) continue;
        status = store(reader, option, node, target);
    }
    return status;
}
