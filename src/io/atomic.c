/* atomic.c: the outputs of this library. A file appears complete or not at all. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "platform/platform.h"

static wadi_status cannot_write(const char *path, int error) {
    if (error == ENOMEM) return wadi_fail(WADI_ERROR_MEMORY, "%s: cannot be written: not enough memory", path);
    if (error == EEXIST)
        return wadi_fail(WADI_ERROR_IO, "%s: another program has made it meanwhile; name another file", path);
    return wadi_fail(WADI_ERROR_IO, "%s: cannot be written: %s; %s", path, strerror(error),
                     error == ENOSPC || error == EFBIG ? "make room, or write elsewhere"
                                                       : "check that the folder is there and may be written");
}

wadi_status io_output_open(io_output *output, const char *path) {
    *output = (io_output){.path = path};
    if (platform_is_folder(path)) return wadi_fail(WADI_ERROR_IO, "%s: is a folder; give a file's name", path);
    if (platform_is_special(path)) /* a rename would replace the device by a file */
        return wadi_fail(WADI_ERROR_IO, "%s: is a device or a pipe; give a file's name", path);
    const int error = platform_new_file_begin(path, &output->made);
    output->file = output->made.file;
    return error == 0 ? WADI_OK : cannot_write(path, error);
}

static bool failed(io_output *output) {
    if (output->error == 0) output->error = errno != 0 ? errno : EIO;
    return false;
}

io_output io_output_memory(const char *name) { return (io_output){.path = name}; }

static bool keep(io_output *output, uint64_t offset, const void *bytes, size_t count) {
    const uint64_t end = offset + count;
    if (end > output->room) {
        const size_t room = (size_t)(end + end / 2 + 4096);
        uint8_t *longer = realloc(output->bytes, room);
        if (longer == NULL) output->error = ENOMEM;
        if (longer == NULL) return false;
        output->bytes = longer;
        output->room = room;
    }
    memcpy(output->bytes + offset, bytes, count);
    if (end > output->size) output->size = end;
    return true;
}

/* Always seeks after a read: C requires it between reading and writing. `at` is then unknown. */
bool io_output_write(io_output *output, uint64_t offset, const void *bytes, size_t count) {
    if (output->error != 0) return false;
    if (output->file == NULL) return keep(output, offset, bytes, count);
    const int before = errno; /* kept: it may say why a library failed */
    errno = 0;
    if (output->at != offset && !platform_seek(output->file, offset)) return failed(output);
    if (fwrite(bytes, 1, count, output->file) != count) return failed(output);
    errno = before;
    output->at = offset + count;
    if (output->at > output->size) output->size = output->at;
    return true;
}

size_t io_output_read(io_output *output, uint64_t offset, void *bytes, size_t count) {
    if (!platform_seek(output->file, offset)) return 0;
    output->at = UINT64_MAX;
    return fread(bytes, 1, count, output->file);
}

wadi_status io_output_status(const io_output *output, wadi_status status) {
    return output->error == 0 ? status : cannot_write(output->path, output->error);
}

/* A full disk or memory is the cause, for any error of the format's library. */
wadi_status io_output_close(io_output *output, wadi_status status) {
    int failure = output->error;
    if (status != WADI_OK && failure == 0) failure = platform_sync(output->file);
    if (status != WADI_OK && failure == 0) failure = ECANCELED;
    const int error = platform_new_file_end(&output->made, output->path, failure);
    *output = (io_output){.path = output->path};
    return error == 0 || error == ECANCELED ? status : cannot_write(output->path, error);
}
