/* atomic.c: outputs that appear whole or not at all: a temporary file beside the place, sync, rename. */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "platform/platform.h"

/* "folder/.wadi-<process>-<number>.tmp": short, so that a path near the longest allowed still has one. */
static char *temporary_name(const char *path) {
    static atomic_uint serial;
    size_t folder = strlen(path);
    while (folder > 0 && path[folder - 1] != '/' && path[folder - 1] != '\\') folder--;
    const size_t size = folder + 48;
    char *name = malloc(size);
    if (name == NULL) return NULL;
    memcpy(name, path, folder);
    snprintf(name + folder, size - folder, ".wadi-%d-%u.tmp", platform_process_id(), atomic_fetch_add(&serial, 1u));
    return name;
}

static wadi_status cannot_write(const char *path, int error) {
    return wadi_fail(WADI_ERROR_IO, "%s: cannot be written: %s; %s", path, strerror(error),
                     error == ENOSPC || error == EFBIG ? "make room, or write elsewhere"
                                                       : "check that the folder is there and may be written");
}

wadi_status io_output_open(io_output *output, const char *path) {
    *output = (io_output){.path = path};
    if (platform_is_folder(path)) return wadi_fail(WADI_ERROR_IO, "%s: is a folder; give a file's name", path);
    if (platform_is_special(path)) /* the rename would put a file in the device's place */
        return wadi_fail(WADI_ERROR_IO, "%s: is a device or a pipe; give a file's name", path);
    output->temporary = temporary_name(path);
    if (output->temporary == NULL) return wadi_fail(WADI_ERROR_MEMORY, "%s: no memory for its name", path);
    output->file = platform_open(output->temporary, "w+");
    if (output->file != NULL) return WADI_OK;
    const int error = errno;
    free(output->temporary);
    output->temporary = NULL;
    return cannot_write(path, error);
}

static bool failed(io_output *output) {
    if (output->error == 0) output->error = errno != 0 ? errno : EIO;
    return false;
}

/* Always seeks where the last call was a read, as C wants it between reading and writing: `at` is then unknown. */
bool io_output_write(io_output *output, uint64_t offset, const void *bytes, size_t count) {
    if (output->error != 0) return false;
    errno = 0;
    if (output->at != offset && !platform_seek(output->file, offset)) return failed(output);
    if (fwrite(bytes, 1, count, output->file) != count) return failed(output);
    output->at = offset + count;
    if (output->at > output->size) output->size = output->at;
    return true;
}

size_t io_output_read(io_output *output, uint64_t offset, void *bytes, size_t count) {
    if (!platform_seek(output->file, offset)) return 0;
    output->at = UINT64_MAX;
    return fread(bytes, 1, count, output->file);
}

/* A full disk is the cause, whatever the format's library made of it. */
static int finish_file(io_output *output) {
    const int unsynced = output->error != 0 ? output->error : platform_sync(output->file);
    errno = 0;
    const int unclosed = fclose(output->file) == 0 ? 0 : errno != 0 ? errno : EIO;
    return unsynced != 0 ? unsynced : unclosed;
}

wadi_status io_output_close(io_output *output, wadi_status status) {
    int error = finish_file(output);
    if (status == WADI_OK && error == 0) error = platform_replace(output->temporary, output->path);
    const bool keep = status == WADI_OK && error == 0;
    if (!keep) platform_remove_file(output->temporary);
    free(output->temporary);
    *output = (io_output){.path = output->path};
    return error != 0 ? cannot_write(output->path, error) : status;
}
