/* panel.c: the tools' buttons and sliders. */
#include "viewer/tools/panel.h"

#include "viewer/widgets/access.h"
#include "viewer/widgets/number.h"

#include <math.h>

struct tools {
    GtkWidget *box, *buttons[TOOLS], *radius, *strength, *falloff, *rate, *strength_row, *rate_row, *brush_rows, *help;
    GtkWidget *radius_text, *strength_text, *falloff_text, *rate_text;
    int now; /* index in tool_table */
    double radius_cells, falloff_share, strengths[TOOLS], source_rate, cell_m;
    double usual[TOOLS];        /* of the parameter that the strength is a multiple of */
    const char *measure[TOOLS]; /* its unit */
    int columns;
    bool showing;
    tools_changed *changed;
    void *user;
};

void tools_free(tools *tools) { g_free(tools); }
GtkWidget *tools_widget(const tools *tools) { return tools->box; }
const tool *tools_now(const tools *tools) { return tool_table[tools->now]; }
double tools_radius_m(const tools *tools) { return tools->radius_cells * tools->cell_m; }
double tools_falloff(const tools *tools) { return tools->falloff_share; }
double tools_source_rate(const tools *tools) { return tools->source_rate; }

double tools_strength(const tools *tools) {
    const tool *now = tools_now(tools);
    return tools->strengths[tools->now] * (now->grows ? tools->cell_m : now->of ? tools->usual[tools->now] : 1);
}

/* The value at a slider's position, 0 to 1, on a logarithmic scale. */
static double value_at(double position, double least, double most) { return least * pow(most / least, position); }
static double position_of(double value, double least, double most) { return log(value / least) / log(most / least); }

static void say(GtkWidget *label, double value, const char *unit) {
    char text[NUMBER_TEXT], line[2 * NUMBER_TEXT];
    g_snprintf(line, sizeof line, "%s %s", number_short(value, text), unit);
    gtk_label_set_text(GTK_LABEL(label), line);
}

/* "0.16 mm/a per s" */
static void say_strength(tools *tools) {
    const tool *now = tools_now(tools);
    char unit[NUMBER_TEXT];
    g_snprintf(unit, sizeof unit, "%s%s", now->of ? tools->measure[tools->now] : "", now->unit);
    say(tools->strength_text, tools_strength(tools), unit);
}

static void show(tools *tools) {
    const tool *now = tools_now(tools);
    const bool brush = tool_is_brush(now);
    tools->showing = true;
    gtk_widget_set_visible(tools->brush_rows, brush);
    gtk_widget_set_visible(tools->rate_row, now->pours);
    gtk_label_set_text(GTK_LABEL(tools->help), now->help);
    gtk_range_set_value(GTK_RANGE(tools->radius), position_of(tools->radius_cells, 0.5, 400));
    gtk_range_set_value(GTK_RANGE(tools->falloff), tools->falloff_share);
    gtk_range_set_value(GTK_RANGE(tools->rate), position_of(tools->source_rate, 0.001, 1e5));
    if (brush)
        gtk_range_set_value(GTK_RANGE(tools->strength),
                            position_of(tools->strengths[tools->now], now->least, now->most));
    say(tools->radius_text, tools_radius_m(tools), "m");
    say(tools->falloff_text, tools->falloff_share, "");
    say(tools->rate_text, tools->source_rate, "m\u00b3/s");
    if (brush) say_strength(tools);
    tools->showing = false;
}

static void slid(GtkRange *range, gpointer user) {
    tools *tools = user;
    const tool *now = tools_now(tools);
    const double at = gtk_range_get_value(range);
    if (tools->showing) return;
    if (GTK_WIDGET(range) == tools->radius) tools->radius_cells = value_at(at, 0.5, 400);
    if (GTK_WIDGET(range) == tools->falloff) tools->falloff_share = at;
    if (GTK_WIDGET(range) == tools->rate) tools->source_rate = value_at(at, 0.001, 1e5);
    if (GTK_WIDGET(range) == tools->strength && tool_is_brush(now))
        tools->strengths[tools->now] = value_at(at, now->least, now->most);
    show(tools);
    tools->changed(tools->user);
}

static void toggled(GtkToggleButton *button, gpointer user) {
    tools *tools = user;
    if (tools->showing || !gtk_toggle_button_get_active(button)) return;
    for (int i = 0; i < TOOLS; i++)
        if (GTK_WIDGET(button) == tools->buttons[i]) tools->now = i;
    show(tools);
    tools->changed(tools->user);
}

void tools_choose(tools *tools, int number) {
    if (gtk_widget_get_sensitive(tools->buttons[number]))
        gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(tools->buttons[number]), TRUE);
}

static double within(double value, double low, double high) { return value < low ? low : value > high ? high : value; }

void tools_grow(tools *tools, double by) {
    tools->radius_cells = within(tools->radius_cells * by, 0.5, 400);
    show(tools);
    tools->changed(tools->user);
}

void tools_grow_strength(tools *tools, double by) {
    const tool *now = tools_now(tools);
    if (tool_is_brush(now))
        tools->strengths[tools->now] = within(tools->strengths[tools->now] * by, now->least, now->most);
    if (now->pours) tools->source_rate = within(tools->source_rate * by, 0.001, 1e5);
    show(tools);
    tools->changed(tools->user);
}

/* The value of the model's first preset on this grid; where that is 0, a tenth of the largest. */
static double usual_value(const wadi_def *def, int parameter) {
    size_t count;
    double low, high;
    wadi_def usual = *def;
    wadi_def_bounds(def, parameter, &low, &high);
    if (wadi_def_preset(&usual, wadi_model_presets(def->model, &count)) != WADI_OK) return high / 10;
    return usual.values[parameter] > 0 ? usual.values[parameter] : high / 10;
}

static void measure(tools *tools, int i, const wadi_def *def) {
    size_t count;
    const int parameter = wadi_model_parameter_index(def->model, tool_table[i]->of);
    if (parameter < 0) return;
    tools->usual[i] = usual_value(def, parameter);
    tools->measure[i] = wadi_model_parameters(def->model, &count)[parameter].unit;
}

void tools_allow(tools *tools, const wadi_def *def) {
    gtk_widget_set_sensitive(tools->box, TRUE);
    for (int i = 0; i < TOOLS; i++) {
        const bool fits = !tool_table[i]->fits || tool_table[i]->fits(def->model);
        gtk_widget_set_sensitive(tools->buttons[i], fits);
        if (tools->now == i && !fits) tools_choose(tools, 0);
        if (fits && tool_table[i]->of) measure(tools, i, def);
    }
    if (tools_now(tools)->of) say_strength(tools);
}

/* The first radius of a brush is a fortieth of the map. */
void tools_set_cell(tools *tools, double cell_m, int columns) {
    tools->cell_m = cell_m;
    if (tools->columns == 0) tools->radius_cells = within(columns / 40.0, 2, 400);
    if (tools->columns == 0) tools->source_rate = within(0.5 * cell_m * cell_m, 0.001, 1e5);
    tools->columns = columns;
    show(tools);
}

static GtkWidget *slider_row(tools *tools, GtkWidget *into, const char *label, double high, GtkWidget **slider,
                             GtkWidget **text) {
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *head = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    GtkWidget *name = gtk_label_new(label);
    *text = gtk_label_new("");
    *slider = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, high, 0.01);
    gtk_scale_set_draw_value(GTK_SCALE(*slider), FALSE);
    gtk_widget_add_css_class(*text, "dim-label");
    gtk_label_set_xalign(GTK_LABEL(name), 0);
    gtk_widget_set_hexpand(name, TRUE);
    gtk_box_append(GTK_BOX(head), name);
    gtk_box_append(GTK_BOX(head), *text);
    gtk_box_append(GTK_BOX(row), head);
    gtk_box_append(GTK_BOX(row), *slider);
    gtk_box_append(GTK_BOX(into), row);
    access_label(*slider, label);
    g_signal_connect(*slider, "value-changed", G_CALLBACK(slid), tools);
    return row;
}

/* "Raise the ground; with Shift lower it (6)" */
static void set_tip(GtkWidget *button, const tool *tool) {
    const gunichar key = gdk_keyval_to_unicode(gdk_keyval_from_name(tool->key));
    char text[8] = "", tip[200];
    g_unichar_to_utf8(key, text);
    g_snprintf(tip, sizeof tip, "%s (%s)", tool->help, text);
    gtk_widget_set_tooltip_text(button, tip);
}

static void add_button(tools *tools, GtkWidget *grid, int i) {
    const tool *tool = tool_table[i];
    GtkWidget *button = gtk_toggle_button_new_with_label(tool->label);
    set_tip(button, tool);
    access_label(button, tool->label);
    access_describe(button, tool->help);
    gtk_widget_set_name(button, tool->id);
    gtk_widget_set_focus_on_click(button, FALSE);
    if (i > 0) gtk_toggle_button_set_group(GTK_TOGGLE_BUTTON(button), GTK_TOGGLE_BUTTON(tools->buttons[0]));
    gtk_grid_attach(GTK_GRID(grid), button, i % 2, i / 2, 1, 1);
    gtk_widget_set_hexpand(button, TRUE);
    tools->buttons[i] = button;
    g_signal_connect(button, "toggled", G_CALLBACK(toggled), tools);
}

static void add_buttons(tools *tools) {
    GtkWidget *grid = gtk_grid_new();
    gtk_grid_set_row_spacing(GTK_GRID(grid), 4);
    gtk_grid_set_column_spacing(GTK_GRID(grid), 4);
    gtk_grid_set_column_homogeneous(GTK_GRID(grid), TRUE);
    gtk_box_append(GTK_BOX(tools->box), grid);
    tools->showing = true;
    for (int i = 0; i < TOOLS; i++) add_button(tools, grid, i);
}

static void add_sliders(tools *tools) {
    tools->brush_rows = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
    slider_row(tools, tools->brush_rows, "Radius", 1, &tools->radius, &tools->radius_text);
    slider_row(tools, tools->brush_rows, "Strength", 1, &tools->strength, &tools->strength_text);
    slider_row(tools, tools->brush_rows, "Falloff", 1, &tools->falloff, &tools->falloff_text);
    gtk_box_append(GTK_BOX(tools->box), tools->brush_rows);
    tools->rate_row = slider_row(tools, tools->box, "Discharge", 1, &tools->rate, &tools->rate_text);
}

static void add_help(tools *tools) {
    tools->help = gtk_label_new("");
    gtk_label_set_wrap(GTK_LABEL(tools->help), TRUE);
    gtk_label_set_xalign(GTK_LABEL(tools->help), 0);
    gtk_label_set_max_width_chars(GTK_LABEL(tools->help), 18);
    gtk_widget_add_css_class(tools->help, "dim-label");
    gtk_box_append(GTK_BOX(tools->box), tools->help);
}

tools *tools_new(tools_changed *changed, void *user) {
    tools *tools = g_new0(struct tools, 1);
    tools->changed = changed, tools->user = user;
    tools->cell_m = 1, tools->radius_cells = 12, tools->falloff_share = 0.7, tools->source_rate = 1;
    for (int i = 0; i < TOOLS; i++) {
        tools->strengths[i] = tool_table[i]->usual;
        tools->usual[i] = 1;
        tools->measure[i] = "";
    }
    tools->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8);
    gtk_widget_add_css_class(tools->box, "tools");
    gtk_widget_set_hexpand(tools->box, FALSE);
    add_buttons(tools);
    add_sliders(tools);
    add_help(tools);
    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(tools->buttons[0]), TRUE);
    show(tools);
    gtk_widget_set_sensitive(tools->box, FALSE);
    return tools;
}
