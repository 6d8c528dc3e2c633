/* centre.c: the widgets drawn over the terrain. */
#include "viewer/centre.h"

#include "viewer/first_page.h"
#include "viewer/view/rate.h"
#include "viewer/widgets/legend.h"

struct centre {
    workbench *bench;
    GtkWidget *overlay, *legend, *busy, *busy_bar, *first, *frame_text;
};

GtkWidget *centre_widget(const centre *centre) { return centre->overlay; }

void centre_show(centre *centre) {
    const session_info *info = centre->bench->info;
    GtkProgressBar *bar = GTK_PROGRESS_BAR(centre->busy_bar);
    gtk_widget_set_visible(centre->busy, info->busy);
    gtk_widget_set_visible(centre->first, !info->terrain);
    gtk_widget_set_sensitive(centre->first, !info->busy);
    gtk_widget_set_visible(centre->frame_text, info->terrain != 0);
    if (!info->busy) return;
    gtk_progress_bar_set_text(bar, info->doing);
    if (info->share > 0)
        gtk_progress_bar_set_fraction(bar, info->share);
    else
        gtk_progress_bar_pulse(bar);
}

void centre_show_legend(centre *centre) {
    wadi_legend legend;
    float rgb[3 * WADI_LEGEND_STOPS];
    if (!view_legend(centre->bench->view, &legend) || legend.empty) {
        legend_set(centre->legend, "", "", NULL, 0, 0, 1, false);
        return;
    }
    for (int i = 0; i < WADI_LEGEND_STOPS; i++)
        for (int c = 0; c < 3; c++) rgb[3 * i + c] = (float)(legend.rgb[i] >> (16 - 8 * c) & 255) / 255;
    legend_set(centre->legend, legend.title, legend.unit, rgb, WADI_LEGEND_STOPS, legend.low, legend.high,
               legend.logarithmic);
}

void centre_show_time(centre *centre) {
    char text[64];
    g_snprintf(text, sizeof text, "%.1f ms", view_frame_ms(centre->bench->view));
    gtk_label_set_text(GTK_LABEL(centre->frame_text), text);
}

static void stop_clicked(GtkButton *button, gpointer user) {
    (void)button;
    session_stop_going(((centre *)user)->bench->session);
}

static void lay_over(GtkWidget *overlay, GtkWidget *child, GtkAlign across, GtkAlign down) {
    gtk_widget_set_halign(child, across);
    gtk_widget_set_valign(child, down);
    gtk_widget_set_margin_start(child, 12);
    gtk_widget_set_margin_end(child, 12);
    gtk_widget_set_margin_top(child, 12);
    gtk_widget_set_margin_bottom(child, 12);
    gtk_overlay_add_overlay(GTK_OVERLAY(overlay), child);
}

static GtkWidget *busy_card(centre *centre) {
    centre->busy = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    centre->busy_bar = gtk_progress_bar_new();
    GtkWidget *stop = gtk_button_new_with_label("Stop");
    gtk_progress_bar_set_show_text(GTK_PROGRESS_BAR(centre->busy_bar), TRUE);
    gtk_widget_set_size_request(centre->busy_bar, 220, -1);
    gtk_widget_add_css_class(centre->busy, "card");
    gtk_widget_set_valign(centre->busy_bar, GTK_ALIGN_CENTER);
    g_signal_connect(stop, "clicked", G_CALLBACK(stop_clicked), centre);
    gtk_box_append(GTK_BOX(centre->busy), centre->busy_bar);
    gtk_box_append(GTK_BOX(centre->busy), stop);
    gtk_widget_set_visible(centre->busy, FALSE);
    return centre->busy;
}

static GtkWidget *legend_card(centre *centre) {
    GtkWidget *legend_card = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    centre->legend = legend_new();
    gtk_box_append(GTK_BOX(legend_card), centre->legend);
    gtk_widget_add_css_class(legend_card, "card");
    g_object_bind_property(centre->legend, "visible", legend_card, "visible", G_BINDING_SYNC_CREATE);
    gtk_widget_set_size_request(legend_card, 280, -1);
    return legend_card;
}

static GtkWidget *frame_text(centre *centre) {
    centre->frame_text = gtk_label_new("");
    gtk_widget_add_css_class(centre->frame_text, "frame-text");
    gtk_widget_set_tooltip_text(centre->frame_text, "How long a picture takes");
    return centre->frame_text;
}

centre *centre_new(workbench *bench) {
    centre *centre = g_new0(struct centre, 1);
    GtkWidget *overlay = centre->overlay = gtk_overlay_new();
    centre->bench = bench;
    gtk_overlay_set_child(GTK_OVERLAY(overlay), view_widget(bench->view));
    centre->first = first_page_new();
    gtk_overlay_add_overlay(GTK_OVERLAY(overlay), centre->first);
    lay_over(overlay, legend_card(centre), GTK_ALIGN_START, GTK_ALIGN_END);
    lay_over(overlay, busy_card(centre), GTK_ALIGN_CENTER, GTK_ALIGN_CENTER);
    lay_over(overlay, toast_widget(bench->toast), GTK_ALIGN_CENTER, GTK_ALIGN_START);
    lay_over(overlay, frame_text(centre), GTK_ALIGN_END, GTK_ALIGN_START);
    centre_show(centre);
    return centre;
}
