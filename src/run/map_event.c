#include "map_event.h"

#include "array.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

map_values *run_map_values_new(size_t count) {
    map_values *values = run_array_new(1, sizeof *values);
    if (!values) return NULL;
    values->cells = run_cells_new(count);
    values->count = count;
    atomic_init(&values->users, 1);
    if (values->cells) return values;
    free(values);
    return NULL;
}

map_values *run_map_values_share(map_values *values) {
    atomic_fetch_add(&values->users, 1);
    return values;
}

void run_map_values_leave(map_values *values) {
    if (!values || atomic_fetch_sub(&values->users, 1) > 1) return;
    run_cells_free(values->cells);
    free(values);
}

map_event *run_map_event_new(const char *name, const char *path) {
    map_event *map = run_array_new(1, sizeof *map);
    if (!map) return NULL;
    map->name = run_text_copy(name);
    map->path = run_text_copy(path);
    if (map->name && map->path) return map;
    run_map_event_free(map);
    return NULL;
}

map_event *run_map_event_copy(const map_event *from) {
    map_event *map = run_map_event_new(from->name, from->path);
    if (!map) return NULL;
    memcpy(map->sha256, from->sha256, sizeof map->sha256);
    if (from->values) map->values = run_map_values_share(from->values);
    return map;
}

void run_map_event_free(map_event *map) {
    if (!map) return;
    free(map->name);
    free(map->path);
    run_map_values_leave(map->values);
    free(map);
}

wadi_status run_map_event_apply(const map_event *map, wadi_sim *sim) {
    if (!map->values) return wadi_fail(WADI_ERROR_FORMAT, "%s: the values of %s are missing", map->path, map->name);
    return wadi_sim_set(sim, map->name, map->values->cells, map->values->count);
}

void run_map_event_write(json *json, const map_event *map) {
    run_json_text(json, "map", map->name);
    run_json_text(json, "file", map->path);
    if (*map->sha256) run_json_text(json, "sha256", map->sha256);
}

void run_map_event_put(note *note, const map_event *map) {
    run_note_put_text(note, map->name);
    run_note_put_text(note, map->path);
    run_note_put_text(note, map->sha256);
    run_note_put_integer(note, 0);
}

static void take_block(note *note, map_event *map) {
    const uint64_t bytes = run_note_take_integer(note);
    const unsigned char *block = run_note_take_bytes(note, bytes);
    if (bytes % sizeof(float)) note->broken = true;
    if (note->broken || !block || bytes == 0) return;
    map->values = run_map_values_new((size_t)bytes / sizeof(float));
    if (map->values)
        memcpy(map->values->cells, block, (size_t)bytes);
    else
        run_note_lose(note);
}

map_event *run_map_event_take(note *note) {
    char *name = run_note_take_text(note), *path = run_note_take_text(note), *sha256 = run_note_take_text(note);
    map_event *map = name && path && sha256 ? run_map_event_new(name, path) : NULL;
    if (map) snprintf(map->sha256, sizeof map->sha256, "%s", sha256);
    if (map)
        take_block(note, map);
    else
        run_note_lose(note);
    free(name);
    free(path);
    free(sha256);
    return map;
}
