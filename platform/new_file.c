/* new_file.c: files that appear whole or not at all: a temporary file beside the place, sync, rename. */
#include "platform/platform.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

char *platform_temporary_name(const char *path) {
    static atomic_uint serial;
    size_t folder = strlen(path);
    while (folder > 0 && path[folder - 1] != '/' && path[folder - 1] != '\\') folder--;
    const size_t size = folder + 48;
    char *name = malloc(size);
    if (name == NULL) return NULL;
    memcpy(name, path, folder);
    snprintf(name + folder, size - folder, PLATFORM_TEMPORARY "%d-%u.tmp", platform_process_id(),
             atomic_fetch_add(&serial, 1u));
    return name;
}

int platform_new_file_begin(const char *path, platform_new_file *made) {
    *made = (platform_new_file){.temporary = platform_temporary_name(path)};
    if (made->temporary == NULL) return ENOMEM;
    errno = 0;
    made->file = platform_open(made->temporary, "w+");
    if (made->file != NULL) return 0;
    const int error = errno != 0 ? errno : EIO;
    free(made->temporary);
    made->temporary = NULL;
    return error;
}

int platform_new_file_end(platform_new_file *made, const char *path, int error) {
    if (error == 0) error = platform_sync(made->file);
    errno = 0;
    if (fclose(made->file) != 0 && error == 0) error = errno != 0 ? errno : EIO;
    if (error == 0) error = platform_replace(made->temporary, path);
    if (error != 0) platform_remove_file(made->temporary);
    free(made->temporary);
    *made = (platform_new_file){0};
    return error;
}
