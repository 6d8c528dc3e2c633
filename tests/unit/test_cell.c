/* Functions that the physics of several models share, against those of libm. */
#include "scene.h"

#include <math.h>

#include "engine/cell.h"

#include "models/common_cell.h"

/* The exponents of the models are from -1/2 to 1. */
static const float exponents[] = {-0.5f, 0.1f, 0.3333333f, 0.46f, 0.5f, 0.6f, 1, 1.9f};

static void powers_are_right_to_some_millionths(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof(exponents) / sizeof(exponents[0]); i++) {
        const float e = exponents[i];
        double worst = 0;
        for (float v = 0x1p-60f; v < 0x1p60f; v *= 1.0009765625f) { /* steps of 1/1024 */
            const double right = pow((double)v, (double)e), found = (double)cell_power(v, e);
            worst = fmax(worst, fabs(found / right - 1));
        }
        /* e log2(v) is rounded in float32: 60 e to 2^-18 e at the ends */
        if (worst > 6e-6) fail_msg("v^%g is wrong by %g", (double)e, worst);
        for (float v = 1e-2f; v < 1e8f; v *= 1.0009765625f) { /* drainage areas in cells */
            const double right = pow((double)v, (double)e), found = (double)cell_power(v, e);
            if (fabs(found / right - 1) > 1e-6 * (1 + fabs((double)e)))
                fail_msg("%g^%g is %.9g, not %.9g", (double)v, (double)e, found, right);
        }
        assert_float_equal(cell_power(1, e), 1, 0);
    }
}

static void powers_of_any_number_are_finite(void **state) {
    (void)state;
    static const float any[] = {0, -0.0f, -1, 0x1p-149f, 0x1p-126f, 1e38f, INFINITY, NAN};
    for (size_t i = 0; i < sizeof(exponents) / sizeof(exponents[0]); i++) {
        for (size_t j = 0; j < sizeof(any) / sizeof(any[0]); j++) {
            const float found = cell_power(any[j], exponents[i]), most = cell_power(0x1p60f, exponents[i]);
            assert_true(found > 0 && isfinite(found));
            assert_float_equal(found, any[j] > 1 ? most : cell_power(0x1p-60f, exponents[i]), 0);
        }
    }
}

/* Powers rise, but for the last bits. So no step is seen in the terrain. */
static void powers_rise(void **state) {
    (void)state;
    for (int n = -3; n < 24; n++) {
        for (int half = 0; half < 2; half++) { /* at powers of 2, and where the nearest one changes */
            const float at = ldexpf(half ? 0.70710678f : 1, n);
            float v = at * (1 - 0x1p-14f), before = cell_power(v, 0.46f);
            for (; v < at * (1 + 0x1p-14f); v = nextafterf(v, INFINITY)) {
                const float now = cell_power(v, 0.46f);
                if (!(now >= before * (1 - 4e-7f)))
                    fail_msg("%g^0.46 falls from %.9g to %.9g", (double)v, (double)before, (double)now);
                before = now > before ? now : before;
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_are_right_to_some_millionths),
        cmocka_unit_test(powers_of_any_number_are_finite),
        cmocka_unit_test(powers_rise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
