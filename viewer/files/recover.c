/* recover.c: the dialog that offers to recover. */
#include "viewer/files/recover.h"

#include "viewer/files/autosave.h"

#include <glib/gstdio.h>

static void offered(GtkDialog *dialog, int response, gpointer user) {
    char *path = g_object_steal_data(G_OBJECT(dialog), "path");
    gtk_window_destroy(GTK_WINDOW(dialog));
    if (response == GTK_RESPONSE_YES) files_recover(user, path);
    if (response == GTK_RESPONSE_NO) g_remove(path);
    g_free(path);
}

static void offer(files *files, workbench *bench, const char *path) {
    GtkWidget *dialog = gtk_message_dialog_new(GTK_WINDOW(bench->window), GTK_DIALOG_MODAL, GTK_MESSAGE_QUESTION,
                                               GTK_BUTTONS_NONE, "Go on with what was not saved?");
    gtk_message_dialog_format_secondary_text(
        GTK_MESSAGE_DIALOG(dialog),
        "A window ended without saving its work. It was kept, as it was at most 30 s before.");
    gtk_dialog_add_button(GTK_DIALOG(dialog), "_Throw it away", GTK_RESPONSE_NO);
    gtk_dialog_add_button(GTK_DIALOG(dialog), "_Later", GTK_RESPONSE_CANCEL);
    gtk_dialog_add_button(GTK_DIALOG(dialog), "_Open it", GTK_RESPONSE_YES);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_YES);
    g_object_set_data_full(G_OBJECT(dialog), "path", g_strdup(path), g_free);
    g_signal_connect(dialog, "response", G_CALLBACK(offered), files);
    gtk_window_present(GTK_WINDOW(dialog));
}

void recover_offer(files *files, workbench *bench) {
    char *left = autosave_find_left();
    if (left) offer(files, bench, left);
    files_begin_autosave(files);
    g_free(left);
}
