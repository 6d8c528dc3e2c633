/* driver_errors.c: the drivers' messages, and their common checks. */
#include "engine/gpu/driver/driver_errors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"

wadi_status wadi_gpu_lost(const wadi_device *device, const char *doing, const char *error) {
    /* Where a CUDA call has failed, later ones often fail until the process ends. The message says so. */
    return wadi_fail(WADI_ERROR_DEVICE,
                     "%s: %s failed (%s); begin again from the last checkpoint in a new process, or on another device "
                     "or the CPU",
                     device->name, doing, error);
}

wadi_status wadi_gpu_no_memory(const wadi_device *device, uint64_t asked, uint64_t left) {
    return wadi_fail(WADI_ERROR_MEMORY,
                     "%s: not enough memory: %.3f GB are asked for, %.3f GB are free; take a smaller grid or the CPU",
                     device->name, 1e-9 * (double)asked, 1e-9 * (double)left);
}

wadi_status wadi_gpu_no_device(const char *engine, int number, size_t count, const char *missing) {
    if (count == 0) return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s", missing != NULL ? missing : engine);
    return wadi_fail(WADI_ERROR_ARGUMENT, "there is no %s device %d here; they are numbered 0 to %zu", engine, number,
                     count - 1);
}

static size_t line_length(const char *line) { return strcspn(line, "\r\n"); }

static bool has_word(const char *line, size_t length, const char *word) {
    const char *const found = strstr(line, word);
    return found != NULL && (size_t)(found - line) < length;
}

/* Finds the first line with "error", or else the first line that is not empty. */
static const char *first_error(const char *log) {
    const char *first = NULL;
    for (const char *line = log; *line != '\0';) {
        const size_t length = line_length(line);
        if (has_word(line, length, "error") || has_word(line, length, "Error")) return line;
        if (first == NULL && strspn(line, " \t") < length) first = line;
        line += length;
        line += strspn(line, "\r\n");
    }
    return first != NULL ? first : "its compiler does not say why";
}

static void keep_log(const char *log) {
    const char *const path = getenv("WADI_GPU_LOG");
    FILE *file = path != NULL && path[0] != '\0' ? platform_open(path, "w") : NULL;
    if (file == NULL) return;
    fputs(log, file);
    fclose(file);
}

wadi_status wadi_gpu_build_failed(const wadi_device *device, const char *log) {
    keep_log(log);
    const char *const line = first_error(log);
    const size_t length = line_length(line);
    return wadi_fail(WADI_ERROR_DEVICE, "%s: its kernels cannot be built: %.*s", device->name,
                     length < 500 ? (int)length : 500, line);
}

wadi_status wadi_gpu_too_large(const wadi_device *device, const wadi_gpu_launch *launch, size_t most_items) {
    if (launch->group_items > most_items)
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: this kernel takes at most %zu work items a group there, not %zu",
                         device->name, most_items, launch->group_items);
    return wadi_fail(WADI_ERROR_UNSUPPORTED,
                     "%s: a kernel that asks for %zu bytes of local memory, or too many groups, cannot run there "
                     "(%.0f bytes are there)",
                     device->name, launch->local_bytes, (double)device->local_bytes);
}

wadi_status wadi_gpu_check_rows(const wadi_gpu_rows *rows, size_t bytes) {
    if (rows->rows == 0 || rows->bytes == 0) return WADI_OK;
    const bool apart = rows->rows == 1 || (rows->pitch >= rows->bytes && rows->host_pitch >= rows->bytes);
    /* Compares by division what is left after the offset and the last row, since a product could overflow. */
    const bool inside = rows->offset <= bytes && rows->bytes <= bytes - rows->offset &&
                        (rows->rows == 1 || (bytes - rows->offset - rows->bytes) / (rows->rows - 1) >= rows->pitch);
    if (apart && inside) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "%zu rows of %zu bytes, %zu apart, at %zu are not in a memory of %zu bytes",
                     rows->rows, rows->bytes, rows->pitch, rows->offset, bytes);
}

bool wadi_gpu_rows_are_contiguous(const wadi_gpu_rows *rows) {
    return rows->rows == 1 || (rows->pitch == rows->bytes && rows->host_pitch == rows->bytes);
}

bool wadi_gpu_fails_on_purpose(unsigned *launches) {
    const char *const text = getenv("WADI_GPU_FAIL");
    const unsigned long first = text != NULL ? strtoul(text, NULL, 10) : 0;
    return first > 0 && ++*launches >= first;
}
