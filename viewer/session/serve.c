/* serve.c: serves requests: opens, steps, changes, goes to a place, writes files. */
#include "viewer/session/serve.h"

#include "viewer/session/export.h"
#include "viewer/session/publish.h"
#include "viewer/work/change.h"
#include "viewer/work/checkpoints.h"
#include "viewer/work/go.h"
#include "viewer/work/history.h"
#include "viewer/work/levels.h"
#include "viewer/work/open.h"
#include "viewer/work/save.h"

static bool going(void *context, double share) {
    session *session = context;
    publish_share(session, share);
    g_mutex_lock(&session->lock);
    const bool quit = session->quit;
    g_mutex_unlock(&session->lock);
    publish_maps(session);
    return !quit && !g_atomic_int_get(&session->stop_going);
}

static bool go(session *session, work_place place) {
    g_atomic_int_set(&session->stop_going, 0);
    session->playing = false;
    const wadi_status status = work_go(session->work, place, going, session);
    session_check(session, status);
    return status == WADI_OK && work_compare(work_now(session->work), place) == 0;
}

static wadi_status open_asked(const session *session, const request *request, work **opened) {
    if (request->what == OPEN_TEXT) return work_open_text(request->path, &session->options, opened);
    if (request->what == OPEN_LOOK) return work_open_look(request->path, &session->options, opened);
    return work_open(request->path, &session->options, opened);
}

static void begin_to_play(session *session) {
    g_mutex_lock(&session->lock);
    session->play = true;
    g_mutex_unlock(&session->lock);
}

static void open_work(session *session, const request *request) {
    work *opened = NULL;
    const wadi_status status = open_asked(session, request, &opened);
    session_check(session, status);
    if (status != WADI_OK) return;
    work_close(session->work);
    session->work = opened;
    session->terrain++;
    session->gpu_edits = 0;
    frames_restart(session->frames);
    session->playing = false;
    session->next.points = 0;
    work_mass(opened, &session->next.mass);
    session->next.saved_edits = session->kept_edits = work_edits(opened);
    session->most = 1;
    char *name = g_path_get_basename(request->path);
    const bool kept = g_str_has_prefix(name, "autosave-");
    g_strlcpy(session->next.name,
              request->what == OPEN_TEXT ? "new terrain"
              : kept                     ? "recovered work"
                                         : name,
              sizeof session->next.name);
    if (kept) session->next.saved_edits = UINT64_MAX; /* nobody has saved this work yet */
    g_free(name);
    info_measure_heights(&session->next, session->work);
    session->next.score_before = work_run(opened)->plan.score_before;
    if (request->what == OPEN_LOOK) begin_to_play(session);
}

static void go_by_label(session *session, bool undo) {
    work_place place;
    const char *label;
    const bool any =
        undo ? work_undo_place(session->work, &place, &label) : work_redo_place(session->work, &place, &label);
    if (!any) return;
    char *text = g_strdup_printf("%s: %s", undo ? "undone" : "redone", label);
    if (go(session, place)) info_tell(&session->next, false, text);
    g_free(text);
}

/* The place after so many steps, counted over all stages. */
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
    return work_compare(place, first) < 0 ? first : place; /* no place before `first` can be restored */
}

static void write_file(session *session, const request *request) {
    const work *work = session->work;
    wadi_status status;
    switch (request->kind) {
    case REQUEST_SAVE:
        status = work_save(work, request->path);
        if (status == WADI_OK) session->next.saved_edits = work_edits(work);
        break;
    case REQUEST_SAVE_RECIPE:
        status = work_write_recipe(work, request->path);
        break;
    case REQUEST_EXPORT_MAP:
        status = export_map(work, request->label, request->path);
        break;
    case REQUEST_EXPORT_FOR:
        status = export_for(work, request->label, request->path);
        gpu_maps_again(session->gpu_maps);
        break;
    default:
        status = export_mesh(work, request->path, request->number);
        gpu_maps_again(session->gpu_maps);
        break;
    }
    const bool many = request->kind == REQUEST_EXPORT_FOR;
    char *text =
        g_strdup_printf("%s is written%s", request->path, many ? ": READ_ME.txt in it says what to type where" : "");
    if (status == WADI_OK)
        info_tell(&session->next, false, text);
    else
        session_check(session, status);
    g_free(text);
}

static void import_map(session *session, const request *request) {
    const wadi_status status = work_import(session->work, request->label, request->path);
    char *text = g_strdup_printf("%s is the map of %s now", request->path, request->label);
    if (status == WADI_OK)
        info_tell(&session->next, false, text);
    else
        session_check(session, status);
    g_free(text);
}

void serve(session *session, request *request) {
    if (request->kind == REQUEST_OPEN) {
        open_work(session, request);
        return;
    }
    if (!session->work) {
        request_drop_event(request);
        return;
    }
    switch (request->kind) {
    case REQUEST_STEP:
        work_note(session->work, "step");
        session_check(session, work_step(session->work, request->steps));
        break;
    case REQUEST_DO:
        session_check(session, work_do(session->work, request->event, request->label, request->group));
        break;
    case REQUEST_IMPORT:
        import_map(session, request);
        break;
    case REQUEST_SWITCH:
        session_check(session, work_switch(session->work, &request->def, request->path, request->label));
        break;
    case REQUEST_LEVELS:
        session_check(session, work_begin_levels(session->work, request->steps != 0));
        break;
    case REQUEST_UNDO:
    case REQUEST_REDO:
        go_by_label(session, request->kind == REQUEST_UNDO);
        break;
    case REQUEST_GO_TO_STEP:
        go(session, place_of_step(session->work, (int64_t)(request->number + 0.5)));
        break;
    case REQUEST_CHECKPOINT:
        session_check(session, work_checkpoint(session->work));
        break;
    default:
        write_file(session, request);
        break;
    }
}
