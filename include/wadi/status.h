/* status.h: what a call that can fail returns, and the message that goes with it. */
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

/* The command's exit codes follow: ok 0; argument, format and unsupported 2; memory 3; the others 1. */
typedef enum wadi_status {
    WADI_OK = 0,
    WADI_ERROR_ARGUMENT,    /* a value outside its range, an unknown name, a wrong size */
    WADI_ERROR_FORMAT,      /* a file that is not what it says, truncated or hostile */
    WADI_ERROR_UNSUPPORTED, /* right, but this build or device cannot do it */
    WADI_ERROR_MEMORY,      /* not enough memory */
    WADI_ERROR_IO,          /* reading or writing failed */
    WADI_ERROR_NUMERIC,     /* a field stopped being finite */
    WADI_ERROR_DEVICE,      /* a device was lost or failed */
} wadi_status;

/* Pointers that are NULL: a call that returns a status gives WADI_ERROR_ARGUMENT, unless its header says what a NULL
 * stands for, or the count that goes with the pointer is 0. Any other call takes it: it does nothing, and gives 0,
 * false, NULL or a structure of zeros. Of a call's own results, only a count may be NULL where it is not wanted.
 * Numbers of an enum that has no such value are argument errors too. */

/* Threads that a call may be asked to use: from 1 to this many, or 0 for as many as are of use. */
#define WADI_MOST_THREADS 1024

/* The message of this thread's last failed call: one line, what, where and what to do; "" if none failed.
 * The text belongs to the library and lives until this thread's next failing call. */
WADI_API const char *wadi_error_message(void);

/* For components built on the core: sets this thread's message and returns `status`. */
WADI_API wadi_status wadi_fail(wadi_status status, const char *format, ...) WADI_PRINTF(2, 3);

/* "0.1.0" */
WADI_API const char *wadi_version(void);

#ifdef __cplusplus
}
#endif
#endif
