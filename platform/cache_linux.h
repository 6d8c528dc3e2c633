/* cache_linux.h: the sizes of a core's caches, as Linux lists them. The C library asks the processor itself, which on
 * some virtual machines reports ten times as much. */
#ifndef WADI_CACHE_LINUX_H
#define WADI_CACHE_LINUX_H

#include <stddef.h>

#define PLATFORM_CACHE_FOLDER "/sys/devices/system/cpu/cpu0/cache"

/* Bytes of the cache of data of a level; 0: not listed. The folder has index0, index1, ..., each with the files level,
 * type and size. */
size_t platform_listed_cache(const char *folder, int level);
/* How many CPUs share it, from the file shared_cpu_list, as in "0-7,128-135"; 0: not listed. */
int platform_listed_sharers(const char *folder, int level);

#endif
