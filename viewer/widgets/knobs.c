#include "knobs.h"

#include "access.h"
#include "number.h"
#include "params_make.h"

#include <string.h>

struct knobs {
    GtkWidget *box;
    params_changed *moved;
    void *user;
    wadi_parameter rows_for[WADI_MAX_KNOBS]; /* a row shows a parameter */
    params_row *rows[WADI_MAX_KNOBS];        /* NULL: not shown */
    const wadi_preset *preset;
    wadi_def shown; /* model and grid of the last knobs_show */
};

/* How long a run lasts is decided by hand here. */
static bool is_shown(const wadi_knob *knob) {
    bool any = false;
    for (const wadi_knob_move *move = knob->moves; move->parameter != NULL; move++)
        any = any || strcmp(move->parameter, "duration") != 0;
    return any;
}

static void make_row(knobs *knobs, const wadi_model *model, int i, const wadi_knob *knob) {
    wadi_parameter *row_for = &knobs->rows_for[i];
    *row_for = (wadi_parameter){.name = knob->name, .alias = knob->name, .unit = "1", .maximum = 1};
    params_row *row = knobs->rows[i] = params_make_row(model, row_for, 0, knobs->moved, knobs->user);
    gtk_widget_remove_css_class(row->box, "wadi-row");
    gtk_widget_add_css_class(row->box, "wadi-knob");
    /* The slider snaps to the preset's place. With marks on one side alone it would be drawn as an arrow. */
    gtk_scale_add_mark(GTK_SCALE(row->scale), 0.5, GTK_POS_TOP, NULL);
    gtk_scale_add_mark(GTK_SCALE(row->scale), 0.5, GTK_POS_BOTTOM, NULL);
    access_label(row->scale, knob->name);
    access_label(row->entry, knob->name);
    params_row_range(row, 0, 1, 0.5);
    gtk_box_append(GTK_BOX(knobs->box), row->box);
}

static void make_rows(knobs *knobs, const wadi_model *model) {
    for (int i = 0; i < WADI_MAX_KNOBS; i++) {
        if (knobs->rows[i] == NULL) continue;
        params_row_stop(knobs->rows[i]);
        gtk_box_remove(GTK_BOX(knobs->box), knobs->rows[i]->box);
        knobs->rows[i] = NULL;
    }
    size_t count;
    const wadi_knob *rows = wadi_model_knobs(model, &count);
    for (size_t i = 0; i < count; i++)
        if (is_shown(&rows[i])) make_row(knobs, model, (int)i, &rows[i]);
    gtk_widget_set_visible(knobs->box, knobs_any(knobs));
}

bool knobs_any(const knobs *knobs) {
    bool any = false;
    for (int i = 0; i < WADI_MAX_KNOBS; i++) any = any || knobs->rows[i] != NULL;
    return any;
}

/* "Kc from 1.6 to 10 m", for each parameter whose value differs between the ends. */
static void add_ends(GString *text, const wadi_def ends[2], const wadi_knob *knob) {
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(ends[0].model, &count);
    for (const wadi_knob_move *move = knob->moves; move->parameter != NULL; move++) {
        const int index = wadi_model_parameter_index(ends[0].model, move->parameter);
        char low[NUMBER_TEXT], high[NUMBER_TEXT], unit[NUMBER_TEXT];
        if (index < 0 ||
            !(ends[0].values[index] < ends[1].values[index] || ends[0].values[index] > ends[1].values[index]))
            continue;
        number_short(ends[0].values[index], low);
        number_short(ends[1].values[index], high);
        g_string_append_printf(text, "\n%s from %s to %s %s", parameters[index].name, low, high,
                               number_unit(parameters[index].unit, unit));
    }
}

/* A knob that moves nothing in this preset cannot be moved. */
static void describe(params_row *row, const wadi_def *def, const wadi_preset *preset, const wadi_knob *knob) {
    wadi_def ends[2] = {*def, *def};
    bool good = preset != NULL;
    for (int i = 0; i < 2 && good; i++)
        good = wadi_def_preset_scaled(&ends[i], preset, def->scale) == WADI_OK &&
               wadi_def_knob(&ends[i], knob->name, i) == WADI_OK;
    GString *moves = g_string_new(NULL), *text = g_string_new(knob->meaning);
    if (good) add_ends(moves, ends, knob);
    if (moves->len > 0)
        g_string_append_printf(text, "\n\n0 to 1; at 0.5 is the preset\n%s", moves->str);
    else
        g_string_append(text, "\n\nIt moves nothing in this preset");
    gtk_widget_set_tooltip_text(row->box, text->str);
    gtk_widget_set_tooltip_text(row->reset, "Back to the preset");
    gtk_widget_set_sensitive(row->box, moves->len > 0);
    g_string_free(moves, true);
    g_string_free(text, true);
}

static bool same_grid(const wadi_def *a, const wadi_def *b) {
    return a->model == b->model && a->width == b->width && a->height == b->height && a->scale == b->scale &&
           a->lx == b->lx && a->ly == b->ly && a->world_m == b->world_m;
}

void knobs_show(knobs *knobs, const wadi_def *def, const wadi_preset *preset) {
    const bool anew = preset != knobs->preset || !same_grid(def, &knobs->shown);
    if (knobs->shown.model != def->model) make_rows(knobs, def->model);
    const wadi_knob *rows = wadi_model_knobs(def->model, NULL);
    for (int i = 0; i < WADI_MAX_KNOBS; i++) {
        if (knobs->rows[i] == NULL) continue;
        if (anew) describe(knobs->rows[i], def, preset, &rows[i]);
        params_row_show(knobs->rows[i], def->knobs[i]);
    }
    knobs->preset = preset;
    knobs->shown = *def;
}

knobs *knobs_new(params_changed *moved, void *user, GtkWidget **widget) {
    knobs *knobs = g_new0(struct knobs, 1);
    *widget = knobs->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 3);
    knobs->moved = moved;
    knobs->user = user;
    gtk_widget_add_css_class(knobs->box, "wadi-knobs");
    gtk_widget_set_visible(knobs->box, false);
    g_object_set_data_full(G_OBJECT(knobs->box), "wadi-knobs", knobs, g_free);
    return knobs;
}
