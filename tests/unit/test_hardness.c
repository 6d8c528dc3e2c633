/* Hardness maps made from the height. labels: bits threads */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "platform/openmp.h"
#include "wadi/analysis.h"
#include "wadi/terrain.h"

enum { W = 90, H = 70 };
static float heights[W * H], hardness[W * H];

static void make_heights(void) {
    wadi_terrain terrain = wadi_default_terrain("diamond-square", W, H);
    terrain.seed = 11;
    assert_int_equal(wadi_terrain_generate(&terrain, heights), WADI_OK);
}

static void make(const wadi_hardness *definition) {
    assert_int_equal(wadi_hardness_from_height(definition, heights, hardness), WADI_OK);
}

static void without_noise_and_blur_hardness_is_scaled_height(void **state) {
    (void)state;
    wadi_hardness definition = wadi_default_hardness(W, H);
    definition.noise = 0;
    definition.blur_cells = 0;
    make_heights();
    make(&definition);
    const wadi_range range = wadi_range_of(hardness, W * H);
    assert_true(range.minimum == 0.1f && range.maximum == 0.9f);
    for (int i = 1; i < W * H; i++) {
        if (heights[i] > heights[i - 1]) assert_true(hardness[i] >= hardness[i - 1]);
    }
}

/* The mean of the cells around one, weighted by a Gaussian, over 3 times its width to each side. */
static double blurred(const wadi_hardness *how, const float *scaled, int x, int y) {
    double sum = 0, weights = 0;
    const int reach = (int)ceil(3 * how->blur_cells);
    for (int j = -reach; j <= reach; j++)
        for (int i = -reach; i <= reach; i++) {
            const int xx = how->wrap ? (x + i + 8 * how->width) % how->width : x + i;
            const int yy = how->wrap ? (y + j + how->height) % how->height : y + j;
            if (xx < 0 || yy < 0 || xx >= how->width || yy >= how->height) continue;
            const double weight = exp(-(i * i + j * j) / (2 * how->blur_cells * how->blur_cells));
            sum += weight * (double)scaled[yy * how->width + xx];
            weights += weight;
        }
    return sum / weights;
}

/* The map is blurred in bands of 256 rows. */
static void high_maps_are_blurred_alike(void **state) {
    (void)state;
    enum { WIDE = 9, HIGH = 600 };
    static float ground[WIDE * HIGH], scaled[WIDE * HIGH], found[WIDE * HIGH];
    for (int i = 0; i < WIDE * HIGH; i++) ground[i] = (float)(i * 7919 % 1013);
    for (int wrap = 0; wrap < 2; wrap++)
        for (int blur = 2; blur <= 12; blur += 10) {
            wadi_hardness how = wadi_default_hardness(WIDE, HIGH);
            how.noise = 0;
            how.wrap = wrap;
            how.blur_cells = 0;
            assert_int_equal(wadi_hardness_from_height(&how, ground, scaled), WADI_OK);
            how.blur_cells = blur;
            assert_int_equal(wadi_hardness_from_height(&how, ground, found), WADI_OK);
            for (int y = 0; y < HIGH; y++)
                for (int x = 0; x < WIDE; x++)
                    assert_true(fabs(blurred(&how, scaled, x, y) - (double)found[y * WIDE + x]) < 1e-5);
        }
}

static void higher_ground_is_harder_and_values_are_within_0_and_1(void **state) {
    (void)state;
    wadi_hardness definition = wadi_default_hardness(W, H);
    make_heights();
    make(&definition);
    const wadi_range range = wadi_range_of(hardness, W * H);
    assert_true(range.minimum >= 0 && range.maximum <= 1 && range.missing == 0);
    const double mean = wadi_range_of(heights, W * H).mean;
    double above = 0, below = 0, count_above = 0, count_below = 0;
    for (int i = 0; i < W * H; i++) {
        const bool high = (double)heights[i] > mean;
        *(high ? &above : &below) += (double)hardness[i];
        *(high ? &count_above : &count_below) += 1;
    }
    assert_true(above / count_above > below / count_below + 0.1);
    definition.noise = 1;
    definition.blur_cells = 0;
    make(&definition);
    const wadi_range noisy = wadi_range_of(hardness, W * H);
    assert_true(noisy.minimum == 0 && noisy.maximum == 1); /* clamped */
}

/* A single hot cell spreads as a Gaussian. */
static void blur_is_a_gaussian(void **state) {
    (void)state;
    const wadi_hardness definition = {.width = W, .height = H, .low = 0, .high = 1, .noise = 0, .blur_cells = 2};
    memset(heights, 0, sizeof heights);
    heights[35 * W + 45] = 1;
    make(&definition);
    double sum = 0, second = 0;
    for (int i = 0; i < W * H; i++) {
        sum += (double)hardness[i];
        second += (double)hardness[i] * (i % W - 45) * (i % W - 45);
    }
    assert_true(fabs(sum - 1) < 1e-5);
    assert_true(fabs(second - 4) < 0.15); /* slightly less: the kernel is cut at three deviations */
    const double here = (double)hardness[35 * W + 45], beside = (double)hardness[35 * W + 47];
    assert_true(fabs(beside / here - exp(-0.5)) < 1e-5);
    assert_true(hardness[35 * W + 43] == hardness[35 * W + 47]);
    assert_true(hardness[33 * W + 45] == hardness[37 * W + 45]);
}

static void missing_cells_stay_missing_and_do_not_spread(void **state) {
    (void)state;
    const wadi_hardness definition = {.width = W, .height = H, .low = 0.25, .high = 0.25, .blur_cells = 3};
    make_heights();
    for (int i = 0; i < 20; i++) heights[i * 97] = NAN;
    for (int x = 0; x < W; x++) heights[40 * W + x] = NAN;
    make(&definition);
    for (int i = 0; i < W * H; i++) {
        if (isnan(heights[i])) {
            assert_true(isnan(hardness[i]));
        } else {
            assert_true(fabsf(hardness[i] - 0.25f) < 1e-6f);
        }
    }
}

static void a_flat_map_has_medium_hardness(void **state) {
    (void)state;
    wadi_hardness definition = wadi_default_hardness(W, H);
    definition.noise = 0;
    memset(heights, 0, sizeof heights);
    make(&definition);
    for (int i = 0; i < W * H; i++) assert_true(fabsf(hardness[i] - 0.5f) < 1e-6f);
}

static void golden_hash_at_any_number_of_threads(void **state) {
    (void)state;
    wadi_hardness definition = wadi_default_hardness(W, H);
    definition.seed = 5;
    make_heights();
    const int before = omp_get_max_threads();
    for (int threads = 1; threads < 4; threads++) {
        char hex[65];
        omp_set_num_threads(threads);
        make(&definition);
        wadi_field_sha256(hardness, W * H, hex);
        hex[16] = '\0';
        assert_string_equal(hex, "b052311d05e27549");
    }
    omp_set_num_threads(before);
}

static void any_blur_on_any_size(void **state) {
    (void)state;
    wadi_hardness definition = wadi_default_hardness(2, 1);
    for (int i = 0; i < 6; i++) {
        static const double blurs[] = {0, 0.001, 0.3, 1, 50, 1000};
        definition.blur_cells = blurs[i];
        heights[0] = 1, heights[1] = 2;
        make(&definition);
        assert_true(hardness[0] >= 0 && hardness[0] <= 1 && hardness[1] >= 0 && hardness[1] <= 1);
    }
}

static void invalid_arguments_are_refused(void **state) {
    (void)state;
    wadi_hardness definition = wadi_default_hardness(W, H);
    definition.blur_cells = -1;
    assert_int_equal(wadi_hardness_from_height(&definition, heights, hardness), WADI_ERROR_ARGUMENT);
    definition = wadi_default_hardness(W, H);
    definition.high = 2;
    assert_int_equal(wadi_hardness_from_height(&definition, heights, hardness), WADI_ERROR_ARGUMENT);
    definition = wadi_default_hardness(W, H);
    definition.noise = NAN;
    assert_int_equal(wadi_hardness_from_height(&definition, heights, hardness), WADI_ERROR_ARGUMENT);
    definition = wadi_default_hardness(0, H);
    assert_int_equal(wadi_hardness_from_height(&definition, heights, hardness), WADI_ERROR_ARGUMENT);
}

/* the values, shifted by (dx, dy) with wrap */
static void shift(const float *values, float *shifted, int dx, int dy) {
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) shifted[(y + dy) % H * W + (x + dx) % W] = values[y * W + x];
}

static void a_periodic_border_has_no_seam(void **state) {
    (void)state;
    static float first[W * H], moved[W * H];
    static const double blurs[] = {0, 2, 9.5, 40}; /* the last one is wider than the map */
    for (size_t i = 0; i < sizeof blurs / sizeof *blurs; i++) {
        wadi_hardness definition = wadi_default_hardness(W, H);
        definition.noise = 0;
        definition.wrap = true;
        definition.blur_cells = blurs[i];
        make_heights();
        heights[3] = NAN;
        make(&definition);
        shift(hardness, first, 37, 61);
        shift(heights, moved, 37, 61);
        assert_int_equal(wadi_hardness_from_height(&definition, moved, hardness), WADI_OK);
        assert_memory_equal(hardness, first, sizeof first);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_noise_and_blur_hardness_is_scaled_height),
        cmocka_unit_test(high_maps_are_blurred_alike),
        cmocka_unit_test(higher_ground_is_harder_and_values_are_within_0_and_1),
        cmocka_unit_test(blur_is_a_gaussian),
        cmocka_unit_test(missing_cells_stay_missing_and_do_not_spread),
        cmocka_unit_test(a_flat_map_has_medium_hardness),
        cmocka_unit_test(golden_hash_at_any_number_of_threads),
        cmocka_unit_test(any_blur_on_any_size),
        cmocka_unit_test(invalid_arguments_are_refused),
        cmocka_unit_test(a_periodic_border_has_no_seam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
