#include "described.h"

#include "preset_picture.h"

typedef struct described {
    described_sentence *sentence;
    described_preset *preset;
    void *user;
} described;

static GtkWidget *row_label(void) {
    GtkWidget *label = gtk_label_new(NULL);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    return label;
}

static void row_setup(GtkListItemFactory *factory, GtkListItem *item, void *data) {
    (void)factory, (void)data;
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *picture = gtk_picture_new(), *name = row_label(), *sentence = row_label();
    gtk_widget_set_size_request(picture, PRESET_PICTURE_WIDTH / 2, PRESET_PICTURE_HEIGHT / 2);
    gtk_widget_set_valign(picture, GTK_ALIGN_CENTER);
    gtk_picture_set_can_shrink(GTK_PICTURE(picture), true);
    gtk_label_set_wrap(GTK_LABEL(sentence), true);
    gtk_label_set_width_chars(GTK_LABEL(sentence), 34); /* the button is narrow */
    gtk_label_set_max_width_chars(GTK_LABEL(sentence), 48);
    gtk_widget_add_css_class(sentence, "dim-label");
    gtk_widget_add_css_class(sentence, "wadi-summary");
    gtk_box_append(GTK_BOX(box), name);
    gtk_box_append(GTK_BOX(box), sentence);
    gtk_box_append(GTK_BOX(row), picture);
    gtk_box_append(GTK_BOX(row), box);
    gtk_list_item_set_child(item, row);
}

static void show_picture(GtkWidget *picture, const wadi_preset *preset) {
    GdkTexture *texture = preset != NULL ? preset_picture_new(preset) : NULL;
    gtk_picture_set_paintable(GTK_PICTURE(picture), GDK_PAINTABLE(texture));
    gtk_widget_set_visible(picture, texture != NULL);
    g_clear_object(&texture);
}

static void row_bind(GtkListItemFactory *factory, GtkListItem *item, void *data) {
    (void)factory;
    const described *rows = data;
    const guint position = gtk_list_item_get_position(item);
    const char *said = rows->sentence(rows->user, position);
    GtkWidget *picture = gtk_widget_get_first_child(gtk_list_item_get_child(item));
    GtkWidget *name = gtk_widget_get_first_child(gtk_widget_get_next_sibling(picture));
    GtkWidget *sentence = gtk_widget_get_next_sibling(name);
    show_picture(picture, rows->preset(rows->user, position));
    gtk_label_set_text(GTK_LABEL(name), gtk_string_object_get_string(gtk_list_item_get_item(item)));
    gtk_label_set_text(GTK_LABEL(sentence), said != NULL ? said : "");
    gtk_widget_set_visible(sentence, said != NULL);
    gtk_widget_set_tooltip_text(gtk_list_item_get_child(item), said);
}

void described_rows(GtkDropDown *drop_down, described_sentence *sentence, described_preset *preset, void *user) {
    described *rows = g_new(described, 1);
    *rows = (described){sentence, preset, user};
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    g_signal_connect(factory, "setup", G_CALLBACK(row_setup), NULL);
    g_signal_connect(factory, "bind", G_CALLBACK(row_bind), rows);
    g_object_set_data_full(G_OBJECT(factory), "wadi-described", rows, g_free);
    gtk_drop_down_set_list_factory(drop_down, factory);
    g_object_unref(factory);
}
