#include "preview.h"

#include "message.h"
#include "run_carry.h"
#include "run_state.h"
#include "text.h"

#include <inttypes.h>

char *run_picture_title(const run *run) {
    const char *preset = run_fine_count(run) == 1 ? run_fine_stages(run)->preset : NULL;
    return run_text_format("%s%s%s, %" PRId64 " steps", run_title(run), preset && *preset ? ", " : "",
                           preset ? preset : "", run->plan.done);
}

wadi_status run_picture_fields(const run *run, float *heights) {
    const wadi_status status = run_get(run, "height", heights);
    return status != WADI_OK ? status : run_get(run, "water", run->raster->values);
}

wadi_view run_picture_view(const run *run, const float *heights) {
    const wadi_raster *raster = run->raster;
    wadi_view view = wadi_default_view(raster->width, raster->height, raster->lx, raster->ly, heights);
    view.water = raster->values;
    view.ground = run->plan.ground;
    view.threads = wadi_sim_threads(run->sim);
    return view;
}
