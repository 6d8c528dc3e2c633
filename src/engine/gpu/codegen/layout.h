/* layout.h (internal): the parts of a domain's layout that the source of kernels depends on. */
#ifndef WADI_GPU_LAYOUT_H
#define WADI_GPU_LAYOUT_H

#include "core/engine.h"

#define WADI_GPU_MARGIN 32      /* margin columns, so that rows start aligned */
#define WADI_GPU_MARGIN_ROWS 32 /* above and below the grid */

int wadi_gpu_columns(const wadi_def *def);                   /* of a row with its margin */
bool wadi_gpu_is_raster(const wadi_domain *domain, int map); /* a constant that varies by cell, or rain that does */
bool wadi_gpu_is_rain(const wadi_domain *domain, int map);

#endif
