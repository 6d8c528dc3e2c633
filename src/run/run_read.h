/* run_read.h: reads the results of a run: its run.json (if this build has jansson) and its fields. */
#ifndef WADI_RUN_RUN_READ_H
#define WADI_RUN_RUN_READ_H

#include "read_args.h"

#include "wadi/render.h"

typedef struct run_facts {
    char model[64], preset[64], backend[32], device[160], arithmetic[16];
    int width, height;
    double lx, ly;
    double steps, simulated_s, wall_s, cell_steps_per_s;
    double score_before, score_after;
    double sea_m; /* -INFINITY: none */
    double solid_moved, solid_residual, water_in, water_out, water_residual;
} run_facts;

/* run.json as jansson's json_t, to be released by json_decref; in builds with jansson. */
struct json_t;
wadi_status run_read_manifest(const char *folder, struct json_t **root);
wadi_status run_read_facts(const char *folder, run_facts *facts);
/* Whether its ground rises (run_rises); without jansson false. */
wadi_status run_read_rises(const char *folder, bool *rises);
/* The level of the run's sea, -INFINITY where it has none; without jansson none. */
wadi_status run_read_sea(const char *folder, double *sea_m);
/* The colours of the run's pictures; without jansson green. */
wadi_status run_read_ground(const char *folder, wadi_ground *ground);
/* "height", "water", ...; an error lists the fields that exist. */
wadi_status run_read_field(const char *folder, const char *field, wadi_raster **raster);
/* The same for a map that must have the height's size. */
wadi_status run_read_map(const char *folder, const char *field, const wadi_raster *height, wadi_raster **map);
/* Reads a file, or the height of a run folder. */
wadi_status run_read_height_of(const char *path, const read_args *args, wadi_raster **raster);

#endif
