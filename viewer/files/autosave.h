/* autosave.h: the file in which the work is kept against a crash, and those that a crash left. */
#ifndef WADI_VIEWER_FILES_AUTOSAVE_H
#define WADI_VIEWER_FILES_AUTOSAVE_H

/* A file beside each is locked while its window lives. */
typedef struct autosave autosave;
autosave *autosave_new(void);           /* takes a name that no window has; NULL: there is nowhere to keep it */
void autosave_free(autosave *autosave); /* after the session, which removes the file; takes NULL */
const char *autosave_path(const autosave *autosave);

char *autosave_find_left(void); /* a file of work without a living window, to be freed; NULL: there is none */

#endif
