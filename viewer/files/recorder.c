/* recorder.c: frames of one size, whatever the size of the window. */
#include "viewer/files/recorder.h"

#include "viewer/files/dialog.h"
#include "viewer/view/target.h"

#include "run/video.h"

enum { WIDTH = 1280, HEIGHT = 720, FRAMES_A_SECOND = 25 };

struct recorder {
    workbench *bench;
    video *video; /* NULL: not recording */
};

recorder *recorder_new(workbench *bench) {
    recorder *recorder = g_new0(struct recorder, 1);
    recorder->bench = bench;
    return recorder;
}

/* Shows the error, if there is one. */
static bool check(recorder *recorder, wadi_status status) {
    if (status != WADI_OK) toast_show(recorder->bench->toast, wadi_error_message(), true);
    return status == WADI_OK;
}

static void record_to(void *user, const char *path, const char *what) {
    static const char *const ends[] = {".mp4", ".webm", ".gif", NULL};
    recorder *recorder = user;
    char *whole = dialog_with_end(recorder->bench, path, ends);
    (void)what;
    if (!whole) return;
    if (!check(recorder, run_video_open(whole, WIDTH, HEIGHT, FRAMES_A_SECOND, &recorder->video)))
        recorder->video = NULL;
    if (recorder->video) toast_show(recorder->bench->toast, "Recording a video; Ctrl+R ends it", false);
    g_free(whole);
}

void recorder_end(recorder *recorder) {
    if (!recorder->video) return;
    const wadi_status status = run_video_close(recorder->video);
    recorder->video = NULL;
    if (check(recorder, status)) toast_show(recorder->bench->toast, "the video is written", false);
}

void recorder_toggle(recorder *recorder) {
    if (recorder->video) {
        recorder_end(recorder);
        return;
    }
    if (!recorder->bench->info->terrain) return;
    char *name = dialog_name(recorder->bench, ".mp4");
    dialog_show(
        dialog_new(recorder->bench, "Record a video", GTK_FILE_CHOOSER_ACTION_SAVE, name, record_to, recorder, NULL));
    g_free(name);
}

void recorder_frame(recorder *recorder) {
    wadi_picture *picture;
    if (!recorder->video || !view_grab(recorder->bench->view, WIDTH, HEIGHT, &picture)) return;
    if (!check(recorder, run_video_frame(recorder->video, picture->rgb))) {
        run_video_discard(recorder->video);
        recorder->video = NULL;
    }
    wadi_picture_destroy(picture);
}
