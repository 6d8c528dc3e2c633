/* fail.h: what is added to an error on its way to the caller. An error is its status and wadi_error_message(). */
#ifndef WADI_RUN_FAIL_H
#define WADI_RUN_FAIL_H

#include "wadi/status.h"

/* A place in a text file. */
typedef struct place {
    int line, column; /* from 1; column 0: the line is known alone */
} place;

/* Puts "file:line:column: " before the message, and takes the dashes from an option's name. WADI_OK stays WADI_OK; so
 * does every status where `file` is NULL. */
wadi_status fail_at(const char *file, place place, wadi_status status);
/* For a file that the user names: one that cannot be read is bad input (exit code 2), not a failed run. */
wadi_status fail_as_input(wadi_status status);
/* For what was accepted and then fails: a failed run (exit code 1), whatever the library found wrong with it. */
wadi_status fail_while_running(wadi_status status);
/* `status`, but WADI_ERROR_MEMORY where the errno says so. */
wadi_status fail_errno(wadi_status status, int error);

#endif
