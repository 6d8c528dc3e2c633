/* window.c: builds the window, and shows what the session reports. */
#include "viewer/window.h"

#include "viewer/actions.h"
#include "viewer/centre.h"
#include "viewer/files/recover.h"
#include "viewer/footer.h"
#include "viewer/header.h"
#include "viewer/section_card.h"
#include "viewer/widgets/look.h"

enum { WIDTH = 1440, SIDE_WIDTH = 370 };

struct window {
    GtkWidget *window, *paned;
    workbench bench;
    action_parts parts;
    header *header;
    centre *centre;
    section_card *section;
    footer *footer;
    uint64_t shown_message, shown_terrain;
    const tool *shown_tool;
    bool framed;  /* a frame has arrived since the last tick */
    bool discard; /* the user discards unsaved changes on closing */
};

void window_open(window *window, const char *path) { files_open_path(window->parts.files, path); }

void window_recover(window *window) { recover_offer(window->parts.files, &window->bench); }

/* --- what the session reports --- */

/* The right side is of use from the first terrain on. */
static void show_side(window *window) {
    gtk_widget_set_visible(panels_widget(window->parts.panels), TRUE);
    gtk_paned_set_position(GTK_PANED(window->paned), gtk_widget_get_width(window->paned) - SIDE_WIDTH);
}

static void show_terrain(window *window) {
    const wadi_def *def = &window->bench.info->def;
    if (!window->shown_terrain) show_side(window);
    tools_set_cell(window->bench.tools, 0.5 * (def->lx + def->ly), def->width);
    window->shown_terrain = window->bench.info->terrain;
    files_opened(window->parts.files);
    view_look(window->bench.view)->line = false;
    view_look(window->bench.view)->ground = window->bench.info->ground;
    panels_show_look(window->parts.panels);
}

static void show_message(window *window) {
    const session_info *info = window->bench.info;
    if (info->message_serial == window->shown_message || !info->message_serial) return;
    window->shown_message = info->message_serial;
    toast_show(window->bench.toast, info->message, info->message_is_error);
    if (info->message_is_error) files_failed(window->parts.files);
}

static void show_info(window *window) {
    const session_info *info = window->bench.info;
    if (info->terrain && info->terrain != window->shown_terrain) show_terrain(window);
    show_message(window);
    header_show(window->header, &window->bench);
    footer_show(window->footer);
    centre_show(window->centre);
    actions_show(&window->parts);
    if (!info->terrain) return;
    tools_allow(window->bench.tools, &info->def);
    footer_show_timeline(window->footer);
    panels_show(window->parts.panels);
    toolbox_show(window->bench.toolbox, info);
    files_shown(window->parts.files);
}

/* Before the layout: a widget that appears while the window is drawn would have no size yet. */
static void show_frame(window *window) {
    window->framed = false;
    centre_show_legend(window->centre);
    section_card_show(window->section);
}

static gboolean tick(GtkWidget *widget, GdkFrameClock *clock, gpointer user) {
    window *window = user;
    (void)widget, (void)clock;
    if (session_take_info(window->bench.session, window->bench.info)) show_info(window);
    char *error = view_take_error(window->bench.view);
    if (error) toast_show(window->bench.toast, error, true);
    g_free(error);
    centre_show_time(window->centre);
    if (window->framed) show_frame(window);
    return G_SOURCE_CONTINUE;
}

/* --- what the workbench reports --- */

static void framed(void *user, bool other) {
    window *window = user;
    window->framed = true;
    if (other) recorder_frame(window->parts.recorder);
}

static void looked_at(void *user, int x, int y) {
    window *window = user;
    session_look_at(window->bench.session, x, y);
    panels_show_figures(window->parts.panels);
}

/* A brush that paints a map shows it. */
static void tooled(void *user) {
    window *window = user;
    const tool *now = tools_now(window->bench.tools);
    if (now == window->shown_tool || !window->parts.panels) return;
    window->shown_tool = now;
    panels_lend_overlay(window->parts.panels, now->shows);
}

static void section_drawn(void *user) { section_card_show(((window *)user)->section); }

/* --- closing --- */

static void close_now(void *user) {
    window *window = user;
    window->discard = true;
    gtk_window_close(GTK_WINDOW(window->window));
}

static gboolean close_asked(GtkWindow *gtk_window, gpointer user) {
    window *window = user;
    (void)gtk_window;
    recorder_end(window->parts.recorder); /* an incomplete video is better than none */
    if (window->discard || !workbench_unsaved(&window->bench)) return FALSE;
    files_prompt(window->parts.files, close_now, window);
    return TRUE;
}

/* All its widgets are gone. */
static void finalized(gpointer user, GObject *gone) {
    window *window = user;
    (void)gone;
    workbench_end(&window->bench);
    files_free(window->parts.files);
    panels_free(window->parts.panels);
    g_free(window->parts.recorder);
    g_free(window->header);
    g_free(window->centre);
    g_free(window->section);
    g_free(window->footer);
    g_free(window);
}

/* --- construction --- */

static const char style[] =
    ".tools { padding: 10px; }"
    ".tools button { padding: 4px 6px; }"
    ".card { background: alpha(@theme_bg_color, 0.88); border-radius: 8px; padding: 8px 10px; }"
    ".toast { background: alpha(@theme_bg_color, 0.95); border-radius: 8px; padding: 8px 14px; }"
    ".heading { font-weight: bold; margin-top: 6px; }"
    ".figures { font-feature-settings: 'tnum'; }"
    ".frame-text { font-size: smaller; color: #30353b; }" /* the sky is light in a dark theme, too */
    ".bar { padding: 6px 10px; }"
    ".pages button { min-width: 0; padding: 4px 12px; }"
    ".first-page { background: @theme_bg_color; }"
    ".first-page .look { padding: 6px; }"
    ".first-page .look picture { border-radius: 6px; }"
    ".first-page .title { font-size: 1.6em; font-weight: bold; }";

static void add_style(GtkWidget *widget) {
    GtkCssProvider *provider = gtk_css_provider_new();
    gtk_css_provider_load_from_data(provider, style, -1);
    gtk_style_context_add_provider_for_display(gtk_widget_get_display(widget), GTK_STYLE_PROVIDER(provider),
                                               GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
    g_object_unref(provider);
    look_install(gtk_widget_get_display(widget));
}

static GtkWidget *content(window *window) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *across = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
    GtkWidget *side = panels_widget(window->parts.panels);
    GtkWidget *middle = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_box_append(GTK_BOX(middle), centre_widget(window->centre));
    gtk_box_append(GTK_BOX(middle), section_card_widget(window->section));
    gtk_box_append(GTK_BOX(across), tools_widget(window->bench.tools));
    gtk_box_append(GTK_BOX(across), gtk_separator_new(GTK_ORIENTATION_VERTICAL));
    GtkWidget *paned = window->paned = gtk_paned_new(GTK_ORIENTATION_HORIZONTAL);
    gtk_paned_set_start_child(GTK_PANED(paned), middle);
    gtk_paned_set_end_child(GTK_PANED(paned), side);
    gtk_paned_set_resize_end_child(GTK_PANED(paned), FALSE);
    gtk_paned_set_shrink_end_child(GTK_PANED(paned), FALSE);
    gtk_box_append(GTK_BOX(across), paned);
    gtk_widget_set_vexpand(across, TRUE);
    gtk_box_append(GTK_BOX(box), across);
    gtk_box_append(GTK_BOX(box), gtk_separator_new(GTK_ORIENTATION_HORIZONTAL));
    gtk_box_append(GTK_BOX(box), footer_widget(window->footer));
    return box;
}

static void make_parts(window *window, const run_options *options) {
    static const workbench_calls calls = {{looked_at, section_drawn}, framed, tooled};
    workbench *bench = &window->bench;
    workbench_init(bench, window->window, options, &calls, window);
    window->header = header_new(bench);
    window->centre = centre_new(bench);
    window->section = section_card_new(bench);
    window->footer = footer_new(bench);
    window->parts = (action_parts){bench, panels_new(bench), files_new(bench), recorder_new(bench)};
}

window *window_new(GtkApplication *app, const run_options *options) {
    window *window = g_new0(struct window, 1);
    window->window = gtk_application_window_new(app);
    add_style(window->window);
    gtk_window_set_default_size(GTK_WINDOW(window->window), WIDTH, 900);
    make_parts(window, options);
    gtk_window_set_titlebar(GTK_WINDOW(window->window), header_widget(window->header));
    gtk_window_set_child(GTK_WINDOW(window->window), content(window));
    actions_add(&window->parts);
    files_accept_drops(window->parts.files);
    actions_show(&window->parts);
    panels_show_look(window->parts.panels);
    gtk_widget_set_visible(panels_widget(window->parts.panels), FALSE); /* until a terrain is open */
    g_signal_connect(window->window, "close-request", G_CALLBACK(close_asked), window);
    g_object_weak_ref(G_OBJECT(window->window), finalized, window);
    gtk_widget_add_tick_callback(window->window, tick, window, NULL);
    gtk_window_present(GTK_WINDOW(window->window));
    gtk_widget_grab_focus(view_widget(window->bench.view));
    return window;
}
