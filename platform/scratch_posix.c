/* scratch_posix.c: memory of nameless files. The system writes pages back and reads them again, so they may exceed
 * memory. Pages in use count as this process's memory, until the system needs it for others. A thread gives them back
 * earlier: whoever limits a process by what it holds sees that the limit is kept. */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "platform/scratch_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

typedef struct scratch {
    void *pages;
    size_t bytes;
    struct scratch *next;
} scratch;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static scratch *all;
static pthread_t keeper;
static bool running;
static uintptr_t ends;                                       /* of keepers so far: each goes on until the next */
static uint64_t most_held = (uint64_t)64 << 20, held_before; /* before: by the program itself */

/* ---- what is held ---- */

/* Bytes of files in this process's memory: those here, and the program's own. 0: unknown. */
static uint64_t held(void) {
    unsigned long long size, resident, shared = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) return 0;
    if (fscanf(file, "%llu %llu %llu", &size, &resident, &shared) != 3) shared = 0;
    fclose(file);
    return shared * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Nothing is lost: the file keeps what was written. */
static void give_back(void) {
    for (const scratch *s = all; s != NULL; s = s->next) madvise(s->pages, s->bytes, MADV_DONTNEED);
}

void platform_scratch_pass(void *start, size_t bytes) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), before = (uintptr_t)start % page;
    madvise((char *)start - before, bytes + before, MADV_DONTNEED);
}

/* Looks 500 times a second: the cores map some ten to a hundred megabytes of cached pages meanwhile. */
static void *keep(void *ends_before) {
    pthread_mutex_lock(&lock);
    held_before = held();
    while (ends == (uintptr_t)ends_before) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 2000000;
        if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, until.tv_sec++;
        pthread_cond_timedwait(&ended, &lock, &until);
        if (held() > held_before + most_held) give_back();
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* Without a thread it goes on: the system takes the pages when it needs them. */
static void start_keeper(void) {
    if (!running) running = pthread_create(&keeper, NULL, keep, (void *)ends) == 0;
}

/* Another may start before this one has seen it. */
static void end_keeper(void) {
    running = false;
    ends++;
    pthread_cond_broadcast(&ended);
}

void platform_scratch_keep_under(uint64_t bytes) {
    pthread_mutex_lock(&lock);
    most_held = bytes;
    pthread_mutex_unlock(&lock);
}

/* ---- fork ---- */

void platform_scratch_before_fork(void) { pthread_mutex_lock(&lock); }

void platform_scratch_after_fork(void) { pthread_mutex_unlock(&lock); }

/* The keeper is not there. */
void platform_scratch_in_child(void) {
    running = false;
    ended = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    pthread_mutex_unlock(&lock);
}

/* ---- files ---- */

/* -1 and errno: it cannot be made. */
static int nameless_file(const char *folder) {
#ifdef O_TMPFILE
    const int made = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (made >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT)) return made;
#endif
    char path[4096];
    if (snprintf(path, sizeof path, "%s/.wadi-scratch-XXXXXX", folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    const int file = mkstemp(path);
    if (file >= 0) unlink(path);
    if (file >= 0) fcntl(file, F_SETFD, FD_CLOEXEC);
    return file;
}

/* The space is reserved now: later a full disk would end the process. */
static void *map_file(const char *folder, size_t bytes) {
    const int file = nameless_file(folder);
    if (file < 0) return NULL;
    int failure = (uint64_t)bytes > INT64_MAX ? EFBIG : EINTR;
    while (failure == EINTR) failure = posix_fallocate(file, 0, (off_t)bytes); /* a signal, such as Ctrl-C */
    void *pages = MAP_FAILED;
    if (failure == 0) {
        pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        failure = errno;
    }
    close(file);
    if (pages != MAP_FAILED) return pages;
    errno = failure;
    return NULL;
}

void *platform_scratch(const char *folder, size_t bytes) {
    scratch *made = malloc(sizeof *made);
    if (made == NULL) return NULL;
    *made = (scratch){.pages = map_file(folder, bytes > 0 ? bytes : 1), .bytes = bytes > 0 ? bytes : 1};
    if (made->pages == NULL) {
        const int failure = errno;
        free(made);
        errno = failure;
        return NULL;
    }
    void *pages = made->pages;
    pthread_mutex_lock(&lock);
    made->next = all;
    all = made;
    start_keeper();
    pthread_mutex_unlock(&lock);
    return pages;
}

static scratch *take_out(const void *pages) {
    scratch **at = &all;
    while (*at != NULL && (*at)->pages != pages) at = &(*at)->next;
    scratch *found = *at;
    if (found != NULL) *at = found->next;
    return found;
}

bool platform_scratch_free(void *pages) {
    pthread_mutex_lock(&lock);
    scratch *found = take_out(pages);
    const bool last = found != NULL && all == NULL && running;
    const pthread_t ending = keeper;
    if (last) end_keeper();
    pthread_mutex_unlock(&lock);
    if (last) pthread_join(ending, NULL);
    if (found != NULL) munmap(found->pages, found->bytes);
    free(found);
    return found != NULL;
}

bool platform_scratch_folder(char *path, size_t size) {
    const char *given = getenv("TMPDIR");
    if (given == NULL || given[0] == '\0') given = "/var/tmp"; /* /tmp may lie in memory */
    return snprintf(path, size, "%s", given) < (int)size;
}
