/* What a process leaves of a run folder that it holds when it ends. */
#include "run/folder.h"

#include "platform/platform.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static folder_hold *hold;

static void ends_by_exit(void) { exit(0); }
static void ends_by_signal(void) { raise(SIGTERM); }

/* A child takes the folder, and ends with it. `program`: as the command does, which cleans up at its end. */
static void take_and_end(const char *folder, bool program, bool begun, void (*end)(void), int code) {
    int status = -1;
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGTERM, SIG_DFL);
        if (program) platform_end_on_signals();
        if (run_folder_take(folder, false, &hold) != WADI_OK) _exit(99);
        if (begun) run_folder_begun(hold);
        end();
        _exit(98);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), code);
}

static void test_a_folder_without_a_run_is_removed(void **state) {
    (void)state;
    take_and_end("exited", true, false, ends_by_exit, 0);
    assert_false(platform_exists("exited"));
    take_and_end("ended", true, false, ends_by_signal, 130);
    assert_false(platform_exists("ended"));
}

static void test_a_folder_with_a_run_stays(void **state) {
    (void)state;
    take_and_end("begun", true, true, ends_by_exit, 0);
    assert_true(platform_is_folder("begun"));
    assert_int_equal(rmdir("begun"), 0); /* no lock is left in it */
    assert_int_equal(mkdir("older", 0777), 0);
    take_and_end("older", true, false, ends_by_signal, 130);
    assert_true(platform_is_folder("older"));
}

/* A library does nothing at its process's end. What is left does not hinder the next process. */
static void test_a_program_that_does_not_clean_up(void **state) {
    (void)state;
    take_and_end("left", false, false, ends_by_exit, 0);
    assert_true(platform_is_folder("left"));
    assert_int_equal(run_folder_take("left", false, &hold), WADI_OK);
    run_folder_leave(hold);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_folder_without_a_run_is_removed),
        cmocka_unit_test(test_a_folder_with_a_run_stays),
        cmocka_unit_test(test_a_program_that_does_not_clean_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
