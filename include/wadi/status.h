/* status.h: the status of calls that can fail, and the error message. */
#ifndef WADI_STATUS_H
#define WADI_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(WADI_SHARED)
#ifdef WADI_BUILDING
#define WADI_API __declspec(dllexport)
#else
#define WADI_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define WADI_API __attribute__((visibility("default")))
#else
#define WADI_API
#endif

#if defined(__GNUC__)
#define WADI_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define WADI_PRINTF(text, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The command's exit codes: 0 for ok; 2 for argument, format and unsupported; 3 for memory; 1 for the others. */
typedef enum wadi_status {
    WADI_OK = 0,
    WADI_ERROR_ARGUMENT,    /* a value outside its range, an unknown name, a wrong size */
    WADI_ERROR_FORMAT,      /* a malformed, truncated or hostile file */
    WADI_ERROR_UNSUPPORTED, /* valid, but this build or device cannot do it */
    WADI_ERROR_MEMORY,      /* not enough memory */
    WADI_ERROR_IO,          /* reading or writing failed */
    WADI_ERROR_NUMERIC,     /* a field stopped being finite */
    WADI_ERROR_DEVICE,      /* a device was lost or failed */
} wadi_status;

/* NULL pointers: a call that returns a status returns WADI_ERROR_ARGUMENT, unless its header gives NULL a meaning, or
 * the count of the array is 0. Any other call accepts NULL: it does nothing, and returns 0, false, NULL or a structure
 * of zeros. Of output pointers, only a count may be NULL. Invalid values of an enum are argument errors too. */

/* The largest number of threads that a call accepts. 0 means as many as are useful. */
#define WADI_MOST_THREADS 1024

/* The message of this thread's last failed call, in one line: what, where and what to do. "" if none failed. The text
 * belongs to the library and lives until this thread's next failing call. */
WADI_API const char *wadi_error_message(void);

/* For components on top of the core: sets this thread's message and returns `status`. */
WADI_API wadi_status wadi_fail(wadi_status status, const char *format, ...) WADI_PRINTF(2, 3);

/* How messages, remarks and notes name options, in the whole process. false, the default: by the name alone, which
 * wadi_run_def.options takes ("steps"). true: as on a command line ("--steps"). */
WADI_API void wadi_name_options(bool with_dashes);
/* For components on top of the core: takes the dashes of options out of a text, unless they are wanted. */
WADI_API void wadi_rename_options(char *text);

/* Frees memory that a call of these libraries allocated for the caller, where its header says so. Takes NULL. (On
 * Windows a program's own free() may belong to another C library.) */
WADI_API void wadi_free(void *memory);

/* "major.minor.patch" */
WADI_API const char *wadi_version(void);

#ifdef __cplusplus
}
#endif
#endif
