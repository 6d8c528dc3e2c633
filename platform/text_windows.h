/* text_windows.h: between Windows and this project: texts, and numbers of errors. */
#ifndef WADI_TEXT_WINDOWS_H
#define WADI_TEXT_WINDOWS_H

#include <wchar.h>

/* UTF-8 as UTF-16, allocated. NULL: invalid UTF-8, or no memory. */
wchar_t *windows_wide(const char *text);
/* The last failure of a system call in this thread, as an errno; 0: none. */
int windows_errno(void);

#endif
