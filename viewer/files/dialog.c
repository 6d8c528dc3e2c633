/* dialog.c: native file choosers. */
#include "viewer/files/dialog.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct dialog {
    const workbench *bench;
    dialog_chosen *then;
    void (*cancelled)(void *user);
    void *user;
    char *what;
    bool offers; /* a choice, which is `what` then */
} dialog;

static const char offered[] = "what";

static void done(GtkNativeDialog *native, dialog *dialog) {
    g_object_unref(native);
    g_free(dialog->what);
    g_free(dialog);
}

static void answered(GtkNativeDialog *native, int response, gpointer user) {
    dialog *dialog = user;
    if (response == GTK_RESPONSE_ACCEPT) {
        GFile *file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(native));
        const char *choice =
            dialog->offers ? gtk_file_chooser_get_choice(GTK_FILE_CHOOSER(native), offered) : dialog->what;
        char *path = g_file_get_path(file);
        if (path)
            dialog->then(dialog->user, path, choice);
        else
            toast_show(dialog->bench->toast, "this place is not on this machine", true);
        g_free(path);
        g_object_unref(file);
    } else if (dialog->cancelled) {
        dialog->cancelled(dialog->user);
    }
    done(native, dialog);
}

GtkFileChooser *dialog_new(const workbench *bench, const char *title, GtkFileChooserAction action, const char *name,
                           dialog_chosen *then, void *user, const char *what) {
    dialog *dialog = g_new0(struct dialog, 1);
    dialog->bench = bench, dialog->then = then, dialog->user = user, dialog->what = g_strdup(what);
    GtkFileChooserNative *native = gtk_file_chooser_native_new(title, GTK_WINDOW(bench->window), action, NULL, NULL);
    gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(native), TRUE);
    if (name) gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(native), name);
    g_object_set_data(G_OBJECT(native), "dialog", dialog);
    g_signal_connect(native, "response", G_CALLBACK(answered), dialog);
    return GTK_FILE_CHOOSER(native);
}

void dialog_on_cancel(GtkFileChooser *chooser, void (*cancelled)(void *user)) {
    dialog *dialog = g_object_get_data(G_OBJECT(chooser), "dialog");
    dialog->cancelled = cancelled;
}

void dialog_offer(GtkFileChooser *chooser, const char *label, const char **names, const char **titles) {
    dialog *dialog = g_object_get_data(G_OBJECT(chooser), "dialog");
    dialog->offers = true;
    gtk_file_chooser_add_choice(chooser, offered, label, names, titles);
}

void dialog_filter(GtkFileChooser *chooser, const char *name, const char *const *patterns) {
    GtkFileFilter *made = gtk_file_filter_new();
    gtk_file_filter_set_name(made, name);
    for (; *patterns; patterns++) gtk_file_filter_add_pattern(made, *patterns);
    gtk_file_chooser_add_filter(chooser, made);
    g_object_unref(made);
}

/* For tests: the file named by WADI_VIEW_ANSWER holds the path that the next dialog without a drop-down would be given.
 * It is removed then. NULL: there is none. To be freed. */
static char *prepared_answer(void) {
    const char *name = g_getenv("WADI_VIEW_ANSWER");
    char *path = NULL;
    if (!name || !g_file_get_contents(name, &path, NULL, NULL)) return NULL;
    g_unlink(name);
    return g_strchomp(path);
}

void dialog_show(GtkFileChooser *chooser) {
    dialog *dialog = g_object_get_data(G_OBJECT(chooser), "dialog");
    char *path = dialog->offers ? NULL : prepared_answer();
    if (!path) {
        gtk_native_dialog_show(GTK_NATIVE_DIALOG(chooser));
        return;
    }
    dialog->then(dialog->user, path, dialog->what);
    g_free(path);
    done(GTK_NATIVE_DIALOG(chooser), dialog);
}

static char *stem_of(const char *name) {
    const char *dot = strrchr(name, '.');
    return g_strndup(name, dot && dot > name ? (gsize)(dot - name) : strlen(name));
}

char *dialog_name(const workbench *bench, const char *after) {
    char *stem = stem_of(bench->info->name), *name = g_strconcat(stem, after, NULL);
    g_strdelimit(name, " /", '-');
    g_free(stem);
    return name;
}

char *dialog_with_end(const workbench *bench, const char *path, const char *const *ends) {
    for (const char *const *end = ends; *end; end++)
        if (g_str_has_suffix(path, *end)) return g_strdup(path);
    char *whole = g_strconcat(path, *ends, NULL);
    if (!g_file_test(whole, G_FILE_TEST_EXISTS)) return whole;
    char *text = g_strdup_printf("%s is there already: choose it by its whole name to replace it", whole);
    toast_show(bench->toast, text, true);
    g_free(text);
    g_free(whole);
    return NULL;
}
