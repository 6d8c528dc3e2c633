/* toast.c: an error stays for 9 s, another message for 3.5 s, and a long text for as long as it takes to read it. */
#include "viewer/toast.h"

enum { READ_MS = 60 }; /* a character */

struct toast {
    GtkWidget *revealer, *text;
    guint timer;
};

toast *toast_new(void) {
    toast *toast = g_new0(struct toast, 1);
    toast->revealer = gtk_revealer_new();
    toast->text = gtk_label_new("");
    gtk_label_set_wrap(GTK_LABEL(toast->text), TRUE);
    gtk_label_set_wrap_mode(GTK_LABEL(toast->text), PANGO_WRAP_WORD_CHAR); /* paths have no spaces */
    gtk_label_set_max_width_chars(GTK_LABEL(toast->text), 80);
    gtk_widget_add_css_class(toast->text, "toast");
    gtk_revealer_set_child(GTK_REVEALER(toast->revealer), toast->text);
    return toast;
}

void toast_free(toast *toast) {
    if (toast->timer) g_source_remove(toast->timer);
    g_free(toast);
}

GtkWidget *toast_widget(const toast *toast) { return toast->revealer; }

static gboolean toast_over(gpointer user) {
    toast *toast = user;
    gtk_revealer_set_reveal_child(GTK_REVEALER(toast->revealer), FALSE);
    toast->timer = 0;
    return G_SOURCE_REMOVE;
}

void toast_show(toast *toast, const char *text, bool is_error) {
    gtk_label_set_text(GTK_LABEL(toast->text), text);
    if (is_error)
        gtk_widget_add_css_class(toast->text, "error");
    else
        gtk_widget_remove_css_class(toast->text, "error");
    gtk_revealer_set_reveal_child(GTK_REVEALER(toast->revealer), TRUE);
    if (toast->timer) g_source_remove(toast->timer);
    const guint least_ms = is_error ? 9000 : 3500, read_ms = READ_MS * (guint)g_utf8_strlen(text, -1);
    toast->timer = g_timeout_add(MAX(least_ms, read_ms), toast_over, toast);
}
