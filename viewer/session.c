/* session.c: the thread that steps, and what goes to it and comes from it. */
#include "viewer/session.h"

#include "viewer/work/change.h"
#include "viewer/work/checkpoints.h"
#include "viewer/work/go.h"
#include "viewer/work/history.h"
#include "viewer/work/open.h"
#include "viewer/work/save.h"

#include "wadi/landscape.h"
#include "wadi/mesh.h"

#include "platform/platform.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind {
    OPEN,
    STEP,
    DO,
    SWITCH,
    UNDO,
    REDO,
    GO,
    GO_TO_STEP,
    CHECKPOINT,
    SAVE,
    SAVE_RECIPE,
    EXPORT_MAP,
    EXPORT_MESH
} kind;

/* Something that was asked for. */
typedef struct request {
    kind kind;
    char *path, *label;
    bool is_text;
    int64_t steps;
    double number;
    uint64_t group;
    event event;
    wadi_def def;
    work_place place;
} request;

struct session {
    GThread *thread;
    GMutex lock; /* of all down to `private` */
    GCond wake;
    GQueue *requests;
    bool quit, play, info_taken;
    gint stop_going;
    double speed; /* steps a second; 0: any */
    char overlay[32], *autosave;
    int look_x, look_y;
    session_frame frames[3]; /* one is written, one waits, one is shown */
    int waiting, shown;      /* -1: none */
    session_info info;
    char outside[512]; /* a message of another thread's; "": none */
    /* private to the window's thread */
    uint64_t groups;
    char group_of[64];
    double grouped_s;
    /* private to the thread */
    gpu_maps *gpu_maps; /* has a lock of its own */
    run_options options;
    work *work;
    bool playing;
    int writing;
    uint64_t terrain, not_shown; /* told to be too large to show */
    double speed_now;            /* that play_from_s and played count for */
    double last_frame_s, last_figures_s, last_save_s, last_checkpoint_s, play_from_s;
    int64_t piece, played;
    double stepped_s, stepped; /* since the last figures */
    uint64_t kept_edits, framed_edits, gpu_edits, measured_edits, published;
    char framed_overlay[32];
    bool look_changed;
    session_info next; /* the thread's own, copied to `info` */
};

/* --- messages --- */

static void tell(session *session, bool is_error, const char *text) {
    session_info *next = &session->next;
    next->message_serial++;
    next->message_is_error = is_error;
    g_strlcpy(next->message, text, sizeof next->message);
}

static void tell_line(session *session, const char *line) {
    const bool note = strncmp(line, "note: ", 6) == 0;
    tell(session, !note && strncmp(line, "warning: ", 9) != 0, note ? line + 6 : line);
}

/* What the command's parts say of files and recipes; of videos they do in the window's thread. */
static void reported(void *context, const char *line) {
    session *session = context;
    if (g_thread_self() == session->thread) {
        tell_line(session, line);
        return;
    }
    g_mutex_lock(&session->lock);
    g_strlcpy(session->outside, line, sizeof session->outside);
    g_cond_signal(&session->wake);
    g_mutex_unlock(&session->lock);
}

static void check(session *session, wadi_status status) {
    if (status != WADI_OK) tell(session, true, wadi_error_message());
}

/* --- what the window is shown --- */

static bool make_room(session_frame *frame, size_t cells) {
    if (frame->cells >= cells) return true;
    for (int i = 0; i < 5; i++) {
        g_free(frame->maps[i]);
        frame->maps[i] = g_try_malloc0_n(cells, sizeof *frame->maps[i]);
        if (!frame->maps[i]) {
            frame->cells = 0;
            return false;
        }
    }
    frame->cells = cells;
    return true;
}

/* false: this model has no such field; or it cannot be read, which is said. */
static bool get_field(session *session, const char *field, float *map, size_t cells) {
    const wadi_sim *sim = work_sim(session->work);
    if (!wadi_sim_has(sim, field)) return false;
    const wadi_status status = wadi_sim_get(sim, field, map, cells);
    check(session, status);
    return status == WADI_OK;
}

/* Degrees, from the neighbours' heights. */
static void make_slopes(const session_frame *frame, float *slopes) {
    const float *h = frame->maps[WADI_LAYER_HEIGHT];
#pragma omp parallel for schedule(static)
    for (int y = 0; y < frame->height; y++)
        for (int x = 0; x < frame->width; x++) {
            const int x0 = x > 0 ? x - 1 : x, x1 = x + 1 < frame->width ? x + 1 : x;
            const int y0 = y > 0 ? y - 1 : y, y1 = y + 1 < frame->height ? y + 1 : y;
            const size_t row = (size_t)y * (size_t)frame->width;
            const double sx = (double)(h[row + (size_t)x1] - h[row + (size_t)x0]) / (frame->lx * (x1 - x0));
            const double sy = (double)(h[(size_t)y1 * (size_t)frame->width + (size_t)x] -
                                       h[(size_t)y0 * (size_t)frame->width + (size_t)x]) /
                              (frame->ly * (y1 - y0));
            slopes[row + (size_t)x] = (float)(atan(hypot(sx, sy)) * (180 / G_PI));
        }
}

static void fill_overlay(session *session, session_frame *frame, const char *name) {
    float *map = frame->maps[WADI_LAYER_OVERLAY];
    const char *field = strcmp(name, "speed") == 0 ? "velocity" : strcmp(name, "discharge") == 0 ? "flow" : name;
    g_strlcpy(frame->overlay, field, sizeof frame->overlay); /* as colours and legends know it */
    if (strcmp(name, "slope") == 0)
        make_slopes(frame, map);
    else if (!*name || !get_field(session, field, map, frame->cells))
        frame->overlay[0] = '\0';
}

static bool fill_frame(session *session, session_frame *frame, const char *overlay) {
    const wadi_def *def = wadi_sim_def(work_sim(session->work));
    const size_t cells = (size_t)def->width * (size_t)def->height;
    if (frame->cells != cells) frame->cells = 0;
    if (!make_room(frame, cells)) return false;
    frame->terrain = session->terrain;
    frame->width = def->width, frame->height = def->height, frame->lx = def->lx, frame->ly = def->ly;
    frame->steps = work_steps_at(session->work, work_now(session->work));
    for (int i = 0; i < GPU_MAPS; i++)
        if (!get_field(session, gpu_map_fields[i], frame->maps[i], cells))
            memset(frame->maps[i], 0, cells * sizeof *frame->maps[i]);
    fill_overlay(session, frame, overlay);
    return true;
}

/* What the window draws, where it has more than software to draw with. */
static void publish_gpu_maps(session *session) {
    const uint64_t edits = work_edits(session->work);
    if (edits != session->gpu_edits && gpu_maps_send(session->gpu_maps, work_sim(session->work), session->terrain))
        session->gpu_edits = edits;
}

/* Where the window has taken the last one, or something other than a step has changed. What is
 * drawn from buffers the window itself needs less often. */
static void publish_frame(session *session) {
    char overlay[32];
    const uint64_t edits = work_edits(session->work);
    g_mutex_lock(&session->lock);
    const bool taken = session->waiting < 0;
    g_strlcpy(overlay, session->overlay, sizeof overlay);
    g_mutex_unlock(&session->lock);
    const double now = platform_clock_s();
    const bool same_overlay = strcmp(overlay, session->framed_overlay) == 0;
    const bool seldom = same_overlay && gpu_maps_flow(session->gpu_maps);
    if (same_overlay && edits == session->framed_edits) return;
    if (!taken || now - session->last_frame_s < (seldom ? 0.4 : 1.0 / 30)) return;
    session->framed_edits = edits;
    if (!fill_frame(session, &session->frames[session->writing], overlay)) {
        if (session->not_shown != session->terrain) tell(session, true, "not enough memory to show this terrain");
        session->not_shown = session->terrain;
        session->next.serial++;
        return;
    }
    g_strlcpy(session->framed_overlay, overlay, sizeof session->framed_overlay);
    session->last_frame_s = platform_clock_s();
    g_mutex_lock(&session->lock);
    session->waiting = session->writing;
    for (int i = 0; i < 3; i++)
        if (i != session->waiting && i != session->shown) session->writing = i;
    g_mutex_unlock(&session->lock);
}

/* --- figures --- */

static void add_point(session *session) {
    session_info *info = &session->next;
    while (info->points > 0 && info->step[info->points - 1] >= (double)info->steps) info->points--;
    if (info->points == SESSION_POINTS) { /* every second one goes */
        for (size_t i = 0; i < SESSION_POINTS / 2; i++) {
            info->step[i] = info->step[2 * i], info->residual[i] = info->residual[2 * i];
            info->scores[i] = info->scores[2 * i], info->rates[i] = info->rates[2 * i];
            info->water[i] = info->water[2 * i];
        }
        info->points = SESSION_POINTS / 2;
    }
    const size_t i = info->points++;
    info->step[i] = (double)info->steps;
    info->residual[i] = info->mass.solid.residual;
    info->scores[i] = info->score;
    info->rates[i] = info->cell_steps_per_s;
    info->water[i] = info->mass.water.after;
}

static void measure_heights(session *session) {
    const wadi_def *def = wadi_sim_def(work_sim(session->work));
    const size_t cells = (size_t)def->width * (size_t)def->height;
    float *heights = work_run(session->work)->raster->values; /* its own are not needed any more */
    if (!get_field(session, "height", heights, cells)) return;
    const wadi_range range = wadi_range_of(heights, cells);
    session->next.low_m = (double)range.minimum, session->next.high_m = (double)range.maximum;
    session->next.score = wadi_erosion_score(heights, def->width, def->height, def->boundary == WADI_WRAP);
}

/* What costs a look at the whole grid; twice a second. */
static void measure(session *session) {
    session_info *info = &session->next;
    if (session->stepped_s > 0) info->cell_steps_per_s = session->stepped / session->stepped_s;
    session->stepped = session->stepped_s = 0;
    work_mass(session->work, &info->mass); /* where it fails the next step says so */
    measure_heights(session);
    info->steps = work_steps_at(session->work, work_now(session->work));
    add_point(session);
    session->measured_edits = work_edits(session->work);
    session->last_figures_s = platform_clock_s();
}

static void list_marks(session *session) {
    session_info *info = &session->next;
    size_t count;
    const work_mark *marks = work_marks(session->work, &count);
    info->mark_count = 0;
    const size_t saved = work_checkpoints(session->work);
    for (size_t i = 0; i < saved && info->mark_count < SESSION_MARKS / 2; i++) {
        session_mark *mark = &info->marks[info->mark_count++];
        mark->place = work_checkpoint_at(session->work, i);
        mark->at = (double)work_steps_at(session->work, mark->place);
        mark->action = false;
        g_snprintf(mark->label, sizeof mark->label, "checkpoint at step %.0f", mark->at);
    }
    const size_t room = SESSION_MARKS - info->mark_count, first = count > room ? count - room : 0;
    for (size_t i = first; i < count; i++) {
        session_mark *mark = &info->marks[info->mark_count++];
        mark->place = marks[i].place;
        mark->at = (double)work_steps_at(session->work, mark->place);
        mark->action = true;
        g_strlcpy(mark->label, marks[i].label, sizeof mark->label);
    }
}

static void list_sources(session *session) {
    session_info *info = &session->next;
    size_t count;
    const wadi_source *sources = wadi_sim_sources(work_sim(session->work), &count);
    info->source_count = count < SESSION_SOURCES ? count : SESSION_SOURCES;
    info->sources_cut = count > SESSION_SOURCES;
    for (size_t i = 0; i < info->source_count; i++) info->sources[i] = sources[i];
}

static void describe(session *session) {
    session_info *info = &session->next;
    const work *work = session->work;
    work_place place;
    const char *label;
    const run *run = work_run(work);
    info->terrain = session->terrain;
    info->def = *wadi_sim_def(work_sim(work));
    g_strlcpy(info->preset, run->stages[run->plan.stage].preset ? run->stages[run->plan.stage].preset : "",
              sizeof info->preset);
    g_strlcpy(info->device, wadi_sim_device(work_sim(work)), sizeof info->device);
    info->steps = work_steps_at(work, work_now(work));
    info->steps_end = work_steps_at(work, work_end(work));
    info->simulated_s = work_simulated_s(work);
    g_strlcpy(info->undo, work_undo_place(work, &place, &label) ? label : "", sizeof info->undo);
    g_strlcpy(info->redo, work_redo_place(work, &place, &label) ? label : "", sizeof info->redo);
    info->edits = work_edits(work);
    list_marks(session);
    list_sources(session);
}

/* All fields of the cell that is looked at. */
static void read_cell(session *session, int x, int y) {
    static const struct {
        const char *field, *unit;
    } fields[] = {{"height", "m"},  {"change", "m"},  {"water", "m"}, {"sediment", "m"}, {"velocity", "m/s"},
                  {"flow", "m3/s"}, {"hardness", ""}, {"mask", ""},   {"rain", "m/s"}};
    session_info *info = &session->next;
    const wadi_def *def = wadi_sim_def(work_sim(session->work));
    const size_t cells = (size_t)def->width * (size_t)def->height;
    float *map = work_run(session->work)->raster->values;
    info->cell_x = x, info->cell_y = y;
    info->cell_values = 0;
    if (x < 0 || y < 0 || x >= def->width || y >= def->height) return;
    for (size_t i = 0; i < G_N_ELEMENTS(fields); i++) {
        if (!get_field(session, fields[i].field, map, cells)) continue;
        session_value *value = &info->cell[info->cell_values++];
        g_strlcpy(value->name, fields[i].field, sizeof value->name);
        g_strlcpy(value->unit, fields[i].unit, sizeof value->unit);
        value->value = (double)map[(size_t)y * (size_t)def->width + (size_t)x];
    }
}

static bool hear_outside(session *session) {
    char text[512];
    g_mutex_lock(&session->lock);
    g_strlcpy(text, session->outside, sizeof text);
    session->outside[0] = '\0';
    g_mutex_unlock(&session->lock);
    if (text[0]) tell_line(session, text);
    return text[0] != '\0';
}

/* `now`: something was asked for, and done. */
static void publish_info(session *session, bool now) {
    now = hear_outside(session) || now;
    g_mutex_lock(&session->lock);
    const bool taken = session->info_taken, looked = session->look_changed;
    const int x = session->look_x, y = session->look_y;
    session->look_changed = false;
    g_mutex_unlock(&session->lock);
    const bool due = session->work && platform_clock_s() - session->last_figures_s > 0.5 &&
                     work_edits(session->work) != session->measured_edits;
    if (due) measure(session);
    if (!now && !looked && (!taken || (session->next.serial == session->published && !due))) return;
    if (session->work) describe(session);
    if (session->work && (looked || (due && x >= 0))) read_cell(session, x, y);
    session->next.playing = session->playing;
    session->published = session->next.serial;
    g_mutex_lock(&session->lock);
    session->info = session->next;
    session->info_taken = false;
    g_mutex_unlock(&session->lock);
}

/* --- doing what was asked --- */

static bool going(void *context, double share) {
    session *session = context;
    g_mutex_lock(&session->lock);
    session->info.busy = true;
    session->info.share = share;
    session->info_taken = false;
    const bool quit = session->quit;
    g_mutex_unlock(&session->lock);
    publish_frame(session);
    publish_gpu_maps(session);
    return !quit && !g_atomic_int_get(&session->stop_going);
}

static bool go(session *session, work_place place) {
    g_atomic_int_set(&session->stop_going, 0);
    session->playing = false;
    const wadi_status status = work_go(session->work, place, going, session);
    check(session, status);
    return status == WADI_OK && work_compare(work_now(session->work), place) == 0;
}

static void open_work(session *session, const request *request) {
    work *opened = NULL;
    const int code = request->is_text ? work_open_text(request->path, &session->options, &opened)
                                      : work_open(request->path, &session->options, &opened);
    if (code) return;
    work_close(session->work);
    session->work = opened;
    session->terrain++;
    session->framed_edits = session->gpu_edits = 0;
    session->playing = false;
    session->next.points = 0;
    work_mass(opened, &session->next.mass);
    session->next.saved_edits = session->kept_edits = work_edits(opened);
    session->piece = 1;
    char *name = g_path_get_basename(request->path);
    const bool kept = g_str_has_prefix(name, "autosave-");
    g_strlcpy(session->next.name,
              request->is_text ? "new terrain"
              : kept           ? "recovered work"
                               : name,
              sizeof session->next.name);
    if (kept) session->next.saved_edits = UINT64_MAX; /* nobody has saved it yet */
    g_free(name);
    measure_heights(session);
    session->next.score_before = work_run(opened)->plan.score_before;
}

static void go_by_label(session *session, bool undo) {
    work_place place;
    const char *label;
    const bool any =
        undo ? work_undo_place(session->work, &place, &label) : work_redo_place(session->work, &place, &label);
    if (!any) return;
    char *text = g_strdup_printf("%s: %s", undo ? "undone" : "redone", label);
    if (go(session, place)) tell(session, false, text);
    g_free(text);
}

/* The stage that a step of all stages is in. */
static work_place place_of_step(const work *work, int64_t step) {
    const run *run = work_run(work);
    const work_place first = work_checkpoint_at(work, 0);
    work_place place = {0, step, 0};
    if (step >= work_steps_at(work, work_end(work))) return work_end(work);
    while (place.stage + 1 < run->stage_count && place.step > run->stages[place.stage].steps)
        place.step -= run->stages[place.stage++].steps;
    const run_stage *stage = &run->stages[place.stage];
    if (place.step > stage->steps) place.step = stage->steps;
    while (place.event < stage->events.count && stage->events.items[place.event].at < place.step) place.event++;
    return work_compare(place, first) < 0 ? first : place; /* what lies before it nobody knows any more */
}

static wadi_status export_map(const work *work, const char *field, const char *path) {
    const wadi_def *def = wadi_sim_def(work_sim(work));
    wadi_raster *raster;
    wadi_write_options options = {.sample = WADI_SAMPLE_FLOAT32};
    const wadi_format format = wadi_format_of_name(path);
    if (format == WADI_FORMAT_PNG || format == WADI_FORMAT_R16) options.sample = WADI_SAMPLE_UINT16;
    wadi_status status = wadi_raster_like(work_run(work)->raster, &raster);
    if (status != WADI_OK) return status;
    status = wadi_sim_get(work_sim(work), field, raster->values, (size_t)def->width * (size_t)def->height);
    if (status == WADI_OK) status = wadi_raster_write(path, raster, &options);
    wadi_raster_destroy(raster);
    return status;
}

static wadi_status export_mesh(const work *work, const char *path, double exaggeration) {
    const wadi_def *def = wadi_sim_def(work_sim(work));
    const size_t cells = (size_t)def->width * (size_t)def->height;
    float *heights = g_try_malloc_n(cells, sizeof *heights), *water = g_try_malloc_n(cells, sizeof *water);
    wadi_status status = heights && water ? wadi_sim_get(work_sim(work), "height", heights, cells)
                                          : wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a mesh");
    if (status == WADI_OK) status = wadi_sim_get(work_sim(work), "water", water, cells);
    const wadi_mesh mesh = {.width = def->width,
                            .height = def->height,
                            .lx = def->lx,
                            .ly = def->ly,
                            .heights = heights,
                            .water = water,
                            .exaggeration = exaggeration};
    if (status == WADI_OK) status = wadi_mesh_write(path, &mesh);
    g_free(heights);
    g_free(water);
    return status;
}

static void write_file(session *session, const request *request) {
    const work *work = session->work;
    wadi_status status;
    switch (request->kind) {
    case SAVE:
        status = work_save(work, request->path);
        if (status == WADI_OK) session->next.saved_edits = work_edits(work);
        break;
    case SAVE_RECIPE:
        status = work_write_recipe(work, request->path);
        break;
    case EXPORT_MAP:
        status = export_map(work, request->label, request->path);
        break;
    default:
        status = export_mesh(work, request->path, request->number);
        break;
    }
    char *text = g_strdup_printf("%s is written", request->path);
    if (status == WADI_OK)
        tell(session, false, text);
    else
        check(session, status);
    g_free(text);
}

static bool is_writing(kind kind) {
    return kind == SAVE || kind == SAVE_RECIPE || kind == EXPORT_MAP || kind == EXPORT_MESH;
}

static void drop_event(request *request) {
    events one = {.items = &request->event, .count = 1};
    events_cut(&one, 0);
}

static void serve(session *session, request *request) {
    if (request->kind == OPEN) {
        open_work(session, request);
        return;
    }
    if (!session->work) {
        drop_event(request);
        return;
    }
    switch (request->kind) {
    case STEP:
        work_note(session->work, "step");
        check(session, work_step(session->work, request->steps));
        break;
    case DO:
        check(session, work_do(session->work, request->event, request->label, request->group));
        break;
    case SWITCH:
        check(session, work_switch(session->work, &request->def, request->path, request->label));
        break;
    case UNDO:
    case REDO:
        go_by_label(session, request->kind == UNDO);
        break;
    case GO:
        go(session, request->place);
        break;
    case GO_TO_STEP:
        go(session, place_of_step(session->work, (int64_t)(request->number + 0.5)));
        break;
    case CHECKPOINT:
        check(session, work_checkpoint(session->work));
        break;
    default:
        write_file(session, request);
        break;
    }
}

static void request_free(request *request) {
    g_free(request->path);
    g_free(request->label);
    g_free(request);
}

static const char *doing_of(kind kind) {
    return kind == OPEN ? "opening" : is_writing(kind) ? "writing" : "going there";
}

static void begin_busy(session *session, kind kind) {
    if (kind == DO || kind == STEP || kind == CHECKPOINT) return;
    g_mutex_lock(&session->lock);
    session->info.busy = true;
    session->info.share = 0;
    g_strlcpy(session->info.doing, doing_of(kind), sizeof session->info.doing);
    session->info_taken = false;
    g_mutex_unlock(&session->lock);
}

/* --- stepping --- */

/* As many as it may do now: pieces of about 25 ms, so that whatever is asked is soon done. */
static int64_t steps_now(session *session, double speed) {
    if (!(speed > 0)) return session->piece;
    const double due = (platform_clock_s() - session->play_from_s) * speed - (double)session->played;
    const int64_t steps = due < (double)session->piece ? (int64_t)due : session->piece;
    if (due > 2 * speed)
        session->play_from_s = platform_clock_s() - (double)session->played / speed; /* cannot keep up */
    return steps;
}

static void play_on(session *session, double speed) {
    if (speed < session->speed_now || speed > session->speed_now) {
        session->speed_now = speed, session->played = 0;
        session->play_from_s = platform_clock_s();
    }
    const int64_t steps = steps_now(session, speed);
    if (steps < 1) {
        g_usleep(2000);
        return;
    }
    const double start = platform_clock_s();
    const wadi_status status = work_step(session->work, steps);
    const double seconds = platform_clock_s() - start;
    check(session, status);
    if (status != WADI_OK) session->playing = false;
    const wadi_def *def = wadi_sim_def(work_sim(session->work));
    const wadi_safety safety = wadi_sim_safety(work_sim(session->work));
    session->stepped_s += seconds;
    session->stepped += (double)steps * safety.substeps * def->width * def->height;
    session->played += steps;
    session->piece = work_piece(session->piece, steps, seconds, 0.03);
    if (start - session->last_checkpoint_s > 10) {
        work_checkpoint(session->work);
        session->last_checkpoint_s = platform_clock_s();
    }
}

static void set_playing(session *session, bool play) {
    if (play == session->playing || !session->work) return;
    session->playing = play;
    session->next.serial++;
    session->play_from_s = session->last_checkpoint_s = platform_clock_s();
    session->played = 0;
    if (play) work_note(session->work, "run");
    if (!play) measure(session);
}

static void keep(session *session) {
    g_mutex_lock(&session->lock);
    char *path = g_strdup(session->autosave);
    g_mutex_unlock(&session->lock);
    const bool due = platform_clock_s() - session->last_save_s > 25;
    if (path && session->work && due && work_edits(session->work) != session->kept_edits) {
        const wadi_status status = work_save(session->work, path);
        if (status == WADI_OK) session->kept_edits = work_edits(session->work);
        if (status != WADI_OK) session->next.serial++;
        check(session, status);
        session->last_save_s = platform_clock_s();
    }
    g_free(path);
}

static request *next_request(session *session, bool *quit, double *speed) {
    g_mutex_lock(&session->lock);
    const gint64 until = g_get_monotonic_time() + 100 * 1000;
    if (!session->quit && !session->playing && !session->play && g_queue_is_empty(session->requests))
        g_cond_wait_until(&session->wake, &session->lock, until);
    request *request = g_queue_pop_head(session->requests);
    const bool play = session->play;
    *quit = session->quit;
    *speed = session->speed;
    g_mutex_unlock(&session->lock);
    if (!request && !*quit) set_playing(session, play);
    return request;
}

/* Who asked to play is told where that ended by itself. */
static void note_stopped(session *session, bool was_playing) {
    g_mutex_lock(&session->lock);
    if (was_playing && !session->playing) session->play = false;
    if (!session->work) session->play = false;
    g_mutex_unlock(&session->lock);
}

static void *work_on(void *context) {
    session *session = context;
    bool quit = false, ended = false;
    for (double speed = 0; !ended;) {
        request *request = next_request(session, &quit, &speed);
        const bool playing = session->playing;
        ended = quit && !request;
        if (request && (!quit || is_writing(request->kind))) { /* what was to be written is */
            begin_busy(session, request->kind);
            serve(session, request);
            session->next.serial++;
        } else if (session->playing && !quit) {
            play_on(session, speed);
            session->next.serial++;
        }
        note_stopped(session, playing);
        if (session->work && !quit) publish_frame(session);
        if (session->work && !quit) publish_gpu_maps(session);
        if (!quit) publish_info(session, request != NULL || playing != session->playing);
        if (!quit) keep(session);
        if (request && quit && !is_writing(request->kind)) drop_event(request);
        if (request) request_free(request);
    }
    work_close(session->work); /* here, where its buffers' context is current */
    session->work = NULL;
    gpu_maps_end(session->gpu_maps);
    return NULL;
}

/* --- the window's side --- */

session *session_new(const run_options *options) {
    session *session = g_new0(struct session, 1);
    session->options = *options;
    session->requests = g_queue_new();
    session->gpu_maps = gpu_maps_new();
    if (!session->gpu_maps) g_error("not enough memory for the window");
    session->waiting = session->shown = -1;
    session->look_x = session->look_y = -1;
    session->next.cell_x = session->next.cell_y = -1;
    session->info_taken = true;
    session->last_save_s = platform_clock_s();
    g_mutex_init(&session->lock);
    g_cond_init(&session->wake);
    cli_report_to(reported, session);
    session->thread = g_thread_new("work", work_on, session);
    return session;
}

void session_free(session *session) {
    if (!session) return;
    g_mutex_lock(&session->lock);
    session->quit = true;
    g_cond_signal(&session->wake);
    g_mutex_unlock(&session->lock);
    g_thread_join(session->thread);
    cli_report_to(NULL, NULL);
    if (session->autosave) g_remove(session->autosave);
    g_queue_free(session->requests);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 5; k++) g_free(session->frames[i].maps[k]);
    gpu_maps_free(session->gpu_maps);
    g_free(session->autosave);
    g_mutex_clear(&session->lock);
    g_cond_clear(&session->wake);
    g_free(session);
}

const session_frame *session_take_frame(session *session) {
    g_mutex_lock(&session->lock);
    const bool any = session->waiting >= 0;
    if (any) {
        session->shown = session->waiting;
        session->waiting = -1;
        g_cond_signal(&session->wake);
    }
    g_mutex_unlock(&session->lock);
    return any ? &session->frames[session->shown] : NULL;
}

bool session_has_frame(session *session) {
    g_mutex_lock(&session->lock);
    const bool any = session->waiting >= 0;
    g_mutex_unlock(&session->lock);
    return any;
}

gpu_maps *session_gpu_maps(session *session) { return session->gpu_maps; }

bool session_take_info(session *session, session_info *info) {
    g_mutex_lock(&session->lock);
    const bool any = !session->info_taken;
    if (any) *info = session->info;
    session->info_taken = true;
    g_mutex_unlock(&session->lock);
    return any;
}

static request *request_of(kind kind) {
    request *request = g_new0(struct request, 1);
    request->kind = kind;
    return request;
}

static void ask(session *session, request *request) {
    g_mutex_lock(&session->lock);
    g_queue_push_tail(session->requests, request);
    g_cond_signal(&session->wake);
    g_mutex_unlock(&session->lock);
}

void session_open(session *session, const char *path, bool is_text) {
    request *request = request_of(OPEN);
    request->path = g_strdup(path);
    request->is_text = is_text;
    session_play(session, false);
    ask(session, request);
}

void session_play(session *session, bool play) {
    g_mutex_lock(&session->lock);
    session->play = play;
    g_cond_signal(&session->wake);
    g_mutex_unlock(&session->lock);
}

void session_set_speed(session *session, double steps_per_s) {
    g_mutex_lock(&session->lock);
    session->speed = steps_per_s;
    g_mutex_unlock(&session->lock);
}

void session_step(session *session, int64_t steps) {
    request *request = request_of(STEP);
    request->steps = steps;
    ask(session, request);
}

void session_do(session *session, event event, const char *label, uint64_t group) {
    request *request = request_of(DO);
    request->event = event;
    request->label = g_strdup(label);
    request->group = group;
    ask(session, request);
}

void session_set_sources(session *session, const wadi_source *sources, size_t count, const char *label,
                         uint64_t group) {
    g_mutex_lock(&session->lock);
    const bool cut = session->info.sources_cut;
    if (cut)
        g_snprintf(session->outside, sizeof session->outside,
                   "there are more than %d sources: they can be changed in a recipe only", SESSION_SOURCES);
    g_cond_signal(&session->wake);
    g_mutex_unlock(&session->lock);
    if (cut) return;
    event event = {.kind = EVENT_SOURCES, .source_count = count};
    event.sources = cli_allocate((count + 1) * sizeof *event.sources);
    for (size_t i = 0; i < count; i++) event.sources[i] = sources[i];
    session_do(session, event, label, group);
}

uint64_t session_group(session *session, const char *what) {
    const double now = platform_clock_s();
    const bool on = what && strcmp(what, session->group_of) == 0 && now - session->grouped_s < 1;
    g_strlcpy(session->group_of, what ? what : "", sizeof session->group_of);
    session->grouped_s = now;
    return on ? session->groups : ++session->groups;
}

void session_switch(session *session, const wadi_def *def, const char *preset, const char *label) {
    request *request = request_of(SWITCH);
    request->def = *def;
    request->path = g_strdup(preset);
    request->label = g_strdup(label);
    ask(session, request);
}

static void ask_stopped(session *session, request *request) {
    session_play(session, false);
    g_atomic_int_set(&session->stop_going, 1);
    ask(session, request);
}

void session_undo(session *session) { ask_stopped(session, request_of(UNDO)); }
void session_redo(session *session) { ask_stopped(session, request_of(REDO)); }

void session_go(session *session, work_place place) {
    request *request = request_of(GO);
    request->place = place;
    ask_stopped(session, request);
}

void session_go_to_step(session *session, double at) {
    request *request = request_of(GO_TO_STEP);
    request->number = at;
    ask_stopped(session, request);
}

void session_stop_going(session *session) { g_atomic_int_set(&session->stop_going, 1); }

void session_set_overlay(session *session, const char *name) {
    g_mutex_lock(&session->lock);
    g_strlcpy(session->overlay, name ? name : "", sizeof session->overlay);
    g_cond_signal(&session->wake);
    g_mutex_unlock(&session->lock);
}

void session_look_at(session *session, int x, int y) {
    g_mutex_lock(&session->lock);
    session->look_x = x, session->look_y = y;
    session->look_changed = true;
    g_cond_signal(&session->wake);
    g_mutex_unlock(&session->lock);
}

void session_checkpoint(session *session) { ask(session, request_of(CHECKPOINT)); }

static void ask_file(session *session, kind kind, const char *path, const char *label, double number) {
    request *request = request_of(kind);
    request->path = g_strdup(path);
    request->label = g_strdup(label);
    request->number = number;
    ask(session, request);
}

void session_save(session *session, const char *path) { ask_file(session, SAVE, path, NULL, 0); }
void session_save_recipe(session *session, const char *path) { ask_file(session, SAVE_RECIPE, path, NULL, 0); }
void session_export_map(session *session, const char *field, const char *path) {
    ask_file(session, EXPORT_MAP, path, field, 0);
}
void session_export_mesh(session *session, const char *path, double exaggeration) {
    ask_file(session, EXPORT_MESH, path, NULL, exaggeration);
}

void session_set_autosave(session *session, const char *path) {
    g_mutex_lock(&session->lock);
    g_free(session->autosave);
    session->autosave = g_strdup(path);
    g_mutex_unlock(&session->lock);
}
