/* view.c: drawing, the camera, and the pointer. */
#include "viewer/view.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 64 };

/* A picture that is not the window's own: of fewer pixels, where drawing is slow, or to be read back. */
typedef struct target {
    int width, height;
    GLuint frame, colour;
} target;

struct view {
    GtkWidget *area;
    session *session;
    tools *tools;
    view_calls calls;
    void *user;
    wadi_landscape *landscape;
    const session_frame *frame;
    uint64_t terrain;
    int width, height;                 /* of the terrain */
    wadi_camera camera, camera_before; /* before: of perspective, while a map is shown */
    wadi_look look;
    bool map, fly, stale_layers, by_gpu;
    int rung;  /* of how simply it is drawn while things move */
    int layer; /* of the frame that is being sent; WADI_LAYERS: none */
    char *error, overlay[32];
    bool says;                /* the error is new */
    uint64_t refused_terrain; /* it cannot be drawn */
    target target;
    /* the pointer */
    double pointer_x, pointer_y; /* of the widget; negative: outside */
    double drag_x, drag_y;
    wadi_camera drag_camera;
    double drag_sun[2];
    bool pressed, shift, control;
    int button;
    double over_x, over_y;
    bool over;
    /* a stroke */
    uint64_t group;
    bool stroke; /* it has begun */
    double last_x, last_y, level_m;
    gint64 pressed_us, beats; /* of the stroke: since when, and how many thirtieths of a second of it are painted */
    guint32 pressed_ms;       /* by the display's clock */
    /* sources */
    wadi_source sources[SESSION_SOURCES];
    size_t source_count;
    int held_source;
    wadi_mark marks[SESSION_SOURCES];
    /* flying */
    bool keys[6];
    gint64 last_tick_us, still_since_us;
    bool rough; /* the last picture had fewer pixels than it might */
    /* how long pictures take */
    double times[TIMES];
    int time_count;
};

void view_free(view *view) {
    g_free(view->error);
    g_free(view);
}

GtkWidget *view_widget(const view *view) { return view->area; }
wadi_look *view_look(view *view) { return &view->look; }
const session_frame *view_frame(const view *view) { return view->frame; }
char *view_take_error(view *view) {
    char *text = view->says ? g_strdup(view->error) : NULL;
    view->says = false;
    return text;
}
bool view_is_map(const view *view) { return view->map; }
bool view_flies(const view *view) { return view->fly; }

void view_redraw(view *view) {
    view->still_since_us = g_get_monotonic_time();
    gtk_gl_area_queue_render(GTK_GL_AREA(view->area));
}

static int compare_times(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double view_frame_ms(const view *view) {
    double sorted[TIMES];
    const int count = view->time_count < TIMES ? view->time_count : TIMES;
    if (count == 0) return 0;
    memcpy(sorted, view->times, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_times);
    return sorted[count / 2];
}

bool view_legend(view *view, wadi_legend *legend) {
    return view->landscape && view->look.overlay_name && wadi_landscape_legend(view->landscape, &view->look, legend);
}

double view_height_at(const view *view, double x, double y) {
    const session_frame *frame = view->frame;
    const int i = (int)floor(x), j = (int)floor(y);
    if (!frame || i < 0 || j < 0 || i >= frame->width || j >= frame->height) return NAN;
    return (double)frame->maps[WADI_LAYER_HEIGHT][(size_t)j * (size_t)frame->width + (size_t)i];
}

/* --- the camera --- */

static int pixels(const view *view, bool of_height) {
    const int scale = gtk_widget_get_scale_factor(view->area);
    return scale * (of_height ? gtk_widget_get_height(view->area) : gtk_widget_get_width(view->area));
}

void view_home(view *view) {
    if (!view->landscape) return;
    if (!view->map) {
        view->camera = wadi_landscape_camera(view->landscape);
        view->camera.elevation = 34;
    }
    if (pixels(view, false) > 0 && pixels(view, true) > 0)
        wadi_landscape_fit(view->landscape, &view->camera, &view->look, pixels(view, false), pixels(view, true));
    view_redraw(view);
}

void view_set_map(view *view, bool map) {
    if (map == view->map) return;
    view->map = map;
    view->fly = false;
    if (map) {
        view->camera_before = view->camera;
        view->camera.azimuth = 0, view->camera.elevation = 90, view->camera.view = 0;
        view_home(view);
    } else {
        view->camera = view->camera_before;
        view_redraw(view);
    }
}

static double bounded(double value, double low, double high) { return value < low ? low : value > high ? high : value; }

void view_turn(view *view, double azimuth, double elevation) {
    if (view->map) return;
    wadi_camera *camera = &view->camera;
    const double before = camera->elevation * G_PI / 180, turn = camera->azimuth * G_PI / 180;
    const double eye_x = camera->x - camera->distance * cos(before) * sin(turn);
    const double eye_y = camera->y + camera->distance * cos(before) * cos(turn);
    const double eye_z = camera->z + camera->distance * sin(before);
    camera->azimuth = fmod(camera->azimuth + azimuth + 720, 360);
    camera->elevation = bounded(camera->elevation + elevation, 1, 90);
    if (view->fly) { /* the head turns, not the world */
        const double e = camera->elevation * G_PI / 180, a = camera->azimuth * G_PI / 180;
        camera->x = eye_x + camera->distance * cos(e) * sin(a);
        camera->y = eye_y - camera->distance * cos(e) * cos(a);
        camera->z = eye_z - camera->distance * sin(e);
    }
    view_redraw(view);
}

void view_move(view *view, double right, double forward) {
    wadi_camera *camera = &view->camera;
    const double a = camera->azimuth * G_PI / 180, d = camera->distance;
    camera->x += d * (right * cos(a) + forward * sin(a));
    camera->y += d * (right * sin(a) - forward * cos(a));
    view_redraw(view);
}

void view_zoom(view *view, double by) {
    const session_frame *frame = view->frame;
    const double size = frame ? hypot(frame->width * frame->lx, frame->height * frame->ly) : 1;
    view->camera.distance = bounded(view->camera.distance * by, 0.002 * size, 20 * size);
    view_redraw(view);
}

void view_set_fly(view *view, bool fly) {
    if (view->map) view_set_map(view, false);
    view->fly = fly;
    memset(view->keys, 0, sizeof view->keys);
    if (fly && view->frame) { /* near the ground things move at a walking pace */
        const double size = hypot(view->frame->width * view->frame->lx, view->frame->height * view->frame->ly);
        view->camera.distance = bounded(view->camera.distance, 0.02 * size, size);
    }
    view_redraw(view);
}

/* Keys that are held move the eye. */
static void fly_on(view *view, double seconds) {
    const bool *k = view->keys;
    const double right = (double)k[3] - (double)k[1], forward = (double)k[0] - (double)k[2];
    const double up = (double)k[5] - (double)k[4];
    if (!view->fly || (right == 0 && forward == 0 && up == 0)) return;
    const double pace = seconds * (view->shift ? 2.5 : 0.8);
    view->camera.z += up * pace * view->camera.distance * 0.5;
    view_move(view, right * pace, forward * pace);
}

/* --- what lies under the pointer --- */

static bool pick(view *view, double x, double y, double *cell_x, double *cell_y) {
    const int scale = gtk_widget_get_scale_factor(view->area);
    if (!view->landscape || !view->frame || x < 0) return false;
    return wadi_landscape_pick(view->landscape, &view->camera, &view->look, pixels(view, false), pixels(view, true),
                               x * scale, y * scale, cell_x, cell_y);
}

/* Places as they are written in recipes: short, and read back as the same numbers. */
static double tidy(double cells) { return floor(cells * 64 + 0.5) / 64; }

static void show_pointer(view *view) {
    view->over = pick(view, view->pointer_x, view->pointer_y, &view->over_x, &view->over_y);
    const bool ring = view->over && tool_is_brush(tools_now(view->tools));
    view->look.ring_radius_m = ring ? tools_radius_m(view->tools) : 0;
    view->look.ring_falloff = tools_falloff(view->tools);
    view->look.ring_x = view->over_x, view->look.ring_y = view->over_y;
}

/* --- strokes --- */

enum { BEATS_A_SECOND = 30, BEAT_US = G_USEC_PER_SEC / BEATS_A_SECOND, MOST_DABS = 64 };

static void send_dabs(view *view, const wadi_dab *dabs, size_t count) {
    event event = {.kind = EVENT_PAINT, .dab_count = count, .dabs = cli_allocate(count * sizeof *dabs)};
    memcpy(event.dabs, dabs, count * sizeof *dabs);
    session_do(view->session, event, wadi_brush_name(dabs->brush), view->group);
}

/* From where the last dab was, so close that they make one stroke. A dab is what a beat pours. */
static void paint(view *view, int beats) {
    wadi_dab dabs[MOST_DABS];
    const tool_facts *facts = &tool_table[tools_now(view->tools)];
    const session_frame *frame = view->frame;
    if (!frame || !view->over) return;
    if (!view->stroke) { /* it begins where the pointer first is over the ground */
        view->stroke = true;
        view->last_x = view->over_x, view->last_y = view->over_y;
        view->level_m = (double)(float)view_height_at(view, view->over_x, view->over_y);
    }
    const double radius = tools_radius_m(view->tools), strength = tools_strength(view->tools) / BEATS_A_SECOND;
    const double dx = (view->over_x - view->last_x) * frame->lx, dy = (view->over_y - view->last_y) * frame->ly;
    const int count = (int)bounded(ceil(hypot(dx, dy) / (0.35 * radius)), beats, MOST_DABS);
    for (int i = 0; i < count; i++) {
        const double t = (i + 1.0) / count;
        dabs[i] = (wadi_dab){.brush = view->shift ? facts->other : facts->brush,
                             .x = tidy(view->last_x + t * (view->over_x - view->last_x)),
                             .y = tidy(view->last_y + t * (view->over_y - view->last_y)),
                             .radius_m = (double)(float)radius,
                             .strength = (double)(float)strength,
                             .falloff = (double)(float)tools_falloff(view->tools)};
        if (strcmp(facts->unit, "/s") == 0) dabs[i].strength = fmin(dabs[i].strength, 1);
        if (dabs[i].brush == WADI_BRUSH_FLATTEN) dabs[i].level_m = view->level_m;
    }
    view->last_x = view->over_x, view->last_y = view->over_y;
    send_dabs(view, dabs, (size_t)count);
}

/* A stroke pours for as long as it was held, however seldom there are frames. */
static void stroke_on(view *view, gint64 held_us) {
    const gint64 beats = 1 + held_us / BEAT_US - view->beats;
    if (!view->pressed || view->button != 1 || !tool_is_brush(tools_now(view->tools)) || beats < 1) return;
    show_pointer(view);
    paint(view, (int)MIN(beats, MOST_DABS));
    view->beats += beats;
}

/* --- river sources --- */

static void send_sources(view *view, const char *label) {
    session_set_sources(view->session, view->sources, view->source_count, label, view->group);
}

/* The nearest one that the pointer is on, or near. -1: none. */
static int source_under(const view *view) {
    const session_frame *frame = view->frame;
    int found = -1;
    double best = INFINITY;
    for (size_t i = 0; frame && view->over && i < view->source_count; i++) {
        const double far =
            hypot((view->sources[i].x - view->over_x) * frame->lx, (view->sources[i].y - view->over_y) * frame->ly);
        const double near_enough = fmax(view->sources[i].radius_m, 0.015 * view->camera.distance);
        if (far <= near_enough && far < best) best = far, found = (int)i;
    }
    return found;
}

static void press_source(view *view) {
    if (!view->over || !view->frame) return;
    view->group = session_group(view->session, NULL);
    view->held_source = source_under(view);
    if (view->control && view->held_source >= 0) {
        for (size_t i = (size_t)view->held_source; i + 1 < view->source_count; i++)
            view->sources[i] = view->sources[i + 1];
        view->source_count--;
        view->held_source = -1;
        send_sources(view, "source taken away");
    } else if (view->held_source < 0 && !view->control && view->source_count < SESSION_SOURCES) {
        view->held_source = (int)view->source_count;
        view->sources[view->source_count++] = (wadi_source){tidy(view->over_x),
                                                            tidy(view->over_y),
                                                            (double)(float)tools_radius_m(view->tools) / 4,
                                                            (double)(float)tools_source_rate(view->tools),
                                                            0,
                                                            INFINITY};
        send_sources(view, "source");
    }
}

static void drag_source(view *view) {
    if (view->held_source < 0 || !view->over || !view->frame) return;
    wadi_source *source = &view->sources[view->held_source];
    source->x = tidy(bounded(view->over_x, 0, view->frame->width - 0.02));
    source->y = tidy(bounded(view->over_y, 0, view->frame->height - 0.02));
    send_sources(view, "source moved");
}

void view_set_info(view *view, const session_info *info) {
    if (view->pressed && tools_now(view->tools) == TOOL_SOURCE) return; /* it is being moved */
    const bool same = view->source_count == info->source_count &&
                      memcmp(view->sources, info->sources, info->source_count * sizeof *info->sources) == 0;
    if (same) return;
    view->source_count = info->source_count;
    memcpy(view->sources, info->sources, sizeof view->sources);
    view_redraw(view);
}

/* --- the pointer --- */

static void note_modifiers(view *view, GtkEventController *controller) {
    const GdkModifierType state = gtk_event_controller_get_current_event_state(controller);
    view->shift = (state & GDK_SHIFT_MASK) != 0;
    view->control = (state & GDK_CONTROL_MASK) != 0;
}

static void pressed(GtkGestureClick *click, int presses, double x, double y, gpointer user) {
    view *view = user;
    (void)presses;
    note_modifiers(view, GTK_EVENT_CONTROLLER(click));
    gtk_widget_grab_focus(view->area);
    view->button = (int)gtk_gesture_single_get_current_button(GTK_GESTURE_SINGLE(click));
    view->pressed = true;
    view->drag_x = view->pointer_x = x, view->drag_y = view->pointer_y = y;
    view->drag_camera = view->camera;
    view->drag_sun[0] = view->look.sun_azimuth, view->drag_sun[1] = view->look.sun_elevation;
    show_pointer(view);
    if (view->button != 1) return;
    const tool tool = tools_now(view->tools);
    view->group = session_group(view->session, NULL);
    view->stroke = false;
    view->beats = 0;
    view->pressed_us = g_get_monotonic_time();
    view->pressed_ms = gtk_event_controller_get_current_event_time(GTK_EVENT_CONTROLLER(click));
    stroke_on(view, 0);
    if (tool == TOOL_SOURCE) press_source(view);
    if (tool == TOOL_INSPECT && view->over)
        view->calls.looked_at(view->user, (int)floor(view->over_x), (int)floor(view->over_y));
    if (tool == TOOL_SECTION && view->over) {
        view->look.line = false;
        view->look.line_x0 = view->over_x, view->look.line_y0 = view->over_y;
    }
    view_redraw(view);
}

static void released(GtkGestureClick *click, int presses, double x, double y, gpointer user) {
    view *view = user;
    (void)presses, (void)x, (void)y;
    /* When the window was busy, both came at once, but the display knows when. */
    const guint32 ms = gtk_event_controller_get_current_event_time(GTK_EVENT_CONTROLLER(click));
    if (ms && view->pressed_ms && ms - view->pressed_ms < 10000)
        stroke_on(view, 1000 * (gint64)(ms - view->pressed_ms));
    view->pressed = false;
    view->held_source = -1;
    view_redraw(view);
}

/* A dialog has come in between, say. */
static void cancelled(GtkGesture *gesture, GdkEventSequence *sequence, gpointer user) {
    (void)sequence;
    released(GTK_GESTURE_CLICK(gesture), 0, 0, 0, user);
}

/* Over as much ground as the pointer went, at the point looked at. */
static void pan(view *view, double dx, double dy) {
    const double height = gtk_widget_get_height(view->area);
    const double angle = view->camera.view > 0 ? view->camera.view : 40;
    const double metres = 2 * view->camera.distance * tan(0.5 * angle * G_PI / 180) / fmax(height, 1);
    const double a = view->drag_camera.azimuth * G_PI / 180;
    const double tilt = fmax(sin(view->drag_camera.elevation * G_PI / 180), 0.25);
    const double right = -dx * metres, forward = dy * metres / tilt;
    view->camera.x = view->drag_camera.x + right * cos(a) + forward * sin(a);
    view->camera.y = view->drag_camera.y + right * sin(a) - forward * cos(a);
}

static void drag_camera(view *view, bool move) {
    const double dx = view->pointer_x - view->drag_x, dy = view->pointer_y - view->drag_y;
    if (move || view->map) {
        pan(view, dx, dy);
    } else {
        view->camera.azimuth = view->drag_camera.azimuth, view->camera.elevation = view->drag_camera.elevation;
        if (view->fly) view->camera = view->drag_camera;
        view_turn(view, view->fly ? 0.2 * dx : -0.3 * dx, view->fly ? 0.2 * dy : 0.3 * dy);
        return;
    }
    view_redraw(view);
}

static void drag_sun(view *view) {
    const double dx = view->pointer_x - view->drag_x, dy = view->pointer_y - view->drag_y;
    view->look.sun_azimuth = fmod(view->drag_sun[0] + 0.4 * dx + 720, 360);
    view->look.sun_elevation = bounded(view->drag_sun[1] - 0.2 * dy, 3, 90);
    view_redraw(view);
}

static void drag_section(view *view) {
    if (!view->over) return;
    view->look.line = true;
    view->look.line_x1 = view->over_x, view->look.line_y1 = view->over_y;
    view->calls.section(view->user, view->look.line_x0, view->look.line_y0, view->look.line_x1, view->look.line_y1);
}

static void moved(GtkEventControllerMotion *motion, double x, double y, gpointer user) {
    view *view = user;
    note_modifiers(view, GTK_EVENT_CONTROLLER(motion));
    view->pointer_x = x, view->pointer_y = y;
    show_pointer(view);
    const tool tool = tools_now(view->tools);
    if (view->pressed && view->button != 1)
        drag_camera(view, view->button == 2 || view->shift);
    else if (view->pressed && tool == TOOL_LOOK)
        drag_camera(view, view->shift);
    else if (view->pressed && tool == TOOL_SUN)
        drag_sun(view);
    else if (view->pressed && tool == TOOL_SOURCE)
        drag_source(view);
    else if (view->pressed && tool == TOOL_SECTION)
        drag_section(view);
    view_redraw(view);
}

static void left(GtkEventControllerMotion *motion, gpointer user) {
    view *view = user;
    (void)motion;
    view->pointer_x = -1;
    view->look.ring_radius_m = 0;
    view_redraw(view);
}

/* Towards what is under the pointer. With Ctrl the brush grows. */
static gboolean scrolled(GtkEventControllerScroll *scroll, double dx, double dy, gpointer user) {
    view *view = user;
    (void)dx;
    note_modifiers(view, GTK_EVENT_CONTROLLER(scroll));
    if (view->control) {
        tools_grow(view->tools, pow(1.12, -dy));
        show_pointer(view);
        return TRUE;
    }
    const double by = pow(1.15, dy), before = view->camera.distance;
    view_zoom(view, by);
    if (view->over && view->frame && by < 1) {
        const double share = 1 - view->camera.distance / before;
        view->camera.x += share * (view->over_x * view->frame->lx - view->camera.x);
        view->camera.y += share * (view->over_y * view->frame->ly - view->camera.y);
    }
    return TRUE;
}

static int fly_key(guint key) {
    static const guint keys[] = {GDK_KEY_w, GDK_KEY_a, GDK_KEY_s, GDK_KEY_d, GDK_KEY_q, GDK_KEY_e};
    for (int i = 0; i < 6; i++)
        if (gdk_keyval_to_lower(key) == keys[i]) return i;
    return -1;
}

static gboolean key_pressed(GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                            gpointer user) {
    view *view = user;
    (void)controller, (void)code;
    view->shift = (state & GDK_SHIFT_MASK) != 0;
    if (!view->fly || state & (GDK_CONTROL_MASK | GDK_ALT_MASK) || fly_key(key) < 0) return FALSE;
    view->keys[fly_key(key)] = true;
    return TRUE;
}

static void key_released(GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                         gpointer user) {
    view *view = user;
    (void)controller, (void)code, (void)state;
    if (fly_key(key) >= 0) view->keys[fly_key(key)] = false;
}

/* --- drawing --- */

static void free_target(target *target) {
    glDeleteFramebuffers(1, &target->frame);
    glDeleteRenderbuffers(1, &target->colour);
    *target = (struct target){0};
}

static void fit_target(target *target, int width, int height) {
    if (target->width == width && target->height == height) return;
    if (target->frame) free_target(target);
    *target = (struct target){.width = width, .height = height};
    glGenFramebuffers(1, &target->frame);
    glGenRenderbuffers(1, &target->colour);
    glBindRenderbuffer(GL_RENDERBUFFER, target->colour);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, target->frame);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target->colour);
}

static void say(view *view, const char *text) {
    if (view->error && strcmp(view->error, text) == 0) return;
    g_free(view->error);
    view->error = g_strdup(text);
    view->says = true;
}

static void fail(view *view) { say(view, wadi_error_message()); }

static bool make_landscape(view *view) {
    const session_frame *frame = view->frame;
    const bool same = view->landscape && view->terrain == frame->terrain;
    if (same) return true;
    if (view->refused_terrain == frame->terrain) return false;
    const bool first = !view->landscape || view->width != frame->width || view->height != frame->height;
    wadi_landscape_destroy(view->landscape);
    view->landscape = NULL;
    if (wadi_landscape_create(frame->width, frame->height, frame->lx, frame->ly, &view->landscape) != WADI_OK) {
        fail(view);
        view->refused_terrain = frame->terrain;
        view->layer = WADI_LAYERS; /* nothing waits to be sent */
        return false;
    }
    view->by_gpu = false;
    view->terrain = frame->terrain;
    view->width = frame->width, view->height = frame->height;
    view->stale_layers = true;
    view->look.line = false;
    if (first) view->map = false;
    return true;
}

/* For some milliseconds, so that no picture waits for large maps; true: all are there. */
static bool send_layers(view *view) {
    enum { TILES = 4, MOST_US = 5000, FEW_US = 2000 };
    const session_frame *frame = view->frame;
    const gint64 until = g_get_monotonic_time() + (view->by_gpu ? FEW_US : MOST_US);
    const int most = view->stale_layers ? 1 << 20 : TILES;
    while (view->layer < WADI_LAYERS && (view->stale_layers || g_get_monotonic_time() < until)) {
        bool all = true;
        const float *map = frame->maps[view->layer];
        int sent = 0;
        if (view->layer != WADI_LAYER_OVERLAY || frame->overlay[0])
            sent = wadi_landscape_update_some(view->landscape, (wadi_layer)view->layer, map, most, &all);
        if (sent < 0) fail(view);
        if (all || sent < 0) view->layer++;
    }
    if (view->layer < WADI_LAYERS) return false;
    g_strlcpy(view->overlay, frame->overlay, sizeof view->overlay);
    view->look.overlay_name = view->overlay[0] ? view->overlay : NULL;
    if (view->stale_layers) view_home(view);
    view->stale_layers = false;
    return true;
}

static bool draw_from(view *view, const unsigned *buffers) {
    bool drawn = true;
    for (int i = 0; i < GPU_MAPS; i++)
        drawn = wadi_landscape_set_buffer(view->landscape, (wadi_layer)i, buffers[i]) == WADI_OK && drawn;
    return drawn;
}

/* Maps in buffers, as they are; without them it is drawn what the frames bring. */
static bool take_gpu_maps(view *view) {
    static const unsigned none[GPU_MAPS];
    gpu_maps *maps = session_gpu_maps(view->session);
    const unsigned *taken = view->stale_layers ? NULL : gpu_maps_take(maps, view->terrain);
    if (taken && !draw_from(view, taken)) gpu_maps_stop(maps);
    if (taken) view->by_gpu = true;
    if (view->by_gpu && !gpu_maps_flow(maps)) view->by_gpu = !draw_from(view, none);
    return taken != NULL;
}

static void place_marks(view *view) {
    view->look.marks = view->marks;
    view->look.mark_count = view->source_count;
    for (size_t i = 0; i < view->look.mark_count; i++) {
        const wadi_source *source = &view->sources[i];
        view->marks[i] =
            (wadi_mark){source->x, source->y, source->radius_m, source->rate_m3s > 0 ? 0x2f8fe6 : 0x8a8a8a, true};
    }
}

static void draw_into(view *view, int width, int height, double share, GLint window_frame) {
    const int w = (int)fmax(1, width * share), h = (int)fmax(1, height * share);
    if (share < 1) {
        fit_target(&view->target, w, h);
        glBindFramebuffer(GL_FRAMEBUFFER, view->target.frame);
    }
    if (wadi_landscape_draw(view->landscape, &view->camera, &view->look, w, h) != WADI_OK) fail(view);
    if (share >= 1) return;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, view->target.frame);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)window_frame);
    glBlitFramebuffer(0, 0, w, h, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)window_frame);
}

/* While things move a slow renderer draws simply, then fewer pixels, so that the window stays quick; the picture
 * sharpens when they rest. A rung lower where pictures took more than 40 ms at the last one, higher below 12. */
static const struct { double quality, share; } rungs[] = {{1, 1}, {0.6, 1}, {0.3, 1}, {0.3, 0.7}, {0.3, 0.5}};

static int rung_now(view *view) {
    const int last = (int)G_N_ELEMENTS(rungs) - 1;
    if (g_get_monotonic_time() - view->still_since_us > 350000) return 0;
    if (view->time_count < 6) return view->rung;
    const double ms = view_frame_ms(view);
    const int next = ms > 40 && view->rung < last ? view->rung + 1
                     : ms < 12 && view->rung > 0  ? view->rung - 1
                                                  : view->rung;
    if (next != view->rung) view->time_count = 0; /* those were of another rung */
    return view->rung = next;
}

static gboolean render(GtkGLArea *area, GdkGLContext *context, gpointer user) {
    view *view = user;
    (void)area, (void)context;
    const gint64 start = g_get_monotonic_time();
    GLint window_frame = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &window_frame);
    glViewport(0, 0, pixels(view, false), pixels(view, true));
    glClearColor(0.16f, 0.17f, 0.19f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    const bool sending = view->layer < WADI_LAYERS && !view->stale_layers;
    const session_frame *fresh = sending ? NULL : session_take_frame(view->session);
    if (fresh) view->frame = fresh, view->layer = 0;
    if (!view->frame || !view->frame->maps[0] || !make_landscape(view)) return TRUE;
    if (view->stale_layers) view->layer = 0;
    const bool arrived = view->layer < WADI_LAYERS && send_layers(view);
    const bool taken = take_gpu_maps(view);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)window_frame);
    place_marks(view);
    const int rung = rung_now(view);
    view->look.quality = rungs[rung].quality;
    draw_into(view, pixels(view, false), pixels(view, true), rungs[rung].share, window_frame);
    glFinish();
    if (taken) gpu_maps_done(session_gpu_maps(view->session));
    view->rough = rung > 0;
    if (rung == view->rung) view->times[view->time_count++ % TIMES] = 1e-3 * (double)(g_get_monotonic_time() - start);
    if (arrived || taken) view->calls.framed(view->user, view->by_gpu ? taken : arrived);
    return TRUE;
}

static gboolean tick(GtkWidget *widget, GdkFrameClock *clock, gpointer user) {
    view *view = user;
    (void)widget, (void)clock;
    const gint64 now = g_get_monotonic_time();
    const double seconds = bounded(1e-6 * (double)(now - view->last_tick_us), 0, 0.1);
    view->last_tick_us = now;
    fly_on(view, seconds);
    stroke_on(view, now - view->pressed_us);
    const bool follows =
        view->layer < WADI_LAYERS || (view->landscape && !wadi_landscape_settled(view->landscape, &view->look));
    if (follows || session_has_frame(view->session) || gpu_maps_wait(session_gpu_maps(view->session)) ||
        (view->rough && now - view->still_since_us > 350000))
        gtk_gl_area_queue_render(GTK_GL_AREA(view->area));
    return G_SOURCE_CONTINUE;
}

static void realized(GtkWidget *widget, gpointer user) {
    view *view = user;
    gtk_gl_area_make_current(GTK_GL_AREA(widget));
    const GError *error = gtk_gl_area_get_error(GTK_GL_AREA(widget));
    if (error) {
        say(view, error->message);
        return;
    }
    const char *renderer = (const char *)glGetString(GL_RENDERER);
    const bool software = strstr(renderer, "llvmpipe") || strstr(renderer, "softpipe") || strstr(renderer, "SWR");
    view->rung = software ? 2 : 0; /* to begin with */
    /* Software has maps where they are; for tests it takes the other way too. */
    if (!software || g_getenv("WADI_VIEW_BUFFERS")) gpu_maps_begin(session_gpu_maps(view->session));
}

static void unrealized(GtkWidget *widget, gpointer user) {
    view *view = user;
    gtk_gl_area_make_current(GTK_GL_AREA(widget));
    if (gtk_gl_area_get_error(GTK_GL_AREA(widget))) return;
    free_target(&view->target);
    wadi_landscape_destroy(view->landscape);
    view->landscape = NULL;
}

static void read_back(int width, int height, wadi_picture **picture) {
    const size_t row = (size_t)width * 3;
    *picture = calloc(1, sizeof **picture);
    uint8_t *rgb = malloc(row * (size_t)height), *turned = malloc(row * (size_t)height);
    if (!*picture || !rgb || !turned) {
        free(*picture);
        free(rgb);
        free(turned);
        *picture = NULL;
        return;
    }
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, turned);
    for (int y = 0; y < height; y++) memcpy(rgb + (size_t)y * row, turned + (size_t)(height - 1 - y) * row, row);
    free(turned);
    **picture = (wadi_picture){width, height, rgb};
}

bool view_grab(view *view, int width, int height, wadi_picture **picture) {
    *picture = NULL;
    if (!view->landscape || !gtk_widget_get_realized(view->area)) return false;
    gtk_gl_area_make_current(GTK_GL_AREA(view->area));
    target own = {0};
    wadi_look look = view->look;
    look.ring_radius_m = 0;
    look.quality = 1;
    fit_target(&own, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, own.frame);
    const wadi_status status = wadi_landscape_draw(view->landscape, &view->camera, &look, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, own.frame);
    if (status == WADI_OK) read_back(width, height, picture);
    free_target(&own);
    if (*picture && look.overlay_name) wadi_landscape_decorate(view->landscape, &look, *picture);
    return *picture != NULL;
}

static void listen(view *view) {
    GtkGesture *click = gtk_gesture_click_new();
    gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(click), 0);
    g_signal_connect(click, "pressed", G_CALLBACK(pressed), view);
    g_signal_connect(click, "released", G_CALLBACK(released), view);
    g_signal_connect(click, "cancel", G_CALLBACK(cancelled), view);
    gtk_widget_add_controller(view->area, GTK_EVENT_CONTROLLER(click));
    GtkEventController *motion = gtk_event_controller_motion_new();
    g_signal_connect(motion, "motion", G_CALLBACK(moved), view);
    g_signal_connect(motion, "leave", G_CALLBACK(left), view);
    gtk_widget_add_controller(view->area, motion);
    GtkEventController *scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
    g_signal_connect(scroll, "scroll", G_CALLBACK(scrolled), view);
    gtk_widget_add_controller(view->area, scroll);
    GtkEventController *keys = gtk_event_controller_key_new();
    g_signal_connect(keys, "key-pressed", G_CALLBACK(key_pressed), view);
    g_signal_connect(keys, "key-released", G_CALLBACK(key_released), view);
    gtk_widget_add_controller(view->area, keys);
}

view *view_new(session *session, tools *tools, const view_calls *calls, void *user) {
    view *view = g_new0(struct view, 1);
    view->session = session, view->tools = tools, view->calls = *calls, view->user = user;
    view->look = wadi_default_look();
    view->pointer_x = -1, view->held_source = -1, view->layer = WADI_LAYERS;
    view->area = gtk_gl_area_new();
    gtk_gl_area_set_required_version(GTK_GL_AREA(view->area), 3, 3);
    gtk_gl_area_set_auto_render(GTK_GL_AREA(view->area), FALSE);
    gtk_widget_set_hexpand(view->area, TRUE);
    gtk_widget_set_vexpand(view->area, TRUE);
    gtk_widget_set_focusable(view->area, TRUE);
    gtk_widget_set_size_request(view->area, 240, 180);
    gtk_accessible_update_property(GTK_ACCESSIBLE(view->area), GTK_ACCESSIBLE_PROPERTY_LABEL, "Terrain", -1);
    g_signal_connect(view->area, "render", G_CALLBACK(render), view);
    g_signal_connect(view->area, "realize", G_CALLBACK(realized), view);
    g_signal_connect(view->area, "unrealize", G_CALLBACK(unrealized), view);
    listen(view);
    gtk_widget_add_tick_callback(view->area, tick, view, NULL);
    return view;
}
