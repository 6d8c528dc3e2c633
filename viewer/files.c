/* files.c: opening, saving, exporting, and what was kept against a crash. */
#include "viewer/window.h"

#include "cli/folder.h"
#include "cli/maps.h"

#include "platform/platform.h"
#include "viewer/widgets/access.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* --- dialogs --- */

typedef void chosen(window *window, const char *path, const char *what);

typedef struct dialog {
    window *window;
    chosen *then;
    char *what; /* which map is exported, or NULL */
    GtkFileChooserNative *native;
} dialog;

static void answered(GtkNativeDialog *native, int response, gpointer user) {
    dialog *dialog = user;
    if (response == GTK_RESPONSE_ACCEPT) {
        GFile *file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(native));
        char *path = g_file_get_path(file);
        if (path)
            dialog->then(dialog->window, path, dialog->what);
        else
            window_toast(dialog->window, "this place is not on this machine", true);
        g_free(path);
        g_object_unref(file);
    } else {
        dialog->window->after_prompt = NULL; /* what waited for this to be saved */
    }
    g_object_unref(native);
    g_free(dialog->what);
    g_free(dialog);
}

static GtkFileChooser *ask(window *window, const char *title, GtkFileChooserAction action, const char *name,
                           chosen *then, const char *what) {
    dialog *dialog = g_new0(struct dialog, 1);
    dialog->window = window, dialog->then = then, dialog->what = g_strdup(what);
    dialog->native = gtk_file_chooser_native_new(title, GTK_WINDOW(window->window), action, NULL, NULL);
    gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog->native), TRUE);
    if (name) gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog->native), name);
    g_signal_connect(dialog->native, "response", G_CALLBACK(answered), dialog);
    return GTK_FILE_CHOOSER(dialog->native);
}

static void filter(GtkFileChooser *chooser, const char *name, const char *const *patterns) {
    GtkFileFilter *made = gtk_file_filter_new();
    gtk_file_filter_set_name(made, name);
    for (; *patterns; patterns++) gtk_file_filter_add_pattern(made, *patterns);
    gtk_file_chooser_add_filter(chooser, made);
    g_object_unref(made);
}

static void show(GtkFileChooser *chooser) { gtk_native_dialog_show(GTK_NATIVE_DIALOG(chooser)); }

/* --- what is not saved --- */

static void prompted(GtkDialog *dialog, int response, gpointer user) {
    window *window = user;
    window_then *then = window->after_prompt;
    gtk_window_destroy(GTK_WINDOW(dialog));
    if (response != GTK_RESPONSE_YES) window->after_prompt = NULL; /* else once it is saved */
    if (response == GTK_RESPONSE_YES) files_save(window, false);
    if (response == GTK_RESPONSE_NO && then) then(window); /* the window may be gone then */
}

void files_prompt(window *window, window_then *then) {
    if (!window_unsaved(window)) {
        then(window);
        return;
    }
    window->after_prompt = then;
    GtkWidget *dialog =
        gtk_message_dialog_new(GTK_WINDOW(window->window), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                               GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE, "Save the work first?");
    gtk_message_dialog_format_secondary_text(GTK_MESSAGE_DIALOG(dialog),
                                             "What was done to %s since it was last saved would "
                                             "be lost.",
                                             window->info->name);
    gtk_dialog_add_button(GTK_DIALOG(dialog), "_Do not save", GTK_RESPONSE_NO);
    gtk_dialog_add_button(GTK_DIALOG(dialog), "_Cancel", GTK_RESPONSE_CANCEL);
    gtk_dialog_add_button(GTK_DIALOG(dialog), "_Save", GTK_RESPONSE_YES);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_YES);
    g_signal_connect(dialog, "response", G_CALLBACK(prompted), window);
    gtk_window_present(GTK_WINDOW(dialog));
}

/* --- opening --- */

static void open_next(window *window) {
    const char *path = window->next_path;
    g_free(window->next_file);
    window->next_file = g_str_has_suffix(path, ".wadi") ? g_strdup(path) : NULL;
    session_open(window->session, path, false);
}

/* It has another terrain now: what Save writes is that one's. */
void files_opened(window *window) {
    g_free(window->file);
    window->file = g_steal_pointer(&window->next_file);
    if (window->recovered && window->autosave) g_rename(window->recovered, window->autosave);
    g_clear_pointer(&window->recovered, g_free);
}

static void open_chosen(window *window, const char *path, const char *what) {
    (void)what;
    window_open(window, path);
}

void window_open(window *window, const char *path) {
    g_free(window->next_path);
    window->next_path = g_canonicalize_filename(path, NULL);
    files_prompt(window, open_next);
}

static void filter_heightmaps(GtkFileChooser *chooser) {
    GtkFileFilter *filter = gtk_file_filter_new();
    gtk_file_filter_set_name(filter, "Heightmaps");
    const wadi_format_facts *facts;
    for (int format = WADI_FORMAT_UNKNOWN + 1; (facts = wadi_format_facts_of((wadi_format)format)) != NULL; format++) {
        char **endings = g_strsplit(facts->endings, " ", -1);
        for (char **ending = endings; *ending != NULL; ending++) gtk_file_filter_add_suffix(filter, *ending);
        g_strfreev(endings);
    }
    gtk_file_chooser_add_filter(chooser, filter);
    g_object_unref(filter);
}

void files_open(window *window) {
    static const char *const all[] = {"*", NULL}, *const work[] = {"*.wadi", NULL},
                             *const recipes[] = {"*.yaml", "*.yml", "*.json", NULL};
    GtkFileChooser *chooser = ask(window, "Open", GTK_FILE_CHOOSER_ACTION_OPEN, NULL, open_chosen, NULL);
    filter(chooser, "All files", all);
    filter_heightmaps(chooser);
    filter(chooser, "Work", work);
    filter(chooser, "Recipes", recipes);
    show(chooser);
}

static gboolean dropped(GtkDropTarget *target, const GValue *value, double x, double y, gpointer user) {
    (void)target, (void)x, (void)y;
    GSList *files = g_value_get_boxed(value);
    char *path = files ? g_file_get_path(files->data) : NULL;
    if (path) window_open(user, path);
    g_free(path);
    return path != NULL;
}

void files_accept_drops(window *window) {
    GtkDropTarget *target = gtk_drop_target_new(GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
    g_signal_connect(target, "drop", G_CALLBACK(dropped), window);
    gtk_widget_add_controller(window->window, GTK_EVENT_CONTROLLER(target));
}

/* --- a new terrain --- */

typedef struct new_dialog {
    window *window;
    GtkWidget *dialog, *kind, *size, *seed, *cell, *relief;
} new_dialog;

/* Those that are terrain, not rain. */
static GtkStringList *list_kinds(void) {
    size_t count;
    const wadi_terrain_kind *kinds = wadi_terrain_kinds(&count);
    GtkStringList *list = gtk_string_list_new(NULL);
    for (size_t i = 0; i < count; i++)
        if (!kinds[i].rain && strcmp(kinds[i].name, "letters") != 0) gtk_string_list_append(list, kinds[i].name);
    return list;
}

static void open_new(window *window) {
    g_clear_pointer(&window->next_file, g_free);
    session_open(window->session, window->next_path, true);
}

static void new_answered(GtkDialog *dialog, int response, gpointer user) {
    new_dialog *made = user;
    window *window = made->window;
    if (response == GTK_RESPONSE_OK) {
        char cell[G_ASCII_DTOSTR_BUF_SIZE], relief[G_ASCII_DTOSTR_BUF_SIZE];
        const int size = gtk_spin_button_get_value_as_int(GTK_SPIN_BUTTON(made->size));
        g_ascii_dtostr(cell, sizeof cell, gtk_spin_button_get_value(GTK_SPIN_BUTTON(made->cell)));
        g_ascii_dtostr(relief, sizeof relief, gtk_spin_button_get_value(GTK_SPIN_BUTTON(made->relief)));
        g_free(window->next_path);
        window->next_path =
            g_strdup_printf("generate: {kind: %s, size: %dx%d, seed: %d, cell-size: %s, relief: %s}\n",
                            gtk_string_object_get_string(gtk_drop_down_get_selected_item(GTK_DROP_DOWN(made->kind))),
                            size, size, gtk_spin_button_get_value_as_int(GTK_SPIN_BUTTON(made->seed)), cell, relief);
        files_prompt(window, open_new);
    }
    gtk_window_destroy(GTK_WINDOW(dialog));
    g_free(made);
}

static GtkWidget *spin(GtkWidget *grid, int line, const char *label, double low, double high, double step, double value,
                       guint digits) {
    GtkWidget *name = gtk_label_new(label), *made = gtk_spin_button_new_with_range(low, high, step);
    gtk_label_set_xalign(GTK_LABEL(name), 0);
    gtk_spin_button_set_digits(GTK_SPIN_BUTTON(made), digits);
    gtk_spin_button_set_value(GTK_SPIN_BUTTON(made), value);
    gtk_editable_set_text(GTK_EDITABLE(made), gtk_editable_get_text(GTK_EDITABLE(made)));
    gtk_grid_attach(GTK_GRID(grid), name, 0, line, 1, 1);
    gtk_grid_attach(GTK_GRID(grid), made, 1, line, 1, 1);
    access_label(made, label);
    return made;
}

void files_new(window *window) {
    new_dialog *made = g_new0(new_dialog, 1);
    made->window = window;
    made->dialog = gtk_dialog_new_with_buttons("New terrain", GTK_WINDOW(window->window),
                                               GTK_DIALOG_MODAL | GTK_DIALOG_USE_HEADER_BAR, "_Cancel",
                                               GTK_RESPONSE_CANCEL, "C_reate", GTK_RESPONSE_OK, NULL);
    GtkWidget *grid = gtk_grid_new();
    gtk_grid_set_row_spacing(GTK_GRID(grid), 8);
    gtk_grid_set_column_spacing(GTK_GRID(grid), 16);
    gtk_widget_set_margin_start(grid, 18);
    gtk_widget_set_margin_end(grid, 18);
    gtk_widget_set_margin_top(grid, 18);
    gtk_widget_set_margin_bottom(grid, 18);
    GtkWidget *name = gtk_label_new("Kind");
    gtk_label_set_xalign(GTK_LABEL(name), 0);
    made->kind = gtk_drop_down_new(G_LIST_MODEL(list_kinds()), NULL);
    access_drop_down(made->kind, "Kind");
    gtk_grid_attach(GTK_GRID(grid), name, 0, 0, 1, 1);
    gtk_grid_attach(GTK_GRID(grid), made->kind, 1, 0, 1, 1);
    made->size = spin(grid, 1, "Cells a side", 2, 16384, 64, 512, 0);
    made->seed = spin(grid, 2, "Seed", 0, 1e9, 1, g_random_int_range(0, 1000), 0);
    made->cell = spin(grid, 3, "Cell size, m", 0.01, 10000, 1, 1, 2);
    made->relief = spin(grid, 4, "Relief, m", 0, 1e5, 10, 100, 1);
    gtk_box_append(GTK_BOX(gtk_dialog_get_content_area(GTK_DIALOG(made->dialog))), grid);
    gtk_dialog_set_default_response(GTK_DIALOG(made->dialog), GTK_RESPONSE_OK);
    g_signal_connect(made->dialog, "response", G_CALLBACK(new_answered), made);
    gtk_window_present(GTK_WINDOW(made->dialog));
}

/* --- saving --- */

static char *stem_of(const window *window) {
    const char *name = window->info->name;
    const char *dot = strrchr(name, '.');
    return g_strndup(name, dot && dot > name ? (gsize)(dot - name) : strlen(name));
}

static char *named(const window *window, const char *after) {
    char *stem = stem_of(window), *name = g_strconcat(stem, after, NULL);
    g_strdelimit(name, " /", '-');
    g_free(stem);
    return name;
}

/* With one of these ends, the first where it has none. NULL: a file of that name is there, which nobody was asked
 * about. */
static char *with_end(window *window, const char *path, const char *const *ends) {
    for (const char *const *end = ends; *end; end++)
        if (g_str_has_suffix(path, *end)) return g_strdup(path);
    char *whole = g_strconcat(path, *ends, NULL);
    if (!g_file_test(whole, G_FILE_TEST_EXISTS)) return whole;
    char *text = g_strdup_printf("%s is there already: choose it by its whole name to replace it", whole);
    window_toast(window, text, true);
    window->after_prompt = NULL;
    g_free(text);
    g_free(whole);
    return NULL;
}

static void save_to(window *window, const char *path, const char *what) {
    static const char *const ends[] = {".wadi", NULL};
    char *whole = with_end(window, path, ends);
    (void)what;
    if (!whole) return;
    g_free(window->file);
    window->file = whole;
    session_save(window->session, window->file);
}

void files_save(window *window, bool as) {
    if (!window->info->terrain) return;
    if (window->file && !as) {
        session_save(window->session, window->file);
        return;
    }
    char *name = named(window, ".wadi");
    show(ask(window, "Save the work", GTK_FILE_CHOOSER_ACTION_SAVE, name, save_to, NULL));
    g_free(name);
}

static void save_recipe_to(window *window, const char *path, const char *what) {
    static const char *const ends[] = {".yaml", ".yml", ".json", NULL};
    char *whole = with_end(window, path, ends);
    (void)what;
    if (whole) session_save_recipe(window->session, whole);
    g_free(whole);
}

void files_save_recipe(window *window) {
    if (!window->info->terrain) return;
    char *name = named(window, "-recorded.yaml");
    show(ask(window, "Save what was done", GTK_FILE_CHOOSER_ACTION_SAVE, name, save_recipe_to, NULL));
    g_free(name);
}

/* --- exports --- */

static void picture_to(window *window, const char *path, const char *what) {
    static const char *const ends[] = {".png", NULL};
    wadi_picture *picture;
    char *whole = with_end(window, path, ends), *text = NULL;
    (void)what;
    if (!whole) return;
    const int width = gtk_widget_get_width(view_widget(window->view)),
              height = gtk_widget_get_height(view_widget(window->view));
    const double scale = width > 0 ? 2560.0 / width : 1;
    if (!view_grab(window->view, (int)(width * scale), (int)(height * scale), &picture)) {
        window_toast(window, "there is no picture yet", true);
    } else if (wadi_picture_write(whole, picture->rgb, picture->width, picture->height) != WADI_OK) {
        window_toast(window, wadi_error_message(), true);
    } else {
        text = g_strdup_printf("%s is written", whole);
        window_toast(window, text, false);
    }
    wadi_picture_destroy(picture);
    g_free(text);
    g_free(whole);
}

static void mesh_to(window *window, const char *path, const char *what) {
    (void)what;
    session_export_mesh(window->session, path, view_look(window->view)->exaggeration);
}

static void map_to(window *window, const char *path, const char *what) {
    session_export_map(window->session, what, path);
}

void files_export(window *window, const char *what) {
    if (!window->info->terrain) return;
    const bool picture = strcmp(what, "picture") == 0, mesh = strcmp(what, "mesh") == 0;
    char *end = picture ? g_strdup(".png") : mesh ? g_strdup(".glb") : g_strdup_printf("-%s.tif", what);
    char *name = named(window, end);
    show(ask(window,
             picture ? "Export the picture"
             : mesh  ? "Export a mesh (.glb, .gltf, .obj, .ply)"
                     : "Export a map",
             GTK_FILE_CHOOSER_ACTION_SAVE, name,
             picture ? picture_to
             : mesh  ? mesh_to
                     : map_to,
             what));
    g_free(name);
    g_free(end);
}

/* --- videos: a frame whenever the terrain is another --- */

enum { VIDEO_WIDTH = 1280, VIDEO_HEIGHT = 720 };

static void video_to(window *window, const char *path, const char *what) {
    static const char *const ends[] = {".mp4", ".webm", ".gif", NULL};
    char *whole = with_end(window, path, ends);
    (void)what;
    if (!whole) return;
    if (video_open(whole, VIDEO_WIDTH, VIDEO_HEIGHT, 25, &window->video) != CLI_OK) window->video = NULL;
    if (window->video) window_toast(window, "Recording a video; Ctrl+R ends it", false);
    g_free(whole);
}

void files_video(window *window) {
    if (window->video) {
        const int code = video_close(window->video);
        window->video = NULL;
        if (code == CLI_OK) window_toast(window, "the video is written", false);
        return;
    }
    if (!window->info->terrain) return;
    char *name = named(window, ".mp4");
    show(ask(window, "Record a video", GTK_FILE_CHOOSER_ACTION_SAVE, name, video_to, NULL));
    g_free(name);
}

void files_video_frame(window *window) {
    wadi_picture *picture;
    if (!window->video || !view_grab(window->view, VIDEO_WIDTH, VIDEO_HEIGHT, &picture)) return;
    if (video_frame(window->video, picture->rgb) != CLI_OK) {
        video_discard(window->video);
        window->video = NULL;
    }
    wadi_picture_destroy(picture);
}

/* --- work that was kept against a crash --- */

static char *autosave_folder(void) {
    char *folder = g_build_filename(g_get_user_state_dir(), "wadi", NULL);
    if (g_mkdir_with_parents(folder, 0700) == 0) return folder;
    g_free(folder);
    return NULL;
}

static char *lock_name(const char *path) { return g_strconcat(path, ".lock", NULL); }

/* A file beside it is locked as long as its window lives. -1: another has it. */
static int lock(const char *path) {
    char *name = lock_name(path);
    const int file = g_open(name, O_RDWR | O_CREAT, 0600);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    g_free(name);
    if (file < 0 || fcntl(file, F_SETLK, &whole) == 0) return file;
    close(file);
    return -1;
}

static void unlock(const char *path, int file) {
    char *name = lock_name(path);
    g_remove(name);
    close(file);
    g_free(name);
}

static void offered(GtkDialog *dialog, int response, gpointer user) {
    window *window = user;
    char *path = g_object_steal_data(G_OBJECT(dialog), "path");
    gtk_window_destroy(GTK_WINDOW(dialog));
    if (response == GTK_RESPONSE_YES) {
        g_free(window->next_path);
        window->next_path = g_strdup(path);
        open_next(window);
        g_clear_pointer(&window->next_file, g_free); /* it is to be saved somewhere else */
        g_free(window->recovered);
        window->recovered = g_strdup(path);
    }
    if (response == GTK_RESPONSE_NO) g_remove(path);
    g_free(path);
}

static void offer(window *window, const char *path) {
    GtkWidget *dialog = gtk_message_dialog_new(GTK_WINDOW(window->window), GTK_DIALOG_MODAL, GTK_MESSAGE_QUESTION,
                                               GTK_BUTTONS_NONE, "Go on with what was not saved?");
    gtk_message_dialog_format_secondary_text(
        GTK_MESSAGE_DIALOG(dialog),
        "A window ended without saving its work. It was kept, as it was at most 30 s before.");
    gtk_dialog_add_button(GTK_DIALOG(dialog), "_Throw it away", GTK_RESPONSE_NO);
    gtk_dialog_add_button(GTK_DIALOG(dialog), "_Later", GTK_RESPONSE_CANCEL);
    gtk_dialog_add_button(GTK_DIALOG(dialog), "_Open it", GTK_RESPONSE_YES);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_YES);
    g_object_set_data_full(G_OBJECT(dialog), "path", g_strdup(path), g_free);
    g_signal_connect(dialog, "response", G_CALLBACK(offered), window);
    gtk_window_present(GTK_WINDOW(dialog));
}

/* Whether it is a file of work, and no window's that lives. */
static bool is_left(const char *path) {
    if (!g_str_has_suffix(path, ".wadi")) return false;
    const int file = lock(path);
    if (file >= 0) unlock(path, file);
    return file >= 0;
}

/* The first one found is offered. */
void files_offer_autosaved(window *window) {
    char *folder = autosave_folder();
    GDir *list = folder ? g_dir_open(folder, 0, NULL) : NULL;
    bool one = false;
    for (const char *name; list && !one && (name = g_dir_read_name(list));) {
        char *path = g_build_filename(folder, name, NULL);
        one = g_str_has_prefix(name, "autosave-") && is_left(path);
        if (one) offer(window, path);
        g_free(path);
    }
    if (list) g_dir_close(list);
    window->autosave_lock = -1;
    for (int i = 0; folder && i < 100 && window->autosave_lock < 0; i++) { /* a name that nobody has */
        g_free(window->autosave);
        window->autosave = g_strdup_printf("%s/autosave-%08x.wadi", folder, g_random_int());
        if (!g_file_test(window->autosave, G_FILE_TEST_EXISTS)) window->autosave_lock = lock(window->autosave);
    }
    if (window->autosave_lock >= 0) session_set_autosave(window->session, window->autosave);
    g_free(folder);
}

/* After the session's end, which takes the file away. */
void files_end_autosave(window *window) {
    if (window->autosave && window->autosave_lock >= 0) unlock(window->autosave, window->autosave_lock);
}
