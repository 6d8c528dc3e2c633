#include "params_make.h"

#include "access.h"
#include "params_number.h"

#include <math.h>
#include <string.h>

static void reset_clicked(GtkButton *button, void *data) {
    (void)button;
    params_row *row = data;
    row->edited = false;
    params_row_take(row, row->standard, false);
}

static void choice_changed(GtkDropDown *choice, GParamSpec *property, void *data) {
    (void)property;
    params_row *row = data;
    const guint selected = gtk_drop_down_get_selected(choice);
    if (!row->showing && selected != GTK_INVALID_LIST_POSITION) params_row_take(row, selected, false);
}

static void toggle_changed(GtkSwitch *toggle, GParamSpec *property, void *data) {
    (void)property;
    params_row *row = data;
    if (!row->showing) params_row_take(row, gtk_switch_get_active(toggle) ? 1 : 0, false);
}

static void row_free(void *data) {
    params_row_stop(data);
    g_free(data);
}

/* "sediment capacity", and "Kc" in italics. A symbol that begins its own alias is left out. */
static GtkWidget *new_name(const wadi_parameter *parameter) {
    char *words = params_row_words(parameter), *symbol = g_strdelimit(g_strdup(parameter->name), "_", ' ');
    const size_t length = strlen(symbol);
    const bool twice = g_ascii_strncasecmp(words, symbol, length) == 0 && strchr(" ", words[length]) != NULL;
    char *markup =
        g_markup_printf_escaped(twice ? "%s" : "%s <span alpha='60%%'><i>%s</i></span>", words, parameter->name);
    GtkWidget *name = gtk_label_new(NULL);
    gtk_label_set_markup(GTK_LABEL(name), markup);
    gtk_label_set_ellipsize(GTK_LABEL(name), PANGO_ELLIPSIZE_END);
    gtk_label_set_xalign(GTK_LABEL(name), 0);
    gtk_widget_set_hexpand(name, true);
    g_free(markup);
    g_free(symbol);
    g_free(words);
    return name;
}

static void add_choice(params_row *row, const char *label) {
    GtkWidget *setter;
    if (params_row_is_switch(row->parameter)) {
        setter = row->toggle = gtk_switch_new();
        access_label(setter, label);
        g_signal_connect(setter, "notify::active", G_CALLBACK(toggle_changed), row);
    } else {
        setter = row->choice = gtk_drop_down_new_from_strings(row->parameter->choices);
        access_drop_down(setter, label);
        g_signal_connect(setter, "notify::selected", G_CALLBACK(choice_changed), row);
    }
    gtk_widget_set_valign(setter, GTK_ALIGN_CENTER);
    gtk_box_append(GTK_BOX(row->box), new_name(row->parameter));
    gtk_box_append(GTK_BOX(row->box), setter);
}

static void add_reset(params_row *row, const char *label) {
    row->reset = gtk_button_new_from_icon_name("edit-undo-symbolic");
    gtk_widget_add_css_class(row->reset, "flat");
    gtk_widget_add_css_class(row->reset, "wadi-reset");
    char *said = g_strdup_printf("Reset %s", label);
    access_label(row->reset, said);
    g_free(said);
    g_signal_connect(row->reset, "clicked", G_CALLBACK(reset_clicked), row);
    gtk_box_append(GTK_BOX(row->box), row->reset);
}

static void add_number(params_row *row, const char *label) {
    params_number_add(row, new_name(row->parameter), label);
    row->display = params_number_display;
}

params_row *params_make_row(const wadi_model *model, const wadi_parameter *parameter, double least_usual,
                            params_changed *changed, void *user) {
    params_row *row = g_new0(params_row, 1);
    row->parameter = parameter;
    row->changed = changed;
    row->user = user;
    row->least_usual = least_usual;
    row->value = (double)NAN;
    row->reported = -PARAMS_REPORT_EVERY;
    row->box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);
    gtk_widget_add_css_class(row->box, "wadi-row");
    gtk_widget_set_name(row->box, parameter->name);
    g_object_set_data_full(G_OBJECT(row->box), "wadi-row", row, row_free);
    g_signal_connect_swapped(row->box, "destroy", G_CALLBACK(params_row_stop), row);
    g_object_set_data(G_OBJECT(row->box), "wadi-citation", (void *)wadi_model_citation(model));
    char *words = params_row_words(parameter), *label = g_strdup_printf("%s, %s", words, parameter->name);
    if (parameter->choices != NULL)
        add_choice(row, label);
    else
        add_number(row, label);
    add_reset(row, label);
    g_free(label);
    g_free(words);
    return row;
}
