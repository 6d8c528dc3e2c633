#include "recipe.h"

#include "events.h"
#include "generator.h"
#include "message.h"
#include "option.h"
#include "run_options.h"
#include "run_state.h"
#include "sources.h"
#include "text.h"
#include "yaml.h"

#include <stdlib.h>
#include <string.h>

typedef struct reader {
    recipe *recipe;
    uint64_t given; /* bit i: option i was given on the command line, which comes first */
} reader;

/* --- places --- */

static place place_of(const yaml_node *node) { return (place){node->line, node->column}; }

static wadi_status at_value(const reader *reader, const yaml_node *node, wadi_status status) {
    return fail_at(reader->recipe->file, place_of(node), status);
}

static wadi_status at_key(const reader *reader, const yaml_node *node, wadi_status status) {
    const place key = {node->key_line, node->key_column};
    return fail_at(reader->recipe->file, node->key ? key : place_of(node), status);
}

static wadi_status expect_kind(const reader *reader, const yaml_node *node, yaml_kind kind, const char *wanted) {
    if (node->kind == kind) return WADI_OK;
    return at_value(reader, node,
                    wadi_fail(WADI_ERROR_ARGUMENT, "%.80s%s%s is wanted", node->key ? node->key : "",
                              node->key ? ": " : "", wanted));
}

/* --- texts --- */

/* Takes `text`, which then lives as long as the recipe. */
static const char *keep(const reader *reader, char *text) {
    text_list *texts = &reader->recipe->texts;
    text_list_add(texts, text);
    free(text);
    return texts->items[texts->count - 1];
}

static bool is_absolute(const char *path) { return path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':'); }

/* A path of the recipe as one from the current folder. */
static char *resolve(const reader *reader, const char *path) {
    return text_format("%s%s", is_absolute(path) || !*path ? "" : reader->recipe->folder, path);
}

/* "@map" with its path resolved; other values as they are. */
static char *resolve_value(const reader *reader, const char *text) {
    if (text[0] != '@') return text_copy(text);
    char *path = resolve(reader, text + 1);
    char *value = text_format("@%s", path);
    free(path);
    return value;
}

/* A list of plain values as one text. NULL: an error. */
static char *joined(const reader *reader, const yaml_node *list, char separator) {
    char *text = text_copy("");
    for (const yaml_node *item = list->first; item; item = item->next) {
        char *longer =
            item->kind == YAML_TEXT ? text_format("%s%.*s%s", text, *text != '\0', &separator, item->text) : NULL;
        free(text);
        text = longer;
        if (text) continue;
        at_value(
            reader, item,
            wadi_fail(WADI_ERROR_ARGUMENT, "%.80s: a list of plain values is wanted", list->key ? list->key : "list"));
        return NULL;
    }
    return text;
}

/* rain: {count: N, radius: M, rate: R} as the option has it. */
static char *drops_text(const reader *reader, const yaml_node *map) {
    char *text = text_copy("drops:");
    for (const yaml_node *member = map->first; member; member = member->next) {
        char *longer = NULL;
        if (member->kind == YAML_TEXT)
            longer = text_format("%s%s%s=%s", text, member == map->first ? "" : ",", member->key, member->text);
        free(text);
        text = longer;
        if (text) continue;
        at_key(reader, member, wadi_fail(WADI_ERROR_ARGUMENT, "rain: %.80s: a number is wanted", member->key));
        return NULL;
    }
    return text;
}

static bool names_file(const option *option, const char *value) {
    if (strcmp(option->name, "hardness") == 0) return strcmp(value, "height") != 0 && strcmp(value, "uniform") != 0;
    if (strcmp(option->name, "mask") == 0) return strcmp(value, "previous") != 0;
    return strcmp(option->name, "water") == 0 || strcmp(option->name, "sources") == 0 ||
           strcmp(option->name, "from") == 0 || strcmp(option->name, "video") == 0;
}

/* The value as it would stand on the command line. NULL: an error. */
static char *option_text(const reader *reader, const option *option, const yaml_node *node) {
    bool rain = strcmp(option->name, "rain") == 0, maps = strcmp(option->name, "maps") == 0;
    if (node->kind == YAML_TEXT && rain) return resolve_value(reader, node->text);
    if (node->kind == YAML_TEXT)
        return names_file(option, node->text) ? resolve(reader, node->text) : text_copy(node->text);
    if (node->kind == YAML_MAP && rain) return drops_text(reader, node);
    if (node->kind == YAML_LIST && (maps || option->type == OPTION_PAIR)) return joined(reader, node, ',');
    if (node->kind == YAML_LIST && option->type == OPTION_SIZE) return joined(reader, node, 'x');
    at_value(reader, node,
             wadi_fail(WADI_ERROR_ARGUMENT, "%s: a %s is no value for it", option->name,
                       node->kind == YAML_LIST ? "list" : "map"));
    return NULL;
}

/* --- options --- */

/* The flag --no-x is the key x: what it takes away is there unless it is false. */
static const char *key_of(const option *option) {
    return option->type == OPTION_FLAG && strncmp(option->name, "no-", 3) == 0 ? option->name + 3 : option->name;
}

static wadi_status store_flag(const option *option, const yaml_node *node, void *values) {
    const char *text = node->kind == YAML_TEXT ? node->text : "", *key = key_of(option);
    const bool yes = strcmp(text, "true") == 0, takes_away = key != option->name;
    if (!yes && strcmp(text, "false") != 0) return wadi_fail(WADI_ERROR_ARGUMENT, "%s: true or false is wanted", key);
    return yes != takes_away ? option_store(option, "", values) : WADI_OK;
}

static wadi_status store_settings(const reader *reader, const yaml_node *map, run_options *options,
                                  run_places *places) {
    wadi_status status = expect_kind(reader, map, YAML_MAP, "a map of parameters, as in set: {Kc: 0.3},");
    for (const yaml_node *node = status != WADI_OK ? NULL : map->first; node; node = node->next) {
        if (node->kind != YAML_TEXT)
            return at_value(reader, node,
                            wadi_fail(WADI_ERROR_ARGUMENT, "%.80s: a number, a choice or @FILE is wanted", node->key));
        char *value = resolve_value(reader, node->text);
        char *setting = text_format("%s=%s", node->key, value);
        text_list_add(&options->settings, setting);
        places->settings = text_grow(places->settings, options->settings.count * sizeof *places->settings);
        places->settings[options->settings.count - 1] = (place){node->key_line, node->key_column};
        free(setting);
        free(value);
    }
    return status;
}

static wadi_status store_source_field(const reader *reader, const yaml_node *field, source_row *row) {
    for (int i = 0; i < SOURCE_FIELDS; i++) {
        if (strcmp(field->key, source_fields[i]) != 0) continue;
        if (field->kind == YAML_TEXT && parse_number(field->text, &row->values[i])) return WADI_OK;
        return at_value(reader, field, wadi_fail(WADI_ERROR_ARGUMENT, "%s: a number is wanted", field->key));
    }
    char near[128];
    return at_key(reader, field,
                  wadi_fail(WADI_ERROR_ARGUMENT, "%.80s: a source has no such key%s", field->key,
                            did_you_mean(field->key, source_fields, SOURCE_FIELDS, near)));
}

static wadi_status store_sources(const reader *reader, const yaml_node *list, source_rows *rows) {
    for (const yaml_node *item = list->first; item; item = item->next) {
        source_row row = {.values = {0, 0, 0, 0, 0, INFINITY}, .at = place_of(item)};
        wadi_status status = expect_kind(reader, item, YAML_MAP, "a map like {x: 3, y: 4, radius_m: 2, rate_m3s: 1}");
        for (const yaml_node *field = item->first; field && status == WADI_OK; field = field->next)
            status = store_source_field(reader, field, &row);
        for (int i = 0; i < SOURCE_FIELDS_NEEDED && status == WADI_OK; i++) {
            if (!yaml_member(item, source_fields[i]))
                status =
                    at_value(reader, item, wadi_fail(WADI_ERROR_ARGUMENT, "a source without %s", source_fields[i]));
        }
        if (status != WADI_OK) return status;
        rows->rows = text_grow(rows->rows, (rows->count + 1) * sizeof *rows->rows);
        rows->rows[rows->count++] = row;
    }
    if (rows->count) return WADI_OK;
    return at_value(reader, list, wadi_fail(WADI_ERROR_ARGUMENT, "sources: the list is empty"));
}

static wadi_status store_option(const reader *reader, const option *option, const yaml_node *node, run_options *options,
                                run_places *places, source_rows *sources) {
    size_t index = (size_t)(option - run_option_rows);
    places->options[index] = place_of(node);
    if (option->type == OPTION_FLAG) return at_value(reader, node, store_flag(option, node, options));
    if (option->type == OPTION_TEXTS) return store_settings(reader, node, options, places);
    if (node->kind == YAML_LIST && strcmp(option->name, "sources") == 0) return store_sources(reader, node, sources);
    char *text = option_text(reader, option, node);
    if (!text) return WADI_ERROR_ARGUMENT;
    return at_value(reader, node, option_store(option, keep(reader, text), options));
}

static const option *find_option(const option *options, const char *name) {
    for (const option *o = options; o->name; o++)
        if (strcmp(key_of(o), name) == 0) return o;
    return NULL;
}

static bool is_one_of(const char *const *names, const char *name) {
    for (; *names; names++)
        if (strcmp(*names, name) == 0) return true;
    return false;
}

/* `others`: the keys beside the options that may stand here, ended by NULL. */
static wadi_status refuse_key(const char *key, unsigned wanted, const char *const *others) {
    const option *known = find_option(run_option_rows, key);
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
                     did_you_mean(key, names, count, near));
}

/* Every member of a map that is an option for `wanted` places. */
static wadi_status read_options(const reader *reader, const yaml_node *map, unsigned wanted, const char *const *others,
                                run_options *options, run_places *places, source_rows *sources) {
    places->file = reader->recipe->file;
    places->self = place_of(map);
    for (const yaml_node *node = map->first; node; node = node->next) {
        if (is_one_of(others, node->key)) continue;
        const option *option = find_option(run_option_rows, node->key);
        if (!option || !(option->recipe & wanted)) return at_key(reader, node, refuse_key(node->key, wanted, others));
        if (wanted != RECIPE_STAGE && reader->given >> (option - run_option_rows) & 1) continue;
        wadi_status status = store_option(reader, option, node, options, places, sources);
        if (status != WADI_OK) return status;
    }
    return WADI_OK;
}

/* --- stages --- */

static wadi_status add_stage(const reader *reader, const yaml_node *node, recipe_stage **added) {
    recipe *recipe = reader->recipe;
    if (recipe->stage_count == MOST_STAGES)
        return at_value(reader, node, wadi_fail(WADI_ERROR_ARGUMENT, "more than %d stages", MOST_STAGES));
    recipe->stages = text_grow(recipe->stages, (recipe->stage_count + 1) * sizeof *recipe->stages);
    recipe_stage *stage = *added = &recipe->stages[recipe->stage_count];
    *stage = (recipe_stage){.options = recipe->top, .places = recipe->places, .rounds = 1};
    stage->first = stage->last = recipe->stage_count++;
    return WADI_OK;
}

static wadi_status read_events(const reader *reader, const yaml_node *stage_node, recipe_stage *stage) {
    const yaml_node *list = yaml_member(stage_node, "events");
    return list ? events_read(reader->recipe->file, list, &stage->events) : WADI_OK;
}

static wadi_status read_stage(const reader *reader, const yaml_node *node) {
    static const char *const others[] = {"repeat", "stages", "events", NULL};
    recipe_stage *stage;
    wadi_status status = expect_kind(reader, node, YAML_MAP, "a stage, a map like {model: olsen2004, steps: 50},");
    if (status == WADI_OK) status = add_stage(reader, node, &stage);
    if (status != WADI_OK) return status;
    const yaml_node *inside = yaml_member(node, "repeat");
    if (!inside) inside = yaml_member(node, "stages");
    if (inside)
        return at_key(
            reader, inside,
            wadi_fail(WADI_ERROR_ARGUMENT, "%s: stages are repeated one deep; write the inner ones out", inside->key));
    status = read_options(reader, node, RECIPE_STAGE, others, &stage->options, &stage->places, &stage->sources);
    return status != WADI_OK ? status : read_events(reader, node, stage);
}

static wadi_status read_list(const reader *reader, const yaml_node *list,
                             wadi_status (*read)(const struct reader *, const yaml_node *)) {
    wadi_status status = expect_kind(reader, list, YAML_LIST, "a list of stages");
    if (status == WADI_OK && !list->first)
        status = at_value(reader, list, wadi_fail(WADI_ERROR_ARGUMENT, "stages: the list is empty"));
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
            return at_key(reader, node,
                          wadi_fail(WADI_ERROR_ARGUMENT,
                                    "%.80s: beside 'repeat' stand the 'stages' to repeat, and nothing else",
                                    node->key));
    }
    const yaml_node *count = yaml_member(map, "repeat"), *stages = yaml_member(map, "stages");
    if (!count || !stages)
        return at_value(
            reader, map,
            wadi_fail(WADI_ERROR_ARGUMENT, "%s is missing: {repeat: N, stages: [...]}", count ? "stages" : "repeat"));
    const char *number = count->kind == YAML_TEXT ? count->text : "";
    wadi_status status = at_value(reader, count, option_store(&repeat, number, &rounds));
    if (status == WADI_OK) status = read_list(reader, stages, read_stage);
    for (size_t i = first; i < recipe->stage_count; i++) {
        recipe->stages[i].first = first;
        recipe->stages[i].last = recipe->stage_count - 1;
        recipe->stages[i].rounds = rounds;
    }
    return status;
}

static wadi_status read_stage_or_repeat(const reader *reader, const yaml_node *node) {
    bool repeat = yaml_member(node, "repeat") || yaml_member(node, "stages");
    return repeat ? read_repeat(reader, node) : read_stage(reader, node);
}

/* --- the top --- */

static wadi_status read_generator_option(const reader *reader, const yaml_node *node) {
    recipe *recipe = reader->recipe;
    const option *options = generator_options, *option = find_option(options, node->key);
    if (!option || strcmp(option->name, "output") == 0 || strcmp(option->name, "force") == 0) {
        const char *names[64] = {"kind"};
        size_t count = 1;
        for (const struct option *o = options; o->name && count < 64; o++) names[count++] = o->name;
        char near[128];
        return at_key(reader, node,
                      wadi_fail(WADI_ERROR_ARGUMENT,
                                "%.80s: a generator has no such key%s ('wadi help generate' lists them)", node->key,
                                did_you_mean(node->key, names, count, near)));
    }
    if (option->type == OPTION_FLAG) return at_value(reader, node, store_flag(option, node, &recipe->generate));
    char *value = option_text(reader, option, node);
    if (!value) return WADI_ERROR_ARGUMENT;
    char *given = text_format("%s=%s", option->name, value);
    text_list_add(&recipe->generator, given);
    free(given);
    return at_value(reader, node, option_store(option, keep(reader, value), &recipe->generate));
}

static wadi_status read_generator(const reader *reader, const yaml_node *map) {
    recipe *recipe = reader->recipe;
    wadi_status status = expect_kind(reader, map, YAML_MAP, "a map like {kind: noise, size: 512x512}");
    if (status != WADI_OK) return status;
    const yaml_node *kind = yaml_member(map, "kind");
    if (!kind || kind->kind != YAML_TEXT)
        return at_value(reader, map, wadi_fail(WADI_ERROR_ARGUMENT, "generate: kind is missing, as in kind: noise"));
    recipe->kind = keep(reader, text_copy(kind->text));
    char *given = text_format("kind=%s", recipe->kind);
    text_list_add(&recipe->generator, given);
    free(given);
    for (const yaml_node *node = map->first; node && status == WADI_OK; node = node->next)
        if (node != kind) status = read_generator_option(reader, node);
    return status != WADI_OK ? status : at_value(reader, kind, generate_check(&recipe->generate, recipe->kind));
}

static wadi_status read_input(const reader *reader, const yaml_node *root) {
    recipe *recipe = reader->recipe;
    const yaml_node *input = yaml_member(root, "input"), *generate = yaml_member(root, "generate");
    if (input && generate)
        return at_key(reader, generate,
                      wadi_fail(WADI_ERROR_ARGUMENT, "generate: there is an input, too; leave one out"));
    if (generate) return read_generator(reader, generate);
    if (!input) return WADI_OK;
    wadi_status status = expect_kind(reader, input, YAML_TEXT, "a file's name");
    if (status == WADI_OK && !*input->text)
        status = at_value(reader, input, wadi_fail(WADI_ERROR_ARGUMENT, "input: its value is empty"));
    if (status == WADI_OK) recipe->input = keep(reader, resolve(reader, input->text));
    return status;
}

static void take_inputs(recipe *recipe, const char *prefix, const yaml_node *inputs) {
    for (const yaml_node *node = inputs ? inputs->first : NULL; node; node = node->next) {
        const yaml_node *path = yaml_member(node, "path"), *sha256 = yaml_member(node, "sha256");
        if (!node->key || !path || !path->text || !sha256 || !sha256->text) continue;
        char *name = text_format("%s%s", prefix, node->key);
        run_add_input(&recipe->stored, name, path->text, sha256->text);
        free(name);
    }
}

/* The top's "stages" are what was done, the recipe's what is to be done. */
static void take_stored(recipe *recipe, const yaml_node *root) {
    const yaml_node *stages = yaml_member(root, "stages");
    int number = 0;
    take_inputs(recipe, "", yaml_member(root, "inputs"));
    for (const yaml_node *stage = stages ? stages->first : NULL; stage; stage = stage->next) {
        char *prefix = text_format("%d/", ++number);
        take_inputs(recipe, prefix, yaml_member(stage, "inputs"));
        free(prefix);
    }
}

/* A run.json's recipe; its paths count from the current folder, as they did when it was written. */
static wadi_status find_recipe(const reader *reader, const yaml_node **root) {
    if (!yaml_member(*root, "wadi")) return WADI_OK;
    const yaml_node *inside = yaml_member(*root, "recipe");
    if (!inside) return at_value(reader, *root, wadi_fail(WADI_ERROR_ARGUMENT, "this run.json holds no recipe"));
    reader->recipe->folder[0] = '\0';
    take_stored(reader->recipe, *root);
    *root = inside;
    return expect_kind(reader, inside, YAML_MAP, "a map");
}

static wadi_status read_root(const reader *reader, const yaml_node *root) {
    static const char *const others[] = {"input", "generate", "stages", "events", NULL};
    recipe *recipe = reader->recipe;
    wadi_status status = expect_kind(reader, root, YAML_MAP, "a map of keys and values");
    if (status == WADI_OK) status = find_recipe(reader, &root);
    if (status == WADI_OK) status = read_input(reader, root);
    if (status != WADI_OK) return status;
    const yaml_node *stages = yaml_member(root, "stages");
    const yaml_node *events = yaml_member(root, "events");
    if (stages && events)
        return at_key(reader, events,
                      wadi_fail(WADI_ERROR_ARGUMENT, "events: belongs in a stage where there are 'stages'"));
    if (stages) {
        status = read_options(reader, root, RECIPE_TOP, others, &recipe->top, &recipe->places, NULL);
        return status != WADI_OK ? status : read_list(reader, stages, read_stage_or_repeat);
    }
    recipe_stage *stage;
    status = add_stage(reader, root, &stage);
    if (status == WADI_OK)
        status = read_options(reader, root, RECIPE_TOP | RECIPE_STAGE, others, &stage->options, &stage->places,
                              &stage->sources);
    if (status == WADI_OK) status = read_events(reader, root, stage);
    recipe->top = stage->options; /* what it has for the whole run */
    recipe->top.settings = (text_list){0};
    recipe->places = stage->places;
    recipe->places.settings = NULL;
    return status;
}

/* --- recipes --- */

/* "a/b/" for "a/b/c.yaml" */
static char *folder_of(const char *path) {
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] != '/' && path[length - 1] != '\\') length--;
    return text_format("%.*s", (int)length, path);
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

wadi_status recipe_parse(const char *name, const char *text, size_t count, const run_options *given,
                         uint64_t given_bits, recipe *recipe) {
    reader reader = {recipe, given_bits};
    *recipe = (struct recipe){
        .file = text_copy(name), .folder = folder_of(name), .top = *given, .generate = generate_defaults};
    recipe->top.settings = (text_list){0};
    yaml_node *root = NULL;
    wadi_status status = yaml_read(name, text, count, &root);
    if (status == WADI_OK) status = read_root(&reader, root);
    yaml_free(root);
    link_stages(recipe);
    return status;
}

wadi_status recipe_read(const char *path, const run_options *given, uint64_t given_bits, const char *input,
                        recipe *recipe) {
    *recipe = (struct recipe){0};
    if (!yaml_available())
        return wadi_fail(WADI_ERROR_ARGUMENT, "--recipe: not built: install libfyaml-dev and build again");
    size_t count;
    char *text;
    wadi_status status = text_file_read("--recipe", path, &text, &count);
    if (status != WADI_OK) return status;
    status = recipe_parse(path, text, count, given, given_bits, recipe);
    free(text);
    if (input) {
        recipe->input = input;
        recipe->kind = NULL;
        text_list_free(&recipe->generator);
    }
    if (status == WADI_OK && !recipe->input && !recipe->kind)
        status = wadi_fail(WADI_ERROR_ARGUMENT,
                           "%s: names no terrain: 'input' or 'generate' is missing, and no INPUT is given", path);
    return status;
}

void recipe_from_options(const run_options *given, const char *input, recipe *recipe) {
    *recipe = (struct recipe){.top = *given, .input = input, .stage_count = 1};
    recipe->stages = text_allocate(sizeof *recipe->stages);
    recipe->stages[0] = (recipe_stage){.options = *given, .rounds = 1};
    recipe->top.settings = recipe->stages[0].options.settings = (text_list){0};
    for (size_t i = 0; i < given->settings.count; i++)
        text_list_add(&recipe->stages[0].options.settings, given->settings.items[i]);
}

void recipe_free(recipe *recipe) {
    for (size_t i = 0; i < recipe->stage_count; i++) {
        recipe_stage *stage = &recipe->stages[i];
        text_list_free(&stage->options.settings);
        free(stage->places.settings);
        free(stage->sources.rows);
        events_free(&stage->events);
    }
    free(recipe->stages);
    free(recipe->file);
    free(recipe->folder);
    text_list_free(&recipe->generator);
    text_list_free(&recipe->texts);
    run_inputs_free(&recipe->stored);
}
