/* message.h: notes and warnings. Errors are statuses. */
#ifndef WADI_RUN_MESSAGE_H
#define WADI_RUN_MESSAGE_H

#include "wadi/status.h"

typedef enum message_kind { MESSAGE_NOTE, MESSAGE_WARNING } message_kind;

/* `text` is one line. It may hold what others wrote: escape it where it is shown. */
typedef struct message_listener {
    void (*hear)(void *context, message_kind kind, const char *text); /* on the thread that has something to say */
    void *context;
} message_listener;

/* The process's listener from here on; NULL, as at first: nobody. It must live as long as another thread may be in a
 * call of this library. */
void message_listen(const message_listener *listener);

void message_note(const char *format, ...) WADI_PRINTF(1, 2);
void message_warn(const char *format, ...) WADI_PRINTF(1, 2);

#endif
