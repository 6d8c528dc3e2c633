/* save_preset.c: a button, and the popover that asks for a name. */
#include "viewer/pages/save_preset.h"

#include "viewer/widgets/access.h"

#include "platform/platform.h"

#include "run/user_preset.h"

typedef struct save_preset {
    save_preset_as *save;
    void *user;
    GtkWidget *popover, *name, *button, *note;
} save_preset;

static char *typed_name(const save_preset *save) {
    return g_strstrip(g_strdup(gtk_editable_get_text(GTK_EDITABLE(save->name))));
}

/* Says where the preset goes, and whether one is replaced. */
static void name_changed(GtkEditable *editable, void *data) {
    (void)editable;
    const save_preset *save = data;
    char path[PRESET_PATH], *name = typed_name(save);
    const bool good = run_user_preset_path(name, path), there = good && platform_exists(path);
    gtk_widget_set_sensitive(save->button, good);
    gtk_button_set_label(GTK_BUTTON(save->button), there ? "Replace" : "Save");
    gtk_label_set_text(GTK_LABEL(save->note),
                       there ? "You have a preset of this name" : "Knobs, border and what was set by hand");
    g_free(name);
}

static void save_now(const save_preset *save) {
    char *name = typed_name(save);
    if (gtk_widget_get_sensitive(save->button) && save->save(save->user, name))
        gtk_popover_popdown(GTK_POPOVER(save->popover));
    g_free(name);
}

static void clicked(GtkWidget *widget, void *data) {
    (void)widget;
    save_now(data);
}

static void shown(GtkWidget *popover, void *data) {
    (void)popover;
    save_preset *save = data;
    gtk_editable_set_text(GTK_EDITABLE(save->name), "");
    name_changed(NULL, save);
    gtk_widget_grab_focus(save->name);
}

static GtkWidget *new_content(save_preset *save) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8), *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    save->name = gtk_entry_new();
    save->button = gtk_button_new_with_label("Save");
    save->note = gtk_label_new(NULL);
    g_object_set(save->name, "placeholder-text", "Name of the preset", NULL);
    access_label(save->name, "Name of the preset");
    gtk_widget_add_css_class(save->button, "suggested-action");
    gtk_widget_add_css_class(save->note, "dim-label");
    gtk_label_set_xalign(GTK_LABEL(save->note), 0);
    gtk_widget_set_hexpand(save->name, true);
    gtk_box_append(GTK_BOX(line), save->name);
    gtk_box_append(GTK_BOX(line), save->button);
    gtk_box_append(GTK_BOX(box), line);
    gtk_box_append(GTK_BOX(box), save->note);
    g_signal_connect(save->name, "changed", G_CALLBACK(name_changed), save);
    g_signal_connect(save->name, "activate", G_CALLBACK(clicked), save);
    g_signal_connect(save->button, "clicked", G_CALLBACK(clicked), save);
    return box;
}

GtkWidget *save_preset_new(save_preset_as *then, void *user) {
    save_preset *save = g_new0(save_preset, 1);
    GtkWidget *button = gtk_menu_button_new();
    save->save = then;
    save->user = user;
    save->popover = gtk_popover_new();
    gtk_popover_set_child(GTK_POPOVER(save->popover), new_content(save));
    gtk_menu_button_set_icon_name(GTK_MENU_BUTTON(button), "document-save-symbolic");
    gtk_menu_button_set_popover(GTK_MENU_BUTTON(button), save->popover);
    gtk_widget_set_tooltip_text(button, "Save preset…");
    access_label(button, "Save preset");
    g_signal_connect(save->popover, "show", G_CALLBACK(shown), save);
    g_object_set_data_full(G_OBJECT(button), "wadi-save-preset", save, g_free);
    return button;
}
