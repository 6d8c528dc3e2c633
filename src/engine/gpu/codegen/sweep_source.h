/* sweep_source.h (internal): the source of a fused sweep's kernel, from its plan and operations. */
#ifndef WADI_GPU_SWEEP_SOURCE_H
#define WADI_GPU_SWEEP_SOURCE_H

#include "engine/gpu/codegen/source_text.h"
#include "engine/gpu/codegen/sweep_operations.h"

/* The kernel "fused_sweep" with all that it includes. Its arguments: those of wadi_gpu_sweep_arguments; the sums; the
 * work items; for a persistent kernel each one's neighbours and finished passes; constants, grid, passes. */
void wadi_gpu_sweep_source(wadi_program_text *text, const wadi_gpu_sweep_plan *plan, const wadi_domain *domain);

/* --- between sweep_kernel.c, which prints the frame, and sweep_row.c, which prints the operations of a row --- */

typedef struct wadi_gpu_printer {
    wadi_program_text *text;
    const wadi_gpu_sweep_plan *plan;
    const wadi_domain *domain;
    const wadi_gpu_operations *operations;
    int substep; /* the sub-step whose maps a call names */
} wadi_gpu_printer;

#define PRINT(...) wadi_text_add(printer->text, __VA_ARGS__)

const char *wadi_gpu_sum_name(int sum);
/* The arguments of a function for one sub-step, which knows its own maps alone: declared, and passed on. */
void wadi_gpu_print_own_parameters(wadi_gpu_printer *printer);
void wadi_gpu_print_own_arguments(wadi_gpu_printer *printer);

/* The struct "sweep": the windows, sums and row pointers of one sub-step. */
void wadi_gpu_print_sweep(const wadi_gpu_printer *printer);
/* sweep_begin, sweep_advance, sweep_prefetch and sweep_row. */
void wadi_gpu_print_row(wadi_gpu_printer *printer);

#endif
