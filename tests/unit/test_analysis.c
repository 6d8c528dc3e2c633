/* The erosion score and the range of maps with known figures. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/random.h"
#include "platform/openmp.h"
#include "wadi/analysis.h"

static void close_to(double value, double expected) { assert_true(fabs(value - expected) < 1e-12); }

static void flat_and_even_slopes_score_0(void **state) {
    (void)state;
    float flat[12], slope[12];
    for (int i = 0; i < 12; i++) {
        flat[i] = 7.0f;
        slope[i] = (float)(i % 4);
    }
    close_to(wadi_erosion_score(flat, 4, 3, false), 0);
    close_to(wadi_erosion_score(slope, 4, 3, false), 0);
}

static void one_step_in_a_row(void **state) {
    (void)state;
    const float step[] = {0, 0, 3, 3};
    close_to(wadi_erosion_score(step, 4, 1, false), 1); /* slopes 0 3 3 0: mean 1.5, deviation 1.5 */
    close_to(wadi_erosion_score(step, 4, 1, true), 0);  /* across the border the step is everywhere */
}

static void a_peak(void **state) {
    (void)state;
    float peak[25] = {0};
    peak[12] = 2; /* five slopes of 2 among 25: mean 0.4, variance 0.64 */
    close_to(wadi_erosion_score(peak, 5, 5, false), 2);
}

static void nan_cells_are_ignored(void **state) {
    (void)state;
    const float with[] = {0, 0, 3, 3, NAN, 100};
    /* slopes 0 3 3 0, none, and 0 for the isolated cell: mean 1.2, variance 2.16 */
    close_to(wadi_erosion_score(with, 6, 1, false), sqrt(2.16) / 1.2);
    const float none[] = {NAN, NAN, NAN, NAN};
    close_to(wadi_erosion_score(none, 2, 2, true), 0);
    const float infinite[] = {0, 0, 3, 3, INFINITY};
    close_to(wadi_erosion_score(infinite, 5, 1, false), 1);
}

static void any_number_of_threads_gives_the_same_bits(void **state) {
    (void)state;
    static float noise[97 * 101];
    for (wadi_u32 i = 0; i < 97 * 101; i++) noise[i] = wadi_unit_float(wadi_philox(i, 0, 0, 0, 5, 0).v[0]);
    const int before = omp_get_max_threads();
    omp_set_num_threads(1);
    const double one = wadi_erosion_score(noise, 97, 101, false);
    for (int threads = 2; threads < 6; threads++) {
        omp_set_num_threads(threads);
        assert_true(wadi_erosion_score(noise, 97, 101, false) == one);
    }
    omp_set_num_threads(before);
}

static void range(void **state) {
    (void)state;
    const float values[] = {3, NAN, -1, INFINITY, 4, -INFINITY, NAN};
    const wadi_range found = wadi_range_of(values, 7);
    assert_true(found.minimum == -1 && found.maximum == 4 && found.mean == 2);
    assert_int_equal(found.missing, 2);
    assert_int_equal(found.infinite, 2);
    const wadi_range empty = wadi_range_of(values + 1, 1);
    assert_true(empty.minimum == 0 && empty.maximum == 0 && empty.mean == 0);
    assert_int_equal(wadi_range_of(NULL, 0).missing, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_and_even_slopes_score_0),
        cmocka_unit_test(one_step_in_a_row),
        cmocka_unit_test(a_peak),
        cmocka_unit_test(nan_cells_are_ignored),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
