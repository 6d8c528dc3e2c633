/* files.c: the file that the work belongs to, and actions that wait until it is saved. */
#include "viewer/files/files.h"

#include "viewer/files/autosave.h"
#include "viewer/files/dialog.h"

#include <glib/gstdio.h>

struct files {
    workbench *bench;
    char *file; /* the file of work that Save writes; NULL: it has no name yet */
    char *next; /* path, text or name that is being opened */
    open_kind next_what;
    char *next_file, *recovered;
    autosave *autosave;
    files_then *after_prompt;
    void *after_user;
};

files *files_new(workbench *bench) {
    files *files = g_new0(struct files, 1);
    files->bench = bench;
    return files;
}

void files_free(files *files) {
    autosave_free(files->autosave);
    g_free(files->file);
    g_free(files->next);
    g_free(files->next_file);
    g_free(files->recovered);
    g_free(files);
}

/* --- unsaved changes --- */

static void prompted(GtkDialog *dialog, int response, gpointer user) {
    files *files = user;
    files_then *then = files->after_prompt;
    gtk_window_destroy(GTK_WINDOW(dialog));
    /* otherwise after_prompt runs once the work is saved */
    if (response != GTK_RESPONSE_YES) files->after_prompt = NULL;
    if (response == GTK_RESPONSE_YES) files_save(files, false);
    if (response == GTK_RESPONSE_NO && then) then(files->after_user); /* the window may be gone then */
}

void files_prompt(files *files, files_then *then, void *user) {
    if (!workbench_unsaved(files->bench)) {
        then(user);
        return;
    }
    files->after_prompt = then, files->after_user = user;
    GtkWidget *dialog =
        gtk_message_dialog_new(GTK_WINDOW(files->bench->window), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                               GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE, "Save the work first?");
    gtk_message_dialog_format_secondary_text(GTK_MESSAGE_DIALOG(dialog),
                                             "What was done to %s since it was last saved would "
                                             "be lost.",
                                             files->bench->info->name);
    gtk_dialog_add_button(GTK_DIALOG(dialog), "_Do not save", GTK_RESPONSE_NO);
    gtk_dialog_add_button(GTK_DIALOG(dialog), "_Cancel", GTK_RESPONSE_CANCEL);
    gtk_dialog_add_button(GTK_DIALOG(dialog), "_Save", GTK_RESPONSE_YES);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_YES);
    g_signal_connect(dialog, "response", G_CALLBACK(prompted), files);
    gtk_window_present(GTK_WINDOW(dialog));
}

void files_failed(files *files) { files->after_prompt = NULL; }

void files_shown(files *files) {
    files_then *then = files->after_prompt;
    if (!then || workbench_unsaved(files->bench) || files->bench->info->busy) return;
    files->after_prompt = NULL;
    then(files->after_user);
}

static void save_cancelled(void *user) { files_failed(user); }

/* --- opening --- */

static void open_next(void *user) {
    files *files = user;
    g_free(files->next_file);
    const bool work = files->next_what == OPEN_FILE && g_str_has_suffix(files->next, ".wadi");
    files->next_file = work ? g_strdup(files->next) : NULL;
    session_open(files->bench->session, files->next, files->next_what);
}

static void ask_to_open(files *files, char *next, open_kind what) {
    g_free(files->next);
    files->next = next, files->next_what = what;
    files_prompt(files, open_next, files);
}

void files_open_path(files *files, const char *path) {
    ask_to_open(files, g_canonicalize_filename(path, NULL), OPEN_FILE);
}

void files_open_text(files *files, const char *text) { ask_to_open(files, g_strdup(text), OPEN_TEXT); }
void files_open_look(files *files, const char *name) { ask_to_open(files, g_strdup(name), OPEN_LOOK); }

/* Another terrain is open now: Save writes its file. */
void files_opened(files *files) {
    g_free(files->file);
    files->file = g_steal_pointer(&files->next_file);
    if (files->recovered && files->autosave) g_rename(files->recovered, autosave_path(files->autosave));
    g_clear_pointer(&files->recovered, g_free);
}

static void open_chosen(void *user, const char *path, const char *what) {
    (void)what;
    files_open_path(user, path);
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

void files_open(files *files) {
    static const char *const all[] = {"*", NULL}, *const work[] = {"*.wadi", NULL},
                             *const recipes[] = {"*.yaml", "*.yml", "*.json", NULL};
    GtkFileChooser *chooser =
        dialog_new(files->bench, "Open", GTK_FILE_CHOOSER_ACTION_OPEN, NULL, open_chosen, files, NULL);
    dialog_filter(chooser, "All files", all);
    filter_heightmaps(chooser);
    dialog_filter(chooser, "Work", work);
    dialog_filter(chooser, "Recipes", recipes);
    dialog_show(chooser);
}

static gboolean dropped(GtkDropTarget *target, const GValue *value, double x, double y, gpointer user) {
    (void)target, (void)x, (void)y;
    GSList *files = g_value_get_boxed(value);
    char *path = files ? g_file_get_path(files->data) : NULL;
    if (path) files_open_path(user, path);
    g_free(path);
    return path != NULL;
}

void files_accept_drops(files *files) {
    GtkDropTarget *target = gtk_drop_target_new(GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
    g_signal_connect(target, "drop", G_CALLBACK(dropped), files);
    gtk_widget_add_controller(files->bench->window, GTK_EVENT_CONTROLLER(target));
}

/* --- saving --- */

static void save_to(void *user, const char *path, const char *what) {
    static const char *const ends[] = {".wadi", NULL};
    files *files = user;
    char *whole = dialog_with_end(files->bench, path, ends);
    (void)what;
    if (!whole) {
        files_failed(files);
        return;
    }
    g_free(files->file);
    files->file = whole;
    session_save(files->bench->session, files->file);
}

void files_save(files *files, bool as) {
    if (!files->bench->info->terrain) return;
    if (files->file && !as) {
        session_save(files->bench->session, files->file);
        return;
    }
    char *name = dialog_name(files->bench, ".wadi");
    GtkFileChooser *chooser =
        dialog_new(files->bench, "Save the work", GTK_FILE_CHOOSER_ACTION_SAVE, name, save_to, files, NULL);
    dialog_on_cancel(chooser, save_cancelled);
    dialog_show(chooser);
    g_free(name);
}

static void save_recipe_to(void *user, const char *path, const char *what) {
    static const char *const ends[] = {".yaml", ".yml", ".json", NULL};
    const files *files = user;
    char *whole = dialog_with_end(files->bench, path, ends);
    (void)what;
    if (whole) session_save_recipe(files->bench->session, whole);
    g_free(whole);
}

void files_save_recipe(files *files) {
    if (!files->bench->info->terrain) return;
    char *name = dialog_name(files->bench, "-recorded.yaml");
    dialog_show(dialog_new(files->bench, "Save what was done", GTK_FILE_CHOOSER_ACTION_SAVE, name, save_recipe_to,
                           files, NULL));
    g_free(name);
}

/* --- recovery after a crash --- */

void files_recover(files *files, const char *path) {
    g_free(files->next);
    files->next = g_strdup(path), files->next_what = OPEN_FILE;
    open_next(files);
    g_clear_pointer(&files->next_file, g_free); /* the user chooses another file to save to */
    g_free(files->recovered);
    files->recovered = g_strdup(path);
}

void files_begin_autosave(files *files) {
    files->autosave = autosave_new();
    if (files->autosave) session_set_autosave(files->bench->session, autosave_path(files->autosave));
}
