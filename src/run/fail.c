#include "fail.h"

#include <errno.h>
#include <string.h>

wadi_status run_fail_at(const char *file, place place, wadi_status status) {
    if (status == WADI_OK || !file) return status;
    const char *message = wadi_error_message();
    if (place.column <= 0) return wadi_fail(status, "%s:%d: %s", file, place.line, message);
    if (strncmp(message, "--", 2) == 0) message += 2;
    return wadi_fail(status, "%s:%d:%d: %s", file, place.line, place.column, message);
}

wadi_status run_fail_as_input(wadi_status status) {
    return status == WADI_ERROR_IO || status == WADI_ERROR_NUMERIC ? WADI_ERROR_FORMAT : status;
}

wadi_status run_fail_while_running(wadi_status status) {
    const bool refused =
        status == WADI_ERROR_ARGUMENT || status == WADI_ERROR_FORMAT || status == WADI_ERROR_UNSUPPORTED;
    return refused ? WADI_ERROR_IO : status;
}

wadi_status run_fail_errno(wadi_status status, int error) { return error == ENOMEM ? WADI_ERROR_MEMORY : status; }
