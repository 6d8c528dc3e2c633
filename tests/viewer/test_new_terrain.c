/* The dialog for a new terrain: its preview follows every option, and says why there is none. */
#include "stage.h"

#include "viewer/files/new_terrain.h"
#include "viewer/files/terrain_preview.h"

enum { SPINS = 6 };

typedef struct dialog {
    GtkWidget *self, *kind, *preview, *spins[SPINS];
    int count;
} dialog;

static void take_part(GtkWidget *widget, void *data) {
    dialog *dialog = data;
    if (GTK_IS_DROP_DOWN(widget)) dialog->kind = widget;
    if (GTK_IS_SPIN_BUTTON(widget) && dialog->count < SPINS) dialog->spins[dialog->count++] = widget;
    if (GTK_IS_PICTURE(widget)) dialog->preview = widget;
}

static dialog open_dialog(workbench *bench) {
    bench->window = gtk_window_new();
    new_terrain_ask(NULL, bench);
    dialog found = {0};
    GListModel *windows = gtk_window_get_toplevels();
    for (guint i = 0; i < g_list_model_get_n_items(windows); i++) {
        GtkWidget *window = g_list_model_get_item(windows, i);
        if (GTK_IS_DIALOG(window)) found.self = window;
        g_object_unref(window);
    }
    assert_non_null(found.self);
    stage_walk(found.self, take_part, &found);
    assert_int_equal(found.count, SPINS);
    assert_non_null(found.kind);
    assert_non_null(found.preview);
    return found;
}

static void close_dialog(dialog *dialog, workbench *bench) {
    gtk_dialog_response(GTK_DIALOG(dialog->self), GTK_RESPONSE_CANCEL);
    gtk_window_destroy(GTK_WINDOW(bench->window));
    stage_wait(50);
}

/* A hash of the picture's pixels. */
static char *pixels(GtkWidget *preview) {
    GdkPaintable *paintable = gtk_picture_get_paintable(GTK_PICTURE(preview));
    assert_true(GDK_IS_TEXTURE(paintable));
    GdkTexture *texture = GDK_TEXTURE(paintable);
    const int width = gdk_texture_get_width(texture), height = gdk_texture_get_height(texture);
    assert_true(width <= TERRAIN_PREVIEW && height <= TERRAIN_PREVIEW);
    const gsize bytes = (gsize)width * (gsize)height * 4;
    guchar *data = g_malloc(bytes);
    gdk_texture_download(texture, data, (gsize)width * 4);
    char *hash = g_compute_checksum_for_data(G_CHECKSUM_SHA256, data, bytes);
    g_free(data);
    return hash;
}

static void select_kind(dialog *dialog, const char *name) {
    GListModel *kinds = gtk_drop_down_get_model(GTK_DROP_DOWN(dialog->kind));
    for (guint i = 0; i < g_list_model_get_n_items(kinds); i++) {
        GtkStringObject *item = g_list_model_get_item(kinds, i);
        if (strcmp(gtk_string_object_get_string(item), name) == 0)
            gtk_drop_down_set_selected(GTK_DROP_DOWN(dialog->kind), i);
        g_object_unref(item);
    }
    stage_wait(100);
}

static void the_preview_follows_every_option(void **state) {
    (void)state;
    static const double values[SPINS] = {300, 1234, 7, 33, 90, 40}; /* cells, seed, cell size, relief, feature, warp */
    workbench bench = {0};
    dialog dialog = open_dialog(&bench);
    char *before = pixels(dialog.preview);
    select_kind(&dialog, "ridged");
    for (int i = -1; i < SPINS; i++) {
        if (i >= 0) gtk_spin_button_set_value(GTK_SPIN_BUTTON(dialog.spins[i]), values[i]);
        stage_wait(200);
        char *after = pixels(dialog.preview);
        if (strcmp(before, after) == 0) print_message("option %d changes nothing\n", i);
        assert_string_not_equal(before, after);
        g_free(before);
        before = after;
    }
    g_free(before);
    close_dialog(&dialog, &bench);
}

/* A cone has no features until it is warped. */
static void features_are_for_noise(void **state) {
    (void)state;
    workbench bench = {0};
    dialog dialog = open_dialog(&bench);
    GtkWidget *feature = dialog.spins[4], *warp = dialog.spins[5];
    select_kind(&dialog, "noise");
    assert_true(gtk_widget_get_sensitive(feature));
    gtk_spin_button_set_value(GTK_SPIN_BUTTON(feature), 50);
    select_kind(&dialog, "cone");
    assert_false(gtk_widget_get_sensitive(feature));
    g_free(pixels(dialog.preview));
    gtk_spin_button_set_value(GTK_SPIN_BUTTON(warp), 20);
    stage_wait(100);
    assert_true(gtk_widget_get_sensitive(feature));
    close_dialog(&dialog, &bench);
}

static void what_cannot_be_made_is_said(void **state) {
    (void)state;
    GtkWidget *preview = g_object_ref_sink(terrain_preview_new());
    terrain_preview_show(preview, "generate: {kind: conee, size: 8x8}");
    assert_string_equal(gtk_stack_get_visible_child_name(GTK_STACK(preview)), "reason");
    GtkWidget *reason = gtk_stack_get_child_by_name(GTK_STACK(preview), "reason");
    assert_non_null(strstr(gtk_label_get_text(GTK_LABEL(reason)), "did you mean cone?"));
    terrain_preview_show(preview, "layers: [{kind: cone}, {kind: noise, relief: 3}]\nsize: 64x32");
    assert_string_equal(gtk_stack_get_visible_child_name(GTK_STACK(preview)), "picture");
    g_free(pixels(gtk_stack_get_child_by_name(GTK_STACK(preview), "picture")));
    g_object_unref(preview);
}

int main(void) {
    stage_open();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_preview_follows_every_option),
        cmocka_unit_test(features_are_for_noise),
        cmocka_unit_test(what_cannot_be_made_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
