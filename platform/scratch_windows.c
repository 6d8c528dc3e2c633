/* scratch_windows.c: memory of nameless files on Windows. The system itself trims a process's pages. */
#include "platform/platform.h"
#include "platform/text_windows.h"

#include <errno.h>
#include <stdlib.h>
#include <windows.h>

typedef struct scratch {
    void *pages;
    HANDLE file;
    struct scratch *next;
} scratch;

/* Of its own: maps are allocated under platform_lock. */
static SRWLOCK lock = SRWLOCK_INIT;
static scratch *all;

void platform_scratch_keep_under(uint64_t bytes) { (void)bytes; }

void platform_scratch_pass(void *start, size_t bytes) { (void)start, (void)bytes; }

static HANDLE nameless_file(const char *folder) {
    wchar_t wide[MAX_PATH], path[MAX_PATH];
    if (MultiByteToWideChar(CP_UTF8, 0, folder, -1, wide, MAX_PATH) == 0) return INVALID_HANDLE_VALUE;
    if (GetTempFileNameW(wide, L"wad", 0, path) == 0) return INVALID_HANDLE_VALUE;
    return CreateFileW(path, GENERIC_READ | GENERIC_WRITE, 0, NULL, CREATE_ALWAYS,
                       FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
}

/* The mapping extends the file, and so reserves its space. */
static void *map_file(HANDLE file, size_t bytes) {
    const uint64_t size = bytes;
    HANDLE mapping = CreateFileMappingW(file, NULL, PAGE_READWRITE, (DWORD)(size >> 32), (DWORD)size, NULL);
    if (mapping == NULL) return NULL;
    void *pages = MapViewOfFile(mapping, FILE_MAP_ALL_ACCESS, 0, 0, bytes);
    CloseHandle(mapping);
    return pages;
}

static int failure_now(void) {
    switch (GetLastError()) {
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
        return ENOSPC;
    case ERROR_PATH_NOT_FOUND:
    case ERROR_DIRECTORY:
    case ERROR_FILE_NOT_FOUND:
        return ENOENT;
    case ERROR_ACCESS_DENIED:
        return EACCES;
    default:
        return EIO;
    }
}

void *platform_scratch(const char *folder, size_t bytes) {
    scratch *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    made->file = nameless_file(folder);
    if (made->file != INVALID_HANDLE_VALUE) made->pages = map_file(made->file, bytes > 0 ? bytes : 1);
    if (made->pages == NULL) {
        const int failure = failure_now();
        if (made->file != INVALID_HANDLE_VALUE) CloseHandle(made->file);
        free(made);
        errno = failure;
        return NULL;
    }
    AcquireSRWLockExclusive(&lock);
    made->next = all;
    all = made;
    ReleaseSRWLockExclusive(&lock);
    return made->pages;
}

bool platform_scratch_free(void *pages) {
    AcquireSRWLockExclusive(&lock);
    scratch **at = &all;
    while (*at != NULL && (*at)->pages != pages) at = &(*at)->next;
    scratch *found = *at;
    if (found != NULL) *at = found->next;
    ReleaseSRWLockExclusive(&lock);
    if (found == NULL) return false;
    UnmapViewOfFile(found->pages);
    CloseHandle(found->file);
    free(found);
    return true;
}

bool platform_scratch_folder(char *path, size_t size) {
    wchar_t wide[MAX_PATH + 1];
    return GetTempPathW(MAX_PATH, wide) > 0 &&
           WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, (int)size, NULL, NULL) > 0;
}
