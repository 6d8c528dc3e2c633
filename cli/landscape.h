/* landscape.h: wadi render --3d: the window's picture, without a window. */
#ifndef WADI_CLI_LANDSCAPE_H
#define WADI_CLI_LANDSCAPE_H

#include "options.h"

#include "wadi/io.h"

typedef struct landscape_args {
    bool wanted, no_shadows, no_sides;
    int picture[2];
    number_pair at, sun;
    double azimuth, elevation, distance, angle;
} landscape_args;

#define LANDSCAPE_DEFAULTS \
    { .picture = {1600, 900}, .azimuth = -1 }

/* Rows for a command's table: `struct_` is its struct, `args` the landscape_args in it. */
#define LANDSCAPE_OPTIONS(struct_, args) \
    OPTION_ROW(struct_, FLAG, "3d", args.wanted, NULL, .help = "a perspective picture, as in the window"), \
        OPTION_ROW(struct_, SIZE, "picture", args.picture, "WxH", .help = "with --3d: pixels (1600x900)"), \
        OPTION_ROW(struct_, NUMBER, "azimuth", args.azimuth, "DEG", .maximum = 360, \
                   .help = "with --3d: the direction looked in, 0 north, 90 east (340)"), \
        OPTION_ROW(struct_, NUMBER, "elevation", args.elevation, "DEG", .minimum = 1, .maximum = 90, \
                   .help = "with --3d: of the camera above the horizon (30)"), \
        OPTION_ROW(struct_, NUMBER, "distance", args.distance, "M", .minimum = 1e-6, .maximum = 1e12, \
                   .help = "with --3d: of the camera from what it looks at (so that all is seen)"), \
        OPTION_ROW(struct_, PAIR, "at", args.at, "X,Y", .maximum = 1e9, \
                   .help = "with --3d: the cell looked at, from the top left (the middle)"), \
        OPTION_ROW(struct_, NUMBER, "angle", args.angle, "DEG", .minimum = 1, .maximum = 120, \
                   .help = "with --3d: from the picture's top to its bottom (38)"), \
        OPTION_ROW(struct_, PAIR, "sun", args.sun, "AZ,EL", .maximum = 360, \
                   .help = "with --3d: where the sun stands, degrees (285,38)"), \
        OPTION_ROW(struct_, FLAG, "no-shadows", args.no_shadows, NULL, .help = "with --3d: no shadows"), \
        OPTION_ROW(struct_, FLAG, "no-sides", args.no_sides, NULL, .help = "with --3d: no cut through the ground")

/* What is drawn; NULL: not there. */
typedef struct landscape_maps {
    const wadi_raster *height, *water, *sediment, *erosion, *deposition, *overlay;
    const char *overlay_name;
    double exaggeration; /* 0: chosen */
    bool decorate;       /* the overlay's legend */
} landscape_maps;

/* Errors are said; returns the exit code. */
int landscape_picture(const landscape_args *args, const landscape_maps *maps, const char *output);

#endif
