/* test_platform.c: files, memory, float mode, libraries, interrupts and child programs on this platform. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <float.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/stat.h>

#include "platform/cache_linux.h"
#endif
#include "platform/platform.h"

static void write_file(const char *path, const char *text) {
    FILE *file = platform_open(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(platform_sync(file), 0);
    assert_int_equal(fclose(file), 0);
}

static void test_machine(void **state) {
    (void)state;
    char name[64];
    platform_cpu_name(name, sizeof name);
    assert_true(name[0] != '\0' && name[0] != ' ');
    assert_true(platform_cores() >= 1);
    assert_true(platform_cpu_has("baseline"));
    assert_false(platform_cpu_has("no such set"));
    for (int level = 1; level <= 3; level++) assert_true(platform_cache_bytes(level) >= 4096);
    assert_true(platform_cache_sharers(3) >= 0);
    assert_true(platform_fast_cache_bytes() >= platform_cache_bytes(2));
    const double before = platform_clock_s();
    assert_true(platform_clock_s() >= before);
    assert_true(platform_process_id() > 0);
}

#ifdef __linux__
static void write_cache(int index, const char *level, const char *type, const char *size, const char *sharers) {
    char path[64];
    const char *const names[] = {"level", "type", "size", "shared_cpu_list"};
    const char *const texts[] = {level, type, size, sharers};
    snprintf(path, sizeof path, "cache/index%d", index);
    assert_int_equal(mkdir(path, 0777), 0);
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "cache/index%d/%s", index, names[i]);
        write_file(path, texts[i]);
    }
}

/* As an AMD EPYC lists them, whose processor says 320 MiB on a virtual machine. */
static void test_caches_are_those_of_a_core(void **state) {
    (void)state;
    assert_int_equal(platform_listed_cache("cache", 1), 0);
    assert_int_equal(mkdir("cache", 0777), 0);
    write_cache(0, "1\n", "Instruction\n", "64K\n", "0\n");
    write_cache(1, "1\n", "Data\n", "32K\n", "0\n");
    write_cache(2, "2\n", "Unified\n", "1M\n", "0,64\n");
    write_cache(3, "3\n", "Unified\n", "32768K\n", "0-7,64-71\n");
    write_cache(4, "4\n", "Unified\n", "many\n", "all\n");
    assert_int_equal(platform_listed_cache("cache", 1), 32 << 10);
    assert_int_equal(platform_listed_cache("cache", 2), 1 << 20);
    assert_int_equal(platform_listed_cache("cache", 3), 32 << 20);
    assert_int_equal(platform_listed_cache("cache", 4), 0);
    assert_int_equal(platform_listed_cache("cache", 5), 0);
    const int sharers[] = {1, 2, 16, 0, 0};
    for (int level = 1; level <= 5; level++)
        assert_int_equal(platform_listed_sharers("cache", level), sharers[level - 1]);
}
#endif

static void test_pages_are_zeroed_and_aligned(void **state) {
    (void)state;
    const size_t sizes[] = {1, 4096, 100001, (size_t)9 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *pages = platform_pages(sizes[i]);
        assert_non_null(pages);
        assert_int_equal((uintptr_t)pages % 64, 0);
        for (size_t at = 0; at < sizes[i]; at += 997) assert_int_equal(pages[at], 0);
        memset(pages, 1, sizes[i]);
        platform_pages_free(pages, sizes[i]);
    }
    assert_null(platform_pages(SIZE_MAX - 4096));
    platform_pages_free(NULL, 4096);
    assert_true(platform_memory_bytes() > (uint64_t)1 << 20);
    assert_true(platform_peak_memory_bytes() > (uint64_t)9 << 20);
}

/* Denormals flushed, rounding toward zero. */
#if defined(__SSE2__)
#define ODD_MODE 0xffc0u
#elif defined(__aarch64__)
#define ODD_MODE 0x1c00000u
#endif

static void test_strict_mode_keeps_denormals_and_rounds_to_nearest(void **state) {
    (void)state;
#ifdef ODD_MODE
    const unsigned usual = platform_float_mode_strict();
    platform_float_mode_restore(ODD_MODE);
    const unsigned before = platform_float_mode_strict();
    volatile float smallest = FLT_MIN, half = 0.5f, two = 2.0f, three = 3.0f;
    volatile float denormal = smallest * half, rounded_up = two / three;
    platform_float_mode_restore(usual);
    assert_int_equal(before & ODD_MODE, ODD_MODE);
    assert_true(denormal > 0.0f);
    assert_true(rounded_up > 0.66666664f);
#endif
}

static void test_a_new_file_appears_whole_or_not_at_all(void **state) {
    (void)state;
    platform_new_file one, other;
    assert_int_equal(platform_new_file_begin("new-file", &one), 0);
    assert_int_equal(platform_new_file_begin("new-file", &other), 0); /* next to it, under a temporary name */
    assert_string_not_equal(one.temporary, other.temporary);
    assert_true(fputs("one", one.file) >= 0 && fputs("other", other.file) >= 0);
    char *left = strdup(one.temporary);
    assert_false(platform_exists("new-file"));
    assert_int_equal(platform_new_file_end(&other, "new-file", 0), 0);
    assert_int_equal(platform_new_file_end(&one, "new-file", ENOSPC), ENOSPC); /* the failed one is not visible */
    assert_false(platform_exists(left));
    char text[16] = "";
    FILE *file = platform_open("new-file", "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_string_equal(text, "other");
    assert_int_equal(platform_remove_file("new-file"), 0);
    assert_int_equal(platform_new_file_begin("no such folder/new-file", &one), ENOENT);
    free(left);
}

static void test_a_doomed_folder_is_removed_with_its_files(void **state) {
    (void)state;
    char *doomed = strdup("doomed"), *kept = strdup("kept");
    platform_doom_folder(doomed);
    platform_doom_folder(kept);
    assert_int_equal(platform_make_folder("doomed"), 0);
    assert_int_equal(platform_make_folder("kept"), 0);
    for (int i = 0; i < 200; i++) {
        char path[64];
        snprintf(path, sizeof path, "doomed/file with a name %d", i);
        write_file(path, "");
    }
    platform_keep_folder(kept);
    platform_drop_new_files(); /* as in a signal handler */
    free(doomed);
    assert_false(platform_exists("doomed"));
    assert_int_equal(platform_remove_folder("kept"), 0);
}

static void test_a_lock_is_held_once(void **state) {
    (void)state;
    platform_file_lock *lock, *second;
    int owner;
    write_file("locked", "what a killed process left"); /* no lock of its own */
    assert_int_equal(platform_file_lock_take("locked", &lock, &owner), 0);
    assert_int_equal(platform_file_lock_take("locked", &second, &owner), EAGAIN);
    assert_null(second);
    assert_int_equal(owner, platform_process_id());
    platform_file_lock_release(lock);
    assert_false(platform_exists("locked"));
    assert_int_equal(platform_file_lock_take("locked", &lock, &owner), 0);
    platform_file_lock_release(lock);
    platform_file_lock_release(NULL);
    assert_int_equal(platform_file_lock_take("no such folder/locked", &lock, &owner), ENOENT);
}

static void count(void *context, const char *name) {
    (void)name;
    ++*(int *)context;
}

static void test_files(void **state) {
    (void)state;
    int names = 0;
    assert_int_equal(platform_make_folder("a"), 0);
    assert_int_equal(platform_make_folder("a"), EEXIST);
    assert_true(platform_is_folder("a") && platform_try_writing_in("a") == 0);
    assert_true(platform_free_disk_bytes("a") > 0);
    write_file("a/one", "new");
    write_file("a/\xc3\xa9", "old");
    assert_int_equal(platform_replace("a/one", "a/\xc3\xa9"), 0);
    assert_false(platform_exists("a/one"));
    assert_true(platform_exists("a/\xc3\xa9") && !platform_is_folder("a/\xc3\xa9"));
    assert_int_equal(platform_list("a", count, &names), 0);
    assert_int_equal(names, 1);
    assert_int_equal(platform_make_folder("a/deeper"), 0);
    write_file("a/deeper/file", "");
    assert_int_equal(platform_remove_tree("a"), 0);
    assert_false(platform_exists("a"));
}

static void test_missing_files_are_reported(void **state) {
    (void)state;
    int names = 0;
    assert_null(platform_open("missing/file", "r"));
    assert_int_equal(platform_replace("missing", "other"), ENOENT);
    assert_int_equal(platform_remove_file("missing"), ENOENT);
    assert_int_equal(platform_remove_tree("missing"), ENOENT);
    assert_int_equal(platform_list("missing", count, &names), ENOENT);
    assert_int_equal(platform_make_folder("missing/folder"), ENOENT);
    assert_int_equal(platform_try_writing_in("missing"), ENOENT);
}

static void test_interrupt_sets_a_flag(void **state) {
    (void)state;
    platform_end_on_signals();
    platform_catch_interrupts();
    assert_false(platform_interrupted());
    raise(SIGINT);
    assert_true(platform_interrupted());
}

static void set(const char *name, const char *value) {
    if (value != NULL)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

/* The result of platform_cache_folder; "" for none. */
static const char *cache_folder(const char *own, const char *caches, const char *home) {
    static char path[32];
    set("WADI_CACHE", own);
    set("XDG_CACHE_HOME", caches);
    set("HOME", home);
    return platform_cache_folder(path, sizeof path) ? path : "";
}

static void test_cache_folder(void **state) {
    (void)state;
    assert_string_equal(cache_folder("mine", "/caches", "/home/x"), "mine");
    assert_string_equal(cache_folder("", "/caches", "/home/x"), "");
    assert_string_equal(cache_folder(NULL, "/caches", "/home/x"), "/caches/wadi");
    assert_string_equal(cache_folder(NULL, "caches", "/home/x"), "/home/x/.cache/wadi");
    assert_string_equal(cache_folder(NULL, NULL, "/home/x"), "/home/x/.cache/wadi");
    assert_string_equal(cache_folder(NULL, NULL, NULL), "");
    assert_string_equal(cache_folder(NULL, "/a folder whose name is too long", "/home/x"), "");
}

static void test_libraries(void **state) {
    (void)state;
    assert_null(platform_library_open(""));
    assert_null(platform_library_open("libno-such-library.so.1"));
    platform_library_close(NULL);
#ifdef __linux__
    void *library = platform_library_open("libm.so.6");
    assert_non_null(library);
    double (*const root)(double) = (double (*)(double))platform_library_symbol(library, "sqrt");
    assert_non_null(root);
    assert_true(root(9.0) == 3.0);
    assert_null(platform_library_symbol(library, "no_such_function"));
    platform_library_close(library);
#endif
}

static void test_programs_read_what_is_written(void **state) {
    (void)state;
#ifdef __linux__
    static char much[1 << 20];
    char said[8];
    platform_process *process;
    const char *const takes[] = {
        "sh", "-c", "[ $(wc -c) = 2097152 ] && echo \"$1\" >&2; exit 3", "sh", "a 'b' \"c\" $d", NULL};
    assert_int_equal(platform_process_start(takes, &process), 0);
    assert_int_equal(platform_process_write(process, much, sizeof much), 0);
    assert_int_equal(platform_process_write(process, much, sizeof much), 0);
    assert_int_equal(platform_process_end(process, said, sizeof said), 3);
    assert_string_equal(said, "\"c\" $d\n"); /* its end */

    /* one that ends before it has read all, and says much: neither a signal nor a wait without end */
    const char *const ends[] = {"sh", "-c", "yes | head -c 300000 >&2; echo why >&2; exit 1", NULL};
    assert_int_equal(platform_process_start(ends, &process), 0);
    int failure = 0;
    for (int i = 0; i < 100 && failure == 0; i++) failure = platform_process_write(process, much, sizeof much);
    assert_int_equal(failure, EPIPE);
    assert_int_equal(platform_process_end(process, said, sizeof said), 1);
    assert_string_equal(said + strlen(said) - 4, "why\n");

    const char *const sleeps[] = {"sleep", "1000", NULL};
    assert_int_equal(platform_process_start(sleeps, &process), 0);
    platform_process_kill(process);
    platform_process_kill(NULL);

    const char *const missing[] = {"no-such-program", NULL};
    failure = platform_process_start(missing, &process);
    if (failure == 0) { /* as qemu has it */
        assert_int_equal(platform_process_end(process, said, sizeof said), 127);
    } else {
        assert_int_equal(failure, ENOENT);
        assert_null(process);
    }
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_machine),
#ifdef __linux__
        cmocka_unit_test(test_caches_are_those_of_a_core),
#endif
        cmocka_unit_test(test_pages_are_zeroed_and_aligned),
        cmocka_unit_test(test_a_new_file_appears_whole_or_not_at_all),
        cmocka_unit_test(test_a_doomed_folder_is_removed_with_its_files),
        cmocka_unit_test(test_a_lock_is_held_once),
        cmocka_unit_test(test_strict_mode_keeps_denormals_and_rounds_to_nearest),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_missing_files_are_reported),
        cmocka_unit_test(test_cache_folder),
        cmocka_unit_test(test_libraries),
        cmocka_unit_test(test_interrupt_sets_a_flag),
        cmocka_unit_test(test_programs_read_what_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
