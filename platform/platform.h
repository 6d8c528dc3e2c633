/* platform.h: what each platform does its own way: files, memory, threads, processes, signals, clocks. One small place;
 * posix.c and windows.c implement it; nothing else has a platform's #ifdef. A private static library. */
#ifndef WADI_PLATFORM_H
#define WADI_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

double platform_clock_s(void); /* monotonic */
void platform_yield(void);     /* lets another thread have this processor */
/* One lock for all, for some lines at a time; must not be taken twice. (A named critical section exports its name; one
 * without a name is the caller's too.) */
void platform_lock(void);
void platform_unlock(void);
int platform_cores(void);                  /* this process may use */
uint64_t platform_memory_bytes(void);      /* available to this process now, cgroup limits included */
uint64_t platform_peak_memory_bytes(void); /* this process's largest resident set so far */

/* Zeroed pages, 64-byte aligned or better, in huge pages where that pays. NULL when there are none. */
void *platform_pages(size_t bytes);
void platform_pages_free(void *pages, size_t bytes);
/* Gives their memory back until they are next written; what stood in them is lost. Takes what platform_pages gave. */
void platform_pages_drop(void *pages, size_t bytes);

/* IEEE: round to nearest, denormals kept. Returns what was set before, for the restore. */
unsigned platform_float_mode_strict(void);
void platform_float_mode_restore(unsigned mode);
/* "AMD EPYC ..."; and whether the CPU (and the OS) has "avx2", "avx512" (f, vl, dq, bw) or "sha". */
void platform_cpu_name(char *name, size_t size);
bool platform_cpu_has(const char *isa);
size_t platform_cache_bytes(int level); /* of one core for 1 and 2, shared for 3; a usual size if unknown */

/* Files. Paths are UTF-8. Functions that return int give 0 or an errno. */
FILE *platform_open(const char *path, const char *mode); /* fopen, "b" implied */
int platform_sync(FILE *file);                           /* fflush and fsync */
bool platform_seek(FILE *file, uint64_t offset);         /* past 2 GiB too; false leaves an errno */
uint64_t platform_file_bytes(FILE *file);                /* and stands at its end; UINT64_MAX if it cannot be told */
/* Gives a file a name that no file has yet, in one step where the file system can. EEXIST: there is one. */
int platform_rename_new(const char *from, const char *to);
int platform_replace(const char *from,
                     const char *to); /* atomic rename over an existing file, then sync of the folder */

int platform_make_folder(const char *path); /* EEXIST if it is there */
int platform_remove_file(const char *path);
int platform_remove_folder(const char *path); /* an empty one */
int platform_remove_tree(const char *path);
/* A folder that is removed, with the files in it, if a signal or exit() ends this process. `path` is allocated;
 * platform_keep_folder ends this and frees it. */
void platform_doom_folder(char *path);
void platform_keep_folder(char *path);
bool platform_is_folder(const char *path);
bool platform_is_special(const char *path); /* a device or a pipe, which are no place for a file */
bool platform_exists(const char *path);
int platform_try_writing_in(const char *folder); /* makes a file there and removes it */
uint64_t platform_free_disk_bytes(const char *folder);
int platform_process_id(void);

/* A file that appears whole or not at all: it is written under a temporary name beside its place. The name is short and
 * no other process or thread has it: "folder/.wadi-<process>-<number>.tmp". */
#define PLATFORM_TEMPORARY ".wadi-" /* what temporary names begin with */
typedef struct platform_new_file {
    FILE *file; /* open for reading and writing */
    char *temporary;
    intptr_t lock;
    int slot;
} platform_new_file;
/* First removes what killed processes left in that folder. 0 or an errno. */
int platform_new_file_begin(const char *path, platform_new_file *made);
/* Closes it. error: how the writing went; where that is 0 the file is synced and takes its place, else it is removed.
 * Returns `error`, or the errno of what failed here. */
int platform_new_file_end(platform_new_file *made, const char *path, int error);
/* From here on no new file takes the place of an existing one of this name: its end fails with EEXIST. 0 or an errno.
 */
int platform_protect(const char *path);
void platform_drop_new_files(void); /* ends ffmpeg, removes all that are being made: for a process that ends now */

/* A lock on a file, made where it is not there. It ends with the process, however that ends. */
typedef struct platform_file_lock platform_file_lock;
/* 0; EAGAIN: held, and *owner is the process that holds it, 0 where that is not known; ENOTSUP: this file system has no
 * locks; another errno: the file cannot be made. */
int platform_file_lock_take(const char *path, platform_file_lock **lock, int *owner);
void platform_file_lock_release(platform_file_lock *lock); /* removes the file; takes NULL */

/* A program in the folder of this one, as a path to be freed; NULL: there is none. */
char *platform_program_beside(const char *name);
/* Goes on as another program, words[0] its path, the last one NULL. Returns only if that fails: an errno. */
int platform_become(const char *program, char **words);
bool platform_is_terminal(FILE *file);
int platform_terminal_columns(FILE *file); /* 80 if unknown */
/* Calls each name in a folder, "." and ".." apart. */
int platform_list(const char *folder, void (*each)(void *context, const char *name), void *context);
/* Where Wadi may keep what it can make again: the system's folder for that, or what WADI_CACHE says. It need not be
 * there. False if there is none, or if WADI_CACHE is empty. */
bool platform_cache_folder(char *path, size_t size);

/* Libraries that are looked for at run time. */
typedef void (*platform_function)(void);
void *platform_library_open(const char *name); /* a file's name, or a path; NULL if it is not there */
platform_function platform_library_symbol(void *library, const char *name);
void platform_library_close(void *library); /* takes NULL */

/* Another program, fed through its standard input and started without a shell. Ctrl-C does not reach it. What it writes
 * to standard output is lost. For one thread at a time. */
typedef struct platform_process platform_process;
/* words[0] is looked for in PATH; a NULL ends them. 0 or an errno: ENOENT where there is no such program. */
int platform_process_start(const char *const *words, platform_process **process);
/* Waits while it does not read. 0 or an errno: EPIPE where it has ended. */
int platform_process_write(platform_process *process, const void *bytes, size_t count);
/* Ends its input, waits until it is done, and frees it. Gives its exit status, -1 where it was killed, and in `said`
 * the end of what it wrote to standard error. */
int platform_process_end(platform_process *process, char *said, size_t size);
void platform_process_kill(platform_process *process); /* and frees it; takes NULL */

/* Signals. On Unix an interruption is SIGINT, SIGTERM or SIGHUP; one that was ignored when the program began (nohup, a
 * shell's background job) stays ignored. On Windows it is Ctrl-C, Ctrl-Break, or the closing of the console. */

/* For a program, not a library: from here on an interruption ends the process with status 130, and its temporary files
 * and the program it feeds go with it. So they do at exit(). SIGPIPE does the same. A file beyond the size limit
 * (SIGXFSZ) is an error of the write instead. To be called by the main thread. */
void platform_end_on_signals(void);
/* From here on the first interruption only makes platform_interrupted() true, so that the work can be kept. A second
 * one ends the process as above. Within PLATFORM_ECHO_S seconds it counts as the first. */
#define PLATFORM_ECHO_S 1.0
void platform_catch_interrupts(void);
bool platform_interrupted(void);

#endif
