#include "preview.h"

#include "array.h"
#include "message.h"
#include "run_carry.h"
#include "run_state.h"
#include "text.h"

#include <inttypes.h>
#include <string.h>

char *run_picture_title(const run *run) {
    const char *preset = run_fine_count(run) == 1 ? run_fine_stages(run)->preset : NULL;
    return run_text_format("%s%s%s, %" PRId64 " steps", run_title(run), preset && *preset ? ", " : "",
                           preset ? preset : "", run->plan.done);
}

static size_t cells_of(const run *run) { return (size_t)run->raster->width * (size_t)run->raster->height; }

wadi_status run_picture_create(const run *run, run_picture *picture) {
    const bool icy = run_has_ice(run);
    *picture = (run_picture){.heights = run_cells_new(cells_of(run)), .ice = icy ? run_cells_new(cells_of(run)) : NULL};
    if (picture->heights && (picture->ice || !icy)) return WADI_OK;
    run_picture_destroy(picture);
    return WADI_ERROR_MEMORY;
}

void run_picture_destroy(run_picture *picture) {
    run_cells_free(picture->heights);
    run_cells_free(picture->ice);
    *picture = (run_picture){0};
}

wadi_status run_picture_read(const run *run, const run_picture *picture) {
    wadi_status status = run_get(run, "height", picture->heights);
    if (status == WADI_OK && picture->ice && wadi_sim_has(run->sim, "ice"))
        status = run_get(run, "ice", picture->ice);
    else if (picture->ice)
        memset(picture->ice, 0, cells_of(run) * sizeof *picture->ice);
    return status != WADI_OK ? status : run_get(run, "water", run->raster->values);
}

wadi_view run_picture_view(const run *run, const run_picture *picture) {
    const wadi_raster *raster = run->raster;
    wadi_view view = wadi_default_view(raster->width, raster->height, raster->lx, raster->ly, picture->heights);
    view.water = raster->values;
    view.ice = picture->ice;
    view.ground = run->plan.ground;
    view.threads = wadi_sim_threads(run->sim);
    return view;
}
