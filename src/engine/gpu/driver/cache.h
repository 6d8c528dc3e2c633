/* cache.h (internal): a cache on disk, in platform_cache_folder(), for results that took long: built kernels, and what
 * autotuning found. A damaged or wrong file counts as missing. Where nothing can be written, nothing is kept. Neither
 * is an error. */
#ifndef WADI_GPU_CACHE_H
#define WADI_GPU_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/* Makes a key of `count` texts in this order: 64 hexadecimal digits. */
void wadi_cache_key(char key[65], const char *const *texts, int count);

/* True if the cache can be written. Callers ask before they make something that takes long. */
bool wadi_cache_is_on(void);

/* Returns the entry, malloc'ed; NULL if there is none. */
void *wadi_cache_load(const char *key, size_t *bytes);
void wadi_cache_save(const char *key, const void *content, size_t bytes);

/* Short texts of one or more lines, under any key. False, and "", if there is none or it does not fit. */
bool wadi_cache_get(const char *key, char *value, size_t size);
void wadi_cache_put(const char *key, const char *value);

#endif
