/* fault.c: a library for LD_PRELOAD. It makes one call of the command fail, or sends the command a signal at that call.
 * Only calls that the program itself makes count. Calls of its libraries (libgomp, GDAL, GTK, libc's own insides) pass.
 * So do writes to standard error, because the command reports failures there.
 *
 *   FAULT_CALL   open, read, write, sync, rename, close, folder, memory, map, or all but memory and map: files
 *   FAULT_AT     which of these calls, from 1; 0: none, they are only counted
 *   FAULT_HOW    ENOSPC, EIO, ENOMEM, EMFILE, EINTR, EACCES; short (half is done);
 *                KILL, TERM, INT, HUP (the signal comes, then the call is done); TWICE (TERM comes twice)
 *   FAULT_STAYS  1: all calls from there on fail
 *   FAULT_COUNT  a file that gets the number of calls when the program ends, "KIND NUMBER" a line
 *   FAULT_MARK   a file that is made when the fault has happened
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum call { OPEN, READ, WRITE, SYNC, RENAME, CLOSE, FOLDER, MEMORY, MAP, CALLS };
static const char *const call_names[CALLS] = {"open",  "read",   "write",  "sync", "rename",
                                              "close", "folder", "memory", "map"};
enum { ERROR_SEEN = 0x20 }; /* glibc's _IO_ERR_SEEN, which ferror() reads */

static struct {
    unsigned calls; /* one bit for each call that counts; 0: not set up, or inactive */
    long at;
    int error, signal; /* error: 0 with a signal */
    bool half, stays, twice;
    const char *count, *mark;
    uintptr_t begin, end; /* the program's code */
} plan;
static atomic_long counted, each_counted[CALLS];

/* --- which calls, and how they fail ---------------------------------------------------------------------------- */

static int find_program(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    (void)context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        plan.begin = info->dlpi_addr + part->p_vaddr;
        plan.end = plan.begin + part->p_memsz;
    }
    return 1; /* the first object is the program */
}

static unsigned calls_of(const char *name) {
    const unsigned files = (1u << MEMORY) - 1;
    if (strcmp(name, "files") == 0) return files;
    for (int i = 0; i < CALLS; i++)
        if (strcmp(name, call_names[i]) == 0) return 1u << i;
    return 0;
}

static void set_how(const char *how) {
    static const struct {
        const char *name;
        int error, signal;
    } hows[] = {{"ENOSPC", ENOSPC, 0}, {"EIO", EIO, 0},       {"ENOMEM", ENOMEM, 0}, {"EMFILE", EMFILE, 0},
                {"EINTR", EINTR, 0},   {"EACCES", EACCES, 0}, {"short", EIO, 0},     {"KILL", 0, SIGKILL},
                {"TERM", 0, SIGTERM},  {"INT", 0, SIGINT},    {"HUP", 0, SIGHUP},    {"TWICE", 0, SIGTERM}};
    plan.twice = strcmp(how, "TWICE") == 0;
    plan.half = strcmp(how, "short") == 0;
    for (size_t i = 0; i < sizeof hows / sizeof *hows; i++)
        if (strcmp(how, hows[i].name) == 0) plan.error = hows[i].error, plan.signal = hows[i].signal;
}

__attribute__((constructor)) static void set_up(void) {
    const char *call = getenv("FAULT_CALL"), *at = getenv("FAULT_AT"), *how = getenv("FAULT_HOW");
    if (call == NULL || at == NULL) return;
    set_how(how != NULL ? how : "");
    plan.at = atol(at);
    plan.stays = getenv("FAULT_STAYS") != NULL && strcmp(getenv("FAULT_STAYS"), "1") == 0;
    plan.count = getenv("FAULT_COUNT");
    plan.mark = getenv("FAULT_MARK");
    dl_iterate_phdr(find_program, NULL);
    plan.calls = calls_of(call);
    unsetenv("LD_PRELOAD"); /* not for programs that it starts, such as ffmpeg */
}

__attribute__((destructor)) static void write_count(void) {
    if (plan.count == NULL) return;
    const long file = syscall(SYS_openat, AT_FDCWD, plan.count, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0) return;
    for (int i = 0; i < CALLS; i++) {
        char line[64];
        const int length = snprintf(line, sizeof line, "%s %ld\n", call_names[i], (long)each_counted[i]);
        syscall(SYS_write, file, line, length);
    }
    syscall(SYS_close, file);
}

static void set_mark(void) {
    if (plan.mark == NULL) return;
    const long file = syscall(SYS_openat, AT_FDCWD, plan.mark, O_WRONLY | O_CREAT, 0666);
    if (file >= 0) syscall(SYS_close, file);
}

/* Counts a call. Returns whether it fails; errno then says why. */
static bool fails(enum call call, const void *caller) {
    if ((uintptr_t)caller < plan.begin || (uintptr_t)caller >= plan.end) return false;
    each_counted[call]++;
    if (!(plan.calls >> call & 1)) return false;
    const long number = atomic_fetch_add(&counted, 1) + 1;
    if (plan.at == 0 || (plan.stays ? number < plan.at : number != plan.at)) return false;
    if (number == plan.at) set_mark();
    if (plan.signal != 0) {
        if (number == plan.at) kill(getpid(), plan.signal);
        if (number == plan.at && plan.twice) kill(getpid(), plan.signal);
        return false;
    }
    errno = plan.error;
    return plan.error != 0;
}

/* Programs with 64-bit offsets call open64() and so on. These are the same functions where a long has 64 bits. */
#define ALSO(name, ...) name##64(__VA_ARGS__) __attribute__((alias(#name)))
_Static_assert(sizeof(long) == 8, "for 64-bit Linux");

#define FAILS(call) fails(call, __builtin_return_address(0))

/* The next definition of `name`: libc's, or a sanitizer's. */
#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, #name)

/* --- memory ----------------------------------------------------------------------------------------------------- */

/* dlsym() may allocate memory itself. It gets memory from here, which is never freed. */
static _Alignas(16) char early[1 << 14];
static size_t early_used;
static _Thread_local bool finding;

static void *early_memory(size_t bytes) {
    void *memory = early + early_used;
    early_used += (bytes + 15) / 16 * 16;
    if (early_used > sizeof early) abort();
    return memory;
}

static bool is_early(const void *memory) {
    return (const char *)memory >= early && (const char *)memory < early + sizeof early;
}

#define REAL_EARLY(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (real == NULL && !finding) { \
        finding = true; \
        *(void **)&real = dlsym(RTLD_NEXT, #name); \
        finding = false; \
    }

void *malloc(size_t bytes) {
    REAL_EARLY(void *, malloc, size_t)
    if (real == NULL) return early_memory(bytes);
    return FAILS(MEMORY) ? NULL : real(bytes);
}

void *calloc(size_t count, size_t bytes) {
    REAL_EARLY(void *, calloc, size_t, size_t)
    if (real == NULL) return early_memory(count * bytes);
    return FAILS(MEMORY) ? NULL : real(count, bytes);
}

void *realloc(void *memory, size_t bytes) {
    REAL_EARLY(void *, realloc, void *, size_t)
    if (real == NULL || is_early(memory)) abort();
    return FAILS(MEMORY) ? NULL : real(memory, bytes);
}

void free(void *memory) {
    REAL_EARLY(void, free, void *)
    if (real != NULL && !is_early(memory)) real(memory);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes) {
    REAL_EARLY(int, posix_memalign, void **, size_t, size_t)
    return FAILS(MEMORY) ? ENOMEM : real(memory, alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    REAL_EARLY(void *, aligned_alloc, size_t, size_t)
    return FAILS(MEMORY) ? NULL : real(alignment, bytes);
}

char *strdup(const char *text) {
    REAL_EARLY(char *, strdup, const char *)
    return FAILS(MEMORY) ? NULL : real(text);
}

char *strndup(const char *text, size_t length) {
    REAL_EARLY(char *, strndup, const char *, size_t)
    return FAILS(MEMORY) ? NULL : real(text, length);
}

void *mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset) {
    if (FAILS(MAP)) return MAP_FAILED;
    return (void *)syscall(SYS_mmap, at, bytes, protection, flags, file, offset);
}
void *ALSO(mmap, void *, size_t, int, int, int, off_t);

/* --- files ------------------------------------------------------------------------------------------------------ */

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    REAL(int, open, const char *, int, ...);
    return FAILS(OPEN) ? -1 : real(path, flags, mode);
}
int ALSO(open, const char *, int, ...);

int openat(int folder, const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    REAL(int, openat, int, const char *, int, ...);
    return FAILS(OPEN) ? -1 : real(folder, path, flags, mode);
}
int ALSO(openat, int, const char *, int, ...);

FILE *fopen(const char *path, const char *mode) {
    REAL(FILE *, fopen, const char *, const char *);
    return FAILS(OPEN) ? NULL : real(path, mode);
}
FILE *ALSO(fopen, const char *, const char *);

FILE *fdopen(int file, const char *mode) {
    REAL(FILE *, fdopen, int, const char *);
    return FAILS(OPEN) ? NULL : real(file, mode);
}

FILE *tmpfile(void) {
    REAL(FILE *, tmpfile, void);
    return FAILS(OPEN) ? NULL : real();
}
FILE *ALSO(tmpfile, void);

int mkstemp(char *path) {
    REAL(int, mkstemp, char *);
    return FAILS(OPEN) ? -1 : real(path);
}
int ALSO(mkstemp, char *);

DIR *opendir(const char *path) {
    REAL(DIR *, opendir, const char *);
    return FAILS(OPEN) ? NULL : real(path);
}

static size_t broken_stream(FILE *file, size_t done) {
    file->_flags |= ERROR_SEEN;
    errno = plan.error;
    return done;
}

ssize_t read(int file, void *bytes, size_t count) {
    REAL(ssize_t, read, int, void *, size_t);
    if (!FAILS(READ)) return real(file, bytes, count);
    return plan.half && count > 1 ? real(file, bytes, count / 2) : -1;
}

ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
    REAL(ssize_t, pread, int, void *, size_t, off_t);
    if (!FAILS(READ)) return real(file, bytes, count, offset);
    return plan.half && count > 1 ? real(file, bytes, count / 2, offset) : -1;
}

size_t fread(void *bytes, size_t size, size_t count, FILE *file) {
    REAL(size_t, fread, void *, size_t, size_t, FILE *);
    if (!FAILS(READ)) return real(bytes, size, count, file);
    return broken_stream(file, plan.half ? real(bytes, size, count / 2, file) : 0);
}

size_t __fread_chk(void *bytes, size_t room, size_t size, size_t count, FILE *file) {
    REAL(size_t, __fread_chk, void *, size_t, size_t, size_t, FILE *);
    if (!FAILS(READ)) return real(bytes, room, size, count, file);
    return broken_stream(file, plan.half ? real(bytes, room, size, count / 2, file) : 0);
}

char *fgets(char *line, int size, FILE *file) {
    REAL(char *, fgets, char *, int, FILE *);
    if (!FAILS(READ)) return real(line, size, file);
    broken_stream(file, 0);
    return NULL;
}

ssize_t write(int file, const void *bytes, size_t count) {
    REAL(ssize_t, write, int, const void *, size_t);
    if (file == STDERR_FILENO || !FAILS(WRITE)) return real(file, bytes, count);
    return plan.half && count > 1 ? real(file, bytes, count / 2) : -1;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
    if (!FAILS(WRITE)) return real(file, bytes, count, offset);
    return plan.half && count > 1 ? real(file, bytes, count / 2, offset) : -1;
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file) {
    REAL(size_t, fwrite, const void *, size_t, size_t, FILE *);
    if (file == stderr || !FAILS(WRITE)) return real(bytes, size, count, file);
    return broken_stream(file, plan.half ? real(bytes, size, count / 2, file) : 0);
}

#define BROKEN_WRITE(file) (file != stderr && FAILS(WRITE) ? (broken_stream(file, 0), true) : false)

int fputs(const char *text, FILE *file) {
    REAL(int, fputs, const char *, FILE *);
    return BROKEN_WRITE(file) ? EOF : real(text, file);
}

int fputc(int c, FILE *file) {
    REAL(int, fputc, int, FILE *);
    return BROKEN_WRITE(file) ? EOF : real(c, file);
}

int putc(int c, FILE *file) {
    REAL(int, putc, int, FILE *);
    return BROKEN_WRITE(file) ? EOF : real(c, file);
}

int vfprintf(FILE *file, const char *format, va_list values) {
    REAL(int, vfprintf, FILE *, const char *, va_list);
    return BROKEN_WRITE(file) ? -1 : real(file, format, values);
}

int fprintf(FILE *file, const char *format, ...) {
    REAL(int, vfprintf, FILE *, const char *, va_list);
    if (BROKEN_WRITE(file)) return -1;
    va_list values;
    va_start(values, format);
    const int length = real(file, format, values);
    va_end(values);
    return length;
}

int __vfprintf_chk(FILE *file, int flag, const char *format, va_list values) {
    REAL(int, __vfprintf_chk, FILE *, int, const char *, va_list);
    return BROKEN_WRITE(file) ? -1 : real(file, flag, format, values);
}

int __fprintf_chk(FILE *file, int flag, const char *format, ...) {
    REAL(int, __vfprintf_chk, FILE *, int, const char *, va_list);
    if (BROKEN_WRITE(file)) return -1;
    va_list values;
    va_start(values, format);
    const int length = real(file, flag, format, values);
    va_end(values);
    return length;
}

int vprintf(const char *format, va_list values) {
    REAL(int, vfprintf, FILE *, const char *, va_list);
    return BROKEN_WRITE(stdout) ? -1 : real(stdout, format, values);
}

int printf(const char *format, ...) {
    REAL(int, vfprintf, FILE *, const char *, va_list);
    if (BROKEN_WRITE(stdout)) return -1;
    va_list values;
    va_start(values, format);
    const int length = real(stdout, format, values);
    va_end(values);
    return length;
}

int __printf_chk(int flag, const char *format, ...) {
    REAL(int, __vfprintf_chk, FILE *, int, const char *, va_list);
    if (BROKEN_WRITE(stdout)) return -1;
    va_list values;
    va_start(values, format);
    const int length = real(stdout, flag, format, values);
    va_end(values);
    return length;
}

int puts(const char *text) {
    REAL(int, puts, const char *);
    return BROKEN_WRITE(stdout) ? EOF : real(text);
}

int putchar(int c) {
    REAL(int, putchar, int);
    return BROKEN_WRITE(stdout) ? EOF : real(c);
}

int fflush(FILE *file) {
    REAL(int, fflush, FILE *);
    if (file == NULL || file == stderr || __fpending(file) == 0 || !FAILS(WRITE)) return real(file);
    broken_stream(file, 0);
    return EOF;
}

int fsync(int file) {
    REAL(int, fsync, int);
    return FAILS(SYNC) ? -1 : real(file);
}

int rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *);
    return FAILS(RENAME) ? -1 : real(from, to);
}

int link(const char *from, const char *to) {
    REAL(int, link, const char *, const char *);
    return FAILS(RENAME) ? -1 : real(from, to);
}

/* All variants act alike: Linux frees the descriptor whatever close() returns. */
int close(int file) {
    REAL(int, close, int);
    if (!FAILS(CLOSE)) return real(file);
    real(file);
    errno = plan.error;
    return -1;
}

int fclose(FILE *file) {
    REAL(int, fclose, FILE *);
    if (!FAILS(CLOSE)) return real(file);
    real(file);
    errno = plan.error;
    return EOF;
}

int mkdir(const char *path, mode_t mode) {
    REAL(int, mkdir, const char *, mode_t);
    return FAILS(FOLDER) ? -1 : real(path, mode);
}
