/* files_posix.c: files, temporary files, folders and locks on Linux and other Unix systems. */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "platform/new_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* ---- Files ---- */

FILE *platform_open(const char *path, const char *mode) {
    char binary[8];
    snprintf(binary, sizeof binary, strchr(mode, 'b') != NULL ? "%s" : "%sb", mode);
    return fopen(path, binary);
}

int platform_sync(FILE *file) {
    if (fflush(file) != 0) return errno;
    /* A pipe or a terminal has nothing to keep. */
    return fsync(fileno(file)) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
}

bool platform_seek(FILE *file, uint64_t offset) {
    if (offset <= INT64_MAX) return fseeko(file, (off_t)offset, SEEK_SET) == 0;
    errno = EOVERFLOW;
    return false;
}

/* A folder's end is INT64_MAX. */
uint64_t platform_file_bytes(FILE *file) {
    if (fseeko(file, 0, SEEK_END) != 0) return UINT64_MAX;
    const int64_t end = ftello(file);
    return end >= 0 && end < INT64_MAX ? (uint64_t)end : UINT64_MAX;
}

/* A new name is safe on disk when its folder is. Some file systems cannot sync folders, which is not an error. */
static void sync_folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? strdup(".") : slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
    if (folder == NULL) return;
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
    free(folder);
}

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 0
#define renameat2(from_folder, from, to_folder, to, flags) (errno = ENOSYS, -1)
#endif

/* Not every file system supports the first way, or links. The last way has a short gap between the test and the rename.
 */
static int rename_new(const char *from, const char *to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno == EEXIST || errno == ENOENT) return errno;
    if (link(from, to) == 0) return unlink(from) == 0 ? 0 : errno;
    if (errno == EEXIST) return errno;
    if (platform_exists(to)) return EEXIST;
    return rename(from, to) == 0 ? 0 : errno;
}

int platform_rename_new(const char *from, const char *to) {
    const int failure = rename_new(from, to);
    if (failure == 0) sync_folder_of(to);
    return failure;
}

int platform_replace(const char *from, const char *to) {
    if (rename(from, to) != 0) return errno;
    sync_folder_of(to);
    return 0;
}

/* ---- Temporary files ---- */

/* Between creation and lock another process may remove the file as a leftover. Then it has lost its name, or soon will.
 */
static int lock_own(int descriptor) {
    struct stat status;
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return EEXIST;
    return fstat(descriptor, &status) == 0 && status.st_nlink == 0 ? EEXIST : 0; /* some systems have no locks */
}

int platform_new_file_create(const char *name, FILE **file, intptr_t *lock) {
    const int descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) return errno;
    int failure = lock_own(descriptor);
    const int copy = failure == 0 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 0) : -1;
    if (failure == 0 && copy < 0) failure = errno;
    *file = failure == 0 ? fdopen(descriptor, "w+b") : NULL;
    *lock = copy;
    if (*file != NULL) return 0;
    if (failure == 0) failure = errno;
    if (failure != EEXIST) unlink(name);
    if (copy >= 0) close(copy);
    close(descriptor);
    return failure;
}

void platform_new_file_unlock(intptr_t lock) { close((int)lock); }

/* Whether the locked file still has this name. */
void platform_new_file_remove_dead(const char *name) {
    struct stat locked, named;
    const int descriptor = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return;
    if (fstat(descriptor, &locked) == 0 && S_ISREG(locked.st_mode) && flock(descriptor, LOCK_EX | LOCK_NB) == 0 &&
        lstat(name, &named) == 0 && named.st_dev == locked.st_dev && named.st_ino == locked.st_ino)
        unlink(name);
    close(descriptor);
}

/* ---- Folders ---- */

int platform_make_folder(const char *path) { return mkdir(path, 0777) == 0 ? 0 : errno; }

int platform_remove_file(const char *path) { return unlink(path) == 0 ? 0 : errno; }

int platform_remove_folder(const char *path) { return rmdir(path) == 0 ? 0 : errno; }

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

int platform_remove_tree(const char *path) {
    return nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS) == 0 ? 0 : errno;
}

#ifdef __linux__
void platform_new_file_remove_doomed(const char *path) {
    _Alignas(struct dirent64) char entries[4096];
    ssize_t filled = 0;
    if (unlink(path) == 0 || errno == ENOENT) return;
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return;
    while ((filled = getdents64(folder, entries, sizeof entries)) > 0)
        for (ssize_t at = 0; at < filled;) {
            const struct dirent64 *entry = (const struct dirent64 *)(entries + at);
            unlinkat(folder, entry->d_name, 0);
            at += entry->d_reclen;
        }
    close(folder);
    rmdir(path);
}
#else
/* A signal handler cannot list a folder. The next command clears it. */
void platform_new_file_remove_doomed(const char *path) { unlink(path); }
#endif

bool platform_is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool platform_is_link(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

bool platform_is_special(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

bool platform_exists(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

int platform_try_writing_in(const char *folder) {
    platform_new_file made;
    char *path = malloc(strlen(folder) + 2);
    if (path == NULL) return ENOMEM;
    sprintf(path, "%s/", folder);
    const int error = platform_new_file_begin(path, &made);
    if (error == 0) platform_new_file_end(&made, path, ECANCELED);
    free(path);
    return error;
}

uint64_t platform_free_disk_bytes(const char *folder) {
    struct statvfs status;
    return statvfs(folder, &status) == 0 ? (uint64_t)status.f_bavail * (uint64_t)status.f_frsize : 0;
}

int platform_list(const char *folder, void (*each)(void *context, const char *name), void *context) {
    DIR *stream = opendir(folder);
    if (stream == NULL) return errno;
    errno = 0;
    for (const struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream)) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) each(context, entry->d_name);
        errno = 0; /* only readdir's own failure counts */
    }
    const int failure = errno;
    closedir(stream);
    return failure;
}

static bool joined(char *path, size_t size, const char *folder, const char *rest) {
    if (folder == NULL || folder[0] == '\0') return false;
    const int length = snprintf(path, size, "%s%s", folder, rest);
    return length > 0 && (size_t)length < size;
}

bool platform_cache_folder(char *path, size_t size) {
    const char *const given = getenv("WADI_CACHE");
    if (given != NULL) return joined(path, size, given, "");
    const char *const caches = getenv("XDG_CACHE_HOME");
    /* The XDG specification says to ignore relative paths. */
    if (caches != NULL && caches[0] == '/') return joined(path, size, caches, "/wadi");
    return joined(path, size, getenv("HOME"), "/.cache/wadi");
}

bool platform_config_folder(char *path, size_t size) {
    const char *const given = getenv("XDG_CONFIG_HOME");
    if (given != NULL && given[0] == '/') return joined(path, size, given, "/wadi");
    return joined(path, size, getenv("HOME"), "/.config/wadi");
}

/* ---- Locks ---- */

struct platform_file_lock {
    int descriptor, slot;
    char *path;
};

/* Between open and lock another process may have removed and recreated the file. */
static bool is_named(int descriptor, const char *path) {
    struct stat held, named;
    return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0 && held.st_dev == named.st_dev &&
           held.st_ino == named.st_ino;
}

static int read_owner(int descriptor) {
    char text[16];
    const ssize_t count = pread(descriptor, text, sizeof text - 1, 0);
    text[count > 0 ? count : 0] = '\0';
    return (int)strtol(text, NULL, 10);
}

static void write_owner(int descriptor) {
    char text[16];
    const int length = snprintf(text, sizeof text, "%d\n", (int)getpid());
    if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, text, (size_t)length, 0) != length) return; /* not known */
}

/* flock, because its lock belongs to the open file and not to the process. So it works within one process too. */
static int lock_opened(int descriptor, int *owner) {
    while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EINTR) continue;
        if (errno != EWOULDBLOCK) return ENOTSUP;
        *owner = read_owner(descriptor);
        return EAGAIN;
    }
    return 0;
}

int platform_file_lock_take(const char *path, platform_file_lock **lock, int *owner) {
    *lock = NULL;
    *owner = 0;
    platform_file_lock *made = malloc(sizeof *made);
    if (made == NULL || (made->path = strdup(path)) == NULL) {
        free(made);
        return ENOMEM;
    }
    for (;;) {
        made->descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        const int error = made->descriptor < 0 ? errno : lock_opened(made->descriptor, owner);
        if (error == 0 && is_named(made->descriptor, path)) break;
        if (made->descriptor >= 0) close(made->descriptor);
        if (error == 0) continue;
        if (error == ENOTSUP) unlink(path);
        free(made->path);
        free(made);
        return error;
    }
    made->slot = platform_doomed_add(made->path);
    write_owner(made->descriptor);
    *lock = made;
    return 0;
}

void platform_file_lock_release(platform_file_lock *lock) {
    if (lock == NULL) return;
    if (is_named(lock->descriptor, lock->path)) unlink(lock->path); /* before it is free for others */
    close(lock->descriptor);
    platform_doomed_forget(lock->slot, lock->path);
    free(lock);
}
