/* landscape.c: wadi render --3d: the window's picture, without a window. */
#include "landscape.h"

#include "wadi/landscape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static wadi_status set(wadi_landscape *landscape, wadi_layer layer, const wadi_raster *map) {
    if (!map) return WADI_OK;
    return wadi_landscape_set(landscape, layer, 0, 0, map->width, map->height, map->values);
}

/* What was laid down less what was worn away, where the run has both. */
static wadi_status set_change(wadi_landscape *landscape, const landscape_maps *maps) {
    const wadi_raster *down = maps->deposition, *away = maps->erosion;
    if (!down || !away) return WADI_OK;
    const size_t cells = (size_t)down->width * (size_t)down->height;
    float *change = cli_allocate(cells * sizeof *change);
    for (size_t i = 0; i < cells; i++) change[i] = down->values[i] - away->values[i];
    wadi_status status = wadi_landscape_set(landscape, WADI_LAYER_CHANGE, 0, 0, down->width, down->height, change);
    free(change);
    return status;
}

static wadi_status set_all(wadi_landscape *landscape, const landscape_maps *maps) {
    wadi_status status = set(landscape, WADI_LAYER_HEIGHT, maps->height);
    if (status == WADI_OK) status = set(landscape, WADI_LAYER_WATER, maps->water);
    if (status == WADI_OK) status = set(landscape, WADI_LAYER_SEDIMENT, maps->sediment);
    if (status == WADI_OK) status = set_change(landscape, maps);
    if (status == WADI_OK) status = set(landscape, WADI_LAYER_OVERLAY, maps->overlay);
    return status;
}

/* Real heights, unless the relief would hardly be seen. */
static double chosen_exaggeration(const wadi_raster *height) {
    const double least = 0.1, side = fmax(height->lx * height->width, height->ly * height->height);
    const size_t cells = (size_t)height->width * (size_t)height->height;
    float low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < cells; i++) {
        const float v = height->values[i];
        if (!isfinite(v)) continue;
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    const double relief = high > low ? (double)(high - low) : 0;
    return relief > 0 && relief < least * side ? fmin(least * side / relief, 20) : 1;
}

static wadi_camera camera_of(const landscape_args *args, const wadi_raster *height, const wadi_landscape *landscape,
                             const wadi_look *look) {
    wadi_camera camera = wadi_landscape_camera(landscape);
    if (args->azimuth >= 0) camera.azimuth = args->azimuth;
    if (args->elevation > 0) camera.elevation = args->elevation;
    if (args->angle > 0) camera.view = args->angle;
    wadi_landscape_fit(landscape, &camera, look, args->picture[0], args->picture[1]);
    if (args->distance > 0) camera.distance = args->distance;
    if (args->at.count > 0) {
        const int x = (int)fmin(args->at.first, height->width - 1), y = (int)fmin(args->at.second, height->height - 1);
        const float z = height->values[(size_t)y * (size_t)height->width + (size_t)x];
        camera.x = args->at.first * height->lx;
        camera.y = args->at.second * height->ly;
        if (isfinite(z)) camera.z = (double)z;
    }
    return camera;
}

static wadi_look look_of(const landscape_args *args, const landscape_maps *maps) {
    wadi_look look = wadi_default_look();
    if (args->sun.count > 0) {
        look.sun_azimuth = args->sun.first;
        look.sun_elevation = fmin(args->sun.second, 90);
    }
    look.exaggeration = maps->exaggeration > 0 ? maps->exaggeration : chosen_exaggeration(maps->height);
    look.overlay_name = maps->overlay ? maps->overlay_name : NULL;
    look.shadows = !args->no_shadows;
    look.sides = !args->no_sides;
    return look;
}

static wadi_status draw(const landscape_args *args, const landscape_maps *maps, const wadi_look *look,
                        wadi_offscreen *screen, wadi_picture **picture) {
    const wadi_raster *height = maps->height;
    wadi_landscape *landscape;
    wadi_status status = wadi_landscape_create(height->width, height->height, height->lx, height->ly, &landscape);
    if (status != WADI_OK) return status;
    status = set_all(landscape, maps);
    const wadi_camera camera = camera_of(args, height, landscape, look);
    if (status == WADI_OK) status = wadi_landscape_draw(landscape, &camera, look, args->picture[0], args->picture[1]);
    if (status == WADI_OK) status = wadi_offscreen_read(screen, picture);
    if (status == WADI_OK && maps->decorate) status = wadi_landscape_decorate(landscape, look, *picture);
    wadi_landscape_destroy(landscape);
    return status;
}

int landscape_picture(const landscape_args *args, const landscape_maps *maps, const char *output) {
    wadi_offscreen *screen;
    wadi_picture *picture = NULL;
    const wadi_look look = look_of(args, maps);
    wadi_status status = wadi_offscreen_open(args->picture[0], args->picture[1], &screen);
    if (status != WADI_OK) return cli_fail_status(status);
    status = draw(args, maps, &look, screen, &picture);
    wadi_offscreen_close(screen);
    if (status == WADI_OK) status = wadi_picture_write(output, picture->rgb, picture->width, picture->height);
    if (status == WADI_OK)
        printf("%s: %d x %d pixels, heights times %.3g\n", output, picture->width, picture->height, look.exaggeration);
    wadi_picture_destroy(picture);
    return cli_fail_status(status);
}
