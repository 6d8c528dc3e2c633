/* camera.c: the eye of a picture, and the places behind its pixels. */
#include <math.h>

#include "render/landscape/landscape.h"

#define PIXELS_A_QUAD 5.0 /* at full quality */
#define RADIANS (3.14159265358979323846 / 180.0)

vec3 landscape_vec3_unit(vec3 a) {
    const double length = sqrt(vec3_dot(a, a));
    return length > 0 ? (vec3){a.x / length, a.y / length, a.z / length} : a;
}

vec3 landscape_vec3_towards(double azimuth, double elevation) {
    const double a = azimuth * RADIANS, e = elevation * RADIANS;
    return (vec3){sin(a) * cos(e), -cos(a) * cos(e), sin(e)};
}

static mat4 product(const mat4 *a, const mat4 *b) {
    mat4 out;
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++) {
            double sum = 0;
            for (int i = 0; i < 4; i++) sum += a->m[4 * i + row] * b->m[4 * column + i];
            out.m[4 * column + row] = sum;
        }
    return out;
}

static mat4 view_of(const eye *eye) {
    const vec3 r = eye->right, u = eye->up, f = eye->forward;
    return (mat4){{r.x, u.x, -f.x, 0, r.y, u.y, -f.y, 0, r.z, u.z, -f.z, 0, -vec3_dot(r, eye->at),
                   -vec3_dot(u, eye->at), vec3_dot(f, eye->at), 1}};
}

static mat4 projection_of(const eye *eye, double near, double far) {
    const double h = eye->half_height, w = h * eye->aspect, range = far - near;
    if (!eye->perspective)
        return (mat4){{1 / w, 0, 0, 0, 0, 1 / h, 0, 0, 0, 0, -2 / range, 0, 0, 0, -(far + near) / range, 1}};
    return (mat4){{1 / w, 0, 0, 0, 0, 1 / h, 0, 0, 0, 0, -(far + near) / range, -1, 0, 0, -2 * far * near / range, 0}};
}

/* The world has x to the east and y to the south. With z up it is left-handed, so "right" is forward times up,
 * mirrored. */
eye landscape_eye_of(const wadi_landscape *l, const wadi_camera *camera, const wadi_look *look, int width, int height) {
    const double exaggeration = look_exaggeration(look);
    const double elevation = fmin(fmax(camera->elevation, 0.5), 90.0);
    const vec3 target = {camera->x - 0.5 * l->lx * l->width, camera->y - 0.5 * l->ly * l->height,
                         camera->z * exaggeration};
    eye e = {.perspective = camera->view > 0, .aspect = (double)width / height};
    e.forward = landscape_vec3_towards(camera->azimuth, 0);
    e.right = (vec3){-e.forward.y, e.forward.x, 0};
    const double up = sin(elevation * RADIANS), level = cos(elevation * RADIANS);
    const vec3 ahead = e.forward;
    e.forward = (vec3){ahead.x * level, ahead.y * level, -up};
    e.up = (vec3){ahead.x * up, ahead.y * up, level};
    e.at = vec3_along(target, e.forward, -camera->distance);
    e.half_height = e.perspective ? tan(0.5 * camera->view * RADIANS) : 0.5 * camera->distance;
    e.pixels_at_one = height / (2 * e.half_height);
    const double across = hypot(landscape_width(l), landscape_depth(l));
    const double heights = (landscape_top(l) - (double)l->layers[WADI_LAYER_HEIGHT].low) * exaggeration;
    const double far = camera->distance + 2 * (across + heights);
    const double near = e.perspective ? fmax(0.002 * camera->distance, far * 1e-5) : -far;
    const mat4 view = view_of(&e), projection = projection_of(&e, near, far);
    e.pixels_a_quad = PIXELS_A_QUAD / fmax(look_quality(look), 0.1);
    e.above = fmax(e.at.z - landscape_top(l) * exaggeration, 0);
    e.shift = e.perspective ? 0 : far;
    e.view_projection = product(&projection, &view);
    return e;
}

void landscape_eye_ray(const eye *e, double across, double down, vec3 *from, vec3 *towards) {
    const double x = across * e->half_height * e->aspect, y = -down * e->half_height;
    if (e->perspective) {
        *from = e->at;
        *towards = landscape_vec3_unit(vec3_along(vec3_along(e->forward, e->right, x), e->up, y));
    } else {
        *from = vec3_along(vec3_along(e->at, e->right, x), e->up, y);
        *towards = e->forward;
    }
}

static double least(double a, double b) { return a < b ? a : b; }
static double larger(double a, double b) { return a > b ? a : b; }

/* The corners of the block on the picture, from -1 to 1. */
static void bounds_of(const wadi_landscape *l, const eye *e, double exaggeration, double low[2], double high[2]) {
    low[0] = low[1] = 1e30, high[0] = high[1] = -1e30;
    for (int i = 0; i < 8; i++) {
        const vec3 corner = {(i & 1 ? 0.5 : -0.5) * landscape_width(l), (i & 2 ? 0.5 : -0.5) * landscape_depth(l),
                             i & 4 ? landscape_top(l) * exaggeration : landscape_base(l, exaggeration)};
        const vec3 from = vec3_minus(corner, e->at);
        const double ahead = e->perspective ? fmax(vec3_dot(from, e->forward), 1e-9) : 1;
        const double at[] = {vec3_dot(from, e->right) / (ahead * e->half_height * e->aspect),
                             vec3_dot(from, e->up) / (ahead * e->half_height)};
        for (int k = 0; k < 2; k++) low[k] = least(low[k], at[k]), high[k] = larger(high[k], at[k]);
    }
}

void wadi_landscape_fit(const wadi_landscape *l, wadi_camera *camera, const wadi_look *look, int width, int height) {
    if (l == NULL || camera == NULL || look == NULL) return;
    const double exaggeration = look_exaggeration(look), margin = 0.92;
    camera->x = 0.5 * l->lx * l->width;
    camera->y = 0.5 * l->ly * l->height;
    camera->z = 0.5 * ((double)l->layers[WADI_LAYER_HEIGHT].low + landscape_top(l));
    camera->distance = 3 * hypot(landscape_width(l), landscape_depth(l));
    for (int i = 0; i < 20; i++) { /* each iteration is closer */
        const eye e = landscape_eye_of(l, camera, look, width, height);
        const double size = e.half_height * (e.perspective ? camera->distance : 1);
        double low[2], high[2];
        bounds_of(l, &e, exaggeration, low, high);
        const double across = 0.5 * (low[0] + high[0]) * size * e.aspect, up = 0.5 * (low[1] + high[1]) * size;
        camera->x += across * e.right.x + up * e.up.x;
        camera->y += across * e.right.y + up * e.up.y;
        camera->z += up * e.up.z / exaggeration;
        camera->distance *= larger(high[0] - low[0], high[1] - low[1]) / (2 * margin);
    }
}

wadi_camera wadi_landscape_camera(const wadi_landscape *l) {
    if (l == NULL) return (wadi_camera){0};
    const wadi_look look = wadi_default_look();
    wadi_camera camera = {.azimuth = 340, .elevation = 30, .view = 38};
    wadi_landscape_fit(l, &camera, &look, 16, 9);
    return camera;
}

/* --- picking --- */

static double depth_at(const float *depths, size_t at) { return depths != NULL ? (double)depths[at] : 0; }

double landscape_surface(const wadi_landscape *l, double column, double row, double exaggeration) {
    const float *heights = l->layers[WADI_LAYER_HEIGHT].levels[0], *water = l->layers[WADI_LAYER_WATER].levels[0],
                *ice = l->layers[WADI_LAYER_ICE].levels[0];
    const int x = (int)fmin(fmax(column, 0), l->width - 2), y = (int)fmin(fmax(row, 0), l->height - 2);
    const double fx = fmin(fmax(column - x, 0), 1), fy = fmin(fmax(row - y, 0), 1);
    double z[4];
    for (int i = 0; i < 4; i++) {
        const size_t at = (size_t)(y + i / 2) * (size_t)l->width + (size_t)(x + i % 2);
        z[i] = (double)heights[at] + depth_at(ice, at) + depth_at(water, at);
    }
    return exaggeration * ((z[0] * (1 - fx) + z[1] * fx) * (1 - fy) + (z[2] * (1 - fx) + z[3] * fx) * fy);
}

/* The height of a point above the surface, and its column and row. Outside the grid it is above. */
static double above(const wadi_landscape *l, vec3 p, double exaggeration, double *column, double *row) {
    *column = p.x / l->lx + 0.5 * l->width - 0.5;
    *row = p.y / l->ly + 0.5 * l->height - 0.5;
    if (*column < -0.5 || *row < -0.5 || *column > l->width - 0.5 || *row > l->height - 0.5) return 1e30;
    return p.z - landscape_surface(l, *column, *row, exaggeration);
}

/* Follows the ray in steps of half a cell at least, and in longer ones high above the ground. */
bool wadi_landscape_pick(const wadi_landscape *l, const wadi_camera *camera, const wadi_look *look, int width,
                         int height, double pixel_x, double pixel_y, double *x, double *y) {
    if (l == NULL || camera == NULL || look == NULL || x == NULL || y == NULL) return false;
    const double exaggeration = look_exaggeration(look);
    const eye e = landscape_eye_of(l, camera, look, width, height);
    vec3 from, towards;
    landscape_eye_ray(&e, 2 * pixel_x / width - 1, 2 * pixel_y / height - 1, &from, &towards);
    const double top = (landscape_top(l) + (double)l->layers[WADI_LAYER_WATER].high) * exaggeration;
    const double floor = (double)l->layers[WADI_LAYER_HEIGHT].low * exaggeration;
    const double step = 0.5 * landscape_cell(l),
                 end = camera->distance * 4 + 4 * hypot(landscape_width(l), landscape_depth(l));
    double t = towards.z < 0 && from.z > top ? (top - from.z) / towards.z : e.perspective ? 0 : -end;
    double column, row, low = t;
    for (; t < end; t += step) {
        const vec3 p = vec3_along(from, towards, t);
        if (p.z < floor - step && towards.z <= 0) return false;
        if (above(l, p, exaggeration, &column, &row) > 0) {
            low = t;
            continue;
        }
        double high = t;
        for (int i = 0; i < 30; i++) {
            const double middle = 0.5 * (low + high);
            if (above(l, vec3_along(from, towards, middle), exaggeration, &column, &row) > 0)
                low = middle;
            else
                high = middle;
        }
        above(l, vec3_along(from, towards, high), exaggeration, &column, &row);
        *x = fmin(fmax(column + 0.5, 0), l->width - 1e-6);
        *y = fmin(fmax(row + 0.5, 0), l->height - 1e-6);
        return true;
    }
    return false;
}
