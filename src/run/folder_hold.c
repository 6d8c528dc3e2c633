/* folder_hold.c: exclusive use of a run folder by one process, and removal of files that killed processes left. */
#include "folder.h"

#include "array.h"
#include "fail.h"
#include "message.h"
#include "text.h"

#include "platform/platform.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOCK PLATFORM_TEMPORARY "lock"
#define OLD_UNFINISHED CHECKPOINT ".new" /* of an earlier version */

struct folder_hold {
    char *path;
    platform_file_lock *lock; /* NULL: the file system has no locks */
    char *doomed; /* the path, if the folder is removed when the process ends; NULL: it existed, or a run has begun */
};

/* --- files of killed processes --- */

static bool is_staging(const char *name) { return strncmp(name, STAGING, strlen(STAGING)) == 0; }

static bool is_temporary(const char *name) {
    const size_t length = strlen(name);
    return strncmp(name, PLATFORM_TEMPORARY, strlen(PLATFORM_TEMPORARY)) == 0 && length > 4 &&
           strcmp(name + length - 4, ".tmp") == 0;
}

bool run_folder_is_leftover(const char *name) {
    return strcmp(name, LOCK) == 0 || strcmp(name, OLD_UNFINISHED) == 0 || is_staging(name) || is_temporary(name);
}

/* Removes files that are only written under the lock. Files with a temporary name are removed when the next one is
 * made. It avoids run_text_join, because it must work without memory. */
static void sweep_name(void *context, const char *name) {
    char path[4096];
    if (!is_staging(name) && strcmp(name, OLD_UNFINISHED) != 0) return;
    const int length = snprintf(path, sizeof path, "%s/%s", (const char *)context, name);
    if (length > 0 && length < (int)sizeof path) platform_remove_tree(path);
}

/* Trying to write removes files of killed processes. */
static void sweep_folder(char *folder) {
    platform_list(folder, sweep_name, folder);
    platform_try_writing_in(folder);
}

/* --- the lock --- */

static wadi_status refuse_held(const char *what, int owner) {
    char process[32] = "";
    if (owner > 0) snprintf(process, sizeof process, " (process %d)", owner);
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: another wadi%s is at work in this folder; wait for it, or stop it first",
                     what, process);
}

/* *lock is NULL where the file system has no locks. */
static wadi_status lock_folder(const char *what, const char *path, platform_file_lock **lock) {
    char *name = run_text_join(path, LOCK);
    if (!name) return WADI_ERROR_MEMORY;
    int owner;
    const int error = platform_file_lock_take(name, lock, &owner);
    free(name);
    if (error == EAGAIN) return refuse_held(what, owner);
    if (error == ENOTSUP)
        run_message_note("%s: this file system has no locks; let only one wadi at a time work in this folder", what);
    else if (error)
        return wadi_fail(run_fail_errno(WADI_ERROR_IO, error), "%s: the folder cannot be written: %s", what,
                         strerror(error));
    return WADI_OK;
}

wadi_status run_folder_check_free(const char *what, const char *path) {
    platform_file_lock *lock = NULL;
    if (!run_folder_has(path, LOCK)) return WADI_OK; /* otherwise nobody uses it */
    const wadi_status status = lock_folder(what, path, &lock);
    platform_file_lock_release(lock);
    return status;
}

/* Takes the lock, which is released on an error. A program that ends, by exit() or a signal, removes a folder that was
 * made for a run which has not begun. */
static wadi_status make_hold(const char *path, bool made, platform_file_lock *lock, folder_hold **hold) {
    folder_hold *new_hold = run_array_new(1, sizeof *new_hold);
    char *copy = run_text_copy(path), *doomed = made ? run_text_copy(path) : NULL;
    if (new_hold && copy && (doomed || !made)) {
        *new_hold = (folder_hold){.path = copy, .lock = lock, .doomed = doomed};
        if (doomed) platform_doom_folder(doomed);
        *hold = new_hold;
        return WADI_OK;
    }
    free(new_hold);
    free(copy);
    free(doomed);
    platform_file_lock_release(lock);
    return WADI_ERROR_MEMORY;
}

wadi_status run_folder_hold_take(const char *what, const char *path, bool made, folder_hold **hold) {
    platform_file_lock *lock = NULL;
    *hold = NULL;
    wadi_status status = lock_folder(what, path, &lock);
    if (status == WADI_OK) status = make_hold(path, made, lock, hold);
    if (status != WADI_OK) {
        if (made) platform_remove_folder(path);
        return status;
    }
    status = run_staging_finish(path);
    if (status == WADI_OK) sweep_folder((*hold)->path);
    if (status == WADI_OK) return WADI_OK;
    run_folder_leave(*hold);
    *hold = NULL;
    return status;
}

wadi_status run_folder_hold_checkpoint(const char *file, folder_hold **hold) {
    const char *name = file + strlen(file);
    while (name > file && name[-1] != '/' && name[-1] != '\\') name--;
    *hold = NULL;
    if (strcmp(name, CHECKPOINT) != 0) return WADI_OK;
    char *folder = run_folder_of_file(file);
    if (!folder) return WADI_ERROR_MEMORY;
    const wadi_status status = run_folder_hold_take(file, folder, false, hold);
    free(folder);
    return status;
}

void run_folder_begun(folder_hold *hold) {
    if (hold->doomed) platform_keep_folder(hold->doomed);
    hold->doomed = NULL;
}

void run_folder_leave(folder_hold *hold) {
    if (!hold) return;
    platform_list(hold->path, sweep_name, hold->path);
    platform_file_lock_release(hold->lock);
    if (hold->doomed) platform_remove_folder(hold->path);
    if (hold->doomed) platform_keep_folder(hold->doomed);
    free(hold->path);
    free(hold);
}
