/* window.c: the window put together, and kept up with the session. */
#include "viewer/window.h"

#include "viewer/widgets/access.h"
#include "viewer/widgets/legend.h"
#include "viewer/widgets/look.h"
#include "viewer/widgets/number.h"
#include "viewer/widgets/section.h"
#include "viewer/widgets/timeline.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 1440, TOOLS_WIDTH = 180, SIDE_WIDTH = 370 };

bool window_unsaved(const window *window) {
    return window->info->terrain && window->info->edits != window->info->saved_edits;
}

/* --- messages --- */

static gboolean toast_over(gpointer user) {
    window *window = user;
    gtk_revealer_set_reveal_child(GTK_REVEALER(window->toast), FALSE);
    window->toast_timer = 0;
    return G_SOURCE_REMOVE;
}

void window_toast(window *window, const char *text, bool is_error) {
    gtk_label_set_text(GTK_LABEL(window->toast_text), text);
    if (is_error)
        gtk_widget_add_css_class(window->toast_text, "error");
    else
        gtk_widget_remove_css_class(window->toast_text, "error");
    gtk_revealer_set_reveal_child(GTK_REVEALER(window->toast), TRUE);
    if (window->toast_timer) g_source_remove(window->toast_timer);
    window->toast_timer = g_timeout_add(is_error ? 9000 : 3500, toast_over, window);
}

/* --- keeping up --- */

static void show_title(window *window) {
    const session_info *info = window->info;
    char text[400];
    g_snprintf(text, sizeof text, "%s%s", info->terrain ? info->name : "Wadi", window_unsaved(window) ? " \u2022" : "");
    gtk_label_set_text(GTK_LABEL(window->title), text);
    gtk_window_set_title(GTK_WINDOW(window->window), text);
    if (!info->terrain) return;
    char across[NUMBER_TEXT];
    g_snprintf(text, sizeof text, "%s, %d \u00d7 %d cells of %s, %s", wadi_model_id(info->def.model), info->def.width,
               info->def.height, number_with_unit(info->def.lx, "m", across), info->device);
    gtk_label_set_text(GTK_LABEL(window->subtitle), text);
}

static void show_status(window *window) {
    const session_info *info = window->info;
    char text[300], time[NUMBER_TEXT], rate[NUMBER_TEXT];
    g_snprintf(text, sizeof text, "step %lld   %s   %s", (long long)info->steps,
               number_with_unit(info->simulated_s, "s", time),
               info->cell_steps_per_s > 0 ? number_with_unit(info->cell_steps_per_s, "cell-steps/s", rate) : "");
    gtk_label_set_text(GTK_LABEL(window->status), text);
    gtk_button_set_icon_name(GTK_BUTTON(window->play),
                             info->playing ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
    access_label(window->play, info->playing ? "Pause" : "Play");
    gtk_widget_set_visible(window->busy, info->busy);
    gtk_widget_set_visible(window->hint, !info->busy && !info->terrain);
    if (info->busy) {
        gtk_progress_bar_set_text(GTK_PROGRESS_BAR(window->busy_bar), info->doing);
        if (info->share > 0)
            gtk_progress_bar_set_fraction(GTK_PROGRESS_BAR(window->busy_bar), info->share);
        else
            gtk_progress_bar_pulse(GTK_PROGRESS_BAR(window->busy_bar));
    }
}

static void show_timeline(window *window) {
    const session_info *info = window->info;
    timeline_mark marks[SESSION_MARKS];
    for (size_t i = 0; i < info->mark_count; i++)
        marks[i] = (timeline_mark){info->marks[i].at, info->marks[i].label, info->marks[i].action};
    timeline_set(window->timeline, marks, info->mark_count, (double)info->steps, (double)info->steps_end);
}

static void enable(window *window, const char *name, bool on) {
    GAction *action = g_action_map_lookup_action(G_ACTION_MAP(window->window), name);
    g_simple_action_set_enabled(G_SIMPLE_ACTION(action), on);
}

static void show_actions(window *window) {
    static const char *const need_terrain[] = {"save",        "save-as", "save-recipe", "export-picture",
                                               "export-mesh", "play",    "step",        "step-10",
                                               "first",       "last",    "keep",        "video"};
    for (size_t i = 0; i < G_N_ELEMENTS(need_terrain); i++) enable(window, need_terrain[i], window->info->terrain != 0);
    enable(window, "undo", window->info->undo[0] != '\0');
    enable(window, "redo", window->info->redo[0] != '\0');
}

static void show_terrain(window *window) {
    const wadi_def *def = &window->info->def;
    tools_set_cell(window->tools, 0.5 * (def->lx + def->ly), def->width);
    window->shown_terrain = window->info->terrain;
    files_opened(window);
    view_look(window->view)->line = false;
}

/* What a prompt waits for: that the work is saved. */
static void go_on_after_saving(window *window) {
    void (*then)(struct window *) = window->after_prompt;
    if (!then || window_unsaved(window) || window->info->busy) return;
    window->after_prompt = NULL;
    then(window);
}

static void show_info(window *window) {
    const session_info *info = window->info;
    if (info->terrain && info->terrain != window->shown_terrain) show_terrain(window);
    if (info->message_serial != window->shown_message && info->message_serial) {
        window->shown_message = info->message_serial;
        window_toast(window, info->message, info->message_is_error);
        if (info->message_is_error) window->after_prompt = NULL; /* it may not be saved */
    }
    show_title(window);
    show_status(window);
    show_actions(window);
    if (!info->terrain) return;
    tools_allow(window->tools, info->def.model);
    show_timeline(window);
    panels_show(window);
    toolbox_show(window->toolbox, info);
    go_on_after_saving(window);
}

static void show_legend(window *window) {
    wadi_legend legend;
    float rgb[3 * WADI_LEGEND_STOPS];
    if (!view_legend(window->view, &legend) || legend.empty) {
        legend_set(window->legend, "", "", NULL, 0, 0, 1, false);
        return;
    }
    for (int i = 0; i < WADI_LEGEND_STOPS; i++)
        for (int c = 0; c < 3; c++) rgb[3 * i + c] = (float)(legend.rgb[i] >> (16 - 8 * c) & 255) / 255;
    legend_set(window->legend, legend.title, legend.unit, rgb, WADI_LEGEND_STOPS, legend.low, legend.high,
               legend.logarithmic);
}

static void framed(void *user, bool other) {
    window *window = user;
    show_legend(window);
    panels_section(window);
    if (other) files_video_frame(window);
}

static gboolean tick(GtkWidget *widget, GdkFrameClock *clock, gpointer user) {
    window *window = user;
    (void)widget, (void)clock;
    if (session_take_info(window->session, window->info)) show_info(window);
    char text[64], *error = view_take_error(window->view);
    if (error) window_toast(window, error, true);
    g_free(error);
    g_snprintf(text, sizeof text, "%.1f ms", view_frame_ms(window->view));
    gtk_label_set_text(GTK_LABEL(window->frame_text), text);
    return G_SOURCE_CONTINUE;
}

/* --- what the parts say --- */

static void tools_said(void *user) {
    window *window = user;
    if (window->view) view_redraw(window->view);
}

static void looked_at(void *user, int x, int y) {
    window *window = user;
    session_look_at(window->session, x, y);
    gtk_stack_set_visible_child_name(GTK_STACK(window->stack), "figures");
}

static void section_drawn(void *user) { panels_section(user); }

static void pressed(void *user) { toolbox_pressed(((window *)user)->toolbox); }
static void dragged(void *user) { toolbox_dragged(((window *)user)->toolbox); }
static void held(void *user, gint64 held_us) { toolbox_held(((window *)user)->toolbox, held_us); }
static void released(void *user) { toolbox_released(((window *)user)->toolbox); }
static void pointed(void *user) { toolbox_pointed(((window *)user)->toolbox); }
static void scrolled(void *user, double lines) { tools_grow(((window *)user)->tools, pow(1.12, -lines)); }

static void timeline_asked(void *user, double at) { session_go_to_step(((window *)user)->session, at); }

static void play_clicked(GtkButton *button, gpointer user) {
    (void)button;
    session_play(((window *)user)->session, !((window *)user)->info->playing);
}

static void step_clicked(GtkButton *button, gpointer user) {
    (void)button;
    session_step(((window *)user)->session, 1);
}

static void stop_clicked(GtkButton *button, gpointer user) {
    (void)button;
    session_stop_going(((window *)user)->session);
}

static void section_closed(GtkButton *button, gpointer user) {
    (void)button;
    view_look(((window *)user)->view)->line = false;
    panels_section(user);
    view_redraw(((window *)user)->view);
}

static void speed_chosen(GtkDropDown *drop_down, GParamSpec *spec, gpointer user) {
    static const double speeds[] = {0, 1, 5, 10, 30, 100};
    (void)spec;
    const guint chosen = gtk_drop_down_get_selected(drop_down);
    if (chosen < G_N_ELEMENTS(speeds)) session_set_speed(((window *)user)->session, speeds[chosen]);
}

static void close_now(window *window) {
    window->discard = true;
    gtk_window_close(GTK_WINDOW(window->window));
}

static gboolean close_asked(GtkWindow *gtk_window, gpointer user) {
    window *window = user;
    (void)gtk_window;
    if (window->video) files_video(window); /* so far is better than nothing */
    if (!window->discard && window_unsaved(window)) {
        files_prompt(window, close_now);
        return TRUE;
    }
    return FALSE;
}

/* All its widgets are gone. */
static void finalized(gpointer user, GObject *gone) {
    window *window = user;
    (void)gone;
    if (window->toast_timer) g_source_remove(window->toast_timer);
    session_free(window->session);
    files_end_autosave(window);
    view_free(window->view);
    toolbox_free(window->toolbox);
    tools_free(window->tools);
    g_free(window->info);
    g_free(window->file);
    g_free(window->autosave);
    g_free(window->next_path);
    g_free(window->next_file);
    g_free(window->recovered);
    g_free(window);
}

/* --- putting it together --- */

static const char style[] =
    ".tools { padding: 10px; }"
    ".tools button { padding: 4px 6px; }"
    ".card { background: alpha(@theme_bg_color, 0.88); border-radius: 8px; padding: 8px 10px; }"
    ".toast { background: alpha(@theme_bg_color, 0.95); border-radius: 8px; padding: 8px 14px; }"
    ".heading { font-weight: bold; margin-top: 6px; }"
    ".figures { font-feature-settings: 'tnum'; }"
    ".frame-text { font-size: smaller; opacity: 0.7; }"
    ".bar { padding: 6px 10px; }"
    ".pages button { min-width: 0; padding: 4px 12px; }"
    ".hint { font-size: large; color: #d0d4d8; }";

static void add_style(GtkWidget *widget) {
    GtkCssProvider *provider = gtk_css_provider_new();
    gtk_css_provider_load_from_data(provider, style, -1);
    gtk_style_context_add_provider_for_display(gtk_widget_get_display(widget), GTK_STYLE_PROVIDER(provider),
                                               GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
    g_object_unref(provider);
    look_install(gtk_widget_get_display(widget));
}

static GtkWidget *button(const char *icon, const char *label, const char *action) {
    GtkWidget *made = gtk_button_new_from_icon_name(icon);
    gtk_widget_set_tooltip_text(made, label);
    access_label(made, label);
    if (action) gtk_actionable_set_action_name(GTK_ACTIONABLE(made), action);
    gtk_widget_set_focus_on_click(made, FALSE);
    return made;
}

static GtkWidget *header(window *window) {
    GtkWidget *bar = gtk_header_bar_new(), *titles = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *menu = gtk_menu_button_new();
    window->title = gtk_label_new("Wadi");
    window->subtitle = gtk_label_new("");
    gtk_widget_add_css_class(window->title, "title");
    gtk_widget_add_css_class(window->subtitle, "subtitle");
    gtk_label_set_ellipsize(GTK_LABEL(window->subtitle), PANGO_ELLIPSIZE_END);
    gtk_widget_set_valign(titles, GTK_ALIGN_CENTER);
    gtk_box_append(GTK_BOX(titles), window->title);
    gtk_box_append(GTK_BOX(titles), window->subtitle);
    gtk_header_bar_set_title_widget(GTK_HEADER_BAR(bar), titles);
    gtk_header_bar_pack_start(GTK_HEADER_BAR(bar), button("document-open-symbolic", "Open (Ctrl+O)", "win.open"));
    gtk_header_bar_pack_start(GTK_HEADER_BAR(bar), button("document-save-symbolic", "Save (Ctrl+S)", "win.save"));
    gtk_header_bar_pack_start(GTK_HEADER_BAR(bar), button("edit-undo-symbolic", "Undo (Ctrl+Z)", "win.undo"));
    gtk_header_bar_pack_start(GTK_HEADER_BAR(bar), button("edit-redo-symbolic", "Redo (Ctrl+Shift+Z)", "win.redo"));
    gtk_menu_button_set_icon_name(GTK_MENU_BUTTON(menu), "open-menu-symbolic");
    GMenuModel *model = actions_menu();
    gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(menu), model);
    g_object_unref(model);
    access_label(menu, "Menu");
    gtk_header_bar_pack_end(GTK_HEADER_BAR(bar), menu);
    gtk_header_bar_pack_end(GTK_HEADER_BAR(bar), button("zoom-fit-best-symbolic", "See all (H)", "win.home"));
    return bar;
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

static GtkWidget *busy_card(window *window) {
    window->busy = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    window->busy_bar = gtk_progress_bar_new();
    GtkWidget *stop = gtk_button_new_with_label("Stop");
    gtk_progress_bar_set_show_text(GTK_PROGRESS_BAR(window->busy_bar), TRUE);
    gtk_widget_set_size_request(window->busy_bar, 220, -1);
    gtk_widget_add_css_class(window->busy, "card");
    gtk_widget_set_valign(window->busy_bar, GTK_ALIGN_CENTER);
    g_signal_connect(stop, "clicked", G_CALLBACK(stop_clicked), window);
    gtk_box_append(GTK_BOX(window->busy), window->busy_bar);
    gtk_box_append(GTK_BOX(window->busy), stop);
    gtk_widget_set_visible(window->busy, FALSE);
    return window->busy;
}

static GtkWidget *section_card(window *window) {
    window->section_box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);
    window->section = section_new();
    GtkWidget *close = button("window-close-symbolic", "Close the cross-section", NULL);
    gtk_widget_set_hexpand(window->section, TRUE);
    gtk_widget_set_size_request(window->section, 420, 150);
    gtk_widget_set_valign(close, GTK_ALIGN_START);
    gtk_button_set_has_frame(GTK_BUTTON(close), FALSE);
    g_signal_connect(close, "clicked", G_CALLBACK(section_closed), window);
    gtk_box_append(GTK_BOX(window->section_box), window->section);
    gtk_box_append(GTK_BOX(window->section_box), close);
    gtk_widget_add_css_class(window->section_box, "bar");
    gtk_widget_set_visible(window->section_box, FALSE);
    return window->section_box;
}

static GtkWidget *middle(window *window) {
    GtkWidget *overlay = gtk_overlay_new(), *legend_card = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_overlay_set_child(GTK_OVERLAY(overlay), view_widget(window->view));
    window->legend = legend_new();
    gtk_box_append(GTK_BOX(legend_card), window->legend);
    gtk_widget_add_css_class(legend_card, "card");
    g_object_bind_property(window->legend, "visible", legend_card, "visible", G_BINDING_SYNC_CREATE);
    gtk_widget_set_size_request(legend_card, 280, -1);
    lay_over(overlay, legend_card, GTK_ALIGN_START, GTK_ALIGN_END);
    lay_over(overlay, busy_card(window), GTK_ALIGN_CENTER, GTK_ALIGN_CENTER);
    window->toast = gtk_revealer_new();
    window->toast_text = gtk_label_new("");
    gtk_label_set_wrap(GTK_LABEL(window->toast_text), TRUE);
    gtk_label_set_max_width_chars(GTK_LABEL(window->toast_text), 80);
    gtk_widget_add_css_class(window->toast_text, "toast");
    gtk_revealer_set_child(GTK_REVEALER(window->toast), window->toast_text);
    lay_over(overlay, window->toast, GTK_ALIGN_CENTER, GTK_ALIGN_START);
    window->frame_text = gtk_label_new("");
    gtk_widget_add_css_class(window->frame_text, "frame-text");
    gtk_widget_set_tooltip_text(window->frame_text, "How long a picture takes");
    lay_over(overlay, window->frame_text, GTK_ALIGN_END, GTK_ALIGN_START);
    window->hint = gtk_label_new("Open a heightmap (Ctrl+O), drop one here, or make one (Ctrl+N)");
    gtk_widget_add_css_class(window->hint, "hint");
    gtk_widget_set_can_target(window->hint, FALSE);
    lay_over(overlay, window->hint, GTK_ALIGN_CENTER, GTK_ALIGN_CENTER);
    return overlay;
}

static GtkWidget *footer(window *window) {
    static const char *const speeds[] = {"as fast as it can", "1 step/s",    "5 steps/s", "10 steps/s",
                                         "30 steps/s",        "100 steps/s", NULL};
    GtkWidget *bar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    GtkWidget *step = button("media-skip-forward-symbolic", "One step (.)", NULL);
    window->play = button("media-playback-start-symbolic", "Play", NULL);
    gtk_widget_set_tooltip_text(window->play, "Let it run, or pause (Space)");
    gtk_widget_add_css_class(window->play, "suggested-action");
    g_signal_connect(window->play, "clicked", G_CALLBACK(play_clicked), window);
    g_signal_connect(step, "clicked", G_CALLBACK(step_clicked), window);
    window->speed = gtk_drop_down_new_from_strings(speeds);
    access_drop_down(window->speed, "Speed");
    g_signal_connect(window->speed, "notify::selected", G_CALLBACK(speed_chosen), window);
    window->timeline = timeline_new(timeline_asked, window);
    gtk_widget_set_hexpand(window->timeline, TRUE);
    window->status = gtk_label_new("");
    gtk_widget_add_css_class(window->status, "figures");
    gtk_label_set_width_chars(GTK_LABEL(window->status), 40);
    gtk_label_set_xalign(GTK_LABEL(window->status), 1);
    GtkWidget *parts[] = {window->play, step, window->speed, window->timeline, window->status};
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) gtk_box_append(GTK_BOX(bar), parts[i]);
    gtk_widget_add_css_class(bar, "bar");
    return bar;
}

static GtkWidget *content(window *window) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *across = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
    GtkWidget *centre = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_box_append(GTK_BOX(centre), middle(window));
    gtk_box_append(GTK_BOX(centre), section_card(window));
    window->side = panels_new(window);
    gtk_box_append(GTK_BOX(across), tools_widget(window->tools));
    gtk_box_append(GTK_BOX(across), gtk_separator_new(GTK_ORIENTATION_VERTICAL));
    GtkWidget *paned = gtk_paned_new(GTK_ORIENTATION_HORIZONTAL);
    gtk_paned_set_start_child(GTK_PANED(paned), centre);
    gtk_paned_set_end_child(GTK_PANED(paned), window->side);
    gtk_paned_set_resize_end_child(GTK_PANED(paned), FALSE);
    gtk_paned_set_shrink_end_child(GTK_PANED(paned), FALSE);
    gtk_paned_set_position(GTK_PANED(paned), WIDTH - TOOLS_WIDTH - SIDE_WIDTH);
    gtk_box_append(GTK_BOX(across), paned);
    gtk_widget_set_vexpand(across, TRUE);
    gtk_box_append(GTK_BOX(box), across);
    gtk_box_append(GTK_BOX(box), gtk_separator_new(GTK_ORIENTATION_HORIZONTAL));
    gtk_box_append(GTK_BOX(box), footer(window));
    return box;
}

window *window_new(GtkApplication *app, const run_options *options) {
    static const tool_calls tool_calls = {looked_at, section_drawn};
    static const view_calls view_calls = {pressed, dragged, held, released, pointed, scrolled, framed};
    window *window = g_new0(struct window, 1);
    window->app = app;
    window->info = g_new0(session_info, 1);
    window->window = gtk_application_window_new(app);
    add_style(window->window);
    gtk_window_set_default_size(GTK_WINDOW(window->window), WIDTH, 900);
    window->session = session_new(options);
    window->tools = tools_new(tools_said, window);
    window->toolbox = toolbox_new(window->session, window->tools, &tool_calls, window);
    window->view = view_new(window->session, &view_calls, window);
    toolbox_set_view(window->toolbox, window->view);
    gtk_window_set_titlebar(GTK_WINDOW(window->window), header(window));
    gtk_window_set_child(GTK_WINDOW(window->window), content(window));
    actions_add(window);
    files_accept_drops(window);
    show_actions(window);
    panels_look_changed(window);
    g_signal_connect(window->window, "close-request", G_CALLBACK(close_asked), window);
    g_object_weak_ref(G_OBJECT(window->window), finalized, window);
    gtk_widget_add_tick_callback(window->window, tick, window, NULL);
    gtk_window_present(GTK_WINDOW(window->window));
    gtk_widget_grab_focus(view_widget(window->view));
    return window;
}
