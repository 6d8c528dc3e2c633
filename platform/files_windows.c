/* files_windows.c: files, temporary files, folders and locks on Windows 10 and later. Paths come in UTF-8 and go to the
 * system as UTF-16. */
#include "platform/new_file.h"
#include "platform/text_windows.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

/* ---- Files ---- */

static wchar_t *joined(const wchar_t *folder, const wchar_t *name) {
    const size_t size = wcslen(folder) + wcslen(name) + 2;
    wchar_t *path = malloc(size * sizeof *path);
    if (path != NULL) {
        wcscpy(path, folder);
        wcscat(path, L"/");
        wcscat(path, name);
    }
    return path;
}

FILE *platform_open(const char *path, const char *mode) {
    wchar_t binary[8] = {0};
    size_t length = 0;
    for (; mode[length] != '\0' && length < 6; length++) binary[length] = (wchar_t)mode[length];
    if (strchr(mode, 'b') == NULL) binary[length] = L'b';
    wchar_t *name = windows_wide(path);
    if (name == NULL) {
        errno = EINVAL;
        return NULL;
    }
    FILE *file = _wfopen(name, binary);
    free(name);
    return file;
}

int platform_sync(FILE *file) {
    if (fflush(file) != 0) return errno;
    return _commit(_fileno(file)) == 0 || errno == EBADF ? 0 : errno;
}

bool platform_seek(FILE *file, uint64_t offset) {
    if (offset <= INT64_MAX) return _fseeki64(file, (int64_t)offset, SEEK_SET) == 0;
    errno = EINVAL;
    return false;
}

uint64_t platform_file_bytes(FILE *file) {
    if (_fseeki64(file, 0, SEEK_END) != 0) return UINT64_MAX;
    const int64_t end = _ftelli64(file);
    return end >= 0 ? (uint64_t)end : UINT64_MAX;
}

static int move(const char *from, const char *to, DWORD how) {
    wchar_t *old = windows_wide(from), *new = windows_wide(to);
    int failure = EINVAL;
    if (old != NULL && new != NULL) failure = MoveFileExW(old, new, how | MOVEFILE_WRITE_THROUGH) ? 0 : windows_errno();
    free(old);
    free(new);
    return failure;
}

int platform_replace(const char *from, const char *to) { return move(from, to, MOVEFILE_REPLACE_EXISTING); }
int platform_rename_new(const char *from, const char *to) { return move(from, to, 0); }

/* ---- Temporary files ---- */

/* Far beyond any content, because others cannot read or write a locked part of a file. */
static BOOL lock_file(HANDLE handle) {
    OVERLAPPED where = {.OffsetHigh = 0x7fffffff};
    return LockFileEx(handle, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &where);
}

static HANDLE open_shared(const wchar_t *path, DWORD how) {
    return CreateFileW(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                       how, FILE_ATTRIBUTE_NORMAL, NULL);
}

/* The stream owns the handle; a copy keeps the lock. */
static int open_stream(HANDLE handle, FILE **file, intptr_t *lock) {
    const HANDLE self = GetCurrentProcess();
    HANDLE copy;
    if (!DuplicateHandle(self, handle, self, &copy, 0, FALSE, DUPLICATE_SAME_ACCESS)) return windows_errno();
    const int descriptor = _open_osfhandle((intptr_t)handle, _O_RDWR | _O_BINARY);
    *file = descriptor >= 0 ? _fdopen(descriptor, "w+b") : NULL;
    *lock = (intptr_t)copy;
    if (*file != NULL) return 0;
    CloseHandle(copy);
    return EMFILE;
}

int platform_new_file_create(const char *name, FILE **file, intptr_t *lock) {
    wchar_t *path = windows_wide(name);
    if (path == NULL) return EINVAL;
    const HANDLE handle = open_shared(path, CREATE_NEW);
    int failure = handle == INVALID_HANDLE_VALUE ? windows_errno() : lock_file(handle) ? 0 : EEXIST;
    if (failure == 0) failure = open_stream(handle, file, lock);
    if (failure != 0 && handle != INVALID_HANDLE_VALUE) {
        DeleteFileW(path);
        CloseHandle(handle);
    }
    free(path);
    return failure;
}

void platform_new_file_unlock(intptr_t lock) { CloseHandle((HANDLE)lock); }

void platform_new_file_remove_dead(const char *name) {
    wchar_t *path = windows_wide(name);
    const HANDLE handle = path != NULL ? open_shared(path, OPEN_EXISTING) : INVALID_HANDLE_VALUE;
    if (handle != INVALID_HANDLE_VALUE) {
        if (lock_file(handle)) DeleteFileW(path);
        CloseHandle(handle);
    }
    free(path);
}

/* ---- Folders ---- */

/* Calls a system function of one path. */
static int with_path(const char *path, BOOL (*call)(const wchar_t *path)) {
    wchar_t *name = windows_wide(path);
    if (name == NULL) return EINVAL;
    const int failure = call(name) ? 0 : windows_errno();
    free(name);
    return failure;
}

static BOOL make_folder(const wchar_t *path) { return CreateDirectoryW(path, NULL); }
static BOOL remove_file(const wchar_t *path) { return DeleteFileW(path); }
static BOOL remove_folder(const wchar_t *path) { return RemoveDirectoryW(path); }

int platform_make_folder(const char *path) { return with_path(path, make_folder); }
int platform_remove_file(const char *path) { return with_path(path, remove_file); }
int platform_remove_folder(const char *path) { return with_path(path, remove_folder); }

static bool is_dots(const wchar_t *name) { return wcscmp(name, L".") == 0 || wcscmp(name, L"..") == 0; }

static BOOL remove_tree(const wchar_t *path);

/* A link to a folder is removed, not followed. */
static BOOL remove_entry(const wchar_t *folder, const WIN32_FIND_DATAW *entry) {
    wchar_t *path = joined(folder, entry->cFileName);
    if (path == NULL) return FALSE;
    const bool is_folder = (entry->dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    const bool is_link = (entry->dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
    const BOOL done = !is_folder ? DeleteFileW(path) : is_link ? RemoveDirectoryW(path) : remove_tree(path);
    free(path);
    return done;
}

static BOOL remove_tree(const wchar_t *path) {
    wchar_t *pattern = joined(path, L"*");
    if (pattern == NULL) return FALSE;
    WIN32_FIND_DATAW entry;
    const HANDLE search = FindFirstFileW(pattern, &entry);
    free(pattern);
    if (search == INVALID_HANDLE_VALUE) return FALSE;
    BOOL done = TRUE;
    do
        if (!is_dots(entry.cFileName)) done = remove_entry(path, &entry) && done;
    while (FindNextFileW(search, &entry));
    FindClose(search);
    return RemoveDirectoryW(path) && done;
}

int platform_remove_tree(const char *path) { return with_path(path, remove_tree); }

/* A console's handler has a thread of its own, which may do anything. */
void platform_new_file_remove_doomed(const char *path) {
    if (platform_remove_file(path) != 0) platform_remove_tree(path);
}

static BOOL attributes_of(const char *path, DWORD *attributes) {
    wchar_t *name = windows_wide(path);
    *attributes = name != NULL ? GetFileAttributesW(name) : INVALID_FILE_ATTRIBUTES;
    free(name);
    return *attributes != INVALID_FILE_ATTRIBUTES;
}

bool platform_is_folder(const char *path) {
    DWORD attributes;
    return attributes_of(path, &attributes) && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

bool platform_is_link(const char *path) {
    DWORD attributes;
    return attributes_of(path, &attributes) && (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
}

/* "nul", "con", "com1" and named pipes. */
bool platform_is_special(const char *path) {
    wchar_t *name = windows_wide(path);
    if (name == NULL) return false;
    const HANDLE handle = CreateFileW(name, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                      OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    free(name);
    if (handle == INVALID_HANDLE_VALUE) return false;
    const DWORD kind = GetFileType(handle);
    CloseHandle(handle);
    return kind == FILE_TYPE_CHAR || kind == FILE_TYPE_PIPE;
}

bool platform_exists(const char *path) {
    DWORD attributes;
    return attributes_of(path, &attributes);
}

static BOOL try_writing_in(const wchar_t *folder) {
    wchar_t path[MAX_PATH];
    return GetTempFileNameW(folder, L"wad", 0, path) != 0 && DeleteFileW(path);
}

int platform_try_writing_in(const char *folder) { return with_path(folder, try_writing_in); }

uint64_t platform_free_disk_bytes(const char *folder) {
    ULARGE_INTEGER bytes = {.QuadPart = 0};
    wchar_t *name = windows_wide(folder);
    if (name == NULL || !GetDiskFreeSpaceExW(name, &bytes, NULL, NULL)) bytes.QuadPart = 0;
    free(name);
    return bytes.QuadPart;
}

static void list_entry(const wchar_t *wide_name, void (*each)(void *, const char *), void *context) {
    char name[4 * MAX_PATH];
    if (is_dots(wide_name)) return;
    if (WideCharToMultiByte(CP_UTF8, 0, wide_name, -1, name, sizeof name, NULL, NULL) > 0) each(context, name);
}

int platform_list(const char *folder, void (*each)(void *context, const char *name), void *context) {
    wchar_t *path = windows_wide(folder);
    wchar_t *pattern = path != NULL ? joined(path, L"*") : NULL;
    WIN32_FIND_DATAW entry;
    const HANDLE search = pattern != NULL ? FindFirstFileW(pattern, &entry) : INVALID_HANDLE_VALUE;
    const int failure = pattern == NULL ? EINVAL : windows_errno();
    free(path);
    free(pattern);
    if (search == INVALID_HANDLE_VALUE) return failure;
    do list_entry(entry.cFileName, each, context);
    while (FindNextFileW(search, &entry));
    const int end = GetLastError() == ERROR_NO_MORE_FILES ? 0 : windows_errno();
    FindClose(search);
    return end;
}

/* An environment variable, as UTF-8; false if it is not set or does not fit. */
static bool environment(const wchar_t *name, char *text, size_t size) {
    const DWORD length = GetEnvironmentVariableW(name, NULL, 0); /* with the zero at its end */
    wchar_t *value = length > 0 ? malloc(length * sizeof *value) : NULL;
    const bool got = value != NULL && GetEnvironmentVariableW(name, value, length) < length &&
                     WideCharToMultiByte(CP_UTF8, 0, value, -1, text, (int)size, NULL, NULL) > 0;
    free(value);
    return got;
}

/* Of Wadi, in the folder that the variable names. */
static bool folder_in(const wchar_t *name, char *path, size_t size) {
    if (!environment(name, path, size) || path[0] == '\0') return false;
    const size_t length = strlen(path);
    if (length + sizeof "/wadi" > size) return false;
    memcpy(path + length, "/wadi", sizeof "/wadi");
    return true;
}

bool platform_cache_folder(char *path, size_t size) {
    if (environment(L"WADI_CACHE", path, size)) return path[0] != '\0';
    return folder_in(L"LOCALAPPDATA", path, size);
}

bool platform_config_folder(char *path, size_t size) { return folder_in(L"APPDATA", path, size); }

/* ---- Locks ---- */

struct platform_file_lock {
    HANDLE handle;
};

/* The file is removed with the last handle, which the system closes when the process ends. Others may read its owner.
 */
static HANDLE open_lock(const wchar_t *name) {
    return CreateFileW(name, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ, NULL, OPEN_ALWAYS,
                       FILE_ATTRIBUTE_NORMAL | FILE_FLAG_DELETE_ON_CLOSE, NULL);
}

static int read_owner(const wchar_t *name) {
    char text[16] = {0};
    DWORD count = 0;
    const HANDLE handle = CreateFileW(name, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                      OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    if (handle == INVALID_HANDLE_VALUE) return 0;
    ReadFile(handle, text, sizeof text - 1, &count, NULL);
    CloseHandle(handle);
    return (int)strtol(text, NULL, 10);
}

static void write_owner(HANDLE handle) {
    char text[16];
    DWORD written;
    const int length = snprintf(text, sizeof text, "%d\n", platform_process_id());
    SetEndOfFile(handle);
    WriteFile(handle, text, (DWORD)length, &written, NULL);
}

int platform_file_lock_take(const char *path, platform_file_lock **lock, int *owner) {
    *lock = NULL;
    *owner = 0;
    wchar_t *name = windows_wide(path);
    platform_file_lock *made = malloc(sizeof *made);
    int error = name == NULL ? EINVAL : made == NULL ? ENOMEM : 0;
    if (error == 0) made->handle = open_lock(name);
    if (error == 0 && made->handle == INVALID_HANDLE_VALUE) {
        const bool is_held = GetLastError() == ERROR_SHARING_VIOLATION;
        error = is_held ? EAGAIN : windows_errno();
        if (is_held) *owner = read_owner(name);
    }
    free(name);
    if (error == 0) {
        write_owner(made->handle);
        *lock = made;
    } else {
        free(made);
    }
    return error;
}

void platform_file_lock_release(platform_file_lock *lock) {
    if (lock == NULL) return;
    CloseHandle(lock->handle);
    free(lock);
}
