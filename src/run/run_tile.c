#include "run_tile.h"

#include "fail.h"
#include "maps.h"
#include "message.h"
#include "run_stages.h"
#include "text.h"

#include "wadi/warp.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TILES = 1000, LEAST_TILE = 2 };

/* --- where --- */

static int border(int cells, int parts, int i) { return (int)((int64_t)cells * i / parts); }

tile_rect run_tile_own(const run_tile *tile) {
    const int column = (tile->number - 1) % tile->columns, row = (tile->number - 1) / tile->columns;
    const int x = border(tile->width, tile->columns, column), y = border(tile->height, tile->rows, row);
    return (tile_rect){x, y, border(tile->width, tile->columns, column + 1) - x,
                       border(tile->height, tile->rows, row + 1) - y};
}

static void widen(int margin, int all, int *first, int *cells) {
    const int end = margin < all - *first - *cells ? *first + *cells + margin : all;
    *first = *first > margin ? *first - margin : 0;
    *cells = end - *first;
}

tile_rect run_tile_window(const run_tile *tile) {
    tile_rect rect = run_tile_own(tile);
    widen(tile->margin, tile->width, &rect.x, &rect.width);
    widen(tile->margin, tile->height, &rect.y, &rect.height);
    return rect;
}

bool run_tile_is_sound(const run_tile *tile) {
    return tile->columns >= 1 && tile->rows >= 1 && tile->columns <= MOST_TILES && tile->rows <= MOST_TILES &&
           tile->number >= 1 && tile->number <= tile->columns * tile->rows && tile->margin >= 0 &&
           tile->width / tile->columns >= LEAST_TILE && tile->height / tile->rows >= LEAST_TILE;
}

static wadi_status parse(const char *text, run_tile *tile) {
    int end = 0;
    const bool read = sscanf(text, "%4d/%4dx%4d%n", &tile->number, &tile->columns, &tile->rows, &end) == 3;
    if (!read || text[end] != '\0' || tile->columns < 1 || tile->rows < 1 || tile->columns > MOST_TILES ||
        tile->rows > MOST_TILES)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--tile %s: N/CxR is wanted, tile N of C x R, as in --tile 3/4x4", text);
    if (tile->number < 1 || tile->number > tile->columns * tile->rows)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--tile %s: there are tiles 1 to %d", text, tile->columns * tile->rows);
    if (tile->width / tile->columns < LEAST_TILE || tile->height / tile->rows < LEAST_TILE)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--tile %s: the map of %d x %d cells is too small for so many tiles",
                         text, tile->width, tile->height);
    return WADI_OK;
}

/* --- how far --- */

/* One cell more: neighbouring tiles have both the cells at their seam, and 'wadi join' compares them. defs: of the
 * stages; NULL: those that they have. */
static wadi_status exact_margin(const run *run, const wadi_def *defs, int64_t *margin) {
    wadi_status status = WADI_OK;
    *margin = 1;
    for (size_t i = 0; i < run->stage_count && status == WADI_OK; i++) {
        int64_t reach = 0;
        status = wadi_def_reach(defs ? &defs[i] : &run->stages[i].def, run_stage_steps(&run->stages[i]), &reach);
        *margin += reach;
    }
    return status;
}

/* A window that ends with the map on all sides is the whole, whatever the margin. */
static bool is_whole(const run_tile *tile) {
    const tile_rect window = run_tile_window(tile);
    return window.width == tile->width && window.height == tile->height;
}

wadi_status run_tile_is_exact(const run *run, bool *exact) {
    int64_t margin = 0;
    const wadi_status status = exact_margin(run, NULL, &margin);
    *exact = run->plan.tile.margin >= margin || is_whole(&run->plan.tile);
    return status;
}

/* --- what needs the whole map --- */

static wadi_status refuse(const char *what, const char *why) {
    return wadi_fail(WADI_ERROR_ARGUMENT, "--tile: %s: %s", what, why);
}

static bool sets_more_than(const adjustment *adjustment, int rain) {
    bool any = adjustment->preset != NULL;
    for (int k = 0; k < WADI_MAX_KNOBS; k++) any = any || !isnan(adjustment->knobs[k]);
    for (int p = 0; p < WADI_MAX_PARAMETERS; p++) any = any || (p != rain && !isnan(adjustment->values[p]));
    return any;
}

static bool is_of_mask(const event *event) {
    if (event->kind == EVENT_MAP) return strcmp(event->map->name, "mask") == 0;
    return event->dabs->brush == WADI_BRUSH_PROTECT || event->dabs->brush == WADI_BRUSH_EXPOSE;
}

/* Rain that changes with time knows no place, and the mask has no value on which sub-steps depend. */
static bool goes_with_tiles(const event *event, int rain) {
    if (event->kind == EVENT_SET) return !sets_more_than(event->adjustment, rain);
    if (event->kind == EVENT_PAINT || event->kind == EVENT_AREA || event->kind == EVENT_MAP) return is_of_mask(event);
    return event->kind == EVENT_DROPS;
}

static bool has_local_events(const run_stage *stage, const wadi_model *model) {
    const int rain = wadi_model_parameter_index(model, "rain");
    for (size_t i = 0; i < stage->events.count; i++)
        if (!goes_with_tiles(&stage->events.items[i], rain)) return true;
    return false;
}

static wadi_status check_stage(const run_stage *stage, const wadi_def *def) {
    if (def->boundary == WADI_WRAP) return refuse("a periodic border", "take open or closed");
    if (stage->levels > 1)
        return refuse("several levels", "the coarser ones see the whole map; --levels 1 takes the finest alone");
    if (has_local_events(stage, def->model))
        return refuse("events", "only those that change the rain or the mask go with tiles; leave the others out");
    return WADI_OK;
}

/* Each tile would scale its integers by its own range. */
static wadi_status check_format(const run *run) {
    const wadi_format format = run->plan.format;
    const bool rounds =
        (format != WADI_FORMAT_UNKNOWN && run_maps_float_format(format) != format) || run_keeps_integers(run);
    return rounds ? refuse("--format", "joined tiles need float32; take tif or npy, or leave it out") : WADI_OK;
}

/* What the sea floods depends on the whole map as the stage before leaves it. */
static wadi_status check_seas(const run *run, const wadi_def *defs) {
    wadi_status status = WADI_OK;
    for (size_t i = 1; i < run->stage_count && status == WADI_OK; i++)
        if (wadi_def_sea_stands(&defs[i]))
            status = refuse("a sea", "only the first stage of a recipe can have one; leave it out of the others");
    return status;
}

static wadi_status check(const run_options *top, const run *run, const wadi_def *defs) {
    wadi_status status = check_format(run);
    if (status == WADI_OK) status = check_seas(run, defs);
    if (status == WADI_OK && (top->gauges || top->gauge_every > 0))
        status = refuse("gauges", "they belong to the whole map; leave them out");
    for (size_t i = 0; i < run->stage_count && status == WADI_OK; i++) status = check_stage(&run->stages[i], &defs[i]);
    return status;
}

/* --- the plan --- */

static void report(const run_tile *tile, int64_t exact) {
    const tile_rect own = run_tile_own(tile), window = run_tile_window(tile);
    const double work = (double)window.width * (double)window.height / ((double)own.width * (double)own.height);
    run_message_note("tile %d of %d x %d: %d x %d cells at (%d, %d), computed with a margin as %d x %d, %.3g times as "
                     "many",
                     tile->number, tile->columns, tile->rows, own.width, own.height, own.x, own.y, window.width,
                     window.height, work);
    if (tile->margin < exact && !is_whole(tile))
        run_message_warn("--margin %d: the bits of the whole need %" PRId64 "; tiles will differ at their seams, and "
                         "'wadi join' says by how much",
                         tile->margin, exact);
}

static wadi_tile tile_of(const run_tile *tile, const wadi_raster *raster) {
    const wadi_range range = wadi_range_of(raster->values, (size_t)raster->width * (size_t)raster->height);
    const tile_rect window = run_tile_window(tile);
    return (wadi_tile){window.x, window.y, tile->width, tile->height, (double)range.minimum, (double)range.maximum};
}

wadi_status run_tile_plan(const run_options *top, run *run, wadi_def *defs) {
    run_tile *tile = &run->plan.tile;
    int64_t margin = 0;
    if (!top->tile && top->margin >= 0)
        return run_at(top, &top->margin, wadi_fail(WADI_ERROR_ARGUMENT, "--margin: is of a tile; name one by --tile"));
    if (!top->tile) return WADI_OK;
    tile->width = run->raster->width, tile->height = run->raster->height;
    wadi_status status = parse(top->tile, tile);
    if (status == WADI_OK) status = check(top, run, defs);
    if (status == WADI_OK) status = exact_margin(run, defs, &margin);
    if (status != WADI_OK) return run_at(top, &top->tile, status);
    const int64_t asked = top->margin >= 0 ? top->margin : margin;
    const int most = tile->width > tile->height ? tile->width : tile->height;
    tile->margin = asked < most ? (int)asked : most;
    const wadi_tile place = tile_of(tile, run->raster);
    const tile_rect window = run_tile_window(tile);
    for (size_t i = 0; i < run->stage_count; i++) {
        defs[i].tile = place;
        defs[i].width = window.width, defs[i].height = window.height;
    }
    report(tile, margin);
    return WADI_OK;
}

/* --- maps of the whole --- */

double run_tile_largest(const run *run, const wadi_raster *map) {
    const size_t cells = (size_t)map->width * (size_t)map->height;
    float most = -INFINITY;
    for (size_t i = 0; i < cells; i++)
        if (!isnan(run->raster->values[i]) && map->values[i] > most) most = map->values[i];
    return (double)most;
}

wadi_status run_tile_part(const run *run, const wadi_raster *map, wadi_raster **part) {
    const run_tile *tile = &run->plan.tile;
    *part = NULL;
    if (tile->number == 0) return WADI_OK;
    const tile_rect window = run_tile_window(tile);
    return wadi_raster_clip(map, window.x, window.y, window.width, window.height, part);
}

wadi_status run_tile_set(const run *run, wadi_sim *sim, const char *field, const wadi_raster *map) {
    wadi_raster *part = NULL;
    wadi_status status = run_tile_part(run, map, &part);
    if (status == WADI_OK && !part)
        return wadi_sim_set(sim, field, map->values, (size_t)map->width * (size_t)map->height);
    if (status == WADI_OK) status = wadi_sim_set(sim, field, part->values, (size_t)part->width * (size_t)part->height);
    wadi_raster_destroy(part);
    return status;
}

wadi_status run_tile_flood(const run *run, wadi_sim *sim, const wadi_raster *water) {
    double sea_m = 0;
    if (run->plan.tile.number == 0 || !wadi_def_sea_stands(wadi_sim_def(sim))) return WADI_OK;
    wadi_def_sea(wadi_sim_def(sim), &sea_m);
    wadi_raster *flooded = NULL;
    wadi_status status = wadi_raster_like(run->raster, &flooded);
    if (status != WADI_OK) return status;
    const size_t cells = (size_t)flooded->width * (size_t)flooded->height;
    for (size_t i = 0; i < cells; i++) flooded->values[i] = water ? water->values[i] : 0;
    status = wadi_flood_sea(run->raster->values, flooded->width, flooded->height, sea_m, flooded->values);
    if (status == WADI_OK) status = run_tile_set(run, sim, "water", flooded);
    wadi_raster_destroy(flooded);
    return status;
}

wadi_status run_tile_cut(run *run) {
    const run_tile *tile = &run->plan.tile;
    if (tile->number == 0) return WADI_OK;
    const tile_rect window = run_tile_window(tile);
    wadi_raster *part = NULL, *whole = run->raster;
    const wadi_status status = wadi_raster_clip(whole, window.x, window.y, window.width, window.height, &part);
    if (status != WADI_OK) return status;
    part->lx = whole->lx, part->ly = whole->ly;
    part->sample = whole->sample, part->scale = whole->scale, part->offset = whole->offset;
    run->raster = part;
    wadi_raster_destroy(whole);
    return WADI_OK;
}

/* --- in run.json and in checkpoints --- */

static void write_rect(json *json, const char *name, tile_rect rect) {
    run_json_array(json, name);
    run_json_integer(json, NULL, rect.x);
    run_json_integer(json, NULL, rect.y);
    run_json_integer(json, NULL, rect.width);
    run_json_integer(json, NULL, rect.height);
    run_json_end(json);
}

void run_tile_write(json *json, const run *run) {
    const run_tile *tile = &run->plan.tile;
    bool exact = false;
    if (tile->number == 0) return;
    if (run_tile_is_exact(run, &exact) != WADI_OK) exact = false;
    run_json_object(json, "tile");
    run_json_integer(json, "number", tile->number);
    run_json_integers(json, "tiles", tile->columns, tile->rows);
    run_json_integers(json, "whole", tile->width, tile->height);
    write_rect(json, "own", run_tile_own(tile));
    write_rect(json, "window", run_tile_window(tile));
    run_json_integer(json, "margin", tile->margin);
    run_json_bool(json, "exact", exact);
    run_json_end(json);
}

void run_tile_recipe(json *json, const run *run) {
    const run_tile *tile = &run->plan.tile;
    char text[48];
    if (tile->number == 0) return;
    snprintf(text, sizeof text, "%d/%dx%d", tile->number, tile->columns, tile->rows);
    run_json_text(json, "tile", text);
    run_json_integer(json, "margin", tile->margin);
}

void run_tile_put(note *note, const run_tile *tile) {
    const int numbers[] = {tile->number, tile->columns, tile->rows, tile->width, tile->height, tile->margin};
    for (int i = 0; i < 6; i++) run_note_put_integer(note, (uint64_t)numbers[i]);
}

void run_tile_take(note *note, const wadi_def *grid, run_tile *tile) {
    const wadi_tile *whole = &grid->tile;
    int numbers[6] = {0};
    if (note->broken) return;
    for (int i = 0; i < 6 && note->at != note->size; i++) {
        const uint64_t number = run_note_take_integer(note);
        if (number > 1 << 30) note->broken = true;
        numbers[i] = note->broken ? 0 : (int)number;
    }
    *tile = (run_tile){numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]};
    const bool is_tile = tile->number != 0, sound = is_tile && run_tile_is_sound(tile);
    const tile_rect window = sound ? run_tile_window(tile) : (tile_rect){0, 0, grid->width, grid->height};
    const bool fits = window.width == grid->width && window.height == grid->height && window.x == whole->x &&
                      window.y == whole->y && tile->width == whole->width && tile->height == whole->height;
    if (is_tile != sound || !fits) note->broken = true;
}
