/* window.h: what the window's parts share. */
#ifndef WADI_VIEWER_WINDOW_H
#define WADI_VIEWER_WINDOW_H

#include <gtk/gtk.h>

#include "viewer/session/session.h"
#include "viewer/tools/toolbox.h"
#include "viewer/view/camera.h"
#include "viewer/view/rate.h"
#include "viewer/view/target.h"
#include "viewer/view/view.h"

#include "cli/video.h"

enum { DROPS_NUMBERS = 3 };

typedef struct window {
    GtkApplication *app;
    GtkWidget *window, *title, *subtitle;
    session *session;
    session_info *info; /* the last one taken */
    tools *tools;
    toolbox *toolbox;
    view *view;
    char *file; /* what Save writes: a file of work; NULL: not named yet */
    /* beside the terrain */
    GtkWidget *legend, *toast, *toast_text, *busy, *busy_bar, *section, *section_box, *hint, *frame_text;
    guint toast_timer;
    uint64_t shown_message, shown_terrain, shown_serial;
    /* below */
    GtkWidget *play, *timeline, *status, *speed;
    /* the right side */
    GtkWidget *side, *stack;
    GtkWidget *model, *boundary, *params;
    GtkWidget *drops[DROPS_NUMBERS], *sources, *rain_note;
    double source_rates[SESSION_SOURCES]; /* of those that are switched off */
    size_t sources_shown;
    GtkWidget *overlay, *exaggeration, *sun[2], *shadows, *sides, *threshold, *map_toggle;
    GtkWidget *plots[4], *balance, *cell;
    bool showing; /* the widgets are being set, not used */
    /* files */
    char *autosave, *next_file, *recovered; /* of what is being opened */
    int autosave_lock;
    bool closing, discard;
    void (*after_prompt)(struct window *window);
    char *next_path;
    video *video;
} window;

typedef void window_then(window *window);

window *window_new(GtkApplication *app, const run_options *options);
void window_open(window *window, const char *path); /* asks about unsaved changes first */
void window_toast(window *window, const char *text, bool is_error);
bool window_unsaved(const window *window);

/* panels.c */
GtkWidget *panels_new(window *window);
void panels_show(window *window);            /* what info says */
void panels_overlay(window *window, int by); /* the next map */
void panels_look_changed(window *window);
void panels_section(window *window);
void panels_find(window *window); /* a parameter: where its name is typed */

/* actions.c */
void actions_add(window *window);
GMenuModel *actions_menu(void);

/* files.c */
void files_open(window *window);
void files_new(window *window);
void files_save(window *window, bool as);
void files_save_recipe(window *window);
void files_export(window *window, const char *what); /* a field, "mesh", "picture" */
void files_video(window *window);                    /* begins or ends one */
void files_video_frame(window *window);
/* Asks whether to save where there is something unsaved, then goes on; not where it is cancelled. */
void files_prompt(window *window, window_then *then);
void files_offer_autosaved(window *window);
void files_end_autosave(window *window);
void files_opened(window *window); /* another terrain is there */
void files_accept_drops(window *window);

#endif
