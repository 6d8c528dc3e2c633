#include "export_target.h"

#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const export_target targets[] = {
#define TARGET(name_, ...) {.name = #name_, __VA_ARGS__},
#include "export_targets.def"
#undef TARGET
};
enum { TARGETS = sizeof targets / sizeof *targets };

const export_target *run_export_target_at(size_t index) { return index < TARGETS ? &targets[index] : NULL; }

const char *const run_export_target_names[] = {
#define TARGET(name_, ...) #name_,
#include "export_targets.def"
#undef TARGET
    NULL};

/* --- sizes --- */

static const int unreal_sizes[] = {127, 253, 505, 1009, 2017, 4033, 8129};
static const int power_sizes[] = {33, 65, 129, 257, 513, 1025, 2049, 4097, 8193};

static const int *sizes_of(tile_sizes sizes, size_t *count) {
    *count =
        sizes == SIZES_UNREAL ? sizeof unreal_sizes / sizeof *unreal_sizes : sizeof power_sizes / sizeof *power_sizes;
    return sizes == SIZES_UNREAL ? unreal_sizes : power_sizes;
}

/* The size that is nearest by its ratio; `most`: none that is larger, or 0 where there is none. */
static int nearest_size(tile_sizes sizes, double wanted, bool most) {
    size_t count;
    const int *list = sizes_of(sizes, &count);
    int best = 0;
    for (size_t i = 0; i < count; i++) {
        if (most && list[i] > wanted) break;
        if (best == 0 || fabs(log(list[i] / wanted)) < fabs(log(best / wanted))) best = list[i];
    }
    return best;
}

static wadi_status refuse_size(const export_target *target, int size) {
    char list[160] = "";
    size_t count;
    const int *sizes = sizes_of(target->sizes, &count);
    for (size_t i = 0; i < count; i++) run_text_add(list, sizeof list, "%s%d", i > 0 ? ", " : "", sizes[i]);
    return wadi_fail(WADI_ERROR_ARGUMENT, "--tile-size %d: %s takes %s", size, target->title, list);
}

static wadi_status check_size(const export_target *target, int size) {
    size_t count;
    const int *sizes = sizes_of(target->sizes, &count);
    bool found = target->sizes == SIZES_ANY;
    for (size_t i = 0; i < count; i++) found |= sizes[i] == size;
    return found ? WADI_OK : refuse_size(target, size);
}

/* Any size: as many samples as there are, in tiles of one size. */
static int any_size(int samples, int tiles, bool crop) {
    const int quads = samples - 1;
    return (crop ? quads / tiles : (quads + tiles - 1) / tiles) + 1;
}

enum { MOST_ALONG = 1 << 20, MOST_TILES = 1 << 16 };

wadi_status run_export_grid(const export_target *target, int width, int height, const int tiles[2], int tile_size,
                            grid_fit fit, export_grid *grid) {
    const bool crop = fit == FIT_CROP;
    *grid = (export_grid){.tiles_x = tiles[0] > 0 ? tiles[0] : 1, .tiles_y = tiles[1] > 0 ? tiles[1] : 1, .fit = fit};
    if ((int64_t)grid->tiles_x * grid->tiles_y > MOST_TILES)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--tiles %dx%d: at most %d tiles can be", grid->tiles_x, grid->tiles_y,
                         MOST_TILES);
    wadi_status status = tile_size > 0 ? check_size(target, tile_size) : WADI_OK;
    if (status != WADI_OK) return status;
    grid->tile_width = grid->tile_height = tile_size;
    if (tile_size == 0 && target->sizes == SIZES_ANY) {
        grid->tile_width = any_size(width, grid->tiles_x, crop);
        grid->tile_height = any_size(height, grid->tiles_y, crop);
    } else if (tile_size == 0) {
        const double x = (width - 1.0) / grid->tiles_x + 1, y = (height - 1.0) / grid->tiles_y + 1;
        grid->tile_width = nearest_size(target->sizes, crop ? fmin(x, y) : fmax(x, y), crop);
        grid->tile_height = grid->tile_width;
    }
    const double across = grid->tiles_x * (grid->tile_width - 1.0) + 1,
                 down = grid->tiles_y * (grid->tile_height - 1.0) + 1;
    if (grid->tile_width < 2 || grid->tile_height < 2 || (crop && (across > width || down > height)))
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "%d x %d tiles for %s do not fit into %d x %d samples; take fewer or smaller ones, or leave "
                         "--fit crop out",
                         grid->tiles_x, grid->tiles_y, target->title, width, height);
    if (across > MOST_ALONG || down > MOST_ALONG || across * down > 0x1p32)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--tiles %dx%d: %.0f x %.0f samples are too many; take fewer tiles",
                         grid->tiles_x, grid->tiles_y, across, down);
    grid->width = (int)across, grid->height = (int)down;
    return WADI_OK;
}
