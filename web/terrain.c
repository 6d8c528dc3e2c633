/* terrain.c: the starting terrain: generated, or from the samples of a file that the page has unpacked. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "web/page.h"

page_terrain page_ground, page_next;

/* A square of so many cells. world_m is the length of its side. */
PAGE_CALL bool page_generate(const char *kind, int size, double world_m, double seed) {
    wadi_terrain terrain = wadi_default_terrain(kind, size, size);
    terrain.lx = terrain.ly = world_m / size;
    terrain.seed = (uint64_t)seed;
    float *heights = malloc(sizeof *heights * (size_t)size * (size_t)size);
    if (heights == NULL)
        return wadi_fail(WADI_ERROR_MEMORY, "there is no memory for a terrain of %d x %d cells", size, size), false;
    if (wadi_terrain_generate(&terrain, heights) != WADI_OK) {
        free(heights);
        return false;
    }
    free(page_next.start);
    page_next = (page_terrain){.width = size, .height = size, .lx = terrain.lx, .ly = terrain.ly, .start = heights};
    return true;
}

/* Samples as the library reads them from a RAW file: "r16", or "r32" in metres. So the page takes them for the same
 * heights as the command. Of r16, 0 and 65535 are low_m and high_m; equal: the file does not say. lx 0: the file does
 * not say. nodata NaN: none. */
PAGE_CALL bool page_take(const char *name, const char *kind, const void *bytes, size_t count, int width, int height,
                         double lx, double ly, double nodata, double low_m, double high_m) {
    char file[256];
    snprintf(file, sizeof file, "%.200s.%s", name, kind);
    wadi_read_options options = {.width = width, .height = height, .lx = lx, .ly = ly};
    if (!isnan(nodata)) options.nodata_count = 1, options.nodata[0] = nodata;
    if (high_m > low_m) options.has_range = true, options.low = low_m, options.high = high_m;
    wadi_raster *raster;
    if (wadi_raster_read_memory(bytes, count, file, &options, &raster) != WADI_OK) return false;
    free(page_next.start);
    page_next = (page_terrain){.width = raster->width, .height = raster->height, .lx = raster->lx, .ly = raster->ly};
    page_next.start = raster->values;
    snprintf(page_next.remarks, sizeof page_next.remarks, "%s%s",
             raster->cell_assumed ? "Its cells are taken to measure 1 m. " : "",
             raster->scale_assumed ? "Its heights are taken to span a fifth of its longer side." : "");
    raster->values = NULL;
    wadi_raster_destroy(raster);
    return true;
}

PAGE_CALL const char *page_terrain_facts(void) {
    const page_terrain *g = &page_ground;
    float low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < (size_t)g->width * (size_t)g->height; i++) {
        low = fminf(low, g->start[i]);
        high = fmaxf(high, g->start[i]);
    }
    json out = page_json_begin();
    run_json_object(&out, NULL);
    run_json_integer(&out, "width", g->width);
    run_json_integer(&out, "height", g->height);
    run_json_number(&out, "lx", g->lx);
    run_json_number(&out, "ly", g->ly);
    run_json_number(&out, "low", (double)low);
    run_json_number(&out, "high", (double)high);
    run_json_text(&out, "remarks", g->remarks);
    run_json_end(&out);
    return page_json_end();
}
