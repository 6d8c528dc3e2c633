/* windows.c: memory, libraries, processes and signals on Windows 10 and later. files_windows.c has the files. */
#include "platform/new_file.h"
#include "platform/text_windows.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <errno.h>
#include <io.h>
#include <limits.h>
#include <process.h>
#include <psapi.h>
#include <stdlib.h>
#include <string.h>

/* ---- Threads ---- */

struct platform_thread {
    HANDLE thread;
    void (*work)(void *context);
    void *context;
};

static unsigned __stdcall run_thread(void *argument) {
    const platform_thread *thread = argument;
    thread->work(thread->context);
    return 0;
}

platform_thread *platform_thread_start(void (*work)(void *context), void *context) {
    platform_thread *made = malloc(sizeof *made);
    if (made == NULL) return NULL;
    *made = (platform_thread){.work = work, .context = context};
    made->thread = (HANDLE)_beginthreadex(NULL, 0, run_thread, made, 0, NULL);
    if (made->thread != NULL) return made;
    free(made);
    return NULL;
}

bool platform_thread_end(platform_thread *thread) {
    WaitForSingleObject(thread->thread, INFINITE);
    CloseHandle(thread->thread);
    free(thread);
    return true;
}

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

int platform_cache_sharers(int level) {
    (void)level;
    return 0;
}

/* ---- Libraries ---- */

void *platform_library_open(const char *name) {
    wchar_t *path = windows_wide(name);
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
    wchar_t *folders = length > 0 ? malloc(length * sizeof *folders) : NULL, *wanted = windows_wide(name);
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
        wchar_t *word = windows_wide(*words);
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
    if (!CreatePipe(&input, &made->input, &how, 0)) return windows_errno();
    SetHandleInformation(made->input, HANDLE_FLAG_INHERIT, 0);
    made->said = open_said();
    HANDLE handles[3] = {input, open_inherited(L"NUL", OPEN_EXISTING, 0), made->said};
    const int failure = create_process(program, line, handles, &info) ? 0 : windows_errno();
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
            return failure == ERROR_BROKEN_PIPE || failure == ERROR_NO_DATA ? EPIPE : windows_errno();
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
    platform_doomed_remove();
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

void platform_ignore_interrupts(void) { SetConsoleCtrlHandler(NULL, TRUE); }

bool platform_interrupted(void) { return interrupted != 0; }
