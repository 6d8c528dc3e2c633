#include "recipe.h"

#include "array.h"
#include "events.h"
#include "option.h"
#include "recipe_keys.h"
#include "run_options.h"
#include "run_state.h"
#include "sources.h"
#include "text.h"
#include "user_preset.h"
#include "yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    recipe_reader in;
    recipe *recipe;
} reader;

/* --- stages --- */

static wadi_status add_stage(const reader *reader, const yaml_node *node, recipe_stage **added) {
    recipe *recipe = reader->recipe;
    if (recipe->stage_count == MOST_STAGES)
        return run_at_value(&reader->in, node, wadi_fail(WADI_ERROR_ARGUMENT, "more than %d stages", MOST_STAGES));
    const size_t index = recipe->stage_count;
    recipe_stage *stage = *added = run_array_add(&recipe->stages, &recipe->stage_count, sizeof *stage);
    if (!stage) return WADI_ERROR_MEMORY;
    *stage = (recipe_stage){.options = recipe->top, .places = recipe->places, .rounds = 1};
    stage->first = stage->last = index;
    return WADI_OK;
}

static wadi_status read_events(const reader *reader, const yaml_node *stage_node, recipe_stage *stage) {
    const yaml_node *list = run_yaml_member(stage_node, "events");
    const wadi_status status = list ? run_events_read(reader->recipe->file, list, &stage->events) : WADI_OK;
    for (size_t i = 0; i < stage->events.count && status == WADI_OK; i++) {
        map_event *map = stage->events.items[i].map;
        char *path = map ? run_resolve_path(&reader->in, map->path) : NULL;
        if (map && !path) return WADI_ERROR_MEMORY;
        if (map) free(map->path);
        if (map) map->path = path;
    }
    return status;
}

static wadi_status read_stage(const reader *reader, const yaml_node *node) {
    static const char *const others[] = {"repeat", "stages", "events", NULL};
    recipe_stage *stage;
    wadi_status status =
        run_expect_kind(&reader->in, node, YAML_MAP, "a stage, a map like {model: olsen2004, steps: 50},");
    if (status == WADI_OK) status = add_stage(reader, node, &stage);
    if (status != WADI_OK) return status;
    const yaml_node *inside = run_yaml_member(node, "repeat");
    if (!inside) inside = run_yaml_member(node, "stages");
    if (inside)
        return run_at_key(
            &reader->in, inside,
            wadi_fail(WADI_ERROR_ARGUMENT, "%s: stages are repeated one deep; write the inner ones out", inside->key));
    const recipe_target target = {&stage->options, &stage->places, &stage->sources};
    status = run_read_recipe_options(&reader->in, node, RECIPE_STAGE, others, &target);
    return status != WADI_OK ? status : read_events(reader, node, stage);
}

static wadi_status read_list(const reader *reader, const yaml_node *list,
                             wadi_status (*read)(const struct reader *, const yaml_node *)) {
    wadi_status status = run_expect_kind(&reader->in, list, YAML_LIST, "a list of stages");
    if (status == WADI_OK && !list->first)
        status = run_at_value(&reader->in, list, wadi_fail(WADI_ERROR_ARGUMENT, "stages: the list is empty"));
    for (const yaml_node *item = list->first; item && status == WADI_OK; item = item->next) status = read(reader, item);
    return status;
}

/* {repeat: N, stages: [...]} */
static wadi_status read_repeat(const reader *reader, const yaml_node *map) {
    static const option repeat = {.name = "repeat", .type = OPTION_COUNT, .minimum = 1, .maximum = 1e9};
    recipe *recipe = reader->recipe;
    size_t first = recipe->stage_count;
    int64_t rounds = 1;
    for (const yaml_node *node = map->first; node; node = node->next) {
        if (strcmp(node->key, "repeat") != 0 && strcmp(node->key, "stages") != 0)
            return run_at_key(&reader->in, node,
                              wadi_fail(WADI_ERROR_ARGUMENT,
                                        "%.80s: beside 'repeat' stand the 'stages' to repeat, and nothing else",
                                        node->key));
    }
    const yaml_node *count = run_yaml_member(map, "repeat"), *stages = run_yaml_member(map, "stages");
    if (!count || !stages)
        return run_at_value(
            &reader->in, map,
            wadi_fail(WADI_ERROR_ARGUMENT, "%s is missing: {repeat: N, stages: [...]}", count ? "stages" : "repeat"));
    const char *number = count->kind == YAML_TEXT ? count->text : "";
    wadi_status status = run_at_value(&reader->in, count, run_option_store(&repeat, number, &rounds));
    if (status == WADI_OK) status = read_list(reader, stages, read_stage);
    for (size_t i = first; i < recipe->stage_count; i++) {
        recipe->stages[i].first = first;
        recipe->stages[i].last = recipe->stage_count - 1;
        recipe->stages[i].rounds = rounds;
    }
    return status;
}

static wadi_status read_stage_or_repeat(const reader *reader, const yaml_node *node) {
    bool repeat = run_yaml_member(node, "repeat") || run_yaml_member(node, "stages");
    return repeat ? read_repeat(reader, node) : read_stage(reader, node);
}

/* --- the top --- */

/* `input` may be a generator too: the same text as the value of `generate`. */
static wadi_status read_input(const reader *reader, const yaml_node *root) {
    recipe *recipe = reader->recipe;
    const yaml_node *input = run_yaml_member(root, "input"), *generate = run_yaml_member(root, "generate");
    if (input && generate)
        return run_at_key(&reader->in, generate,
                          wadi_fail(WADI_ERROR_ARGUMENT, "generate: there is an input, too; leave one out"));
    if (generate) return run_generated_read(&reader->in, generate, &recipe->generated);
    if (!input) return WADI_OK;
    if (input->kind == YAML_MAP) return run_generated_read(&reader->in, input, &recipe->generated);
    wadi_status status = run_expect_kind(&reader->in, input, YAML_TEXT, "a file's name or a generator");
    if (status == WADI_OK && !*input->text)
        status = run_at_value(&reader->in, input, wadi_fail(WADI_ERROR_ARGUMENT, "input: its value is empty"));
    if (status != WADI_OK) return status;
    return run_keep_text(&reader->in, run_resolve_path(&reader->in, input->text), &recipe->input);
}

static wadi_status take_inputs(recipe *recipe, const char *prefix, const yaml_node *inputs) {
    wadi_status status = WADI_OK;
    for (const yaml_node *node = inputs ? inputs->first : NULL; node && status == WADI_OK; node = node->next) {
        const yaml_node *path = run_yaml_member(node, "path"), *sha256 = run_yaml_member(node, "sha256");
        if (!node->key || !path || !path->text || !sha256 || !sha256->text) continue;
        char *name = run_text_format("%s%s", prefix, node->key);
        status = name ? run_add_input(&recipe->stored, name, path->text, sha256->text) : WADI_ERROR_MEMORY;
        free(name);
    }
    return status;
}

/* At the top, "stages" of a run.json are the results; those of its recipe are the instructions. */
static wadi_status take_stored(recipe *recipe, const yaml_node *root) {
    const yaml_node *stages = run_yaml_member(root, "stages");
    int number = 0;
    wadi_status status = take_inputs(recipe, "", run_yaml_member(root, "inputs"));
    const yaml_node *stage = stages ? stages->first : NULL;
    for (; stage && status == WADI_OK; stage = stage->next) {
        char prefix[24];
        snprintf(prefix, sizeof prefix, "%d/", ++number);
        status = take_inputs(recipe, prefix, run_yaml_member(stage, "inputs"));
    }
    return status;
}

/* The recipe in a run.json. Its paths are relative to the current folder, as they were when it was written. */
static wadi_status find_recipe(const reader *reader, const yaml_node **root) {
    if (!run_yaml_member(*root, "wadi")) return WADI_OK;
    const yaml_node *inside = run_yaml_member(*root, "recipe");
    if (!inside)
        return run_at_value(&reader->in, *root, wadi_fail(WADI_ERROR_ARGUMENT, "this run.json holds no recipe"));
    reader->recipe->folder[0] = '\0';
    reader->recipe->top.repeats = true;
    const wadi_status status = take_stored(reader->recipe, *root);
    if (status != WADI_OK) return status;
    *root = inside;
    return run_expect_kind(&reader->in, inside, YAML_MAP, "a map");
}

/* A recipe without "stages": its top is the one stage. */
static wadi_status read_only_stage(const reader *reader, const yaml_node *root, const char *const *others) {
    recipe *recipe = reader->recipe;
    recipe_stage *stage;
    wadi_status status = add_stage(reader, root, &stage);
    if (status != WADI_OK) return status;
    const recipe_target target = {&stage->options, &stage->places, &stage->sources};
    status = run_read_recipe_options(&reader->in, root, RECIPE_TOP | RECIPE_STAGE, others, &target);
    if (status == WADI_OK) status = read_events(reader, root, stage);
    recipe->top = stage->options; /* its settings apply to the whole run */
    recipe->top.settings = recipe->top.knobs = (text_list){0};
    recipe->places = stage->places;
    recipe->places.settings = NULL;
    return status;
}

static wadi_status read_root(const reader *reader, const yaml_node *root) {
    static const char *const others[] = {"input", "generate", "stages", "events", NULL};
    recipe *recipe = reader->recipe;
    wadi_status status = run_expect_kind(&reader->in, root, YAML_MAP, "a map of keys and values");
    if (status == WADI_OK) status = find_recipe(reader, &root);
    if (status == WADI_OK) status = read_input(reader, root);
    if (status != WADI_OK) return status;
    const yaml_node *stages = run_yaml_member(root, "stages");
    const yaml_node *events = run_yaml_member(root, "events");
    if (stages && events)
        return run_at_key(&reader->in, events,
                          wadi_fail(WADI_ERROR_ARGUMENT, "events: belongs in a stage where there are 'stages'"));
    if (!stages) return read_only_stage(reader, root, others);
    const recipe_target target = {&recipe->top, &recipe->places, NULL};
    status = run_read_recipe_options(&reader->in, root, RECIPE_TOP, others, &target);
    return status != WADI_OK ? status : read_list(reader, stages, read_stage_or_repeat);
}

/* --- recipes --- */

/* "a/b/" for "a/b/c.yaml" */
static char *folder_of(const char *path) {
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] != '/' && path[length - 1] != '\\') length--;
    return run_text_format("%.*s", (int)length, path);
}

static void link_stages(recipe *recipe) {
    for (size_t i = 0; i < recipe->stage_count; i++) {
        recipe_stage *stage = &recipe->stages[i];
        stage->options.places = recipe->file ? &stage->places : NULL;
        stage->options.source_rows = stage->sources.count ? &stage->sources : NULL;
        stage->options.events = stage->events.count ? &stage->events : NULL;
    }
    recipe->top.places = recipe->file ? &recipe->places : NULL;
}

/* Presets of the user, by what they hold. */
static wadi_status expand_presets(recipe *recipe) {
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < recipe->stage_count && status == WADI_OK; i++) {
        run_options *options = &recipe->stages[i].options;
        status = run_user_preset_expand(options, &recipe->stages[i].places, &recipe->texts);
        status = run_at(options, &options->preset, status);
    }
    return status;
}

static wadi_status parse(const char *name, const char *text, size_t count, option_set set_by_user, recipe *recipe,
                         wadi_status (*read)(const reader *, const yaml_node *)) {
    recipe->file = run_text_copy(name);
    recipe->folder = folder_of(name);
    recipe->generated.options = run_generate_defaults;
    const int *size = recipe->top.read.size; /* nothing of the recipe's yet */
    if (size[0] > 0) {
        option_set_add(&set_by_user, run_option_index("size"));
        memcpy(recipe->generated.options.size, size, sizeof recipe->top.read.size);
    }
    recipe->top.settings = recipe->top.knobs = (text_list){0};
    if (!recipe->file || !recipe->folder) return WADI_ERROR_MEMORY;
    const reader reader = {{recipe->file, recipe->folder, &recipe->texts, set_by_user}, recipe};
    yaml_node *root = NULL;
    wadi_status status = run_yaml_read(name, text, count, &root);
    if (status == WADI_OK) status = read(&reader, root);
    run_yaml_free(root);
    link_stages(recipe);
    return status == WADI_OK ? expand_presets(recipe) : status;
}

wadi_status run_recipe_parse(const char *name, const char *text, size_t count, const run_options *given,
                             option_set set_by_user, recipe *recipe) {
    *recipe = (struct recipe){.top = *given};
    return parse(name, text, count, set_by_user, recipe, read_root);
}

/* A terrain alone, or a recipe of a run. */
static wadi_status read_terrain(const reader *reader, const yaml_node *root) {
    if (run_yaml_member(root, "kind") || run_yaml_member(root, "layers"))
        return run_generated_read(&reader->in, root, &reader->recipe->generated);
    const wadi_status status = read_root(reader, root);
    if (status != WADI_OK || reader->recipe->generated.kind) return status;
    return run_at_value(&reader->in, root,
                        wadi_fail(WADI_ERROR_ARGUMENT, "generates no terrain: kind, layers or generate is missing"));
}

wadi_status run_recipe_parse_terrain(const char *name, const char *text, size_t count, recipe *recipe) {
    *recipe = (struct recipe){.top = run_options_default};
    return parse(name, text, count, (option_set){0}, recipe, read_terrain);
}

/* A size that was given is that of a generated terrain, which run_generated_read has taken. */
static wadi_status settle_size(const run_options *given, recipe *recipe) {
    if (given->read.size[0] == 0) return WADI_OK;
    recipe->top.read.size[0] = recipe->top.read.size[1] = 0;
    return run_generated_note_size(&recipe->generated);
}

/* An input that was given takes the place of the recipe's. */
static wadi_status settle_input(const char *name, const char *input, const run_options *given, recipe *recipe) {
    if (input) {
        recipe->input = input;
        run_generated_free(&recipe->generated);
    }
    if (recipe->generated.kind) return settle_size(given, recipe);
    if (recipe->input) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT,
                     "%s: names no terrain: 'input' or 'generate' is missing, and no INPUT is given", name);
}

wadi_status run_recipe_read_text(const char *name, const char *text, const run_options *given, option_set set_by_user,
                                 const char *input, recipe *recipe) {
    const wadi_status status = run_recipe_parse(name, text, strlen(text), given, set_by_user, recipe);
    return status == WADI_OK ? settle_input(name, input, given, recipe) : status;
}

static wadi_status read_file(const char *path, char **text, size_t *count) {
    *text = NULL;
    if (!run_yaml_available())
        return wadi_fail(WADI_ERROR_ARGUMENT, "--recipe: not built: install libfyaml-dev and build again");
    return run_text_file_read("--recipe", path, text, count);
}

wadi_status run_recipe_read(const char *path, const run_options *given, option_set set_by_user, const char *input,
                            recipe *recipe) {
    *recipe = (struct recipe){0};
    size_t count;
    char *text;
    wadi_status status = read_file(path, &text, &count);
    if (status != WADI_OK) return status;
    status = run_recipe_parse(path, text, count, given, set_by_user, recipe);
    free(text);
    return status == WADI_OK ? settle_input(path, input, given, recipe) : status;
}

wadi_status run_recipe_read_terrain(const char *path, recipe *recipe) {
    *recipe = (struct recipe){0};
    size_t count;
    char *text;
    wadi_status status = read_file(path, &text, &count);
    if (status == WADI_OK) status = run_recipe_parse_terrain(path, text, count, recipe);
    free(text);
    return status;
}

wadi_status run_recipe_from_options(const run_options *given, const char *input, recipe *recipe) {
    *recipe = (struct recipe){.top = *given, .input = input};
    recipe->top.settings = recipe->top.knobs = (text_list){0};
    recipe_stage *stage = run_array_add(&recipe->stages, &recipe->stage_count, sizeof *stage);
    if (!stage) return WADI_ERROR_MEMORY;
    *stage = (recipe_stage){.options = recipe->top, .rounds = 1};
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < given->settings.count && status == WADI_OK; i++)
        status = run_text_list_add(&stage->options.settings, given->settings.items[i]);
    for (size_t i = 0; i < given->knobs.count && status == WADI_OK; i++)
        status = run_text_list_add(&stage->options.knobs, given->knobs.items[i]);
    return status == WADI_OK ? expand_presets(recipe) : status;
}

void run_recipe_free(recipe *recipe) {
    for (size_t i = 0; i < recipe->stage_count; i++) {
        recipe_stage *stage = &recipe->stages[i];
        run_text_list_free(&stage->options.settings);
        run_text_list_free(&stage->options.knobs);
        free(stage->places.settings);
        free(stage->sources.rows);
        run_events_free(&stage->events);
    }
    free(recipe->stages);
    free(recipe->file);
    free(recipe->folder);
    run_generated_free(&recipe->generated);
    run_text_list_free(&recipe->texts);
    run_inputs_free(&recipe->stored);
}
