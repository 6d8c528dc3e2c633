/* sweep_row.h (internal): the source of one row of a fused sweep, from its operations. */
#ifndef WADI_GPU_SWEEP_ROW_H
#define WADI_GPU_SWEEP_ROW_H

#include "engine/gpu/codegen/sweep_printer.h"

/* The struct "sweep": the windows, sums and row pointers of one sub-step. */
void wadi_gpu_print_sweep(const wadi_gpu_printer *printer);
/* sweep_begin, sweep_advance, sweep_prefetch and sweep_row. */
void wadi_gpu_print_row(wadi_gpu_printer *printer);

#endif
