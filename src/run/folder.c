#include "folder.h"

#include "fail.h"
#include "maps.h"
#include "message.h"
#include "option.h"
#include "text.h"

#include "platform/platform.h"
#include "wadi/io.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READY ".wadi-ready" /* a complete staging folder */

enum { LONGEST_PATH = 4096 };

/* false: there is no path of that length. */
static bool path_in(char path[LONGEST_PATH], const char *folder, const char *name) {
    const int length = snprintf(path, LONGEST_PATH, "%s/%s", folder, name);
    return length > 0 && length < LONGEST_PATH;
}

bool run_folder_has(const char *folder, const char *name) {
    char path[LONGEST_PATH];
    return path_in(path, folder, name) && platform_exists(path);
}

wadi_status run_folder_check_source(const char *path) {
    if (!platform_is_special(path) && !platform_is_folder(path)) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: is a folder, a device or a pipe; give a file", path);
}

bool run_folder_is_run(const char *path) {
    return platform_is_folder(path) && (run_folder_has(path, RUN_JSON) || run_folder_has(path, CHECKPOINT));
}

static void count_name(void *context, const char *name) {
    if (!run_folder_is_leftover(name)) ++*(int *)context;
}

/* Part of a path. */
typedef struct span {
    const char *text;
    size_t length;
} span;

static bool is_slash(char letter) { return letter == '/' || letter == '\\'; }

static span parent_of(const char *path) {
    size_t length = strlen(path);
    while (length > 1 && is_slash(path[length - 1])) length--;
    while (length > 0 && !is_slash(path[length - 1])) length--;
    while (length > 1 && is_slash(path[length - 1])) length--;
    return length > 0 ? (span){path, length} : (span){".", 1};
}

/* The path without a leading "./" and without trailing slashes. */
static span plain(span path) {
    for (; path.length > 1 && path.text[0] == '.' && is_slash(path.text[1]); path.length -= 2) path.text += 2;
    while (path.length > 1 && is_slash(path.text[path.length - 1])) path.length--;
    return path.length > 0 ? path : (span){".", 1};
}

char *run_folder_of_file(const char *path) {
    const span parent = parent_of(path);
    return run_text_format("%.*s", (int)parent.length, parent.text);
}

bool run_folder_is_for(const char *folder, const char *path) {
    const span in = plain(parent_of(path)), out = plain((span){folder, strlen(folder)});
    return in.length == out.length && memcmp(in.text, out.text, in.length) == 0;
}

static wadi_status check_existing(const char *path, bool force) {
    if (!platform_is_folder(path)) return wadi_fail(WADI_ERROR_ARGUMENT, "-o %s: is a file; name a folder", path);
    int names = 0, error = platform_list(path, count_name, &names);
    if (error)
        return wadi_fail(run_fail_errno(WADI_ERROR_ARGUMENT, error), "-o %s: the folder cannot be read: %s", path,
                         strerror(error));
    if (names > 0 && !force)
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "-o %s: the folder exists; --force replaces the run in it, -o names another", path);
    error = platform_try_writing_in(path);
    if (error == 0) return WADI_OK;
    return wadi_fail(run_fail_errno(WADI_ERROR_ARGUMENT, error), "-o %s: the folder cannot be written: %s", path,
                     strerror(error));
}

static wadi_status check_free(const char *path) {
    char *what = run_text_format("-o %s", path);
    const wadi_status status =
        platform_is_folder(path) ? run_fail_as_input(run_folder_check_free(what, path)) : WADI_OK;
    free(what);
    return status;
}

/* `option`: "-o ", or "" if the file name suffices. */
static wadi_status check_parent(const char *option, const char *path) {
    char *parent = run_folder_of_file(path);
    if (!parent) return WADI_ERROR_MEMORY;
    wadi_status status = WADI_OK;
    int error = 0;
    if (!platform_is_folder(parent))
        status = wadi_fail(WADI_ERROR_ARGUMENT, "%s%s: there is no folder %s to make it in", option, path, parent);
    else if ((error = platform_try_writing_in(parent)) != 0)
        status = wadi_fail(run_fail_errno(WADI_ERROR_ARGUMENT, error), "%s%s: the folder %s cannot be written: %s",
                           option, path, parent, strerror(error));
    free(parent);
    return status;
}

wadi_status run_folder_check_input(const char *folder, const char *input) {
    if (run_folder_is_run(folder)) return WADI_OK; /* a run's own files may be replaced */
    if (!run_folder_is_for(folder, input)) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT,
                     "-o %s: the input lies in this folder, which is no run's; name another folder", folder);
}

wadi_status run_folder_check(const char *path, bool force) {
    const wadi_status status = check_free(path); /* first: that a run is active says more than that the folder exists */
    if (status != WADI_OK) return status;
    return platform_exists(path) ? check_existing(path, force) : check_parent("-o ", path);
}

wadi_status run_folder_check_file(const char *option, const char *path, bool force) {
    if (platform_is_folder(path)) return wadi_fail(WADI_ERROR_ARGUMENT, "%s%s: is a folder; name a file", option, path);
    if (platform_is_special(path))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s%s: is a device or a pipe; name a file", option, path);
    if (!force && platform_exists(path))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s%s: exists; --force replaces it", option, path);
    const wadi_status status = check_parent(option, path);
    if (status != WADI_OK || force || platform_protect(path) == 0) return status;
    return wadi_fail(WADI_ERROR_MEMORY, "%s%s: no memory for its name", option, path);
}

wadi_status run_folder_check_heightmap(const char *path, bool force) {
    const wadi_format format = wadi_format_of_name(path);
    const char *missing;
    if (format == WADI_FORMAT_UNKNOWN || format == WADI_FORMAT_GDAL)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: its ending names no format; use" WADI_FORMAT_ENDINGS, path);
    if (!wadi_format_available(format, &missing))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: this build cannot write it: %s", path, missing);
    return run_folder_check_file("-o ", path, force);
}

wadi_status run_folder_take(const char *path, bool force, folder_hold **hold) {
    const int error = platform_make_folder(path);
    *hold = NULL;
    if (error && error != EEXIST)
        return wadi_fail(run_fail_errno(WADI_ERROR_ARGUMENT, error), "-o %s: the folder cannot be made: %s", path,
                         strerror(error));
    char *what = run_text_format("-o %s", path);
    wadi_status status =
        what ? run_fail_as_input(run_folder_hold_take(what, path, error == 0, hold)) : WADI_ERROR_MEMORY;
    if (!what && error == 0) platform_remove_folder(path);
    free(what);
    if (status == WADI_OK && error == EEXIST)
        status = check_existing(path, force); /* it may have changed since the check */
    if (status != WADI_OK) run_folder_leave(*hold);
    if (status != WADI_OK) *hold = NULL;
    return status;
}

/* Calls `each` for every possible file name of a field. */
static void each_file_of(const char *field, void (*each)(void *context, const char *name), void *context) {
    for (int format = WADI_FORMAT_PNG; format < WADI_FORMAT_GDAL; format++) {
        char name[64];
        snprintf(name, sizeof name, "%s.%s", field, wadi_format_extension((wadi_format)format));
        each(context, name);
    }
}

typedef struct search {
    const char *folder;
    const text_list *keep;
    char found[64]; /* a file's name; "": none */
} search;

static void find_file(void *context, const char *name) {
    search *search = context;
    if (!*search->found && run_folder_has(search->folder, name))
        snprintf(search->found, sizeof search->found, "%s", name);
}

bool run_folder_has_field(const char *folder, const char *field) {
    search search = {.folder = folder};
    each_file_of(field, find_file, &search);
    return *search.found != '\0';
}

wadi_status run_folder_find_field(const char *folder, const char *field, char **path) {
    search search = {.folder = folder};
    each_file_of(field, find_file, &search);
    *path = *search.found ? run_text_join(folder, search.found) : NULL;
    return *path || !*search.found ? WADI_OK : WADI_ERROR_MEMORY;
}

static void remove_file(void *context, const char *name) {
    search *search = context;
    char path[LONGEST_PATH];
    for (size_t i = 0; i < search->keep->count; i++)
        if (strcmp(search->keep->items[i], name) == 0) return;
    if (path_in(path, search->folder, name) && platform_exists(path)) platform_remove_file(path);
}

/* A Zarr series is a folder. */
static void remove_series(const char *folder) {
    char path[LONGEST_PATH], name[32];
    for (int i = 0; run_series_formats[i]; i++) {
        snprintf(name, sizeof name, SERIES "%s", run_series_formats[i]);
        if (path_in(path, folder, name) && platform_exists(path) && !platform_is_link(path)) platform_remove_tree(path);
    }
}

/* Removes height, maps and picture of an earlier run that are not among the new files `names`. */
static void remove_old(const char *folder, const text_list *names) {
    search search = {.folder = folder, .keep = names};
    if (!run_folder_has(folder, RUN_JSON)) return;
    each_file_of("height", remove_file, &search);
    for (int i = 0; run_maps_at(i) != NULL; i++) each_file_of(run_maps_at(i)->name, remove_file, &search);
    remove_file(&search, PREVIEW);
    remove_file(&search, GAUGES_CSV);
    remove_series(folder);
}

/* --- outputs --- */

wadi_status run_staging_open(const char *folder, char **staging) {
    char name[64];
    snprintf(name, sizeof name, STAGING "%d", platform_process_id());
    *staging = run_text_join(folder, name);
    if (!*staging) return WADI_ERROR_MEMORY;
    platform_doom_folder(*staging); /* before it exists: no signal can come in between */
    const int error = platform_make_folder(*staging);
    if (error == 0) return WADI_OK;
    platform_keep_folder(*staging);
    *staging = NULL;
    return wadi_fail(run_fail_errno(WADI_ERROR_IO, error), "%s: cannot be written: %s", folder, strerror(error));
}

typedef struct listing {
    text_list names;
    wadi_status status;
} listing;

static void collect(void *context, const char *name) {
    listing *listing = context;
    if (listing->status == WADI_OK) listing->status = run_text_list_add(&listing->names, name);
}

/* The height is moved first: while it is in the staging folder, the list of names there is complete. run.json is moved
 * last: until then the folder holds no run, or the earlier one. */
static int turn_of(const char *name) {
    return strncmp(name, "height.", 7) == 0 ? 0 : strcmp(name, RUN_JSON) == 0 ? 2 : 1;
}

static wadi_status move_out(const char *folder, const char *name) {
    char *from = run_text_format("%s/" READY "/%s", folder, name), *to = run_text_join(folder, name);
    const int error = from && to ? platform_replace(from, to) : 0;
    wadi_status status = from && to ? WADI_OK : WADI_ERROR_MEMORY;
    if (error) status = wadi_fail(WADI_ERROR_IO, "%s: cannot be put in place: %s", to, strerror(error));
    free(from);
    free(to);
    return status;
}

static bool is_whole(const text_list *names) {
    for (size_t i = 0; i < names->count; i++)
        if (turn_of(names->items[i]) == 0) return true;
    return false;
}

static wadi_status move_all_out(const char *folder, const char *ready, const text_list *names) {
    wadi_status status = WADI_OK;
    if (is_whole(names)) remove_old(folder, names);
    for (int turn = 0; turn < 3; turn++)
        for (size_t i = 0; i < names->count && status == WADI_OK; i++)
            if (turn_of(names->items[i]) == turn) status = move_out(folder, names->items[i]);
    if (status == WADI_OK) platform_remove_folder(ready);
    return status;
}

wadi_status run_staging_finish(const char *folder) {
    char *ready = run_text_join(folder, READY);
    if (!ready) return WADI_ERROR_MEMORY;
    listing found = {.status = WADI_OK};
    const int error =
        platform_is_link(ready) ? ELOOP : platform_list(ready, collect, &found); /* nothing from outside */
    wadi_status status = found.status;
    if (error == 0 && status == WADI_OK)
        status = move_all_out(folder, ready, &found.names);
    else if (error != 0 && error != ENOENT)
        status = wadi_fail(run_fail_errno(WADI_ERROR_IO, error), "%s: cannot be read: %s", ready, strerror(error));
    run_text_list_free(&found.names);
    free(ready);
    return status;
}

wadi_status run_staging_publish(const char *folder, const char *staging) {
    char *ready = run_text_join(folder, READY);
    if (!ready) return WADI_ERROR_MEMORY;
    const int error = platform_replace(staging, ready);
    free(ready);
    if (error) return wadi_fail(WADI_ERROR_IO, "%s: cannot be put in place: %s", staging, strerror(error));
    return run_staging_finish(folder);
}

void run_staging_discard(char *staging) {
    if (!staging) return;
    platform_remove_tree(staging);
    platform_keep_folder(staging);
}
