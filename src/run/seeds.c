#include "seeds.h"

#include "fail.h"
#include "folder.h"
#include "option.h"
#include "sources.h"
#include "text.h"

#include "platform/platform.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static wadi_status parse_half(const char *text, size_t length, uint64_t *seed) {
    static const option row = {.name = "seeds", .type = OPTION_SEED};
    char half[64];
    if (length == 0 || length >= sizeof half) return WADI_ERROR_ARGUMENT;
    snprintf(half, sizeof half, "%.*s", (int)length, text);
    return run_option_store(&row, half, seed);
}

wadi_status run_seeds_parse(const char *text, seed_range *seeds) {
    const char *dots = strstr(text, "..");
    const bool good = dots && parse_half(text, (size_t)(dots - text), &seeds->first) == WADI_OK &&
                      parse_half(dots + 2, strlen(dots + 2), &seeds->last) == WADI_OK;
    if (!good) return wadi_fail(WADI_ERROR_ARGUMENT, "--seeds %s: A..B is wanted, as in --seeds 1..16", text);
    if (seeds->first > seeds->last)
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "--seeds %s: the first seed is above the last; write %" PRIu64 "..%" PRIu64, text, seeds->last,
                         seeds->first);
    if (seeds->last - seeds->first >= MOST_SEEDS)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--seeds %s: these are more than %d seeds; make several folders", text,
                         MOST_SEEDS);
    return WADI_OK;
}

size_t run_seeds_count(const seed_range *seeds) { return (size_t)(seeds->last - seeds->first) + 1; }

char *run_seeds_folder(const char *set, const seed_range *seeds, uint64_t seed) {
    const int digits = snprintf(NULL, 0, "%" PRIu64, seeds->last); /* so that names are in the order of the seeds */
    return run_text_format("%s/seed-%0*" PRIu64, set, digits, seed);
}

/* --- the file that says which seeds --- */

bool run_seeds_are_in(const char *folder) { return run_folder_has(folder, SEEDS_FILE); }

wadi_status run_seeds_write(const char *set, const seed_range *seeds) {
    platform_new_file made;
    char *path = run_text_join(set, SEEDS_FILE);
    if (!path) return WADI_ERROR_MEMORY;
    int error = platform_new_file_begin(path, &made);
    if (error == 0) {
        const bool written = fprintf(made.file, "%" PRIu64 "..%" PRIu64 "\n", seeds->first, seeds->last) > 0;
        error = platform_new_file_end(&made, path, written ? 0 : EIO);
    }
    const wadi_status status =
        error ? wadi_fail(run_fail_errno(WADI_ERROR_IO, error), "%s: cannot be written: %s", path, strerror(error))
              : WADI_OK;
    free(path);
    return status;
}

wadi_status run_seeds_read(const char *set, seed_range *seeds) {
    char *path = run_text_join(set, SEEDS_FILE), *text = NULL;
    size_t size;
    wadi_status status = path ? run_text_file_read("--resume", path, &text, &size) : WADI_ERROR_MEMORY;
    if (status == WADI_OK) {
        text[strcspn(text, "\r\n")] = '\0';
        status = run_seeds_parse(text, seeds);
        if (status != WADI_OK) status = wadi_fail(status, "%s: names no seeds; it is damaged", path);
    }
    free(text);
    free(path);
    return status;
}
