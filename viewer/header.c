/* header.c: title, buttons and menu. */
#include "viewer/header.h"

#include "viewer/actions.h"
#include "viewer/icon_button.h"
#include "viewer/widgets/access.h"
#include "viewer/widgets/number.h"

struct header {
    GtkWidget *bar, *title, *subtitle;
};

GtkWidget *header_widget(const header *header) { return header->bar; }

void header_show(header *header, const workbench *bench) {
    const session_info *info = bench->info;
    char text[400];
    g_snprintf(text, sizeof text, "%s%s", info->terrain ? info->name : "Wadi",
               workbench_unsaved(bench) ? " \u2022" : "");
    gtk_label_set_text(GTK_LABEL(header->title), text);
    gtk_window_set_title(GTK_WINDOW(bench->window), text);
    gtk_widget_set_visible(header->subtitle, info->terrain != 0);
    if (!info->terrain) return;
    char across[NUMBER_TEXT];
    char level[48] = "";
    if (info->level > 0) g_snprintf(level, sizeof level, ", level %d of %d", info->levels - info->level, info->levels);
    g_snprintf(text, sizeof text, "%s, %d \u00d7 %d cells of %s%s, %s", wadi_model_id(info->def.model), info->def.width,
               info->def.height, number_with_unit(info->def.lx, "m", across), level, info->device);
    gtk_label_set_text(GTK_LABEL(header->subtitle), text);
}

/* Without it the menu's button would take the next Space. */
static void menu_closed(GtkPopover *popover, gpointer view) {
    (void)popover;
    gtk_widget_grab_focus(view);
}

header *header_new(const workbench *bench) {
    GtkWidget *bar = gtk_header_bar_new(), *titles = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    header *header = g_new0(struct header, 1);
    GtkWidget *menu = gtk_menu_button_new();
    header->title = gtk_label_new("Wadi");
    header->subtitle = gtk_label_new("");
    gtk_widget_add_css_class(header->title, "title");
    gtk_widget_add_css_class(header->subtitle, "subtitle");
    gtk_label_set_ellipsize(GTK_LABEL(header->subtitle), PANGO_ELLIPSIZE_END);
    gtk_widget_set_visible(header->subtitle, FALSE); /* until a terrain is open */
    gtk_widget_set_valign(titles, GTK_ALIGN_CENTER);
    gtk_box_append(GTK_BOX(titles), header->title);
    gtk_box_append(GTK_BOX(titles), header->subtitle);
    gtk_header_bar_set_title_widget(GTK_HEADER_BAR(bar), titles);
    gtk_header_bar_pack_start(GTK_HEADER_BAR(bar), icon_button("document-open-symbolic", "Open (Ctrl+O)", "win.open"));
    gtk_header_bar_pack_start(GTK_HEADER_BAR(bar), icon_button("document-save-symbolic", "Save (Ctrl+S)", "win.save"));
    gtk_header_bar_pack_start(GTK_HEADER_BAR(bar), icon_button("edit-undo-symbolic", "Undo (Ctrl+Z)", "win.undo"));
    gtk_header_bar_pack_start(GTK_HEADER_BAR(bar),
                              icon_button("edit-redo-symbolic", "Redo (Ctrl+Shift+Z)", "win.redo"));
    gtk_menu_button_set_icon_name(GTK_MENU_BUTTON(menu), "open-menu-symbolic");
    gtk_menu_button_set_primary(GTK_MENU_BUTTON(menu), TRUE); /* F10 */
    GMenuModel *model = actions_menu();
    gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(menu), model);
    g_object_unref(model);
    g_signal_connect(gtk_menu_button_get_popover(GTK_MENU_BUTTON(menu)), "closed", G_CALLBACK(menu_closed),
                     view_widget(bench->view));
    access_label(menu, "Menu");
    gtk_header_bar_pack_end(GTK_HEADER_BAR(bar), menu);
    gtk_header_bar_pack_end(GTK_HEADER_BAR(bar), icon_button("zoom-fit-best-symbolic", "See all (H)", "win.home"));
    header->bar = bar;
    return header;
}
