#include "run_start.h"

#include "backend.h"
#include "folder.h"
#include "message.h"
#include "run_options.h"
#include "run_stages.h"
#include "run_state.h"
#include "run_video.h"
#include "text.h"

#include <stdlib.h>

wadi_status run_check_backend(const run_options *given) {
    const backend_args *on = &given->on;
    wadi_status status = run_at(given, &on->backend, backend_check(on));
    if (status == WADI_OK) status = run_at(given, &on->device, backend_check_device(on));
    return status != WADI_OK ? status : run_at(given, &on->arithmetic, backend_check_arithmetic(on));
}

void run_free(run *run) {
    run_video_free(run->video);
    folder_leave(run->hold); /* after the video, whose file may be in the folder */
    for (size_t i = 0; i < run->stage_count; i++) run_stage_free(&run->stages[i]);
    free(run->stages);
    wadi_raster_destroy(run->raster);
    free(run->hard);
    run_inputs_free(&run->plan.inputs);
    free(run->plan.z_unit);
    text_list_free(&run->plan.generator);
    text_list_free(&run->plan.command);
}
