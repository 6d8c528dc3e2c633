#include "access.h"

#include <stdbool.h>

void access_label(GtkWidget *widget, const char *label) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

void access_describe(GtkWidget *widget, const char *description) {
    const char *before = g_object_get_data(G_OBJECT(widget), "wadi-described");
    if (g_strcmp0(before, description) == 0) return;
    g_object_set_data_full(G_OBJECT(widget), "wadi-described", g_strdup(description), g_free);
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
}

static void choice_changed(GtkDropDown *drop_down, GParamSpec *property, void *user) {
    (void)property, (void)user;
    const char *label = g_object_get_data(G_OBJECT(drop_down), "wadi-label");
    GtkStringObject *chosen = gtk_drop_down_get_selected_item(drop_down);
    char *both = g_strdup_printf("%s: %s", label, chosen != NULL ? gtk_string_object_get_string(chosen) : "none");
    GtkWidget *button = gtk_widget_get_first_child(GTK_WIDGET(drop_down));
    if (button != NULL) access_label(button, both);
    g_free(both);
}

static bool is_open(GtkWidget *drop_down) {
    for (GtkWidget *child = gtk_widget_get_first_child(drop_down); child; child = gtk_widget_get_next_sibling(child))
        if (GTK_IS_POPOVER(child) && gtk_widget_get_visible(child)) return true;
    return false;
}

/* A list that was closed keeps the focus. Then Space means what it means everywhere else, and Enter opens the list. */
static gboolean key_pressed(GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state, void *user) {
    GtkWidget *drop_down = gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(keys));
    (void)code, (void)user;
    if (key != GDK_KEY_space || (state & gtk_accelerator_get_default_mod_mask()) != 0 || is_open(drop_down))
        return FALSE;
    return gtk_widget_activate_action(drop_down, "win.play", NULL);
}

void access_drop_down(GtkWidget *drop_down, const char *label) {
    GtkEventController *keys = gtk_event_controller_key_new();
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
    g_signal_connect(keys, "key-pressed", G_CALLBACK(key_pressed), NULL);
    gtk_widget_add_controller(drop_down, keys);
    access_label(drop_down, label);
    g_object_set_data_full(G_OBJECT(drop_down), "wadi-label", g_strdup(label), g_free);
    g_signal_connect(drop_down, "notify::selected-item", G_CALLBACK(choice_changed), NULL);
    choice_changed(GTK_DROP_DOWN(drop_down), NULL, NULL);
}
