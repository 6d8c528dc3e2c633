/* look.c: how a landscape looks unless it is told otherwise; there with OpenGL or without. */
#include "wadi/landscape.h"

wadi_look wadi_default_look(void) {
    return (wadi_look){
        .sun_azimuth = 285, .sun_elevation = 38, .exaggeration = 1, .shadows = true, .sides = true, .quality = 1};
}
