/* windows.c: Windows 10 and later. Paths come in UTF-8 and go to the system as UTF-16. */
#include "platform/new_file.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <process.h>
#include <psapi.h>
#include <stdlib.h>
#include <string.h>

/* ---- Clock, cores, memory ---- */

double platform_clock_s(void) {
    LARGE_INTEGER now, frequency;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&frequency);
    return (double)now.QuadPart / (double)frequency.QuadPart;
}

void platform_yield(void) { SwitchToThread(); }

int platform_cores(void) {
    DWORD_PTR process, machine;
    int cores = 0;
    if (GetProcessAffinityMask(GetCurrentProcess(), &process, &machine))
        for (; process != 0; process &= process - 1) cores++;
    return cores < 1 ? 1 : cores;
}

uint64_t platform_memory_bytes(void) {
    MEMORYSTATUSEX status = {.dwLength = sizeof status};
    return GlobalMemoryStatusEx(&status) ? status.ullAvailPhys : 0;
}

uint64_t platform_peak_memory_bytes(void) {
    PROCESS_MEMORY_COUNTERS counters;
    return GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters) ? counters.PeakWorkingSetSize : 0;
}

void *platform_pages(size_t bytes) {
    return VirtualAlloc(NULL, bytes == 0 ? 1 : bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void platform_pages_free(void *pages, size_t bytes) {
    (void)bytes;
    if (pages != NULL) VirtualFree(pages, 0, MEM_RELEASE);
}

void platform_pages_drop(void *pages, size_t bytes) {
    VirtualAlloc(pages, bytes == 0 ? 1 : bytes, MEM_RESET, PAGE_READWRITE);
}

static size_t usual_cache_bytes(int level) {
    return level == 1 ? (size_t)32 << 10 : level == 2 ? (size_t)512 << 10 : (size_t)8 << 20;
}

size_t platform_cache_bytes(int level) {
    DWORD size = 0;
    GetLogicalProcessorInformation(NULL, &size);
    SYSTEM_LOGICAL_PROCESSOR_INFORMATION *rows = malloc(size);
    size_t bytes = 0;
    if (rows != NULL && GetLogicalProcessorInformation(rows, &size))
        for (size_t i = 0; i < size / sizeof *rows; i++)
            if (rows[i].Relationship == RelationCache && rows[i].Cache.Level == level &&
                rows[i].Cache.Type != CacheInstruction)
                bytes = rows[i].Cache.Size;
    free(rows);
    return bytes > 0 ? bytes : usual_cache_bytes(level);
}

/* ---- Files ---- */

/* malloc'ed; NULL for invalid UTF-8. */
static wchar_t *wide(const char *text) {
    const int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *result = length > 0 ? malloc((size_t)length * sizeof *result) : NULL;
    if (result != NULL) MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, result, length);
    return result;
}

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

static int last_errno(void) {
    switch (GetLastError()) {
    case ERROR_SUCCESS:
        return 0;
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
        return ENOENT;
    case ERROR_ALREADY_EXISTS:
    case ERROR_FILE_EXISTS:
        return EEXIST;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_WRITE_PROTECT:
        return EACCES;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
        return ENOSPC;
    case ERROR_NOT_ENOUGH_MEMORY:
        return ENOMEM;
    default:
        return EIO;
    }
}

FILE *platform_open(const char *path, const char *mode) {
    wchar_t binary[8] = {0};
    size_t length = 0;
    for (; mode[length] != '\0' && length < 6; length++) binary[length] = (wchar_t)mode[length];
    if (strchr(mode, 'b') == NULL) binary[length] = L'b';
    wchar_t *name = wide(path);
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
    wchar_t *old = wide(from), *new = wide(to);
    int failure = EINVAL;
    if (old != NULL && new != NULL) failure = MoveFileExW(old, new, how | MOVEFILE_WRITE_THROUGH) ? 0 : last_errno();
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
    if (!DuplicateHandle(self, handle, self, &copy, 0, FALSE, DUPLICATE_SAME_ACCESS)) return last_errno();
    const int descriptor = _open_osfhandle((intptr_t)handle, _O_RDWR | _O_BINARY);
    *file = descriptor >= 0 ? _fdopen(descriptor, "w+b") : NULL;
    *lock = (intptr_t)copy;
    if (*file != NULL) return 0;
    CloseHandle(copy);
    return EMFILE;
}

int new_file_create(const char *name, FILE **file, intptr_t *lock) {
    wchar_t *path = wide(name);
    if (path == NULL) return EINVAL;
    const HANDLE handle = open_shared(path, CREATE_NEW);
    int failure = handle == INVALID_HANDLE_VALUE ? last_errno() : lock_file(handle) ? 0 : EEXIST;
    if (failure == 0) failure = open_stream(handle, file, lock);
    if (failure != 0 && handle != INVALID_HANDLE_VALUE) {
        DeleteFileW(path);
        CloseHandle(handle);
    }
    free(path);
    return failure;
}

void new_file_unlock(intptr_t lock) { CloseHandle((HANDLE)lock); }

void new_file_remove_dead(const char *name) {
    wchar_t *path = wide(name);
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
    wchar_t *name = wide(path);
    if (name == NULL) return EINVAL;
    const int failure = call(name) ? 0 : last_errno();
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
void new_file_remove_doomed(const char *path) {
    if (platform_remove_file(path) != 0) platform_remove_tree(path);
}

static BOOL attributes_of(const char *path, DWORD *attributes) {
    wchar_t *name = wide(path);
    *attributes = name != NULL ? GetFileAttributesW(name) : INVALID_FILE_ATTRIBUTES;
    free(name);
    return *attributes != INVALID_FILE_ATTRIBUTES;
}

bool platform_is_folder(const char *path) {
    DWORD attributes;
    return attributes_of(path, &attributes) && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

/* "nul", "con", "com1" and named pipes. */
bool platform_is_special(const char *path) {
    wchar_t *name = wide(path);
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
    wchar_t *name = wide(folder);
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
    wchar_t *path = wide(folder);
    wchar_t *pattern = path != NULL ? joined(path, L"*") : NULL;
    WIN32_FIND_DATAW entry;
    const HANDLE search = pattern != NULL ? FindFirstFileW(pattern, &entry) : INVALID_HANDLE_VALUE;
    const int failure = pattern == NULL ? EINVAL : last_errno();
    free(path);
    free(pattern);
    if (search == INVALID_HANDLE_VALUE) return failure;
    do list_entry(entry.cFileName, each, context);
    while (FindNextFileW(search, &entry));
    const int end = GetLastError() == ERROR_NO_MORE_FILES ? 0 : last_errno();
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

bool platform_cache_folder(char *path, size_t size) {
    if (environment(L"WADI_CACHE", path, size)) return path[0] != '\0';
    if (!environment(L"LOCALAPPDATA", path, size) || path[0] == '\0') return false;
    const size_t length = strlen(path);
    if (length + sizeof "/wadi" > size) return false;
    memcpy(path + length, "/wadi", sizeof "/wadi");
    return true;
}

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
    wchar_t *name = wide(path);
    platform_file_lock *made = malloc(sizeof *made);
    int error = name == NULL ? EINVAL : made == NULL ? ENOMEM : 0;
    if (error == 0) made->handle = open_lock(name);
    if (error == 0 && made->handle == INVALID_HANDLE_VALUE) {
        const bool is_held = GetLastError() == ERROR_SHARING_VIOLATION;
        error = is_held ? EAGAIN : last_errno();
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

/* ---- Libraries ---- */

void *platform_library_open(const char *name) {
    wchar_t *path = wide(name);
    const HMODULE library = path != NULL && path[0] != L'\0' ? LoadLibraryW(path) : NULL;
    free(path);
    return (void *)library;
}

platform_function platform_library_symbol(void *library, const char *name) {
    return (platform_function)GetProcAddress((HMODULE)library, name);
}

void platform_library_close(void *library) {
    if (library != NULL) FreeLibrary((HMODULE)library);
}

/* ---- Other programs ---- */

struct platform_process {
    HANDLE process, input;
    HANDLE said; /* a file, not a pipe, which nobody would empty while the input is written */
};

static void *volatile fed; /* the program's handle, for the signal handler; NULL: none */

static void close_handle(HANDLE handle) {
    if (handle != NULL && handle != INVALID_HANDLE_VALUE) CloseHandle(handle);
}

/* In PATH alone: not in the current folder. */
static bool find_program(const char *name, wchar_t *path, DWORD size) {
    const DWORD length = GetEnvironmentVariableW(L"PATH", NULL, 0);
    wchar_t *folders = length > 0 ? malloc(length * sizeof *folders) : NULL, *wanted = wide(name);
    bool found = false;
    if (folders != NULL && wanted != NULL && GetEnvironmentVariableW(L"PATH", folders, length) < length) {
        const DWORD used = SearchPathW(folders, wanted, L".exe", size, path, NULL);
        found = used > 0 && used < size;
    }
    free(folders);
    free(wanted);
    return found;
}

/* A word as CommandLineToArgvW reads it: backslashes count double before a quote. */
static wchar_t *put_word(wchar_t *line, const wchar_t *word) {
    size_t slashes = 0;
    *line++ = L'"';
    for (; *word != L'\0'; word++) {
        if (*word == L'"')
            for (slashes++; slashes > 0; slashes--) *line++ = L'\\';
        slashes = *word == L'\\' ? slashes + 1 : 0;
        *line++ = *word;
    }
    for (; slashes > 0; slashes--) *line++ = L'\\';
    *line++ = L'"';
    return line;
}

/* malloc'ed; NULL: no memory, or words that are no UTF-8. */
static wchar_t *command_line(const char *const *words) {
    size_t size = 1;
    for (const char *const *w = words; *w != NULL; w++) size += 2 * strlen(*w) + 3;
    wchar_t *line = malloc(size * sizeof *line), *end = line;
    for (; line != NULL && *words != NULL; words++) {
        wchar_t *word = wide(*words);
        if (word == NULL) {
            free(line);
            return NULL;
        }
        if (end != line) *end++ = L' ';
        end = put_word(end, word);
        free(word);
    }
    if (line != NULL) *end = L'\0';
    return line;
}

static SECURITY_ATTRIBUTES inherited(void) {
    return (SECURITY_ATTRIBUTES){.nLength = sizeof(SECURITY_ATTRIBUTES), .bInheritHandle = TRUE};
}

static HANDLE open_inherited(const wchar_t *path, DWORD create, DWORD flags) {
    SECURITY_ATTRIBUTES how = inherited();
    return CreateFileW(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, &how,
                       create, flags, NULL);
}

/* A file that is removed when closed; "NUL" if it cannot be created. */
static HANDLE open_said(void) {
    wchar_t folder[MAX_PATH + 1], path[MAX_PATH + 1];
    const DWORD length = GetTempPathW(MAX_PATH, folder);
    HANDLE file = INVALID_HANDLE_VALUE;
    if (length > 0 && length < MAX_PATH && GetTempFileNameW(folder, L"wad", 0, path) != 0)
        file = open_inherited(path, CREATE_ALWAYS, FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE);
    return file != INVALID_HANDLE_VALUE ? file : open_inherited(L"NUL", OPEN_EXISTING, 0);
}

/* It inherits these three handles and no other. */
static BOOL create_process(const wchar_t *program, wchar_t *line, HANDLE handles[3], PROCESS_INFORMATION *made) {
    STARTUPINFOEXW how = {.StartupInfo = {.cb = sizeof how,
                                          .dwFlags = STARTF_USESTDHANDLES,
                                          .hStdInput = handles[0],
                                          .hStdOutput = handles[1],
                                          .hStdError = handles[2]}};
    SIZE_T size = 0;
    InitializeProcThreadAttributeList(NULL, 1, 0, &size);
    how.lpAttributeList = malloc(size);
    if (how.lpAttributeList == NULL) return FALSE;
    BOOL done = InitializeProcThreadAttributeList(how.lpAttributeList, 1, 0, &size);
    if (done) {
        done = UpdateProcThreadAttribute(how.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles,
                                         3 * sizeof *handles, NULL, NULL) &&
               CreateProcessW(program, line, NULL, NULL, TRUE,
                              CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP | EXTENDED_STARTUPINFO_PRESENT, NULL, NULL,
                              &how.StartupInfo, made);
        DeleteProcThreadAttributeList(how.lpAttributeList);
    }
    free(how.lpAttributeList);
    return done;
}

static void free_process(platform_process *process) {
    InterlockedCompareExchangePointer(&fed, NULL, process->process);
    close_handle(process->process);
    close_handle(process->input);
    close_handle(process->said);
    free(process);
}

static int start(const wchar_t *program, wchar_t *line, platform_process *made) {
    SECURITY_ATTRIBUTES how = inherited();
    PROCESS_INFORMATION info = {0};
    HANDLE input = NULL;
    if (!CreatePipe(&input, &made->input, &how, 0)) return last_errno();
    SetHandleInformation(made->input, HANDLE_FLAG_INHERIT, 0);
    made->said = open_said();
    HANDLE handles[3] = {input, open_inherited(L"NUL", OPEN_EXISTING, 0), made->said};
    const int failure = create_process(program, line, handles, &info) ? 0 : last_errno();
    close_handle(input);
    close_handle(handles[1]);
    close_handle(info.hThread);
    made->process = info.hProcess;
    return failure;
}

int platform_process_start(const char *const *words, platform_process **process) {
    wchar_t program[MAX_PATH];
    *process = NULL;
    if (!find_program(words[0], program, MAX_PATH)) return ENOENT;
    wchar_t *line = command_line(words);
    platform_process *made = calloc(1, sizeof *made);
    int failure = line != NULL && made != NULL ? start(program, line, made) : ENOMEM;
    if (failure == 0) *process = made;
    if (failure == 0) InterlockedExchangePointer(&fed, made->process);
    if (failure != 0 && made != NULL) free_process(made);
    free(line);
    return failure;
}

int platform_process_write(platform_process *process, const void *bytes, size_t count) {
    for (const char *next = bytes; count > 0;) {
        const DWORD part = count < (size_t)1 << 20 ? (DWORD)count : (DWORD)1 << 20;
        DWORD written = 0;
        if (!WriteFile(process->input, next, part, &written, NULL)) {
            const DWORD failure = GetLastError();
            return failure == ERROR_BROKEN_PIPE || failure == ERROR_NO_DATA ? EPIPE : last_errno();
        }
        next += written;
        count -= written;
    }
    return 0;
}

/* Its last bytes. */
static size_t read_end(HANDLE file, char *text, size_t size) {
    LARGE_INTEGER end, from;
    DWORD length = 0;
    if (file == INVALID_HANDLE_VALUE || !GetFileSizeEx(file, &end)) return 0;
    from.QuadPart = end.QuadPart > (LONGLONG)size ? end.QuadPart - (LONGLONG)size : 0;
    if (!SetFilePointerEx(file, from, NULL, FILE_BEGIN)) return 0;
    return ReadFile(file, text, (DWORD)size, &length, NULL) ? length : 0;
}

int platform_process_end(platform_process *process, char *said, size_t size) {
    DWORD status = 0;
    close_handle(process->input);
    process->input = NULL;
    WaitForSingleObject(process->process, INFINITE);
    const BOOL ended = GetExitCodeProcess(process->process, &status);
    said[read_end(process->said, said, size - 1)] = '\0';
    free_process(process);
    return ended && status <= INT_MAX ? (int)status : -1;
}

void platform_process_kill(platform_process *process) {
    if (process == NULL) return;
    TerminateProcess(process->process, 1);
    WaitForSingleObject(process->process, INFINITE);
    free_process(process);
}

/* ---- Process and terminal ---- */

char *platform_program_beside(const char *name) {
    wchar_t own[4096];
    char folder[8192];
    const DWORD length = GetModuleFileNameW(NULL, own, 4096);
    if (length == 0 || length == 4096 ||
        WideCharToMultiByte(CP_UTF8, 0, own, -1, folder, sizeof folder, NULL, NULL) == 0)
        return NULL;
    char *slash = strrchr(folder, '\\');
    if (slash != NULL) slash[1] = '\0';
    char *path = malloc(strlen(folder) + strlen(name) + 5);
    if (path == NULL) return NULL;
    strcpy(path, folder);
    strcat(strcat(path, name), ".exe");
    if (platform_exists(path)) return path;
    free(path);
    return NULL;
}

/* Windows cannot replace a process. This one waits for the other, and ends with its status. */
int platform_become(const char *program, char **words) {
    const intptr_t status = _spawnv(_P_WAIT, program, (const char *const *)words);
    if (status == -1) return errno;
    exit((int)status);
}

int platform_process_id(void) { return _getpid(); }

bool platform_is_terminal(FILE *file) { return _isatty(_fileno(file)) != 0; }

int platform_terminal_columns(FILE *file) {
    CONSOLE_SCREEN_BUFFER_INFO info;
    const HANDLE console = (HANDLE)_get_osfhandle(_fileno(file));
    return GetConsoleScreenBufferInfo(console, &info) ? info.srWindow.Right - info.srWindow.Left + 1 : 80;
}

static volatile LONG catching, interrupted;
static volatile ULONGLONG interrupted_at; /* ms */

static void leave_nothing(void) {
    const HANDLE program = InterlockedExchangePointer(&fed, NULL);
    if (program != NULL && TerminateProcess(program, 1)) WaitForSingleObject(program, 5000);
    doomed_remove();
}

void platform_drop_new_files(void) { leave_nothing(); }

/* Runs in its own thread. When a console closes, the system ends the process when this returns, or after some seconds.
 * The main thread has that time to save the work. */
static BOOL WINAPI on_interrupt(DWORD event) {
    const bool first = catching && InterlockedExchange(&interrupted, 1) == 0;
    if (first) interrupted_at = GetTickCount64();
    if (!catching || (!first && (double)(GetTickCount64() - interrupted_at) >= 1000 * PLATFORM_ECHO_S)) {
        leave_nothing();
        _exit(130);
    }
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) Sleep(INFINITE);
    return TRUE;
}

void platform_end_on_signals(void) {
    SetConsoleCtrlHandler(on_interrupt, TRUE);
    atexit(leave_nothing);
}

void platform_catch_interrupts(void) { catching = 1; }

bool platform_interrupted(void) { return interrupted != 0; }
