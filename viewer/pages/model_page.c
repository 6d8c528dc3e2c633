/* model_page.c: the model, its border and its parameters. */
#include "viewer/pages/model_page.h"

#include "viewer/pages/page.h"
#include "viewer/widgets/access.h"
#include "viewer/widgets/params.h"

#include "run/option.h"

#include <math.h>

struct model_page {
    workbench *bench;
    GtkWidget *widget;
    GtkWidget *model, *boundary, *params;
    bool showing; /* the program is setting the widgets */
};

GtkWidget *model_page_widget(const model_page *page) { return page->widget; }

static void set_parameter(model_page *page, const char *name, double value, const char *label, uint64_t group) {
    event event = {.kind = EVENT_SET, .name = g_strdup(name), .value = value};
    session_do(page->bench->session, event, label, group);
}

static void param_changed(void *user, const char *name, double value) {
    model_page *page = user;
    set_parameter(page, name, value, name, session_group(page->bench->session, name));
}

/* Sets the preset's values one by one. Another border or scale needs a new stage. */
static void preset_chosen(void *user, const wadi_preset *preset) {
    model_page *page = user;
    wadi_def def = page->bench->info->def;
    char label[64];
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(def.model, &count);
    g_snprintf(label, sizeof label, "preset %s", preset->name);
    if (wadi_def_preset(&def, preset) != WADI_OK) {
        toast_show(page->bench->toast, wadi_error_message(), true);
        return;
    }
    if (def.boundary != page->bench->info->def.boundary || def.scale != page->bench->info->def.scale) {
        session_switch(page->bench->session, &def, preset->name, label);
        return;
    }
    const uint64_t group = session_group(page->bench->session, NULL);
    for (size_t i = 0; i < count; i++) {
        const double now = page->bench->info->def.values[i];
        if (def.values[i] < now || def.values[i] > now)
            set_parameter(page, parameters[i].name, def.values[i], label, group);
    }
}

static void model_chosen(GtkDropDown *drop_down, GParamSpec *spec, gpointer user) {
    model_page *page = user;
    (void)spec;
    const wadi_model *model = wadi_model_at(gtk_drop_down_get_selected(drop_down));
    const wadi_def *now = &page->bench->info->def;
    if (page->showing || !model || model == now->model || !page->bench->info->terrain) return;
    wadi_def def = wadi_default_def(model, now->width, now->height, now->lx, now->ly);
    def.world_m = now->world_m;
    size_t count;
    const wadi_preset *preset = wadi_model_presets(model, &count);
    const wadi_preset *fitting = wadi_preset_georeferenced(model);
    if (fitting && now->lx > 5) preset = fitting;
    if (count && wadi_def_preset(&def, preset) != WADI_OK) return;
    char label[64];
    g_snprintf(label, sizeof label, "model %s", wadi_model_id(model));
    session_switch(page->bench->session, &def, count ? preset->name : NULL, label);
}

static void boundary_chosen(GtkDropDown *drop_down, GParamSpec *spec, gpointer user) {
    model_page *page = user;
    (void)spec;
    wadi_def def = page->bench->info->def;
    const guint chosen = gtk_drop_down_get_selected(drop_down);
    if (page->showing || !page->bench->info->terrain || chosen > WADI_WRAP || chosen == (guint)def.boundary) return;
    def.boundary = (wadi_boundary)chosen;
    char label[64];
    g_snprintf(label, sizeof label, "border %s", run_boundary_names[chosen]);
    session_switch(page->bench->session, &def, page->bench->info->preset, label);
}

model_page *model_page_new(workbench *bench) {
    model_page *page = g_new0(struct model_page, 1);
    page->bench = bench;
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *head = page_column();
    GtkStringList *models = gtk_string_list_new(NULL);
    for (size_t i = 0; i < wadi_model_count(); i++) gtk_string_list_append(models, wadi_model_id(wadi_model_at(i)));
    page->model = gtk_drop_down_new(G_LIST_MODEL(models), NULL);
    page->boundary = gtk_drop_down_new_from_strings(run_boundary_names);
    page_row(head, "Model", page->model);
    page_row(head, "Border", page->boundary);
    access_drop_down(page->model, "Model");
    access_drop_down(page->boundary, "Border");
    g_signal_connect(page->model, "notify::selected", G_CALLBACK(model_chosen), page);
    g_signal_connect(page->boundary, "notify::selected", G_CALLBACK(boundary_chosen), page);
    gtk_box_append(GTK_BOX(box), head);
    page->params = params_new(param_changed, preset_chosen, page);
    gtk_widget_set_vexpand(page->params, TRUE);
    gtk_box_append(GTK_BOX(box), page->params);
    page->widget = box;
    return page;
}

void model_page_show(model_page *page) {
    const wadi_def *def = &page->bench->info->def;
    page->showing = true;
    for (size_t i = 0; i < wadi_model_count(); i++)
        if (wadi_model_at(i) == def->model) gtk_drop_down_set_selected(GTK_DROP_DOWN(page->model), (guint)i);
    gtk_drop_down_set_selected(GTK_DROP_DOWN(page->boundary), (guint)def->boundary);
    params_show(page->params, def);
    page->showing = false;
}

/* The search entry, found by its place: drop-downs have search entries too, inside popovers. */
static GtkWidget *search_entry(GtkWidget *widget) {
    if (GTK_IS_SEARCH_ENTRY(widget)) return widget;
    GtkWidget *found = NULL;
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child && !found;
         child = gtk_widget_get_next_sibling(child))
        if (!GTK_IS_POPOVER(child)) found = search_entry(child);
    return found;
}

void model_page_find(model_page *page) {
    GtkWidget *entry = search_entry(page->params);
    if (entry) gtk_widget_grab_focus(entry);
}
