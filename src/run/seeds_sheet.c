/* seeds_sheet.c: the picture of all variations. The runs are read twice: their scales first, so that all have one. */
#include "seeds.h"

#include "array.h"
#include "folder.h"
#include "message.h"
#include "run_read.h"
#include "text.h"

#include "wadi/analysis.h"
#include "wadi/render.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 360 }; /* pixels of a picture's longer side */

/* A finished run: its height, water and ice (NULL: none was written). */
typedef struct variation {
    wadi_raster *height, *water, *ice;
    wadi_ground ground;
} variation;

typedef struct sheet {
    const char *set;
    const seed_range *seeds;
    wadi_view view; /* of all runs, without their maps */
    char first[65]; /* the hash of the first run's height */
    bool alike;
    wadi_picture **pictures;
    char (*labels)[32];
} sheet;

static void free_variation(variation *variation) {
    wadi_raster_destroy(variation->height);
    wadi_raster_destroy(variation->water);
    wadi_raster_destroy(variation->ice);
}

static wadi_status read_variation(const sheet *sheet, size_t index, variation *read) {
    *read = (variation){0};
    char *folder = run_seeds_folder(sheet->set, sheet->seeds, sheet->seeds->first + index);
    wadi_status status = folder ? run_read_field(folder, "height", &read->height) : WADI_ERROR_MEMORY;
    if (status == WADI_OK && run_folder_has_field(folder, "water"))
        status = run_read_map(folder, "water", read->height, &read->water);
    if (status == WADI_OK && run_folder_has_field(folder, "ice"))
        status = run_read_map(folder, "ice", read->height, &read->ice);
    if (status == WADI_OK) status = run_read_ground(folder, &read->ground);
    free(folder);
    return status;
}

/* --- one scale for all --- */

static wadi_view view_of(const sheet *sheet, const variation *variation) {
    const wadi_raster *height = variation->height;
    wadi_view view = wadi_default_view(height->width, height->height, height->lx, height->ly, height->values);
    const double cell = fmin(height->lx, height->ly);
    view.scale = SIDE / fmax(height->width * (height->lx / cell), height->height * (height->ly / cell));
    view.water = variation->water ? variation->water->values : NULL;
    view.ice = variation->ice ? variation->ice->values : NULL;
    view.ground = variation->ground;
    view.decorate = false;
    view.threads = sheet->view.threads;
    return view;
}

static void note_hash(sheet *sheet, size_t index, const wadi_raster *height) {
    char hex[65];
    wadi_field_sha256(height->values, (size_t)height->width * (size_t)height->height, hex);
    if (index == 0) memcpy(sheet->first, hex, sizeof hex);
    sheet->alike = index == 0 || (sheet->alike && strcmp(hex, sheet->first) == 0);
}

/* From the lowest of all heights to the highest; the rest is the mean of what each run alone would have. */
static wadi_status measure(sheet *sheet, size_t index, const variation *variation) {
    wadi_view own = view_of(sheet, variation), *all = &sheet->view;
    const double share = 1.0 / (double)run_seeds_count(sheet->seeds);
    const wadi_status status = wadi_view_settle(&own);
    all->height_low = index == 0 ? own.height_low : fmin(all->height_low, own.height_low);
    all->height_high = index == 0 ? own.height_high : fmax(all->height_high, own.height_high);
    all->height_middle += share * own.height_middle;
    all->exaggeration += share * own.exaggeration;
    all->deep_m += share * own.deep_m;
    all->thick_m += share * own.thick_m;
    note_hash(sheet, index, variation->height);
    return status;
}

/* --- pictures --- */

static wadi_status draw(sheet *sheet, size_t index, const variation *variation) {
    const wadi_view *all = &sheet->view;
    wadi_view view = view_of(sheet, variation);
    view.height_low = all->height_low, view.height_high = all->height_high, view.height_middle = all->height_middle;
    view.exaggeration = all->exaggeration, view.deep_m = all->deep_m, view.thick_m = all->thick_m;
    snprintf(sheet->labels[index], sizeof *sheet->labels, "seed %" PRIu64, sheet->seeds->first + index);
    return wadi_render_map(&view, &sheet->pictures[index]);
}

static wadi_status for_each(sheet *sheet, wadi_status (*act)(struct sheet *, size_t, const variation *)) {
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < run_seeds_count(sheet->seeds) && status == WADI_OK; i++) {
        variation variation;
        status = read_variation(sheet, i, &variation);
        if (status == WADI_OK) status = act(sheet, i, &variation);
        free_variation(&variation);
    }
    return status;
}

static wadi_status write(const sheet *sheet) {
    const int count = (int)run_seeds_count(sheet->seeds);
    const char *labels[MOST_SEEDS];
    for (int i = 0; i < count; i++) labels[i] = sheet->labels[i];
    wadi_picture *whole;
    wadi_status status = wadi_render_sheet((const wadi_picture *const *)sheet->pictures, labels, count, &whole);
    char *path = run_text_join(sheet->set, SEEDS_SHEET);
    if (!path) status = WADI_ERROR_MEMORY;
    if (status == WADI_OK) status = wadi_picture_write(path, whole->rgb, whole->width, whole->height);
    free(path);
    wadi_picture_destroy(whole);
    return status;
}

wadi_status run_seeds_draw(const char *set, const seed_range *seeds, int threads, bool *alike) {
    const size_t count = run_seeds_count(seeds);
    const char *missing;
    sheet sheet = {.set = set,
                   .seeds = seeds,
                   .view.threads = threads,
                   .pictures = run_array_new(count, sizeof *sheet.pictures),
                   .labels = run_array_new(count, sizeof *sheet.labels)};
    const bool can_draw = wadi_format_available(WADI_FORMAT_PNG, &missing);
    wadi_status status = sheet.pictures && sheet.labels ? WADI_OK : WADI_ERROR_MEMORY;
    if (status == WADI_OK) status = for_each(&sheet, measure);
    if (!can_draw) run_message_note("no " SEEDS_SHEET ": %s", missing);
    if (status == WADI_OK && can_draw) status = for_each(&sheet, draw);
    if (status == WADI_OK && can_draw) status = write(&sheet);
    for (size_t i = 0; sheet.pictures && i < count; i++) wadi_picture_destroy(sheet.pictures[i]);
    free(sheet.pictures);
    free(sheet.labels);
    *alike = sheet.alike;
    return status;
}
