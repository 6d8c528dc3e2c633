/* view.c: wadi view: starts the window. It is a separate program, so that this one does not need GTK. */
#include "cli.h"
#include "options.h"

#include "run/array.h"
#include "run/message.h"
#include "run/text.h"

#include "platform/platform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int wadi_cmd_view(int argc, char **argv) {
    char *program = platform_program_beside("wadi-view");
    if (!program)
        return report_end(wadi_fail(WADI_ERROR_ARGUMENT,
                                    "view: the window is not built: install libgtk-4-dev and build again "
                                    "('wadi render --3d' draws a picture without it)"));
    char **words = must_have(run_array_new((size_t)argc + 1, sizeof *words));
    words[0] = program;
    for (int i = 1; i < argc; i++) words[i] = argv[i];
    const int error = platform_become(program, words);
    wadi_status status = wadi_fail(WADI_ERROR_IO, "view: %s cannot be started: %s", program, strerror(error));
    free(words);
    free(program);
    return report_end(status);
}
