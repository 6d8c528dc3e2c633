#include "report.h"

#include "run/message.h"

#include <stdio.h>

static void write_line(void *context, const char *line) {
    (void)context;
    fflush(stdout); /* so that the two streams keep their order where both are the same terminal or file */
    fprintf(stderr, "wadi: %s\n", line);
}

void report_on_stderr(void) { cli_report_to(write_line, NULL); }
