/* save.c: writes the file of work, and the recipe of what was done. */
#include "viewer/work/save.h"

#include "run/array.h"
#include "run/fail.h"
#include "run/folder.h"
#include "run/recipe.h"

#include "platform/platform.h"

#include "run/checkpoint.h"
#include "run/recipe_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Undone actions are saved too, up to the first packed stage: only its recipe knows how to begin it. */
wadi_status work_save(const work *work, const char *path) {
    run now = work->run;
    for (size_t i = now.plan.stage + 1; i < now.stage_count; i++)
        if (work->fresh[i].size) now.stage_count = i;
    now.plan.steps = 0;
    for (size_t i = 0; i < now.stage_count; i++) now.plan.steps += now.stages[i].steps;
    folder_hold *hold;
    wadi_status status = folder_hold_checkpoint(path, &hold);
    if (status == WADI_OK) status = checkpoint_write_file(&now, path);
    folder_leave(hold);
    return status;
}

/* As if the work ended now, without undone actions. `stages` is a copy of the work's. */
static void write_now(json *json, const work *work, run_stage *stages) {
    run now = work->run;
    now.stages = stages;
    now.stage_count = work->run.plan.stage + 1;
    run_stage *last = &now.stages[now.stage_count - 1];
    last->steps = wadi_sim_steps(work->run.sim);
    last->events.count = last->events_done;
    json_object(json, NULL);
    json_text(json, "wadi", wadi_version());
    recipe_write(json, &now);
    json_end(json);
}

wadi_status work_write_recipe(const work *work, const char *path) {
    platform_new_file made;
    run_stage *stages = array_copy(work->run.stages, work->run.stage_count, sizeof *stages);
    if (!stages) return WADI_ERROR_MEMORY;
    int error = platform_new_file_begin(path, &made);
    if (error == 0) {
        json json = json_to(made.file, false);
        write_now(&json, work, stages);
        error = platform_new_file_end(&made, path, ferror(made.file) ? EIO : 0);
    }
    free(stages);
    return error ? wadi_fail(fail_errno(WADI_ERROR_IO, error), "%s: cannot be written: %s", path, strerror(error))
                 : WADI_OK;
}
