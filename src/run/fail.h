/* fail.h: adds to an error on its way to the caller. An error is a status with a message in wadi_error_message(). */
#ifndef WADI_RUN_FAIL_H
#define WADI_RUN_FAIL_H

#include "wadi/status.h"

/* A place in a text file. */
typedef struct place {
    int line, column; /* from 1; column 0: only the line is known */
} place;

/* Puts "file:line:column: " before the message, and removes the dashes from an option's name. WADI_OK is returned
 * unchanged; with `file` NULL every status is. */
wadi_status run_fail_at(const char *file, place place, wadi_status status);
/* For a file that the user names: if it cannot be read, that is bad input (exit code 2), not a failed run. */
wadi_status run_fail_as_input(wadi_status status);
/* For a failure after the input was accepted: a failed run (exit code 1), whatever the library's status. */
wadi_status run_fail_while_running(wadi_status status);
/* Returns `status`, or WADI_ERROR_MEMORY if errno says so. */
wadi_status run_fail_errno(wadi_status status, int error);

#endif
