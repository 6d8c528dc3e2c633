/* new_file.h: what new_file.c needs of each system, and what each system needs of its table. */
#ifndef WADI_NEW_FILE_H
#define WADI_NEW_FILE_H

#include "platform/platform.h"

/* Makes a file that is not there yet, for reading and writing. It is locked until both the stream is closed and the
 * lock released. 0 or an errno: EEXIST where the name is taken. */
int new_file_create(const char *name, FILE **file, intptr_t *lock);
void new_file_unlock(intptr_t lock);
/* Removes the file if no process holds its lock. */
void new_file_remove_dead(const char *name);

/* Removes a file, or a folder and the files in it. For a signal handler. */
void new_file_remove_doomed(const char *path);

/* Files and folders that go with the process when a signal ends it. Keeps `name`, allocated, until it is forgotten; -1:
 * the table is full, and the file outlives a signal. */
int doomed_add(char *name);
void doomed_forget(int slot, char *name); /* frees the name */
/* Removes them all. For a signal handler: afterwards the process must end. */
void doomed_remove(void);

#endif
