/* array.h: arrays that grow. Without memory these return NULL, with wadi_error_message(), and nothing has changed. */
#ifndef WADI_RUN_ARRAY_H
#define WADI_RUN_ARRAY_H

#include <stddef.h>
#include <stdint.h>

/* `count` elements of `size` bytes, all 0. For no elements it returns memory too. free() it. */
void *run_array_new(size_t count, size_t size);
/* The same, with the elements of another array. */
void *run_array_copy(const void *elements, size_t count, size_t size);
/* One more element, all 0, at the end of an array of *count. `array` is the address of the pointer to it. */
void *run_array_add(void *array, size_t *count, size_t size);

/* Memory for the cells of a whole map, all 0. */
float *run_cells_new(size_t count);
void run_cells_free(float *cells); /* takes NULL */
/* From now on, maps of so many bytes or more lie in files of this folder. NULL: in memory. */
void run_cells_scratch(const char *folder, uint64_t from_bytes);
const char *run_cells_folder(uint64_t bytes); /* where so many lie; NULL: in memory */

#endif
