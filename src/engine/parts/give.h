/* give.h: what a part gets from the whole. The core changes the whole between calls. */
#ifndef WADI_ENGINE_PARTS_GIVE_H
#define WADI_ENGINE_PARTS_GIVE_H

#include "core/domain.h"

/* The row of the whole that is row y of the part. */
int wadi_part_row(const wadi_domain *whole, const wadi_domain *domain, int y);
/* Where the own rows of the part begin in the whole, and how many they are. */
int wadi_part_first(const wadi_domain *whole, const wadi_domain *domain);
int wadi_part_rows(const wadi_domain *domain);

/* The definition, constants, processes, time step and sources. */
void wadi_give_numbers(const wadi_domain *whole, wadi_domain *domain);
/* A field, where the block of the whole has it: it is then in the block of the part. */
wadi_status wadi_give_field(const wadi_domain *whole, wadi_domain *domain, int f);
/* A map, or none. */
wadi_status wadi_give_map(const wadi_domain *whole, wadi_domain *domain, int map);

#endif
