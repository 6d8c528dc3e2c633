#include "film.h"

#include "array.h"

#include "wadi/levels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct landscape_film {
    int width, height, picture[2]; /* width, height: of the grid that is drawn */
    int map_width, map_height;
    float *averaged; /* a map on that grid; NULL: it is the map's own */
    wadi_offscreen *screen;
    wadi_landscape *landscape;
    wadi_camera camera;
    wadi_look look;
    bool settled;
};

/* True heights, unless the relief would hardly be visible. */
static double chosen_exaggeration(const wadi_raster *height) {
    const double least = 0.065, side = fmax(height->lx * height->width, height->ly * height->height);
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

/* In the cell that the camera looks at. */
static float value_at(const wadi_raster *map, const landscape_args *args) {
    const int x = (int)fmin(args->at.first, map->width - 1), y = (int)fmin(args->at.second, map->height - 1);
    return map->values[(size_t)y * (size_t)map->width + (size_t)x];
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
        const float z = value_at(height, args);
        camera.x = args->at.first * height->lx;
        camera.y = args->at.second * height->ly;
        if (isfinite(z)) camera.z = (double)z;
    }
    return camera;
}

static wadi_look look_of(const landscape_args *args, const wadi_raster *height, double exaggeration) {
    wadi_look look = wadi_default_look();
    if (args->sun.count > 0) {
        look.sun_azimuth = args->sun.first;
        look.sun_elevation = fmin(args->sun.second, 90);
    }
    look.exaggeration = exaggeration > 0 ? exaggeration : chosen_exaggeration(height);
    look.ground = args->ground;
    look.shadows = !args->no_shadows;
    look.detail = !args->no_detail;
    look.sides = !args->no_sides;
    return look;
}

static wadi_status set(landscape_film *film, wadi_layer layer, const float *values) {
    wadi_status status = WADI_OK;
    if (film->averaged)
        status = wadi_average(values, film->map_width, film->map_height, film->averaged, film->width, film->height);
    if (status != WADI_OK) return status;
    const float *drawn = film->averaged ? film->averaged : values;
    return wadi_landscape_set(film->landscape, layer, 0, 0, film->width, film->height, drawn);
}

static wadi_status draw(landscape_film *film, wadi_picture **picture) {
    const int width = film->picture[0], height = film->picture[1];
    wadi_status status = wadi_landscape_draw(film->landscape, &film->camera, &film->look, width, height);
    return status == WADI_OK ? wadi_offscreen_read(film->screen, picture) : status;
}

static wadi_status create_landscape(landscape_film *film, const wadi_raster *height) {
    const double lx = height->lx * height->width / film->width, ly = height->ly * height->height / film->height;
    if (film->width < height->width || film->height < height->height) {
        film->averaged = run_array_new((size_t)film->width * (size_t)film->height, sizeof *film->averaged);
        if (!film->averaged) return WADI_ERROR_MEMORY;
    }
    return wadi_landscape_create(film->width, film->height, lx, ly, &film->landscape);
}

/* `exaggeration` 0: chosen automatically. After an error *film may be incomplete. */
static wadi_status make(const landscape_args *args, const wadi_raster *height, int width, int rows, double exaggeration,
                        landscape_film **result) {
    landscape_film *film = *result = run_array_new(1, sizeof *film);
    if (!film) return WADI_ERROR_MEMORY;
    *film = (landscape_film){.width = width,
                             .height = rows,
                             .map_width = height->width,
                             .map_height = height->height,
                             .picture = {args->picture[0], args->picture[1]},
                             .look = look_of(args, height, exaggeration)};
    wadi_status status = wadi_offscreen_open(args->picture[0], args->picture[1], &film->screen);
    if (status == WADI_OK) status = create_landscape(film, height);
    if (status == WADI_OK) status = set(film, WADI_LAYER_HEIGHT, height->values);
    if (status == WADI_OK) film->camera = camera_of(args, height, film->landscape, &film->look);
    return status;
}

void run_landscape_close(landscape_film *film) {
    if (!film) return;
    wadi_landscape_destroy(film->landscape);
    wadi_offscreen_close(film->screen);
    free(film->averaged);
    free(film);
}

/* --- one picture --- */

static wadi_status set_map(landscape_film *film, wadi_layer layer, const wadi_raster *map) {
    return map ? set(film, layer, map->values) : WADI_OK;
}

/* Deposition minus erosion, if the run has both. */
static wadi_status set_change(landscape_film *film, const landscape_maps *maps) {
    const wadi_raster *down = maps->deposition, *away = maps->erosion;
    if (!down || !away) return WADI_OK;
    const size_t cells = (size_t)down->width * (size_t)down->height;
    float *change = run_array_new(cells, sizeof *change);
    if (!change) return WADI_ERROR_MEMORY;
    for (size_t i = 0; i < cells; i++) change[i] = down->values[i] - away->values[i];
    wadi_status status = set(film, WADI_LAYER_CHANGE, change);
    free(change);
    return status;
}

static wadi_status set_maps(landscape_film *film, const landscape_maps *maps) {
    wadi_status status = set_map(film, WADI_LAYER_WATER, maps->water);
    if (status == WADI_OK) status = set_map(film, WADI_LAYER_SEDIMENT, maps->sediment);
    if (status == WADI_OK) status = set_map(film, WADI_LAYER_ICE, maps->ice);
    if (status == WADI_OK) status = set_change(film, maps);
    if (status == WADI_OK) status = set_map(film, WADI_LAYER_OVERLAY, maps->overlay);
    if (maps->overlay) film->look.overlay_name = maps->overlay_name;
    return status;
}

wadi_status run_landscape_picture(const landscape_args *args, const landscape_maps *maps, const char *output,
                                  double *exaggeration) {
    landscape_film *film;
    wadi_picture *picture = NULL;
    wadi_status status = make(args, maps->height, maps->height->width, maps->height->height, maps->exaggeration, &film);
    if (status == WADI_OK) status = set_maps(film, maps);
    const float ice = status == WADI_OK && maps->ice && args->at.count > 0 ? value_at(maps->ice, args) : 0;
    if (ice > 0) film->camera.z += (double)ice;
    if (status == WADI_OK) status = draw(film, &picture);
    if (status == WADI_OK && maps->decorate) status = wadi_landscape_decorate(film->landscape, &film->look, picture);
    if (status == WADI_OK) status = wadi_picture_write(output, picture->rgb, picture->width, picture->height);
    if (film) *exaggeration = film->look.exaggeration;
    run_landscape_close(film);
    wadi_picture_destroy(picture);
    return status;
}

/* Pixels are square: their rows become as many as there are rows of cells. */
static wadi_status fit_rows(wadi_picture *picture, int rows) {
    const size_t stride = 3 * (size_t)picture->width;
    if (picture->height == rows) return WADI_OK;
    uint8_t *rgb = run_array_new((size_t)rows, stride);
    if (!rgb) return WADI_ERROR_MEMORY;
    for (int y = 0; y < rows; y++) {
        const double at = fmax((y + 0.5) * picture->height / rows - 0.5, 0), part = at - floor(at);
        const size_t above = (size_t)at, below = above + 1 < (size_t)picture->height ? above + 1 : above;
        for (size_t x = 0; x < stride; x++)
            rgb[(size_t)y * stride + x] = (uint8_t)((1 - part) * picture->rgb[above * stride + x] +
                                                    part * picture->rgb[below * stride + x] + 0.5);
    }
    free(picture->rgb);
    picture->rgb = rgb;
    picture->height = rows;
    return WADI_OK;
}

/* Straight from above, without perspective: the picture is as high as the camera is far. */
wadi_status run_landscape_colours(wadi_ground ground, const landscape_maps *maps, wadi_picture **picture) {
    const wadi_raster *height = maps->height;
    const int width = height->width, rows = (int)fmax(floor(height->height * height->ly / height->lx + 0.5), 1);
    const landscape_args args = {.picture = {width, rows}, .ground = ground, .no_shadows = true, .no_sides = true};
    landscape_film *film;
    *picture = NULL;
    wadi_status status = make(&args, height, width, height->height, 1, &film);
    if (status == WADI_OK) {
        film->look.unlit = true;
        film->camera = (wadi_camera){.x = 0.5 * height->lx * height->width,
                                     .y = 0.5 * height->ly * height->height,
                                     .elevation = 90,
                                     .distance = height->lx * rows};
        status = set_maps(film, maps);
    }
    if (status == WADI_OK) status = draw(film, picture);
    if (status == WADI_OK) status = fit_rows(*picture, height->height);
    run_landscape_close(film);
    return status;
}

/* --- many --- */

wadi_status run_landscape_check(const landscape_args *args) {
    wadi_offscreen *screen;
    wadi_status status = wadi_offscreen_open(args->picture[0], args->picture[1], &screen);
    wadi_offscreen_close(screen);
    return status;
}

static int largest_of(int a, int b) { return a > b ? a : b; }

void run_landscape_grid(const landscape_args *args, int *width, int *height) {
    const int pixels = largest_of(args->picture[0], args->picture[1]);
    const int64_t most = largest_of(LANDSCAPE_MOST_CELLS, 2 * pixels), longest = largest_of(*width, *height);
    if (longest <= most) return;
    *width = largest_of(2, (int)(*width * most / longest));
    *height = largest_of(2, (int)(*height * most / longest));
}

wadi_status run_landscape_open(const landscape_args *args, const wadi_raster *height, landscape_film **film) {
    int width = height->width, rows = height->height;
    run_landscape_grid(args, &width, &rows);
    const wadi_status status = make(args, height, width, rows, 0, film);
    if (status == WADI_OK) return status;
    run_landscape_close(*film);
    *film = NULL;
    return status;
}

wadi_status run_landscape_set(landscape_film *film, wadi_layer layer, const float *values) {
    return set(film, layer, values);
}

wadi_status run_landscape_clear(landscape_film *film, wadi_layer layer) {
    return wadi_landscape_clear(film->landscape, layer);
}

wadi_status run_landscape_draw(landscape_film *film, wadi_picture **picture) {
    wadi_status status = film->settled ? WADI_OK : wadi_landscape_settle(film->landscape, &film->look);
    film->settled = true;
    *picture = NULL;
    if (status == WADI_OK) status = draw(film, picture);
    return status;
}
