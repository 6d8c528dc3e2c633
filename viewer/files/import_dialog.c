#include "viewer/files/import_dialog.h"

#include "viewer/files/dialog.h"
#include "viewer/widgets/params_row.h"

#include "run/map_input.h"
#include "wadi/map.h"

#include <string.h>

/* "Mask", "Sediment capacity (Kc)"; to be freed */
static char *title_of(const wadi_model *model, const char *name) {
    const wadi_map_facts *facts = wadi_map_facts_of(name);
    const int index = wadi_model_parameter_index(model, name);
    const wadi_parameter *parameter = index >= 0 ? &wadi_model_parameters(model, NULL)[index] : NULL;
    if (!parameter || !parameter->per_cell) return g_strdup(facts ? facts->title : name);
    char *words = params_row_words(parameter), *title = g_strdup_printf("%s (%s)", words, name);
    title[0] = g_ascii_toupper(title[0]);
    g_free(words);
    return title;
}

/* What the brush at hand paints, or else the mask. */
static const char *likely(const workbench *bench) {
    const char *shown = tools_now(bench->tools)->shows;
    const char *name = shown ? run_map_input_name(bench->info->def.model, shown) : NULL;
    return name ? name : "mask";
}

static void import_from(void *user, const char *path, const char *what) {
    session_import(((const workbench *)user)->session, what, path);
}

/* The likely one comes first, because the drop-down begins with that. */
static void offer(const workbench *bench, GtkFileChooser *chooser) {
    const wadi_model *model = bench->info->def.model;
    const char *names[WADI_MAX_PARAMETERS + 8] = {likely(bench)}, *name;
    char *titles[G_N_ELEMENTS(names)] = {title_of(model, names[0])};
    size_t count = 1;
    for (size_t i = 0; (name = run_map_input_at(model, i)) != NULL; i++) {
        if (strcmp(name, names[0]) == 0) continue;
        names[count] = name;
        titles[count++] = title_of(model, name);
    }
    dialog_offer(chooser, "It is the map of", names, (const char **)titles);
    while (count > 0) g_free(titles[--count]);
}

void import_ask(workbench *bench) {
    if (!bench->info->terrain) return;
    GtkFileChooser *chooser =
        dialog_new(bench, "Import a map", GTK_FILE_CHOOSER_ACTION_OPEN, NULL, import_from, bench, NULL);
    offer(bench, chooser);
    dialog_show(chooser);
}
