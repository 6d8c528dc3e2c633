#include "recipe_keys.h"

#include "array.h"
#include "layers.h"
#include "sources.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- settings --- */

/* "NAME=VALUE", "NAME=@FILE" or "NAME=@{LAYER}". NULL without memory; free it. */
static char *setting_text(const recipe_reader *reader, const yaml_node *node) {
    const bool is_map = node->kind == YAML_MAP;
    char *name = run_text_format("%s=%s", node->key, is_map ? "@" : ""), *layer = NULL, *text = NULL;
    if (name && is_map) layer = run_layers_text(reader, node);
    if (name && !is_map) text = run_resolve_value(reader, name, node->text);
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
    source_row row = {.values = {0, 0, 0, 0, 0, INFINITY}, .at = run_place_of(item)};
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
    target->places->options[option - run_option_rows] = run_place_of(node);
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
        if (o->recipe & wanted) names[count++] = run_key_of(o);
    for (; *others; others++) names[count++] = *others;
    char near[128];
    return wadi_fail(WADI_ERROR_ARGUMENT, "%.80s: no such key%s (docs/recipes.md lists them)", key,
                     run_did_you_mean(key, names, count, near));
}

wadi_status run_read_recipe_options(const recipe_reader *reader, const yaml_node *map, unsigned wanted,
                                    const char *const *others, const recipe_target *target) {
    wadi_status status = WADI_OK;
    target->places->file = reader->file;
    target->places->self = run_place_of(map);
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
