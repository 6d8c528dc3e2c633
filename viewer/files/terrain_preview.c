#include "viewer/files/terrain_preview.h"

#include "viewer/widgets/access.h"

#include "run/recipe.h"
#include "wadi/render.h"

#include <string.h>

/* A stack: the picture, or the reason why there is none. */
GtkWidget *terrain_preview_new(void) {
    GtkWidget *stack = gtk_stack_new(), *picture = gtk_picture_new(), *reason = gtk_label_new("");
    gtk_label_set_wrap(GTK_LABEL(reason), TRUE);
    gtk_label_set_max_width_chars(GTK_LABEL(reason), 30);
    gtk_stack_add_named(GTK_STACK(stack), picture, "picture");
    gtk_stack_add_named(GTK_STACK(stack), reason, "reason");
    gtk_widget_set_size_request(stack, TERRAIN_PREVIEW, TERRAIN_PREVIEW);
    access_label(picture, "Preview");
    return stack;
}

static wadi_status make(const char *text, wadi_raster **raster) {
    recipe recipe;
    wadi_status status = run_recipe_parse_terrain("new terrain", text, strlen(text), &recipe);
    if (status == WADI_OK) status = run_generated_make(recipe.file, &recipe.generated, raster);
    run_recipe_free(&recipe);
    return status;
}

static wadi_status draw(const wadi_raster *raster, wadi_picture **picture) {
    const int side = raster->width > raster->height ? raster->width : raster->height;
    wadi_view view = wadi_default_view(raster->width, raster->height, raster->lx, raster->ly, raster->values);
    view.decorate = false;
    view.scale = (double)TERRAIN_PREVIEW / side;
    return wadi_render_map(&view, picture);
}

static GdkTexture *texture_of(const wadi_picture *picture) {
    const gsize row = (gsize)picture->width * 3;
    GBytes *bytes = g_bytes_new(picture->rgb, row * (gsize)picture->height);
    GdkTexture *texture = gdk_memory_texture_new(picture->width, picture->height, GDK_MEMORY_R8G8B8, bytes, row);
    g_bytes_unref(bytes);
    return texture;
}

void terrain_preview_show(GtkWidget *preview, const char *text) {
    GtkStack *stack = GTK_STACK(preview);
    wadi_raster *raster = NULL;
    wadi_picture *picture = NULL;
    wadi_status status = make(text, &raster);
    if (status == WADI_OK) status = draw(raster, &picture);
    if (status == WADI_OK) {
        GdkTexture *texture = texture_of(picture);
        gtk_picture_set_paintable(GTK_PICTURE(gtk_stack_get_child_by_name(stack, "picture")), GDK_PAINTABLE(texture));
        g_object_unref(texture);
    } else {
        gtk_label_set_text(GTK_LABEL(gtk_stack_get_child_by_name(stack, "reason")), wadi_error_message());
    }
    gtk_stack_set_visible_child_name(stack, status == WADI_OK ? "picture" : "reason");
    wadi_picture_destroy(picture);
    wadi_raster_destroy(raster);
}
