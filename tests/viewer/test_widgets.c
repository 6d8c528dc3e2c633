/* Numbers, plots, the legend, the section, the timeline and the list of keys: drawing, texts and calls. */
#include "stage.h"

#include "widgets/access.h"
#include "widgets/axis.h"
#include "widgets/legend.h"
#include "widgets/number.h"
#include "widgets/plot.h"
#include "widgets/section.h"
#include "widgets/shortcuts.h"
#include "widgets/slide.h"
#include "widgets/timeline.h"
#include "widgets/trace.h"

/* --- numbers --- */

static void numbers_are_written_for_people(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *unit, *text;
    } cases[] = {
        {0, "m", "0 m"},
        {1234.56, "m", "1.235 km"},
        {0.0124, "m", "12.40 mm"},
        {999.96, "m", "1.000 km"},
        {-0.5, "m", "-500 mm"},
        {1419.2, "steps/s", "1419 steps/s"},
        {2.5e7, "cells/s", "25 Mcells/s"},
        {12350.4, "s", "12350 s"},
        {304059, "m3", "3.041×10⁵ m³"},
        {1.2e-12, "m3/s", "1.200×10⁻¹² m³/s"},
        {132.77, "m3", "132.8 m³"},
        {0.25, "1", "0.2500"},
        {41, "%", "41%"},
        {(double)NAN, "m", "no data"},
        {(double)-INFINITY, "", "no data"},
    };
    char text[NUMBER_TEXT];
    for (int i = 0; i < COUNT(cases); i++)
        assert_string_equal(number_with_unit(cases[i].value, cases[i].unit, text), cases[i].text);
    assert_string_equal(number_short(1.8973665e-05, text), "1.897e-5");
    assert_string_equal(number_short(12350, text), "12350");
    assert_string_equal(number_short(-0.8, text), "-0.8");
    assert_string_equal(number_short(1.5e10, text), "1.5e10");
    assert_string_equal(number_unit("m/s2", text), "m/s²");
}

static void exact_numbers_read_back(void **state) {
    (void)state;
    GRand *random = g_rand_new_with_seed(7);
    char text[NUMBER_TEXT];
    double read;
    for (int i = 0; i < 20000; i++) {
        const double value = g_rand_double_range(random, -1, 1) * pow(10, g_rand_int_range(random, -30, 30));
        assert_true(number_read(number_exact(value, text), "", &read));
        assert_true(read == value);
    }
    g_rand_free(random);
    assert_string_equal(number_exact(0.3, text), "0.3");
    assert_string_equal(number_exact(420, text), "420");
    assert_string_equal(number_exact(12000000, text), "12000000");
    assert_true(number_read(" 0,5 m/s² ", "m/s2", &read) && read == 0.5);
    assert_true(number_read("2e-3 m/s2", "m/s2", &read) && read == 2e-3);
    assert_false(number_read("2 m", "m/s2", &read));
    assert_false(number_read("nan", "", &read));
    assert_false(number_read("1e999", "", &read));
}

/* --- axes, sliders, curves --- */

static void check_axis(const axis *axis, int most) {
    if (axis->ticks < 2 || axis->ticks > most) fail_msg("%g to %g: %d ticks", axis->low, axis->high, axis->ticks);
    const double slack = 1e-5 * (axis->high - axis->low);
    char text[NUMBER_TEXT], before[NUMBER_TEXT] = "";
    for (int i = 0; i < axis->ticks; i++) {
        assert_true(axis->tick[i] >= axis->low - slack && axis->tick[i] <= axis->high + slack);
        assert_true(i == 0 || axis->tick[i] > axis->tick[i - 1]);
        assert_string_not_equal(axis_text(axis, i, text), before); /* the texts of two ticks differ */
        g_strlcpy(before, text, sizeof before);
    }
}

static void axes_have_ticks_for_any_range(void **state) {
    (void)state;
    GRand *random = g_rand_new_with_seed(3);
    for (int i = 0; i < 20000; i++) {
        const double size = pow(10, g_rand_double_range(random, -9, 9));
        const double low = g_rand_double_range(random, -3, 3) * size;
        axis axis = axis_linear(low, low + g_rand_double(random) * size, g_rand_int_range(random, 0, 7));
        check_axis(&axis, AXIS_TICKS);
        const double first = pow(10, g_rand_double_range(random, -9, 9));
        axis = axis_log(first, first * pow(10, g_rand_double_range(random, 0, 12)), 4);
        check_axis(&axis, AXIS_TICKS);
    }
    g_rand_free(random);
    const double ends[] = {0, 1, -1, 5e-324, 1e308, -1e308, (double)NAN, (double)INFINITY, (double)-INFINITY};
    for (int i = 0; i < COUNT(ends); i++)
        for (int j = 0; j < COUNT(ends); j++) {
            const axis linear = axis_linear(ends[i], ends[j], 4), logarithmic = axis_log(ends[i], ends[j], 4);
            assert_true(linear.low < linear.high && logarithmic.low < logarithmic.high);
            assert_true(linear.ticks >= 1 && logarithmic.ticks >= 1);
        }
}

static void sliders_lead_to_every_value_and_back(void **state) {
    (void)state;
    const slide slides[] = {slide_for(0, 3, 0.5),       slide_for(0.01, 3, 0.4), slide_for(0, 0.05, 7e-4),
                            slide_for(1e-9, 0.1, 1e-7), slide_for(0, 0.1, 1e-5), slide_for(0, 1, 0),
                            slide_for(-2, 2, 0.1),      slide_for(1e-6, 1e6, 1), slide_for(0.0018257, 5.47723, 1),
                            slide_for(0, 16.4317, 0.5)};
    const slide_kind kinds[] = {SLIDE_LINEAR, SLIDE_LOG,    SLIDE_LOG_FROM_ZERO, SLIDE_LOG, SLIDE_LOG_FROM_ZERO,
                                SLIDE_LINEAR, SLIDE_LINEAR, SLIDE_LOG,           SLIDE_LOG, SLIDE_LOG_FROM_ZERO};
    for (int s = 0; s < COUNT(slides); s++) {
        const slide *slide = &slides[s];
        assert_int_equal(slide->kind, kinds[s]);
        assert_true(slide_value(slide, 0) == slide->minimum && slide_value(slide, 1) == slide->maximum);
        /* rounded to three digits, but not beyond the range */
        assert_true(slide_value(slide, 1 - 1e-9) <= slide->maximum);
        assert_true(slide_value(slide, 1e-9) >= slide->minimum);
        double before = slide->minimum;
        for (int i = 0; i <= 1000; i++) {
            const double value = slide_value(slide, i / 1000.0);
            assert_true(value >= before && value <= slide->maximum);
            const double back = slide_value(slide, slide_position(slide, value));
            assert_true(fabs(back - value) <= 0.006 * fabs(value) + 1e-12);
            before = value;
        }
    }
    assert_true(slide_value(&slides[0], 0.3713) == 1.114 && slide_value(&slides[6], 0.1234) == -1.506);
    assert_true(slide_value(&slides[7], 0.501) == 1.03);
    assert_true(slide_value(&slides[2], 0.01) > 0); /* the first step from 0 */
    assert_true(slide_position(&slides[0], 99) == 1 && slide_position(&slides[0], -99) == 0);
}

/* A million points are drawn as a few points a pixel, and no extreme is lost. */
static void curves_keep_their_extremes(void **state) {
    (void)state;
    enum { MANY = 1000000, WIDTH = 300 };
    double *x = malloc(MANY * sizeof *x), *y = malloc(MANY * sizeof *y);
    for (int i = 0; i < MANY; i++) {
        x[i] = i;
        y[i] = 0.5;
    }
    y[123456] = 7;
    y[765432] = -3;
    y[500000] = (double)NAN;
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, WIDTH, 50);
    cairo_t *cairo = cairo_create(surface);
    const trace trace = {.x = x, .y = y, .count = MANY, .x_scale = WIDTH / (double)MANY, .y_scale = 1};
    trace_line(&trace, cairo);
    assert_true(fabs(trace_pixel(0, 1e300, 1e300)) < 1e5 && isnan(trace_pixel(0, 1, (double)INFINITY)));
    double left, top, right, bottom;
    cairo_path_extents(cairo, &left, &top, &right, &bottom);
    assert_true(fabs(bottom - 7) < 0.01 && fabs(top + 3) < 0.01);
    assert_true(left < 1 && right > WIDTH - 2);
    cairo_path_t *path = cairo_copy_path(cairo);
    assert_true(path->num_data < 20 * WIDTH);
    cairo_path_destroy(path);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    free(x);
    free(y);
}

/* --- plots --- */

static void assert_description(GtkWidget *widget, const char *text) {
    char *other = gtk_test_accessible_check_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text);
    if (other != NULL) fail_msg("'%s' is said, not '%s'", other, text);
}

static int inked(GtkWidget *widget) {
    cairo_surface_t *picture = stage_picture(widget);
    const int count = stage_inked(picture);
    cairo_surface_destroy(picture);
    return count;
}

static void set_and_draw(GtkWidget *plot, const double *x, const double *y, size_t count) {
    plot_set(plot, x, y, count, "step");
    assert_true(inked(plot) > 100);
}

static void plots_draw_whatever_comes(void **state) {
    (void)state;
    enum { MANY = 300000 };
    GtkWidget *plot = plot_new("Water", "m3");
    GtkWindow *window = stage_show(plot, 300, 90);
    assert_true(gtk_widget_get_height(plot) >= 90);
    assert_true(inked(plot) > 100); /* "no data yet" */
    assert_description(plot, "no data yet");
    const double x[] = {0, 1, 2, 3}, nothing[] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    const double gaps[] = {(double)NAN, 1, (double)INFINITY, -2}, huge[] = {1e308, -1e308, 0, 1e-308};
    const double constant[] = {5, 5, 5, 5}, negative[] = {-3, -1, -2, -7}, zero[] = {0, 0, 0, 0};
    const double *cases[] = {nothing, gaps, huge, constant, negative, zero};
    set_and_draw(plot, x, constant, 0);
    for (int i = 0; i < COUNT(cases); i++)
        for (size_t count = 1; count <= 4; count++) set_and_draw(plot, x, cases[i], count);
    set_and_draw(plot, zero, negative, 4); /* all at the same x */
    set_and_draw(plot, nothing, negative, 4);
    double *steps = malloc(MANY * sizeof *steps), *many = malloc(MANY * sizeof *many);
    for (int i = 0; i < MANY; i++) {
        steps[i] = i;
        many[i] = sin(i * 0.37) * i;
    }
    set_and_draw(plot, steps, many, MANY);
    free(steps);
    free(many);
    plot_set(plot, x, negative, 4, NULL);
    gtk_window_set_default_size(window, 1, 1);
    stage_wait(50);
    stage_close(window);
}

static void plots_say_their_latest_value(void **state) {
    (void)state;
    GtkWidget *plot = plot_new("Water", "m");
    g_object_ref_sink(plot);
    gtk_test_accessible_assert_role(plot, GTK_ACCESSIBLE_ROLE_IMG);
    gtk_test_accessible_assert_property(plot, GTK_ACCESSIBLE_PROPERTY_LABEL, "Water");
    const double x[] = {0, 100, 200}, y[] = {1, 1500, (double)NAN};
    plot_set(plot, x, y, 3, "step");
    assert_description(plot, "1.500 km at step 100");
    plot_set(plot, x, y, 0, "step");
    assert_description(plot, "no data yet");
    g_object_unref(plot);
}

/* The number of pixels in which two pictures differ, in columns from..to-1. */
static int differing(cairo_surface_t *a, cairo_surface_t *b, int from, int to) {
    int count = 0;
    for (int y = 0; y < cairo_image_surface_get_height(a); y++)
        for (int x = from; x < to; x++) count += stage_pixel(a, x, y) != stage_pixel(b, x, y);
    return count;
}

static void hovering_shows_a_value(GtkWidget *widget) {
    GtkEventController *motion = stage_controller(widget, GTK_TYPE_EVENT_CONTROLLER_MOTION);
    cairo_surface_t *before = stage_picture(widget);
    g_signal_emit_by_name(motion, "motion", 150.0, 30.0);
    cairo_surface_t *hovered = stage_picture(widget);
    assert_true(differing(before, hovered, 140, 160) > 10); /* the line and the dot */
    assert_true(differing(before, hovered, 240, 300) > 10); /* the text */
    g_signal_emit_by_name(motion, "leave");
    cairo_surface_t *after = stage_picture(widget);
    assert_int_equal(differing(before, after, 0, 300), 0);
    cairo_surface_destroy(before);
    cairo_surface_destroy(hovered);
    cairo_surface_destroy(after);
}

static void plots_show_the_value_under_the_pointer(void **state) {
    (void)state;
    double x[100], y[100];
    for (int i = 0; i < 100; i++) {
        x[i] = i;
        y[i] = 3 + i * 0.01;
    }
    GtkWidget *plot = plot_new("Water", "m");
    plot_set(plot, x, y, 100, "step");
    GtkWindow *window = stage_show(plot, 300, 90);
    hovering_shows_a_value(plot);
    stage_close(window);
}

/* --- the legend --- */

/* Whether a pixel is opaque and nearly of this colour. */
static bool is_colour(cairo_surface_t *picture, int x, int y, uint32_t rgb) {
    const uint32_t pixel = stage_pixel(picture, x, y);
    for (int shift = 0; shift < 24; shift += 8)
        if (abs((int)((pixel >> shift) & 0xff) - (int)((rgb >> shift) & 0xff)) > 8) return false;
    return pixel >> 24 == 0xff;
}

static void legends_show_their_colours(void **state) {
    (void)state;
    static const float rgb[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    GtkWidget *legend = legend_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_box_append(GTK_BOX(box), legend);
    assert_false(gtk_widget_get_visible(legend));
    legend_set(legend, "Depth", "m", rgb, 3, 0, 10, false);
    assert_true(gtk_widget_get_visible(legend));
    GtkWindow *window = stage_show(box, 220, 60);
    assert_description(legend, "Depth, from 0 m to 10 m");
    cairo_surface_t *picture = stage_picture(legend);
    int red = 0, green = 0, blue = 0; /* height in pixels of each colour, at the ends and in the middle */
    for (int y = 0; y < 40; y++) {
        red += is_colour(picture, 11, y, 0xff0000);
        green += is_colour(picture, 110, y, 0x00ff00);
        blue += is_colour(picture, 208, y, 0x0000ff);
    }
    cairo_surface_destroy(picture);
    assert_true(red >= 8 && green >= 8 && blue >= 8);
    static const double ends[][2] = {{1e-3, 50}, {0, 0}, {-5, 5}, {3, 3}, {(double)NAN, 1}, {1, 1e30}, {5, 1}, {0, 1}};
    for (int i = 0; i < COUNT(ends); i++)
        for (int logarithmic = 0; logarithmic < 2; logarithmic++)
            for (size_t stops = 1; stops <= 3; stops++) {
                legend_set(legend, "Flow", "m3/s", rgb, stops, ends[i][0], ends[i][1], logarithmic);
                assert_true(inked(legend) > 100);
            }
    legend_set(legend, NULL, NULL, NULL, 0, 0, 0, false);
    assert_false(gtk_widget_get_visible(legend));
    stage_close(window);
}

/* --- the section --- */

enum { POINTS = 200 };

static void valley(float *distance, float *ground, float *water, float *start) {
    for (int i = 0; i < POINTS; i++) {
        const double t = i / (POINTS - 1.0);
        distance[i] = (float)(1000 * t);
        ground[i] = (float)(100 * fabs(t - 0.5));
        start[i] = ground[i] + 3;
        water[i] = ground[i] < 20 ? 20 - ground[i] : 0;
    }
}

/* Opaque pixels in a column that are more blue than red. */
static int blue_in_column(cairo_surface_t *picture, int x) {
    int blue = 0;
    for (int y = 0; y < cairo_image_surface_get_height(picture); y++) {
        const uint32_t pixel = stage_pixel(picture, x, y);
        blue += pixel >> 24 == 0xff && (pixel & 0xff) > ((pixel >> 16) & 0xff) + 40;
    }
    return blue;
}

static void sections_show_ground_and_water(void **state) {
    (void)state;
    float distance[POINTS], ground[POINTS], water[POINTS], start[POINTS];
    valley(distance, ground, water, start);
    GtkWidget *section = section_new();
    assert_description(section, "no section drawn");
    section_set(section,
                &(section_profiles){
                    .distance_m = distance, .ground_m = ground, .water_m = water, .start_m = start, .count = POINTS});
    GtkWindow *window = stage_show(section, 300, 150);
    assert_description(section, "1 km long, heights from 0.2513 to 50 m, water up to 19.75 m deep");
    cairo_surface_t *picture = stage_picture(section);
    assert_true(blue_in_column(picture, 160) > 20); /* the middle of the valley */
    assert_true(blue_in_column(picture, 60) == 0 && blue_in_column(picture, 270) == 0);
    assert_true(stage_pixel(picture, 60, 120) >> 24 == 0xff); /* rock */
    assert_true(stage_pixel(picture, 160, 30) >> 24 < 0x80);  /* air */
    cairo_surface_destroy(picture);
    hovering_shows_a_value(section);
    stage_close(window);
}

static void sections_draw_whatever_comes(void **state) {
    (void)state;
    float distance[POINTS], ground[POINTS], water[POINTS], start[POINTS];
    GtkWidget *section = section_new();
    GtkWindow *window = stage_show(section, 300, 150);
    assert_true(inked(section) > 50);
    for (int kind = 0; kind < 7; kind++)
        for (size_t count = 0; count <= POINTS; count += count < 3 ? 1 : POINTS - 3) {
            valley(distance, ground, water, start);
            for (int i = 0; i < POINTS; i++) {
                if (kind == 1) ground[i] = water[i] = NAN;
                if (kind == 2) ground[i] = 7, water[i] = 0;
                if (kind == 3 && i % 3 == 0) ground[i] = NAN;
                if (kind == 4) distance[i] = 5;
                if (kind == 5) ground[i] = i % 2 ? 1e30f : -1e30f;
                if (kind == 6) water[i] = i % 2 ? NAN : INFINITY;
            }
            section_set(section, &(section_profiles){.distance_m = distance,
                                                     .ground_m = ground,
                                                     .ice_m = kind == 3 ? water : NULL,
                                                     .water_m = kind == 2 ? NULL : water,
                                                     .start_m = kind % 2 ? start : NULL,
                                                     .count = count});
            g_signal_emit_by_name(stage_controller(section, GTK_TYPE_EVENT_CONTROLLER_MOTION), "motion", 120.0, 50.0);
            assert_true(inked(section) > 50);
        }
    stage_close(window);
}

/* --- the timeline --- */

typedef struct gone {
    int times;
    double at;
} gone;

static void go(void *user, double at) {
    gone *gone = user;
    gone->times++;
    gone->at = at;
}

static const timeline_mark history[] = {{700, "rain to 0", 1},   {0, "start", 0},        {200, NULL, 0},
                                        {350.5, "Kc to 1.2", 1}, {400, "checkpoint", 0}, {2000, "later", 0}};

static GtkWidget *new_timeline(gone *gone) {
    GtkWidget *timeline = timeline_new(go, gone);
    timeline_set(timeline, history, COUNT(history), 420, 1000);
    return timeline;
}

static void press(GtkWidget *timeline, gone *gone, guint key, GdkModifierType state, double to) {
    const int before = gone->times;
    assert_true(stage_key(timeline, key, state));
    assert_int_equal(gone->times, before + 1);
    assert_true(gone->at == to);
}

static void keys_go_from_mark_to_mark(void **state) {
    (void)state;
    gone gone = {0};
    GtkWidget *timeline = new_timeline(&gone);
    GtkWindow *window = stage_show(timeline, 424, 60);
    assert_true(gtk_widget_grab_focus(timeline));
    press(timeline, &gone, GDK_KEY_Left, 0, 400);
    press(timeline, &gone, GDK_KEY_Left, 0, 350.5);
    press(timeline, &gone, GDK_KEY_Right, 0, 400);
    press(timeline, &gone, GDK_KEY_Right, 0, 700);
    press(timeline, &gone, GDK_KEY_Right, 0, 1000); /* beyond the last mark: the end */
    assert_true(stage_key(timeline, GDK_KEY_Right, 0));
    assert_int_equal(gone.times, 5); /* it is at the end already */
    press(timeline, &gone, GDK_KEY_Home, 0, 0);
    press(timeline, &gone, GDK_KEY_Right, GDK_CONTROL_MASK, 1);
    press(timeline, &gone, GDK_KEY_Left, GDK_CONTROL_MASK, 0);
    press(timeline, &gone, GDK_KEY_End, 0, 1000);
    assert_false(stage_key(timeline, GDK_KEY_a, 0));
    assert_false(stage_key(timeline, GDK_KEY_Left, GDK_ALT_MASK));
    timeline_set(timeline, NULL, 0, 50, 1000); /* the owner sets the new position */
    press(timeline, &gone, GDK_KEY_Left, 0, 0);
    assert_int_equal(gone.times, 10);
    stage_close(window);
}

/* The bar spans x = 12 to width - 12: here 400 pixels of 2.5 steps each. */
static void drag(GtkWidget *timeline, double from, double to) {
    GtkEventController *gesture = stage_controller(timeline, GTK_TYPE_GESTURE_DRAG);
    g_signal_emit_by_name(gesture, "drag-begin", 12 + from, 14.0);
    if (to != from) g_signal_emit_by_name(gesture, "drag-update", to - from, 3.0);
    g_signal_emit_by_name(gesture, "drag-end", to - from, 3.0);
}

static void clicks_and_drags_go_on_release(void **state) {
    (void)state;
    gone gone = {0};
    GtkWidget *timeline = new_timeline(&gone);
    GtkWindow *window = stage_show(timeline, 424, 60);
    assert_int_equal(gtk_widget_get_width(timeline), 424);
    drag(timeline, 300, 300);
    assert_true(gone.times == 1 && gone.at == 750); /* between marks: any step */
    drag(timeline, 164, 164);
    assert_true(gone.times == 2 && gone.at == 400); /* 410, close enough to snap to the mark */
    drag(timeline, 10, 138);
    assert_true(gone.times == 3 && gone.at == 350.5); /* to the exact place of the mark */
    drag(timeline, 100, -500);
    assert_true(gone.times == 4 && gone.at == 0);
    drag(timeline, 100, 900);
    assert_true(gone.times == 5 && gone.at == 1000);
    GtkEventController *gesture = stage_controller(timeline, GTK_TYPE_GESTURE_DRAG);
    g_signal_emit_by_name(gesture, "drag-begin", 50.0, 14.0);
    stage_wait(20);
    assert_int_equal(gone.times, 5); /* not yet */
    timeline_set(timeline, history, COUNT(history), 1000, 1010);
    g_signal_emit_by_name(gesture, "cancel", NULL);
    g_signal_emit_by_name(gesture, "drag-end", 0.0, 0.0);
    assert_int_equal(gone.times, 5); /* never */
    stage_close(window);
}

static void assert_value(GtkWidget *timeline, double now, double end, const char *text) {
    GtkAccessible *accessible = GTK_ACCESSIBLE(timeline);
    gtk_test_accessible_assert_property(accessible, GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, 0.0);
    gtk_test_accessible_assert_property(accessible, GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, end);
    gtk_test_accessible_assert_property(accessible, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, now);
    gtk_test_accessible_assert_property(accessible, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text);
}

static void the_history_is_a_slider_to_those_who_hear_it(void **state) {
    (void)state;
    gone gone = {0};
    GtkWidget *timeline = g_object_ref_sink(new_timeline(&gone));
    gtk_test_accessible_assert_role(timeline, GTK_ACCESSIBLE_ROLE_SLIDER);
    gtk_test_accessible_assert_property(timeline, GTK_ACCESSIBLE_PROPERTY_LABEL, "History");
    assert_value(timeline, 420, 1000, "step 420");
    stage_key(timeline, GDK_KEY_Left, 0);
    assert_value(timeline, 400, 1000, "step 400\ncheckpoint");
    timeline_set(timeline, history, COUNT(history), 700, 1200);
    assert_value(timeline, 700, 1200, "step 700\nrain to 0");
    g_object_unref(timeline);
}

static void the_history_has_tooltips(void **state) {
    (void)state;
    gone gone = {0};
    GtkWidget *timeline = new_timeline(&gone);
    GtkWindow *window = stage_show(timeline, 424, 60);
    GtkTooltip *tip = g_object_new(GTK_TYPE_TOOLTIP, NULL);
    gboolean shown = false;
    for (int keyboard = 0; keyboard < 2; keyboard++) {
        g_signal_emit_by_name(timeline, "query-tooltip", 100, 14, keyboard, tip, &shown);
        assert_true(shown);
    }
    timeline_set(timeline, NULL, 0, 0, 0);
    g_signal_emit_by_name(timeline, "query-tooltip", 100, 14, false, tip, &shown);
    assert_false(shown); /* there is no history yet */
    g_object_unref(tip);
    stage_close(window);
}

static void histories_draw_whatever_comes(void **state) {
    (void)state;
    enum { MANY = 20000 };
    gone gone = {0};
    GtkWidget *timeline = timeline_new(go, &gone);
    GtkWindow *window = stage_show(timeline, 400, 60);
    timeline_mark *many = malloc(MANY * sizeof *many);
    for (int i = 0; i < MANY; i++) many[i] = (timeline_mark){i, i % 2 ? "mark" : NULL, i % 3 == 0};
    static const double ends[] = {0, 1, 1e12, -5, (double)NAN, (double)INFINITY, 0.25, 30000};
    for (int i = 0; i < COUNT(ends); i++)
        for (size_t count = 0; count <= MANY; count = count < 2 ? count + 1 : count * 100 + 1) {
            timeline_set(timeline, many, count, ends[i] / 2, ends[i]);
            assert_true(inked(timeline) > 50);
            drag(timeline, 100, 50);
            stage_key(timeline, GDK_KEY_Left, 0);
            stage_key(timeline, GDK_KEY_End, 0);
            assert_true(isfinite(gone.at) && gone.at >= 0);
        }
    free(many);
    stage_close(window);
}

/* --- keys --- */

static void gather_titles(GtkWidget *widget, void *titles) {
    if (GTK_IS_LABEL(widget)) g_string_append_printf(titles, "%s\n", gtk_label_get_text(GTK_LABEL(widget)));
}

static void the_keys_are_listed_by_group(void **state) {
    (void)state;
    static const shortcut_row rows[] = {{"Run", "space", "Run or <pause>"},
                                        {"View", "<Control>0", "Fit & centre"},
                                        {"Run", "period", "One step"},
                                        {"Help", "question", "These keys"}};
    GtkWindow *parent = stage_show(gtk_label_new("parent"), 400, 300);
    GtkWidget *window = shortcuts_window_new(parent, rows, COUNT(rows));
    assert_true(GTK_IS_SHORTCUTS_WINDOW(window));
    assert_ptr_equal(gtk_window_get_transient_for(GTK_WINDOW(window)), parent);
    gtk_window_present(GTK_WINDOW(window));
    stage_wait(100);
    GString *titles = g_string_new(NULL);
    stage_walk(window, gather_titles, titles);
    for (int i = 0; i < COUNT(rows); i++) {
        assert_non_null(strstr(titles->str, rows[i].group));
        assert_non_null(strstr(titles->str, rows[i].title));
    }
    g_string_free(titles, true);
    gtk_window_destroy(GTK_WINDOW(window));
    window = shortcuts_window_new(NULL, NULL, 0);
    gtk_window_destroy(GTK_WINDOW(window));
    stage_close(parent);
}

static int played;
static void play(GSimpleAction *action, GVariant *parameter, gpointer user) {
    (void)action, (void)parameter, (void)user;
    played++;
}

static gboolean press_space(GtkWidget *drop_down, GdkModifierType state) {
    GListModel *all = gtk_widget_observe_controllers(drop_down);
    gboolean taken = FALSE;
    for (guint i = 0; i < g_list_model_get_n_items(all); i++) {
        GtkEventController *controller = g_list_model_get_item(all, i);
        if (GTK_IS_EVENT_CONTROLLER_KEY(controller) && !taken)
            g_signal_emit_by_name(controller, "key-pressed", GDK_KEY_space, 65, state, &taken);
        g_object_unref(controller);
    }
    g_object_unref(all);
    return taken;
}

/* A drop-down that has the focus leaves Space to the window, but for its open list. */
static void space_plays_on_a_drop_down(void **state) {
    (void)state;
    static const char *const names[] = {"one", "two", NULL};
    GtkWidget *drop_down = gtk_drop_down_new_from_strings(names);
    access_drop_down(drop_down, "Choice");
    GtkWindow *window = stage_show(drop_down, 200, 100);
    assert_false(press_space(drop_down, 0)); /* no such action */
    GSimpleActionGroup *group = g_simple_action_group_new();
    GSimpleAction *action = g_simple_action_new("play", NULL);
    g_signal_connect(action, "activate", G_CALLBACK(play), NULL);
    g_action_map_add_action(G_ACTION_MAP(group), G_ACTION(action));
    gtk_widget_insert_action_group(GTK_WIDGET(window), "win", G_ACTION_GROUP(group));
    assert_true(press_space(drop_down, 0));
    assert_int_equal(played, 1);
    assert_false(press_space(drop_down, GDK_CONTROL_MASK));
    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(gtk_widget_get_first_child(drop_down)), true); /* opens the list */
    assert_false(press_space(drop_down, 0));
    assert_int_equal(played, 1);
    g_object_unref(action);
    g_object_unref(group);
    stage_close(window);
}

int main(void) {
    stage_open();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_written_for_people),
        cmocka_unit_test(exact_numbers_read_back),
        cmocka_unit_test(axes_have_ticks_for_any_range),
        cmocka_unit_test(sliders_lead_to_every_value_and_back),
        cmocka_unit_test(curves_keep_their_extremes),
        cmocka_unit_test(plots_draw_whatever_comes),
        cmocka_unit_test(plots_say_their_latest_value),
        cmocka_unit_test(plots_show_the_value_under_the_pointer),
        cmocka_unit_test(legends_show_their_colours),
        cmocka_unit_test(sections_show_ground_and_water),
        cmocka_unit_test(sections_draw_whatever_comes),
        cmocka_unit_test(keys_go_from_mark_to_mark),
        cmocka_unit_test(clicks_and_drags_go_on_release),
        cmocka_unit_test(the_history_is_a_slider_to_those_who_hear_it),
        cmocka_unit_test(the_history_has_tooltips),
        cmocka_unit_test(histories_draw_whatever_comes),
        cmocka_unit_test(space_plays_on_a_drop_down),
        cmocka_unit_test(the_keys_are_listed_by_group),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
