#include "params_row.h"

#include "number.h"

#include <math.h>
#include <string.h>

#define SETTLED_AFTER 400 /* milliseconds */

bool params_row_is_switch(const wadi_parameter *parameter) {
    const char *const *names = parameter->choices;
    return names != NULL && strcmp(names[0], "off") == 0 && names[1] != NULL && strcmp(names[1], "on") == 0 &&
           names[2] == NULL;
}

char *params_row_words(const wadi_parameter *parameter) { return g_strdelimit(g_strdup(parameter->alias), "-_", ' '); }

static void display(params_row *row) {
    row->showing = true;
    if (row->display != NULL) row->display(row);
    if (row->choice != NULL) gtk_drop_down_set_selected(GTK_DROP_DOWN(row->choice), (guint)fmax(0, row->value));
    if (row->toggle != NULL) gtk_switch_set_active(GTK_SWITCH(row->toggle), row->value > 0);
    row->showing = false;
    /* A pressed button loses the focus when it becomes insensitive. The focus is therefore moved on first. */
    const bool differs = fabs(row->value - row->standard) > 1e-12 * fabs(row->standard);
    if (!differs && gtk_widget_has_focus(row->reset)) gtk_widget_child_focus(row->box, GTK_DIR_TAB_BACKWARD);
    gtk_widget_set_sensitive(row->reset, differs);
}

void params_row_show(params_row *row, double value) {
    if (row->settle_timer != 0) {
        row->given = value;
        row->late = true;
        return;
    }
    if (row->value == value) return;
    row->value = value;
    display(row);
}

static gboolean settled(void *data) {
    params_row *row = data;
    row->settle_timer = 0;
    if (row->late) params_row_show(row, row->given);
    row->late = false;
    return G_SOURCE_REMOVE;
}

static void report(params_row *row) {
    g_clear_handle_id(&row->report_timer, g_source_remove);
    row->reported = g_get_monotonic_time();
    if (row->changed != NULL) row->changed(row->user, row->parameter->name, row->value);
}

static gboolean report_late(void *data) {
    params_row *row = data;
    row->report_timer = 0;
    report(row);
    return G_SOURCE_REMOVE;
}

void params_row_take(params_row *row, double value, bool often) {
    if (row->value == value) return;
    row->value = value;
    row->late = false;
    g_clear_handle_id(&row->settle_timer, g_source_remove);
    row->settle_timer = g_timeout_add(SETTLED_AFTER, settled, row);
    display(row);
    const gint64 wait = row->reported + PARAMS_REPORT_EVERY - g_get_monotonic_time();
    if (!often || wait <= 0)
        report(row);
    else if (row->report_timer == 0)
        row->report_timer = g_timeout_add((guint)(wait / 1000 + 1), report_late, row);
}

static void clear_timers(params_row *row) {
    g_clear_handle_id(&row->report_timer, g_source_remove);
    g_clear_handle_id(&row->settle_timer, g_source_remove);
}

void params_row_stop(params_row *row) {
    clear_timers(row);
    row->changed = NULL;
}

static const char *value_text(const params_row *row, double value, char text[NUMBER_TEXT]) {
    char unit[NUMBER_TEXT];
    if (row->parameter->choices != NULL) return row->parameter->choices[(size_t)value];
    number_short(value, text);
    number_unit(row->parameter->unit, unit);
    if (unit[0] != '\0') g_strlcat(text, " ", NUMBER_TEXT);
    g_strlcat(text, unit, NUMBER_TEXT);
    return text;
}

static void set_tooltip(const params_row *row, double cell_m) {
    const wadi_parameter *parameter = row->parameter;
    char low[NUMBER_TEXT], high[NUMBER_TEXT], text[NUMBER_TEXT], cell[NUMBER_TEXT];
    char *words = params_row_words(parameter);
    char *head = g_markup_printf_escaped("<b>%s</b> <i>%s</i>\n%s\n\n", words, parameter->name, parameter->meaning);
    char *range = parameter->choices != NULL
                      ? g_strdup("")
                      : g_strdup_printf("Range %s to %s, for cells of %s\n", number_short(row->minimum, low),
                                        value_text(row, row->maximum, high), number_with_unit(cell_m, "m", cell));
    char *tail = g_markup_printf_escaped(
        "Default %s\nSource: %s%s<small>%s</small>", value_text(row, row->standard, text), parameter->source,
        strcmp(parameter->source, "ours") == 0 ? "" : "\n",
        strcmp(parameter->source, "ours") == 0 ? "" : (char *)g_object_get_data(G_OBJECT(row->box), "wadi-citation"));
    char *all = g_strconcat(head, range, tail, NULL);
    gtk_widget_set_tooltip_markup(row->box, all);
    char *back = g_strdup_printf("Back to %s, as the preset has it", value_text(row, row->standard, text));
    gtk_widget_set_tooltip_text(row->reset, back);
    g_free(back);
    g_free(all);
    g_free(tail);
    g_free(range);
    g_free(head);
    g_free(words);
}

void params_row_range(params_row *row, double minimum, double maximum, double standard) {
    clear_timers(row); /* a pending report is for another cell size */
    row->minimum = minimum, row->maximum = maximum, row->standard = standard;
    const double scale = row->parameter->maximum > 0 ? row->maximum / row->parameter->maximum : 1;
    row->slide = slide_for(row->minimum, row->maximum, row->least_usual * scale);
    row->value = (double)NAN; /* forces an update at the next display */
}

void params_row_bounds(params_row *row, const wadi_def *def, int index, double standard) {
    double minimum, maximum;
    wadi_def_bounds(def, index, &minimum, &maximum);
    params_row_range(row, minimum, maximum, standard);
    set_tooltip(row, sqrt(def->lx * def->ly));
}

bool params_row_matches(const params_row *row, char *const *words) {
    char *text = g_strjoin(" ", row->parameter->name, row->parameter->alias, row->parameter->meaning, NULL);
    char *spaced = g_strdelimit(g_strdup(text), "-_", ' ');
    char *all = g_strjoin(" ", text, spaced, NULL), *folded = g_utf8_casefold(all, -1);
    bool matches = true;
    for (; *words != NULL && matches; words++) matches = strstr(folded, *words) != NULL;
    g_free(folded);
    g_free(all);
    g_free(spaced);
    g_free(text);
    return matches;
}
