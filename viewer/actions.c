/* actions.c: the table of actions. Keys, the menu and the list of keys follow from it and from the table of tools. */
#include "viewer/actions.h"

#include "viewer/files/export_dialog.h"
#include "viewer/files/import_dialog.h"
#include "viewer/files/new_terrain.h"
#include "viewer/tools/table.h"
#include "viewer/view/camera.h"
#include "viewer/widgets/shortcuts.h"

#include "run/export_target.h"
#include "wadi/derive.h"
#include "wadi/map.h"

#include <string.h>

typedef void act(action_parts *on, int number);

typedef struct entry {
    const char *name, *keys, *group, *title; /* keys: separated by spaces; NULL: only in the menu */
    act *act;
    int number;
} entry;

static void open_file(action_parts *on, int number) { (void)number, files_open(on->files); }
static void new_terrain(action_parts *on, int number) { (void)number, new_terrain_ask(on->files, on->bench); }
static void save(action_parts *on, int as) { files_save(on->files, as != 0); }
static void save_recipe(action_parts *on, int number) { (void)number, files_save_recipe(on->files); }
static void save_preset(action_parts *on, int number) { (void)number, panels_save_preset(on->panels); }
static void import_map(action_parts *on, int number) { (void)number, import_ask(on->bench); }
static void export_picture(action_parts *on, int number) { (void)number, export_ask(on->bench, "picture"); }
static void export_height(action_parts *on, int number) { (void)number, export_ask(on->bench, "height"); }
static void export_water(action_parts *on, int number) { (void)number, export_ask(on->bench, "water"); }
static void export_mesh(action_parts *on, int number) { (void)number, export_ask(on->bench, "mesh"); }
static void video_on_off(action_parts *on, int number) { (void)number, recorder_toggle(on->recorder); }
static void undo(action_parts *on, int number) { (void)number, session_undo(on->bench->session); }
static void redo(action_parts *on, int number) { (void)number, session_redo(on->bench->session); }
static void play(action_parts *on, int number) {
    (void)number;
    session_play(on->bench->session, !on->bench->info->playing);
}
static void step(action_parts *on, int steps) { session_step(on->bench->session, steps); }
static void go_first(action_parts *on, int number) { (void)number, session_go_to_step(on->bench->session, 0); }
static void go_last(action_parts *on, int number) {
    (void)number;
    session_go_to_step(on->bench->session, (double)on->bench->info->steps_end);
}
static void stop(action_parts *on, int number) {
    (void)number;
    session_stop_going(on->bench->session);
    session_play(on->bench->session, false);
    if (view_flies(on->bench->view)) view_set_fly(on->bench->view, false);
}
static void change_levels(action_parts *on, int number) {
    (void)number;
    session_set_levels(on->bench->session, on->bench->info->levels <= 1);
}
static void keep(action_parts *on, int number) {
    (void)number;
    session_checkpoint(on->bench->session);
    toast_show(on->bench->toast, "Checkpoint kept", false);
}
static void choose_tool(action_parts *on, int tool_number) { tools_choose(on->bench->tools, tool_number); }
static void grow(action_parts *on, int sign) { tools_grow(on->bench->tools, sign > 0 ? 1.2 : 1 / 1.2); }
static void strengthen(action_parts *on, int sign) { tools_grow_strength(on->bench->tools, sign > 0 ? 1.25 : 0.8); }
static void home(action_parts *on, int number) { (void)number, view_home(on->bench->view); }
static void map(action_parts *on, int number) {
    (void)number;
    view_set_map(on->bench->view, !view_is_map(on->bench->view));
    panels_show_look(on->panels);
}
static void fly(action_parts *on, int number) {
    (void)number;
    view_set_fly(on->bench->view, !view_flies(on->bench->view));
    toast_show(on->bench->toast,
               view_flies(on->bench->view) ? "Flying: W A S D, Q and E down and up, Shift faster; Esc ends" : "Landed",
               false);
}
static void turn(action_parts *on, int number) { view_turn(on->bench->view, 10.0 * number, 0); }
static void tilt(action_parts *on, int number) { view_turn(on->bench->view, 0, 5.0 * number); }
static void move_across(action_parts *on, int number) { view_move(on->bench->view, 0.1 * number, 0); }
static void move_along(action_parts *on, int number) { view_move(on->bench->view, 0, 0.1 * number); }
static void zoom(action_parts *on, int sign) { view_zoom(on->bench->view, sign > 0 ? 1 / 1.2 : 1.2); }
static void next_overlay(action_parts *on, int by) { panels_overlay(on->panels, by); }
static void shadows(action_parts *on, int number) {
    (void)number;
    view_look(on->bench->view)->shadows = !view_look(on->bench->view)->shadows;
    panels_show_look(on->panels);
}
static void find(action_parts *on, int number) { (void)number, panels_find(on->panels); }
static void hide_side(action_parts *on, int number) {
    (void)number;
    GtkWidget *side = panels_widget(on->panels);
    gtk_widget_set_visible(side, !gtk_widget_get_visible(side));
}
static void fullscreen(action_parts *on, int number) {
    (void)number;
    if (gtk_window_is_fullscreen(GTK_WINDOW(on->bench->window)))
        gtk_window_unfullscreen(GTK_WINDOW(on->bench->window));
    else
        gtk_window_fullscreen(GTK_WINDOW(on->bench->window));
}
static void close_window(action_parts *on, int number) {
    (void)number, gtk_window_close(GTK_WINDOW(on->bench->window));
}
static void show_keys(action_parts *on, int number);

static const entry entries[] = {
    {"open", "<Control>o", "File", "Open a heightmap, a run, a recipe or work", open_file, 0},
    {"new", "<Control>n", "File", "New terrain", new_terrain, 0},
    {"save", "<Control>s", "File", "Save the work", save, 0},
    {"save-as", "<Control><Shift>s", "File", "Save the work under another name", save, 1},
    {"save-recipe", "<Control>e", "File", "Save what was done as a recipe", save_recipe, 0},
    {"save-preset", "<Control><Shift>p", "File", "Save knobs and parameters as a preset", save_preset, 0},
    {"import-map", "<Control>i", "File", "Import a map: mask, hardness, rain, ...", import_map, 0},
    {"export-picture", "<Control>p", "File", "Export the picture", export_picture, 0},
    {"export-height", "<Control>h", "File", "Export the height", export_height, 0},
    {"export-water", "<Control><Shift>w", "File", "Export the water", export_water, 0},
    {"export-mesh", "<Control>m", "File", "Export a mesh", export_mesh, 0},
    {"video", "<Control>r", "File", "Begin or end a video", video_on_off, 0},
    {"close", "<Control>q", "File", "Close", close_window, 0},
    {"undo", "<Control>z", "Work", "Undo", undo, 0},
    {"redo", "<Control><Shift>z <Control>y", "Work", "Redo", redo, 0},
    {"play", "space", "Work", "Let it run, or pause", play, 0},
    {"step", "period", "Work", "One step", step, 1},
    {"step-10", "<Shift>greater greater", "Work", "Ten steps", step, 10},
    {"first", "<Control>Home", "Work", "Go to the beginning", go_first, 0},
    {"last", "<Control>End", "Work", "Go to the end", go_last, 0},
    {"levels", "<Control>l", "Work", "Begin from coarse to fine, or on one grid", change_levels, 0},
    {"keep", "k", "Work", "Keep a checkpoint", keep, 0},
    {"stop", "Escape", "Work", "Stop whatever goes on", stop, 0},
    {"smaller", "bracketleft", "Tools", "Smaller brush (Ctrl and the wheel)", grow, -1},
    {"larger", "bracketright", "Tools", "Larger brush", grow, 1},
    {"weaker", "comma", "Tools", "Weaker brush", strengthen, -1},
    {"stronger", "<Shift>less less", "Tools", "Stronger brush", strengthen, 1},
    {"home", "h", "View", "See all", home, 0},
    {"map", "m", "View", "Map or perspective", map, 0},
    {"fly", "f", "View", "Fly", fly, 0},
    {"turn-left", "Left", "View", "Turn left", turn, -1},
    {"turn-right", "Right", "View", "Turn right", turn, 1},
    {"tilt-up", "Up", "View", "Look from higher", tilt, 1},
    {"tilt-down", "Down", "View", "Look from lower", tilt, -1},
    {"move-left", "<Shift>Left", "View", "Move left", move_across, -1},
    {"move-right", "<Shift>Right", "View", "Move right", move_across, 1},
    {"move-on", "<Shift>Up", "View", "Move on", move_along, 1},
    {"move-back", "<Shift>Down", "View", "Move back", move_along, -1},
    {"nearer", "Page_Up", "View", "Nearer", zoom, 1},
    {"farther", "Page_Down", "View", "Farther", zoom, -1},
    {"next-map", "o", "View", "Next map over the ground", next_overlay, 1},
    {"previous-map", "<Shift>o", "View", "Previous map", next_overlay, -1},
    {"shadows", "l", "View", "Shadows", shadows, 0},
    {"find", "<Control>f slash", "View", "Find a parameter", find, 0},
    {"side", "F9", "View", "Show or hide the panel", hide_side, 0},
    {"fullscreen", "F11", "View", "Full screen", fullscreen, 0},
    {"keys", "question <Shift>question F1", "View", "Keys", show_keys, 0},
};

static entry all[G_N_ELEMENTS(entries) + TOOLS];

static entry tool_entry(int number) {
    const tool *tool = tool_table[number];
    char *name = g_strconcat("tool-", tool->id, NULL);
    const entry made = {g_intern_string(name), tool->key, "Tools", tool->title, choose_tool, number};
    g_free(name);
    return made;
}

/* The tools come first in their group. */
static void list_all(void) {
    size_t count = 0;
    bool tools = false;
    for (size_t i = 0; i < G_N_ELEMENTS(entries); i++) {
        if (!tools && strcmp(entries[i].group, "Tools") == 0) {
            for (int t = 0; t < TOOLS; t++) all[count++] = tool_entry(t);
            tools = true;
        }
        all[count++] = entries[i];
    }
}

static void show_keys(action_parts *on, int number) {
    shortcut_row rows[G_N_ELEMENTS(all)];
    (void)number;
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) rows[i] = (shortcut_row){all[i].group, all[i].keys, all[i].title};
    gtk_window_present(GTK_WINDOW(shortcuts_window_new(GTK_WINDOW(on->bench->window), rows, G_N_ELEMENTS(rows))));
}

static void activated(GSimpleAction *action, GVariant *parameter, gpointer user) {
    const char *name = g_action_get_name(G_ACTION(action));
    (void)parameter;
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
        if (strcmp(all[i].name, name) == 0) all[i].act(user, all[i].number);
}

static void export_map(GSimpleAction *action, GVariant *parameter, gpointer user) {
    (void)action;
    export_ask(((action_parts *)user)->bench, g_variant_get_string(parameter, NULL));
}

static void export_for(GSimpleAction *action, GVariant *parameter, gpointer user) {
    (void)action;
    export_ask_for(((action_parts *)user)->bench, g_variant_get_string(parameter, NULL));
}

static void open_look(GSimpleAction *action, GVariant *parameter, gpointer user) {
    (void)action;
    files_open_look(((action_parts *)user)->files, g_variant_get_string(parameter, NULL));
}

/* An action with a text, for example a map's name: "win.export-map::flow". */
static void add_with_text(action_parts *on, const char *name, GCallback act) {
    GSimpleAction *action = g_simple_action_new(name, G_VARIANT_TYPE_STRING);
    g_signal_connect(action, "activate", act, on);
    g_action_map_add_action(G_ACTION_MAP(on->bench->window), G_ACTION(action));
    g_object_unref(action);
}

/* A focused widget gets a key first: an entry needs typed text, a slider needs the arrow keys. */
static void add_keys(GtkEventController *controller, const entry *entry) {
    char **keys = g_strsplit(entry->keys, " ", -1), *name = g_strconcat("win.", entry->name, NULL);
    for (int i = 0; keys[i]; i++)
        gtk_shortcut_controller_add_shortcut(
            GTK_SHORTCUT_CONTROLLER(controller),
            gtk_shortcut_new(gtk_shortcut_trigger_parse_string(keys[i]), gtk_named_action_new(name)));
    g_free(name);
    g_strfreev(keys);
}

void actions_add(action_parts *on) {
    GtkEventController *controller = gtk_shortcut_controller_new();
    list_all();
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        GSimpleAction *action = g_simple_action_new(all[i].name, NULL);
        g_signal_connect(action, "activate", G_CALLBACK(activated), on);
        g_action_map_add_action(G_ACTION_MAP(on->bench->window), G_ACTION(action));
        g_object_unref(action);
        if (all[i].keys) add_keys(controller, &all[i]);
    }
    add_with_text(on, "export-map", G_CALLBACK(export_map));
    add_with_text(on, "export-for", G_CALLBACK(export_for));
    add_with_text(on, "open-look", G_CALLBACK(open_look));
    gtk_widget_add_controller(on->bench->window, controller);
}

static void enable(const action_parts *on, const char *name, bool enabled) {
    GAction *action = g_action_map_lookup_action(G_ACTION_MAP(on->bench->window), name);
    g_simple_action_set_enabled(G_SIMPLE_ACTION(action), enabled);
}

void actions_show(const action_parts *on) {
    static const char *const need_terrain[] = {"save",        "save-as", "save-recipe", "import-map", "export-picture",
                                               "export-mesh", "play",    "step",        "step-10",    "first",
                                               "last",        "keep",    "video",       "side",       "find",
                                               "save-preset", "home",    "map",         "fly"};
    for (size_t i = 0; i < G_N_ELEMENTS(need_terrain); i++) enable(on, need_terrain[i], on->bench->info->terrain != 0);
    enable(on, "levels", on->bench->info->may_change_levels);
    enable(on, "undo", on->bench->info->undo[0] != '\0');
    enable(on, "redo", on->bench->info->redo[0] != '\0');
}

static void append(GMenu *menu, const char *name) {
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        if (strcmp(all[i].name, name) != 0) continue;
        char *action = g_strconcat("win.", name, NULL);
        GMenuItem *item = g_menu_item_new(all[i].title, action);
        char **keys = g_strsplit(all[i].keys, " ", -1);
        g_menu_item_set_attribute(item, "accel", "s", keys[0]);
        g_menu_append_item(menu, item);
        g_strfreev(keys);
        g_object_unref(item);
        g_free(action);
    }
}

static void append_with_text(GMenu *menu, const char *title, const char *action, const char *text) {
    char *whole = g_strdup_printf("win.%s::%s", action, text);
    g_menu_append(menu, title, whole);
    g_free(whole);
}

static void append_submenu(GMenu *menu, const char *title, GMenu *submenu) {
    g_menu_append_submenu(menu, title, G_MENU_MODEL(submenu));
    g_object_unref(submenu);
}

static void append_section(GMenu *menu, GMenu *section) {
    g_menu_append_section(menu, NULL, G_MENU_MODEL(section));
    g_object_unref(section);
}

static GMenu *maps_menu(const wadi_map_facts *at(size_t index), bool derived) {
    GMenu *menu = g_menu_new();
    const wadi_map_facts *map;
    for (size_t i = 0; (map = at(i)) != NULL; i++)
        if (!derived || !wadi_map_facts_of(map->name)) append_with_text(menu, map->title, "export-map", map->name);
    return menu;
}

static GMenu *programs_menu(void) {
    GMenu *menu = g_menu_new();
    const export_target *target;
    for (size_t i = 0; (target = run_export_target_at(i)) != NULL; i++) {
        char *title = g_strdup(target->title);
        title[0] = g_ascii_toupper(title[0]);
        append_with_text(menu, title, "export-for", target->name);
        g_free(title);
    }
    return menu;
}

GMenuModel *actions_menu(void) {
    static const char *const first[] = {"new", "open", "import-map", "save", "save-as", "save-recipe"};
    static const char *const second[] = {"export-picture", "export-mesh", "video"};
    static const char *const third[] = {"side", "fullscreen", "keys", "close"};
    list_all();
    GMenu *menu = g_menu_new(), *files = g_menu_new(), *exports = g_menu_new(), *rest = g_menu_new();
    for (size_t i = 0; i < G_N_ELEMENTS(first); i++) append(files, first[i]);
    append_submenu(exports, "Export for", programs_menu());
    append_submenu(exports, "Export a map", maps_menu(wadi_map_facts_at, false));
    append_submenu(exports, "Export a derived map", maps_menu(wadi_derived_facts_at, true));
    for (size_t i = 0; i < G_N_ELEMENTS(second); i++) append(exports, second[i]);
    for (size_t i = 0; i < G_N_ELEMENTS(third); i++) append(rest, third[i]);
    append_section(menu, files);
    append_section(menu, exports);
    append_section(menu, rest);
    return G_MENU_MODEL(menu);
}
