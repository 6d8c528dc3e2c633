/* posix.c: memory, libraries, processes and signals on Linux and other Unix systems. files_posix.c has the files. */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "platform/new_file.h"
#include "platform/scratch_posix.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#ifdef __linux__
#include "platform/cache_linux.h"
#include "platform/cgroup.h"
#endif

/* ---- fork ---- */

/* A child has none of its parent's threads, but OpenMP would wait for those of its pool. So they end before a fork.
 * Parent and child create new ones when needed. The locks are free in the child. */
static void before_fork(void) {
#ifdef _OPENMP
    omp_pause_resource_all(omp_pause_hard);
#endif
    platform_lock();
    platform_scratch_before_fork(); /* in the order of those who take both */
}

static void after_fork(void) {
    platform_scratch_after_fork();
    platform_unlock();
}

static void in_child(void) {
    platform_scratch_in_child();
    platform_unlock();
}

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(before_fork, after_fork, in_child); }

/* ---- Threads ---- */

struct platform_thread {
    pthread_t thread;
    pid_t process;
    void (*work)(void *context);
    void *context;
};

static void *run_thread(void *argument) {
    const platform_thread *thread = argument;
    thread->work(thread->context);
    return NULL;
}

platform_thread *platform_thread_start(void (*work)(void *context), void *context) {
    platform_thread *made = malloc(sizeof *made);
    if (made == NULL) return NULL;
    *made = (platform_thread){.process = getpid(), .work = work, .context = context};
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* a new thread has the mask of the one that starts it */
    const bool started = pthread_create(&made->thread, NULL, run_thread, made) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started) return made;
    free(made);
    return NULL;
}

bool platform_thread_end(platform_thread *thread) {
    const bool here = thread->process == getpid() && pthread_join(thread->thread, NULL) == 0;
    free(thread);
    return here;
}

/* ---- Clock, cores, memory ---- */

double platform_clock_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void platform_yield(void) {
#ifdef __EMSCRIPTEN__ /* its sched_yield returns at once: this waits for so many nanoseconds, as nobody ends it */
    static int word;
    __builtin_wasm_memory_atomic_wait32(&word, 0, 20000);
#else
    sched_yield();
#endif
}

int platform_cores(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) cores = CPU_COUNT(&set);
    /* With more threads than the quota, some would be stopped during a step, and all others would wait. */
    const double quota = platform_cgroup_cpus();
    if (quota > 0.0 && quota < (double)cores) cores = (long)(quota + 0.5);
#endif
    return cores < 1 ? 1 : (int)cores;
}

/* The number after `key` in a file of lines "key   number kB", in bytes; 0 if not found. */
static uint64_t read_kilobytes(const char *path, const char *key) {
    FILE *file = fopen(path, "r");
    if (file == NULL) return 0;
    uint64_t bytes = 0;
    char line[256];
    while (bytes == 0 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, key, strlen(key)) == 0) bytes = 1024u * strtoull(line + strlen(key), NULL, 10);
    fclose(file);
    return bytes;
}

static uint64_t page_bytes(void) { return (uint64_t)sysconf(_SC_PAGESIZE); }

/* The memory left by `ulimit -v`. */
static uint64_t address_space_left(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
    const uint64_t used = read_kilobytes("/proc/self/status", "VmSize:");
    return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

uint64_t platform_memory_bytes(void) {
    uint64_t bytes = read_kilobytes("/proc/meminfo", "MemAvailable:");
    if (bytes == 0) bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * page_bytes();
    const uint64_t space = address_space_left();
    if (space < bytes) bytes = space;
#ifdef __linux__
    const uint64_t group = platform_cgroup_memory_left();
    if (group < bytes) bytes = group;
#endif
    return bytes;
}

uint64_t platform_peak_memory_bytes(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
#ifdef __APPLE__
    return (uint64_t)usage.ru_maxrss;
#else
    return 1024u * (uint64_t)usage.ru_maxrss;
#endif
}

#define HUGE_PAGE ((size_t)2 << 20)

static size_t whole_pages(size_t bytes) {
    const size_t page = (size_t)page_bytes();
    return bytes == 0 ? page : (bytes + page - 1) / page * page;
}

static void *map(size_t bytes) {
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

/* A large block starts on a boundary of huge pages; otherwise the kernel could not use huge pages for its first
 * megabytes. So one more huge page is mapped, and the ends are unmapped. */
void *platform_pages(size_t bytes) {
    if (bytes > SIZE_MAX / 2) return NULL;
    const size_t size = whole_pages(bytes);
#ifdef __EMSCRIPTEN__
    return map(size); /* it has no huge pages, and takes back whole mappings alone */
#endif
    if (size < 2 * HUGE_PAGE) return map(size);
    char *start = map(size + HUGE_PAGE);
    if (start == NULL) return NULL;
    const size_t before = (HUGE_PAGE - (uintptr_t)start % HUGE_PAGE) % HUGE_PAGE;
    if (before > 0) munmap(start, before);
    if (before < HUGE_PAGE) munmap(start + before + size, HUGE_PAGE - before);
#ifdef MADV_HUGEPAGE
    madvise(start + before, size, MADV_HUGEPAGE);
#endif
    return start + before;
}

void platform_pages_free(void *pages, size_t bytes) {
    if (pages != NULL) munmap(pages, whole_pages(bytes));
}

void platform_pages_drop(void *pages, size_t bytes) { madvise(pages, whole_pages(bytes), MADV_DONTNEED); }

size_t platform_cache_bytes(int level) {
    long bytes = 0;
#ifdef __linux__
    const size_t listed = platform_listed_cache(PLATFORM_CACHE_FOLDER, level);
    if (listed > 0) return listed;
#endif
#ifdef _SC_LEVEL1_DCACHE_SIZE
    if (level == 1) bytes = sysconf(_SC_LEVEL1_DCACHE_SIZE);
    if (level == 2) bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
    if (level == 3) bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
    if (bytes > 0) return (size_t)bytes;
    return level == 1 ? (size_t)32 << 10 : level == 2 ? (size_t)512 << 10 : (size_t)8 << 20;
}

int platform_cache_sharers(int level) {
#ifdef __linux__
    return platform_listed_sharers(PLATFORM_CACHE_FOLDER, level);
#else
    (void)level;
    return 0;
#endif
}

/* ---- Libraries ---- */

void *platform_library_open(const char *name) {
    return name[0] != '\0' ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL; /* "" would be the program itself */
}

platform_function platform_library_symbol(void *library, const char *name) {
    void *const address = dlsym(library, name);
    platform_function function;
    memcpy(&function, &address, sizeof function); /* C has no conversion from one to the other */
    return function;
}

void platform_library_close(void *library) {
    if (library != NULL) dlclose(library);
}

/* ---- Other programs ---- */

struct platform_process {
    pid_t id;
    int input;
    FILE *said; /* not a pipe, which nobody would empty while the input is written; NULL: no temporary file */
};

static atomic_int fed; /* the program's id, for the signal handler; 0: none */

static void keep_from_others(int descriptor) { fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

/* Its own process group protects it from the terminal's Ctrl-C. */
static int spawn(const char *const *words, int input, int said, pid_t *id) {
    extern char **environ;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGTERM);
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setsigdefault(&how, &usual);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (said >= 0)
        posix_spawn_file_actions_adddup2(&files, said, STDERR_FILENO);
    else
        posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const int failure = posix_spawnp(id, words[0], &files, &how, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    return failure;
}

static void free_process(platform_process *process) {
    if (process->input >= 0) close(process->input);
    if (process->said != NULL) fclose(process->said);
    free(process);
}

int platform_process_start(const char *const *words, platform_process **process) {
    int ends[2];
    *process = NULL;
    platform_process *made = malloc(sizeof *made);
    if (made == NULL) return ENOMEM;
    if (pipe(ends) != 0) {
        const int failure = errno;
        free(made);
        return failure;
    }
    *made = (platform_process){.input = ends[1], .said = tmpfile()};
    keep_from_others(ends[0]);
    keep_from_others(ends[1]);
    if (made->said != NULL) keep_from_others(fileno(made->said));
    const int failure = spawn(words, ends[0], made->said != NULL ? fileno(made->said) : -1, &made->id);
    close(ends[0]);
    if (failure != 0)
        free_process(made);
    else
        *process = made;
    if (failure == 0) atomic_store(&fed, (int)made->id);
    return failure;
}

/* Writes without SIGPIPE, for any handling of it in the process. */
static ssize_t write_quietly(int descriptor, const void *bytes, size_t count) {
    sigset_t broken, before, pending;
    int caught;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    sigpending(&pending);
    const bool another = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    const ssize_t written = write(descriptor, bytes, count);
    const int failure = errno;
    sigpending(&pending); /* a part may have been written before it broke */
    if (!another && sigismember(&pending, SIGPIPE) == 1) sigwait(&broken, &caught);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = failure;
    return written;
}

int platform_process_write(platform_process *process, const void *bytes, size_t count) {
    for (const char *next = bytes; count > 0;) {
        const ssize_t written = write_quietly(process->input, next, count);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        next += written;
        count -= (size_t)written;
    }
    return 0;
}

static int wait_for(pid_t id) {
    int status, own = (int)id;
    atomic_compare_exchange_strong(&fed, &own, 0); /* first, because its id may soon be reused */
    while (waitpid(id, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int platform_process_end(platform_process *process, char *said, size_t size) {
    close(process->input);
    process->input = -1;
    const int status = wait_for(process->id);
    size_t length = 0;
    if (process->said != NULL) {
        if (fseek(process->said, -(long)(size - 1), SEEK_END) != 0) rewind(process->said); /* it said less */
        length = fread(said, 1, size - 1, process->said);
    }
    said[length] = '\0';
    free_process(process);
    return status;
}

void platform_process_kill(platform_process *process) {
    if (process == NULL) return;
    kill(process->id, SIGKILL);
    wait_for(process->id);
    free_process(process);
}

/* ---- Process and terminal ---- */

char *platform_program_beside(const char *name) {
    char own[4096];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length <= 0) return NULL;
    own[length] = '\0';
    char *slash = strrchr(own, '/');
    const size_t folder = slash != NULL ? (size_t)(slash - own) + 1 : 0;
    char *path = malloc(folder + strlen(name) + 1);
    if (path == NULL) return NULL;
    memcpy(path, own, folder);
    strcpy(path + folder, name);
    if (access(path, X_OK) == 0) return path;
    free(path);
    return NULL;
}

int platform_become(const char *program, char **words) {
    execv(program, words);
    return errno;
}

int platform_process_id(void) { return (int)getpid(); }

bool platform_is_terminal(FILE *file) { return isatty(fileno(file)) == 1; }

int platform_terminal_columns(FILE *file) {
    struct winsize size;
    return ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

static pthread_t main_thread;
static volatile sig_atomic_t catching, interrupted;
static struct timespec interrupted_at;

/* Ends the program first, or it could create its file again. */
static void leave_nothing(void) {
    const int program = atomic_exchange(&fed, 0);
    if (program > 0 && kill(program, SIGKILL) == 0) waitpid(program, NULL, 0);
    platform_doomed_remove();
}

void platform_drop_new_files(void) { leave_nothing(); }

static _Noreturn void end_now(void) {
    leave_nothing();
    _exit(130);
}

/* A key pressed twice, or a shell that repeats the terminal's signal: one interruption. */
static bool is_an_echo(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return false;
    const double passed_s =
        (double)(now.tv_sec - interrupted_at.tv_sec) + 1e-9 * (double)(now.tv_nsec - interrupted_at.tv_nsec);
    return passed_s < PLATFORM_ECHO_S;
}

/* The main thread ends the process, so that it is not creating a file meanwhile; a thread of platform_thread_start may.
 * A broken pipe never counts as the second interruption, since each written line raises it again. */
static void on_interrupt(int signal_number) {
    if (catching && !interrupted) {
        clock_gettime(CLOCK_MONOTONIC, &interrupted_at);
        interrupted = 1;
        return;
    }
    if (catching && (signal_number == SIGPIPE || is_an_echo())) return;
    if (pthread_equal(pthread_self(), main_thread)) end_now();
    pthread_kill(main_thread, signal_number);
}

void platform_end_on_signals(void) {
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    main_thread = pthread_self();
    atexit(leave_nothing);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(ending[i], &action, NULL);
    signal(SIGXFSZ, SIG_IGN);
}

void platform_catch_interrupts(void) { catching = 1; }

void platform_ignore_interrupts(void) {
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
}

bool platform_interrupted(void) { return interrupted != 0; }
