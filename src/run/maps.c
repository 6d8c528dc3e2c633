#include "maps.h"

#include "message.h"
#include "option.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const map_kind map_kinds[MAP_COUNT] = {
    {"water", "m", "depth of the water", true},
    {"sediment", "m", "suspended sediment, as thickness of the solid", false},
    {"flow", "m3/s", "time-mean discharge", true},
    {"erosion", "m", "how much lower the bed lies than at the start", true},
    {"deposition", "m", "how much higher the bed lies than at the start", true},
    {"velocity", "m/s", "speed of the water", false},
    {"hardness", "1", "hardness of the ground, 0 to 1", false},
};

unsigned maps_by_default(void) {
    unsigned maps = 0;
    for (int i = 0; i < MAP_COUNT; i++)
        if (map_kinds[i].by_default) maps |= 1u << i;
    return maps;
}

int map_index(const char *name) {
    for (int i = 0; i < MAP_COUNT; i++)
        if (strcmp(map_kinds[i].name, name) == 0) return i;
    return -1;
}

static void unknown_map(const char *name) {
    const char *names[MAP_COUNT];
    for (int i = 0; i < MAP_COUNT; i++) names[i] = map_kinds[i].name;
    char near[128];
    did_you_mean(name, names, MAP_COUNT, near);
    wadi_fail(WADI_ERROR_ARGUMENT,
              "--maps %s: no such map%s (there are water, sediment, flow, erosion, deposition, velocity, "
              "hardness; all; none)",
              name, near);
}

wadi_status maps_parse(const char *list, unsigned *maps) {
    *maps = 0;
    if (strcmp(list, "none") == 0) return WADI_OK;
    while (*list) {
        size_t length = strcspn(list, ",");
        char *name = text_format("%.*s", (int)length, list);
        if (!name) return WADI_ERROR_MEMORY;
        int index = map_index(name);
        bool known = index >= 0 || strcmp(name, "all") == 0;
        if (!known) unknown_map(name);
        free(name);
        if (!known) return WADI_ERROR_ARGUMENT;
        *maps |= index >= 0 ? 1u << index : (1u << MAP_COUNT) - 1;
        list += length + (list[length] == ',');
    }
    return WADI_OK;
}
