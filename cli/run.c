/* run.c: wadi run: from the command line to a finished run folder. */
#include "run.h"

#include "progress.h"
#include "run_resume.h"

#include "run/array.h"
#include "run/backend.h"
#include "run/checkpoint.h"
#include "run/escape.h"
#include "run/fail.h"
#include "run/folder.h"
#include "run/json.h"
#include "run/manifest.h"
#include "run/memory.h"
#include "run/message.h"
#include "run/recipe.h"
#include "run/run_inputs.h"
#include "run/run_options.h"
#include "run/run_outputs.h"
#include "run/run_replay.h"
#include "run/run_stages.h"
#include "run/run_start.h"
#include "run/run_state.h"
#include "run/run_video.h"
#include "run/text.h"

#include "platform/openmp.h"
#include "platform/platform.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const command run_command = {
    .name = "run",
    .usage = "INPUT [-o DIR] [--model ID] [--preset NAME] [options]",
    .summary = "Erodes the heightmap INPUT. The run folder gets the eroded height, maps, a picture, and run.json, "
               "which says what was done. Ctrl-C writes a checkpoint, from which --resume goes on.",
    .options = run_option_rows,
    .arguments = "INPUT",
    .arguments_to = 1,
};

static wadi_status check_format(wadi_format format) {
    const char *missing = "";
    if (format == WADI_FORMAT_UNKNOWN || wadi_format_available(format, &missing)) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "--format %s: not built: %s", wadi_format_extension(format), missing);
}

/* "hills-jako2011" for ".../hills.tif", "alps" for the recipe ".../alps.yaml". Free it. */
static char *default_folder(const recipe *recipe, const wadi_model *model) {
    const char *file = recipe->file ? recipe->file : recipe->input;
    const char *stem = file + strlen(file);
    while (stem > file && stem[-1] != '/' && stem[-1] != '\\') stem--;
    const char *dot = strrchr(stem, '.');
    int length = dot && dot > stem ? (int)(dot - stem) : (int)strlen(stem);
    return text_format("%.*s%s%s", length, stem, recipe->file ? "" : "-", recipe->file ? "" : wadi_model_id(model));
}

static void json_start(const run *run) {
    json json = json_to(stdout, true);
    json_object(&json, NULL);
    json_text(&json, "event", "start");
    json_text(&json, "folder", run->folder);
    json_text(&json, "model", run_title(run));
    if (run_is_plain(run)) json_text(&json, "preset", run->stages[0].preset);
    json_integer(&json, "step", run->plan.done);
    json_integer(&json, "steps", run->plan.steps);
    json_text(&json, "backend", backend_name(wadi_sim_def(run->sim)->engine));
    json_text(&json, "device", wadi_sim_device(run->sim));
    json_integer(&json, "threads", wadi_sim_threads(run->sim));
    json_end(&json);
    fflush(stdout);
}

/* Steps take about 0.2 s at a time, so that Ctrl-C works. The division does not change the result. */
static int64_t next_piece(int64_t piece, double seconds) {
    double wanted = seconds > 0 ? 0.2 * (double)piece / seconds : 4.0 * (double)piece;
    wanted = fmin(wanted, 4.0 * (double)piece);
    return wanted < 1 ? 1 : (int64_t)wanted;
}

/* The number of steps until the next event. */
static int64_t steps_to_event(const run *run) {
    const run_stage *stage = &run->stages[run->plan.stage];
    if (stage->events_done == stage->events.count) return INT64_MAX;
    return stage->events.items[stage->events_done].at - wadi_sim_steps(run->sim);
}

static int64_t steps_until(const run *run, int64_t piece) {
    int64_t done = run->plan.done, every = run->plan.checkpoint_every;
    int64_t left = run_steps_left(run);
    if (every > 0 && every - done % every < left) left = every - done % every;
    const int64_t event = steps_to_event(run);
    if (event < left) left = event;
    if (run_video_steps_left(run) < left) left = run_video_steps_left(run);
    return piece < left ? piece : left;
}

static wadi_status step_once(run *run, int64_t count, double *seconds) {
    double start = platform_clock_s();
    wadi_status status = wadi_sim_step(run->sim, count);
    *seconds = platform_clock_s() - start;
    run->plan.wall_s += *seconds;
    run->stages[run->plan.stage].wall_s += *seconds;
    if (run_is_relaxed(wadi_sim_def(run->sim))) run->plan.relaxed = true;
    if (status == WADI_OK) run->plan.done += count;
    if (status == WADI_OK) run->plan.visit_done += count;
    return status;
}

static wadi_status fail_step(const run *run, wadi_status status) {
    status = fail_while_running(status);
    if (status == WADI_OK || run_is_plain(run)) return status;
    return wadi_fail(status, "stage %zu, %s: %s", run->plan.stage + 1, wadi_model_id(wadi_sim_def(run->sim)->model),
                     wadi_error_message());
}

static void note_checkpoint(const run *run) {
    const bool gpu = backend_is_gpu(wadi_sim_def(run->sim)->engine);
    message_note("the last checkpoint is whole: wadi run --resume %s goes on from there%s", run->folder,
                 gpu ? " (with --backend cpu it does without the device)" : "");
}

/* After the loss of a device the state is gone, so there is no new checkpoint. Non-finite numbers would come again, so
 * there is none either. */
static wadi_status stop_failed(const run *run, wadi_status status) {
    if (status != WADI_ERROR_NUMERIC) note_checkpoint(run);
    return fail_step(run, status);
}

static wadi_status step_to_end(run *run) {
    run_plan *plan = &run->plan;
    double cells = (double)run->raster->width * (double)run->raster->height * wadi_sim_safety(run->sim).substeps;
    double seconds = 0;
    int64_t piece = 1, every = plan->checkpoint_every;
    wadi_status status = WADI_OK;
    progress progress =
        progress_begin(progress_kind_for(run->json, run->quiet), run_title(run), plan->done, plan->steps, cells);
    while (status == WADI_OK && plan->done < plan->steps && !platform_interrupted()) {
        int64_t count = steps_until(run, piece);
        status = step_once(run, count, &seconds);
        if (status != WADI_OK) {
            progress_end(&progress);
            return stop_failed(run, status);
        }
        if (run_steps_left(run) == 0 || run_events_due(run)) status = run_next_visit(run);
        progress_add(&progress, count, seconds + (status == WADI_OK ? run_video_step(run) : 0));
        if (status == WADI_OK && every > 0 && plan->done % every == 0 && plan->done < plan->steps)
            status = checkpoint_write(run);
        piece = next_piece(count, seconds);
    }
    progress_end(&progress);
    if (status != WADI_OK) note_checkpoint(run);
    return status;
}

static wadi_status stop_interrupted(run *run) {
    wadi_status status = checkpoint_write(run);
    if (status != WADI_OK) note_checkpoint(run);
    if (status != WADI_OK) return status;
    if (run->json) {
        json json = json_to(stdout, true);
        json_object(&json, NULL);
        json_text(&json, "event", "interrupted");
        json_integer(&json, "step", run->plan.done);
        json_text(&json, "folder", run->folder);
        run_video_write(&json, run);
        json_end(&json);
    }
    report_line("interrupted at step %" PRId64 " of %" PRId64 "; wadi run --resume %s goes on", run->plan.done,
                run->plan.steps, run->folder);
    run->interrupted = true;
    return WADI_OK;
}

static void print_stage(const run *run, size_t index) {
    const run_stage *stage = &run->stages[index];
    bool preset = stage->preset && *stage->preset;
    printf("stage %zu  %s%s%s, %" PRId64 " steps, %g s simulated, %.4g m3 moved, residual %.2g m3\n", index + 1,
           wadi_model_id(wadi_sim_def(stage->sim)->model), preset ? ", preset " : "",
           preset ? as_shown(stage->preset) : "", wadi_sim_steps(stage->sim), wadi_sim_time(stage->sim),
           stage->mass.moved, stage->mass.solid.residual);
}

static void print_model(const run *run) {
    const wadi_def *def = wadi_sim_def(run->sim);
    const char *preset = run_is_plain(run) ? run->stages[0].preset : NULL;
    bool named = preset && *preset;
    printf("model    %s%s%s, %d x %d cells of %g x %g m\n", run_title(run), named ? ", preset " : "",
           named ? as_shown(preset) : "", def->width, def->height, def->lx, def->ly);
    for (size_t i = 0; i < run->stage_count && !run_is_plain(run); i++) print_stage(run, i);
}

/* Each of several models reports its own fraction. */
static void print_idle(const run *run) {
    for (size_t i = 0; i < run->stage_count; i++) {
        const double share = wadi_sim_idle_share(run->stages[i].sim);
        if (share < 0.005) continue;
        printf("idle     %.0f %% of the cells%s%s: nothing could happen there, so they were left out\n", 100 * share,
               run_is_plain(run) ? "" : " in ",
               run_is_plain(run) ? "" : wadi_model_id(wadi_sim_def(run->stages[i].sim)->model));
    }
}

static void print_rate(const run *run) {
    const wadi_engine engine = wadi_sim_def(run->sim)->engine;
    const int threads = wadi_sim_threads(run->sim);
    char rate[32], wall[32];
    printf("rate     %s cell-steps/s (%s, ", text_rate(run_cell_steps_per_s(run), rate),
           text_duration(run->plan.wall_s, wall));
    if (backend_is_gpu(engine))
        printf("%s%s, ", backend_name(engine), run->plan.relaxed ? ", relaxed" : "");
    else
        printf("%d thread%s, ", threads, threads == 1 ? "" : "s");
    printf("%s)\n", as_shown(wadi_sim_device(run->sim)));
}

static void print_video(const run *run, bool planned) {
    run_video_facts video;
    if (!run_video_tell(run, planned, &video)) return;
    printf("video    %s%s: %" PRId64 " frames, one every %" PRId64 " step%s, %.3g s long\n", as_shown(video.path),
           planned ? " (not made)" : "", video.frames, video.every, video.every == 1 ? "" : "s",
           (double)video.frames / video.rate);
}

static void print_summary(const run *run, const run_result *result) {
    const wadi_balance *solid = &result->mass.solid, *water = &result->mass.water;
    double moved = result->mass.moved;
    print_model(run);
    printf("steps    %" PRId64 ", %g s simulated\n", run->plan.done, run_simulated_s(run));
    print_rate(run);
    print_idle(run);
    print_video(run, false);
    printf("score    %.3f before, %.3f after\n", run->plan.score_before, result->score_after);
    printf("solid    %.4g m3 moved, residual %.2g m3", moved, solid->residual);
    printf(moved > 0 ? " (%.1g of it)\n" : "\n", fabs(solid->residual) / moved);
    printf("water    %.4g m3 in, %.4g m3 out, %.4g m3 left, residual %.2g m3\n", water->in, water->out, water->after,
           water->residual);
    if (result->mass.evaporated > 100 * result->mass.rained)
        printf("note     it hardly rains: evaporation drives the flow, and in proportion to depth it tilts lakes; "
               "--set evaporation=surface does not\n");
    printf("files    %s:", as_shown(run->folder));
    for (size_t i = 0; i < result->files.count; i++) printf(" %s", as_shown(result->files.items[i]));
    putchar('\n');
}

static void print_result(const run *run, const run_result *result) {
    if (!run->json) {
        if (!run->quiet) print_summary(run, result);
        return;
    }
    json json = json_to(stdout, true);
    json_object(&json, NULL);
    json_text(&json, "event", "result");
    json_text(&json, "folder", run->folder);
    manifest_write(&json, run, result);
    json_end(&json);
}

wadi_status run_finish(run *run) {
    if (run->json) json_start(run);
    wadi_status status = step_to_end(run);
    run_video_end(run, status != WADI_OK);
    if (status != WADI_OK) return status;
    if (run->plan.done < run->plan.steps) return stop_interrupted(run);
    run_result result = {0};
    status = run_write_outputs(run, &result);
    if (status == WADI_OK)
        print_result(run, &result);
    else
        note_checkpoint(run);
    run_result_free(&result);
    return status != WADI_OK ? status : run_video_result(run);
}

/* The results of a dry run. */
typedef struct needs {
    uint64_t memory, device_memory;
    double seconds;
} needs;

static void json_plan(const run *run, const needs *needs) {
    wadi_safety safety = wadi_sim_safety(run->stages[0].sim);
    json json = json_to(stdout, true);
    json_object(&json, NULL);
    json_text(&json, "event", "plan");
    json_text(&json, "folder", run->folder);
    json_text(&json, "model", run_title(run));
    json_text(&json, "backend", backend_name(wadi_sim_def(run->sim)->engine));
    json_text(&json, "device", wadi_sim_device(run->sim));
    json_integer(&json, "memory_bytes", (int64_t)needs->memory);
    json_integer(&json, "device_memory_bytes", (int64_t)needs->device_memory);
    json_integer(&json, "steps", run->plan.steps);
    json_number(&json, "dt_s", safety.dt_s);
    json_integer(&json, "substeps", safety.substeps);
    json_number(&json, "estimated_s", needs->seconds);
    json_end(&json);
}

static void print_plan(const run *run, const needs *needs) {
    const wadi_def *def = wadi_sim_def(run->sim);
    char text[32];
    if (run_is_plain(run))
        printf("model    %s, preset %s, %d x %d cells of %g x %g m\n", wadi_model_id(def->model),
               run->stages[0].preset ? as_shown(run->stages[0].preset) : "none", def->width, def->height, def->lx,
               def->ly);
    else
        printf("model    recipe, %d x %d cells of %g x %g m\n", def->width, def->height, def->lx, def->ly);
    printf("memory   %s\n", text_bytes(needs->memory, text));
    printf("device   %s, %s", backend_name(def->engine), as_shown(wadi_sim_device(run->sim)));
    if (needs->device_memory) printf(", %s of its memory at least", text_bytes(needs->device_memory, text));
    putchar('\n');
    for (size_t i = 0; i < run->stage_count; i++) {
        wadi_safety safety = wadi_sim_safety(run->stages[i].sim);
        printf("steps    ");
        if (!run_is_plain(run))
            printf("stage %zu, %s: ", i + 1, wadi_model_id(wadi_sim_def(run->stages[i].sim)->model));
        printf("%" PRId64 " of %g s, each in %d sub-step%s\n", run_stage_steps(&run->stages[i]), safety.dt_s,
               safety.substeps, safety.substeps == 1 ? "" : "s");
    }
    printf("time     about %s\n", text_duration(needs->seconds, text));
    print_video(run, true);
    printf("folder   %s (not made)\n", as_shown(run->folder));
}

/* Measures a stage for at most limit_s, on the run itself. *estimate: seconds for all its steps. */
static wadi_status measure_stage(run *run, double limit_s, double *estimate) {
    int64_t target = run_stage_steps(&run->stages[run->plan.stage]), done = 0;
    double total = 0, seconds = 0;
    wadi_status status = step_once(run, target > 0, &seconds); /* not counted: it starts the threads */
    for (int64_t piece = 1; status == WADI_OK && total < limit_s && done < target; piece = next_piece(piece, seconds)) {
        status = step_once(run, piece, &seconds);
        done += piece;
        total += seconds;
    }
    *estimate = done ? total * (double)target / (double)done : 0;
    return fail_step(run, status);
}

static wadi_status dry_run(run *run) {
    wadi_def *defs = array_new(run->stage_count, sizeof *defs);
    if (!defs) return WADI_ERROR_MEMORY;
    needs needs = {0};
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < run->stage_count && status == WADI_OK; i++) {
        double stage_s;
        defs[i] = *wadi_sim_def(run->stages[i].sim);
        run->plan.stage = i;
        run->sim = run->stages[i].sim;
        status = measure_stage(run, 0.5 / (double)run->stage_count, &stage_s);
        needs.seconds += stage_s;
    }
    needs.memory = status != WADI_OK ? 0 : run_memory(run, defs);
    needs.device_memory = status != WADI_OK ? 0 : memory_on_device(defs, run->stage_count);
    free(defs);
    double drawing_s = 0;
    if (status == WADI_OK) status = run_video_estimate(run, &drawing_s);
    needs.seconds += drawing_s;
    if (status != WADI_OK) return status;
    if (run->json)
        json_plan(run, &needs);
    else
        print_plan(run, &needs);
    return WADI_OK;
}

static wadi_status make_folder(run *run, bool force) {
    wadi_status status = folder_take(run->folder, force, &run->hold);
    if (status != WADI_OK) return status;
    status = run_next_visit(run);                         /* events before the first step belong into the first frame */
    if (status == WADI_OK) status = run_video_begin(run); /* before any file of an earlier run changes */
    if (status == WADI_OK) status = checkpoint_write(run);
    if (status == WADI_OK) folder_begun(run->hold);
    return status;
}

/* Refuses what can be refused before the input is read. */
static wadi_status check_options(const run_options *given, run *run) {
    run_plan *plan = &run->plan;
    plan->maps = maps_by_default();
    plan->format = (wadi_format)given->format;
    plan->checkpoint_every = given->checkpoint_every > 0 ? given->checkpoint_every : 0;
    plan->no_checkpoint = given->no_checkpoint;
    wadi_status status = WADI_OK;
    if (given->maps) status = run_at(given, &given->maps, maps_parse(given->maps, &plan->maps));
    if (status == WADI_OK) status = run_check_backend(given);
    if (status == WADI_OK) status = run_at(given, &given->format, check_format(plan->format));
    if (status == WADI_OK) status = run_video_plan(given, run);
    return status != WADI_OK ? status : given->output ? folder_check(given->output, given->force) : WADI_OK;
}

static wadi_status run_start(const recipe *recipe, run *run) {
    const run_options *given = &recipe->top;
    wadi_status status = check_options(given, run);
    if (status == WADI_OK) status = run_load(recipe, run);
    if (status == WADI_OK) status = run_check_replay(recipe, run, given->strict_inputs);
    if (status == WADI_OK) status = check_format(run_output_format(run));
    if (status != WADI_OK) return status;
    char *folder = given->output ? text_copy(given->output) : default_folder(recipe, wadi_sim_def(run->sim)->model);
    if (!folder) return WADI_ERROR_MEMORY;
    run->folder = folder;
    status = folder_check(folder, given->force);
    if (status == WADI_OK && recipe->input) status = folder_check_input(folder, recipe->input);
    if (status == WADI_OK) status = run_video_check(given, run);
    if (status == WADI_OK && given->dry_run) {
        status = dry_run(run);
    } else if (status == WADI_OK) {
        platform_catch_interrupts();
        status = make_folder(run, given->force);
        if (status == WADI_OK) status = run_finish(run);
    }
    free(folder);
    return status;
}

static wadi_status check_recipe_options(const arguments *arguments) {
    for (int i = 0; run_option_rows[i].name; i++)
        if (arguments->given >> i & 1 && run_option_rows[i].recipe == RECIPE_STAGE)
            return wadi_fail(WADI_ERROR_ARGUMENT, "--%s does not go with --recipe: write it there",
                             run_option_rows[i].name);
    return WADI_OK;
}

/* Makes a run from the command line's options or from a recipe. */
static wadi_status run_anew(const run_options *given, const arguments *arguments, run *run) {
    recipe recipe = {0};
    const char *input = arguments->count ? arguments->items[0] : NULL;
    wadi_status status = WADI_OK;
    if (given->recipe) {
        status = check_recipe_options(arguments);
        if (status == WADI_OK) status = recipe_read(given->recipe, given, arguments->given, input, &recipe);
    } else if (input) {
        status = recipe_from_options(given, input, &recipe);
    } else {
        status = wadi_fail(WADI_ERROR_ARGUMENT, "INPUT is missing: wadi run %s", run_command.usage);
    }
    if (status == WADI_OK) status = run_start(&recipe, run);
    recipe_free(&recipe);
    return status;
}

/* For the run, and for reading files and computing figures. */
static void use_threads(int64_t count) {
    if (count > omp_get_thread_limit())
        message_note("--threads %" PRId64 ": %d can be had here%s", count, omp_get_thread_limit(),
                     omp_get_thread_limit() == 1 ? ", as Wadi was built without OpenMP or OMP_THREAD_LIMIT says so"
                                                 : "");
    if (count > 0) omp_set_num_threads((int)count);
}

int wadi_cmd_run(int argc, char **argv) {
    run_options given = {
        .steps = -1, .time_s = -1, .boundary = -1, .checkpoint_every = -1, .film.azimuth = -1, .on.device = -1};
    arguments arguments;
    wadi_status status;
    bool interrupted = false;
    if (options_parse(&run_command, argc, argv, &given, &arguments, &status)) {
        run run = {.json = given.json, .quiet = given.quiet};
        report_set_quiet(given.quiet);
        use_threads(given.threads);
        if (given.resume) {
            status = run_resume(&given, &arguments, &run);
        } else {
            status = text_list_add(&run.plan.command, "wadi");
            for (int i = 0; i < argc && status == WADI_OK; i++) status = text_list_add(&run.plan.command, argv[i]);
            if (status == WADI_OK) status = run_anew(&given, &arguments, &run);
        }
        interrupted = status == WADI_OK && run.interrupted;
        run_free(&run);
    }
    text_list_free(&given.settings);
    return interrupted ? EXIT_INTERRUPTED : report_end(status);
}
