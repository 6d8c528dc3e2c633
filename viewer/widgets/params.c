#include "params.h"

#include "access.h"
#include "knobs.h"
#include "look.h"
#include "params_group.h"
#include "params_make.h"

#include <math.h>
#include <string.h>

typedef struct group {
    GtkWidget *expander, *rows;
    bool folded; /* by the user; kept while a search shows the group */
} group;

typedef struct params {
    params_changed *changed;
    void *user;
    GtkWidget *search, *groups_box, *nothing;
    GtkWidget *presets_line;
    GtkWidget *constants; /* the expander around the parameters */
    knobs *knobs;
    preset_choice *presets;
    group groups[GROUPS];
    params_row *rows[WADI_MAX_PARAMETERS];
    size_t count;
    bool searching;
    wadi_def shown; /* model, cell size, boundary and values of the last params_show */
} params;

/* --- search --- */

/* A search opens groups that contain a match. Afterwards the groups that the user folded are folded again. */
static void show_group(params *params, group *group, bool hit) {
    GtkExpander *expander = GTK_EXPANDER(group->expander);
    const bool searching = gtk_editable_get_text(GTK_EDITABLE(params->search))[0] != '\0';
    if (searching && !params->searching) group->folded = !gtk_expander_get_expanded(expander);
    if (searching && hit) gtk_expander_set_expanded(expander, true);
    if (!searching && params->searching) gtk_expander_set_expanded(expander, !group->folded);
    gtk_widget_set_visible(group->expander, hit);
}

static void filter(params *params) {
    char *folded = g_utf8_casefold(gtk_editable_get_text(GTK_EDITABLE(params->search)), -1);
    char **words = g_strsplit_set(folded, " \t", -1);
    bool hits[GROUPS] = {false}, any = false;
    for (size_t i = 0; i < params->count; i++) {
        const params_row *row = params->rows[i];
        const bool hit = params_row_matches(row, words);
        gtk_widget_set_visible(row->box, hit);
        for (int g = 0; g < GROUPS; g++)
            if (hit && gtk_widget_get_parent(row->box) == params->groups[g].rows) hits[g] = any = true;
    }
    for (int g = 0; g < GROUPS; g++)
        if (params->groups[g].expander != NULL) show_group(params, &params->groups[g], hits[g]);
    params->searching = folded[0] != '\0';
    gtk_widget_set_visible(params->nothing, !any && params->count > 0);
    g_strfreev(words);
    g_free(folded);
}

static void search_changed(GtkSearchEntry *search, void *data) {
    (void)search;
    filter(data);
}

static void search_stopped(GtkSearchEntry *search, void *data) {
    (void)data;
    gtk_editable_set_text(GTK_EDITABLE(search), "");
}

/* --- making rows --- */

static void remove_rows(params *params) {
    for (size_t i = 0; i < params->count; i++) params_row_stop(params->rows[i]);
    params->count = 0;
    for (int g = 0; g < GROUPS; g++) {
        if (params->groups[g].expander != NULL) gtk_box_remove(GTK_BOX(params->groups_box), params->groups[g].expander);
        params->groups[g] = (group){0};
    }
}

static GtkWidget *rows_of(params *params, params_group index) {
    group *group = &params->groups[index];
    if (group->expander != NULL) return group->rows;
    group->rows = gtk_box_new(GTK_ORIENTATION_VERTICAL, 3);
    group->expander = gtk_expander_new(params_group_title(index));
    gtk_widget_add_css_class(gtk_expander_get_label_widget(GTK_EXPANDER(group->expander)), "wadi-group");
    gtk_expander_set_expanded(GTK_EXPANDER(group->expander), true);
    gtk_expander_set_child(GTK_EXPANDER(group->expander), group->rows);
    access_label(group->expander, params_group_title(index));
    return group->rows;
}

/* For each parameter: the smallest value above 0 in the table or a preset, for 512 x 512 cells of 1 m. 0: none. */
static void least_usual(const wadi_model *model, double least[WADI_MAX_PARAMETERS]) {
    size_t count, presets_count;
    const wadi_parameter *parameters = wadi_model_parameters(model, &count);
    const wadi_preset *presets = wadi_model_presets(model, &presets_count);
    for (size_t i = 0; i < count; i++) least[i] = fmax(0, parameters[i].standard);
    for (size_t p = 0; p < presets_count; p++) {
        wadi_def def = wadi_default_def(model, 512, 512, 1, 1);
        if (wadi_def_preset(&def, &presets[p]) != WADI_OK) continue;
        for (size_t i = 0; i < count; i++)
            if (def.values[i] > 0 && (least[i] <= 0 || def.values[i] < least[i])) least[i] = def.values[i];
    }
}

static void make_rows(params *params, const wadi_model *model) {
    remove_rows(params);
    double least[WADI_MAX_PARAMETERS];
    const wadi_parameter *parameters = wadi_model_parameters(model, &params->count);
    least_usual(model, least);
    params_group before = GROUP_WATER;
    for (size_t i = 0; i < params->count; i++) {
        before = params_group_of(&parameters[i], before);
        params->rows[i] = params_make_row(model, &parameters[i], least[i], params->changed, params->user);
        gtk_box_append(GTK_BOX(rows_of(params, before)), params->rows[i]->box);
    }
    for (int g = 0; g < GROUPS; g++)
        if (params->groups[g].expander != NULL) gtk_box_append(GTK_BOX(params->groups_box), params->groups[g].expander);
}

/* A row goes back to what the preset and the knobs give, and follows the knobs from then on. */
static void set_bounds(params *params, const wadi_def *def, const wadi_preset *preset, bool grid) {
    wadi_def standard = *def;
    if (preset == NULL) preset = wadi_model_presets(def->model, NULL);
    if (wadi_def_knobs(&standard, preset, def->knobs) != WADI_OK) return;
    for (size_t i = 0; i < params->count; i++)
        if (grid || params->rows[i]->standard < standard.values[i] || params->rows[i]->standard > standard.values[i])
            params_row_bounds(params->rows[i], def, (int)i, standard.values[i]);
}

/* --- the panel --- */

static params *params_of(GtkWidget *panel) { return g_object_get_data(G_OBJECT(panel), "wadi-params"); }

void params_show(GtkWidget *panel, const wadi_def *def, const wadi_preset *preset) {
    params *params = params_of(panel);
    const bool model = params->shown.model != def->model;
    const wadi_def *shown = &params->shown;
    const bool grid = model || shown->lx != def->lx || shown->ly != def->ly || shown->width != def->width ||
                      shown->height != def->height || shown->scale != def->scale || shown->world_m != def->world_m;
    if (model) make_rows(params, def->model);
    set_bounds(params, def, preset, grid);
    for (size_t i = 0; i < params->count; i++) params_row_show(params->rows[i], def->values[i]);
    const bool values = memcmp(params->shown.values, def->values, params->count * sizeof *def->values) != 0;
    const bool first = params->shown.model == NULL;
    knobs_show(params->knobs, def, preset);
    if (model && (first || !knobs_any(params->knobs)))
        gtk_expander_set_expanded(GTK_EXPANDER(params->constants), !knobs_any(params->knobs));
    preset_choice_show(params->presets, def, preset, grid || values || params->shown.boundary != def->boundary);
    params->shown = *def;
    if (model) filter(params);
}

static GtkWidget *new_head(params *params, params_preset_chosen *preset) {
    GtkWidget *head = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6), *drop_down;
    gtk_widget_add_css_class(head, "wadi-head");
    params->presets = preset_choice_new(preset, params->user, &drop_down);
    GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8), *label = gtk_label_new("Preset");
    gtk_widget_set_hexpand(drop_down, true);
    gtk_box_append(GTK_BOX(line), label);
    gtk_box_append(GTK_BOX(line), drop_down);
    params->presets_line = line;
    gtk_box_append(GTK_BOX(head), line);
    return head;
}

static GtkWidget *new_search(params *params) {
    GtkWidget *search = params->search = gtk_search_entry_new();
    g_object_set(search, "placeholder-text", "Search parameters", NULL);
    gtk_widget_add_css_class(search, "wadi-search");
    access_label(search, "Search parameters");
    g_signal_connect(search, "search-changed", G_CALLBACK(search_changed), params);
    g_signal_connect(search, "stop-search", G_CALLBACK(search_stopped), params);
    return search;
}

/* The search, and the groups. */
static GtkWidget *new_constants(params *params) {
    GtkWidget *box = params->groups_box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
    gtk_box_append(GTK_BOX(box), new_search(params));
    params->nothing = gtk_label_new("No parameter is like that");
    gtk_widget_add_css_class(params->nothing, "dim-label");
    gtk_widget_set_visible(params->nothing, false);
    gtk_box_append(GTK_BOX(box), params->nothing);
    params->constants = gtk_expander_new("Parameters");
    gtk_widget_add_css_class(params->constants, "wadi-constants");
    gtk_expander_set_child(GTK_EXPANDER(params->constants), box);
    access_label(params->constants, "Parameters");
    return params->constants;
}

void params_own(GtkWidget *panel, const own_preset *own, size_t count) {
    preset_choice_own(params_of(panel)->presets, own, count);
}

void params_add_beside_presets(GtkWidget *panel, GtkWidget *widget) {
    gtk_box_append(GTK_BOX(params_of(panel)->presets_line), widget);
}

void params_find(GtkWidget *panel) {
    params *params = params_of(panel);
    gtk_expander_set_expanded(GTK_EXPANDER(params->constants), true);
    gtk_widget_grab_focus(params->search);
}

GtkWidget *params_new(params_changed *changed, params_changed *knob, params_preset_chosen *preset, void *user) {
    look_install(gdk_display_get_default());
    params *params = g_new0(struct params, 1);
    params->changed = changed;
    params->user = user;
    GtkWidget *panel = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_widget_add_css_class(panel, "wadi-params");
    gtk_widget_set_hexpand(panel, false); /* otherwise its rows would take the free width of the window */
    g_object_set_data_full(G_OBJECT(panel), "wadi-params", params, g_free);
    gtk_box_append(GTK_BOX(panel), new_head(params, preset));
    GtkWidget *rows = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8), *knobs;
    gtk_widget_add_css_class(rows, "wadi-rows");
    params->knobs = knobs_new(knob, user, &knobs);
    gtk_box_append(GTK_BOX(rows), knobs);
    gtk_box_append(GTK_BOX(rows), new_constants(params));
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), rows);
    gtk_widget_set_vexpand(scrolled, true);
    gtk_box_append(GTK_BOX(panel), scrolled);
    return panel;
}
