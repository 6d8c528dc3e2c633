/* seeds.h: variations: a folder with the run of each of several seeds, and one picture of all of them. */
#ifndef WADI_RUN_SEEDS_H
#define WADI_RUN_SEEDS_H

#include "wadi/status.h"

enum { MOST_SEEDS = 256 };
#define SEEDS_FILE "seeds.txt"  /* "1..16": the folder is one of variations, and all runs have begun */
#define SEEDS_SHEET "seeds.png" /* the picture of all */

typedef struct seed_range {
    uint64_t first, last;
} seed_range;

wadi_status run_seeds_parse(const char *text, seed_range *seeds); /* "1..16", of --seeds */
size_t run_seeds_count(const seed_range *seeds);
/* The run folder of a seed: "hills/seed-07" of hills and 1..16. NULL without memory; free it. */
char *run_seeds_folder(const char *set, const seed_range *seeds, uint64_t seed);

bool run_seeds_are_in(const char *folder); /* whether it is one of variations */
wadi_status run_seeds_write(const char *set, const seed_range *seeds);
wadi_status run_seeds_read(const char *set, seed_range *seeds);

/* Draws all finished runs, in one view and one scale of colours. `*alike`: all heights are the same. */
wadi_status run_seeds_draw(const char *set, const seed_range *seeds, int threads, bool *alike);

#endif
