/* export_dialog.c: the session writes maps and meshes, the window writes the picture. */
#include "viewer/files/export_dialog.h"

#include "viewer/files/dialog.h"
#include "viewer/view/target.h"

#include <string.h>

static void picture_to(void *user, const char *path, const char *what) {
    static const char *const ends[] = {".png", NULL};
    const workbench *bench = user;
    wadi_picture *picture;
    char *whole = dialog_with_end(bench, path, ends), *text = NULL;
    (void)what;
    if (!whole) return;
    const int width = gtk_widget_get_width(view_widget(bench->view)),
              height = gtk_widget_get_height(view_widget(bench->view));
    const double scale = width > 0 ? 2560.0 / width : 1;
    if (!view_grab(bench->view, (int)(width * scale), (int)(height * scale), &picture)) {
        toast_show(bench->toast, "there is no picture yet", true);
    } else if (wadi_picture_write(whole, picture->rgb, picture->width, picture->height) != WADI_OK) {
        toast_show(bench->toast, wadi_error_message(), true);
    } else {
        text = g_strdup_printf("%s is written", whole);
        toast_show(bench->toast, text, false);
    }
    wadi_picture_destroy(picture);
    g_free(text);
    g_free(whole);
}

static void mesh_to(void *user, const char *path, const char *what) {
    const workbench *bench = user;
    (void)what;
    session_export_mesh(bench->session, path, view_look(bench->view)->exaggeration);
}

static void map_to(void *user, const char *path, const char *what) {
    session_export_map(((const workbench *)user)->session, what, path);
}

static void program_to(void *user, const char *path, const char *what) {
    session_export_for(((const workbench *)user)->session, what, path);
}

void export_ask_for(workbench *bench, const char *target) {
    if (!bench->info->terrain) return;
    char *end = g_strconcat("-", target, NULL), *name = dialog_name(bench, end);
    dialog_show(
        dialog_new(bench, "Export into a new folder", GTK_FILE_CHOOSER_ACTION_SAVE, name, program_to, bench, target));
    g_free(name);
    g_free(end);
}

void export_ask(workbench *bench, const char *what) {
    if (!bench->info->terrain) return;
    const bool picture = strcmp(what, "picture") == 0, mesh = strcmp(what, "mesh") == 0;
    const char *title = picture ? "Export the picture"
                        : mesh  ? "Export a mesh (.glb, .gltf, .obj, .ply)"
                                : "Export a map";
    dialog_chosen *then = picture ? picture_to : mesh ? mesh_to : map_to;
    char *end = picture ? g_strdup(".png") : mesh ? g_strdup(".glb") : g_strdup_printf("-%s.tif", what);
    char *name = dialog_name(bench, end);
    dialog_show(dialog_new(bench, title, GTK_FILE_CHOOSER_ACTION_SAVE, name, then, bench, what));
    g_free(name);
    g_free(end);
}
