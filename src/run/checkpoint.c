/* checkpoint.c: the run's plan as the note in a simulation's checkpoint, and the file in the run folder.
 *
 * The note: a version, then the plan's members in a fixed order. Numbers are little-endian, 8 bytes; texts are a length
 * and bytes. The checkpoint's checksum covers it; reading still checks every length, since a file can be made by hand.
 */
#include "checkpoint.h"

#include "events.h"
#include "fail.h"
#include "folder.h"
#include "message.h"
#include "option.h"
#include "recipe.h"
#include "run_stages.h"
#include "run_state.h"
#include "text.h"

#include "platform/platform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NOTE_VERSION = 5 };

typedef struct note {
    unsigned char *bytes;
    size_t size, at; /* at: where reading goes on */
    bool broken;
} note;

static void put_bytes(note *note, const void *bytes, size_t count) {
    note->bytes = text_grow(note->bytes, note->size + count);
    memcpy(note->bytes + note->size, bytes, count);
    note->size += count;
}

static void put_integer(note *note, uint64_t number) {
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(number >> (8 * i));
    put_bytes(note, bytes, sizeof bytes);
}

static void put_double(note *note, double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    put_integer(note, bits);
}

static void put_block(note *note, const void *bytes, size_t count) {
    put_integer(note, count);
    put_bytes(note, bytes, count);
}

static void put_text(note *note, const char *text) { put_block(note, text ? text : "", text ? strlen(text) : 0); }

static const unsigned char *take_bytes(note *note, uint64_t count) {
    if (note->broken || count > note->size - note->at) {
        note->broken = true;
        return NULL;
    }
    const unsigned char *bytes = note->bytes + note->at;
    note->at += (size_t)count;
    return bytes;
}

static uint64_t take_integer(note *note) {
    const unsigned char *bytes = take_bytes(note, 8);
    uint64_t number = 0;
    for (int i = 0; bytes && i < 8; i++) number |= (uint64_t)bytes[i] << (8 * i);
    return number;
}

static double take_double(note *note) {
    uint64_t bits = take_integer(note);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* "" where the note is broken. Free it. */
static char *take_text(note *note) {
    uint64_t length = take_integer(note);
    const unsigned char *bytes = take_bytes(note, length);
    return bytes ? text_format("%.*s", (int)length, (const char *)bytes) : text_copy("");
}

/* Each item has at least 8 bytes, so that no number makes more of them than the note holds. */
static size_t take_count(note *note) {
    uint64_t count = take_integer(note);
    if (count > (note->size - note->at) / 8) note->broken = true;
    return note->broken ? 0 : (size_t)count;
}

static void put_texts(note *note, const text_list *texts) {
    put_integer(note, texts->count);
    for (size_t i = 0; i < texts->count; i++) put_text(note, texts->items[i]);
}

static void put_inputs(note *note, const run_inputs *inputs) {
    put_integer(note, inputs->count);
    for (size_t i = 0; i < inputs->count; i++) {
        put_text(note, inputs->items[i].name);
        put_text(note, inputs->items[i].path);
        put_text(note, inputs->items[i].sha256);
    }
}

static void put_read(note *note, const read_args *read) {
    for (int i = 0; i < 2; i++) {
        const number_pair *pair = i == 0 ? &read->cell : &read->range;
        put_integer(note, (uint64_t)read->size[i]);
        put_double(note, pair->first);
        put_double(note, pair->second);
        put_integer(note, (uint64_t)pair->count);
    }
    put_double(note, read->nodata.first);
    put_double(note, read->nodata.second);
    put_integer(note, (uint64_t)read->nodata.count);
    put_text(note, read->z_unit);
    put_integer(note, (uint64_t)read->encoding);
    put_integer(note, (uint64_t)read->byte_order);
}

static void put_sources(note *note, const wadi_source *sources, size_t count) {
    put_integer(note, count);
    for (size_t i = 0; i < count; i++) {
        const double numbers[] = {sources[i].x,        sources[i].y,       sources[i].radius_m,
                                  sources[i].rate_m3s, sources[i].start_s, sources[i].end_s};
        for (int k = 0; k < 6; k++) put_double(note, numbers[k]);
    }
}

static void put_drops(note *note, const wadi_drops *drops) {
    put_double(note, drops->count);
    put_double(note, drops->radius_m);
    put_double(note, drops->rate_m_s);
}

static void put_event(note *note, const event *event) {
    put_integer(note, (uint64_t)event->at);
    put_integer(note, event->kind);
    put_text(note, event->name);
    put_double(note, event->value);
    put_sources(note, event->sources, event->source_count);
    put_drops(note, &event->drops);
    const wadi_dab first = event->dab_count ? *event->dabs : (wadi_dab){0};
    const double alike[] = {first.brush, first.radius_m, first.strength, first.falloff, first.level_m};
    for (int k = 0; k < 5; k++) put_double(note, alike[k]);
    put_integer(note, event->dab_count);
    for (size_t i = 0; i < event->dab_count; i++) {
        put_double(note, event->dabs[i].x);
        put_double(note, event->dabs[i].y);
    }
}

enum { MASS_NUMBERS = sizeof(wadi_mass) / sizeof(double) };
_Static_assert(MASS_NUMBERS * sizeof(double) == sizeof(wadi_mass), "a mass balance is doubles and nothing else");

static void put_mass(note *note, const wadi_mass *mass) {
    double numbers[MASS_NUMBERS];
    memcpy(numbers, mass, sizeof numbers);
    put_integer(note, sizeof numbers);
    for (int i = 0; i < MASS_NUMBERS; i++) put_double(note, numbers[i]);
}

/* What the stage begins with, which events may have changed since, and these. */
static void put_beginning(note *note, const run_stage *stage) {
    const wadi_def *def = &stage->def;
    put_integer(note, stage->sim != NULL);
    put_text(note, wadi_model_id(def->model));
    put_integer(note, def->boundary);
    put_integer(note, def->seed);
    put_integer(note, def->allow_out_of_range);
    put_integer(note, (uint64_t)stage->made);
    put_mass(note, &stage->mass);
    for (int i = 0; i < WADI_MAX_PARAMETERS; i++) put_double(note, stage->def.values[i]);
    put_drops(note, &stage->def.drops);
    put_sources(note, stage->sources, stage->source_count);
    put_integer(note, stage->mask_taken);
    put_integer(note, stage->rain_taken);
    put_integer(note, stage->entered);
    put_integer(note, stage->events_done);
    put_integer(note, stage->events.count);
    for (size_t i = 0; i < stage->events.count; i++) put_event(note, &stage->events.items[i]);
}

static void put_stages(note *note, const run *run) {
    put_integer(note, run->stage_count);
    for (size_t i = 0; i < run->stage_count; i++) {
        const run_stage *stage = &run->stages[i];
        put_text(note, stage->preset);
        put_inputs(note, &stage->inputs);
        put_integer(note, stage->first);
        put_integer(note, stage->last);
        put_integer(note, (uint64_t)stage->rounds);
        put_integer(note, (uint64_t)stage->steps);
        put_double(note, stage->wall_s);
        put_beginning(note, stage);
    }
}

static wadi_status put_plan(note *note, const run *run) {
    const run_plan *plan = &run->plan;
    void *raster;
    size_t raster_bytes;
    wadi_status status = wadi_raster_pack(run->raster, &raster, &raster_bytes);
    if (status != WADI_OK) return status;
    put_integer(note, NOTE_VERSION);
    put_block(note, raster, raster_bytes);
    free(raster);
    put_texts(note, &plan->command);
    put_texts(note, &plan->generator);
    put_read(note, &plan->read);
    put_inputs(note, &plan->inputs);
    const int64_t whole[] = {plan->steps,           plan->done,          plan->checkpoint_every, (int64_t)plan->stage,
                             plan->round,           plan->visit_done,    plan->hardness_stage,   plan->maps,
                             (int64_t)plan->format, plan->hardness_made, plan->no_checkpoint,    plan->relaxed};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) put_integer(note, (uint64_t)whole[i]);
    put_double(note, plan->score_before);
    put_double(note, plan->wall_s);
    put_stages(note, run);
    return WADI_OK;
}

static void take_texts(note *note, text_list *texts) {
    size_t count = take_count(note);
    for (size_t i = 0; i < count && !note->broken; i++) {
        char *text = take_text(note);
        text_list_add(texts, text);
        free(text);
    }
}

static void take_inputs(note *note, run_inputs *inputs) {
    size_t count = take_count(note);
    for (size_t i = 0; i < count && !note->broken; i++) {
        char *name = take_text(note), *path = take_text(note), *sha256 = take_text(note);
        run_add_input(inputs, name, path, sha256);
        free(name);
        free(path);
        free(sha256);
    }
}

static void take_read(note *note, run_plan *plan) {
    for (int i = 0; i < 2; i++) {
        number_pair *pair = i == 0 ? &plan->read.cell : &plan->read.range;
        plan->read.size[i] = (int)take_integer(note);
        pair->first = take_double(note);
        pair->second = take_double(note);
        pair->count = (int)take_integer(note);
    }
    plan->read.nodata.first = take_double(note);
    plan->read.nodata.second = take_double(note);
    plan->read.nodata.count = (int)take_integer(note);
    plan->z_unit = take_text(note);
    plan->read.z_unit = *plan->z_unit ? plan->z_unit : NULL;
    const uint64_t encoding = take_integer(note), byte_order = take_integer(note);
    if (encoding > WADI_ENCODING_MAPBOX_RGB || byte_order > BYTES_BIG) note->broken = true;
    if (!note->broken) plan->read.encoding = (int)encoding, plan->read.byte_order = (int)byte_order;
}

/* Stages follow one another without gaps in what is repeated together, and where the run stands is among them. */
static bool good_stages(const run *run) {
    const run_plan *plan = &run->plan;
    int64_t steps = 0;
    for (size_t i = 0; i < run->stage_count; i++) {
        const run_stage *stage = &run->stages[i];
        bool good = stage->first <= i && stage->last >= i && stage->last < run->stage_count && stage->rounds > 0 &&
                    stage->steps >= 0 && run_stage_steps(stage) >= 0;
        const run_stage *first = good ? &run->stages[stage->first] : NULL;
        good = good && first->first == stage->first && first->last == stage->last && first->rounds == stage->rounds;
        good = good && run_stage_steps(stage) <= (int64_t)1e15 - steps;
        if (!good) return false;
        steps += run_stage_steps(stage);
    }
    return run->stage_count > 0 && steps == plan->steps && plan->done <= plan->steps &&
           plan->round < (plan->stage < run->stage_count ? run->stages[plan->stage].rounds : 1) &&
           plan->stage < run->stage_count && plan->round >= 0 && plan->visit_done >= 0 &&
           plan->visit_done <= run->stages[plan->stage].steps && plan->hardness_stage >= -1 &&
           plan->hardness_stage < (int64_t)run->stage_count;
}

static void *take_array(note *note, size_t size, size_t *count) {
    *count = take_count(note);
    return text_allocate((*count + 1) * size);
}

static wadi_source *take_sources(note *note, size_t *count) {
    wadi_source *sources = take_array(note, sizeof *sources, count);
    for (size_t i = 0; i < *count; i++) {
        double numbers[6];
        for (int k = 0; k < 6; k++) numbers[k] = take_double(note);
        sources[i] = (wadi_source){numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]};
    }
    return sources;
}

static wadi_drops take_drops(note *note) {
    wadi_drops drops;
    drops.count = take_double(note);
    drops.radius_m = take_double(note);
    drops.rate_m_s = take_double(note);
    return drops;
}

static event take_event(note *note) {
    event event = {.at = (int64_t)take_integer(note)};
    const uint64_t kind = take_integer(note);
    event.name = take_text(note);
    event.value = take_double(note);
    event.sources = take_sources(note, &event.source_count);
    event.drops = take_drops(note);
    double alike[5];
    for (int k = 0; k < 5; k++) alike[k] = take_double(note);
    if (!(alike[0] >= 0 && alike[0] < WADI_BRUSHES)) note->broken = true;
    wadi_dab dab = {.radius_m = alike[1], .strength = alike[2], .falloff = alike[3], .level_m = alike[4]};
    dab.brush = note->broken ? WADI_BRUSH_RAISE : (wadi_brush)(int)alike[0];
    event.dabs = take_array(note, sizeof *event.dabs, &event.dab_count);
    for (size_t i = 0; i < event.dab_count; i++) {
        dab.x = take_double(note);
        dab.y = take_double(note);
        event.dabs[i] = dab;
    }
    if (kind > EVENT_DROPS || event.at < 0 || (kind == EVENT_PAINT && event.dab_count == 0)) note->broken = true;
    event.kind = note->broken ? EVENT_DROPS : (event_kind)kind;
    return event;
}

static void take_mass(note *note, wadi_mass *mass) {
    double numbers[MASS_NUMBERS];
    if (take_integer(note) != sizeof numbers) note->broken = true;
    for (int i = 0; i < MASS_NUMBERS; i++) numbers[i] = take_double(note);
    memcpy(mass, numbers, sizeof numbers);
}

/* *there: its simulation follows. */
static void take_def(note *note, run_stage *stage, bool *there) {
    *there = take_integer(note) != 0;
    char *id = take_text(note);
    const wadi_model *model = wadi_model_find(id);
    const uint64_t boundary = take_integer(note);
    free(id);
    if (!model || boundary > WADI_WRAP) note->broken = true;
    stage->def = wadi_default_def(model ? model : wadi_model_at(0), 2, 2, 1, 1); /* the grid is the plan's */
    stage->def.boundary = note->broken ? WADI_CLOSED : (wadi_boundary)boundary;
    stage->def.seed = take_integer(note);
    stage->def.allow_out_of_range = take_integer(note) != 0;
    stage->made = (int64_t)take_integer(note);
    take_mass(note, &stage->mass);
}

static void take_beginning(note *note, run_stage *stage, bool *there) {
    take_def(note, stage, there);
    for (int i = 0; i < WADI_MAX_PARAMETERS; i++) stage->def.values[i] = take_double(note);
    stage->def.drops = take_drops(note);
    stage->sources = take_sources(note, &stage->source_count);
    stage->mask_taken = take_integer(note) != 0;
    stage->rain_taken = take_integer(note) != 0;
    stage->entered = take_integer(note) != 0;
    stage->events_done = (size_t)take_integer(note);
    const size_t count = take_count(note);
    for (size_t i = 0; i < count && !note->broken; i++) events_add(&stage->events, take_event(note));
    if (stage->events_done > stage->events.count) note->broken = true;
}

static void take_stages(note *note, run *run, bool **there) {
    size_t count = take_count(note);
    if (count > MOST_STAGES) note->broken = true, count = 0;
    *there = text_allocate((count + 1) * sizeof **there);
    run->stages = text_allocate((count + 1) * sizeof *run->stages);
    for (; run->stage_count < count && !note->broken; run->stage_count++) {
        run_stage *stage = &run->stages[run->stage_count];
        stage->preset = take_text(note);
        take_inputs(note, &stage->inputs);
        stage->first = (size_t)take_integer(note);
        stage->last = (size_t)take_integer(note);
        stage->rounds = (int64_t)take_integer(note);
        stage->steps = (int64_t)take_integer(note);
        stage->wall_s = take_double(note);
        take_beginning(note, stage, &(*there)[run->stage_count]);
    }
}

static void take_numbers(note *note, run_plan *plan) {
    int64_t whole[12];
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) whole[i] = (int64_t)take_integer(note);
    plan->steps = whole[0], plan->done = whole[1], plan->checkpoint_every = whole[2];
    plan->stage = (size_t)whole[3], plan->round = whole[4], plan->visit_done = whole[5],
    plan->hardness_stage = whole[6];
    plan->maps = (unsigned)whole[7], plan->format = (wadi_format)whole[8];
    plan->hardness_made = whole[9] != 0, plan->no_checkpoint = whole[10] != 0, plan->relaxed = whole[11] != 0;
    if (whole[8] < 0 || whole[8] >= WADI_FORMAT_GDAL) note->broken = true;
    plan->score_before = take_double(note);
    plan->wall_s = take_double(note);
}

static wadi_status damaged(const char *path) {
    return wadi_fail(WADI_ERROR_FORMAT, "%s: is damaged; the run must be started anew", path);
}

static wadi_status take_plan(note *note, const char *path, const wadi_def *grid, run *run, bool **there) {
    run_plan *plan = &run->plan;
    uint64_t version = take_integer(note);
    if (!note->broken && version != NOTE_VERSION)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: was written by another version of wadi; that one can go on with it",
                         path);
    uint64_t raster_bytes = take_integer(note);
    const unsigned char *raster = take_bytes(note, raster_bytes);
    if (raster) {
        wadi_status status =
            fail_as_input(wadi_raster_unpack(raster, (size_t)raster_bytes, grid->width, grid->height, &run->raster));
        if (status != WADI_OK) return status;
    }
    take_texts(note, &plan->command);
    take_texts(note, &plan->generator);
    for (size_t i = 0; i < plan->generator.count; i++)
        if (!strchr(plan->generator.items[i], '=')) note->broken = true;
    take_read(note, plan);
    take_inputs(note, &plan->inputs);
    take_numbers(note, plan);
    take_stages(note, run, there);
    bool good = !note->broken && plan->steps >= 0 && plan->done >= 0 && plan->checkpoint_every >= 0 && good_stages(run);
    return good ? WADI_OK : damaged(path);
}

typedef struct stream {
    FILE *file;
    const char *path;
} stream;

static wadi_status write_stream(void *context, const void *bytes, size_t count) {
    stream *stream = context;
    errno = 0;
    if (fwrite(bytes, 1, count, stream->file) == count) return WADI_OK;
    return wadi_fail(WADI_ERROR_IO, "%s: cannot be written: %s", stream->path, strerror(errno));
}

static wadi_status read_stream(void *context, void *bytes, size_t count) {
    stream *stream = context;
    if (fread(bytes, 1, count, stream->file) == count) return WADI_OK;
    return wadi_fail(WADI_ERROR_FORMAT, "%s: ends too early; it is damaged", stream->path);
}

/* The hardness kept for later, and a checksum of it. */
static wadi_status save_hard(const run *run, wadi_write_fn *write, void *context) {
    const size_t cells = (size_t)run->raster->width * (size_t)run->raster->height;
    const uint64_t count = run->hard ? cells : 0;
    char hex[65];
    wadi_status status = write(context, &count, sizeof count);
    if (!count || status != WADI_OK) return status;
    wadi_field_sha256(run->hard, cells, hex);
    status = write(context, hex, sizeof hex);
    return status == WADI_OK ? write(context, run->hard, cells * sizeof *run->hard) : status;
}

/* The plan is the first simulation's note. */
wadi_status checkpoint_save(const run *run, wadi_write_fn *write, void *context) {
    note note = {0};
    wadi_status status = put_plan(&note, run);
    bool first = true;
    for (size_t i = 0; i < run->stage_count && status == WADI_OK; i++) {
        if (!run->stages[i].sim) continue;
        status = wadi_sim_save(run->stages[i].sim, first ? note.bytes : NULL, first ? note.size : 0, write, context);
        first = false;
    }
    free(note.bytes);
    return status == WADI_OK ? save_hard(run, write, context) : status;
}

wadi_status checkpoint_write_file(const run *run, const char *path) {
    platform_new_file made;
    int error = platform_new_file_begin(path, &made);
    if (error)
        return wadi_fail(error == ENOMEM ? WADI_ERROR_MEMORY : WADI_ERROR_IO, "%s: cannot be written: %s", path,
                         strerror(error));
    stream stream = {made.file, path};
    const wadi_status status = checkpoint_save(run, write_stream, &stream);
    error = platform_new_file_end(&made, path, status == WADI_OK ? 0 : ECANCELED);
    if (status != WADI_OK || error == 0) return status;
    return wadi_fail(WADI_ERROR_IO, "%s: cannot be written: %s", path, strerror(error));
}

wadi_status checkpoint_write(const run *run) {
    char *path = text_join(run->folder, CHECKPOINT);
    wadi_status status = checkpoint_write_file(run, path);
    free(path);
    return status;
}

static void note_leftover(void *context, const char *name) {
    if (folder_is_leftover(name)) *(bool *)context = true;
}

wadi_status checkpoint_check(const char *folder) {
    bool killed = false;
    if (!platform_is_folder(folder))
        return wadi_fail(WADI_ERROR_ARGUMENT, "--resume %s: there is no such run folder", folder);
    char *path = text_join(folder, CHECKPOINT);
    const bool is_there = platform_exists(path);
    free(path);
    if (is_there) return WADI_OK;
    if (folder_is_run(folder))
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "--resume %s: this run is complete, and no checkpoint was kept to go on from", folder);
    platform_list(folder, note_leftover, &killed);
    return wadi_fail(WADI_ERROR_ARGUMENT, "--resume %s: holds no run (no %s in it)%s", folder, CHECKPOINT,
                     killed ? "; one was stopped before its first step: start it again as before" : "");
}

static wadi_status restore_failed(const char *what, wadi_status status) {
    return wadi_fail(fail_as_input(status), "%s: %s", what, wadi_error_message());
}

/* The simulation knows the rest. false: a choice that there is none of. */
static bool settle_beginning(const wadi_def *def, wadi_def *beginning) {
    wadi_def settled = *def;
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(beginning->model, &count);
    settled.model = beginning->model, settled.boundary = beginning->boundary, settled.seed = beginning->seed;
    settled.allow_out_of_range = beginning->allow_out_of_range, settled.drops = beginning->drops;
    for (int i = 0; i < WADI_MAX_PARAMETERS; i++) settled.values[i] = beginning->values[i];
    bool good = true;
    for (size_t i = 0; i < count; i++)
        if (parameters[i].choices)
            good = good && settled.values[i] >= parameters[i].minimum && settled.values[i] <= parameters[i].maximum;
    *beginning = settled;
    return good;
}

/* In their order, none after the stage's end, all of what there is. */
static bool good_events(const run_stage *stage) {
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(stage->def.model, &count);
    int64_t last = 0;
    for (size_t i = 0; i < stage->events.count; i++) {
        const event *event = &stage->events.items[i];
        if (event->at < last || event->at > run_stage_steps(stage)) return false;
        last = event->at;
        if (event->kind != EVENT_SET) continue;
        const int index = wadi_model_parameter_index(stage->def.model, event->name);
        if (index < 0) return false;
        const wadi_parameter *parameter = &parameters[index];
        if (parameter->choices && !(event->value >= parameter->minimum && event->value <= parameter->maximum))
            return false;
    }
    return true;
}

static wadi_status load_hard(wadi_read_fn *read, void *context, const char *what, run *run) {
    const size_t cells = (size_t)run->raster->width * (size_t)run->raster->height;
    uint64_t count = 0;
    char hex[65] = "", found[65];
    wadi_status status = read(context, &count, sizeof count);
    if (status != WADI_OK) return restore_failed(what, status);
    if (!count) return WADI_OK;
    if (count != cells) return damaged(what);
    run->hard = text_allocate(cells * sizeof *run->hard);
    status = read(context, hex, sizeof hex);
    if (status == WADI_OK) status = read(context, run->hard, cells * sizeof *run->hard);
    if (status != WADI_OK) return restore_failed(what, status);
    wadi_field_sha256(run->hard, cells, found);
    return memcmp(hex, found, sizeof hex) == 0 ? WADI_OK : damaged(what);
}

typedef struct source {
    wadi_read_fn *read;
    void *context;
    const char *what;
    const wadi_def *how;
} source;

static wadi_status load_sim(const source *from, note *note, wadi_sim **sim) {
    void *bytes = NULL;
    *sim = NULL;
    const wadi_status status = wadi_sim_restore(from->read, from->context, from->how, sim, &bytes, &note->size);
    note->bytes = bytes;
    return status == WADI_OK ? WADI_OK : restore_failed(from->what, status);
}

/* The simulations that are there, the first of which was read, with the plan. */
static wadi_status load_sims(const source *from, const bool *there, wadi_sim *first, run *run) {
    wadi_status status = WADI_OK;
    const wadi_def *any = wadi_sim_def(first);
    for (size_t i = 0; i < run->stage_count && status == WADI_OK; i++) {
        note none = {0};
        if (there[i] && first) run->stages[i].sim = first;
        if (there[i] && !first) status = load_sim(from, &none, &run->stages[i].sim);
        if (there[i]) first = NULL;
        free(none.bytes);
    }
    wadi_sim_destroy(first); /* belongs to no stage */
    if (status != WADI_OK || first) return status != WADI_OK ? status : damaged(from->what);
    for (size_t i = 0; i < run->stage_count; i++) {
        const wadi_def *def = there[i] ? wadi_sim_def(run->stages[i].sim) : any;
        const bool same = run->raster->width == def->width && run->raster->height == def->height;
        if (!same || def->model != (there[i] ? run->stages[i].def.model : def->model)) return damaged(from->what);
        if (!settle_beginning(def, &run->stages[i].def) || !good_events(&run->stages[i])) return damaged(from->what);
    }
    run->sim = run->stages[run->plan.stage].sim;
    return run->sim ? load_hard(from->read, from->context, from->what, run) : damaged(from->what);
}

wadi_status checkpoint_load(wadi_read_fn *read, void *context, const char *what, const wadi_def *how, run *run) {
    const source from = {read, context, what, how};
    note note = {0};
    bool *there = NULL;
    wadi_sim *sim;
    wadi_status status = load_sim(&from, &note, &sim);
    if (status != WADI_OK) return status;
    status = take_plan(&note, what, wadi_sim_def(sim), run, &there);
    free(note.bytes);
    if (status != WADI_OK)
        wadi_sim_destroy(sim);
    else
        status = load_sims(&from, there, sim, run);
    free(there);
    return status;
}

wadi_status checkpoint_read_file(const char *path, const wadi_def *how, run *run) {
    stream stream = {platform_open(path, "r"), path};
    if (!stream.file) return wadi_fail(WADI_ERROR_ARGUMENT, "%s: cannot be read: %s", path, strerror(errno));
    wadi_status status = checkpoint_load(read_stream, &stream, path, how, run);
    fclose(stream.file);
    return status;
}

/* The window keeps the simulation of the stage whose turn it is, and no other. */
static wadi_status refuse_work(const char *folder, const run *run) {
    for (size_t i = 0; i < run->stage_count; i++)
        if (!run->stages[i].sim)
            return wadi_fail(WADI_ERROR_ARGUMENT,
                             "--resume %s: its %s is work of the window's: 'wadi view' goes on with it", folder,
                             CHECKPOINT);
    return WADI_OK;
}

wadi_status checkpoint_read(const char *folder, const wadi_def *how, run *run) {
    char *path = text_join(folder, CHECKPOINT), *what = text_format("--resume %s", folder);
    stream stream = {platform_open(path, "r"), path};
    wadi_status status =
        stream.file ? checkpoint_load(read_stream, &stream, what, how, run)
                    : wadi_fail(WADI_ERROR_ARGUMENT, "%s: %s cannot be read: %s", what, CHECKPOINT, strerror(errno));
    if (status == WADI_OK) status = refuse_work(folder, run);
    if (stream.file) fclose(stream.file);
    free(what);
    free(path);
    return status;
}
