/* maps.c: the public facts of the maps in maps.def. */
#include "wadi/map.h"

#include <string.h>

static const wadi_map_facts facts[] = {
#define MAP(name, title, unit, palette, range, use, read, role, meaning) \
    {#name, title, unit, palette, meaning, WADI_MAP_##use, range},
#include "core/maps.def"
#undef MAP
};
enum { FACTS = sizeof facts / sizeof *facts };

const wadi_map_facts *wadi_map_facts_at(size_t index) { return index < FACTS ? &facts[index] : NULL; }

const wadi_map_facts *wadi_map_facts_of(const char *map_name) {
    for (size_t i = 0; i < FACTS && map_name != NULL; i++)
        if (strcmp(facts[i].name, map_name) == 0) return &facts[i];
    return NULL;
}
