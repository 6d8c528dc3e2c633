/* film.h: perspective pictures without a window (--3d): one for wadi render, many for a video. */
#ifndef WADI_RUN_FILM_H
#define WADI_RUN_FILM_H

#include "option.h"

#include "wadi/io.h"
#include "wadi/landscape.h"

typedef struct landscape_args {
    bool wanted, no_shadows, no_detail, no_sides;
    int picture[2];
    number_pair at, sun;
    double azimuth, elevation, distance, angle;
    wadi_ground ground;
} landscape_args;

#define LANDSCAPE_DEFAULTS \
    { .picture = {1600, 900}, .azimuth = -1 }

/* Rows for a command's table of options. `struct_` is its struct, `args` its landscape_args, `pixels` the help on the
 * size of the picture. The last argument says where in a recipe they may stand (there, they are allowed with --resume
 * too). */
#define LANDSCAPE_OPTIONS(struct_, args, pixels, place) \
    OPTION_ROW(struct_, FLAG, "3d", args.wanted, NULL, .not_in_window = true, .recipe = place, \
               .with_resume = place != 0, .help = "in perspective, as in the window"), \
        LANDSCAPE_ROW(struct_, SIZE, "picture", args.picture, "WxH", place, .help = "with --3d: pixels (" pixels ")"), \
        LANDSCAPE_ROW(struct_, NUMBER, "azimuth", args.azimuth, "DEG", place, .maximum = 360, \
                      .help = "with --3d: the direction looked in, 0 north, 90 east (340)"), \
        LANDSCAPE_ROW(struct_, NUMBER, "elevation", args.elevation, "DEG", place, .minimum = 1, .maximum = 90, \
                      .help = "with --3d: of the camera above the horizon (30)"), \
        LANDSCAPE_ROW(struct_, NUMBER, "distance", args.distance, "M", place, .minimum = 1e-6, .maximum = 1e12, \
                      .help = "with --3d: of the camera from what it looks at (so that all is seen)"), \
        LANDSCAPE_ROW(struct_, PAIR, "at", args.at, "X,Y", place, .maximum = 1e9, \
                      .help = "with --3d: the cell looked at, from the top left (the middle)"), \
        LANDSCAPE_ROW(struct_, NUMBER, "angle", args.angle, "DEG", place, .minimum = 1, .maximum = 120, \
                      .help = "with --3d: from the picture's top to its bottom (38)"), \
        LANDSCAPE_ROW(struct_, PAIR, "sun", args.sun, "AZ,EL", place, .maximum = 360, \
                      .help = "with --3d: where the sun stands, degrees (250,36)"), \
        LANDSCAPE_ROW(struct_, FLAG, "no-shadows", args.no_shadows, NULL, place, .help = "with --3d: no shadows"), \
        LANDSCAPE_ROW(struct_, FLAG, "no-detail", args.no_detail, NULL, place, \
                      .help = "with --3d: no bumps of rock and plants, which are smaller than a cell or a few"), \
        LANDSCAPE_ROW(struct_, FLAG, "no-sides", args.no_sides, NULL, place, \
                      .help = "with --3d: no cut through the ground")
#define LANDSCAPE_ROW(struct_, type_, name_, member_, value_, place_, ...) \
    OPTION_ROW(struct_, type_, name_, member_, value_, .not_in_window = true, .recipe = place_, \
               .with_resume = place_ != 0, __VA_ARGS__)

/* The maps to draw; NULL: not available. */
typedef struct landscape_maps {
    const wadi_raster *height, *water, *ice, *sediment, *erosion, *deposition, *overlay;
    const char *overlay_name;
    double exaggeration; /* 0: chosen automatically */
    bool decorate;       /* draw the overlay's legend */
} landscape_maps;

/* *exaggeration: the value used. */
wadi_status run_landscape_picture(const landscape_args *args, const landscape_maps *maps, const char *output,
                                  double *exaggeration);

/* The colours of the ground as such a picture has them, without light and water: a pixel for each cell. Destroy
 * the picture. */
wadi_status run_landscape_colours(wadi_ground ground, const landscape_maps *maps, wadi_picture **picture);

/* A landscape that changes and is drawn repeatedly, with the camera and colours of the first picture. It has its own
 * OpenGL context, which becomes the current one. */
typedef struct landscape_film landscape_film;
/* The grid of which a film draws maps of width x height cells. A larger map is averaged, so that its memory is bounded:
 * LANDSCAPE_MOST_CELLS on the longer side, or two for each pixel there. */
enum { LANDSCAPE_MOST_CELLS = 4096 };
void run_landscape_grid(const landscape_args *args, int *width, int *height);
/* Whether a landscape is possible, before anything is read. */
wadi_status run_landscape_check(const landscape_args *args);
/* Chooses camera and exaggeration for these heights. *film is NULL after an error. */
wadi_status run_landscape_open(const landscape_args *args, const wadi_raster *height, landscape_film **film);
wadi_status run_landscape_set(landscape_film *film, wadi_layer layer, const float *values); /* all cells */
wadi_status run_landscape_clear(landscape_film *film, wadi_layer layer);                    /* 0 everywhere */
wadi_status run_landscape_draw(landscape_film *film, wadi_picture **picture);               /* destroy it */
void run_landscape_close(landscape_film *film);                                             /* takes NULL */

#endif
