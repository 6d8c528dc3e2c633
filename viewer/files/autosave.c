/* autosave.c: recovery files in the user's state folder. */
#include "viewer/files/autosave.h"

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdbool.h>
#include <unistd.h>

struct autosave {
    char *path;
    int lock; /* a file descriptor */
};

static char *autosave_folder(void) {
    char *folder = g_build_filename(g_get_user_state_dir(), "wadi", NULL);
    if (g_mkdir_with_parents(folder, 0700) == 0) return folder;
    g_free(folder);
    return NULL;
}

static char *lock_name(const char *path) { return g_strconcat(path, ".lock", NULL); }

/* Locks the file beside it while the window lives. -1: another window holds the lock. */
static int lock(const char *path) {
    char *name = lock_name(path);
    const int file = g_open(name, O_RDWR | O_CREAT, 0600);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    g_free(name);
    if (file < 0 || fcntl(file, F_SETLK, &whole) == 0) return file;
    close(file);
    return -1;
}

static void unlock(const char *path, int file) {
    char *name = lock_name(path);
    g_remove(name);
    close(file);
    g_free(name);
}

/* Whether the path is a file of work whose window has ended. */
static bool is_left(const char *path) {
    if (!g_str_has_suffix(path, ".wadi")) return false;
    const int file = lock(path);
    if (file >= 0) unlock(path, file);
    return file >= 0;
}

char *autosave_find_left(void) {
    char *folder = autosave_folder(), *found = NULL;
    GDir *list = folder ? g_dir_open(folder, 0, NULL) : NULL;
    for (const char *name; list && !found && (name = g_dir_read_name(list));) {
        char *path = g_build_filename(folder, name, NULL);
        if (g_str_has_prefix(name, "autosave-") && is_left(path)) found = g_steal_pointer(&path);
        g_free(path);
    }
    if (list) g_dir_close(list);
    g_free(folder);
    return found;
}

autosave *autosave_new(void) {
    char *folder = autosave_folder(), *path = NULL;
    int file = -1;
    for (int i = 0; folder && i < 100 && file < 0; i++) {
        g_free(path);
        path = g_strdup_printf("%s/autosave-%08x.wadi", folder, g_random_int());
        if (!g_file_test(path, G_FILE_TEST_EXISTS)) file = lock(path);
    }
    g_free(folder);
    autosave *made = file >= 0 ? g_new0(autosave, 1) : NULL;
    if (made)
        *made = (autosave){path, file};
    else
        g_free(path);
    return made;
}

void autosave_free(autosave *autosave) {
    if (!autosave) return;
    unlock(autosave->path, autosave->lock);
    g_free(autosave->path);
    g_free(autosave);
}

const char *autosave_path(const autosave *autosave) { return autosave->path; }
