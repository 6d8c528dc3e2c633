/* water_page.c: random rain and river sources. */
#include "viewer/pages/water_page.h"

#include "viewer/pages/page.h"
#include "viewer/widgets/access.h"

#include <math.h>
#include <string.h>

enum { DROPS_NUMBERS = 3 };

struct water_page {
    workbench *bench;
    GtkWidget *widget;
    GtkWidget *drops[DROPS_NUMBERS], *sources;
    double source_rates[SESSION_SOURCES]; /* kept for sources that are switched off */
    wadi_source shown[SESSION_SOURCES];
    size_t sources_shown;
    bool showing; /* the program is setting the widgets */
};

GtkWidget *water_page_widget(const water_page *page) { return page->widget; }

static void drops_changed(GtkSpinButton *spin, gpointer user) {
    water_page *page = user;
    (void)spin;
    if (page->showing || !page->bench->info->terrain) return;
    event event = {.kind = EVENT_DROPS};
    event.drops.count = gtk_spin_button_get_value(GTK_SPIN_BUTTON(page->drops[0]));
    event.drops.radius_m = gtk_spin_button_get_value(GTK_SPIN_BUTTON(page->drops[1]));
    event.drops.rate_m_s = gtk_spin_button_get_value(GTK_SPIN_BUTTON(page->drops[2]));
    session_do(page->bench->session, event, "random rain", session_group(page->bench->session, "random rain"));
}

static size_t index_of(GtkWidget *widget) { return GPOINTER_TO_SIZE(g_object_get_data(G_OBJECT(widget), "source")); }

static gboolean source_switched(GtkSwitch *toggle, gboolean on, gpointer user) {
    water_page *page = user;
    const size_t i = index_of(GTK_WIDGET(toggle));
    wadi_source sources[SESSION_SOURCES];
    if (page->showing || i >= page->bench->info->source_count) return FALSE;
    memcpy(sources, page->bench->info->sources, sizeof sources);
    if (!on) page->source_rates[i] = sources[i].rate_m3s;
    sources[i].rate_m3s = !on                         ? 0
                          : page->source_rates[i] > 0 ? page->source_rates[i]
                                                      : tools_source_rate(page->bench->tools);
    session_set_sources(page->bench->session, sources, page->bench->info->source_count, on ? "source on" : "source off",
                        0);
    return FALSE;
}

static void source_rated(GtkSpinButton *spin, gpointer user) {
    water_page *page = user;
    const size_t i = index_of(GTK_WIDGET(spin));
    wadi_source sources[SESSION_SOURCES];
    if (page->showing || i >= page->bench->info->source_count) return;
    memcpy(sources, page->bench->info->sources, sizeof sources);
    sources[i].rate_m3s = gtk_spin_button_get_value(spin);
    session_set_sources(page->bench->session, sources, page->bench->info->source_count, "discharge",
                        session_group(page->bench->session, gtk_widget_get_tooltip_text(GTK_WIDGET(spin))));
}

static void source_removed(GtkButton *button, gpointer user) {
    water_page *page = user;
    const size_t i = index_of(GTK_WIDGET(button));
    wadi_source sources[SESSION_SOURCES];
    size_t count = page->bench->info->source_count;
    if (i >= count) return;
    memcpy(sources, page->bench->info->sources, sizeof sources);
    for (size_t k = i; k + 1 < count; k++) sources[k] = sources[k + 1];
    session_set_sources(page->bench->session, sources, count - 1, "source taken away", 0);
}

static void number_source(GtkWidget *widget, size_t i, const char *what) {
    char label[64];
    g_object_set_data(G_OBJECT(widget), "source", GSIZE_TO_POINTER(i));
    g_snprintf(label, sizeof label, "%s of source %zu", what, i + 1);
    access_label(widget, label);
}

static void add_source_row(water_page *page, size_t i) {
    const wadi_source *source = &page->bench->info->sources[i];
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
    g_signal_connect(spin, "value-changed", G_CALLBACK(source_rated), page);
    g_signal_connect(toggle, "state-set", G_CALLBACK(source_switched), page);
    g_signal_connect(remove, "clicked", G_CALLBACK(source_removed), page);
    gtk_box_append(GTK_BOX(box), name);
    gtk_box_append(GTK_BOX(box), spin);
    gtk_box_append(GTK_BOX(box), toggle);
    gtk_box_append(GTK_BOX(box), remove);
    gtk_box_append(GTK_BOX(page->sources), box);
}

static void fill_sources(water_page *page) {
    for (GtkWidget *child; (child = gtk_widget_get_first_child(page->sources));)
        gtk_box_remove(GTK_BOX(page->sources), child);
    for (size_t i = 0; i < page->bench->info->source_count; i++) add_source_row(page, i);
    if (page->bench->info->source_count > 0) return;
    gtk_box_append(GTK_BOX(page->sources), page_note("None. Choose River and click on the terrain."));
}

static void add_drops(water_page *page, GtkWidget *box) {
    static const char *const names[DROPS_NUMBERS] = {"Drops a step", "Radius, m", "Rate, m/s"};
    static const char *const tips[DROPS_NUMBERS] = {"Discs of rain at random places, each step anew; 0: none",
                                                    "How large each is", "How hard it rains in each"};
    page_heading(box, "Random rain");
    for (int i = 0; i < DROPS_NUMBERS; i++) {
        page->drops[i] = gtk_spin_button_new_with_range(0, i == 0 ? 1e4 : 1e6, i == 2 ? 0.01 : 1);
        gtk_spin_button_set_digits(GTK_SPIN_BUTTON(page->drops[i]), i == 2 ? 4 : i == 1 ? 1 : 2);
        gtk_spin_button_set_value(GTK_SPIN_BUTTON(page->drops[i]), i == 0 ? 0 : i == 1 ? 5 : 0.05);
        gtk_widget_set_tooltip_text(page->drops[i], tips[i]);
        page_row(box, names[i], page->drops[i]);
        g_signal_connect(page->drops[i], "value-changed", G_CALLBACK(drops_changed), page);
    }
}

water_page *water_page_new(workbench *bench) {
    water_page *page = g_new0(struct water_page, 1);
    GtkWidget *box = page_column();
    page->bench = bench;
    add_drops(page, box);
    page_heading(box, "River sources");
    page->sources = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
    gtk_box_append(GTK_BOX(box), page->sources);
    GtkWidget *note =
        page_note("Even rain and evaporation are the model's own parameters; the Rain tool paints where it "
                  "rains.");
    gtk_label_set_wrap(GTK_LABEL(note), TRUE);
    gtk_label_set_max_width_chars(GTK_LABEL(note), 34);
    gtk_box_append(GTK_BOX(box), note);
    page->widget = page_scrolled(box);
    return page;
}

static bool same_drops(const water_page *page, const wadi_drops *drops) {
    const double now[] = {drops->count, drops->radius_m, drops->rate_m_s};
    for (int i = 0; i < DROPS_NUMBERS; i++)
        if (fabs(gtk_spin_button_get_value(GTK_SPIN_BUTTON(page->drops[i])) - now[i]) > 1e-4) return false;
    return true;
}

static void show_drops(water_page *page) {
    const wadi_drops *drops = &page->bench->info->def.drops;
    if (drops->count > 0 && !same_drops(page, drops)) {
        gtk_spin_button_set_value(GTK_SPIN_BUTTON(page->drops[1]), drops->radius_m);
        gtk_spin_button_set_value(GTK_SPIN_BUTTON(page->drops[2]), drops->rate_m_s);
    }
    const double shown = gtk_spin_button_get_value(GTK_SPIN_BUTTON(page->drops[0]));
    if (drops->count < shown || drops->count > shown) /* unchanged: somebody may be typing */
        gtk_spin_button_set_value(GTK_SPIN_BUTTON(page->drops[0]), drops->count);
}

static bool same_sources(water_page *page) {
    const session_info *info = page->bench->info;
    bool same = page->sources_shown == info->source_count;
    for (size_t i = 0; i < info->source_count; i++) {
        const wadi_source *a = &page->shown[i], *b = &info->sources[i];
        same = same && !(a->x < b->x || a->x > b->x || a->y < b->y || a->y > b->y);
        same = same && !(a->rate_m3s < b->rate_m3s || a->rate_m3s > b->rate_m3s);
        page->shown[i] = *b;
    }
    return same;
}

void water_page_show(water_page *page) {
    page->showing = true;
    show_drops(page);
    if (!same_sources(page) || !gtk_widget_get_first_child(page->sources)) {
        page->sources_shown = page->bench->info->source_count;
        fill_sources(page);
    }
    page->showing = false;
}
