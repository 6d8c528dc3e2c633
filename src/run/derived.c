#include "derived.h"

#include "option.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned count_maps(void) {
    unsigned count = 0;
    while (wadi_derived_facts_at(count) != NULL) count++;
    return count;
}

unsigned run_derived_streams(void) { return 1u << count_maps(); }
unsigned run_derived_all(void) { return 2 * run_derived_streams() - 1; }

unsigned run_derived_by_default(void) {
    unsigned maps = run_derived_streams();
    for (unsigned i = 0; i < count_maps(); i++)
        if (wadi_derived_facts_at(i)->use == WADI_MAP_BY_DEFAULT) maps |= 1u << i;
    return maps;
}

static const char *name_at(unsigned index) {
    const wadi_map_facts *map = wadi_derived_facts_at(index);
    return map != NULL ? map->name : DERIVED_STREAMS;
}

const char *run_derived_text(unsigned maps, const char *between, char text[MAPS_TEXT]) {
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; i <= count_maps() && used < MAPS_TEXT; i++)
        if (maps >> i & 1)
            used += (size_t)snprintf(text + used, MAPS_TEXT - used, "%s%s", used > 0 ? between : "", name_at(i));
    return text;
}

/* 0: no such map. */
static unsigned bits_of(const char *name) {
    if (strcmp(name, "all") == 0) return run_derived_all();
    for (unsigned i = 0; i <= count_maps(); i++)
        if (strcmp(name, name_at(i)) == 0) return 1u << i;
    return 0;
}

static wadi_status unknown(const char *name) {
    const char *names[MOST_MAPS];
    char near[128], all[MAPS_TEXT];
    size_t count = 0;
    for (; count <= count_maps(); count++) names[count] = name_at((unsigned)count);
    return wadi_fail(WADI_ERROR_ARGUMENT, "--maps %s: no such map%s (there are %s; all)", name,
                     run_did_you_mean(name, names, count, near), run_derived_text(run_derived_all(), ", ", all));
}

wadi_status run_derived_parse(const char *list, unsigned *maps) {
    *maps = 0;
    do {
        const size_t length = strcspn(list, ",");
        char *name = run_text_format("%.*s", (int)length, list);
        if (!name) return WADI_ERROR_MEMORY;
        const unsigned bits = bits_of(name);
        const wadi_status status = bits != 0 ? WADI_OK : unknown(name);
        free(name);
        if (status != WADI_OK) return status;
        *maps |= bits;
        list += length + (list[length] == ',');
    } while (*list);
    return WADI_OK;
}

wadi_derive_def run_derived_def(const wadi_raster *terrain) {
    return wadi_default_derive(terrain->width, terrain->height, terrain->lx, terrain->ly, terrain->values);
}

wadi_write_options run_derived_write_options(wadi_format format, const wadi_map_facts *map) {
    return (wadi_write_options){.format = format,
                                .sample = wadi_format_facts_of(format)->sample,
                                .unit = map->unit,
                                .description = map->meaning};
}

wadi_status run_derived_raster(wadi_derivation *derivation, const char *map, const wadi_raster *terrain,
                               wadi_raster **raster) {
    wadi_status status = wadi_raster_like(terrain, raster);
    if (status == WADI_OK)
        status = wadi_derive_map(derivation, map, (*raster)->values, (size_t)terrain->width * (size_t)terrain->height);
    if (status == WADI_OK) return WADI_OK;
    wadi_raster_destroy(*raster);
    *raster = NULL;
    return status;
}
