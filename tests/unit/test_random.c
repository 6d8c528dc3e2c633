/* The generator of src/core/random.h against the known answers published with Random123. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/random.h"

_Static_assert(sizeof(wadi_u32) == 4, "random.h counts on 32-bit words");

static void expect(const wadi_u32 c[4], const wadi_u32 k[2], const wadi_u32 expected[4]) {
    const wadi_random4 words = wadi_philox(c[0], c[1], c[2], c[3], k[0], k[1]);
    for (int i = 0; i < 4; i++) assert_int_equal(words.v[i], expected[i]);
}

static void known_answers(void **state) {
    (void)state;
    const wadi_u32 ones = 0xffffffffu;
    expect((wadi_u32[4]){0, 0, 0, 0}, (wadi_u32[2]){0, 0},
           (wadi_u32[4]){0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u});
    expect((wadi_u32[4]){ones, ones, ones, ones}, (wadi_u32[2]){ones, ones},
           (wadi_u32[4]){0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu});
    expect((wadi_u32[4]){0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}, /* the digits of pi */
           (wadi_u32[2]){0xa4093822u, 0x299f31d0u}, (wadi_u32[4]){0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u});
}

static void high_half_of_a_product(void **state) {
    (void)state;
    wadi_u32 a = 0x9e3779b9u, b = 0xffffffffu;
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(wadi_multiply_high(a, b), ((uint64_t)a * b) >> 32);
        a = a * 1664525u + 1013904223u;
        b = b * 22695477u + 1u;
    }
    assert_int_equal(wadi_multiply_high(0xffffffffu, 0xffffffffu), 0xfffffffeu);
}

static void unit_floats_stay_below_one(void **state) {
    (void)state;
    assert_true(wadi_unit_float(0) == 0.0f);
    assert_true(wadi_unit_float(0xffffffffu) < 1.0f);
    assert_true(wadi_unit_float(0x80000000u) == 0.5f);
    double sum = 0;
    for (wadi_u32 i = 0; i < 100000; i++) sum += (double)wadi_unit_float(wadi_philox(i, 0, 0, 0, 1, 2).v[i & 3]);
    assert_true(sum / 100000 > 0.495 && sum / 100000 < 0.505);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(high_half_of_a_product),
        cmocka_unit_test(unit_floats_stay_below_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
