/* SHA-256 against the examples published with FIPS 180-4, and the hash of a field. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/sha256.h"
#include "wadi/analysis.h"

static void expect(const char *text, size_t count, const char *expected) {
    char hex[65];
    wadi_sha256 hash;
    wadi_sha256_begin(&hash);
    wadi_sha256_add(&hash, text, count);
    wadi_sha256_end(&hash, hex);
    assert_string_equal(hex, expected);
}

static void published_examples(void **state) {
    (void)state;
    const char *two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    expect("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(two_blocks, strlen(two_blocks), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void a_million_letters(void **state) {
    (void)state;
    char *text = malloc(1000000);
    assert_non_null(text);
    memset(text, 'a', 1000000);
    expect(text, 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(text);
}

static void parts_of_any_size_give_the_same_hash(void **state) {
    (void)state;
    uint8_t bytes[300];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * 7);
    for (size_t count = 0; count < sizeof bytes; count++) {
        char whole[65], pieces[65];
        wadi_sha256 hash;
        wadi_sha256_begin(&hash);
        wadi_sha256_add(&hash, bytes, count);
        wadi_sha256_end(&hash, whole);
        wadi_sha256_begin(&hash);
        const size_t step = count % 67 + 1;
        for (size_t from = 0; from < count; from += step) {
            wadi_sha256_add(&hash, bytes + from, count - from < step ? count - from : step);
        }
        wadi_sha256_end(&hash, pieces);
        assert_string_equal(whole, pieces);
    }
}

/* On a processor with SHA instructions, only this test runs the portable code. */
static void any_instruction_set_gives_the_same_hash(void **state) {
    (void)state;
    uint8_t bytes[64 * 9];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * i + 11 * i);
    wadi_sha256 hash;
    wadi_sha256_begin(&hash);
    uint32_t portable[8];
    memcpy(portable, hash.state, sizeof portable);
    wadi_sha256_portably(portable, bytes, sizeof bytes / 64);
    wadi_sha256_add(&hash, bytes, sizeof bytes);
    assert_memory_equal(hash.state, portable, sizeof portable);
}

static void a_field_is_its_bytes(void **state) {
    (void)state;
    const float values[] = {1.0f, -0.0f};
    const uint8_t bytes[] = {0, 0, 0x80, 0x3f, 0, 0, 0, 0x80}; /* little-endian */
    char expected[65], hex[65];
    wadi_sha256 hash;
    wadi_sha256_begin(&hash);
    wadi_sha256_add(&hash, bytes, sizeof bytes);
    wadi_sha256_end(&hash, expected);
    wadi_field_sha256(values, 2, hex);
    assert_string_equal(hex, expected);
}

static void every_nan_has_the_same_hash(void **state) {
    (void)state;
    const uint32_t words[] = {0x7fc00000u, 0xffc00001u};
    float values[2][1];
    memcpy(values, words, sizeof words);
    char first[65], second[65];
    wadi_field_sha256(values[0], 1, first);
    wadi_field_sha256(values[1], 1, second);
    assert_string_equal(first, second);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_examples),
        cmocka_unit_test(a_million_letters),
        cmocka_unit_test(parts_of_any_size_give_the_same_hash),
        cmocka_unit_test(any_instruction_set_gives_the_same_hash),
        cmocka_unit_test(a_field_is_its_bytes),
        cmocka_unit_test(every_nan_has_the_same_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
