/* as_file.h: bytes as a file, for readers that take a name. The files lie in a folder of the process's own, which goes
 * when it ends by itself. */
#ifndef WADI_FUZZ_AS_FILE_H
#define WADI_FUZZ_AS_FILE_H

#include <stdio.h>
#include <stdlib.h>

#include "platform/platform.h"

static char as_file_folder[64];

static inline void as_file_remove_folder(void) { platform_remove_tree(as_file_folder); }

/* Its path, which holds until the next call. */
static inline const char *as_file(const char *name, const void *bytes, size_t count) {
    static char path[128];
    if (as_file_folder[0] == '\0') {
        snprintf(as_file_folder, sizeof as_file_folder, "/tmp/wadi-fuzz-%d", platform_process_id());
        platform_make_folder(as_file_folder);
        atexit(as_file_remove_folder);
    }
    snprintf(path, sizeof path, "%s/%s", as_file_folder, name);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, count, file) != count || fclose(file) != 0) {
        perror(path);
        exit(1); /* no room to try anything; nothing was found */
    }
    return path;
}

#endif
