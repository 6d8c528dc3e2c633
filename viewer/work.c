/* work.c: the terrain, what was done to it, and any place of that gone to again. */
#include "viewer/work.h"

#include "cli/folder.h"

#include "platform/platform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A simulation's checkpoint in memory. */
typedef struct blob {
    unsigned char *bytes;
    size_t size, room, at;
} blob;

typedef struct saved {
    work_place place;
    blob sim;
    float *hard; /* as run.hard */
} saved;

struct work {
    run run;
    wadi_def how; /* engine, device and threads of every simulation */
    blob *fresh;  /* of a recipe's stages: as they begin, before they take over; else empty */
    saved *saved; /* rising */
    size_t saved_count;
    uint64_t budget;
    double since_saved_s; /* of stepping: what going back costs */
    work_mark *marks;     /* rising */
    size_t mark_count;
    uint64_t group, edits;
};

/* --- places --- */

int work_compare(work_place a, work_place b) {
    if (a.stage != b.stage) return a.stage < b.stage ? -1 : 1;
    if (a.step != b.step) return a.step < b.step ? -1 : 1;
    return a.event < b.event ? -1 : a.event > b.event;
}

static run_stage *stage_of(const work *work) { return &work->run.stages[work->run.plan.stage]; }

wadi_sim *work_sim(const work *work) { return work->run.sim; }
const run *work_run(const work *work) { return &work->run; }
uint64_t work_edits(const work *work) { return work->edits; }

work_place work_now(const work *work) {
    return (work_place){work->run.plan.stage, wadi_sim_steps(work->run.sim), stage_of(work)->events_done};
}

work_place work_end(const work *work) {
    const size_t last = work->run.stage_count - 1;
    return (work_place){last, work->run.stages[last].steps, work->run.stages[last].events.count};
}

int64_t work_steps_at(const work *work, work_place place) {
    int64_t steps = place.step;
    for (size_t i = 0; i < place.stage; i++) steps += work->run.stages[i].steps;
    return steps;
}

/* The plan's numbers follow from where the simulation is. */
static void count_steps(work *work) {
    run_plan *plan = &work->run.plan;
    plan->visit_done = wadi_sim_steps(work->run.sim);
    plan->done = work_steps_at(work, work_now(work));
    plan->steps = work_steps_at(work, work_end(work));
    work->edits++;
}

/* --- memory --- */

static wadi_status put(void *context, const void *bytes, size_t count) {
    blob *blob = context;
    if (blob->room - blob->size < count) {
        size_t room = blob->size + count + blob->size / 4;
        unsigned char *longer = realloc(blob->bytes, room);
        if (!longer) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a checkpoint");
        blob->bytes = longer;
        blob->room = room;
    }
    memcpy(blob->bytes + blob->size, bytes, count);
    blob->size += count;
    return WADI_OK;
}

static wadi_status take(void *context, void *bytes, size_t count) {
    blob *blob = context;
    if (blob->size - blob->at < count) return wadi_fail(WADI_ERROR_FORMAT, "a checkpoint ends too early");
    memcpy(bytes, blob->bytes + blob->at, count);
    blob->at += count;
    return WADI_OK;
}

static wadi_status pack(const wadi_sim *sim, blob *blob) {
    const wadi_status status = wadi_sim_save(sim, NULL, 0, put, blob);
    if (status == WADI_OK) return WADI_OK;
    free(blob->bytes);
    *blob = (struct blob){0};
    return status;
}

static wadi_status unpack(const work *work, const blob *blob, wadi_sim **sim) {
    struct blob from = *blob;
    void *note = NULL;
    size_t size;
    from.at = 0;
    const wadi_status status = wadi_sim_restore(take, &from, &work->how, sim, &note, &size);
    free(note);
    return status;
}

static size_t cells_of(const work *work) { return (size_t)work->run.raster->width * (size_t)work->run.raster->height; }

/* *copy: NULL where there is none. */
static wadi_status copy_hard(const work *work, const float *hard, float **copy) {
    *copy = NULL;
    if (!hard) return WADI_OK;
    *copy = malloc(cells_of(work) * sizeof **copy);
    if (!*copy) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory to keep the hardness");
    memcpy(*copy, hard, cells_of(work) * sizeof **copy);
    return WADI_OK;
}

/* --- checkpoints --- */

static void drop_saved(work *work, size_t index) {
    free(work->saved[index].sim.bytes);
    free(work->saved[index].hard);
    work->saved_count--;
    for (size_t i = index; i < work->saved_count; i++) work->saved[i] = work->saved[i + 1];
}

static uint64_t saved_bytes(const work *work) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < work->saved_count; i++) bytes += work->saved[i].sim.size;
    return bytes;
}

/* Of those between the first and the last the one goes that leaves the smallest gap for how far back it lies. */
static size_t least_missed(const work *work) {
    const double now = (double)work_steps_at(work, work_now(work));
    size_t least = 1;
    double smallest = INFINITY;
    for (size_t i = 1; i + 1 < work->saved_count; i++) {
        const double before = (double)work_steps_at(work, work->saved[i - 1].place);
        const double after = (double)work_steps_at(work, work->saved[i + 1].place);
        const double missed = (after - before) / (now - (double)work_steps_at(work, work->saved[i].place) + 1);
        if (missed < smallest) smallest = missed, least = i;
    }
    return least;
}

static void thin_out(work *work) {
    enum { MOST = 64 };
    while (work->saved_count > 2 && (saved_bytes(work) > work->budget || work->saved_count > MOST))
        drop_saved(work, least_missed(work));
}

/* The last one at or before a place; saved_count: none. */
static size_t saved_before(const work *work, work_place place) {
    size_t found = work->saved_count;
    for (size_t i = 0; i < work->saved_count; i++)
        if (work_compare(work->saved[i].place, place) <= 0) found = i;
    return found;
}

wadi_status work_checkpoint(work *work) {
    saved saved = {.place = work_now(work)};
    const size_t before = saved_before(work, saved.place);
    if (before < work->saved_count && work_compare(work->saved[before].place, saved.place) == 0) return WADI_OK;
    wadi_status status = copy_hard(work, work->run.hard, &saved.hard);
    if (status == WADI_OK) status = pack(work->run.sim, &saved.sim);
    if (status != WADI_OK) {
        free(saved.hard);
        return status;
    }
    const size_t index = before == work->saved_count ? 0 : before + 1;
    work->saved = cli_grow(work->saved, (work->saved_count + 1) * sizeof *work->saved);
    for (size_t i = work->saved_count++; i > index; i--) work->saved[i] = work->saved[i - 1];
    work->saved[index] = saved;
    work->since_saved_s = 0;
    thin_out(work);
    return WADI_OK;
}

/* Where doing it again would take a while. Without memory for one, going back takes longer. */
static void checkpoint_if_far(work *work) {
    if (work->since_saved_s > 0.5) work_checkpoint(work);
}

size_t work_checkpoints(const work *work) { return work->saved_count; }
work_place work_checkpoint_at(const work *work, size_t index) { return work->saved[index].place; }
void work_set_budget(work *work, uint64_t bytes) {
    work->budget = bytes;
    thin_out(work);
}

/* --- the simulation whose turn it is --- */

static void make_current(work *work, wadi_sim *sim, size_t stage) {
    run *run = &work->run;
    if (run->sim) wadi_sim_destroy(run->sim);
    if (run->plan.stage < run->stage_count) run->stages[run->plan.stage].sim = NULL;
    run->stages[stage].sim = run->sim = sim;
    run->plan.stage = stage;
    if (wadi_model_has_hardness(wadi_sim_def(sim)->model)) run->plan.hardness_stage = (int64_t)stage;
}

static wadi_status restore(work *work, const saved *saved) {
    wadi_sim *sim;
    float *hard;
    wadi_status status = copy_hard(work, saved->hard, &hard);
    if (status == WADI_OK) status = unpack(work, &saved->sim, &sim);
    if (status != WADI_OK) {
        free(hard);
        return status;
    }
    make_current(work, sim, saved->place.stage);
    for (size_t i = 0; i < work->run.stage_count; i++) {
        run_stage *stage = &work->run.stages[i];
        stage->events_done = i < saved->place.stage ? stage->events.count : 0;
        stage->entered = i <= saved->place.stage;
        if (i < saved->place.stage) continue;
        stage->made = 0; /* what it made is in its simulation, or is not made */
        stage->mass = (wadi_mass){0};
    }
    stage_of(work)->events_done = saved->place.event;
    free(work->run.hard);
    work->run.hard = hard;
    work->since_saved_s = 0, work->group = 0;
    count_steps(work);
    return WADI_OK;
}

/* A stage's simulation before it takes over. */
static wadi_status make_sim(const work *work, size_t index, wadi_sim **sim) {
    if (work->fresh[index].size) return unpack(work, &work->fresh[index], sim);
    wadi_def def = work->run.stages[index].def;
    def.engine = work->how.engine, def.device = work->how.device, def.threads = work->how.threads;
    def.tune = work->how.tune, def.arithmetic = work->how.arithmetic;
    return wadi_sim_create(&def, sim);
}

/* Hardness that the next model knows nothing of, for one that does. */
static wadi_status keep_hard_of(work *work, const wadi_sim *from, const wadi_sim *next) {
    run *run = &work->run;
    const bool knows = wadi_model_has_hardness(wadi_sim_def(from)->model);
    if (!knows || wadi_model_has_hardness(wadi_sim_def(next)->model)) return WADI_OK;
    float *hard = malloc(cells_of(work) * sizeof *hard);
    if (!hard) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory to keep the hardness");
    free(run->hard);
    run->hard = hard;
    return wadi_sim_get(from, "hardness", run->hard, cells_of(work));
}

static wadi_status keep_hard(work *work, const wadi_sim *next) { return keep_hard_of(work, work->run.sim, next); }

/* The stage after the one whose turn it is. */
static wadi_status enter_next(work *work) {
    run *run = &work->run;
    const size_t index = run->plan.stage + 1;
    run_stage *stage = &run->stages[index], *left = stage_of(work);
    wadi_sim *sim = NULL;
    stage->entered = false;
    wadi_status status = make_sim(work, index, &sim);
    const float *hard = status == WADI_OK && run_misses_hardness(sim, run->sim) ? run->hard : NULL;
    if (status == WADI_OK) status = run_hand_over(stage, sim, run->sim, hard);
    if (status == WADI_OK) status = wadi_sim_set_sources(sim, stage->sources, stage->source_count);
    if (status == WADI_OK) status = keep_hard(work, sim);
    if (status == WADI_OK) status = wadi_sim_mass(run->sim, &left->mass);
    if (status != WADI_OK) {
        wadi_sim_destroy(sim);
        return status;
    }
    if (hard) {
        free(run->hard);
        run->hard = NULL;
    }
    left->made = wadi_sim_steps(run->sim);
    make_current(work, sim, index);
    stage->entered = true;
    stage->events_done = 0;
    count_steps(work);
    return WADI_OK;
}

/* --- doing --- */

/* What was undone is gone. */
static void cut_future(work *work) {
    run *run = &work->run;
    run_stage *stage = stage_of(work);
    const work_place now = work_now(work);
    events_cut(&stage->events, stage->events_done);
    stage->steps = now.step;
    while (run->stage_count > now.stage + 1) {
        run_stage_free(&run->stages[--run->stage_count]);
        free(work->fresh[run->stage_count].bytes);
        work->fresh[run->stage_count] = (blob){0};
    }
    while (work->saved_count > 1 && work_compare(work->saved[work->saved_count - 1].place, now) > 0)
        drop_saved(work, work->saved_count - 1);
    while (work->mark_count > 0 && work_compare(work->marks[work->mark_count - 1].place, now) > 0) work->mark_count--;
}

static bool has_future(const work *work) { return work_compare(work_now(work), work_end(work)) < 0; }

static void mark(work *work, const char *label) {
    const work_place now = work_now(work);
    if (work->mark_count > 0 && work_compare(work->marks[work->mark_count - 1].place, now) == 0) work->mark_count--;
    work->marks = cli_grow(work->marks, (work->mark_count + 1) * sizeof *work->marks);
    work_mark *added = &work->marks[work->mark_count++];
    added->place = now;
    snprintf(added->label, sizeof added->label, "%s", label);
}

void work_note(work *work, const char *label) {
    checkpoint_if_far(work);
    if (has_future(work)) cut_future(work);
    mark(work, label);
    work->group = 0;
}

static wadi_status timed_step(work *work, int64_t steps) {
    const double start = platform_clock_s();
    const wadi_status status = wadi_sim_step(work->run.sim, steps);
    const double seconds = platform_clock_s() - start;
    work->since_saved_s += seconds;
    work->run.plan.wall_s += seconds;
    return status;
}

/* Back to where all was well; the message stays. */
static wadi_status fall_back(work *work, wadi_status status) {
    char message[512];
    snprintf(message, sizeof message, "%s", wadi_error_message());
    const size_t last = saved_before(work, work_now(work));
    if (last < work->saved_count && restore(work, &work->saved[last]) == WADI_OK) cut_future(work);
    count_steps(work);
    return wadi_fail(status, "%s", message);
}

wadi_status work_step(work *work, int64_t steps) {
    if (has_future(work)) cut_future(work);
    const wadi_status status = timed_step(work, steps);
    if (status != WADI_OK) return fall_back(work, status);
    stage_of(work)->steps = wadi_sim_steps(work->run.sim);
    count_steps(work);
    return WADI_OK;
}

static bool same_brush(const wadi_dab *a, const wadi_dab *b) {
    return a->brush == b->brush && !(a->radius_m < b->radius_m) && !(a->radius_m > b->radius_m) &&
           !(a->strength < b->strength) && !(a->strength > b->strength) && !(a->falloff < b->falloff) &&
           !(a->falloff > b->falloff) && !(a->level_m < b->level_m) && !(a->level_m > b->level_m);
}

/* What goes on in the same action, between the same steps, becomes one event. */
static bool joins(const event *last, const event *next) {
    if (last->at != next->at || last->kind != next->kind) return false;
    if (last->kind == EVENT_SET) return strcmp(last->name, next->name) == 0;
    return last->kind != EVENT_PAINT || same_brush(last->dabs, next->dabs);
}

static void join(event *last, event *next) {
    if (last->kind == EVENT_PAINT) {
        last->dabs = cli_grow(last->dabs, (last->dab_count + next->dab_count) * sizeof *last->dabs);
        memcpy(last->dabs + last->dab_count, next->dabs, next->dab_count * sizeof *last->dabs);
        last->dab_count += next->dab_count;
        events one = {.items = next, .count = 1};
        events_cut(&one, 0);
        return;
    }
    events one = {.items = last, .count = 1};
    events_cut(&one, 0);
    *last = *next;
}

/* What is here is not what it was when these were made. */
static void forget_here(work *work) {
    const size_t here = saved_before(work, work_now(work));
    if (here < work->saved_count && work_compare(work->saved[here].place, work_now(work)) == 0) drop_saved(work, here);
}

/* Dabs of one event are alike in all but their place: others become events of their own, done by the caller. */
wadi_status work_do(work *work, event event, const char *label, uint64_t group) {
    run_stage *stage = stage_of(work);
    const bool same = group != 0 && group == work->group && !has_future(work);
    event.at = wadi_sim_steps(work->run.sim);
    if (!same) checkpoint_if_far(work);
    const wadi_status status = event_apply(&event, work->run.sim);
    if (status != WADI_OK) {
        events one = {.items = &event, .count = 1};
        events_cut(&one, 0);
        return status;
    }
    if (has_future(work)) cut_future(work);
    if (!same) mark(work, label);
    struct event *last = stage->events.count ? &stage->events.items[stage->events.count - 1] : NULL;
    if (same && last && joins(last, &event)) {
        forget_here(work);
        join(last, &event);
    } else {
        events_add(&stage->events, event);
    }
    stage->events_done = stage->events.count;
    work->group = group;
    count_steps(work);
    return WADI_OK;
}

static void add_stage(work *work, const wadi_def *def, const char *preset) {
    run *run = &work->run;
    size_t count;
    const wadi_source *sources = wadi_sim_sources(run->sim, &count);
    run->stages = cli_grow(run->stages, (run->stage_count + 1) * sizeof *run->stages);
    work->fresh = cli_grow(work->fresh, (run->stage_count + 1) * sizeof *work->fresh);
    work->fresh[run->stage_count] = (blob){0};
    run_stage *stage = &run->stages[run->stage_count];
    *stage = (run_stage){.def = *def, .rounds = 1, .first = run->stage_count, .last = run->stage_count};
    stage->mask_taken = true;
    const int rain = wadi_model_parameter_index(def->model, "rain");
    const int before = wadi_model_parameter_index(wadi_sim_def(run->sim)->model, "rain");
    stage->rain_taken = rain >= 0 && before >= 0 && !(def->drops.count > 0);
    stage->preset = preset ? cli_copy(preset) : NULL;
    stage->source_count = count;
    stage->sources = cli_allocate((count + 1) * sizeof *sources);
    for (size_t i = 0; i < count; i++) {
        stage->sources[i] = sources[i];
        stage->sources[i].start_s = 0; /* each stage has its own clock */
    }
    run->stage_count++;
}

wadi_status work_switch(work *work, const wadi_def *def, const char *preset, const char *label) {
    const run_stage *now = stage_of(work);
    /* A model that made no step was only looked at. */
    if (work->run.plan.stage > 0 && wadi_sim_steps(work->run.sim) == 0 && now->events_done == 0) {
        const run_stage *before = now - 1;
        const work_place place = {work->run.plan.stage - 1, before->steps, before->events.count};
        const wadi_status status = work_go(work, place, NULL, NULL);
        if (status != WADI_OK) return status;
    }
    wadi_status status = work_checkpoint(work);
    if (status != WADI_OK) return status;
    cut_future(work);
    mark(work, label);
    work->group = 0;
    add_stage(work, def, preset);
    status = enter_next(work);
    if (status == WADI_OK) return WADI_OK;
    run_stage_free(&work->run.stages[--work->run.stage_count]);
    work->mark_count--;
    return status;
}

/* --- going --- */

int64_t work_piece(int64_t piece, int64_t made, double seconds, double most_s) {
    if (seconds > most_s) return piece > 1 ? piece / 2 : 1;
    return made >= piece && seconds < 0.4 * most_s && piece < 1 << 20 ? 2 * piece : piece;
}

/* As far as the next event or the stage's end, a piece at a time. */
static wadi_status run_to(work *work, int64_t step, int64_t *piece) {
    const int64_t left = step - wadi_sim_steps(work->run.sim), steps = left < *piece ? left : *piece;
    const double start = platform_clock_s();
    const wadi_status status = timed_step(work, steps);
    *piece = work_piece(*piece, steps, platform_clock_s() - start, 0.1);
    return status;
}

/* One thing towards a place that lies ahead. */
static wadi_status approach(work *work, work_place place, int64_t *piece) {
    run_stage *stage = stage_of(work);
    const bool there = work->run.plan.stage == place.stage;
    const size_t events = there ? place.event : stage->events.count;
    const event *next = stage->events_done < events ? &stage->events.items[stage->events_done] : NULL;
    const int64_t now = wadi_sim_steps(work->run.sim), last = there ? place.step : stage->steps;
    if (next && next->at <= now) {
        const wadi_status status = event_apply(next, work->run.sim);
        if (status == WADI_OK) stage->events_done++;
        return status;
    }
    if (now < last) return run_to(work, next && next->at < last ? next->at : last, piece);
    if (work->run.plan.stage + 1 < work->run.stage_count) return enter_next(work);
    return wadi_fail(WADI_ERROR_FORMAT, "there is nothing after the last stage's end");
}

wadi_status work_go(work *work, work_place place, work_going *going, void *context) {
    work_place now = work_now(work);
    checkpoint_if_far(work);
    const size_t from = saved_before(work, place);
    const bool behind = work_compare(now, place) <= 0;
    wadi_status status = WADI_OK;
    if (from == work->saved_count && !behind)
        return wadi_fail(WADI_ERROR_ARGUMENT, "there is no checkpoint so far back");
    if (!behind || (from < work->saved_count && work_compare(now, work->saved[from].place) < 0))
        status = restore(work, &work->saved[from]);
    now = work_now(work);
    const double first = (double)work_steps_at(work, now), far = (double)work_steps_at(work, place) - first;
    int64_t piece = 1;
    while (status == WADI_OK && work_compare(now, place) < 0) {
        status = approach(work, place, &piece);
        now = work_now(work);
        const double done = (double)work_steps_at(work, now) - first;
        if (going && !going(context, far > 0 ? done / far : 1)) break;
        if (work->since_saved_s > 10) work_checkpoint(work); /* where a recipe is followed for long */
    }
    if (status == WADI_ERROR_NUMERIC) status = fall_back(work, status);
    work->group = 0;
    count_steps(work);
    return status;
}

bool work_undo_place(const work *work, work_place *place, const char **label) {
    const work_place now = work_now(work);
    for (size_t i = work->mark_count; i-- > 0;) {
        if (work_compare(work->marks[i].place, now) >= 0) continue;
        if (saved_before(work, work->marks[i].place) == work->saved_count) return false;
        *place = work->marks[i].place;
        *label = work->marks[i].label;
        return true;
    }
    /* A recipe or a file of work was opened: its steps are no action, its beginning is. */
    if (work->saved_count == 0 || work_compare(work->saved[0].place, now) >= 0) return false;
    *place = work->saved[0].place;
    *label = "all steps";
    return true;
}

bool work_redo_place(const work *work, work_place *place, const char **label) {
    const work_place now = work_now(work);
    if (!has_future(work)) return false;
    *label = "steps";
    *place = work_end(work);
    for (size_t i = work->mark_count; i-- > 0;) {
        const int order = work_compare(work->marks[i].place, now);
        if (order > 0) *place = work->marks[i].place;
        if (order <= 0) *label = work->marks[i].label;
        if (order <= 0) break;
    }
    return true;
}

const work_mark *work_marks(const work *work, size_t *count) {
    *count = work->mark_count;
    return work->marks;
}

/* --- figures --- */

wadi_status work_mass(work *work, wadi_mass *mass) { return run_mass(&work->run, mass); }

double work_simulated_s(const work *work) { return wadi_sim_time(work->run.sim); }

/* --- opening and saving --- */

static int refuse_turns(const run *run) {
    for (size_t i = 0; i < run->stage_count; i++)
        if (run->stages[i].rounds > 1)
            return cli_fail(CLI_USAGE, "stages that are repeated cannot be shown: 'wadi run' runs them");
    return CLI_OK;
}

/* Only the stage whose turn it is has its simulation; those to come wait as they begin. */
static int settle(work *work) {
    run *run = &work->run;
    int code = refuse_turns(run);
    work->fresh = cli_allocate(run->stage_count * sizeof *work->fresh);
    for (size_t i = 0; i < run->stage_count && code == CLI_OK; i++) {
        run_stage *stage = &run->stages[i];
        stage->first = stage->last = i;
        if (stage->sim == run->sim || !stage->sim) continue;
        if ((int64_t)i == run->plan.hardness_stage && i < run->plan.stage && !run->hard)
            code = cli_fail_status(keep_hard_of(work, stage->sim, run->sim));
        if (i > run->plan.stage) {
            code = cli_fail_status(pack(stage->sim, &work->fresh[i]));
        } else {
            code = cli_fail_status(wadi_sim_mass(stage->sim, &stage->mass));
            stage->made = wadi_sim_steps(stage->sim);
        }
        wadi_sim_destroy(stage->sim);
        stage->sim = NULL;
    }
    work->how = *wadi_sim_def(run->sim);
    work->budget = platform_memory_bytes() / 8;
    stage_of(work)->entered = true;
    count_steps(work);
    return code ? code : cli_fail_status(work_checkpoint(work));
}

static void prepare(run *run) {
    run->plan.maps = maps_by_default();
    run->quiet = true;
}

static int open_recipe(recipe *recipe, bool stepless, work *work) {
    prepare(&work->run);
    int code = run_load(recipe, &work->run);
    if (code) return code;
    if (stepless) work->run.stages[0].steps = 0;
    return settle(work);
}

static bool ends_in(const char *path, const char *end) {
    const size_t length = strlen(path), size = strlen(end);
    return length > size && strcmp(path + length - size, end) == 0;
}

static int open_checkpoint(const char *path, const run_options *options, work *work) {
    wadi_def how = wadi_default_def(wadi_model_at(0), 2, 2, 1, 1);
    backend_apply_unseen(&options->on, &how);
    how.threads = (int)options->threads;
    int code = checkpoint_read_file(path, &how, &work->run);
    if (code == CLI_OK) code = settle(work);
    return code;
}

static int open_input(const char *path, const run_options *options, work *work) {
    recipe recipe;
    run_options given = *options;
    char *height = NULL, *water = NULL;
    if (platform_is_folder(path)) {
        height = folder_find_field(path, "height");
        water = folder_find_field(path, "water");
        if (!height) return cli_fail(CLI_USAGE, "%s: is no run folder (no height in it)", path);
        if (!given.water) given.water = water;
    }
    recipe_from_options(&given, height ? height : path, &recipe);
    int code = open_recipe(&recipe, true, work);
    recipe_free(&recipe);
    free(height);
    free(water);
    return code;
}

static int open_any(const char *path, const run_options *options, work *work) {
    char *checkpoint = cli_join(path, CHECKPOINT), *result = cli_join(path, RUN_JSON);
    const bool unfinished = platform_is_folder(path) && platform_exists(checkpoint) && !platform_exists(result);
    int code;
    if (unfinished || ends_in(path, ".wadi")) {
        code = open_checkpoint(unfinished ? checkpoint : path, options, work);
    } else if (ends_in(path, ".yaml") || ends_in(path, ".yml") || ends_in(path, ".json")) {
        recipe recipe;
        code = recipe_read(path, options, 0, NULL, &recipe);
        if (code == CLI_OK) code = open_recipe(&recipe, false, work);
        recipe_free(&recipe);
    } else {
        code = open_input(path, options, work);
    }
    free(checkpoint);
    free(result);
    return code;
}

static int opened(int code, work **work) {
    if (code == CLI_OK) return CLI_OK;
    work_close(*work);
    *work = NULL;
    return code;
}

int work_open(const char *path, const run_options *options, work **work) {
    *work = cli_allocate(sizeof **work);
    return opened(open_any(path, options, *work), work);
}

int work_open_text(const char *text, const run_options *options, work **work) {
    recipe recipe;
    *work = cli_allocate(sizeof **work);
    int code = recipe_parse("new terrain", text, strlen(text), options, 0, &recipe);
    if (code == CLI_OK) code = open_recipe(&recipe, true, *work);
    recipe_free(&recipe);
    return opened(code, work);
}

void work_close(work *work) {
    if (!work) return;
    while (work->saved_count > 0) drop_saved(work, work->saved_count - 1);
    for (size_t i = 0; work->fresh && i < work->run.stage_count; i++) free(work->fresh[i].bytes);
    free(work->saved);
    free(work->fresh);
    free(work->marks);
    run_free(&work->run);
    free(work);
}

/* What was undone goes with it, unless it is a recipe's stages, which only the recipe knows how to begin. */
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

/* As if it ended now: what was undone is no part of it. */
static void write_now(json *json, const work *work) {
    run now = work->run;
    now.stages = cli_allocate(work->run.stage_count * sizeof *now.stages);
    now.stage_count = work->run.plan.stage + 1;
    for (size_t i = 0; i < now.stage_count; i++) now.stages[i] = work->run.stages[i];
    run_stage *last = &now.stages[now.stage_count - 1];
    last->steps = wadi_sim_steps(work->run.sim);
    last->events.count = last->events_done;
    json_object(json, NULL);
    json_text(json, "wadi", wadi_version());
    recipe_write(json, &now);
    json_end(json);
    free(now.stages);
}

wadi_status work_write_recipe(const work *work, const char *path) {
    platform_new_file made;
    int error = platform_new_file_begin(path, &made);
    if (error == 0) {
        json json = json_to(made.file, false);
        write_now(&json, work);
        error = platform_new_file_end(&made, path, ferror(made.file) ? EIO : 0);
    }
    return error ? wadi_fail(WADI_ERROR_IO, "%s: cannot be written: %s", path, strerror(error)) : WADI_OK;
}
