/* page.c: texts for the page's scripts. */
#define _POSIX_C_SOURCE 200809L
#include "web/page.h"

#include <stdlib.h>

static char *written;
static size_t length;
static json writer;

json page_json_begin(void) {
    free(written);
    written = NULL;
    writer = run_json_to(open_memstream(&written, &length), true);
    return writer;
}

const char *page_json_end(void) {
    fclose(writer.file);
    return written;
}

PAGE_CALL const char *page_error(void) { return wadi_error_message(); }
PAGE_CALL const char *page_version(void) { return wadi_version(); }
