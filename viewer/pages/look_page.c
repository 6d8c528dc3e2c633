/* look_page.c: the overlay, the camera and the sun. */
#include "viewer/pages/look_page.h"

#include "run/option.h"
#include "viewer/pages/page.h"
#include "viewer/view/camera.h"
#include "viewer/widgets/access.h"

#include "wadi/derive.h"
#include "wadi/map.h"

struct look_page {
    workbench *bench;
    GtkWidget *widget;
    GtkWidget *overlay, *exaggeration, *sun[2], *shadows, *detail, *sides, *threshold, *map_toggle, *ground;
    guint own, lent; /* overlays: the user's, and that of a tool; 0: no tool has one */
    bool showing;    /* the program is setting the widgets */
};

GtkWidget *look_page_widget(const look_page *page) { return page->widget; }

/* The drop-down's rows: none, the library's maps, and the slope, which the window computes itself. NULL: no such row.
 */
static const wadi_map_facts *overlay_at(guint row) {
    static const wadi_map_facts none = {.name = "none", .title = "None"};
    size_t maps = 0;
    while (wadi_map_facts_at(maps) != NULL) maps++;
    if (row == 0) return &none;
    return row <= maps ? wadi_map_facts_at(row - 1) : row == maps + 1 ? wadi_derived_facts_of("slope") : NULL;
}

static GtkWidget *overlay_drop_down(void) {
    GtkStringList *names = gtk_string_list_new(NULL);
    guint row = 0;
    for (const wadi_map_facts *map = overlay_at(row); map != NULL; map = overlay_at(++row))
        gtk_string_list_append(names, map->title);
    return gtk_drop_down_new(G_LIST_MODEL(names), NULL);
}

static GtkWidget *slider(double low, double high, double step) {
    GtkWidget *scale = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, low, high, step);
    gtk_widget_set_size_request(scale, 150, -1);
    gtk_scale_set_draw_value(GTK_SCALE(scale), TRUE);
    gtk_scale_set_value_pos(GTK_SCALE(scale), GTK_POS_RIGHT);
    return scale;
}

static void overlay_chosen(GtkDropDown *drop_down, GParamSpec *spec, gpointer user) {
    look_page *page = user;
    (void)spec;
    const guint chosen = gtk_drop_down_get_selected(drop_down);
    const wadi_map_facts *map = overlay_at(chosen);
    if (page->showing || map == NULL) return;
    session_set_overlay(page->bench->session, chosen ? map->name : NULL);
    if (chosen == 0) view_look(page->bench->view)->overlay_name = NULL;
    view_redraw(page->bench->view);
}

static void ground_chosen(GtkDropDown *drop_down, GParamSpec *spec, gpointer user) {
    look_page *page = user;
    (void)spec;
    if (page->showing) return;
    view_look(page->bench->view)->ground = (wadi_ground)gtk_drop_down_get_selected(drop_down);
    view_redraw(page->bench->view);
}

void look_page_overlay(look_page *page, int by) {
    const int count = (int)g_list_model_get_n_items(gtk_drop_down_get_model(GTK_DROP_DOWN(page->overlay)));
    const int now = (int)gtk_drop_down_get_selected(GTK_DROP_DOWN(page->overlay));
    gtk_drop_down_set_selected(GTK_DROP_DOWN(page->overlay), (guint)((now + by + count) % count));
}

void look_page_lend(look_page *page, const char *map) {
    GtkDropDown *overlay = GTK_DROP_DOWN(page->overlay);
    guint row = 0;
    if (page->lent && gtk_drop_down_get_selected(overlay) == page->lent) gtk_drop_down_set_selected(overlay, page->own);
    page->lent = 0;
    const wadi_map_facts *at = map ? overlay_at(row) : NULL;
    while (at && strcmp(at->name, map) != 0) at = overlay_at(++row);
    if (!at) return;
    page->own = gtk_drop_down_get_selected(overlay);
    page->lent = row;
    gtk_drop_down_set_selected(overlay, row);
}

static void look_slid(GtkRange *range, gpointer user) {
    look_page *page = user;
    wadi_look *look = view_look(page->bench->view);
    (void)range;
    if (page->showing) return;
    look->exaggeration = gtk_range_get_value(GTK_RANGE(page->exaggeration));
    look->sun_azimuth = gtk_range_get_value(GTK_RANGE(page->sun[0]));
    look->sun_elevation = gtk_range_get_value(GTK_RANGE(page->sun[1]));
    look->water_threshold_m = gtk_range_get_value(GTK_RANGE(page->threshold));
    view_redraw(page->bench->view);
}

static gboolean look_switched(GtkSwitch *toggle, gboolean on, gpointer user) {
    look_page *page = user;
    if (page->showing) return FALSE;
    if (GTK_WIDGET(toggle) == page->shadows) view_look(page->bench->view)->shadows = on;
    if (GTK_WIDGET(toggle) == page->detail) view_look(page->bench->view)->detail = on;
    if (GTK_WIDGET(toggle) == page->sides) view_look(page->bench->view)->sides = on;
    if (GTK_WIDGET(toggle) == page->map_toggle) view_set_map(page->bench->view, on);
    view_redraw(page->bench->view);
    return FALSE;
}

void look_page_show(look_page *page) {
    const wadi_look *look = view_look(page->bench->view);
    page->showing = true;
    gtk_switch_set_active(GTK_SWITCH(page->shadows), look->shadows);
    gtk_switch_set_active(GTK_SWITCH(page->detail), look->detail);
    gtk_switch_set_active(GTK_SWITCH(page->sides), look->sides);
    gtk_switch_set_active(GTK_SWITCH(page->map_toggle), view_is_map(page->bench->view));
    gtk_drop_down_set_selected(GTK_DROP_DOWN(page->ground), (guint)look->ground);
    gtk_range_set_value(GTK_RANGE(page->exaggeration), look->exaggeration > 0 ? look->exaggeration : 1);
    gtk_range_set_value(GTK_RANGE(page->sun[0]), look->sun_azimuth);
    gtk_range_set_value(GTK_RANGE(page->sun[1]), look->sun_elevation);
    page->showing = false;
    view_redraw(page->bench->view);
}

static GtkWidget *toggle(look_page *page, GtkWidget *into, const char *label) {
    GtkWidget *made = gtk_switch_new();
    page_row(into, label, made);
    g_signal_connect(made, "state-set", G_CALLBACK(look_switched), page);
    return made;
}

static GtkWidget *look_slider(look_page *page, GtkWidget *into, const char *label, double low, double high, double by) {
    GtkWidget *made = slider(low, high, by);
    page_row(into, label, made);
    g_signal_connect(made, "value-changed", G_CALLBACK(look_slid), page);
    return made;
}

look_page *look_page_new(workbench *bench) {
    look_page *page = g_new0(struct look_page, 1);
    page->bench = bench;
    GtkWidget *box = page_column();
    page->showing = true;
    page_heading(box, "Map over the ground");
    page->overlay = overlay_drop_down();
    page_row(box, "Map", page->overlay);
    access_drop_down(page->overlay, "Map over the ground");
    g_signal_connect(page->overlay, "notify::selected", G_CALLBACK(overlay_chosen), page);
    page_heading(box, "View");
    page->map_toggle = toggle(page, box, "From above, as a map");
    page->ground = gtk_drop_down_new_from_strings(run_ground_names);
    page_row(box, "Ground", page->ground);
    access_drop_down(page->ground, "Colours of the ground");
    g_signal_connect(page->ground, "notify::selected", G_CALLBACK(ground_chosen), page);
    page->exaggeration = look_slider(page, box, "Heights times", 0.2, 10, 0.1);
    page->threshold = look_slider(page, box, "Hide water below, m", 0, 2, 0.01);
    page->detail = toggle(page, box, "Bumps of rock and plants");
    page->sides = toggle(page, box, "Cut sides");
    page_heading(box, "Sun");
    page->sun[0] = look_slider(page, box, "Direction, degrees", 0, 360, 1);
    page->sun[1] = look_slider(page, box, "Height, degrees", 3, 90, 1);
    page->shadows = toggle(page, box, "Shadows");
    page->showing = false;
    page->widget = page_scrolled(box);
    return page;
}
