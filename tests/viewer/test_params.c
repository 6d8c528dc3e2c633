/* The parameter panel of every model: it has a row for each parameter, and reports what it must, and nothing else. */
#include "stage.h"

#include "widgets/number.h"
#include "widgets/params.h"
#include "widgets/params_row.h"

typedef struct heard {
    int changes, knobs, presets, other_names; /* other_names: reports whose name is no parameter's symbol */
    char name[64];
    double value;
    double values[WADI_MAX_PARAMETERS]; /* last reported value; NaN: none */
    double position;                    /* of the last knob */
    const wadi_preset *preset;
    const own_preset *own;
} heard;

typedef struct scene {
    heard heard;
    wadi_def def;
    const wadi_parameter *parameters;
    size_t count;
    GtkWidget *panel;
    GtkWindow *window;
    const wadi_preset *base; /* that the definition began with */
} scene;

static void changed(void *user, const char *name, double value) {
    scene *scene = user;
    heard *heard = &scene->heard;
    heard->changes++;
    g_strlcpy(heard->name, name, sizeof heard->name);
    const int index = wadi_model_parameter_index(scene->def.model, name);
    heard->other_names += index < 0 || strcmp(scene->parameters[index].name, name) != 0;
    if (index >= 0) heard->values[index] = value;
    heard->value = value;
}

static void preset_chosen(void *user, const wadi_preset *preset, const own_preset *own) {
    heard *heard = &((scene *)user)->heard;
    heard->presets++;
    heard->preset = preset;
    heard->own = own;
}

static void knob_moved(void *user, const char *name, double position) {
    scene *scene = user;
    heard *heard = &scene->heard;
    heard->knobs++;
    heard->position = position;
    g_strlcpy(heard->name, name, sizeof heard->name);
}

static void show(const scene *scene) { params_show(scene->panel, &scene->def, scene->base); }

/* The parameters, which fold away. */
static GtkExpander *constants_of(const scene *scene) {
    return GTK_EXPANDER(stage_find(scene->panel, GTK_TYPE_EXPANDER, "wadi-constants"));
}

static void open_scene(scene *scene, const wadi_model *model, double cell_m) {
    *scene = (struct scene){.def = wadi_default_def(model, 64, 64, cell_m, cell_m)};
    scene->parameters = wadi_model_parameters(model, &scene->count);
    scene->base = wadi_model_presets(model, NULL);
    scene->panel = params_new(changed, knob_moved, preset_chosen, scene);
    show(scene);
    gtk_expander_set_expanded(constants_of(scene), true);
    scene->window = stage_show(scene->panel, 340, 800);
}

/* jako2011 with a Kc of 0.8. */
static void open_at_a_Kc(scene *scene) {
    open_scene(scene, wadi_model_find("jako2011"), 1);
    assert_int_equal(wadi_def_set(&scene->def, "Kc", 0.8), WADI_OK);
    show(scene);
}

static void close_scene(scene *scene) {
    stage_close(scene->window);
    assert_int_equal(scene->heard.other_names, 0);
}

static void gather_row(GtkWidget *widget, void *rows) {
    if (gtk_widget_has_css_class(widget, "wadi-row")) g_ptr_array_add(rows, widget);
}

static GPtrArray *rows_of(const scene *scene) {
    GPtrArray *rows = g_ptr_array_new();
    stage_walk(scene->panel, gather_row, rows);
    return rows;
}

static GtkWidget *row_of(const scene *scene, const char *name) {
    GPtrArray *rows = rows_of(scene);
    GtkWidget *found = NULL;
    for (guint i = 0; i < rows->len; i++)
        if (strcmp(gtk_widget_get_name(rows->pdata[i]), name) == 0) found = rows->pdata[i];
    g_ptr_array_free(rows, true);
    assert_non_null(found);
    return found;
}

static GtkWidget *part(GtkWidget *row, GType type) { return stage_find(row, type, NULL); }
static GtkWidget *reset_of(GtkWidget *row) { return stage_find(row, GTK_TYPE_BUTTON, "wadi-reset"); }

static void assert_allowed(const scene *scene, size_t index, double value) {
    double low, high;
    wadi_def_bounds(&scene->def, (int)index, &low, &high);
    if (!(value >= low && value <= high))
        fail_msg("%s: %g is outside %g to %g", scene->parameters[index].name, value, low, high);
    if (scene->parameters[index].choices != NULL) assert_true(value == floor(value));
}

/* The last report is of this parameter, and within its range. */
static void assert_heard(const scene *scene, size_t index) {
    assert_string_equal(scene->heard.name, scene->parameters[index].name);
    assert_allowed(scene, index, scene->heard.value);
}

static void for_every_model(void (*check)(scene *scene)) {
    static const double cells_m[] = {1, 30};
    for (size_t m = 0; m < wadi_model_count(); m++)
        for (int c = 0; c < COUNT(cells_m); c++) {
            scene scene;
            open_scene(&scene, wadi_model_at(m), cells_m[c]);
            check(&scene);
            close_scene(&scene);
        }
}

/* --- rows --- */

static void check_rows(scene *scene) {
    GPtrArray *rows = rows_of(scene);
    assert_int_equal(rows->len, scene->count);
    g_ptr_array_free(rows, true);
    for (size_t i = 0; i < scene->count; i++) {
        const wadi_parameter *parameter = &scene->parameters[i];
        GtkWidget *row = row_of(scene, parameter->name);
        const bool number = parameter->choices == NULL, toggle = params_row_is_switch(parameter);
        assert_int_equal(part(row, GTK_TYPE_SCALE) != NULL, number);
        assert_int_equal(part(row, GTK_TYPE_ENTRY) != NULL, number);
        assert_int_equal(part(row, GTK_TYPE_SWITCH) != NULL, toggle);
        assert_int_equal(part(row, GTK_TYPE_DROP_DOWN) != NULL, !number && !toggle);
        assert_false(gtk_widget_get_sensitive(reset_of(row))); /* disabled at the default */
        const char *tip = gtk_widget_get_tooltip_text(row);
        assert_non_null(strstr(tip, parameter->name));
        assert_non_null(strstr(tip, parameter->meaning));
        assert_non_null(strstr(tip, parameter->source));
        assert_non_null(strstr(tip, "Default "));
    }
}
static void a_row_for_every_parameter(void **state) {
    (void)state;
    for_every_model(check_rows);
}

/* The panel shows the values of the definition. */
static void assert_shown(const scene *scene) {
    for (size_t i = 0; i < scene->count; i++) {
        GtkWidget *row = row_of(scene, scene->parameters[i].name);
        double shown;
        if (scene->parameters[i].choices == NULL)
            assert_true(number_read(gtk_editable_get_text(GTK_EDITABLE(part(row, GTK_TYPE_ENTRY))), "", &shown));
        else if (params_row_is_switch(&scene->parameters[i]))
            shown = gtk_switch_get_active(GTK_SWITCH(part(row, GTK_TYPE_SWITCH)));
        else
            shown = gtk_drop_down_get_selected(GTK_DROP_DOWN(part(row, GTK_TYPE_DROP_DOWN)));
        if (fabs(shown - scene->def.values[i]) > 6e-4 * fabs(scene->def.values[i]))
            fail_msg("%s: %g is shown for %g", scene->parameters[i].name, shown, scene->def.values[i]);
    }
}

static void check_silence(scene *scene) {
    size_t count;
    const wadi_preset *presets = wadi_model_presets(scene->def.model, &count);
    for (size_t p = 0; p < count; p++) {
        wadi_def_preset(&scene->def, &presets[p]);
        show(scene);
        assert_shown(scene);
    }
    for (int end = 0; end < 2; end++) {
        for (size_t i = 0; i < scene->count; i++) {
            double bounds[2];
            wadi_def_bounds(&scene->def, (int)i, &bounds[0], &bounds[1]);
            scene->def.values[i] = bounds[end];
        }
        show(scene);
        assert_shown(scene);
    }
    scene->def = wadi_default_def(scene->def.model, 64, 64, 3, 4);
    show(scene);
    assert_shown(scene);
    stage_wait(60);
    assert_int_equal(scene->heard.changes, 0);
    assert_int_equal(scene->heard.presets, 0);
}
static void showing_values_reports_nothing(void **state) {
    (void)state;
    for_every_model(check_silence);
}

static void another_model_makes_other_rows(void **state) {
    (void)state;
    scene scene;
    open_scene(&scene, wadi_model_at(0), 1);
    for (size_t m = 0; m < wadi_model_count(); m++) {
        scene.def = wadi_default_def(wadi_model_at(m), 64, 64, 1, 1);
        scene.parameters = wadi_model_parameters(wadi_model_at(m), &scene.count);
        scene.base = wadi_model_presets(wadi_model_at(m), NULL);
        show(&scene);
        check_rows(&scene);
        stage_wait(20);
    }
    close_scene(&scene);
}

/* --- user input --- */

/* Sets each slider, or sends it a key. Then each must have reported in time. */
typedef void slider_act(GtkRange *range, double way);
static void set_way(GtkRange *range, double way) { gtk_range_set_value(range, way); }
static void step_right(GtkRange *range, double way) {
    (void)way;
    g_signal_emit_by_name(range, "move-slider", GTK_SCROLL_STEP_RIGHT);
}

static const params_row *slider_row(const scene *scene, size_t index) {
    const params_row *row = g_object_get_data(G_OBJECT(row_of(scene, scene->parameters[index].name)), "wadi-row");
    return row->scale != NULL ? row : NULL;
}

static void act_on_sliders(scene *scene, slider_act *act, double way) {
    for (size_t i = 0; i < scene->count; i++) scene->heard.values[i] = (double)NAN;
    for (size_t i = 0; i < scene->count; i++)
        if (slider_row(scene, i) != NULL) act(GTK_RANGE(slider_row(scene, i)->scale), way);
    stage_wait(60);
}

static void check_sliders(scene *scene) {
    static const double ways[] = {0.37, 0.004, 0.995, 1, 0.5, 0};
    double before[WADI_MAX_PARAMETERS];
    memcpy(before, scene->def.values, sizeof before);
    for (int w = 0; w < COUNT(ways); w++) {
        act_on_sliders(scene, set_way, ways[w]);
        for (size_t i = 0; i < scene->count; i++) {
            const params_row *row = slider_row(scene, i);
            if (row == NULL || slide_value(&row->slide, ways[w]) == before[i]) continue;
            before[i] = scene->heard.values[i];
            assert_allowed(scene, i, before[i]);
            assert_true(before[i] == slide_value(&row->slide, ways[w]));
        }
    }
    for (int steps = 1; steps <= 3; steps++) { /* the first step also leaves the end of the range */
        act_on_sliders(scene, step_right, 0);
        for (size_t i = 0; i < scene->count; i++) {
            if (slider_row(scene, i) == NULL) continue;
            assert_true(scene->heard.values[i] > before[i]);
            before[i] = scene->heard.values[i];
        }
    }
}
static void every_slider_reports(void **state) {
    (void)state;
    for_every_model(check_sliders);
}

static void sliders_are_alike_at_every_cell_size(void **state) {
    (void)state;
    static const double cells_m[] = {1, 0.5, 2.7, 10, 30, 90, 1000};
    for (size_t m = 0; m < wadi_model_count(); m++) {
        scene scene;
        open_scene(&scene, wadi_model_at(m), 1);
        double position[WADI_MAX_PARAMETERS];
        for (int c = 0; c < COUNT(cells_m); c++) {
            scene.def = wadi_default_def(wadi_model_at(m), 64, 64, cells_m[c], cells_m[c]);
            show(&scene);
            for (size_t i = 0; i < scene.count; i++) {
                if (slider_row(&scene, i) == NULL) continue;
                const double now = gtk_range_get_value(GTK_RANGE(slider_row(&scene, i)->scale));
                if (c > 0 && fabs(now - position[i]) > 0.005)
                    fail_msg("%s at %g m: %g, not %g", scene.parameters[i].name, cells_m[c], now, position[i]);
                if (c == 0) position[i] = now;
            }
        }
        close_scene(&scene);
    }
}

/* A wheel over the panel scrolls it, and changes nothing. */
static void wheels_move_no_slider(void **state) {
    (void)state;
    scene scene;
    open_scene(&scene, wadi_model_find("jako2011"), 1);
    for (size_t i = 0; i < scene.count; i++) {
        if (slider_row(&scene, i) == NULL) continue;
        GtkEventController *wheel = stage_controller(slider_row(&scene, i)->scale, GTK_TYPE_EVENT_CONTROLLER_SCROLL);
        assert_true(wheel == NULL || gtk_event_controller_get_propagation_phase(wheel) == GTK_PHASE_NONE);
    }
    close_scene(&scene);
}

static void check_choices(scene *scene) {
    for (size_t i = 0; i < scene->count; i++) {
        const wadi_parameter *parameter = &scene->parameters[i];
        GtkWidget *row = row_of(scene, parameter->name);
        GtkWidget *toggle = part(row, GTK_TYPE_SWITCH), *choice = part(row, GTK_TYPE_DROP_DOWN);
        for (int n = 0; parameter->choices != NULL && parameter->choices[n] != NULL; n++) {
            const int wanted = (int)scene->def.values[i] == 0 ? !n : n; /* the other one first */
            const int before = scene->heard.changes;
            if (toggle != NULL) gtk_switch_set_active(GTK_SWITCH(toggle), wanted > 0);
            if (choice != NULL) gtk_drop_down_set_selected(GTK_DROP_DOWN(choice), (guint)(toggle ? wanted : n));
            if (choice != NULL && scene->heard.changes == before) continue; /* it had that value already */
            assert_int_equal(scene->heard.changes, before + 1);
            assert_heard(scene, i);
            assert_true(scene->heard.value == (toggle != NULL ? wanted : n));
        }
    }
}
static void every_switch_and_choice_reports(void **state) {
    (void)state;
    for_every_model(check_choices);
}

static void type(GtkWidget *entry, const char *text) {
    gtk_editable_set_text(GTK_EDITABLE(entry), text);
    g_signal_emit_by_name(entry, "activate");
}

static void refuse(scene *scene, GtkWidget *entry, const char *text) {
    const int before = scene->heard.changes;
    type(entry, text);
    if (scene->heard.changes != before) fail_msg("'%s' was taken for %s", text, scene->heard.name);
    assert_true(gtk_widget_has_css_class(entry, "error"));
    assert_non_null(gtk_widget_get_tooltip_text(entry));
}

static void type_numbers(scene *scene, size_t index, GtkWidget *entry) {
    char text[NUMBER_TEXT];
    double low, high;
    wadi_def_bounds(&scene->def, (int)index, &low, &high);
    const double within = low + 0.61803398874989 * (high - low);
    int before = scene->heard.changes;
    type(entry, number_exact(within, text));
    assert_int_equal(scene->heard.changes, before + 1);
    assert_heard(scene, index);
    assert_true(scene->heard.value == within); /* to the last bit */
    refuse(scene, entry, number_exact(high + fmax(1, high), text));
    refuse(scene, entry, number_exact(low - fmax(1, fabs(low)), text));
    static const char *const wrong[] = {"", "abc", "nan", "inf", "1e999", "1 furlong", "0x", "1,2,3"};
    for (int i = 0; i < COUNT(wrong); i++) refuse(scene, entry, wrong[i]);
    before = scene->heard.changes;
    type(entry, number_short(high, text)); /* a bound as it is shown, which may be slightly beyond */
    assert_int_equal(scene->heard.changes, before + 1);
    assert_heard(scene, index);
    assert_false(gtk_widget_has_css_class(entry, "error"));
    assert_true(fabs(scene->heard.value - high) <= 1e-3 * high);
}

static void check_entries(scene *scene) {
    for (size_t i = 0; i < scene->count; i++) {
        GtkWidget *entry = part(row_of(scene, scene->parameters[i].name), GTK_TYPE_ENTRY);
        if (entry != NULL) type_numbers(scene, i, entry);
    }
}
static void entries_take_exact_numbers_inside_the_range(void **state) {
    (void)state;
    for_every_model(check_entries);
}

static void check_resets(scene *scene) {
    const wadi_def standard = scene->def;
    for (size_t i = 0; i < scene->count; i++) {
        double low, high;
        wadi_def_bounds(&scene->def, (int)i, &low, &high);
        scene->def.values[i] = scene->def.values[i] == high ? low : high;
    }
    show(scene);
    for (size_t i = 0; i < scene->count; i++) {
        GtkWidget *reset = reset_of(row_of(scene, scene->parameters[i].name));
        assert_true(gtk_widget_get_sensitive(reset));
        g_signal_emit_by_name(reset, "clicked");
        assert_int_equal(scene->heard.changes, i + 1);
        assert_heard(scene, i);
        assert_true(scene->heard.value == standard.values[i]);
        assert_false(gtk_widget_get_sensitive(reset));
    }
    scene->def = standard;
    assert_shown(scene);
}
static void resets_lead_back_to_the_default(void **state) {
    (void)state;
    for_every_model(check_resets);
}

/* --- editing, dragging --- */

static void focus_shows_every_digit(void **state) {
    (void)state;
    scene scene;
    open_scene(&scene, wadi_model_find("jako2011"), 1);
    GtkWidget *entry = part(row_of(&scene, "Kc"), GTK_TYPE_ENTRY);
    wadi_def_set(&scene.def, "Kc", 0.123456789012);
    show(&scene);
    assert_string_equal(gtk_editable_get_text(GTK_EDITABLE(entry)), "0.1235");
    gtk_widget_grab_focus(entry);
    stage_wait(20);
    assert_string_equal(gtk_editable_get_text(GTK_EDITABLE(entry)), "0.123456789012");
    gtk_widget_grab_focus(part(row_of(&scene, "Ks"), GTK_TYPE_ENTRY));
    stage_wait(20);
    assert_string_equal(gtk_editable_get_text(GTK_EDITABLE(entry)), "0.1235");
    assert_int_equal(scene.heard.changes, 0); /* entering the focus changes nothing */
    gtk_widget_grab_focus(entry);
    stage_wait(20);
    gtk_editable_set_text(GTK_EDITABLE(entry), "0.25 s");
    show(&scene); /* does not overwrite text that is being typed */
    assert_string_equal(gtk_editable_get_text(GTK_EDITABLE(entry)), "0.25 s");
    gtk_widget_grab_focus(part(row_of(&scene, "Ks"), GTK_TYPE_ENTRY));
    stage_wait(20);
    assert_int_equal(scene.heard.changes, 1);
    assert_true(scene.heard.value == 0.25);
    gtk_widget_grab_focus(entry);
    stage_wait(20);
    gtk_editable_set_text(GTK_EDITABLE(entry), "77");
    gtk_widget_grab_focus(part(row_of(&scene, "Ks"), GTK_TYPE_ENTRY));
    stage_wait(20);
    assert_int_equal(scene.heard.changes, 1);
    assert_string_equal(gtk_editable_get_text(GTK_EDITABLE(entry)), "0.25");
    assert_false(gtk_widget_has_css_class(entry, "error"));
    close_scene(&scene);
}

static void keys_in_an_entry_step_and_give_up(void **state) {
    (void)state;
    scene scene;
    open_at_a_Kc(&scene);
    GtkWidget *entry = part(row_of(&scene, "Kc"), GTK_TYPE_ENTRY);
    gtk_editable_set_text(GTK_EDITABLE(entry), "50");
    assert_true(gtk_widget_has_css_class(entry, "error"));
    assert_true(stage_key(entry, GDK_KEY_Escape, 0));
    assert_string_equal(gtk_editable_get_text(GTK_EDITABLE(entry)), "0.8");
    assert_false(gtk_widget_has_css_class(entry, "error"));
    assert_int_equal(scene.heard.changes, 0);
    assert_true(stage_key(entry, GDK_KEY_Up, 0));
    stage_wait(40);
    assert_true(scene.heard.value > 0.8 && scene.heard.value < 1);
    assert_true(stage_key(entry, GDK_KEY_Down, 0) && stage_key(entry, GDK_KEY_Down, 0));
    stage_wait(40);
    assert_true(scene.heard.value < 0.8 && scene.heard.value > 0.6);
    close_scene(&scene);
}

static void dragging_reports_thirty_times_a_second_and_at_the_end(void **state) {
    (void)state;
    scene scene;
    open_scene(&scene, wadi_model_find("jako2011"), 1);
    GtkWidget *scale = part(row_of(&scene, "Kc"), GTK_TYPE_SCALE);
    const gint64 begin = g_get_monotonic_time();
    for (int i = 0; i <= 200; i++) {
        gtk_range_set_value(GTK_RANGE(scale), 0.1 + 0.004 * i);
        if (i < 200) stage_wait(2);
    }
    const double drag_ms = (double)(g_get_monotonic_time() - begin) / 1000;
    const params_row *row = g_object_get_data(G_OBJECT(row_of(&scene, "Kc")), "wadi-row");
    stage_wait(60);
    assert_true(scene.heard.changes >= 5);
    assert_true(scene.heard.changes <= drag_ms / 33 + 2);
    assert_true(scene.heard.value == slide_value(&row->slide, 0.9));
    const int before = scene.heard.changes;
    stage_wait(100);
    assert_int_equal(scene.heard.changes, before);
    close_scene(&scene);
}

static double slider_shows(const scene *scene, const char *name) {
    const params_row *row = g_object_get_data(G_OBJECT(row_of(scene, name)), "wadi-row");
    return slide_value(&row->slide, gtk_range_get_value(GTK_RANGE(row->scale)));
}

static void an_old_value_does_not_pull_the_slider_back(void **state) {
    (void)state;
    scene scene;
    open_at_a_Kc(&scene);
    GtkWidget *scale = part(row_of(&scene, "Kc"), GTK_TYPE_SCALE);
    gtk_range_set_value(GTK_RANGE(scale), 0.2);
    const double moved = slider_shows(&scene, "Kc");
    assert_true(moved != 0.8);
    show(&scene); /* with the old value */
    assert_true(slider_shows(&scene, "Kc") == moved);
    stage_wait(550);
    assert_true(slider_shows(&scene, "Kc") == 0.8); /* a refused value is finally shown as such */
    gtk_range_set_value(GTK_RANGE(scale), 0.2);
    stage_wait(550);
    assert_true(slider_shows(&scene, "Kc") == moved); /* no other value was set since */
    close_scene(&scene);
}

/* --- presets --- */

static GtkWidget *preset_drop_down(const scene *scene) {
    return part(stage_find(scene->panel, GTK_TYPE_BOX, "wadi-head"), GTK_TYPE_DROP_DOWN);
}

static const char *preset_shown(const scene *scene) {
    return gtk_string_object_get_string(gtk_drop_down_get_selected_item(GTK_DROP_DOWN(preset_drop_down(scene))));
}

static void choose_preset(scene *scene, guint position) {
    const int before = scene->heard.presets;
    gtk_drop_down_set_selected(GTK_DROP_DOWN(preset_drop_down(scene)), position);
    for (int i = 0; i < 100 && scene->heard.presets == before; i++) stage_wait(5);
    assert_int_equal(scene->heard.presets, before + 1);
}

static void check_presets(scene *scene) {
    size_t count;
    const wadi_preset *presets = wadi_model_presets(scene->def.model, &count);
    GtkDropDown *drop_down = GTK_DROP_DOWN(preset_drop_down(scene));
    assert_int_equal(g_list_model_get_n_items(gtk_drop_down_get_model(drop_down)), count);
    assert_string_equal(preset_shown(scene), presets[0].name);
    for (size_t i = 0; i < count; i++) {
        const size_t other = (i + 1) % count;
        choose_preset(scene, (guint)other);
        assert_ptr_equal(scene->heard.preset, &presets[other]);
        wadi_def_preset(&scene->def, &presets[other]);
        show(scene);
        assert_shown(scene);
        assert_string_equal(preset_shown(scene), presets[other].name);
        assert_string_equal(gtk_widget_get_tooltip_text(GTK_WIDGET(drop_down)), presets[other].summary);
    }
    assert_int_equal(scene->heard.presets, count);
    assert_int_equal(scene->heard.changes, 0);
}
static void every_preset_can_be_chosen(void **state) {
    (void)state;
    for_every_model(check_presets);
}

static void changed_values_are_no_presets(void **state) {
    (void)state;
    scene scene;
    open_scene(&scene, wadi_model_find("jako2011"), 30);
    size_t count;
    const wadi_preset *presets = wadi_model_presets(scene.def.model, &count);
    scene.def.values[wadi_model_parameter_index(scene.def.model, "Ks")] *= 1.5;
    show(&scene);
    assert_string_equal(preset_shown(&scene), "valleys, changed");
    choose_preset(&scene, 1);
    assert_ptr_equal(scene.heard.preset, &presets[0]);
    show(&scene); /* the preset was refused */
    assert_string_equal(preset_shown(&scene), "valleys, changed");
    choose_preset(&scene, 3);
    assert_ptr_equal(scene.heard.preset, &presets[2]);
    wadi_def_preset(&scene.def, &presets[2]);
    scene.base = &presets[2];
    show(&scene);
    assert_string_equal(preset_shown(&scene), presets[2].name);
    scene.def.boundary = WADI_WRAP;
    show(&scene);
    assert_string_equal(preset_shown(&scene), "soft, changed");
    close_scene(&scene);
}

static wadi_status apply_wet(const void *what, wadi_def *def) {
    const wadi_model *model = def->model;
    const wadi_status status = wadi_def_preset(def, wadi_preset_find("alpine", &model));
    return status == WADI_OK ? wadi_def_knob(def, what, 1) : status;
}

/* They come after the model's, and those of other models are left out. */
static void presets_of_the_user_are_listed(void **state) {
    (void)state;
    scene scene;
    open_scene(&scene, wadi_model_find("jako2011"), 1);
    size_t count;
    wadi_model_presets(scene.def.model, &count);
    const own_preset own[] = {{"dry", "gullies, rain 0", wadi_model_find("mei2007"), apply_wet, "rain"},
                              {"wet", "alpine, rain 1", scene.def.model, apply_wet, "rain"}};
    params_own(scene.panel, own, 2);
    show(&scene);
    assert_string_equal(preset_shown(&scene), "valleys");
    GtkDropDown *drop_down = GTK_DROP_DOWN(preset_drop_down(&scene));
    assert_int_equal(g_list_model_get_n_items(gtk_drop_down_get_model(drop_down)), count + 1);
    choose_preset(&scene, (guint)count);
    assert_null(scene.heard.preset);
    assert_ptr_equal(scene.heard.own, &own[1]);
    assert_int_equal(apply_wet("rain", &scene.def), WADI_OK);
    scene.base = wadi_preset_find("alpine", &scene.def.model);
    show(&scene);
    assert_string_equal(preset_shown(&scene), "wet");
    assert_string_equal(gtk_widget_get_tooltip_text(GTK_WIDGET(drop_down)), "alpine, rain 1");
    params_own(scene.panel, own, 1); /* it is gone */
    show(&scene);
    assert_string_equal(preset_shown(&scene), "alpine, changed");
    close_scene(&scene);
}

/* --- knobs --- */

static GtkWidget *knob_of(const scene *scene, const char *name) {
    GtkWidget *knobs = stage_find(scene->panel, GTK_TYPE_BOX, "wadi-knobs");
    GtkWidget *row = gtk_widget_get_first_child(knobs);
    while (row != NULL && strcmp(gtk_widget_get_name(row), name) != 0) row = gtk_widget_get_next_sibling(row);
    return row;
}

static bool is_duration_alone(const wadi_knob *knob) {
    return strcmp(knob->moves[0].parameter, "duration") == 0 && knob->moves[1].parameter == NULL;
}

/* Moved, reported, and back in the middle. */
static void check_knob(scene *scene, GtkWidget *row, const wadi_knob *knob) {
    const int before = scene->heard.knobs;
    gtk_range_set_value(GTK_RANGE(part(row, GTK_TYPE_SCALE)), 0.8);
    assert_int_equal(scene->heard.knobs, before + 1);
    assert_string_equal(scene->heard.name, knob->name);
    assert_true(scene->heard.position == 0.8);
    assert_string_equal(gtk_editable_get_text(GTK_EDITABLE(part(row, GTK_TYPE_ENTRY))), "0.8");
    g_signal_emit_by_name(reset_of(row), "clicked");
    assert_int_equal(scene->heard.knobs, before + 2);
    assert_true(scene->heard.position == 0.5);
}

static void check_knobs(scene *scene) {
    size_t count;
    const wadi_knob *knobs = wadi_model_knobs(scene->def.model, &count);
    for (size_t i = 0; i < count; i++) {
        GtkWidget *row = knob_of(scene, knobs[i].name);
        assert_int_equal(row != NULL, !is_duration_alone(&knobs[i]));
        if (row == NULL) continue;
        assert_non_null(strstr(gtk_widget_get_tooltip_text(row), knobs[i].meaning));
        check_knob(scene, row, &knobs[i]);
        scene->def.knobs[i] = 0.25;
    }
    stage_wait(500); /* what the user moved settles */
    double positions[WADI_MAX_KNOBS];
    memcpy(positions, scene->def.knobs, sizeof positions);
    assert_int_equal(wadi_def_knobs(&scene->def, scene->base, positions), WADI_OK);
    show(scene);
    for (size_t i = 0; i < scene->count; i++) /* a parameter goes back to what the knobs give */
        assert_false(gtk_widget_get_sensitive(reset_of(row_of(scene, scene->parameters[i].name))));
    for (size_t i = 0; i < count; i++) {
        GtkWidget *row = knob_of(scene, knobs[i].name);
        if (row != NULL) assert_true(gtk_range_get_value(GTK_RANGE(part(row, GTK_TYPE_SCALE))) == 0.25);
    }
    assert_int_equal(scene->heard.changes, 0);
}
static void every_knob_has_a_slider(void **state) {
    (void)state;
    for_every_model(check_knobs);
}

static void a_knob_that_moves_nothing_is_insensitive(void **state) {
    (void)state;
    scene scene;
    open_scene(&scene, wadi_model_find("mei2007"), 1);
    const wadi_model *model = scene.def.model;
    assert_true(gtk_widget_get_sensitive(knob_of(&scene, "rain")));
    assert_non_null(strstr(gtk_widget_get_tooltip_text(knob_of(&scene, "rain")), "r from"));
    scene.base = wadi_preset_find("stream", &model); /* without rain */
    assert_int_equal(wadi_def_preset(&scene.def, scene.base), WADI_OK);
    show(&scene);
    assert_false(gtk_widget_get_sensitive(knob_of(&scene, "rain")));
    assert_true(gtk_widget_get_sensitive(knob_of(&scene, "fill")));
    close_scene(&scene);
}

/* They fold away beneath the knobs, and stay where there are none. */
static void parameters_are_folded_at_first(void **state) {
    (void)state;
    scene scene = {.def = wadi_default_def(wadi_model_find("jako2011"), 64, 64, 1, 1)};
    scene.panel = params_new(changed, knob_moved, preset_chosen, &scene);
    show(&scene);
    scene.window = stage_show(scene.panel, 340, 800);
    assert_false(gtk_expander_get_expanded(constants_of(&scene)));
    params_find(scene.panel);
    assert_true(gtk_expander_get_expanded(constants_of(&scene)));
    gtk_expander_set_expanded(constants_of(&scene), false);
    scene.def = wadi_default_def(wadi_model_find("schott2023"), 64, 64, 1, 1);
    scene.base = wadi_model_presets(scene.def.model, NULL);
    show(&scene);
    size_t knobs;
    wadi_model_knobs(scene.def.model, &knobs);
    assert_int_equal(gtk_expander_get_expanded(constants_of(&scene)), knobs == 0);
    close_scene(&scene);
}

/* --- search --- */

static int rows_seen(const scene *scene) {
    GPtrArray *rows = rows_of(scene);
    int seen = 0;
    for (guint i = 0; i < rows->len; i++) seen += gtk_widget_get_mapped(rows->pdata[i]);
    g_ptr_array_free(rows, true);
    return seen;
}

static void search(scene *scene, const char *words) {
    gtk_editable_set_text(GTK_EDITABLE(stage_find(scene->panel, GTK_TYPE_SEARCH_ENTRY, "wadi-search")), words);
    stage_wait(300); /* the search waits for a pause in typing */
}

static void search_finds_by_symbol_alias_and_meaning(void **state) {
    (void)state;
    scene scene;
    open_scene(&scene, wadi_model_find("jako2011"), 1);
    assert_int_equal(rows_seen(&scene), scene.count);
    search(&scene, "KDMAX");
    assert_int_equal(rows_seen(&scene), 1);
    assert_true(gtk_widget_get_mapped(row_of(&scene, "Kdmax")));
    search(&scene, "pipe cross");
    assert_int_equal(rows_seen(&scene), 1);
    assert_true(gtk_widget_get_mapped(row_of(&scene, "A")));
    search(&scene, "Darcy-Weisbach"); /* a word of the meaning */
    assert_int_equal(rows_seen(&scene), 1);
    assert_true(gtk_widget_get_mapped(row_of(&scene, "cf")));
    search(&scene, "nothing has this");
    assert_int_equal(rows_seen(&scene), 0);
    GtkExpander *group = GTK_EXPANDER(part(gtk_expander_get_child(constants_of(&scene)), GTK_TYPE_EXPANDER));
    search(&scene, "");
    assert_int_equal(rows_seen(&scene), scene.count);
    gtk_expander_set_expanded(group, false); /* the processes */
    stage_wait(50);
    assert_int_equal(rows_seen(&scene), scene.count - 5);
    search(&scene, "thermal");
    assert_true(gtk_widget_get_mapped(row_of(&scene, "thermal")));
    search(&scene, "");
    assert_false(gtk_expander_get_expanded(group));
    close_scene(&scene);
}

/* --- keyboard and screen reader --- */

static bool interactive(GtkWidget *widget) {
    return GTK_IS_RANGE(widget) || GTK_IS_EDITABLE(widget) || GTK_IS_BUTTON(widget) || GTK_IS_SWITCH(widget) ||
           GTK_IS_DROP_DOWN(widget) || GTK_IS_EXPANDER(widget);
}

/* Inner parts of an entry or a scrolled window belong to GTK. */
static bool ours(GtkWidget *widget) {
    return !GTK_IS_TEXT(widget) && gtk_widget_get_ancestor(widget, GTK_TYPE_SCROLLBAR) == NULL &&
           gtk_widget_get_ancestor(widget, GTK_TYPE_POPOVER) == NULL;
}

static void assert_labelled(GtkWidget *widget, void *labels) {
    if (!interactive(widget) || !ours(widget)) return;
    if (!gtk_test_accessible_has_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL))
        fail_msg("a %s has no label", G_OBJECT_TYPE_NAME(widget));
    ++*(int *)labels;
}

static void check_labels(scene *scene) {
    int labels = 0;
    stage_walk(scene->panel, assert_labelled, &labels);
    assert_true(labels >= (int)(2 * scene->count)); /* at least a control and a reset button each */
}
static void everything_has_an_accessible_label(void **state) {
    (void)state;
    for_every_model(check_labels);
}

static void forget_reached(GtkWidget *widget, void *wanted) {
    if (interactive(widget) && ours(widget) && gtk_widget_get_mapped(widget) && !GTK_IS_DROP_DOWN(widget))
        g_hash_table_add(wanted, widget);
}

static void check_focus(scene *scene) {
    for (size_t i = 0; i < scene->count; i++) { /* enables every reset button */
        double low, high;
        wadi_def_bounds(&scene->def, (int)i, &low, &high);
        scene->def.values[i] = scene->def.values[i] == high ? low : high;
    }
    for (int i = 0; i < WADI_MAX_KNOBS; i++) scene->def.knobs[i] = 0.7;
    show(scene);
    stage_wait(20);
    GHashTable *wanted = g_hash_table_new(NULL, NULL);
    stage_walk(scene->panel, forget_reached, wanted);
    gtk_window_set_focus(scene->window, NULL);
    for (int i = 0; i < 600; i++) {
        if (!gtk_widget_child_focus(GTK_WIDGET(scene->window), GTK_DIR_TAB_FORWARD)) break;
        for (GtkWidget *at = gtk_window_get_focus(scene->window); at != NULL; at = gtk_widget_get_parent(at))
            g_hash_table_remove(wanted, at);
    }
    GHashTableIter iter;
    gpointer missed;
    g_hash_table_iter_init(&iter, wanted);
    if (g_hash_table_iter_next(&iter, &missed, NULL)) fail_msg("Tab never reaches a %s", G_OBJECT_TYPE_NAME(missed));
    g_hash_table_destroy(wanted);
}
/* The row that has the focus, and the part: 0 the slider or its replacement, 1 the entry, 2 the reset button. */
static int focused_part(const scene *scene, GtkWidget **row) {
    GtkWidget *at = gtk_window_get_focus(scene->window);
    int part = 0;
    for (; at != NULL && !gtk_widget_has_css_class(at, "wadi-row"); at = gtk_widget_get_parent(at)) {
        if (GTK_IS_ENTRY(at)) part = 1;
        if (gtk_widget_has_css_class(at, "wadi-reset")) part = 2;
    }
    *row = at;
    return part;
}

static void check_order(scene *scene) {
    for (size_t i = 0; i < scene->count; i++)
        if (scene->parameters[i].choices == NULL) scene->def.values[i] *= 0.5;
    show(scene);
    stage_wait(20);
    gtk_window_set_focus(scene->window, NULL);
    GtkWidget *row = NULL, *before = NULL;
    int part = 0;
    for (int i = 0; i < 600; i++) {
        if (!gtk_widget_child_focus(GTK_WIDGET(scene->window), GTK_DIR_TAB_FORWARD)) break;
        const int next = focused_part(scene, &row);
        if (row != NULL && row == before && next <= part)
            fail_msg("%s: from %d to %d", gtk_widget_get_name(row), part, next);
        if (row != NULL && row != before && next != 0) fail_msg("%s begins with %d", gtk_widget_get_name(row), next);
        part = next;
        before = row;
    }
}
static void tab_goes_from_slider_to_entry_to_reset(void **state) {
    (void)state;
    for_every_model(check_order);
}

static void tab_reaches_everything(void **state) {
    (void)state;
    for_every_model(check_focus);
}

static void the_panel_fits_300_pixels(void **state) {
    (void)state;
    for (size_t m = 0; m < wadi_model_count(); m++) {
        scene scene;
        open_scene(&scene, wadi_model_at(m), 30);
        int least;
        gtk_widget_measure(scene.panel, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
        if (least > 300) fail_msg("%s needs %d pixels", wadi_model_id(scene.def.model), least);
        close_scene(&scene);
    }
}

/* A slider's last value is still pending when the panel is destroyed. */
static void nothing_is_reported_after_the_end(void **state) {
    (void)state;
    scene scene;
    open_scene(&scene, wadi_model_find("jako2011"), 1);
    GtkWidget *scale = part(row_of(&scene, "Kc"), GTK_TYPE_SCALE);
    gtk_range_set_value(GTK_RANGE(scale), 0.2);
    gtk_range_set_value(GTK_RANGE(scale), 0.3);
    GtkWidget *entry = part(row_of(&scene, "Ks"), GTK_TYPE_ENTRY);
    gtk_widget_grab_focus(entry);
    stage_wait(20);
    gtk_editable_set_text(GTK_EDITABLE(entry), "1.25");
    gtk_range_set_value(GTK_RANGE(scale), 0.4);
    gtk_drop_down_set_selected(GTK_DROP_DOWN(preset_drop_down(&scene)), 3);
    const int before = scene.heard.changes;
    close_scene(&scene);
    stage_wait(100);
    assert_int_equal(scene.heard.changes, before);
    assert_int_equal(scene.heard.presets, 0);
}

int main(void) {
    stage_open();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_for_every_parameter),
        cmocka_unit_test(showing_values_reports_nothing),
        cmocka_unit_test(another_model_makes_other_rows),
        cmocka_unit_test(every_slider_reports),
        cmocka_unit_test(sliders_are_alike_at_every_cell_size),
        cmocka_unit_test(wheels_move_no_slider),
        cmocka_unit_test(every_switch_and_choice_reports),
        cmocka_unit_test(entries_take_exact_numbers_inside_the_range),
        cmocka_unit_test(resets_lead_back_to_the_default),
        cmocka_unit_test(focus_shows_every_digit),
        cmocka_unit_test(keys_in_an_entry_step_and_give_up),
        cmocka_unit_test(dragging_reports_thirty_times_a_second_and_at_the_end),
        cmocka_unit_test(an_old_value_does_not_pull_the_slider_back),
        cmocka_unit_test(every_preset_can_be_chosen),
        cmocka_unit_test(changed_values_are_no_presets),
        cmocka_unit_test(presets_of_the_user_are_listed),
        cmocka_unit_test(every_knob_has_a_slider),
        cmocka_unit_test(a_knob_that_moves_nothing_is_insensitive),
        cmocka_unit_test(parameters_are_folded_at_first),
        cmocka_unit_test(search_finds_by_symbol_alias_and_meaning),
        cmocka_unit_test(everything_has_an_accessible_label),
        cmocka_unit_test(tab_reaches_everything),
        cmocka_unit_test(tab_goes_from_slider_to_entry_to_reset),
        cmocka_unit_test(the_panel_fits_300_pixels),
        cmocka_unit_test(nothing_is_reported_after_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
