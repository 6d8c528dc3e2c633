/* regrid.h: what resample, clip and reproject have in common. */
#ifndef WADI_CLI_REGRID_H
#define WADI_CLI_REGRID_H

#include "options.h"

#include "run/read_args.h"

#include "wadi/warp.h"

/* For masks and other maps. */
#define REGRID_MAP_OPTION(struct_, args) \
    OPTION_ROW(struct_, FLAG, "map", args.map, NULL, \
               .help = "a map, not heights: integers become 0 to 1, as 'wadi run' takes a mask or hardness")

extern const char *const regrid_methods[]; /* indexed by wadi_resampling, ended by NULL */

/* Checks -o FILE, which must not be the input. */
wadi_status regrid_check(const command *command, const char *input, const char *output, bool force);
/* Warps a heightmap, writes it, and says what was made. like: a raster's file whose grid it takes; NULL: how's. */
wadi_status regrid_warp(const char *input, const read_args *read, const char *like, const wadi_warp *how,
                        const char *output);
/* Writes a raster in the format of its name and says what was made. A map keeps its unit. */
wadi_status regrid_write(const char *output, const wadi_raster *raster);

#endif
