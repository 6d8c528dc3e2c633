/* The page without a terrain: each landscape of `wadi demo` has a card with its picture and its sentence, which opens
 * it. */
#include "stage.h"

#include "viewer/first_page.h"
#include "viewer/widgets/preset_picture.h"

#include "run/looks.h"

enum { MOST = 64 };

typedef struct found {
    GtkWidget *cards[MOST];
    int count;
} found;

static void take_card(GtkWidget *widget, void *data) {
    found *found = data;
    if (GTK_IS_BUTTON(widget) && gtk_widget_has_css_class(widget, "look") && found->count < MOST)
        found->cards[found->count++] = widget;
}

static char opened[64];

static void open_look(GSimpleAction *action, GVariant *parameter, gpointer user) {
    (void)action, (void)user;
    g_strlcpy(opened, g_variant_get_string(parameter, NULL), sizeof opened);
}

static void said(GtkWidget *widget, void *data) {
    GString *text = data;
    if (GTK_IS_LABEL(widget)) g_string_append_printf(text, "%s|", gtk_label_get_text(GTK_LABEL(widget)));
}

/* The sum of its pixels. */
static uint64_t pixels(GdkPaintable *paintable) {
    GdkTexture *texture = GDK_TEXTURE(paintable);
    const gsize row = 4 * (gsize)gdk_texture_get_width(texture), size = row * (gsize)gdk_texture_get_height(texture);
    guchar *data = g_malloc(size);
    uint64_t sum = 0;
    gdk_texture_download(texture, data, row);
    for (gsize i = 0; i < size; i++) sum = sum * 31 + data[i];
    g_free(data);
    return sum;
}

static void test_each_landscape_has_a_card(void **state) {
    (void)state;
    GtkWidget *page = first_page_new();
    GtkWindow *window = stage_show(page, 900, 600);
    GSimpleActionGroup *group = g_simple_action_group_new();
    GSimpleAction *action = g_simple_action_new("open-look", G_VARIANT_TYPE_STRING);
    g_signal_connect(action, "activate", G_CALLBACK(open_look), NULL);
    g_action_map_add_action(G_ACTION_MAP(group), G_ACTION(action));
    gtk_widget_insert_action_group(GTK_WIDGET(window), "win", G_ACTION_GROUP(group));
    found found = {0};
    uint64_t pictures[MOST];
    stage_walk(page, take_card, &found);
    for (int i = 0; i < found.count; i++) {
        char sentence[LOOK_SUMMARY];
        GString *text = g_string_new(NULL);
        stage_walk(found.cards[i], said, text);
        assert_non_null(run_look_name((size_t)i));
        assert_non_null(strstr(text->str, run_look_summary((size_t)i, sentence)));
        g_string_free(text, TRUE);
        GtkWidget *picture = stage_find(found.cards[i], GTK_TYPE_PICTURE, NULL);
        assert_non_null(gtk_picture_get_paintable(GTK_PICTURE(picture)));
        pictures[i] = pixels(gtk_picture_get_paintable(GTK_PICTURE(picture)));
        for (int k = 0; k < i; k++) assert_true(pictures[k] != pictures[i]);
        g_signal_emit_by_name(found.cards[i], "clicked");
        stage_wait(1);
        assert_string_equal(opened, run_look_name((size_t)i));
    }
    assert_null(run_look_name((size_t)found.count));
    g_object_unref(action);
    g_object_unref(group);
    stage_close(window);
}

/* A preset without one is missing in docs/pictures/presets.jpg: docs/gallery.sh choices. */
static void test_each_preset_has_a_picture(void **state) {
    (void)state;
    g_object_unref(g_object_ref_sink(first_page_new())); /* which registers the files */
    uint64_t pictures[MOST];
    int found = 0;
    for (size_t m = 0; m < wadi_model_count(); m++) {
        size_t count;
        const wadi_preset *presets = wadi_model_presets(wadi_model_at(m), &count);
        for (size_t i = 0; i < count && found < MOST; i++) {
            GdkTexture *picture = preset_picture_new(&presets[i]);
            if (picture == NULL) fail_msg("%s", presets[i].name);
            pictures[found] = pixels(GDK_PAINTABLE(picture));
            for (int k = 0; k < found; k++) assert_true(pictures[k] != pictures[found]);
            found++;
            g_object_unref(picture);
        }
    }
    assert_true(found > 20 && found < MOST);
}

int main(void) {
    stage_open();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_landscape_has_a_card),
                                       cmocka_unit_test(test_each_preset_has_a_picture)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
