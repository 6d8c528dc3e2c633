/* stream.c: the engine for a grid that is larger than memory. The grid's fields lie in files. A pass loads one slab of
 * rows after the other, makes some sub-steps of it with an engine of its own, and stores its own rows. Rows at the rim
 * of a slab become wrong, and its margin is as high as they can spread meanwhile (engine/parts says more). */
#include "engine/parts/give.h"
#include "engine/stream/slab_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/domain.h"
#include "core/supply.h"
#include "platform/platform.h"

/* Without a measurement: a disk that reads and writes 1 GB/s, and a core that makes 50 million cell-steps a second. */
#define USUAL_MOVING 8.0

/* --- one pass --- */

/* Records a failure: part of the state is of before the pass, and part of after it. */
static bool good(wadi_domain *whole, wadi_status status) {
    if (status == WADI_OK) status = ((wadi_stream *)whole->engine_state)->slab->failure;
    if (status != WADI_OK && whole->failure == WADI_OK) whole->failure = status;
    return whole->failure == WADI_OK;
}

static bool load(wadi_domain *whole, int number) {
    wadi_stream *stream = whole->engine_state;
    wadi_domain *slab = stream->slab;
    wadi_status status = wadi_stream_load(whole, stream, number);
    if (status == WADI_OK && slab->engine->prepare != NULL) status = slab->engine->prepare(slab);
    return good(whole, status);
}

/* Makes sub-steps of one slab; `done` have been made since step whole->steps. *finite: as `advance` says. */
static bool pass_slab(wadi_domain *whole, int number, int64_t done, int substeps, bool *finite) {
    wadi_stream *stream = whole->engine_state;
    wadi_domain *slab = stream->slab;
    const double start = platform_clock_s();
    if (!load(whole, number)) return false;
    wadi_part_begin(whole, slab, done);
    const double loaded = platform_clock_s();
    *finite = slab->engine->advance(slab, substeps) && *finite;
    const double made = platform_clock_s();
    if (!good(whole, WADI_OK)) return false;
    wadi_part_end(whole, slab);
    const bool stored = good(whole, wadi_stream_store(whole, stream));
    stream->moving_s += loaded - start + (platform_clock_s() - made);
    stream->computing_s += made - loaded;
    stream->substeps += substeps;
    stream->passed++;
    return stored;
}

/* --- the slab --- */

static void close_slab(wadi_stream *stream) {
    wadi_domain_free(stream->slab);
    stream->slab = NULL;
}

static wadi_status open_slab(wadi_domain *whole, wadi_stream *stream) {
    const wadi_def def = wadi_slabs_def(whole, stream->slabs.rows);
    stream->slab = wadi_domain_make(&def, wadi_slabs_window(whole, &stream->slabs, 0));
    if (stream->slab == NULL) return wadi_domain_too_large(whole);
    wadi_domain *slab = stream->slab;
    wadi_status status = wadi_domain_allocate(slab);
    if (status != WADI_OK) return status;
    wadi_give_numbers(whole, slab);
    status = slab->engine->open(slab);
    whole->substeps_per_pass = slab->substeps_per_pass;
    return status;
}

static wadi_status too_low(const wadi_domain *whole) {
    return wadi_fail(WADI_ERROR_MEMORY, "a memory limit of %.1f MB is too low for slabs of %d x %d cells of %s",
                     (double)whole->def.memory_limit * 1e-6, whole->def.width, whole->def.height, whole->model->id);
}

/* Opens a slab if none of this size is open. */
static wadi_status take_cut(wadi_domain *whole, double moving) {
    wadi_stream *stream = whole->engine_state;
    if (!wadi_slabs_choose(whole, moving, &stream->slabs)) return wadi_domain_too_large(whole);
    if (stream->slabs.cuts.count == 0) return too_low(whole);
    if (stream->slab != NULL && stream->slab->def.height != stream->slabs.rows) close_slab(stream);
    const wadi_status status = stream->slab == NULL ? open_slab(whole, stream) : WADI_OK;
    whole->substeps_at_once = stream->slabs.cuts.good_for;
    if (status == WADI_OK) {
        char slabs[40];
        snprintf(slabs, sizeof slabs, "%d slabs", stream->slabs.cuts.count);
        wadi_part_name(whole, slabs, stream->slab->device);
    }
    return status;
}

/* How many sub-steps of a slab take as long as loading and storing it. */
static double moving(const wadi_stream *stream) {
    if (!stream->measured) return USUAL_MOVING;
    return stream->moving_s / stream->computing_s * (double)stream->substeps / (double)stream->passed;
}

/* Cuts the grid again after a change, or once it is known how fast this machine computes and how fast its disk is. */
static wadi_status cut_again(wadi_domain *whole) {
    wadi_stream *stream = whole->engine_state;
    const bool learns = !stream->measured && stream->computing_s > 0;
    stream->measured = stream->computing_s > 0;
    return learns || !wadi_slabs_suffice(whole, &stream->slabs) ? take_cut(whole, moving(stream)) : WADI_OK;
}

/* --- the calls --- */

/* Passes of about the same number of sub-steps. */
static int substeps_now(int64_t left, int most) {
    const int64_t passes = (left + most - 1) / most;
    return (int)((left + passes - 1) / passes);
}

static bool advance(wadi_domain *whole, int64_t substeps) {
    const wadi_stream *stream = whole->engine_state;
    bool finite = true, all = good(whole, cut_again(whole));
    for (int64_t done = 0; all && done < substeps;) {
        const int now = substeps_now(substeps - done, stream->slabs.cuts.good_for);
        finite = true;
        for (int i = 0; all && i < stream->slabs.cuts.count; i++) all = pass_slab(whole, i, done, now, &finite);
        done += now;
    }
    return all && finite;
}

static wadi_status once(wadi_domain *whole, const wadi_stage *stage) {
    const wadi_stream *stream = whole->engine_state;
    wadi_status status = WADI_OK;
    for (int i = 0; i < stream->slabs.cuts.count && status == WADI_OK; i++) {
        if (!load(whole, i)) return whole->failure;
        status = wadi_domain_once(stream->slab, stage);
        for (int w = 0; w < stage->writes && status == WADI_OK; w++)
            status = wadi_stream_store_field(whole, stream->slab, stage->write[w]);
    }
    return status;
}

/* The slab learns of changes when it is loaded. */
static wadi_status plan(wadi_domain *whole) {
    (void)whole;
    return WADI_OK;
}

/* Only the deepest water of each row, which the last pass has seen. */
static bool sum_rows(wadi_domain *whole, const wadi_summed *summed, int count, double *sums) {
    const wadi_stream *stream = whole->engine_state;
    const bool deepest =
        count == 1 && summed->how == WADI_SUM_LARGEST && summed->field == wadi_field_of(whole->model, WADI_FIELD_WATER);
    if (!deepest || !wadi_stream_knows_deepest(whole)) return false;
    memcpy(sums, stream->deepest, (size_t)whole->def.height * sizeof *sums);
    return true;
}

/* A copy of the state would take as much disk again. */
static bool keep(wadi_domain *whole) {
    (void)whole;
    return false;
}

static void close_stream(wadi_domain *whole) {
    wadi_stream *stream = whole->engine_state;
    close_slab(stream);
    wadi_stream_forget(stream);
    free(stream);
    whole->engine_state = NULL;
}

static wadi_status open_stream(wadi_domain *whole) {
    platform_scratch_keep_under(whole->def.memory_limit / 8);
    whole->engine_state = calloc(1, sizeof(wadi_stream));
    return whole->engine_state != NULL ? take_cut(whole, USUAL_MOVING) : wadi_domain_too_large(whole);
}

const wadi_engine_calls wadi_engine_stream = {.name = "stream",
                                              .open = open_stream,
                                              .close = close_stream,
                                              .plan = plan,
                                              .advance = advance,
                                              .once = once,
                                              .pack = wadi_domain_pack,
                                              .unpack = wadi_domain_unpack,
                                              .sum_rows = sum_rows,
                                              .keep = keep};
