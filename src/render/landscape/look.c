/* look.c: the default look of a landscape, with or without OpenGL. */
#include "wadi/landscape.h"

wadi_look wadi_default_look(void) {
    return (wadi_look){.sun_azimuth = 250,
                       .sun_elevation = 36,
                       .exaggeration = 1,
                       .shadows = true,
                       .detail = true,
                       .sides = true,
                       .quality = 1};
}
