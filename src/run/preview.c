#include "preview.h"

#include "message.h"
#include "run_state.h"
#include "text.h"

#include <inttypes.h>

char *run_picture_title(const run *run) {
    const char *preset = run->stage_count == 1 ? run->stages[0].preset : NULL;
    return run_text_format("%s%s%s, %" PRId64 " steps", run_title(run), preset && *preset ? ", " : "",
                           preset ? preset : "", run->plan.done);
}

wadi_status run_picture_fields(const run *run, float *heights) {
    const size_t cells = (size_t)run->raster->width * (size_t)run->raster->height;
    wadi_status status = wadi_sim_get(run->sim, "height", heights, cells);
    return status != WADI_OK ? status : wadi_sim_get(run->sim, "water", run->raster->values, cells);
}

wadi_view run_picture_view(const run *run, const float *heights) {
    const wadi_raster *raster = run->raster;
    wadi_view view = wadi_default_view(raster->width, raster->height, raster->lx, raster->ly, heights);
    view.water = raster->values;
    view.threads = wadi_sim_threads(run->sim);
    return view;
}
