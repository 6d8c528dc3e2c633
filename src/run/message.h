/* message.h: notes and warnings. Errors are statuses. */
#ifndef WADI_RUN_MESSAGE_H
#define WADI_RUN_MESSAGE_H

#include "wadi/status.h"

typedef enum message_kind { MESSAGE_NOTE, MESSAGE_WARNING } message_kind;

/* `text` is one line. It may contain foreign text: escape it when it is printed. */
typedef struct message_listener {
    void (*hear)(void *context, message_kind kind, const char *text); /* called on the thread that has the message */
    void *context;
} message_listener;

/* Sets the listener of the process; NULL, the default: none. It must live as long as any thread may be inside a call of
 * this library. */
void message_listen(const message_listener *listener);

void message_note(const char *format, ...) WADI_PRINTF(1, 2);
void message_warn(const char *format, ...) WADI_PRINTF(1, 2);

#endif
