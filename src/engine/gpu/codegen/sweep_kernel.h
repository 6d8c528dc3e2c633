/* sweep_kernel.h (internal): the source of a fused sweep's kernel, from its plan and operations. */
#ifndef WADI_GPU_SWEEP_KERNEL_H
#define WADI_GPU_SWEEP_KERNEL_H

#include "engine/gpu/codegen/source_text.h"
#include "engine/gpu/codegen/sweep_plan.h"

/* The kernel "fused_sweep" with all that it includes. Its arguments: those of wadi_gpu_sweep_arguments; the sums; the
 * work items; for a persistent kernel each one's neighbours and finished passes; constants, grid, passes. */
void wadi_gpu_sweep_source(wadi_program_text *text, const wadi_gpu_sweep_plan *plan, const wadi_domain *domain);

#endif
