/* Knobs: their tables, what they move, and that nothing runs away at their ends. */
#include "scene.h"

#include "core/def.h"

static const wadi_knob *knobs_of(const wadi_model *model, size_t *count) { return wadi_model_knobs(model, count); }

static void every_knob_moves_numbers_that_no_other_moves(void **state) {
    (void)state;
    for (size_t m = 0; m < wadi_model_count(); m++) {
        const wadi_model *model = wadi_model_at(m);
        char moved[512] = " ";
        size_t count, parameters;
        const wadi_knob *knobs = knobs_of(model, &count);
        const wadi_parameter *rows = wadi_model_parameters(model, &parameters);
        assert_true(count <= WADI_MAX_KNOBS);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(wadi_model_knob_index(model, knobs[i].name), i);
            assert_true(strlen(knobs[i].meaning) > 10 && knobs[i].moves->parameter != NULL);
            for (const wadi_knob_move *move = knobs[i].moves; move->parameter != NULL; move++) {
                const bool duration = strcmp(move->parameter, WADI_KNOB_DURATION) == 0;
                const int index = duration ? -1 : wadi_model_parameter_index(model, move->parameter);
                char word[64];
                snprintf(word, sizeof word, " %s ", move->parameter);
                if (strstr(moved, word) != NULL) fail_msg("%s is moved twice in %s", move->parameter, model->id);
                strcat(moved, word + 1);
                assert_true(duration ? move->factor > 0 : index >= 0 && rows[index].choices == NULL);
                assert_true(move->factor > 0 || move->low < move->high || move->low > move->high);
            }
        }
    }
}

static wadi_def preset_def(const wadi_model *model, const wadi_preset *preset) {
    wadi_def def = wadi_default_def(model, 300, 200, 7, 7);
    OK(wadi_def_preset(&def, preset));
    return def;
}

static void the_middle_changes_no_bit(void **state) {
    (void)state;
    for (size_t m = 0; m < wadi_model_count(); m++) {
        const wadi_model *model = wadi_model_at(m);
        size_t presets, count;
        const wadi_preset *preset = wadi_model_presets(model, &presets);
        const wadi_knob *knobs = knobs_of(model, &count);
        for (size_t p = 0; p < presets; p++) {
            const wadi_def before = preset_def(model, &preset[p]);
            wadi_def after = before;
            for (size_t i = 0; i < count; i++) OK(wadi_def_knob(&after, knobs[i].name, 0.5));
            assert_memory_equal(after.values, before.values, sizeof after.values);
            assert_int_equal(wadi_def_preset_steps(&after, &preset[p]), wadi_def_preset_steps(&before, &preset[p]));
        }
    }
}

/* Each knob at each end: values inside their ranges, and no warning that the preset does not have. */
static void the_ends_stay_inside_the_ranges(void **state) {
    (void)state;
    for (size_t m = 0; m < wadi_model_count(); m++) {
        const wadi_model *model = wadi_model_at(m);
        size_t presets, count, moving = 0;
        const wadi_preset *preset = wadi_model_presets(model, &presets);
        const wadi_knob *knobs = knobs_of(model, &count);
        for (size_t i = 0; i < presets * count * 2; i++) {
            const wadi_preset *from = &preset[i / 2 % presets];
            const wadi_def before = preset_def(model, from);
            wadi_def after = before;
            OK(wadi_def_knob(&after, knobs[i / 2 / presets].name, (double)(i % 2)));
            moving += memcmp(after.values, before.values, sizeof after.values) != 0 ||
                      wadi_def_preset_steps(&after, from) != wadi_def_preset_steps(&before, from);
            OK(wadi_check_def(&after));
            if (wadi_safety_on(&before, 0, 400).warning == NULL && wadi_safety_on(&after, 0, 400).warning != NULL)
                fail_msg("%s, %s at %d: %s", from->name, knobs[i / 2 / presets].name, (int)(i % 2),
                         wadi_safety_on(&after, 0, 400).warning);
        }
        assert_true(moving * 2 >= presets * count);
    }
}

static double value_at(const char *preset_name, const char *knob, double position, const char *parameter) {
    const wadi_model *model = NULL;
    const wadi_preset *preset = wadi_preset_find(preset_name, &model);
    wadi_def def = preset_def(model, preset);
    OK(wadi_def_knob(&def, knob, position));
    return def.values[wadi_model_parameter_index(model, parameter)];
}

static bool is_near(double a, double b) { return fabs(a - b) <= 1e-12 * fabs(b); }

/* By its factor, in equal ratios; or in a straight line to an end. */
static void a_knob_moves_by_its_factor_or_to_its_ends(void **state) {
    (void)state;
    const double low = value_at("alpine", "rain", 0, "rain"), middle = value_at("alpine", "rain", 0.5, "rain");
    const double quarter = value_at("alpine", "rain", 0.75, "rain"), high = value_at("alpine", "rain", 1, "rain");
    assert_true(low < middle && middle < high);
    assert_true(is_near(low * high, middle * middle));
    assert_true(is_near(quarter * quarter, middle * high));
    const double soft = value_at("alpine", "rock", 0.25, "R"), hard = value_at("alpine", "rock", 1, "R");
    assert_true(soft < 0.3 && hard > 0.3);
    assert_true(is_near(value_at("alpine", "rock", 0.75, "R"), (0.3 + hard) / 2));
    assert_true(is_near(value_at("alpine", "rock", 0, "R"), 0.3 - 2 * (0.3 - soft)));
}

static void age_moves_the_duration(void **state) {
    (void)state;
    const wadi_model *model = NULL;
    const wadi_preset *preset = wadi_preset_find("alpine", &model);
    wadi_def young = preset_def(model, preset), old = young, now = young;
    OK(wadi_def_knob(&young, "age", 0));
    OK(wadi_def_knob(&old, "age", 1));
    const double middle = (double)wadi_def_preset_steps(&now, preset);
    const double product = (double)wadi_def_preset_steps(&young, preset) * (double)wadi_def_preset_steps(&old, preset);
    assert_true(wadi_def_preset_steps(&old, preset) >= 2 * wadi_def_preset_steps(&now, preset));
    assert_true(fabs(product / (middle * middle) - 1) < 0.01); /* steps are whole numbers */
    assert_memory_equal(old.values, now.values, sizeof old.values);
    OK(wadi_def_preset(&old, preset));
    assert_int_equal(wadi_def_preset_steps(&old, preset), wadi_def_preset_steps(&now, preset));
}

static void a_wrong_knob_is_refused(void **state) {
    (void)state;
    wadi_def def = wadi_default_def(wadi_model_find("jako2011"), 64, 64, 1, 1);
    const wadi_def before = def;
    assert_int_equal(wadi_def_knob(&def, "strenght", 0.7), WADI_ERROR_ARGUMENT);
    assert_non_null(strstr(wadi_error_message(), "strength"));
    const double wrong[] = {-0.01, 1.01, (double)NAN, (double)INFINITY};
    for (int i = 0; i < COUNT(wrong); i++)
        assert_int_equal(wadi_def_knob(&def, "strength", wrong[i]), WADI_ERROR_ARGUMENT);
    assert_memory_equal(&def, &before, sizeof def);
    OK(wadi_def_knob(&def, "strength", 0.7));
    assert_int_equal(wadi_def_knob(&def, "strength", 0.3), WADI_ERROR_ARGUMENT);
    assert_non_null(strstr(wadi_error_message(), "already"));
    assert_int_equal(wadi_def_knob(NULL, "strength", 0.7), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_def_knob(&def, NULL, 0.7), WADI_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_knob_moves_numbers_that_no_other_moves),
        cmocka_unit_test(the_middle_changes_no_bit),
        cmocka_unit_test(the_ends_stay_inside_the_ranges),
        cmocka_unit_test(a_knob_moves_by_its_factor_or_to_its_ends),
        cmocka_unit_test(age_moves_the_duration),
        cmocka_unit_test(a_wrong_knob_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
