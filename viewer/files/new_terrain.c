/* new_terrain.c: asks for the kind and the size, and opens a recipe that generates it. */
#include "viewer/files/new_terrain.h"

#include "viewer/widgets/access.h"

#include <string.h>

typedef struct new_terrain {
    files *files;
    GtkWidget *kind, *size, *seed, *cell, *relief;
} new_terrain;

/* The generators of terrain, without those of rain. */
static GtkStringList *list_kinds(void) {
    size_t count;
    const wadi_terrain_kind *kinds = wadi_terrain_kinds(&count);
    GtkStringList *list = gtk_string_list_new(NULL);
    for (size_t i = 0; i < count; i++)
        if (!kinds[i].rain && strcmp(kinds[i].name, "letters") != 0) gtk_string_list_append(list, kinds[i].name);
    return list;
}

static char *recipe_of(const new_terrain *made) {
    char cell[G_ASCII_DTOSTR_BUF_SIZE], relief[G_ASCII_DTOSTR_BUF_SIZE];
    const int size = gtk_spin_button_get_value_as_int(GTK_SPIN_BUTTON(made->size));
    const int seed = gtk_spin_button_get_value_as_int(GTK_SPIN_BUTTON(made->seed));
    gpointer kind = gtk_drop_down_get_selected_item(GTK_DROP_DOWN(made->kind));
    g_ascii_dtostr(cell, sizeof cell, gtk_spin_button_get_value(GTK_SPIN_BUTTON(made->cell)));
    g_ascii_dtostr(relief, sizeof relief, gtk_spin_button_get_value(GTK_SPIN_BUTTON(made->relief)));
    return g_strdup_printf("generate: {kind: %s, size: %dx%d, seed: %d, cell-size: %s, relief: %s}\n",
                           gtk_string_object_get_string(kind), size, size, seed, cell, relief);
}

static void answered(GtkDialog *dialog, int response, gpointer user) {
    new_terrain *made = user;
    if (response == GTK_RESPONSE_OK) {
        char *text = recipe_of(made);
        files_open_text(made->files, text);
        g_free(text);
    }
    gtk_window_destroy(GTK_WINDOW(dialog));
    g_free(made);
}

static GtkWidget *spin(GtkWidget *grid, int line, const char *label, double low, double high, double step, double value,
                       guint digits) {
    GtkWidget *name = gtk_label_new(label), *made = gtk_spin_button_new_with_range(low, high, step);
    gtk_label_set_xalign(GTK_LABEL(name), 0);
    gtk_spin_button_set_digits(GTK_SPIN_BUTTON(made), digits);
    gtk_spin_button_set_value(GTK_SPIN_BUTTON(made), value);
    gtk_editable_set_text(GTK_EDITABLE(made), gtk_editable_get_text(GTK_EDITABLE(made)));
    gtk_grid_attach(GTK_GRID(grid), name, 0, line, 1, 1);
    gtk_grid_attach(GTK_GRID(grid), made, 1, line, 1, 1);
    access_label(made, label);
    return made;
}

static GtkWidget *new_grid(void) {
    GtkWidget *grid = gtk_grid_new();
    gtk_grid_set_row_spacing(GTK_GRID(grid), 8);
    gtk_grid_set_column_spacing(GTK_GRID(grid), 16);
    gtk_widget_set_margin_start(grid, 18);
    gtk_widget_set_margin_end(grid, 18);
    gtk_widget_set_margin_top(grid, 18);
    gtk_widget_set_margin_bottom(grid, 18);
    return grid;
}

static void add_rows(new_terrain *made, GtkWidget *grid) {
    GtkWidget *name = gtk_label_new("Kind");
    gtk_label_set_xalign(GTK_LABEL(name), 0);
    made->kind = gtk_drop_down_new(G_LIST_MODEL(list_kinds()), NULL);
    access_drop_down(made->kind, "Kind");
    gtk_grid_attach(GTK_GRID(grid), name, 0, 0, 1, 1);
    gtk_grid_attach(GTK_GRID(grid), made->kind, 1, 0, 1, 1);
    made->size = spin(grid, 1, "Cells a side", 2, 16384, 64, 512, 0);
    made->seed = spin(grid, 2, "Seed", 0, 1e9, 1, g_random_int_range(0, 1000), 0);
    made->cell = spin(grid, 3, "Cell size, m", 0.01, 10000, 1, 1, 2);
    made->relief = spin(grid, 4, "Relief, m", 0, 1e5, 10, 100, 1);
}

void new_terrain_ask(files *files, workbench *bench) {
    new_terrain *made = g_new0(new_terrain, 1);
    made->files = files;
    GtkWidget *dialog = gtk_dialog_new_with_buttons("New terrain", GTK_WINDOW(bench->window),
                                                    GTK_DIALOG_MODAL | GTK_DIALOG_USE_HEADER_BAR, "_Cancel",
                                                    GTK_RESPONSE_CANCEL, "C_reate", GTK_RESPONSE_OK, NULL);
    GtkWidget *grid = new_grid();
    add_rows(made, grid);
    gtk_box_append(GTK_BOX(gtk_dialog_get_content_area(GTK_DIALOG(dialog))), grid);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_OK);
    g_signal_connect(dialog, "response", G_CALLBACK(answered), made);
    gtk_window_present(GTK_WINDOW(dialog));
}
