#include "array.h"

#include "wadi/status.h"

#include "platform/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *found(void *memory, size_t count, size_t size) {
    if (!memory) wadi_fail(WADI_ERROR_MEMORY, "not even %.0f bytes of memory are left", (double)count * (double)size);
    return memory;
}

void *run_array_new(size_t count, size_t size) { return found(calloc(count ? count : 1, size), count, size); }

void *run_array_copy(const void *elements, size_t count, size_t size) {
    void *copy = run_array_new(count, size);
    if (copy && count) memcpy(copy, elements, count * size);
    return copy;
}

/* The pointer is copied as bytes: void ** may not point to a pointer of another type. */
void *run_array_add(void *array, size_t *count, size_t size) {
    char *old, *grown;
    memcpy(&old, array, sizeof old);
    grown = found(realloc(old, (*count + 1) * size), *count + 1, size);
    if (!grown) return NULL;
    memcpy(array, &grown, sizeof grown);
    return memset(grown + size * (*count)++, 0, size);
}

/* --- whole maps --- */

static char scratch_folder[4097]; /* what is longer is no path */
static const char *scratch;       /* NULL: in memory */
static uint64_t scratch_from;

void run_cells_scratch(const char *folder, uint64_t from_bytes) {
    snprintf(scratch_folder, sizeof scratch_folder, "%s", folder ? folder : "");
    scratch = folder ? scratch_folder : NULL;
    scratch_from = from_bytes;
}

const char *run_cells_folder(uint64_t bytes) { return bytes < scratch_from ? NULL : scratch; }

float *run_cells_new(size_t count) {
    const size_t bytes = count * sizeof(float);
    if (!run_cells_folder(bytes)) return run_array_new(count, sizeof(float));
    return found(platform_scratch(scratch, bytes), count, sizeof(float));
}

void run_cells_free(float *cells) {
    if (!platform_scratch_free(cells)) free(cells);
}
