/* model_page.c: the model, its border and its parameters. */
#include "viewer/pages/model_page.h"

#include "viewer/pages/page.h"
#include "viewer/widgets/access.h"
#include "viewer/widgets/params.h"

#include "run/option.h"

struct model_page {
    workbench *bench;
    GtkWidget *widget;
    GtkWidget *model, *boundary, *params;
    bool showing; /* the program is setting the widgets */
};

GtkWidget *model_page_widget(const model_page *page) { return page->widget; }

static void do_set(const model_page *page, event event, const char *label, bool slides) {
    session *session = page->bench->session;
    session_do(session, event, label, session_group(session, slides ? label : NULL));
}

static void param_changed(void *user, const char *name, double value) {
    const model_page *page = user;
    do_set(page, run_event_set(page->bench->info->def.model, name, value), name, true);
}

static void knob_moved(void *user, const char *name, double position) {
    const model_page *page = user;
    char label[64];
    g_snprintf(label, sizeof label, "knob %s", name);
    do_set(page, run_event_knob(page->bench->info->def.model, name, position), label, true);
}

/* Another border or scale needs a new stage. */
static void preset_chosen(void *user, const wadi_preset *preset) {
    model_page *page = user;
    wadi_def def = page->bench->info->def;
    char label[64];
    g_snprintf(label, sizeof label, "preset %s", preset->name);
    if (wadi_def_preset(&def, preset) != WADI_OK) {
        toast_show(page->bench->toast, wadi_error_message(), true);
        return;
    }
    if (def.boundary != page->bench->info->def.boundary || def.scale != page->bench->info->def.scale) {
        session_switch(page->bench->session, &def, preset->name, label);
        return;
    }
    do_set(page, run_event_preset(preset->name), label, false);
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
    page->params = params_new(param_changed, knob_moved, preset_chosen, page);
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
    const wadi_model *model = def->model;
    params_show(page->params, def, wadi_preset_find(page->bench->info->preset, &model));
    page->showing = false;
}

void model_page_find(model_page *page) { params_find(page->params); }
