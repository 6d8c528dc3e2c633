/* play.c: decides how many steps to make now. */
#include "viewer/session/play.h"

#include "viewer/session/publish.h"
#include "viewer/work/checkpoints.h"
#include "viewer/work/go.h"
#include "viewer/work/history.h"

#include "run/run_steps.h"

#include "platform/platform.h"

/* The stepping time between two looks at requests and two frames, s. */
static const double frame_s = 0.025;

/* 0: none is due yet. */
static int64_t steps_now(session *session, double speed) {
    if (!(speed > 0)) return session->most;
    const double due = (platform_clock_s() - session->play_from_s) * speed - (double)session->played;
    const int64_t steps = due < (double)session->most ? (int64_t)due : session->most;
    if (due > 2 * speed) /* the machine is slower than the requested speed */
        session->play_from_s = platform_clock_s() - (double)session->played / speed;
    return steps;
}

/* As a recipe ends: what follows is up to the user. */
static void end_levels(session *session) {
    session->playing = false;
    info_tell(&session->next, false, "from coarse to fine: done; it goes on at the finest grid");
    publish_measure(session);
}

void play_on(session *session, double speed) {
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
    const bool in_levels = work_in_levels(session->work);
    const wadi_status status = work_step(session->work, steps);
    const double seconds = platform_clock_s() - start;
    session_check(session, status);
    if (status != WADI_OK) session->playing = false;
    if (in_levels && !work_in_levels(session->work)) end_levels(session);
    const wadi_def *def = wadi_sim_def(work_sim(session->work));
    const wadi_safety safety = wadi_sim_safety(work_sim(session->work));
    session->stepped_s += seconds;
    session->stepped += (double)steps * safety.substeps * def->width * def->height;
    session->played += steps;
    session->most = run_steps_for(frame_s, steps, seconds);
    if (start - session->last_checkpoint_s > 10) {
        work_checkpoint(session->work);
        session->last_checkpoint_s = platform_clock_s();
    }
}

void play_set(session *session, bool play) {
    if (play == session->playing || !session->work) return;
    session->playing = play;
    session->next.serial++;
    session->play_from_s = session->last_checkpoint_s = platform_clock_s();
    session->played = 0;
    if (play) work_note(session->work, "run");
    if (!play) publish_measure(session);
}
