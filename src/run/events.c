/* events.c: changes between steps: applies, writes and reads them. */
#include "events.h"

#include "array.h"
#include "fail.h"
#include "json.h"
#include "message.h"
#include "option.h"
#include "text.h"
#include "yaml.h"

#include <stdlib.h>
#include <string.h>

/* --- the list --- */

void run_event_free(event *event) {
    run_adjustment_free(event->adjustment);
    run_map_event_free(event->map);
    free(event->dabs);
    free(event->sources);
}

wadi_status run_events_add(events *events, event event) {
    struct event *added = run_array_add(&events->items, &events->count, sizeof *added);
    if (!added) {
        run_event_free(&event);
        return WADI_ERROR_MEMORY;
    }
    *added = event;
    return WADI_OK;
}

void run_events_cut(events *events, size_t count) {
    while (events->count > count) run_event_free(&events->items[--events->count]);
}

void run_events_free(events *events) {
    run_events_cut(events, 0);
    free(events->items);
    events->items = NULL;
}

static wadi_status copy_event(const event *from, events *to) {
    event copy = *from;
    copy.adjustment = from->adjustment ? run_adjustment_copy(from->adjustment) : NULL;
    copy.dabs = run_array_copy(from->dabs, from->dab_count, sizeof *from->dabs);
    copy.sources = run_array_copy(from->sources, from->source_count, sizeof *from->sources);
    copy.map = from->map ? run_map_event_copy(from->map) : NULL;
    const bool all = copy.dabs && copy.sources && !copy.map == !from->map && !copy.adjustment == !from->adjustment;
    if (all) return run_events_add(to, copy);
    run_event_free(&copy);
    return WADI_ERROR_MEMORY;
}

wadi_status run_events_copy(const events *from, events *to) {
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < from->count && status == WADI_OK; i++) status = copy_event(&from->items[i], to);
    return status;
}

map_values *run_events_map_values(const events *events, size_t from, size_t to, const char *sha256) {
    for (size_t i = from; i < to && *sha256; i++) {
        const map_event *map = events->items[i].map;
        if (map && map->values && strcmp(map->sha256, sha256) == 0) return run_map_values_share(map->values);
    }
    return NULL;
}

/* Of a map: its values, and what the simulation makes of it. */
uint64_t run_events_map_memory(const events *events, uint64_t field) {
    uint64_t fields = 0;
    for (size_t i = 0; i < events->count; i++) {
        const map_event *map = events->items[i].map;
        bool values = map != NULL, name = map != NULL;
        for (size_t k = 0; k < i && map; k++) {
            const struct map_event *before = events->items[k].map;
            if (before && strcmp(before->path, map->path) == 0) values = false;
            if (before && strcmp(before->name, map->name) == 0) name = false;
        }
        fields += (values ? 1U : 0U) + (name ? 2U : 0U);
    }
    return fields * field;
}

static event set_at(int index, bool is_knob, double value) {
    event event = {.kind = EVENT_SET, .adjustment = index < 0 ? NULL : run_adjustment_new()};
    if (event.adjustment && is_knob) event.adjustment->knobs[index] = value;
    if (event.adjustment && !is_knob) event.adjustment->values[index] = value;
    return event;
}

event run_event_set(const wadi_model *model, const char *parameter, double value) {
    return set_at(wadi_model_parameter_index(model, parameter), false, value);
}

event run_event_knob(const wadi_model *model, const char *knob, double position) {
    return set_at(wadi_model_knob_index(model, knob), true, position);
}

event run_event_preset(const char *preset) {
    event event = set_at(0, false, (double)NAN);
    if (event.adjustment && !(event.adjustment->preset = run_text_copy(preset))) {
        run_adjustment_free(event.adjustment);
        event.adjustment = NULL;
    }
    return event;
}

event run_event_adjust(const adjustment *adjustment) {
    return (event){.kind = EVENT_SET, .adjustment = run_adjustment_copy(adjustment)};
}

wadi_status run_event_apply(const event *event, wadi_sim *sim) {
    switch (event->kind) {
    case EVENT_SET:
        return run_adjustment_apply(event->adjustment, sim);
    case EVENT_PAINT:
        return wadi_sim_paint(sim, event->dabs, event->dab_count);
    case EVENT_SOURCES:
        return wadi_sim_set_sources(sim, event->sources, event->source_count);
    case EVENT_AREA:
        return wadi_sim_paint_area(sim, event->dabs, event->dab_count);
    case EVENT_MAP:
        return run_map_event_apply(event->map, sim);
    default:
        return wadi_sim_set_drops(sim, &event->drops);
    }
}

wadi_status run_events_apply_due(const events *events, size_t *done, wadi_sim *sim) {
    wadi_status status = WADI_OK;
    while (status == WADI_OK && *done < events->count && events->items[*done].at <= wadi_sim_steps(sim)) {
        status = run_event_apply(&events->items[*done], sim);
        if (status == WADI_OK) ++*done;
    }
    return status;
}

/* --- writing --- */

static void write_dabs(json *json, const event *event) {
    const wadi_dab *first = event->dabs;
    run_json_text(json, "paint", wadi_brush_name(first->brush));
    run_json_number(json, "radius_m", first->radius_m);
    run_json_number(json, "strength", first->strength);
    run_json_number(json, "falloff", first->falloff);
    if (first->brush == WADI_BRUSH_FLATTEN) run_json_number(json, "level_m", first->level_m);
    run_json_text_begin(json, event->kind == EVENT_AREA ? "area" : "dabs");
    for (size_t i = 0; i < event->dab_count; i++) {
        char x[JSON_NUMBER], y[JSON_NUMBER];
        fprintf(json->file, "%s%s,%s", i ? " " : "", run_json_number_text(event->dabs[i].x, x),
                run_json_number_text(event->dabs[i].y, y));
    }
    run_json_text_end(json);
}

static void write_sources(json *json, const event *event) {
    run_json_array(json, "sources");
    for (size_t i = 0; i < event->source_count; i++) run_source_write(json, &event->sources[i]);
    run_json_end(json);
}

void run_source_write(json *json, const wadi_source *source) {
    run_json_object(json, NULL);
    run_json_number(json, "x", source->x);
    run_json_number(json, "y", source->y);
    run_json_number(json, "radius_m", source->radius_m);
    run_json_number(json, "rate_m3s", source->rate_m3s);
    run_json_number(json, "start_s", source->start_s);
    if (is_finite(source->end_s)) run_json_number(json, "end_s", source->end_s);
    run_json_end(json);
}

void run_drops_write(json *json, const wadi_drops *drops) {
    run_json_object(json, "rain");
    run_json_number(json, "count", drops->count);
    run_json_number(json, "radius", drops->radius_m);
    run_json_number(json, "rate", drops->rate_m_s);
    run_json_end(json);
}

void run_events_write(json *json, const events *events, const wadi_model *model, int64_t steps) {
    if (!events->count) return;
    run_json_array(json, "events");
    for (size_t i = 0; i < events->count && events->items[i].at <= steps; i++) {
        const event *event = &events->items[i];
        run_json_object(json, NULL);
        run_json_integer(json, "at", event->at);
        if (event->kind == EVENT_SET) run_adjustment_write(json, event->adjustment, model);
        if (event->kind == EVENT_PAINT || event->kind == EVENT_AREA) write_dabs(json, event);
        if (event->kind == EVENT_MAP) run_map_event_write(json, event->map);
        if (event->kind == EVENT_SOURCES) write_sources(json, event);
        if (event->kind == EVENT_DROPS) run_drops_write(json, &event->drops);
        run_json_end(json);
    }
    run_json_end(json);
}

/* --- reading --- */

typedef struct named_number {
    const char *key;
    double *value;
    bool needed, given;
} named_number;

static wadi_status refuse(const char *file, int line, int column, const char *text, const char *key) {
    return run_fail_at(file, (place){line, column}, wadi_fail(WADI_ERROR_ARGUMENT, text, key));
}

/* Reads numbers by their keys. `others` lists the other allowed members, ended by NULL. */
static wadi_status read_numbers(const char *file, const yaml_node *map, named_number *numbers, int count,
                                const char *const *others) {
    for (const yaml_node *node = map->first; node; node = node->next) {
        bool known = false;
        for (const char *const *other = others; *other; other++) known |= strcmp(node->key, *other) == 0;
        for (int i = 0; i < count && !known; i++) {
            if (strcmp(node->key, numbers[i].key) != 0) continue;
            known = numbers[i].given = true;
            if (node->kind != YAML_TEXT || !run_parse_number(node->text, numbers[i].value))
                return refuse(file, node->line, node->column, "%.40s: a number is wanted", node->key);
        }
        if (!known) return refuse(file, node->key_line, node->key_column, "%.80s: an event has no such key", node->key);
    }
    for (int i = 0; i < count; i++)
        if (numbers[i].needed && !numbers[i].given)
            return refuse(file, map->line, map->column, "%.40s is missing", numbers[i].key);
    return WADI_OK;
}

/* "10.5,20 11,20.5": places of dabs that equal `first` otherwise. */
static wadi_status read_places(const char *text, const wadi_dab *first, event *event) {
    size_t most = 0;
    for (const char *comma = strchr(text, ','); comma; comma = strchr(comma + 1, ',')) most++;
    event->dabs = run_array_new(most, sizeof *event->dabs);
    if (!event->dabs) return WADI_ERROR_MEMORY;
    while (*text) {
        wadi_dab dab = *first;
        char *end;
        dab.x = strtod(text, &end);
        if (end == text || *end != ',') return WADI_ERROR_FORMAT;
        text = end + 1;
        dab.y = strtod(text, &end);
        if (end == text || (*end && *end != ' ')) return WADI_ERROR_FORMAT;
        text = end + (*end == ' ');
        event->dabs[event->dab_count++] = dab;
    }
    return event->dab_count > 0 ? WADI_OK : WADI_ERROR_FORMAT;
}

static wadi_status read_paint(const char *file, const yaml_node *map, event *event) {
    static const char *const others[] = {"at", "paint", "dabs", "area", NULL};
    wadi_dab dab = {.brush = WADI_BRUSHES, .falloff = 0.5};
    named_number numbers[] = {{"radius_m", &dab.radius_m, true, false},
                              {"strength", &dab.strength, true, false},
                              {"falloff", &dab.falloff, false, false},
                              {"level_m", &dab.level_m, false, false}};
    const yaml_node *brush = run_yaml_member(map, "paint"), *dabs = run_yaml_member(map, "dabs");
    const yaml_node *area = run_yaml_member(map, "area"), *places = area ? area : dabs;
    const char *names[WADI_BRUSHES], *name = brush->kind == YAML_TEXT ? brush->text : "";
    for (int i = 0; i < WADI_BRUSHES; i++) {
        names[i] = wadi_brush_name((wadi_brush)i);
        if (strcmp(names[i], name) == 0) dab.brush = (wadi_brush)i;
    }
    char near[128];
    event->kind = area ? EVENT_AREA : EVENT_PAINT;
    if (dab.brush == WADI_BRUSHES) {
        wadi_fail(WADI_ERROR_ARGUMENT, "paint: there is no brush '%.40s'%s", name,
                  run_did_you_mean(name, names, WADI_BRUSHES, near));
        return run_fail_at(file, (place){brush->line, brush->column}, WADI_ERROR_ARGUMENT);
    }
    wadi_status status = read_numbers(file, map, numbers, 4, others);
    if (status != WADI_OK) return status;
    if (area && dabs) return refuse(file, area->line, area->column, "%s: stands beside dabs; leave one out", "area");
    status = places && places->kind == YAML_TEXT ? read_places(places->text, &dab, event) : WADI_ERROR_FORMAT;
    if (status == WADI_ERROR_FORMAT)
        return refuse(file, places ? places->line : map->line, places ? places->column : map->column,
                      "%s: places in cells are wanted, as in \"10.5,20 11,20.5\"", area ? "area" : "dabs");
    return status;
}

static wadi_status read_sources(const char *file, const yaml_node *list, event *event) {
    static const char *const others[] = {NULL};
    event->kind = EVENT_SOURCES;
    if (list->kind != YAML_LIST) return refuse(file, list->line, list->column, "%s: a list is wanted", "sources");
    for (const yaml_node *item = list->first; item; item = item->next) {
        wadi_source source = {.end_s = INFINITY};
        named_number numbers[] = {{"x", &source.x, true, false},
                                  {"y", &source.y, true, false},
                                  {"radius_m", &source.radius_m, true, false},
                                  {"rate_m3s", &source.rate_m3s, true, false},
                                  {"start_s", &source.start_s, false, false},
                                  {"end_s", &source.end_s, false, false}};
        if (item->kind != YAML_MAP) return refuse(file, item->line, item->column, "%s: a map is wanted", "sources");
        const wadi_status status = read_numbers(file, item, numbers, 6, others);
        if (status != WADI_OK) return status;
        wadi_source *added = run_array_add(&event->sources, &event->source_count, sizeof *added);
        if (!added) return WADI_ERROR_MEMORY;
        *added = source;
    }
    return WADI_OK;
}

static wadi_status read_drops(const char *file, const yaml_node *map, event *event) {
    static const char *const others[] = {NULL};
    wadi_drops *drops = &event->drops;
    named_number numbers[] = {{"count", &drops->count, true, false},
                              {"radius", &drops->radius_m, true, false},
                              {"rate", &drops->rate_m_s, true, false}};
    event->kind = EVENT_DROPS;
    if (map->kind != YAML_MAP)
        return refuse(file, map->line, map->column, "%s: {count: N, radius: M, rate: R} is wanted", "rain");
    return read_numbers(file, map, numbers, 3, others);
}

static wadi_status read_sha256(const char *file, const yaml_node *node, map_event *map) {
    const char *text = node->kind == YAML_TEXT ? node->text : "";
    const size_t digits = strspn(text, "0123456789abcdefABCDEF");
    if (digits != sizeof map->sha256 - 1 || text[digits])
        return refuse(file, node->line, node->column, "%s: 64 hexadecimal digits are wanted; or leave it out",
                      "sha256");
    for (size_t i = 0; i < digits; i++)
        map->sha256[i] = (char)(text[i] <= 'F' && text[i] >= 'A' ? text[i] + 32 : text[i]);
    return WADI_OK;
}

static wadi_status read_map(const char *file, const yaml_node *map, event *event) {
    static const char *const others[] = {"at", "map", "file", "sha256", NULL};
    const yaml_node *name = run_yaml_member(map, "map"), *path = run_yaml_member(map, "file");
    const yaml_node *sha256 = run_yaml_member(map, "sha256");
    event->kind = EVENT_MAP;
    const wadi_status status = read_numbers(file, map, NULL, 0, others);
    if (status != WADI_OK) return status;
    if (name->kind != YAML_TEXT)
        return refuse(file, name->line, name->column, "%s: the name of a map is wanted", "map");
    if (!path || path->kind != YAML_TEXT || !*path->text)
        return refuse(file, path ? path->line : map->line, path ? path->column : map->column,
                      "%s: the map's file is wanted, as in {map: mask, file: valley.tif}", "file");
    event->map = run_map_event_new(name->text, path->text);
    if (!event->map) return WADI_ERROR_MEMORY;
    return sha256 ? read_sha256(file, sha256, event->map) : WADI_OK;
}

/* Values stay texts until the model is known. */
static wadi_status read_texts(const char *file, const yaml_node *map, const char *example, text_list *texts) {
    if (map->kind != YAML_MAP || !map->first) return refuse(file, map->line, map->column, "%s", example);
    wadi_status status = WADI_OK;
    for (const yaml_node *node = map->first; node && status == WADI_OK; node = node->next) {
        if (node->kind != YAML_TEXT) return refuse(file, node->line, node->column, "%s", example);
        status = run_text_list_take(texts, run_text_format("%s=%s", node->key, node->text));
    }
    return status;
}

static wadi_status read_adjustment(const char *file, const yaml_node *map, event *event) {
    static const char *const others[] = {"at", "preset", "knobs", "set", NULL};
    const yaml_node *preset = run_yaml_member(map, "preset"), *knobs = run_yaml_member(map, "knobs");
    const yaml_node *set = run_yaml_member(map, "set");
    adjustment *made = event->adjustment = run_adjustment_new();
    event->kind = EVENT_SET;
    if (!made) return WADI_ERROR_MEMORY;
    wadi_status status = read_numbers(file, map, NULL, 0, others);
    if (status != WADI_OK) return status;
    if (preset && preset->kind != YAML_TEXT)
        return refuse(file, preset->line, preset->column, "%s: a preset's name is wanted", "preset");
    if (preset && !(made->preset = run_text_copy(preset->text))) return WADI_ERROR_MEMORY;
    if (knobs)
        status = read_texts(file, knobs, "knobs: a map of knobs is wanted, as in knobs: {rain: 0.7}",
                            &made->texts[ADJUST_KNOBS]);
    if (set && status == WADI_OK)
        status = read_texts(file, set, "set: parameters are wanted, as in set: {Kc: 0.3}", &made->texts[ADJUST_VALUES]);
    return status;
}

static wadi_status read_event(const char *file, const yaml_node *map, event *event) {
    static const char *const others[] = {"preset",   "knobs",   "set",     "paint", "sources", "rain",
                                         "dabs",     "area",    "map",     "file",  "sha256",  "radius_m",
                                         "strength", "falloff", "level_m", NULL};
    double at = 0;
    named_number when = {"at", &at, true, false};
    if (map->kind != YAML_MAP) return refuse(file, map->line, map->column, "%s: a list of maps is wanted", "events");
    wadi_status status = read_numbers(file, map, &when, 1, others);
    if (status != WADI_OK) return status;
    if (!(at >= 0 && at <= 1e15) || at != floor(at))
        return refuse(file, map->line, map->column, "%s: a whole number of steps is wanted", "at");
    event->at = (int64_t)at;
    const bool set = run_yaml_member(map, "set") || run_yaml_member(map, "knobs") || run_yaml_member(map, "preset");
    const yaml_node *sources = run_yaml_member(map, "sources");
    const yaml_node *paint = run_yaml_member(map, "paint"), *rain = run_yaml_member(map, "rain");
    const bool maps = run_yaml_member(map, "map") != NULL;
    if (set + maps + (sources != NULL) + (paint != NULL) + (rain != NULL) != 1)
        return refuse(file, map->line, map->column, "an event does one of %s", "set, paint, map, sources, rain");
    if (set) return read_adjustment(file, map, event);
    if (paint) return read_paint(file, map, event);
    if (maps) return read_map(file, map, event);
    static const char *const supply[] = {"at", "sources", "rain", NULL};
    status = read_numbers(file, map, NULL, 0, supply);
    if (status != WADI_OK) return status;
    return sources ? read_sources(file, sources, event) : read_drops(file, rain, event);
}

wadi_status run_events_read(const char *file, const yaml_node *list, events *events) {
    if (list->kind == YAML_TEXT && !*list->text) return WADI_OK; /* an empty list */
    if (list->kind != YAML_LIST) return refuse(file, list->line, list->column, "%s: a list is wanted", "events");
    int64_t last = 0;
    for (const yaml_node *node = list->first; node; node = node->next) {
        event event = {.line = node->line, .column = node->column};
        wadi_status status = read_event(file, node, &event);
        if (status == WADI_OK && event.at < last)
            status = refuse(file, node->line, node->column, "%s: lies before the event above", "at");
        last = event.at;
        if (status != WADI_OK) run_event_free(&event);
        if (status == WADI_OK) status = run_events_add(events, event);
        if (status != WADI_OK) return status;
    }
    return WADI_OK;
}

/* The parameter that becomes a map; -1: none does. */
static int mapped_by(const event *event, const wadi_model *model) {
    const bool paints = event->kind == EVENT_PAINT || event->kind == EVENT_AREA;
    const wadi_brush brush = paints ? event->dabs->brush : WADI_BRUSHES;
    if (brush == WADI_BRUSH_RAIN || brush == WADI_BRUSH_DRY) return wadi_model_parameter_index(model, "rain");
    const int index = event->kind == EVENT_MAP ? wadi_model_parameter_index(model, event->map->name) : -1;
    return index >= 0 && wadi_model_parameters(model, NULL)[index].per_cell ? index : -1;
}

/* The event's effect on where the parameters stand. */
static wadi_status follow(const event *event, bool repeats, settings_now *now) {
    const int mapped = mapped_by(event, now->def.model);
    if (mapped >= 0) now->is_map[mapped] = true;
    if (event->kind != EVENT_SET) return WADI_OK;
    adjustment *adjustment = event->adjustment;
    wadi_status status = run_adjustment_settle(adjustment, &now->def, repeats);
    if (status == WADI_OK && !repeats) status = run_adjustment_resolve(adjustment, now);
    if (status == WADI_OK) run_adjustment_follow(adjustment, now);
    return status;
}

wadi_status run_events_check(const char *file, const events *events, settings_now *now, bool repeats, int64_t steps) {
    for (size_t i = 0; i < events->count; i++) {
        const event *event = &events->items[i];
        wadi_status status = run_fail_as_input(follow(event, repeats, now));
        if (status == WADI_OK && event->at > steps)
            status = wadi_fail(WADI_ERROR_ARGUMENT, "at: the stage ends before, after its last step");
        if (status != WADI_OK) return run_fail_at(file, (place){event->line, event->column}, status);
    }
    return WADI_OK;
}

/* Tries the event on a simulation, which knows its grid. Sources and drops are restored afterwards. */
static wadi_status try(const event *event, wadi_sim *sim) {
    if (event->kind == EVENT_SET || event->kind == EVENT_MAP) return WADI_OK; /* checked already */
    if (event->kind == EVENT_AREA) return wadi_sim_check_area(sim, event->dabs, event->dab_count);
    if (event->kind == EVENT_PAINT) return wadi_sim_check_dabs(sim, event->dabs, event->dab_count);
    return run_event_apply(event, sim);
}

wadi_status run_events_try(const char *file, const events *events, wadi_sim *sim) {
    if (events->count == 0) return WADI_OK;
    size_t count;
    const wadi_source *now = wadi_sim_sources(sim, &count);
    wadi_source *sources = run_array_copy(now, count, sizeof *sources);
    if (!sources) return WADI_ERROR_MEMORY;
    const wadi_drops drops = wadi_sim_def(sim)->drops;
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < events->count && status == WADI_OK; i++) {
        const event *event = &events->items[i];
        status = run_fail_at(file, (place){event->line, event->column}, run_fail_as_input(try(event, sim)));
    }
    if (status == WADI_OK) status = wadi_sim_set_sources(sim, sources, count);
    if (status == WADI_OK) status = wadi_sim_set_drops(sim, &drops);
    free(sources);
    return status;
}
