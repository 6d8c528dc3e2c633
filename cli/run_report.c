#include "run_report.h"
#include "figures.h"

#include "report.h"

#include "run/backend.h"
#include "run/json.h"
#include "run/message.h"
#include "run/run_series.h"
#include "run/run_stages.h"
#include "run/run_video.h"
#include "run/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- at the start and at a stop --- */

void run_report_start(const run *run) {
    json json = run_json_to(stdout, true);
    run_json_object(&json, NULL);
    run_json_text(&json, "event", "start");
    run_json_text(&json, "folder", run->folder);
    run_json_text(&json, "model", run_title(run));
    if (run_is_plain(run)) run_json_text(&json, "preset", run_fine_stages(run)->preset);
    run_json_integer(&json, "step", run->plan.done);
    run_json_integer(&json, "steps", run->plan.steps);
    run_json_text(&json, "backend", wadi_engine_name(wadi_sim_def(run->sim)->engine));
    run_json_text(&json, "device", wadi_sim_device(run->sim));
    run_json_integer(&json, "threads", wadi_sim_threads(run->sim));
    run_json_end(&json);
    fflush(stdout);
}

/* What --resume names. */
static const char *resumed(const run *run, const run_words *words) { return words->set ? words->set : run->folder; }

void run_report_checkpoint(const run *run, const run_words *words) {
    const bool gpu = wadi_engine_is_gpu(wadi_sim_def(run->sim)->engine);
    run_message_note("the last checkpoint is whole: wadi run --resume %s goes on from there%s", resumed(run, words),
                     gpu ? " (with --backend cpu it does without the device)" : "");
}

static void json_interrupted(const run *run) {
    json json = run_json_to(stdout, true);
    run_json_object(&json, NULL);
    run_json_text(&json, "event", "interrupted");
    run_json_integer(&json, "step", run->plan.done);
    run_json_text(&json, "folder", run->folder);
    run_video_write(&json, run);
    run_json_end(&json);
}

void run_report_interrupted(const run *run, const run_words *words) {
    if (words->json) json_interrupted(run);
    report_line("interrupted at step %" PRId64 " of %" PRId64 "; wadi run --resume %s goes on", run->plan.done,
                run->plan.steps, resumed(run, words));
}

/* --- a finished run --- */

static void print_stage(const run *run, size_t index) {
    const run_stage *stage = &run->stages[index];
    bool preset = stage->preset && *stage->preset;
    char time[32];
    printf("stage %zu  %s%s%s, %" PRId64 " steps, %s simulated, %.4g m3 moved, residual %.2g m3\n", index + 1,
           wadi_model_id(wadi_sim_def(stage->sim)->model), preset ? ", preset " : "",
           preset ? as_shown(stage->preset) : "", wadi_sim_steps(stage->sim),
           run_text_simulated(wadi_sim_time(stage->sim), time), stage->mass.moved, stage->mass.solid.residual);
}

static void print_model(const run *run) {
    const wadi_def *def = wadi_sim_def(run->sim);
    const char *preset = run_is_plain(run) ? run_fine_stages(run)->preset : NULL;
    bool named = preset && *preset;
    printf("model    %s%s%s, %d x %d cells of %g x %g m\n", run_title(run), named ? ", preset " : "",
           named ? as_shown(preset) : "", def->width, def->height, def->lx, def->ly);
    for (size_t i = 0; i < run->stage_count && run->stage_count > 1; i++) print_stage(run, i);
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
    printf("rate     %s cell-steps/s (%s, ", run_text_rate(run_cell_steps_per_s(run), rate),
           run_text_duration(run->plan.wall_s, wall));
    if (wadi_engine_is_gpu(engine))
        printf("%s%s, ", wadi_engine_name(engine), run->plan.relaxed ? ", relaxed" : "");
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

static void print_series(const run *run) {
    char *text = run_series_text(run);
    if (text) printf("series   %s\n", text);
    free(text);
}

static void print_summary(const run *run, const run_result *result) {
    const wadi_balance *solid = &result->mass.solid, *water = &result->mass.water;
    double moved = result->mass.moved;
    char time[32];
    print_model(run);
    printf("steps    %" PRId64 ", %s simulated\n", run->plan.done, run_text_simulated(run_simulated_s(run), time));
    print_rate(run);
    print_idle(run);
    print_video(run, false);
    print_series(run);
    printf("score    %.3f before, %.3f after\n", run->plan.score_before, result->score_after);
    figures_print_realism(&result->realism);
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

/* One of many: a line. */
static void print_variation(const run *run, const run_result *result) {
    char wall[32];
    printf("%s: %" PRId64 " steps in %s, score %.3f before, %.3f after\n", as_shown(run->folder), run->plan.done,
           run_text_duration(run->plan.wall_s, wall), run->plan.score_before, result->score_after);
    fflush(stdout);
}

static void json_result(const run *run, const run_result *result) {
    json json = run_json_to(stdout, true);
    run_json_object(&json, NULL);
    run_json_text(&json, "event", "result");
    run_json_text(&json, "folder", run->folder);
    run_manifest_write(&json, run, result);
    run_json_end(&json);
}

void run_report_result(const run *run, const run_result *result, const run_words *words) {
    if (words->json)
        json_result(run, result);
    else if (!words->quiet && words->set)
        print_variation(run, result);
    else if (!words->quiet)
        print_summary(run, result);
}

/* --- a dry run --- */

static void json_plan(const run *run, const run_needs *needs) {
    wadi_safety safety = wadi_sim_safety(run_fine_stages(run)->sim);
    json json = run_json_to(stdout, true);
    run_json_object(&json, NULL);
    run_json_text(&json, "event", "plan");
    run_json_text(&json, "folder", run->folder);
    run_json_text(&json, "model", run_title(run));
    run_json_text(&json, "backend", wadi_engine_name(wadi_sim_def(run->sim)->engine));
    run_json_text(&json, "device", wadi_sim_device(run->sim));
    run_json_integer(&json, "memory_bytes", (int64_t)needs->memory);
    run_json_integer(&json, "device_memory_bytes", (int64_t)needs->device_memory);
    run_json_integer(&json, "steps", run->plan.steps);
    run_json_number(&json, "dt_s", safety.dt_s);
    run_json_integer(&json, "substeps", safety.substeps);
    run_json_number(&json, "estimated_s", needs->seconds);
    run_json_end(&json);
}

static void print_plan(const run *run, const run_needs *needs) {
    const run_stage *fine = run_fine_stages(run);
    const wadi_def *def = &fine->def;
    char text[32];
    if (run_is_plain(run))
        printf("model    %s, preset %s, %d x %d cells of %g x %g m\n", wadi_model_id(def->model),
               fine->preset ? as_shown(fine->preset) : "none", def->width, def->height, def->lx, def->ly);
    else
        printf("model    recipe, %d x %d cells of %g x %g m\n", def->width, def->height, def->lx, def->ly);
    printf("memory   %s\n", run_text_bytes(needs->memory, text));
    printf("device   %s, %s", wadi_engine_name(def->engine), as_shown(wadi_sim_device(run->sim)));
    if (needs->device_memory) printf(", %s of its memory at least", run_text_bytes(needs->device_memory, text));
    putchar('\n');
    for (size_t i = 0; i < run->stage_count; i++) {
        wadi_safety safety = wadi_sim_safety(run->stages[i].sim);
        printf("steps    ");
        if (run->plan.levels > 1) printf("level %d, ", run->stages[i].level);
        if (!run_is_plain(run))
            printf("stage %zu, %s: ", i + 1, wadi_model_id(wadi_sim_def(run->stages[i].sim)->model));
        printf("%" PRId64 " of %s, each in %s%d sub-step%s\n", run_stage_steps(&run->stages[i]),
               run_text_simulated(safety.dt_s, text),
               wadi_def_substeps_follow(wadi_sim_def(run->stages[i].sim)) ? "up to " : "", safety.substeps,
               safety.substeps == 1 ? "" : "s");
    }
    printf("time     about %s\n", run_text_duration(needs->seconds, text));
    print_video(run, true);
    printf("folder   %s (not made)\n", as_shown(run->folder));
}

void run_report_plan(const run *run, const run_needs *needs, const run_words *words) {
    if (words->json)
        json_plan(run, needs);
    else
        print_plan(run, needs);
}
