/* autosave.h: the recovery file of this window, and recovery files that a crash left. */
#ifndef WADI_VIEWER_FILES_AUTOSAVE_H
#define WADI_VIEWER_FILES_AUTOSAVE_H

/* Each recovery file has a lock file, which its window holds while it lives. */
typedef struct autosave autosave;
autosave *autosave_new(void);           /* takes a name that no other window uses; NULL: there is no folder for it */
void autosave_free(autosave *autosave); /* call after the session has ended, which removes the file; takes NULL */
const char *autosave_path(const autosave *autosave);

char *autosave_find_left(void); /* a recovery file whose window has ended, to be freed; NULL: there is none */

#endif
