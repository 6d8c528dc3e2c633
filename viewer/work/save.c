/* save.c: writes the file of work, and the recipe of what was done. */
#include "viewer/work/save.h"

#include "run/array.h"
#include "run/checkpoint_writer.h"
#include "run/folder.h"
#include "run/recipe_write.h"

#include <stdlib.h>

/* Undone actions are saved too, up to the first packed stage: only its recipe knows how to begin it. */
wadi_status work_save(const work *work, const char *path) {
    run now = work->run;
    const wadi_status early = work_check_levels(work);
    if (early != WADI_OK) return early;
    for (size_t i = now.plan.stage + 1; i < now.stage_count; i++)
        if (work->fresh[i].size) now.stage_count = i;
    now.plan.steps = 0;
    for (size_t i = 0; i < now.stage_count; i++) now.plan.steps += now.stages[i].steps;
    folder_hold *hold;
    wadi_status status = run_folder_hold_checkpoint(path, &hold);
    if (status == WADI_OK) status = run_checkpoint_write_file(&now, path);
    run_folder_leave(hold);
    return status;
}

/* As if the work ended now, without undone actions. */
wadi_status work_write_recipe(const work *work, const char *path) {
    run now = work->run;
    const wadi_status early = work_check_levels(work);
    if (early != WADI_OK) return early;
    now.stages = run_array_copy(now.stages, now.stage_count, sizeof *now.stages);
    if (!now.stages) return WADI_ERROR_MEMORY;
    run_stage *last = &now.stages[now.plan.stage];
    now.stage_count = now.plan.stage + 1;
    last->steps = wadi_sim_steps(now.sim);
    last->events.count = last->events_done;
    const wadi_status status = run_recipe_write_file(&now, path);
    free(now.stages);
    return status;
}
