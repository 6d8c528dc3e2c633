/* icon_button.c: the label is its tooltip, and its name for assistive technology. */
#include "viewer/icon_button.h"

#include "viewer/widgets/access.h"

GtkWidget *icon_button(const char *icon, const char *label, const char *action) {
    GtkWidget *made = gtk_button_new_from_icon_name(icon);
    gtk_widget_set_tooltip_text(made, label);
    access_label(made, label);
    if (action) gtk_actionable_set_action_name(GTK_ACTIONABLE(made), action);
    gtk_widget_set_focus_on_click(made, FALSE);
    return made;
}
