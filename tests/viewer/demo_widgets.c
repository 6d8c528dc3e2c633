/* demo_widgets [MODEL [CELL_M]]: shows all widgets in one window, to be checked by eye. It prints their calls. */
#include "widgets/legend.h"
#include "widgets/params.h"
#include "widgets/plot.h"
#include "widgets/section.h"
#include "widgets/shortcuts.h"
#include "widgets/timeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct demo {
    GtkWidget *panel, *timeline;
    wadi_def def;
    const wadi_preset *preset;
} demo;

static void changed(void *user, const char *name, double value) {
    demo *demo = user;
    printf("%s %.17g\n", name, value);
    fflush(stdout);
    if (wadi_def_set(&demo->def, name, value) != WADI_OK) puts(wadi_error_message());
    params_show(demo->panel, &demo->def, demo->preset);
}

static void knob_moved(void *user, const char *name, double position) {
    (void)user;
    printf("knob %s %g\n", name, position);
    fflush(stdout);
}

static void preset_chosen(void *user, const wadi_preset *preset, const own_preset *own) {
    (void)own;
    demo *demo = user;
    printf("preset %s\n", preset->name);
    fflush(stdout);
    wadi_def_preset(&demo->def, demo->preset = preset);
    params_show(demo->panel, &demo->def, demo->preset);
}

static void go(void *user, double at) {
    static const timeline_mark marks[] = {{0, "start", 0},       {200, NULL, 0},        {350, "Kc to 1.2", 1},
                                          {400, NULL, 0},        {600, NULL, 0},        {660, "hill raised", 1},
                                          {700, "rain to 0", 1}, {800, "checkpoint", 0}};
    demo *demo = user;
    printf("go %g\n", at);
    fflush(stdout);
    timeline_set(demo->timeline, marks, sizeof marks / sizeof *marks, at, 1000);
}

static GtkWidget *demo_plot(int kind) {
    enum { COUNT = 5000 };
    static double x[COUNT], y[COUNT];
    static const char *const titles[] = {"Water on the map", "Sediment carried", "Steps a second", "Mass residual"};
    static const char *const units[] = {"m3", "m3", "steps/s", "m"};
    for (int i = 0; i < COUNT; i++) {
        const double t = i / (double)COUNT;
        x[i] = i;
        y[i] = kind == 0   ? 3.2e5 * (1 - exp(-3 * t))
               : kind == 1 ? 900 * t * exp(-2 * t) * (1 + 0.1 * sin(90 * t))
               : kind == 2 ? 1450 + 60 * sin(1e4 * t * t)
                           : 1e-6 * (sin(20 * t) - 0.3);
    }
    GtkWidget *plot = plot_new(titles[kind], units[kind]);
    plot_set(plot, x, y, COUNT, "step");
    return plot;
}

static GtkWidget *demo_section(void) {
    enum { COUNT = 600 };
    static float distance[COUNT], ground[COUNT], water[COUNT], start[COUNT];
    for (int i = 0; i < COUNT; i++) {
        const double t = i / (double)COUNT;
        const double h = 320 + 60 * sin(7 * t) + 25 * sin(23 * t) + 6 * sin(71 * t);
        distance[i] = (float)(4200 * t);
        start[i] = (float)(h + 4 + 3 * sin(40 * t));
        ground[i] = i > 500 && i < 520 ? NAN : (float)h;
        water[i] = (float)fmax(0, 268 - h);
    }
    GtkWidget *section = section_new();
    section_set(section,
                &(section_profiles){
                    .distance_m = distance, .ground_m = ground, .water_m = water, .start_m = start, .count = COUNT});
    gtk_widget_set_vexpand(section, true);
    return section;
}

static GtkWidget *demo_legend(bool logarithmic) {
    static const float rgb[] = {0.94f, 0.98f, 1, 0.62f, 0.79f, 0.88f, 0.26f, 0.57f, 0.78f, 0.03f, 0.19f, 0.42f};
    GtkWidget *legend = legend_new();
    if (logarithmic)
        legend_set(legend, "Flow", "m3/s", rgb, 4, 0.0013, 42, true);
    else
        legend_set(legend, "Water", "m", rgb, 4, 0, 3.4, false);
    return legend;
}

static GtkWidget *figures(void) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6), *legends = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    for (int i = 0; i < 4; i++) gtk_box_append(GTK_BOX(box), demo_plot(i));
    gtk_box_append(GTK_BOX(box), plot_new("Nothing yet", "m"));
    gtk_box_append(GTK_BOX(legends), demo_legend(false));
    gtk_box_append(GTK_BOX(legends), demo_legend(true));
    gtk_box_append(GTK_BOX(box), legends);
    gtk_box_append(GTK_BOX(box), demo_section());
    return box;
}

static gboolean key_pressed(GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state, void *data) {
    static const shortcut_row rows[] = {{"Run", "space", "Run or pause"}, {"Run", "period", "One step"},
                                        {"View", "<Control>0", "Fit"},    {"View", "w", "Water on or off"},
                                        {"File", "<Control>o", "Open…"},  {"File", "<Control>s", "Save"},
                                        {"Run", "<Control>z", "Undo"},    {"Help", "question", "These keys"}};
    (void)keys, (void)code;
    const demo *demo = data;
    if (key == GDK_KEY_f && state & GDK_CONTROL_MASK) params_find(demo->panel);
    if (key != GDK_KEY_question) return false;
    GtkWindow *window = GTK_WINDOW(gtk_widget_get_root(demo->panel));
    gtk_window_present(GTK_WINDOW(shortcuts_window_new(window, rows, sizeof rows / sizeof *rows)));
    return true;
}

int main(int count, char **arguments) {
    gtk_disable_setlocale(); /* the tables' numbers have a decimal point */
    gtk_init();
    demo demo = {0};
    const wadi_model *model = wadi_model_find(count > 1 ? arguments[1] : "jako2011");
    const double cell_m = count > 2 ? strtod(arguments[2], NULL) : 1;
    if (model == NULL || !(cell_m > 0)) return 2;
    demo.def = wadi_default_def(model, 512, 512, cell_m, cell_m);
    demo.preset = wadi_model_presets(model, NULL);
    demo.panel = params_new(changed, knob_moved, preset_chosen, &demo);
    params_show(demo.panel, &demo.def, demo.preset);
    demo.timeline = timeline_new(go, &demo);
    go(&demo, 420);
    gtk_widget_set_size_request(demo.panel, 340, -1);
    GtkWidget *window = gtk_window_new(), *top = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
    GtkWidget *right = figures(), *all = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_widget_set_hexpand(right, true);
    gtk_widget_set_vexpand(top, true);
    gtk_box_append(GTK_BOX(top), demo.panel);
    gtk_box_append(GTK_BOX(top), gtk_separator_new(GTK_ORIENTATION_VERTICAL));
    gtk_box_append(GTK_BOX(top), right);
    gtk_box_append(GTK_BOX(all), top);
    gtk_box_append(GTK_BOX(all), demo.timeline);
    gtk_window_set_child(GTK_WINDOW(window), all);
    gtk_window_set_title(GTK_WINDOW(window), "Wadi's widgets");
    gtk_window_set_default_size(GTK_WINDOW(window), 900, 900);
    GtkEventController *keys = gtk_event_controller_key_new();
    g_signal_connect(keys, "key-pressed", G_CALLBACK(key_pressed), &demo);
    gtk_widget_add_controller(window, keys);
    gtk_window_present(GTK_WINDOW(window));
    while (g_list_model_get_n_items(gtk_window_get_toplevels()) > 0) g_main_context_iteration(NULL, true);
    return 0;
}
