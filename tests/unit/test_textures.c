/* Ranges of texture values, maps in channels, and the layers of the ground. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run/derived.h"
#include "run/export_target.h"
#include "run/ground_layers.h"
#include "run/text_file.h"
#include "run/yaml.h"

enum { W = 20, H = 12, CELLS = W * H };

static value_range range_of(const char *text) {
    value_range range;
    assert_int_equal(run_value_range_parse("--range", text, &range), WADI_OK);
    return range;
}

static void ranges_are_read(void **state) {
    (void)state;
    static const char *const bad[] = {"",       "5",         "5..",     "..5",      "5..5",
                                      "7..3",   "1%..1%",    "a..b",    "log:0..9", "log:-1..2",
                                      "even:0", "even:1..2", "0..101%", "1..2..3",  "0..1x"};
    static const char *const good[] = {"0..90",       "-1..1",    "1%..99.9%", "log:0.01..100",
                                       "log:1%..99%", "even:99%", "0..99.5%"};
    value_range range;
    char text[RANGE_TEXT];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (run_value_range_parse("--range", bad[i], &range) == WADI_OK) fail_msg("'%s' is taken", bad[i]);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        range = range_of(good[i]);
        assert_string_equal(run_value_range_text(&range, text), good[i]);
    }
    /* those of all maps */
    for (unsigned i = 0; i < DERIVED_BITS; i++)
        if (run_derived_facts_at(i)) range_of(run_derived_facts_at(i)->range);
}

static void shares_are_of_the_range(void **state) {
    (void)state;
    value_range range = range_of("10..30");
    assert_true(run_value_range_share(&range, 5) == 0 && run_value_range_share(&range, 40) == 1);
    assert_true(run_value_range_share(&range, 15) == 0.25f && isnan(run_value_range_share(&range, NAN)));
    range = range_of("log:0.01..100");
    assert_true(fabsf(run_value_range_share(&range, 1) - 0.5f) < 1e-6f && run_value_range_share(&range, -3) == 0);
}

static void percentiles_leave_zeros_out(void **state) {
    (void)state;
    float values[400];
    for (int i = 0; i < 400; i++) values[i] = i < 200 ? 0 : (float)(i - 199);
    value_range range = run_value_range_settle(range_of("0%..50%"), values, 400);
    assert_true(range.low.value == 0 && fabs(range.high.value - 100) <= 1);
    range = run_value_range_settle(range_of("0.1%..50%"), values, 400);
    assert_true(range.low.value == 1 && fabs(range.high.value - 100) <= 1);
    for (int i = 0; i < 200; i++) values[i] = -1;
    range = run_value_range_settle(range_of("0%..100%"), values, 400);
    assert_true(range.low.value == -1 && range.high.value == 200);
    range = run_value_range_settle(range_of("even:100%"), values, 400);
    assert_true(range.low.value == -200 && range.high.value == 200);
    range = run_value_range_settle(range_of("log:0%..100%"), values, 400); /* the smallest above 0 */
    assert_true(range.low.value == 1 && range.high.value == 200);
    for (int i = 200; i < 400; i++) values[i] *= 1e-6f;
    range = run_value_range_settle(range_of("log:10%..100%"), values, 400);
    assert_true(range.low.value == (double)values[200] && range.high.value == (double)values[399]);
    for (int i = 0; i < 400; i++) values[i] = i % 2 ? 0 : NAN;
    range = run_value_range_settle(range_of("log:1%..99%"), values, 400); /* nothing to go by */
    assert_true(range.low.value > 0 && range.high.value > range.low.value);
}

static wadi_raster *hills(void) {
    wadi_raster *raster;
    assert_int_equal(wadi_raster_create(W, H, &raster), WADI_OK);
    raster->lx = raster->ly = 10;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            raster->values[y * W + x] = (float)(x < W / 2 ? 0 : (x - W / 2) * 10) + 0.01f * (float)y;
    raster->values[7] = NAN;
    return raster;
}

static void a_later_range_counts(void **state) {
    (void)state;
    text_list options = {0};
    range_list ranges;
    assert_int_equal(run_text_file_write("test_textures.txt", "# two lines\nslope=0..45\r\n\nhand=log:1..9\n"),
                     WADI_OK);
    run_text_list_add(&options, "@test_textures.txt");
    run_text_list_add(&options, "slope=0..60");
    assert_int_equal(run_ranges_read(&options, &ranges), WADI_OK);
    value_range range;
    run_range_of(&ranges, "slope", "0..90", &range);
    assert_true(range.high.value == 60);
    run_range_of(&ranges, "hand", "0..90", &range);
    assert_true(range.logarithmic && range.high.value == 9);
    run_range_of(&ranges, "slop", "0..90", &range);
    assert_true(range.high.value == 90);
    run_ranges_free(&ranges);
    run_text_list_add(&options, "slop=0..60");
    assert_int_equal(run_ranges_read(&options, &ranges), WADI_ERROR_ARGUMENT);
    run_ranges_free(&ranges);
    run_text_list_free(&options);
    remove("test_textures.txt");
}

static void a_range_may_be_of_a_name_alone(void **state) {
    (void)state;
    text_list options = {0};
    range_list ranges;
    run_text_list_add(&options, "slope=0..60");
    run_text_list_add(&options, "5..6");
    assert_int_equal(run_ranges_read(&options, &ranges), WADI_OK);
    assert_string_equal(run_range_text(&ranges, "slope", true), "0..60");
    assert_string_equal(run_range_text(&ranges, "slope", false), "5..6");
    assert_null(run_range_text(&ranges, "height", true));
    run_ranges_free(&ranges);
    run_text_list_free(&options);
}

/* The last sample is the last one, though 225 / 7 * 7 is rounded up. */
static void the_last_sample_is_kept(void **state) {
    (void)state;
    wadi_raster *raster;
    assert_int_equal(wadi_raster_create(226, 2, &raster), WADI_OK);
    raster->lx = raster->ly = 1;
    for (int i = 0; i < 2 * 226; i++) raster->values[i] = (float)(i % 226);
    for (int width = 2; width < 300; width++) {
        wadi_raster *made;
        assert_int_equal(run_grid_fit(raster, width, 2, FIT_RESAMPLE, &made), WADI_OK);
        const float last = made->values[width - 1];
        if (!(fabsf(last - 225) < 0.01f)) fail_msg("%d samples: the last is %g", width, (double)last);
        wadi_raster_destroy(made);
    }
    wadi_raster_destroy(raster);
}

static void too_many_tiles_are_refused(void **state) {
    (void)state;
    static const struct {
        int tiles[2], size;
    } bad[] = {
        {{1 << 24, 1 << 24}, 0}, {{1 << 24, 1}, 0}, {{65536, 1}, 65536}, {{1, 65536}, 65536}, {{256, 256}, 65536}};
    export_grid grid;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int fit = 0; fit < 2; fit++)
            for (size_t k = 0; run_export_target_at(k); k++)
                if (run_export_grid(run_export_target_at(k), 60, 60, bad[i].tiles, bad[i].size, (grid_fit)fit, &grid) ==
                    WADI_OK)
                    fail_msg("%d x %d tiles are %d x %d samples", bad[i].tiles[0], bad[i].tiles[1], grid.width,
                             grid.height);
    assert_int_equal(run_export_grid(run_export_target_at(0), 60, 60, (const int[2]){2, 1}, 0, FIT_RESAMPLE, &grid),
                     WADI_OK);
    assert_true(grid.width == 2 * 126 + 1 && grid.height == 127);
}

static void a_turned_channel_is_the_rest(void **state) {
    (void)state;
    const range_list none = {0};
    wadi_raster *raster = hills();
    textures t = run_textures_of(NULL, raster, run_derived_def(raster), &none);
    float *north, *south, *one;
    assert_int_equal(run_textures_shares(&t, "normal_y", &north), WADI_OK);
    assert_int_equal(run_textures_shares(&t, "-normal_y", &south), WADI_OK);
    assert_int_equal(run_textures_shares(&t, "1", &one), WADI_OK);
    for (int i = 0; i < CELLS; i++) {
        assert_true(i == 7 ? north[i] == 0 && south[i] == 0 : fabsf(north[i] + south[i] - 1) < 1e-6f);
        assert_true(one[i] == 1);
    }
    assert_int_not_equal(run_texture_check_channels("x", "slope,-area,0,1"), WADI_ERROR_ARGUMENT);
    assert_int_equal(run_texture_check_channels("x", "slope,area,0,1,1"), WADI_ERROR_ARGUMENT);
    assert_int_equal(run_texture_check_channels("x", "slope,nothing"), WADI_ERROR_ARGUMENT);
    assert_int_equal(run_texture_check_channels("x", ""), WADI_ERROR_ARGUMENT);
    free(north), free(south), free(one);
    run_textures_close(&t);
    wadi_raster_destroy(raster);
}

/* A sheet of ice that fills a plane's fall: its top is level, and so are slopes. Ice that is 0 everywhere changes
 * nothing. */
static void heights_are_those_of_the_ice(void **state) {
    (void)state;
    const range_list none = {0};
    wadi_raster *raster = hills(), *ice;
    for (int share = 0; share < 2; share++) {
        textures t = run_textures_of(NULL, raster, run_derived_def(raster), &none);
        assert_int_equal(run_textures_add_ice(&t), WADI_OK); /* there is none */
        assert_true(t.height == raster && !t.facts.on_ice);
        for (int i = 0; i < CELLS; i++) raster->values[i] = (float)(3 * (i % W));
        assert_int_equal(wadi_raster_like(raster, &ice), WADI_OK);
        for (int i = 0; i < CELLS; i++) ice->values[i] = (float)share * (100 - raster->values[i]);
        assert_int_equal(run_textures_take(&t, "ice", ice), WADI_OK);
        assert_int_equal(run_textures_add_ice(&t), WADI_OK);
        assert_true(t.facts.on_ice == (share > 0) && (t.height == raster) == (share == 0));
        const wadi_raster *slope, *height;
        assert_int_equal(run_textures_map(&t, "slope", &slope), WADI_OK);
        assert_int_equal(run_textures_map(&t, "height", &height), WADI_OK);
        assert_true(height->values[2 * W + 5] == (share > 0 ? 100 : 15));
        assert_true((slope->values[2 * W + 5] == 0) == (share > 0));
        run_textures_close(&t);
    }
    wadi_raster_destroy(raster);
}

static wadi_raster *fitted(const wadi_raster *from, int width, int height, grid_fit fit) {
    wadi_raster *made;
    assert_int_equal(run_grid_fit(from, width, height, fit, &made), WADI_OK);
    assert_true(made->width == width && made->height == height);
    return made;
}

/* A plane stays a plane, with its corners where they were; the sizes are 4 times and a half. */
static void a_plane_is_resampled_to_a_plane(void **state) {
    (void)state;
    static const int sizes[][2] = {{77, 45}, {10, 6}, {W, H}, {39, H}, {3, 3}};
    wadi_raster *raster = hills(), *made;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) raster->values[y * W + x] = (float)(3 * x - 2 * y);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const int width = sizes[s][0], height = sizes[s][1];
        made = fitted(raster, width, height, FIT_RESAMPLE);
        assert_true(fabs(made->lx * (width - 1) - 10 * (W - 1)) < 1e-9 &&
                    fabs(made->ly * (height - 1) - 10 * (H - 1)) < 1e-9);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                const double at = 3.0 * x * (W - 1) / (width - 1) - 2.0 * y * (H - 1) / (height - 1);
                const double error = fabs((double)made->values[y * width + x] - at);
                if (error > (width < W ? 1.5 : 1e-3)) fail_msg("%d x %d: %g at %d, %d", width, height, error, x, y);
            }
        wadi_raster_destroy(made);
    }
    made = fitted(raster, 10, 4, FIT_CROP); /* the middle */
    assert_true(made->lx == 10 && made->values[0] == raster->values[4 * W + 5]);
    wadi_raster_destroy(made);
    assert_int_equal(run_grid_fit(raster, W + 1, 4, FIT_CROP, &made), WADI_ERROR_ARGUMENT);
    assert_null(made);
    raster->values[5 * W + 5] = NAN; /* stays where it is, and does not spread */
    made = fitted(raster, 2 * W - 1, 2 * H - 1, FIT_RESAMPLE);
    int missing = 0;
    for (int i = 0; i < made->width * made->height; i++) missing += isnan(made->values[i]);
    assert_true(isnan(made->values[10 * made->width + 10]) && missing >= 1 && missing <= 4);
    wadi_raster_destroy(made);
    wadi_raster_destroy(raster);
}

static wadi_status read_layers(const char *text, textures *t, ground_layers *layers) {
    assert_int_equal(run_text_file_write("test_textures.yaml", text), WADI_OK);
    const wadi_status status = run_ground_layers_read("test_textures.yaml", t, layers);
    remove("test_textures.yaml");
    return status;
}

static void weights_add_up(void **state) {
    (void)state;
    if (!run_yaml_available()) skip();
    const range_list none = {0};
    wadi_raster *raster = hills();
    textures t = run_textures_of(NULL, raster, run_derived_def(raster), &none);
    ground_layers layers;
    float *weights[MOST_GROUND_LAYERS];
    assert_int_equal(
        read_layers("[{name: soil}, {name: rock, slope: [20, 30]}, {name: moss, strength: 0.3}]", &t, &layers),
        WADI_OK);
    assert_int_equal(layers.count, 3);
    assert_int_equal(run_ground_layers_weigh(&layers, &t, weights), WADI_OK);
    for (int i = 0; i < CELLS; i++) {
        float parts = 0;
        for (int k = 0; k < 3; k++) {
            assert_true(fabsf(255 * weights[k][i] - roundf(255 * weights[k][i])) < 1e-3f);
            parts += roundf(255 * weights[k][i]);
        }
        assert_true(parts == 255);
    }
    assert_true(fabsf(weights[0][2 * W + 2] - 0.7f) < 0.01f && weights[1][2 * W + 2] == 0);   /* level */
    assert_true(weights[0][2 * W + 15] == 0 && fabsf(weights[1][2 * W + 15] - 0.7f) < 0.01f); /* 45 degrees */
    for (int k = 0; k < 3; k++) free(weights[k]);
    /* four ends: there and back; falling ends */
    assert_int_equal(
        read_layers("[{name: a}, {name: b, slope: [10, 20, 30, 40]}, {name: c, slope: [5, 1]}]", &t, &layers), WADI_OK);
    assert_int_equal(run_ground_layers_weigh(&layers, &t, weights), WADI_OK);
    assert_true(weights[2][2 * W + 2] == 1 && weights[0][2 * W + 15] == 1);
    for (int k = 0; k < 3; k++) free(weights[k]);
    /* the usual ones: those without maps of a run */
    assert_int_equal(run_ground_layers_read(NULL, &t, &layers), WADI_OK);
    assert_true(layers.count >= 4 && strcmp(layers.layers[0].name, "soil") == 0);
    run_textures_close(&t);
    wadi_raster_destroy(raster);
}

static void wrong_layers_are_refused(void **state) {
    (void)state;
    if (!run_yaml_available()) skip();
    static const char *const bad[] = {"[]",
                                      "name: a",
                                      "[{slope: [1, 2]}]",
                                      "[{name: a, slope: [1, 2]}]",
                                      "[{name: a}, {name: a}]",
                                      "[{name: a}, {name: b, slope: [1]}]",
                                      "[{name: a}, {name: b, slope: [1, 2, 3]}]",
                                      "[{name: a}, {name: b, slope: 3}]",
                                      "[{name: a}, {name: b, slope: [1, x]}]",
                                      "[{name: a}, {name: b, slope: [1, 101%]}]",
                                      "[{name: a}, {name: b, slop: [1, 2]}]",
                                      "[{name: ../a}]",
                                      "[{name: a, strength: 2}]",
                                      "[{name: a}, {name: b, erosion: [1, 2]}]"};
    const range_list none = {0};
    wadi_raster *raster = hills();
    textures t = run_textures_of(NULL, raster, run_derived_def(raster), &none);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ground_layers layers;
        if (read_layers(bad[i], &t, &layers) == WADI_OK) fail_msg("%s is taken", bad[i]);
        if (!strstr(wadi_error_message(), "test_textures.yaml:")) fail_msg("no place: %s", wadi_error_message());
    }
    run_textures_close(&t);
    wadi_raster_destroy(raster);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_read),
        cmocka_unit_test(shares_are_of_the_range),
        cmocka_unit_test(percentiles_leave_zeros_out),
        cmocka_unit_test(a_later_range_counts),
        cmocka_unit_test(a_range_may_be_of_a_name_alone),
        cmocka_unit_test(the_last_sample_is_kept),
        cmocka_unit_test(too_many_tiles_are_refused),
        cmocka_unit_test(a_turned_channel_is_the_rest),
        cmocka_unit_test(heights_are_those_of_the_ice),
        cmocka_unit_test(a_plane_is_resampled_to_a_plane),
        cmocka_unit_test(weights_add_up),
        cmocka_unit_test(wrong_layers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
