/* fields.h (internal): the fields of a simulation in device memory, and the last good copy of them. */
#ifndef WADI_GPU_FIELDS_H
#define WADI_GPU_FIELDS_H

#include "engine/gpu/engine_state.h"

wadi_gpu_grid wadi_gpu_grid_of(const wadi_gpu_engine *engine, int field);
/* The interleaved fields as one field, whose rows hold all of them. */
wadi_gpu_grid wadi_gpu_grid_of_block(const wadi_gpu_engine *engine);
wadi_gpu_memory *wadi_gpu_terrain(const wadi_domain *domain);
wadi_gpu_memory *wadi_gpu_memory_of(const wadi_gpu_engine *engine, int field); /* NULL: not allocated yet */
/* The grid's cells in a buffer of a field's own, for transfers. */
wadi_gpu_rows wadi_gpu_rows_of(const wadi_domain *domain);
/* Copies a field's cells to the mirror, or from it. */
wadi_status wadi_gpu_fetch_field(const wadi_domain *domain, int field);
wadi_status wadi_gpu_send_field(const wadi_domain *domain, int field);
/* Copies rows of a field between its buffer and contiguous memory on the device, from the begin-th float on. */
wadi_status wadi_gpu_move_rows(const wadi_gpu_engine *engine, int field, int y, int count, wadi_gpu_memory *packed,
                               int64_t begin, bool to_field);
wadi_status wadi_gpu_call(const wadi_gpu_engine *engine, wadi_gpu_kernel *kernel, size_t groups_x, int64_t groups_y,
                          const wadi_gpu_argument *arguments, int count);
wadi_status wadi_gpu_send(const wadi_gpu_engine *engine, wadi_gpu_memory *to, const void *from, size_t bytes);
/* Allocates it, unless it is there. */
wadi_status wadi_gpu_allocate(const wadi_gpu_engine *engine, size_t bytes, wadi_gpu_memory **memory);
/* The same for a field, which then has its initial value. */
wadi_status wadi_gpu_allocate_field(const wadi_domain *domain, int field);
wadi_status wadi_gpu_start_field(const wadi_domain *domain, int field);
wadi_status wadi_gpu_start_map(const wadi_gpu_engine *engine, wadi_gpu_memory *map, float value);
wadi_status wadi_gpu_wrap_field(const wadi_gpu_engine *engine, int field);
wadi_status wadi_gpu_wrap_map(const wadi_gpu_engine *engine, wadi_gpu_memory *map);
/* Interleaves these fields and no others. Drops the copy of the state. */
wadi_status wadi_gpu_interleave(wadi_domain *domain, const bool *together);
/* Allocates the buffers that a sweep writes to: of the interleaved fields, and of these. */
wadi_status wadi_gpu_allocate_others(const wadi_domain *domain, const bool *alone);
void wadi_gpu_free_others(wadi_gpu_engine *engine);
void wadi_gpu_free_scratch(const wadi_domain *domain); /* each use allocates and fills it again */
void wadi_gpu_free_fields(wadi_gpu_engine *engine);
/* The last good state. */
wadi_status wadi_gpu_keep(const wadi_domain *domain);
wadi_status wadi_gpu_go_back(const wadi_domain *domain);
void wadi_gpu_drop_copy(wadi_domain *domain);

#endif
