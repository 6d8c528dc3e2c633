/* array.h: arrays that grow. Without memory these return NULL, with wadi_error_message(), and nothing has changed. */
#ifndef WADI_RUN_ARRAY_H
#define WADI_RUN_ARRAY_H

#include <stddef.h>

/* `count` elements of `size` bytes, all 0. For no elements it returns memory too. free() it. */
void *run_array_new(size_t count, size_t size);
/* The same, with the elements of another array. */
void *run_array_copy(const void *elements, size_t count, size_t size);
/* One more element, all 0, at the end of an array of *count. `array` is the address of the pointer to it. */
void *run_array_add(void *array, size_t *count, size_t size);

#endif
