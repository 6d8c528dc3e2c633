/* preset_picture.c: docs/gallery.sh makes one file of them, in the order of `wadi presets`. */
#include "preset_picture.h"

enum { COLUMNS = 8 };

/* The place of a preset among those of all models; -1: it is none of them. */
static int place_of(const wadi_preset *preset) {
    int before = 0;
    for (size_t m = 0; m < wadi_model_count(); m++) {
        size_t count;
        const wadi_preset *presets = wadi_model_presets(wadi_model_at(m), &count);
        for (size_t i = 0; i < count; i++)
            if (&presets[i] == preset) return before + (int)i;
        before += (int)count;
    }
    return -1;
}

/* Read once; NULL: the program has no such resource. */
static GdkPixbuf *all_pictures(void) {
    static GdkPixbuf *all;
    if (all == NULL) all = gdk_pixbuf_new_from_resource("/org/wadi/view/presets.jpg", NULL);
    return all;
}

GdkTexture *preset_picture_new(const wadi_preset *preset) {
    const int place = place_of(preset);
    GdkPixbuf *all = place < 0 ? NULL : all_pictures();
    const int x = place % COLUMNS * PRESET_PICTURE_WIDTH, y = place / COLUMNS * PRESET_PICTURE_HEIGHT;
    if (all == NULL || x + PRESET_PICTURE_WIDTH > gdk_pixbuf_get_width(all) ||
        y + PRESET_PICTURE_HEIGHT > gdk_pixbuf_get_height(all))
        return NULL;
    GdkPixbuf *cut = gdk_pixbuf_new_subpixbuf(all, x, y, PRESET_PICTURE_WIDTH, PRESET_PICTURE_HEIGHT);
    GdkTexture *made = gdk_texture_new_for_pixbuf(cut);
    g_object_unref(cut);
    return made;
}
