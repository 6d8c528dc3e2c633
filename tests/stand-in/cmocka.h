/* cmocka.h: the part of cmocka that the unit tests use, for cross builds to systems without cmocka. The first failure
 * ends the program. */
#ifndef WADI_TESTS_STAND_IN_CMOCKA_H
#define WADI_TESTS_STAND_IN_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
};

#define print_message(...) printf(__VA_ARGS__)
#define fail_msg(...) \
    do { \
        fprintf(stderr, "%s:%d: ", __FILE__, __LINE__); \
        fprintf(stderr, __VA_ARGS__); \
        fprintf(stderr, "\n"); \
        exit(1); \
    } while (0)
#define assert_true(condition) \
    do { \
        if (!(condition)) fail_msg("not so: %s", #condition); \
    } while (0)
#define skip() \
    do { \
        print_message("skipped: "); \
        return; \
    } while (0)

#define assert_false(condition) assert_true(!(condition))
#define assert_null(pointer) assert_true((pointer) == NULL)
#define assert_non_null(pointer) assert_true((pointer) != NULL)
#define assert_ptr_equal(a, b) assert_true((const void *)(a) == (const void *)(b))
#define assert_int_equal(a, b) assert_true((long long)(a) == (long long)(b))
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)
#define assert_string_not_equal(a, b) assert_true(strcmp(a, b) != 0)
#define assert_memory_equal(a, b, size) assert_true(memcmp(a, b, size) == 0)

#define cmocka_set_test_filter(pattern) ((void)(pattern)) /* the filter is ignored */
#define cmocka_unit_test(test) \
    { #test, test }
#define cmocka_run_group_tests(tests, set_up, tear_down) \
    run_tests(tests, sizeof(tests) / sizeof *(tests), set_up, tear_down)
#define cmocka_run_group_tests_name(name, tests, set_up, tear_down) \
    (printf("%s:\n", name), run_tests(tests, sizeof(tests) / sizeof *(tests), set_up, tear_down))

static int run_tests(const struct CMUnitTest *tests, size_t count, int (*set_up)(void **), int (*tear_down)(void **)) {
    void *state = NULL;
    if (set_up != NULL) set_up(&state);
    for (size_t i = 0; i < count; i++) {
        tests[i].run(&state);
        printf("%s: passed\n", tests[i].name);
    }
    if (tear_down != NULL) tear_down(&state);
    return 0;
}

#endif
