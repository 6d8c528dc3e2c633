/* first_page.c: the pictures are those of docs/gallery.md, in one file in the order of the looks. */
#include "viewer/first_page.h"

#include "run/looks.h"

void view_resources_register_resource(void); /* made by glib-compile-resources */

/* A picture in that file has a rim of RIM pixels (docs/gallery.sh). */
enum { COLUMNS = 2, PICTURE_WIDTH = 700, PICTURE_HEIGHT = 408, RIM = 2 };
enum { CARDS = 4, CARD_WIDTH = 150, DRAWN_WIDTH = 420 }; /* in a row; pixels: at least, of the picture */

static GdkPixbuf *all_pictures(void) {
    static bool registered;
    if (!registered) view_resources_register_resource();
    registered = true;
    return gdk_pixbuf_new_from_resource("/org/wadi/view/looks.jpg", NULL);
}

/* NULL: there is none yet. */
static GdkTexture *picture_of(GdkPixbuf *all, size_t look) {
    const int x = (int)(look % COLUMNS) * (PICTURE_WIDTH + 2 * RIM) + RIM;
    const int y = (int)(look / COLUMNS) * (PICTURE_HEIGHT + 2 * RIM) + RIM;
    if (!all || x + PICTURE_WIDTH > gdk_pixbuf_get_width(all) || y + PICTURE_HEIGHT > gdk_pixbuf_get_height(all))
        return NULL;
    const int width = DRAWN_WIDTH, height = width * PICTURE_HEIGHT / PICTURE_WIDTH;
    GdkPixbuf *cut = gdk_pixbuf_new_subpixbuf(all, x, y, PICTURE_WIDTH, PICTURE_HEIGHT);
    GdkPixbuf *small = gdk_pixbuf_scale_simple(cut, width, height, GDK_INTERP_BILINEAR);
    GdkTexture *made = small ? gdk_texture_new_for_pixbuf(small) : NULL;
    g_clear_object(&small);
    g_object_unref(cut);
    return made;
}

static GtkWidget *picture(GdkPixbuf *all, size_t look) {
    GdkTexture *texture = picture_of(all, look);
    GtkWidget *picture = gtk_picture_new_for_paintable(GDK_PAINTABLE(texture));
    gtk_widget_set_size_request(picture, CARD_WIDTH, CARD_WIDTH * PICTURE_HEIGHT / PICTURE_WIDTH);
    gtk_widget_set_hexpand(picture, TRUE);
    gtk_widget_set_overflow(picture, GTK_OVERFLOW_HIDDEN);
    g_clear_object(&texture);
    return picture;
}

static GtkWidget *text(const char *said, const char *class) {
    GtkWidget *label = gtk_label_new(said);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_yalign(GTK_LABEL(label), 0);
    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_max_width_chars(GTK_LABEL(label), 26);
    gtk_widget_add_css_class(label, class);
    return label;
}

static GtkWidget *card(GdkPixbuf *all, size_t look) {
    char sentence[LOOK_SUMMARY];
    const char *name = run_look_name(look);
    GtkWidget *button = gtk_button_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2);
    char *title = g_strdup(name);
    title[0] = g_ascii_toupper(title[0]);
    gtk_box_append(GTK_BOX(box), picture(all, look));
    gtk_box_append(GTK_BOX(box), text(title, "heading"));
    gtk_box_append(GTK_BOX(box), text(run_look_summary(look, sentence), "caption"));
    gtk_button_set_child(GTK_BUTTON(button), box);
    gtk_button_set_has_frame(GTK_BUTTON(button), FALSE);
    gtk_widget_add_css_class(button, "look");
    gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "win.open-look");
    gtk_actionable_set_action_target(GTK_ACTIONABLE(button), "s", name);
    g_free(title);
    return button;
}

static GtkWidget *cards(void) {
    GdkPixbuf *all = all_pictures();
    GtkWidget *grid = gtk_grid_new();
    for (int i = 0; run_look_name((size_t)i); i++)
        gtk_grid_attach(GTK_GRID(grid), card(all, (size_t)i), i % CARDS, i / CARDS, 1, 1);
    gtk_grid_set_column_homogeneous(GTK_GRID(grid), TRUE);
    gtk_grid_set_row_spacing(GTK_GRID(grid), 6);
    gtk_grid_set_column_spacing(GTK_GRID(grid), 6);
    g_clear_object(&all);
    return grid;
}

static GtkWidget *action_button(const char *label, const char *action) {
    GtkWidget *button = gtk_button_new_with_label(label);
    gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
    return button;
}

static GtkWidget *own_terrain(void) {
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
    gtk_box_append(GTK_BOX(row), gtk_label_new("Or a terrain of your own:"));
    gtk_box_append(GTK_BOX(row), action_button("Open a heightmap\u2026", "win.open"));
    gtk_box_append(GTK_BOX(row), action_button("New terrain\u2026", "win.new"));
    gtk_widget_set_halign(row, GTK_ALIGN_CENTER);
    return row;
}

GtkWidget *first_page_new(void) {
    GtkWidget *scrolled = gtk_scrolled_window_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12);
    gtk_box_append(GTK_BOX(box), text("Make a landscape", "title"));
    gtk_box_append(GTK_BOX(box), cards());
    gtk_box_append(GTK_BOX(box), own_terrain());
    gtk_widget_set_valign(box, GTK_ALIGN_CENTER);
    gtk_widget_set_margin_start(box, 18);
    gtk_widget_set_margin_end(box, 18);
    gtk_widget_set_margin_top(box, 12);
    gtk_widget_set_margin_bottom(box, 12);
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), box);
    gtk_widget_add_css_class(scrolled, "first-page");
    return scrolled;
}
