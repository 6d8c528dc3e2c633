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

uint64_t run_derived_streams(void) { return UINT64_C(1) << count_maps(); }
uint64_t run_derived_all(void) { return 2 * run_derived_streams() - 1; }

uint64_t run_derived_by_default(void) {
    uint64_t maps = run_derived_streams();
    for (unsigned i = 0; i < count_maps(); i++)
        if (wadi_derived_facts_at(i)->use == WADI_MAP_BY_DEFAULT) maps |= UINT64_C(1) << i;
    return maps;
}

bool run_derived_is_written(unsigned index) { return index > count_maps(); }

const wadi_map_facts *run_derived_facts_at(unsigned index) {
    const unsigned derived = count_maps();
    if (index <= derived) return wadi_derived_facts_at(index);
    return index == derived + 1 ? wadi_map_facts_of("height") : run_maps_at((int)(index - derived - 2));
}

/* NULL beyond the last. */
static const char *name_at(unsigned index) {
    const wadi_map_facts *map = run_derived_facts_at(index);
    return map != NULL ? map->name : index == count_maps() ? DERIVED_STREAMS : NULL;
}

const char *run_derived_text(uint64_t maps, const char *between, char text[MAPS_TEXT]) {
    text[0] = '\0';
    for (unsigned i = 0; name_at(i) != NULL; i++)
        if (maps >> i & 1) run_text_add(text, MAPS_TEXT, "%s%s", *text ? between : "", name_at(i));
    return text;
}

/* 0: no such map. A name that is derived and written, too, is derived. */
static uint64_t bits_of(const char *name) {
    if (strcmp(name, "all") == 0) return run_derived_all();
    const char *one;
    for (unsigned i = 0; (one = name_at(i)) != NULL; i++)
        if (strcmp(name, one) == 0) return UINT64_C(1) << i;
    return 0;
}

const wadi_map_facts *run_derived_facts_of(const char *name) {
    const char *one;
    for (unsigned i = 0; (one = name_at(i)) != NULL; i++)
        if (strcmp(name, one) == 0) return run_derived_facts_at(i);
    return NULL;
}

const char *run_derived_near(const char *wrong, char text[128]) {
    const char *names[DERIVED_BITS];
    size_t count = 0;
    for (; name_at((unsigned)count) != NULL; count++) names[count] = name_at((unsigned)count);
    return run_did_you_mean(wrong, names, count, text);
}

static wadi_status unknown(const char *name) {
    char near[128], all[MAPS_TEXT];
    return wadi_fail(WADI_ERROR_ARGUMENT, "--maps %s: no such map%s (there are %s; all; of a run also its own)", name,
                     run_derived_near(name, near), run_derived_text(run_derived_all(), ", ", all));
}

wadi_status run_derived_parse(const char *list, uint64_t *maps) {
    *maps = 0;
    do {
        const size_t length = strcspn(list, ",");
        char *name = run_text_format("%.*s", (int)length, list);
        if (!name) return WADI_ERROR_MEMORY;
        const uint64_t bits = bits_of(name);
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
