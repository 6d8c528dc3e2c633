/* panels.c: the pages, and the switcher between them. */
#include "viewer/pages/panels.h"

#include "viewer/pages/figures_page.h"
#include "viewer/pages/look_page.h"
#include "viewer/pages/model_page.h"
#include "viewer/pages/water_page.h"

struct panels {
    workbench *bench;
    GtkWidget *box, *stack;
    model_page *model;
    water_page *water;
    look_page *look;
    figures_page *figures;
};

GtkWidget *panels_widget(const panels *panels) { return panels->box; }

static void add_page(panels *panels, GtkWidget *page, const char *name, const char *title) {
    gtk_stack_add_titled(GTK_STACK(panels->stack), page, name, title);
}

panels *panels_new(workbench *bench) {
    panels *panels = g_new0(struct panels, 1);
    GtkWidget *switcher = gtk_stack_switcher_new();
    panels->bench = bench;
    panels->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    panels->stack = gtk_stack_new();
    panels->model = model_page_new(bench);
    panels->water = water_page_new(bench);
    panels->look = look_page_new(bench);
    panels->figures = figures_page_new(bench);
    add_page(panels, model_page_widget(panels->model), "model", "Model");
    add_page(panels, water_page_widget(panels->water), "water", "Water");
    add_page(panels, look_page_widget(panels->look), "look", "View");
    add_page(panels, figures_page_widget(panels->figures), "figures", "Figures");
    gtk_stack_switcher_set_stack(GTK_STACK_SWITCHER(switcher), GTK_STACK(panels->stack));
    gtk_widget_add_css_class(switcher, "pages");
    gtk_widget_set_halign(switcher, GTK_ALIGN_CENTER);
    gtk_widget_set_margin_top(switcher, 8);
    gtk_widget_set_vexpand(panels->stack, TRUE);
    gtk_box_append(GTK_BOX(panels->box), switcher);
    gtk_box_append(GTK_BOX(panels->box), panels->stack);
    gtk_widget_set_size_request(panels->box, 340, -1);
    return panels;
}

void panels_free(panels *panels) {
    model_page_free(panels->model);
    g_free(panels->water);
    g_free(panels->look);
    g_free(panels->figures);
    g_free(panels);
}

void panels_show(panels *panels) {
    if (!panels->bench->info->terrain) return;
    model_page_show(panels->model);
    water_page_show(panels->water);
    figures_page_show(panels->figures);
}

void panels_show_look(panels *panels) { look_page_show(panels->look); }
void panels_overlay(panels *panels, int by) { look_page_overlay(panels->look, by); }
void panels_lend_overlay(panels *panels, const char *map) { look_page_lend(panels->look, map); }

static void show_model(const panels *panels) {
    gtk_widget_set_visible(panels->box, TRUE);
    gtk_stack_set_visible_child_name(GTK_STACK(panels->stack), "model");
}

void panels_find(panels *panels) {
    show_model(panels);
    model_page_find(panels->model);
}

void panels_save_preset(panels *panels) {
    show_model(panels);
    model_page_save_preset(panels->model);
}

void panels_show_figures(panels *panels) { gtk_stack_set_visible_child_name(GTK_STACK(panels->stack), "figures"); }
