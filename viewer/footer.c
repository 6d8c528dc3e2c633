/* footer.c: starts and stops the simulation, and moves along its history. */
#include "viewer/footer.h"

#include "run/text.h"
#include "viewer/icon_button.h"
#include "viewer/widgets/access.h"
#include "viewer/widgets/number.h"
#include "viewer/widgets/timeline.h"

struct footer {
    workbench *bench;
    GtkWidget *bar, *play, *step, *timeline, *status, *speed;
};

GtkWidget *footer_widget(const footer *footer) { return footer->bar; }

void footer_show(footer *footer) {
    const session_info *info = footer->bench->info;
    char text[300], time[32], rate[NUMBER_TEXT];
    gtk_widget_set_sensitive(footer->play, info->terrain != 0);
    gtk_widget_set_sensitive(footer->step, info->terrain != 0);
    g_snprintf(text, sizeof text, "step %lld   %s   %s", (long long)info->steps,
               run_text_simulated(info->simulated_s, time),
               info->cell_steps_per_s > 0 ? number_with_unit(info->cell_steps_per_s, "cell-steps/s", rate) : "");
    gtk_label_set_text(GTK_LABEL(footer->status), text);
    gtk_button_set_icon_name(GTK_BUTTON(footer->play),
                             info->playing ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
    access_label(footer->play, info->playing ? "Pause" : "Play");
}

void footer_show_timeline(footer *footer) {
    const session_info *info = footer->bench->info;
    timeline_mark marks[SESSION_MARKS];
    for (size_t i = 0; i < info->mark_count; i++)
        marks[i] = (timeline_mark){info->marks[i].at, info->marks[i].label, info->marks[i].action};
    timeline_set(footer->timeline, marks, info->mark_count, (double)info->steps, (double)info->steps_end);
}

static workbench *bench_of(gpointer user) { return ((footer *)user)->bench; }

static void timeline_asked(void *user, double at) { session_go_to_step(bench_of(user)->session, at); }

static void play_clicked(GtkButton *button, gpointer user) {
    (void)button;
    session_play(bench_of(user)->session, !bench_of(user)->info->playing);
}

static void step_clicked(GtkButton *button, gpointer user) {
    (void)button;
    session_step(bench_of(user)->session, 1);
}

static void speed_chosen(GtkDropDown *drop_down, GParamSpec *spec, gpointer user) {
    static const double speeds[] = {0, 1, 5, 10, 30, 100};
    (void)spec;
    const guint chosen = gtk_drop_down_get_selected(drop_down);
    if (chosen < G_N_ELEMENTS(speeds)) session_set_speed(bench_of(user)->session, speeds[chosen]);
}

footer *footer_new(workbench *bench) {
    static const char *const speeds[] = {"as fast as it can", "1 step/s",    "5 steps/s", "10 steps/s",
                                         "30 steps/s",        "100 steps/s", NULL};
    footer *footer = g_new0(struct footer, 1);
    GtkWidget *bar = footer->bar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    footer->bench = bench;
    footer->step = icon_button("media-skip-forward-symbolic", "One step (.)", NULL);
    footer->play = icon_button("media-playback-start-symbolic", "Play", NULL);
    gtk_widget_set_tooltip_text(footer->play, "Let it run, or pause (Space)");
    gtk_widget_add_css_class(footer->play, "suggested-action");
    g_signal_connect(footer->play, "clicked", G_CALLBACK(play_clicked), footer);
    g_signal_connect(footer->step, "clicked", G_CALLBACK(step_clicked), footer);
    footer->speed = gtk_drop_down_new_from_strings(speeds);
    access_drop_down(footer->speed, "Speed");
    g_signal_connect(footer->speed, "notify::selected", G_CALLBACK(speed_chosen), footer);
    footer->timeline = timeline_new(timeline_asked, footer);
    gtk_widget_set_hexpand(footer->timeline, TRUE);
    footer->status = gtk_label_new("");
    gtk_widget_add_css_class(footer->status, "figures");
    gtk_label_set_width_chars(GTK_LABEL(footer->status), 40);
    gtk_label_set_xalign(GTK_LABEL(footer->status), 1);
    gtk_widget_set_sensitive(footer->play, FALSE); /* until a terrain is open */
    gtk_widget_set_sensitive(footer->step, FALSE);
    GtkWidget *parts[] = {footer->play, footer->step, footer->speed, footer->timeline, footer->status};
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) gtk_box_append(GTK_BOX(bar), parts[i]);
    gtk_widget_add_css_class(bar, "bar");
    return footer;
}
