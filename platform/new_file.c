/* new_file.c: files that appear complete or not at all: a temporary file in the same folder, sync, rename. A table
 * holds the names, so that a signal handler can remove the files. Each file is locked while its process lives. An
 * unlocked one is the leftover of a killed process, and the next new file in that folder removes it. */
#include "platform/new_file.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX ".tmp"

/* ---- The table ---- */

enum { SLOTS = 64 }; /* a command writes a few files at once */
static _Atomic(char *) doomed[SLOTS];

int platform_doomed_add(char *name) {
    for (int i = 0; i < SLOTS; i++) {
        char *none = NULL;
        if (atomic_compare_exchange_strong(&doomed[i], &none, name)) return i;
    }
    return -1;
}

/* A handler that has taken the name may still read it. Then it is not freed. */
void platform_doomed_forget(int slot, char *name) {
    char *own = name;
    if (slot < 0 || atomic_compare_exchange_strong(&doomed[slot], &own, NULL)) free(name);
}

void platform_doomed_remove(void) {
    for (int i = 0; i < SLOTS; i++) {
        const char *name = atomic_exchange(&doomed[i], NULL);
        if (name != NULL) platform_new_file_remove_doomed(name);
    }
}

void platform_doom_folder(char *path) { platform_doomed_add(path); }

void platform_keep_folder(char *path) {
    for (int slot = 0; slot < SLOTS; slot++)
        if (doomed[slot] == path) {
            platform_doomed_forget(slot, path);
            return;
        }
}

/* ---- Names ---- */

/* Up to and with the last separator. */
static size_t folder_length(const char *path) {
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] != '/' && path[length - 1] != '\\') length--;
    return length;
}

static char *temporary_name(const char *path) {
    static atomic_uint serial;
    const size_t folder = folder_length(path), size = folder + 48;
    char *name = malloc(size);
    if (name == NULL) return NULL;
    memcpy(name, path, folder);
    snprintf(name + folder, size - folder, PLATFORM_TEMPORARY "%d-%u" SUFFIX, platform_process_id(),
             atomic_fetch_add(&serial, 1u));
    return name;
}

static bool is_temporary(const char *name) {
    const size_t length = strlen(name), prefix = sizeof PLATFORM_TEMPORARY - 1, suffix = sizeof SUFFIX - 1;
    return length > prefix + suffix && strncmp(name, PLATFORM_TEMPORARY, prefix) == 0 &&
           strcmp(name + length - suffix, SUFFIX) == 0;
}

/* ---- Leftovers ---- */

static void remove_if_dead(void *context, const char *name) {
    const char *folder = context;
    if (!is_temporary(name)) return;
    char *path = malloc(strlen(folder) + strlen(name) + 2);
    if (path == NULL) return;
    sprintf(path, "%s/%s", folder, name);
    platform_new_file_remove_dead(path);
    free(path);
}

static void remove_leftovers(const char *path) {
    const size_t length = folder_length(path);
    char *folder = malloc(length + 2);
    if (folder == NULL) return;
    memcpy(folder, path, length);
    strcpy(folder + length, "."); /* "a/.", or "." where the path has no folder */
    platform_list(folder, remove_if_dead, folder);
    free(folder);
}

/* ---- Names that must stay ---- */

typedef struct protected_name {
    struct protected_name *next;
    char path[];
} protected_name;
static _Atomic(protected_name *) protected_names;

int platform_protect(const char *path) {
    protected_name *made = malloc(sizeof *made + strlen(path) + 1);
    if (made == NULL) return ENOMEM;
    strcpy(made->path, path);
    made->next = protected_names;
    protected_names = made;
    return 0;
}

static int place(const char *temporary, const char *path) {
    const protected_name *name = protected_names;
    while (name != NULL && strcmp(name->path, path) != 0) name = name->next;
    return name != NULL ? platform_rename_new(temporary, path) : platform_replace(temporary, path);
}

/* ---- Files ---- */

/* Enters the file in the table before creating it, so that no signal comes between. */
static int create(const char *path, platform_new_file *made) {
    *made = (platform_new_file){.temporary = temporary_name(path)};
    if (made->temporary == NULL) return ENOMEM;
    made->slot = platform_doomed_add(made->temporary);
    const int error = platform_new_file_create(made->temporary, &made->file, &made->lock);
    if (error == 0) return 0;
    platform_doomed_forget(made->slot, made->temporary);
    *made = (platform_new_file){0};
    return error;
}

/* The name exists if two processes in different containers have the same number. */
int platform_new_file_begin(const char *path, platform_new_file *made) {
    remove_leftovers(path);
    int error = EEXIST;
    for (int tries = 0; tries < 100 && error == EEXIST; tries++) error = create(path, made);
    return error;
}

/* The lock outlives the stream, so that no process removes the file as a leftover before the rename. */
int platform_new_file_end(platform_new_file *made, const char *path, int error) {
    if (error == 0) error = platform_sync(made->file);
    errno = 0;
    if (fclose(made->file) != 0 && error == 0) error = errno != 0 ? errno : EIO;
    if (error == 0) error = place(made->temporary, path);
    if (error != 0) platform_remove_file(made->temporary);
    platform_new_file_unlock(made->lock);
    platform_doomed_forget(made->slot, made->temporary);
    *made = (platform_new_file){0};
    return error;
}
