/* regrid.h: what resample, clip and reproject have in common. */
#ifndef WADI_CLI_REGRID_H
#define WADI_CLI_REGRID_H

#include "options.h"

#include "run/read_args.h"

#include "wadi/warp.h"

extern const char *const regrid_methods[]; /* indexed by wadi_resampling, ended by NULL */

/* Checks -o FILE, which must not be the input. */
wadi_status regrid_check(const command *command, const char *input, const char *output, bool force);
/* Warps a heightmap, writes it, and says what was made. */
wadi_status regrid_warp(const char *input, const read_args *read, const wadi_warp *how, const char *output);
/* Writes a raster in the format of its name and says what was made. A map keeps its unit. */
wadi_status regrid_write(const char *output, const wadi_raster *raster);

#endif
