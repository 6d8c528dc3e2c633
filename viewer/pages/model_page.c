/* model_page.c: the model, its border and its parameters. */
#include "viewer/pages/model_page.h"

#include "viewer/pages/page.h"
#include "viewer/pages/save_preset.h"
#include "viewer/widgets/access.h"
#include "viewer/widgets/described.h"
#include "viewer/widgets/params.h"

#include "run/option.h"
#include "run/user_preset.h"

#include <string.h>

struct model_page {
    workbench *bench;
    GtkWidget *widget;
    GtkWidget *model, *boundary, *levels, *params, *save;
    user_preset *own;
    own_preset *own_lines; /* of the list */
    size_t own_count;
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

static wadi_status apply_own(const void *own, wadi_def *def) { return run_user_preset_apply(own, def); }

/* Another border or scale needs a new stage. */
static void preset_chosen(void *user, const wadi_preset *preset, const own_preset *chosen) {
    const model_page *page = user;
    const user_preset *own = chosen ? chosen->what : NULL;
    const wadi_def *now = &page->bench->info->def;
    const char *base = own ? own->base->name : preset->name;
    wadi_def def = *now;
    char label[64];
    g_snprintf(label, sizeof label, "preset %s", own ? own->name : base);
    if ((own ? apply_own(own, &def) : wadi_def_preset(&def, preset)) != WADI_OK) {
        toast_show(page->bench->toast, wadi_error_message(), true);
        return;
    }
    if (def.boundary != now->boundary || def.scale != now->scale) {
        session_switch(page->bench->session, &def, base, label);
        return;
    }
    event event = own ? run_event_adjust(own->adjustment) : run_event_preset(base);
    do_set(page, event, label, false);
}

/* --- presets of the user --- */

static void free_own(const model_page *page) {
    for (size_t i = 0; i < page->own_count; i++) g_free((char *)page->own_lines[i].summary);
    g_free(page->own_lines);
    run_user_presets_free(page->own, page->own_count);
}

static void list_own(model_page *page) {
    char summary[PRESET_SUMMARY];
    free_own(page);
    if (run_user_presets_list(&page->own, &page->own_count) != WADI_OK)
        toast_show(page->bench->toast, wadi_error_message(), true);
    page->own_lines = g_new0(own_preset, page->own_count + 1);
    for (size_t i = 0; i < page->own_count; i++) {
        const user_preset *own = &page->own[i];
        const char *said = run_user_preset_summary(own, summary);
        page->own_lines[i] = (own_preset){own->name, g_strdup(said), own->model, apply_own, own};
    }
    params_own(page->params, page->own_lines, page->own_count);
}

static bool save_preset(void *user, const char *name) {
    model_page *page = user;
    const session_info *info = page->bench->info;
    const wadi_model *model = info->def.model;
    if (!info->terrain) return false;
    settings_now now = {.def = info->def, .preset = wadi_preset_find(info->preset, &model)};
    memcpy(now.is_map, info->is_map, sizeof now.is_map);
    if (run_user_preset_write(name, &now) != WADI_OK) {
        toast_show(page->bench->toast, wadi_error_message(), true);
        return false;
    }
    list_own(page);
    model_page_show(page);
    char *text = g_strdup_printf("preset %s is saved", name);
    toast_show(page->bench->toast, text, false);
    g_free(text);
    return true;
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

static gboolean levels_switched(GtkSwitch *toggle, gboolean on, gpointer user) {
    const model_page *page = user;
    (void)toggle;
    if (!page->showing) session_set_levels(page->bench->session, on);
    return FALSE;
}

static const char *title_at(void *nobody, guint position) {
    (void)nobody;
    const wadi_model *model = wadi_model_at(position);
    return model ? wadi_model_title(model) : NULL;
}

static const wadi_preset *first_preset_at(void *nobody, guint position) {
    (void)nobody;
    const wadi_model *model = wadi_model_at(position);
    size_t count = 0;
    const wadi_preset *presets = model ? wadi_model_presets(model, &count) : NULL;
    return count > 0 ? presets : NULL;
}

model_page *model_page_new(workbench *bench) {
    model_page *page = g_new0(struct model_page, 1);
    page->bench = bench;
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *head = page_column();
    GtkStringList *models = gtk_string_list_new(NULL);
    for (size_t i = 0; i < wadi_model_count(); i++) gtk_string_list_append(models, wadi_model_id(wadi_model_at(i)));
    page->model = gtk_drop_down_new(G_LIST_MODEL(models), NULL);
    page->boundary = gtk_drop_down_new_from_strings(run_boundary_names);
    described_rows(GTK_DROP_DOWN(page->model), title_at, first_preset_at, NULL);
    page_row(head, "Model", page->model);
    page_row(head, "Border", page->boundary);
    page->levels = gtk_switch_new();
    page_row(head, "From coarse to fine", page->levels);
    gtk_widget_set_tooltip_text(page->levels,
                                "Erodes coarse grids first, so that whole valleys form; at the beginning");
    access_label(page->levels, "From coarse to fine");
    gtk_widget_set_sensitive(page->levels, FALSE);
    g_signal_connect(page->levels, "state-set", G_CALLBACK(levels_switched), page);
    access_drop_down(page->model, "Model");
    access_drop_down(page->boundary, "Border");
    g_signal_connect(page->model, "notify::selected", G_CALLBACK(model_chosen), page);
    g_signal_connect(page->boundary, "notify::selected", G_CALLBACK(boundary_chosen), page);
    gtk_box_append(GTK_BOX(box), head);
    page->params = params_new(param_changed, knob_moved, preset_chosen, page);
    gtk_widget_set_vexpand(page->params, TRUE);
    page->save = save_preset_new(save_preset, page);
    params_add_beside_presets(page->params, page->save);
    list_own(page);
    gtk_box_append(GTK_BOX(box), page->params);
    page->widget = box;
    return page;
}

void model_page_show(model_page *page) {
    const wadi_def *def = &page->bench->info->def;
    page->showing = true;
    for (size_t i = 0; i < wadi_model_count(); i++)
        if (wadi_model_at(i) == def->model) gtk_drop_down_set_selected(GTK_DROP_DOWN(page->model), (guint)i);
    gtk_widget_set_tooltip_text(page->model, wadi_model_title(def->model));
    gtk_drop_down_set_selected(GTK_DROP_DOWN(page->boundary), (guint)def->boundary);
    gtk_switch_set_active(GTK_SWITCH(page->levels), page->bench->info->levels > 1);
    gtk_widget_set_sensitive(page->levels, page->bench->info->may_change_levels);
    const wadi_model *model = def->model;
    view_look(page->bench->view)->change_m = page->bench->info->rises ? 1e30 : 0; /* uplift is no deposit */
    params_show(page->params, def, wadi_preset_find(page->bench->info->preset, &model));
    page->showing = false;
}

void model_page_save_preset(model_page *page) { gtk_menu_button_popup(GTK_MENU_BUTTON(page->save)); }
void model_page_find(model_page *page) { params_find(page->params); }

void model_page_free(model_page *page) {
    free_own(page);
    g_free(page);
}
