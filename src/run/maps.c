#include "maps.h"

#include "message.h"
#include "option.h"
#include "text.h"

#include "wadi/derive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const wadi_map_facts *run_maps_at(int index) {
    const wadi_map_facts *map;
    for (size_t i = 0; (map = wadi_map_facts_at(i)) != NULL; i++)
        if (map->use != WADI_MAP_SHOWN && index-- == 0) return map;
    return NULL;
}

int run_maps_index(const char *name) {
    const wadi_map_facts *map;
    for (int i = 0; (map = run_maps_at(i)) != NULL; i++)
        if (strcmp(map->name, name) == 0) return i;
    return -1;
}

unsigned run_maps_all(void) {
    unsigned maps = 0;
    for (int i = 0; run_maps_at(i) != NULL; i++) maps |= 1u << i;
    return maps;
}

unsigned run_maps_by_default(void) {
    unsigned maps = 0;
    const wadi_map_facts *map;
    for (int i = 0; (map = run_maps_at(i)) != NULL; i++)
        if (map->use == WADI_MAP_BY_DEFAULT) maps |= 1u << i;
    return maps;
}

const char *run_maps_text(unsigned maps, const char *between, char text[MAPS_TEXT]) {
    size_t used = 0;
    text[0] = '\0';
    const wadi_map_facts *map;
    for (int i = 0; (map = run_maps_at(i)) != NULL && used < MAPS_TEXT; i++)
        if (maps >> i & 1)
            used += (size_t)snprintf(text + used, MAPS_TEXT - used, "%s%s", used > 0 ? between : "", map->name);
    return text;
}

static const char *near_to(const char *wrong, char text[128]) {
    const char *names[MOST_MAPS];
    size_t count = 0;
    const wadi_map_facts *map;
    for (; count < MOST_MAPS && (map = run_maps_at((int)count)) != NULL; count++) names[count] = map->name;
    return run_did_you_mean(wrong, names, count, text);
}

static void unknown_map(const char *name) {
    char near[128], names[MAPS_TEXT];
    if (wadi_derived_facts_of(name)) {
        wadi_fail(WADI_ERROR_ARGUMENT,
                  "--maps %s: it follows from the height; after the run, wadi derive RUN --maps %s makes it", name,
                  name);
        return;
    }
    wadi_fail(WADI_ERROR_ARGUMENT, "--maps %s: no such map%s (there are %s; all; none)", name, near_to(name, near),
              run_maps_text(run_maps_all(), ", ", names));
}

wadi_status run_maps_parse(const char *list, unsigned *maps) {
    *maps = 0;
    if (strcmp(list, "none") == 0) return WADI_OK;
    while (*list) {
        size_t length = strcspn(list, ",");
        char *name = run_text_format("%.*s", (int)length, list);
        if (!name) return WADI_ERROR_MEMORY;
        int index = run_maps_index(name);
        bool known = index >= 0 || strcmp(name, "all") == 0;
        if (!known) unknown_map(name);
        free(name);
        if (!known) return WADI_ERROR_ARGUMENT;
        *maps |= index >= 0 ? 1u << index : run_maps_all();
        list += length + (list[length] == ',');
    }
    return WADI_OK;
}

wadi_format run_maps_float_format(wadi_format format) {
    const wadi_format_facts *facts = wadi_format_facts_of(format);
    const bool floats = facts && format != WADI_FORMAT_GDAL && facts->sample == WADI_SAMPLE_FLOAT32;
    return floats ? format : WADI_FORMAT_TIFF;
}

bool run_maps_hold(wadi_format format, wadi_sample sample) {
    const wadi_format_facts *facts = wadi_format_facts_of(format);
    return facts && (facts->samples >> sample & 1) != 0;
}

wadi_write_options run_maps_write_options(wadi_format format, const char *map) {
    const wadi_format_facts *facts = wadi_format_facts_of(format);
    const wadi_map_facts *about = wadi_map_facts_of(map);
    return (wadi_write_options){.format = format,
                                .sample = facts ? facts->sample : WADI_SAMPLE_FLOAT32,
                                .unit = about->unit,
                                .description = about->meaning};
}
