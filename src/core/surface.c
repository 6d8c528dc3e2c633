/* surface.c: slope, aspect and hillshade by Horn 1981; curvatures by Zevenbergen and Thorne 1987. Each cell is computed
 * from its window alone, so any number of threads gives the same bits. Angles come from the project's own series. */
#include "core/surface.h"
#include "core/series.h"
#include "core/strict.h"

#include <math.h>

enum { NW, N, NE, W, MIDDLE, E, SW, S, SE };

static double height_at(const wadi_surface *s, int x, int y) {
    if (x < 0 || y < 0 || x >= s->width || y >= s->height) return (double)NAN;
    const float height = s->heights[(size_t)y * (size_t)s->width + (size_t)x];
    return isfinite(height) ? (double)height : (double)NAN;
}

/* A missing neighbour goes on in a straight line from the opposite one, through the middle. */
static void extend(double *z, int missing) {
    const int opposite = SE - missing;
    if (isnan(z[missing]) && !isnan(z[opposite])) z[missing] = 2 * z[MIDDLE] - z[opposite];
}

/* A corner lies on the plane of its two sides. */
static void close_corner(double *z, int corner, int side, int other) {
    if (isnan(z[corner])) z[corner] = z[side] + z[other] - z[MIDDLE];
}

/* The result is exact on a plane, at the border and beside missing cells too. */
static bool window_at(const wadi_surface *s, int x, int y, wadi_window *window) {
    static const int sides[] = {N, W, E, S}, corners[] = {NW, NE, SW, SE};
    double *z = window->z;
    for (int i = 0; i < 9; i++) z[i] = height_at(s, x + i % 3 - 1, y + i / 3 - 1);
    if (isnan(z[MIDDLE])) return false;
    for (int i = 0; i < 4; i++) extend(z, sides[i]);
    for (int i = 0; i < 4; i++)
        if (isnan(z[sides[i]])) z[sides[i]] = z[MIDDLE];
    for (int i = 0; i < 4; i++) extend(z, corners[i]);
    close_corner(z, NW, N, W);
    close_corner(z, NE, N, E);
    close_corner(z, SW, S, W);
    close_corner(z, SE, S, E);
    return true;
}

void wadi_surface_map(const wadi_surface *surface, wadi_surface_fn *value, float *values) {
#pragma omp parallel
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < surface->height; y++) {
            float *row = values + (size_t)y * (size_t)surface->width;
            for (int x = 0; x < surface->width; x++) {
                wadi_window window;
                row[x] = window_at(surface, x, y, &window) ? (float)value(surface, &window) : NAN;
            }
        }
    }
}

/* --- Horn 1981: the third-order finite difference, weighted by the inverse square of the distance ---------------- */

static double rise_east(const wadi_surface *s, const double *z) {
    return ((z[NE] + 2 * z[E] + z[SE]) - (z[NW] + 2 * z[W] + z[SW])) / (8 * s->lx);
}

static double rise_north(const wadi_surface *s, const double *z) {
    return ((z[NW] + 2 * z[N] + z[NE]) - (z[SW] + 2 * z[S] + z[SE])) / (8 * s->ly);
}

double wadi_surface_tangent(const wadi_surface *surface, const wadi_window *window) {
    const double east = rise_east(surface, window->z), north = rise_north(surface, window->z);
    return sqrt(east * east + north * north);
}

double wadi_surface_slope(const wadi_surface *surface, const wadi_window *window) {
    return wadi_degrees(wadi_surface_tangent(surface, window), 1);
}

double wadi_surface_aspect(const wadi_surface *surface, const wadi_window *window) {
    const double east = 0 - rise_east(surface, window->z), north = 0 - rise_north(surface, window->z);
    if (east == 0 && north == 0) return (double)NAN;
    const double degrees = wadi_degrees(east, north), turned = degrees < 0 ? degrees + 360 : degrees;
    return (float)turned < 360.0f ? turned : 0;
}

double wadi_surface_shade(const wadi_surface *surface, const wadi_window *window) {
    const double east = surface->stretched * rise_east(surface, window->z),
                 north = surface->stretched * rise_north(surface, window->z), *light = surface->light;
    const double facing = light[2] - light[0] * east - light[1] * north;
    return facing > 0 ? facing / sqrt(1 + east * east + north * north) : 0;
}

double wadi_surface_normal_z(const wadi_surface *surface, const wadi_window *window) {
    const double tangent = wadi_surface_tangent(surface, window);
    return 1 / sqrt(1 + tangent * tangent);
}

double wadi_surface_normal_x(const wadi_surface *surface, const wadi_window *window) {
    return 0 - rise_east(surface, window->z) * wadi_surface_normal_z(surface, window);
}

double wadi_surface_normal_y(const wadi_surface *surface, const wadi_window *window) {
    return 0 - rise_north(surface, window->z) * wadi_surface_normal_z(surface, window);
}

/* --- Zevenbergen, Thorne 1987: the partial quartic through the nine heights --------------------------------------- */

typedef struct quartic {
    double d, e, f, g, h; /* the paper's coefficients: of x2, y2, xy, x and y; x east, y north */
} quartic;

static quartic quartic_of(const wadi_surface *s, const double *z) {
    return (quartic){
        .d = ((z[W] + z[E]) / 2 - z[MIDDLE]) / (s->lx * s->lx),     /* (4) */
        .e = ((z[N] + z[S]) / 2 - z[MIDDLE]) / (s->ly * s->ly),     /* (5) */
        .f = (z[NE] - z[NW] + z[SW] - z[SE]) / (4 * s->lx * s->ly), /* (6) */
        .g = (z[E] - z[W]) / (2 * s->lx),                           /* (7) */
        .h = (z[N] - z[S]) / (2 * s->ly),                           /* (8) */
    };
}

double wadi_surface_profile_curvature(const wadi_surface *surface, const wadi_window *window) {
    const quartic q = quartic_of(surface, window->z);
    const double steep = q.g * q.g + q.h * q.h;
    return steep > 0 ? -2 * (q.d * q.g * q.g + q.e * q.h * q.h + q.f * q.g * q.h) / steep : 0;
}

/* With the sign of the profile curvature: the paper's is positive in hollows. */
double wadi_surface_plan_curvature(const wadi_surface *surface, const wadi_window *window) {
    const quartic q = quartic_of(surface, window->z);
    const double steep = q.g * q.g + q.h * q.h;
    return steep > 0 ? -2 * (q.d * q.h * q.h + q.e * q.g * q.g - q.f * q.g * q.h) / steep : 0;
}

double wadi_surface_curvature(const wadi_surface *surface, const wadi_window *window) {
    const quartic q = quartic_of(surface, window->z);
    return -2 * (q.d + q.e);
}
