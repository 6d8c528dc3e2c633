#include "params_number.h"

#include "access.h"
#include "number.h"

#include <math.h>

#define ENTRY_CHARS 8
#define UNIT_CHARS 4
#define STEP 0.01 /* fraction of a slider's length, for one arrow key */
#define PAGE 0.1
/* relative distance to a bound that still counts as the bound, because bounds are shown with four digits */
#define SLACK 1e-3

/* --- the entry --- */

/* Reads a number within the bounds. A bound that is typed as it is shown may exceed the bound by its rounding. */
static bool read_entry(const params_row *row, double *value) {
    if (!number_read(gtk_editable_get_text(GTK_EDITABLE(row->entry)), row->parameter->unit, value)) return false;
    if (*value < row->minimum - SLACK * fabs(row->minimum)) return false;
    if (*value > row->maximum + SLACK * fabs(row->maximum)) return false;
    *value = fmin(row->maximum, fmax(row->minimum, *value));
    return true;
}

/* A value outside the bounds is marked while it is typed, and never taken. */
static void mark_entry(const params_row *row, bool wrong) {
    if (gtk_widget_has_css_class(row->entry, "error") == wrong) return;
    char low[NUMBER_TEXT], high[NUMBER_TEXT], unit[NUMBER_TEXT];
    char *why = g_strdup_printf("A number from %s to %s %s", number_short(row->minimum, low),
                                number_short(row->maximum, high), number_unit(row->parameter->unit, unit));
    if (wrong)
        gtk_widget_add_css_class(row->entry, "error");
    else
        gtk_widget_remove_css_class(row->entry, "error");
    gtk_widget_set_tooltip_text(row->entry, wrong ? g_strchomp(why) : NULL);
    gtk_accessible_update_state(GTK_ACCESSIBLE(row->entry), GTK_ACCESSIBLE_STATE_INVALID,
                                wrong ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
    g_free(why);
}

/* Writes all digits while the entry is edited, and four otherwise. */
static void write_entry(params_row *row) {
    char text[NUMBER_TEXT];
    double held;
    const char *shown = gtk_editable_get_text(GTK_EDITABLE(row->entry));
    if (row->focused) {
        if (number_read(shown, "", &held) && held == row->value) return;
        number_exact(row->value, text);
    } else {
        number_short(row->value, text);
    }
    if (g_strcmp0(text, shown) == 0) return;
    const bool before = row->showing;
    row->showing = true;
    gtk_editable_set_text(GTK_EDITABLE(row->entry), text);
    gtk_editable_set_position(GTK_EDITABLE(row->entry), -1);
    row->showing = before;
}

static void entry_changed(GtkEditable *entry, void *data) {
    (void)entry;
    params_row *row = data;
    double value;
    if (row->showing) return;
    row->edited = true;
    mark_entry(row, !read_entry(row, &value));
}

static void forget_edit(params_row *row) {
    row->edited = false;
    mark_entry(row, false);
    write_entry(row);
}

static void entry_activated(GtkEntry *entry, void *data) {
    (void)entry;
    params_row *row = data;
    double value;
    if (!row->edited || !read_entry(row, &value)) return;
    row->edited = false;
    params_row_take(row, value, false);
}

static void entry_entered(GtkEventControllerFocus *focus, void *data) {
    (void)focus;
    params_row *row = data;
    row->focused = true;
    if (!row->edited) write_entry(row);
}

static void entry_left(GtkEventControllerFocus *focus, void *data) {
    (void)focus;
    params_row *row = data;
    double value;
    /* The focus also leaves when the window closes. An unfinished entry is then dropped. */
    const bool taken = row->edited && gtk_widget_get_mapped(row->entry) && read_entry(row, &value);
    row->focused = false;
    forget_edit(row);
    if (taken) params_row_take(row, value, false);
}

static void step_by(params_row *row, double way) {
    params_row_take(row, slide_value(&row->slide, slide_position(&row->slide, row->value) + way), true);
}

static gboolean entry_key(GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state, void *data) {
    (void)keys, (void)code;
    params_row *row = data;
    if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) return false;
    if (key == GDK_KEY_Escape && row->edited) {
        forget_edit(row);
        return true;
    }
    if (key != GDK_KEY_Up && key != GDK_KEY_Down) return false;
    forget_edit(row);
    step_by(row, key == GDK_KEY_Up ? STEP : -STEP);
    return true;
}

static GtkWidget *new_entry(params_row *row, const char *label) {
    GtkWidget *entry = row->entry = gtk_entry_new();
    gtk_editable_set_width_chars(GTK_EDITABLE(entry), ENTRY_CHARS);
    gtk_editable_set_max_width_chars(GTK_EDITABLE(entry), ENTRY_CHARS);
    gtk_entry_set_alignment(GTK_ENTRY(entry), 1);
    gtk_entry_set_input_purpose(GTK_ENTRY(entry), GTK_INPUT_PURPOSE_NUMBER);
    gtk_widget_set_valign(entry, GTK_ALIGN_CENTER);
    access_label(entry, label);
    g_signal_connect(entry, "changed", G_CALLBACK(entry_changed), row);
    g_signal_connect(entry, "activate", G_CALLBACK(entry_activated), row);
    GtkEventController *focus = gtk_event_controller_focus_new();
    g_signal_connect(focus, "enter", G_CALLBACK(entry_entered), row);
    g_signal_connect(focus, "leave", G_CALLBACK(entry_left), row);
    gtk_widget_add_controller(entry, focus);
    GtkEventController *keys = gtk_event_controller_key_new();
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
    g_signal_connect(keys, "key-pressed", G_CALLBACK(entry_key), row);
    gtk_widget_add_controller(entry, keys);
    return entry;
}

/* --- the slider --- */

static void scale_moved(GtkRange *range, void *data) {
    params_row *row = data;
    if (row->showing) return;
    row->edited = false;
    params_row_take(row, slide_value(&row->slide, gtk_range_get_value(range)), true);
}

/* The wheel scrolls the panel. It must not change a slider that moves under the pointer. */
static void ignore_wheel(GtkWidget *scale) {
    GListModel *controllers = gtk_widget_observe_controllers(scale);
    for (guint i = 0; i < g_list_model_get_n_items(controllers); i++) {
        GtkEventController *controller = g_list_model_get_item(controllers, i);
        if (GTK_IS_EVENT_CONTROLLER_SCROLL(controller))
            gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_NONE);
        g_object_unref(controller);
    }
    g_object_unref(controllers);
}

static GtkWidget *new_scale(params_row *row, const char *label) {
    GtkAdjustment *way = gtk_adjustment_new(0, 0, 1, STEP, PAGE, 0);
    GtkWidget *scale = row->scale = gtk_scale_new(GTK_ORIENTATION_HORIZONTAL, way);
    gtk_scale_set_draw_value(GTK_SCALE(scale), false);
    gtk_widget_set_hexpand(scale, true);
    gtk_widget_set_valign(scale, GTK_ALIGN_CENTER);
    ignore_wheel(scale);
    access_label(scale, label);
    g_signal_connect(scale, "value-changed", G_CALLBACK(scale_moved), row);
    return scale;
}

/* --- both --- */

void params_number_add(params_row *row, GtkWidget *name, const char *label) {
    char text[NUMBER_TEXT];
    GtkWidget *left = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_box_append(GTK_BOX(left), name);
    gtk_box_append(GTK_BOX(left), new_scale(row, label));
    gtk_widget_set_margin_bottom(left, 1); /* Tab follows the vertical centres of widgets: this puts the slider first */
    GtkWidget *unit = gtk_label_new(number_unit(row->parameter->unit, text));
    gtk_label_set_width_chars(GTK_LABEL(unit), UNIT_CHARS);
    gtk_label_set_xalign(GTK_LABEL(unit), 0);
    gtk_widget_add_css_class(unit, "dim-label");
    gtk_box_append(GTK_BOX(row->box), left);
    gtk_box_append(GTK_BOX(row->box), new_entry(row, label));
    gtk_box_append(GTK_BOX(row->box), unit);
}

void params_number_display(params_row *row) {
    /* If the slider already stands for this value, it stays where the pointer holds it. */
    const double means = slide_value(&row->slide, gtk_range_get_value(GTK_RANGE(row->scale)));
    if (means != row->value) gtk_range_set_value(GTK_RANGE(row->scale), slide_position(&row->slide, row->value));
    if (!row->edited) {
        write_entry(row);
        mark_entry(row, false);
    }
    char text[NUMBER_TEXT];
    gtk_accessible_update_property(GTK_ACCESSIBLE(row->scale), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                   number_with_unit(row->value, row->parameter->unit, text), -1);
}
