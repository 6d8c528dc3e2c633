/* River sources from CSV files that anybody may have written: read, and placed in a terrain. */
#include "as_file.h"
#include "run/sources.h"

#include "run/sources.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    source_rows rows = {0};
    const wadi_status status = run_sources_read(as_file("springs.csv", bytes, count), &rows);
    if (status != WADI_OK && status != WADI_ERROR_ARGUMENT && status != WADI_ERROR_FORMAT) abort();
    if (status == WADI_OK && rows.count == 0) abort();
    wadi_raster *raster;
    if (wadi_raster_create(20, 10, &raster) != WADI_OK) abort();
    for (int pixel = 0; status == WADI_OK && pixel < 2; pixel++) {
        wadi_source *sources = NULL;
        raster->has_georef = true;
        for (int i = 0; i < 6; i++) raster->georef.transform[i] = (double[]){100, 10, 0, 200, 0, -10}[i];
        if (run_sources_place(&rows, "springs.csv", pixel != 0, raster, &sources) == WADI_OK)
            for (size_t i = 0; i < rows.count; i++)
                if (!(sources[i].x >= 0 && sources[i].x < 20 && sources[i].y >= 0 && sources[i].y < 10)) abort();
        free(sources);
    }
    wadi_raster_destroy(raster);
    free(rows.rows);
    return 0;
}
