/* give.h: what a part gets from the whole. The core changes the whole between calls. */
#ifndef WADI_ENGINE_PARTS_GIVE_H
#define WADI_ENGINE_PARTS_GIVE_H

#include "engine/parts/team.h"

/* The row of the whole that is row y of the part. */
int wadi_part_row(const wadi_domain *whole, const wadi_domain *domain, int y);
/* Where the own rows of the part begin in the whole, and how many they are. */
int wadi_part_first(const wadi_domain *whole, const wadi_domain *domain);
int wadi_part_rows(const wadi_domain *domain);

/* To the other processes: the definition, constants, processes, time step, sources, and which fields and maps come.
 * false: a process is lost, or has no memory. */
bool wadi_share_numbers(wadi_domain *whole);
/* To a part of this process: the same. */
void wadi_give_numbers(const wadi_domain *whole, wadi_domain *domain);
/* A field, where the block of the whole has it: it is then in the block of the part, in whichever process. */
wadi_status wadi_give_field(wadi_domain *whole, int number, int f);
/* A map, or none. */
wadi_status wadi_give_map(wadi_domain *whole, int number, int map);
/* The own rows of a field, from the part to the whole. */
bool wadi_take_field(wadi_domain *whole, int number, int f);

/* Before and after sub-steps of a part: its counters, and the sums of its rows. done: sub-steps made since step
 * whole->steps. */
void wadi_part_begin(const wadi_domain *whole, wadi_domain *domain, int64_t done);
void wadi_part_end(wadi_domain *whole, const wadi_domain *domain);
/* Names the device of the whole: "2 parts: " and that of a part. */
void wadi_part_name(wadi_domain *whole, const char *parts, const char *device);

#endif
