/* screen.h: an OpenGL context for tests. Where there is none without a window, a test skips, unless WADI_NEED_OPENGL is
 * set. */
#ifndef TESTS_SCREEN_H
#define TESTS_SCREEN_H

#include <stdbool.h>
#include <stdlib.h>

#include "wadi/landscape.h"

static wadi_offscreen *screen;

/* false: there is none; *code is the test's exit code. */
static bool open_screen(int size, int *code) {
    *code = 0;
    if (wadi_offscreen_open(size, size, &screen) == WADI_OK) {
        print_message("drawn by %s\n", wadi_offscreen_renderer(screen));
        return true;
    }
    *code = getenv("WADI_NEED_OPENGL") != NULL ? 1 : 77;
    print_message("%s: %s\n", *code == 1 ? "FAILED" : "skipped", wadi_error_message());
    return false;
}

#endif
