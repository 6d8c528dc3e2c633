#include "ground_layers.h"

#include "array.h"
#include "message.h"
#include "recipe_options.h"
#include "sources.h"

#include "engine/gpu/codegen/source_text.h"

#include <stdlib.h>
#include <string.h>

extern const wadi_text run_ground_texts[]; /* "usual.yaml"; ended by a NULL path */

/* --- reading --- */

static wadi_status read_end(const recipe_reader *reader, const yaml_node *node, range_end *end) {
    char text[40];
    wadi_status status = run_expect_kind(reader, node, YAML_TEXT, "a number, or a percentile like 90%,");
    if (status != WADI_OK) return status;
    const size_t length = strlen(node->text);
    snprintf(text, sizeof text, "%s", node->text);
    end->percent = length > 1 && length < sizeof text && text[length - 1] == '%';
    if (end->percent) text[length - 1] = '\0';
    const bool good = run_parse_number(text, &end->value) && (!end->percent || (end->value >= 0 && end->value <= 100));
    if (good) return WADI_OK;
    return run_at_value(
        reader, node,
        wadi_fail(WADI_ERROR_ARGUMENT, "%.40s: a number, or a percentile like 90%%, is wanted", node->text));
}

static wadi_status read_rule(const recipe_reader *reader, const yaml_node *node, ground_layer *layer) {
    const wadi_map_facts *map = run_texture_facts(node->key);
    wadi_fail(WADI_ERROR_ARGUMENT, "%.40s: no map has this name; 'wadi derive --help' lists them", node->key);
    if (!map) return run_at_key(reader, node, WADI_ERROR_ARGUMENT);
    if (layer->rule_count == MOST_GROUND_RULES)
        return run_at_key(reader, node, wadi_fail(WADI_ERROR_ARGUMENT, "more than %d rules", MOST_GROUND_RULES));
    wadi_status status = run_expect_kind(reader, node, YAML_LIST, "two or four values, as in slope: [30, 40],");
    ground_rule *rule = &layer->rules[layer->rule_count++];
    *rule = (ground_rule){.map = map};
    for (const yaml_node *end = node->first; end && status == WADI_OK; end = end->next, rule->count++) {
        if (rule->count < 4) status = read_end(reader, end, &rule->ends[rule->count]);
    }
    if (status != WADI_OK || rule->count == 2 || rule->count == 4) return status;
    return run_at_value(
        reader, node,
        wadi_fail(WADI_ERROR_ARGUMENT, "%s: two values are wanted, from 0 to 1, or four, and back", node->key));
}

/* A name is part of a file's name. */
static wadi_status read_name(const recipe_reader *reader, const yaml_node *node, ground_layer *layer) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const wadi_status status = run_expect_kind(reader, node, YAML_TEXT, "a name");
    if (status != WADI_OK) return status;
    const size_t length = strlen(node->text);
    if (length == 0 || length >= sizeof layer->name || node->text[strspn(node->text, allowed)] != '\0')
        return run_at_value(
            reader, node,
            wadi_fail(WADI_ERROR_ARGUMENT, "%.40s: a name has up to 31 letters, digits, - and _", node->text));
    snprintf(layer->name, sizeof layer->name, "%s", node->text);
    return WADI_OK;
}

static wadi_status read_strength(const recipe_reader *reader, const yaml_node *node, ground_layer *layer) {
    const wadi_status status = run_expect_kind(reader, node, YAML_TEXT, "a number from 0 to 1");
    if (status != WADI_OK) return status;
    if (run_parse_number(node->text, &layer->strength) && layer->strength >= 0 && layer->strength <= 1) return WADI_OK;
    return run_at_value(reader, node,
                        wadi_fail(WADI_ERROR_ARGUMENT, "strength: %.40s: a number from 0 to 1 is wanted", node->text));
}

static wadi_status read_layer(const recipe_reader *reader, const yaml_node *node, ground_layer *layer) {
    *layer = (ground_layer){.strength = 1};
    wadi_status status = run_expect_kind(reader, node, YAML_MAP, "a layer, a map like {name: rock, slope: [30, 40]},");
    for (const yaml_node *key = node->first; key && status == WADI_OK; key = key->next) {
        if (strcmp(key->key, "name") == 0)
            status = read_name(reader, key, layer);
        else if (strcmp(key->key, "strength") == 0)
            status = read_strength(reader, key, layer);
        else
            status = read_rule(reader, key, layer);
    }
    if (status != WADI_OK || *layer->name) return status;
    return run_at_value(reader, node, wadi_fail(WADI_ERROR_ARGUMENT, "a layer without a name"));
}

static wadi_status check_new(const recipe_reader *reader, const yaml_node *node, const ground_layers *layers) {
    const ground_layer *last = &layers->layers[layers->count];
    for (int i = 0; i < layers->count; i++)
        if (strcmp(layers->layers[i].name, last->name) == 0)
            return run_at_value(reader, node,
                                wadi_fail(WADI_ERROR_ARGUMENT, "%s: two layers have this name", last->name));
    if (layers->count > 0 || last->rule_count == 0) return WADI_OK;
    return run_at_value(
        reader, node,
        wadi_fail(WADI_ERROR_ARGUMENT, "%s: the first layer is everywhere, and has no rules", last->name));
}

/* The map that the terrain does not have; NULL: it has all. */
static const char *missing_map(const textures *textures, const ground_layer *layer) {
    for (int i = 0; i < layer->rule_count; i++)
        if (!run_textures_has(textures, layer->rules[i].map->name)) return layer->rules[i].map->name;
    return NULL;
}

static wadi_status add_layer(const recipe_reader *reader, const yaml_node *node, const textures *textures, bool usual,
                             ground_layers *layers) {
    if (layers->count == MOST_GROUND_LAYERS)
        return run_at_value(reader, node, wadi_fail(WADI_ERROR_ARGUMENT, "more than %d layers", MOST_GROUND_LAYERS));
    ground_layer *layer = &layers->layers[layers->count];
    wadi_status status = read_layer(reader, node, layer);
    if (status == WADI_OK) status = check_new(reader, node, layers);
    const char *missing = status == WADI_OK ? missing_map(textures, layer) : NULL;
    if (missing && usual) {
        if (strcmp(missing, "ice") != 0) /* which few terrains have */
            run_message_note("no layer %s: this terrain has no map %s", layer->name, missing);
        return WADI_OK;
    }
    if (missing)
        return run_at_value(reader, node,
                            wadi_fail(WADI_ERROR_ARGUMENT, "%s: this terrain has no map %s", layer->name, missing));
    layers->count += status == WADI_OK;
    return status;
}

static wadi_status read_text(const char *name, const char *text, size_t size, const textures *textures, bool usual,
                             ground_layers *layers) {
    const recipe_reader reader = {.file = name, .folder = ""};
    yaml_node *root = NULL;
    wadi_status status = run_yaml_read(name, text, size, &root);
    if (status == WADI_OK) status = run_expect_kind(&reader, root, YAML_LIST, "a list of layers");
    for (const yaml_node *node = status == WADI_OK ? root->first : NULL; node && status == WADI_OK; node = node->next)
        status = add_layer(&reader, node, textures, usual, layers);
    if (status == WADI_OK && layers->count == 0)
        status = run_at_value(&reader, root, wadi_fail(WADI_ERROR_ARGUMENT, "no layers"));
    run_yaml_free(root);
    return status;
}

wadi_status run_ground_layers_read(const char *path, const textures *textures, ground_layers *layers) {
    *layers = (ground_layers){0};
    if (!run_yaml_available())
        return wadi_fail(WADI_ERROR_ARGUMENT, "--layers: not built: install libfyaml-dev and build again");
    if (!path) {
        const wadi_text *usual = &run_ground_texts[0];
        return read_text(usual->path, usual->text, strlen(usual->text), textures, true, layers);
    }
    char *text;
    size_t size;
    wadi_status status = run_text_file_read("--layers ", path, &text, &size);
    if (status == WADI_OK) status = read_text(path, text, size, textures, false, layers);
    free(text);
    return status;
}

/* --- weights --- */

static double ramp(double from, double to, double value) {
    if (from == to) return value >= from;
    const double at = (value - from) / (to - from);
    return at > 0 ? at < 1 ? at : 1 : 0;
}

static wadi_status apply_rule(const ground_rule *rule, textures *textures, float *strength) {
    const wadi_raster *map;
    const wadi_status status = run_textures_map(textures, rule->map->name, &map);
    if (status != WADI_OK) return status;
    const size_t count = (size_t)map->width * (size_t)map->height;
    double ends[4];
    for (int i = 0; i < rule->count; i++) ends[i] = run_range_end_of(rule->ends[i], map->values, count);
    for (size_t i = 0; i < count; i++) {
        const float value = map->values[i];
        double part = isnan(value) ? 0 : ramp(ends[0], ends[1], (double)value);
        if (rule->count == 4) part *= 1 - ramp(ends[2], ends[3], (double)value);
        strength[i] *= (float)part;
    }
    return WADI_OK;
}

/* The layer covers those before it. */
static wadi_status cover(const ground_layer *layer, textures *textures, int index, float **weights) {
    const size_t count = (size_t)textures->height->width * (size_t)textures->height->height;
    float *strength = weights[index] = run_array_new(count, sizeof *strength);
    if (!strength) return WADI_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) strength[i] = index == 0 ? 1 : (float)layer->strength;
    wadi_status status = WADI_OK;
    for (int i = 0; i < layer->rule_count && status == WADI_OK; i++)
        status = apply_rule(&layer->rules[i], textures, strength);
    for (int k = 0; k < index && status == WADI_OK; k++)
        for (size_t i = 0; i < count; i++) weights[k][i] *= 1 - strength[i];
    return status;
}

/* The parts that rounding down leaves go to the layers with the largest remainders. */
static void round_cell(int layers, float **weights, size_t cell) {
    double rest[MOST_GROUND_LAYERS];
    int left = 255;
    for (int k = 0; k < layers; k++) {
        const double parts = 255 * (double)weights[k][cell], whole = floor(parts);
        rest[k] = parts - whole;
        weights[k][cell] = (float)whole;
        left -= (int)whole;
    }
    for (; left > 0; left--) {
        int largest = 0;
        for (int k = 1; k < layers; k++) largest = rest[k] > rest[largest] ? k : largest;
        rest[largest] -= 1;
        weights[largest][cell] += 1;
    }
    for (int k = 0; k < layers; k++) weights[k][cell] /= 255;
}

wadi_status run_ground_layers_weigh(const ground_layers *layers, textures *textures,
                                    float *weights[MOST_GROUND_LAYERS]) {
    const size_t count = (size_t)textures->height->width * (size_t)textures->height->height;
    wadi_status status = WADI_OK;
    for (int i = 0; i < MOST_GROUND_LAYERS; i++) weights[i] = NULL;
    for (int i = 0; i < layers->count && status == WADI_OK; i++)
        status = cover(&layers->layers[i], textures, i, weights);
    for (size_t i = 0; i < count && status == WADI_OK; i++) round_cell(layers->count, weights, i);
    return status;
}
