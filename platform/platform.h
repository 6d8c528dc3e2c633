/* platform.h: all that differs between platforms: files, memory, threads, processes, signals, clocks. The files
 * *posix.c and *windows.c implement it. No other code has an #ifdef for a platform. A private static library. */
#ifndef WADI_PLATFORM_H
#define WADI_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

double platform_clock_s(void); /* monotonic */
void platform_yield(void);     /* lets another thread have this processor */
/* One global lock, for a few lines at a time. A thread must not take it twice. (A named critical section would export
 * its name, and one without a name is shared with the caller.) */
void platform_lock(void);
void platform_unlock(void);
/* A thread beside this one, to which no signal goes. NULL: it cannot be started. */
typedef struct platform_thread platform_thread;
platform_thread *platform_thread_start(void (*work)(void *context), void *context);
/* Waits for its end. false: it is a thread of the process that this one was forked from. */
bool platform_thread_end(platform_thread *thread);
int platform_cores(void);                  /* cores that this process may use */
uint64_t platform_memory_bytes(void);      /* available to this process now, with cgroup limits */
uint64_t platform_peak_memory_bytes(void); /* this process's largest resident set so far */

/* Zeroed pages, 64-byte aligned or better, in huge pages where useful. NULL: no memory. */
void *platform_pages(size_t bytes);
void platform_pages_free(void *pages, size_t bytes);
/* Frees the memory of pages from platform_pages until they are next written. Their contents are lost. */
void platform_pages_drop(void *pages, size_t bytes);

/* Memory of a file without a name in this folder: zeroed pages that the system may write back, so that they may exceed
 * memory. The space on the disk is reserved. NULL and errno: it cannot be made. */
void *platform_scratch(const char *folder, size_t bytes);
/* false: they are no such pages, or NULL. */
bool platform_scratch_free(void *pages);
/* Gives some of these pages back to the system, which keeps what they hold. */
void platform_scratch_pass(void *start, size_t bytes);
/* How much of all such pages this process holds, approximately, before it gives them back to the system. */
void platform_scratch_keep_under(uint64_t bytes);
/* The folder for large temporary files. */
bool platform_scratch_folder(char *path, size_t size);

/* Sets the IEEE mode: round to nearest, keep denormals. Returns the old mode, for the restore. */
unsigned platform_float_mode_strict(void);
void platform_float_mode_restore(unsigned mode);
/* "AMD EPYC ..."; whether the CPU (and the OS) has "avx2", "avx512" (f, vl, dq, bw) or "sha". */
void platform_cpu_name(char *name, size_t size);
bool platform_cpu_has(const char *isa);
size_t platform_cache_bytes(int level); /* of one core for 1 and 2, shared for 3; a common size if unknown */
int platform_cache_sharers(int level);  /* CPUs that share it; 0: unknown */
/* The most that a core reads from caches about as fast as from its own: level 2, or on AMD half of its part of level 3.
 */
size_t platform_fast_cache_bytes(void);

/* Files. Paths are UTF-8. Functions that return int give 0 or an errno. */
FILE *platform_open(const char *path, const char *mode); /* fopen, "b" implied */
int platform_sync(FILE *file);                           /* fflush and fsync */
bool platform_seek(FILE *file, uint64_t offset);         /* past 2 GiB too; false leaves an errno */
uint64_t platform_file_bytes(FILE *file);                /* moves to the end; UINT64_MAX if unknown */
/* Renames a file to a new name, atomically if the file system can. EEXIST: the name exists. */
int platform_rename_new(const char *from, const char *to);
int platform_replace(const char *from,
                     const char *to); /* atomic rename over an existing file, then sync of the folder */

int platform_make_folder(const char *path); /* EEXIST if it exists */
int platform_remove_file(const char *path);
int platform_remove_folder(const char *path); /* an empty one */
int platform_remove_tree(const char *path);
/* Marks a folder: it is removed with its files if a signal or exit() ends this process. `path` is allocated.
 * platform_keep_folder removes the mark and frees the path. */
void platform_doom_folder(char *path);
void platform_keep_folder(char *path);
bool platform_is_folder(const char *path);
bool platform_is_link(const char *path);    /* to whatever, there or not */
bool platform_is_special(const char *path); /* a device or a pipe, which a file cannot replace */
bool platform_exists(const char *path);
int platform_try_writing_in(const char *folder); /* makes a file there and removes it */
uint64_t platform_free_disk_bytes(const char *folder);
int platform_process_id(void);

/* A file that appears complete or not at all. It is written under a temporary name in the same folder. The name is
 * short and unique among processes and threads: "folder/.wadi-<process>-<number>.tmp". */
#define PLATFORM_TEMPORARY ".wadi-" /* prefix of temporary names */
typedef struct platform_new_file {
    FILE *file; /* open for reading and writing */
    char *temporary;
    intptr_t lock;
    int slot;
} platform_new_file;
/* First removes leftovers of killed processes in that folder. 0 or an errno. */
int platform_new_file_begin(const char *path, platform_new_file *made);
/* Closes the file. error: the result of writing. If it is 0, the file is synced and renamed; else it is removed.
 * Returns `error`, or the errno of a failure here. */
int platform_new_file_end(platform_new_file *made, const char *path, int error);
/* From now on no new file replaces an existing one of this name: closing fails with EEXIST. 0 or an errno. */
int platform_protect(const char *path);
void platform_drop_new_files(void); /* ends ffmpeg and removes all unfinished files: for a process that ends now */

/* A lock on a file, which is created if needed. The lock ends with the process in any case. */
typedef struct platform_file_lock platform_file_lock;
/* 0: locked. EAGAIN: another process holds it; *owner is its number, or 0 if unknown. ENOTSUP: this file system has no
 * locks. Another errno: the file cannot be created. */
int platform_file_lock_take(const char *path, platform_file_lock **lock, int *owner);
void platform_file_lock_release(platform_file_lock *lock); /* removes the file; takes NULL */

/* The path of a program in this program's folder; the caller frees it. NULL: not found. */
char *platform_program_beside(const char *name);
/* Replaces this program by another. words[0] is its path, and the last word is NULL. Returns an errno, only on failure.
 */
int platform_become(const char *program, char **words);
bool platform_is_terminal(FILE *file);
int platform_terminal_columns(FILE *file); /* 80 if unknown */
/* Calls a function with each name in a folder, except "." and "..". */
int platform_list(const char *folder, void (*each)(void *context, const char *name), void *context);
/* The cache folder: the system's, or that of WADI_CACHE. It need not exist. False if there is none, or if WADI_CACHE is
 * empty. */
bool platform_cache_folder(char *path, size_t size);
/* The folder of the user's settings. It need not exist. False if there is none. */
bool platform_config_folder(char *path, size_t size);

/* Libraries that are loaded at run time. */
typedef void (*platform_function)(void);
void *platform_library_open(const char *name); /* a file's name, or a path; NULL if it is not there */
platform_function platform_library_symbol(void *library, const char *name);
void platform_library_close(void *library); /* takes NULL */

/* Another program that reads from a pipe, started without a shell. Ctrl-C does not reach it. Its standard output is
 * lost. For one thread at a time. */
typedef struct platform_process platform_process;
/* Finds words[0] in PATH. The last word is NULL. 0 or an errno: ENOENT if there is no such program. */
int platform_process_start(const char *const *words, platform_process **process);
/* Waits until it reads. 0 or an errno: EPIPE if it has ended. */
int platform_process_write(platform_process *process, const void *bytes, size_t count);
/* Closes its input, waits for its end, and frees it. Returns its exit status, or -1 if it was killed. `said` gets the
 * end of its standard error. */
int platform_process_end(platform_process *process, char *said, size_t size);
void platform_process_kill(platform_process *process); /* also frees it; takes NULL */

/* Signals. On Unix an interruption is SIGINT, SIGTERM or SIGHUP. A signal that was ignored at the start (nohup, a
 * shell's background job) stays ignored. On Windows it is Ctrl-C, Ctrl-Break, or closing the console. */

/* For a program, not a library: from now on an interruption ends the process with status 130. It also removes the
 * process's temporary files and ends the program behind its pipe. exit() and SIGPIPE do the same. A file over the size
 * limit (SIGXFSZ) becomes an error of the write. The main thread must call this. */
void platform_end_on_signals(void);
/* From now on the first interruption only makes platform_interrupted() true, so that the work can be saved. A second
 * one ends the process as above. Within PLATFORM_ECHO_S seconds it counts as the first. */
#define PLATFORM_ECHO_S 1.0
void platform_catch_interrupts(void);
/* From now on interruptions do nothing: another process ends this one. */
void platform_ignore_interrupts(void);
bool platform_interrupted(void);

#endif
