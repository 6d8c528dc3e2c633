#include "run_join.h"

#include "array.h"
#include "folder.h"
#include "maps.h"
#include "run_join_same.h"
#include "run_read.h"
#include "run_tile.h"
#include "text.h"

#include "platform/platform.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef WADI_WITH_JANSSON
#include <jansson.h>

/* Those that are joined. */
typedef struct folders {
    const char *in;
    text_list runs; /* their paths */
    wadi_status status;
} folders;

typedef struct joined_tile {
    const char *folder;
    json_t *root;
    run_tile tile;
    bool exact;
} joined_tile;

typedef struct join {
    joined_tile *tiles; /* in the order of their numbers */
    size_t count;
    int feather;
    wadi_raster *whole;
    float *weights; /* sums of weights while tiles are blended */
    char *staging;
    json_t *outputs;
    join_done *done;
} join;

/* --- the tiles --- */

static wadi_status refuse_none(const char *folder) {
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: holds no run folders; name the folder that the tiles' are in", folder);
}

static int integer(json_t *object, const char *key) {
    const json_int_t number = json_integer_value(json_object_get(object, key));
    return number >= 0 && number <= 1 << 30 ? (int)number : 0;
}

static int item(json_t *object, const char *key, size_t index) {
    const json_int_t number = json_integer_value(json_array_get(json_object_get(object, key), index));
    return number >= 0 && number <= 1 << 30 ? (int)number : 0;
}

/* An output of this command, beside the tiles. */
static bool is_joined(const joined_tile *one) { return json_object_get(one->root, "joined") != NULL; }

static bool has_object(json_t *root, const char *key) { return json_is_object(json_object_get(root, key)); }

static wadi_status read_tile(const char *folder, joined_tile *one) {
    const wadi_status status = run_read_manifest(folder, &one->root);
    one->folder = folder;
    if (status != WADI_OK) return status;
    json_t *tile = json_object_get(one->root, "tile");
    if (is_joined(one)) return WADI_OK;
    if (!tile) return wadi_fail(WADI_ERROR_ARGUMENT, "%s: is no run of a tile (wadi run --tile)", folder);
    one->tile = (run_tile){.number = integer(tile, "number"),
                           .columns = item(tile, "tiles", 0),
                           .rows = item(tile, "tiles", 1),
                           .width = item(tile, "whole", 0),
                           .height = item(tile, "whole", 1),
                           .margin = integer(tile, "margin")};
    const char *arithmetic = json_string_value(json_object_get(one->root, "arithmetic"));
    one->exact = json_is_true(json_object_get(tile, "exact")) && arithmetic && strcmp(arithmetic, "strict") == 0;
    if (!has_object(one->root, "recipe") || !has_object(one->root, "outputs"))
        return wadi_fail(WADI_ERROR_FORMAT, "%s/" RUN_JSON ": is damaged: it has no recipe or no outputs", folder);
    return run_tile_is_sound(&one->tile) ? WADI_OK
                                         : wadi_fail(WADI_ERROR_FORMAT, "%s/" RUN_JSON ": tile: is damaged", folder);
}

static wadi_status check_same(const joined_tile *first, const joined_tile *other) {
    const run_tile *a = &first->tile, *b = &other->tile;
    char *one = run_join_same(first->root), *two = run_join_same(other->root);
    const bool memory = one && two, same = memory && strcmp(one, two) == 0 && a->columns == b->columns &&
                                           a->rows == b->rows && a->width == b->width && a->height == b->height;
    free(one);
    free(two);
    if (!memory) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for " RUN_JSON);
    return same ? WADI_OK
                : wadi_fail(WADI_ERROR_ARGUMENT,
                            "%s: is a tile of another run than %s: the map, the recipe or the version differs",
                            other->folder, first->folder);
}

static int by_number(const void *a, const void *b) {
    const joined_tile *one = a, *two = b;
    return (one->tile.number > two->tile.number) - (one->tile.number < two->tile.number);
}

static wadi_status check_complete(const join *join) {
    const int wanted = join->tiles->tile.columns * join->tiles->tile.rows;
    for (int i = 0; i < wanted; i++) {
        const bool there = (size_t)i < join->count;
        const int number = there ? join->tiles[i].tile.number : wanted + 1;
        if (number > i + 1) return wadi_fail(WADI_ERROR_ARGUMENT, "tile %d of %d is missing", i + 1, wanted);
        if (number <= i)
            return wadi_fail(WADI_ERROR_ARGUMENT, "%s: is tile %d, as %s is", join->tiles[i].folder, number,
                             join->tiles[i - 1].folder);
    }
    return join->count == (size_t)wanted
               ? WADI_OK
               : wadi_fail(WADI_ERROR_ARGUMENT, "%s: is one tile too many", join->tiles[wanted].folder);
}

static wadi_status check_feather(const join *join) {
    for (size_t i = 0; i < join->count; i++)
        if (join->tiles[i].tile.margin < join->feather)
            return wadi_fail(WADI_ERROR_ARGUMENT, "--feather %d: %s has a margin of %d", join->feather,
                             join->tiles[i].folder, join->tiles[i].tile.margin);
    return WADI_OK;
}

/* An output of this command among them is passed over. */
static wadi_status read_all(join *join, const text_list *runs) {
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < runs->count && status == WADI_OK; i++) {
        joined_tile *one = &join->tiles[join->count++];
        status = read_tile(runs->items[i], one);
        const bool passed = status == WADI_OK && is_joined(one);
        if (passed) {
            json_decref(one->root);
            one->root = NULL;
            join->count--;
        }
        if (status == WADI_OK && !passed && join->count > 1) status = check_same(join->tiles, one);
    }
    return status;
}

static wadi_status read_tiles(join *join, const folders *found) {
    wadi_status status = read_all(join, &found->runs);
    if (status == WADI_OK && join->count == 0) status = refuse_none(found->in);
    if (status != WADI_OK) return status;
    qsort(join->tiles, join->count, sizeof *join->tiles, by_number);
    join->done->exact = true;
    for (size_t i = 0; i < join->count; i++) join->done->exact = join->done->exact && join->tiles[i].exact;
    status = check_complete(join);
    return status == WADI_OK ? check_feather(join) : status;
}

/* --- a map --- */

static wadi_status read_map(const joined_tile *one, const char *name, wadi_raster **map) {
    const tile_rect window = run_tile_window(&one->tile);
    const wadi_status status = run_read_field(one->folder, name, map);
    if (status != WADI_OK || ((*map)->width == window.width && (*map)->height == window.height)) return status;
    return wadi_fail(WADI_ERROR_FORMAT, "%s: %s has %d x %d cells, the tile %d x %d", one->folder, name, (*map)->width,
                     (*map)->height, window.width, window.height);
}

/* The first tile begins where the whole does. */
static wadi_status make_whole(join *join, const wadi_raster *first) {
    const run_tile *tile = &join->tiles->tile;
    wadi_raster of_size = *first;
    of_size.width = tile->width, of_size.height = tile->height;
    if (join->whole) return WADI_OK;
    const wadi_status status = wadi_raster_like(&of_size, &join->whole);
    if (status == WADI_OK)
        join->whole->lx = first->lx, join->whole->ly = first->ly, join->whole->format = first->format;
    return status;
}

static float *whole_at(const join *join, float *values, int x, int y) {
    return &values[(size_t)y * (size_t)join->whole->width + (size_t)x];
}

static float tile_at(const wadi_raster *map, const tile_rect *window, int x, int y) {
    return map->values[(size_t)(y - window->y) * (size_t)map->width + (size_t)(x - window->x)];
}

static void place_own(join *join, const joined_tile *one, const wadi_raster *map) {
    const tile_rect own = run_tile_own(&one->tile), window = run_tile_window(&one->tile);
    for (int y = own.y; y < own.y + own.height; y++)
        for (int x = own.x; x < own.x + own.width; x++)
            *whole_at(join, join->whole->values, x, y) = tile_at(map, &window, x, y);
}

/* 1 inside, falling to 0 over `feather` cells on each side of an end that is not the whole's. */
static float share(int cell, int first, int cells, int all, int feather) {
    const double in = (cell + 0.5 - first) / (2.0 * feather) + 0.5,
                 out = (first + cells - cell - 0.5) / (2.0 * feather) + 0.5;
    const double low = first == 0 ? 1 : fmin(fmax(in, 0), 1), high = first + cells == all ? 1 : fmin(fmax(out, 0), 1);
    return (float)(low * high);
}

static void blend(join *join, const joined_tile *one, const wadi_raster *map) {
    const tile_rect own = run_tile_own(&one->tile), window = run_tile_window(&one->tile);
    for (int y = window.y; y < window.y + window.height; y++) {
        const float down = share(y, own.y, own.height, one->tile.height, join->feather);
        for (int x = window.x; x < window.x + window.width; x++) {
            const float weight = down * share(x, own.x, own.width, one->tile.width, join->feather);
            if (!(weight > 0)) continue;
            *whole_at(join, join->whole->values, x, y) += weight * tile_at(map, &window, x, y);
            *whole_at(join, join->weights, x, y) += weight;
        }
    }
}

/* --- the seams --- */

typedef struct seam_sums {
    join_seams seams;
    double sum, cells;
} seam_sums;

/* Two cells without data are the same. */
static double difference(float a, float b) {
    if (isnan(a) && isnan(b)) return 0;
    const double apart = fabs((double)a - (double)b);
    return isnan(apart) ? (double)INFINITY : apart;
}

/* The cells next to the tile's own, with those of the tiles that have them. */
static void compare(const join *join, const joined_tile *one, const wadi_raster *map, seam_sums *sums) {
    const tile_rect own = run_tile_own(&one->tile), window = run_tile_window(&one->tile);
    for (int y = own.y - 1; y <= own.y + own.height; y++)
        for (int x = own.x - 1; x <= own.x + own.width; x++) {
            const bool inside = x >= own.x && x < own.x + own.width && y >= own.y && y < own.y + own.height;
            if (inside || x < window.x || y < window.y || x >= window.x + window.width || y >= window.y + window.height)
                continue;
            const double apart = difference(tile_at(map, &window, x, y), *whole_at(join, join->whole->values, x, y));
            sums->sum += apart, sums->cells++;
            if (apart > sums->seams.largest) sums->seams = (join_seams){apart, 0, x, y};
        }
}

typedef void use_map(join *join, const joined_tile *one, const wadi_raster *map, seam_sums *sums);

static void use_own(join *join, const joined_tile *one, const wadi_raster *map, seam_sums *sums) {
    (void)sums;
    place_own(join, one, map);
}
static void use_seam(join *join, const joined_tile *one, const wadi_raster *map, seam_sums *sums) {
    compare(join, one, map, sums);
}
static void use_blend(join *join, const joined_tile *one, const wadi_raster *map, seam_sums *sums) {
    (void)sums;
    blend(join, one, map);
}

/* One tile is in memory at a time. */
static wadi_status for_tiles(join *join, const char *name, use_map *use, seam_sums *sums) {
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < join->count && status == WADI_OK; i++) {
        wadi_raster *map = NULL;
        status = read_map(&join->tiles[i], name, &map);
        if (status == WADI_OK) status = make_whole(join, map);
        if (status == WADI_OK) use(join, &join->tiles[i], map, sums);
        wadi_raster_destroy(map);
    }
    return status;
}

static size_t cells_of(const join *join) { return (size_t)join->whole->width * (size_t)join->whole->height; }

static wadi_status blend_all(join *join, const char *name) {
    const size_t cells = cells_of(join);
    join->weights = run_cells_new(cells);
    if (!join->weights) return WADI_ERROR_MEMORY;
    for (size_t i = 0; i < cells; i++) join->whole->values[i] = 0;
    const wadi_status status = for_tiles(join, name, use_blend, NULL);
    for (size_t i = 0; i < cells; i++) join->whole->values[i] /= join->weights[i];
    run_cells_free(join->weights);
    join->weights = NULL;
    return status;
}

static wadi_status check_seams(const join *join, const char *name, const join_seams *seams) {
    if (isinf(seams->largest))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: has no data in one of two tiles at cell (%d, %d)", name, seams->x,
                         seams->y);
    if (!join->done->exact || !(seams->largest > 0)) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT,
                     "%s: tiles that should be exact differ by %.3g at cell (%d, %d): a map was changed after its run",
                     name, seams->largest, seams->x, seams->y);
}

/* --- the folder --- */

/* JSON has no other numbers. */
static json_t *finite(double number) { return isfinite(number) ? json_real(number) : json_null(); }

static wadi_status note_output(join *join, const char *name, const char *file) {
    char hex[65];
    wadi_field_sha256(join->whole->values, cells_of(join), hex);
    const wadi_range range = wadi_range_of(join->whole->values, cells_of(join));
    json_t *output =
        json_pack("{s:s, s:s, s:o, s:o, s:s}", "path", file, "sha256", hex, "minimum", finite((double)range.minimum),
                  "maximum", finite((double)range.maximum), "sample", "float32");
    return output && json_object_set_new(join->outputs, name, output) == 0
               ? WADI_OK
               : wadi_fail(WADI_ERROR_MEMORY, "not enough memory for " RUN_JSON);
}

static wadi_status write_map(join *join, const char *name) {
    const wadi_format format = run_maps_float_format(join->whole->format);
    wadi_write_options how = {.format = format, .sample = WADI_SAMPLE_FLOAT32};
    if (strcmp(name, "height") != 0) how = run_maps_write_options(format, name);
    char *file = run_text_format("%s.%s", name, wadi_format_extension(format));
    char *path = file ? run_text_join(join->staging, file) : NULL;
    wadi_status status = path ? wadi_raster_write(path, join->whole, &how) : WADI_ERROR_MEMORY;
    if (status == WADI_OK) status = note_output(join, name, file);
    free(file);
    free(path);
    return status;
}

static wadi_status join_map(join *join, const char *name) {
    seam_sums sums = {0};
    wadi_status status = for_tiles(join, name, use_own, NULL);
    if (status == WADI_OK) status = for_tiles(join, name, use_seam, &sums);
    if (status == WADI_OK) status = check_seams(join, name, &sums.seams);
    sums.seams.mean = sums.cells > 0 ? sums.sum / sums.cells : 0;
    if (strcmp(name, "height") == 0) join->done->seams = sums.seams;
    if (status == WADI_OK && join->feather > 0) status = blend_all(join, name);
    if (status == WADI_OK) status = write_map(join, name);
    join->done->maps++;
    return status;
}

static bool all_have(const join *join, const char *name) {
    bool all = true;
    for (size_t i = 0; i < join->count; i++)
        all = all && json_object_get(json_object_get(join->tiles[i].root, "outputs"), name);
    return all;
}

static wadi_status join_maps(join *join) {
    wadi_status status = join_map(join, "height");
    for (int i = 0; run_maps_at(i) != NULL && status == WADI_OK; i++)
        if (all_have(join, run_maps_at(i)->name)) status = join_map(join, run_maps_at(i)->name);
    return status;
}

/* The first tile's, without what is of a tile alone. */
static json_t *manifest_of(const join *join) {
    static const char *const of_a_tile[] =
        {"tile",  "mass",   "score", "realism", "wall_s", "cell_steps_per_s", "peak_memory_bytes",
         "video", "series", NULL},
                             *const of_recipe[] = {"tile", "margin", NULL};
    json_t *root = json_deep_copy(join->tiles->root), *first = join->tiles->root;
    if (!root) return NULL;
    run_join_drop(root, of_a_tile);
    run_join_drop(json_object_get(root, "recipe"), of_recipe);
    json_t *sea = json_object_get(json_object_get(first, "realism"), "sea_m");
    bool good = json_object_set_new(root, "size", json_pack("[i,i]", join->whole->width, join->whole->height)) == 0;
    if (sea) good = good && json_object_set_new(root, "realism", json_pack("{s:O}", "sea_m", sea)) == 0;
    good = good && json_object_set(root, "outputs", join->outputs) == 0;
    json_t *joined =
        json_pack("{s:[i,i], s:b, s:i, s:o, s:o}", "tiles", join->tiles->tile.columns, join->tiles->tile.rows, "exact",
                  join->done->exact, "feather", join->feather, "largest_difference_m",
                  finite(join->done->seams.largest), "mean_difference_m", finite(join->done->seams.mean));
    good = json_object_set_new(root, "joined", joined) == 0 && good;
    if (good) return root;
    json_decref(root);
    return NULL;
}

static int write_text(const char *text, size_t size, void *file) {
    FILE *const to = file;
    return fwrite(text, 1, size, to) == size ? 0 : -1;
}

static wadi_status write_manifest(const join *join) {
    char *path = run_text_join(join->staging, RUN_JSON);
    json_t *root = path ? manifest_of(join) : NULL;
    FILE *file = root ? platform_open(path, "w") : NULL;
    bool good = file && json_dump_callback(root, write_text, file, JSON_INDENT(2)) == 0 && platform_sync(file) == 0;
    if (file) good = fclose(file) == 0 && good;
    const wadi_status status =
        good ? WADI_OK
             : wadi_fail(root ? WADI_ERROR_IO : WADI_ERROR_MEMORY, "%s: cannot be written", path ? path : RUN_JSON);
    json_decref(root);
    free(path);
    return status;
}

static wadi_status write_folder(join *join, const char *folder) {
    wadi_status status = run_staging_open(folder, &join->staging);
    if (status != WADI_OK) return status;
    status = join_maps(join);
    if (status == WADI_OK) status = write_manifest(join);
    if (status == WADI_OK) status = run_staging_publish(folder, join->staging);
    run_staging_discard(join->staging);
    return status;
}

/* It is of the run that was there: it would go on over the joined map. */
static wadi_status remove_checkpoint(const char *folder) {
    char *path = run_text_join(folder, CHECKPOINT);
    if (!path) return WADI_ERROR_MEMORY;
    const int error = platform_exists(path) ? platform_remove_file(path) : 0;
    const wadi_status status =
        error ? wadi_fail(WADI_ERROR_IO, "%s: cannot be removed: %s", path, strerror(error)) : WADI_OK;
    free(path);
    return status;
}

static wadi_status fill_folder(join *join, const char *folder, bool force) {
    folder_hold *hold = NULL;
    wadi_status status = run_folder_take(folder, force, &hold);
    if (status != WADI_OK) return status;
    status = write_folder(join, folder);
    if (status == WADI_OK) run_folder_begun(hold);
    if (status == WADI_OK) status = remove_checkpoint(folder);
    run_folder_leave(hold);
    return status;
}

/* --- the folder of the tiles --- */

static void add_run(void *context, const char *name) {
    folders *found = context;
    char *path = found->status == WADI_OK ? run_text_join(found->in, name) : NULL;
    if (found->status != WADI_OK) return;
    if (path && (!platform_is_folder(path) || !run_folder_is_run(path))) {
        free(path);
        return;
    }
    found->status = run_text_list_take(&found->runs, path);
}

static wadi_status find_runs(folders *found) {
    const int error = platform_list(found->in, add_run, found);
    if (error) return wadi_fail(WADI_ERROR_ARGUMENT, "%s: cannot be read: %s", found->in, strerror(error));
    if (found->status != WADI_OK || found->runs.count > 0) return found->status;
    return refuse_none(found->in);
}

/* By its run.json, for a folder has several paths. */
static bool is_tile_of(const join *join, const char *folder) {
    json_t *root = NULL;
    bool any = false;
    if (!run_folder_has(folder, RUN_JSON) || run_read_manifest(folder, &root) != WADI_OK) return false;
    for (size_t i = 0; i < join->count; i++) any = any || json_equal(root, join->tiles[i].root);
    json_decref(root);
    return any;
}

static wadi_status join_runs(join *join, const folders *found, const char *folder, bool force) {
    join->tiles = run_array_new(found->runs.count, sizeof *join->tiles);
    join->outputs = json_object();
    if (!join->tiles || !join->outputs) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the tiles");
    const wadi_status status = read_tiles(join, found);
    if (status != WADI_OK) return status;
    if (is_tile_of(join, folder))
        return wadi_fail(WADI_ERROR_ARGUMENT, "-o %s: is one of the tiles; name another folder", folder);
    join->done->tiles = join->count;
    join->done->width = join->tiles->tile.width, join->done->height = join->tiles->tile.height;
    return fill_folder(join, folder, force);
}

wadi_status run_join(const char *tiles, int feather, const char *folder, bool force, join_done *done) {
    join join = {.feather = feather, .done = done};
    folders found = {.in = tiles};
    *done = (join_done){0};
    wadi_status status = run_folder_check(folder, force);
    if (status == WADI_OK) status = find_runs(&found);
    if (status == WADI_OK) status = join_runs(&join, &found, folder, force);
    for (size_t i = 0; join.tiles && i < join.count; i++) json_decref(join.tiles[i].root);
    json_decref(join.outputs);
    wadi_raster_destroy(join.whole);
    free(join.tiles);
    run_text_list_free(&found.runs);
    return status;
}
#else
wadi_status run_join(const char *tiles, int feather, const char *folder, bool force, join_done *done) {
    (void)feather, (void)folder, (void)force;
    *done = (join_done){0};
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: tiles cannot be joined: build with jansson (on Debian: libjansson-dev)",
                     tiles);
}
#endif
