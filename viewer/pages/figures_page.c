/* figures_page.c: the inspected cell, the mass balance, and plots. */
#include "viewer/pages/figures_page.h"

#include "viewer/pages/page.h"
#include "viewer/widgets/number.h"
#include "viewer/widgets/plot.h"

struct figures_page {
    workbench *bench;
    GtkWidget *widget;
    GtkWidget *plots[4], *balance, *cell;
};

GtkWidget *figures_page_widget(const figures_page *page) { return page->widget; }

static GtkWidget *text_block(void) {
    GtkWidget *label = gtk_label_new("");
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_selectable(GTK_LABEL(label), TRUE);
    gtk_widget_set_focusable(label, FALSE);
    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_max_width_chars(GTK_LABEL(label), 36);
    gtk_widget_add_css_class(label, "figures");
    return label;
}

figures_page *figures_page_new(workbench *bench) {
    figures_page *page = g_new0(struct figures_page, 1);
    page->bench = bench;
    static const char *const titles[] = {"Erosion score", "Rate", "Water", "Balance: solid left over"};
    static const char *const units[] = {"1", "cell-steps/s", "m3", "m3"};
    GtkWidget *box = page_column();
    page_heading(box, "Cell");
    page->cell = text_block();
    gtk_box_append(GTK_BOX(box), page->cell);
    page_heading(box, "Mass");
    page->balance = text_block();
    gtk_box_append(GTK_BOX(box), page->balance);
    for (int i = 0; i < 4; i++) {
        page->plots[i] = plot_new(titles[i], units[i]);
        gtk_box_append(GTK_BOX(box), page->plots[i]);
    }
    page->widget = page_scrolled(box);
    return page;
}

static void show_cell(figures_page *page) {
    const session_info *info = page->bench->info;
    GString *text = g_string_new(NULL);
    char number[NUMBER_TEXT];
    if (info->cell_x < 0)
        g_string_append(text, "Choose Inspect and click on the terrain.");
    else
        g_string_append_printf(text, "column %d, row %d", info->cell_x, info->cell_y);
    for (size_t i = 0; i < info->cell_values && info->cell_x >= 0; i++)
        g_string_append_printf(text, "\n%s  %s", info->cell[i].name,
                               number_with_unit(info->cell[i].value, info->cell[i].unit, number));
    gtk_label_set_text(GTK_LABEL(page->cell), text->str);
    g_string_free(text, TRUE);
}

static void show_mass(figures_page *page) {
    const wadi_mass *mass = &page->bench->info->mass;
    const struct {
        const char *name;
        double value;
    } rows[] = {{"ground moved", mass->moved},      {"ground in", mass->solid.in},
                {"ground out", mass->solid.out},    {"left over", mass->solid.residual},
                {"water in", mass->water.in},       {"water out", mass->water.out},
                {"water there", mass->water.after}, {"left over", mass->water.residual}};
    GString *text = g_string_new(NULL);
    char number[NUMBER_TEXT];
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        g_string_append_printf(text, "%s%s  %s", i ? "\n" : "", rows[i].name,
                               number_with_unit(rows[i].value, "m3", number));
    gtk_label_set_text(GTK_LABEL(page->balance), text->str);
    g_string_free(text, TRUE);
}

void figures_page_show(figures_page *page) {
    const session_info *info = page->bench->info;
    const double *series[] = {info->scores, info->rates, info->water, info->residual};
    show_cell(page);
    show_mass(page);
    for (int i = 0; i < 4; i++) plot_set(page->plots[i], info->step, series[i], info->points, "step");
}
