/* panels.c: the right side: the model and its parameters, water, the look, figures. */
#include "viewer/window.h"

#include "viewer/widgets/access.h"
#include "viewer/widgets/legend.h"
#include "viewer/widgets/number.h"
#include "viewer/widgets/params.h"
#include "viewer/widgets/plot.h"
#include "viewer/widgets/section.h"
#include "viewer/widgets/timeline.h"

#include "cli/options.h"

#include <math.h>
#include <string.h>

static const char *const overlays[] = {"none",       "water",    "speed", "discharge", "sediment", "erosion",
                                       "deposition", "hardness", "slope", "mask",      "rain",     NULL};

/* --- small things --- */

static GtkWidget *column(void) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8);
    gtk_widget_set_margin_start(box, 10);
    gtk_widget_set_margin_end(box, 10);
    gtk_widget_set_margin_top(box, 10);
    gtk_widget_set_margin_bottom(box, 10);
    return box;
}

static void row(GtkWidget *into, const char *label, GtkWidget *widget) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8), *name = gtk_label_new(label);
    gtk_label_set_xalign(GTK_LABEL(name), 0);
    gtk_widget_set_hexpand(name, TRUE);
    gtk_widget_set_valign(widget, GTK_ALIGN_CENTER);
    gtk_box_append(GTK_BOX(box), name);
    gtk_box_append(GTK_BOX(box), widget);
    gtk_box_append(GTK_BOX(into), box);
    access_label(widget, label);
}

static void heading(GtkWidget *into, const char *text) {
    GtkWidget *label = gtk_label_new(text);
    gtk_widget_add_css_class(label, "heading");
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_box_append(GTK_BOX(into), label);
}

static GtkWidget *scrolled(GtkWidget *child) {
    GtkWidget *scroll = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroll), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroll), child);
    return scroll;
}

static GtkWidget *slider(double low, double high, double step) {
    GtkWidget *scale = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, low, high, step);
    gtk_widget_set_size_request(scale, 150, -1);
    gtk_scale_set_draw_value(GTK_SCALE(scale), TRUE);
    gtk_scale_set_value_pos(GTK_SCALE(scale), GTK_POS_RIGHT);
    return scale;
}

/* --- the model --- */

static void set_parameter(window *window, const char *name, double value, const char *label, uint64_t group) {
    event event = {.kind = EVENT_SET, .name = cli_copy(name), .value = value};
    session_do(window->session, event, label, group);
}

static void param_changed(void *user, const char *name, double value) {
    window *window = user;
    set_parameter(window, name, value, name, session_group(window->session, name));
}

/* Its values one by one; another border takes a stage of its own. */
static void preset_chosen(void *user, const wadi_preset *preset) {
    window *window = user;
    wadi_def def = window->info->def;
    char label[64];
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(def.model, &count);
    g_snprintf(label, sizeof label, "preset %s", preset->name);
    if (wadi_def_preset(&def, preset) != WADI_OK) {
        window_toast(window, wadi_error_message(), true);
        return;
    }
    if (def.boundary != window->info->def.boundary) {
        session_switch(window->session, &def, preset->name, label);
        return;
    }
    const uint64_t group = session_group(window->session, NULL);
    for (size_t i = 0; i < count; i++) {
        const double now = window->info->def.values[i];
        if (def.values[i] < now || def.values[i] > now)
            set_parameter(window, parameters[i].name, def.values[i], label, group);
    }
}

static void model_chosen(GtkDropDown *drop_down, GParamSpec *spec, gpointer user) {
    window *window = user;
    (void)spec;
    const wadi_model *model = wadi_model_at(gtk_drop_down_get_selected(drop_down));
    const wadi_def *now = &window->info->def;
    if (window->showing || !model || model == now->model || !window->info->terrain) return;
    wadi_def def = wadi_default_def(model, now->width, now->height, now->lx, now->ly);
    size_t count;
    const wadi_preset *preset = wadi_model_presets(model, &count);
    const wadi_preset *fitting = wadi_preset_for_cell(model, sqrt(now->lx * now->ly));
    if (fitting && now->lx > 5) preset = fitting;
    if (count && wadi_def_preset(&def, preset) != WADI_OK) return;
    char label[64];
    g_snprintf(label, sizeof label, "model %s", wadi_model_id(model));
    session_switch(window->session, &def, count ? preset->name : NULL, label);
}

static void boundary_chosen(GtkDropDown *drop_down, GParamSpec *spec, gpointer user) {
    window *window = user;
    (void)spec;
    wadi_def def = window->info->def;
    const guint chosen = gtk_drop_down_get_selected(drop_down);
    if (window->showing || !window->info->terrain || chosen > WADI_WRAP || chosen == (guint)def.boundary) return;
    def.boundary = (wadi_boundary)chosen;
    char label[64];
    g_snprintf(label, sizeof label, "border %s", boundary_names[chosen]);
    session_switch(window->session, &def, window->info->preset, label);
}

static GtkWidget *model_page(window *window) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *head = column();
    GtkStringList *models = gtk_string_list_new(NULL);
    for (size_t i = 0; i < wadi_model_count(); i++) gtk_string_list_append(models, wadi_model_id(wadi_model_at(i)));
    window->model = gtk_drop_down_new(G_LIST_MODEL(models), NULL);
    window->boundary = gtk_drop_down_new_from_strings(boundary_names);
    row(head, "Model", window->model);
    row(head, "Border", window->boundary);
    access_drop_down(window->model, "Model");
    access_drop_down(window->boundary, "Border");
    g_signal_connect(window->model, "notify::selected", G_CALLBACK(model_chosen), window);
    g_signal_connect(window->boundary, "notify::selected", G_CALLBACK(boundary_chosen), window);
    gtk_box_append(GTK_BOX(box), head);
    window->params = params_new(param_changed, preset_chosen, window);
    gtk_widget_set_vexpand(window->params, TRUE);
    gtk_box_append(GTK_BOX(box), window->params);
    return box;
}

/* --- water --- */

static void drops_changed(GtkSpinButton *spin, gpointer user) {
    window *window = user;
    (void)spin;
    if (window->showing || !window->info->terrain) return;
    event event = {.kind = EVENT_DROPS};
    event.drops.count = gtk_spin_button_get_value(GTK_SPIN_BUTTON(window->drops[0]));
    event.drops.radius_m = gtk_spin_button_get_value(GTK_SPIN_BUTTON(window->drops[1]));
    event.drops.rate_m_s = gtk_spin_button_get_value(GTK_SPIN_BUTTON(window->drops[2]));
    session_do(window->session, event, "random rain", session_group(window->session, "random rain"));
}

static size_t index_of(GtkWidget *widget) { return GPOINTER_TO_SIZE(g_object_get_data(G_OBJECT(widget), "source")); }

static gboolean source_switched(GtkSwitch *toggle, gboolean on, gpointer user) {
    window *window = user;
    const size_t i = index_of(GTK_WIDGET(toggle));
    wadi_source sources[SESSION_SOURCES];
    if (window->showing || i >= window->info->source_count) return FALSE;
    memcpy(sources, window->info->sources, sizeof sources);
    if (!on) window->source_rates[i] = sources[i].rate_m3s;
    sources[i].rate_m3s = !on                           ? 0
                          : window->source_rates[i] > 0 ? window->source_rates[i]
                                                        : tools_source_rate(window->tools);
    session_set_sources(window->session, sources, window->info->source_count, on ? "source on" : "source off", 0);
    return FALSE;
}

static void source_rated(GtkSpinButton *spin, gpointer user) {
    window *window = user;
    const size_t i = index_of(GTK_WIDGET(spin));
    wadi_source sources[SESSION_SOURCES];
    if (window->showing || i >= window->info->source_count) return;
    memcpy(sources, window->info->sources, sizeof sources);
    sources[i].rate_m3s = gtk_spin_button_get_value(spin);
    session_set_sources(window->session, sources, window->info->source_count, "discharge",
                        session_group(window->session, gtk_widget_get_tooltip_text(GTK_WIDGET(spin))));
}

static void source_removed(GtkButton *button, gpointer user) {
    window *window = user;
    const size_t i = index_of(GTK_WIDGET(button));
    wadi_source sources[SESSION_SOURCES];
    size_t count = window->info->source_count;
    if (i >= count) return;
    memcpy(sources, window->info->sources, sizeof sources);
    for (size_t k = i; k + 1 < count; k++) sources[k] = sources[k + 1];
    session_set_sources(window->session, sources, count - 1, "source taken away", 0);
}

static void number_source(GtkWidget *widget, size_t i, const char *what) {
    char label[64];
    g_object_set_data(G_OBJECT(widget), "source", GSIZE_TO_POINTER(i));
    g_snprintf(label, sizeof label, "%s of source %zu", what, i + 1);
    access_label(widget, label);
}

static void add_source_row(window *window, size_t i) {
    const wadi_source *source = &window->info->sources[i];
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    char text[64];
    g_snprintf(text, sizeof text, "%zu  at %.0f, %.0f", i + 1, source->x, source->y);
    GtkWidget *name = gtk_label_new(text),
              *spin = gtk_spin_button_new_with_range(0, 1e9, fmax(0.01, source->rate_m3s / 10));
    GtkWidget *toggle = gtk_switch_new(), *remove = gtk_button_new_from_icon_name("user-trash-symbolic");
    gtk_spin_button_set_digits(GTK_SPIN_BUTTON(spin), 3);
    gtk_spin_button_set_value(GTK_SPIN_BUTTON(spin), source->rate_m3s);
    gtk_widget_set_tooltip_text(spin, "Discharge, m\u00b3/s");
    gtk_switch_set_active(GTK_SWITCH(toggle), source->rate_m3s > 0);
    gtk_widget_set_valign(toggle, GTK_ALIGN_CENTER);
    gtk_widget_set_hexpand(name, TRUE);
    gtk_label_set_xalign(GTK_LABEL(name), 0);
    gtk_button_set_has_frame(GTK_BUTTON(remove), FALSE);
    number_source(spin, i, "Discharge");
    number_source(toggle, i, "Switch");
    number_source(remove, i, "Removal");
    g_signal_connect(spin, "value-changed", G_CALLBACK(source_rated), window);
    g_signal_connect(toggle, "state-set", G_CALLBACK(source_switched), window);
    g_signal_connect(remove, "clicked", G_CALLBACK(source_removed), window);
    gtk_box_append(GTK_BOX(box), name);
    gtk_box_append(GTK_BOX(box), spin);
    gtk_box_append(GTK_BOX(box), toggle);
    gtk_box_append(GTK_BOX(box), remove);
    gtk_box_append(GTK_BOX(window->sources), box);
}

static void fill_sources(window *window) {
    for (GtkWidget *child; (child = gtk_widget_get_first_child(window->sources));)
        gtk_box_remove(GTK_BOX(window->sources), child);
    for (size_t i = 0; i < window->info->source_count; i++) add_source_row(window, i);
    if (window->info->source_count > 0) return;
    GtkWidget *none = gtk_label_new("None. Choose River and click on the terrain.");
    gtk_label_set_xalign(GTK_LABEL(none), 0);
    gtk_widget_add_css_class(none, "dim-label");
    gtk_box_append(GTK_BOX(window->sources), none);
}

static GtkWidget *water_page(window *window) {
    static const char *const names[DROPS_NUMBERS] = {"Drops a step", "Radius, m", "Rate, m/s"};
    static const char *const tips[DROPS_NUMBERS] = {"Discs of rain at random places, each step anew; 0: none",
                                                    "How large each is", "How hard it rains in each"};
    GtkWidget *box = column();
    heading(box, "Random rain");
    for (int i = 0; i < DROPS_NUMBERS; i++) {
        window->drops[i] = gtk_spin_button_new_with_range(0, i == 0 ? 1e4 : 1e6, i == 2 ? 0.01 : 1);
        gtk_spin_button_set_digits(GTK_SPIN_BUTTON(window->drops[i]), i == 2 ? 4 : i == 1 ? 1 : 2);
        gtk_spin_button_set_value(GTK_SPIN_BUTTON(window->drops[i]), i == 0 ? 0 : i == 1 ? 5 : 0.05);
        gtk_widget_set_tooltip_text(window->drops[i], tips[i]);
        row(box, names[i], window->drops[i]);
        g_signal_connect(window->drops[i], "value-changed", G_CALLBACK(drops_changed), window);
    }
    heading(box, "River sources");
    window->sources = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
    gtk_box_append(GTK_BOX(box), window->sources);
    GtkWidget *note =
        gtk_label_new("Even rain and evaporation are the model's own parameters; the Rain tool paints where it "
                      "rains.");
    gtk_label_set_wrap(GTK_LABEL(note), TRUE);
    gtk_label_set_xalign(GTK_LABEL(note), 0);
    gtk_label_set_max_width_chars(GTK_LABEL(note), 34);
    gtk_widget_add_css_class(note, "dim-label");
    gtk_box_append(GTK_BOX(box), note);
    return scrolled(box);
}

/* --- the look --- */

static void overlay_chosen(GtkDropDown *drop_down, GParamSpec *spec, gpointer user) {
    window *window = user;
    (void)spec;
    const guint chosen = gtk_drop_down_get_selected(drop_down);
    if (window->showing || chosen >= G_N_ELEMENTS(overlays) - 1) return;
    session_set_overlay(window->session, chosen ? overlays[chosen] : NULL);
    if (chosen == 0) view_look(window->view)->overlay_name = NULL;
    view_redraw(window->view);
}

void panels_overlay(window *window, int by) {
    const int count = (int)G_N_ELEMENTS(overlays) - 1;
    const int now = (int)gtk_drop_down_get_selected(GTK_DROP_DOWN(window->overlay));
    gtk_drop_down_set_selected(GTK_DROP_DOWN(window->overlay), (guint)((now + by + count) % count));
}

static void look_slid(GtkRange *range, gpointer user) {
    window *window = user;
    wadi_look *look = view_look(window->view);
    (void)range;
    if (window->showing) return;
    look->exaggeration = gtk_range_get_value(GTK_RANGE(window->exaggeration));
    look->sun_azimuth = gtk_range_get_value(GTK_RANGE(window->sun[0]));
    look->sun_elevation = gtk_range_get_value(GTK_RANGE(window->sun[1]));
    look->water_threshold_m = gtk_range_get_value(GTK_RANGE(window->threshold));
    view_redraw(window->view);
}

static gboolean look_switched(GtkSwitch *toggle, gboolean on, gpointer user) {
    window *window = user;
    if (window->showing) return FALSE;
    if (GTK_WIDGET(toggle) == window->shadows) view_look(window->view)->shadows = on;
    if (GTK_WIDGET(toggle) == window->sides) view_look(window->view)->sides = on;
    if (GTK_WIDGET(toggle) == window->map_toggle) view_set_map(window->view, on);
    view_redraw(window->view);
    return FALSE;
}

void panels_look_changed(window *window) {
    const wadi_look *look = view_look(window->view);
    window->showing = true;
    gtk_switch_set_active(GTK_SWITCH(window->shadows), look->shadows);
    gtk_switch_set_active(GTK_SWITCH(window->sides), look->sides);
    gtk_switch_set_active(GTK_SWITCH(window->map_toggle), view_is_map(window->view));
    gtk_range_set_value(GTK_RANGE(window->exaggeration), look->exaggeration > 0 ? look->exaggeration : 1);
    gtk_range_set_value(GTK_RANGE(window->sun[0]), look->sun_azimuth);
    gtk_range_set_value(GTK_RANGE(window->sun[1]), look->sun_elevation);
    window->showing = false;
    view_redraw(window->view);
}

static GtkWidget *toggle(window *window, GtkWidget *into, const char *label) {
    GtkWidget *made = gtk_switch_new();
    row(into, label, made);
    g_signal_connect(made, "state-set", G_CALLBACK(look_switched), window);
    return made;
}

static GtkWidget *look_slider(window *window, GtkWidget *into, const char *label, double low, double high, double by) {
    GtkWidget *made = slider(low, high, by);
    row(into, label, made);
    g_signal_connect(made, "value-changed", G_CALLBACK(look_slid), window);
    return made;
}

static GtkWidget *look_page(window *window) {
    GtkWidget *box = column();
    window->showing = true;
    heading(box, "Map over the ground");
    window->overlay = gtk_drop_down_new_from_strings(overlays);
    row(box, "Map", window->overlay);
    access_drop_down(window->overlay, "Map over the ground");
    g_signal_connect(window->overlay, "notify::selected", G_CALLBACK(overlay_chosen), window);
    heading(box, "View");
    window->map_toggle = toggle(window, box, "From above, as a map");
    window->exaggeration = look_slider(window, box, "Heights times", 0.2, 10, 0.1);
    window->threshold = look_slider(window, box, "Hide water below, m", 0, 2, 0.01);
    window->sides = toggle(window, box, "Cut sides");
    heading(box, "Sun");
    window->sun[0] = look_slider(window, box, "Direction, degrees", 0, 360, 1);
    window->sun[1] = look_slider(window, box, "Height, degrees", 3, 90, 1);
    window->shadows = toggle(window, box, "Shadows");
    window->showing = false;
    return scrolled(box);
}

/* --- figures --- */

static GtkWidget *text_block(void) {
    GtkWidget *label = gtk_label_new("");
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_selectable(GTK_LABEL(label), TRUE);
    gtk_widget_set_focusable(label, FALSE);
    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_max_width_chars(GTK_LABEL(label), 36);
    gtk_widget_add_css_class(label, "figures");
    return label;
}

static GtkWidget *figures_page(window *window) {
    static const char *const titles[] = {"Erosion score", "Rate", "Water", "Balance: solid left over"};
    static const char *const units[] = {"1", "cell-steps/s", "m3", "m3"};
    GtkWidget *box = column();
    heading(box, "Cell");
    window->cell = text_block();
    gtk_box_append(GTK_BOX(box), window->cell);
    heading(box, "Mass");
    window->balance = text_block();
    gtk_box_append(GTK_BOX(box), window->balance);
    for (int i = 0; i < 4; i++) {
        window->plots[i] = plot_new(titles[i], units[i]);
        gtk_box_append(GTK_BOX(box), window->plots[i]);
    }
    return scrolled(box);
}

static void show_cell(window *window) {
    const session_info *info = window->info;
    GString *text = g_string_new(NULL);
    char number[NUMBER_TEXT];
    if (info->cell_x < 0)
        g_string_append(text, "Choose Inspect and click on the terrain.");
    else
        g_string_append_printf(text, "column %d, row %d", info->cell_x, info->cell_y);
    for (size_t i = 0; i < info->cell_values && info->cell_x >= 0; i++)
        g_string_append_printf(text, "\n%s  %s", info->cell[i].name,
                               number_with_unit(info->cell[i].value, info->cell[i].unit, number));
    gtk_label_set_text(GTK_LABEL(window->cell), text->str);
    g_string_free(text, TRUE);
}

static void show_mass(window *window) {
    const wadi_mass *mass = &window->info->mass;
    const struct {
        const char *name;
        double value;
    } rows[] = {{"ground moved", mass->moved},      {"ground in", mass->solid.in},
                {"ground out", mass->solid.out},    {"left over", mass->solid.residual},
                {"water in", mass->water.in},       {"water out", mass->water.out},
                {"water there", mass->water.after}, {"left over", mass->water.residual}};
    GString *text = g_string_new(NULL);
    char number[NUMBER_TEXT];
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        g_string_append_printf(text, "%s%s  %s", i ? "\n" : "", rows[i].name,
                               number_with_unit(rows[i].value, "m3", number));
    gtk_label_set_text(GTK_LABEL(window->balance), text->str);
    g_string_free(text, TRUE);
}

static void show_figures(window *window) {
    const session_info *info = window->info;
    const double *series[] = {info->scores, info->rates, info->water, info->residual};
    show_cell(window);
    show_mass(window);
    for (int i = 0; i < 4; i++) plot_set(window->plots[i], info->step, series[i], info->points, "step");
}

/* --- all --- */

GtkWidget *panels_new(window *window) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *switcher = gtk_stack_switcher_new();
    window->stack = gtk_stack_new();
    gtk_stack_add_titled(GTK_STACK(window->stack), model_page(window), "model", "Model");
    gtk_stack_add_titled(GTK_STACK(window->stack), water_page(window), "water", "Water");
    gtk_stack_add_titled(GTK_STACK(window->stack), look_page(window), "look", "View");
    gtk_stack_add_titled(GTK_STACK(window->stack), figures_page(window), "figures", "Figures");
    gtk_stack_switcher_set_stack(GTK_STACK_SWITCHER(switcher), GTK_STACK(window->stack));
    gtk_widget_add_css_class(switcher, "pages");
    gtk_widget_set_halign(switcher, GTK_ALIGN_CENTER);
    gtk_widget_set_margin_top(switcher, 8);
    gtk_widget_set_vexpand(window->stack, TRUE);
    gtk_box_append(GTK_BOX(box), switcher);
    gtk_box_append(GTK_BOX(box), window->stack);
    gtk_widget_set_size_request(box, 340, -1);
    return box;
}

static bool same_drops(const window *window, const wadi_drops *drops) {
    const double now[] = {drops->count, drops->radius_m, drops->rate_m_s};
    for (int i = 0; i < DROPS_NUMBERS; i++)
        if (fabs(gtk_spin_button_get_value(GTK_SPIN_BUTTON(window->drops[i])) - now[i]) > 1e-4) return false;
    return true;
}

static bool same_sources(const window *window) {
    static wadi_source shown[SESSION_SOURCES];
    const session_info *info = window->info;
    bool same = window->sources_shown == info->source_count;
    for (size_t i = 0; i < info->source_count; i++) {
        const wadi_source *a = &shown[i], *b = &info->sources[i];
        same = same && !(a->x < b->x || a->x > b->x || a->y < b->y || a->y > b->y);
        same = same && !(a->rate_m3s < b->rate_m3s || a->rate_m3s > b->rate_m3s);
        shown[i] = *b;
    }
    return same;
}

void panels_show(window *window) {
    const session_info *info = window->info;
    if (!info->terrain) return;
    window->showing = true;
    for (size_t i = 0; i < wadi_model_count(); i++)
        if (wadi_model_at(i) == info->def.model) gtk_drop_down_set_selected(GTK_DROP_DOWN(window->model), (guint)i);
    gtk_drop_down_set_selected(GTK_DROP_DOWN(window->boundary), (guint)info->def.boundary);
    params_show(window->params, &info->def);
    const wadi_drops *drops = &info->def.drops;
    if (drops->count > 0 && !same_drops(window, drops)) {
        gtk_spin_button_set_value(GTK_SPIN_BUTTON(window->drops[1]), drops->radius_m);
        gtk_spin_button_set_value(GTK_SPIN_BUTTON(window->drops[2]), drops->rate_m_s);
    }
    const double shown = gtk_spin_button_get_value(GTK_SPIN_BUTTON(window->drops[0]));
    if (drops->count < shown || drops->count > shown) /* else somebody may be typing */
        gtk_spin_button_set_value(GTK_SPIN_BUTTON(window->drops[0]), drops->count);
    if (!same_sources(window) || !gtk_widget_get_first_child(window->sources)) {
        window->sources_shown = info->source_count;
        fill_sources(window);
    }
    window->showing = false;
    show_figures(window);
}

/* --- the cross-section --- */

static float value_at(const session_frame *frame, int layer, double x, double y) {
    const int i = (int)fmin(fmax(floor(x), 0), frame->width - 1), j = (int)fmin(fmax(floor(y), 0), frame->height - 1);
    return frame->maps[layer][(size_t)j * (size_t)frame->width + (size_t)i];
}

void panels_section(window *window) {
    enum { MOST = 1024 };
    static float distance[MOST], ground[MOST], water[MOST], start[MOST];
    const session_frame *frame = view_frame(window->view);
    const wadi_look *look = view_look(window->view);
    gtk_widget_set_visible(window->section_box, look->line);
    if (!frame || !look->line) return;
    const double dx = look->line_x1 - look->line_x0, dy = look->line_y1 - look->line_y0;
    const double length = hypot(dx * frame->lx, dy * frame->ly);
    const int count = (int)fmin(fmax(2 * hypot(dx, dy), 2), MOST);
    for (int i = 0; i < count; i++) {
        const double t = (double)i / (count - 1), x = look->line_x0 + t * dx, y = look->line_y0 + t * dy;
        distance[i] = (float)(t * length);
        ground[i] = value_at(frame, WADI_LAYER_HEIGHT, x, y);
        water[i] = value_at(frame, WADI_LAYER_WATER, x, y);
        start[i] = ground[i] - value_at(frame, WADI_LAYER_CHANGE, x, y);
    }
    section_set(window->section, distance, ground, water, start, (size_t)count);
}

/* Not that of a drop-down's own list. */
static GtkWidget *search_entry(GtkWidget *widget) {
    if (GTK_IS_SEARCH_ENTRY(widget)) return widget;
    GtkWidget *found = NULL;
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child && !found;
         child = gtk_widget_get_next_sibling(child))
        if (!GTK_IS_POPOVER(child)) found = search_entry(child);
    return found;
}

void panels_find(window *window) {
    GtkWidget *entry = search_entry(window->params);
    gtk_widget_set_visible(window->side, TRUE);
    gtk_stack_set_visible_child_name(GTK_STACK(window->stack), "model");
    if (entry) gtk_widget_grab_focus(entry);
}
