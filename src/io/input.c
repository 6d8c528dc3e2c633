/* input.c: reads from a file or from memory, so that tests and fuzzers run the readers unchanged. */
#include <errno.h>
#include <string.h>

#include "formats.h"
#include "platform/platform.h"

wadi_status io_input_status(const io_input *input, wadi_status status) {
    if (input->error == 0) return status;
    if (input->error == ENOMEM)
        return wadi_fail(WADI_ERROR_MEMORY, "%s: cannot be read: not enough memory", input->name);
    return wadi_fail(WADI_ERROR_IO, "%s: cannot be read: %s; get a whole copy", input->name, strerror(input->error));
}

static wadi_status not_opened(io_input *input) {
    if (errno == ENOMEM) {
        input->error = ENOMEM;
        return io_input_status(input, WADI_ERROR_MEMORY);
    }
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: cannot be opened: %s; check the path", input->name, strerror(errno));
}

wadi_status io_input_open(io_input *input, const char *path) {
    input->name = path;
    if (platform_is_special(path)) /* before opening: to open a pipe can wait forever */
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: is a device or a pipe; give a file", path);
    input->file = platform_open(path, "r");
    if (input->file == NULL) return not_opened(input);
    input->size = input->at = platform_file_bytes(input->file);
    if (input->size != UINT64_MAX) return WADI_OK;
    io_input_close(input);
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: its size cannot be told; give a file", path);
}

void io_input_close(io_input *input) {
    if (input->file != NULL) fclose(input->file);
    input->file = NULL;
}

size_t io_input_read(io_input *input, uint64_t offset, void *buffer, size_t count) {
    if (offset >= input->size || count == 0) return 0;
    if (count > input->size - offset) count = (size_t)(input->size - offset);
    if (input->file == NULL) {
        memcpy(buffer, input->bytes + offset, count);
        return count;
    }
    const int before = errno; /* kept: it may say why a library failed */
    errno = 0;
    const bool found = input->at == offset || platform_seek(input->file, offset);
    const size_t got = found ? fread(buffer, 1, count, input->file) : 0;
    input->at = got == count ? offset + got : UINT64_MAX;
    if (got != count && input->error == 0) input->error = errno != 0 ? errno : EIO; /* count is within its size */
    if (got == count) errno = before;
    return got;
}
