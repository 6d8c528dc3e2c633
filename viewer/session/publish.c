/* publish.c: decides when the window gets new maps and figures. */
#include "viewer/session/publish.h"

#include "platform/platform.h"

/* Coarser grids and a sea to come are only in the copies. */
static bool is_copied(const session *session) {
    double level_m;
    return run_level(work_run(session->work)) > 0 || work_sea_ahead(session->work, &level_m);
}

/* Sends the maps of a picture that a GPU draws. */
static void publish_gpu_maps(session *session) {
    const uint64_t edits = work_edits(session->work);
    if (is_copied(session)) return;
    if (edits != session->gpu_edits && gpu_maps_send(session->gpu_maps, work_sim(session->work), session->terrain))
        session->gpu_edits = edits;
}

void publish_maps(session *session) {
    char overlay[32];
    g_mutex_lock(&session->lock);
    g_strlcpy(overlay, session->overlay, sizeof overlay);
    g_mutex_unlock(&session->lock);
    const bool seldom = gpu_maps_flow(session->gpu_maps) && !is_copied(session);
    frames_publish(session->frames, session->work, session->terrain, overlay, seldom, &session->next);
    publish_gpu_maps(session);
}

void publish_measure(session *session) {
    if (session->stepped_s > 0) session->next.cell_steps_per_s = session->stepped / session->stepped_s;
    session->stepped = session->stepped_s = 0;
    info_measure(&session->next, session->work);
    session->measured_edits = work_edits(session->work);
    session->last_figures_s = platform_clock_s();
}

static bool hear_outside(session *session) {
    char text[512];
    g_mutex_lock(&session->lock);
    const bool is_error = session->outside_is_error;
    g_strlcpy(text, session->outside, sizeof text);
    session->outside[0] = '\0';
    g_mutex_unlock(&session->lock);
    if (text[0]) info_tell(&session->next, is_error, text);
    return text[0] != '\0';
}

void publish_info(session *session, bool now) {
    now = hear_outside(session) || now;
    g_mutex_lock(&session->lock);
    const bool taken = session->info_taken, looked = session->look_changed;
    const int x = session->look_x, y = session->look_y;
    session->look_changed = false;
    g_mutex_unlock(&session->lock);
    const bool due = session->work && platform_clock_s() - session->last_figures_s > 0.5 &&
                     work_edits(session->work) != session->measured_edits;
    if (due) publish_measure(session);
    if (!now && !looked && (!taken || (session->next.serial == session->published && !due))) return;
    if (session->work) info_describe(&session->next, session->work, session->terrain);
    if (session->work && (looked || (due && x >= 0))) info_read_cell(&session->next, session->work, x, y);
    session->next.playing = session->playing;
    session->published = session->next.serial;
    g_mutex_lock(&session->lock);
    session->info = session->next;
    session->info_taken = false;
    g_mutex_unlock(&session->lock);
}

void publish_share(session *session, double share) {
    g_mutex_lock(&session->lock);
    session->info.busy = true;
    session->info.share = share;
    session->info_taken = false;
    g_mutex_unlock(&session->lock);
}
