/* message.h: notes and warnings, for whoever called wadi_run_listen. Errors are statuses. `text` may hold what others
 * wrote: escape it where it is shown. */
#ifndef WADI_RUN_MESSAGE_H
#define WADI_RUN_MESSAGE_H

#include "wadi/run.h"

void run_message_note(const char *format, ...) WADI_PRINTF(1, 2);
void run_message_warn(const char *format, ...) WADI_PRINTF(1, 2);

#endif
