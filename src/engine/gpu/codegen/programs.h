/* programs.h (internal): the source of each program for a device, made from the model's text and the kernels'. */
#ifndef WADI_GPU_PROGRAMS_H
#define WADI_GPU_PROGRAMS_H

#include "engine/gpu/codegen/sweep_plan.h"

#define WADI_GPU_ITEMS 128   /* work items of a group, except for the fused sweep */
#define WADI_GPU_FALL_ROWS 8 /* rows of a rain map that a group handles at a time */

bool wadi_gpu_has_ptx(const wadi_domain *domain);
/* Each returns a malloc'ed source, or NULL where memory is missing. */
char *wadi_gpu_choices(const wadi_domain *domain);
char *wadi_gpu_common_source(bool float64); /* the device has float64 */
char *wadi_gpu_plain_source(const wadi_domain *domain);
char *wadi_gpu_copy_source(void);
char *wadi_gpu_sweep_program_source(const wadi_domain *domain, const wadi_gpu_sweep_plan *plan);

#endif
