#include "shortcuts.h"

/* GTK 4.8 can fill this window from XML only. */
static void put_row(GString *xml, const shortcut_row *row) {
    char *text = g_markup_printf_escaped("<child><object class='GtkShortcutsShortcut'>"
                                         "<property name='accelerator'>%s</property>"
                                         "<property name='title'>%s</property></object></child>",
                                         row->accelerator, row->title);
    g_string_append(xml, text);
    g_free(text);
}

static bool is_first_of_group(const shortcut_row *rows, size_t row) {
    for (size_t i = 0; i < row; i++)
        if (g_str_equal(rows[i].group, rows[row].group)) return false;
    return true;
}

static void put_group(GString *xml, const shortcut_row *rows, size_t count, size_t first) {
    char *title = g_markup_printf_escaped(
        "<child><object class='GtkShortcutsGroup'><property name='title'>%s</property>", rows[first].group);
    g_string_append(xml, title);
    g_free(title);
    for (size_t i = first; i < count; i++)
        if (g_str_equal(rows[i].group, rows[first].group)) put_row(xml, &rows[i]);
    g_string_append(xml, "</object></child>");
}

GtkWidget *shortcuts_window_new(GtkWindow *parent, const shortcut_row *rows, size_t count) {
    GString *xml =
        g_string_new("<interface><object class='GtkShortcutsWindow' id='window'>"
                     "<property name='modal'>1</property><child><object class='GtkShortcutsSection'>"
                     "<property name='section-name'>keys</property><property name='max-height'>14</property>");
    for (size_t i = 0; i < count; i++)
        if (is_first_of_group(rows, i)) put_group(xml, rows, count, i);
    g_string_append(xml, "</object></child></object></interface>");
    GtkBuilder *builder = gtk_builder_new_from_string(xml->str, -1);
    GtkWidget *window = GTK_WIDGET(gtk_builder_get_object(builder, "window"));
    gtk_window_set_transient_for(GTK_WINDOW(window), parent);
    g_object_unref(builder); /* the window is GTK's own */
    g_string_free(xml, true);
    return window;
}
