#include "user_preset.h"

#include "array.h"
#include "fail.h"
#include "json.h"
#include "message.h"
#include "recipe_keys.h"
#include "yaml.h"

#include "platform/platform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PRESETS "/presets"
static const char ending[] = ".yaml";

static bool ends_in(const char *text, const char *end) {
    const size_t length = strlen(text), size = strlen(end);
    return length > size && strcmp(text + length - size, end) == 0;
}

/* --- the folder --- */

static bool folder_of_presets(char path[PRESET_PATH]) {
    if (!platform_config_folder(path, PRESET_PATH - sizeof PRESETS)) return false;
    run_text_add(path, PRESET_PATH, "%s", PRESETS);
    return true;
}

static bool is_file_name(const char *name) {
    return *name && *name != '.' && strlen(name) < 64 && strpbrk(name, "/\\:*?\"<>|\n\t") == NULL;
}

bool run_user_preset_path(const char *name, char path[PRESET_PATH]) {
    if (!is_file_name(name) || !folder_of_presets(path)) return false;
    run_text_add(path, PRESET_PATH, "/%s%s", name, ending);
    return true;
}

/* --- reading --- */

static wadi_status check_keys(const recipe_reader *reader, const yaml_node *root) {
    static const char *const known[] = {"model", "preset", "boundary", "knobs", "set"};
    enum { KNOWN = sizeof known / sizeof *known };
    char near[128];
    for (const yaml_node *node = root->first; node; node = node->next) {
        bool good = false;
        for (int i = 0; i < KNOWN; i++) good = good || strcmp(node->key, known[i]) == 0;
        if (good) continue;
        wadi_fail(WADI_ERROR_ARGUMENT, "%.80s: a preset has no such key%s (it has model, preset, boundary, knobs, set)",
                  node->key, run_did_you_mean(node->key, known, KNOWN, near));
        return run_at_key(reader, node, WADI_ERROR_ARGUMENT);
    }
    return WADI_OK;
}

static wadi_status find_base(const run_options *given, user_preset *preset) {
    preset->model = given->model ? wadi_model_find(given->model) : NULL;
    if (given->model && !preset->model) return run_at(given, &given->model, WADI_ERROR_ARGUMENT);
    if (!given->preset)
        return run_at(given, NULL, wadi_fail(WADI_ERROR_ARGUMENT, "preset is missing: the one that this one changes"));
    preset->base = wadi_preset_find(given->preset, &preset->model);
    return preset->base ? WADI_OK : run_at(given, &given->preset, WADI_ERROR_ARGUMENT);
}

static wadi_status refuse_maps(const text_list *settings) {
    for (size_t i = 0; i < settings->count; i++)
        if (strstr(settings->items[i], "=@"))
            return wadi_fail(WADI_ERROR_ARGUMENT, "%.80s: a preset has numbers and choices, and no maps",
                             settings->items[i]);
    return WADI_OK;
}

/* Only names and choices can be wrong yet: the ranges are those of a grid. */
static wadi_status settle(run_options *given, user_preset *preset) {
    wadi_def def = wadi_default_def(preset->model, 512, 512, 1, 1);
    def.allow_out_of_range = true;
    adjustment *adjustment = preset->adjustment = run_adjustment_new();
    if (!adjustment) return WADI_ERROR_MEMORY;
    adjustment->preset = run_text_copy(preset->base->name);
    if (!adjustment->preset) return WADI_ERROR_MEMORY;
    adjustment->texts[ADJUST_KNOBS] = given->knobs;
    given->knobs = (text_list){0};
    wadi_status status = run_at(given, &given->knobs, run_adjustment_settle(adjustment, &def, false));
    if (status == WADI_OK) status = run_at(given, &given->settings, refuse_maps(&given->settings));
    if (status != WADI_OK) return status;
    adjustment->texts[ADJUST_VALUES] = given->settings;
    given->settings = (text_list){0};
    return run_at(given, &given->settings, run_adjustment_settle(adjustment, &def, false));
}

static wadi_status take(const recipe_reader *reader, const yaml_node *root, user_preset *preset) {
    static const char *const others[] = {NULL};
    run_options given = run_options_default;
    run_places places = {0};
    const recipe_target target = {&given, &places, NULL};
    wadi_status status = run_expect_kind(reader, root, YAML_MAP, "a map of keys and values");
    if (status == WADI_OK) status = check_keys(reader, root);
    if (status == WADI_OK) status = run_read_recipe_options(reader, root, RECIPE_STAGE, others, &target);
    given.places = &places;
    if (status == WADI_OK) status = find_base(&given, preset);
    if (status == WADI_OK) status = settle(&given, preset);
    preset->boundary = given.boundary;
    run_text_list_free(&given.knobs);
    run_text_list_free(&given.settings);
    free(places.settings);
    return status;
}

static wadi_status parse(const char *path, const char *text, size_t count, user_preset *preset) {
    text_list texts = {0};
    const recipe_reader reader = {.file = path, .folder = "", .texts = &texts};
    yaml_node *root = NULL;
    wadi_status status = run_yaml_read(path, text, count, &root);
    if (status == WADI_OK) status = take(&reader, root, preset);
    run_yaml_free(root);
    run_text_list_free(&texts);
    return status;
}

/* "mine" of "a/mine.yaml" */
static char *name_of(const char *path) {
    const char *name = path;
    for (const char *c = path; *c; c++)
        if (*c == '/' || *c == '\\') name = c + 1;
    return run_text_format("%.*s", (int)(strrchr(name, '.') - name), name);
}

wadi_status run_user_preset_read(const char *path, user_preset *preset) {
    *preset = (user_preset){.boundary = -1, .name = name_of(path), .path = run_text_copy(path)};
    if (!preset->name || !preset->path) return WADI_ERROR_MEMORY;
    if (!run_yaml_available())
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: not built: install libfyaml-dev and build again", path);
    size_t count;
    char *text;
    wadi_status status = run_text_file_read("preset", path, &text, &count);
    if (status == WADI_OK) status = parse(path, text, count, preset);
    free(text);
    return run_fail_as_input(status);
}

void run_user_preset_free(user_preset *preset) {
    free(preset->name);
    free(preset->path);
    run_adjustment_free(preset->adjustment);
    *preset = (user_preset){0};
}

wadi_status run_user_preset_find(const char *name, bool *found, user_preset *preset) {
    char path[PRESET_PATH];
    const wadi_model *model = NULL;
    *preset = (user_preset){0};
    *found = run_names_preset_file(name);
    if (*found) return run_user_preset_read(name, preset);
    if (wadi_preset_find(name, &model) || !run_user_preset_path(name, path) || !platform_exists(path)) return WADI_OK;
    *found = true;
    return run_user_preset_read(path, preset);
}

/* --- the list --- */

typedef struct listing {
    const char *folder;
    user_preset *presets;
    size_t count;
    wadi_status status;
} listing;

static void list_file(void *context, const char *name) {
    listing *listing = context;
    if (*name == '.' || !ends_in(name, ending) || listing->status != WADI_OK) return;
    char *path = run_text_join(listing->folder, name);
    user_preset preset = {0};
    wadi_status status = path ? run_user_preset_read(path, &preset) : WADI_ERROR_MEMORY;
    user_preset *added = status == WADI_OK ? run_array_add(&listing->presets, &listing->count, sizeof *added) : NULL;
    if (added)
        *added = preset;
    else
        run_user_preset_free(&preset);
    if (status != WADI_OK && status != WADI_ERROR_MEMORY) run_message_warn("%s", wadi_error_message());
    if (status == WADI_ERROR_MEMORY || (status == WADI_OK && !added)) listing->status = WADI_ERROR_MEMORY;
    free(path);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const user_preset *)a)->name, ((const user_preset *)b)->name);
}

wadi_status run_user_presets_list(user_preset **presets, size_t *count) {
    char folder[PRESET_PATH];
    listing listing = {.folder = folder};
    if (folder_of_presets(folder) && run_yaml_available()) platform_list(folder, list_file, &listing);
    *presets = listing.presets;
    *count = listing.count;
    if (listing.count > 1) qsort(listing.presets, listing.count, sizeof *listing.presets, by_name);
    return listing.status;
}

void run_user_presets_free(user_preset *presets, size_t count) {
    for (size_t i = 0; i < count; i++) run_user_preset_free(&presets[i]);
    free(presets);
}

const char *run_user_preset_summary(const user_preset *preset, char text[PRESET_SUMMARY]) {
    *text = '\0';
    run_text_add(text, PRESET_SUMMARY, "%s", preset->base->name);
    for (int list = 0; list < 2; list++) {
        const text_list *texts = &preset->adjustment->texts[list];
        for (size_t i = 0; i < texts->count; i++) {
            const int name = (int)strcspn(texts->items[i], "=");
            run_text_add(text, PRESET_SUMMARY, ", %.*s %s", name, texts->items[i], texts->items[i] + name + 1);
        }
    }
    return text;
}

wadi_status run_user_preset_apply(const user_preset *preset, wadi_def *def) {
    wadi_def made = *def;
    settings_now now = {.preset = preset->base};
    wadi_status status = wadi_def_preset(&made, preset->base);
    if (status != WADI_OK) return status;
    now.def = made;
    run_adjustment_follow(preset->adjustment, &now);
    status = wadi_def_knobs(&made, preset->base, now.def.knobs);
    for (size_t i = 0; i < WADI_MAX_PARAMETERS && status == WADI_OK; i++)
        if (is_finite(preset->adjustment->values[i]))
            status =
                wadi_def_set(&made, wadi_model_parameters(made.model, NULL)[i].name, preset->adjustment->values[i]);
    if (preset->boundary >= 0) made.boundary = (wadi_boundary)preset->boundary;
    if (status == WADI_OK) *def = made;
    return status;
}

/* --- writing --- */

static void write_value(FILE *file, const wadi_parameter *parameter, double value) {
    char number[JSON_NUMBER];
    fprintf(file, "  %s: %s\n", parameter->name,
            parameter->choices ? parameter->choices[(int)value] : run_json_number_text(value, number));
}

static void write_preset(FILE *file, const settings_now *now, const wadi_def *given) {
    const wadi_def *def = &now->def;
    size_t knob_count, count;
    const wadi_knob *knobs = wadi_model_knobs(def->model, &knob_count);
    const wadi_parameter *parameters = wadi_model_parameters(def->model, &count);
    char number[JSON_NUMBER];
    fprintf(file, "model: %s\npreset: %s\n", wadi_model_id(def->model), now->preset->name);
    if (def->boundary != now->preset->boundary) fprintf(file, "boundary: %s\n", run_boundary_names[def->boundary]);
    bool any = false;
    for (size_t i = 0; i < knob_count; i++) {
        if (!(def->knobs[i] < 0.5 || def->knobs[i] > 0.5)) continue;
        fprintf(file, "%s  %s: %s\n", any ? "" : "knobs:\n", knobs[i].name,
                run_json_number_text(def->knobs[i], number));
        any = true;
    }
    any = false;
    for (size_t i = 0; i < count; i++) {
        if (now->is_map[i] || !(def->values[i] < given->values[i] || def->values[i] > given->values[i])) continue;
        if (!any) fputs("set:\n", file);
        write_value(file, &parameters[i], def->values[i]);
        any = true;
    }
}

static int make_folder(void) {
    char folder[PRESET_PATH];
    if (!folder_of_presets(folder)) return ENOENT;
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        platform_make_folder(folder); /* it may be there; else the last call says so */
        *slash = '/';
    }
    const int error = platform_make_folder(folder);
    return error == EEXIST ? 0 : error;
}

wadi_status run_user_preset_write(const char *name, const settings_now *now) {
    char path[PRESET_PATH];
    const wadi_model *model = NULL;
    wadi_def given = now->def;
    if (!now->preset) return wadi_fail(WADI_ERROR_ARGUMENT, "these values come from no preset");
    if (wadi_preset_find(name, &model))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s is a preset of %s: choose another name", name, wadi_model_id(model));
    if (!run_user_preset_path(name, path))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%.80s: is no name for a file: choose another", name);
    wadi_status status = wadi_def_preset(&given, now->preset);
    if (status == WADI_OK) status = wadi_def_knobs(&given, now->preset, now->def.knobs);
    if (status != WADI_OK) return status;
    platform_new_file made;
    int error = make_folder();
    if (error == 0) error = platform_new_file_begin(path, &made);
    if (error == 0) {
        write_preset(made.file, now, &given);
        error = platform_new_file_end(&made, path, ferror(made.file) ? EIO : 0);
    }
    return error ? wadi_fail(run_fail_errno(WADI_ERROR_IO, error), "%s: cannot be written: %s", path, strerror(error))
                 : WADI_OK;
}

/* --- in options --- */

static bool names_knob(const text_list *knobs, const char *text) {
    const size_t length = strcspn(text, "=") + 1;
    for (size_t i = 0; i < knobs->count; i++)
        if (strncmp(knobs->items[i], text, length) == 0) return true;
    return false;
}

/* `first` before the texts of `list`; but a text whose name is in the list is left out if `once`. */
static wadi_status put_before(const text_list *first, bool once, text_list *list) {
    text_list all = {0};
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < first->count && status == WADI_OK; i++)
        if (!once || !names_knob(list, first->items[i])) status = run_text_list_add(&all, first->items[i]);
    for (size_t i = 0; i < list->count && status == WADI_OK; i++) status = run_text_list_add(&all, list->items[i]);
    run_text_list_free(status == WADI_OK ? list : &all);
    if (status == WADI_OK) *list = all;
    return status;
}

/* The place of each setting: those of the preset have none. */
static wadi_status shift_places(run_places *places, size_t by, size_t count) {
    place *all = run_array_new(by + count, sizeof *all);
    if (!all) return WADI_ERROR_MEMORY;
    if (count > 0) memcpy(all + by, places->settings, count * sizeof *all);
    free(places->settings);
    places->settings = all;
    return WADI_OK;
}

static wadi_status expand(const user_preset *preset, run_options *options, run_places *places, text_list *texts) {
    const text_list *lists = preset->adjustment->texts;
    if (options->model && wadi_model_find(options->model) != preset->model)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: is a preset of %s, not of %s", preset->path,
                         wadi_model_id(preset->model), options->model);
    wadi_status status = run_text_list_add(texts, preset->base->name);
    if (status == WADI_OK) options->preset = texts->items[texts->count - 1];
    options->model = wadi_model_id(preset->model);
    if (options->boundary < 0) options->boundary = preset->boundary;
    if (status == WADI_OK && options->places)
        status = shift_places(places, lists[ADJUST_VALUES].count, options->settings.count);
    if (status == WADI_OK) status = put_before(&lists[ADJUST_KNOBS], true, &options->knobs);
    if (status == WADI_OK) status = put_before(&lists[ADJUST_VALUES], false, &options->settings);
    return status;
}

wadi_status run_user_preset_expand(run_options *options, run_places *places, text_list *texts) {
    if (!options->preset || options->repeats) return WADI_OK;
    bool found;
    user_preset preset;
    wadi_status status = run_user_preset_find(options->preset, &found, &preset);
    if (status == WADI_OK && found) status = expand(&preset, options, places, texts);
    run_user_preset_free(&preset);
    return status;
}
