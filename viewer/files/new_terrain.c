/* new_terrain.c: asks for the kind and the size, with a preview, and opens a recipe that generates it. */
#include "viewer/files/new_terrain.h"

#include "viewer/files/terrain_preview.h"
#include "viewer/widgets/access.h"

#include <string.h>

typedef struct new_terrain {
    files *files;
    GtkWidget *kind, *size, *seed, *cell, *relief, *feature, *warp, *preview;
    guint waiting; /* the source that will draw the preview; 0: none */
} new_terrain;

static bool is_offered(const wadi_terrain_kind *kind) { return !kind->rain && strcmp(kind->name, "letters") != 0; }

/* The generators of terrain, without those of rain. */
static GtkStringList *list_kinds(void) {
    size_t count;
    const wadi_terrain_kind *kinds = wadi_terrain_kinds(&count);
    GtkStringList *list = gtk_string_list_new(NULL);
    for (size_t i = 0; i < count; i++)
        if (is_offered(&kinds[i])) gtk_string_list_append(list, kinds[i].name);
    return list;
}

static const char *kind_of(const new_terrain *made) {
    return gtk_string_object_get_string(gtk_drop_down_get_selected_item(GTK_DROP_DOWN(made->kind)));
}

static bool is_noise(const char *name) {
    size_t count;
    const wadi_terrain_kind *kinds = wadi_terrain_kinds(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(kinds[i].name, name) == 0) return kinds[i].noise;
    return false;
}

static double value_of(GtkWidget *spin) { return gtk_spin_button_get_value(GTK_SPIN_BUTTON(spin)); }

/* A number that is 0 is left out: the generator chooses. */
static void add_number(GString *text, const char *key, double number) {
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    if (number > 0) g_string_append_printf(text, ", %s: %s", key, g_ascii_dtostr(digits, sizeof digits, number));
}

/* The terrain in so many cells a side. Waves shorter than a cell of a preview are drawn as long as a cell. */
static char *recipe_of(const new_terrain *made, int cells) {
    const double cell = value_of(made->cell) * value_of(made->size) / cells, warp = value_of(made->warp);
    const char *kind = kind_of(made);
    GString *text = g_string_new(NULL);
    g_string_printf(text, "generate: {kind: %s, size: %dx%d, seed: %d", kind, cells, cells,
                    gtk_spin_button_get_value_as_int(GTK_SPIN_BUTTON(made->seed)));
    add_number(text, "cell-size", cell);
    add_number(text, "relief", value_of(made->relief));
    if (value_of(made->feature) > 0 && (is_noise(kind) || warp > 0))
        add_number(text, "feature-size", MAX(value_of(made->feature), cell));
    add_number(text, "warp", warp);
    g_string_append(text, "}\n");
    return g_string_free(text, FALSE);
}

/* --- the preview --- */

static gboolean draw_preview(gpointer user) {
    new_terrain *made = user;
    made->waiting = 0;
    char *text = recipe_of(made, MIN((int)value_of(made->size), TERRAIN_PREVIEW));
    terrain_preview_show(made->preview, text);
    g_free(text);
    return G_SOURCE_REMOVE;
}

/* Soon, and once for all that changes until then. */
static void change(new_terrain *made) {
    gtk_widget_set_sensitive(made->feature, is_noise(kind_of(made)) || value_of(made->warp) > 0);
    if (made->waiting == 0) made->waiting = g_timeout_add(30, draw_preview, made);
}

static void spun(GtkSpinButton *spin, gpointer made) { (void)spin, change(made); }
static void chosen(GObject *drop_down, GParamSpec *spec, gpointer made) { (void)drop_down, (void)spec, change(made); }

/* --- the dialog --- */

static void answered(GtkDialog *dialog, int response, gpointer user) {
    new_terrain *made = user;
    if (made->waiting) g_source_remove(made->waiting);
    if (response == GTK_RESPONSE_OK) {
        char *text = recipe_of(made, (int)value_of(made->size));
        files_open_text(made->files, text);
        g_free(text);
    }
    gtk_window_destroy(GTK_WINDOW(dialog));
    g_free(made);
}

typedef struct row {
    const char *label;
    double low, high, step, value;
    guint digits;
    const char *tooltip;
} row;

static GtkWidget *spin(new_terrain *made, GtkWidget *grid, int line, const row *row) {
    GtkWidget *name = gtk_label_new(row->label), *spin = gtk_spin_button_new_with_range(row->low, row->high, row->step);
    gtk_label_set_xalign(GTK_LABEL(name), 0);
    gtk_spin_button_set_digits(GTK_SPIN_BUTTON(spin), row->digits);
    gtk_spin_button_set_value(GTK_SPIN_BUTTON(spin), row->value);
    gtk_editable_set_text(GTK_EDITABLE(spin), gtk_editable_get_text(GTK_EDITABLE(spin)));
    gtk_widget_set_tooltip_text(spin, row->tooltip);
    gtk_grid_attach(GTK_GRID(grid), name, 0, line, 1, 1);
    gtk_grid_attach(GTK_GRID(grid), spin, 1, line, 1, 1);
    access_label(spin, row->label);
    g_signal_connect(spin, "value-changed", G_CALLBACK(spun), made);
    return spin;
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
    const row rows[] = {{"Cells a side", 2, 16384, 64, 512, 0, NULL},
                        {"Seed", 0, 1e9, 1, g_random_int_range(0, 1000), 0, NULL},
                        {"Cell size, m", 0.01, 10000, 1, 1, 2, NULL},
                        {"Relief, m", 0, 1e5, 10, 100, 1, "From the lowest point to the highest; 0: chosen"},
                        {"Feature size, m", 0, 1e6, 10, 0, 1, "The longest waves of the noise; 0: chosen"},
                        {"Warp, m", 0, 1e6, 5, 0, 1, "How far noise moves each place"}};
    GtkWidget **const spins[] = {&made->size, &made->seed, &made->cell, &made->relief, &made->feature, &made->warp};
    GtkWidget *name = gtk_label_new("Kind");
    gtk_label_set_xalign(GTK_LABEL(name), 0);
    made->kind = gtk_drop_down_new(G_LIST_MODEL(list_kinds()), NULL);
    access_drop_down(made->kind, "Kind");
    gtk_grid_attach(GTK_GRID(grid), name, 0, 0, 1, 1);
    gtk_grid_attach(GTK_GRID(grid), made->kind, 1, 0, 1, 1);
    for (int i = 0; i < (int)G_N_ELEMENTS(rows); i++) *spins[i] = spin(made, grid, i + 1, &rows[i]);
    made->preview = terrain_preview_new();
    gtk_grid_attach(GTK_GRID(grid), made->preview, 2, 0, 1, (int)G_N_ELEMENTS(rows) + 1);
    g_signal_connect(made->kind, "notify::selected", G_CALLBACK(chosen), made);
}

void new_terrain_ask(files *files, workbench *bench) {
    new_terrain *made = g_new0(new_terrain, 1);
    made->files = files;
    GtkWidget *dialog = gtk_dialog_new_with_buttons("New terrain", GTK_WINDOW(bench->window),
                                                    GTK_DIALOG_MODAL | GTK_DIALOG_USE_HEADER_BAR, "_Cancel",
                                                    GTK_RESPONSE_CANCEL, "C_reate", GTK_RESPONSE_OK, NULL);
    GtkWidget *grid = new_grid();
    add_rows(made, grid);
    draw_preview(made);
    change(made);
    gtk_box_append(GTK_BOX(gtk_dialog_get_content_area(GTK_DIALOG(dialog))), grid);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_OK);
    g_signal_connect(dialog, "response", G_CALLBACK(answered), made);
    gtk_window_present(GTK_WINDOW(dialog));
}
