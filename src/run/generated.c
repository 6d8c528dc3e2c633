#include "generated.h"

#include "fail.h"
#include "run_options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_of_command(const option *option) {
    static const char *const names[] = {"output", "recipe", "force"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], option->name) == 0) return true;
    return false;
}

static wadi_status refuse_key(const char *key) {
    const char *names[64] = {"kind", "layers"};
    size_t count = 2;
    for (const option *o = run_generator_options; o->name && count < 64; o++)
        if (!is_of_command(o)) names[count++] = o->name;
    char near[128];
    return wadi_fail(WADI_ERROR_ARGUMENT, "%.80s: a generator has no such key%s ('wadi help generate' lists them)", key,
                     run_did_you_mean(key, names, count, near));
}

static wadi_status read_option(const recipe_reader *reader, const yaml_node *node, generated *generated) {
    const option *option = run_find_recipe_option(run_generator_options, node->key);
    if (!option || is_of_command(option)) return run_at_key(reader, node, refuse_key(node->key));
    if (strcmp(option->name, "size") == 0 && option_set_has(reader->given, run_option_index("size"))) return WADI_OK;
    const char *text;
    const wadi_status status = run_store_recipe_option(reader, option, node, &generated->options, &text);
    if (status != WADI_OK || !text) return status;
    return run_text_list_take(&generated->texts, run_text_format("%s=%s", option->name, text));
}

static wadi_status read_kind(const recipe_reader *reader, const yaml_node *kind, generated *generated) {
    wadi_status status = run_keep_text(reader, run_text_copy(kind->text), &generated->kind);
    if (status != WADI_OK) return status;
    return run_text_list_take(&generated->texts, run_text_format("kind=%s", generated->kind));
}

static wadi_status read_layers(const recipe_reader *reader, const yaml_node *node, generated *generated) {
    generated->kind = "layers";
    wadi_status status = run_layers_read(reader, node, &generated->layers);
    if (status != WADI_OK) return status;
    char *text = run_layers_text(reader, node);
    status = text ? run_text_list_take(&generated->texts, run_text_format("layers=%s", text))
                  : wadi_fail(WADI_ERROR_MEMORY, "no memory for layers");
    free(text);
    return status;
}

/* With layers, these options would belong to one of them. */
static wadi_status check_keys(const recipe_reader *reader, const yaml_node *map) {
    static const char *const taken[] = {"layers", "size", "cell-size", "world-size", "seed", "base", "relief"};
    for (const yaml_node *key = map->first; key; key = key->next) {
        const option *known = run_find_recipe_option(run_generator_options, key->key);
        bool good = !known || is_of_command(known); /* refused as any wrong key */
        for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) good |= strcmp(taken[i], key->key) == 0;
        if (!good)
            return run_at_key(
                reader, key,
                wadi_fail(WADI_ERROR_ARGUMENT, "%.80s: belongs in a layer where there are 'layers'", key->key));
    }
    return WADI_OK;
}

/* On the command line, beside a recipe of layers. */
static wadi_status refuse_of_kind(const generate_options *given) {
    const bool any = given->octaves || given->feature != 0 || given->warp != 0 || given->width != 0 || given->line ||
                     given->from || given->roughness >= 0 || given->stretch != 0 || given->direction != 0;
    if (!any) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT,
                     "the recipe has layers, and each has its own octaves, feature-size, roughness, "
                     "warp, stretch, direction, line, width and from");
}

wadi_status run_generated_check(const generated *generated) {
    if (!generated->layers) return run_generate_check(&generated->options, generated->kind);
    wadi_status status = refuse_of_kind(&generated->options);
    if (status == WADI_OK) status = run_generate_check_world(&generated->options);
    return status != WADI_OK ? status
                             : run_generate_check_maps(&generated->options, run_layers_maps(generated->layers));
}

wadi_status run_generated_read(const recipe_reader *reader, const yaml_node *map, generated *generated) {
    wadi_status status = run_expect_kind(reader, map, YAML_MAP, "a map like {kind: noise, size: 512x512}");
    if (status != WADI_OK) return status;
    const yaml_node *kind = run_yaml_member(map, "kind"), *layers = run_yaml_member(map, "layers");
    if (kind && layers)
        return run_at_key(reader, layers,
                          wadi_fail(WADI_ERROR_ARGUMENT, "layers: there is a kind, too; leave one out"));
    if (!layers && (!kind || kind->kind != YAML_TEXT))
        return run_at_value(reader, map,
                            wadi_fail(WADI_ERROR_ARGUMENT, "generate: kind is missing, as in kind: noise"));
    status = layers ? read_layers(reader, layers, generated) : read_kind(reader, kind, generated);
    if (status == WADI_OK && layers) status = check_keys(reader, map);
    for (const yaml_node *node = map->first; node && status == WADI_OK; node = node->next)
        if (node != kind && node != layers) status = read_option(reader, node, generated);
    if (status != WADI_OK) return status;
    return run_at_value(reader, layers ? layers : kind, run_generated_check(generated));
}

/* Replaces "key=..." among the texts, or adds it. `text` is owned from here on; NULL: memory was missing. */
static wadi_status note_text(generated *generated, const char *key, char *text) {
    text_list *texts = &generated->texts;
    const size_t length = strlen(key);
    if (!text) return WADI_ERROR_MEMORY;
    for (size_t i = 0; i < texts->count; i++) {
        if (strncmp(texts->items[i], key, length) != 0 || texts->items[i][length] != '=') continue;
        free(texts->items[i]);
        texts->items[i] = text;
        return WADI_OK;
    }
    return run_text_list_take(texts, text);
}

wadi_status run_generated_note_size(generated *generated) {
    const int *size = generated->options.size;
    return note_text(generated, "size", run_text_format("size=%dx%d", size[0], size[1]));
}

wadi_status run_generated_seed(generated *generated, uint64_t seed) {
    generated->options.seed = seed;
    return note_text(generated, "seed", run_text_format("seed=%" PRIu64, seed));
}

void run_generated_free(generated *generated) {
    run_layers_free(generated->layers);
    run_text_list_free(&generated->texts);
    *generated = (struct generated){0};
}

wadi_status run_generated_make(const char *file, const generated *generated, wadi_raster **raster) {
    const generate_options *given = &generated->options;
    if (!generated->layers) return run_generate_raster(given, generated->kind, raster);
    wadi_status status = run_generate_empty(given, raster);
    if (status == WADI_OK) status = run_layers_make(file, generated->layers, given->seed, NULL, NULL, *raster);
    if (status == WADI_OK) run_layers_stretch(*raster, given->base, given->relief);
    return status;
}
