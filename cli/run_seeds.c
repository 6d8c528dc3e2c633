#include "run_seeds.h"

#include "report.h"
#include "run_task.h"

#include "run/fail.h"
#include "run/folder.h"
#include "run/json.h"
#include "run/message.h"
#include "run/run_resume.h"
#include "run/run_start.h"
#include "run/seeds.h"
#include "run/text.h"

#include "platform/platform.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The variations at work. */
typedef struct variations {
    const seeds_call *call;
    seed_range seeds;
    char *set;         /* the folder of all; owned */
    folder_hold *hold; /* of it; owned */
    recipe first;      /* of the first seed: where it is computed is the same for all; owned */
    bool interrupted;
} variations;

bool run_seeds_wanted(const run_options *given) {
    return given->seeds || (given->resume && run_seeds_are_in(given->resume));
}

/* --- options that do not go with it --- */

static wadi_status refuse_any(const seeds_call *call, const char *const *names, const char *why) {
    for (; *names; names++)
        if (option_set_has(call->arguments->given, run_option_index(*names)))
            return wadi_fail(WADI_ERROR_ARGUMENT, "--%s: %s", *names, why);
    return WADI_OK;
}

static wadi_status check_new(const seeds_call *call) {
    static const char *const others[] = {"seed", "resume", "dry-run", "force", "video", NULL};
    return refuse_any(call, others, "does not go with --seeds");
}

static wadi_status check_resumed(const seeds_call *call) {
    static const char *const others[] = {"steps", "time", "video", NULL};
    if (call->arguments->count > 0)
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "--resume takes no INPUT: each run folder holds what it was started with");
    const wadi_status status = run_check_with_resume(call->arguments->given);
    if (status != WADI_OK) return status;
    return refuse_any(call, others, "the folder holds several runs; resume one of its folders");
}

/* --- a recipe for each seed --- */

/* As if --seed were given, and the terrain's too. A layer or a stage that names a seed keeps it. */
static wadi_status read_recipe(const seeds_call *call, uint64_t seed, const char *folder, recipe *recipe) {
    run_options given = *call->given;
    arguments arguments = *call->arguments;
    given.seed = seed, given.output = folder;
    option_set_add(&arguments.given, run_option_index("seed"));
    const wadi_status status = call->read(&given, &arguments, recipe);
    if (status != WADI_OK) return status;
    if (recipe->top.video) return wadi_fail(WADI_ERROR_ARGUMENT, "video: does not go with --seeds; leave it out");
    return recipe->generated.kind ? run_generated_seed(&recipe->generated, seed) : WADI_OK;
}

static wadi_status check_folder(const char *set) {
    if (!run_seeds_are_in(set)) return run_folder_check(set, false);
    return wadi_fail(WADI_ERROR_ARGUMENT,
                     "-o %s: the folder holds variations; wadi run --resume %s goes on with them, -o names another",
                     set, set);
}

/* Finds what is wrong with the first run while there is no folder yet, and how the folder is called. */
static wadi_status check_first(variations *all) {
    const char *given = all->call->given->output;
    recipe *recipe = &all->first;
    run run = {0};
    wadi_status status = given ? check_folder(given) : WADI_OK;
    if (status == WADI_OK) status = read_recipe(all->call, all->seeds.first, given, recipe);
    if (status == WADI_OK) status = run_prepare(recipe, &run);
    if (status == WADI_OK) all->set = given ? run_text_copy(given) : run_text_format("%s-seeds", run.folder);
    if (status == WADI_OK && !all->set) status = WADI_ERROR_MEMORY;
    if (status == WADI_OK) status = check_folder(all->set);
    if (status == WADI_OK && recipe->input)
        run_message_note("the terrain of all seeds is %s; they vary random rain, and hardness made from the height",
                         recipe->input);
    run_free(&run);
    return status;
}

static wadi_status begin_one(const variations *all, uint64_t seed) {
    const seeds_call *call = all->call;
    recipe recipe = {0};
    run run = {0};
    char *folder = run_seeds_folder(all->set, &all->seeds, seed);
    wadi_status status = folder ? run_note_command(call->argc, call->argv, &run) : WADI_ERROR_MEMORY;
    if (status == WADI_OK) status = read_recipe(call, seed, folder, &recipe);
    if (status == WADI_OK) status = run_prepare(&recipe, &run);
    if (status == WADI_OK) status = run_begin(&run, false);
    run_free(&run);
    run_recipe_free(&recipe);
    free(folder);
    return status;
}

/* --- all of them --- */

/* What has begun is worth nothing before the first step. */
static void remove_begun(const variations *all) {
    for (uint64_t i = 0; i < run_seeds_count(&all->seeds); i++) {
        char *folder = run_seeds_folder(all->set, &all->seeds, all->seeds.first + i);
        if (folder && platform_is_folder(folder)) platform_remove_tree(folder);
        free(folder);
    }
}

/* An interruption here leaves nothing. */
static wadi_status begin_all(variations *all) {
    wadi_status status = run_folder_take(all->set, false, &all->hold);
    if (status != WADI_OK) return status;
    platform_catch_interrupts();
    report_set_quiet(true); /* the notes of the first were said */
    for (uint64_t i = 0; i < run_seeds_count(&all->seeds) && status == WADI_OK && !all->interrupted; i++) {
        status = begin_one(all, all->seeds.first + i);
        all->interrupted = platform_interrupted();
    }
    report_set_quiet(all->call->given->quiet);
    if (status == WADI_OK && !all->interrupted) status = run_seeds_write(all->set, &all->seeds);
    if (status == WADI_OK && !all->interrupted) {
        run_folder_begun(all->hold);
        return WADI_OK;
    }
    remove_begun(all);
    if (status == WADI_OK) report_line("interrupted before the first step; nothing is left");
    return status;
}

/* *finished: it has its results already. To hold the folder puts results in place that are complete. */
static wadi_status find_finished(const char *folder, bool *finished) {
    folder_hold *hold = NULL;
    const wadi_status status = run_fail_as_input(run_folder_hold_take(folder, folder, false, &hold));
    run_folder_leave(hold);
    *finished = run_folder_has(folder, RUN_JSON);
    return status;
}

static wadi_status go_on_in(variations *all, char *folder) {
    run_options given = *all->call->given;
    run_task task = {.words = {.json = given.json, .quiet = given.quiet, .set = all->set}};
    given.resume = folder;
    if (given.seeds) given.on = all->first.top.on, given.threads = all->first.top.threads;
    report_set_quiet(given.quiet || given.seeds); /* no "going on" in what has just begun */
    wadi_status status = run_resume(&given, &task.run);
    report_set_quiet(given.quiet);
    if (status == WADI_OK) status = run_go_on(&task.run);
    if (status == WADI_OK) status = run_task_finish(&task);
    all->interrupted = task.interrupted;
    run_free(&task.run);
    return status;
}

/* An interruption while a run writes its results comes too late for that run. */
static wadi_status check_interrupted(variations *all) {
    if (all->interrupted || !platform_interrupted()) return WADI_OK;
    all->interrupted = true;
    report_line("interrupted; wadi run --resume %s goes on", all->set);
    return WADI_OK;
}

static wadi_status finish_one(variations *all, uint64_t seed) {
    char *folder = run_seeds_folder(all->set, &all->seeds, seed);
    bool finished = false;
    wadi_status status = folder ? find_finished(folder, &finished) : WADI_ERROR_MEMORY;
    if (status == WADI_OK && !finished) status = go_on_in(all, folder);
    free(folder);
    return status == WADI_OK ? check_interrupted(all) : status;
}

static void say_sheet(const variations *all, const char *path) {
    if (all->call->given->json) {
        json json = run_json_to(stdout, true);
        run_json_object(&json, NULL);
        run_json_text(&json, "event", "seeds");
        run_json_text(&json, "folder", all->set);
        run_json_integer(&json, "runs", (int64_t)run_seeds_count(&all->seeds));
        run_json_text(&json, "sheet", path);
        run_json_end(&json);
    } else if (!all->call->given->quiet) {
        printf("%s: %zu runs%s%s\n", as_shown(all->set), run_seeds_count(&all->seeds),
               path ? ", and all of them in " : "", path ? as_shown(path) : "");
    }
}

static wadi_status draw_all(const variations *all) {
    bool alike;
    wadi_status status = run_seeds_draw(all->set, &all->seeds, (int)all->call->given->threads, &alike);
    if (status != WADI_OK) return run_fail_while_running(status);
    if (alike && run_seeds_count(&all->seeds) > 1)
        run_message_warn("all seeds have the same height: nothing in these runs is random");
    char *path = run_text_join(all->set, SEEDS_SHEET);
    if (!path) return WADI_ERROR_MEMORY;
    say_sheet(all, run_folder_has(all->set, SEEDS_SHEET) ? path : NULL);
    free(path);
    return WADI_OK;
}

static wadi_status finish_all(variations *all) {
    wadi_status status = WADI_OK;
    platform_catch_interrupts();
    for (uint64_t i = 0; i < run_seeds_count(&all->seeds) && status == WADI_OK && !all->interrupted; i++)
        status = finish_one(all, all->seeds.first + i);
    return status != WADI_OK || all->interrupted ? status : draw_all(all);
}

static wadi_status begin_new(variations *all) {
    wadi_status status = check_new(all->call);
    if (status == WADI_OK) status = run_seeds_parse(all->call->given->seeds, &all->seeds);
    if (status == WADI_OK) status = check_first(all);
    return status == WADI_OK ? begin_all(all) : status;
}

static wadi_status open_old(variations *all) {
    wadi_status status = check_resumed(all->call);
    all->set = run_text_copy(all->call->given->resume);
    char *what = run_text_format("--resume %s", all->call->given->resume);
    if (!all->set || !what) status = WADI_ERROR_MEMORY;
    if (status == WADI_OK) status = run_fail_as_input(run_folder_hold_take(what, all->set, false, &all->hold));
    if (status == WADI_OK) status = run_seeds_read(all->set, &all->seeds);
    free(what);
    return status;
}

wadi_status run_seeds_all(const seeds_call *call, bool *interrupted) {
    variations all = {.call = call};
    wadi_status status = call->given->seeds ? begin_new(&all) : open_old(&all);
    if (status == WADI_OK && !all.interrupted) status = finish_all(&all);
    *interrupted = all.interrupted;
    run_folder_leave(all.hold);
    run_recipe_free(&all.first);
    free(all.set);
    return status;
}
