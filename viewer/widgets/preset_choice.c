#include "preset_choice.h"

#include "access.h"
#include "described.h"

#include <math.h>

struct preset_choice {
    GtkWidget *drop_down;
    params_preset_chosen *chosen;
    void *user;
    GtkStringList *names; /* the presets' names; while values are changed, the first line says so */
    const wadi_model *model;
    const wadi_preset *base;
    const own_preset *own;
    size_t own_count;
    bool changed, showing;
    bool filled;  /* the list has these presets */
    bool asked;   /* the list shows the user's choice, which is not confirmed yet */
    guint report; /* an idle source */
};

static void choice_free(void *data) {
    preset_choice *choice = data;
    g_clear_handle_id(&choice->report, g_source_remove);
    g_object_unref(choice->names);
    g_free(choice);
}

/* What a line of the list stands for: a preset of the model, one of the user's, or neither. */
typedef struct line {
    const wadi_preset *preset;
    const own_preset *own;
} line;

/* The user's presets of this model come after the model's. */
static line line_of(const preset_choice *choice, size_t index) {
    size_t count = 0;
    const wadi_preset *presets = choice->model != NULL ? wadi_model_presets(choice->model, &count) : NULL;
    if (index < count) return (line){&presets[index], NULL};
    index -= count;
    for (size_t i = 0; i < choice->own_count; i++)
        if (choice->own[i].model == choice->model && index-- == 0) return (line){NULL, &choice->own[i]};
    return (line){NULL, NULL};
}

static const char *name_of(line line) {
    return line.preset != NULL ? line.preset->name : line.own != NULL ? line.own->name : NULL;
}

static line line_at(const preset_choice *choice, guint position) {
    if (choice->changed && position == 0) return (line){NULL, NULL};
    return line_of(choice, position - (choice->changed ? 1 : 0));
}

static const char *summary_of(line line) {
    return line.preset != NULL ? line.preset->summary : line.own != NULL ? line.own->summary : NULL;
}

static const char *sentence_at(void *choice, guint position) { return summary_of(line_at(choice, position)); }

static const wadi_preset *preset_at(void *choice, guint position) { return line_at(choice, position).preset; }

/* --- choosing --- */

/* Reports when GTK has finished with the list, because the owner's answer changes the list. */
static gboolean report(void *data) {
    preset_choice *choice = data;
    choice->report = 0;
    const line line = line_at(choice, gtk_drop_down_get_selected(GTK_DROP_DOWN(choice->drop_down)));
    if (name_of(line) != NULL) choice->chosen(choice->user, line.preset, line.own);
    return G_SOURCE_REMOVE;
}

static void show_summary(preset_choice *choice) {
    const char *said = summary_of(line_at(choice, gtk_drop_down_get_selected(GTK_DROP_DOWN(choice->drop_down))));
    gtk_widget_set_tooltip_text(choice->drop_down,
                                said != NULL ? said : "Values that are no preset's: choose one to go back");
}

static void selected(GtkDropDown *drop_down, GParamSpec *property, void *data) {
    (void)drop_down, (void)property;
    preset_choice *choice = data;
    show_summary(choice);
    if (choice->showing) return;
    choice->asked = true;
    if (choice->report == 0) choice->report = g_idle_add_full(G_PRIORITY_DEFAULT, report, choice, NULL);
}

preset_choice *preset_choice_new(params_preset_chosen *chosen, void *user, GtkWidget **widget) {
    preset_choice *choice = g_new0(preset_choice, 1);
    choice->chosen = chosen;
    choice->user = user;
    choice->names = gtk_string_list_new(NULL);
    GtkExpression *text = gtk_property_expression_new(GTK_TYPE_STRING_OBJECT, NULL, "string");
    *widget = choice->drop_down = gtk_drop_down_new(g_object_ref(G_LIST_MODEL(choice->names)), text);
    described_rows(GTK_DROP_DOWN(*widget), sentence_at, preset_at, choice);
    g_signal_connect(*widget, "notify::selected", G_CALLBACK(selected), choice);
    g_object_set_data_full(G_OBJECT(*widget), "wadi-presets", choice, choice_free);
    access_drop_down(*widget, "Preset");
    return choice;
}

/* --- showing --- */

static bool fits(const wadi_def *def, line line) {
    size_t count;
    wadi_model_parameters(def->model, &count);
    wadi_def made = *def;
    const wadi_status status =
        line.own != NULL ? line.own->apply(line.own->what, &made) : wadi_def_preset(&made, line.preset);
    if (status != WADI_OK || made.boundary != def->boundary) return false;
    for (size_t i = 0; i < count; i++)
        if (fabs(made.values[i] - def->values[i]) > 1e-12 * fabs(made.values[i])) return false;
    return true;
}

/* Fills in the names. `first`, if not NULL, comes first. */
static void fill(preset_choice *choice, const char *first) {
    GPtrArray *names = g_ptr_array_new();
    if (first != NULL) g_ptr_array_add(names, (void *)first);
    for (size_t i = 0; name_of(line_of(choice, i)) != NULL; i++)
        g_ptr_array_add(names, (void *)name_of(line_of(choice, i)));
    g_ptr_array_add(names, NULL);
    choice->changed = first != NULL;
    gtk_string_list_splice(choice->names, 0, g_list_model_get_n_items(G_LIST_MODEL(choice->names)),
                           (const char *const *)names->pdata);
    g_ptr_array_free(names, true);
}

void preset_choice_own(preset_choice *choice, const own_preset *own, size_t count) {
    choice->own = own;
    choice->own_count = count;
    choice->filled = false;
}

void preset_choice_show(preset_choice *choice, const wadi_def *def, const wadi_preset *base, bool anew) {
    const bool other = choice->model != def->model || !choice->filled;
    const bool as_before = !anew && !choice->asked && base == choice->base;
    if (!other && (choice->report != 0 || as_before)) return;
    choice->asked = false;
    choice->model = def->model;
    size_t fitting = 0;
    while (name_of(line_of(choice, fitting)) != NULL && !fits(def, line_of(choice, fitting))) fitting++;
    const bool changed = name_of(line_of(choice, fitting)) == NULL;
    choice->showing = true;
    if (other || changed != choice->changed || (changed && base != choice->base)) {
        char *first = base != NULL ? g_strdup_printf("%s, changed", base->name) : g_strdup("own values");
        fill(choice, changed ? first : NULL);
        g_free(first);
    }
    choice->filled = true;
    choice->base = base;
    gtk_drop_down_set_selected(GTK_DROP_DOWN(choice->drop_down), changed ? 0 : (guint)fitting);
    choice->showing = false;
    show_summary(choice);
}
