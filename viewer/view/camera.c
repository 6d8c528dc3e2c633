/* camera.c: the ways in which the camera moves. */
#include "viewer/view/camera.h"

#include <math.h>
#include <string.h>

static double bounded(double value, double low, double high) { return value < low ? low : value > high ? high : value; }

bool view_is_map(const view *view) { return view->map; }
bool view_flies(const view *view) { return view->fly; }

void view_home(view *view) {
    if (!view->landscape) return;
    if (!view->map) {
        view->camera = wadi_landscape_camera(view->landscape);
        view->camera.elevation = 34;
    }
    if (view_pixels(view, false) > 0 && view_pixels(view, true) > 0)
        wadi_landscape_fit(view->landscape, &view->camera, &view->look, view_pixels(view, false),
                           view_pixels(view, true));
    view->camera_home = view->camera;
    view_redraw(view);
}

static bool is_same(const wadi_camera *a, const wadi_camera *b) {
    return a->x == b->x && a->y == b->y && a->z == b->z && a->azimuth == b->azimuth && a->elevation == b->elevation &&
           a->distance == b->distance && a->view == b->view;
}

void view_fit_again(view *view) {
    if (is_same(&view->camera, &view->camera_home)) view_home(view);
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

void view_turn(view *view, double azimuth, double elevation) {
    if (view->map) return;
    wadi_camera *camera = &view->camera;
    const double before = camera->elevation * G_PI / 180, turn = camera->azimuth * G_PI / 180;
    const double eye_x = camera->x - camera->distance * cos(before) * sin(turn);
    const double eye_y = camera->y + camera->distance * cos(before) * cos(turn);
    const double eye_z = camera->z + camera->distance * sin(before);
    camera->azimuth = fmod(camera->azimuth + azimuth + 720, 360);
    camera->elevation = bounded(camera->elevation + elevation, 1, 90);
    if (view->fly) { /* turns around the eye */
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
    if (fly && view->frame) { /* flying is as slow as walking near the ground */
        const double size = hypot(view->frame->width * view->frame->lx, view->frame->height * view->frame->ly);
        view->camera.distance = bounded(view->camera.distance, 0.02 * size, size);
    }
    view_redraw(view);
}

/* Moves the eye while keys are held. */
void view_fly_on(view *view, double seconds) {
    const bool *k = view->keys;
    const double right = (double)k[3] - (double)k[1], forward = (double)k[0] - (double)k[2];
    const double up = (double)k[5] - (double)k[4];
    if (!view->fly || (right == 0 && forward == 0 && up == 0)) return;
    const double pace = seconds * (view->pointer.shift ? 2.5 : 0.8);
    view->camera.z += up * pace * view->camera.distance * 0.5;
    view_move(view, right * pace, forward * pace);
}

/* Moves the view so that the ground at its centre follows the pointer. */
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

void view_drag_camera(view *view, bool move) {
    const double dx = view->pointer.x - view->pointer.drag_x, dy = view->pointer.y - view->pointer.drag_y;
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

static int fly_key(guint key) {
    static const guint keys[] = {GDK_KEY_w, GDK_KEY_a, GDK_KEY_s, GDK_KEY_d, GDK_KEY_q, GDK_KEY_e};
    for (int i = 0; i < 6; i++)
        if (gdk_keyval_to_lower(key) == keys[i]) return i;
    return -1;
}

bool view_fly_key(view *view, guint key, bool pressed) {
    const int number = fly_key(key);
    if (number >= 0) view->keys[number] = pressed;
    return number >= 0;
}

/* Zooms towards the place under the pointer. */
void view_zoom_to_pointer(view *view, double by) {
    const view_pointer *pointer = &view->pointer;
    const double before = view->camera.distance;
    view_zoom(view, by);
    if (!pointer->over || !view->frame || by >= 1) return;
    const double share = 1 - view->camera.distance / before;
    view->camera.x += share * (pointer->over_x * view->frame->lx - view->camera.x);
    view->camera.y += share * (pointer->over_y * view->frame->ly - view->camera.y);
}
