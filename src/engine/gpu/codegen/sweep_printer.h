/* sweep_printer.h (internal): what the printers of a fused sweep share. sweep_kernel.c prints the frame, and
 * sweep_row.c prints the operations of a row. */
#ifndef WADI_GPU_SWEEP_PRINTER_H
#define WADI_GPU_SWEEP_PRINTER_H

#include "engine/gpu/codegen/source_text.h"
#include "engine/gpu/codegen/sweep_operations.h"

typedef struct wadi_gpu_printer {
    wadi_program_text *text;
    const wadi_gpu_sweep_plan *plan;
    const wadi_domain *domain;
    const wadi_gpu_operations *operations;
    int substep; /* the sub-step whose maps a call names */
} wadi_gpu_printer;

#define PRINT(...) wadi_text_add(printer->text, __VA_ARGS__)

const char *wadi_gpu_sum_name(int sum);

/* The parameters of the kernel and of a function for all sub-steps, and the arguments of a call from one to the other.
 */
void wadi_gpu_print_parameters(wadi_gpu_printer *printer);
void wadi_gpu_print_arguments(wadi_gpu_printer *printer);
/* The parameters of a function for one sub-step, which has only its own maps. */
void wadi_gpu_print_own_parameters(wadi_gpu_printer *printer);
/* The arguments of a call from one such function to another. */
void wadi_gpu_print_own_arguments(wadi_gpu_printer *printer);
/* The arguments of a call of such a function for the sub-step `substep`. */
void wadi_gpu_print_call_arguments(wadi_gpu_printer *printer);
/* With lanes a warp learns its sub-step at run time. These variables name the maps of it. */
void wadi_gpu_print_picked_maps(wadi_gpu_printer *printer);

#endif
