/* new_file.h: the interface between new_file.c and each system's code. */
#ifndef WADI_NEW_FILE_H
#define WADI_NEW_FILE_H

#include "platform/platform.h"

/* Creates a new file for reading and writing. It is locked until the stream is closed and the lock released. 0 or an
 * errno: EEXIST if the name exists. */
int platform_new_file_create(const char *name, FILE **file, intptr_t *lock);
void platform_new_file_unlock(intptr_t lock);
/* Removes the file if no process holds its lock. */
void platform_new_file_remove_dead(const char *name);

/* Removes a file, or a folder and the files in it. For a signal handler. */
void platform_new_file_remove_doomed(const char *path);

/* Files and folders to remove when a signal ends the process. Keeps `name`, allocated, until it is forgotten. -1: the
 * table is full, and the file outlives a signal. */
int platform_doomed_add(char *name);
void platform_doomed_forget(int slot, char *name); /* frees the name */
/* Removes all of them. For a signal handler: the process must end afterwards. */
void platform_doomed_remove(void);

#endif
