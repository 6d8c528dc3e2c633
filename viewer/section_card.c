/* section_card.c: profiles of the ground, the ice, the water and the initial ground along a line. */
#include "viewer/section_card.h"

#include "viewer/icon_button.h"
#include "viewer/widgets/section.h"

#include <math.h>

struct section_card {
    workbench *bench;
    GtkWidget *box, *section;
};

GtkWidget *section_card_widget(const section_card *card) { return card->box; }

static float value_at(const session_frame *frame, int layer, double x, double y) {
    const int i = (int)fmin(fmax(floor(x), 0), frame->width - 1), j = (int)fmin(fmax(floor(y), 0), frame->height - 1);
    return frame->maps[layer][(size_t)j * (size_t)frame->width + (size_t)i];
}

void section_card_show(section_card *card) {
    enum { MOST = 1024 };
    static float distance[MOST], ground[MOST], water[MOST], ice[MOST], start[MOST];
    const session_frame *frame = view_frame(card->bench->view);
    const wadi_look *look = view_look(card->bench->view);
    gtk_widget_set_visible(card->box, look->line);
    if (!frame || !look->line) return;
    const bool icy = frame->maps[WADI_LAYER_ICE] != NULL;
    const double dx = look->line_x1 - look->line_x0, dy = look->line_y1 - look->line_y0;
    const double length = hypot(dx * frame->lx, dy * frame->ly);
    const int count = (int)fmin(fmax(2 * hypot(dx, dy), 2), MOST);
    for (int i = 0; i < count; i++) {
        const double t = (double)i / (count - 1), x = look->line_x0 + t * dx, y = look->line_y0 + t * dy;
        distance[i] = (float)(t * length);
        ground[i] = value_at(frame, WADI_LAYER_HEIGHT, x, y);
        water[i] = value_at(frame, WADI_LAYER_WATER, x, y);
        ice[i] = icy ? value_at(frame, WADI_LAYER_ICE, x, y) : 0;
        start[i] = ground[i] - value_at(frame, WADI_LAYER_CHANGE, x, y);
    }
    section_set(card->section, &(section_profiles){.distance_m = distance,
                                                   .ground_m = ground,
                                                   .ice_m = icy ? ice : NULL,
                                                   .water_m = water,
                                                   .start_m = start,
                                                   .count = (size_t)count});
}

static void section_closed(GtkButton *button, gpointer user) {
    section_card *card = user;
    (void)button;
    view_look(card->bench->view)->line = false;
    section_card_show(card);
    view_redraw(card->bench->view);
}

section_card *section_card_new(workbench *bench) {
    section_card *card = g_new0(struct section_card, 1);
    GtkWidget *close = icon_button("window-close-symbolic", "Close the cross-section", NULL);
    card->bench = bench;
    card->box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);
    card->section = section_new();
    gtk_widget_set_hexpand(card->section, TRUE);
    gtk_widget_set_size_request(card->section, 420, 150);
    gtk_widget_set_valign(close, GTK_ALIGN_START);
    gtk_button_set_has_frame(GTK_BUTTON(close), FALSE);
    g_signal_connect(close, "clicked", G_CALLBACK(section_closed), card);
    gtk_box_append(GTK_BOX(card->box), card->section);
    gtk_box_append(GTK_BOX(card->box), close);
    gtk_widget_add_css_class(card->box, "bar");
    gtk_widget_set_visible(card->box, FALSE);
    return card;
}
