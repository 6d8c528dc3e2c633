/* cache.h (internal): what took time to make and can be made again: built kernels, and what the tuner found. Files in
 * platform_cache_folder(). A file that is damaged, or not what was asked for, is as good as none; where nothing can be
 * written, nothing is kept; neither is an error. */
#ifndef WADI_GPU_CACHE_H
#define WADI_GPU_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/* A key of so many texts, in this order: 64 hexadecimal digits. */
void wadi_cache_key(char key[65], const char *const *texts, int count);

/* Whether there is a folder for it: what is to be saved may take long to get. */
bool wadi_cache_is_on(void);

/* malloc'ed; NULL if there is none. */
void *wadi_cache_load(const char *key, size_t *bytes);
void wadi_cache_save(const char *key, const void *content, size_t bytes);

/* Short texts under any key, one line or more. False, and "", if there is none or it does not fit. */
bool wadi_cache_get(const char *key, char *value, size_t size);
void wadi_cache_put(const char *key, const char *value);

#endif
