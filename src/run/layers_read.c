/* layers_read.c: the layers of a terrain from YAML, and back to text for run.json. */
#include "layers.h"

#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const combinations[] = {"add", "subtract", "multiply", "min", "max", "replace", NULL};

#define ROW(...) OPTION_ROW(layer, __VA_ARGS__)
static const option layer_options[] = {
    ROW(TEXT, "kind", kind, "KIND", .help = "a kind of terrain"),
    ROW(TEXT, "file", file, "FILE", .help = "a heightmap"),
    ROW(NUMBER, "value", value, NULL, .minimum = -1e6, .maximum = 1e6),
    ROW(PAIR, "height", height, "two heights, as in height: [200, 500],", .minimum = -1e6, .maximum = 1e6),
    ROW(CHOICE, "combine", combine, NULL, .choices = combinations),
    ROW(NUMBER, "smooth", smooth, NULL, .maximum = 1e6),
    {0},
};

/* In the order of layer_source. */
static const char *const sources[] = {"kind", "file", "value", "height", "layers"};
enum { SOURCES = sizeof sources / sizeof *sources };

/* What belongs to the whole terrain. */
static bool is_of_the_whole(const char *name) {
    static const char *const names[] = {"output", "recipe", "force", "size", "cell-size", "world-size"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

typedef struct reader {
    const recipe_reader *in;
    int depth;
    uint64_t *count;
} reader;

static wadi_status refuse_key(const reader *reader, const yaml_node *node) {
    const char *names[64] = {"layers", "mask"};
    size_t count = 2;
    for (const option *o = layer_options; o->name; o++) names[count++] = o->name;
    for (const option *o = run_generator_options; o->name && count < 64; o++)
        if (!is_of_the_whole(o->name)) names[count++] = o->name;
    char near[128];
    wadi_fail(WADI_ERROR_ARGUMENT, "%.80s: a layer has no such key%s (docs/terrain.md lists them)", node->key,
              run_did_you_mean(node->key, names, count, near));
    return run_at_key(reader->in, node, WADI_ERROR_ARGUMENT);
}

static wadi_status read_list(const reader *reader, const yaml_node *node, layer **layers);

static wadi_status read_inner(const reader *reader, const yaml_node *node, layer **layers) {
    const struct reader inner = {reader->in, reader->depth + 1, reader->count};
    if (inner.depth > LAYERS_DEPTH)
        return run_at_key(
            reader->in, node,
            wadi_fail(WADI_ERROR_ARGUMENT, "%.80s: layers within layers, %d deep at most", node->key, LAYERS_DEPTH));
    return read_list(&inner, node, layers);
}

static wadi_status read_key(const reader *reader, const yaml_node *node, layer *layer) {
    const char *text;
    if (strcmp(node->key, "layers") == 0) return read_inner(reader, node, &layer->layers);
    if (strcmp(node->key, "mask") == 0) return read_inner(reader, node, &layer->mask);
    const option *own = run_find_recipe_option(layer_options, node->key);
    if (own) return run_store_recipe_option(reader->in, own, node, layer, &text);
    const option *of_kind = run_find_recipe_option(run_generator_options, node->key);
    if (!of_kind || is_of_the_whole(of_kind->name)) return refuse_key(reader, node);
    return run_store_recipe_option(reader->in, of_kind, node, &layer->options, &text);
}

/* Each layer has exactly one source. */
static wadi_status find_source(const reader *reader, const yaml_node *node, layer *layer) {
    int found = -1;
    for (int i = 0; i < SOURCES; i++) {
        const yaml_node *member = run_yaml_member(node, sources[i]);
        if (!member) continue;
        if (found >= 0)
            return run_at_key(
                reader->in, member,
                wadi_fail(WADI_ERROR_ARGUMENT, "%s: there is a %s, too; make two layers", sources[i], sources[found]));
        found = i;
    }
    if (found < 0)
        return run_at_value(reader->in, node,
                            wadi_fail(WADI_ERROR_ARGUMENT, "a layer without kind, file, value, height or layers"));
    layer->source = (layer_source)found;
    return WADI_OK;
}

/* Files and groups take the options that move and stretch them. */
static wadi_status check_options(const reader *reader, const yaml_node *node, const layer *layer) {
    static const char *const taken[] = {"base", "relief", "warp", "feature-size", "seed"};
    const bool moves = layer->source == LAYER_FILE || layer->source == LAYER_GROUP;
    for (const yaml_node *key = node->first; key; key = key->next) {
        if (layer->source == LAYER_KIND || !run_find_recipe_option(run_generator_options, key->key)) continue;
        bool good = false;
        for (size_t i = 0; i < sizeof taken / sizeof *taken && moves; i++) good |= strcmp(taken[i], key->key) == 0;
        if (good) continue;
        wadi_fail(WADI_ERROR_ARGUMENT, "%s: goes with a kind, not with %s", key->key, sources[layer->source]);
        return run_at_key(reader->in, key, WADI_ERROR_ARGUMENT);
    }
    return WADI_OK;
}

static wadi_status check_layer(const reader *reader, const yaml_node *node, const layer *layer) {
    wadi_status status = check_options(reader, node, layer);
    if (status == WADI_OK && layer->source == LAYER_KIND)
        status =
            run_at_value(reader->in, run_yaml_member(node, "kind"), run_generate_check(&layer->options, layer->kind));
    const bool rises = layer->height.count == 2 && layer->height.first < layer->height.second;
    if (status == WADI_OK && layer->source == LAYER_HEIGHT && !rises)
        status = run_at_value(reader->in, run_yaml_member(node, "height"),
                              wadi_fail(WADI_ERROR_ARGUMENT, "height: two heights are wanted, the lower one first"));
    return status;
}

/* The default seed is the layer's number, so that two layers of one kind differ. */
static wadi_status read_layer(const reader *reader, const yaml_node *node, layer *layer) {
    layer->options = run_generate_defaults;
    layer->options.seed = (*reader->count)++;
    layer->at = (place){node->line, node->column};
    if (*reader->count > MOST_LAYERS)
        return run_at_value(reader->in, node, wadi_fail(WADI_ERROR_ARGUMENT, "more than %d layers", MOST_LAYERS));
    wadi_status status = run_expect_kind(reader->in, node, YAML_MAP, "a layer, a map like {kind: noise, relief: 100},");
    if (status == WADI_OK) status = find_source(reader, node, layer);
    for (const yaml_node *key = node->first; key && status == WADI_OK; key = key->next)
        status = read_key(reader, key, layer);
    return status != WADI_OK ? status : check_layer(reader, node, layer);
}

static wadi_status add_layer(const reader *reader, const yaml_node *node, layer ***end) {
    **end = calloc(1, sizeof ***end);
    if (!**end) return wadi_fail(WADI_ERROR_MEMORY, "no memory for layers");
    const wadi_status status = read_layer(reader, node, **end);
    *end = &(**end)->next;
    return status;
}

/* A list of layers, or one layer. */
static wadi_status read_list(const reader *reader, const yaml_node *node, layer **layers) {
    if (node->kind == YAML_MAP) return add_layer(reader, node, &layers);
    wadi_status status = run_expect_kind(reader->in, node, YAML_LIST, "a list of layers");
    if (status == WADI_OK && !node->first)
        status = run_at_value(reader->in, node, wadi_fail(WADI_ERROR_ARGUMENT, "%s: the list is empty", node->key));
    for (const yaml_node *item = node->first; item && status == WADI_OK; item = item->next)
        status = add_layer(reader, item, &layers);
    return status;
}

wadi_status run_layers_read(const recipe_reader *reader, const yaml_node *node, layer **layers) {
    uint64_t count = 0;
    const struct reader outer = {reader, 1, &count};
    *layers = NULL;
    return read_list(&outer, node, layers);
}

void run_layers_free(layer *layers) {
    while (layers) {
        layer *next = layers->next;
        run_layers_free(layers->layers);
        run_layers_free(layers->mask);
        free(layers);
        layers = next;
    }
}

/* --- back to text --- */

typedef struct line {
    char *text; /* NULL: no memory */
    size_t length, room;
} line;

/* The room doubles, because a hostile recipe may be long. */
static void append(line *line, const char *more, size_t count) {
    if (!line->text) return;
    if (line->length + count >= line->room) {
        line->room = 2 * (line->length + count) + 64;
        char *longer = realloc(line->text, line->room);
        if (!longer) free(line->text);
        line->text = longer;
    }
    if (!line->text) return;
    memcpy(line->text + line->length, more, count);
    line->length += count;
    line->text[line->length] = '\0';
}

static void append_text(line *line, const char *text) { append(line, text, strlen(text)); }

static void append_quoted(line *line, const char *word) {
    append_text(line, "\"");
    for (; *word; word++) {
        char escaped[8];
        const unsigned char byte = (unsigned char)*word;
        if (byte == '"' || byte == '\\')
            snprintf(escaped, sizeof escaped, "\\%c", byte);
        else
            snprintf(escaped, sizeof escaped, byte < 0x20 || byte == 0x7f ? "\\u%04x" : "%c", byte);
        append_text(line, escaped);
    }
    append_text(line, "\"");
}

static void append_word(const recipe_reader *reader, line *line, const yaml_node *node) {
    const bool path = node->key && (strcmp(node->key, "file") == 0 || strcmp(node->key, "from") == 0);
    char *resolved = path ? run_resolve_path(reader, node->text) : run_text_copy(node->text);
    if (resolved) {
        append_quoted(line, resolved);
    } else {
        free(line->text);
        line->text = NULL;
    }
    free(resolved);
}

static void append_node(const recipe_reader *reader, line *line, const yaml_node *node) {
    if (node->kind == YAML_TEXT) {
        append_word(reader, line, node);
        return;
    }
    append_text(line, node->kind == YAML_MAP ? "{" : "[");
    for (const yaml_node *item = node->first; item; item = item->next) {
        if (item != node->first) append_text(line, ", ");
        if (node->kind == YAML_MAP) {
            append_quoted(line, item->key);
            append_text(line, ": ");
        }
        append_node(reader, line, item);
    }
    append_text(line, node->kind == YAML_MAP ? "}" : "]");
}

char *run_layers_text(const recipe_reader *reader, const yaml_node *node) {
    line line = {.text = run_text_copy("")};
    append_node(reader, &line, node);
    return line.text;
}
